import { randomBytes } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getHomepage } from '#app/features/homepage/homepage.server.ts'
import { getPreview } from '#app/features/homepage/homepage.preview.server.ts'
import { serveResultsCsv } from '#app/features/opencities/open-data.files.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson as addViewer, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { rebuildTallies } from '../responses/response-counts.server.ts'
import { buildCrossTable, toPublishableCrossTable } from './cross-table.ts'
import { moveCountsInSteps, type SurveyCounts } from './count-steps.ts'
import type { CountedValue } from './figures.ts'
import { formatSquare } from '../responses/tallies.ts'
import { eraseResponse } from '../responses/receipts.server.ts'
import { getPublicResults, getResults } from './results.server.ts'
import { countPublicFigures, loadAskedSurveys, loadPublicFigures } from '../surveys.public-figures.server.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { requestContext } from '#tests/support/request-context.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const HOUR = 3_600_000
const items = (...ids: string[]) => ids.map((id) => ({ id, label: inAllLanguages(id) }))
const QUESTIONS: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        { id: 'way', type: 'one_choice', title: inAllLanguages('Way'), options: items('bus', 'foot', 'boat') },
        { id: 'safe', type: 'rating', title: inAllLanguages('Safe'), scale: { max: 5 } },
        { id: 'spot', type: 'place', title: inAllLanguages('Where') },
      ],
    },
  ],
}

let runtime: TestRuntime
let site: Site
let ctx: Ctx
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  ctx = createCtx(runtime, site)
})
beforeEach(() => runtime.setNow(NOON))
const later = (hours: number) => runtime.setNow(new Date(NOON.getTime() + hours * HOUR))

const addQuestions = (more: object = {}) => addSurvey(runtime, site, { definition: QUESTIONS, resultsPublic: true, ...more })

async function answer(surveyId: string, count: number, answers: Answers): Promise<string[]> {
  const ids = Array.from({ length: count }, () => createId())
  await ctx.db.tx(async (tx) => {
    const rows = ids.map((id) => ({ id, siteId: site.id, surveyId, version: 1, language: 'en' as const, answers }))
    await tx.insert(responses).values(rows.map((row) => ({ ...row, submittedAt: runtime.now(), receiptHash: randomBytes(32) })))
    await tx.update(surveys).set({ responsesCount: 1000 }).where(eq(surveys.id, surveyId))
    await rebuildTallies(tx, site.id, surveyId)
  })
  return ids
}

async function addressOf(surveyId: string) {
  const [found] = await ctx.db.tx((tx) =>
    tx
      .select({ project: projects.slug, survey: surveys.slug })
      .from(surveys)
      .innerJoin(projects, eq(projects.id, surveys.projectId))
      .where(eq(surveys.id, surveyId)),
  )
  if (!found) throw new Error('no survey')
  return found
}

/** Everything each transport shows to the public and to people who may not see personal data, as text. */
async function everythingTold(surveyId: string) {
  const address = await addressOf(surveyId)
  const visitor = { ...ctx, viewer: VISITOR }
  const { survey: _, ...page } = await getPublicResults(visitor, address)
  const csv = await serveResultsCsv({
    context: requestContext(visitor),
    request: new Request('http://x'),
    params: address,
  })
  const assigned = await projectAdminOf(surveyId)
  const api = await createApiClient(runtime, site, assigned.token).get(`/survey-results/${surveyId}`)
  return { page, csv: await csv.text(), api: api.body }
}

async function projectAdminOf(surveyId: string) {
  const [survey] = await ctx.db.tx((tx) => tx.select({ projectId: surveys.projectId }).from(surveys).where(eq(surveys.id, surveyId)))
  return addPerson(runtime, site, { role: 'project_admin', projectId: survey?.projectId ?? '' })
}

const countsOfQuestion = async (surveyId: string, id = 'way') => {
  const { figures } = await getPublicResults({ ...ctx, viewer: VISITOR }, await addressOf(surveyId))
  const question = figures?.questions.find((each) => each.question.id === id)
  return Object.fromEntries(question?.cells.map(({ value, count }) => [value, count]) ?? [])
}

