import { once } from 'node:events'
import { describeError } from '../server/log.ts'
import { seedDatabase } from './first-content.ts'

/** Makes the demo for the process that started this one, whose memory then stays small: `seedInOwnProcess`. */
process.on('disconnect', () => process.exit(1))
const [databaseUrl] = (await once(process, 'message')) as [string]
try {
  await seedDatabase(databaseUrl, (line) => process.send?.(line))
} catch (error) {
  process.stderr.write(`${JSON.stringify(describeError(error))}\n`)
  process.exitCode = 1
}
process.removeAllListeners('disconnect')
process.disconnect()
