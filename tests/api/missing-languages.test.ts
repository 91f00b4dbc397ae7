import { beforeAll, describe, expect, test } from 'vitest'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

/**
 * One rule for every kind of text: publishing names each text and language that is missing, and each translation that is older than its
 * source, and publishes only what is named in `waived`.
 */
let admin: ReturnType<typeof createApiClient>
let project: string

interface Doc {
  id: string
  meta: { lockVersion: number }
}
const doc = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as Doc
}
/** What a refusal names: code, text and language. */
const refused = (answer: ApiAnswer) =>
  (answer.body?.errors ?? []).map(({ code, source }) => `${code} ${source?.pointer?.replace('/data/attributes/', '') ?? ''}`).toSorted()

beforeAll(async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime, { slug: 'riverbend' })
  admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  project = doc(await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: inAllLanguages('A bridge') }))).id
})

const create = (type: string, attributes: Record<string, unknown>) =>
  admin.post(`/${type}`, buildResourceDocument(type, attributes, { to: { project: { type: 'projects', id: project } } }))
const change = async (type: string, id: string, attributes: Record<string, unknown>) => {
  const { lockVersion } = doc(await admin.get(`/${type}/${id}`)).meta
  return admin.patch(`/${type}/${id}`, buildResourceDocument(type, attributes, { id, lockVersion }))
}

const KINDS = [
  {
    type: 'pages',
    complete: { titleTranslations: inAllLanguages('Rules'), bodyTranslations: inAllLanguages('Be kind.') },
    publish: { publishedAt: '2026-01-01T00:00:00Z' },
    other: 'bodyTranslations',
    create: (attributes: Record<string, unknown>) => admin.post('/pages', buildResourceDocument('pages', attributes)),
  },
  {
    type: 'project-updates',
    complete: { titleTranslations: inAllLanguages('Works begin'), bodyTranslations: inAllLanguages('On Monday.') },
    publish: { publishedAt: '2026-01-01T00:00:00Z' },
    other: 'bodyTranslations',
    create: (attributes: Record<string, unknown>) => create('project-updates', attributes),
  },
  {
    type: 'activities',
    complete: { titleTranslations: inAllLanguages('Ideas'), introTranslations: inAllLanguages('Tell us.'), kind: 'ideas' },
    publish: { status: 'published' },
    other: 'introTranslations',
    create: (attributes: Record<string, unknown>) => create('activities', attributes),
  },
]

describe.each(KINDS)('$type', ({ type, complete, publish, other, create: createOne }) => {
  const name = other.replace('Translations', '')

  test('are not published while a text lacks a language, unless it is waived by name', async () => {
    const { id } = doc(await createOne({ ...complete, [other]: { en: 'Soon', cy: 'Cyn hir' } }))
    const answer = await change(type, id, publish)
    expect(answer.status).toBe(422)
    expect(refused(answer)).toEqual([`translation-missing ${other}/fr-CA`])
    expect((await change(type, id, { ...publish, waived: [`title.fr-CA`] })).status).toBe(422)
    expect((await change(type, id, { ...publish, waived: [`${name}.fr-CA`] })).status).toBe(200)
    // What was waived is not asked again as long as nothing else goes missing.
    expect((await change(type, id, { titleTranslations: inAllLanguages('Another title') })).status).toBe(200)
    expect(refused(await change(type, id, { [other]: { en: 'Soon' } }))).toEqual([`translation-missing ${other}/cy`])
  })

  test('are not published with translations that are older than their source, unless that is waived by name', async () => {
    const { id } = doc(await createOne(complete))
    const translated = (complete as Record<string, unknown>)[other] as Record<string, string>
    // A draft may lag behind; publishing says so.
    doc(await change(type, id, { [other]: { ...translated, en: 'Something else entirely' } }))
    expect(refused(await change(type, id, publish))).toEqual([`translation-stale ${other}/cy`, `translation-stale ${other}/fr-CA`])
    // Welsh is translated anew, French is knowingly left.
    doc(await change(type, id, { [other]: { ...translated, en: 'Something else entirely', cy: 'Rhywbeth arall' } }))
    expect(refused(await change(type, id, publish))).toEqual([`translation-stale ${other}/fr-CA`])
    expect((await change(type, id, { ...publish, waived: [`${name}.fr-CA`] })).status).toBe(200)
  })

  test('that are public are not changed so that a translation lags behind, unless that is waived', async () => {
    const { id } = doc(await createOne(complete))
    doc(await change(type, id, publish))
    const translated = (complete as Record<string, unknown>)[other] as Record<string, string>
    const changed = { [other]: { ...translated, en: 'Not what it said' } }
    expect(refused(await change(type, id, changed))).toEqual([`translation-stale ${other}/cy`, `translation-stale ${other}/fr-CA`])
    expect((await change(type, id, { ...changed, waived: [`${name}.cy`, `${name}.fr-CA`] })).status).toBe(200)
    // The source as it was translated is not out of date.
    expect((await change(type, id, { [other]: translated })).status).toBe(200)
    doc(await change(type, id, { titleTranslations: inAllLanguages('A title in all') }))
  })
})

