import { and, eq } from 'drizzle-orm'
import mammoth from 'mammoth'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addEvidence } from '#app/features/heard/evidence.server.ts'
import { publishDecisions } from '#app/features/heard/publish-decisions.server.ts'
import { getDecisions } from '#app/features/heard/decisions-page.server.ts'
import { createBlock, type HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { withdrawContribution as withdrawResponse } from '#app/features/surveys/responses/receipts.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { Answers } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { decisions, heardReportQuotes, heardReports, themeEvidence, themes } from '#app/server/db/schema/heard.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addAccount } from '#tests/support/people.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { getReport } from './heard-reports.server.ts'
import type { ReportView } from './heard-reports.schema.ts'
import { serveReportDocument } from './report-files.server.ts'
import { getReportPreview, getReportPreviewData } from './report-preview.server.ts'

const NOW = new Date('2026-03-02T12:00:00Z')
const LATER = new Date('2026-04-02T12:00:00Z')

let runtime: TestRuntime
let site: Site
let admin: Ctx
let api: ReturnType<typeof createApiClient>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'reported', languages: ['en', 'fr-CA', 'cy'] })
  admin = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  api = createApiClient(runtime, site, (await addAccount(runtime, site, { role: 'site_admin' })).token)
})
beforeEach(() => runtime.setNow(NOW))

const visitor = (language: Language = 'en') => createCtx(runtime, site, { language })
const TRAVEL = {
  id: 'travel',
  type: 'one_choice' as const,
  title: inAllLanguages('How do you travel?'),
  options: [
    { id: 'bus', label: inAllLanguages('By bus') },
    { id: 'foot', label: inAllLanguages('On foot') },
  ],
}
const IDEAS = { id: 'ideas', type: 'long_text' as const, title: inAllLanguages('Your ideas'), maxLength: 2000 }

/** A project with a survey, sent by six who take the bus and one who walks, with a theme of their words. */
async function addReported() {
  const project = await addProject(runtime, site, { title: inAllLanguages('Fern Street') })
  const survey = await addSurvey(runtime, site, {
    projectId: project.id,
    definition: { schema: 1, pages: [{ id: 'p', questions: [TRAVEL, IDEAS] }] },
  })
  const sent: { code: string; id: string }[] = []
  for (const [at, travel] of ['bus', 'bus', 'bus', 'bus', 'bus', 'bus', 'foot'].entries())
    sent.push(await answer(survey.id, { travel: { choice: travel }, ideas: `More shade, please, says ${at}` }))
  const theme = v7()
  await admin.db.tx((tx) =>
    tx.insert(themes).values({ siteId: site.id, id: theme, projectId: project.id, title: inAllLanguages('Shade'), stance: 'concern' }),
  )
  return { project, survey, sent, theme }
}
type Reported = Awaited<ReturnType<typeof addReported>>

async function answer(survey: string, answers: Answers, viewer?: Ctx['viewer']) {
  const ctx = createCtx(runtime, site, viewer ? { viewer } : {})
  const input = { id: v7(), sendKey: 'k'.repeat(22), answers }
  const { code, response } = await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey)), input)
  return { code, id: response.id }
}

const quote = (theme: string, sourceId: string, words = 'More shade', isQuoted = true) =>
  addEvidence(admin, { theme, source: 'response', sourceId, question: 'ideas', start: 0, quote: words, isQuoted })

const fill = <Type extends HomeBlock['type']>(type: Type, id: string, values: Partial<HomeBlock<Type>>): HomeBlock => ({
  ...createBlock(type, id),
  ...values,
})
const text = (body: Translated = inAllLanguages('## In short\n\nPeople want shade.')) => fill('rich_text', 'b_text', { body })
const figure = (survey: string) => fill('report_figure', 'b_figure', { question: `${survey}:travel` })
const chosen = (theme: string, quotes: string[]) => fill('report_theme', 'b_theme', { chosen: { theme, quotes } })

