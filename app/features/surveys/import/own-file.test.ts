import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '#app/features/accounts/groups.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { surveyKeywords } from '#app/server/db/schema/messages.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { listSampleQuestions } from '#tests/factories/questions.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { exportResponses } from '../export/export-responses.server.ts'
import { publishSurvey } from '../managing/publishing.server.ts'
import type { Definition } from '../surveys.schema.ts'
import type { LanguageChoices, LanguagesToChoose } from './import.schema.ts'
import { importSurvey, loadImportReport } from './import.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Viewer

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

const as = (place = site, viewer = admin) => createCtx(runtime, place, { viewer })

const [first, ...others] = listSampleQuestions()
const said = (text: string) => inAllLanguages(text)
/** Every type of question, and every rule: conditions, a jump, an ending, a quota, a random order. */
const DEFINITION: Definition = {
  schema: 1,
  pages: [
    { id: 'start', title: said('Start'), intro: said('Why we ask'), questions: first ? [first] : [], shuffle: true },
    {
      id: 'rest',
      questions: others,
      showIf: { question: 'short_text', is: 'answered' },
      next: [{ when: { question: 'yes_no', is: 'any_of', options: ['no'] }, end: 'early' }],
    },
  ],
  endings: [{ id: 'early', title: said('Thank you'), text: said('That was all') }],
  quotas: [{ id: 'half', when: { question: 'yes_no', is: 'any_of', options: ['yes'] }, limit: 500, end: 'early' }],
}

async function exportSurvey(surveyId: string, ctx = as()) {
  const bytes: Uint8Array[] = []
  for await (const piece of (await exportResponses(ctx, { surveyId, format: 'json', personal: false })).pieces) bytes.push(piece)
  const file = Buffer.concat(bytes)
  return { file, json: JSON.parse(file.toString()) as Record<string, object> & { survey: object; versions: { definition: object }[] } }
}

interface Taking {
  ctx?: Ctx
  projectId?: string
  choices?: LanguageChoices
}

interface Taken {
  asked?: LanguagesToChoose
  surveyId?: string
  faults?: number
  notes?: string[]
}

async function importFile(file: Uint8Array, { ctx = as(), projectId = '', choices = {} }: Taking = {}): Promise<Taken> {
  const project = projectId || (await addProject(runtime, ctx.site)).id
  const result = await importSurvey(ctx, { projectId: project, file, filename: 'survey.json', choices })
  if (!('surveyId' in result)) return { asked: result }
  const { elements } = await loadImportReport(ctx, result.surveyId)
  return { ...result, notes: elements.flatMap(({ notes }) => notes.map(({ code, what }) => `${code} ${what}`)) }
}

/** A survey that differs from the default in every setting. */
async function addSurveyWithSettings() {
  const groupId = await createGroup(as(), { name: 'Residents', hubId: null, rule: null })
  const survey = await addSurvey(runtime, site, {
    slug: `streets-${createId().slice(-12)}`,
    title: { en: 'Streets', 'fr-CA': 'Rues' },
    intro: { en: '**Why** we ask', 'fr-CA': 'Pourquoi' },
    thanks: { en: 'Thank you', 'fr-CA': 'Merci' },
    access: 'group',
    groupId,
    anonymous: true,
    changeable: false,
    variant: 'revised',
    resultsPublic: true,
    opensAt: new Date('2026-03-01T09:00:00Z'),
    closesAt: new Date('2026-04-01T17:30:00Z'),
    minutes: 7,
    definition: DEFINITION,
  })
  const keyword = `STREET${survey.id.replaceAll('-', '').slice(-6).toUpperCase()}`
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(surveyKeywords).values({ siteId: site.id, surveyId: survey.id, keyword, language: 'en' }))
  return { ...survey, keyword }
}

const freeKeyword = (surveyId: string) =>
  runtime.database.site(site.id).tx((tx) => tx.delete(surveyKeywords).where(eq(surveyKeywords.surveyId, surveyId)))

