type Cleanup = () => Promise<void> | void

const PARENT_EVERY_MS = 500
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Cleanups to run when the process stops, newest first, and the signals that stop it. */
export class Lifecycle {
  readonly #cleanups: Cleanup[] = []
  readonly #heed: (signal: NodeJS.Signals) => void
  #stopping: Promise<void> | undefined

  /** Ctrl-C, a service manager's SIGTERM and a closed terminal stop gracefully; a second signal stops at once. */
  constructor(say: (line: string) => void) {
    this.#heed = (signal) => {
      if (this.#stopping) process.exit(1)
      if (signal === 'SIGINT') say('Stopping…')
      void this.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
    this.takeSignals()
  }

  /** Removes other signal listeners: a library's own listener would end the process before all cleanups have run. */
  takeSignals(): void {
    for (const signal of SIGNALS) process.removeAllListeners(signal).on(signal, this.#heed)
  }

  /** Stops when the parent process is gone: npm sends SIGTERM only to the shell in between, which exits without passing it on. */
  stopWithParent(): void {
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), PARENT_EVERY_MS).unref()
  }

  onStop(cleanup: Cleanup): void {
    this.#cleanups.push(cleanup)
  }

  get stopping(): boolean {
    return this.#stopping !== undefined
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#undo()
    return this.#stopping
  }

  async #undo(): Promise<void> {
    for (let cleanup = this.#cleanups.pop(); cleanup; cleanup = this.#cleanups.pop()) await cleanup()
  }
}
