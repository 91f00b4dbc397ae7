import pg from 'pg'
import { traceStatement } from '../tracing/tracing.ts'

/** Distinct statements that get a name. Each connection's server process keeps the plan of each. */
const MAX_NAMED = 400
/** Statements seen once: reset when full, so that texts with lists of varying length never fill the memory. */
const MAX_SEEN = 2000
/** Longer statements are rare and cost more memory than planning them saves. */
const MAX_NAMED_LENGTH = 12_000

const names = new Map<string, string>()
const seen = new Set<string>()

/** A name for a statement that this process repeats: the server then parses and plans it once for each connection. */
function findStatementName(text: string): string | undefined {
  const name = names.get(text)
  if (name !== undefined || names.size >= MAX_NAMED || text.length > MAX_NAMED_LENGTH) return name
  if (!seen.has(text)) {
    if (seen.size >= MAX_SEEN) seen.clear()
    seen.add(text)
    return undefined
  }
  seen.delete(text)
  const given = `s${names.size}`
  names.set(text, given)
  return given
}

/** How long `queryWithNext` waits for a next statement. */
const LONGEST_DELAY_MS = 2

type AnyQuery = (config: unknown, values?: unknown, callback?: unknown) => unknown

const isPlainQuery = (config: unknown): config is pg.QueryConfig =>
  typeof config === 'object' && config !== null && !('submit' in config) && 'text' in config && !('name' in config && config.name)

/** A connection that pipelines: statements of one turn of the event loop leave in one packet, and repeated ones are prepared. */
export class StatementClient extends pg.Client {
  #isCorked = false
  /** Runs while a statement waits for the next one. */
  #delay: NodeJS.Timeout | undefined

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const query = super.query.bind(this) as AnyQuery
    const named: AnyQuery = (asked, values, callback) => {
      this.#corkThisTurn()
      if (!isPlainQuery(asked))
        return typeof asked === 'string' ? traceStatement(asked, () => query(asked, values, callback)) : query(asked, values, callback)
      const name = (values ?? asked.values) ? findStatementName(asked.text) : undefined
      return traceStatement(asked.text, () => query(name === undefined ? asked : { ...asked, name }, values, callback))
    }
    this.query = named as typeof this.query
  }

  /** Sends a statement whose answer is not urgent, in one packet with the connection's next statement, which usually follows soon. */
  queryWithNext(text: string): Promise<unknown> {
    const answer = this.query(text)
    this.connection.stream.cork()
    this.#delay = setTimeout(() => this.#endDelay(), LONGEST_DELAY_MS)
    return answer
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
