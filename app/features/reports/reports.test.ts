import { parse } from 'csv-parse/sync'
import mammoth from 'mammoth'
import { eq, sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { countResponses } from '#app/features/dashboard/count-responses.server.ts'
import { readDashboard } from '#app/features/dashboard/dashboard.server.ts'
import { getActivityResults } from '#app/features/contributions/results/activity-results.server.ts'
import { readReachSummary } from '#app/features/reach/reach.server.ts'
import { rollUpReach } from '#app/features/reach/roll-up.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { getResults } from '#app/features/surveys/results/results.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { officialResponses } from '#app/server/db/schema/contributions.ts'
import { projectAreas } from '#app/server/db/schema/areas.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { hubs } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { serveReportFile, showReport } from './report-files.server.ts'
import { projectFiguresResource } from './reports.resource.server.ts'
import { readReport } from './report.server.ts'
import type { ReportView } from './report.schema.ts'
import { choosePeriodBefore, findPeriodFault, listSteps, readReportSearch, type ReportSearch } from './report.search.ts'

/** Half past eight in the evening of 14 May in Toronto, and 15 May in UTC. */
const NOW = new Date('2026-05-15T00:30:00Z')
const TITLE = 'Bus #1 $x$ *b* ] @a'
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let hubAdmin: SignedInViewer
let bus: { id: string }
let trees: { id: string }
let survey: { id: string }
let ideas: { id: string }

const as = (viewer: Ctx['viewer'] = admin, language: Language = 'en') => createCtx(runtime, site, { viewer, language })
const ofBoth = (): ReportSearch => ({ projects: [bus.id, trees.id], from: '2026-05-01', until: '2026-05-14' })

async function answerOn(at: Date, choice: 'bus' | 'foot', viewer?: SignedInViewer) {
  runtime.setNow(at)
  const ctx = createCtx(runtime, site, viewer && { viewer })
  const sent = { id: v7({ msecs: at.getTime() }), sendKey: 'k'.repeat(22), answers: { name: 'Elm', mode: { choice } } }
  await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), sent)
}

function findTable(view: ReportView, id: string) {
  const table = view.parts.find((part) => part.id === id)?.blocks.find((block) => block.kind === 'table')
  if (!table) throw new Error(`There is no table in ${id}`)
  return table
}
const valuesOf = (view: ReportView, id: string) => findTable(view, id).rows.map((cells) => cells.map(({ value }) => value))

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  const hubId = createId()
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'roads', title: inAllLanguages('Roads') }))
  hubAdmin = await addPerson(runtime, site, { roles: [{ role: 'hub_admin', hubId }] })
  bus = await addProject(runtime, site, { title: inAllLanguages(TITLE), hubId })
  trees = await addProject(runtime, site, { title: inAllLanguages('Trees') })
  await addProject(runtime, site, { title: inAllLanguages('A draft'), status: 'draft', publishedAt: null })
  survey = await addSurvey(runtime, site, { projectId: bus.id })
  ideas = await addActivity(runtime, site, { projectId: trees.id, kind: 'ideas' })
  const person = await addPerson(runtime, site)
  for (let count = 0; count < 7; count++) await answerOn(new Date('2026-05-04T16:00:00Z'), 'bus')
  await answerOn(new Date('2026-05-06T16:00:00Z'), 'foot', person)
  for (let count = 0; count < 5; count++) await answerOn(new Date('2026-05-06T16:00:00Z'), 'foot')
  await answerOn(new Date('2026-05-08T16:00:00Z'), 'bus')
  // Still 30 April in Toronto.
  await answerOn(new Date('2026-05-01T03:00:00Z'), 'foot')
  for (let number = 1; number <= 3; number++) {
    const { id } = await addContribution(runtime, site, {
      activityId: ideas.id,
      number,
      supports: number,
      submittedAt: new Date('2026-05-05T12:00:00Z'),
      publishedAt: new Date('2026-05-05T12:00:00Z'),
    })
    if (number === 1)
      await as().db.tx((tx) =>
        tx.insert(officialResponses).values({
          siteId: site.id,
          id: createId(),
          contributionId: id,
          version: 1,
          text: { en: 'Yes' },
          team: { en: 'Parks' },
          visibility: 'public',
          createdBy: admin.id,
          createdAt: new Date('2026-05-07T12:00:00Z'),
        }),
      )
  }
  await addContribution(runtime, site, { activityId: ideas.id, number: 4, state: 'held', submittedAt: new Date('2026-05-05T12:00:00Z') })
  await addContribution(runtime, site, { activityId: ideas.id, number: 5, submittedAt: new Date('2026-03-05T12:00:00Z') })
  runtime.setNow(NOW)
  await countResponses(runtime)
  await rollUpReach(runtime)
})

