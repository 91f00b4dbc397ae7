import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addHub, addProject, addTopic, fixtureApi, signIn } from './engine-fixture.ts'

interface Doc {
  data: {
    type: string
    id: string
    attributes: Record<string, unknown>
    relationships: Record<string, { data?: unknown }>
    meta: { lockVersion: number }
  }
  included: { id: string }[]
  links: Record<string, string>
  errors: { status: string; code: string; source?: { pointer?: string }; meta?: Record<string, unknown> }[]
}

const { handle } = fixtureApi()
let runtime: TestRuntime
let site: Site
let hub = ''
let foreignHub = ''
let token = ''
let number = 0

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}, as = token) {
  const request = new Request(`http://riverbend.localhost/api/v2${path}`, {
    method,
    headers: {
      ...(as ? { 'x-api-token': `Bearer ${as}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/vnd.api+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const response = await handle(request, runtime, { address: null })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, doc: (text ? JSON.parse(text) : undefined) as Doc }
}
const project = (attributes: object, more: object = {}) => ({ data: { type: 'projects', attributes, ...more } })
const slug = () => `project-${++number}`
const good = () => ({ slug: slug(), titleTranslations: { en: 'New', 'fr-CA': 'Nouveau' } })
const codes = (doc: Doc) => doc.errors.map((error) => [error.code, error.source?.pointer])
const stored = () => runtime.database.site(site.id).tx((tx) => tx.select().from(projects))

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  const other = await addSite(runtime, { slug: 'harbour' })
  hub = await addHub(runtime, site, 'parks')
  foreignHub = await addHub(runtime, other, 'docks')
  token = await signIn(runtime, site)
})
beforeEach(() => {
  runtime.logged.length = 0
})

describe('creating', () => {
  it('responds 201 with the resource and its location', async () => {
    const { status, headers, doc } = await send(
      'POST',
      '/projects?include=hub',
      project(good(), { relationships: { hub: { data: { type: 'hubs', id: hub } } } }),
    )
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v2/projects/${doc.data.id}`)
    expect(doc.links['self']).toBe(headers.get('location'))
    expect(doc.data.attributes).toMatchObject({ title: 'New', status: 'draft', opensAt: null })
    expect(doc.data.relationships['hub']?.data).toEqual({ type: 'hubs', id: hub })
    expect(doc.included.map((one) => one.id)).toEqual([hub])
    expect((await send('GET', `/projects/${doc.data.id}`)).status).toBe(200)
  })

  it('accepts plain JSON too, and client-generated ids', async () => {
    const id = createId()
    const { status, doc } = await send('POST', '/projects', project(good(), { id: id.toUpperCase() }), {
      'content-type': 'application/json; charset=UTF-8',
    })
    expect([status, doc.data.id]).toEqual([201, id])
    const again = await send('POST', '/projects', project(good(), { id }))
    expect([again.status, codes(again.doc)]).toEqual([409, [['conflict', undefined]]])
    expect(codes((await send('POST', '/projects', project(good(), { id: '7' }))).doc)).toEqual([['wrong-format', '/data/id']])
  })

  it('refuses client ids if the server generates them', async () => {
    const { status, doc } = await send('POST', '/doors', { data: { type: 'doors', id: createId(), attributes: { code: 'x' } } })
    expect([status, codes(doc)]).toEqual([403, [['forbidden', '/data/id']]])
  })

  it('reports all faults at once, with pointers', async () => {
    const { status, doc } = await send(
      'POST',
      '/projects',
      project(
        {
          slug: 7,
          opensAt: 'soon',
          status: 'published',
          siteId: site.id,
          lockVersion: 9,
          note: 'x'.repeat(1001),
          titleTranslations: { en: 'T', tlh: 'Qapla’' },
        },
        { relationships: { hub: { data: { type: 'topics', id: hub } }, topic: { data: null }, moon: { data: null } } },
      ),
    )
    expect(status).toBe(422)
    expect(codes(doc).sort()).toEqual(
      [
        ['unknown-attribute', '/data/attributes/status'],
        ['unknown-attribute', '/data/attributes/siteId'],
        ['unknown-attribute', '/data/attributes/lockVersion'],
        ['wrong-type', '/data/attributes/slug'],
        ['unknown-attribute', '/data/attributes/titleTranslations/tlh'],
        ['not-a-date', '/data/attributes/opensAt'],
        ['too-long', '/data/attributes/note'],
        ['type-mismatch', '/data/relationships/hub/data/type'],
        ['forbidden', '/data/relationships/topic'],
        ['unknown-attribute', '/data/relationships/moon'],
      ].sort(),
    )
    expect(doc.errors.find((error) => error.code === 'too-long')?.meta).toEqual({ values: { max: 1000 } })
  })

  it('requires required attributes, and one language of a required text', async () => {
    expect(codes((await send('POST', '/projects', project({}))).doc)).toEqual([
      ['required', '/data/attributes/slug'],
      ['required', '/data/attributes/titleTranslations'],
    ])
    expect(codes((await send('POST', '/projects', project({ slug: 'x', titleTranslations: { en: '  ' } }))).doc)).toEqual([
      ['required', '/data/attributes/titleTranslations'],
    ])
    expect(codes((await send('POST', '/projects', { data: { type: 'projects' } })).doc)).toHaveLength(2)
  })

  it.each([
    ['no object', [], ''],
    ['nothing', null, ''],
    ['no data', { meta: {} }, ''],
    ['a list of data', { data: [] }, '/data'],
    ['no type', { data: { attributes: {} } }, '/data'],
  ])('refuses a document with %s', async (_name, body, pointer) => {
    const { status, doc } = await send('POST', '/projects', JSON.stringify(body))
    expect([status, codes(doc)]).toEqual([400, [['bad-request', pointer]]])
  })

  it('refuses attributes and relationships that are not objects', async () => {
    const { doc } = await send('POST', '/projects', { data: { type: 'projects', attributes: ['slug'], relationships: 'hub' } })
    expect(codes(doc)).toContainEqual(['wrong-type', '/data/attributes'])
    expect(codes(doc)).toContainEqual(['wrong-type', '/data/relationships'])
  })

  it('refuses another type with 409', async () => {
    const { status, doc } = await send('POST', '/projects', { data: { type: 'hubs', attributes: good() } })
    expect([status, codes(doc)]).toEqual([409, [['type-mismatch', '/data/type']]])
  })

  it.each([
    ['unknown', () => createId()],
    ['another site’s', () => foreignHub],
    ['malformed', () => 'x'],
  ])('treats a related resource that is %s as nonexistent', async (_name, id) => {
    const before = (await stored()).length
    const { status, doc } = await send(
      'POST',
      '/projects',
      project(good(), { relationships: { hub: { data: { type: 'hubs', id: id() } } } }),
    )
    expect([status, codes(doc)]).toEqual([404, [['not-found', '/data/relationships/hub/data']]])
    expect(await stored()).toHaveLength(before)
  })

  it('maps a use-case’s faults to pointers into the document', async () => {
    const { status, doc } = await send('POST', '/projects', project({ slug: 'taken', titleTranslations: { en: 'T' } }))
    expect([status, codes(doc)]).toEqual([422, [['taken', '/data/attributes/slug']]])
  })

  it('through a relationship sets the inverse', async () => {
    const path = `/hubs/${hub}/projects`
    const { status, doc } = await send('POST', path, project(good()))
    expect(status).toBe(201)
    expect(doc.data.relationships['hub']?.data).toEqual({ type: 'hubs', id: hub })
    const other = await addHub(runtime, site, `other-${slug()}`)
    const wrong = await send('POST', path, project(good(), { relationships: { hub: { data: { type: 'hubs', id: other } } } }))
    expect([wrong.status, wrong.doc.errors[0]?.code]).toEqual([409, 'id-mismatch'])
    expect((await send('POST', `/hubs/${foreignHub}/projects`, project(good()))).status).toBe(404)
  })

  it('returns a resource that its creator cannot read back', async () => {
    const { status, doc, headers } = await send('POST', '/doors', { data: { type: 'doors', attributes: { code: '42' } } })
    expect(headers.get('location')).toBeNull()
    expect(doc.data).not.toHaveProperty('links')
    expect([status, doc.data.attributes]).toEqual([201, { code: 'hidden', token: 'opened with 42' }])
    expect((await send('GET', '/doors')).status).toBe(405)
  })
})

describe('updating', () => {
  const existing = async () =>
    (await send('POST', '/projects', project(good(), { relationships: { hub: { data: { type: 'hubs', id: hub } } } }))).doc.data
  const patch = (id: string, attributes: object, more: object = {}) =>
    send('PATCH', `/projects/${id}`, { data: { type: 'projects', id, attributes, meta: { lockVersion: 1 }, ...more } })

  it('changes only the named fields', async () => {
    const { id, attributes } = await existing()
    const { status, doc } = await patch(id, { titleTranslations: { en: 'Renamed' }, opensAt: '2026-05-01T12:00:00+02:00' })
    expect(status).toBe(200)
    expect(doc.data.attributes).toMatchObject({ slug: attributes['slug'], title: 'Renamed', opensAt: '2026-05-01T10:00:00.000Z' })
    expect(doc.data.relationships['hub']?.data).toEqual({ type: 'hubs', id: hub })
    expect(doc.data.meta.lockVersion).toBe(2)
  })

  it('sets and clears a to-one relationship', async () => {
    const { id } = await existing()
    expect((await patch(id, {}, { relationships: { hub: { data: null } } })).doc.data.relationships['hub']?.data).toBeNull()
  })

  it('with an old version gives a 409 that shows both', async () => {
    const { id } = await existing()
    await patch(id, { titleTranslations: { en: 'Theirs' } })
    const { status, doc } = await patch(id, { titleTranslations: { en: 'Mine' } })
    expect([status, codes(doc)]).toEqual([409, [['stale', undefined]]])
    expect(doc.errors[0]?.meta).toMatchObject({
      yours: { attributes: { titleTranslations: { en: 'Mine' } }, lockVersion: 1 },
      current: { id, attributes: { title: 'Theirs', titleTranslations: { en: 'Theirs' } }, meta: { lockVersion: 2 } },
    })
  })

  it('without a version overwrites, as clients that know of none expect', async () => {
    const { id } = await existing()
    await patch(id, { titleTranslations: { en: 'Theirs' } })
    const { status, doc } = await patch(id, { titleTranslations: { en: 'Mine' } }, { meta: undefined })
    expect([status, doc.data.attributes['title'], doc.data.meta.lockVersion]).toEqual([200, 'Mine', 3])
    expect(codes((await patch(id, {}, { meta: { lockVersion: '1' } })).doc)).toEqual([['not-a-number', '/data/meta/lockVersion']])
  })

  it('without a version overwrites even if somebody saves at the same moment', async () => {
    const { id } = await existing()
    const titles = ['One', 'Two', 'Three', 'Four']
    const saved = await Promise.all(titles.map((en) => patch(id, { titleTranslations: { en } }, { meta: undefined })))
    expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await send('GET', `/projects/${id}`)).doc.data.meta.lockVersion).toBe(5)
  })

  it('with If-Match changes the version that it names, and answers 412 with both versions for another', async () => {
    const { id } = await existing()
    const tag = (await send('GET', `/projects/${id}`)).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    const body = (en: string) => ({ data: { type: 'projects', id, attributes: { titleTranslations: { en } } } })
    const first = await send('PATCH', `/projects/${id}`, body('Theirs'), { 'if-match': tag })
    expect([first.status, first.headers.get('etag') === tag]).toEqual([200, false])
    const second = await send('PATCH', `/projects/${id}`, body('Mine'), { 'if-match': `"other", ${tag}` })
    expect([second.status, codes(second.doc)]).toEqual([412, [['precondition-failed', undefined]]])
    expect(second.doc.errors[0]).toMatchObject({
      status: '412',
      meta: { yours: { attributes: { titleTranslations: { en: 'Mine' } } }, current: { attributes: { title: 'Theirs' } } },
    })
    expect((await send('PATCH', `/projects/${id}`, body('Any'), { 'if-match': '*' })).status).toBe(200)
    const weak = `W/${(await send('GET', `/projects/${id}`)).headers.get('etag')}`
    expect((await send('DELETE', `/projects/${id}`, undefined, { 'if-match': tag })).status).toBe(412)
    expect((await send('DELETE', `/projects/${id}`, undefined, { 'if-match': weak })).status).toBe(204)
  })

  it('takes a whole resource as it was read, with one change', async () => {
    const { id } = await existing()
    const { data } = (await send('GET', `/projects/${id}`)).doc
    const whole = { ...data, attributes: { ...data.attributes, slug: slug() }, meta: undefined }
    const saved = await send('PATCH', `/projects/${id}`, { data: whole })
    expect([saved.status, saved.doc.data.attributes['slug']]).toEqual([200, whole.attributes.slug])
    const changed = await send('PATCH', `/projects/${id}`, { data: { ...whole, attributes: { ...whole.attributes, status: 'published' } } })
    expect(codes(changed.doc)).toEqual([['unknown-attribute', '/data/attributes/status']])
  })

  it('is 403 for a relationship that cannot be changed', async () => {
    const { id } = await existing()
    const topic = await addTopic(runtime, site, slug())
    const { status, doc } = await patch(id, {}, { relationships: { topic: { data: { type: 'topics', id: topic } } } })
    expect([status, codes(doc)]).toEqual([403, [['forbidden', '/data/relationships/topic']]])
  })

  it('ignores @-members', async () => {
    const { id } = await existing()
    const { status } = await patch(id, { '@note': 1 }, { '@context': 'x', relationships: { '@more': { data: [] } } })
    expect(status).toBe(200)
  })

  it('tells a visitor to sign in before the document is read', async () => {
    const id = await addProject(runtime, site, { slug: slug() })
    expect((await send('PATCH', `/projects/${id}`, '{"data":', {}, '')).status).toBe(401)
    expect((await send('DELETE', `/projects/${id}`, undefined, {}, '')).status).toBe(401)
    expect((await send('PATCH', `/projects/${id}/relationships/hub`, '{"data":', {}, '')).status).toBe(401)
  })

  it('requires the id in the path', async () => {
    const { id } = await existing()
    expect(codes((await patch(id, {}, { id: createId() })).doc)).toEqual([['id-mismatch', '/data/id']])
    expect((await patch(id, {}, { id: undefined })).status).toBe(400)
  })

  it('refuses attributes that are read-only or only set on create', async () => {
    const { id } = await existing()
    expect(codes((await patch(id, { note: 'x', status: 'published' })).doc)).toEqual([
      ['unknown-attribute', '/data/attributes/note'],
      ['unknown-attribute', '/data/attributes/status'],
    ])
  })

  it('of a missing or hidden resource is not found', async () => {
    expect((await patch(createId(), {})).status).toBe(404)
    const id = createId()
    const change = { data: { type: 'projects', id, attributes: { slug: 'mine' }, meta: { lockVersion: 1 } } }
    const stranger = await addProject(runtime, await addSite(runtime, { slug: 'elsewhere' }), { slug: slug() })
    expect((await send('PATCH', `/projects/${stranger}`, { data: { ...change.data, id: stranger } })).status).toBe(404)
  })

  it('with values that only the database refuses is invalid, not a server error', async () => {
    const { id } = await existing()
    const { status, doc } = await patch(id, { participants: 3_000_000_000 })
    expect([status, codes(doc)]).toEqual([422, [['invalid', undefined]]])
    const other = await existing()
    const taken = await patch(id, { slug: other.attributes['slug'] })
    expect([taken.status, codes(taken.doc)]).toEqual([409, [['conflict', undefined]]])
    expect(taken.text).not.toContain('projects_')
  })
})