describe('the poll of a homepage', () => {
  const POLL: Definition = {
    schema: 1,
    pages: [{ id: 'p', questions: [{ id: 'way', type: 'one_choice', title: inAllLanguages('Way'), options: items('bus', 'foot') }] }],
  }
  async function addPollPage(closesAt: Date): Promise<string> {
    const { id } = await addQuestions({ definition: POLL, closesAt })
    const content = { schema: 1, blocks: [{ id: 'a', type: 'quick_poll', surveyId: id }] }
    await ctx.db.tx((tx) => tx.insert(homepageRevisions).values({ siteId: site.id, id: createId(), content, publishedAt: runtime.now() }))
    return id
  }

  test('shows its results as soon as it has closed, whether or not they were counted before', async () => {
    const survey = await addPollPage(new Date(NOON.getTime() + HOUR))
    await answer(survey, 7, { way: 'bus' })
    later(2)
    expect((await getHomepage(createCtx(runtime, site))).blocks).toMatchObject([{ type: 'quick_poll', data: { results: { people: 7 } } }])
  })

  test('publishes nothing early when an editor looks at a later day', async () => {
    const survey = await addPollPage(new Date(NOON.getTime() + 48 * HOUR))
    await answer(survey, 6, { way: 'bus' })
    const published = async () => (await getPublicResults({ ...ctx, viewer: VISITOR }, await addressOf(survey))).figures?.responses
    expect(await published()).toBe(6)
    await answer(survey, 6, { way: 'foot' })
    const viewer = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
    const at = new Date(NOON.getTime() + 72 * HOUR).toISOString()
    const preview = await getPreview(createCtx(runtime, site, { viewer }), { hub: null, as: 'visitor', at, published: 'true' })
    expect(Object.values(preview.data)).toMatchObject([{ results: { people: 6 } }])
    expect(await published()).toBe(6)
  })
})

test('an option that is carried over is listed once, and no title shows the mark of an earlier answer', async () => {
  const definition: Definition = {
    schema: 1,
    pages: [
      {
        id: 'p',
        questions: [
          { id: 'ways', type: 'several_choices', title: inAllLanguages('Ways'), options: items('bus', 'foot', 'boat') },
          {
            id: 'best',
            type: 'one_choice',
            title: inAllLanguages('Of {{ways}}, the best'),
            options: items('none'),
            carry: { question: 'ways', which: 'chosen' },
          },
        ],
      },
    ],
  }
  const { id } = await addQuestions({ definition })
  await answer(id, 10, { ways: { choices: ['bus', 'foot'] }, best: { choice: 'bus' } })
  const { figures } = await getPublicResults({ ...ctx, viewer: VISITOR }, await addressOf(id))
  const best = figures?.questions.find(({ question }) => question.id === 'best')
  expect(best?.cells.map(({ value }) => value)).toEqual(['bus', 'foot', 'boat', 'none'])
  expect(best?.question.title).toEqual({ en: 'Of …, the best' })
})

