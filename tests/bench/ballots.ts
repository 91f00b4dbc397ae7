import { addVoters, addOpenRound, countStoredBallots, describeBallot } from '#tests/support/open-round.ts'
import { describeLoadFaults, runLoad } from './load.ts'
import { computeMedian, type Measurement, roundTo } from './measurement.ts'
import { IS_QUICK, limitSeconds, ROUNDS } from './pace.ts'
import { CostMeter } from './request-cost.ts'

const CLIENTS = 200
const SECONDS = 20
const SHORT_SECONDS = 4
/** Each votes once, so there must be more than can vote in that time. */
const PEOPLE_A_SECOND = 2000
const PROMISED = { perSecond: 1000, p95: 250 }
const JSON_API = 'application/vnd.api+json'

/** People with accounts vote on a budget, each once. Ballots and voters are counted in the database afterwards. */
export const ballots: Measurement = {
  name: 'storm of ballots',
  run: async ({ product, databaseUrl, short }) => {
    const seconds = limitSeconds(short ? SHORT_SECONDS : SECONDS)
    const round = await addOpenRound(databaseUrl)
    const acknowledged: string[] = []
    const faults: string[] = []
    const rates: number[] = []
    const p95: number[] = []
    const costs: { web: number[]; database: number[] } = { web: [], database: [] }
    const meter = new CostMeter(product.process.pid ?? 0)
    const cast = async (most: number) => {
      const bearers = await addVoters(databaseUrl, round.siteId, most)
      const before = meter.read()
      const load = await runLoad({
        port: product.port,
        clients: CLIENTS,
        seconds,
        most,
        method: 'POST',
        path: '/api/v2/budget-ballots',
        headers: { accept: JSON_API, 'content-type': JSON_API },
        bearers,
        body: CHOICES.map((options) => JSON.stringify(describeBallot(round.id, '{id}', options))),
        withIds: true,
      })
      const after = meter.read()
      const ballotsCast = load.acknowledged.length
      costs.web.push((after.web - before.web) / ballotsCast)
      costs.database.push((after.database - before.database) / ballotsCast)
      acknowledged.push(...load.acknowledged)
      faults.push(...describeLoadFaults('voting', load))
      return load
    }
    await cast(300)
    // Not those of the first ballots, for which the product warms up.
    costs.web.length = costs.database.length = 0
    for (let count = 0; count < ROUNDS; count++) {
      const load = await cast(PEOPLE_A_SECOND * seconds)
      rates.push(load.perSecond)
      p95.push(load.p95)
    }
    const stored = await countStoredBallots(databaseUrl, round.id)
    for (const [what, count] of Object.entries(stored))
      if (count !== acknowledged.length) faults.push(`${acknowledged.length} ballots were acknowledged, and there are ${count} ${what}`)
    const measured = { perSecond: roundTo(computeMedian(rates), 0), p95: roundTo(computeMedian(p95), 0) }
    if (!IS_QUICK && measured.perSecond < PROMISED.perSecond)
      faults.push(`${measured.perSecond} a second, fewer than the promised ${PROMISED.perSecond}`)
    if (!IS_QUICK && measured.p95 > PROMISED.p95) faults.push(`95 of 100 within ${measured.p95} ms, not the promised ${PROMISED.p95}`)
    return {
      summary: `Ballots on a budget cast by ${CLIENTS} people at once, each of them once`,
      ratios: {},
      values: {
        ...measured,
        acknowledged: acknowledged.length,
        webMs: roundTo(computeMedian(costs.web)),
        databaseMs: roundTo(computeMedian(costs.database)),
      },
      faults,
    }
  },
}

const CHOICES = [[1], [2, 3], [1, 4, 6], [5, 7, 8, 9], [10]]
