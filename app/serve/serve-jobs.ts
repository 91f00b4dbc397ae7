import { createServer } from 'node:http'
import type { Env } from '../server/env.ts'
import type { Job } from '../server/jobs/run-jobs.ts'
import { describeError } from '../server/log.ts'
import { openMetrics } from '../server/metrics/metrics.ts'
import { openTracing } from '../server/tracing/tracing.ts'
import { createHealthCheck } from './health.ts'
import { closeServer, startListening } from './listen.ts'
import { LIMITS, type RunningServer } from './serve.ts'
import { startRuntime } from './start-runtime.ts'

const PROCESS_NAME = 'jobs-1'

/** Runs the jobs without serving the sites. Only `/healthz` and `/readyz` are answered, for whatever watches the process. */
export async function serveJobs(env: Env, jobs: readonly Job[]): Promise<RunningServer> {
  const metrics = env.METRICS_PORT ? await openMetrics(PROCESS_NAME) : undefined
  const { runtime, migrations, stop } = await startRuntime(env, jobs, metrics)
  const stopTracing = env.OTEL_EXPORTER_OTLP_ENDPOINT ? await openTracing(env, PROCESS_NAME, runtime.log) : undefined
  let stopping = false
  const checkHealth = createHealthCheck(runtime, migrations, () => stopping)
  const server = createServer(LIMITS, (request, response) => {
    const path = request.url?.split('?')[0]
    if (path !== '/healthz' && path !== '/readyz') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('This process runs jobs only.\n')
      return
    }
    void checkHealth(path).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body)),
    )
  })
  const logUnhandled = (error: unknown) => runtime.log.error('unhandled rejection', describeError(error))
  process.on('unhandledRejection', logUnhandled)
  const close = async () => {
    await stop()
    await stopTracing?.()
    process.off('unhandledRejection', logUnhandled)
  }
  try {
    const port = await startListening(server, env)
    return {
      port,
      stop: async () => {
        stopping = true
        await closeServer(server)
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
