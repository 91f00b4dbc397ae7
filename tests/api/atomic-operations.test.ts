import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { handleApi } from '#app/root/api-handler.ts'
import { apiResources } from '#app/root/api-resources.ts'
import { ATOMIC_TYPES } from '#app/server/api/operations/atomic-types.ts'
import { RememberedRows } from '#app/server/remembered-rows.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, EVERY_TYPE, inAllLanguages } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

/** https://jsonapi.org/ext/atomic/ */
const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const NOBODY = '00000000-0000-7000-8000-0000000000aa'

let runtime: TestRuntime
let site: Site
let admin: Person
let projectId: string

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  ;({ id: projectId } = await addProject(runtime, site))
})

interface Answer {
  status: number
  type: string | null
  results: { data?: { type: string; id: string; attributes: Record<string, unknown> } }[]
  errors: { code: string; detail?: string; source?: { pointer?: string }; meta?: Record<string, unknown> }[]
}

async function sendOperations(
  operations: unknown,
  options: { token?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { token = admin.token } = options
  const response = await handleApi(
    new Request(`http://${site.host}/api/v2/operations`, {
      method: 'POST',
      headers: {
        host: site.host,
        accept: ATOMIC,
        'content-type': ATOMIC,
        ...(token ? { 'x-api-token': `Bearer ${token}` } : {}),
        ...options.headers,
      },
      body: JSON.stringify({ 'atomic:operations': operations }),
    }),
    runtime,
    { address: '127.0.0.1' },
  )
  const body = (await response.json()) as { 'atomic:results'?: Answer['results']; errors?: Answer['errors'] }
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    results: body['atomic:results'] ?? [],
    errors: body.errors ?? [],
  }
}

const api = () => createApiClient(runtime, site, admin.token)
const add = (type: string, attributes: Record<string, unknown>, more: object = {}) => ({ op: 'add', data: { type, attributes, ...more } })
const to = (type: string, id: string) => ({ data: { type, id } })
const toLocal = (type: string, lid: string) => ({ data: { type, lid } })
const FAILING = { op: 'remove', ref: { type: 'projects', id: NOBODY } }

/** Every row of the site, but for when its sessions were last used. */
async function readWholeSite(): Promise<Map<string, string>> {
  return runtime.database.site(site.id).tx(async (tx) => {
    const { rows: tables } = await tx.execute<{ name: string }>(
      sql`select table_name as name from information_schema.tables
          where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('sessions', 'parley_migrations') order by 1`,
    )
    const found = new Map<string, string>()
    for (const { name } of tables) {
      const { rows } = await tx.execute<{ row: string }>(sql`select t::text as row from ${sql.identifier(name)} t order by 1`)
      found.set(name, rows.map(({ row }) => row).join('\n'))
    }
    return found
  })
}

test('a department, its project and the project’s survey are created together, and the survey is published', async () => {
  const { status, type, results } = await sendOperations([
    add('hubs', { titleTranslations: { en: 'Parks' } }, { lid: 'parks' }),
    add('projects', { titleTranslations: { en: 'New benches' } }, { lid: 'benches', relationships: { hub: toLocal('hubs', 'parks') } }),
    add(
      'surveys',
      { titleTranslations: { en: 'Where?' }, definition: EVERY_TYPE },
      { lid: 'where', relationships: { project: toLocal('projects', 'benches') } },
    ),
    add('survey-versions', { waiveTranslations: true }, { relationships: { survey: toLocal('surveys', 'where') } }),
    { op: 'update', ref: { type: 'hubs', lid: 'parks' }, data: { type: 'hubs', lid: 'parks', attributes: { isPublished: true } } },
  ])
  expect(status).toBe(200)
  expect(type).toBe('application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"')
  expect(results.map(({ data }) => data?.type)).toEqual(['hubs', 'projects', 'surveys', 'survey-versions', 'hubs'])
  const [hub, project, survey] = results.map(({ data }) => data?.id)
  expect((await api().get(`/projects/${project}`)).body?.data).toMatchObject({
    attributes: { title: 'New benches' },
    relationships: { hub: { data: { id: hub } } },
  })
  expect((await api().get(`/surveys/${survey}`)).body?.data).toMatchObject({ attributes: { title: 'Where?', publishedVersion: 1 } })
  expect((await api().get(`/hubs/${hub}`)).body?.data).toMatchObject({ attributes: { isPublished: true } })
})

