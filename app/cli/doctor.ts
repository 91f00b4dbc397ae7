import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { getAppRole, buildAppUrl, getDatabaseName } from '../server/connection-string.ts'
import { DataDirectoryTaken, type LockHolder, lockDataDirectory } from '../server/data-lock.ts'
import { requirePlainRole, loadRoleFacts } from '../server/db/app-role.ts'
import { readClusterHome } from '../server/db/cluster-home.ts'
import { toConnectionFault } from '../server/db/connection-fault.ts'
import { buildEmbeddedUrl } from '../server/db/embedded-postgres.ts'
import { loadPendingMigrations, requirePostgresVersion, withClient } from '../server/db/migrate.ts'
import { findDatabaseAccount, findInstalledBinaries } from '../server/db/postgres-binaries.ts'
import { loadLogPlace, measureLag } from '../server/db/standby.ts'
import { type Env, getDirectUrl } from '../server/env.ts'
import { findProxyFault } from '../server/untrusted-proxy.ts'
import { StartupFault } from '../server/startup-fault.ts'
import { pingScanner } from '../server/virus-scanner.ts'
import { buildOwnAddress, requireFreePort } from './addresses.ts'
import { isBuilt } from './build.ts'
import { ROOT } from './bundle.ts'
import type { CommandCall } from './commands.ts'
import { makeDataDirectory } from './data-directory.ts'
import { readSigningSecret } from './prepare.ts'

const LEAST_FREE_BYTES = 500_000_000

/** Checks everything that a start needs, without changing anything, and reports on each. */
export async function runDoctor({ env, say }: CommandCall): Promise<void> {
  let faults = 0
  const runCheck = async (name: string, look: () => Promise<string> | string): Promise<boolean> => {
    try {
      say(`  ok     ${name}: ${await look()}`)
      return true
    } catch (error) {
      faults += 1
      say(`  FAULT  ${name}: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }
  await runCheck('settings', () => (env.DATABASE_URL ? 'a database of your own' : 'the embedded database'))
  await runCheck('proxies', () => {
    const fault = findProxyFault(env)
    if (fault) throw new Error(fault)
    return env.TRUSTED_PROXIES ? `${env.TRUSTED_PROXIES} trusted` : 'none trusted'
  })
  const scanner = env.CLAMD_ADDRESS
  if (scanner) await runCheck('virus scanner', () => describeScanner(scanner))
  await runCheck('Node', () => process.version)
  await runCheck('build', () => (isBuilt(ROOT) ? 'up to date' : 'will be built at the next start'))
  let running: LockHolder | undefined
  const isUsable = await runCheck('data directory', () => {
    makeDataDirectory(env.DATA_DIR)
    if (!env.DATABASE_URL) running = findLockHolder(env)
    return env.DATA_DIR
  })
  if (isUsable) await runCheck('disk', () => requireDiskSpace(env.DATA_DIR))
  await runCheck('process', async () => {
    if (running) return `running as ${running.pid}${running.address ? ` at ${running.address}` : ''}`
    await requireFreePort(env)
    return `not running; ${buildOwnAddress(env)} is free`
  })
  const databasePort = running?.databasePort
  const directUrl = getDirectUrl(env)
  if (directUrl) await runCheck('database', () => describeDatabase(directUrl, env))
  else if (databasePort) {
    const password = readFileSync(join(env.DATA_DIR, 'postgres.password'), 'utf8').trim()
    await runCheck('database', () => describeDatabase(buildEmbeddedUrl(databasePort, password, 'parley'), env))
  } else if (isUsable) {
    await runCheck('database', () => {
      const home = readClusterHome(env.DATA_DIR)
      const account = findDatabaseAccount()
      const where = existsSync(join(home, 'postgres/PG_VERSION')) ? `stopped, in ${home}` : 'will be made at the first start'
      return `${where}${account ? `, run as ${account.name}` : ''} (${findInstalledBinaries()})`
    })
  }
  const readUrl = env.DATABASE_READ_URL
  if (readUrl && directUrl) await runCheck('standby', () => describeStandby(readUrl, directUrl))
  if (faults) throw new StartupFault(`Parley's doctor found ${faults} ${faults === 1 ? 'fault' : 'faults'}.`)
}

async function describeScanner(address: string): Promise<string> {
  try {
    await pingScanner(address)
    return `answers at ${address}`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`no clamd answers at ${address} (${reason}), so files are refused`, { cause: error })
  }
}

function requireDiskSpace(dir: string): string {
  const { bavail, bsize } = statfsSync(dir)
  const free = bavail * bsize
  if (free < LEAST_FREE_BYTES) throw new Error(`only ${Math.round(free / 1e6)} MB are free`)
  return `${(free / 1e9).toFixed(1)} GB free`
}

function findLockHolder(env: Env): LockHolder | undefined {
  try {
    lockDataDirectory(env.DATA_DIR).release()
    return undefined
  } catch (error) {
    if (error instanceof DataDirectoryTaken) return error.holder
    throw error
  }
}

/** How far the server that reports are read from is behind the database. */
async function describeStandby(readUrl: string, url: string): Promise<string> {
  const place = await withClient(url, loadLogPlace)
  const lag = await withClient(readUrl, (client) => measureLag(client, place)).catch((error: unknown) => {
    throw toConnectionFault(error, readUrl, 'DATABASE_READ_URL')
  })
  if (lag === undefined) throw new StartupFault('the server of DATABASE_READ_URL repeats nothing, so reports are not read from it')
  return `${(Math.max(0, lag) / 1e6).toFixed(1)} MB behind`
}

/** Version, pending migrations and serving role of a database, through an owner's or the application's own connection. */
async function describeDatabase(url: string, env: Env): Promise<string> {
  try {
    const { pending, mayBuild } = await withClient(url, async (client) => {
      await requirePostgresVersion(client)
      return { pending: await loadPendingMigrations(client), mayBuild: (await loadRoleFacts(client)).mayBuild }
    })
    if (pending.length) return `${pending.length} steps behind: the next start migrates it`
    await withClient(mayBuild ? buildAppUrl(url, readSigningSecret(env)) : url, requirePlainRole)
    return `up to date, served as ${mayBuild ? getAppRole(getDatabaseName(url)) : 'the role of DATABASE_URL'}`
  } catch (error) {
    throw error instanceof StartupFault ? error : toConnectionFault(error, url)
  }
}
