import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { readPdf } from '#tests/support/read-pdf.ts'
import { takeSample } from './compare.ts'
import { type Measurement, computeMedian, roundTo } from './measurement.ts'
import type { BenchSetup } from './setup.ts'
import { waitUntilCounted } from './wait-until-counted.ts'

const RESPONSES = 5_000_000
const SHORT_RESPONSES = 200_000
const PROJECTS = 500
const DAYS = 730
const ROUNDS = 7
/** From the request to the last byte of its table of projects. */
const PROMISED_MS = 300
/** Of the PDF's table by day: with a row for each project it has about thirty pages. */
const PDF_DAYS = 560
const PDF_PAGES = 30
const PROMISED_PDF_MS = 5000
const PDF_ROUNDS = 3
const POLL_MS = 50

/** A report over 500 projects and two years, beside the same two years before, as an administrator opens it. */
export const reports: Measurement = {
  name: 'reports',
  run: async (ground) => {
    const responses = ground.short ? SHORT_RESPONSES : RESPONSES
    const owner = new pg.Client({ connectionString: ground.databaseUrl })
    await owner.connect()
    try {
      await addTwoYears(owner, responses)
      const countedMs = await waitUntilCounted(ground.databaseUrl)
      await waitUntilSummedUp(owner)
      for (const table of ['reach_days', 'reach_steps', 'engaged_days', 'response_days', 'projects', 'responses'])
        await owner.query(`vacuum analyze ${table}`)
      const { rows } = await owner.query<{ from: string; until: string }>(
        `select to_char(now() - $1 * interval '1 day', 'YYYY-MM-DD') as from, to_char(now(), 'YYYY-MM-DD') as until`,
        [DAYS],
      )
      const period = new URLSearchParams(rows[0])
      const [report, compared] = [await timeReport(ground, `${period}`), await timeReport(ground, `${period}&compare=before`)]
      const pdf = await timePdf(ground, owner)
      const scans: number[] = []
      for (let round = 0; round < 3; round++) {
        const begun = performance.now()
        await owner.query(
          `select sum(aware) from reach_days where kind = 'project' and site_id = (select id from sites where slug = 'riverbend')`,
        )
        scans.push(performance.now() - begun)
      }
      return {
        summary: `A report over ${PROJECTS} projects, ${DAYS} days and ${responses} responses, against adding up the visitors of each day by pg`,
        ratios: { report: roundTo(report / computeMedian(scans)), compared: roundTo(compared / computeMedian(scans)) },
        values: {
          reportMs: roundTo(report, 0),
          comparedMs: roundTo(compared, 0),
          scanMs: roundTo(computeMedian(scans), 0),
          countedMs: roundTo(countedMs, 0),
          pdfMs: roundTo(pdf.took, 0),
          pdfAskedMs: roundTo(pdf.asked, 0),
          pdfBegunMs: roundTo(pdf.begun, 0),
          pdfPages: pdf.pages,
        },
        faults: [
          ...(report > PROMISED_MS ? [`the report took ${roundTo(report, 0)} ms, more than the promised ${PROMISED_MS}`] : []),
          ...(pdf.took > PROMISED_PDF_MS ? [`the PDF took ${roundTo(pdf.took, 0)} ms, more than the promised ${PROMISED_PDF_MS}`] : []),
          ...(pdf.pages < PDF_PAGES ? [`the PDF has ${pdf.pages} pages, too few to measure by`] : []),
        ],
      }
    } finally {
      await owner.end()
    }
  },
}

