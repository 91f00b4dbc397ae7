import { sql } from 'drizzle-orm'
import type { Runtime } from '../server/runtime.ts'
import { pingScanner } from '../server/virus-scanner.ts'

export type CheckHealth = (path: '/healthz' | '/readyz') => Promise<{ status: number; body: Record<string, unknown> }>

const TIMEOUT_MS = 2000

/**
 * `/healthz`: the process is alive. `/readyz`: it is ready for requests, because its database answers with this version's schema and it is
 * not about to stop. It says too whether the virus scanner answers; without it only files are refused, so the process stays in service.
 */
export function createHealthCheck(runtime: Runtime, needed: readonly string[], isStopping: () => boolean): CheckHealth {
  return async (path) => {
    if (path === '/healthz') return { status: 200, body: { status: 'alive' } }
    if (isStopping()) return { status: 503, body: { status: 'stopping' } }
    try {
      const asking = withTimeout(runtime.database.global.execute<{ name: string }>(sql`select name from parley_migrations`))
      const [done, scanner] = await Promise.all([asking, checkScanner(runtime)])
      const names = new Set(done.rows.map((row) => row.name))
      const behind = needed.filter((name) => !names.has(name)).length
      if (behind) return { status: 503, body: { status: 'not ready', database: 'not migrated', missing: behind } }
      return { status: 200, body: { status: 'ready', database: 'up', ...scanner } }
    } catch {
      return { status: 503, body: { status: 'not ready', database: 'unreachable' } }
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
