import type pg from 'pg'
import type { GaugeConfiguration, Registry } from 'prom-client'
import { addMemoryGauges, type GuardFigures, type MemoryFigures } from './memory-metrics.ts'

/** What one process measures for Prometheus. Labels have few values and never name a person, a site or an address. */
export interface Metrics {
  noteRequest(request: { route: string; method: string; status: string; seconds: number }): void
  noteJobTurn(job: string, seconds: number, wentWell: boolean): void
  watchPool(name: 'requests' | 'jobs' | 'standby', pool: pg.Pool): void
  watchQueue(name: 'pages' | 'calls', queue: QueueFigures): void
  /** Call it once. */
  watchMemory(budget: MemoryFigures, guard: GuardFigures): void
}

interface QueueFigures {
  readonly waiting: number
  readonly running: number
}

/** The metrics of one process, as processes send them to each other. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** In seconds. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Loads the library and starts to measure this process. Call it once, and only if metrics are on: nothing is loaded otherwise.
 * @param process a name that tells it from the other processes of this installation, and that its successor gets as well
 */
export async function openMetrics(process: string): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, register } = await import('prom-client')
  register.setDefaultLabels({ process })
  collectDefaultMetrics()
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Requests by method, route and status; a request that was cut before its answer has the status none.',
    labelNames: ['method', 'route', 'status'],
  })
  const durations = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from the request to the last byte of its answer, by route.',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
  })
  const turns = new Counter({ name: 'parley_job_runs_total', help: 'Runs of each job by how they ended.', labelNames: ['job', 'result'] })
  const turnSeconds = new Counter({
    name: 'parley_job_run_seconds_total',
    help: 'Time that the runs of each job took.',
    labelNames: ['job'],
  })
  const addGauge = (options: GaugeConfiguration<string>) => new Gauge(options)
  const pools = new Map<string, pg.Pool>()
  addGauge({
    name: 'parley_database_pool_connections',
    help: 'Connections of this process to the database: in use, idle, and at most.',
    labelNames: ['pool', 'state'],
    collect() {
      for (const [pool, { totalCount, idleCount, options }] of pools) {
        this.set({ pool, state: 'used' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'most' }, options.max)
      }
    },
  })
  addGauge({
    name: 'parley_database_pool_waiting',
    help: 'What waits in this process for a connection to the database.',
    labelNames: ['pool'],
    collect() {
      for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount)
    },
  })
  const queues = new Map<string, QueueFigures>()
  addGauge({
    name: 'parley_http_queue_requests',
    help: 'Requests that wait for their turn, and those being answered, by queue.',
    labelNames: ['queue', 'state'],
    collect() {
      for (const [queue, { waiting, running }] of queues) {
        this.set({ queue, state: 'waiting' }, waiting)
        this.set({ queue, state: 'running' }, running)
      }
    },
  })
  return {
    noteRequest({ route, method, status, seconds }) {
      requests.inc({ method, route, status })
      durations.observe({ route }, seconds)
    },
    noteJobTurn(job, seconds, wentWell) {
      turns.inc({ job, result: wentWell ? 'success' : 'failure' })
      turnSeconds.inc({ job }, seconds)
    },
    watchPool: (name, pool) => void pools.set(name, pool),
    watchQueue: (name, queue) => void queues.set(name, queue),
    watchMemory: (budget, guard) => addMemoryGauges(addGauge, budget, guard),
  }
}

/** Everything that this process has measured; empty if it measures nothing. */
export async function readProcessMetrics(): Promise<ProcessMetrics> {
  const { register } = await import('prom-client')
  return register.getMetricsAsJSON()
}
