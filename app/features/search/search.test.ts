import { beforeAll, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub, addPage, addSearchableProject, addUpdate } from '#tests/factories/content.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
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

test('finds words in any language and says which language a text is in', async () => {
  expect(await find('bibliotheque', 'fr-CA')).toEqual(['project library'])
  const { hits } = await searchSite(createCtx(runtime, site, { language: 'fr-CA' }), { q: 'culture' })
  expect(hits[0]).toMatchObject({ kind: 'hub', title: { text: 'Libraries and culture', lang: 'en' } })
})

test('an empty search returns nothing, and hostile input is treated as plain words', async () => {
  expect(await searchSite(createCtx(runtime, site), {})).toEqual({ words: '', hits: [] })
  for (const q of ["'; drop table pages; --", '<script>', '\u0000', '%%%', 'x'.repeat(5000)]) expect(await find(q)).toEqual([])
})
