import { setTimeout as wait } from 'node:timers/promises'
import { BLOCK } from '#app/features/surveys/responses/response-bitmaps.ts'
import { asOwner, call } from '#tests/support/remote.ts'
import { sample } from './compare.ts'
import type { Ground } from './ground.ts'
import { type LargeSurvey, makeLargeSurvey } from './large-survey.ts'
import { type Measurement, median, round } from './measurement.ts'

const RESPONSES = 1_000_000
const SHORT_RESPONSES = 100_000
const ROUNDS = 7
const PROMISED_MS = { page: 500, filter: 3000 }

/** The figures of a large survey: the page with all of them, and filters that nobody has used before. */
export const surveyResults: Measurement = {
  name: 'survey results',
  run: async (ground) => {
    const responses = ground.short ? SHORT_RESPONSES : RESPONSES
    const survey = await makeLargeSurvey(ground, responses)
    const begun = performance.now()
    await keptInBlocks(ground, survey.id, responses)
    const blocksMs = performance.now() - begun
    // As after a restore: nothing is counted yet.
    const [firstMs] = await timed(() => figuresOf(ground, survey.id), 1)
    const page = { cookie: `token=${ground.administrator}` }
    const pages = await timed(() => sample(ground.product.port, `/admin/surveys/${survey.id}/results`, page), ROUNDS)
    const filters = await timed((index) => figuresOf(ground, survey.id, filterOf(survey, index)), ROUNDS)
    const scans = await timed(() => bareScan(ground.databaseUrl, survey), 3)
    const all = await figuresOf(ground, survey.id)
    const [pageMs, filterMs, slowestMs] = [round(median(pages), 0), round(median(filters), 0), round(Math.max(...filters), 0)]
    return {
      summary: `Figures of ${survey.questions} questions and ${responses} responses: a new filter against a bare count of one answer by pg`,
      ratios: { filter: round(filterMs / median(scans), 3) },
      values: {
        responses,
        pageMs,
        filterMs,
        slowestMs,
        scanMs: round(median(scans), 0),
        firstMs: round(firstMs ?? 0, 0),
        blocksMs: round(blocksMs, 0),
      },
      faults: [
        ...(all === responses ? [] : [`the figures count ${all} responses`]),
        ...(pageMs > PROMISED_MS.page ? [`the page took ${pageMs} ms, more than the promised ${PROMISED_MS.page}`] : []),
        ...(slowestMs > PROMISED_MS.filter ? [`a filter took ${slowestMs} ms, more than the promised ${PROMISED_MS.filter}`] : []),
      ],
    }
  },
}

/** Each another one: one answer, two, a language, a part of the time, and all of it together. */
function filterOf({ ofType, from, to }: LargeSurvey, index: number): Record<string, string> {
  const [choice, several, rating] = [ofType('one_choice')[index % 3], ofType('several_choices')[index % 5], ofType('rating')[index % 6]]
  const days = (share: number) => new Date(from.getTime() + (to.getTime() - from.getTime()) * share).toISOString()
  const filters: Record<string, string>[] = [
    { answers: `${choice}:a` },
    { answers: `${several}:b,${rating}:2` },
    { language: 'fr-CA' },
    { from: days(0.21), to: days(0.63) },
    { answers: `${choice}:b`, language: 'en', from: days(0.333) },
  ]
  return filters[index % filters.length] ?? {}
}

async function figuresOf({ product, administrator }: Ground, survey: string, filter: Record<string, string> = {}): Promise<number> {
  const query = new URLSearchParams({ 'filter[survey]': survey })
  for (const [name, value] of Object.entries(filter)) query.set(`filter[${name}]`, value)
  type Found = { data: { attributes: { responses: number } }[] }
  return (await call<Found>(product, 'GET', `/survey-results?${query}`, administrator)).data[0]?.attributes.responses ?? 0
}

/** Waits until the job has made of all these responses what filters read. */
async function keptInBlocks(ground: Ground, survey: string, responses: number): Promise<void> {
  const made = async () =>
    (
      await asOwner<{ made: number }>(
        ground.databaseUrl,
        'select count(*)::int as made from survey_blocks where survey_id = $1 and complete',
        [survey],
      )
    )[0]?.made ?? 0
  while ((await made()) < Math.floor(responses / BLOCK)) await wait(200)
}

/** What looking at each response once costs the database, for one number. */
const bareScan = (url: string, { id, ofType }: LargeSurvey) =>
  asOwner(url, `select count(*) from responses where survey_id = $1 and answers -> $2 ->> 'choice' = 'a'`, [id, ofType('one_choice')[0]])

async function timed(work: (index: number) => Promise<unknown>, rounds: number): Promise<number[]> {
  const took: number[] = []
  for (let index = 0; index < rounds; index++) {
    const from = performance.now()
    await work(index)
    took.push(performance.now() - from)
  }
  return took
}
