import { sql } from 'drizzle-orm'
import { findMissingNeed } from '../server/db/needed-steps.ts'
import type { Runtime } from '../server/runtime.ts'
import { pingScanner } from '../server/virus-scanner.ts'

export type CheckHealth = (path: '/healthz' | '/readyz') => Promise<{ status: number; body: Record<string, unknown> }>

const TIMEOUT_MS = 2000

/**
 * `/healthz`: the process is alive. `/readyz`: it is ready for requests, because it is not about to stop and its database has this version's
 * schema, or a later one that still has what this version needs. It says too whether the database and the virus scanner answer. Without them the
 * process stays in service: it still answers with kept pages, and says of everything else when to come back, which a proxy without a process
 * behind it could not.
 */
export function createHealthCheck(runtime: Runtime, needed: readonly string[], isStopping: () => boolean): CheckHealth {
  const known = new Set(needed)
  let isMigrated = false
  return async (path) => {
    if (path === '/healthz') return { status: 200, body: { status: 'alive' } }
    if (isStopping()) return { status: 503, body: { status: 'stopping' } }
    const scanning = checkScanner(runtime)
    try {
      const asking = withTimeout(runtime.database.global.execute<{ name: string }>(sql`select name from parley_migrations`))
      const names = new Set((await asking).rows.map((row) => row.name))
      const behind = needed.filter((name) => !names.has(name)).length
      const isTooNew = findMissingNeed(names, known) !== undefined
      isMigrated = behind === 0 && !isTooNew
      if (isTooNew) return { status: 503, body: { status: 'not ready', database: 'of a later version' } }
      if (!isMigrated) return { status: 503, body: { status: 'not ready', database: 'not migrated', missing: behind } }
      return { status: 200, body: { status: 'ready', database: 'up', ...(await scanning) } }
    } catch {
      if (!isMigrated) return { status: 503, body: { status: 'not ready', database: 'unreachable' } }
      return { status: 200, body: { status: 'ready', database: 'unreachable', ...(await scanning) } }
    }
  }
}

async function checkScanner({ env }: Runtime): Promise<{ virusScanner?: 'up' | 'unreachable' }> {
  if (!env.CLAMD_ADDRESS) return {}
  return pingScanner(env.CLAMD_ADDRESS).then(
    () => ({ virusScanner: 'up' as const }),
    () => ({ virusScanner: 'unreachable' as const }),
  )
}

async function withTimeout<T>(work: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The database did not answer in time')), TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