/** Published projects with a survey each, their visitors in three languages on each day, and responses spread over them. */
async function addTwoYears(owner: pg.Client, responses: number): Promise<void> {
  await owner.query(
    `insert into projects (site_id, id, slug, title, search_title, search_text, status, published_at)
     select s.id, gen_random_uuid(), 'years-' || i, jsonb_build_object('en', 'Years ' || i), 'years ' || i, 'years ' || i, 'published', now() - $2 * interval '1 day'
     from sites s, generate_series(1, $1::int) i where s.slug = 'riverbend'`,
    [PROJECTS, DAYS],
  )
  await owner.query(
    `insert into surveys (site_id, id, project_id, slug, title, definition)
     select site_id, gen_random_uuid(), id, 'years', '{}', '{}' from projects where slug like 'years-%'`,
  )
  await owner.query(
    `insert into reach_days (site_id, kind, place_id, day, salt_id, language, source, campaign, aware, informed)
     select p.site_id, 'project', p.id, now()::date - d, gen_random_uuid(), language, 'direct', '', 1 + d % 40, 1 + d % 20
     from projects p, generate_series(0, $1::int) d, unnest(array['en', 'fr-CA', 'cy']) language where p.slug like 'years-%'`,
    [DAYS],
  )
  await owner.query(
    `insert into responses (site_id, id, survey_id, version, user_id, language, answers, receipt_hash, submitted_at, number)
     select s.site_id, gen_random_uuid(), s.id, 1, null, 'en', '{}', sha256(('years' || i)::text::bytea),
       now() - (i % $2::int) * interval '1 day' - (i % 7200) * interval '1 second', 20000000 + i
     from generate_series(1, $1::int) i
     join (select q.site_id, q.id, row_number() over (order by q.id) as n from surveys q
       join projects p on p.site_id = q.site_id and p.id = q.project_id where p.slug like 'years-%') s on s.n = 1 + i % $3::int`,
    [responses, DAYS, PROJECTS],
  )
}

/** Waits for the job that adds up weeks and months. */
async function waitUntilSummedUp(owner: pg.Client): Promise<void> {
  const deadline = Date.now() + 20 * 60_000
  for (;;) {
    const { rows } = await owner.query<{ left: boolean }>(
      `select exists (select from reach_step_states where not is_current and step = 'month' and start < date_trunc('month', now() - interval '2 days')) as left`,
    )
    if (!rows[0]?.left) return
    if (Date.now() > deadline) throw new Error('Weeks and months were not added up in time')
    await new Promise((done) => setTimeout(done, 500))
  }
}

/** Of a table of the report, which takes as long as its figures. @returns the median of several rounds, in milliseconds */
async function timeReport({ product, administrator }: BenchSetup, search: string): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now()
    const { status } = await takeSample(product.port, `/admin/reports/download/csv?table=projects&${search}`, {
      cookie: `token=${administrator}`,
    })
    took.push(performance.now() - begun)
    if (status !== 200) throw new Error(`The report was answered with ${status}`)
  }
  return computeMedian(took)
}

/**
 * Of a long PDF, made in the background: from the press until its figures are counted, the job has begun, and its page offers it.
 * @returns medians of several rounds, in milliseconds, and its number of pages
 */
async function timePdf({ product, administrator }: BenchSetup, owner: pg.Client) {
  const headers = { cookie: `token=${administrator}` }
  const { rows } = await owner.query<{ from: string }>(`select to_char(now() - $1 * interval '1 day', 'YYYY-MM-DD') as from`, [PDF_DAYS])
  const search = new URLSearchParams({ from: rows[0]?.from ?? '', by: 'day' })
  for (const section of ['projects', 'activity']) search.append('sections', section)
  const rounds: { asked: number; begun: number; took: number }[] = []
  let file = ''
  for (let round = 0; round < PDF_ROUNDS; round++) {
    const pressed = performance.now()
    const { headers: answered } = await takeSample(product.port, `/admin/reports/download/pdf?${search}`, headers)
    file = String(answered['location']).split('/').at(-1) ?? ''
    const asked = performance.now() - pressed
    let begun = 0
    for (let state = ''; state !== 'done'; await wait(POLL_MS)) {
      const found = await owner.query<{ state: string }>('select state from survey_exports where id = $1', [file])
      state = found.rows[0]?.state ?? 'failed'
      if (state === 'failed') throw new Error('The PDF could not be made')
      if (state !== 'waiting') begun ||= performance.now() - pressed
    }
    rounds.push({ asked, begun, took: performance.now() - pressed })
  }
  const { body } = await takeSample(product.port, `/report-files/${file}/download`, headers)
  const median = (of: 'asked' | 'begun' | 'took') => computeMedian(rounds.map((round) => round[of]))
  return { asked: median('asked'), begun: median('begun'), took: median('took'), pages: (await readPdf(body)).pages }
}
