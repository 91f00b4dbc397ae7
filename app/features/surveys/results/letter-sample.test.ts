import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LetterSample } from '#app/features/invitations/invitations.schema.ts'
import { countOpenResults, linesDescription } from '#app/features/opencities/open-results.server.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { storePaperResponse } from '../entry/entry.server.ts'
import { updateSurvey } from '../managing/editing.server.ts'
import { describeLetters, inviteToSurvey, withdrawBatch } from '../responses/access/survey-invitations.server.ts'
import { submitResponse } from '../responses/submit-response.server.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import { describeFigure, loadPublicFigures } from '../surveys.public-figures.server.ts'
import type { Definition } from '../surveys.schema.ts'
import { getPublicResults, getResults } from './results.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const LIST = { en: 'Electoral register', 'fr-CA': 'Liste électorale', cy: 'Cofrestr etholiadol' }
const SAMPLE: LetterSample = { sent: 20, population: 400, list: LIST }
const QUESTIONS: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        {
          id: 'way',
          type: 'one_choice',
          title: inAllLanguages('Way'),
          options: ['bus', 'foot', 'boat'].map((id) => ({ id, label: inAllLanguages(id) })),
        },
        { id: 'safe', type: 'rating', title: inAllLanguages('Safe'), scale: { max: 5 } },
      ],
    },
  ],
}

let runtime: TestRuntime
let site: Site
let viewer: SignedInViewer
let admin: Ctx
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  viewer = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  admin = createCtx(runtime, site, { viewer })
})
beforeEach(() => runtime.setNow(NOON))

const addInvited = (values: Parameters<typeof addSurvey>[2] = {}) =>
  addSurvey(runtime, site, { access: 'invited', resultsPublic: true, definition: QUESTIONS, ...values })
const makeCodes = async (surveyId: string, sample: LetterSample | null = SAMPLE, count = 20) => {
  const batch = await inviteToSurvey(admin, surveyId, { kind: 'codes', count, sample })
  return { id: batch.id, codes: batch.told?.codes ?? [] }
}
/** One person answers with each of the codes; `''` is none. */
async function submitAnswers(surveyId: string, codes: readonly string[], way = 'bus') {
  for (const invitation of codes) {
    const ctx = createCtx(runtime, site, {})
    const find = (tx: Parameters<Parameters<Ctx['db']['tx']>[0]>[0]) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId))
    await submitResponse(ctx, find, {
      id: v7(),
      sendKey: 'k'.repeat(22),
      answers: { way: { choice: way }, safe: 4 },
      ...(invitation && { invitation }),
    })
  }
}
/** Seven of twelve go by bus and five on foot. */
async function answerTwelve(surveyId: string, codes: readonly string[]) {
  await submitAnswers(surveyId, codes.slice(0, 7))
  await submitAnswers(surveyId, codes.slice(7, 12), 'foot')
}
const readPublic = async (survey: { projectSlug: string; slug: string }, ctx = createCtx(runtime, site, {})) =>
  (await getPublicResults(ctx, { project: survey.projectSlug, survey: survey.slug })).figures
const readSample = async (survey: { projectSlug: string; slug: string }) => (await readPublic(survey))?.questions[0]?.sample
const readExactSample = async (surveyId: string) => (await getResults(admin, surveyId)).questions[0]?.sample

