import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A large archive takes a while. */
const SCAN_WITHIN_MS = 30_000
const PING_WITHIN_MS = 2000
const CHUNK_BYTES = 65_536

/** The scanner could not be reached, or gave no verdict. Its message is for the log. */
export class ScannerFault extends Error {
  override readonly name = 'ScannerFault'
}

/**
 * Has clamd scan a file.
 * @param address of clamd: the path of its socket, or host and port
 * @returns the name of the virus that it found
 * @throws {ScannerFault}
 * @see https://docs.clamav.net/manual/Usage/Scanning.html#clamd (INSTREAM)
 */
export async function findVirus(address: string, file: Uint8Array): Promise<string | undefined> {
  const answer = await askScanner(address, frameFile(file), SCAN_WITHIN_MS)
  if (answer === 'stream: OK') return undefined
  const [, name] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (name) return name
  throw new ScannerFault(`the scanner answered “${answer.slice(0, 200)}”`)
}

/** @throws {ScannerFault} if clamd does not answer */
export async function pingScanner(address: string): Promise<void> {
  const answer = await askScanner(address, ['zPING\0'], PING_WITHIN_MS)
  if (answer !== 'PONG') throw new ScannerFault(`the scanner answered “${answer.slice(0, 200)}”`)
}

/** Each chunk after its length in four bytes; a length of zero ends the file. */
function* frameFile(file: Uint8Array): Generator<string | Uint8Array> {
  yield 'zINSTREAM\0'
  for (let from = 0; from < file.length; from += CHUNK_BYTES) {
    const chunk = file.subarray(from, from + CHUNK_BYTES)
    yield encodeLength(chunk.length)
    yield chunk
  }
  yield encodeLength(0)
}

function encodeLength(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

async function askScanner(address: string, command: Iterable<string | Uint8Array>, withinMs: number): Promise<string> {
  let answer = ''
  const socket = openConnection(address)
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${withinMs / 1000} s`)), withinMs)
  const closed = once(socket, 'close')
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => (answer += text))
  try {
    await pipeline(Readable.from(command), socket, { end: false })
    await closed
  } catch (error) {
    // A scanner that refuses a file says why before it closes the connection.
    if (!answer) throw new ScannerFault(error instanceof Error ? error.message : String(error), { cause: error })
  } finally {
    clearTimeout(timer)
    closed.catch(() => undefined)
    socket.destroy()
  }
  return answer.replace(/\0$/, '').trim()
}

function openConnection(address: string): Socket {
  if (address.startsWith('/')) return connect(address)
  const at = address.lastIndexOf(':')
  return connect(Number(address.slice(at + 1)), address.slice(0, at).replace(/^\[(.+)\]$/, '$1'))
}
