import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBlock, type HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import { rebuildTallies } from '#app/features/surveys/responses/response-counts.server.ts'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { requireItem } from '#tests/support/accounts.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addTokenHolder } from '#tests/support/people.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { getReport } from './heard-reports.server.ts'
import { serveReportDocument } from './report-files.server.ts'
import { listReportChoices } from './report-parts.server.ts'

const NOW = new Date('2026-05-04T12:00:00Z')
const CLOSED = new Date('2026-05-01T12:00:00Z')
const items = (...ids: string[]) => ids.map((id) => ({ id, label: inAllLanguages(id) }))
const choice = (id: string, ...options: string[]) => ({
  id,
  type: 'one_choice' as const,
  title: inAllLanguages(`Your ${id}`),
  options: items(...options),
})
const QUESTIONS: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        choice('age', 'young', 'middle', 'old', 'eldest'),
        choice('way', 'bus', 'foot', 'boat'),
        choice('home', 'house', 'flat'),
        { ...choice('sex', 'woman', 'man'), profile: 'sex' },
        { id: 'words', type: 'long_text', title: inAllLanguages('Words'), maxLength: 100 },
      ],
    },
  ],
}

let runtime: TestRuntime
let site: Site
let admin: Ctx
let api: ReturnType<typeof createApiClient>
let project: { id: string; slug: string }
let survey: string

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(NOW)
  site = await addSite(runtime, { slug: `compared-${createId().slice(-8)}`, languages: ['en', 'fr-CA', 'cy'] })
  admin = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  api = createApiClient(runtime, site, (await addTokenHolder(runtime, site, { role: 'site_admin' })).token)
  project = await addProject(runtime, site, { title: inAllLanguages('Fern Street') })
  survey = await addClosed()
})

async function addClosed(closesAt: Date | null = CLOSED): Promise<string> {
  const { id } = await addSurvey(runtime, site, { projectId: project.id, definition: QUESTIONS, closesAt })
  const answer = (count: number, age: string | undefined, way: string) =>
    Array.from({ length: count }, () => ({
      siteId: site.id,
      id: createId(),
      surveyId: id,
      version: 1,
      language: 'en' as const,
      answers: { way: { choice: way }, sex: { choice: 'woman' }, ...(age ? { age: { choice: age } } : {}) },
      submittedAt: new Date('2026-04-20T12:00:00Z'),
      receiptHash: randomBytes(32),
    }))
  await admin.db.tx((tx) =>
    tx
      .insert(responses)
      .values([
        ...answer(60, 'young', 'bus'),
        ...answer(20, 'young', 'foot'),
        ...answer(12, 'old', 'bus'),
        ...answer(40, 'old', 'foot'),
        ...answer(12, 'middle', 'bus'),
        ...answer(3, 'eldest', 'boat'),
        ...answer(9, undefined, 'foot'),
      ]),
  )
  await recount(id)
  return id
}

const recount = (id: string) =>
  admin.db.tx(async (tx) => {
    await tx.update(surveys).set({ responsesCount: 1000 }).where(eq(surveys.id, id))
    await rebuildTallies(tx, site.id, id)
  })

const fill = <Type extends HomeBlock['type']>(type: Type, id: string, values: Partial<HomeBlock<Type>>): HomeBlock => ({
  ...createBlock(type, id),
  ...values,
})
const toKey = (name: string) => (name.includes(':') ? name : `${survey}:${name}`)
const figure = (question: string, comparedBy: string | null, id = 'b_figure'): HomeBlock =>
  fill('report_figure', id, { question: toKey(question), comparedBy: comparedBy && toKey(comparedBy) })

async function publishReport(blocks: HomeBlock[]): Promise<ApiAnswer> {
  const newest = (await api.get(`/heard-report-revisions?filter[project]=${project.id}&page[size]=1`)).body?.data as { id: string }[]
  const saved = await api.post(
    '/heard-report-revisions',
    buildResourceDocument(
      'heard-report-revisions',
      { content: { schema: 2, blocks } },
      {
        to: {
          project: { type: 'projects', id: project.id },
          ...(newest[0] ? { parent: { type: 'heard-report-revisions', id: newest[0].id } } : {}),
        },
      },
    ),
  )
  expect(saved.status, JSON.stringify(saved.body)).toBe(201)
  const revision = { type: 'heard-report-revisions', id: requireItem(saved).id }
  return api.post('/heard-reports', buildResourceDocument('heard-reports', {}, { to: { revision } }))
}
async function publishAccepted(blocks: HomeBlock[]): Promise<void> {
  const published = await publishReport(blocks)
  expect(published.status, JSON.stringify(published.body)).toBe(201)
}
const faultsOf = ({ body }: ApiAnswer) => body?.errors?.map(({ code, source }) => [code, source?.pointer])

async function readContent(language: Language = 'en', id = 'b_figure') {
  const report = await getReport(createCtx(runtime, site, { language }), { slug: project.slug, version: undefined })
  const block = report.blocks.find((one) => one.id === id)
  const part = block && 'data' in block && block.data && 'part' in block.data ? block.data.part : undefined
  return part?.content ?? []
}
const textsOf = (content: Awaited<ReturnType<typeof readContent>>) => content.flatMap((one) => (one.kind === 'text' ? [one.text] : []))
const tablesOf = (content: Awaited<ReturnType<typeof readContent>>) => content.flatMap((one) => (one.kind === 'table' ? [one] : []))

