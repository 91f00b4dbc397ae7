import { eq } from 'drizzle-orm'
import { afterAll, inject } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Language } from '#app/lib/languages.ts'
import { getAppRole, buildAppUrl } from '#app/server/connection-string.ts'
import { openDatabase } from '#app/server/db/client.ts'
import { siteDomains, sites } from '#app/server/db/schema/sites.ts'
import { readEnv } from '#app/server/env.ts'
import { createLogger } from '#app/server/log.ts'
import { KeptBodies } from '#app/server/kept-bodies.ts'
import { RememberedRows } from '#app/server/remembered-rows.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { type Site, SiteDirectory } from '#app/server/site-directory.ts'
import { copyTemplate, TEST_SECRET } from './cluster.ts'

/** A runtime that records its log lines, for tests that look for leaks or error reports. */
export interface TestRuntime extends Runtime {
  logged: string[]
  ownerUrl: string
  /** Sets the runtime's clock. */
  setNow(now: Date | undefined): void
}

/** A runtime on its own empty database, dropped after the file's tests. */
export async function createTestRuntime(env: Record<string, string> = {}): Promise<TestRuntime> {
  const { name, ownerUrl, drop } = await copyTemplate(inject('ownerUrl'))
  const database = openDatabase(buildAppUrl(ownerUrl, TEST_SECRET, getAppRole('template_parley')), {
    max: 8,
    idleMs: 5000,
    onError: () => {},
  })
  const logged: string[] = []
  let fixed: Date | undefined
  const runtime: TestRuntime = {
    env: readEnv({ DATA_DIR: `/tmp/parley-test-data/${name}`, ...env }),
    secret: TEST_SECRET,
    database,
    sites: new SiteDirectory(database),
    rows: new RememberedRows(),
    bodies: new KeptBodies(),
    log: createLogger('debug', (line) => logged.push(line)),
    now: () => fixed ?? new Date(),
    logged,
    ownerUrl,
    setNow: (now) => (fixed = now),
  }
  afterAll(async () => {
    await database.close()
    await drop()
  })
  return runtime
}

/**
 * Adds a site with its host name and returns it as a request would find it. A slug that another test file has taken in a database that both
 * use gets an ending.
 */
export async function addSite(
  runtime: Runtime,
  site: {
    slug: string
    region?: string
    locale?: Language
    languages?: Language[]
    timeZone?: string
    consentRequired?: boolean
    secondStepRequiredSince?: Date
  } = {
    slug: 'riverbend',
  },
): Promise<Site> {
  const id = createId()
  const sameSlug = await runtime.database.global.select({ id: sites.id }).from(sites).where(eq(sites.slug, site.slug))
  const slug = sameSlug.length > 0 ? `${site.slug}-${id.slice(-8)}` : site.slug
  await runtime.database.global.insert(sites).values({
    id,
    slug,
    name: site.slug[0]?.toUpperCase() + site.slug.slice(1),
    region: site.region ?? 'Canada',
    locale: site.locale ?? 'en',
    languages: site.languages ?? ['en', 'fr-CA', 'cy'],
    timeZone: site.timeZone ?? 'America/Toronto',
    consentRequired: site.consentRequired ?? false,
    secondStepRequiredSince: site.secondStepRequiredSince ?? null,
  })
  const host = `${slug}.localhost`
  await runtime.database.global.insert(siteDomains).values({ host, siteId: id, isPrimary: true })
  runtime.sites.refresh()
  const found = await runtime.sites.find(host)
  if (!found) throw new Error('The site was not found again')
  return found
}

/** Opens every connection of the pool, so that concurrent work really runs concurrently. */
export async function warmUpConnections({ database: { pool } }: Runtime): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const client of clients) client.release()
}
