/** For whom work is done. */
export interface Requester {
  site: string
  client: string
}

export interface QueueOptions {
  /** How much is worked on at once. */
  running: number
  /** How much waits at most: in all, for one site, and for one client of a site. */
  waiting: { total: number; site: number; client: number }
  /** Longest wait before the work is refused. */
  waitMs: number
  /** Work that takes longer makes room for the next: it waits for something else than this process, such as a slow sender. */
  slotMs: number
}

/** There is too much to do at the moment. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

interface WaitingEntry {
  start: () => void
}

/**
 * Takes turns: first among sites, then among the clients of a site, then in the order of asking. However much one client asks for, the
 * next client waits for one piece of its work. Between two pieces everything else that the process has heard of is answered.
 */
export class FairQueue {
  readonly #options: QueueOptions
  /** Each map begins with the next in turn. */
  readonly #sites = new Map<string, Map<string, WaitingEntry[]>>()
  #running = 0
  #waiting = 0

  constructor(options: QueueOptions) {
    this.#options = options
  }

  /**
   * Does the work when its turn comes.
   * @param gone given up when nobody waits for the work any more: it is then not begun
   * @throws {QueueFull} if it cannot wait, or waited too long
   */
  async run<T>(asker: Requester, work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    if (this.#running >= this.#options.running || this.#waiting > 0) await this.#turn(asker, gone)
    else this.#running++
    const releaseSlot = this.#slot()
    try {
      return await work()
    } finally {
      releaseSlot()
    }
  }

  #turn(asker: Requester, gone: AbortSignal | undefined): Promise<void> {
    const line = this.#lineOf(asker)
    if (!line) return Promise.reject(new QueueFull('Too much is waiting'))
    return new Promise((resolve, reject) => {
      const entry: WaitingEntry = {
        start: () => {
          clearTimeout(timer)
          gone?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      const giveUp = () => {
        clearTimeout(timer)
        gone?.removeEventListener('abort', giveUp)
        this.#remove(asker, line, entry)
        reject(new QueueFull('Waited too long'))
      }
      const timer = setTimeout(giveUp, this.#options.waitMs)
      gone?.addEventListener('abort', giveUp)
      line.push(entry)
      this.#waiting++
      if (gone?.aborted) giveUp()
    })
  }

  /** The client's line if there is room in it. */
  #lineOf({ site, client }: Requester): WaitingEntry[] | undefined {
    const most = this.#options.waiting
    const clients = this.#sites.get(site) ?? new Map<string, WaitingEntry[]>()
    const line = clients.get(client) ?? []
    const ofSite = [...clients.values()].reduce((sum, { length }) => sum + length, 0)
    if (this.#waiting >= most.total || ofSite >= most.site || line.length >= most.client) return undefined
    clients.set(client, line)
    this.#sites.set(site, clients)
    return line
  }

  #remove({ site, client }: Requester, line: WaitingEntry[], entry: WaitingEntry): void {
    line.splice(line.indexOf(entry), 1)
    this.#waiting--
    const clients = this.#sites.get(site)
    if (line.length === 0 && clients?.get(client) === line) clients.delete(client)
    if (clients?.size === 0) this.#sites.delete(site)
  }

  /** Holds a place among what runs until it is left, or for as long as one may be held. */
  #slot(): () => void {
    let held = true
    const releaseSlot = () => {
      if (!held) return
      held = false
      clearTimeout(timer)
      setImmediate(() => {
        this.#running--
        this.#startNext()
      })
    }
    const timer = setTimeout(releaseSlot, this.#options.slotMs)
    return releaseSlot
  }

  #startNext(): void {
    const [site, clients] = firstEntry(this.#sites) ?? []
    if (site === undefined || !clients || this.#running >= this.#options.running) return
    const [client, line] = firstEntry(clients) ?? []
    const entry = line?.shift()
    if (client === undefined || !line || !entry) return
    clients.delete(client)
    if (line.length > 0) clients.set(client, line)
    this.#sites.delete(site)
    if (clients.size > 0) this.#sites.set(site, clients)
    this.#waiting--
    this.#running++
    entry.start()
  }
}

const firstEntry = <Key, Value>(map: ReadonlyMap<Key, Value>): [Key, Value] | undefined => map.entries().next().value
