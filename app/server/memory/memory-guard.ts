import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { MemoryBudget } from './memory-budget.ts'

interface GuardOptions {
  /** Most bytes of memory that the process may take. */
  maxBytes: number
  budget: MemoryBudget
  /** Called when it begins to refuse work, and when it takes work again. */
  onChange?: (isRefusing: boolean, bytes: number) => void
  readBytes?: () => number
  collectGarbage?: () => void
  /** Called when memory comes close to the limit, and when there is plenty again. */
  onTight?: (isTight: boolean) => void
  now?: () => number
}

/** Garbage is collected from here on, if there may be much: what waits in a queue by then is still worked on, and has to fit. */
const COLLECT_FROM = 0.88
/** Work is refused from here on, so that what has already begun still fits. */
const REFUSE_FROM = 0.92
/** A single piece of work is taken up to here: memory that was freed in pieces stays with the process, and would otherwise stop it for good. */
const TAKE_ONE_UP_TO = 0.95
/** And taken again from here on: less, so that it does not change its mind with every request. */
const TAKE_FROM = 0.85
/** While there is plenty. Otherwise before each piece of work: many are begun in a tenth of a second, and measuring takes some microseconds. */
const MEASURE_EVERY_MS = 100
/** A collection stops the process for some tenths of a second. */
const COLLECT_EVERY_MS = 3000
/** Sooner, if this much has come since the last one: then most of it is garbage, and nobody need be refused for it. */
const WORTH_COLLECTING = 0.04
/** From here on V8 lets less garbage gather before it collects on its own, beside other work. */
const TIGHTEN_FROM = 0.8
/** What is still remembered when memory is short: kept pages are answered while everything else is refused. */
const KEPT_SHARE = 0.5

/**
 * Keeps a process below its memory limit: near it, half of what is remembered is forgotten and garbage collected; if that is not enough, new work is
 * refused until it is, save for one piece at a time.
 */
export class MemoryGuard {
  readonly #options: Required<GuardOptions>
  #isRefusing = false
  #isTight = false
  #bytes = 0
  #bytesAfterCollection = 0
  #measuredAt = -Infinity
  #collectedAt = -Infinity

  constructor(options: GuardOptions) {
    this.#options = {
      readBytes: () => process.memoryUsage.rss(),
      collectGarbage: findCollector(),
      onChange: () => {},
      onTight: () => {},
      now: () => performance.now(),
      ...options,
    }
  }

  get isRefusing(): boolean {
    return this.#isRefusing
  }

  /**
   * True if there is memory for another piece of work.
   * @param isIdle nothing else is being worked on
   */
  hasRoom(isIdle = false): boolean {
    const { now, maxBytes } = this.#options
    if (this.#isTight || this.#isRefusing || now() - this.#measuredAt >= MEASURE_EVERY_MS) {
      this.#measure()
      this.#measuredAt = now()
    }
    return !this.#isRefusing || (isIdle && this.#bytes < maxBytes * TAKE_ONE_UP_TO)
  }

  #measure(): void {
    const { maxBytes, budget, readBytes, collectGarbage, onChange, onTight, now } = this.#options
    const limit = maxBytes * (this.#isRefusing ? TAKE_FROM : REFUSE_FROM)
    let bytes = readBytes()
    const isTight = bytes >= maxBytes * TIGHTEN_FROM
    if (isTight !== this.#isTight) onTight(isTight)
    this.#isTight = isTight
    const isWorthCollecting = bytes - this.#bytesAfterCollection >= maxBytes * WORTH_COLLECTING
    const isDue = bytes >= limit && now() - this.#collectedAt >= COLLECT_EVERY_MS
    if (isDue || (isWorthCollecting && bytes >= Math.min(limit, maxBytes * COLLECT_FROM))) {
      budget.keepWithinLimit(budget.maxBytes * KEPT_SHARE)
      collectGarbage()
      bytes = readBytes()
      this.#collectedAt = now()
      this.#bytesAfterCollection = bytes
    }
    this.#bytes = bytes
    const isRefusing = bytes >= limit
    if (isRefusing === this.#isRefusing) return
    this.#isRefusing = isRefusing
    onChange(isRefusing, bytes)
  }
}

/** V8's own collector, which Node otherwise shows only to programs that were started with a flag. */
function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void
  setFlagsFromString('--no-expose-gc')
  return () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
