import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildAppUrl } from '../server/connection-string.ts'
import { DataDirectoryTaken, lockDataDirectory } from '../server/data-lock.ts'
import { buildEmbeddedUrl } from '../server/db/embedded-postgres.ts'
import type { Env } from '../server/env.ts'
import { makeDataDirectory } from './data-directory.ts'
import { prepareDatabase, readSigningSecret } from './prepare.ts'

/** Runs `work` as the application's role: on a running Parley's database, or one started for this command. */
export async function withPreparedDatabase<T>(
  env: Env,
  say: (line: string) => void,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  makeDataDirectory(env.DATA_DIR)
  if (env.DATABASE_URL) return work((await prepareDatabase(env, say)).prepared.databaseUrl)
  const running = findRunningDatabase(env)
  if ('databaseUrl' in running) return work(running.databaseUrl)
  try {
    const ready = await prepareDatabase(env, say)
    try {
      return await work(ready.prepared.databaseUrl)
    } finally {
      await ready.stop()
    }
  } finally {
    running.lock.release()
  }
}

function findRunningDatabase(env: Env): { databaseUrl: string } | { lock: ReturnType<typeof lockDataDirectory> } {
  try {
    return { lock: lockDataDirectory(env.DATA_DIR) }
  } catch (error) {
    if (!(error instanceof DataDirectoryTaken) || !error.holder?.databasePort) throw error
    const password = readFileSync(join(env.DATA_DIR, 'postgres.password'), 'utf8').trim()
    return { databaseUrl: buildAppUrl(buildEmbeddedUrl(error.holder.databasePort, password, 'parley'), readSigningSecret(env)) }
  }
}