async function save(project: string, blocks: HomeBlock[], client = api): Promise<ApiAnswer> {
  const [newest] = ((await client.get(`/heard-report-revisions?filter[project]=${project}&page[size]=1`)).body?.data ?? []) as {
    id: string
  }[]
  return client.post(
    '/heard-report-revisions',
    buildResourceDocument(
      'heard-report-revisions',
      { content: { schema: 2, blocks } },
      {
        to: {
          project: { type: 'projects', id: project },
          ...(newest ? { parent: { type: 'heard-report-revisions', id: newest.id } } : {}),
        },
      },
    ),
  )
}
const idOf = (given: ApiAnswer): string => {
  expect(given.status, JSON.stringify(given.body)).toBeLessThan(300)
  return (given.body?.data as { id: string } | undefined)?.id ?? ''
}
const publishRevision = (revision: string, attributes: object = {}, client = api) =>
  client.post(
    '/heard-reports',
    buildResourceDocument('heard-reports', { ...attributes }, { to: { revision: { type: 'heard-report-revisions', id: revision } } }),
  )
const publish = async (project: string, blocks: HomeBlock[]) => publishRevision(idOf(await save(project, blocks)))
const listOf = (given: ApiAnswer) => (given.body?.data ?? []) as { id: string }[]
const codesOf = (given: ApiAnswer) => (given.body?.errors as { code: string }[] | undefined)?.map(({ code }) => code)
const read = ({ project }: Reported, version?: number, language: Language = 'en') =>
  getReport(visitor(language), { slug: project.slug, version })
const partOf = (report: ReportView, id: string) => {
  const block = report.blocks.find((one) => one.id === id)
  return block && 'data' in block && block.data && 'part' in block.data ? block.data.part : undefined
}

