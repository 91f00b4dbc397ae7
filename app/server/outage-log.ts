import { describeError, type Logger } from './log.ts'

const REPEAT_AFTER_MS = 60_000

interface Outage {
  since: number
  loggedAt: number
  leftOut: number
}

/** Throttles faults that repeat many times a second during an outage: logs the first, then one a minute with its cause, and the end. */
export class OutageLog {
  readonly #log: Logger
  readonly #now: () => number
  readonly #outages = new Map<string, Outage>()
  #isClosed = false

  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  /** @param what is down, as the log names it */
  note(what: string, thrown: unknown): void {
    if (this.#isClosed) return
    const now = this.#now()
    const known = this.#outages.get(what)
    if (known && now - known.loggedAt < REPEAT_AFTER_MS) {
      known.leftOut++
      return
    }
    const { error, code } = describeError(thrown)
    const again = known ? { leftOut: known.leftOut, seconds: toSeconds(now - known.since) } : {}
    this.#log.error(what, { error, ...(code === undefined ? {} : { code }), ...again })
    this.#outages.set(what, { since: known?.since ?? now, loggedAt: now, leftOut: 0 })
  }

  /** @param words the log message for the recovery */
  noteEnd(what: string, words: string): void {
    const known = this.#outages.get(what)
    if (!known) return
    this.#outages.delete(what)
    this.#log.warn(words, { seconds: toSeconds(this.#now() - known.since), leftOut: known.leftOut })
  }

  /** Logs no more outages: this process is about to close its connections itself. */
  close(): void {
    this.#isClosed = true
  }
}

const toSeconds = (ms: number) => Math.round(ms / 1000)
