/**
 * Readings that many ask for at once. Whoever asks while one is under way shares the next with all who ask in between: it begins after
 * they asked, so that nobody is told what was true before.
 */
export class SharedReads<Value> {
  /** The reading after the one under way, if somebody waits for it. */
  readonly #next = new Map<string, Promise<Value> | undefined>()
  readonly #after = new Map<string, () => void>()

  /** @param key names what is read, and as whom: one reading serves all who give the same */
  read(key: string, work: () => Promise<Value>): Promise<Value> {
    if (!this.#next.has(key)) return this.#run(key, work)
    const waiting = this.#next.get(key)
    if (waiting) return waiting
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    this.#next.set(key, promise)
    this.#after.set(key, () => void this.#run(key, work).then(resolve, reject))
    return promise
  }

  async #run(key: string, work: () => Promise<Value>): Promise<Value> {
    this.#next.set(key, undefined)
    try {
      return await work()
    } finally {
      const begin = this.#after.get(key)
      this.#after.delete(key)
      if (begin) begin()
      else this.#next.delete(key)
    }
  }
}
