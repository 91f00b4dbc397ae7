import pg from 'pg'
import { Counter, Gauge, Registry } from 'prom-client'
import { findPrimary } from '../db/database-hosts.ts'
import type { ProcessMetrics } from './metrics.ts'

const WITHIN_MS = 2000

interface Figure {
  name: string
  help: string
  type?: 'counter'
  values: { labels?: Record<string, string>; value: number | null }[]
}

/**
 * What only the database knows: jobs, and what waits in all sites together. Asked on a connection of its own, so that it is known how the
 * database is when the pools are exhausted.
 */
export async function loadDatabaseMetrics(databaseUrl: string): Promise<ProcessMetrics> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({
      connectionString: await findPrimary(databaseUrl),
      connectionTimeoutMillis: WITHIN_MS,
      query_timeout: 2 * WITHIN_MS,
      application_name: 'parley metrics',
    })
    client.on('error', () => {})
    await client.connect()
    await client.query(`begin read only; set local statement_timeout = ${WITHIN_MS}`)
    const figures = [...(await loadEngineFigures(client)), ...(await loadJobFigures(client)), ...(await loadMessageFigures(client))]
    await client.query('commit')
    return await buildMetrics([toUpFigure(1), ...figures])
  } catch {
    return buildMetrics([toUpFigure(0)])
  } finally {
    client?.end().catch(() => {})
  }
}

const toUpFigure = (value: 0 | 1): Figure => ({ name: 'parley_database_up', help: 'Whether the database answers.', values: [{ value }] })

async function loadEngineFigures(client: pg.Client): Promise<Figure[]> {
  const { rows } = await client.query<Record<'bytes' | 'connections' | 'most' | 'commits' | 'rollbacks' | 'deadlocks', string>>(
    `select pg_database_size(datid) bytes, numbackends connections, current_setting('max_connections') most,
       xact_commit commits, xact_rollback rollbacks, deadlocks
     from pg_stat_database where datname = current_database()`,
  )
  const [row] = rows
  if (!row) return []
  return [
    { name: 'parley_database_size_bytes', help: 'Size of the database on its disk.', values: [{ value: Number(row.bytes) }] },
    {
      name: 'parley_database_connections',
      help: 'Connections to the database by whoever, and at most.',
      values: [
        { labels: { state: 'open' }, value: Number(row.connections) },
        { labels: { state: 'most' }, value: Number(row.most) },
      ],
    },
    {
      name: 'parley_database_transactions_total',
      help: 'Transactions of the database by how they ended.',
      type: 'counter',
      values: [
        { labels: { result: 'commit' }, value: Number(row.commits) },
        { labels: { result: 'rollback' }, value: Number(row.rollbacks) },
      ],
    },
    {
      name: 'parley_database_deadlocks_total',
      help: 'Deadlocks that the database resolved.',
      type: 'counter',
      values: [{ value: Number(row.deadlocks) }],
    },
  ]
}

async function loadJobFigures(client: pg.Client): Promise<Figure[]> {
  const { rows: turns } = await client.query<{
    name: string
    done: number | null
    failed: number | null
    failures: number
    seconds: number
    late: number
  }>(
    `select name, extract(epoch from done_at)::float8 done, extract(epoch from failed_at)::float8 failed, failures, took_ms / 1000.0::float8 seconds,
       greatest(0, extract(epoch from now() - due_at))::float8 late
     from job_turns`,
  )
  const perJob = (pick: (turn: (typeof turns)[number]) => number | null) =>
    turns.map((turn) => ({ labels: { job: turn.name }, value: pick(turn) }))
  return [
    { name: 'parley_job_last_success_timestamp_seconds', help: 'When each job last succeeded.', values: perJob(({ done }) => done) },
    { name: 'parley_job_last_failure_timestamp_seconds', help: 'When each job last failed.', values: perJob(({ failed }) => failed) },
    {
      name: 'parley_job_consecutive_failures',
      help: 'How often each job failed since it last succeeded.',
      values: perJob(({ failures }) => failures),
    },
    { name: 'parley_job_last_duration_seconds', help: 'How long the last run of each job took.', values: perJob(({ seconds }) => seconds) },
    {
      name: 'parley_job_overdue_seconds',
      help: 'How long each job has been due without a process that runs it.',
      values: perJob(({ late }) => late),
    },
  ]
}

async function loadMessageFigures(client: pg.Client): Promise<Figure[]> {
  const { rows } = await client.query<{ kind: string; waiting: number; due: number; late: number | null }>(
    `select kind, waiting::int, due::int, greatest(0, extract(epoch from now() - oldest_due))::float8 late from count_waiting_messages(now())`,
  )
  const perKind = (pick: (row: (typeof rows)[number]) => number | null) =>
    rows.map((row) => ({ labels: { kind: row.kind }, value: pick(row) }))
  return [
    {
      name: 'parley_messages_waiting',
      help: 'Mails and texts that are to be sent, in all sites.',
      values: perKind(({ waiting }) => waiting),
    },
    { name: 'parley_messages_due', help: 'Those of them that could be sent now.', values: perKind(({ due }) => due) },
    {
      name: 'parley_messages_oldest_due_seconds',
      help: 'For how long the oldest of those has been due.',
      values: perKind(({ late }) => late ?? 0),
    },
  ]
}

/** In the shape in which processes send their metrics. A value that is not known is left out. */
export function buildMetrics(figures: readonly Figure[]): Promise<ProcessMetrics> {
  const registry = new Registry()
  for (const { name, help, type, values } of figures) {
    const options = { name, help, labelNames: Object.keys(values[0]?.labels ?? {}), registers: [registry] }
    const metric = type === 'counter' ? new Counter(options) : new Gauge(options)
    for (const { labels = {}, value } of values) if (value !== null) metric.inc(labels, value)
  }
  return registry.getMetricsAsJSON()
}
