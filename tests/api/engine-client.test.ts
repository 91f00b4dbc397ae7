import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from 'srvx/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, createApi } from '#app/lib/api-client/client.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { createTransport } from '#app/lib/api-client/transport.ts'
import { isAppError, type AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addHub, addProject, type FixtureShapes, fixtureApi, signIn } from './engine-fixture.ts'

const { handle } = fixtureApi()
let runtime: TestRuntime
let server: Server
let token: string | undefined
let parks = ''
let dead = 0
const seen: { method: string | undefined; url: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = []
const clients: Record<string, Api<FixtureShapes>> = {}

beforeAll(async () => {
  runtime = await createTestRuntime()
  const site = await addSite(runtime, { slug: 'localhost' })
  await runtime.database.pool.query("update site_domains set host = 'localhost'")
  runtime.sites.refresh()
  parks = await addHub(runtime, site, 'parks')
  for (const slug of ['a', 'b', 'c', 'd']) await addProject(runtime, site, { slug, hubId: parks })
  token = await signIn(runtime, site)
  const answer = toNodeHandler((request) => handle(request, runtime, { address: null }))
  server = createServer((request, response) => {
    seen.push({ method: request.method, url: request.url, headers: request.headers })
    void answer(request as never, response as never)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const known = { token: () => token, language: () => 'fr-CA', onDeadToken: () => dead++ }
  clients['over HTTP'] = createApi<FixtureShapes>(createTransport({ origin, ...known }))
  clients['in process'] = createApi<FixtureShapes>(
    createTransport({ origin: 'http://localhost/api/v2/', ...known, send: (request) => handle(request, runtime, { address: null }) }),
  )
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const thrownBy = async (work: Promise<unknown>): Promise<AppError> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!isAppError(thrown)) throw new Error(`No AppError: ${String(thrown)}`)
  return thrown
}

describe.each(['over HTTP', 'in process'])('the API client %s', (name) => {
  const api = () => clients[name] as Api<FixtureShapes>

  it('reads a page of typed resources with included ones', async () => {
    const page = await api().list('projects', {
      filter: { status: ['published'], hub: parks },
      sort: ['-slug'],
      include: ['hub'],
      page: { size: 2, number: 2 },
    })
    expect(page.data.map((project) => [project.slug, project.title])).toEqual([
      ['b', 'b (fr)'],
      ['a', 'a (fr)'],
    ])
    expect(page.meta).toMatchObject({ total: 4, page: { number: 2, size: 2, last: 2 } })
    expect(page.links.next).toBeNull()
    expect(page.data.map((project) => findLinked(page, project.relationships.hub)?.slug)).toEqual(['parks', 'parks'])
    expect(JSON.parse(JSON.stringify(page))).toEqual(page)
  })

  it('reads one resource, with sparse fieldsets', async () => {
    const { data: all } = await api().list('projects', { page: { size: 1 } })
    const { data } = await api().get('projects', all[0]?.id ?? '', { fields: { projects: ['slug'] } })
    expect(data).toEqual({
      type: 'projects',
      id: all[0]?.id,
      slug: 'a',
      relationships: {},
      meta: { can: { update: true, remove: false }, lockVersion: 1 },
    })
  })

  it('creates, updates, replaces and deletes', async () => {
    const slug = `new ${name}`
    const { data: made } = await api().create('projects', {
      attributes: { slug, titleTranslations: { en: 'New', 'fr-CA': 'Nouveau' } },
      relationships: { hub: { type: 'hubs', id: parks } },
    })
    expect(made).toMatchObject({
      slug,
      title: 'Nouveau',
      status: 'draft',
      relationships: { hub: { type: 'hubs', id: parks } },
      meta: { lockVersion: 1 },
    })
    const { data: changed } = await api().update(
      'projects',
      made.id,
      { attributes: { participants: 5 }, relationships: { hub: null } },
      { lockVersion: made.meta.lockVersion },
    )
    expect(changed).toMatchObject({ participants: 5, relationships: { hub: null }, meta: { lockVersion: 2 } })
    await api().remove('projects', made.id)
    expect((await thrownBy(api().get('projects', made.id))).code).toBe('not-found')

    const id = createId()
    const hub = { attributes: { slug: `hub ${name}`, titleTranslations: { en: 'Hub' } } }
    expect((await api().put('hubs', id, hub)).data).toMatchObject({ id, meta: { lockVersion: 1 } })
    expect((await api().put('hubs', id, hub, { lockVersion: 1 })).data).toMatchObject({ id, meta: { lockVersion: 2 } })
  })

  it('reads and changes relationships', async () => {
    const { data: project } = await api().createRelated('hubs', parks, 'projects', {
      type: 'projects',
      attributes: { slug: `rel ${name}`, titleTranslations: { en: 'R' } },
    })
    expect(project.relationships.hub).toEqual({ type: 'hubs', id: parks })
    expect((await api().related('projects', project.id, 'hub')).data?.slug).toBe('parks')
    await api().removeLinks('hubs', parks, 'projects', [{ type: 'projects', id: project.id }])
    expect((await api().links('projects', project.id, 'hub')).data).toBeNull()
    expect((await api().related('projects', project.id, 'hub')).data).toBeNull()
    await api().addLinks('hubs', parks, 'projects', [{ type: 'projects', id: project.id }])
    await api().replaceLinks('projects', project.id, 'hub', { type: 'hubs', id: parks })
    const mine = await api().relatedList('hubs', parks, 'projects', { filter: { slug: `rel ${name}` } })
    expect(mine.data.map(({ id }) => id)).toEqual([project.id])
    await api().remove('projects', project.id)
  })

  it('reads and changes singletons', async () => {
    expect((await api().read('weather')).data?.viewer).toBe('ana@example.org')
    expect((await api().updateSingleton('weather', { attributes: { sky: 'grey' } })).data.sky).toBe('grey')
  })

  it('throws the API’s errors with their codes, pointers and values', async () => {
    const wrong = {
      attributes: { slug: 'far too long for a slug', titleTranslations: { en: ' ' } },
      relationships: { hub: { type: 'hubs' as const, id: createId() } },
    }
    const invalid = await thrownBy(api().create('projects', wrong))
    expect([invalid.code, invalid.status]).toEqual(['invalid', 422])
    expect(invalid.faults.map(({ code, pointer, values }) => [code, pointer, values])).toEqual([
      ['too-long', '/data/attributes/slug', { max: 20 }],
      ['required', '/data/attributes/titleTranslations', undefined],
    ])
    const [one] = (await api().list('projects')).data
    const stale = await thrownBy(api().update('projects', one?.id ?? '', { attributes: { slug: 'mine' } }, { lockVersion: 99 }))
    expect(stale.code).toBe('stale')
    expect(stale.meta).toMatchObject({
      yours: { attributes: { slug: 'mine' }, lockVersion: 99 },
      current: { attributes: { slug: 'a' }, meta: { lockVersion: 1 } },
    })
  })

  it('reports an expired token', async () => {
    const alive = token
    token = 'dead'
    const before = dead
    expect((await thrownBy(api().list('projects'))).code).toBe('unauthenticated')
    expect(dead).toBe(before + 1)
    token = undefined
    expect((await api().list('projects')).data).not.toHaveLength(0)
    token = alive
  })
})

describe('requests', () => {
  it('carry the token, the language and the JSON:API content type', async () => {
    seen.length = 0
    await clients['over HTTP']?.updateSingleton('weather', { attributes: { sky: 'clear' } })
    await clients['over HTTP']?.list('projects', { filter: { busy: false }, fields: { projects: ['slug', 'title'] } })
    expect(seen.map(({ method, url }) => [method, decodeURIComponent(url ?? '')])).toEqual([
      ['PATCH', '/api/v2/weather'],
      ['GET', '/api/v2/projects?filter[busy]=false&fields[projects]=slug,title'],
    ])
    expect(seen[0]?.headers).toMatchObject({
      'x-api-token': `Bearer ${token}`,
      'content-type': 'application/vnd.api+json',
      accept: 'application/vnd.api+json',
      'accept-language': 'fr-CA',
    })
    expect(seen[0]?.headers['cookie']).toBeUndefined()
    expect(seen[1]?.headers['content-type']).toBeUndefined()
  })

  it('that reach nobody, or a page instead of the API, fail with that error', async () => {
    const odd = createServer((request, response) => {
      response.writeHead(request.url?.includes('bad') ? 502 : 200, { 'content-type': 'text/html' }).end('<h1>Proxy</h1>')
    })
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
    const api = createApi<FixtureShapes>(createTransport({ origin }))
    expect((await thrownBy(api.list('projects'))).code).toBe('internal')
    expect((await thrownBy(api.get('projects', 'bad'))).code).toBe('internal')
    await new Promise((resolve) => odd.close(resolve))
    expect((await thrownBy(api.list('projects'))).code).toBe('unavailable')
  })

  it('can be aborted', async () => {
    const signal = AbortSignal.abort()
    await expect(clients['over HTTP']?.list('projects', { signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})