test('resources are changed and removed, by reference and by address, and results stand where their operations stood', async () => {
  const made = await sendOperations([
    add('topics', { titleTranslations: { en: 'Trees' } }),
    add('topics', { titleTranslations: { en: 'Roads' } }),
  ])
  const [trees = '', roads = ''] = made.results.map(({ data }) => data?.id)
  const { status, results } = await sendOperations([
    {
      op: 'update',
      href: `/api/v2/topics/${trees}`,
      data: { type: 'topics', id: trees, attributes: { titleTranslations: { en: 'Woods' } } },
    },
    { op: 'remove', href: `/topics/${roads}` },
  ])
  expect([status, results.length, results[1]]).toEqual([200, 2, {}])
  expect(results[0]?.data?.attributes['title']).toBe('Woods')
  expect((await api().get(`/topics/${roads}`)).status).toBe(404)
})

test('an address is a reference to this site’s API: with its host, from its root, or beside the operations', async () => {
  const { results } = await sendOperations(Array.from({ length: 3 }, (_, n) => add('topics', { titleTranslations: { en: `Topic ${n}` } })))
  const [one = '', two = '', three = ''] = results.map(({ data }) => data?.id)
  const removed = [`https://${site.host}/api/v2/topics/${one}`, `/api/v2/topics/${two}`, `topics/${three}`]
  const { status } = await sendOperations(removed.map((href) => ({ op: 'remove', href })))
  expect(status).toBe(200)
  for (const id of [one, two, three]) expect((await api().get(`/topics/${id}`)).status).toBe(404)
})

test('a resource is created through the relationship that will hold it, as its own request would', async () => {
  const made = await sendOperations([add('hubs', { titleTranslations: { en: 'Libraries' } })])
  const hub = made.results[0]?.data?.id ?? ''
  const { status, results } = await sendOperations([
    {
      op: 'add',
      href: `/api/v2/hubs/${hub}/projects`,
      data: { type: 'projects', lid: 'books', attributes: { titleTranslations: { en: 'Books' } } },
    },
    add(
      'surveys',
      { titleTranslations: { en: 'Which books?' }, definition: EVERY_TYPE },
      { relationships: { project: toLocal('projects', 'books') } },
    ),
  ])
  expect(status).toBe(200)
  const [project, survey] = results.map(({ data }) => data?.id)
  expect((await api().get(`/projects/${project}`)).body?.data).toMatchObject({ relationships: { hub: { data: { id: hub } } } })
  expect((await api().get(`/surveys/${survey}`)).body?.data).toMatchObject({ relationships: { project: { data: { id: project } } } })
})

test('people are added to a group that is created in the same request, and taken out again', async () => {
  const { id } = await addPerson(runtime, site)
  const made = await sendOperations([
    add('groups', { name: 'Panel' }, { lid: 'panel' }),
    { op: 'add', ref: { type: 'groups', lid: 'panel', relationship: 'people' }, data: [{ type: 'users', id }] },
  ])
  expect([made.status, made.results[1]]).toEqual([200, {}])
  const group = made.results[0]?.data?.id
  const readPeople = async () =>
    ((await api().get(`/groups/${group}/relationships/people`)).body?.data as { id: string }[] | undefined)?.map((one) => one.id)
  expect(await readPeople()).toEqual([id])
  await sendOperations([{ op: 'remove', href: `/groups/${group}/relationships/people`, data: [{ type: 'users', id }] }])
  expect(await readPeople()).toEqual([])
})

