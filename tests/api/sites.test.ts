import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#app/lib/uuid.ts'
import { appearanceRevisions, homepageRevisions } from '#app/server/db/schema.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, itemOf, itemsOf } from '#tests/support/accounts.ts'
import { apiOf } from '#tests/support/api.ts'
import { addSite, type TestRuntime, testRuntime } from '#tests/support/database.ts'

let runtime: TestRuntime
let site: Site
let other: Site
let editor: Account
let platform: Account
const ids = { published: newId(), older: newId(), draft: newId(), appearance: newId(), appearanceDraft: newId() }

beforeAll(async () => {
  runtime = await testRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  other = await addSite(runtime, { slug: 'dyffryn' })
  editor = await addAccount(runtime, site, { role: 'site_admin' })
  platform = await addAccount(runtime, site, { role: 'platform_admin' })
  const day = (number: number) => new Date(Date.UTC(2026, 0, number))
  const content = { schema: 1, blocks: [] }
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(homepageRevisions).values([
      { siteId: site.id, id: ids.older, content, createdAt: day(1), publishedAt: day(2) },
      { siteId: site.id, id: ids.published, content, createdAt: day(3), publishedAt: day(4) },
      { siteId: site.id, id: ids.draft, content, createdAt: day(5) },
    ])
    await tx.insert(appearanceRevisions).values([
      { siteId: site.id, id: ids.appearance, content: { primary: '#14516b' }, createdAt: day(1), publishedAt: day(2) },
      { siteId: site.id, id: ids.appearanceDraft, content: {}, createdAt: day(3) },
    ])
  })
})

test('the current site says who it is and which homepages were published', async () => {
  const answer = await apiOf(runtime, site).get('/current-site')
  expect(itemOf(answer).attributes['site']).toEqual({
    id: site.id,
    name: 'Riverbend',
    region: 'Canada',
    locale: 'en',
    publishedHomePageRevisions: [
      { id: ids.published, publishedAt: '2026-01-04T00:00:00.000Z' },
      { id: ids.older, publishedAt: '2026-01-02T00:00:00.000Z' },
    ],
  })
})

describe('sites', () => {
  const seen = async (token?: string) =>
    itemsOf(await apiOf(runtime, site, token).get('/sites'))
      .map((item) => item.id)
      .sort()

  test('anyone meets the site they are on; the platform’s administrators see all', async () => {
    expect(await seen()).toEqual([site.id])
    expect(await seen(editor.token)).toEqual([site.id])
    expect(await seen(platform.token)).toEqual([site.id, other.id].sort())
  })

  test('another site does not exist', async () => {
    expect((await apiOf(runtime, site, editor.token).get(`/sites/${other.id}`)).status).toBe(404)
    expect((await apiOf(runtime, site, editor.token).get(`/sites/${site.id}`)).status).toBe(200)
  })
})

describe('revisions', () => {
  const listed = async (path: string, at = site, token?: string) =>
    itemsOf(await apiOf(runtime, at, token).get(path)).map((item) => item.id)

  test('published ones are for everyone, drafts for who edits them', async () => {
    expect(await listed('/homepage-revisions')).toEqual([ids.published, ids.older])
    expect(await listed('/homepage-revisions', site, editor.token)).toEqual([ids.draft, ids.published, ids.older])
    expect(await listed('/homepage-revisions?filter[published]=false', site, editor.token)).toEqual([ids.draft])
    expect(await listed('/appearance-revisions')).toEqual([ids.appearance])
    expect(await listed('/appearance-revisions', site, editor.token)).toEqual([ids.appearanceDraft, ids.appearance])
    expect((await apiOf(runtime, site).get(`/homepage-revisions/${ids.draft}`)).status).toBe(404)
  })

  test('another site’s do not exist', async () => {
    expect(await listed('/homepage-revisions', other)).toEqual([])
    expect((await apiOf(runtime, other).get(`/homepage-revisions/${ids.published}`)).status).toBe(404)
  })
})