describe('the figures of a report', () => {
  test('are those of rows, in the days of the site', async () => {
    const report = await readReport(as(), ofBoth())
    const { rows } = await as().db.read((tx) =>
      tx.execute<{ answers: number }>(sql`
        select count(*)::int as answers from responses where site_id = ${site.id} and withdrawn_at is null
          and (submitted_at at time zone 'America/Toronto')::date between '2026-05-01' and '2026-05-14'`),
    )
    expect(report.answers.total).toBe(rows[0]?.answers)
    expect(report.answers.total).toBe(14)
    expect([...report.answers.days]).toEqual(
      expect.arrayContaining([
        ['2026-05-04', 7],
        ['2026-05-06', 6],
      ]),
    )
    expect(report.contributions).toMatchObject({ total: 3, held: 1, supports: 6, answered: 1, medianDays: 2 })
    expect(report.moderation).toMatchObject({ held: 1, decided: 0, appealed: 0 })
    // Everybody who answered is another person, and so is everybody who contributed, also with what still waits.
    expect(report.reach.totals.engaged).toBe(14 + 4)
    expect(report.isRunning).toBe(true)
  })

  test('equal those of the dashboard, of reach, of the survey and of the activity', async () => {
    const year: ReportSearch = { days: 365 }
    const one = await readReport(as(), { ...year, projects: [bus.id] })
    const board = await readDashboard(as(await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: bus.id }] })))
    expect(one.answers.total).toBe(board.responses)
    for (const { id } of [bus, trees]) {
      const { reach } = await readReport(as(), { ...year, projects: [id] })
      const { aware, informed, engaged } = reach.totals
      expect({ aware, informed, engaged }).toEqual((await readReachSummary(as(), { kind: 'project', id }, 365))?.totals)
    }
    const results = await getResults(as(), survey.id)
    expect(one.surveys?.surveys.map(({ answers, medianSeconds }) => [answers, medianSeconds])).toEqual([
      [results.responses, results.medianSeconds],
    ])
    const activity = await getActivityResults(as(), ideas.id)
    const { contributions } = await readReport(as(), { ...year, projects: [trees.id] })
    expect(contributions).toMatchObject({
      total: activity.total,
      supports: activity.supports,
      replies: activity.replies,
      answered: activity.answered.count,
      medianDays: activity.answered.medianDays,
    })
  })

  test('are those of the API', async () => {
    const filter = { project: [bus.id, trees.id], from: '2026-05-01', until: '2026-05-14' }
    const page = { number: 1, size: 10, limit: 10, offset: 0 }
    const found = await projectFiguresResource.implementation.list?.(as(), { filter, page, sort: [] })
    const view = await showReport(as(), ofBoth())
    const rows = found?.rows.map((row) => projectFiguresResource.implementation.attributes(row, as(), {})) ?? []
    const shown = rows.map(({ title, aware, engaged, answers, contributions, supports }) => [
      title,
      aware,
      engaged,
      answers,
      contributions,
      supports,
    ])
    expect(shown).toEqual(valuesOf(view, 'projects').slice(0, -1))
    expect(found?.meta?.['totals']).toMatchObject({ engaged: 18, answers: 14, contributions: 3 })
    const wrong = projectFiguresResource.implementation.list?.(as(), { filter: { ...filter, until: '2026-04-01' }, page, sort: [] })
    await expect(wrong).rejects.toMatchObject({ faults: [{ code: 'invalid-parameter', parameter: 'filter[until]' }] })
  })

  test('add up: days, projects and kinds to their totals', async () => {
    const view = await showReport(as(), { ...ofBoth(), by: 'week' })
    for (const id of ['activity', 'projects', 'contributions']) {
      const values = valuesOf(view, id)
      const [total, rows] = [values.at(-1), values.slice(0, -1)]
      for (const column of id === 'contributions' ? [1, 2, 3, 4] : [1, 2, 3])
        expect(rows.reduce((sum, row) => sum + Number(row[column]), 0)).toBe(total?.[column])
    }
    expect(valuesOf(view, 'activity').map(([start]) => start)).toEqual(['2026-04-27', '2026-05-04', '2026-05-11', 'All together'])
  })

  test('are compared with the days before, and with those of the year before', async () => {
    expect((await readReport(as(), { ...ofBoth(), compare: 'before' })).before).toMatchObject({
      period: { from: '2026-04-17', until: '2026-04-30' },
      answers: 1,
      contributions: 0,
    })
    expect(choosePeriodBefore({ from: '2028-02-29', until: '2028-03-01' }, 'year')).toEqual({ from: '2027-02-28', until: '2027-03-01' })
  })

  test('say what was chosen most, and nothing of small groups', async () => {
    const { surveys: read } = await readReport(as(), ofBoth())
    expect(read?.surveys[0]?.said).toEqual([
      {
        question: 'How do you travel?',
        finding: '8 of 14 people chose “By bus”.',
        most: { option: 'By bus', count: 8 },
        answered: 14,
      },
    ])
    const alone = await readReport(as(), { ...ofBoth(), from: '2026-05-07' })
    expect(alone.answers.total).toBe(1)
    expect(alone.surveys?.surveys[0]).toMatchObject({ medianSeconds: null, said: [] })
    const { parts } = await showReport(as(), { ...ofBoth(), from: '2026-05-07' })
    expect(parts.some(({ id }) => id === 'said')).toBe(false)
  })

  test('need few statements', async () => {
    const sections = [
      'short',
      'funnel',
      'activity',
      'projects',
      'decisions',
      'contributions',
      'languages',
      'messages',
      'moderation',
    ] as const
    const { statements } = await recordDatabaseUse(runtime, () => readReport(as(), { ...ofBoth(), sections: [...sections] }))
    expect(statements.length).toBeLessThanOrEqual(12)
  })
})

