import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { toPrimaryUrl } from './database-hosts.ts'
import { findSqlState } from './sql-state.ts'
import { noteStatement } from '../memory/content-reads.ts'
import { traceStatement } from '../tracing/tracing.ts'

/** Statements that have a name: those that were used last. */
const MAX_NAMED = 1500
const MAX_NAMED_LETTERS = 4_000_000
/** Of these, each connection's server process keeps the plans of the ones that this connection used last. */
const MAX_PREPARED = 400
/** Names of statements seen once: reset when full, so that texts with lists of varying length never fill the memory. */
const MAX_SEEN = 2000
/** Longer statements are rare and cost more memory than planning them saves. That of notifications has 13,000 letters: planning took ten times as long as running it. */
const MAX_NAMED_LENGTH = 24_000

const names = new LRUCache<string, string>({ max: MAX_NAMED, maxSize: MAX_NAMED_LETTERS, sizeCalculation: (_, text) => text.length })
const seen = new Set<string>()

/** Error codes for a prepared statement that already exists or is missing on the server's connection, although this client did not prepare or drop it. */
const SHARED_CONNECTION_STATES = new Set(['42P05', '26000'])

/** Set once a statement fails as it only can on a connection that is shared with other clients. */
let isBehindHiddenPool = false

/**
 * A name for a statement that this process repeats: the server then parses and plans it once for each connection. It is a hash of the text, so
 * that on a connection shared with other processes a name can never stand for another statement.
 */
function findStatementName(text: string): string | undefined {
  const name = names.get(text)
  if (name !== undefined || text.length > MAX_NAMED_LENGTH) return name
  const given = createHash('sha256').update(text).digest('base64url')
  if (!seen.delete(given)) {
    if (seen.size >= MAX_SEEN) seen.clear()
    seen.add(given)
    return undefined
  }
  names.set(text, given)
  return given
}

function noteHiddenPool(error: unknown): void {
  if (SHARED_CONNECTION_STATES.has(findSqlState(error) ?? '')) isBehindHiddenPool = true
}

/** How long `queryWithNext` waits for a next statement. */
const LONGEST_DELAY_MS = 2

type AnyQuery = (config: unknown, values?: unknown, callback?: unknown) => unknown

const isPlainQuery = (config: unknown): config is pg.QueryConfig =>
  typeof config === 'object' && config !== null && !('submit' in config) && 'text' in config && !('name' in config && config.name)

/**
 * True if a pool stands between the client and the database: the server process that answers is not the one that the connection began with. Such a
 * pool may give each transaction another connection, on which nothing else that a session does lasts.
 */
export async function isBehindPool(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== (client as pg.ClientBase & { processID: number | null }).processID
}

/**
 * A connection that pipelines: statements of one turn of the event loop leave in one packet, and repeated ones are prepared, unless the connection
 * is shared with other clients.
 */
export class StatementClient extends pg.Client {
  readonly #prepared = new LRUCache<string, true>({
    max: MAX_PREPARED,
    dispose: (_, name, reason) => {
      if (reason === 'evict') this.#closeStatement(name)
    },
  })
  #isShared = true
  #isCorked = false
  /** Runs while a statement waits for the next one. */
  #delay: NodeJS.Timeout | undefined

  constructor({ connectionString, ...config }: pg.ClientConfig = {}) {
    super({ ...config, ...(connectionString ? { connectionString: toPrimaryUrl(connectionString) } : {}) })
    const query = super.query.bind(this) as AnyQuery
    const named: AnyQuery = (asked, values, callback) => {
      this.#corkThisTurn()
      const sent = typeof asked === 'string' ? asked : (asked as { text?: unknown } | null)?.text
      if (typeof sent === 'string') noteStatement(sent)
      if (!isPlainQuery(asked))
        return typeof asked === 'string' ? traceStatement(asked, () => query(asked, values, callback)) : query(asked, values, callback)
      const name = !this.#isShared && !isBehindHiddenPool && (values ?? asked.values) ? findStatementName(asked.text) : undefined
      return traceStatement(asked.text, () => {
        if (name === undefined) return query(asked, values, callback)
        this.#prepared.set(name, true)
        const answer = query({ ...asked, name }, values, callback)
        if (answer instanceof Promise) answer.catch(noteHiddenPool)
        return answer
      })
    }
    this.query = named as typeof this.query
  }

  /** Finds out whether the connection is shared. Nothing needs to wait for it: until then, statements have no names. */
  async detectPool(): Promise<void> {
    this.#isShared = await isBehindPool(this).catch(() => true)
  }

  /** Sends a statement whose answer is not urgent, in one packet with the connection's next statement, which usually follows soon. */
  queryWithNext(text: string): Promise<unknown> {
    const answer = this.query(text)
    this.connection.stream.cork()
    this.#delay = setTimeout(() => this.#endDelay(), LONGEST_DELAY_MS)
    return answer
  }

  /** Drops a plan from the server's memory. The message travels with the next statement. */
  #closeStatement(name: string): void {
    const connection = this.connection as pg.Connection & { parsedStatements: Record<string, string> }
    if (connection.parsedStatements[name] === undefined) return
    delete connection.parsedStatements[name]
    connection.close({ type: 'S', name }, true)
  }

  #endDelay(): void {
    clearTimeout(this.#delay)
    this.#delay = undefined
    this.connection.stream.uncork()
  }

  #corkThisTurn(): void {
    const { stream } = this.connection
    if (!this.#isCorked) {
      this.#isCorked = true
      stream.cork()
      process.nextTick(() => {
        this.#isCorked = false
        stream.uncork()
      })
    }
    if (this.#delay) this.#endDelay()
  }
}
