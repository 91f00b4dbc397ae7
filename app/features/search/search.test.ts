import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub, addPage, addSearchableProject, addUpdate } from '#tests/factories/content.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { addPerson as addViewer, addSurvey } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addPerson } from '#tests/support/people.ts'
import { createEvent, updateEvent } from '#app/features/events/managing/events.server.ts'
import { searchSite } from './search.server.ts'

let runtime: TestRuntime
let site: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA'] })
  const open = await addSearchableProject(runtime, site, {
    slug: 'library',
    title: { en: 'A library for Northgate', 'fr-CA': 'Une bibliothèque' },
  })
  const members = await addSearchableProject(runtime, site, { slug: 'inner', title: { en: 'The library board' }, visibility: 'members' })
  await addSearchableProject(runtime, site, { slug: 'draft', title: { en: 'Library draft' }, status: 'draft', publishedAt: null })
  const surveyed = {
    projectId: open.id,
    resultsPublic: true,
    ...buildSearchFields({ en: 'Library hours' }),
    title: { en: 'Library hours' },
  }
  await addSurvey(runtime, site, { ...surveyed, slug: 'hours' })
  await addSurvey(runtime, site, { ...surveyed, slug: 'hours-before', closesAt: new Date('2026-01-02T00:00:00Z') })
  await addSurvey(runtime, site, { ...surveyed, slug: 'hours-to-come', status: 'draft' })
  await addSurvey(runtime, site, { ...surveyed, slug: 'hours-inside', projectId: members.id })
  await addHub(runtime, site, { slug: 'libraries', title: { en: 'Libraries and culture' } })
  await addPage(runtime, site, { slug: 'about', title: { en: 'How the library counts' } })
  await addPage(runtime, site, { slug: 'unfinished', title: { en: 'Library rules' }, publishedAt: null })
  await addUpdate(runtime, site, open.id, { slug: 'news', title: { en: 'The library survey is open' } })
  await addUpdate(runtime, site, members.id, { slug: 'inside', title: { en: 'The library board meets' } })
})

const find = async (q: string, language: 'en' | 'fr-CA' = 'en') =>
  (await searchSite(createCtx(runtime, site, { language }), { q })).hits.map((hit) => `${hit.kind} ${hit.slug}`)

test('finds projects, surveys, published results, hubs, pages and updates that are public, and no others', async () => {
  expect((await find('libary')).sort()).toEqual([
    'hub libraries',
    'page about',
    'project library',
    'results hours-before',
    'survey hours',
    'update news',
  ])
})

test('finds published events of projects that are listed, by each of their texts, and none once they are cancelled', async () => {
  const open = await addSearchableProject(runtime, site, { slug: 'river', title: { en: 'The river' } })
  const members = await addSearchableProject(runtime, site, { slug: 'river-board', title: { en: 'Members only' }, visibility: 'members' })
  const admin = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
  const ctx = createCtx(runtime, site, { viewer: admin })
  const write = { titleTranslations: { en: 'Otter walk' }, placeTranslations: { en: 'Boathouse quay' } }
  const at = (hours: number) => new Date(runtime.now().getTime() + hours * 3_600_000)
  const when = { startsAt: at(24), endsAt: at(26) }
  const walk = await createEvent(ctx, { id: createId(), project: open.id, ...write, slug: 'walk', ...when })
  const inside = await createEvent(ctx, { id: createId(), project: members.id, ...write, slug: 'inside', ...when })
  expect(await find('otter')).toEqual([])
  await updateEvent(ctx, walk, { status: 'published', waived: ['title.fr-CA', 'place.fr-CA'] }, 1)
  await updateEvent(ctx, inside, { status: 'published', waived: ['title.fr-CA', 'place.fr-CA'] }, 1)
  expect(await find('otter')).toEqual(['event walk'])
  expect(await find('boathouse')).toEqual(['event walk'])
  const { hits } = await searchSite(createCtx(runtime, site), { q: 'otter' })
  expect(hits[0]).toMatchObject({ kind: 'event', projectSlug: 'river', title: { text: 'Otter walk' } })
  await updateEvent(ctx, walk, { titleTranslations: { en: 'Heron walk' }, waived: ['title.fr-CA', 'place.fr-CA'] }, 2)
  expect(await find('otter')).toEqual([])
  expect(await find('heron')).toEqual(['event walk'])
  await updateEvent(ctx, walk, { status: 'cancelled' }, 3)
  expect(await find('heron')).toEqual([])
})

