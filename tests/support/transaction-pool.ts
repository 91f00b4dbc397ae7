import { randomBytes } from 'node:crypto'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'

interface PoolOptions {
  /** Connections to the database that all clients of one user share. */
  connections?: number
  /** Tells clients the number of a server process, as if there were no pool. */
  hidesItself?: boolean
}

export interface TransactionPool {
  /** The address of the same database through the pool. */
  throughPool: (databaseUrl: string) => string
  /** Lets clients begin with a setting that it otherwise refuses. */
  accept: (setting: string) => void
  /** Refuses it again, and ends all connections. */
  refuse: (setting: string) => void
  stop: () => Promise<void>
}

/** Settings at the start of a connection that pgbouncer 1.18 knows; it refuses any other. */
const KNOWN_SETTINGS = ['user', 'database', 'application_name', 'client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings']
const SSL_REQUEST = 80_877_103
const CANCEL_REQUEST = 80_877_102

/**
 * A pool in transaction mode, as pgbouncer 1.18 is: a client gets any of the connections to the database for one transaction at a time, and what a
 * session sets or prepares stays on the connection for whichever client is next.
 */
export async function startTransactionPool(options: PoolOptions = {}): Promise<TransactionPool> {
  const shares = new Map<string, Share>()
  let target: URL | undefined
  const findShare = (user: string, database: string, password: string) => {
    const key = `${user} ${database}`
    const known = shares.get(key)
    if (known) return known
    if (!target) throw new Error('The pool has no database yet')
    const url = new URL(target)
    Object.assign(url, { username: encodeURIComponent(user), password: encodeURIComponent(password), pathname: `/${database}` })
    const share = new Share(url.href, options.connections ?? 1)
    shares.set(key, share)
    return share
  }
  const clients = new Set<Socket>()
  const accepted = new Set(KNOWN_SETTINGS)
  const server = createServer({ noDelay: true }, (socket) => {
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
    serveClient(socket, { findShare, accepted, hidesItself: options.hidesItself ?? false })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    throughPool: (databaseUrl) => {
      target = new URL(databaseUrl)
      const url = new URL(databaseUrl)
      url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      return url.href
    },
    accept: (setting) => void accepted.add(setting),
    refuse: (setting) => {
      accepted.delete(setting)
      for (const socket of clients) socket.destroy()
    },
    stop: async () => {
      for (const socket of clients) socket.destroy()
      for (const share of shares.values()) share.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A client's messages that wait for a connection to the database. */
interface Client {
  socket: Socket
  pending: Buffer[]
  connection: Connection | undefined
}

interface Connection {
  stream: Socket
  client: Client | undefined
  /** Answers of the database that end a query or a series of messages. */
  awaited: number
  /** Messages were sent that nothing has ended yet. */
  isOpen: boolean
}

/** The connections that all clients of a user share. */
class Share {
  readonly #url: string
  readonly #most: number
  readonly #idle: Connection[] = []
  readonly #waiting: Client[] = []
  readonly #all = new Set<pg.Client>()
  processId = 0

  constructor(url: string, most: number) {
    this.#url = url
    this.#most = most
  }

  /** Sends what is pending, on the client's connection or as soon as one is free. */
  send(client: Client): void {
    if (client.connection) return forward(client, client.connection)
    if (!this.#waiting.includes(client)) this.#waiting.push(client)
    this.#assign()
  }

  leave(client: Client): void {
    const at = this.#waiting.indexOf(client)
    if (at >= 0) this.#waiting.splice(at, 1)
    client.connection?.stream.destroy()
  }

  /** @throws if the database refuses the user */
  async open(): Promise<void> {
    const database = new pg.Client({ connectionString: this.#url })
    this.#all.add(database)
    database.on('error', () => {})
    await database.connect()
    const { processID } = database as unknown as { processID: number }
    this.processId ||= processID
    const { stream } = database.connection as unknown as { stream: Socket }
    for (const event of ['data', 'end']) stream.removeAllListeners(event)
    const connection: Connection = { stream, client: undefined, awaited: 0, isOpen: false }
    stream.on(
      'data',
      createSplitter((type, message) => this.#receive(connection, type, message)),
    )
    stream.on('close', () => {
      this.#all.delete(database)
      const at = this.#idle.indexOf(connection)
      if (at >= 0) this.#idle.splice(at, 1)
      connection.client?.socket.destroy()
    })
    this.#idle.push(connection)
  }

  close(): void {
    for (const { connection } of this.#all) connection.stream.destroy()
  }

  #assign(): void {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      const client = this.#waiting.shift()
      if (!client) return void this.#idle.push(connection)
      connection.client = client
      client.connection = connection
      forward(client, connection)
    }
    if (this.#waiting.length > 0 && this.#all.size < this.#most) void this.open().then(() => this.#assign())
  }

  #receive(connection: Connection, type: string, message: Buffer): void {
    const { client } = connection
    client?.socket.write(message)
    if (type !== 'Z') return
    connection.awaited -= 1
    if (connection.awaited > 0 || connection.isOpen || message.at(-1) !== 'I'.charCodeAt(0)) return
    connection.client = undefined
    if (client) client.connection = undefined
    this.#idle.unshift(connection)
    this.#assign()
  }
}

function forward(client: Client, connection: Connection): void {
  for (const message of client.pending.splice(0)) {
    const type = String.fromCharCode(message[0] ?? 0)
    connection.isOpen = type !== 'Q' && type !== 'S'
    if (!connection.isOpen) connection.awaited += 1
    connection.stream.write(message)
  }
}

interface ServingOptions {
  findShare: (user: string, database: string, password: string) => Share
  accepted: ReadonlySet<string>
  hidesItself: boolean
}

function serveClient(socket: Socket, { findShare, accepted, hidesItself }: ServingOptions): void {
  const client: Client = { socket, pending: [], connection: undefined }
  let parameters: Map<string, string> | undefined
  let share: Share | undefined
  const receiveMessage = createSplitter((type, message) => {
    if (type === 'p') return void admitClient(message.toString('utf8', 5, message.length - 1))
    if (type === 'X') return void socket.end()
    client.pending.push(message)
    share?.send(client)
  })
  const admitClient = async (password: string) => {
    share = findShare(parameters?.get('user') ?? '', parameters?.get('database') ?? '', password)
    try {
      if (share.processId === 0) await share.open()
    } catch (error) {
      return refuse(socket, '28P01', error instanceof Error ? error.message : String(error))
    }
    const key = Buffer.concat([Buffer.from([0, 0, 0, 12]), hidesItself ? toInt32(share.processId) : randomBytes(4), randomBytes(4)])
    socket.write(Buffer.concat([encodeMessage('R', toInt32(0)), Buffer.from('K'), key, encodeMessage('Z', Buffer.from('I'))]))
  }
  let start = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    if (parameters) return receiveMessage(chunk)
    start = Buffer.concat([start, chunk])
    if (start.length < 8 || start.length < start.readInt32BE(0)) return
    const code = start.readInt32BE(4)
    if (code === CANCEL_REQUEST) return void socket.destroy()
    const words = start.toString('utf8', 8, start.readInt32BE(0)).split('\0')
    start = Buffer.alloc(0)
    if (code === SSL_REQUEST) return void socket.write('N')
    parameters = new Map()
    for (let at = 0; words[at]; at += 2) parameters.set(words[at] ?? '', words[at + 1] ?? '')
    const unknown = [...parameters.keys()].find((name) => !accepted.has(name.toLowerCase()))
    if (unknown) return refuse(socket, '08P01', `unsupported startup parameter: ${unknown}`)
    socket.write(encodeMessage('R', toInt32(3)))
  })
  socket.on('error', () => {})
  socket.on('close', () => share?.leave(client))
}

const toInt32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const encodeMessage = (type: string, body: Buffer): Buffer => Buffer.concat([Buffer.from(type), toInt32(body.length + 4), body])

function refuse(socket: Socket, code: string, message: string): void {
  socket.end(encodeMessage('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)))
}

/** Calls back with each whole message of a stream. */
function createSplitter(take: (type: string, message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      take(String.fromCharCode(message[0] ?? 0), message)
    }
  }
}
