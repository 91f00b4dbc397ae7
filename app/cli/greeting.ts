import type pg from 'pg'
import { runForSite, withClient } from '../server/db/migrate.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import type { Env } from '../server/env.ts'
import { buildSetupAddress, buildSiteAddress } from './addresses.ts'
import { DEMO_CARD, DEMO_PASSWORD, DEMO_PLATFORM_ACCOUNT } from './demo/demo-accounts.ts'

/** Demo accounts of each site, as the seeder names them. */
const DEMO_NAMES = ['site.admin', 'hub.admin', 'project.admin', 'participant']

interface SiteAddresses {
  id: string
  name: string
  hosts: string[]
}

/** Printed once it listens: each site's addresses, and the demo's accounts if there are any. */
export async function buildGreeting(env: Env, databaseUrl: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    const places = await loadSites(client)
    const width = Math.max(...places.map(({ name }) => name.length), 0)
    const addresses = places.length
      ? places.map(({ name, hosts }) => `  ${name.padEnd(width)}  ${hosts.map((host) => buildSiteAddress(env, host)).join('  ')}`)
      : [`  There is no site yet: it answers at ${buildSetupAddress(env)}`]
    return ['', '  Parley is ready.', '', ...addresses, ...(await listDemoAccounts(client, places)), ''].join('\n')
  })
}

async function loadSites(client: pg.Client): Promise<SiteAddresses[]> {
  const { rows } = await client.query<SiteAddresses>(
    `select s.id, s.name, array_agg(d.host order by d.is_primary desc, d.host) as hosts
     from sites s join site_domains d on d.site_id = s.id
     where s.status = 'active' and s.id <> $1 group by s.id order by s.created_at, s.name`,
    [PLATFORM_SITE_ID],
  )
  return rows
}

async function listDemoAccounts(client: pg.Client, places: SiteAddresses[]): Promise<string[]> {
  if (!(await findEmail(client, PLATFORM_SITE_ID, DEMO_PLATFORM_ACCOUNT))) return []
  const lines = ['', `  Demo accounts, each with the password ${DEMO_PASSWORD}:`, `    ${DEMO_PLATFORM_ACCOUNT}`]
  for (const { id } of places) {
    const email = await findEmail(client, id, `${DEMO_NAMES[0]}@%.example`)
    if (email) lines.push(`    ${DEMO_NAMES.map((name) => `${name}@`).join(', ')} ${email.split('@')[1]}`)
  }
  lines.push(`  Riverbend’s neighbourhood fund asks for a library card: ${DEMO_CARD}`)
  lines.push('', '  Mails wait in the outbox, without their secret links. To read one whole, in another terminal:')
  lines.push('    npm run -s parley -- mails <address>')
  return lines
}

async function findEmail(client: pg.Client, siteId: string, pattern: string): Promise<string | undefined> {
  const { rows } = await runForSite(client, siteId, () =>
    client.query<{ email: string }>('select email from users where site_id = $1 and email like $2', [siteId, pattern]),
  )
  return rows[0]?.email
}
