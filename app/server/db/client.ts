import type { SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { isId } from '../../lib/uuid.ts'
import { bindTo, type ConnectionTx } from './connection-tx.ts'
import { isQueryLost, toAway } from './database-down.ts'
import { DatabasePool, type DatabasePoolConfig } from './pool.ts'
import { ReadTransactions, SharedRead } from './shared-read.ts'
import { findSqlState } from './sql-state.ts'

export type Tx = ConnectionTx

/** A handle on one site's rows. Row-level security hides every other site's, whatever the query says. */
export interface SiteDb {
  readonly siteId: string
  /** Joins an open transaction, which may yet be rolled back. */
  readonly isJoined?: boolean
  /**
   * Runs `work` in one transaction bound to the site; joins the surrounding one if there is one. Retried on serialization failure and
   * deadlock, so `work` must have no side effects outside the database.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs `work`, which only reads. What one handle reads close together shares one read-only transaction: one snapshot, one connection.
   * A read joins the surrounding transaction if there is one.
   */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * The same in a transaction that requests for the site share if they come at the same time. They wait for each other's statements, so this is
   * only for work that reads few rows by an index. Later reads of the handle join the transaction while it is open.
   */
  readTogether<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Reads something once for each snapshot, for parts of a request that ask for the same. What they get is shared: nobody may change it. */
  readOnce<T>(name: string, work: () => Promise<T>): Promise<T>
}

export interface Database {
  readonly pool: DatabasePool
  /** Only for the global tables (sites, site_domains, features): tenant tables show no rows here. */
  readonly global: Tx
  site(siteId: string): SiteDb
  close(): Promise<void>
}

/** Database timeouts, in milliseconds. */
export interface Limits {
  /** To get a connection, new or pooled. */
  connection: number
  /** To run a statement. */
  statement: number
  /** To get a row or table lock. */
  lock: number
  /** Idle time inside a transaction before the database ends it. */
  pause: number
}

/** For requests. The pulse detects a hanging database sooner. */
export const REQUEST_LIMITS: Limits = { connection: 4000, statement: 20_000, lock: 3500, pause: 60_000 }
/** For background work: exports, copies, sweeps. */
export const JOB_LIMITS: Limits = { connection: 10_000, statement: 15 * 60_000, lock: 30_000, pause: 15 * 60_000 }

interface OpenOptions {
  max?: number
  /** Closes a connection that nobody uses after so long; by default as the pool does. */
  idleMs?: number
  /** None for commands, which may run as long as they need. */
  limits?: Limits
  /** Called if a connection is lost. */
  onError?: (error: Error) => void
  /** Called if the database answers but refuses a connection. */
  onRefused?: (error: Error) => void
  /** Called after each transaction that may have written for a site, before who asked for it learns that it ended. */
  onWritten?: (siteId: string) => void
}

const CONNECT_WITHIN_MS = 10_000
/** Extra wait for a statement that the database itself should have ended by now. */
const OVERDUE_MS = 5000

const RETRIED_STATES = new Set(['40001', '40P01'])
const ATTEMPTS = 5

export function openDatabase(connectionString: string, options: OpenOptions = {}): Database {
  const pool = new DatabasePool({
    connectionString,
    max: options.max ?? 16,
    ...(options.idleMs !== undefined && { idleTimeoutMillis: options.idleMs }),
    onRefused: options.onRefused,
    ...buildPoolLimits(options.limits),
  })
  pool.on('error', (error) => options.onError?.(error))
  pool.on('connect', (client) => {
    // A connection lost between two statements of a transaction is only reported here: without this the process would crash. The next
    // statement then fails.
    client.on('error', (error) => options.onError?.(error))
  })
  const readTransactions = new ReadTransactions(pool)
  return {
    pool,
    global: drizzle(pool),
    site(siteId) {
      if (!isId(siteId)) throw new Error('A site handle needs a site id')
      const reads = new SharedRead(readTransactions, siteId)
      return {
        siteId,
        tx: (work) =>
          runTransaction(pool, siteId, work).finally(() => {
            reads.renew()
            options.onWritten?.(siteId)
          }),
        read: (work) => reads.run(work),
        readTogether: (work) => reads.runTogether(work),
        readOnce: (name, work) => reads.runOnce(name, work),
      }
    },
    close: () => pool.end(),
  }
}

function buildPoolLimits(limits: Limits | undefined): Omit<DatabasePoolConfig, 'connectionString'> {
  if (!limits) return { connectionTimeoutMillis: CONNECT_WITHIN_MS }
  return {
    connectionTimeoutMillis: limits.connection,
    limits: {
      statement_timeout: limits.statement,
      lock_timeout: limits.lock,
      idle_in_transaction_session_timeout: limits.pause,
    },
    query_timeout: limits.statement + OVERDUE_MS,
    keepAlive: true,
  }
}

/** The same handle bound to an already open transaction. */
export function joinTx(siteId: string, tx: Tx): SiteDb {
  return {
    siteId,
    isJoined: true,
    tx: (work) => work(tx),
    read: (work) => work(tx),
    readTogether: (work) => work(tx),
    readOnce: (_, work) => work(),
  }
}

async function runTransaction<T>(pool: DatabasePool, siteId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    const tx = bindTo(client)
    const last: LastStatements = { statements: [], rows: new Map() }
    lastStatements.set(tx, last)
    let broken: Error | undefined
    try {
      const begun = pool.begin(client, { siteId })
      const result = await work(tx)
      await begun
      // If one of the last statements fails, the database rolls back instead of committing.
      const statements = [...last.statements.map((build) => build()), { text: 'commit' }]
      await Promise.all(statements.map((statement) => client.query(statement)))
      return result
    } catch (error) {
      // After a statement without an answer, the connection will answer nothing else.
      if (isQueryLost(error)) broken = error
      else await client.query('rollback').catch((failure: Error) => (broken = failure))
      if (attempt >= ATTEMPTS || !RETRIED_STATES.has(findSqlState(error) ?? '')) throw toAway(error)
      await new Promise((done) => setTimeout(done, 2 ** attempt * 5 * Math.random()))
    } finally {
      lastStatements.delete(tx)
      client.release(broken)
    }
  }
}

const dialect = new PgDialect()
/** What a transaction sends together with its commit. */
interface LastStatements {
  statements: (() => pg.QueryConfig)[]
  /** What each of them writes, by its name. */
  rows: Map<string, unknown[]>
}

const lastStatements = new WeakMap<Tx, LastStatements>()

/**
 * Keeps a row for a statement that is sent in one packet with the transaction's commit, with all rows that were kept under its name. For what
 * every writer of a site locks: it stays locked while the database commits, and not while this process does something else. Rolling back to a
 * savepoint does not take it back. In a transaction that is not `SiteDb.tx`'s, the statement runs at once.
 */
export async function writeAtCommit<Row>(tx: Tx, name: string, row: Row, write: (rows: readonly Row[]) => SQL): Promise<void> {
  const last = lastStatements.get(tx)
  if (!last) return void (await tx.execute(write([row])))
  const known = last.rows.get(name)
  if (known) return void known.push(row)
  const rows = [row]
  last.rows.set(name, rows)
  last.statements.push(() => toQueryConfig(write(rows)))
}

function toQueryConfig(statement: SQL): pg.QueryConfig {
  const { sql: text, params: values } = dialect.sqlToQuery(statement)
  return { text, values }
}

/** Name of the violated constraint, if that is the error. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('constraint' in e && typeof e.constraint === 'string') return e.constraint
  }
  return undefined
}
