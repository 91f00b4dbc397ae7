import { isAppError } from '../../lib/app-error.ts'
import { type ContentNames, noteNames, trackReads } from '../memory/content-reads.ts'
import { bindTo, type ConnectionTx } from './connection-tx.ts'
import { isQueryLost } from './database-down.ts'
import type { DatabasePool, PooledClient } from './pool.ts'
import { findSqlState } from './sql-state.ts'

/** Statements of one transaction run one after another: each handle waits for those before it. */
const MAX_HANDLES = 16
/** SQL state of a statement that is refused because an earlier one of its transaction failed. */
const FAILED_TRANSACTION = '25P02'

interface Started {
  client: PooledClient
  tx: ConnectionTx
}

/** A read-only transaction: one snapshot, one connection. It ends as soon as nothing reads in it any more. */
class ReadTransaction {
  readonly started: Promise<Started>
  /** Handles that read in it. */
  handles = 1
  hasEnded = false
  #readers = 0
  #lost: Error | undefined

  constructor(started: Promise<Started>) {
    this.started = started
  }

  async run<T>(work: (tx: ConnectionTx) => Promise<T>): Promise<T> {
    this.#readers += 1
    try {
      return await work((await this.started).tx)
    } catch (error) {
      if (isQueryLost(error)) this.#lost = error
      throw error
    } finally {
      this.#readers -= 1
      if (this.#readers === 0) setImmediate(() => void this.#endIfUnused())
    }
  }

  async #endIfUnused(): Promise<void> {
    if (this.#readers > 0 || this.hasEnded) return
    this.hasEnded = true
    const started = await this.started.catch(() => undefined)
    // What was read needs no answer to this, and the connection's next statement comes after it.
    started?.client.queryWithNext('commit').catch(() => {})
    started?.client.release(this.#lost)
  }
}

/** The transactions of one database in which handles on the same site read together. */
export class ReadTransactions {
  readonly #pool: DatabasePool
  /** By site: those that have not begun, so other handles may still join. */
  readonly #gathering = new Map<string, ReadTransaction>()

  constructor(pool: DatabasePool) {
    this.#pool = pool
  }

  begin(siteId: string): ReadTransaction {
    return new ReadTransaction(this.#beginOne(siteId))
  }

  /**
   * A transaction that begins after this turn of the event loop, once there is a connection. Until then, other handles may join it, so what they
   * see is never older than their request.
   */
  join(siteId: string): ReadTransaction {
    const known = this.#gathering.get(siteId)
    if (known && known.handles < MAX_HANDLES) {
      known.handles += 1
      return known
    }
    const endGathering = () => {
      if (this.#gathering.get(siteId) === gathering) this.#gathering.delete(siteId)
    }
    const started = new Promise((resolve) => setImmediate(resolve)).then(() => this.#beginOne(siteId, endGathering))
    const gathering = new ReadTransaction(started)
    this.#gathering.set(siteId, gathering)
    return gathering
  }

  async #beginOne(siteId: string, onConnected?: () => void): Promise<Started> {
    const client = await this.#pool.connect().finally(onConnected)
    void this.#pool.begin(client, { siteId, isReadOnly: true })
    return { client, tx: bindTo(client) }
  }
}

/** What one handle on a site reads: at the same time, in one transaction. */
export class SharedRead {
  readonly #transactions: ReadTransactions
  readonly #siteId: string
  #current: ReadTransaction | undefined
  /** What was read on the present snapshot. */
  #known = new Map<string, Promise<{ value: unknown; names: ContentNames }>>()

  constructor(transactions: ReadTransactions, siteId: string) {
    this.#transactions = transactions
    this.#siteId = siteId
  }

  /** Later reads get a new snapshot: something was just written. */
  renew(): void {
    this.#current = undefined
    this.#known = new Map()
  }

  async runOnce<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#renewIfEnded()
    const list = this.#known
    let reading = list.get(name)
    if (!reading) {
      reading = trackReads(work)
      list.set(name, reading)
      reading.catch(() => list.delete(name))
    }
    const { value, names } = await reading
    noteNames(names)
    return value as T
  }

  run<T>(work: (tx: ConnectionTx) => Promise<T>): Promise<T> {
    this.#renewIfEnded()
    return this.#runIn((this.#current ??= this.#transactions.begin(this.#siteId)), work)
  }

  /** The same in a transaction that reads of other handles may share. */
  runTogether<T>(work: (tx: ConnectionTx) => Promise<T>): Promise<T> {
    this.#renewIfEnded()
    return this.#runIn((this.#current ??= this.#transactions.join(this.#siteId)), work)
  }

  async #runIn<T>(transaction: ReadTransaction, work: (tx: ConnectionTx) => Promise<T>): Promise<T> {
    try {
      return await transaction.run(work)
    } catch (error) {
      // A failed transaction takes no more statements: the next reader gets a new one.
      if (!isAppError(error) && this.#current === transaction) this.renew()
      if (transaction.handles > 1 && findSqlState(error) === FAILED_TRANSACTION) return this.run(work)
      throw error
    }
  }

  #renewIfEnded(): void {
    if (this.#current?.hasEnded) this.renew()
  }
}
