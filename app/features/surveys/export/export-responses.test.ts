import { and, eq } from 'drizzle-orm'
import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { themeEvidence, themes } from '#app/server/db/schema/heard.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { SAMPLES, listSampleQuestions } from '#tests/factories/questions.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { readZip } from '#tests/support/read-zip.ts'
import type { ExportFormat } from './export.schema.ts'
import { exportResponses } from './export-responses.server.ts'
import type { Answers } from '../surveys.schema.ts'

let runtime: TestRuntime
let site: Site
let admin: Viewer

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

async function addResponses(surveyId: string, given: { answers: Answers; userId?: string; version?: number; withdrawn?: boolean }[]) {
  await runtime.database.site(site.id).tx((tx) =>
    tx.insert(responses).values(
      given.map(({ answers, userId, version = 1, withdrawn }, index) => ({
        siteId: site.id,
        id: createId(),
        surveyId,
        version,
        userId: userId ?? null,
        language: 'en' as const,
        answers,
        receiptHash: Buffer.from(createId()),
        submittedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
        withdrawnAt: withdrawn ? new Date() : null,
      })),
    ),
  )
}

interface Reading {
  viewer?: Viewer
  personal?: boolean
  format?: ExportFormat
}

async function bytesOf(surveyId: string, { viewer = admin, personal = false, format = 'csv' }: Reading = {}) {
  const ctx = createCtx(runtime, site, { viewer, reason: 'The data officer asks' })
  const { pieces, filename } = await exportResponses(ctx, { surveyId, personal, format })
  const taken: Uint8Array[] = []
  for await (const piece of pieces) taken.push(piece)
  return { bytes: Buffer.concat(taken), filename }
}

async function read(surveyId: string, options: Reading = {}) {
  const { bytes, filename } = await bytesOf(surveyId, options)
  const text = bytes.toString()
  const [headings = [], ...rows] = parse(text, { bom: true })
  return { text, filename, headings, rows: rows.map((row) => Object.fromEntries(row.map((value, index) => [headings[index], value]))) }
}

