import { LRUCache } from 'lru-cache'

export interface MemoryOptions {
  /** Most bytes of this memory alone; the budget's by default. */
  maxBytes?: number
  now?: () => number
}

interface Entry<Value> {
  value: Value
  usedAt: number
  until: number
}

/** What one part of the product keeps, within a budget that it shares with the others. */
export class Memory<Value extends object> {
  readonly maxBytes: number
  readonly #entries: LRUCache<string, Entry<Value>>
  readonly #budget: MemoryBudget
  readonly #now: () => number

  /** Use `MemoryBudget.open`. */
  constructor(budget: MemoryBudget, { maxBytes = budget.maxBytes, now = Date.now }: MemoryOptions) {
    this.#budget = budget
    this.#now = now
    this.maxBytes = maxBytes
    this.#entries = new LRUCache({ maxSize: maxBytes })
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }

  get size(): number {
    return this.#entries.size
  }

  /** When the entry that was not used for longest was used, as the budget counts; undefined if there is none. */
  get oldestUse(): number | undefined {
    const oldest = this.#entries.rkeys().next().value
    return oldest === undefined ? undefined : this.#entries.peek(oldest)?.usedAt
  }

  find(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.until <= this.#now()) {
      this.#entries.delete(key)
      return undefined
    }
    entry.usedAt = this.#budget.countUse()
    return entry.value
  }

  /**
   * @param bytes measured or estimated, with everything that stays in memory because of the value
   * @param ttlMs after which it is forgotten
   */
  set(key: string, value: Value, bytes: number, ttlMs = Infinity): void {
    const entry = { value, usedAt: this.#budget.countUse(), until: this.#now() + ttlMs }
    this.#entries.set(key, entry, { size: Math.max(1, Math.ceil(bytes)) })
    this.#budget.keepWithinLimit()
  }

  /** Corrects the size of a value that was only promised when it was set. */
  weigh(key: string, value: Value, bytes: number): void {
    const entry = this.#entries.peek(key)
    if (entry?.value !== value) return
    // Another object: the library measures only what it does not have yet.
    this.#entries.set(key, { ...entry }, { size: Math.max(1, Math.ceil(bytes)) })
    this.#budget.keepWithinLimit()
  }

  /** @param value if given, only that one: another may have taken its place */
  delete(key: string, value?: Value): void {
    if (value === undefined || this.#entries.peek(key)?.value === value) this.#entries.delete(key)
  }

  forgetOldest(): void {
    this.#entries.pop()
  }
}

/**
 * The memory that everything this process remembers may take together. Past it, what was not used for longest is forgotten, whichever part of the
 * product keeps it.
 */
export class MemoryBudget {
  readonly maxBytes: number
  readonly #memories = new Map<string, Memory<object>>()
  #uses = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get bytes(): number {
    let bytes = 0
    for (const memory of this.#memories.values()) bytes += memory.bytes
    return bytes
  }

  /** By name. */
  get memories(): ReadonlyMap<string, { readonly bytes: number; readonly size: number }> {
    return this.#memories
  }

  /** @param name in the metrics; a second memory of one name takes the place of the first */
  open<Value extends object>(name: string, options: MemoryOptions = {}): Memory<Value> {
    const memory = new Memory<Value>(this, options)
    this.#memories.set(name, memory as unknown as Memory<object>)
    return memory
  }

  countUse(): number {
    return (this.#uses += 1)
  }

  /** Forgets what was not used for longest until no more than this is kept. */
  keepWithinLimit(maxBytes = this.maxBytes): void {
    while (this.bytes > maxBytes) {
      let oldest: Memory<object> | undefined
      for (const memory of this.#memories.values())
        if (memory.oldestUse !== undefined && memory.oldestUse < (oldest?.oldestUse ?? Infinity)) oldest = memory
      if (!oldest) return
      oldest.forgetOldest()
    }
  }
}

/** Of all that a web process remembers. The rest of its memory is for the program, its texts and the work it does. */
const PROCESS_BYTES = 50_000_000

/** The budget of this process, which its metrics show. */
export const processMemory = new MemoryBudget(PROCESS_BYTES)
