import { appPassword, appUrl } from '../server/connect.ts'
import { lockData } from '../server/data-lock.ts'
import { connectionFault } from '../server/db/connection-fault.ts'
import { migrate } from '../server/db/migrate.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { Call } from './commands.ts'
import { seedDatabase } from './first-content.ts'
import { withPrepared } from './open-database.ts'
import { makeDataDirectory, prepare, secretOf } from './prepare.ts'

/**
 * Brings the database to this version and, unlike `start`, sets the application role's password from this process's key, so that it can be
 * run once by somebody with more rights than the application will have.
 */
export async function migrateCommand({ env, say }: Call): Promise<void> {
  makeDataDirectory(env.DATA_DIR)
  if (!env.DATABASE_URL) {
    const lock = lockData(env.DATA_DIR)
    const { stop } = await prepare(env, say)
    await stop()
    lock.release()
    say('The database is up to date.')
    return
  }
  const secret = secretOf(env)
  try {
    const applied = await migrate(env.DATABASE_URL, appPassword(secret))
    say(`The database is up to date${applied.length ? ` (${applied.length} ${applied.length === 1 ? 'step' : 'steps'} now)` : ''}.`)
  } catch (error) {
    throw error instanceof StartupFault ? error : connectionFault(error, env.DATABASE_URL)
  }
  say('Where the application shall have no more rights than it needs, start it with')
  say(`  DATABASE_URL=${appUrl(env.DATABASE_URL, secret)}`)
}

/** Adds the demo's sites that are not there yet, also to a database of one's own. */
export async function seedCommand({ env, say }: Call): Promise<void> {
  await withPrepared(env, say, (databaseUrl) => seedDatabase(databaseUrl, say))
  say('The demo is in the database.')
}