describe('published results', () => {
  test('are the same before and after one answer, on the page, in the API and in open data, at any time', async () => {
    const survey = await addQuestions()
    await answer(survey.id, 20, { way: { choice: 'bus' }, safe: 2 })
    await answer(survey.id, 12, { way: { choice: 'foot' }, safe: 4 })
    await answer(survey.id, 8, { way: { choice: 'boat' }, safe: 5 })
    const before = await everythingTold(survey.id)
    expect(before.page.figures?.responses).toBe(40)
    await answer(survey.id, 1, { way: { choice: 'boat' }, safe: 1 })
    expect(await everythingTold(survey.id)).toEqual(before)
    later(30)
    expect(await everythingTold(survey.id)).toEqual(before)
    // Five are enough only after an hour.
    later(0.5)
    await answer(survey.id, 6, { way: { choice: 'foot' }, safe: 4 })
    expect(await everythingTold(survey.id)).toEqual(before)
    later(1)
    expect((await everythingTold(survey.id)).page.figures?.responses).toBe(47)
  })

  test('move by at least five between two steps and reveal nothing about one person among five', async () => {
    const survey = await addQuestions()
    await answer(survey.id, 20, { way: { choice: 'bus' } })
    await answer(survey.id, 12, { way: { choice: 'foot' } })
    await answer(survey.id, 8, { way: { choice: 'boat' } })
    const first = await countsOfQuestion(survey.id)
    await answer(survey.id, 9, { way: { choice: 'bus' } })
    await answer(survey.id, 1, { way: { choice: 'boat' } })
    later(2)
    expect([first, await countsOfQuestion(survey.id)]).toEqual([
      { bus: 20, foot: 12, boat: 8 },
      { bus: 29, foot: 12, boat: 8 },
    ])
  })

  test('do not change when one answer is erased, and follow once five people have gone', async () => {
    const survey = await addQuestions()
    const ids = await answer(survey.id, 12, { way: { choice: 'bus' } })
    await answer(survey.id, 12, { way: { choice: 'foot' } })
    const before = await everythingTold(survey.id)
    const admin = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
    later(1)
    const erase = (id = '') =>
      // They have just proved who they are.
      eraseResponse(createCtx(runtime, site, { viewer: { ...admin, confirmedAt: runtime.now() } }), { responseId: id, reason: 'asked to' })
    await erase(ids[0])
    later(30)
    expect((await everythingTold(survey.id)).page).toEqual(before.page)
    for (const id of ids.slice(1, 8)) await erase(id)
    later(31)
    // Four are left, which is too few, and the others are suppressed with them.
    expect(await countsOfQuestion(survey.id)).toEqual({ bus: null, foot: null, boat: null })
  })

  test('follow once five people have changed their answers, and not before', async () => {
    const survey = await addQuestions()
    const ids = await answer(survey.id, 20, { way: { choice: 'bus' } })
    await answer(survey.id, 12, { way: { choice: 'foot' } })
    await answer(survey.id, 8, { way: { choice: 'boat' } })
    const first = await countsOfQuestion(survey.id)
    later(0.5)
    const change = (responseIds: readonly string[]) =>
      ctx.db.tx(async (tx) => {
        await tx
          .update(responses)
          .set({ answers: { way: { choice: 'foot' } }, editedAt: runtime.now(), editId: createId() })
          .where(inArray(responses.id, [...responseIds]))
        await rebuildTallies(tx, site.id, survey.id)
      })
    for (const id of ids.slice(0, 4)) await change([id])
    later(2)
    expect([first, await countsOfQuestion(survey.id)]).toEqual([
      { bus: 20, foot: 12, boat: 8 },
      { bus: 20, foot: 12, boat: 8 },
    ])
    await change(ids.slice(4, 5))
    later(3)
    expect(await countsOfQuestion(survey.id)).toEqual({ bus: 15, foot: 17, boat: 8 })
  })

  test('are exact once the survey is closed, over the responses counted last, without one that arrived after them', async () => {
    const survey = await addQuestions({ closesAt: new Date(NOON.getTime() + 3 * HOUR) })
    await answer(survey.id, 20, { way: { choice: 'bus' } })
    await answer(survey.id, 12, { way: { choice: 'foot' } })
    expect(await countsOfQuestion(survey.id)).toMatchObject({ bus: 20, foot: 12 })
    await answer(survey.id, 5, { way: { choice: 'foot' } })
    await answer(survey.id, 3, { way: { choice: 'bus' } })
    later(2)
    expect(await countsOfQuestion(survey.id)).toMatchObject({ foot: 17 })
    later(2.5)
    await answer(survey.id, 1, { way: { choice: 'bus' } })
    later(3)
    expect(await countsOfQuestion(survey.id)).toMatchObject({ bus: 23, foot: 17 })
    const { nextAt } = await getPublicResults({ ...ctx, viewer: VISITOR }, await addressOf(survey.id))
    expect(nextAt).toBeNull()
  })

  test('say when they were counted and when the next recount may happen', async () => {
    const survey = await addQuestions()
    await answer(survey.id, 9, { way: { choice: 'bus' } })
    expect(await getPublicResults({ ...ctx, viewer: VISITOR }, await addressOf(survey.id))).toMatchObject({
      countedAt: NOON,
      nextAt: new Date(NOON.getTime() + HOUR),
    })
  })
})

