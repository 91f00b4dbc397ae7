import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { events } from '#app/server/db/schema/events.ts'
import type { Site } from '#app/server/site-directory.ts'
import { buildAtomFeed } from '#app/features/updates/updates-feed.server.ts'
import { addHub, addPage, addUpdate } from '#tests/factories/content.ts'
import { addPerson, addProject } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { drawShareCard } from './share-card.server.ts'
import { buildRobots, buildSitemap } from './sitemap.server.ts'
import { toJsonLd } from './structured-data.ts'

const HOSTILE = `</script><script>alert(1)</script> "quoted" & 'single' ]]> <b>\u2028\u0007`

let runtime: TestRuntime
let site: Site

beforeAll(async () => {
  runtime = await createTestRuntime({ PORT: '4199' })
  site = await addSite(runtime, { slug: 'dyffryn', locale: 'cy', languages: ['cy', 'en'] })
  await addHub(runtime, site, { slug: 'roads' })
  await addPage(runtime, site, { slug: 'privacy' })
  await addPage(runtime, site, { slug: 'unfinished', publishedAt: null })
  const open = await addProject(runtime, site, { slug: 'open', title: { cy: 'Ar agor', en: HOSTILE } })
  const members = await addProject(runtime, site, { slug: 'inner', visibility: 'members' })
  await addProject(runtime, site, { slug: 'secret', status: 'draft', publishedAt: null })
  await addProject(runtime, site, { slug: 'by-link', visibility: 'link' })
  await addUpdate(runtime, site, open.id, {
    slug: 'news',
    title: { cy: 'Newyddion' },
    body: { cy: 'Gweler [y cynllun](/projects/open).', en: HOSTILE },
  })
  await addUpdate(runtime, site, open.id, { slug: 'later', publishedAt: new Date(Date.now() + 86_400_000) })
  await addUpdate(runtime, site, members.id, { slug: 'inside' })
  const addEvent = (projectId: string, slug: string, status: 'draft' | 'published' | 'cancelled' = 'published') =>
    runtime.database
      .site(site.id)
      .tx((tx) => tx.insert(events).values({ siteId: site.id, id: createId(), projectId, slug, status, title: { cy: 'Taith gerdded' } }))
  await addEvent(open.id, 'walk')
  await addEvent(open.id, 'not-yet', 'draft')
  await addEvent(members.id, 'among-us')
})

describe('the feed', () => {
  test('contains what is public, newest first, in the requested language', async () => {
    const feed = await buildAtomFeed(createCtx(runtime, site, { language: 'cy' }))
    expect(feed).toContain('xml:lang="cy"')
    expect([...feed.matchAll(/<link rel="alternate" type="text\/html" href="([^"]+)"/g)].map((match) => match[1])).toEqual([
      'http://dyffryn.localhost:4199/projects/open/updates/news',
    ])
    expect(feed).toContain('&lt;a href=&quot;http://dyffryn.localhost:4199/projects/open&quot;&gt;y cynllun&lt;/a&gt;')
  })

  test('in another language links to that language, marks texts in a different one, and escapes markup', async () => {
    const feed = await buildAtomFeed(createCtx(runtime, site, { language: 'en' }))
    expect(feed).toContain('<entry xml:lang="cy">')
    expect(feed).toContain('href="http://dyffryn.localhost:4199/en/projects/open/updates/news"')
    expect(feed).not.toMatch(/<(script|b)[ >]/)
    expect(feed).not.toContain('\u0007')
  })

  test("is the same for an administrator: nobody's feed shows more than a visitor's", async () => {
    const viewer = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
    expect(await buildAtomFeed(createCtx(runtime, site, { viewer }))).toBe(await buildAtomFeed(createCtx(runtime, site)))
  })
})

test('the sitemap lists every public page in each language, and nothing else', async () => {
  const map = await buildSitemap(createCtx(runtime, site))
  const paths = [...map.matchAll(/<loc>http:\/\/dyffryn\.localhost:4199([^<]*)<\/loc>/g)].map((match) => match[1])
  const expected = [
    '/',
    '/projects',
    '/hubs',
    '/projects/open',
    '/hubs/roads',
    '/pages/privacy',
    '/projects/open/updates/news',
    '/projects/open/events/walk',
  ]
  expect(paths.sort()).toEqual([...expected, ...expected.map((path) => `/en${path === '/' ? '' : path}`)].sort())
  expect(map).toContain('<xhtml:link rel="alternate" hreflang="x-default" href="http://dyffryn.localhost:4199/projects/open"/>')
})

test('robots are excluded from administration and personal pages in every language', () => {
  const text = buildRobots(createCtx(runtime, site))
  for (const path of ['/admin', '/live-preview', '/account', '/api/']) {
    expect(text).toContain(`Disallow: ${path}\n`)
    expect(text).toContain(`Disallow: /*${path}\n`)
  }
  expect(text).toContain('Sitemap: http://dyffryn.localhost:4199/sitemap.xml')
})

describe('the share card', () => {
  const card = (kind: string, slug: string, language: 'cy' | 'en' = 'cy') =>
    drawShareCard(createCtx(runtime, site, { language }), { kind, slug })

  test('is a 1200 by 630 PNG with the title in readable letters, whatever the title', async () => {
    const plain = await card('project', 'open')
    const hostile = await card('project', 'open', 'en')
    for (const png of [plain, hostile, await card('site', 'home'), await card('hub', 'roads'), await card('page', 'privacy')]) {
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    }
    expect(plain?.equals(hostile ?? Buffer.alloc(0))).toBe(false)
  })

  test('is not drawn for anything that a visitor may not see', async () => {
    for (const slug of ['secret', 'inner', 'by-link', 'nothing', '../open', '\u0000']) expect(await card('project', slug)).toBeUndefined()
    for (const [kind, slug] of [
      ['page', 'unfinished'],
      ['site', 'x'],
      ['users', 'open'],
    ] as const)
      expect(await card(kind, slug)).toBeUndefined()
  })
})

test('no text can close the script element of structured data', () => {
  const json = toJsonLd([{ '@type': 'Event', name: HOSTILE }])
  expect(json).not.toMatch(/[<>&\u2028\u2029]/)
  expect((JSON.parse(json) as { '@graph': unknown[] })['@graph']).toEqual([{ '@type': 'Event', name: HOSTILE }])
})
