import { Socket } from 'node:net'
import pg from 'pg'
import { DatabaseAway, isQueryLost, noteConnectionError, toAway } from './database-down.ts'
import { findSqlState } from './sql-state.ts'
import { StatementClient } from './statement-client.ts'

export type PooledClient = pg.PoolClient & Pick<StatementClient, 'queryWithNext'>

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error | boolean) => void) => void

/** Settings that end with their transaction. */
export interface TransactionSettings {
  siteId?: string
  isReadOnly?: boolean
}

/**
 * A connection that nobody uses is closed after so long. Its server process knows the catalog and the plans of the statements that it has run, which a new one
 * makes anew: ten seconds, the library's own, were less than the time between two readers of a small site.
 */
const IDLE_MS = 5 * 60_000

export interface DatabasePoolConfig extends pg.PoolConfig {
  /** Settings of each transaction, with their values. */
  limits?: Readonly<Record<string, number>>
  /** Called if the database, or a pool in front of it, answers but refuses a connection. */
  onRefused?: (error: Error) => void
}

/**
 * A pool that can abandon a database that hangs or takes no writes any more: everything that waits for it and every connection to it. It leaves nothing on a connection, which
 * may be shared with other processes: whatever is set is set for one transaction.
 */
export class DatabasePool extends pg.Pool {
  readonly #limits: string
  readonly #onRefused: DatabasePoolConfig['onRefused']
  readonly #sockets: Set<Socket>
  readonly #waiting = new Set<(error: Error) => void>()
  #isAway = false

  constructor({ limits = {}, onRefused, ...config }: DatabasePoolConfig) {
    const sockets = new Set<Socket>()
    const createSocket = () => {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (this.#isAway) setImmediate(() => socket.destroy())
      return socket
    }
    const detectPool = (client: pg.ClientBase) => void (client as StatementClient).detectPool()
    super({ idleTimeoutMillis: IDLE_MS, ...config, stream: createSocket, Client: StatementClient, pipeline: true, onConnect: detectPool })
    this.#sockets = sockets
    this.#onRefused = onRefused
    this.#limits = Object.entries(limits)
      .map(([name, value]) => `; set local ${name} = ${value}`)
      .join('')
    if (this.#limits) this.query = this.#runWithLimits.bind(this) as typeof this.query
  }

  /** Begins a transaction, in one packet with its first statement. If it fails, so does that statement, and here is the cause. */
  begin(client: pg.ClientBase, { siteId, isReadOnly = false }: TransactionSettings = {}): Promise<unknown> {
    const site = siteId === undefined ? '' : `; set local parley.site_id = '${siteId}'`
    const begun = client.query(`begin${isReadOnly ? ' isolation level repeatable read read only' : ''}${site}${this.#limits}`)
    begun.catch(() => {})
    return begun
  }

  /** Runs a statement in a transaction of its own. */
  async #runWithLimits(statement: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult> {
    const client = await this.connect()
    let broken: Error | undefined
    try {
      void this.begin(client)
      const answer = client.query(statement, values)
      const ended = client.query('commit')
      ended.catch(() => {})
      const result = await answer
      await ended
      return result
    } catch (error) {
      if (isQueryLost(error)) broken = error
      throw toAway(error)
    } finally {
      client.release(broken)
    }
  }

  /** Fails everything that waits for the database, and refuses new requests until it is back. */
  leave(): void {
    if (this.#isAway) return
    this.#isAway = true
    for (const refuse of this.#waiting) refuse(new DatabaseAway('LEFT'))
    for (const socket of this.#sockets) socket.destroy()
  }

  comeBack(): void {
    this.#isAway = false
  }

  override connect(): Promise<PooledClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<PooledClient> | void {
    if (callback) return this.#acquire(callback)
    return new Promise((resolve, reject) => {
      // This pool creates clients of no other class.
      this.#acquire((error, client) => (client ? resolve(client as PooledClient) : reject(error ?? new DatabaseAway('LEFT'))))
    })
  }

  #acquire(callback: Callback): void {
    if (this.#isAway) return process.nextTick(callback, new DatabaseAway('LEFT'), undefined, () => {})
    let waits = true
    const settleRequest = (...result: Parameters<Callback>) => {
      waits = false
      this.#waiting.delete(rejectWaiting)
      callback(...result)
    }
    const rejectWaiting = (error: Error) => settleRequest(error, undefined, () => {})
    this.#waiting.add(rejectWaiting)
    super.connect((error, client, done) => {
      if (error) noteConnectionError(error)
      if (error && findSqlState(error) !== undefined) this.#onRefused?.(error)
      if (waits) settleRequest(error, client, done)
      else client?.release()
    })
  }
}
