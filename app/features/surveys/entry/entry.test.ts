import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { Site } from '#app/server/site-directory.ts'
import { SAMPLES, listSampleQuestions } from '#tests/factories/questions.ts'
import { addPerson, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { exportResponses } from '../export/export-responses.server.ts'
import { getResults } from '../results/results.server.ts'
import type { Answers, QuestionType } from '../surveys.schema.ts'
import { storePaperResponse, importResponses } from './entry.server.ts'
import { readResponses, type TableToRead } from './read-table.server.ts'
import { uploadResponses } from './table-upload.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Viewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})
const ctx = (viewer = admin) => createCtx(runtime, site, { viewer })
const stored = (survey: string) =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(responses).where(eq(responses.surveyId, survey)).orderBy(responses.number))
const actions = () =>
  runtime.database
    .site(site.id)
    .tx(async (tx) => (await tx.select({ action: auditEvents.action }).from(auditEvents)).map(({ action }) => action))
const sheet = (survey: string, answers: Answers) => ({ survey, answers, id: v7(), sendKey: 'k'.repeat(22), language: 'cy' as const })

describe('a paper response', () => {
  test('is stored once with its source and language, including blanks, even after the survey closed', async () => {
    const survey = await addSurvey(runtime, site, { closesAt: new Date('2026-01-02T00:00:00Z') })
    const given = sheet(survey.id, { safe: 4 })
    await storePaperResponse(ctx(), given)
    await storePaperResponse(ctx(), given)
    expect(await stored(survey.id)).toMatchObject([{ source: 'paper', language: 'cy', answers: { safe: 4 }, seconds: null, userId: null }])
    expect(await getResults(ctx(), survey.id)).toMatchObject({ responses: 1, sources: [{ value: 'paper', count: 1 }] })
    expect((await actions()).filter((action) => action === 'responses.paper')).toHaveLength(1)
  })

  test("that breaks a question's rule, or is empty, is refused", async () => {
    const survey = await addSurvey(runtime, site)
    await expect(storePaperResponse(ctx(), sheet(survey.id, { safe: 9 }))).rejects.toMatchObject({
      faults: [{ code: 'not-a-choice', pointer: '/answers/safe' }],
    })
    await expect(storePaperResponse(ctx(), sheet(survey.id, {}))).rejects.toMatchObject({ code: 'invalid' })
    expect(await stored(survey.id)).toEqual([])
  })

  test('can be entered only by editors of the survey, and only after it was published', async () => {
    const survey = await addSurvey(runtime, site)
    const stranger = await addPerson(runtime, site)
    await expect(storePaperResponse(ctx(stranger), sheet(survey.id, { safe: 4 }))).rejects.toMatchObject({ code: 'forbidden' })
    const draft = await addSurvey(runtime, site, { status: 'draft' })
    await expect(storePaperResponse(ctx(), sheet(draft.id, { safe: 4 }))).rejects.toMatchObject({ code: 'not-published' })
  })
})

