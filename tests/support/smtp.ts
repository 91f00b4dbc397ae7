import { createServer, type Server } from 'node:net'
import { afterAll } from 'vitest'

export interface TestSmtp {
  url: string
  /** Each mail as received over the wire. */
  received: { from: string; to: string[]; data: string }[]
  /** Reply to the next RCPT commands, instead of "250 OK". */
  refuseWith: string | undefined
  /** If set, only this AUTH PLAIN login may send. */
  login: { user: string; password: string } | undefined
  /** Extra extensions that it advertises. */
  extensions: string[]
  /** Delay before it accepts each mail, in milliseconds. */
  slowMs: number
  /** Called before a recipient or a login is refused. */
  onRefusal: (() => Promise<unknown>) | undefined
}

/** An SMTP server on loopback that keeps the mails it receives. */
export async function startSmtp(): Promise<TestSmtp> {
  const smtp: TestSmtp = { url: '', received: [], refuseWith: undefined, login: undefined, extensions: [], slowMs: 0, onRefusal: undefined }
  const server: Server = createServer((socket) => {
    let mail = { from: '', to: [] as string[], data: '' }
    let inData = false
    let isKnown = false
    let buffer = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    const refuse = (line: string) => void Promise.resolve(smtp.onRefusal?.()).then(() => say(line))
    const hear = (line: string) => {
      if (inData) {
        if (line === '.') {
          inData = false
          smtp.received.push(mail)
          mail = { from: '', to: [], data: '' }
          return void (smtp.slowMs > 0 ? setTimeout(say, smtp.slowMs, '250 Kept') : say('250 Kept'))
        }
        mail.data += `${line.replace(/^\.\./, '.')}\n`
        return undefined
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'EHLO' || command === 'HELO')
        return say([...smtp.extensions.map((name) => `250-${name}`), smtp.login ? '250-here\r\n250 AUTH PLAIN' : '250 here'].join('\r\n'))
      if (command === 'AUTH') {
        const [, user, password] = Buffer.from(line.slice('AUTH PLAIN '.length), 'base64').toString().split('\0')
        isKnown = user === smtp.login?.user && password === smtp.login?.password
        return say(isKnown ? '235 Welcome' : '535 Who are you?')
      }
      if (command === 'MAIL' && smtp.login && !isKnown) return refuse('530 Log in first')
      if (command === 'MAIL') mail.from = line.slice(10)
      if (command === 'RCPT') {
        if (smtp.refuseWith) return refuse(smtp.refuseWith)
        mail.to.push(line.slice(8))
      }
      if (command === 'DATA') {
        inData = true
        return say('354 Go on')
      }
      if (command === 'QUIT') {
        say('221 Bye')
        return socket.end()
      }
      return say('250 OK')
    }
    socket.on('data', (chunk) => {
      buffer += chunk.toString('utf8')
      for (let at = buffer.indexOf('\r\n'); at >= 0; at = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, at)
        buffer = buffer.slice(at + 2)
        hear(line)
      }
    })
    socket.on('error', () => {})
    say('220 here')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  smtp.url = `smtp://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`
  afterAll(() => new Promise<void>((closed) => server.close(() => closed())))
  return smtp
}
