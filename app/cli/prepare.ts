import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { appPassword, appUrl } from '../server/connect.ts'
import { keptSecret, startEmbedded } from '../server/db/embedded.ts'
import { migrate } from '../server/db/migrate.ts'
import type { Env } from '../server/env.ts'
import type { Prepared } from '../serve/start-runtime.ts'

/** Makes the database ready: started where it is the embedded one, at the newest schema, with the application's role. */
export async function prepare(env: Env, say: (line: string) => void): Promise<{ prepared: Prepared; stop: () => Promise<void> }> {
  await mkdir(env.DATA_DIR, { recursive: true })
  const secret = env.SECRET_KEY ?? (await keptSecret(join(env.DATA_DIR, 'secret.key')))
  const embedded = env.DATABASE_URL ? undefined : await startEmbedded(env.DATA_DIR)
  const ownerUrl = env.DATABASE_URL ?? embedded?.ownerUrl ?? ''
  const applied = await migrate(ownerUrl, appPassword(secret))
  if (applied.length) say(`Migrated the database (${applied.length} ${applied.length === 1 ? 'step' : 'steps'}).`)
  return { prepared: { databaseUrl: appUrl(ownerUrl, secret), secret }, stop: async () => embedded?.stop() }
}
