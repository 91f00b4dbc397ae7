import { readEnv } from '../server/env.ts'
import { StartupFault } from '../server/startup-fault.ts'
import { loadBundle, ROOT } from './bundle.ts'
import type { WebMessage } from './web-processes.ts'

/** One of several processes that share the port. Its parent says when to stop; a signal to the whole group does not. */
const tell = (message: WebMessage) => process.send?.(message)
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('SIGHUP', () => {})

try {
  const served = await (await loadBundle()).serve(readEnv(process.env), ROOT)
  process.on('message', (message) => {
    if (message === 'stop') void served.stop().then(() => process.exit(0))
  })
  tell({ kind: 'listening' })
} catch (error) {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  tell({
    kind: 'failed',
    sentence: error instanceof Error ? error.message : String(error),
    code: error instanceof StartupFault ? undefined : code,
  })
  process.exitCode = 1
  process.disconnect()
}
