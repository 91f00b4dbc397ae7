import { and, eq, ne } from 'drizzle-orm'
import { openDatabase } from '../server/db/client.ts'
import { siteDomains, sites } from '../server/db/schema.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import type { Env } from '../server/env.ts'
import { ownAddress } from './addresses.ts'

/** Prints where each site is. */
export async function welcome(env: Env, databaseUrl: string, say: (line: string) => void): Promise<void> {
  const found = await sitesOf(databaseUrl)
  const width = Math.max(...found.map(({ name }) => name.length), 8)
  say('')
  say('  Parley is ready.')
  say('')
  for (const { name, host } of found) say(`  ${name.padEnd(width)}  ${isLocal(host) ? ownAddress(env, host) : `https://${host}`}`)
  if (!found.length) say(`  There is no site yet. It answers at ${ownAddress(env)}`)
  say('')
}

const isLocal = (host: string) => host === 'localhost' || host.endsWith('.localhost')

async function sitesOf(databaseUrl: string): Promise<{ name: string; host: string }[]> {
  const database = openDatabase(databaseUrl, { max: 1 })
  try {
    return await database.global
      .select({ name: sites.name, host: siteDomains.host })
      .from(sites)
      .innerJoin(siteDomains, and(eq(siteDomains.siteId, sites.id), siteDomains.isPrimary))
      .where(and(eq(sites.status, 'active'), ne(sites.id, PLATFORM_SITE_ID)))
      .orderBy(sites.createdAt)
  } finally {
    await database.close()
  }
}
