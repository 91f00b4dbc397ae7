import { enableCompileCache } from 'node:module'
import { AWAY_EXIT_CODE } from '../server/jobs/run-in-own-process.ts'
import type { Runtime } from '../server/runtime.ts'

/** Jobs that run in their own process: see `app/server/jobs/run-in-own-process.ts`. The argument names the job. */
const WORK: Record<string, () => Promise<(runtime: Runtime) => Promise<unknown>>> = {
  'copy-city-data': async () => (await import('../features/opencities/synchronise.server.ts')).synchroniseDue,
  'make-exports': async () => (await import('../features/surveys/export/make-exports.server.ts')).makeExports,
  'suggest-themes': async () => (await import('../features/heard/suggesting/make-suggestions.server.ts')).makeSuggestions,
  'count-rounds': async () => (await import('../features/budgets/managing/make-counts.server.ts')).makeCounts,
}

const CONNECTIONS = 16

enableCompileCache()
process.on('disconnect', () => process.exit(0))
const name = process.argv[2] ?? ''
const work = WORK[name]
if (!work) throw new Error(`There is no job named ${name}`)
const [{ openRuntime }, { JOB_LIMITS }, { isDatabaseDown }, { findPrimary }, { readEnv }, run] = await Promise.all([
  import('../serve/open-runtime.ts'),
  import('../server/db/client.ts'),
  import('../server/db/database-down.ts'),
  import('../server/db/database-hosts.ts'),
  import('../server/env.ts'),
  work(),
])
const { runtime, prepared } = openRuntime(readEnv(process.env), JOB_LIMITS, CONNECTIONS)
try {
  await findPrimary(prepared.databaseUrl)
  await run(runtime)
} catch (error) {
  if (!isDatabaseDown(error)) throw error
  process.exitCode = AWAY_EXIT_CODE
} finally {
  await Promise.all([runtime.database.close(), runtime.standby?.close()])
  process.removeAllListeners('disconnect')
  process.disconnect?.()
}
