import { createServer, type Socket } from 'node:net'

/**
 * How a mail server behaves: normally; silent after connecting; one character a second; accepting an email and then denying it; closing the
 * connection half-way; answering with something that is not SMTP.
 */
export type Manner = 'well' | 'silent' | 'slow' | 'refuses-late' | 'resets' | 'babbles'

export interface MailServer {
  url: string
  manner: Manner
  /** Message-ID of each email it accepted and acknowledged. */
  taken: string[]
  connections: number
  stop: () => Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>()
  const state: MailServer = { url: '', manner: 'well', taken: [], connections: 0, stop: async () => {} }
  const server = createServer((socket) => {
    sockets.add(socket)
    state.connections += 1
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serveConnection(state, socket)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  state.url = `smtp://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`
  state.stop = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise((closed) => server.close(() => closed()))
  }
  return state
}

function serveConnection(state: MailServer, socket: Socket): void {
  const { manner } = state
  if (manner === 'silent') return
  if (manner === 'babbles') {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok\r\n')
    return
  }
  let heard = ''
  let mail: string | undefined
  const say = (line: string) => {
    if (manner === 'slow') {
      ;`${line}\r\n`.split('').forEach((letter, index) => setTimeout(() => socket.writable && socket.write(letter), index * 1000))
      return
    }
    socket.write(`${line}\r\n`)
  }
  const hear = (line: string) => {
    if (mail !== undefined) {
      if (line !== '.') {
        mail += `${line}\n`
        return undefined
      }
      const id = /^Message-ID: *(\S+)/im.exec(mail)?.[1] ?? ''
      mail = undefined
      if (manner === 'resets') return socket.resetAndDestroy()
      if (manner === 'refuses-late') return say('451 Taken, and dropped')
      state.taken.push(id)
      return say('250 Kept')
    }
    const command = line.slice(0, 4).toUpperCase()
    if (command === 'DATA') {
      mail = ''
      return say('354 Go on')
    }
    if (command === 'QUIT') {
      say('221 Bye')
      return socket.end()
    }
    return say('250 OK')
  }
  socket.on('data', (chunk) => {
    heard += chunk.toString('utf8')
    for (let at = heard.indexOf('\r\n'); at >= 0; at = heard.indexOf('\r\n')) {
      const line = heard.slice(0, at)
      heard = heard.slice(at + 2)
      hear(line)
    }
  })
  say('220 here')
}