describe('a published report', () => {
  test('shows text, the figure of a question with small groups suppressed, and a theme with its quote, in three languages', async () => {
    const reported = await addReported()
    const { project, survey, sent, theme } = reported
    const evidence = await quote(theme, sent[0]?.id ?? '')
    await expect(read(reported)).rejects.toMatchObject({ code: 'not-found' })
    idOf(await publish(project.id, [text(), figure(survey.id), chosen(theme, [evidence])]))
    const report = await read(reported)
    expect(report).toMatchObject({
      kind: 'heard',
      facts: { version: 1, status: 'published', answers: 7, gone: 0, asOf: NOW.toISOString() },
    })
    expect(report.blocks.map(({ type }) => type)).toEqual(['rich_text', 'report_figure', 'report_theme'])
    const bars = partOf(report, 'b_figure')?.content[0]
    // One walked: that is not shown, and neither is the other number, which would give it away.
    expect(bars).toMatchObject({ kind: 'bars', caption: { text: 'How do you travel?' }, bars: [{ part: null }, { part: null }] })
    expect(partOf(report, 'b_theme')).toMatchObject({
      heading: { text: 'Shade' },
      content: [{ text: 'Concern, from 1 person.' }],
      quotes: [{ text: 'More shade', language: 'en' }],
    })
    expect(partOf(await read(reported, undefined, 'cy'), 'b_theme')).toMatchObject({
      heading: { text: 'Shade (cy)' },
      content: [{ text: 'Pryder, gan 1 person.' }],
    })
    expect(partOf(await read(reported, undefined, 'fr-CA'), 'b_figure')?.heading).toEqual({ text: 'How do you travel? (fr)' })
    // Pages of the project lead to it.
    expect(await getProject(visitor(), { slug: project.slug })).toMatchObject({ report: 'heard' })
  })

  test('keeps its figures when an answer is withdrawn, says so with a number, and drops the quote', async () => {
    const reported = await addReported()
    const { project, survey, sent, theme } = reported
    for (const { id } of sent.slice(1)) await quote(theme, id, 'More shade', false)
    const evidence = await quote(theme, sent[0]?.id ?? '')
    idOf(await publish(project.id, [figure(survey.id), chosen(theme, [evidence])]))
    const before = await read(reported)
    runtime.setNow(LATER)
    await withdrawResponse(visitor(), sent[0]?.code ?? '')
    await answer(survey.id, { travel: { choice: 'foot' }, ideas: 'Seats' })
    const after = await read(reported)
    expect(after.facts).toEqual({ ...before.facts, gone: 1 })
    expect(partOf(after, 'b_figure')).toEqual({ ...partOf(before, 'b_figure'), gone: 1 })
    expect(partOf(after, 'b_theme')).toMatchObject({ content: [{ text: 'Concern, from 7 people.' }], gone: 1, quotes: [] })
    const rows = await admin.db.read((tx) => tx.select().from(heardReportQuotes).where(eq(heardReportQuotes.projectId, project.id)))
    expect(rows).toEqual([])
    // The words of people are nowhere but in what they sent.
    const [row] = await admin.db.read((tx) => tx.select().from(heardReports).where(eq(heardReports.projectId, project.id)))
    expect(JSON.stringify(row?.frozen)).not.toContain('More shade')
  })

  test('is superseded by the next one and stays at its own address as it was', async () => {
    const reported = await addReported()
    const { project, survey, theme } = reported
    const first = idOf(await publish(project.id, [text(inAllLanguages('First')), figure(survey.id)]))
    const before = await read(reported, 1)
    runtime.setNow(LATER)
    for (const travel of Array.from({ length: 9 }, () => 'foot')) await answer(survey.id, { travel: { choice: travel }, ideas: 'Seats' })
    idOf(await publish(project.id, [text(inAllLanguages('Second')), figure(survey.id), chosen(theme, [])]))
    const newest = await read(reported)
    expect(newest.facts).toMatchObject({ version: 2, status: 'published', answers: 16 })
    expect(newest.versions.map(({ version, status }) => [version, status])).toEqual([
      [2, 'published'],
      [1, 'superseded'],
    ])
    expect(partOf(newest, 'b_figure')?.content[0]).toMatchObject({ bars: [{ part: expect.any(Number) }, { part: expect.any(Number) }] })
    const former = await read(reported, 1)
    expect(former.facts).toEqual({ ...before.facts, status: 'superseded' })
    expect(former.blocks).toEqual(before.blocks)
    await expect(read(reported, 3)).rejects.toMatchObject({ code: 'not-found' })
    // The same draft again has newer figures.
    const { revisionId } = (await admin.db.read((tx) => tx.select().from(heardReports).where(eq(heardReports.id, first))))[0] ?? {}
    idOf(await publishRevision(revisionId ?? ''))
    expect((await read(reported)).facts).toMatchObject({ version: 3, answers: 16 })
  })

  test('is only of a project that the reader may see', async () => {
    const reported = await addReported()
    const hidden = await addProject(runtime, site, { title: inAllLanguages('Hidden'), visibility: 'members' })
    idOf(await publish(reported.project.id, [text()]))
    idOf(await publish(hidden.id, [text()]))
    await expect(getReport(visitor(), { slug: hidden.slug })).rejects.toMatchObject({ code: 'not-found' })
    const guest = createApiClient(runtime, site, (await addAccount(runtime, site)).token)
    const listed = async (project: string) => listOf(await guest.get(`/heard-reports?filter[project]=${project}`)).length
    expect([await listed(reported.project.id), await listed(hidden.id)]).toEqual([1, 0])
    const other = await addSite(runtime, { slug: 'beside' })
    expect(await createCtx(runtime, other).db.read((tx) => tx.select().from(heardReports))).toEqual([])
  })
})

test('a report is a PDF and a DOCX that say what the page says', async () => {
  const { project, survey, sent, theme } = await addReported()
  const evidence = await quote(theme, sent[0]?.id ?? '')
  for (let at = 0; at < 5; at++) await answer(survey.id, { travel: { choice: 'foot' }, ideas: 'Seats' })
  idOf(await publish(project.id, [text(), figure(survey.id), chosen(theme, [evidence]), createBlock('report_people', 'b_people')]))
  const download = async (format: string, language: Language, version = '1') => {
    const params = { slug: project.slug, version, format }
    const given = await serveReportDocument({ context: { ctx: visitor(language) } as never, params })
    return { status: given.status, bytes: new Uint8Array(await given.arrayBuffer()) }
  }
  const pdf = await readPdf((await download('pdf', 'cy')).bytes)
  expect(pdf).toMatchObject({ language: 'cy', title: 'Yr hyn a glywsom' })
  expect(pdf.texts('H1').slice(1)).toEqual(['1 In short', '2 How do you travel? (cy)', '3 Shade (cy)', '4 Pwy a gymerodd ran'])
  expect(pdf.texts('TD')).toEqual(expect.arrayContaining(['By bus (cy)', 'On foot (cy)']))
  expect(pdf.text).toContain('More shade')
  const { value: words } = await mammoth.extractRawText({ buffer: Buffer.from((await download('docx', 'fr-CA')).bytes) })
  for (const said of ['Ce que nous avons entendu', 'How do you travel? (fr)', 'Préoccupation, de 1 personne.', 'More shade'])
    expect(words).toContain(said)
  expect((await download('txt', 'en')).status).toBe(404)
  expect((await download('pdf', 'en', '2')).status).toBe(404)
})

