import { deriveAppPassword, buildAppUrl } from '../server/connection-string.ts'
import { lockDataDirectory } from '../server/data-lock.ts'
import { getDirectUrl } from '../server/env.ts'
import { toConnectionFault } from '../server/db/connection-fault.ts'
import { migrateDatabase } from '../server/db/migrate.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { CommandCall } from './commands.ts'
import { makeDataDirectory } from './data-directory.ts'
import { seedDatabase } from './first-content.ts'
import { withPreparedDatabase } from './open-database.ts'
import { prepareDatabase, readSigningSecret } from './prepare.ts'

/**
 * Migrates the database to this version and, unlike `start`, sets the application role's password from this process's key, so that someone
 * with more rights than the application can run it once.
 */
export async function migrateCommand({ env, say }: CommandCall): Promise<void> {
  makeDataDirectory(env.DATA_DIR)
  const ownerUrl = getDirectUrl(env)
  if (!ownerUrl || !env.DATABASE_URL) {
    const lock = lockDataDirectory(env.DATA_DIR)
    const { stop } = await prepareDatabase(env, say)
    await stop()
    lock.release()
    say('The database is up to date.')
    return
  }
  const secret = readSigningSecret(env)
  try {
    const applied = await migrateDatabase(ownerUrl, deriveAppPassword(secret))
    say(`The database is up to date${applied.length ? ` (${applied.length} ${applied.length === 1 ? 'step' : 'steps'} now)` : ''}.`)
  } catch (error) {
    throw error instanceof StartupFault ? error : toConnectionFault(error, ownerUrl)
  }
  say('Where the application shall have no more rights than it needs, start it with')
  say(`  DATABASE_URL=${buildAppUrl(env.DATABASE_URL, secret)}`)
}

/** Adds the demo's missing sites, even to a database of your own. */
export async function seedCommand({ env, say }: CommandCall): Promise<void> {
  await withPreparedDatabase(env, say, (databaseUrl) => seedDatabase(env, databaseUrl, say))
  say('The demo is in the database.')
}
