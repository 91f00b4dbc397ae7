import { lockData } from '../server/data-lock.ts'
import { untrustedProxy } from '../server/proxy-note.ts'
import { listenFault, ownAddress, requireFreePort } from './addresses.ts'
import { ensureBuilt } from './build.ts'
import { loadBundle, ROOT } from './bundle.ts'
import type { Call } from './commands.ts'
import { firstContent } from './first-content.ts'
import { Lifecycle } from './lifecycle.ts'
import { makeDataDirectory, prepare } from './prepare.ts'
import { startWebProcesses } from './web-processes.ts'
import { welcome } from './welcome.ts'

/** Builds if needed, makes the database ready, serves, and says where. Returns when it listens; the process lives on. */
export async function start({ env, say }: Call): Promise<void> {
  // React renders several times slower by its build for development, which it takes unless it is told.
  process.env['NODE_ENV'] = 'production'
  const life = new Lifecycle(say)
  if (process.env['npm_lifecycle_event']) life.stopWithParent()
  try {
    makeDataDirectory(env.DATA_DIR)
    const lock = env.DATABASE_URL ? undefined : lockData(env.DATA_DIR)
    life.onStop(() => lock?.release())
    await requireFreePort(env)
    await ensureBuilt(ROOT, say)
    const ready = await prepare(env, say)
    life.onStop(ready.stop)
    lock?.describe({ address: ownAddress(env), ...(ready.databasePort ? { databasePort: ready.databasePort } : {}) })
    const note = untrustedProxy(env)
    if (note) say(note)
    const firstSteps = await firstContent(env, ready.prepared, say)
    const greeting = [await welcome(env, ready.prepared.databaseUrl), ...firstSteps].join('\n')
    process.env['PARLEY_PREPARED'] = JSON.stringify(ready.prepared)
    const web = await serveHere()
    life.onStop(() => web.stop())
    if (!life.stopping) say(greeting)
  } catch (error) {
    await life.stop()
    throw error
  }

  function serveHere() {
    const failed = (error: unknown) => {
      throw listenFault(error, env)
    }
    if (env.WEB_PROCESSES > 1) return startWebProcesses(env.WEB_PROCESSES, say).catch(failed)
    return loadBundle().then((bundle) => bundle.serve(env, ROOT).catch(failed))
  }
}