describe('a table of responses', () => {
  const HEAD = 'Name,How do you travel?,What should come?,How safe?,Sent\r\n'
  const columns = ['name', 'mode', 'want', 'safe', 'submitted_at']

  test('is previewed first: its columns, sample values, and their likely targets', async () => {
    const survey = await addSurvey(runtime, site)
    const report = await importResponses(ctx(), { survey: survey.id, text: `\uFEFF${HEAD}Fern,By bus,Trees; Shade,3,\r\n` })
    expect(report).toMatchObject({ rows: 1, stored: 0, faults: [] })
    expect(report.columns.map(({ heading, target }) => [heading, target])).toEqual([
      ['Name', 'name'],
      ['How do you travel?', 'mode'],
      ['What should come?', 'want'],
      ['How safe?', 'safe'],
      ['Sent', ''],
    ])
    expect(report.columns[2]?.samples).toEqual(['Trees; Shade'])
    expect(await stored(survey.id)).toEqual([])
  })

  test('is imported as a whole, by labels in any language or by codes, and marked as imported', async () => {
    const survey = await addSurvey(runtime, site)
    const text = `${HEAD}Fern,By bus,Trees; Shade,3,2026-02-03T10:00:00Z\r\n"Oak, west",on foot (FR),none,,\r\n'=SUM,bus,seats,5,\r\n`
    const report = await importResponses(ctx(), { survey: survey.id, text, columns })
    expect(report).toMatchObject({ stored: 3, faults: [] })
    expect((await stored(survey.id)).map(({ answers, source }) => ({ source, ...(answers as object) }))).toEqual([
      { source: 'import', name: 'Fern', mode: { choice: 'bus' }, want: { choices: ['trees', 'shade'] }, safe: 3 },
      { source: 'import', name: 'Oak, west', mode: { choice: 'foot' }, want: { choices: ['none'] } },
      { source: 'import', name: '=SUM', mode: { choice: 'bus' }, want: { choices: ['seats'] }, safe: 5 },
    ])
    expect((await stored(survey.id))[0]?.submittedAt).toEqual(new Date('2026-02-03T10:00:00Z'))
    expect(await getResults(ctx(), survey.id)).toMatchObject({ responses: 3, sources: [{ value: 'import', count: 3 }] })
    expect(await actions()).toContain('responses.import')
  })

  test('reads a moment without an offset on the site’s clocks, and refuses one that could be two days', async () => {
    const toronto = await addSite(runtime, { slug: 'toronto', timeZone: 'America/Toronto' })
    const clerk = createCtx(runtime, toronto, { viewer: await addPerson(runtime, toronto, { roles: [{ role: 'site_admin' }] }) })
    const survey = await addSurvey(runtime, toronto)
    const lines = (...sent: string[]) => HEAD + sent.map((when) => `Fern,By bus,,3,${when}\r\n`).join('')
    const text = lines('2026-02-03 17:30', '2026-02-03', '2026-07-03T17:30:05', '2026-02-03T17:30:00Z', '2026-02-03T17:30+02:00')
    expect(await importResponses(clerk, { survey: survey.id, text, columns })).toMatchObject({ stored: 5, faults: [] })
    const rows = await runtime.database
      .site(toronto.id)
      .tx((tx) => tx.select().from(responses).where(eq(responses.surveyId, survey.id)).orderBy(responses.number))
    expect(rows.map(({ submittedAt }) => submittedAt.toISOString())).toEqual([
      '2026-02-03T22:30:00.000Z',
      '2026-02-03T05:00:00.000Z',
      '2026-07-03T21:30:05.000Z',
      '2026-02-03T17:30:00.000Z',
      '2026-02-03T15:30:00.000Z',
    ])
    const refused = await importResponses(clerk, { survey: survey.id, text: lines('03/04/2026', '2026-02-30', 'Feb 3 2026'), columns })
    expect(refused).toMatchObject({ stored: 0 })
    expect(refused.faults).toEqual([2, 3, 4].map((row) => ({ row, column: 'Sent', code: 'not-a-date' })))
  })

  test('numbers rows as a spreadsheet does, empty ones included', async () => {
    const survey = await addSurvey(runtime, site)
    const text = `${HEAD}Fern,By bus,,3,\r\n\r\n\r\nOak,By rocket,,3,\r\n`
    const report = await importResponses(ctx(), { survey: survey.id, text, columns })
    expect(report).toMatchObject({ rows: 2, stored: 0, faults: [{ row: 5, column: 'How do you travel?', code: 'not-a-choice' }] })
  })

  test('with one invalid row stores nothing, and reports that row', async () => {
    const survey = await addSurvey(runtime, site)
    const text = `${HEAD}Fern,By bus,,3,\r\nOak,By rocket,,7,tomorrow\r\n,,,,\r\n`
    const report = await importResponses(ctx(), { survey: survey.id, text, columns })
    expect(report.stored).toBe(0)
    expect(report.faults).toEqual([
      { row: 3, column: 'Sent', code: 'not-a-date' },
      { row: 3, column: 'How do you travel?', code: 'not-a-choice' },
      { row: 3, column: 'How safe?', code: 'not-a-choice' },
      { row: 4, column: '', code: 'required' },
    ])
    expect(await stored(survey.id)).toEqual([])
    expect(await getResults(ctx(), survey.id)).toMatchObject({ responses: 0 })
  })

  test.each([
    ['nothing', ''],
    ['a heading alone', HEAD],
    ['an archive', 'PK\u0003\u0004\0\0'],
    ['another encoding', 'Name\r\nF\uFFFDrn\r\n'],
    ['a quote that never ends', 'Name\r\n"Fern\r\n'],
  ])('that is %s is refused without a trace', async (_, text) => {
    const survey = await addSurvey(runtime, site)
    await expect(importResponses(ctx(), { survey: survey.id, text, columns })).rejects.toMatchObject({
      faults: [{ code: 'unreadable-file', pointer: '/file' }],
    })
    expect(await stored(survey.id)).toEqual([])
  })

  test('exported from a survey with every question type can be imported unchanged', async () => {
    const definition = { schema: 1 as const, pages: [{ id: 'p', questions: listSampleQuestions() }] }
    const [from, to] = [await addSurvey(runtime, site, { definition }), await addSurvey(runtime, site, { definition })]
    const answers = Object.fromEntries(
      Object.entries(SAMPLES).flatMap(([id, { answer }]) => (answer === undefined ? [] : [[id as QuestionType, answer]])),
    )
    await storePaperResponse(ctx(), sheet(from.id, answers))
    const { pieces } = await exportResponses(ctx(), { surveyId: from.id, format: 'csv', personal: false })
    const taken: Uint8Array[] = []
    for await (const piece of pieces) taken.push(piece)
    const text = Buffer.concat(taken).toString('utf8')
    const first = await importResponses(ctx(), { survey: to.id, text })
    const report = await importResponses(ctx(), { survey: to.id, text, columns: first.columns.map(({ target }) => target) })
    expect(report.faults).toEqual([])
    expect((await stored(to.id))[0]?.answers).toEqual((await stored(from.id))[0]?.answers)
  })
})

