import type pg from 'pg'
import { withClient } from '../server/db/migrate.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import type { Env } from '../server/env.ts'
import { ownAddress, siteAddress } from './addresses.ts'

/** The demo's accounts, as its seeder names them. */
const DEMO_PLATFORM = 'platform@parley.example'
const DEMO_NAMES = ['site.admin', 'hub.admin', 'project.admin', 'participant']
const DEMO_PASSWORD = 'parley-demo'

interface Place {
  id: string
  name: string
  hosts: string[]
}

/** What to print when it listens: where each site is, and the demo's accounts where there are any. */
export async function welcome(env: Env, databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const places = await sitesOf(client)
    const width = Math.max(...places.map(({ name }) => name.length), 0)
    const addresses = places.length
      ? places.map(({ name, hosts }) => `  ${name.padEnd(width)}  ${hosts.map((host) => siteAddress(env, host)).join('  ')}`)
      : [`  There is no site yet: it answers at ${ownAddress(env)}`]
    const setup = await firstAdmin(client, env, databaseUrl, places)
    return ['', '  Parley is ready.', '', ...addresses, ...(await demoAccounts(client, places)), ...setup, ''].join('\n')
  })
}

async function sitesOf(client: pg.Client): Promise<Place[]> {
  const { rows } = await client.query<Place>(
    `select s.id, s.name, array_agg(d.host order by d.is_primary desc, d.host) as hosts
     from sites s join site_domains d on d.site_id = s.id
     where s.status = 'active' and s.id <> $1 group by s.id order by s.created_at, s.name`,
    [PLATFORM_SITE_ID],
  )
  return rows
}

/** While nobody can run the platform, a link with which whoever reads this can. What it needs is loaded then alone. */
async function firstAdmin(client: pg.Client, env: Env, databaseUrl: string, places: Place[]): Promise<string[]> {
  await client.query(`select set_config('parley.site_id', $1, false)`, [PLATFORM_SITE_ID])
  if ((await client.query("select from memberships where role = 'platform_admin' limit 1")).rowCount) return []
  const [{ openDatabase }, { makeFirstAdminLink }] = await Promise.all([
    import('../server/db/client.ts'),
    import('../features/accounts/first-admin.server.ts'),
  ])
  const database = openDatabase(databaseUrl, { max: 1, onError: () => {} })
  try {
    const path = await makeFirstAdminLink(database, new Date())
    const [host] = places[0]?.hosts ?? []
    return [
      '',
      '  Nobody runs this platform yet. Open this link, which works once and for a day, to be the first:',
      `  ${host ? addressOf(env, host) : ownAddress(env)}${path}`,
    ]
  } finally {
    await database.close()
  }
}

async function demoAccounts(client: pg.Client, places: Place[]): Promise<string[]> {
  if (!(await emailLike(client, PLATFORM_SITE_ID, DEMO_PLATFORM))) return []
  const lines = ['', `  Demo accounts, each with the password ${DEMO_PASSWORD}:`, `    ${DEMO_PLATFORM}`]
  for (const { id } of places) {
    const email = await emailLike(client, id, `${DEMO_NAMES[0]}@%.example`)
    if (email) lines.push(`    ${DEMO_NAMES.map((name) => `${name}@`).join(', ')} ${email.split('@')[1]}`)
  }
  return lines
}

async function emailLike(client: pg.Client, siteId: string, pattern: string): Promise<string | undefined> {
  await client.query(`select set_config('parley.site_id', $1, false)`, [siteId])
  return (await client.query<{ email: string }>('select email from users where site_id = $1 and email like $2', [siteId, pattern])).rows[0]
    ?.email
}
