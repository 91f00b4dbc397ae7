/**
 * Coalesces concurrent reads. A caller who asks during a read shares the next one with everyone else who asked meanwhile: it starts after
 * they asked, so nobody gets outdated data.
 */
export class SharedReads<Value> {
  /** The read after the current one, if anybody waits for it. */
  readonly #next = new Map<string, Promise<Value> | undefined>()
  readonly #after = new Map<string, () => void>()

  /** @param key identifies what is read, and as whom: callers with the same key share one read */
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
