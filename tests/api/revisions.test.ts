import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { APPEARANCE } from '#app/features/appearance/appearance.server.ts'
import { getHomepage, getHubHomepage, HOMEPAGE } from '#app/features/homepage/homepage.server.ts'
import { announceDueRevisions } from '#app/features/revisions/revisions.server.ts'
import { thinRevisions } from '#app/features/revisions/thin-revisions.server.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let hub: { id: string; slug: string }
let number = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(undefined)
  site = await addSite(runtime, { slug: `revised${++number}`, languages: ['en', 'fr-CA'] })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  hub = await addHub(runtime, site, { slug: 'parks' })
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const hero = (en: string, fr = `${en} (fr)`) => ({ id: 'a', type: 'hero', title: { en, 'fr-CA': fr }, text: {} })
const content = (...blocks: unknown[]) => ({ schema: 2, blocks })
const idOf = (answer: ApiAnswer) => (answer.body?.data as { id: string } | undefined)?.id ?? ''
const revision = (id: string) => ({ type: 'homepage-revisions', id })

const save = (blocks: unknown[], options: { parent?: string; hub?: string; by?: Person | undefined } = {}) =>
  api('by' in options ? options.by : admin).post(
    '/homepage-revisions',
    buildResourceDocument(
      'homepage-revisions',
      { content: content(...blocks) },
      {
        to: {
          ...(options.parent ? { parent: revision(options.parent) } : {}),
          ...(options.hub ? { hub: { type: 'hubs', id: options.hub } } : {}),
        },
      },
    ),
  )
const publish = (id: string, attributes: Record<string, unknown> = {}, by = admin) =>
  api(by).post('/homepage-publications', buildResourceDocument('homepage-publications', attributes, { to: { revision: revision(id) } }))
const shown = async () => {
  const [first] = (await getHomepage(createCtx(runtime, site))).blocks
  return first?.type === 'hero' ? first.title.text : undefined
}

