import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { v7 } from 'uuid'
import { createBrowserToken } from '#app/server/auth/sign-browser-token.ts'
import type { LoadResult, LoadPlan } from './load.ts'

/** Fewer than would be unusually many from one place. */
const REQUESTS_OF_ONE_ADDRESS = 25

/** The load generator's process (see load.ts): receives one plan, runs it against loopback, reports and exits. */
const [plan] = (await once(process, 'message')) as [LoadPlan]
process.send?.(await runPlan(plan), () => process.exit(0))

async function runPlan({
  port,
  clients,
  seconds,
  most,
  method = 'GET',
  path,
  headers = {},
  body,
  withIds = false,
  tokens,
  bearers = [],
}: LoadPlan): Promise<LoadResult> {
  const paths = [path].flat()
  const bodies = typeof body === 'string' ? [body] : (body ?? [])
  const agent = new Agent({ keepAlive: true, maxSockets: clients, maxTotalSockets: clients })
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const acknowledged: string[] = []
  let bytes = 0
  let begun = 0
  // Each run comes from other addresses than the one before.
  const firstAddress = Math.floor(Math.random() * 2 ** 24)
  const start = performance.now()
  const until = start + seconds * 1000

  const one = (client: number, number: number) =>
    new Promise<void>((resolve) => {
      const from = performance.now()
      const id = withIds ? v7() : ''
      const token = tokens ? createBrowserToken(tokens.secret, tokens.siteId) : ''
      const content = bodies[number % bodies.length]?.replaceAll('{id}', id).replaceAll('{token}', token)
      const address = firstAddress + Math.floor(number / REQUESTS_OF_ONE_ADDRESS)
      const note = (status: string) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        resolve()
      }
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method,
          path: paths[number % paths.length]?.replace('{n}', String(number)).replace('{id}', id),
          headers: {
            ...headers,
            ...(bearers.length > 0 && { 'x-api-token': `Bearer ${bearers[number % bearers.length]}` }),
            'x-forwarded-for': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
            ...(content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }),
          },
        },
        (answer) => {
          let length = 0
          answer.on('data', (chunk: Buffer) => (length += chunk.length))
          answer.on('error', () => note('cut'))
          answer.on('end', () => {
            const status = answer.statusCode ?? 0
            if (status >= 200 && status < 400) {
              times.push(performance.now() - from)
              bytes = length
              if (withIds) acknowledged.push(id)
            }
            note(String(status))
          })
        },
      )
      asked.setTimeout(20_000, () => asked.destroy())
      asked.on('error', () => note('none'))
      asked.end(content)
    })

  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (begun < most && performance.now() < until) await one(client, ++begun)
    }),
  )
  const took = (performance.now() - start) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    perSecond: times.length / took,
    answered: times.length,
    statuses,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    bytes,
    acknowledged,
  }
}
