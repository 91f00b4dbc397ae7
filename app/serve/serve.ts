import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Env } from '../server/env.ts'
import { describeError, type Logger } from '../server/log.ts'
import type { Registry } from '../server/api/create-registry.ts'
import type { Job } from '../server/jobs/run-jobs.ts'
import { openMetrics } from '../server/metrics/metrics.ts'
import { openTracing } from '../server/tracing/tracing.ts'
import { limitHeapGrowth } from '../server/memory/heap-growth.ts'
import { processMemory } from '../server/memory/memory-budget.ts'
import { MemoryGuard } from '../server/memory/memory-guard.ts'
import type { Runtime } from '../server/runtime.ts'
import { redirectConsoleToLog } from './console-to-log.ts'
import { ReachCounter } from '../features/reach/reach.counter.server.ts'
import { createFrontHandler } from './front.ts'
import { createHealthCheck } from './health.ts'
import { closeServer, startListening } from './listen.ts'
import { createSegmentCheck } from './path-segments.ts'
import { PageStore } from './page-store.ts'
import { loadStylesheet } from './page-styles.ts'
import { createQueues } from './queues.ts'
import type { AnsweredRequest } from './respond.ts'
import type { RequestFacts } from './request-facts.ts'
import { createRequestCounter } from './request-metrics.ts'
import { createRequestTracer } from './request-traces.ts'
import type { FindRoute, ReadSearch } from './route-search.ts'
import { ReaderPages } from './reader-pages.ts'
import { startRuntime } from './start-runtime.ts'
import { StaticFiles } from './static-files.ts'

export interface RunningServer {
  port: number
  /** Stops accepting requests, finishes those in progress and closes what it opened. */
  stop: () => Promise<void>
}

interface ServeOptions {
  env: Env
  /** The repository's root, which holds `dist` and `locales`. */
  root: string
  answer: (request: Request, runtime: Runtime, facts: RequestFacts) => Promise<AnsweredRequest>
  readSearch: ReadSearch
  /** Called only if requests are counted by route. */
  createRouteFinder: () => FindRoute
  jobs: readonly Job[]
  apiResources: Registry
}

const FILTERED_PAGES_BYTES = 16_000_000
const READER_PAGES_BYTES = 32_000_000
const PAGES_TTL_MS = 60_000
/** Limits on how slowly and how much a client may send. */
export const LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
}
const IDLE_MS = 120_000
const MAX_CONNECTIONS = 10_000

export async function serveHttp(options: ServeOptions): Promise<RunningServer> {
  const { env, root, answer, readSearch, jobs, apiResources } = options
  const processName = process.env['PARLEY_PROCESS'] ?? 'web-1'
  const metrics = env.METRICS_PORT ? await openMetrics(processName) : undefined
  const started = await startRuntime(env, jobs, metrics)
  const { runtime } = started
  const stopTracing = env.OTEL_EXPORTER_OTLP_ENDPOINT ? await openTracing(env, processName, runtime.log) : undefined
  const reach = new ReachCounter(runtime).start()
  const queues = createQueues()
  metrics?.watchQueue('pages', queues.pages)
  metrics?.watchQueue('calls', queues.calls)
  const guard = guardMemory(env, runtime.log)
  metrics?.watchMemory(processMemory, guard)
  let stopping = false
  const kept = { budget: processMemory, ttlMs: PAGES_TTL_MS, changes: runtime.sites.changes }
  const front = createFrontHandler({
    runtime,
    files: new StaticFiles({ '/': join(root, 'dist/client'), '/locales/': join(root, 'locales') }, processMemory),
    stylesheet: await loadStylesheet(root),
    store: new PageStore({ ...kept, name: 'pages' }),
    filteredStore: new PageStore({ ...kept, name: 'filtered pages', maxBytes: FILTERED_PAGES_BYTES }),
    readerPages: new ReaderPages({ ...kept, maxBytes: READER_PAGES_BYTES }),
    queues,
    hasRoom: (isIdle) => guard.hasRoom(isIdle),
    readSearch,
    isPathWord: createSegmentCheck(apiResources),
    reach,
    health: createHealthCheck(runtime, started.migrations, () => stopping),
    countRequest: metrics && createRequestCounter(metrics, options.createRouteFinder(), apiResources),
    traceRequest: stopTracing && createRequestTracer(env.TRUSTED_PROXIES > 0, options.createRouteFinder(), apiResources),
    answer: (request, facts) => answer(request, runtime, facts),
  })
  const server = createServer(LIMITS, (request, response) => {
    if (stopping) response.setHeader('connection', 'close')
    front(request, response)
  })
  server.setTimeout(IDLE_MS)
  server.maxConnections = MAX_CONNECTIONS
  server.on('clientError', answerClientError)
  const logUnhandled = (error: unknown) => runtime.log.error('unhandled rejection', describeError(error))
  process.on('unhandledRejection', logUnhandled)
  const restoreConsole = redirectConsoleToLog(runtime.log)
  try {
    const port = await startListening(server, env)
    return {
      port,
      stop: async () => {
        stopping = true
        // `/readyz` says so, and a proxy in front has time to send nothing more here.
        await wait(env.DRAIN_SECONDS * 1000)
        await closeServer(server)
        await reach.stop()
        await started.stop()
        await stopTracing?.()
        restoreConsole()
        process.off('unhandledRejection', logUnhandled)
      },
    }
  } catch (error) {
    restoreConsole()
    process.off('unhandledRejection', logUnhandled)
    await reach.stop()
    await started.stop()
    await stopTracing?.()
    throw error
  }
}

const guardMemory = ({ MEMORY_MB }: Env, log: Logger): MemoryGuard =>
  new MemoryGuard({
    maxBytes: MEMORY_MB * 1_000_000,
    budget: processMemory,
    onTight: (isTight) => limitHeapGrowth(isTight ? 'tight' : 'plenty'),
    onChange: (isRefusing, bytes) => {
      const { heapTotal, heapUsed, external } = process.memoryUsage()
      const parts = { heapTotal, heapUsed, external, remembered: processMemory.bytes }
      const facts = {
        megabytes: Math.round(bytes / 1_000_000),
        limit: MEMORY_MB,
        ...Object.fromEntries(Object.entries(parts).map(([name, size]) => [name, Math.round(size / 1_000_000)])),
      }
      if (isRefusing) log.warn('memory is short: requests that need work are refused until there is room', facts)
      else log.warn('there is room in memory again', facts)
    },
  })

/** Answers bytes that are not valid HTTP with an HTTP error. */
function answerClientError(error: Error & { code?: string }, socket: import('node:stream').Duplex): void {
  const status =
    { HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large', ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout' }[error.code ?? ''] ??
    '400 Bad Request'
  if (socket.writable && error.code !== 'ECONNRESET') socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  else socket.destroy()
}
