import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { isDiskFull, StartupFault } from '../startup-fault.ts'
import { chooseClusterHome } from './cluster-home.ts'
import { type SystemAccount, findDatabaseAccount, prepareBinaries } from './postgres-binaries.ts'
import { createCluster, type Postmaster, runPostmaster, stopOrphan } from './postmaster.ts'
import { findSqlState } from './sql-state.ts'

export interface EmbeddedDatabase {
  /** Connection string of the database's owner. */
  ownerUrl: string
  port: number
  /** Stops the server cleanly: no recovery at the next start. */
  stop(): Promise<void>
}

interface EmbeddedOptions {
  database?: string
  /** Extra arguments for the server, e.g. `['-c', 'fsync=off']`. */
  flags?: string[]
  say?: (line: string) => void
}

const OWNER_ROLE = 'parley_owner'
const PORT_ATTEMPTS = 5

/**
 * Starts the bundled PostgreSQL for the data directory `dir`; creates the cluster on first use. It listens on a free loopback port, runs as
 * an unprivileged system user if the process is root, and is restarted if it dies.
 * The caller owns `dir` (see data-lock.ts).
 */
export async function startEmbedded(dir: string, options: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  const say = options.say ?? (() => {})
  mkdirSync(dir, { recursive: true })
  const home = chooseClusterHome(dir, findDatabaseAccount(), say)
  try {
    const cluster = join(home.dir, 'postgres')
    const account = findClusterOwner(cluster) ?? findDatabaseAccount()
    const binaries = prepareBinaries(account, say)
    const password = readOrCreateSecret(join(dir, 'postgres.password'))
    if (!existsSync(join(cluster, 'PG_VERSION'))) await createFirstCluster({ binaries, account, home: home.dir, cluster, password })
    if (account) takeOwnership(cluster, account)
    await stopOrphan(cluster, say)
    const log = join(dir, 'postgres.log')
    const postmaster = await startOnFreePort((port) =>
      runPostmaster({ binaries, account, cluster, log, port, flags: options.flags ?? [], say }),
    )
    const buildUrl = (database: string) => buildEmbeddedUrl(postmaster.port, password, database)
    const database = options.database ?? 'parley'
    await createDatabase(buildUrl('postgres'), database).catch(async (error: unknown) => {
      await postmaster.stop()
      throw error
    })
    return {
      ownerUrl: buildUrl(database),
      port: postmaster.port,
      stop: async () => {
        await postmaster.stop()
        home.lock?.release()
      },
    }
  } catch (error) {
    home.lock?.release()
    if (isDiskFull(error))
      throw new StartupFault(`There is no room left on the disk that holds ${home.dir}: free some and start again.`, { cause: error })
    if (findSqlState(error) === '28P01') {
      throw new StartupFault(
        `The embedded database does not take the password in ${join(dir, 'postgres.password')}: put the file back as it was.`,
        { cause: error },
      )
    }
    throw error
  }
}

/** Connection string of the cluster's owner for one database. */
export const buildEmbeddedUrl = (port: number, password: string, database: string): string =>
  `postgres://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}`

/** As root: the owner of an existing cluster keeps running it. */
function findClusterOwner(cluster: string): SystemAccount | undefined {
  if (process.getuid?.() !== 0 || !existsSync(cluster)) return undefined
  const { uid, gid } = statSync(cluster)
  return uid === 0 ? undefined : { name: `number ${uid}`, uid, gid }
}

/** Built in a temporary folder and moved into place once complete, so that an interrupted first start leaves nothing half made. */
async function createFirstCluster(at: {
  binaries: string
  account: SystemAccount | undefined
  home: string
  cluster: string
  password: string
}): Promise<void> {
  const draft = `${at.cluster}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (at.account) chownSync(draft, at.account.uid, at.account.gid)
  await createCluster({ ...at, cluster: draft, owner: OWNER_ROLE })
  renameSync(draft, at.cluster)
}

/** Gives a cluster that root copied or restored back to the database's user. */
function takeOwnership(path: string, account: SystemAccount): void {
  if (statSync(path).uid === account.uid) return
  chownSync(path, account.uid, account.gid)
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), account.uid, account.gid)
  }
}

async function startOnFreePort(start: (port: number) => Promise<Postmaster>): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort()
    try {
      return await start(port)
    } catch (error) {
      const taken = error instanceof Error && /Address already in use/.test(error.message)
      if (!taken || attempt === PORT_ATTEMPTS) throw error
    }
  }
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

/** A random secret in a file that only the process's user can read. Created on first use, and only once, however many processes ask. */
export function readOrCreateSecret(file: string): string {
  const draft = `${file}.${process.pid}`
  if (!existsSync(file)) {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  const [secret] = readSecrets(file)
  return secret
}

/** All secrets in a file, newest first. @throws {StartupFault} if the file holds anything else */
export function readSecrets(file: string): readonly [string, ...string[]] {
  const [first = '', ...rest] = readFileSync(file, 'utf8').trim().split('\n')
  if (![first, ...rest].every((secret) => /^[0-9a-f]{64}$/.test(secret)))
    throw new StartupFault(`The file ${file} does not hold the secret that Parley put there: put it back.`)
  return [first, ...rest]
}

/** Puts a new secret before the existing ones; a concurrent reader sees either the old or the new file. */
export function addSecret(file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${[randomBytes(32).toString('hex'), ...readSecrets(file)].join('\n')}\n`, { mode: 0o600, flush: true })
  renameSync(draft, file)
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port was found'))))
    })
  })
}