describe('the CSV of a survey', () => {
  test('has a column per question in the survey’s order, and one per option of a multiple choice', async () => {
    const survey = await addSurvey(runtime, site, { slug: 'street' })
    await addResponses(survey.id, [
      { answers: { name: 'Elm, "upper"', mode: { choice: 'other', other: 'By boat' }, want: { choices: ['trees', 'shade'] }, safe: 4 } },
      { answers: { name: 'Oak', ideas: 'One\nTwo' } },
    ])
    const { headings, rows, text, filename } = await read(survey.id)
    expect(headings).toEqual([
      'response',
      'submitted_at',
      'language',
      'version',
      'source',
      'seconds',
      'Which street? [name]',
      'Your ideas [ideas]',
      'How do you travel? [mode]',
      'How do you travel? [mode.code]',
      'How do you travel?: Another way [mode.other]',
      'What should come?: Trees [want.trees]',
      'What should come?: Seats [want.seats]',
      'What should come?: Shade [want.shade]',
      'What should come?: None of these [want.none]',
      'How safe? [safe]',
    ])
    expect(rows[0]).toMatchObject({
      submitted_at: '2026-01-01T00:00:00.000Z',
      'Which street? [name]': 'Elm, "upper"',
      'How do you travel? [mode]': 'Another way',
      'How do you travel? [mode.code]': 'other',
      'How do you travel?: Another way [mode.other]': 'By boat',
      'What should come?: Trees [want.trees]': '1',
      'What should come?: Seats [want.seats]': '0',
      'How safe? [safe]': '4',
    })
    expect(rows[1]).toMatchObject({ 'Your ideas [ideas]': 'One\nTwo', 'What should come?: Seats [want.seats]': '', 'How safe? [safe]': '' })
    expect(text.startsWith('\uFEFFresponse,')).toBe(true)
    expect(filename).toMatch(/^street-\d{4}-\d\d-\d\d\.csv$/)
    expect((await read(survey.id, { personal: true })).filename).toMatch(/^street-personal-data-\d{4}-\d\d-\d\d\.csv$/)
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("http://evil.example","x")', '＝1+1'])(
    'never passes a formula to a spreadsheet: %j',
    async (written) => {
      const survey = await addSurvey(runtime, site, {
        definition: { schema: 1, pages: [{ id: 'p', questions: [{ id: 'a', type: 'short_text', title: { en: '=cmd()' } }] }] },
      })
      await addResponses(survey.id, [{ answers: { a: written } }])
      const { headings, rows } = await read(survey.id)
      expect(headings.at(-1)).toBe("'=cmd() [a]")
      expect(Object.values(rows[0] ?? {}).at(-1)).toBe(`'${written}`)
    },
  )

  test('includes what every version asked, and answers given before a question became text', async () => {
    const survey = await addSurvey(runtime, site)
    const mode = { id: 'mode', type: 'short_text' as const, title: inAllLanguages('How do you travel?') }
    const second = { schema: 1 as const, pages: [{ id: 'page1', questions: [mode] }] }
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.insert(surveyVersions).values({ siteId: site.id, surveyId: survey.id, number: 2, definition: second })
      await tx.update(surveys).set({ publishedVersion: 2 }).where(eq(surveys.id, survey.id))
    })
    await addResponses(survey.id, [{ answers: { name: 'Elm', mode: { choice: 'bus' } } }, { answers: { mode: 'On skates' }, version: 2 }])
    const { headings, rows } = await read(survey.id)
    expect(headings).toContain('Which street? [name]')
    expect(rows.map((row) => row['How do you travel? [mode]'])).toEqual(['By bus', 'On skates'])
  })

  test('has a column for each tag in use, as do the workbook, the JSON and the SPSS syntax', async () => {
    const survey = await addSurvey(runtime, site)
    await addResponses(survey.id, [
      { answers: { name: 'Elm', ideas: 'Benches, please' } },
      { answers: { name: 'Oak', ideas: 'Leave it' } },
      { answers: { name: 'Ash' } },
      { answers: { ideas: 'Gone' }, withdrawn: true },
    ])
    await runtime.database.site(site.id).tx(async (tx) => {
      const rows = await tx.select().from(responses).where(eq(responses.surveyId, survey.id)).orderBy(responses.submittedAt)
      const names = ['seats', '=cheap', 'trees', 'withdrawn']
      const ofSite = { siteId: site.id, projectId: survey.projectId }
      const added = names.map((title) => ({ ...ofSite, id: createId(), title: { en: title } }))
      await tx.insert(themes).values(added)
      const code = (row: number, question: string, name: string) => ({
        ...ofSite,
        id: createId(),
        themeId: added[names.indexOf(name)]?.id ?? '',
        source: 'response' as const,
        responseId: rows[row]?.id ?? '',
        question,
        version: 1,
      })
      await tx
        .insert(themeEvidence)
        .values([
          code(0, 'ideas', 'seats'),
          code(0, 'ideas', '=cheap'),
          code(1, 'ideas', 'seats'),
          code(1, 'name', 'trees'),
          code(3, 'ideas', 'withdrawn'),
        ])
    })
    const { headings, rows } = await read(survey.id)
    const tagged = headings.filter((heading) => heading.includes('.tag.'))
    expect(tagged).toEqual([
      'Which street?: Tag “trees” [name.tag.trees]',
      'Your ideas: Tag “=cheap” [ideas.tag.=cheap]',
      'Your ideas: Tag “seats” [ideas.tag.seats]',
    ])
    expect(headings.indexOf('Your ideas [ideas]') + 1).toBe(headings.indexOf('Your ideas: Tag “=cheap” [ideas.tag.=cheap]'))
    expect(rows.map((row) => tagged.map((heading) => row[heading]))).toEqual([
      ['0', '1', '1'],
      ['1', '0', '1'],
      ['0', '', ''],
    ])
    const book = await readXlsx((await bytesOf(survey.id, { format: 'xlsx' })).bytes)
    expect(book.sheets[0]?.rows[0]).toEqual(expect.arrayContaining(tagged))
    const file = JSON.parse((await bytesOf(survey.id, { format: 'json' })).bytes.toString())
    expect(file.columns).toContainEqual({ code: 'ideas.tag.seats', label: 'Your ideas: Tag “seats”', kind: 'code', labels: [] })
    expect(file.responses.map(({ tags }: { tags?: object }) => tags)).toEqual([
      { ideas: ['=cheap', 'seats'] },
      { ideas: ['seats'], name: ['trees'] },
      undefined,
    ])
    const [, syntax] = [...readZip((await bytesOf(survey.id, { format: 'spss' })).bytes).values()].map(String)
    expect(syntax).toContain('/ideas.tag.seats 1 "Yes" 0 "No"')
    expect(syntax).toContain('/ideas.tag.seats "Your ideas: Tag “seats”"')
  })

  test('pages through any number of responses without missing or duplicating one, and omits withdrawn ones', async () => {
    const survey = await addSurvey(runtime, site)
    await addResponses(survey.id, [
      ...Array.from({ length: 2345 }, (_, index) => ({ answers: { name: `Street ${index}` } })),
      { answers: {}, withdrawn: true },
    ])
    const { rows } = await read(survey.id)
    expect(rows).toHaveLength(2345)
    expect(new Set(rows.map((row) => row['Which street? [name]'])).size).toBe(2345)
  })

  test('includes names only for people who may see them, and the audit trail records both kinds', async () => {
    const project = await addProject(runtime, site)
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    const person = await addPerson(runtime, site, { login: 'Ana' })
    await addResponses(survey.id, [{ answers: { name: 'Elm' }, userId: person.id }])
    const viewer = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: project.id }] })
    const plain = await read(survey.id, { viewer })
    expect(plain.headings).not.toContain('email')
    expect(plain.text).not.toContain(person.email)
    await expect(read(survey.id, { viewer, personal: true })).rejects.toMatchObject({ code: 'forbidden' })
    expect((await read(survey.id, { personal: true })).rows[0]).toMatchObject({ login: 'Ana', email: person.email })
    const trail = await runtime.database.site(site.id).tx((tx) =>
      tx
        .select({ detail: auditEvents.detail })
        .from(auditEvents)
        .where(and(eq(auditEvents.action, 'responses.export'), eq(auditEvents.subjectId, survey.id)))
        .orderBy(auditEvents.id),
    )
    expect(trail.map((event) => event.detail)).toEqual([
      { personal: false, format: 'csv' },
      { personal: true, format: 'csv', reason: 'The data officer asks' },
    ])
  })

  test('is refused to everybody else', async () => {
    const survey = await addSurvey(runtime, site)
    await expect(read(survey.id, { viewer: { kind: 'visitor' } })).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(read(survey.id, { viewer: await addPerson(runtime, site) })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(read('not-an-id')).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('every format', () => {
  const questions = listSampleQuestions()
  const answers = Object.fromEntries(questions.flatMap(({ id, type }) => (SAMPLES[type].answer ? [[id, SAMPLES[type].answer]] : [])))
  const survey = () => addSurvey(runtime, site, { slug: 'whole', definition: { schema: 1, pages: [{ id: 'p', questions }] } })

  test('contains the same columns and values for all question types', async () => {
    const { id } = await survey()
    await addResponses(id, [{ answers }, { answers: { short_text: '=1+1' } }])
    const csv = await read(id)
    const book = await readXlsx((await bytesOf(id, { format: 'xlsx' })).bytes)
    const [headings = [], ...rows] = book.sheets[0]?.rows ?? []
    expect(headings).toEqual(csv.headings)
    expect(rows[0]?.map((value) => (value === null ? '' : `${value as string | number}`))).toEqual(
      csv.headings.map((heading) => csv.rows[0]?.[heading]?.replace(/^'\+/, '+')),
    )
    const json = JSON.parse((await bytesOf(id, { format: 'json' })).bytes.toString())
    expect(json).toMatchObject({
      format: 'parley-survey',
      survey: { id, slug: 'whole' },
      versions: [{ number: 1, definition: { pages: [{ questions: JSON.parse(JSON.stringify(questions)) }] } }],
      responses: [{ answers }, { answers: { short_text: '=1+1' } }],
    })
    expect(json.columns.map((column: { code: string }) => column.code).slice(6)).toEqual(
      csv.headings.slice(6).map((heading) => /\[(.+)\]$/.exec(heading)?.[1]),
    )
  })

  test('keeps text that looks like a formula as text in a spreadsheet', async () => {
    const { id } = await survey()
    await addResponses(id, [{ answers: { short_text: '=1+1' } }])
    const book = await readXlsx((await bytesOf(id, { format: 'xlsx' })).bytes)
    expect(book.sheets[0]?.rows[1]).toContain('=1+1')
    expect(JSON.stringify(book.sheets[0])).not.toContain('"formula"')
  })

  test('for SPSS is an archive with the data and the syntax for variable names, labels and codes', async () => {
    const { id } = await survey()
    await addResponses(id, [{ answers }, { answers: { long_text: 'One\n"two"' } }])
    const { bytes, filename } = await bytesOf(id, { format: 'spss' })
    expect(filename).toMatch(/^whole-.+\.spss\.zip$/)
    const files = readZip(bytes)
    const [data = '', syntax = ''] = [...files.values()].map(String)
    expect([...files.keys()].map((name) => name.split('.').at(-1))).toEqual(['csv', 'sps'])
    const [names = [], ...cases] = parse(data)
    expect(cases).toHaveLength(2)
    expect(data.trimEnd().split('\r\n')).toHaveLength(3)
    const variables = /\/VARIABLES=([^]*?)\.\r\n/
      .exec(syntax)?.[1]
      ?.trim()
      .split(/\s*\r?\n\s*/)
      .map((line) => line.split(' ')[0])
    expect(variables).toEqual(names)
    expect(names.every((name) => /^[A-Za-z][A-Za-z0-9._]*$/.test(name) && name.length <= 64)).toBe(true)
    expect(syntax).toContain('/one_choice.code\n    "red" "red"')
    expect(syntax).toContain('/several_choices.red 1 "Yes" 0 "No"')
    expect(syntax).toMatch(/\bnumber F6\.1\b/)
  })

  test('for SPSS gives reserved words another name, says what is measured how, and has dates as dates', async () => {
    const names = ['comment', 'all', 'And', 'document', 'docum', 'fine']
    const { id } = await addSurvey(runtime, site, {
      definition: {
        schema: 1,
        pages: [
          {
            id: 'p',
            questions: [
              ...names.map((name) => ({ id: name, type: 'short_text' as const, title: inAllLanguages(name) })),
              ...questions.filter(({ type }) => ['date', 'time', 'rating', 'number', 'one_choice'].includes(type)),
            ],
          },
        ],
      },
    })
    await addResponses(id, [{ answers: { ...answers, comment: 'Hello' } }, { answers: { comment: 'Nothing else' } }])
    const [data = '', syntax = ''] = [...readZip((await bytesOf(id, { format: 'spss' })).bytes).values()].map(String)
    const [head = [], first = [], second = []] = parse(data)
    expect(head).toEqual(expect.arrayContaining(['v_comment', 'v_all', 'v_And', 'v_document', 'v_docum', 'fine']))
    const cell = (row: string[], name: string) => row[head.indexOf(name)]
    expect([cell(first, 'submitted_at'), cell(first, 'date'), cell(first, 'time')]).toEqual([
      '2026-01-01 00:00:00',
      answers.date,
      answers.time,
    ])
    expect([cell(second, 'date'), cell(second, 'time')]).toEqual(['', ''])
    for (const line of ['submitted_at YMDHMS19', 'date SDATE10', 'time TIME5', 'v_comment A13']) expect(syntax).toContain(`    ${line}`)
    const levels = /VARIABLE LEVEL([^]*?)\.\r\n/.exec(syntax)?.[1] ?? ''
    for (const [name, level] of [
      ['date', 'SCALE'],
      ['number', 'SCALE'],
      ['rating', 'ORDINAL'],
      ['one_choice.code', 'NOMINAL'],
      ['v_comment', 'NOMINAL'],
    ])
      expect(levels).toContain(`/${name} (${level})`)
  })

  test('without responses is still a file with its columns', async () => {
    const { id } = await survey()
    expect((await read(id)).rows).toEqual([])
    expect((await readXlsx((await bytesOf(id, { format: 'xlsx' })).bytes)).sheets[0]?.rows).toHaveLength(1)
    expect(JSON.parse((await bytesOf(id, { format: 'json' })).bytes.toString()).responses).toEqual([])
    expect(readZip((await bytesOf(id, { format: 'spss' })).bytes).size).toBe(2)
  })
})
