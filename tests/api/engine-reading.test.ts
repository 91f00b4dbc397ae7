import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestRuntime } from '#tests/support/database.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addHub, addProject, addTopic, fixtureApi, signIn } from './engine-fixture.ts'

const MEDIA_TYPE = 'application/vnd.api+json'

interface Doc {
  data: Obj & Obj[]
  included: Obj[]
  links: Record<string, string | null>
  meta: { total: number; page: { number: number; size: number; last: number } } & Record<string, unknown>
  errors: {
    status: string
    code: string
    title: string
    detail?: string
    source?: { pointer?: string; parameter?: string }
    meta?: Record<string, unknown>
  }[]
}
interface Obj {
  type: string
  id: string
  attributes: Record<string, unknown>
  relationships: Record<string, { data?: unknown; links: Record<string, string> }>
  meta: Record<string, unknown>
  links: Record<string, string>
}

let runtime: TestRuntime
const { handle, fixture } = fixtureApi()
const ids = { parks: '', roads: '', topic: '', draft: '', published: [] as string[] }
let token = ''
let foreign = ''

async function get(path: string, headers: Record<string, string> = {}, host = 'riverbend.localhost') {
  const response = await handle(new Request(`http://${host}/api/v2${path}`, { headers: { host, ...headers } }), runtime, { address: null })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, doc: (text ? JSON.parse(text) : undefined) as Doc }
}
const asAdmin = (path: string) => get(path, { 'x-api-token': `Bearer ${token}` })

beforeAll(async () => {
  runtime = await createTestRuntime()
  const site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA'] })
  const other = await addSite(runtime, { slug: 'harbour' })
  ids.parks = await addHub(runtime, site, 'parks')
  ids.roads = await addHub(runtime, site, 'roads')
  ids.topic = await addTopic(runtime, site, 'trees')
  for (const [i, slug] of ['a', 'b', 'c', 'd', 'e', 'f', 'g'].entries()) {
    ids.published.push(
      await addProject(runtime, site, {
        slug,
        participants: i * 5,
        hubId: i < 4 ? ids.parks : ids.roads,
        topicId: i === 0 ? ids.topic : null,
        opensAt: new Date('2026-03-01T09:00:00Z'),
      }),
    )
  }
  ids.draft = await addProject(runtime, site, { slug: 'z-draft', status: 'draft', hubId: ids.parks, topicId: ids.topic })
  foreign = await addProject(runtime, other, { slug: 'elsewhere' })
  token = await signIn(runtime, site)
})
beforeEach(() => {
  fixture.calls.length = 0
})

