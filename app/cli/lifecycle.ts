type Cleanup = () => Promise<void> | void

/** What must be undone when the process stops, newest first; and the signals that stop it. */
export class Lifecycle {
  readonly #cleanups: Cleanup[] = []
  #stopping: Promise<void> | undefined

  /** Ctrl-C, a service manager's SIGTERM and a closed terminal stop gracefully; a second signal stops at once. */
  constructor(say: (line: string) => void) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (this.#stopping) process.exit(1)
        if (signal === 'SIGINT') say('Stopping…')
        void this.stop().then(
          () => process.exit(0),
          () => process.exit(1),
        )
      })
    }
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
