import { beforeAll, describe, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub, addSearchableProject, addTopic } from '#tests/factories/content.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { listProjects } from './projects.list.server.ts'
import { type ProjectSearch, readProjectSearch } from './projects.schema.ts'

let runtime: TestRuntime
let site: Site
const now = new Date('2026-06-01T12:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 86_400_000)

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(now)
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA'] })
  const [roads, culture] = [
    await addHub(runtime, site, { slug: 'roads', title: { en: 'Roads', 'fr-CA': 'Routes' } }),
    await addHub(runtime, site, { slug: 'culture', title: { en: 'Culture' } }),
  ]
  const topic = await addTopic(runtime, site, { slug: 'transport', title: { en: 'Transport', 'fr-CA': 'Transport' } })
  const add = (slug: string, values: Parameters<typeof addSearchableProject>[2]) => addSearchableProject(runtime, site, { slug, ...values })
  await add('bus', {
    title: { en: 'A faster bus on Fern Street', 'fr-CA': 'Un autobus plus rapide' },
    summary: { en: 'Two lanes for buses and bikes.' },
    hubId: roads.id,
    topicId: topic.id,
    opensAt: days(-5),
    closesAt: days(20),
    participants: 40,
    publishedAt: days(-5),
  })
  await add('library', {
    title: { en: 'A library for Northgate', 'fr-CA': 'Une bibliothèque à Northgate' },
    summary: { en: 'Choose between three sites near the bus.' },
    hubId: culture.id,
    opensAt: days(-9),
    closesAt: days(3),
    participants: 90,
    publishedAt: days(-9),
  })
  await add('winter', { title: { en: 'Clear sidewalks' }, hubId: roads.id, opensAt: days(4), closesAt: days(30), publishedAt: days(-1) })
  await add('noise', {
    title: { en: 'Harbour noise at night' },
    opensAt: days(-90),
    closesAt: days(-30),
    outcome: { en: 'Four things change.' },
    participants: 861,
    publishedAt: days(-90),
  })
  await add('pool', { title: { en: 'New hours at the pool' }, opensAt: days(-50), closesAt: days(-10), publishedAt: days(-50) })
})

const find = async (search: ProjectSearch, language: 'en' | 'fr-CA' = 'en') => listProjects(createCtx(runtime, site, { language }), search)
const slugs = async (search: ProjectSearch) => (await find(search)).projects.map((project) => project.slug)

describe('search', () => {
  test.each([
    ['library', 'library'],
    ['libary', 'library'],
    ['bibliotheque', 'library'],
    ['bibliotéque', 'library'],
    ['nothgate', 'library'],
    ['fastr buss', 'bus'],
    ['fern', 'bus'],
    ['noize', 'noise'],
    ['sidewlaks', 'winter'],
    ['side walks', 'winter'],
  ])('“%s” finds %s first', async (q, slug) => {
    expect((await slugs({ q }))[0]).toBe(slug)
  })

  test('a hit in a title comes before one in the text', async () => {
    expect(await slugs({ q: 'bus' })).toEqual(['bus', 'library'])
  })

  test('a word similar to none finds nothing, and punctuation on its own is not a search', async () => {
    expect(await slugs({ q: 'zzxqj' })).toEqual([])
    expect((await find({ q: '%_\\ ()' })).total).toBe(5)
  })

  test('hostile input is treated as plain words', async () => {
    for (const q of ["'; drop table projects; --", '\u0000', '<script>', '%', 'a'.repeat(200), '\\', '🙂']) {
      await expect(find({ q })).resolves.toMatchObject({ page: 1 })
    }
  })
})

describe('filters and order', () => {
  test("a project's status follows from its dates and outcome", async () => {
    expect(await slugs({ status: 'open' })).toEqual(['library', 'bus'])
    expect(await slugs({ status: 'upcoming' })).toEqual(['winter'])
    expect(await slugs({ status: 'results' })).toEqual(['noise'])
    expect(await slugs({ status: 'closed' })).toEqual(['pool'])
  })

  test('open ones come first, soonest closing before others', async () => {
    expect(await slugs({})).toEqual(['library', 'bus', 'winter', 'noise', 'pool'])
    expect(await slugs({ sort: 'newest' })).toEqual(['winter', 'bus', 'library', 'pool', 'noise'])
    expect((await slugs({ sort: 'people' })).slice(0, 3)).toEqual(['noise', 'library', 'bus'])
  })

  test('counts beside each filter say how many results it would give', async () => {
    const list = await find({ hub: 'roads' }, 'fr-CA')
    expect(list.projects.map((project) => project.slug)).toEqual(['bus', 'winter'])
    expect(list.phases).toEqual({ open: 1, upcoming: 1, closed: 0, results: 0 })
    expect(list.hubs).toEqual([
      { slug: 'culture', title: { text: 'Culture', lang: 'en' }, count: 1 },
      { slug: 'roads', title: { text: 'Routes' }, count: 2 },
    ])
    expect(list.topics).toEqual([{ slug: 'transport', title: { text: 'Transport' }, count: 1 }])
  })

  test('a filter that finds nothing stays; one that does not exist is dropped', async () => {
    expect(await find({ hub: 'culture', status: 'upcoming' })).toMatchObject({ total: 0, search: { hub: 'culture', status: 'upcoming' } })
    expect(await find({ hub: 'nowhere' })).toMatchObject({ total: 5, search: {} })
  })
})

describe('addresses', () => {
  test('broken and unknown parameters are dropped', () => {
    const given = { q: '  ', status: 'x', topic: ['a', 'b'], hub: '../etc', sort: 'DROP', page: '-1', utm_source: 'mail' }
    expect(readProjectSearch(given)).toEqual({})
    expect(readProjectSearch({ q: 'bus', status: 'open', page: '2', sort: 'newest' })).toEqual({
      q: 'bus',
      status: 'open',
      page: 2,
      sort: 'newest',
    })
    expect(readProjectSearch({ page: '1e9' })).toEqual({})
  })

  test('a page past the end shows the last one', async () => {
    expect(await find({ page: 99 })).toMatchObject({ page: 1, pages: 1 })
  })
})
