import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StartupFault } from '../startup-fault.ts'
import type { SystemAccount } from './postgres-binaries.ts'

/** The running server of one cluster, restarted with growing backoff if it dies on its own. */
export interface Postmaster {
  port: number
  stop(): Promise<void>
}

interface PostmasterOptions {
  binaries: string
  account: SystemAccount | undefined
  cluster: string
  log: string
  port: number
  flags: string[]
  say: (line: string) => void
}

const PROC_FOLDER = '/proc'
const POLL_MS = 10
const RECOVERY_REPORTED_AFTER_MS = 3000
const READY_WITHIN_MS = 15 * 60_000
const FAST_STOP_MS = 30_000
const ORPHAN_STOP_MS = 15_000
const PAUSES_MS = [200, 500, 1000, 2000, 5000]
const STEADY_AFTER_MS = 60_000
const LARGEST_LOG = 5_000_000
const LOCALE_OPTIONS = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
/** PostgreSQL's log of failed statements may hold personal data, so statements and details are left out. */
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** Creates a cluster with superuser `owner` in the empty directory `cluster`. */
export async function createCluster(at: {
  binaries: string
  account: SystemAccount | undefined
  cluster: string
  owner: string
  password: string
}): Promise<void> {
  const passwordFile = `${at.cluster}.password`
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, `${at.password}\n`, { mode: 0o600, flag: 'wx' })
  try {
    if (at.account) execFileSync('chown', [`${at.account.uid}:${at.account.gid}`, passwordFile])
    const child = spawn(
      join(at.binaries, 'bin/initdb'),
      ['-D', at.cluster, '-U', at.owner, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--no-instructions', ...LOCALE_OPTIONS],
      { ...buildSpawnOptions(at.account), stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const complaints: string[] = []
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
    const code = await waitForExit(child)
    if (code !== 0)
      throw new StartupFault(`The embedded PostgreSQL could not be made in ${at.cluster}: ${findErrorLine(complaints.join(''))}`)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** Starts the server and waits until it accepts connections. */
export async function runPostmaster(run: PostmasterOptions): Promise<Postmaster> {
  if (readFileSize(run.log) > LARGEST_LOG) renameSync(run.log, `${run.log}.1`)
  let logged = readFileSize(run.log)
  let child = spawnServer(run)
  let stopping = false
  let startedAt = Date.now()
  const lastResort = () => child.kill('SIGINT')
  process.once('exit', lastResort)
  try {
    await waitUntilReady(child, run, logged)
  } catch (error) {
    process.off('exit', lastResort)
    throw error
  }

  const restartOnDeath = async () => {
    let deaths = 0
    for (;;) {
      await waitForExit(child)
      if (stopping) return
      deaths = Date.now() - startedAt > STEADY_AFTER_MS ? 0 : deaths
      run.say('The embedded PostgreSQL died: starting it again.')
      await wait(PAUSES_MS[Math.min(deaths++, PAUSES_MS.length - 1)])
      if (stopping) return
      logged = readFileSize(run.log)
      child = spawnServer(run)
      startedAt = Date.now()
      await waitUntilReady(child, run, logged).then(
        () => run.say('The embedded PostgreSQL is back.'),
        () => child.kill('SIGKILL'),
      )
    }
  }
  void restartOnDeath()

  return {
    port: run.port,
    async stop() {
      if (stopping) return
      stopping = true
      process.off('exit', lastResort)
      child.kill('SIGINT')
      await Promise.race([waitForExit(child), wait(FAST_STOP_MS, undefined, { ref: false }).then(() => child.kill('SIGQUIT'))])
      await waitForExit(child)
    },
  }
}

/**
 * Stops a server that a killed process left running on the cluster, and removes the pid file of one that is gone. The caller owns the data
 * directory, so nobody else can be using it.
 */
export async function stopOrphan(cluster: string, say: (line: string) => void): Promise<void> {
  const pid = Number(readPidFile(cluster)[0] ?? 0)
  if (!pid) return
  if (runsPostgresOn(pid, cluster)) {
    say('Stopping the database that an earlier process, killed, left running.')
    await stopProcess(pid, cluster)
  }
  if (!existsSync(PROC_FOLDER)) return
  // A killed server's workers exit only when they notice; until the last one is gone, its files are still in use.
  const deadline = Date.now() + ORPHAN_STOP_MS
  for (let left = findWorkers(cluster); left.length; left = findWorkers(cluster)) {
    if (Date.now() > deadline) for (const worker of left) sendSignal(worker, 'SIGKILL')
    await wait(POLL_MS)
  }
  // By now its pid may belong to another program or to a zombie, and PostgreSQL would then refuse to start.
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

async function stopProcess(pid: number, cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!sendSignal(pid, signal)) return
    const deadline = Date.now() + ORPHAN_STOP_MS
    while (Date.now() < deadline) {
      if (!runsPostgresOn(pid, cluster)) return
      await wait(POLL_MS)
    }
  }
  throw new StartupFault(`The database's process ${pid}, left running by an earlier start, does not stop: end it and start again.`)
}

/** Processes whose working directory is the cluster's folder, as it is for all of PostgreSQL's. */
function findWorkers(cluster: string): number[] {
  const folder = realpathSync(cluster)
  return readdirSync(PROC_FOLDER)
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`${PROC_FOLDER}/${pid}/cwd`) === folder
      } catch {
        return false
      }
    })
    .map(Number)
}

