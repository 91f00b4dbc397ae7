import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupFault } from './startup-fault.ts'

/** Who holds a data directory, for the error message if another process tries to take it. */
export interface LockHolder {
  pid: number
  since: string
  /** Address it serves on; absent while it starts. */
  address?: string
  /** Port of its embedded PostgreSQL; absent while it starts. */
  databasePort?: number
}

export interface DataLock {
  /** Publishes where the holder can be reached. */
  describe(facts: Pick<LockHolder, 'address' | 'databasePort'>): void
  release(): void
}

const LOCK_FILE = 'parley.lock'
const HOLDER_FILE = 'parley.holder.json'
const [SQLITE_BUSY, SQLITE_READONLY, SQLITE_CANTOPEN] = [5, 8, 14]

/**
 * Makes this process the only owner of `dir`, which exists. The lock is the kernel's, taken through SQLite on an empty file: it ends with the process,
 * however that ends, so it never goes stale; and unlike a pid it works between containers that share the directory.
 * @throws {StartupFault} if another process is the owner, or if this one may not write there
 */
export function lockDataDirectory(dir: string): DataLock {
  const file = openLock(dir)
  let holder: LockHolder = { pid: process.pid, since: new Date().toISOString() }
  writeHolder(dir, holder)
  return {
    describe: (facts) => {
      holder = { ...holder, ...facts }
      writeHolder(dir, holder)
    },
    release: () => {
      rmSync(join(dir, HOLDER_FILE), { force: true })
      file.close()
    },
  }
}

function openLock(dir: string): DatabaseSync {
  const path = join(dir, LOCK_FILE)
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    file.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    return file
  } catch (error) {
    file?.close()
    const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
    if (code === SQLITE_BUSY) throw new DataDirectoryTaken(dir, readHolder(dir))
    if (code === SQLITE_READONLY || code === SQLITE_CANTOPEN)
      throw new StartupFault(`Parley may not write to ${path}: give this user the right, or choose another DATA_DIR.`, { cause: error })
    throw error
  }
}

export class DataDirectoryTaken extends StartupFault {
  override readonly name = 'DataDirectoryTaken'
  readonly holder: LockHolder | undefined
  constructor(dir: string, holder: LockHolder | undefined) {
    const who = holder
      ? `process ${holder.pid}, running since ${holder.since.slice(0, 16).replace('T', ' ')} UTC${holder.address ? ` at ${holder.address}` : ''}`
      : 'another process'
    super(`The data directory ${dir} is in use by ${who}: stop that one, or give this one a DATA_DIR of its own.`)
    this.holder = holder
  }
}

function readHolder(dir: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, HOLDER_FILE), 'utf8')) as LockHolder
  } catch {
    return undefined
  }
}

function writeHolder(dir: string, holder: LockHolder): void {
  const draft = join(dir, `${HOLDER_FILE}.new`)
  writeFileSync(draft, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  renameSync(draft, join(dir, HOLDER_FILE))
}
