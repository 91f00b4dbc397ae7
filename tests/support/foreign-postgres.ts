import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findDatabaseAccount, prepareBinaries } from '#app/server/db/postgres-binaries.ts'
import { runPostmaster } from '#app/server/db/postmaster.ts'
import { freePort } from './product.ts'

const DEBIAN = '/usr/lib/postgresql'

export interface ForeignPostgres {
  version: string
  /** A superuser's connection string for the database. */
  url: (database: string, user?: string, password?: string) => string
  /** Runs statements one by one as superuser. @returns rows of the last one */
  run: (database: string, ...statements: string[]) => Promise<unknown[]>
  /** Suspends every process: connections stay open, but nothing answers. */
  freeze: () => void
  thaw: () => void
  /** Stops it; `startAgain` uses the same port. */
  shutDown: () => Promise<void>
  startAgain: () => Promise<void>
  /** Makes a copy on another port that repeats what this one writes, which then confirms a commit only once the copy has it. */
  startStandby: () => Promise<ForeignPostgres>
  stop: () => Promise<void>
}

/**
 * A PostgreSQL that Parley did not create: the system's own (Debian's package) if there is one, else the npm binaries with another
 * superuser name, locale and password method.
 */
export async function startForeignPostgres(): Promise<ForeignPostgres> {
  const { account, binaries, dir, cluster } = createForeignCluster()
  const run = { binaries, account, cluster, log: join(dir, 'log'), port: await freePort(), flags: ['-c', 'fsync=off'], say: () => {} }
  return runCluster(run, dir)
}

function createForeignCluster() {
  const account = findDatabaseAccount()
  const system = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version)) : []
  const binaries = system.find((folder) => existsSync(join(folder, 'bin/initdb'))) ?? prepareBinaries(account, () => {})
  const dir = mkdtempSync(join(tmpdir(), 'parley-foreign-'))
  chmodSync(dir, 0o711)
  const cluster = join(dir, 'data')
  mkdirSync(cluster, { mode: 0o700 })
  const passwordFile = join(dir, 'password')
  writeFileSync(passwordFile, 'keeper-password\n', { mode: 0o600 })
  if (account) for (const path of [cluster, passwordFile]) chownSync(path, account.uid, account.gid)
  const made = spawnSync(
    join(binaries, 'bin/initdb'),
    ['-D', cluster, '-U', 'keeper', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '--locale=C'],
    {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  return { account, binaries, dir, cluster }
}

async function runCluster(run: Parameters<typeof runPostmaster>[0], dir: string): Promise<ForeignPostgres> {
  const { cluster, account, binaries } = run
  let postmaster = await runPostmaster(run)
  const signalAll = (signal: string) => {
    const leader = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0] ?? ''
    spawnSync('kill', [`-${signal}`, leader])
    const workers = spawnSync('pgrep', ['-P', leader], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
    spawnSync('kill', [`-${signal}`, ...workers])
  }
  const url = (database: string, user = 'keeper', password = 'keeper-password') =>
    `postgres://${user}:${password}@127.0.0.1:${run.port}/${database}`
  const runStatements = async (database: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: url(database) })
    await client.connect()
    try {
      let rows: unknown[] = []
      for (const statement of statements) rows = (await client.query(statement)).rows
      return rows
    } finally {
      await client.end()
    }
  }
  return {
    version: binaries,
    url,
    run: runStatements,
    freeze: () => signalAll('STOP'),
    thaw: () => signalAll('CONT'),
    shutDown: () => postmaster.stop(),
    startAgain: async () => {
      postmaster = await runPostmaster(run)
    },
    startStandby: async () => {
      await postmaster.stop()
      const copy = mkdtempSync(join(tmpdir(), 'parley-standby-'))
      chmodSync(copy, 0o711)
      const copied = join(copy, 'data')
      cpSync(cluster, copied, { recursive: true, preserveTimestamps: true })
      writeFileSync(join(copied, 'standby.signal'), '')
      chmodSync(copied, 0o700)
      if (account) spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, copied])
      run.flags.push('-c', 'synchronous_standby_names=*')
      postmaster = await runPostmaster(run)
      const source = `host=127.0.0.1 port=${run.port} user=keeper password=keeper-password`
      const flags = ['-c', 'fsync=off', '-c', `primary_conninfo=${source}`]
      return runCluster({ ...run, cluster: copied, log: join(copy, 'log'), port: await freePort(), flags }, copy)
    },
    stop: async () => {
      await postmaster.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
