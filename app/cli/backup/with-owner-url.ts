import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataDirectoryTaken, lockDataDirectory } from '../../server/data-lock.ts'
import { buildEmbeddedUrl, startEmbedded } from '../../server/db/embedded-postgres.ts'
import type { Env } from '../../server/env.ts'
import { StartupFault } from '../../server/startup-fault.ts'

interface OwnerOptions {
  say: (line: string) => void
  /** Also the database of a Parley that is running. */
  running: boolean
  /** Makes a database where there is none. */
  make: boolean
}

/** Lends a command the database's owner: of DATABASE_URL, of the Parley that runs on the data directory, or of one started for it alone. */
export async function withOwnerUrl<T>(env: Env, { say, running, make }: OwnerOptions, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  if (env.DATABASE_URL) return work(env.DATABASE_URL)
  if (!make && !existsSync(join(env.DATA_DIR, 'postgres.password'))) throw new StartupFault(`There is no database in ${env.DATA_DIR}.`)
  let lock: ReturnType<typeof lockDataDirectory>
  try {
    lock = lockDataDirectory(env.DATA_DIR)
  } catch (error) {
    if (!running || !(error instanceof DataDirectoryTaken) || !error.holder?.databasePort) throw error
    const password = readFileSync(join(env.DATA_DIR, 'postgres.password'), 'utf8').trim()
    return work(buildEmbeddedUrl(error.holder.databasePort, password, 'parley'))
  }
  try {
    const embedded = await startEmbedded(env.DATA_DIR, { say })
    try {
      return await work(embedded.ownerUrl)
    } finally {
      await embedded.stop()
    }
  } finally {
    lock.release()
  }
}