test('finds words in any language and says which language a text is in', async () => {
  expect(await find('bibliotheque', 'fr-CA')).toEqual(['project library'])
  const { hits } = await searchSite(createCtx(runtime, site, { language: 'fr-CA' }), { q: 'culture' })
  expect(hits[0]).toMatchObject({ kind: 'hub', title: { text: 'Libraries and culture', lang: 'en' } })
})

test('an empty search returns nothing, and hostile input is treated as plain words', async () => {
  expect(await searchSite(createCtx(runtime, site), {})).toEqual({ words: '', hits: [] })
  for (const q of ["'; drop table pages; --", '<script>', '\u0000', '%%%', 'x'.repeat(5000)]) expect(await find(q)).toEqual([])
})

test('a short word is not another one that begins alike: “bus” is not Budget', async () => {
  const own = await addSite(runtime, { slug: 'transit' })
  const search = async (q: string) => (await searchSite(createCtx(runtime, own), { q })).hits.map(({ slug }) => slug)
  await addSearchableProject(runtime, own, { slug: 'budget', title: { en: 'Budget 2027' } })
  expect(await search('bus')).toEqual([])
  await addSearchableProject(runtime, own, { slug: 'buses', title: { en: 'Night buses' } })
  await addSearchableProject(runtime, own, { slug: 'business', title: { en: 'Business bus business business' } })
  expect(await search('bus')).toEqual(['business', 'buses'])
  expect(await search('budget')).toEqual(['budget'])
})

test('a whole word of a title comes before parts of words, however many', async () => {
  const own = await addSite(runtime, { slug: 'parking' })
  const search = async (q: string) => (await searchSite(createCtx(runtime, own), { q })).hits.map(({ slug }) => slug)
  await addSearchableProject(runtime, own, { slug: 'parkland', title: { en: 'Parkland and parks' } })
  await addSearchableProject(runtime, own, { slug: 'park', title: { en: 'The park' } })
  expect((await search('park'))[0]).toBe('park')
})

test('what matches equally stands in one order, the newest first', async () => {
  const own = await addSite(runtime, { slug: 'equal' })
  const ids = Array.from({ length: 4 }, () => createId())
  for (const at of [1, 3, 0, 2]) await addPage(runtime, own, { id: ids[at] ?? '', slug: `page-${at}`, title: { en: 'Benches' } })
  const { hits } = await searchSite(createCtx(runtime, own), { q: 'benches' })
  expect(hits.map(({ slug }) => slug)).toEqual(['page-3', 'page-2', 'page-1', 'page-0'])
})

test('a project is found by the answer to one of its questions', async () => {
  const own = await addSite(runtime, { slug: 'answers' })
  const { token } = await addPerson(runtime, own, { role: 'site_admin' })
  const api = createApiClient(runtime, own, token)
  const titleTranslations = { en: 'The market square' }
  const made = await api.post('/projects', buildResourceDocument('projects', { slug: 'square', titleTranslations, visibility: 'public' }))
  const { id } = (made.body?.data ?? { id: '' }) as { id: string }
  const faqs = [{ question: { en: 'What about cars?' }, answer: { en: 'There will be less parking.' } }]
  expect((await api.patch(`/projects/${id}`, buildResourceDocument('projects', { faqs }, { id }))).status).toBe(200)
  const publication = buildResourceDocument('publications', { waiveTranslations: true }, { to: { project: { type: 'projects', id } } })
  expect((await api.post('/publications', publication)).codes).toEqual([])
  const { hits } = await searchSite(createCtx(runtime, own), { q: 'parking' })
  expect(hits.map(({ slug }) => slug)).toEqual(['square'])
})