describe('for people who may not see personal data', () => {
  const seenBy = async (surveyId: string) => {
    const [survey] = await ctx.db.tx((tx) => tx.select({ projectId: surveys.projectId }).from(surveys).where(eq(surveys.id, surveyId)))
    return createCtx(runtime, site, {
      viewer: await addViewer(runtime, site, { roles: [{ role: 'project_admin', projectId: survey?.projectId ?? '' }] }),
    })
  }

  test('a filter by a suppressed option reveals nothing, nor does one that excludes a few people', async () => {
    const survey = await addQuestions()
    await answer(survey.id, 30, { way: { choice: 'bus' }, safe: 3 })
    await answer(survey.id, 9, { way: { choice: 'foot' }, safe: 3 })
    await answer(survey.id, 2, { way: { choice: 'boat' }, safe: 1 })
    const own = await seenBy(survey.id)
    const people = async (...answers: string[]) => (await getResults(own, survey.id, { answers })).responses
    expect(await people('way:boat')).toBe(0)
    // Nine went on foot, which is suppressed along with the two: the total would reveal them.
    expect(await people('way:foot')).toBe(0)
    // All but two.
    expect(await people('way:bus', 'way:foot')).toBe(0)
    expect(await people('way:bus')).toBe(30)
  })

  test('a filter before and after one answer reveals nothing about it', async () => {
    const survey = await addQuestions()
    await answer(survey.id, 30, { way: { choice: 'bus' }, safe: 3 })
    await answer(survey.id, 30, { way: { choice: 'foot' }, safe: 4 })
    const own = await seenBy(survey.id)
    const told = async () => JSON.stringify(await getResults(own, survey.id, { answers: ['way:bus'] }))
    const before = await told()
    await answer(survey.id, 1, { way: { choice: 'bus' }, safe: 1 })
    expect(await told()).toBe(before)
  })
})

describe('a place given as a point', () => {
  test('is counted in its area and its square if at least five people gave one there', async () => {
    const bay = await addSite(runtime, { slug: 'bay' })
    const [there, connector, dataset] = [createCtx(runtime, bay), createId(), createId()]
    expect(formatSquare(51.4812, -3.1805)).toBe('square:51.480,-3.190')
    await there.db.tx(async (tx) => {
      await tx
        .insert(cityConnectors)
        .values({ siteId: bay.id, id: connector, name: 'Portal', portalUrl: 'https://data.example', kind: 'ckan' })
      const given = { siteId: bay.id, connectorId: connector, sourceId: 'wards', slug: 'wards', title: {} }
      await tx.insert(cityDatasets).values({ ...given, id: dataset })
      const rings = [
        [
          [-3.2, 51.47],
          [-3.1, 51.47],
          [-3.1, 51.5],
          [-3.2, 51.5],
        ],
      ]
      await tx.insert(areas).values({ siteId: bay.id, id: createId(), datasetId: dataset, slug: 'bay', name: 'Bay', rings, postcodes: [] })
    })
    const survey = await addSurvey(runtime, bay, { definition: QUESTIONS, resultsPublic: true })
    const points = [
      ...Array.from({ length: 6 }, () => [51.4812, -3.1805]),
      ...Array.from({ length: 7 }, () => [51.4912, -3.1505]),
      [51.4712, -3.1105],
    ]
    await there.db.tx(async (tx) => {
      await tx.insert(responses).values(
        points.map(([lat = 0, lng = 0]) => ({
          siteId: bay.id,
          id: createId(),
          surveyId: survey.id,
          version: 1,
          language: 'en' as const,
          answers: { spot: { place: { lat, lng } } },
          receiptHash: randomBytes(32),
        })),
      )
      await rebuildTallies(tx, bay.id, survey.id)
    })
    const [found] = await there.db.tx((tx) =>
      tx
        .select({ project: projects.slug, survey: surveys.slug })
        .from(surveys)
        .innerJoin(projects, eq(projects.id, surveys.projectId))
        .where(eq(surveys.id, survey.id)),
    )
    const { figures } = await getPublicResults({ ...there, viewer: VISITOR }, found ?? { project: '', survey: '' })
    const spot = figures?.questions.find(({ question }) => question.id === 'spot')
    // The square with one person is not named, and another is omitted with it because the area is the sum of its squares.
    expect(spot).toMatchObject({
      shape: 'places',
      rows: [{ value: 'Bay', answered: 14, cells: [{ value: 'square:51.490,-3.160', count: 7 }] }],
    })
  })
})