describe('if one operation fails, nothing has happened', () => {
  /** A new one of each type that can be created. */
  const listCreations = async (): Promise<unknown[]> => {
    const activity = { type: 'activities', lid: 'activity' }
    return [
      add('hubs', { titleTranslations: { en: 'Roads' } }, { lid: 'hub' }),
      add('topics', { titleTranslations: { en: 'Bridges' } }),
      add('pages', { slug: 'help', titleTranslations: { en: 'Help' }, bodyTranslations: { en: 'Ask us.' } }),
      add('groups', { name: 'Neighbours' }),
      add('projects', { titleTranslations: { en: 'The old bridge' } }, { lid: 'project', relationships: { hub: toLocal('hubs', 'hub') } }),
      add(
        'project-updates',
        {
          titleTranslations: inAllLanguages('News'),
          bodyTranslations: inAllLanguages('It begins.'),
          publishedAt: new Date().toISOString(),
        },
        { relationships: { project: to('projects', projectId) } },
      ),
      add(
        'project-stages',
        { titleTranslations: { en: 'Ask' }, startsAt: new Date().toISOString() },
        { relationships: { project: toLocal('projects', 'project') } },
      ),
      add(
        'activities',
        { kind: 'ideas', titleTranslations: { en: 'Ideas' } },
        { lid: 'activity', relationships: { project: toLocal('projects', 'project') } },
      ),
      add('categories', { titleTranslations: { en: 'Walking' } }, { relationships: { activity: { data: activity } } }),
      add('contribution-statuses', { titleTranslations: { en: 'In the plan' } }, { relationships: { activity: { data: activity } } }),
      add('moderation-rules', {
        labelTranslations: inAllLanguages('Off topic'),
        explanationTranslations: inAllLanguages('Not about this.'),
      }),
      add(
        'surveys',
        { titleTranslations: { en: 'Which?' }, definition: EVERY_TYPE },
        { lid: 'survey', relationships: { project: to('projects', projectId) } },
      ),
      add('bank-questions', { question: EVERY_TYPE.pages[0]?.questions[0] }, { relationships: { survey: toLocal('surveys', 'survey') } }),
      add('survey-versions', { waiveTranslations: true }, { relationships: { survey: toLocal('surveys', 'survey') } }),
      add('survey-archivals', {}, { relationships: { survey: toLocal('surveys', 'survey') } }),
      add('archivals', {}, { relationships: { project: to('projects', projectId) } }),
    ]
  }

  test('with every kind of resource that the request may create', async () => {
    const creations = await listCreations()
    const before = await readWholeSite()
    const { status, errors } = await sendOperations([...creations, FAILING])
    expect([status, errors[0]?.source?.pointer]).toEqual([404, `/atomic:operations/${creations.length}`])
    expect(await readWholeSite()).toEqual(before)
    // All but the last operation are good: without it, they change the site.
    const { status: good, results } = await sendOperations(creations)
    expect([good, results.length]).toEqual([200, creations.length])
    expect(await readWholeSite()).not.toEqual(before)
  })

  test('which of the types cannot be created like this is known', async () => {
    const created = new Set((await listCreations()).map((one) => (one as { data: { type: string } }).data.type))
    const others = [...ATOMIC_TYPES].filter((type) => !created.has(type))
    expect(others.toSorted()).toEqual(['moderation-word-lists', 'official-responses', 'publications', 'saved-sections'])
    for (const type of ATOMIC_TYPES) expect(apiResources.find(type), type).toBeDefined()
  })

  test('by bad input, whose faults point into the operation', async () => {
    const before = await readWholeSite()
    const { status, errors } = await sendOperations([
      add('topics', { titleTranslations: { en: 'Water' } }),
      add('projects', { slug: 'Not A Slug', colour: 'red' }, { relationships: { hub: to('hubs', NOBODY) } }),
    ])
    expect(status).toBe(422)
    expect(errors.map(({ code, source }) => [code, source?.pointer])).toEqual(
      expect.arrayContaining([
        ['unknown-attribute', '/atomic:operations/1/data/attributes/colour'],
        ['required', '/atomic:operations/1/data/attributes/titleTranslations'],
      ]),
    )
    expect(await readWholeSite()).toEqual(before)
  })

  test('by a name that is taken within the request', async () => {
    const before = await readWholeSite()
    const twice = add('pages', { slug: 'terms', titleTranslations: { en: 'Terms' }, bodyTranslations: { en: 'Be kind.' } })
    const { status, errors } = await sendOperations([twice, twice])
    expect([status, errors[0]?.code, errors[0]?.source?.pointer]).toEqual([422, 'taken', '/atomic:operations/1/data/attributes/slug'])
    expect(await readWholeSite()).toEqual(before)
  })

  test('by a version that is out of date: both versions are in the answer', async () => {
    const { id } = await addProject(runtime, site, { title: { en: 'Square' } })
    const save = (title: string, lockVersion: number) => ({
      op: 'update',
      data: { type: 'projects', id, attributes: { titleTranslations: { en: title } }, meta: { lockVersion } },
    })
    expect((await sendOperations([save('Market square', 1)])).status).toBe(200)
    const before = await readWholeSite()
    const { status, errors } = await sendOperations([add('topics', { titleTranslations: { en: 'Squares' } }), save('Old square', 1)])
    expect([status, errors[0]?.code]).toEqual([409, 'stale'])
    expect(errors[0]?.meta).toMatchObject({
      yours: { attributes: { titleTranslations: { en: 'Old square' } } },
      current: { attributes: { title: 'Market square' } },
    })
    expect(await readWholeSite()).toEqual(before)
  })
})

