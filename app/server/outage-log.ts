import { describeError, type Logger } from './log.ts'

const EVERY_MS = 60_000

interface Outage {
  since: number
  toldAt: number
  leftOut: number
}

/** Logs faults that come many times a second while something is away: the first, then one a minute with its cause, and when it is over. */
export class OutageLog {
  readonly #log: Logger
  readonly #now: () => number
  readonly #outages = new Map<string, Outage>()

  constructor(log: Logger, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  /** @param what is away, as the log names it */
  note(what: string, thrown: unknown): void {
    const now = this.#now()
    const known = this.#outages.get(what)
    if (known && now - known.toldAt < EVERY_MS) {
      known.leftOut++
      return
    }
    const { error, code } = describeError(asError(thrown))
    const again = known ? { leftOut: known.leftOut, seconds: seconds(now - known.since) } : {}
    this.#log.error(what, { error, ...(code === undefined ? {} : { code }), ...again })
    this.#outages.set(what, { since: known?.since ?? now, toldAt: now, leftOut: 0 })
  }

  /** @param words say that it is over */
  over(what: string, words: string): void {
    const known = this.#outages.get(what)
    if (!known) return
    this.#outages.delete(what)
    this.#log.warn(words, { seconds: seconds(this.#now() - known.since), leftOut: known.leftOut })
  }
}

/** The job queue reports copies of errors, which are none themselves. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  if (typeof thrown !== 'object' || thrown === null || !('message' in thrown)) return new Error(String(thrown))
  const { message, ...rest } = thrown
  return Object.assign(new Error(String(message)), rest)
}

const seconds = (ms: number) => Math.round(ms / 1000)
