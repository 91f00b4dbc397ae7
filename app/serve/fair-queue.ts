import { runInSlot } from '../server/work-slot.ts'

/** The client that work is done for. */
export interface Requester {
  site: string
  client: string
}

export interface QueueOptions {
  /** Most pieces of work running at once. */
  running: number
  /** Most pieces of work waiting: in total, per site, and per client of a site. */
  waiting: { total: number; site: number; client: number }
  /** Longest wait before work is refused. */
  waitMs: number
  /** Work that takes longer frees its slot: it is waiting for something other than this process, such as a slow sender. */
  slotMs: number
  /** Most pieces of work that may be unfinished after freeing their slot, because they wait for a shared batch. */
  freed: number
}

/** Too much work is queued right now. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

interface WaitingEntry {
  start: () => void
}

/**
 * A fair queue: round-robin between sites, then between a site's clients, then first come, first served. However much one client asks for,
 * another waits for only one piece of its work. It yields to the event loop between two pieces.
 */
export class FairQueue {
  readonly #options: QueueOptions
  /** Each map starts with the next one to be served. */
  readonly #sites = new Map<string, Map<string, WaitingEntry[]>>()
  #running = 0
  #waiting = 0
  #freed = 0

  constructor(options: QueueOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Runs the work when its turn comes.
   * @param gone aborts if nobody waits for the work any more: it is then never started
   * @throws {QueueFull} if the queue is full or the wait was too long
   */
  async run<T>(asker: Requester, work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
    if (this.#running >= this.#options.running || this.#waiting > 0) await this.#turn(asker, gone)
    else this.#running++
    const slot = this.#holdSlot()
    try {
      return await runInSlot(slot.free, work)
    } finally {
      slot.end()
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

  /** The client's queue, if there is room in it. */
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

  /** Holds a slot until its work ends or frees it, or its time is up. */
  #holdSlot(): { free: () => void; end: () => void } {
    let isHeld = true
    let isFreed = false
    const releaseSlot = () => {
      if (!isHeld) return
      isHeld = false
      clearTimeout(timer)
      setImmediate(() => {
        this.#running--
        this.#startNext()
      })
    }
    const timer = setTimeout(releaseSlot, this.#options.slotMs)
    return {
      free: () => {
        if (!isHeld || this.#freed >= this.#options.freed) return
        isFreed = true
        this.#freed++
        releaseSlot()
      },
      end: () => {
        if (isFreed) this.#freed--
        releaseSlot()
      },
    }
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
