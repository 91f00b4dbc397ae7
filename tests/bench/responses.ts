import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { ANSWERS, makeSurvey, responseDocument, SENDING_HEADERS, storedIds } from '#tests/support/remote.ts'
import { generate, loadFaults } from './load.ts'
import { type Measurement, median, round } from './measurement.ts'

const CLIENTS = 200
const SECONDS = 5
const MOST = 20_000
const ROUNDS = 3

/** Two hundred people send twelve answers each, again and again. What was acknowledged is counted in the database afterwards. */
export const responses: Measurement = {
  name: 'sending a response',
  run: async (ground) => {
    const surveyId = await makeSurvey(ground.product, ground.administrator)
    const plan = {
      port: ground.product.port,
      clients: CLIENTS,
      seconds: SECONDS,
      method: 'POST',
      path: '/api/v2/responses',
      headers: SENDING_HEADERS,
      body: JSON.stringify(responseDocument(surveyId, '{id}')),
      withIds: true,
    }
    const acknowledged: string[] = []
    const faults: string[] = []
    const [rates, inserts, p50, p99]: number[][] = [[], [], [], []]
    acknowledged.push(...(await generate({ ...plan, most: 300 })).acknowledged)
    for (let count = 0; count < ROUNDS; count++) {
      inserts?.push(await bareInserts(ground.databaseUrl)) // oxlint-disable-line no-await-in-loop -- one at a time
      const load = await generate({ ...plan, most: MOST }) // oxlint-disable-line no-await-in-loop
      acknowledged.push(...load.acknowledged)
      faults.push(...loadFaults('sending', load))
      rates?.push(load.perSecond)
      p50?.push(load.p50)
      p99?.push(load.p99)
    }
    const ids = await storedIds(ground.databaseUrl, surveyId)
    const stored = new Set(ids)
    const missing = acknowledged.filter((id) => !stored.has(id)).length
    if (missing) faults.push(`${missing} acknowledged responses are not in the database`)
    if (ids.length !== acknowledged.length) faults.push(`${acknowledged.length} were acknowledged and ${ids.length} stored`)
    return {
      summary: `Twelve answers sent by ${CLIENTS} clients, acknowledged once stored, against a bare insert of the same row by pg`,
      ratios: { rate: round(median((rates ?? []).map((rate, index) => rate / (inserts?.[index] ?? 1))), 3) },
      values: {
        perSecond: round(median(rates ?? []), 0),
        insertsPerSecond: round(median(inserts ?? []), 0),
        p50: round(median(p50 ?? []), 0),
        p99: round(median(p99 ?? []), 0),
        acknowledged: acknowledged.length,
        stored: ids.length,
      },
      faults,
    }
  },
}

/** As many clients on as many connections as the product's pool has, each committing one row at a time to the same durable disk. */
async function bareInserts(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  const answers = JSON.stringify(ANSWERS)
  let done = 0
  try {
    await pool.query(
      'drop table if exists bench_baseline; create table bench_baseline (id uuid primary key, at timestamptz, answers jsonb)',
    )
    const from = performance.now()
    const until = from + SECONDS * 1000
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until && done < MOST) {
          // oxlint-disable-next-line no-await-in-loop -- a client goes on once it is answered
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