describe('a published figure compared by another question', () => {
  test('shows the share of each group from the rows, to the nearest five, and no group of fewer than five', async () => {
    await publishAccepted([figure('way', 'age')])
    const content = await readContent()
    const [table] = tablesOf(content)
    const { rows } = await admin.db.read((tx) =>
      tx.execute<{ age: string; way: string; people: number }>(sql`
        select answers->'age'->>'choice' as age, answers->'way'->>'choice' as way, count(*)::int as people
        from responses where site_id = ${site.id} and survey_id = ${survey} and withdrawn_at is null group by 1, 2`),
    )
    const toFive = (count: number) => Math.round(count / 5) * 5
    const count = (age: string, way?: string) =>
      toFive(rows.reduce((sum, row) => sum + (row.age === age && (way === undefined || row.way === way) ? row.people : 0), 0))
    expect(table?.caption.text).toBe('“Your way”, by the answers to “Your age”')
    const ages = table?.heads.slice(1, -1) ?? []
    expect(ages).toEqual(expect.arrayContaining(['young', 'old']))
    expect(ages).not.toContain('eldest')
    const cellOf = (way: string, age: string) => table?.rows.find(([label]) => label?.text === way)?.[ages.indexOf(age) + 1]?.text
    for (const age of ['young', 'old'])
      for (const way of ['bus', 'foot']) {
        const shown = cellOf(way, age)
        if (shown !== 'Not shown') expect([age, way, shown]).toEqual([age, way, `${Math.round((count(age, way) / count(age)) * 100)}%`])
      }
    expect(cellOf('foot', 'old')).toBe('80%')
    // Three people are in a boat: neither their number nor what it could be computed from is shown.
    expect(
      table?.rows
        .find(([label]) => label?.text === 'boat')
        ?.slice(1)
        .every(({ text }) => !/[1-9]/.test(text)),
    ).toBe(true)
    expect(textsOf(content).join(' ')).toMatch(/Not shown: .*eldest/)
    expect(textsOf(content).join(' ')).toContain('Numbers are to the nearest five.')
  })

  test('says so in three languages, and in the document', async () => {
    await publishAccepted([figure('way', 'age')])
    expect(tablesOf(await readContent('cy'))[0]).toMatchObject({
      caption: { text: '“Your way (cy)”, yn ôl yr atebion i “Your age (cy)”' },
      heads: expect.arrayContaining(['young (cy)', 'Pawb']) as string[],
    })
    expect(tablesOf(await readContent('fr-CA'))[0]?.caption.text).toBe(
      '«\u00a0Your way (fr)\u00a0», selon les réponses à «\u00a0Your age (fr)\u00a0»',
    )
    const response = await serveReportDocument({
      context: { ctx: createCtx(runtime, site, { language: 'en' }) } as never,
      params: { slug: project.slug, version: '1', format: 'pdf' },
    })
    const pdf = await readPdf(Buffer.from(await response.arrayBuffer()))
    expect(pdf.texts('Caption').join(' ')).toContain('“Your way”, by the answers to “Your age”')
  })

  test('is not compared while people may still answer', async () => {
    survey = await addClosed(null)
    await publishAccepted([figure('way', 'age')])
    const content = await readContent()
    expect(tablesOf(content)).toEqual([])
    expect(textsOf(content)).toContain('Answers are compared by group once the survey is closed.')
  })

  test('keeps what was published, and is not compared anew without somebody who withdrew', async () => {
    await publishAccepted([figure('way', 'age')])
    const before = await readContent()
    const [one] = await admin.db.read((tx) =>
      tx
        .select({ id: responses.id })
        .from(responses)
        .where(and(eq(responses.surveyId, survey), sql`answers->'age'->>'choice' = 'middle'`))
        .limit(1),
    )
    await admin.db.tx((tx) =>
      tx
        .update(responses)
        .set({ withdrawnAt: NOW })
        .where(eq(responses.id, one?.id ?? '')),
    )
    await recount(survey)
    expect(await readContent()).toEqual(before)
    await publishAccepted([figure('way', 'age')])
    const after = await readContent()
    expect(tablesOf(after)).toEqual([])
    expect(textsOf(after)).toContain('Answers are not compared by group, because some were withdrawn or changed after they were counted.')
  })
})

describe('what a survey is compared by', () => {
  test('is one of its questions with one answer that is not about people', async () => {
    const { questions } = await listReportChoices(admin, project.id)
    expect(questions.filter(({ isGroup }) => isGroup).map(({ key }) => key.split(':')[1])).toEqual(['age', 'way', 'home'])
    await publishAccepted([figure('way', 'sex')])
    expect(tablesOf(await readContent())).toEqual([])
    expect(textsOf(await readContent())).toContain('Too few people are in these groups to compare their answers.')
  })

  test('is the same question in all published reports: two comparisons could show what each of them hides', async () => {
    const at = (number: number) => ['compared-by-another', `/data/attributes/content/blocks/${number}/comparedBy`]
    expect(faultsOf(await publishReport([figure('way', 'age'), figure('age', 'way', 'b_two')]))).toEqual([at(1)])
    const other = await addClosed()
    expect(faultsOf(await publishReport([figure('way', `${other}:age`), figure('way', 'way', 'b_two')]))).toEqual([at(0), at(1)])
    await publishAccepted([figure('way', 'age'), figure(`${other}:way`, `${other}:home`, 'b_two')])
    expect(faultsOf(await publishReport([figure('way', 'home')]))).toEqual([at(0)])
    await publishAccepted([figure('way', null), figure('home', 'age', 'b_two')])
    expect(faultsOf(await publishReport([figure('age', 'way')]))).toEqual([at(0)])
  })
})