describe('replacing under a client id', () => {
  const put = (id: string, title: string, more: object = {}) =>
    send('PUT', `/hubs/${id}`, {
      data: { type: 'hubs', id, attributes: { slug: `hub-${id.slice(-8)}`, titleTranslations: { en: title } }, ...more },
    })

  it('creates the resource the first time and replaces it afterwards, at the same path', async () => {
    const id = createId()
    const first = await put(id, 'One')
    expect([first.status, first.headers.get('location')]).toEqual([201, `/api/v2/hubs/${id}`])
    const second = await put(id, 'Two', { meta: { lockVersion: 1 } })
    expect([second.status, second.doc.data.attributes['title'], second.doc.data.meta.lockVersion]).toEqual([200, 'Two', 2])
    expect((await runtime.database.site(site.id).tx((tx) => tx.select().from(hubs))).filter((row) => row.id === id)).toHaveLength(1)
  })

  it('requires the current version of an existing resource, in the document or in If-Match', async () => {
    const id = createId()
    await put(id, 'One')
    expect(codes((await put(id, 'Two')).doc)).toEqual([['required', '/data/meta/lockVersion']])
    const stale = await put(id, 'Two', { meta: { lockVersion: 9 } })
    expect(stale.doc.errors[0]).toMatchObject({ code: 'stale', meta: { current: { attributes: { title: 'One' } } } })
  })

  it('requires a valid id', async () => {
    const put = { data: { type: 'hubs', id: 'mine', attributes: { slug: 'x', titleTranslations: { en: 'X' } } } }
    expect((await send('PUT', '/hubs/mine', put)).status).toBe(404)
  })

  it('requires everything that creating requires', async () => {
    const id = createId()
    expect(codes((await send('PUT', `/hubs/${id}`, { data: { type: 'hubs', id } })).doc)).toHaveLength(2)
  })
})

