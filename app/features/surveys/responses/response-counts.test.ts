import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import { surveyCounts } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { SAMPLES } from '#tests/factories/questions.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { findWrongCounts, loadSurveyTallies, loadTalliesOfSurveys, rebuildTallies } from './response-counts.server.ts'
import { FIGURE_BUILDERS } from '../results/figure-shapes.ts'
import { computeFigures } from '../results/figures.ts'
import { findPostcodeArea, roundCoarsely, type Tally, TallySums, tallyResponse } from './tallies.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import { withdrawContribution } from './receipts.server.ts'
import { submitResponse } from './submit-response.server.ts'
import { type Answers, QUESTION_TYPES } from '../surveys.schema.ts'

test.each(QUESTION_TYPES)('question type %s has a figure builder', (type) => {
  expect(FIGURE_BUILDERS[type]).toBeTypeOf('function')
})

describe.each(QUESTION_TYPES.filter((type) => SAMPLES[type].answer !== undefined))('an answer of type %s', (type) => {
  test('is counted in its figure', () => {
    const { question, answer } = SAMPLES[type]
    const definition = { schema: 1 as const, pages: [{ id: 'p', questions: [question] }] }
    const response = {
      version: 1,
      language: 'en',
      source: 'web',
      seconds: 90,
      answers: answer === undefined ? {} : { [question.id]: answer },
    }
    const sums = new TallySums()
    for (const tally of [...tallyResponse(response), ...tallyResponse(response)]) sums.add(tally)
    const tallies = sums.list()
    const figures = computeFigures({ versions: new Map([[1, definition]]), everything: { pages: definition.pages }, marks: tallies })
    expect(figures).toMatchObject({ responses: 2, medianSeconds: 90, languages: [{ value: 'en', count: 2 }] })
    const [figure] = figures.questions
    expect(figure).toMatchObject({ asked: 2, answered: 2 })
    const told = [...(figure?.cells ?? []), ...(figure?.rows ?? []).flatMap((row) => [...row.cells, { count: row.mean }])]
    if (figure?.shape !== 'words') expect(told.some((cell) => (cell.count ?? 0) > 0)).toBe(true)
  })
})

test('numbers are rounded as finely as a figure shows them', () => {
  expect([3.14, 100, 101, 1234, -1250, 0.04].map(roundCoarsely)).toEqual([3.1, 100, 100, 1200, -1300, 0])
})

test('a postcode is counted as its district, never as a house', () => {
  expect(['M5V 3L9', 'm5v', 'CF10 3NP', 'SW1A 1AA', '2000', 'nowhere'].map(findPostcodeArea)).toEqual([
    'M5V',
    'M5V',
    'CF10',
    'SW1A',
    '2000',
    undefined,
  ])
})

describe('counts of a survey', () => {
  let runtime: TestRuntime
  let site: Site
  beforeAll(async () => {
    runtime = await createTestRuntime()
    site = await addSite(runtime)
  })
  const ctx = () => createCtx(runtime, site)
  const send = (survey: string, answers: Answers) =>
    submitResponse(ctx(), (tx) => requireVisibleSurvey(ctx(), tx, eq(surveys.id, survey)), { id: v7(), sendKey: 'k'.repeat(22), answers })
  const kept = (survey: string) => ctx().db.tx((tx) => loadSurveyTallies(tx, site.id, survey))
  const wrong = (survey: string) => ctx().db.tx((tx) => findWrongCounts(tx, site.id, survey))

  test('are computed on first use, then kept up to date by bursts of responses and by withdrawals', async () => {
    const survey = await addSurvey(runtime, site)
    const { code } = await send(survey.id, { name: 'Before', safe: 2 })
    expect(sumOf(await kept(survey.id), 'safe', '2')).toBe(1)
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        send(survey.id, { name: 'Storm', mode: { choice: index % 2 ? 'bus' : 'foot' }, safe: 1 + (index % 5) }),
      ),
    )
    await withdrawContribution(ctx(), code)
    const counts = await kept(survey.id)
    expect([sumOf(counts, '', ''), sumOf(counts, 'mode', 'bus'), sumOf(counts, 'safe', '2')]).toEqual([40, 20, 8])
    expect(await wrong(survey.id)).toEqual([])
  })

  test('of a period are those that are stored if it has all responses, and otherwise counted from the responses', async () => {
    const [early, late] = [await addSurvey(runtime, site), await addSurvey(runtime, site)]
    const noonOf = (day: string) => new Date(`2026-03-${day}T12:00:00Z`)
    for (const [survey, day] of [
      [early, '02'],
      [early, '09'],
      [early, '10'],
      [late, '10'],
      [late, '20'],
    ] as const) {
      runtime.setNow(noonOf(day))
      await send(survey.id, { name: `On ${day}`, safe: 2 })
    }
    const ids = [early.id, late.id]
    const load = (from: string, to: string) =>
      ctx().db.tx((tx) => loadTalliesOfSurveys(tx, site.id, ids, { groups: [], from: noonOf(from), to: noonOf(to) }))
    const count = async (from: string, to: string) => {
      const found = await load(from, to)
      return ids.map((id) => sumOf(found.get(id) ?? [], 'safe', '2'))
    }
    await ctx().db.tx((tx) => loadTalliesOfSurveys(tx, site.id, ids))
    // The end is exclusive, the beginning is not.
    expect(await count('02', '21')).toEqual([3, 2])
    expect(await count('02', '10')).toEqual([2, 0])
    expect(await count('03', '20')).toEqual([2, 1])
    expect(await count('21', '28')).toEqual([0, 0])
    await ctx().db.tx((tx) =>
      tx
        .update(surveyCounts)
        .set({ count: 70 })
        .where(and(eq(surveyCounts.siteId, site.id), eq(surveyCounts.question, 'safe'))),
    )
    expect(await count('02', '20')).toEqual([70, 1])
    expect(await count('03', '21')).toEqual([2, 70])
    expect(
      await ctx()
        .db.tx((tx) =>
          loadTalliesOfSurveys(tx, site.id, ids, {
            groups: [[{ question: '', value: 'len', low: null, high: null }]],
            from: undefined,
            to: undefined,
          }),
        )
        .then((found) => ids.map((id) => sumOf(found.get(id) ?? [], 'safe', '2'))),
    ).toEqual([3, 2])
  })

  test('are checked, and rebuilt from the responses if wrong', async () => {
    const survey = await addSurvey(runtime, site)
    await send(survey.id, { name: 'One', safe: 2 })
    await kept(survey.id)
    await ctx().db.tx((tx) =>
      tx
        .update(surveyCounts)
        .set({ count: 7 })
        .where(and(eq(surveyCounts.siteId, site.id), eq(surveyCounts.surveyId, survey.id), eq(surveyCounts.question, 'safe'))),
    )
    expect(await wrong(survey.id)).toEqual(['safe : 7, 1', 'safe 2: 7, 1'])
    expect(await ctx().db.tx((tx) => rebuildTallies(tx, site.id, survey.id))).toBe(1)
    expect(await wrong(survey.id)).toEqual([])
  })
})

const sumOf = (tallies: readonly Tally[], question: string, value: string) =>
  tallies.find((tally) => tally.question === question && tally.value === value)?.count ?? 0
