import { type ContentAt, ContentChanges } from './content-changes.ts'
import { type ContentNames, noteNames, trackReads } from './content-reads.ts'
import type { Memory, MemoryBudget } from './memory-budget.ts'

interface KeptEntry<Value> {
  value: Value
  names: ContentNames
  /** Of the site's content, in which the value was last known to be as it would be read. */
  version: number
  freshUntil: number
}

interface ContentMemoryOptions {
  budget: MemoryBudget
  /** In the metrics. */
  name: string
  /** How long a value is used: it may depend on the time ("closes in 9 days"). */
  ttlMs: number
  /** How much longer it is kept for `findLast`. */
  keepMs?: number
  maxBytes?: number
  /** Without it, every change ends everything. */
  changes?: ContentChanges | undefined
  now?: (() => number) | undefined
}

/** A value to keep; `bytes` is undefined for one that is used only now. */
interface Made<Value> {
  value: Value
  bytes: number | undefined
}

/**
 * Remembers what was made of a site's content, with the names of what was read for it. A value is found until one of these changes: a change
 * ends what it concerns, in every process, and nothing else.
 */
export class ContentMemory<Value> {
  readonly #entries: Memory<KeptEntry<Value>>
  readonly #changes: ContentChanges
  readonly #options: ContentMemoryOptions
  readonly #making = new Map<string, Promise<{ value: Value; names: ContentNames }>>()

  constructor(options: ContentMemoryOptions) {
    const { budget, name, maxBytes, now } = options
    this.#options = options
    this.#changes = options.changes ?? new ContentChanges()
    this.#entries = budget.open(name, { ...(maxBytes ? { maxBytes } : {}), ...(now ? { now } : {}) })
  }

  get bytes(): number {
    return this.#entries.bytes
  }

  get size(): number {
    return this.#entries.size
  }

  get maxBytes(): number {
    return this.#entries.maxBytes
  }

  /** The value, if it is as it would be read now. */
  find(site: ContentAt, key: string): Value | undefined {
    const entry = this.#entries.find(key)
    if (!entry || entry.freshUntil <= this.#now() || !this.#changes.isCurrent(site, entry.names, entry.version)) return undefined
    entry.version = Math.max(entry.version, site.contentVersion)
    noteNames(entry.names)
    return entry.value
  }

  /** The value as it was last made, whatever has changed since. */
  findLast(key: string): Value | undefined {
    return this.#entries.find(key)?.value
  }

  /** True if the value is being made already, so that waiting for it adds no work. */
  isMaking(site: ContentAt, key: string): boolean {
    return this.#making.has(toMakingKey(site, key))
  }

  /** Makes the value once for all who ask at the same time, and keeps it if `make` says how large it is. */
  async obtain(site: ContentAt, key: string, make: () => Promise<Made<Value>>): Promise<Value> {
    const found = this.find(site, key)
    if (found !== undefined) return found
    const making = toMakingKey(site, key)
    let made = this.#making.get(making)
    if (!made) {
      made = this.#make(site, key, make).finally(() => this.#making.delete(making))
      this.#making.set(making, made)
    }
    const { value, names } = await made
    noteNames(names)
    return value
  }

  /** @param site as it was before anything was read for the value */
  keep(
    site: ContentAt,
    key: string,
    { value, bytes }: { value: Value; bytes: number },
    names: ContentNames,
    ttlMs = this.#options.ttlMs,
  ): void {
    const known = this.#entries.find(key)
    // One that took longer than a newer one does not replace it.
    if (known && known.version > site.contentVersion) return
    const entry = { value, names, version: site.contentVersion, freshUntil: this.#now() + ttlMs }
    this.#entries.set(key, entry, bytes + 2 * key.length, ttlMs + (this.#options.keepMs ?? 0))
  }

  async #make(site: ContentAt, key: string, make: () => Promise<Made<Value>>): Promise<{ value: Value; names: ContentNames }> {
    const { value: made, names } = await trackReads(make)
    if (made.bytes !== undefined) this.keep(site, key, { value: made.value, bytes: made.bytes }, names)
    return { value: made.value, names }
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }
}

/** Who asks in a newer version does not wait for what was begun before it. */
const toMakingKey = ({ id, contentVersion }: ContentAt, key: string): string => `${id} ${contentVersion} ${key}`
