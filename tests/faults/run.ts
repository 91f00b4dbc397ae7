import { inspect } from 'node:util'
import { killUnderBallots } from './ballots.ts'
import { clockJumps } from './clock-jumps.ts'
import { cluster } from './cluster.ts'
import { killUnderContributions } from './contributions.ts'
import { databaseRestart } from './database-restart.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { fuzzParts } from './fuzz.ts'
import { removeTemplate } from './setup.ts'
import { killUnderWrites } from './kill.ts'
import { jobKills, webKills } from './kills.ts'
import { mailService } from './mail.ts'
import { newsletterKills } from './newsletter.ts'
import { powerCut } from './power-cut.ts'
import { providersDown } from './providers-down.ts'
import { slowDatabase } from './slow-database.ts'
import { smsServices } from './sms.ts'
import { twoOwners } from './two-owners.ts'
import { webhookKills } from './webhooks.ts'

/** One file each. `npm run faults -- disk` runs those whose name contains the word. */
const FAULTS: readonly Fault[] = [
  killUnderWrites,
  killUnderContributions,
  killUnderBallots,
  databaseRestart,
  webKills,
  jobKills,
  powerCut,
  slowDatabase,
  clockJumps,
  twoOwners,
  diskFull,
  mailService,
  smsServices,
  newsletterKills,
  webhookKills,
  providersDown,
  cluster,
  ...fuzzParts,
]

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isWanted = ({ name, onlyByName }: Fault): boolean => (wanted.length === 0 ? !onlyByName : wanted.some((word) => name.includes(word)))
let broken = 0
try {
  for (const { name, run } of FAULTS.filter(isWanted)) {
    const from = performance.now()
    const took = () => `${((performance.now() - from) / 1000).toFixed(0)} s`
    try {
      console.log(`borne   ${name}: ${await run()} (${took()})`)
    } catch (error) {
      broken += 1
      console.log(`BROKEN  ${name} (${took()}): ${inspect(error)}`)
    }
  }
} finally {
  await removeTemplate()
}
process.exitCode = broken ? 1 : 0
