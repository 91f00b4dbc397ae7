import { ne, sql } from 'drizzle-orm'
import type { Prepared } from '../serve/start-runtime.ts'
import { type Database, openDatabase } from '../server/db/client.ts'
import { sites } from '../server/db/schema.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import type { Env } from '../server/env.ts'
import { isLoopback } from './addresses.ts'

/** Fills an empty embedded database that only this machine can reach with the demo. @returns whether it is the demo's */
export async function firstContent(env: Env, prepared: Prepared, say: (line: string) => void): Promise<void> {
  if (env.DATABASE_URL || env.NO_DEMO || !isLoopback(env.HOST)) return
  await withDatabase(prepared.databaseUrl, async (database) => {
    if (await hasSites(database)) return
    const { seedDemo } = await import('./demo/seed.ts')
    await seedDemo(database, { say })
  })
}

export async function hasSites(database: Database): Promise<boolean> {
  const [row] = await database.global
    .select({ one: sql`1` })
    .from(sites)
    .where(ne(sites.id, PLATFORM_SITE_ID))
    .limit(1)
  return row !== undefined
}

export async function withDatabase<T>(databaseUrl: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(databaseUrl, { max: 2, onError: () => {} })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
