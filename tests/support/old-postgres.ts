import { once } from 'node:events'
import { createServer } from 'node:net'

/** Speaks just enough of PostgreSQL's protocol to accept any login and claim to be version 14. */
export async function startOldPostgres(): Promise<{ url: string; stop: () => void }> {
  const server = createServer((socket) => {
    let greeted = false
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (greeted) {
        if (data[0] === 0x51)
          socket.write(Buffer.concat([createColumn('server_version_num'), createRow('140011'), createMessage('C', 'SHOW\0'), ready]))
        return
      }
      greeted = true
      socket.write(Buffer.concat([createMessage('R', Buffer.from([0, 0, 0, 0])), ready]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('No port')
  return { url: `postgres://anyone:secret@127.0.0.1:${address.port}/parley`, stop: () => server.close() }
}

function createMessage(type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}

const ready = createMessage('Z', 'I')

function createColumn(name: string): Buffer {
  const facts = Buffer.alloc(18)
  facts.writeInt32BE(25, 6)
  facts.writeInt16BE(-1, 10)
  facts.writeInt32BE(-1, 12)
  return createMessage('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from(`${name}\0`), facts]))
}

function createRow(value: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(value.length)
  return createMessage('D', Buffer.concat([Buffer.from([0, 1]), length, Buffer.from(value)]))
}
