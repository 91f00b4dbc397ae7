import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A load plan: a number of clients, each with one keep-alive connection, each sending its next request once the last is answered. */
export interface LoadPlan {
  port: number
  clients: number
  /** Stops after this time or this many requests, whichever comes first. */
  seconds: number
  most: number
  method?: string
  /** `{n}` becomes the request's number. Several are asked for in turn. */
  path: string | readonly string[]
  headers?: Record<string, string>
  /** Several are sent in turn. */
  body?: string | readonly string[]
  /** Gives each request a new id: `{id}` in the path and the body. */
  withIds?: boolean
  /** Gives each request the token of another browser: `{token}` in the body. */
  tokens?: { secret: string; siteId: string }
  /** The session token of each request, in turn. */
  bearers?: readonly string[]
}

export interface LoadResult {
  /** Successful requests per second. */
  perSecond: number
  answered: number
  /** Number of responses by status, including requests without one. */
  statuses: Record<string, number>
  p50: number
  p95: number
  p99: number
  /** Size of a body in bytes. */
  bytes: number
  /** Ids of the requests that succeeded. */
  acknowledged: string[]
}

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url))

/** Runs a plan in a separate process, so that the generator does not share its event loop with what is measured. */
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

export const describeLoadFaults = (name: string, { statuses }: LoadResult): string[] =>
  Object.entries(statuses).flatMap(([status, count]) => (/^[23]/.test(status) ? [] : [`${name}: ${count} × ${status}`]))
