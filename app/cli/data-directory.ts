import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { isDiskFull, StartupFault } from '../server/startup-fault.ts'

const DENIED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Creates the data directory. @throws {StartupFault} with one sentence that says why it cannot */
export function makeDataDirectory(dir: string): void {
  try {
    createFolder(dir)
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof StartupFault) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (isDiskFull(error))
      throw new StartupFault(`There is no room left on the disk for ${dir}: free some and start again.`, { cause: error })
    if (DENIED.has(code)) {
      throw new StartupFault(`Parley may not write to the data directory ${dir}: give this user the right, or choose another DATA_DIR.`, {
        cause: error,
      })
    }
    throw new StartupFault(`The data directory ${dir} cannot be created (${code}): choose another DATA_DIR.`, { cause: error })
  }
}

/** Creates one folder after the other: Node's recursive `mkdir` never returns below `/proc`, where no folder can be created. */
function createFolder(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new StartupFault(`DATA_DIR needs ${dir}, which is not a directory: choose another.`)
  createFolder(dirname(dir))
  try {
    mkdirSync(dir)
  } catch (error) {
    // Another process may have created it just now.
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Explains a failed access to something in the data directory, such as a file that belongs to another user; undefined for any other error. */
export function explainFileError(error: unknown, dir: string): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error && typeof error.path === 'string')) return undefined
  const { code, path } = error
  if (path !== dir && !path.startsWith(dir.endsWith(sep) ? dir : dir + sep)) return undefined
  return DENIED.has(code)
    ? `Parley may not use ${path} in its data directory: give this user the right, or choose another DATA_DIR.`
    : `Parley cannot use ${path} in its data directory (${String(code)}): choose another DATA_DIR.`
}