function spawnServer(run: PostmasterOptions): ChildProcess {
  const settings = Object.entries(SERVER_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(run.log, 'a', 0o600)
  try {
    // Its own process session: Ctrl-C reaches only Parley, which then stops the database last.
    return spawn(join(run.binaries, 'bin/postgres'), ['-D', run.cluster, '-p', String(run.port), ...settings, ...run.flags], {
      ...buildSpawnOptions(run.account),
      detached: true,
      stdio: ['ignore', log, log],
    })
  } finally {
    closeSync(log)
  }
}

/** @param from size of the log before the start */
async function waitUntilReady(child: ChildProcess, run: PostmasterOptions, from: number): Promise<void> {
  const begun = Date.now()
  let isReported = false
  let broken: Error | undefined
  child.once('error', (error) => (broken = error))
  while (readPidFile(run.cluster)[7]?.trim() !== 'ready' || Number(readPidFile(run.cluster)[0]) !== child.pid) {
    if (broken || child.exitCode !== null || child.signalCode !== null) {
      const failureLog = readFileSync(run.log, 'utf8').slice(from)
      throw new StartupFault(`The embedded PostgreSQL in ${run.cluster} did not start: ${broken?.message ?? findFailureReason(failureLog)}`)
    }
    if (!isReported && Date.now() - begun > RECOVERY_REPORTED_AFTER_MS) {
      isReported = true
      run.say('The database is putting itself right after an interruption…')
    }
    if (Date.now() - begun > READY_WITHIN_MS) {
      child.kill('SIGQUIT')
      throw new StartupFault(
        `The embedded PostgreSQL in ${run.cluster} is not ready after ${READY_WITHIN_MS / 60_000} minutes: see ${run.log}.`,
      )
    }
    await wait(POLL_MS)
  }
}

const readFileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

const buildSpawnOptions = (account: SystemAccount | undefined) => ({
  ...(account ? { uid: account.uid, gid: account.gid } : {}),
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
})

function waitForExit(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.once('error', () => resolve(null))
  })
}

/** Lines of `postmaster.pid`: the pid is the first, the state the eighth. */
function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

function runsPostgresOn(pid: number, cluster: string): boolean {
  try {
    const command = existsSync(`${PROC_FOLDER}/self/cmdline`)
      ? readFileSync(`${PROC_FOLDER}/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-p', String(pid), '-o', 'command='], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    return command.includes('postgres') && command.includes(cluster)
  } catch {
    return false
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

/** The line of the server's log that names the cause of its exit. */
function findFailureReason(failureLog: string): string {
  const lines = failureLog.split('\n').filter(Boolean)
  const fatal =
    lines.find((line) => /No space left on device/.test(line)) ??
    lines.find((line) => /Address already in use/.test(line)) ??
    lines.findLast((line) => /FATAL|PANIC|error/i.test(line))
  return (fatal ?? lines.at(-1) ?? 'it ended without saying why').replace(/^.*?(FATAL|PANIC|LOG|HINT): +/, '')
}

const findErrorLine = (text: string) =>
  text
    .trim()
    .split('\n')
    .findLast((line) => /error|No space/i.test(line)) ??
  text.trim().split('\n').at(-1) ??
  ''
