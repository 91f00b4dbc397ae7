import { enableCompileCache } from 'node:module'

/** A process of its own for copying city data, started by a web process: see `synchronise.process.server.ts`. */
enableCompileCache()
process.on('disconnect', () => process.exit(0))
const [{ openRuntime }, { synchroniseDue }, { readEnv }] = await Promise.all([
  import('../serve/open-runtime.ts'),
  import('../features/opencities/synchronise.server.ts'),
  import('../server/env.ts'),
])
const { runtime } = openRuntime(readEnv(process.env))
try {
  await synchroniseDue(runtime)
} finally {
  await runtime.database.close()
  process.removeAllListeners('disconnect')
  process.disconnect?.()
}