describe('decisions', () => {
  test('are those that were published and taken in the period, with how far they are', async () => {
    const add = (number: number, more: Partial<typeof decisions.$inferInsert> = {}) =>
      as().db.tx((tx) =>
        tx.insert(decisions).values({
          siteId: site.id,
          id: createId(),
          projectId: bus.id,
          number,
          title: { en: `Decision ${number}` },
          outcome: 'taken_up',
          reason: { en: 'Most people asked for it.' },
          decidedOn: '2026-05-10',
          publishedAt: NOW,
          ...more,
        }),
      )
    await add(1, { delivery: 'under_way', dueOn: '2026-05-13' })
    await add(2, { publishedAt: null })
    await add(3, { decidedOn: '2026-04-30' })
    await add(4, { outcome: 'later', dueOn: '2026-05-14' })
    const view = await showReport(as(), ofBoth())
    const cells = findTable(view, 'decisions').rows.map((row) => row.map(({ text }) => text))
    expect(cells).toEqual([
      ['Decision 1', TITLE, '–', 'Taken up', 'Under way', '13 May 2026, late'],
      ['Decision 4', TITLE, '–', 'Later', 'Planned', '14 May 2026'],
    ])
    expect((await showReport(as(), { ...ofBoth(), projects: [trees.id] })).parts.some(({ id }) => id === 'decisions')).toBe(false)
    await as().db.tx((tx) => tx.delete(decisions).where(eq(decisions.siteId, site.id)))
  })
})

