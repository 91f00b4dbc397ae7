/** Lets a bounded number of tasks run at once and a bounded number wait, first come, first served. */
export class ConcurrencyLimit {
  readonly #atOnce: number
  readonly #most: number
  readonly #full: () => Error
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** @param options.full creates the error thrown if the queue is full */
  constructor(options: { atOnce: number; waiting: number; full: () => Error }) {
    this.#atOnce = options.atOnce
    this.#most = options.waiting
    this.#full = options.full
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) {
      if (this.#waiting.length >= this.#most) throw this.#full()
      await new Promise<void>((go) => this.#waiting.push(go))
    } else {
      this.#running++
    }
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
