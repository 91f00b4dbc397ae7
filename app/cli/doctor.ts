import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { appRole, appUrl, databaseOf } from '../server/connect.ts'
import { DataDirectoryTaken, lockData } from '../server/data-lock.ts'
import { refusePowerfulRole, roleFacts } from '../server/db/app-role.ts'
import { knownHome } from '../server/db/cluster-home.ts'
import { connectionFault } from '../server/db/connection-fault.ts'
import { embeddedUrl } from '../server/db/embedded.ts'
import { pendingMigrations, requireVersion, withClient } from '../server/db/migrate.ts'
import { databaseAccount, installedBinaries } from '../server/db/postgres-binaries.ts'
import type { Env } from '../server/env.ts'
import { untrustedProxy } from '../server/proxy-note.ts'
import { StartupFault } from '../server/startup-fault.ts'
import { ownAddress, requireFreePort } from './addresses.ts'
import { isBuilt } from './build.ts'
import { ROOT } from './bundle.ts'
import type { Call } from './commands.ts'
import { makeDataDirectory, secretOf } from './prepare.ts'

const LEAST_ROOM = 500_000_000

/** Looks at everything a start needs, changes nothing of it, and says of each whether it is as it should be. */
export async function doctor({ env, say }: Call): Promise<void> {
  let faults = 0
  const check = async (name: string, look: () => Promise<string> | string) => {
    try {
      say(`  ok     ${name}: ${await look()}`)
    } catch (error) {
      faults += 1
      say(`  FAULT  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  await check('settings', () => (env.DATABASE_URL ? 'a database of your own' : 'the embedded database'))
  await check('proxies', () => {
    const fault = untrustedProxy(env)
    if (fault) throw new Error(fault)
    return env.TRUSTED_PROXIES ? `${env.TRUSTED_PROXIES} trusted` : 'none trusted'
  })
  await check('Node', () => process.version)
  await check('build', () => (isBuilt(ROOT) ? 'up to date' : 'will be built at the next start'))
  await check('data directory', () => {
    makeDataDirectory(env.DATA_DIR)
    return env.DATA_DIR
  })
  await check('disk', () => room(env.DATA_DIR))
  const running = env.DATABASE_URL ? undefined : holderOf(env)
  await check('process', async () => {
    if (running) return `running as ${running.pid}${running.address ? ` at ${running.address}` : ''}`
    await requireFreePort(env)
    return `not running; ${ownAddress(env)} is free`
  })
  if (env.DATABASE_URL) await check('database', () => lookAt(env.DATABASE_URL ?? '', env))
  else if (running?.databasePort) {
    const password = readFileSync(join(env.DATA_DIR, 'postgres.password'), 'utf8').trim()
    await check('database', () => lookAt(embeddedUrl(running.databasePort ?? 0, password, 'parley'), env))
  } else {
    await check('database', () => {
      const home = knownHome(env.DATA_DIR)
      const account = databaseAccount()
      const where = existsSync(join(home, 'postgres/PG_VERSION')) ? `stopped, in ${home}` : 'will be made at the first start'
      return `${where}${account ? `, run as ${account.name}` : ''} (${installedBinaries()})`
    })
  }
  if (faults) throw new StartupFault(`Parley's doctor found ${faults} ${faults === 1 ? 'fault' : 'faults'}.`)
}

function room(dir: string): string {
  const { bavail, bsize } = statfsSync(dir)
  const free = bavail * bsize
  if (free < LEAST_ROOM) throw new Error(`only ${Math.round(free / 1e6)} MB are free`)
  return `${(free / 1e9).toFixed(1)} GB free`
}

function holderOf(env: Env) {
  try {
    lockData(env.DATA_DIR).release()
    return undefined
  } catch (error) {
    if (error instanceof DataDirectoryTaken) return error.holder
    throw error
  }
}

/** Version, steps behind, and the serving role, of a database that an owner's or the application's own connection leads to. */
async function lookAt(url: string, env: Env): Promise<string> {
  try {
    const { pending, mayBuild } = await withClient(url, async (client) => {
      await requireVersion(client)
      return { pending: await pendingMigrations(client), mayBuild: (await roleFacts(client)).mayBuild }
    })
    if (pending.length) return `${pending.length} steps behind: the next start migrates it`
    await withClient(mayBuild ? appUrl(url, secretOf(env)) : url, refusePowerfulRole)
    return `up to date, served as ${mayBuild ? appRole(databaseOf(url)) : 'the role of DATABASE_URL'}`
  } catch (error) {
    throw error instanceof StartupFault ? error : connectionFault(error, url)
  }
}