describe('revisions of a homepage', () => {
  test('build on each other and are published on request', async () => {
    const first = await save([hero('One')])
    expect(first.status).toBe(201)
    expect(await shown()).toBe('')
    expect((await publish(idOf(first))).status).toBe(201)
    expect(await shown()).toBe('One')
    const second = await save([hero('Two')], { parent: idOf(first) })
    expect(second.status).toBe(201)
    expect(await shown()).toBe('One')
    await publish(idOf(second))
    expect(await shown()).toBe('Two')
    const state = (await api().get('/current-site')).body?.data as {
      attributes: { site: { publishedHomePageRevisions: { id: string }[] } }
    }
    expect(state?.attributes.site.publishedHomePageRevisions.map(({ id }) => id)).toEqual([idOf(second), idOf(first)])
  })

  test('of two saves at the same moment one wins and the other is told', async () => {
    let parent = idOf(await save([hero('One')]))
    for (let round = 0; round < 8; round++) {
      const both = await Promise.all([save([hero('Mine')], { parent }), save([hero('Theirs')], { parent })])
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
      parent = idOf(both.find(({ status }) => status === 201)!)
    }
  })

  test('a save based on an older draft is refused with both versions, and overwrites nothing', async () => {
    const first = idOf(await save([hero('One')]))
    const theirs = idOf(await save([hero('Theirs')], { parent: first }))
    const mine = await save([hero('Mine')], { parent: first })
    expect([mine.status, mine.codes]).toEqual([409, ['stale']])
    expect(mine.body?.errors?.[0]).toMatchObject({
      meta: { yours: { content: content({ id: 'a' }) }, current: { id: theirs, content: { blocks: [{ title: { en: 'Theirs' } }] } } },
    })
  })

  test('exactly one of several simultaneous saves of one draft wins', async () => {
    const first = idOf(await save([hero('One')]))
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => save([hero(`Nr ${n}`)], { parent: first })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
  })

  test('undoing a publication restores the previous one, unless another has replaced it', async () => {
    const first = idOf(await save([hero('One')]))
    await publish(first)
    const second = idOf(await save([hero('Two')], { parent: first }))
    await publish(second)
    expect((await api(admin).delete(`/homepage-publications/${first}`)).codes).toEqual(['conflict'])
    expect((await api(admin).delete(`/homepage-publications/${second}`)).status).toBe(204)
    expect(await shown()).toBe('One')
    await api(admin).delete(`/homepage-publications/${first}`)
    expect(await shown()).toBe('')
  })

  test('a scheduled revision is shown from its time on, and pages are invalidated once', async () => {
    const first = idOf(await save([hero('Tomorrow')]))
    const publishAt = new Date(Date.now() + 864e5).toISOString()
    expect((await publish(first, { publishAt })).status).toBe(201)
    expect(await shown()).toBe('')
    expect(await announceDueRevisions(runtime, [HOMEPAGE])).toBe(0)
    expect((await api().get(`/homepage-revisions/${first}`)).status).toBe(404)
    runtime.setNow(new Date(Date.now() + 2 * 864e5))
    expect(await shown()).toBe('Tomorrow')
    expect(await announceDueRevisions(runtime, [HOMEPAGE])).toBe(1)
    expect(await announceDueRevisions(runtime, [HOMEPAGE])).toBe(0)
  })

  test('a published revision cannot be rescheduled to the future, because it would vanish until then', async () => {
    const first = idOf(await save([hero('One')]))
    await publish(first)
    const later = await publish(first, { publishAt: new Date(Date.now() + 864e5).toISOString() })
    expect([later.status, later.codes]).toEqual([409, ['conflict']])
    expect(await shown()).toBe('One')
    const second = idOf(await save([hero('Two')], { parent: first }))
    await publish(second)
    expect((await publish(first)).status).toBe(201)
    expect(await shown()).toBe('One')
  })

  test('missing translations and alternative texts are named, and fixed or waived one by one', async () => {
    const picture = { file: '/demo/riverbend/hero.svg', alt: { en: 'A bridge' }, decorative: false }
    const id = idOf(await save([{ ...hero('One', ''), picture }]))
    const refused = await publish(id)
    expect(refused.status).toBe(422)
    expect(refused.body?.errors?.map(({ code, source }) => [code, source?.pointer])).toEqual([
      ['translation-missing', '/data/attributes/content/blocks/0/title/fr-CA'],
      ['alternative-missing', '/data/attributes/content/blocks/0/picture/alt/fr-CA'],
    ])
    expect((await publish(id, { waived: ['a.title.fr-CA'] })).codes).toEqual(['alternative-missing'])
    expect((await publish(id, { waived: ['a.title.fr-CA', 'a.picture.alt.fr-CA'] })).status).toBe(201)
    const seen = await api(admin).get(`/homepage-revisions/${id}`)
    expect(seen.body?.data).toMatchObject({ attributes: { waived: ['a.title.fr-CA', 'a.picture.alt.fr-CA'] } })
  })

  test('invalid blocks, links and files are refused with a pointer', async () => {
    const refused = await save([
      { id: 'a', type: 'carousel' },
      { ...hero('x'), id: 'b', action: { label: { en: 'x' }, href: 'javascript:alert(1)' } },
      { ...hero('x'), id: 'c', picture: { file: '//evil.example/x.svg', alt: {}, decorative: true } },
      { id: 'd', type: 'video', address: 'data:text/html,<script>alert(1)</script>' },
    ])
    expect(refused.status).toBe(422)
    expect(refused.body?.errors?.map(({ source }) => source?.pointer)).toEqual([
      '/data/attributes/content/blocks/0/type',
      '/data/attributes/content/blocks/1/action/href',
      '/data/attributes/content/blocks/2/picture/file',
      '/data/attributes/content/blocks/3/address',
    ])
  })

  test('content of version 1 is migrated when it is read', async () => {
    const old = { schema: 1, blocks: [{ ...hero('Old'), picture: '/demo/riverbend/hero.svg' }] }
    const { homepageRevisions } = await import('#app/server/db/schema/homepage.ts')
    await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx.insert(homepageRevisions).values({ siteId: site.id, id: site.id, content: old, publishedAt: new Date(Date.now() - 1000) }),
      )
    expect((await getHomepage(createCtx(runtime, site))).blocks).toMatchObject([
      { type: 'hero', title: { text: 'Old' }, picture: { file: '/demo/riverbend/hero.svg', alt: { text: '' } } },
    ])
  })

  test('autosaves are thinned out after a day: the last of every ten minutes and all published or named ones are kept', async () => {
    const start = Date.parse('2026-03-02T09:00:00Z')
    const ids: string[] = []
    for (const [minute, note] of [[0], [1], [2, 'Before the meeting'], [3], [4], [12], [13]] as [number, string?][]) {
      runtime.setNow(new Date(start + minute * 60_000))
      const saved = await api(admin).post(
        '/homepage-revisions',
        buildResourceDocument(
          'homepage-revisions',
          { content: content(hero(`Minute ${minute}`)), ...(note ? { note } : {}) },
          { to: ids.length ? { parent: revision(ids.at(-1) ?? '') } : {} },
        ),
      )
      ids.push(idOf(saved))
    }
    await publish(ids[0] ?? '')
    expect(await thinRevisions(runtime, [HOMEPAGE, APPEARANCE])).toBe(0)
    runtime.setNow(new Date(start + 2 * 864e5))
    expect(await thinRevisions(runtime, [HOMEPAGE, APPEARANCE])).toBe(2)
    const left = (await api(admin).get('/homepage-revisions?filter[ofSite]=true&sort=createdAt')).body?.data as {
      id: string
      relationships: { parent: { data: { id: string } | null } }
    }[]
    expect(left.map(({ id }) => ids.indexOf(id))).toEqual([0, 2, 4, 5, 6])
    expect(left.map(({ relationships }) => ids.indexOf(relationships.parent.data?.id ?? ''))).toEqual([-1, 0, 2, 4, 5])
    expect(await thinRevisions(runtime, [HOMEPAGE, APPEARANCE])).toBe(0)
  })

  test.each([
    ['visitor', 401, 401],
    ['participant', 403, 403],
    ['project_admin', 403, 403],
    ['hub_admin', 403, 201],
    ['site_admin', 201, 201],
    ['platform_admin', 403, 403],
  ] as const)('%s: the site’s page %i, the hub’s page %i', async (actor, ofSite, ofHub) => {
    const by =
      actor === 'visitor'
        ? undefined
        : actor === 'participant'
          ? await addPerson(runtime, site)
          : await addPerson(runtime, site, { role: actor, ...(actor === 'hub_admin' ? { hubId: hub.id } : {}) })
    expect((await save([hero('One')], { by })).status).toBe(ofSite)
    expect((await save([hero('One')], { by, hub: hub.id })).status).toBe(ofHub)
    const other = await addHub(runtime, site)
    expect((await save([hero('One')], { by, hub: other.id })).status).toBe(actor === 'hub_admin' ? 403 : ofHub)
  })

  test('a hub’s page is shown at the hub, and only its administrators see its drafts', async () => {
    const hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })
    const id = idOf(await save([hero('Parks')], { hub: hub.id, by: hubAdmin }))
    expect(await getHubHomepage(createCtx(runtime, site), { slug: 'parks' })).toBeNull()
    expect((await api(hubAdmin).get(`/homepage-revisions/${id}`)).status).toBe(200)
    expect(
      (
        await api(await addPerson(runtime, site, { role: 'hub_admin', hubId: (await addHub(runtime, site)).id })).get(
          `/homepage-revisions/${id}`,
        )
      ).status,
    ).toBe(404)
    expect((await publish(id, {}, hubAdmin)).status).toBe(201)
    expect((await getHubHomepage(createCtx(runtime, site), { slug: 'parks' }))?.blocks).toHaveLength(1)
    expect(await shown()).toBe('')
  })
})

