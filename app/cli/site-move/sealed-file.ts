import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { promisify } from 'node:util'
import { StartupFault } from '../../server/startup-fault.ts'

/**
 * A file that only its passphrase opens: one line that says so, then chunks of AES-256-GCM. The nonce of a chunk is its number and whether it is
 * the last one, so that chunks cannot be left out, doubled, exchanged or cut off at the end.
 */
interface Head {
  format: 'parley-site'
  version: 1
  salt: string
  /** Tells a wrong passphrase from a changed file. */
  check: string
}

interface FileKey {
  key: Buffer
  head: Buffer
}

const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16
const NONCE_BYTES = 12
const MAX_HEAD_BYTES = 300
/** 128 MiB and about half a second: what OWASP recommends for scrypt. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

const deriveScryptKey = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

async function deriveKeys(passphrase: string, salt: Buffer): Promise<{ key: Buffer; check: string }> {
  const bytes = await deriveScryptKey(passphrase.normalize('NFC'), salt, 64, COST)
  const check = createHmac('sha256', bytes.subarray(32)).update('parley site passphrase').digest('base64url')
  return { key: bytes.subarray(0, 32), check }
}

function buildNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeBigUInt64BE(BigInt(index), 3)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

/** For `pipeline`: yields the whole file, its head first. */
export const createSealer = (passphrase: string) =>
  async function* sealChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const salt = randomBytes(16)
    const { key, check } = await deriveKeys(passphrase, salt)
    const head: Head = { format: 'parley-site', version: 1, salt: salt.toString('base64url'), check }
    const file: FileKey = { key, head: Buffer.from(`${JSON.stringify(head)}\n`) }
    yield file.head
    let index = 0
    let waiting = Buffer.alloc(0)
    for await (const bytes of source) {
      waiting = Buffer.concat([waiting, bytes])
      // The last chunk is known only at the end: one is always held back.
      while (waiting.length > CHUNK_BYTES) {
        yield sealChunk(file, index++, false, waiting.subarray(0, CHUNK_BYTES))
        waiting = waiting.subarray(CHUNK_BYTES)
      }
    }
    yield sealChunk(file, index, true, waiting)
  }

function sealChunk({ key, head }: FileKey, index: number, isLast: boolean, bytes: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, buildNonce(index, isLast))
  cipher.setAAD(head)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([sealed, cipher.getAuthTag()])
}

/**
 * Yields what was sealed, chunk by chunk, each verified.
 * @throws {StartupFault} for another kind of file, a wrong passphrase, or a file that was changed or cut short
 */
export async function* openSealed(path: string, passphrase: string): AsyncGenerator<Buffer> {
  let file: FileKey | undefined
  let index = 0
  let waiting = Buffer.alloc(0)
  for await (const bytes of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    waiting = Buffer.concat([waiting, bytes])
    if (!file) {
      const end = waiting.subarray(0, MAX_HEAD_BYTES).indexOf('\n')
      if (end < 0 && waiting.length < MAX_HEAD_BYTES) continue
      file = await openHead(path, waiting.subarray(0, end + 1), passphrase)
      waiting = waiting.subarray(end + 1)
    }
    while (waiting.length > CHUNK_BYTES + TAG_BYTES) {
      yield openChunk(path, file, index++, false, waiting.subarray(0, CHUNK_BYTES + TAG_BYTES))
      waiting = waiting.subarray(CHUNK_BYTES + TAG_BYTES)
    }
  }
  if (!file) throw createForeignFault(path)
  yield openChunk(path, file, index, true, waiting)
}

async function openHead(path: string, line: Buffer, passphrase: string): Promise<FileKey> {
  let head: Partial<Head> | null
  try {
    head = JSON.parse(line.toString()) as Partial<Head> | null
  } catch {
    head = null
  }
  if (head?.format !== 'parley-site' || typeof head.salt !== 'string' || typeof head.check !== 'string') throw createForeignFault(path)
  if (head.version !== 1) throw new StartupFault(`${path} was written by a newer Parley than this one.`)
  const { key, check } = await deriveKeys(passphrase, Buffer.from(head.salt, 'base64url'))
  const [expected, stated] = [Buffer.from(check), Buffer.from(head.check)]
  if (expected.length !== stated.length || !timingSafeEqual(expected, stated))
    throw new StartupFault(`The passphrase does not open ${path}: use the key file that it was exported with.`)
  return { key, head: Buffer.from(line) }
}

function openChunk(path: string, { key, head }: FileKey, index: number, isLast: boolean, bytes: Buffer): Buffer {
  const fault = () => new StartupFault(`${path} was changed or is not whole. Nothing was imported: get the file again.`)
  if (bytes.length < TAG_BYTES) throw fault()
  const decipher = createDecipheriv('aes-256-gcm', key, buildNonce(index, isLast))
  decipher.setAAD(head)
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES)), decipher.final()])
  } catch {
    throw fault()
  }
}

const createForeignFault = (path: string) => new StartupFault(`${path} is no site that Parley has exported.`)