describe('whatever people answer', () => {
  const anyCells = (most: number) => fc.array(fc.nat(most), { minLength: 3, maxLength: 3 })

  test('no number moves by fewer than five between two steps', () => {
    const counts = (cells: number[]): SurveyCounts => {
      const people = cells.reduce((sum, count) => sum + count, 0)
      const own = cells.map((count, index): CountedValue => ({ value: String(index + 1), count }))
      const question = { id: 'q', type: 'rating', shape: 'scale' as const, asked: people, answered: people, cells: own, rows: [] }
      const averages = { mean: 1, median: 1, score: null }
      return { responses: people, medianSeconds: null, languages: own, sources: [], questions: [{ ...question, ...averages }] }
    }
    fc.assert(
      fc.property(fc.array(anyCells(40), { minLength: 2, maxLength: 6 }), (steps) => {
        let shown = counts(steps[0] ?? [])
        for (const step of steps.slice(1)) {
          const next = moveCountsInSteps(shown, counts(step))
          const moves = [
            ...next.languages.map(({ count }, index) => (count ?? 0) - (shown.languages[index]?.count ?? 0)),
            ...(next.questions[0]?.cells ?? []).map(({ count }, index) => (count ?? 0) - (shown.questions[0]?.cells[index]?.count ?? 0)),
            next.responses - shown.responses,
          ]
          expect(moves.filter((move) => move !== 0 && Math.abs(move) < 5)).toEqual([])
          for (const [index, cell] of next.languages.entries()) expect(Math.abs((cell.count ?? 0) - (step[index] ?? 0))).toBeLessThan(5)
          shown = next
        }
      }),
    )
  })

  test('no suppressed number of a cross-table can be derived from its rows, columns and totals', () => {
    fc.assert(
      fc.property(fc.array(anyCells(30), { minLength: 2, maxLength: 5 }), (rows) => {
        const table = buildCrossTable(pairsOf(rows), { rows: rows.map((_, index) => `r${index}`), columns: ['c0', 'c1', 'c2'] })
        const told = toPublishableCrossTable(table)
        const hidden = unknownsOf(told)
        expect(solvable(hidden.equations, hidden.count)).toEqual([])
      }),
    )
  })
})

function pairsOf(rows: readonly (readonly number[])[]) {
  return rows.flatMap((row, at) =>
    row.flatMap((count, index) =>
      [`r${at}`, ''].flatMap((rowValue) => [`c${index}`, ''].map((column) => ({ row: rowValue, column, count }))),
    ),
  )
}

/** Each row and column with its total, as an equation over the suppressed numbers. */
function unknownsOf(told: ReturnType<typeof toPublishableCrossTable>) {
  const table = [
    [told.people, ...told.columns.map(({ count }) => count)],
    ...told.rows.map((row) => [row.people, ...row.cells.map(({ count }) => count)]),
  ]
  let count = 0
  const names = table.map((row) => row.map((cell) => (cell === null ? count++ : -1)))
  const lines = [...names, ...(names[0] ?? []).map((_, column) => names.map((row) => row[column] ?? -1))]
  const equations = lines.map((line) =>
    Array.from({ length: count }, (_, unknown) => (line[0] === unknown ? -1 : line.includes(unknown) ? 1 : 0)),
  )
  return { equations, count }
}

/** The unknowns with a unique solution: their row of the reduced matrix contains no other. */
function solvable(equations: readonly number[][], count: number): number[] {
  const rows = equations.map((row) => [...row])
  let top = 0
  for (let column = 0; column < count && top < rows.length; column++) {
    const at = rows.findIndex((row, index) => index >= top && Math.abs(row[column] ?? 0) > 1e-9)
    if (at < 0) continue
    const [pivot] = rows.splice(at, 1)
    if (!pivot) continue
    rows.splice(top, 0, pivot)
    const by = pivot[column] ?? 1
    for (const [index, value] of pivot.entries()) pivot[index] = value / by
    for (const row of rows) {
      const factor = row === pivot ? 0 : (row[column] ?? 0)
      if (factor !== 0) for (const [index, value] of pivot.entries()) row[index] = (row[index] ?? 0) - factor * value
    }
    top++
  }
  return rows.flatMap((row) => {
    const others = row.flatMap((value, index) => (Math.abs(value) > 1e-9 ? [index] : []))
    return others.length === 1 ? others : []
  })
}

test('figures that were counted in a transaction are read in the same one, also of surveys that few have answered', async () => {
  for (const [people, shown] of [
    [0, undefined],
    [4, undefined],
    [5, 5],
  ] as const) {
    const { id, projectId } = await addQuestions()
    if (people > 0) await answer(id, people, { way: { choice: 'bus' } })
    const found = await ctx.db.tx(async (tx) => {
      await countPublicFigures(ctx, tx, projectId)
      const [placed] = await loadAskedSurveys(ctx, tx, projectId)
      // A second transaction would wait for this one, which holds the survey.
      return placed && loadPublicFigures({ ...ctx, runtime: { ...ctx.runtime, database: forbidden } }, tx, placed)
    })
    expect(found?.responses).toBe(shown)
  }
})

const forbidden = new Proxy({} as TestRuntime['database'], {
  get: () => {
    throw new Error('another transaction')
  },
})