describe('who reads a report', () => {
  test('sees only projects of their role, and how many are left out', async () => {
    const report = await readReport(as(hubAdmin), ofBoth())
    expect(report.projects.map(({ id }) => id)).toEqual([bus.id])
    expect(report.hidden).toBe(1)
    expect(report.contributions.total).toBe(0)
    const { remarks } = await showReport(as(hubAdmin), ofBoth())
    expect(remarks).toContain('1 more project matches, but it is hidden from your role and is not in these figures.')
    await expect(readReport(as(VISITOR), ofBoth())).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(readReport(as(await addPerson(runtime, site)), ofBoth())).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('learns that no project is left', async () => {
    const view = await showReport(as(), { states: ['upcoming'] })
    expect(view).toMatchObject({ projects: [], parts: [] })
    expect(view.remarks).toContain('No project matches these filters, so there is nothing to report.')
    expect((await showReport(as(hubAdmin), { projects: [trees.id] })).projects).toEqual([])
  })

  test('is told what is wrong with the days', async () => {
    const wrong = readReportSearch({ from: '2026-05-10', until: '2026-05-01' })
    expect(findPeriodFault(wrong, '2026-05-14')).toEqual({ field: 'until', fault: 'until-before-from' })
    expect(findPeriodFault({ from: '2026-02-30' }, '2026-05-14')).toEqual({ field: 'from', fault: 'no-such-day' })
    expect(findPeriodFault({ from: '1990-01-01' }, '2026-05-14')).toEqual({ field: 'from', fault: 'period-too-long' })
    await expect(readReport(as(), wrong)).rejects.toMatchObject({ code: 'invalid-parameter' })
  })

  test('can narrow it by department and by state', async () => {
    const ids = async (search: ReportSearch) => (await readReport(as(), search)).projects.map(({ id }) => id)
    expect(await ids({ hubs: hubAdmin.roles.flatMap(({ hubId }) => hubId ?? []) })).toEqual([bus.id])
    expect(new Set(await ids({ states: ['open'] }))).toEqual(new Set([bus.id, trees.id]))
    expect(await ids({ states: ['archived'] })).toEqual([])
  })

  test('can narrow it by what people can take part in, and by area', async () => {
    const ids = async (search: Record<string, unknown>) =>
      (await readReport(as(), readReportSearch({ ...search, sections: 'projects' }))).projects.map(({ id }) => id)
    expect(await ids({ activities: 'surveys' })).toEqual([bus.id])
    expect(await ids({ activities: 'ideas' })).toEqual([trees.id])
    expect(new Set(await ids({ activities: ['surveys', 'ideas'] }))).toEqual(new Set([bus.id, trees.id]))
    await addActivity(runtime, site, { projectId: bus.id, kind: 'stories', status: 'draft' })
    for (const none of ['stories', 'places', 'questions', 'budgets', 'events']) expect(await ids({ activities: none })).toEqual([])
    const { North: north = '', South: south = '' } = await addAreas(runtime, site, [
      { name: 'North', west: 0, south: 0, side: 1 },
      { name: 'South', west: 0, south: 2, side: 1 },
    ])
    await as().db.tx((tx) => tx.insert(projectAreas).values({ siteId: site.id, projectId: bus.id, areaId: north }))
    expect(await ids({ areas: north })).toEqual([bus.id])
    expect(await ids({ areas: [north, south] })).toEqual([bus.id])
    expect(await ids({ areas: south })).toEqual([])
    expect(await ids({ areas: north, activities: 'ideas' })).toEqual([])
    // Whose figures they are does not change them.
    const narrow = await readReport(as(), { areas: [north], from: '2026-05-01', until: '2026-05-14' })
    const same = await readReport(as(), { projects: [bus.id], from: '2026-05-01', until: '2026-05-14' })
    expect([narrow.reach, narrow.answers]).toEqual([same.reach, same.answers])
    const page = { number: 1, size: 10, limit: 10, offset: 0 }
    const list = async (filter: object) =>
      (await projectFiguresResource.implementation.list?.(as(), { filter, page, sort: [] }))?.rows.map(({ id }) => id)
    expect(await list({ area: [north] })).toEqual([bus.id])
    expect(await list({ activity: ['ideas'] })).toEqual([trees.id])
    expect((await readReport(as(hubAdmin), { activities: ['surveys', 'ideas'] })).hidden).toBe(1)
  })
})

test('weeks begin on Monday, and no change of the clocks skips a day', () => {
  expect(listSteps({ from: '2026-03-07', until: '2026-03-09' }, 'day')).toEqual(['2026-03-07', '2026-03-08', '2026-03-09'])
  expect(listSteps({ from: '2026-05-10', until: '2026-05-11' }, 'week')).toEqual(['2026-05-04', '2026-05-11'])
  expect(listSteps({ from: '2026-01-31', until: '2026-02-01' }, 'month')).toEqual(['2026-01-01', '2026-02-01'])
})

describe('a report as a file', () => {
  const download = async (format: string, language: Language, search = '', viewer: Ctx['viewer'] = admin, until = '2026-05-14') => {
    const query = `projects=${bus.id}&projects=${trees.id}&from=2026-05-01&until=${until}&language=${language}${search}`
    const request = new Request(`http://x/admin/reports/download/${format}?${query}`)
    const answer = await serveReportFile({ context: { ctx: as(viewer) } as never, params: { format }, request })
    return { status: answer.status, type: answer.headers.get('content-type'), bytes: new Uint8Array(await answer.arrayBuffer()) }
  }

  test.each(['en', 'fr-CA', 'cy'] as const)(
    'is a PDF in %s with the figures of the page, and shows names as they are',
    async (language) => {
      const { status, bytes } = await download('pdf', language, '&title=%23panic()%20*x*&head=Item%20%237')
      expect(status).toBe(200)
      const read = await readPdf(bytes)
      const view = await showReport(as(admin, language), { ...ofBoth(), title: '#panic() *x*' })
      expect(read).toMatchObject({ language, title: '#panic() *x*' })
      expect(read.text).toContain('Item #7')
      expect(read.texts('H1').slice(1, -1)).toEqual(view.parts.map(({ heading }, index) => `${index + 1} ${heading}`))
      const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '')
      const cells = read.texts('TD').map(withoutSpaces)
      const projects = findTable(view, 'projects')
        .rows.flat()
        .map(({ text }) => withoutSpaces(text))
      expect(cells.join('|')).toContain(projects.join('|'))
      expect(projects[0]).toBe(withoutSpaces(language === 'en' ? TITLE : `${TITLE} (${language === 'cy' ? 'cy' : 'fr'})`))
      expect(read.texts('Figure')).toHaveLength(3)
      expect(read.texts('Figure').every((text) => text.length > 3)).toBe(true)
    },
  )

  test('is a DOCX with the same tables, and a workbook with the same values', async () => {
    const view = await showReport(as(), ofBoth())
    const { bytes } = await download('docx', 'en')
    const { value: html } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) })
    for (const { heading } of view.parts) expect(html).toContain(`<h1>${heading}</h1>`)
    const book = await readXlsx((await download('xlsx', 'en')).bytes)
    const sheet = book.sheets.find(({ name }) => name === 'By project')
    expect(sheet?.rows.slice(1)).toEqual(valuesOf(view, 'projects'))
    const csv = new TextDecoder().decode((await download('csv', 'en', '&table=projects')).bytes)
    expect(parse(csv, { bom: true })).toEqual([
      findTable(view, 'projects').heads,
      ...valuesOf(view, 'projects').map((row) => row.map(String)),
    ])
    expect((await download('csv', 'en', '&table=short')).status).toBe(404)
    expect(book.sheets.at(-1)?.rows.flat()).toContain('Contributions that everyone can read: published and merged ones.')
  })

  test('is refused like the page', async () => {
    expect((await download('odt', 'en')).status).toBe(404)
    expect((await download('pdf', 'en', '', VISITOR)).status).toBe(401)
    expect((await download('pdf', 'en', '', admin, '2026-04-01')).status).toBe(400)
  })
})
