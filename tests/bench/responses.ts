import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { ANSWERS, makeSurvey, createResponseDocument, SENDING_HEADERS, loadResponseIds } from '#tests/support/remote-api.ts'
import { runLoad, describeLoadFaults } from './load.ts'
import { type Measurement, computeMedian, roundTo } from './measurement.ts'
import { IS_QUICK, limitSeconds, ROUNDS } from './pace.ts'

const CLIENTS = 200
/** One minute in total, so that baseline and product alternate. */
const SECONDS = 20
const SHORT_SECONDS = 4
const MOST = 500_000
const PROMISED = { perSecond: 1000, p95: 250 }

/**
 * Two hundred people send twelve answers each, over and over, for a minute. Acknowledged responses are counted in the database afterwards.
 */
export const responses: Measurement = {
  name: 'storm of responses',
  run: async (ground) => {
    const seconds = limitSeconds(ground.short ? SHORT_SECONDS : SECONDS)
    const surveyId = await makeSurvey(ground.product, ground.administrator)
    const plan = {
      port: ground.product.port,
      clients: CLIENTS,
      seconds,
      method: 'POST',
      path: '/api/v2/responses',
      headers: SENDING_HEADERS,
      body: JSON.stringify(createResponseDocument(surveyId, '{id}')),
      withIds: true,
    }
    const acknowledged: string[] = []
    const faults: string[] = []
    const [rates, inserts, p50, p95, p99]: number[][] = [[], [], [], [], []]
    acknowledged.push(...(await runLoad({ ...plan, most: 300 })).acknowledged)
    for (let count = 0; count < ROUNDS; count++) {
      inserts?.push(await measureBareInserts(ground.databaseUrl, limitSeconds(SHORT_SECONDS)))
      const load = await runLoad({ ...plan, most: MOST })
      acknowledged.push(...load.acknowledged)
      faults.push(...describeLoadFaults('sending', load))
      rates?.push(load.perSecond)
      p50?.push(load.p50)
      p95?.push(load.p95)
      p99?.push(load.p99)
    }
    const ids = await loadResponseIds(ground.databaseUrl, surveyId)
    const stored = new Set(ids)
    const missing = acknowledged.filter((id) => !stored.has(id)).length
    if (missing) faults.push(`${missing} acknowledged responses are not in the database`)
    if (ids.length !== acknowledged.length) faults.push(`${acknowledged.length} were acknowledged and ${ids.length} stored`)
    const measured = { perSecond: roundTo(computeMedian(rates ?? []), 0), p95: roundTo(computeMedian(p95 ?? []), 0) }
    // Too short a time to hold it to its promise.
    if (!IS_QUICK && measured.perSecond < PROMISED.perSecond)
      faults.push(`${measured.perSecond} a second, fewer than the promised ${PROMISED.perSecond}`)
    if (!IS_QUICK && measured.p95 > PROMISED.p95) faults.push(`95 of 100 within ${measured.p95} ms, not the promised ${PROMISED.p95}`)
    return {
      summary: `Twelve answers sent by ${CLIENTS} clients, acknowledged once stored, against a bare insert of the same row by pg`,
      ratios: { rate: roundTo(computeMedian((rates ?? []).map((rate, index) => rate / (inserts?.[index] ?? 1))), 3) },
      values: {
        ...measured,
        insertsPerSecond: roundTo(computeMedian(inserts ?? []), 0),
        p50: roundTo(computeMedian(p50 ?? []), 0),
        p99: roundTo(computeMedian(p99 ?? []), 0),
        acknowledged: acknowledged.length,
        stored: ids.length,
      },
      faults,
    }
  },
}

/** As many clients and connections as the product's pool, each committing one row at a time to the same durable disk. */
async function measureBareInserts(url: string, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  const answers = JSON.stringify(ANSWERS)
  let done = 0
  try {
    await pool.query(
      'drop table if exists bench_baseline; create table bench_baseline (id uuid primary key, at timestamptz, answers jsonb)',
    )
    const from = performance.now()
    const until = from + seconds * 1000
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until && done < MOST) {
          await pool.query('insert into bench_baseline values ($1, now(), $2)', [randomUUID(), answers])
          done += 1
        }
      }),
    )
    return done / ((performance.now() - from) / 1000)
  } finally {
    await pool.query('drop table if exists bench_baseline')
    await pool.end()
  }
}
