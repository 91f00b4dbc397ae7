import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where a source file lies, from the repository's folder: the module that asks may lie in the finished bundle. */
export function findSourcePath(file: string): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, file)) && dirname(folder) !== folder) folder = dirname(folder)
  return join(folder, file)
}
