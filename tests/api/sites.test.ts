import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { appearanceRevisions, homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { withClient } from '#app/server/db/migrate.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, requireItem, requireItems } from '#tests/support/accounts.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { countRowsRead, recordDatabaseUse } from '#tests/support/statements.ts'

let runtime: TestRuntime
let site: Site
let other: Site
let editor: Account
let platform: Account
const ids = { published: createId(), older: createId(), draft: createId(), appearance: createId(), appearanceDraft: createId() }

beforeAll(async () => {
  runtime = await createTestRuntime()
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

test('the current site describes itself, with its published homepages', async () => {
  const answer = await createApiClient(runtime, site).get('/current-site')
  expect(requireItem(answer).attributes['site']).toEqual({
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
    requireItems(await createApiClient(runtime, site, token).get('/sites'))
      .map((item) => item.id)
      .sort()

  test('anyone sees the site they are on; platform administrators see all', async () => {
    expect(await seen()).toEqual([site.id])
    expect(await seen(editor.token)).toEqual([site.id])
    expect(await seen(platform.token)).toEqual([site.id, other.id].sort())
  })

  test('another site does not exist', async () => {
    expect((await createApiClient(runtime, site, editor.token).get(`/sites/${other.id}`)).status).toBe(404)
    expect((await createApiClient(runtime, site, editor.token).get(`/sites/${site.id}`)).status).toBe(200)
  })
})

describe('a thousand sites', () => {
  type Listed = { data: { id: string; attributes: Record<string, unknown> }[]; meta: { total: number } }
  const ask = async (query: string, token = platform.token) => await createApiClient(runtime, site, token).get(`/sites?${query}`)
  const listed = async (query: string, token?: string) => {
    const { data, meta } = (await ask(query, token)).body as unknown as Listed
    return { names: data.map(({ attributes }) => attributes['name']), total: meta.total }
  }

  beforeAll(async () => {
    const { global } = runtime.database
    await global.execute(sql`insert into sites (id, slug, name, region, locale, languages, time_zone, created_at, status)
      select ('10000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'commune-' || n, 'Commune ' || lpad(n::text, 4, '0'),
        case when n % 10 = 0 then 'United Kingdom' else 'Canada' end, 'en', '{en}', 'UTC', timestamptz '2020-01-01' + n * interval '1 hour',
        case when n % 100 = 0 then 'suspended' else 'active' end
      from generate_series(1, 1000) n`)
    await global.execute(sql`insert into site_domains (host, site_id, is_primary)
      select slug || '.example', id, true from sites where slug like 'commune-%'`)
    await global.execute(
      sql`insert into site_domains (host, site_id) select 'saint-elsewhere.example', id from sites where slug = 'commune-7'`,
    )
    await global.execute(sql`update sites set name = 'Montréal-Ouest' where slug = 'commune-500'`)
    await global.execute(sql`insert into site_deletions (id, name, was, reason, asked_by, asked_by_name, asked_at, due_at, state)
      select id, name, 'active', 'Merged', ${platform.id}, 'Platform', now(), now(), case slug when 'commune-100' then 'waiting' else 'erasing' end
      from sites where slug in ('commune-100', 'commune-200')`)
  })

  test('are searched by name, slug and host, filtered, sorted and paged', async () => {
    expect((await listed('page[size]=25')).total).toBe(1002)
    expect(await listed('page[size]=2&page[number]=3&sort=-createdAt&filter[q]=commune')).toEqual({
      names: ['Commune 0996', 'Commune 0995'],
      total: 1000,
    })
    expect(await listed('filter[q]=montreal%20OUEST')).toEqual({ names: ['Montréal-Ouest'], total: 1 })
    expect(await listed('filter[q]=elsewhere')).toEqual({ names: ['Commune 0007'], total: 1 })
    expect((await listed('filter[q]=%25')).total).toBe(0)
    expect((await listed('filter[region]=United%20Kingdom')).total).toBe(100)
    expect((await listed('filter[state]=suspended')).total).toBe(8)
    expect((await listed('filter[state]=leaving')).names).toEqual(['Commune 0100', 'Commune 0200'])
    expect((await listed('filter[state]=active,leaving')).total).toBe(994)
    expect((await listed('filter[state]=suspended&filter[region]=Canada')).total).toBe(0)
    expect((await listed('page[number]=99999')).names).toEqual([])
    for (const wrong of [
      'filter[state]=gone',
      'filter[name]=Commune',
      'sort=slug',
      'sort=locale',
      'page[size]=1001',
      'filter[q]=a&filter[q]=b',
    ])
      expect(await ask(wrong), wrong).toMatchObject({ status: 400 })
  })

  test('are found by the domains that they have, and by none that they had', async () => {
    const { global } = runtime.database
    const found = async (host: string) => (await listed(`filter[q]=${host}`)).names
    await global.execute(sql`insert into site_domains (host, site_id) select 'old-harbour.example', id from sites where slug = 'commune-8'`)
    expect(await found('old-harbour')).toEqual(['Commune 0008'])
    await global.execute(sql`update site_domains set host = 'new-harbour.example' where host = 'old-harbour.example'`)
    expect([await found('old-harbour'), await found('new-harbour')]).toEqual([[], ['Commune 0008']])
    await global.execute(
      sql`update site_domains set site_id = (select id from sites where slug = 'commune-9') where host = 'new-harbour.example'`,
    )
    expect(await found('new-harbour')).toEqual(['Commune 0009'])
    await global.execute(sql`delete from site_domains where host = 'new-harbour.example'`)
    expect(await found('new-harbour')).toEqual([])
    expect(await found('commune-9.example')).toEqual(['Commune 0009'])
  })

  test('are visible only to the platform: no filter or include shows a site to another’s administrator', async () => {
    for (const query of ['filter[q]=commune', 'filter[state]=leaving', 'filter[region]=United%20Kingdom'])
      expect((await listed(query, editor.token)).total, query).toBe(0)
    expect((await listed('include=deletion', editor.token)).names).toEqual(['Riverbend'])
    const { body } = await ask('filter[state]=leaving&include=deletion')
    const [leaving] = requireItems({ body })
    expect(leaving).toMatchObject({ relationships: { deletion: { data: { type: 'site-deletions', id: leaving?.id } } } })
    expect(body?.included).toHaveLength(2)
    expect((await createApiClient(runtime, site, editor.token).get(`/sites/${leaving?.id}?include=deletion`)).status).toBe(404)
  })

  test('have a switch each, found by the site’s name', async () => {
    const switches = (query: string) =>
      createApiClient(runtime, site, platform.token).get(`/feature-switches?filter[feature]=whitelist-embed&${query}`)
    expect((await switches('filter[place]=site&filter[q]=commune%20099')).body).toMatchObject({ meta: { total: 11 } })
    expect(requireItems(await switches('filter[q]=elsewhere'))).toHaveLength(1)
  })
})

describe('ten thousand sites', () => {
  beforeAll(async () => {
    const { global } = runtime.database
    await global.execute(sql`insert into sites (id, slug, name, region, locale, languages, time_zone)
      select gen_random_uuid(), 'town-' || n, case n when 77 then 'Montebello' else 'Town ' || n end, 'Canada', 'en', '{en}', 'UTC'
      from generate_series(1, 10000) n`)
    await global.execute(sql`insert into site_domains (host, site_id) select slug || '.example', id from sites where slug like 'town-%'`)
    await global.execute(
      sql`insert into site_domains (host, site_id) select 'elsewhere.town.example', id from sites where slug = 'town-78'`,
    )
    await withClient(runtime.ownerUrl, (client) => client.query('vacuum analyze sites, site_domains'))
  })

  test.for(['montebello', 'elsewhere.town', 'town-9999'])('are searched without reading the others: %s', async (word) => {
    const { statements, values } = await recordDatabaseUse(runtime, async () => {
      const { body } = await createApiClient(runtime, site, platform.token).get(`/sites?filter[q]=${word}`)
      expect(body?.meta).toMatchObject({ total: 1 })
    })
    const searches = statements.flatMap((text, at) => (text.includes(' like ') ? [{ text, values: values[at] ?? [] }] : []))
    expect(searches.length).toBeGreaterThan(0)
    for (const search of searches) {
      const read = await countRowsRead(runtime, site.id, { statements: [search.text], values: [search.values], transactions: 1 })
      expect(read.get('sites')).toBe(1)
    }
  })
})

describe('revisions', () => {
  const listed = async (path: string, at = site, token?: string) =>
    requireItems(await createApiClient(runtime, at, token).get(path)).map((item) => item.id)

  test('published ones are visible to everyone, drafts to their editors', async () => {
    expect(await listed('/homepage-revisions')).toEqual([ids.published, ids.older])
    expect(await listed('/homepage-revisions', site, editor.token)).toEqual([ids.draft, ids.published, ids.older])
    expect(await listed('/homepage-revisions?filter[published]=false', site, editor.token)).toEqual([ids.draft])
    expect(await listed('/appearance-revisions')).toEqual([ids.appearance])
    expect(await listed('/appearance-revisions', site, editor.token)).toEqual([ids.appearanceDraft, ids.appearance])
    expect((await createApiClient(runtime, site).get(`/homepage-revisions/${ids.draft}`)).status).toBe(404)
  })

  test('of another site do not exist', async () => {
    expect(await listed('/homepage-revisions', other)).toEqual([])
    expect((await createApiClient(runtime, other).get(`/homepage-revisions/${ids.published}`)).status).toBe(404)
  })
})
