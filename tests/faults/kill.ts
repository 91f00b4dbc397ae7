import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readClusterHome } from '#app/server/db/cluster-home.ts'
import { startProduct } from '#tests/support/product.ts'
import { getOwnerUrl } from '#tests/support/remote-api.ts'
import { assertExactlyOnce } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup, withProduct } from './setup.ts'
import { startWriters } from './writers.ts'

const ROUNDS = 3
const PEOPLE = 200
/** How often it is looked whether a busy machine has taken anything yet, every tenth of a second. */
const LOOKS = 300

/** The product is killed while two hundred people are sending, first on its own and then together with its database, as in a power cut. */
export const killUnderWrites: Fault = {
  name: 'kill -9 under writes',
  run: () =>
    withFaultSetup(async ({ dataDir, surveyId, settings }) => {
      const log = join(dataDir, '../acknowledged')
      const seen: string[] = []
      for (let count = 0; count < ROUNDS; count++) {
        const product = await startProduct(settings)
        const before = startWriters(product.origin, surveyId, log, PEOPLE)
        await wait(1000 + Math.random() * 1500)
        for (let look = 0; before.acknowledged().length === 0 && look < LOOKS; look++) await wait(100)
        const database = Number(readFileSync(join(readClusterHome(dataDir), 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
        product.process.kill('SIGKILL')
        if (count > 0) process.kill(database, 'SIGKILL')
        await product.ended
        await before.stop()
        assert.ok(before.acknowledged().length > 0, 'something was acknowledged before')
        await withProduct(settings, async (again) => {
          const { acknowledged, unanswered, halfDone } = await assertExactlyOnce(again, getOwnerUrl(dataDir), surveyId, before)
          seen.push(`${acknowledged} acknowledged, ${unanswered} open of which ${halfDone} were stored`)
        })
        // Responses sent again are acknowledged now and must survive the next round too.
        before.keep(before.open())
      }
      return `nothing acknowledged was lost or doubled (${seen.join('; ')})`
    }),
}
