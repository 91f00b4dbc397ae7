import type { PreparedDatabase } from '../serve/open-runtime.ts'
import { lockDataDirectory } from '../server/data-lock.ts'
import { limitHeapGrowth } from '../server/memory/heap-growth.ts'
import { readProcessMetrics } from '../server/metrics/metrics.ts'
import { readProcessRole } from '../server/process-role.ts'
import { StartupFault } from '../server/startup-fault.ts'
import { findProxyFault } from '../server/untrusted-proxy.ts'
import { toListenFault, buildOwnAddress, requireFreePort } from './addresses.ts'
import { ensureBuilt } from './build.ts'
import { loadBundle, ROOT } from './bundle.ts'
import type { CommandCall } from './commands.ts'
import { makeDataDirectory } from './data-directory.ts'
import { prepareFirstContent } from './first-content.ts'
import { Lifecycle } from './lifecycle.ts'
import { prepareDatabase } from './prepare.ts'
import { startWebProcesses, type WebProcesses } from './web-processes.ts'
import { buildGreeting } from './greeting.ts'

const JOBS_GREETING = 'Parley runs its jobs here, and serves no sites.'

/** Builds if needed, prepares the database, serves, and prints the addresses. Returns once it listens; the process keeps running. */
export async function startServer({ env, words, say }: CommandCall): Promise<void> {
  // Otherwise React uses its development build, which renders several times slower.
  process.env['NODE_ENV'] = 'production'
  limitHeapGrowth('plenty')
  const role = readProcessRole(words)
  if (role && !env.DATABASE_URL) {
    throw new StartupFault(
      '--only is for several processes that share a database: name it in DATABASE_URL. Without one, start does everything.',
    )
  }
  const life = new Lifecycle(say)
  if (process.env['npm_lifecycle_event']) life.stopWithParent()
  try {
    makeDataDirectory(env.DATA_DIR)
    const lock = env.DATABASE_URL ? undefined : lockDataDirectory(env.DATA_DIR)
    life.onStop(() => lock?.release())
    await requireFreePort(env)
    await ensureBuilt(ROOT, say)
    const ready = await prepareDatabase(env, say)
    life.onStop(ready.stop)
    lock?.describe({ address: buildOwnAddress(env), ...(ready.databasePort ? { databasePort: ready.databasePort } : {}) })
    const note = findProxyFault(env)
    if (note) say(note)
    const greeting = role === 'jobs' ? JOBS_GREETING : await prepareGreeting(ready.prepared)
    process.env['PARLEY_PREPARED'] = JSON.stringify(ready.prepared)
    const web = await serveHere()
    if (env.METRICS_PORT) {
      const { startMetricsServer } = await import('./metrics-server.ts')
      life.onStop(await startMetricsServer(env, ready.prepared.databaseUrl, web.loadMetrics))
    }
    if (!life.stopping) say(greeting)
  } catch (error) {
    const isAskedToStop = life.stopping
    await life.stop()
    // What had just begun to start fails then.
    if (!isAskedToStop) throw error
  }

  async function prepareGreeting(prepared: PreparedDatabase): Promise<string> {
    const firstSteps = await prepareFirstContent(env, prepared, say)
    return [await buildGreeting(env, prepared.databaseUrl), ...firstSteps].join('\n')
  }

  async function serveHere(): Promise<Pick<WebProcesses, 'loadMetrics'>> {
    try {
      if (env.WEB_PROCESSES > 1 && role !== 'jobs') {
        const web = startWebProcesses(env, role, say)
        life.onStop(() => web.stop())
        await web.listening
        return web
      }
      const bundle = await loadBundle()
      const served = await bundle.serve(env, ROOT, role)
      life.onStop(() => served.stop())
      return { loadMetrics: async () => [await readProcessMetrics()] }
    } catch (error) {
      throw toListenFault(error, env)
    }
  }
}
