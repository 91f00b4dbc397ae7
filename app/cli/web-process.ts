import { readEnv } from '../server/env.ts'
import { limitHeapGrowth } from '../server/memory/heap-growth.ts'
import { readProcessMetrics } from '../server/metrics/metrics.ts'
import { readProcessRole } from '../server/process-role.ts'
import { StartupFault } from '../server/startup-fault.ts'
import { loadBundle, ROOT } from './bundle.ts'
import type { WebMessage, WebRequest } from './web-processes.ts'

/** One of several processes that share the port. Only its parent stops it; signals to the process group are ignored. */
const tellParent = (message: WebMessage) => process.send?.(message)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

limitHeapGrowth('plenty')
const serving = loadBundle().then((bundle) => bundle.serve(readEnv(process.env), ROOT, readProcessRole(process.argv.slice(2))))
process.on('message', (message: WebRequest) => {
  if (message === 'metrics') void readProcessMetrics().then((metrics) => tellParent({ kind: 'metrics', metrics }))
  if (message !== 'stop') return
  const stopped = serving.then((served) => served.stop())
  void stopped.finally(() => process.exit(0))
})

try {
  await serving
  tellParent({ kind: 'listening' })
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  tellParent({
    kind: 'failed',
    sentence: error instanceof Error ? error.message : String(error),
    code: error instanceof StartupFault ? undefined : code,
  })
  process.exitCode = 1
  process.disconnect()
}