describe('publishing a report', () => {
  test('asks for each language of the site, unless it is left out by name', async () => {
    const { project } = await addReported()
    const revision = idOf(await save(project.id, [text({ en: 'Only English', cy: 'A Chymraeg' })]))
    const refused = await publishRevision(revision)
    expect(refused.status).toBe(422)
    const names = ((refused.body?.errors ?? []) as { meta?: { values?: { name?: string } } }[]).map(({ meta }) => meta?.values?.name)
    expect(names).toEqual(['b_text.body.fr-CA'])
    idOf(await publishRevision(revision, { waived: names }))
    const [theme] = await admin.db.tx((tx) =>
      tx
        .insert(themes)
        .values({ siteId: site.id, id: v7(), projectId: project.id, title: { en: 'Seats', cy: 'Seddi' } })
        .returning(),
    )
    expect(codesOf(await publish(project.id, [chosen(theme?.id ?? '', [])]))).toEqual(['translation-missing'])
    const report = await getReport(visitor('fr-CA'), { slug: project.slug })
    expect(report.blocks[0]).toMatchObject({ body: { text: 'Only English', lang: 'en' } })
  })

  test('needs something to say, published decisions where it shows them, and a decision for each theme of five people', async () => {
    const { project, sent, theme } = await addReported()
    expect(codesOf(await publish(project.id, []))).toEqual(['required'])
    const block = createBlock('report_decisions', 'b_decisions')
    expect(codesOf(await publish(project.id, [block]))).toEqual(['decisions-unpublished'])
    for (const { id } of sent.slice(0, 5)) await quote(theme, id)
    expect(codesOf(await publish(project.id, [block]))).toEqual(['decision-missing', 'decisions-unpublished'])
    // Without decisions in it, nothing has to be decided.
    idOf(await publish(project.id, [text()]))
    const decision = idOf(
      await api.post('/decisions', {
        data: {
          type: 'decisions',
          attributes: {
            titleTranslations: inAllLanguages('Roofs'),
            outcome: 'partly',
            reasonTranslations: inAllLanguages('Pipes lie under the sidewalk.'),
            decidedOn: '2026-01-18',
            dueOn: '2026-09-01',
          },
          relationships: {
            project: { data: { type: 'projects', id: project.id } },
            themes: { data: [{ type: 'themes', id: theme }] },
          },
        },
      }),
    )
    await publishDecisions(admin, { project: project.id })
    idOf(await publish(project.id, [block, createBlock('report_next', 'b_next'), chosen(theme, [])]))
    const report = await getReport(visitor(), { slug: project.slug })
    expect(report).toMatchObject({ kind: 'both', hasDecisions: true })
    expect(partOf(report, 'b_decisions')?.content[0]).toMatchObject({
      rows: [[{ text: 'No. 1 Roofs' }, { text: 'Partly taken up' }, { text: 'Pipes lie under the sidewalk.' }, { text: 'Shade' }, {}]],
    })
    expect(partOf(report, 'b_next')?.content[0]).toMatchObject({ rows: [[{ text: 'Roofs' }, { text: 'Planned' }, {}]] })
    // What becomes of the decision later is on its own page.
    await admin.db.tx((tx) => tx.update(decisions).set({ delivery: 'done' }).where(eq(decisions.id, decision)))
    expect(partOf(await getReport(visitor(), { slug: project.slug }), 'b_next')).toEqual(partOf(report, 'b_next'))
    expect(await getDecisions(visitor(), { slug: project.slug, search: {} })).toMatchObject({ hasReport: true })
  })

  test('quotes one person five times at most, and only what may be quoted', async () => {
    const reported = await addReported()
    const { project, survey, theme, sent } = reported
    const viewer = await addPerson(runtime, site)
    const own: string[] = []
    for (const words of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'])
      own.push(await quote(theme, (await answer(survey.id, { travel: { choice: 'bus' }, ideas: words }, viewer)).id, words))
    const unquoted = await quote(theme, sent[1]?.id ?? '', 'More shade', false)
    expect(codesOf(await publish(project.id, [chosen(theme, own)]))).toEqual(['too-many-quotes-of-one'])
    const report = idOf(await publish(project.id, [chosen(theme, [...own.slice(0, 5), unquoted, v7()])]))
    const shown = async () => partOf(await read(reported), 'b_theme')?.quotes.map((one) => one.text)
    expect(await shown()).toEqual(['One', 'Two', 'Three', 'Four', 'Five'])
    // The database refuses what a program would add.
    const insert = (evidenceId = '') =>
      admin.db.tx((tx) =>
        tx
          .insert(heardReportQuotes)
          .values({ siteId: site.id, reportId: report, block: 'b_theme', evidenceId, projectId: project.id, position: 9 }),
      )
    await expect(insert(own[5])).rejects.toThrow()
    await expect(insert(unquoted)).rejects.toThrow()
    // What may no longer be quoted leaves the published page.
    await admin.db.tx((tx) =>
      tx
        .update(themeEvidence)
        .set({ isQuoted: false })
        .where(and(eq(themeEvidence.siteId, site.id), eq(themeEvidence.id, own[0] ?? ''))),
    )
    expect(await shown()).toEqual(['Two', 'Three', 'Four', 'Five'])
  })

  test('is for those who may publish the project; writing it for those who may edit it', async () => {
    const { project } = await addReported()
    const revision = idOf(await save(project.id, [text()]))
    const as = async (role: 'project_admin' | undefined) =>
      createApiClient(runtime, site, (await addAccount(runtime, site, role && { role, projectId: project.id })).token)
    const [editor, guest] = [await as('project_admin'), await as(undefined)]
    const refused = [await save(project.id, [text()], guest), await publishRevision(revision, {}, guest)]
    expect(refused.map(({ status }) => status)).toEqual([403, 403])
    expect((await guest.get(`/heard-report-revisions/${revision}`)).status).toBe(404)
    expect((await save(project.id, [text()], editor)).status).toBe(201)
    await expect(getReportPreview(visitor(), { project: project.id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(getReportPreviewData(visitor(), { project: project.id, blocks: [] })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('takes only the blocks of reports, and homepages take none of them', async () => {
    const { project } = await addReported()
    expect((await save(project.id, [createBlock('hero', 'b_hero')])).status).toBe(422)
    const onPage = await api.post(
      '/homepage-revisions',
      buildResourceDocument('homepage-revisions', { content: { schema: 2, blocks: [createBlock('report_people', 'b_people')] } }),
    )
    expect(onPage.status).toBe(422)
  })
})

test('two people who save at the same time both keep what they wrote', async () => {
  const { project } = await addReported()
  idOf(await save(project.id, [text()]))
  const stale = await api.post(
    '/heard-report-revisions',
    buildResourceDocument(
      'heard-report-revisions',
      { content: { schema: 2, blocks: [text()] } },
      { to: { project: { type: 'projects', id: project.id } } },
    ),
  )
  expect(stale.status).toBe(409)
})

test('the preview shows the draft with today’s figures, people and method', async () => {
  const reported = await addReported()
  idOf(await save(reported.project.id, [createBlock('report_people', 'b_people'), createBlock('report_method', 'b_method')]))
  const preview = await getReportPreview(admin, { project: reported.project.id })
  expect(preview.blocks.map(({ type }) => type)).toEqual(['report_people', 'report_method'])
  expect(preview.data['b_people']).toMatchObject({ part: { content: [{ rows: [[{ text: 'Fern Street' }, { text: '7' }]] }, {}, {}] } })
  expect(JSON.stringify(preview.data['b_method'])).toContain('People wrote 7 texts in their own words. The team read 0 of them.')
  const data = await getReportPreviewData(admin, { project: reported.project.id, blocks: [figure(reported.survey.id)] })
  expect(data['b_figure']).toMatchObject({ part: { basis: { kind: 'survey' } } })
})