describe('deleting', () => {
  it('responds 204, and the resource is gone', async () => {
    const { data } = (await send('POST', '/projects', project(good()))).doc
    const { status, text } = await send('DELETE', `/projects/${data.id}`)
    expect([status, text]).toEqual([204, ''])
    expect((await send('DELETE', `/projects/${data.id}`)).status).toBe(404)
  })

  it('is authorised by the use-case', async () => {
    const id = await addProject(runtime, site, { slug: slug() })
    expect((await send('DELETE', `/projects/${id}`)).status).toBe(403)
  })
})

describe('changing relationships', () => {
  const links = (method: string, path: string, data: unknown) => send(method, path, { data })

  it('replaces a to-one, adds to and removes from a to-many', async () => {
    const id = await addProject(runtime, site, { slug: slug() })
    const ref = { type: 'projects', id }
    expect((await links('PATCH', `/projects/${id}/relationships/hub`, { type: 'hubs', id: hub })).status).toBe(204)
    const inHub = async () => (await send('GET', `/projects/${id}/relationships/hub`)).doc.data
    expect(await inHub()).toEqual({ type: 'hubs', id: hub })
    expect((await links('DELETE', `/hubs/${hub}/relationships/projects`, [ref])).status).toBe(204)
    expect(await inHub()).toBeNull()
    expect((await links('POST', `/hubs/${hub}/relationships/projects`, [ref, ref])).status).toBe(204)
    expect(await inHub()).toEqual({ type: 'hubs', id: hub })
  })

  it('refuses wrong types, unknown ids and wrong shapes', async () => {
    const id = await addProject(runtime, site, { slug: slug() })
    const path = `/projects/${id}/relationships/hub`
    expect(codes((await links('PATCH', path, { type: 'topics', id: hub })).doc)).toEqual([['type-mismatch', '/data/type']])
    expect(codes((await links('PATCH', path, { type: 'hubs', id: foreignHub })).doc)).toEqual([['not-found', '/data']])
    expect(codes((await links('PATCH', path, [])).doc)).toEqual([['wrong-type', '/data']])
    expect(codes((await send('PATCH', path, {})).doc)).toEqual([['bad-request', '']])
    expect(codes((await links('POST', `/hubs/${hub}/relationships/projects`, [{ type: 'projects' }])).doc)).toEqual([
      ['wrong-type', '/data/0'],
    ])
    expect(codes((await links('POST', `/hubs/${hub}/relationships/projects`, { type: 'projects', id })).doc)).toEqual([
      ['wrong-type', '/data'],
    ])
  })

  it('responds 403 if the resource does not support it', async () => {
    const { status, doc } = await links('PATCH', `/hubs/${hub}/relationships/projects`, [])
    expect([status, codes(doc)]).toEqual([403, [['forbidden', undefined]]])
  })
})

describe('a singleton', () => {
  it('is updated at its own path, without an id', async () => {
    const { status, doc } = await send('PATCH', '/weather', { data: { type: 'weather', attributes: { sky: 'grey' } } })
    expect([status, doc.data.attributes['sky']]).toEqual([200, 'grey'])
    expect(codes((await send('PATCH', '/weather', { data: { type: 'weather', attributes: { sky: 'green' } } })).doc)).toEqual([
      ['not-a-choice', '/data/attributes/sky'],
    ])
  })
})

describe('a bug', () => {
  it('is logged with its cause and reported without details', async () => {
    const { status, text, doc, headers } = await send('POST', '/projects', project({ slug: 'explode', titleTranslations: { en: 'T' } }))
    expect(status).toBe(500)
    expect(doc.errors).toEqual([
      {
        id: headers.get('x-request-id'),
        status: '500',
        code: 'internal',
        title: 'Something went wrong on our side. Try again in a moment.',
      },
    ])
    expect(text).not.toContain('secret')
    const line = runtime.logged.find((entry) => entry.includes('a secret of the server'))
    expect(line).toContain(headers.get('x-request-id'))
  })
})
