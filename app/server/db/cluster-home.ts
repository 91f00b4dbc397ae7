import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type DataLock, lockDataDirectory } from '../data-lock.ts'
import { StartupFault } from '../startup-fault.ts'
import { type SystemAccount, canAccountAccess, createSharedRoot, SHARED_ROOT } from './postgres-binaries.ts'

/** Where a data directory's PostgreSQL cluster is stored. */
export interface ClusterHome {
  /** Folder that holds the cluster itself, `postgres`. */
  dir: string
  /** Ownership of a home outside the data directory; a copied data directory would name the same home. */
  lock: DataLock | undefined
}

/** In the data directory: names the home if the cluster is elsewhere. */
const LOCATION_FILE = 'postgres.location'
/** In a home outside the data directory: names its data directory. */
const OWNER_FILE = 'data-directory'

/**
 * Finds or chooses the cluster's home: the data directory itself or, if root keeps it below a directory that the database's unprivileged
 * user cannot enter, a private folder in `/var/lib/parley` that the data directory then names. Permissions of directories that are not ours
 * are never changed.
 */
export function chooseClusterHome(dataDir: string, account: SystemAccount | undefined, say: (line: string) => void): ClusterHome {
  const noted = join(dataDir, LOCATION_FILE)
  if (existsSync(noted)) return lockOutsideHome(readFileSync(noted, 'utf8').trim())
  if (!account) return { dir: dataDir, lock: undefined }
  allowTraversal(dataDir)
  if (canAccountAccess(account, '-x', dataDir)) return { dir: dataDir, lock: undefined }
  const place = join(SHARED_ROOT, createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12))
  const inside = join(dataDir, 'postgres')
  say(`The user ${account.name} cannot reach ${dataDir}: the database is kept in ${place}.`)
  setAsideLeftover(place, say)
  createSharedRoot()
  mkdirSync(place, { mode: 0o711 })
  chmodSync(place, 0o711)
  writeFileSync(join(place, OWNER_FILE), `${realpathSync(dataDir)}\n`, { mode: 0o600 })
  if (existsSync(inside)) moveDirectory(inside, join(place, 'postgres'))
  writeFileSync(noted, `${place}\n`, { mode: 0o600 })
  return lockOutsideHome(place)
}

/** The home that the data directory names, without choosing or locking one: for a look from outside. */
export function readClusterHome(dataDir: string): string {
  const noted = join(dataDir, LOCATION_FILE)
  return existsSync(noted) ? readFileSync(noted, 'utf8').trim() : dataDir
}

function lockOutsideHome(place: string): ClusterHome {
  if (!existsSync(place)) {
    throw new StartupFault(
      `The database of this data directory is kept in ${place}, which is not there: put it back, or choose another DATA_DIR.`,
    )
  }
  return { dir: place, lock: lockDataDirectory(place) }
}

/** Lets the database's user pass through a data directory of our own; one that holds anything else is left as it is. */
function allowTraversal(dataDir: string): void {
  const ours = /^(parley\.|postgres|secret\.key)/
  if (readdirSync(dataDir).every((name) => ours.test(name))) chmodSync(dataDir, 0o711)
}

/** A home left behind by a removed data directory: kept, but moved out of the way. */
function setAsideLeftover(place: string, say: (line: string) => void): void {
  if (!existsSync(place)) return
  const aside = `${place}.left-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`
  lockDataDirectory(place).release()
  renameSync(place, aside)
  say(`An earlier data directory here left a database behind: it is kept in ${aside}.`)
}

function moveDirectory(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    rmSync(from, { recursive: true })
  }
}
