import type { Prepared } from '../serve/start-runtime.ts'
import { withClient } from '../server/db/migrate.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import type { Env } from '../server/env.ts'
import { isLoopback } from './addresses.ts'

/** Fills an empty embedded database that only this machine can reach with the demo. */
export async function firstContent(env: Env, { databaseUrl }: Prepared, say: (line: string) => void): Promise<void> {
  if (env.DATABASE_URL || env.NO_DEMO || !isLoopback(env.HOST) || (await hasSites(databaseUrl))) return
  await seedDatabase(databaseUrl, say)
}

/** Makes the demo's sites that are not there yet. Loaded when needed: most starts are not the first. */
export async function seedDatabase(databaseUrl: string, say: (line: string) => void): Promise<void> {
  const [{ openDatabase }, { seedDemo }] = await Promise.all([import('../server/db/client.ts'), import('./demo/seed.ts')])
  const database = openDatabase(databaseUrl, { max: 2, onError: () => {} })
  try {
    await seedDemo(database, { say })
  } finally {
    await database.close()
  }
}

const hasSites = (databaseUrl: string): Promise<boolean> =>
  withClient(
    databaseUrl,
    async (client) => ((await client.query('select from sites where id <> $1 limit 1', [PLATFORM_SITE_ID])).rowCount ?? 0) > 0,
  )