describe('revisions of the appearance', () => {
  const palette = { primary: '#14516b', accent: '#d94f35', paper: '#faf8f3', ink: '#16202a' }
  const look = (tokens: unknown, parent?: string) =>
    api(admin).post(
      '/appearance-revisions',
      buildResourceDocument(
        'appearance-revisions',
        { tokens },
        { to: parent ? { parent: { type: 'appearance-revisions', id: parent } } : {} },
      ),
    )
  const apply = (id: string, attributes: Record<string, unknown> = {}) =>
    api(admin).post(
      '/appearance-publications',
      buildResourceDocument('appearance-publications', attributes, { to: { revision: { type: 'appearance-revisions', id } } }),
    )

  test('change the site’s theme when published, and restore it when that is undone', async () => {
    const first = idOf(await look({ ...palette, corner: '0rem' }))
    expect((await apply(first)).status).toBe(201)
    const theme = async () => ((await runtime.sites.loadActive()).find(({ id }) => id === site.id)?.theme ?? {}) as Record<string, unknown>
    expect(await theme()).toMatchObject({ corner: '0rem', primary: '#14516b' })
    const second = idOf(await look({ ...palette, corner: '2rem' }, first))
    const at = Date.now() + 36e5
    await apply(second, { publishAt: new Date(at).toISOString() })
    expect(await theme()).toMatchObject({ corner: '0rem' })
    runtime.setNow(new Date(at + 1000))
    await announceDueRevisions(runtime, [HOMEPAGE, APPEARANCE])
    expect(await theme()).toMatchObject({ corner: '2rem' })
    expect((await api(admin).delete(`/appearance-publications/${second}`)).status).toBe(204)
    expect(await theme()).toMatchObject({ corner: '0rem' })
  })

  test('an unreadable palette is saved as a draft but never published, and the nearest readable one is offered', async () => {
    const id = idOf(await look({ ...palette, primary: '#9fd3e8' }))
    const refused = await apply(id, { waived: ['primary', 'contrast-too-low'] })
    expect(refused.status).toBe(422)
    expect(new Set(refused.codes)).toEqual(new Set(['contrast-too-low']))
    const [fault] = (refused.body?.errors ?? []) as unknown as { source: { pointer: string }; meta: { values: { nearest: string } } }[]
    expect(fault?.source.pointer).toBe('/data/attributes/tokens/primary')
    const mended = idOf(await look({ ...palette, primary: fault?.meta.values.nearest }, id))
    expect((await apply(mended)).status).toBe(201)
  })

  test('a single unreadable pair of colours is enough to refuse a palette', async () => {
    const id = idOf(await look({ primary: '#14516b', accent: '#7c7c7c', paper: '#ffffff', ink: '#222222' }))
    const refused = await apply(id)
    expect([refused.status, refused.codes]).toEqual([422, ['contrast-too-low']])
  })

  test('are only for site administrators', async () => {
    for (const role of ['hub_admin', 'project_admin', 'platform_admin'] as const) {
      const person = await addPerson(runtime, site, { role, hubId: hub.id })
      expect(
        (await api(person).post('/appearance-revisions', buildResourceDocument('appearance-revisions', { tokens: palette }))).status,
      ).toBe(403)
    }
  })
})
