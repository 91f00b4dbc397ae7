import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { AggregatorRegistry } from 'prom-client'
import { hashToken } from '../server/auth/tokens.ts'
import type { Env } from '../server/env.ts'
import { buildMetrics, loadDatabaseMetrics } from '../server/metrics/database-metrics.ts'
import { openMetrics, type ProcessMetrics, readProcessMetrics } from '../server/metrics/metrics.ts'
import { toListenFault } from './addresses.ts'
import { measureChildren } from './measure-children.ts'

const LIMITS = { maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 65_000 }
const MAX_CONNECTIONS = 16

/**
 * Serves the metrics of all processes and of the database to Prometheus, on an address of their own: no site leads to them.
 * @param loadMetrics those of the web processes that answer
 * @returns how to stop it
 */
export async function startMetricsServer(
  env: Env,
  databaseUrl: string,
  loadMetrics: () => Promise<ProcessMetrics[]>,
): Promise<() => Promise<void>> {
  if (env.WEB_PROCESSES > 1) await openMetrics('main')
  const collect = shareRunning(() => collectMetrics(env, databaseUrl, loadMetrics))
  const server = createServer(LIMITS, (request, response) => {
    const status = findRefusal(request, env.METRICS_TOKEN)
    if (status) return sendRefusal(response, status)
    collect().then(
      ({ text, type }) => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text),
      () => sendRefusal(response, 500),
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  try {
    server.listen(env.METRICS_PORT, env.METRICS_HOST)
    await once(server, 'listening')
  } catch (error) {
    throw toListenFault(error, { PORT: env.METRICS_PORT ?? 0, HOST: env.METRICS_HOST }, 'METRICS_')
  }
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}

async function collectMetrics(
  env: Env,
  databaseUrl: string,
  loadMetrics: () => Promise<ProcessMetrics[]>,
): Promise<{ text: string; type: string }> {
  const [web, database, children, own] = await Promise.all([
    loadMetrics(),
    loadDatabaseMetrics(databaseUrl),
    measureChildren(process.pid),
    env.WEB_PROCESSES > 1 ? readProcessMetrics() : [],
  ])
  const installation = await buildMetrics([
    {
      name: 'parley_web_processes',
      help: 'Web processes that there should be, and those that answered just now.',
      values: [
        { labels: { state: 'wanted' }, value: env.WEB_PROCESSES },
        { labels: { state: 'answering' }, value: web.length },
      ],
    },
    {
      name: 'parley_child_memory_bytes',
      help: 'Memory of the processes of the embedded database and of jobs with a process of their own; shared memory is counted once.',
      values: Object.entries(children).map(([kind, value]) => ({ labels: { kind }, value })),
    },
  ])
  const all = AggregatorRegistry.aggregate([...web, own, database, installation])
  return { text: await all.metrics(), type: all.contentType }
}

function findRefusal(request: IncomingMessage, token: string | undefined): 401 | 404 | 405 | undefined {
  if (token !== undefined && !isAuthorised(request.headers.authorization, token)) return 401
  if (request.url?.split('?', 1)[0] !== '/metrics') return 404
  return request.method === 'GET' || request.method === 'HEAD' ? undefined : 405
}

const isAuthorised = (header: string | undefined, token: string) => timingSafeEqual(hashToken(header ?? ''), hashToken(`Bearer ${token}`))

function sendRefusal(response: ServerResponse, status: 401 | 404 | 405 | 500): void {
  response.writeHead(status, { 'content-length': 0, ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}) }).end()
}

/** Those who ask while an answer is being made share it. */
function shareRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () =>
    (running ??= work().finally(() => {
      running = undefined
    }))
}
