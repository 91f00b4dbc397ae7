import { and, asc, desc, eq, like, ne } from 'drizzle-orm'
import type { Database } from '../server/db/client.ts'
import { siteDomains, sites, users } from '../server/db/schema.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import type { Env } from '../server/env.ts'
import { ownAddress } from './addresses.ts'
import { DEMO_PASSWORD, PLATFORM_ACCOUNT } from './demo/seed.ts'
import { withDatabase } from './first-content.ts'

/** What stands before the @ in the demo accounts of each site. */
const DEMO_NAMES = ['site.admin', 'hub.admin', 'project.admin', 'participant']

/** Prints where each site is, and the demo's accounts where there are any. */
export async function welcome(env: Env, databaseUrl: string, say: (line: string) => void): Promise<void> {
  await withDatabase(databaseUrl, async (database) => {
    const found = await sitesOf(database)
    const width = Math.max(...found.map(({ name }) => name.length), 0)
    say('')
    say('  Parley is ready.')
    say('')
    for (const { name, hosts } of found) say(`  ${name.padEnd(width)}  ${hosts.map((host) => addressOf(env, host)).join('  ')}`)
    if (!found.length) say(`  There is no site yet: it answers at ${ownAddress(env)}`)
    await tellDemo(database, say)
    say('')
  })
}

async function tellDemo(database: Database, say: (line: string) => void): Promise<void> {
  const platform = await database
    .site(PLATFORM_SITE_ID)
    .tx((tx) => tx.select({ id: users.id }).from(users).where(eq(users.email, PLATFORM_ACCOUNT)))
  if (!platform.length) return
  say('')
  say(`  Demo accounts, each with the password ${DEMO_PASSWORD}:`)
  say(`    ${PLATFORM_ACCOUNT}`)
  for (const { id } of await sitesOf(database)) {
    const [admin] = await database.site(id).tx((tx) =>
      tx
        .select({ email: users.email })
        .from(users)
        .where(like(users.email, `${DEMO_NAMES[0]}@%.example`)),
    )
    if (admin) say(`    ${DEMO_NAMES.map((name) => `${name}@`).join(', ')} ${admin.email.split('@')[1]}`)
  }
}

interface Place {
  id: string
  name: string
  hosts: string[]
}

async function sitesOf(database: Database): Promise<Place[]> {
  const rows = await database.global
    .select({ id: sites.id, name: sites.name, host: siteDomains.host })
    .from(sites)
    .innerJoin(siteDomains, eq(siteDomains.siteId, sites.id))
    .where(and(eq(sites.status, 'active'), ne(sites.id, PLATFORM_SITE_ID)))
    .orderBy(asc(sites.createdAt), desc(siteDomains.isPrimary))
  const places = new Map<string, Place>()
  for (const { id, name, host } of rows) {
    const place = places.get(id) ?? { id, name, hosts: [] }
    place.hosts.push(host)
    places.set(id, place)
  }
  return [...places.values()]
}

const addressOf = (env: Env, host: string) =>
  host === 'localhost' || host.endsWith('.localhost') ? ownAddress(env, host) : `https://${host}`
