import pg from 'pg'
import { compareWithBareHttp } from './compare.ts'
import { type Figures, type Measurement, roundTo } from './measurement.ts'
import { IS_QUICK } from './pace.ts'
import type { BenchSetup } from './setup.ts'
import { waitUntilCounted } from './wait-until-counted.ts'

const RESPONSES = 5_000_000
const SHORT_RESPONSES = 100_000
/** A cookie that makes the product render a page for its request only. */
const UNSHARED = '; unknown=1'
/** The dashboard of a site with many responses may take this much longer than with those of the demo. */
const MOST_LONGER = 1.2

/** The start page of an administration, shared and rendered for each request, with the demo's responses and with five million more. */
export const dashboard: Measurement = {
  name: 'dashboard',
  run: async (ground) => {
    const shared = await measureDashboard(ground)
    const rendered = await measureDashboard(ground, UNSHARED)
    const few: Figures = {
      ...shared,
      values: { ...shared.values, perSecondRendered: rendered.values['perSecond'] ?? 0 },
      faults: [...shared.faults, ...rendered.faults],
    }
    if (IS_QUICK) return few
    const added = ground.short ? SHORT_RESPONSES : RESPONSES
    const countedMs = await addResponses(ground, added)
    const many = await measureDashboard(ground)
    const longer = (few.values['perSecond'] ?? 0) / (many.values['perSecond'] ?? 1)
    return {
      summary: `${few.summary}; with ${added} more responses it takes as long as with few`,
      ratios: { ...few.ratios, timeWithMany: roundTo(longer, 2) },
      values: { ...few.values, perSecondWithMany: many.values['perSecond'] ?? 0, countedMs: roundTo(countedMs, 0) },
      faults: [
        ...few.faults,
        ...many.faults,
        ...(longer > MOST_LONGER ? [`the dashboard takes ${roundTo(longer, 2)} times as long with ${added} more responses`] : []),
      ],
    }
  },
}

const measureDashboard = ({ product, administrator }: BenchSetup, cookies = '') =>
  compareWithBareHttp({
    summary: 'The dashboard of a site administrator, against bare node:http with the same bytes',
    port: product.port,
    plan: { clients: 16, seconds: 4, most: 20_000, path: '/admin', headers: { cookie: `token=${administrator}${cookies}` } },
    warmUp: 100,
  })

/** Adds responses of 400 days, a third of them by accounts. @returns how long the jobs took to count them, in milliseconds */
async function addResponses({ databaseUrl }: BenchSetup, count: number): Promise<number> {
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  try {
    await owner.query(
      `insert into responses (site_id, id, survey_id, version, user_id, language, answers, receipt_hash, submitted_at, number)
       select s.site_id, gen_random_uuid(), s.id, 1, case when i % 3 = 0 then u.id end, 'en', '{}', sha256(('bench' || i)::text::bytea),
         now() - (i % 400) * interval '1 day' - (i % 86000) * interval '1 second', 1000000 + i
       from generate_series(1, $1::int) i
       join (select site_id, id, row_number() over (order by id) as n, count(*) over () as c from surveys
         where site_id = (select id from sites where slug = 'riverbend')) s on s.n = 1 + i % s.c
       join (select id, row_number() over (order by id) as n, count(*) over () as c from users
         where site_id = (select id from sites where slug = 'riverbend')) u on u.n = 1 + (i::bigint * 7919) % u.c`,
      [count],
    )
    await owner.query('vacuum analyze responses')
    return await waitUntilCounted(databaseUrl)
  } finally {
    await owner.end()
  }
}