describe('answers to letters of a random sample', () => {
  test('have a range for each share, the response rate, and what both mean', async () => {
    const survey = await addInvited()
    await answerTwelve(survey.id, (await makeCodes(survey.id)).codes)
    const [way, safe] = (await readPublic(survey))?.questions ?? []
    // scipy 1.x: binomtest(7, 12), (5, 12) and (0, 12), proportion_ci(method='wilson').
    expect(way?.sample).toMatchObject({
      ...SAMPLE,
      responses: 12,
      ranges: [
        { value: 'bus', from: expect.closeTo(0.3195, 4) as number, until: expect.closeTo(0.8067, 4) as number },
        { value: 'foot', from: expect.closeTo(0.1933, 4) as number, until: expect.closeTo(0.6805, 4) as number },
      ],
    })
    expect(way?.sample?.note).toBe(
      'The letters went to a random sample, 20 of 400 on this list: Electoral register. Answers: 12, which is 60% of the letters. ' +
        'If the whole list had been asked, between 32% and 81% of those who answer this question would choose “bus”, in 95 of 100 such samples. ' +
        'The ranges of all answers are in brackets. People who did not answer may think differently: the ranges do not cover that.',
    )
    expect(safe?.sample).toBeUndefined()
    // The count of “boat” is 0. It is in the exact numbers only, and has a range there.
    const { ranges = [], ...rest } = (await readExactSample(survey.id)) ?? {}
    expect(rest).toMatchObject({ ...SAMPLE, responses: 12 })
    expect(ranges).toEqual([...(way?.sample?.ranges ?? []), { value: 'boat', from: 0, until: expect.closeTo(0.2425, 4) as number }])
  })

  test('have them in reports too, in the language of the reader', async () => {
    const survey = await addInvited()
    await answerTwelve(survey.id, (await makeCodes(survey.id)).codes)
    const ctx = createCtx(runtime, site, { language: 'cy' })
    const figures = await ctx.db.read(async (tx) =>
      loadPublicFigures(ctx, tx, await requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id))),
    )
    const way = figures?.questions[0]
    if (!way) throw new Error('no figure')
    const { rows, note } = describeFigure(ctx, way)
    expect(rows?.map(({ words }) => words)).toEqual(['58% (32%–81%)', '42% (19%–68%)', 'heb ei ddangos'])
    expect(note).toContain('sampl ar hap, 20 o 400 ar y rhestr hon: Cofrestr etholiadol.')
  })

  test('have them in open data, as numbers and with what they mean', async () => {
    const survey = await addInvited()
    await answerTwelve(survey.id, (await makeCodes(survey.id)).codes)
    const ctx = createCtx(runtime, site, {})
    const { lines } = await countOpenResults(ctx, { project: survey.projectSlug, survey: survey.slug })
    const note = expect.stringContaining('The letters went to a random sample, 20 of 400 on this list: Electoral register.') as string
    // scipy, as above.
    expect(lines).toMatchObject([
      { answer: 'bus', count: 7, share_from: 0.3195, share_until: 0.8067, sample: note },
      { answer: 'foot', count: 5, share_from: 0.1933, share_until: 0.6805, sample: note },
      { answer: 'boat', count: null, share_from: null, share_until: null },
      ...[1, 2, 3, 4, 5].map((step) => ({ answer: String(step), share_from: null, share_until: null, sample: '' })),
    ])
    expect(linesDescription.dictionary.map(({ name }) => name)).toEqual(expect.arrayContaining(['share_from', 'share_until', 'sample']))
    // People who chose to answer have none.
    const open = await addInvited({ access: 'anyone' })
    await submitAnswers(open.id, Array<string>(12).fill(''))
    const chosen = await countOpenResults(ctx, { project: open.projectSlug, survey: open.slug })
    expect(chosen.lines.filter((line) => line.share_from !== null || line.share_until !== null || line.sample !== '')).toEqual([])
  })

  test('are counted together if several batches went to one sample', async () => {
    const survey = await addInvited()
    const [one, two] = [await makeCodes(survey.id), await makeCodes(survey.id, { ...SAMPLE, sent: 10 })]
    await submitAnswers(survey.id, [...one.codes.slice(0, 4), ...two.codes.slice(0, 4)])
    expect(await readSample(survey)).toMatchObject({ sent: 30, responses: 8 })
  })

  test('have no range while too few have answered, and none for a hidden number', async () => {
    const survey = await addInvited()
    const { codes } = await makeCodes(survey.id)
    await submitAnswers(survey.id, codes.slice(0, 4))
    expect(await readPublic(survey)).toBeNull()
    expect(await readExactSample(survey.id)).toBeUndefined()
    const mostly = await addInvited()
    const batch = await makeCodes(mostly.id)
    await submitAnswers(mostly.id, batch.codes.slice(0, 9))
    await submitAnswers(mostly.id, batch.codes.slice(9, 12), 'foot')
    const figure = (await readPublic(mostly))?.questions[0]
    const shown = figure?.cells.flatMap(({ value, count }) => (count === null ? [] : [value]))
    expect(shown).not.toContain('foot')
    expect(figure?.sample?.ranges.map(({ value }) => value) ?? []).toEqual(shown)
  })

  test('have no range where only some of them are counted', async () => {
    const survey = await addInvited()
    await answerTwelve(survey.id, (await makeCodes(survey.id)).codes)
    expect((await getResults(admin, survey.id, { language: ['en'] })).questions[0]?.sample).toBeUndefined()
  })
})