test('a survey names what is missing and what is out of date by its place in the questions', async () => {
  const question = { id: 'q1', type: 'short_text', title: inAllLanguages('Why?'), help: { en: 'In a few words', cy: 'Yn fyr' } }
  const definition = { schema: 1, pages: [{ id: 'p1', questions: [question] }] }
  const survey = doc(await create('surveys', { titleTranslations: inAllLanguages('The Sunday bus'), definition }))
  const publish = (attributes: Record<string, unknown> = {}) =>
    admin.post(
      '/survey-versions',
      buildResourceDocument('survey-versions', attributes, { to: { survey: { type: 'surveys', id: survey.id } } }),
    )
  expect(refused(await publish())).toEqual(['translation-missing definition/pages/0/questions/0/help/fr-CA'])
  const edited = { ...question, title: { ...question.title, en: 'Why not?' } }
  doc(await change('surveys', survey.id, { definition: { ...definition, pages: [{ id: 'p1', questions: [edited] }] } }))
  expect(refused(await publish())).toEqual([
    'translation-missing definition/pages/0/questions/0/help/fr-CA',
    'translation-stale definition/pages/0/questions/0/title/cy',
    'translation-stale definition/pages/0/questions/0/title/fr-CA',
  ])
  const names = ['help.fr-CA', 'title.cy', 'title.fr-CA'].map((name) => `definition.pages.0.questions.0.${name}`)
  expect((await publish({ waived: names.slice(1) })).status).toBe(422)
  expect((await publish({ waived: names })).status).toBe(201)
})

test('a published project is not changed over the API so that its translations lag behind, unless that is waived', async () => {
  const texts = { titleTranslations: inAllLanguages('A park'), summaryTranslations: inAllLanguages('By the river') }
  const { id } = doc(await admin.post('/projects', buildResourceDocument('projects', texts)))
  doc(await admin.post(`/projects/${id}/publications`, buildResourceDocument('publications', {})))
  const changed = { titleTranslations: { ...texts.titleTranslations, en: 'A bigger park' } }
  expect(refused(await change('projects', id, changed))).toEqual([
    'translation-stale titleTranslations/cy',
    'translation-stale titleTranslations/fr-CA',
  ])
  expect((await change('projects', id, { ...changed, waived: ['title.cy', 'title.fr-CA'] })).status).toBe(200)
})

test('a question that moves leaves nothing out of date', async () => {
  const ask = (id: string, text: string) => ({ id, type: 'short_text', title: inAllLanguages(text) })
  const [first, second] = [ask('q1', 'Where?'), ask('q2', 'When?')]
  const definition = { schema: 1, pages: [{ id: 'p1', questions: [first, second] }] }
  const survey = doc(await create('surveys', { titleTranslations: inAllLanguages('Two questions'), definition }))
  doc(await change('surveys', survey.id, { definition: { ...definition, pages: [{ id: 'p1', questions: [second, first] }] } }))
  const to = { survey: { type: 'surveys', id: survey.id } }
  expect((await admin.post('/survey-versions', buildResourceDocument('survey-versions', {}, { to }))).status).toBe(201)
})
