import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What a generator of load does: so many clients, each with one kept connection, each asking again once it is answered. */
export interface LoadPlan {
  port: number
  clients: number
  /** It stops after so long, or after so many requests, whichever comes first. */
  seconds: number
  most: number
  method?: string
  /** `{n}` becomes the request's number. */
  path: string
  headers?: Record<string, string>
  body?: string
  /** Each request gets a new id of its own: `{id}` in the body. */
  withIds?: boolean
}

export interface LoadResult {
  /** Requests that were answered as they should be, in a second. */
  perSecond: number
  answered: number
  /** Answers by status, and how often there was none. */
  statuses: Record<string, number>
  p50: number
  p95: number
  p99: number
  /** Bytes of a body. */
  bytes: number
  /** Ids whose request was answered with success. */
  acknowledged: string[]
}

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url))

/** Runs a plan in a process of its own, so that the generator does not share its event loop with what is measured. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = spawn(process.execPath, [GENERATOR], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  child.send(plan)
  const guard = setTimeout(() => child.kill('SIGKILL'), (plan.seconds + 30) * 1000)
  const answer = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  clearTimeout(guard)
  if (!answer) throw new Error('The load generator ended without an answer')
  await ended
  return answer[0] as LoadResult
}

/** What went wrong under load, in words. */
export const describeLoadFaults = (name: string, { statuses }: LoadResult): string[] =>
  Object.entries(statuses).flatMap(([status, count]) => (/^[23]/.test(status) ? [] : [`${name}: ${count} × ${status}`]))