describe('there is no range', () => {
  const NOWHERE = [undefined, undefined]
  /** A survey whose answers came by letters of a sample, and what is done to it before and after them. */
  async function findRanges(change: (survey: Awaited<ReturnType<typeof addInvited>>, batch: string) => Promise<unknown>, values = {}) {
    const survey = await addInvited(values)
    const { id, codes } = await makeCodes(survey.id)
    await answerTwelve(survey.id, codes)
    await change(survey, id)
    return [await readSample(survey), await readExactSample(survey.id)]
  }

  test('for people who chose to answer', async () => {
    const survey = await addInvited()
    await makeCodes(survey.id)
    await updateSurvey(admin, survey.id, { access: 'anyone' }, 1)
    await submitAnswers(survey.id, ['', '', '', '', '', ''])
    expect([await readSample(survey), await readExactSample(survey.id)]).toEqual(NOWHERE)
  })

  test('if people who chose to answer did so before the letters', async () => {
    const survey = await addInvited({ access: 'anyone' })
    await submitAnswers(survey.id, [''])
    await updateSurvey(admin, survey.id, { access: 'invited' }, 1)
    await answerTwelve(survey.id, (await makeCodes(survey.id)).codes)
    expect([await readSample(survey), await readExactSample(survey.id)]).toEqual(NOWHERE)
  })

  test('if the letters went to no sample', async () => {
    expect(await findRanges((_, batch) => describeLetters(admin, batch, null))).toEqual(NOWHERE)
  })

  test('if other codes or links went to no sample, used or not', async () => {
    expect(await findRanges((survey) => makeCodes(survey.id, null, 1))).toEqual(NOWHERE)
    expect(await findRanges((survey) => inviteToSurvey(admin, survey.id, { kind: 'links', emails: ['x@example.org'] }))).toEqual(NOWHERE)
  })

  test('if letters went to samples of several lists', async () => {
    expect(await findRanges((survey) => makeCodes(survey.id, { ...SAMPLE, list: { en: 'Tenants' } }))).toEqual(NOWHERE)
    expect(await findRanges((survey) => makeCodes(survey.id, { ...SAMPLE, population: 500 }))).toEqual(NOWHERE)
  })

  test('if more letters were sent in all than are on the list', async () => {
    expect(
      await findRanges(async (survey, batch) => {
        await describeLetters(admin, batch, { ...SAMPLE, population: 25 })
        await makeCodes(survey.id, { ...SAMPLE, population: 25 })
      }),
    ).toEqual(NOWHERE)
  })

  test('if an answer was typed from paper', async () => {
    expect(
      await findRanges((survey) =>
        storePaperResponse(admin, {
          survey: survey.id,
          answers: { way: { choice: 'bus' } },
          id: v7(),
          sendKey: 'k'.repeat(22),
          language: 'en',
        }),
      ),
    ).toEqual(NOWHERE)
  })

  test('if a quota turns people away', async () => {
    expect(
      await findRanges(() => Promise.resolve(), {
        definition: {
          ...QUESTIONS,
          quotas: [{ id: 'q', limit: 1000, when: { question: 'way', is: 'any_of', options: ['boat'] } }],
        },
      }),
    ).toEqual(NOWHERE)
  })

  test('once anybody could answer for a while, even if nobody did', async () => {
    expect(
      await findRanges(async (survey) => {
        await updateSurvey(admin, survey.id, { access: 'anyone' }, 1)
        await updateSurvey(admin, survey.id, { access: 'invited' }, 2)
      }),
    ).toEqual(NOWHERE)
  })

  test('once codes were withdrawn after the first answer, so that it never tells whether they were used', async () => {
    expect(await findRanges(async (survey) => withdrawBatch(admin, (await makeCodes(survey.id, SAMPLE, 20)).id))).toEqual(NOWHERE)
    expect(
      await findRanges(async (survey) => {
        const other = await makeCodes(survey.id)
        await submitAnswers(survey.id, other.codes.slice(0, 1))
        await withdrawBatch(admin, other.id)
      }),
    ).toEqual(NOWHERE)
    const survey = await addInvited()
    await withdrawBatch(admin, (await makeCodes(survey.id, null)).id)
    await answerTwelve(survey.id, (await makeCodes(survey.id)).codes)
    expect(await readSample(survey)).toBeDefined()
  })
})