describe('an operation may name the version it is based on', () => {
  const setUp = async () => {
    const { id } = await addProject(runtime, site, {
      title: { en: 'Fountain' },
      status: 'draft',
      publishedAt: null,
    })
    const attributes = { titleTranslations: { en: 'Fountains' } }
    expect((await sendOperations([{ op: 'update', data: { type: 'projects', id, attributes } }])).status).toBe(200)
    return id
  }

  test('a removal of something that was changed since removes nothing', async () => {
    const id = await setUp()
    const remove = (lockVersion: number) => ({
      op: 'remove',
      ref: { type: 'projects', id },
      meta: { lockVersion },
    })
    const before = await readWholeSite()
    const { status, errors } = await sendOperations([add('topics', { titleTranslations: { en: 'Wells' } }), remove(1)])
    expect([status, errors[0]?.code, errors[0]?.source?.pointer]).toEqual([409, 'stale', '/atomic:operations/1'])
    expect(await readWholeSite()).toEqual(before)
    expect((await sendOperations([remove(2)])).status).toBe(200)
    expect((await api().get(`/projects/${id}`)).status).toBe(404)
  })

  test('so may a change, beside its data or in them', async () => {
    const id = await setUp()
    const data = {
      type: 'projects',
      id,
      attributes: { titleTranslations: { en: 'Basin' } },
    }
    const { status, errors } = await sendOperations([{ op: 'update', data, meta: { lockVersion: 1 } }])
    expect([status, errors[0]?.code]).toEqual([409, 'stale'])
    expect((await sendOperations([{ op: 'update', data, meta: { lockVersion: 2 } }])).status).toBe(200)
    const wrong = await sendOperations([{ op: 'update', data, meta: { lockVersion: 'two' } }])
    expect([wrong.status, wrong.errors[0]?.source?.pointer]).toEqual([422, '/atomic:operations/0/meta/lockVersion'])
  })

  test('without one, the last save wins, and the audit log says so', async () => {
    const id = await setUp()
    const trail = (await api().get('/audit-events')).body?.data as {
      attributes: {
        action: string
        subjectId: string
        detail: Record<string, unknown>
      }
    }[]
    const saved = trail.find(({ attributes }) => attributes.action === 'projects.update' && attributes.subjectId === id)
    expect(saved?.attributes.detail).toMatchObject({ withoutVersion: true })
  })

  test('an If-Match, which names no operation, is refused and not ignored', async () => {
    const before = await readWholeSite()
    const { status, errors } = await sendOperations([add('topics', { titleTranslations: { en: 'Ponds' } })], {
      headers: { 'if-match': '"1"' },
    })
    expect([status, errors[0]?.code]).toEqual([412, 'precondition-failed'])
    expect(errors[0]?.detail).toContain('meta.lockVersion')
    expect(await readWholeSite()).toEqual(before)
  })
})

test('what an undone request had written is not remembered for later requests', async () => {
  runtime.rows = new RememberedRows()
  const { id } = await addProject(runtime, site, { title: { en: 'Harbour' } })
  const rename = (title: string) => ({
    op: 'update',
    ref: { type: 'projects', id },
    data: { type: 'projects', id, attributes: { titleTranslations: { en: title } } },
  })
  const readTitle = async () => (await api().get(`/projects/${id}`)).body?.data
  await readTitle()
  expect((await sendOperations([rename('Never'), FAILING])).status).toBe(404)
  expect(await readTitle()).toMatchObject({ attributes: { title: 'Harbour' } })
  const { results } = await sendOperations([rename('Quay'), rename('Old quay')])
  expect(results.map(({ data }) => data?.attributes['title'])).toEqual(['Quay', 'Old quay'])
  expect(await readTitle()).toMatchObject({ attributes: { title: 'Old quay' } })
})

