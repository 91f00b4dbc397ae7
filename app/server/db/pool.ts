import { Socket } from 'node:net'
import pg from 'pg'
import { StatementClient } from './statement-client.ts'

/** The database hangs: it keeps connections open but does not answer. */
export class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent'
  constructor() {
    super('The database does not answer')
  }
}

export type PooledClient = pg.PoolClient & Pick<StatementClient, 'queryWithNext'>

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error | boolean) => void) => void

/** A pool that can abandon a hanging database: everything that waits for it and every connection to it. */
export class DatabasePool extends pg.Pool {
  readonly #sockets: Set<Socket>
  readonly #waiting = new Set<(error: Error) => void>()
  #silent = false

  constructor(config: pg.PoolConfig) {
    const sockets = new Set<Socket>()
    const createSocket = () => {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      if (this.#silent) setImmediate(() => socket.destroy())
      return socket
    }
    super({ ...config, stream: createSocket, Client: StatementClient, pipeline: true })
    this.#sockets = sockets
  }

  /** Fails everything that waits for the database, and refuses new requests until it answers again. */
  fallSilent(): void {
    if (this.#silent) return
    this.#silent = true
    for (const refuse of this.#waiting) refuse(new DatabaseSilent())
    for (const socket of this.#sockets) socket.destroy()
  }

  answerAgain(): void {
    this.#silent = false
  }

  override connect(): Promise<PooledClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<PooledClient> | void {
    if (callback) return this.#acquire(callback)
    return new Promise((resolve, reject) => {
      // This pool creates clients of no other class.
      this.#acquire((error, client) => (client ? resolve(client as PooledClient) : reject(error ?? new DatabaseSilent())))
    })
  }

  #acquire(callback: Callback): void {
    if (this.#silent) return process.nextTick(callback, new DatabaseSilent(), undefined, () => {})
    let waits = true
    const settleRequest = (...result: Parameters<Callback>) => {
      waits = false
      this.#waiting.delete(rejectWaiting)
      callback(...result)
    }
    const rejectWaiting = (error: Error) => settleRequest(error, undefined, () => {})
    this.#waiting.add(rejectWaiting)
    super.connect((error, client, done) => {
      if (waits) settleRequest(error, client, done)
      else client?.release()
    })
  }
}
