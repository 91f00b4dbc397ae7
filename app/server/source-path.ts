import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Path of a source file, given from the repository's root: the calling module may be in the built bundle. */
export function findSourcePath(file: string): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, file)) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, file)
}