describe('who may', () => {
  const topic = add('topics', { titleTranslations: { en: 'Light' } })

  test('not visitors, and nobody without a role', async () => {
    expect((await sendOperations([topic], { token: '' })).status).toBe(401)
    const { token } = await addPerson(runtime, site)
    expect((await sendOperations([topic], { token })).status).toBe(403)
  })

  test('each operation asks for the right that its own request would ask for', async () => {
    const { id } = await addProject(runtime, site, { status: 'draft', publishedAt: null })
    const { token } = await addPerson(runtime, site, { role: 'project_admin', projectId: id })
    const own = { op: 'update', data: { type: 'projects', id, attributes: { summaryTranslations: { en: 'Ours' } } } }
    expect((await sendOperations([own], { token })).status).toBe(200)
    const before = await readWholeSite()
    const { status, errors } = await sendOperations(
      [{ ...own, data: { ...own.data, attributes: { summaryTranslations: { en: 'More' } } } }, topic],
      {
        token,
      },
    )
    expect([status, errors[0]?.code, errors[0]?.source?.pointer]).toEqual([403, 'forbidden', '/atomic:operations/1'])
    const after = await readWholeSite()
    // The refusal itself is in the trail, and counted.
    for (const [table, rows] of before) if (!/^(audit_|rate_limits)/.test(table)) expect(after.get(table), table).toBe(rows)
  })

  test('another site’s resources do not exist', async () => {
    const elsewhere = await addSite(runtime, { slug: 'elsewhere' })
    const { id } = await addProject(runtime, elsewhere)
    const { status } = await sendOperations([{ op: 'remove', ref: { type: 'projects', id } }])
    expect(status).toBe(404)
    const other = await addPerson(runtime, elsewhere, { role: 'site_admin' })
    expect((await createApiClient(runtime, elsewhere, other.token).get(`/projects/${id}`)).status).toBe(200)
  })

  test('a program’s token, within its scopes', async () => {
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const made = await api().post(
      '/api-tokens',
      buildResourceDocument('api-tokens', { name: 'Web team', scopes: ['content:write'], expiresAt }),
    )
    const token = (made.body?.data as { attributes: { token: string } } | undefined)?.attributes.token
    expect((await sendOperations([topic], { token })).status).toBe(200)
    const { status, errors } = await sendOperations([topic, add('groups', { name: 'Panel' })], { token })
    expect([status, errors[0]?.source?.pointer]).toEqual([403, '/atomic:operations/1'])
  })
})

describe('whoever may change nothing is told so before their document is read', () => {
  const sendUnread = async (token?: string) => {
    let isRead = false
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const response = await handleApi(
      new Request(`http://${site.host}/api/v2/operations`, {
        method: 'POST',
        headers: {
          host: site.host,
          'content-type': ATOMIC,
          ...(token ? { 'x-api-token': `Bearer ${token}` } : {}),
        },
        body,
        duplex: 'half',
      } as RequestInit),
      runtime,
      { address: '127.0.0.1' },
    )
    return [response.status, isRead]
  }

  test('visitors, participants, and programs that can only read', async () => {
    const { token: participant } = await addPerson(runtime, site)
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const made = await api().post(
      '/api-tokens',
      buildResourceDocument('api-tokens', {
        name: 'Reader',
        scopes: ['content:read'],
        expiresAt,
      }),
    )
    const reader = (made.body?.data as { attributes: { token: string } } | undefined)?.attributes.token
    expect(await sendUnread()).toEqual([401, false])
    expect(await sendUnread(participant)).toEqual([403, false])
    expect(await sendUnread(reader)).toEqual([403, false])
    expect(await sendUnread(admin.token)).toEqual([400, true])
  })
})

