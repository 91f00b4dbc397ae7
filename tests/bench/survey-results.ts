import { setTimeout as wait } from 'node:timers/promises'
import { BLOCK_SIZE } from '#app/features/surveys/responses/response-bitmaps.ts'
import { queryAsOwner, callApi } from '#tests/support/remote-api.ts'
import { takeSample } from './compare.ts'
import type { BenchSetup } from './setup.ts'
import { type LargeSurvey, makeLargeSurvey } from './large-survey.ts'
import { type Measurement, computeMedian, roundTo } from './measurement.ts'

const RESPONSES = 1_000_000
const SHORT_RESPONSES = 100_000
const ROUNDS = 7
const PROMISED_MS = { page: 500, filter: 3000 }

/** The results of a large survey: the page with all figures, and filters nobody has used before. */
export const surveyResults: Measurement = {
  name: 'survey results',
  run: async (ground) => {
    const responses = ground.short ? SHORT_RESPONSES : RESPONSES
    const survey = await makeLargeSurvey(ground, responses)
    const begun = performance.now()
    await waitForBlocks(ground, survey.id, responses)
    const blocksMs = performance.now() - begun
    // As after a restore: nothing has been counted yet.
    const [firstMs] = await timeRuns(() => loadResponseCount(ground, survey.id), 1)
    const page = { cookie: `token=${ground.administrator}` }
    const pages = await timeRuns(() => takeSample(ground.product.port, `/admin/surveys/${survey.id}/results`, page), ROUNDS)
    const filters = await timeRuns((index) => loadResponseCount(ground, survey.id, buildFilter(survey, index)), ROUNDS)
    const scans = await timeRuns(() => measureBareScan(ground.databaseUrl, survey), 3)
    const all = await loadResponseCount(ground, survey.id)
    const [pageMs, filterMs, slowestMs] = [
      roundTo(computeMedian(pages), 0),
      roundTo(computeMedian(filters), 0),
      roundTo(Math.max(...filters), 0),
    ]
    return {
      summary: `Figures of ${survey.questions} questions and ${responses} responses: a new filter against a bare count of one answer by pg`,
      ratios: { filter: roundTo(filterMs / computeMedian(scans), 3) },
      values: {
        responses,
        pageMs,
        filterMs,
        slowestMs,
        scanMs: roundTo(computeMedian(scans), 0),
        firstMs: roundTo(firstMs ?? 0, 0),
        blocksMs: roundTo(blocksMs, 0),
      },
      faults: [
        ...(all === responses ? [] : [`the figures count ${all} responses`]),
        ...(pageMs > PROMISED_MS.page ? [`the page took ${pageMs} ms, more than the promised ${PROMISED_MS.page}`] : []),
        ...(slowestMs > PROMISED_MS.filter ? [`a filter took ${slowestMs} ms, more than the promised ${PROMISED_MS.filter}`] : []),
      ],
    }
  },
}

/** A different filter each time: one answer, two, a language, a period, and all of them combined. */
function buildFilter({ ofType, from, to }: LargeSurvey, index: number): Record<string, string> {
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

async function loadResponseCount(
  { product, administrator }: BenchSetup,
  survey: string,
  filter: Record<string, string> = {},
): Promise<number> {
  const query = new URLSearchParams({ 'filter[survey]': survey })
  for (const [name, value] of Object.entries(filter)) query.set(`filter[${name}]`, value)
  type Found = { data: { attributes: { responses: number } }[] }
  return (await callApi<Found>(product, 'GET', `/survey-results?${query}`, administrator)).data[0]?.attributes.responses ?? 0
}

/** Waits until the job has built the bitmaps for filters from all these responses. */
async function waitForBlocks(ground: BenchSetup, survey: string, responses: number): Promise<void> {
  const made = async () =>
    (
      await queryAsOwner<{ made: number }>(
        ground.databaseUrl,
        'select count(*)::int as made from survey_blocks where survey_id = $1 and complete',
        [survey],
      )
    )[0]?.made ?? 0
  while ((await made()) < Math.floor(responses / BLOCK_SIZE)) await wait(200)
}

/** What scanning every response costs the database, for a single figure. */
const measureBareScan = (url: string, { id, ofType }: LargeSurvey) =>
  queryAsOwner(url, `select count(*) from responses where survey_id = $1 and answers -> $2 ->> 'choice' = 'a'`, [
    id,
    ofType('one_choice')[0],
  ])

async function timeRuns(work: (index: number) => Promise<unknown>, rounds: number): Promise<number[]> {
  const took: number[] = []
  for (let index = 0; index < rounds; index++) {
    const from = performance.now()
    await work(index)
    took.push(performance.now() - from)
  }
  return took
}
