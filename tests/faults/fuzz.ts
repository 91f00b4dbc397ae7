import assert from 'node:assert/strict'
import { fuzzProduct } from '#tests/fuzz/fuzz.ts'
import { prepareGround } from '#tests/fuzz/ground.ts'
import { getOwnerUrl } from '#tests/support/remote-api.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup, withProduct } from './setup.ts'

const PARTS = 10
const REQUESTS = 10_000
/** What is known of a site grows old as requests change and delete it. */
const ROUND = 2500

/** A hundred thousand generated requests, each part on a demo of its own and always the same. */
export const fuzzParts: readonly Fault[] = Array.from({ length: PARTS }, (_, part) => ({
  name: `fuzz, part ${part + 1} of ${PARTS}`,
  run: () =>
    withFaultSetup(({ dataDir, settings }) =>
      withProduct(settings, async (product) => {
        const total: Record<string, number> = {}
        let postponed = 0
        for (let from = 0; from < REQUESTS; from += ROUND) {
          const ground = await prepareGround(product.port, getOwnerUrl(dataDir))
          const report = await fuzzProduct(ground, { seed: part * REQUESTS + from, requests: ROUND })
          if (report.defect) throw new Error(report.defect)
          postponed += report.postponed
          for (const [kind, count] of Object.entries(report.statuses)) total[kind] = (total[kind] ?? 0) + count
        }
        assert.deepEqual(product.output().match(/.*"level":"error".*/g) ?? [], [], 'nothing is logged as an error')
        return `${REQUESTS} requests (${Object.entries(total)
          .toSorted()
          .map(([kind, count]) => `${kind} ${count}`)
          .join(', ')}); ${postponed} times told to come back later, and answered then`
      }),
    ),
}))
