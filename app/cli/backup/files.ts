import { createReadStream, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { StartupFault } from '../../server/startup-fault.ts'
import type { ArchiveWriter } from './archive.ts'

/** What a data directory holds beside the database: the key that receipts and links are made with, and files people uploaded. */
const KEPT = ['secret.key', 'files']

/** @returns how many files were written */
export async function dumpFiles(dataDir: string, archive: ArchiveWriter): Promise<number> {
  const paths = KEPT.filter((name) => existsSync(join(dataDir, name))).flatMap((name) => filesAt(join(dataDir, name)))
  for (const path of paths) {
    await archive.write({ kind: 'file', name: relative(dataDir, path).split(sep).join('/') })
    for await (const chunk of createReadStream(path)) await archive.write({ kind: 'bytes', base64: (chunk as Buffer).toString('base64') })
  }
  return paths.length
}

function filesAt(path: string): string[] {
  if (path.endsWith('secret.key')) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Where a file of a backup belongs. @throws {StartupFault} for one that would land outside of its places */
export function placeOf(dataDir: string, name: string): string {
  const place = resolve(dataDir, name)
  const inPlace = KEPT.some((kept) => name === kept || name.startsWith(`${kept}/`)) && place.startsWith(resolve(dataDir) + sep)
  if (!inPlace) throw new StartupFault(`The backup holds a file that is none of Parley's: ${name}.`)
  return place
}

export function beginFile(place: string): void {
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, '', { mode: 0o600 })
}
