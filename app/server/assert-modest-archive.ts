import { unpackArchive } from './unpack-archive.ts'

/** Refuses a ZIP archive that unpacks to more than `largest` bytes, whatever it declares, before anything reads it. @throws {Error} */
export function assertModestArchive(file: Uint8Array, largest: number): void {
  for (const _ of unpackArchive(file, largest));
}