describe('a file that is imported again', () => {
  const text = 'name,safe\r\nFern,1\r\nFern,1\r\nOak,2\r\n'
  const columns = ['name', 'safe']

  test('stores nothing twice, equal rows included, and another file with the same rows is another file', async () => {
    const survey = await addSurvey(runtime, site)
    expect(await importResponses(ctx(), { survey: survey.id, text, columns })).toMatchObject({ stored: 3, existing: 0 })
    const before = (await actions()).filter((action) => action === 'responses.import').length
    expect(await importResponses(ctx(), { survey: survey.id, text, columns })).toMatchObject({ stored: 0, existing: 3, faults: [] })
    expect((await actions()).filter((action) => action === 'responses.import')).toHaveLength(before)
    expect(await importResponses(ctx(), { survey: survey.id, text: `${text}Ash,3\r\n`, columns })).toMatchObject({ stored: 4 })
    expect(await stored(survey.id)).toHaveLength(7)
    expect(await getResults(ctx(), survey.id)).toMatchObject({ responses: 7 })
  })

  test('by two people at once, stores each row once', async () => {
    const survey = await addSurvey(runtime, site)
    const reports = await Promise.all([1, 2].map(() => importResponses(ctx(), { survey: survey.id, text, columns })))
    expect(reports.map((report) => report.stored).toSorted()).toEqual([0, 3])
    expect(await stored(survey.id)).toHaveLength(3)
  })

  test('is known by the numbers of its responses, if it has them: only new ones are stored', async () => {
    const survey = await addSurvey(runtime, site)
    const numbered = (...rows: string[]) => `response,name\r\n${rows.map((row) => `${row}\r\n`).join('')}`
    const targets = ['response', 'name']
    const first = await importResponses(ctx(), { survey: survey.id, text: numbered('1,Fern', '2,Oak'), columns: targets })
    expect(first).toMatchObject({ stored: 2 })
    const second = await importResponses(ctx(), { survey: survey.id, text: numbered('2,Oak', '3,Ash'), columns: targets })
    expect(second).toMatchObject({ stored: 1, existing: 1 })
    const twice = await importResponses(ctx(), { survey: survey.id, text: numbered('4,Elm', '4,Yew'), columns: targets })
    expect(twice).toMatchObject({ stored: 0, faults: [{ row: 3, column: 'response', code: 'taken' }] })
  })

  test('and was exported from the survey itself, adds nothing', async () => {
    const survey = await addSurvey(runtime, site)
    await importResponses(ctx(), { survey: survey.id, text, columns })
    const exported = await readExport(survey.id, 'csv')
    const { columns: found } = await importResponses(ctx(), { survey: survey.id, text: exported })
    const again = await importResponses(ctx(), { survey: survey.id, text: exported, columns: found.map(({ target }) => target) })
    expect(again).toMatchObject({ stored: 0, existing: 3, faults: [] })
  })
})

async function readExport(surveyId: string, format: 'csv' | 'json'): Promise<string> {
  const { pieces } = await exportResponses(ctx(), { surveyId, format, personal: false })
  const taken: Uint8Array[] = []
  for await (const piece of pieces) taken.push(piece)
  return Buffer.concat(taken).toString('utf8')
}

