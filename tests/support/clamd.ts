import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A file that contains this has a virus, says the scanner of `startClamd`. */
export const VIRUS_MARK = 'parley-test-virus'
export const VIRUS_NAME = 'Parley.Test-1'

export interface FakeClamd {
  address: string
  /** Every file that was scanned, whole. */
  scanned: Buffer[]
  /** What it answers instead of a verdict. */
  answer: string | undefined
  stop: () => Promise<void>
}

/**
 * A scanner that speaks clamd's protocol: `zPING`, and `zINSTREAM` with chunks after their lengths. @param at port or socket path; by default
 * a free port
 */
export async function startClamd(at: number | string = 0): Promise<FakeClamd> {
  const open = new Set<Socket>()
  const clamd: FakeClamd = { address: '', scanned: [], answer: undefined, stop: async () => {} }
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    let received = Buffer.alloc(0)
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece])
      const reply = readCommand(clamd, received)
      if (reply !== undefined) socket.end(`${reply}\0`)
    })
  })
  if (typeof at === 'string') server.listen(at)
  else server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  clamd.address = typeof at === 'string' ? at : `127.0.0.1:${(server.address() as AddressInfo).port}`
  clamd.stop = async () => {
    server.close()
    for (const socket of open) socket.destroy()
    await once(server, 'close')
  }
  return clamd
}

/** @returns the reply, once the command is whole */
function readCommand(clamd: FakeClamd, received: Buffer): string | undefined {
  const end = received.indexOf(0)
  if (end < 0) return undefined
  const command = received.subarray(0, end).toString()
  if (command === 'zPING') return clamd.answer ?? 'PONG'
  if (command !== 'zINSTREAM') return 'UNKNOWN COMMAND'
  const chunks: Buffer[] = []
  for (let at = end + 1; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at)
    if (length === 0) {
      const file = Buffer.concat(chunks)
      clamd.scanned.push(file)
      return clamd.answer ?? (file.includes(VIRUS_MARK) ? `stream: ${VIRUS_NAME} FOUND` : 'stream: OK')
    }
    if (at + 4 + length > received.length) return undefined
    chunks.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}
