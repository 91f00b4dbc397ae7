import { once } from 'node:events'
import type { Env } from '../server/env.ts'
import { describeError } from '../server/log.ts'
import { seedDatabase } from './first-content.ts'

/** Makes the demo for the process that started this one, whose memory then stays small: `seedInOwnProcess`. */
process.on('disconnect', () => process.exit(1))
const [{ env, databaseUrl }] = (await once(process, 'message')) as [{ env: Env; databaseUrl: string }]
try {
  await seedDatabase(env, databaseUrl, (line) => process.send?.(line))
} catch (error) {
  process.stderr.write(`${JSON.stringify(describeError(error))}\n`)
  process.exitCode = 1
}
process.removeAllListeners('disconnect')
process.disconnect()
