import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartupFault } from '../../server/startup-fault.ts'

/**
 * A backup is one gzipped file of JSON lines: first a header, then tables and files, each introduced by a line with its name and followed
 * by its rows or bytes, and finally the line count and checksum. It is read and written line by line, whatever its size.
 */
export type ArchiveLine =
  | { kind: 'backup'; format: 1; at: string; migrations: string[] }
  | { kind: 'table'; name: string; columns: string[] }
  /** A row as PostgreSQL writes a composite value, which it can read back exactly. */
  | { kind: 'row'; row: string }
  | { kind: 'file'; name: string }
  | { kind: 'bytes'; base64: string }
  | { kind: 'end'; lines: number; sha256: string }

export interface ArchiveWriter {
  write: (line: Exclude<ArchiveLine, { kind: 'end' }>) => Promise<void>
  /** Completes the file and moves it into place. @returns its number of lines */
  finish: () => Promise<number>
  /** Removes the unfinished file. */
  abandon: () => void
}

/** Writes to a temporary file beside `path` and renames it once complete. Only its owner may read it, because it holds everything. */
export function writeArchive(path: string): ArchiveWriter {
  const draft = `${path}.part`
  const file = createWriteStream(draft, { mode: 0o600, flush: true })
  const zip = createGzip()
  zip.pipe(file)
  const done = finished(file)
  done.catch(() => {})
  const hash = createHash('sha256')
  let lines = 0
  const writeLine = async (line: ArchiveLine) => {
    const text = `${JSON.stringify(line)}\n`
    if (line.kind !== 'end') hash.update(text)
    if (file.errored) throw file.errored
    if (!zip.write(text)) await Promise.race([once(zip, 'drain'), done])
  }
  return {
    write: async (line) => {
      lines += 1
      await writeLine(line)
    },
    finish: async () => {
      await writeLine({ kind: 'end', lines, sha256: hash.digest('hex') })
      zip.end()
      await done
      renameSync(draft, path)
      return lines
    },
    abandon: () => {
      zip.destroy()
      file.destroy()
      rmSync(draft, { force: true })
    },
  }
}

/**
 * Yields every line but the last.
 * @throws {StartupFault} if the file is truncated, changed or not a backup; at the latest after everything was read
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveLine> {
  const hash = createHash('sha256')
  let lines = 0
  let ended = false
  const file = createReadStream(path)
  const zip = file.pipe(createGunzip())
  file.on('error', (error) => zip.destroy(error))
  try {
    for await (const text of createInterface({ input: zip, crlfDelay: Infinity })) {
      const line = JSON.parse(text) as ArchiveLine
      if (lines === 0 && (line.kind !== 'backup' || line.format !== 1)) throw new Error('it does not start like one')
      if (line.kind === 'end') {
        if (line.lines !== lines || line.sha256 !== hash.digest('hex')) throw new Error('its checksum is wrong')
        ended = true
        continue
      }
      hash.update(`${text}\n`)
      lines += 1
      yield line
    }
    if (!ended) throw new Error('its end is missing')
  } catch (error) {
    if (error instanceof StartupFault) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new StartupFault(`${path} is not a whole backup of Parley: ${why}.`, { cause: error })
  }
}