describe('bad requests', () => {
  const topic = add('topics', { titleTranslations: { en: 'Shade' } })

  test.each([
    ['no list', { op: 'add' }, 400, ''],
    ['an empty list', [], 422, '/atomic:operations'],
    ['more than 100 operations', Array.from({ length: 101 }, () => topic), 422, '/atomic:operations'],
    ['an operation that is no object', ['add'], 400, '/atomic:operations/0'],
    ['an unknown operation', [{ ...topic, op: 'merge' }], 400, '/atomic:operations/0/op'],
    ['no target', [{ op: 'remove' }], 400, '/atomic:operations/0'],
    ['two targets', [{ op: 'remove', href: `/topics/${NOBODY}`, ref: { type: 'topics', id: NOBODY } }], 400, '/atomic:operations/0'],
    ['an addition to what is there', [{ ...topic, ref: { type: 'topics', id: NOBODY } }], 400, '/atomic:operations/0/ref'],
    ['an addition at an address that is there', [{ ...topic, href: `/topics/${NOBODY}` }], 400, '/atomic:operations/0/href'],
    [
      'an addition through a relationship that creates nothing',
      [{ ...topic, href: `/projects/${NOBODY}/hub` }],
      404,
      '/atomic:operations/0',
    ],
    ['an answer, added through its survey', [{ ...topic, href: `/surveys/${NOBODY}/answers` }], 403, '/atomic:operations/0'],
    ['a removal of a whole relationship', [{ op: 'remove', href: `/projects/${NOBODY}/surveys` }], 400, '/atomic:operations/0/href'],
    ['a reference with a query', [{ op: 'remove', href: `/topics/${NOBODY}?include=projects` }], 400, '/atomic:operations/0/href'],
    ['an address elsewhere', [{ op: 'remove', href: 'https://example.org/topics/1' }], 400, '/atomic:operations/0/href'],
    ['an unknown type', [add('spaceships', {})], 404, '/atomic:operations/0'],
    ['a type that sends or stores more than rows', [add('newsletter-sendings', {})], 403, '/atomic:operations/0'],
    [
      'an operation that the type does not have',
      [{ op: 'remove', ref: { type: 'moderation-rules', id: NOBODY } }],
      403,
      '/atomic:operations/0',
    ],
    [
      'a local id that nothing earlier created',
      [add('projects', { titleTranslations: { en: 'x' } }, { relationships: { hub: toLocal('hubs', 'later') } })],
      404,
      '/atomic:operations/0/data/relationships/hub/data/lid',
    ],
    [
      'a local id used twice',
      [
        add('topics', { titleTranslations: { en: 'One' } }, { lid: 'a' }),
        add('topics', { titleTranslations: { en: 'Two' } }, { lid: 'a' }),
      ],
      422,
      '/atomic:operations/1/data/lid',
    ],
  ])('%s', async (_, operations, status, pointer) => {
    const answer = await sendOperations(operations)
    expect([answer.status, answer.errors[0]?.source?.pointer]).toEqual([status, pointer])
  })

  test('a document that is too large, or has too many values, is refused before it is parsed', async () => {
    const long = await sendOperations([add('topics', { titleTranslations: { en: 'x'.repeat(2_000_000) } })])
    expect([long.status, long.errors[0]?.code]).toEqual([413, 'too-large'])
    const wide = await sendOperations(Array.from({ length: 60_001 }, () => 1))
    expect([wide.status, wide.errors[0]?.code]).toEqual([413, 'too-large'])
  })

  test('explain themselves in the language of the request', async () => {
    const { errors } = await sendOperations([add('newsletter-sendings', {})], { headers: { 'accept-language': 'fr-CA' } })
    expect(errors[0]?.detail).toContain('newsletter-sendings')
    const { errors: unknown } = await sendOperations({}, { headers: { 'accept-language': 'en' } })
    expect(unknown[0]?.detail).toBe('The document has no list of `atomic:operations`.')
  })

  test('other extensions are refused here, and this one everywhere else', async () => {
    const other = 'application/vnd.api+json;ext="https://example.org/ext/bulk"'
    const { status, errors } = await sendOperations([topic], { headers: { 'content-type': other } })
    expect([status, errors[0]?.detail]).toEqual([415, expect.stringContaining('https://jsonapi.org/ext/atomic')])
    expect((await sendOperations([topic], { headers: { accept: other } })).status).toBe(406)
    const response = await handleApi(
      new Request(`http://${site.host}/api/v2/topics`, {
        method: 'POST',
        headers: { host: site.host, 'content-type': ATOMIC, 'x-api-token': `Bearer ${admin.token}` },
        body: JSON.stringify(buildResourceDocument('topics', { titleTranslations: { en: 'No' } })),
      }),
      runtime,
      { address: '127.0.0.1' },
    )
    expect(response.status).toBe(415)
  })
})
