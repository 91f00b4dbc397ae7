import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import { createSealer, openSealed } from './sealed-file.ts'

export interface ArchiveHead {
  kind: 'site'
  format: 1
  exportId: string
  at: string
  /** `move` if nothing could be written to the site meanwhile. */
  purpose: 'move' | 'backup'
  /** Steps of its schema. */
  migrations: string[]
  site: { id: string; name: string; hosts: string[] }
  /** Name of the key that signs its links and receipts. */
  keyName: string
}

/** A site's file is JSON lines, zipped and sealed. It is written and read line by line, whatever its size. */
export type ArchiveLine =
  | ArchiveHead
  /** What signs its links and receipts; shared if it signs for other sites of an installation too. */
  | { kind: 'signing-key'; key: string; isShared: boolean }
  | { kind: 'table'; name: string; columns: string[] }
  /** Rows that follow say what these columns of a table that is already there become. */
  | { kind: 'later'; name: string; columns: string[] }
  /** A row as PostgreSQL writes a composite value, which it can read back exactly. */
  | { kind: 'row'; row: string }
  /** A credential that was sealed under the installation's key. */
  | { kind: 'secret'; table: string; column: string; id: string; text: string }
  | { kind: 'file'; key: string }
  | { kind: 'bytes'; base64: string }
  | { kind: 'end'; rows: number; files: number }

/** Writes to a file beside `path`, which only its owner may read, and renames it once it is complete. */
export async function writeSiteArchive(path: string, passphrase: string, lines: AsyncIterable<ArchiveLine>): Promise<void> {
  const draft = `${path}.part`
  const toText = async function* () {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`
  }
  try {
    await pipeline(
      Readable.from(toText(), { objectMode: false, highWaterMark: 256 * 1024 }),
      createGzip(),
      createSealer(passphrase),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    )
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** @throws {StartupFault} as `openSealed` */
export async function* readSiteArchive(path: string, passphrase: string): AsyncGenerator<ArchiveLine> {
  const sealed = Readable.from(openSealed(path, passphrase), { objectMode: false })
  const zip = createGunzip()
  sealed.on('error', (error) => zip.destroy(error))
  sealed.pipe(zip)
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  try {
    for await (const bytes of zip as AsyncIterable<Buffer>) {
      const [rest = '', ...others] = decoder.write(bytes).split('\n')
      parts.push(rest)
      if (others.length === 0) continue
      yield JSON.parse(parts.join('')) as ArchiveLine
      const last = others.pop() ?? ''
      for (const line of others) yield JSON.parse(line) as ArchiveLine
      parts = [last]
    }
  } finally {
    sealed.destroy()
    zip.destroy()
  }
}
