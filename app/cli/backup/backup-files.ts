import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { StartupFault } from '../../server/startup-fault.ts'
import type { ArchiveWriter } from './archive.ts'

/** What a data directory holds besides the database: the key for receipts and links, and uploaded files. */
const BACKED_UP_PATHS = ['secret.key', 'files']

/** @returns the number of files written */
export async function dumpFiles(dataDir: string, archive: ArchiveWriter): Promise<number> {
  const paths = BACKED_UP_PATHS.filter((name) => existsSync(join(dataDir, name))).flatMap((name) => listFiles(join(dataDir, name)))
  let count = 0
  for (const path of paths) {
    const file = await open(path).catch(ignoreMissing)
    if (!file) continue
    count += 1
    await archive.write({ kind: 'file', name: relative(dataDir, path).split(sep).join('/') })
    for await (const chunk of file.createReadStream()) await archive.write({ kind: 'bytes', base64: (chunk as Buffer).toString('base64') })
  }
  return count
}

/** Ignores files that a running Parley removed since the folders were listed. */
function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

function listFiles(path: string): string[] {
  if (path.endsWith('secret.key')) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Where a file of a backup belongs. @throws {StartupFault} if it would be written outside the allowed places */
export function requirePlace(dataDir: string, name: string): string {
  const place = resolve(dataDir, name)
  const inPlace = BACKED_UP_PATHS.some((kept) => name === kept || name.startsWith(`${kept}/`)) && place.startsWith(resolve(dataDir) + sep)
  if (!inPlace) throw new StartupFault(`The backup holds a file that is none of Parley's: ${name}.`)
  return place
}

export function createEmptyFile(place: string): void {
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, '', { mode: 0o600 })
}
