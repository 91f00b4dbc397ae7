import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { ANSWERS, callApi, makeSurvey, SENDING_HEADERS } from '#tests/support/remote-api.ts'
import { describeLoadFaults, type LoadPlan, runLoad } from './load.ts'
import { computeMedian, type Figures, type Measurement, roundTo } from './measurement.ts'
import { limitSeconds, ROUNDS } from './pace.ts'
import type { BenchSetup } from './setup.ts'

const CLIENTS = 64
const SECONDS = limitSeconds(4)
const MOST = 50_000

/** Unfinished answers, each kept under a new id, as a page of a survey saves them. */
export const draftWrites: Measurement = {
  name: 'API write of drafts',
  run: async (ground) => {
    const surveyId = await makeSurvey(ground.product, ground.administrator)
    const survey = { data: { type: 'surveys', id: surveyId } }
    const attributes = { answers: ANSWERS, sendKey: 'known-to-the-sender-alone' }
    return compareWithBareUpserts(ground, 'Drafts of twelve answers by the API, against a bare upsert of the same row by pg', {
      method: 'PUT',
      path: '/api/v2/response-drafts/{id}',
      headers: SENDING_HEADERS,
      body: JSON.stringify({ data: { type: 'response-drafts', id: '{id}', attributes, relationships: { survey } } }),
      withIds: true,
    })
  },
}

/** An administrator's program changes one field of the demo's projects in turn. */
export const projectWrites: Measurement = {
  name: 'API write of projects',
  run: async (ground) => {
    const { product, administrator } = ground
    const { data } = await callApi<{ data: { id: string }[] }>(product, 'GET', '/projects?page%5Bsize%5D=20', administrator)
    const ids = data.map(({ id }) => id)
    const patch = (id: string, featured: boolean) => JSON.stringify({ data: { type: 'projects', id, attributes: { featured } } })
    return compareWithBareUpserts(ground, 'A field of a project by the API for an administrator, against a bare upsert of a row by pg', {
      method: 'PATCH',
      path: ids.map((id) => `/api/v2/projects/${id}`),
      headers: { ...SENDING_HEADERS, 'x-api-token': `Bearer ${administrator}` },
      body: [...ids.map((id) => patch(id, true)), ...ids.map((id) => patch(id, false))],
    })
  },
}

type Sending = Pick<LoadPlan, 'method' | 'path' | 'headers' | 'body' | 'withIds'>

/** Alternates between the product and the database on its own, which commits one row at a time to the same durable disk. */
async function compareWithBareUpserts({ product, databaseUrl }: BenchSetup, summary: string, sending: Sending): Promise<Figures> {
  const plan: LoadPlan = { port: product.port, clients: CLIENTS, seconds: SECONDS, most: MOST, ...sending }
  await runLoad({ ...plan, most: 200 })
  const rates: number[] = []
  const upserts: number[] = []
  const times: number[] = []
  const faults: string[] = []
  for (let count = 0; count < ROUNDS; count++) {
    upserts.push(await measureBareUpserts(databaseUrl))
    const load = await runLoad(plan)
    rates.push(load.perSecond)
    times.push(load.p95)
    faults.push(...describeLoadFaults('writing', load))
  }
  return {
    summary,
    ratios: { rate: roundTo(computeMedian(rates.map((rate, at) => rate / (upserts[at] ?? 1))), 3) },
    values: {
      perSecond: roundTo(computeMedian(rates), 0),
      upsertsPerSecond: roundTo(computeMedian(upserts), 0),
      p95: roundTo(computeMedian(times), 0),
    },
    faults: [...new Set(faults)],
  }
}

async function measureBareUpserts(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  const answers = JSON.stringify(ANSWERS)
  let done = 0
  try {
    await pool.query('drop table if exists bench_writes; create table bench_writes (id uuid primary key, at timestamptz, answers jsonb)')
    const from = performance.now()
    const until = from + SECONDS * 1000
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until && done < MOST) {
          await pool.query(
            'insert into bench_writes values ($1, now(), $2) on conflict (id) do update set at = excluded.at, answers = excluded.answers',
            [randomUUID(), answers],
          )
          done += 1
        }
      }),
    )
    return done / ((performance.now() - from) / 1000)
  } finally {
    await pool.query('drop table if exists bench_writes')
    await pool.end()
  }
}
