import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createNewsletter, previewNewsletter } from '#app/features/campaigns/newsletters/newsletters.server.ts'
import { readAskedQuestions } from '#app/features/profile/asked-questions.server.ts'
import { readDesk, saveTranslation } from '#app/features/translations/desk.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { localiseDefinition } from '#app/features/surveys/surveys.views.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { profileQuestions } from '#app/server/db/schema/profile.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { listTextGaps } from '#app/server/translations.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addProject, POLL } from '#tests/factories/surveys.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'

const ENGLISH = 'A new library'
const POLISH = 'Nowa biblioteka'
const ARABIC = 'مكتبة جديدة'

let runtime: TestRuntime
let site: Site
let admin: Viewer
let project: { id: string; slug: string }

const setAdded = async (addedLanguages: Site['addedLanguages']) => {
  await runtime.database.site(site.id).tx((tx) => tx.update(sites).set({ addedLanguages }).where(eq(sites.id, site.id)))
  runtime.sites.refresh()
  site = { ...site, addedLanguages }
}
const as = (language: ContentLanguage, viewer?: Viewer): Ctx => createCtx(runtime, site, { language, ...(viewer && { viewer }) })

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'added', locale: 'en', languages: ['en', 'cy'] })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  await setAdded(['pl', 'ar'])
  project = await addProject(runtime, site, {
    title: { en: ENGLISH, cy: 'Llyfrgell newydd', pl: POLISH, ar: ARABIC },
    summary: { en: 'Where should it stand?', cy: 'Ble ddylai fod?' },
  })
})

test('a reader gets the project in their language, and what is missing in the site’s own', async () => {
  const polish = await getProject(as('pl'), { slug: project.slug })
  expect(polish.title).toEqual({ text: POLISH, lang: 'pl' })
  expect(polish.summary).toEqual({ text: 'Where should it stand?' })
  expect((await getProject(as('ar'), { slug: project.slug })).title).toEqual({ text: ARABIC, lang: 'ar' })
  expect((await getProject(as('cy'), { slug: project.slug })).title).toEqual({ text: 'Llyfrgell newydd' })
})

test('programs ask for it as browsers do', async () => {
  const client = createApiClient(runtime, site)
  const answer = await client.get(`/projects/${project.id}?lng=pl`)
  expect(answer.body).toMatchObject({ data: { attributes: { title: POLISH }, meta: { languages: { summary: 'en' } } } })
})

test('a missing text is no reason to refuse publishing', async () => {
  const texts = [{ pointer: '/title', text: { en: ENGLISH, cy: 'Llyfrgell newydd' }, isNeeded: true }]
  const gaps = await runtime.database.site(site.id).read((tx) => listTextGaps(as('en'), tx, project.id, texts))
  expect(gaps).toEqual([])
})

test('the language desk shows what is missing and writes it', async () => {
  const desk = await readDesk(as('en', admin), { to: 'pl', kind: 'projects', state: 'missing' })
  expect(desk.to).toBe('pl')
  const text = desk.texts.find(({ source }) => source === 'Where should it stand?')
  if (!text) throw new Error('The desk does not list the summary')
  await saveTranslation(as('en', admin), text.id, { language: 'pl', source: text.source, was: '', translation: 'Gdzie ma stanąć?' })
  const done = await readDesk(as('en', admin), { to: 'pl', kind: 'projects', state: 'done' })
  expect(done.texts).toContainEqual(expect.objectContaining({ id: text.id, translation: 'Gdzie ma stanąć?' }))
})

test('a survey carries only the reader’s language', () => {
  const [page] = POLL.pages
  if (!page?.questions[0]) throw new Error('The poll has no question')
  const definition = { pages: [{ ...page, questions: [{ ...page.questions[0], title: { en: 'Which night?', pl: 'Który wieczór?' } }] }] }
  expect(localiseDefinition(definition, 'pl', 'en').pages[0]?.questions[0]?.title).toEqual({ pl: 'Który wieczór?' })
})

test('a newsletter in Arabic is marked as such and runs from right to left', async () => {
  const subject = { en: 'News', cy: 'Newyddion', ar: 'أخبار' }
  const content = {
    schema: 1 as const,
    blocks: [{ id: createId(), type: 'rich_text' as const, body: { en: 'Hello', cy: 'Helo', ar: 'مرحبا' } }],
  }
  const id = await createNewsletter(as('en', admin), { id: createId(), name: 'July' })
  const { bodyHtml } = await previewNewsletter(as('en', admin), { campaign: id, subject, content, language: 'ar' })
  expect(bodyHtml).toMatch(/lang="ar" dir="rtl"[^>]*>مرحبا/)
  expect(bodyHtml).toContain('<html lang="en">')
})

test('a language that is removed keeps its texts and brings them back', async () => {
  const other = await addProject(runtime, site, { title: { en: ENGLISH, cy: 'Llyfrgell newydd', pl: POLISH } })
  await setAdded([])
  const client = createApiClient(runtime, site)
  expect((await client.get(`/projects/${other.id}?lng=pl`)).body).toMatchObject({ data: { attributes: { title: ENGLISH } } })
  await setAdded(['pl', 'ar'])
  expect((await getProject(as('pl'), { slug: other.slug })).title.text).toBe(POLISH)
})

test('a question about people is asked in an added language, and only what the site wrote is in it', async () => {
  await setAdded(['ar'])
  const [id, words] = [createId(), (en: string, ar: string) => ({ en, cy: en, ar })]
  await runtime.database.site(site.id).tx((tx) =>
    tx.insert(profileQuestions).values({
      siteId: site.id,
      id,
      key: 'home',
      type: 'one-choice',
      label: words('Language at home', 'لغة البيت'),
      purpose: words('to translate', 'لنترجم'),
      options: [
        { id: 'en', label: words('English', 'الإنجليزية') },
        { id: 'other', label: { en: 'Another', cy: 'Un arall' } },
      ],
      askedAt: 'sign-up',
      retentionMonths: 24,
      status: 'live',
    }),
  )
  const read = async (language: ContentLanguage) => (await readAskedQuestions(as(language), 'sign-up')).find((one) => one.id === id)
  const arabic = await read('ar')
  expect(arabic?.question).toMatchObject({ title: { ar: 'لغة البيت' }, help: { ar: 'لنترجم' } })
  expect(arabic?.question).toMatchObject({ options: [{ label: { ar: 'الإنجليزية' } }, { label: { en: 'Another' } }] })
  expect(arabic?.question.title).not.toHaveProperty('en')
  // How long it is kept is said by the interface, which has no Arabic.
  expect(arabic?.note).toContain('24 months')
  const english = await read('en')
  expect(english?.question).toMatchObject({ title: { en: 'Language at home' } })
  expect(english?.question.help?.en).toContain('to translate We keep')
  expect(english?.note).toBe('')
})
