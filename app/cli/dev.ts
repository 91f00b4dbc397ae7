import { lockData } from '../server/data-lock.ts'
import { ownAddress, requireFreePort } from './addresses.ts'
import { ROOT } from './bundle.ts'
import type { Call } from './commands.ts'
import { firstContent } from './first-content.ts'
import { Lifecycle } from './lifecycle.ts'
import { makeDataDirectory, prepare } from './prepare.ts'
import { welcome } from './welcome.ts'

/** Serves from the sources through Vite, with hot reload. The database is the same as for `start`. */
export async function dev({ env, say }: Call): Promise<void> {
  const life = new Lifecycle(say)
  try {
    makeDataDirectory(env.DATA_DIR)
    const lock = env.DATABASE_URL ? undefined : lockData(env.DATA_DIR)
    life.onStop(() => lock?.release())
    await requireFreePort(env)
    const ready = await prepare(env, say)
    life.onStop(ready.stop)
    lock?.describe({ address: ownAddress(env), ...(ready.databasePort ? { databasePort: ready.databasePort } : {}) })
    const firstSteps = await firstContent(env, ready.prepared, say)
    const greeting = [await welcome(env, ready.prepared.databaseUrl), ...firstSteps].join('\n')
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
