import { enableCompileCache } from 'node:module'
import type { Runtime } from '../server/runtime.ts'

/** Jobs that run in their own process: see `app/server/jobs/run-in-own-process.ts`. The argument names the job. */
const WORK: Record<string, () => Promise<(runtime: Runtime) => Promise<unknown>>> = {
  'copy-city-data': async () => (await import('../features/opencities/synchronise.server.ts')).synchroniseDue,
  'make-exports': async () => (await import('../features/surveys/export/make-exports.server.ts')).makeExports,
}

const CONNECTIONS = 16

enableCompileCache()
process.on('disconnect', () => process.exit(0))
const name = process.argv[2] ?? ''
const work = WORK[name]
if (!work) throw new Error(`There is no job named ${name}`)
const [{ openRuntime }, { JOB_LIMITS }, { readEnv }, run] = await Promise.all([
  import('../serve/open-runtime.ts'),
  import('../server/db/client.ts'),
  import('../server/env.ts'),
  work(),
])
const { runtime } = openRuntime(readEnv(process.env), JOB_LIMITS, CONNECTIONS)
try {
  await run(runtime)
} finally {
  await runtime.database.close()
  process.removeAllListeners('disconnect')
  process.disconnect?.()
}