test('a survey with every type of question and every setting is the same after export and import', async () => {
  const survey = await addSurveyWithSettings()
  const before = await exportSurvey(survey.id)
  await freeKeyword(survey.id)
  const { surveyId = '', notes, faults } = await importFile(before.file)
  expect({ notes, faults }).toEqual({ notes: [], faults: 0 })
  const after = await exportSurvey(surveyId)
  expect(after.json.survey).toEqual({ ...before.json.survey, id: surveyId })
  expect(before.json.survey).toMatchObject({
    introTranslations: { en: '**Why** we ask', 'fr-CA': 'Pourquoi' },
    access: 'group',
    anonymous: true,
    changeable: false,
    smsKeywords: { en: survey.keyword },
    opensAt: '2026-03-01T09:00:00.000Z',
    minutes: 7,
  })
  expect(after.json['definition']).toEqual(JSON.parse(JSON.stringify(DEFINITION)))
  // With a keyword it could not be published: some of these questions cannot be asked by text.
  await freeKeyword(surveyId)
  await publishSurvey(as(), surveyId, { waiveTranslations: true })
  const [published] = (await exportSurvey(surveyId)).json.versions
  expect(published).toEqual(before.json.versions[0])
})

test('a draft that was never published is exported and imported too', async () => {
  const draft = await addSurvey(runtime, site, { status: 'draft', definition: DEFINITION })
  const before = await exportSurvey(draft.id)
  expect(before.json.versions).toEqual([])
  const { surveyId = '', notes } = await importFile(before.file)
  expect(notes).toEqual([])
  expect((await exportSurvey(surveyId)).json['definition']).toEqual(before.json['definition'])
})

test('what cannot be the same in the same place is named: the address, the words for texts, a group of another site', async () => {
  const survey = await addSurveyWithSettings()
  const { file } = await exportSurvey(survey.id)
  expect((await importFile(file, { projectId: survey.projectId })).notes).toEqual([
    `setting-left-out slug: ${survey.slug}`,
    `setting-left-out smsKeywords: ${survey.keyword}`,
  ])
  const other = await addSite(runtime, { slug: 'harbour' })
  const clerk = await addPerson(runtime, other, { roles: [{ role: 'site_admin' }] })
  const moved = await importFile(file, { ctx: as(other, clerk) })
  expect(moved.notes).toEqual([`setting-left-out groupId: ${survey.groupId}`])
})

test('texts in a language that the site lacks are asked about, and imported as another or left out by name', async () => {
  const { file } = await exportSurvey((await addSurveyWithSettings()).id)
  const welsh = await addSite(runtime, { slug: 'dyffryn', languages: ['cy'], locale: 'cy' })
  const ctx = as(welsh, await addPerson(runtime, welsh, { roles: [{ role: 'site_admin' }] }))
  expect((await importFile(file, { ctx })).asked).toMatchObject({ languages: ['en', 'fr-CA'] })
  const { surveyId = '', notes } = await importFile(file, { ctx, choices: { en: 'cy', 'fr-CA': '' } })
  expect(notes?.[0]).toBe('language-left-out fr-CA')
  expect((await exportSurvey(surveyId, ctx)).json.survey).toMatchObject({
    titleTranslations: { cy: 'Streets' },
    thanksTranslations: { cy: 'Thank you' },
  })
})

test('a file with 20,000 answers makes the survey, and says that earlier versions and the answers are not in it', async () => {
  const survey = await addSurvey(runtime, site, { definition: DEFINITION })
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(surveyVersions).values({ siteId: site.id, surveyId: survey.id, number: 2, definition: DEFINITION })
    await tx
      .update(surveys)
      .set({ publishedVersion: 2 })
      .where(and(eq(surveys.siteId, site.id), eq(surveys.id, survey.id)))
  })
  const { json } = await exportSurvey(survey.id)
  const answers = { long_text: 'A longer answer about the street. '.repeat(20) }
  const file = Buffer.from(JSON.stringify({ ...json, responses: Array.from({ length: 20_000 }, (_, id) => ({ id, version: 2, answers })) }))
  expect(file.length).toBeGreaterThan(10_000_000)
  expect((await importFile(file)).notes).toEqual(['left-out versions: 1', 'answers-later responses: 20000'])
})