describe('answers in our own JSON', () => {
  const definition = { schema: 1 as const, pages: [{ id: 'p', questions: listSampleQuestions() }] }
  const answers = Object.fromEntries(
    Object.entries(SAMPLES).flatMap(([id, { answer }]) => (answer === undefined || id === 'file' ? [] : [[id, answer]])),
  )

  test('of every type of question arrive as they were, with their time and language', async () => {
    const [from, to] = [await addSurvey(runtime, site, { definition }), await addSurvey(runtime, site, { definition })]
    await storePaperResponse(ctx(), sheet(from.id, answers))
    const text = await readExport(from.id, 'json')
    const preview = await importResponses(ctx(), { survey: to.id, text })
    expect(preview).toMatchObject({ rows: 1, holds: 'answers', stored: 0 })
    const targets = preview.columns.map(({ target }) => target)
    expect(targets.slice(0, 3)).toEqual(['response', 'submitted_at', 'language'])
    expect(await importResponses(ctx(), { survey: to.id, text, columns: targets })).toMatchObject({ stored: 1, faults: [] })
    const [[before], [after]] = [await stored(from.id), await stored(to.id)]
    expect(after).toMatchObject({ answers: before?.answers, submittedAt: before?.submittedAt, language: 'cy', source: 'import' })
    expect(await importResponses(ctx(), { survey: to.id, text, columns: targets })).toMatchObject({ stored: 0, existing: 1 })
  })

  test('of a question that the survey does not ask are shown as ignored, and those that do not fit are refused by row', async () => {
    const from = await addSurvey(runtime, site, { definition })
    const to = await addSurvey(runtime, site)
    await storePaperResponse(ctx(), sheet(from.id, answers))
    const text = await readExport(from.id, 'json')
    const { columns } = await importResponses(ctx(), { survey: to.id, text })
    expect(columns.filter(({ target }) => target !== '').map(({ heading }) => heading)).toEqual(['response', 'submitted_at', 'language'])
    const wrong = columns.map(({ heading }) => (heading.endsWith('[several_choices]') ? 'safe' : ''))
    expect((await importResponses(ctx(), { survey: to.id, text, columns: wrong })).faults).toEqual([
      { row: 1, column: 'A question of type several_choices [several_choices]', code: 'not-a-choice' },
    ])
    expect(await stored(to.id)).toEqual([])
  })

  test('are read by the 20,000', async () => {
    const survey = await addSurvey(runtime, site)
    const file = JSON.parse(await readExport(survey.id, 'json')) as object
    const text = JSON.stringify({
      ...file,
      responses: Array.from({ length: 20_000 }, (_, index) => ({
        id: `r${index}`,
        submittedAt: '2026-02-03T10:00:00.000Z',
        language: 'en',
        answers: { name: `Street ${index}`, mode: { choice: 'bus' }, ideas: 'More benches, more trees and a crossing. '.repeat(15) },
      })),
    })
    expect(text.length).toBeGreaterThan(12_000_000)
    const given: TableToRead = {
      text,
      columns: undefined,
      definition: survey.definition,
      language: 'en',
      locale: site.locale,
      languages: site.languages,
      timeZone: site.timeZone,
      now: new Date('2026-11-24T00:00:00Z'),
    }
    const { report } = readResponses(given)
    const { rows, report: read } = readResponses({ ...given, columns: report.columns.map(({ target }) => target) })
    expect([rows.length, read.faults]).toEqual([20_000, []])
  })
})

describe('an upload of responses', () => {
  const send = async (viewer: Viewer, survey: string, text: string, columns?: readonly string[]) => {
    const body = new FormData()
    if (columns) body.set('columns', JSON.stringify(columns))
    body.set('file', new File([text], 'answers.csv'))
    const form = new Response(body)
    const request = new Request(`http://riverbend.localhost/admin/surveys/${survey}/responses/import.json`, {
      method: 'POST',
      headers: { 'content-type': form.headers.get('content-type') ?? '' },
      body: await form.arrayBuffer(),
    })
    const answer = await uploadResponses({ context: requestContext(ctx(viewer)), params: { survey }, request })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  test('previews, then stores, or says what is wrong; of nobody else is anything read', async () => {
    const survey = await addSurvey(runtime, site)
    // More than fits into a call of the interface.
    const large = `name,safe\r\n${'Fern,1\r\n'.repeat(3)}${`"${'x'.repeat(900)}",2\r\n`.repeat(2500)}`
    expect(large.length).toBeGreaterThan(2_000_000)
    expect(await send(admin, survey.id, large)).toMatchObject({ status: 200, body: { rows: 2503, stored: 0 } })
    expect(await send(admin, survey.id, 'name\r\nFern\r\n', ['name'])).toMatchObject({ status: 200, body: { stored: 1 } })
    expect(await send(admin, survey.id, 'PK\0', ['name'])).toMatchObject({ status: 422, body: { error: { code: 'unreadable-file' } } })
    expect(await send({ kind: 'visitor' }, survey.id, large)).toMatchObject({ status: 401 })
    expect(await send(await addPerson(runtime, site), survey.id, large)).toMatchObject({ status: 403 })
    expect(await send(admin, 'nowhere', large)).toMatchObject({ status: 404 })
  })
})

test('imported responses are numbered and counted like any others', async () => {
  const survey = await addSurvey(runtime, site)
  await importResponses(ctx(), { survey: survey.id, text: 'safe\r\n1\r\n2\r\n', columns: ['safe'] })
  await storePaperResponse(ctx(), sheet(survey.id, { safe: 3 }))
  expect((await stored(survey.id)).map(({ number }) => number)).toEqual([0, 1, 2])
  const { rows } = await runtime.database
    .site(site.id)
    .tx((tx) => tx.execute(sql`select responses_count as count, responses_numbered as numbered from surveys where id = ${survey.id}`))
  expect(rows).toEqual([{ count: 3, numbered: 3 }])
})