describe('a resource', () => {
  it('is a JSON:API document with exactly its declared attributes', async () => {
    const { status, headers, doc } = await get(`/projects/${ids.published[0]}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(MEDIA_TYPE)
    expect(doc).toEqual({
      jsonapi: { version: '1.1' },
      links: { self: `/api/v2/projects/${ids.published[0]}` },
      data: {
        type: 'projects',
        id: ids.published[0],
        attributes: { slug: 'a', title: 'a', status: 'published', opensAt: '2026-03-01T09:00:00.000Z', participants: 0 },
        relationships: {
          hub: {
            links: { self: `/api/v2/projects/${ids.published[0]}/relationships/hub`, related: `/api/v2/projects/${ids.published[0]}/hub` },
            data: { type: 'hubs', id: ids.parks },
          },
          topic: {
            links: {
              self: `/api/v2/projects/${ids.published[0]}/relationships/topic`,
              related: `/api/v2/projects/${ids.published[0]}/topic`,
            },
            data: { type: 'topics', id: ids.topic },
          },
        },
        links: { self: `/api/v2/projects/${ids.published[0]}` },
        meta: { can: { update: false, remove: false }, lockVersion: 1 },
      },
    })
  })

  it('uses the requested language, and includes all languages for those who may edit', async () => {
    const path = `/projects/${ids.published[0]}`
    const french = await get(path, { 'accept-language': 'cy, fr;q=0.8, en;q=0.2' })
    expect(french.doc.data.attributes['title']).toBe('a (fr)')
    expect(french.headers.get('content-language')).toBe('fr-CA')
    expect((await get(`${path}?lng=fr-CA`)).doc.data.attributes['title']).toBe('a (fr)')
    expect(french.doc.data.attributes).not.toHaveProperty('titleTranslations')
    expect((await asAdmin(path)).doc.data.attributes['titleTranslations']).toEqual({ en: 'a', 'fr-CA': 'a (fr)' })
  })

  it('marks texts that are in another language than the response', async () => {
    const { doc } = await get(`/hubs/${ids.parks}`, { 'accept-language': 'fr' })
    expect(doc.data.attributes['title']).toBe('parks')
    expect(doc.data.meta).toEqual({ can: {}, lockVersion: 1, languages: { title: 'en' } })
  })

  it('says what the viewer may do with it', async () => {
    expect((await asAdmin(`/projects/${ids.draft}`)).doc.data.meta['can']).toEqual({ update: true, remove: true })
    expect((await asAdmin(`/projects/${ids.published[0]}`)).doc.data.meta['can']).toEqual({ update: true, remove: false })
  })

  it.each([
    ['unknown', () => '019a0000-0000-7000-8000-000000000000'],
    ['hidden from the viewer', () => ids.draft],
    ['another site’s', () => foreign],
    ['malformed', () => 'nonsense'],
    ['an attack', () => "'; drop table projects; --"],
    ['not even text', () => '%00%ff'],
  ])('that is %s is not found', async (_name, id) => {
    const { status, doc } = await get(`/projects/${encodeURIComponent(id())}`)
    expect([status, doc.errors.map((error) => error.code)]).toEqual([404, ['not-found']])
  })

  it('is found by its id in capitals', async () => {
    expect((await get(`/projects/${ids.published[0]?.toUpperCase()}`)).doc.data.id).toBe(ids.published[0])
  })
})

describe('sparse fieldsets', () => {
  it('select the named fields for each type', async () => {
    const { doc } = await get(`/projects/${ids.published[0]}?fields[projects]=slug,hub&fields[hubs]=slug&include=hub`)
    expect(Object.keys(doc.data.attributes)).toEqual(['slug'])
    expect(Object.keys(doc.data.relationships)).toEqual(['hub'])
    expect(doc.included[0]?.attributes).toEqual({ slug: 'parks' })
    expect(doc.included[0]?.relationships).toBeUndefined()
  })

  it('can be empty', async () => {
    expect((await get(`/projects/${ids.published[0]}?fields[projects]=`)).doc.data.attributes).toEqual({})
  })
})

describe('included resources', () => {
  it('appear once each, fully linked, with one query per relationship', async () => {
    const { doc } = await get('/projects?include=hub,topic&page[size]=5')
    expect(doc.included.map(({ type, id }) => `${type}/${id}`).sort()).toEqual(
      [`hubs/${ids.parks}`, `hubs/${ids.roads}`, `topics/${ids.topic}`].sort(),
    )
    expect(fixture.calls).toEqual(['projects.list', 'hubs.load 2'])
  })

  it('follow paths, intermediate resources included, and never repeat the primary data', async () => {
    const { doc } = await get(`/projects/${ids.published[0]}?include=hub.projects`)
    expect(fixture.calls).toEqual(['projects.load 1', 'hubs.load 1', 'projects.load 4'])
    const included = doc.included.map(({ type, id }) => `${type}/${id}`)
    expect(included).toEqual([`hubs/${ids.parks}`, ...ids.published.slice(1, 4).map((id) => `projects/${id}`)])
    expect(doc.included[0]?.relationships['projects']?.data).toEqual(ids.published.slice(0, 4).map((id) => ({ type: 'projects', id })))
  })

  it('never reveal what the viewer may not see', async () => {
    const { text } = await get(`/topics/${ids.topic}?include=projects`)
    expect(text).toContain(ids.published[0])
    expect(text).not.toContain(ids.draft)
    expect((await asAdmin(`/topics/${ids.topic}?include=projects`)).text).toContain(ids.draft)
  })

  it('are an empty list if nothing is linked', async () => {
    expect((await get(`/projects/${ids.published[1]}?include=topic`)).doc.included).toEqual([])
    expect(await get(`/projects/${ids.published[1]}`).then(({ doc }) => doc)).not.toHaveProperty('included')
  })
})

describe('a collection', () => {
  it('is paged with links to other pages', async () => {
    const first = await get('/projects')
    expect(first.doc.data.map((one) => one.attributes['slug'])).toEqual(['a', 'b', 'c'])
    expect(first.doc.meta).toEqual({ total: 7, page: { number: 1, size: 3, last: 3 }, busiest: 'none' })
    expect(first.doc.links).toEqual({
      self: '/api/v2/projects',
      first: '/api/v2/projects?page%5Bnumber%5D=1',
      last: '/api/v2/projects?page%5Bnumber%5D=3',
      prev: null,
      next: '/api/v2/projects?page%5Bnumber%5D=2',
    })
    const slugs: unknown[] = []
    for (let next: string | null | undefined = '/api/v2/projects?page[size]=2&sort=-slug'; next;) {
      const { doc } = await get(next.slice('/api/v2'.length))
      slugs.push(...doc.data.map((one) => one.attributes['slug']))
      next = doc.links['next']
    }
    expect(slugs).toEqual(['g', 'f', 'e', 'd', 'c', 'b', 'a'])
  })

  it('is empty past its last page, with a link back', async () => {
    const { status, doc } = await get('/projects?page[number]=99')
    expect([status, doc.data]).toEqual([200, []])
    expect(doc.links['prev']).toContain('=3')
    expect(doc.links['next']).toBeNull()
  })

  it('is sorted and filtered as declared', async () => {
    const slugs = async (query: string) => (await asAdmin(`/projects?page[size]=5&${query}`)).doc.data.map((one) => one.attributes['slug'])
    expect(await slugs('sort=-participants')).toEqual(['g', 'f', 'e', 'd', 'c'])
    expect(await slugs(`filter[hub]=${ids.roads}`)).toEqual(['e', 'f', 'g'])
    expect(await slugs('filter[status]=draft')).toEqual(['z-draft'])
    expect(await slugs('filter[status]=draft,published&sort=-slug')).toEqual(['z-draft', 'g', 'f', 'e', 'd'])
    expect(await slugs('filter[busy]=true&sort=slug')).toEqual(['d', 'e', 'f', 'g'])
    expect(await slugs('filter[slug]=%27%20or%20%271%27%3D%271')).toEqual([])
  })

  it('shows each viewer what they may see', async () => {
    expect((await get('/projects')).doc.meta.total).toBe(7)
    expect((await asAdmin('/projects')).doc.meta.total).toBe(8)
  })
})

describe('related resources and relationships', () => {
  it('are read at their own paths', async () => {
    const project = ids.published[0]
    expect((await get(`/projects/${project}/hub`)).doc.data).toMatchObject({ type: 'hubs', id: ids.parks })
    expect((await get(`/projects/${project}/relationships/hub`)).doc).toEqual({
      jsonapi: { version: '1.1' },
      links: { self: `/api/v2/projects/${project}/relationships/hub`, related: `/api/v2/projects/${project}/hub` },
      data: { type: 'hubs', id: ids.parks },
    })
    expect((await get(`/projects/${ids.published[1]}/topic`)).doc.data).toBeNull()
    expect((await get(`/projects/${ids.published[1]}/relationships/topic`)).doc.data).toBeNull()
  })

  it('as collections are filtered, sorted and paged in the database if the target supports it', async () => {
    const { doc } = await get(`/hubs/${ids.parks}/projects?sort=-slug&page[size]=2&filter[busy]=false&include=hub`)
    expect(doc.data.map((one) => one.attributes['slug'])).toEqual(['c', 'b'])
    expect(doc.meta.total).toBe(3)
    expect(doc.included).toHaveLength(1)
    expect(fixture.calls).toContain('projects.list')
    expect((await get(`/hubs/${ids.parks}/projects?filter[hub]=${ids.roads}`)).doc.errors[0]).toMatchObject({ code: 'unknown-parameter' })
  })

  it('are paged if there is only linkage, without what the viewer may not see', async () => {
    expect((await get(`/topics/${ids.topic}/projects`)).doc.data.map((one) => one.id)).toEqual([ids.published[0]])
    expect((await asAdmin(`/topics/${ids.topic}/projects?page[size]=1&page[number]=2`)).doc.data.map((one) => one.id)).toEqual([ids.draft])
    expect((await get(`/topics/${ids.topic}/projects?sort=slug`)).status).toBe(400)
    const links = (await get(`/hubs/${ids.parks}/relationships/projects?page[size]=3`)).doc
    expect(links.data).toHaveLength(3)
    expect(links.meta.total).toBe(4)
    expect(links.links['next']).toContain('page%5Bnumber%5D=2')
  })

  it('of hidden or unknown resources, or with unknown names, are not found', async () => {
    for (const path of [
      `/projects/${ids.draft}/hub`,
      `/projects/${ids.draft}/relationships/hub`,
      `/projects/${ids.published[0]}/moon`,
      `/projects/${ids.published[0]}/relationships/constructor`,
    ]) {
      expect((await get(path)).status, path).toBe(404)
    }
  })
})

describe('query parameters', () => {
  it.each([
    ['colour=red', 'unknown-parameter', 'colour'],
    ['filter[colour]=red', 'unknown-parameter', 'filter[colour]'],
    ['filter[constructor]=x', 'unknown-parameter', 'filter[constructor]'],
    ['filter=red', 'unknown-parameter', 'filter'],
    ['filter[status]=gone', 'invalid-parameter', 'filter[status]'],
    ['filter[hub]=nonsense', 'invalid-parameter', 'filter[hub]'],
    ['filter[slug]=%00', 'invalid-parameter', 'filter[slug]'],
    ['sort=status', 'invalid-parameter', 'sort'],
    ['sort=slug,-slug', 'invalid-parameter', 'sort'],
    ['sort=slug&sort=slug', 'invalid-parameter', 'sort'],
    ['include=moon', 'invalid-parameter', 'include'],
    ['include=hub.moon', 'invalid-parameter', 'include'],
    ['include=hub.projects.hub.projects', 'invalid-parameter', 'include'],
    ['include=__proto__', 'invalid-parameter', 'include'],
    ['fields[moons]=x', 'unknown-parameter', 'fields[moons]'],
    ['fields[projects]=note', 'invalid-parameter', 'fields[projects]'],
    ['page[size]=6', 'invalid-parameter', 'page[size]'],
    ['page[size]=0', 'invalid-parameter', 'page[size]'],
    ['page[size]=-1', 'invalid-parameter', 'page[size]'],
    ['page[size]=1e3', 'invalid-parameter', 'page[size]'],
    ['page[number]=99999999999', 'invalid-parameter', 'page[number]'],
    ['page[offset]=3', 'unknown-parameter', 'page[offset]'],
  ])('%s is refused', async (query, code, parameter) => {
    const { status, doc } = await get(`/projects?${query}`)
    expect(status).toBe(400)
    expect(doc.errors[0]).toMatchObject({ status: '400', code, source: { parameter } })
  })

  it('that are wrong are all reported at once', async () => {
    const { doc } = await get('/projects?a=1&sort=b&include=c')
    expect(doc.errors.map((error) => error.source?.parameter)).toEqual(['a', 'sort', 'include'])
  })

  it('of collections are refused on a single resource', async () => {
    for (const query of ['sort=slug', 'filter[slug]=a', 'page[size]=1'])
      expect((await get(`/projects/${ids.published[0]}?${query}`)).status).toBe(400)
  })
})

describe('a singleton', () => {
  it('is one document at its own path', async () => {
    const { doc } = await asAdmin('/weather')
    expect(doc).toMatchObject({
      links: { self: '/api/v2/weather' },
      data: { type: 'weather', links: { self: '/api/v2/weather' }, attributes: { sky: 'clear', viewer: 'ana@example.org' } },
    })
    expect((await get('/weather/1')).status).toBe(404)
  })

  it('can have no data', async () => {
    fixture.sky = undefined
    expect((await get('/weather')).doc.data).toBeNull()
    fixture.sky = 'clear'
  })
})

describe('the site', () => {
  it('is chosen by host, and an unknown host has none', async () => {
    expect((await get('/projects', {}, 'harbour.localhost')).doc.data.map((one) => one.id)).toEqual([foreign])
    const { status, doc } = await get('/projects', { 'accept-language': 'cy' }, 'nowhere.example')
    expect([status, doc.errors[0]?.code, doc.errors[0]?.title]).toEqual([404, 'no-such-site', 'Nid oes gwefan yn y cyfeiriad hwn.'])
  })
})
