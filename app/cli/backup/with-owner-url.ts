import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataDirectoryTaken, lockDataDirectory } from '../../server/data-lock.ts'
import { buildEmbeddedUrl, startEmbedded } from '../../server/db/embedded-postgres.ts'
import { type Env, getDirectUrl } from '../../server/env.ts'
import { StartupFault } from '../../server/startup-fault.ts'

interface OwnerOptions {
  say: (line: string) => void
  /** May use the database of a running Parley. */
  running: boolean
  /** Creates the database if there is none. */
  make: boolean
}

/** Runs `work` with an owner connection: to DATABASE_URL or DATABASE_DIRECT_URL, to a running Parley, or to a database started for this command. */
export async function withOwnerUrl<T>(env: Env, { say, running, make }: OwnerOptions, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const directUrl = getDirectUrl(env)
  if (directUrl) return work(directUrl)
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
