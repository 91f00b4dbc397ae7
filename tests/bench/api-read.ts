import pg from 'pg'
import { callApi } from '#tests/support/remote-api.ts'
import { compareWithBareHttp } from './compare.ts'
import { type Measurement, computeMedian, roundTo } from './measurement.ts'
import { limitSeconds, ROUNDS } from './pace.ts'

const CLIENTS = 16
const SECONDS = limitSeconds(3)

/** A list of the API as an administrator's table requests it, against bare node:http and against the database on its own. */
export const apiRead: Measurement = {
  name: 'API read',
  run: async ({ product, administrator, databaseUrl }) => {
    const figures = await compareWithBareHttp({
      summary: 'Twenty projects by the API for an administrator, against bare node:http with the same bytes and a bare select of the rows',
      port: product.port,
      plan: {
        clients: CLIENTS,
        seconds: SECONDS,
        most: 50_000,
        path: '/api/v2/projects?page%5Bsize%5D=20',
        headers: { accept: 'application/vnd.api+json', 'x-api-token': `Bearer ${administrator}` },
      },
      warmUp: 300,
    })
    const selects: number[] = []
    for (let count = 0; count < ROUNDS; count++) selects.push(await measureBareSelects(databaseUrl))
    const baseline = computeMedian(selects)
    return {
      ...figures,
      ratios: { ...figures.ratios, select: roundTo((figures.values['perSecond'] ?? 0) / baseline, 3) },
      values: { ...figures.values, selectsPerSecond: roundTo(baseline, 0) },
    }
  },
}

const JSON_API = { accept: 'application/vnd.api+json' }

/** The same list for visitors: one answer serves all of them. */
export const apiReadVisitor: Measurement = {
  name: 'API read by visitors',
  run: ({ product }) =>
    compareWithBareHttp({
      summary: 'Twenty projects by the API for visitors, against bare node:http with the same bytes',
      port: product.port,
      plan: { clients: CLIENTS, seconds: SECONDS, most: 100_000, path: '/api/v2/projects?page%5Bsize%5D=20', headers: JSON_API },
      warmUp: 300,
    }),
}

/** One project with all its texts, as a program of an administrator reads it. */
export const apiReadItem: Measurement = {
  name: 'API read of one project',
  run: async ({ product, administrator }) => {
    const headers = { ...JSON_API, 'x-api-token': `Bearer ${administrator}` }
    const listed = await callApi<{ data: { id: string }[] }>(product, 'GET', '/projects?page%5Bsize%5D=1', administrator)
    return compareWithBareHttp({
      summary: 'One project by the API for an administrator, against bare node:http with the same bytes',
      port: product.port,
      plan: { clients: CLIENTS, seconds: SECONDS, most: 100_000, path: `/api/v2/projects/${listed.data[0]?.id}`, headers },
      warmUp: 300,
    })
  },
}

async function measureBareSelects(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: CLIENTS })
  let done = 0
  const from = performance.now()
  const until = from + SECONDS * 1000
  try {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < until) {
          await pool.query('select * from projects order by updated_at desc limit 20')
          done += 1
        }
      }),
    )
    return done / ((performance.now() - from) / 1000)
  } finally {
    await pool.end()
  }
}
