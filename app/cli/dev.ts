import { lockDataDirectory } from '../server/data-lock.ts'
import { buildOwnAddress, requireFreePort } from './addresses.ts'
import { ROOT } from './bundle.ts'
import type { CommandCall } from './commands.ts'
import { makeDataDirectory } from './data-directory.ts'
import { prepareFirstContent } from './first-content.ts'
import { Lifecycle } from './lifecycle.ts'
import { prepareDatabase } from './prepare.ts'
import { buildGreeting } from './greeting.ts'

/** Serves from source through Vite, with hot reload. Uses the same database as `start`. */
export async function startDevServer({ env, say }: CommandCall): Promise<void> {
  const life = new Lifecycle(say)
  try {
    makeDataDirectory(env.DATA_DIR)
    const lock = env.DATABASE_URL ? undefined : lockDataDirectory(env.DATA_DIR)
    life.onStop(() => lock?.release())
    await requireFreePort(env)
    const ready = await prepareDatabase(env, say)
    life.onStop(ready.stop)
    lock?.describe({ address: buildOwnAddress(env), ...(ready.databasePort ? { databasePort: ready.databasePort } : {}) })
    const firstSteps = await prepareFirstContent(env, ready.prepared, say)
    const greeting = [await buildGreeting(env, ready.prepared.databaseUrl), ...firstSteps].join('\n')
    process.env['PARLEY_PREPARED'] = JSON.stringify(ready.prepared)
    const { createServer } = await import('vite')
    const server = await createServer({
      root: ROOT,
      configFile: `${ROOT}app.config.ts`,
      server: { port: env.PORT, host: env.HOST, strictPort: true },
    })
    life.onStop(() => server.close())
    life.onStop(async () =>
      (await (globalThis as { parleyDevelopment?: Promise<{ stop: () => Promise<void> }> }).parleyDevelopment)?.stop(),
    )
    life.takeSignals()
    await server.listen()
    say(greeting)
  } catch (error) {
    await life.stop()
    throw error
  }
}
