import { parseArgs } from 'node:util'
import { needsFirstAdmin, createFirstAdminLink } from '#app/features/people/first-admin.server.ts'
import { LANGUAGES, type Language } from '../lib/languages.ts'
import { createId } from '../lib/uuid.ts'
import { type Database, openDatabase, violatedConstraint } from '../server/db/client.ts'
import { siteDomains, sites } from '../server/db/schema/sites.ts'
import type { Env } from '../server/env.ts'
import { createSiteKey } from '../server/site-key.ts'
import { StartupFault } from '../server/startup-fault.ts'
import { buildSetupAddress, buildSiteAddress } from './addresses.ts'
import type { CommandCall } from './commands.ts'
import { withPreparedDatabase } from './open-database.ts'
import { readKeys, readSigningSecret } from './prepare.ts'
import { formatUsage } from './usage.ts'

const CREATE_SITE = formatUsage('create-site')
const HOST = /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/

/** Creates a site with its first address; its default language is the first one given. */
export async function createSiteCommand({ env, words, say }: CommandCall): Promise<void> {
  const site = parseNewSite(words)
  await withPreparedDatabase(env, say, (url) =>
    withDatabase(url, async (database) => {
      await insertSite(database, site, createSiteKey({ keys: readKeys(env), secret: readSigningSecret(env) }, site.id))
      say(`The site ${site.name} is at ${buildSiteAddress(env, site.host)}`)
      await printFirstAdminLink(database, buildSiteAddress(env, site.host), say)
    }),
  )
}

/** Prints a link whose first user becomes a platform administrator; earlier links stop working. */
export async function createAdminCommand({ env, say }: CommandCall): Promise<void> {
  await withPreparedDatabase(env, say, (url) =>
    withDatabase(url, async (database) => {
      const [first] = await database.global.select({ host: siteDomains.host }).from(siteDomains).orderBy(siteDomains.isPrimary).limit(1)
      if (!first) throw new StartupFault(`There is no site yet, and so no address for the link: make one with parley ${CREATE_SITE}`)
      say(`${buildSiteAddress(env, first.host)}${await createFirstAdminLink(database, new Date())}`)
      say('The link makes one platform administrator, within a day.')
    }),
  )
}

/** Prints what to do next if there is no platform administrator yet. */
export async function printFirstSteps(env: Env, databaseUrl: string, say: (line: string) => void): Promise<void> {
  await withDatabase(databaseUrl, async (database) => {
    const [first] = await database.global.select({ host: siteDomains.host }).from(siteDomains).orderBy(siteDomains.isPrimary).limit(1)
    if (first) return printFirstAdminLink(database, buildSiteAddress(env, first.host), say)
    await printFirstAdminLink(database, buildSetupAddress(env), say)
    say('There is no site yet: that link makes the first one too, at the address you open it at. Or make it in another terminal:')
    say(`  npm run -s parley -- ${CREATE_SITE}`)
  })
}

async function printFirstAdminLink(database: Database, origin: string, say: (line: string) => void): Promise<void> {
  if (!(await needsFirstAdmin(database))) return
  say('Nobody runs this platform yet. Open this link, which works once, to become its administrator:')
  say(`  ${origin}${await createFirstAdminLink(database, new Date())}`)
}

interface NewSite {
  id: string
  host: string
  name: string
  region: string
  languages: Language[]
  timeZone: string
}

function parseNewSite(words: string[]): NewSite {
  const options = {
    host: { type: 'string' },
    name: { type: 'string' },
    region: { type: 'string' },
    languages: { type: 'string' },
    'time-zone': { type: 'string' },
  } as const
  const values = (() => {
    try {
      return parseArgs({ args: words, options }).values
    } catch (error) {
      throw new StartupFault(`${error instanceof Error ? error.message.split('. ')[0] : ''}. Usage: parley ${CREATE_SITE}`)
    }
  })()
  const { host = '', name = '', region = '', languages: list = 'en', 'time-zone': timeZone = 'UTC' } = values
  const languages = list.split(',').filter((tag): tag is Language => (LANGUAGES as readonly string[]).includes(tag))
  const faults = [
    ...(HOST.test(host) ? [] : ['--host must be a host name in lower case']),
    ...(name.trim() ? [] : ['--name is missing']),
    ...(region.trim() ? [] : ['--region is missing']),
    ...(languages.length === list.split(',').length ? [] : [`--languages must be some of ${LANGUAGES.join(',')}`]),
    ...(isTimeZone(timeZone) ? [] : ['--time-zone must be one such as Europe/London']),
  ]
  if (faults.length) throw new StartupFault(`${faults.join('; ')}. Usage: parley ${CREATE_SITE}`)
  return { id: createId(), host, name: name.trim(), region: region.trim(), languages, timeZone }
}

async function insertSite(database: Database, site: NewSite, sealedKey: string): Promise<void> {
  const slug = site.host.split('.')[0] ?? site.host
  try {
    await database.global.transaction(async (tx) => {
      await tx.insert(sites).values({
        id: site.id,
        sealedKey,
        slug: slug === 'www' ? (site.host.split('.')[1] ?? slug) : slug,
        name: site.name,
        region: site.region,
        locale: site.languages[0] ?? 'en',
        languages: site.languages,
        timeZone: site.timeZone,
      })
      await tx.insert(siteDomains).values({ host: site.host, siteId: site.id, isPrimary: true })
    })
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint) throw new StartupFault(`There is already a site at ${site.host} or one named ${slug}.`, { cause: error })
    throw error
  }
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone)
  } catch {
    return false
  }
}

async function withDatabase<T>(databaseUrl: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(databaseUrl, { max: 2, onError: () => {} })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
