import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { listPeople } from '#app/features/accounts/people.list.server.ts'
import type { PeopleQuery } from '#app/features/accounts/accounts.schema.ts'
import { newId } from '#app/lib/uuid.ts'
import { hashToken, newToken } from '#app/server/auth/tokens.ts'
import { appPassword, appUrl } from '#app/server/connect.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import { openDatabase } from '#app/server/db/client.ts'
import { startEmbedded } from '#app/server/db/embedded.ts'
import { migrate } from '#app/server/db/migrate.ts'
import { readEnv } from '#app/server/env.ts'
import { createLogger } from '#app/server/log.ts'
import { SiteDirectory } from '#app/server/site-directory.ts'

/**
 * How long the table of people takes with 100,000 of them on a site beside another as large: `node tests/bench/people-table.ts`.
 * Prints the median and the 95th percentile of each kind of question, in milliseconds.
 */
const PEOPLE = 100_000
const ROUNDS = 20
const SECRET = randomBytes(32).toString('hex')

const dir = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const server = await startEmbedded(dir, {})
await migrate(server.ownerUrl, appPassword(SECRET))
const owner = new pg.Client({ connectionString: server.ownerUrl })
await owner.connect()
const sites = await Promise.all([addSite('bench'), addSite('other')])
const [site] = sites
for (const one of sites) await fill(one.siteId, one.hubId)
await owner.query('vacuum analyze')

const database = openDatabase(appUrl(server.ownerUrl, SECRET), { max: 4 })
const runtime = {
  env: readEnv({ DATA_DIR: dir }),
  secret: SECRET,
  database,
  sites: new SiteDirectory(database),
  log: createLogger('silent'),
  now: () => new Date(),
}
const found = await runtime.sites.find('bench.localhost')
if (!found) throw new Error('The site was not found')
const [siteAdmin, hubAdmin] = await Promise.all([administrator('site_admin', null), administrator('hub_admin', site.hubId)])

const words = ['ann', 'a1b', 'example', 'bea', '99', 'cad fe', 'abcdfe77']
const page = { offset: 0, limit: 50 }
const sorts = (['createdAt', 'login', 'email', 'lastSeenAt'] as const).flatMap((by) =>
  [true, false].map((descending) => ({ by, descending })),
)
const questions: Record<string, (round: number) => PeopleQuery> = {
  'first page': () => ({ sort: [{ by: 'createdAt', descending: true }], ...page }),
  'a sort': (round) => ({ sort: sorts.slice(round % sorts.length).slice(0, 1), ...page }),
  'a page in the middle': () => ({ sort: [{ by: 'login', descending: false }], offset: PEOPLE / 2, limit: 50 }),
  search: (round) => ({ q: words[round % words.length] ?? '', sort: [{ by: 'createdAt', descending: true }], ...page }),
  'role and status': () => ({ role: ['participant'], status: ['active'], sort: [{ by: 'login', descending: false }], ...page }),
  'took part in a hub': () => ({ hub: site.hubId, sort: [{ by: 'lastSeenAt', descending: true }], ...page }),
}
try {
  for (const [who, token] of Object.entries({ 'site administrator': siteAdmin, 'hub administrator': hubAdmin })) {
    const ctx = await withViewer(createCtx(runtime, found), token)
    for (const [name, question] of Object.entries(questions)) {
      const took: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const start = performance.now()
        await listPeople(ctx, question(round))
        took.push(performance.now() - start)
      }
      took.sort((a, b) => a - b)
      console.log(`${who.padEnd(20)} ${name.padEnd(24)} median ${at(took, 0.5)}  p95 ${at(took, 0.95)}`)
    }
  }
} finally {
  await database.close()
  await owner.end()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
}

function at(sorted: number[], share: number): string {
  return (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0).padStart(5)
}

async function addSite(slug: string): Promise<{ siteId: string; hubId: string }> {
  const [siteId, hubId] = [newId(), newId()]
  await owner.query(
    `insert into sites (id, slug, name, region, locale, languages, time_zone) values ($1, $2, 'Bench', 'Canada', 'en', '{en}', 'America/Toronto')`,
    [siteId, slug],
  )
  await owner.query(`insert into site_domains (host, site_id, is_primary) values ($1, $2, true)`, [`${slug}.localhost`, siteId])
  await owner.query(`insert into hubs (site_id, id, slug, title) values ($1, $2, 'roads', '{}')`, [siteId, hubId])
  return { siteId, hubId }
}

/** People of whom a third follow a project of the hub and a third answered one of its surveys. */
async function fill(siteId: string, hubId: string): Promise<void> {
  const [projectId, surveyId] = [newId(), newId()]
  await owner.query(`insert into projects (site_id, id, hub_id, slug, title) values ($1, $2, $3, 'p', '{}')`, [siteId, projectId, hubId])
  await owner.query(`insert into surveys (site_id, id, project_id, slug, title, definition) values ($1, $2, $3, 's', '{}', '{}')`, [
    siteId,
    surveyId,
    projectId,
  ])
  await owner.query(
    `insert into users (site_id, id, email, login, password_hash, email_confirmed_at, created_at, last_seen_at)
     select $1, gen_random_uuid(), substr(md5((i * 3)::text), 1, 7) || i || '@example.org', initcap(substr(md5(i::text), 1, 6)) || ' ' || initcap(substr(md5((i * 7)::text), 1, 8)),
            'x', now(), now() - i * interval '7 minutes', now() - (i % 5000) * interval '1 hour' from generate_series(1, $2::int) i`,
    [siteId, PEOPLE],
  )
  await owner.query(
    `insert into project_follows (site_id, project_id, user_id) select $1, $2, id from users where site_id = $1 and email like '%3@%' or site_id = $1 and email like '%5@%'`,
    [siteId, projectId],
  )
  await owner.query(
    `insert into responses (site_id, id, survey_id, version, user_id, language, answers, receipt_hash)
     select $1, gen_random_uuid(), $2, 1, id, 'en', '{}', sha256(id::text::bytea) from users where site_id = $1 and email like '%7@%'`,
    [siteId, surveyId],
  )
}

async function administrator(role: string, hubId: string | null): Promise<string> {
  const [id, token] = [newId(), newToken()]
  await owner.query(`insert into users (site_id, id, email, login, email_confirmed_at) values ($1, $2, $3, 'Admin', now())`, [
    site.siteId,
    id,
    `${role}@example.org`,
  ])
  await owner.query(
    `insert into sessions (site_id, id, user_id, token_hash, expires_at) values ($1, $2, $3, $4, now() + interval '1 day')`,
    [site.siteId, newId(), id, hashToken(token)],
  )
  await owner.query(`insert into memberships (site_id, id, user_id, role, hub_id) values ($1, $2, $3, $4, $5)`, [
    site.siteId,
    newId(),
    id,
    role,
    hubId,
  ])
  return token
}
