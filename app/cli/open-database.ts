import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appUrl } from '../server/connect.ts'
import { DataDirectoryTaken, lockData } from '../server/data-lock.ts'
import { embeddedUrl } from '../server/db/embedded.ts'
import type { Env } from '../server/env.ts'
import { makeDataDirectory, prepare, secretOf } from './prepare.ts'

/**
 * Lends a command the database, as the application's role: that of the Parley which is running on the data directory, or, where none is,
 * one started for the command alone.
 */
export async function withPrepared<T>(env: Env, say: (line: string) => void, work: (databaseUrl: string) => Promise<T>): Promise<T> {
  makeDataDirectory(env.DATA_DIR)
  if (env.DATABASE_URL) return work((await prepare(env, say)).prepared.databaseUrl)
  const running = runningUrl(env)
  if ('databaseUrl' in running) return work(running.databaseUrl)
  try {
    const ready = await prepare(env, say)
    try {
      return await work(ready.prepared.databaseUrl)
    } finally {
      await ready.stop()
    }
  } finally {
    running.lock.release()
  }
}

function runningUrl(env: Env): { databaseUrl: string } | { lock: ReturnType<typeof lockData> } {
  try {
    return { lock: lockData(env.DATA_DIR) }
  } catch (error) {
    if (!(error instanceof DataDirectoryTaken) || !error.holder?.databasePort) throw error
    const password = readFileSync(join(env.DATA_DIR, 'postgres.password'), 'utf8').trim()
    return { databaseUrl: appUrl(embeddedUrl(error.holder.databasePort, password, 'parley'), secretOf(env)) }
  }
}
