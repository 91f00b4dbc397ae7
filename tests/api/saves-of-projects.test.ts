import { and, asc, eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkChain } from '#app/features/audit/audit.chain.server.ts'
import { buildAppUrl, getAppRole } from '#app/server/connection-string.ts'
import { openDatabase } from '#app/server/db/client.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { RememberedRows } from '#app/server/remembered-rows.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub, addTopic } from '#tests/factories/content.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

/** Saves of a project that its process remembers, while others change it: in the same process and in another one. */
let runtime: TestRuntime
/** Another process on the same database. */
let other: Runtime
let closeOther: () => Promise<void>
let site: Site
let admin: Person
let id: string

beforeAll(async () => {
  runtime = await createTestRuntime()
  const url = buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley'))
  const database = openDatabase(url, { max: 4 })
  other = { ...runtime, database, rows: new RememberedRows() }
  closeOther = () => database.close()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})
afterAll(() => closeOther())
beforeEach(async () => {
  id = (await addProject(runtime, site)).id
})

type Save = { attributes?: Record<string, unknown>; lockVersion?: number; to?: Record<string, { type: string; id: string } | null> }
const save = (
  { attributes = {}, lockVersion, to }: Save,
  { place = runtime, person = admin, headers = {} }: { place?: Runtime; person?: Person; headers?: Record<string, string> } = {},
) => {
  const document = buildResourceDocument('projects', attributes, {
    id,
    ...(to && { to }),
    ...(lockVersion !== undefined && { lockVersion }),
  })
  return createApiClient(place, site, person.token, { headers }).patch(`/projects/${id}`, document)
}
const read = (place: Runtime = runtime) => createApiClient(place, site, admin.token).get(`/projects/${id}`)
const itemOf = ({ body }: ApiAnswer) => body?.data as { attributes: Record<string, unknown>; meta: { lockVersion: number } } | undefined
const attributesOf = (answer: ApiAnswer) => itemOf(answer)?.attributes ?? {}
const lockVersionOf = (answer: ApiAnswer) => itemOf(answer)?.meta.lockVersion ?? 0
/** What the audit trail says was changed, oldest first. */
const readChanges = async () => {
  const rows = await runtime.database.site(site.id).read((tx) =>
    tx
      .select({ detail: auditEvents.detail })
      .from(auditEvents)
      .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.subjectId, id), eq(auditEvents.action, 'projects.update')))
      .orderBy(asc(auditEvents.sequence)),
  )
  return rows.map(({ detail }) => (detail as { changes?: Record<string, { before: unknown; after: unknown }> }).changes)
}

const isSomebodyWaiting = async () => {
  const { rows } = await runtime.database.global.execute(
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: runtime.ownerUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

describe('changed by another process since', () => {
  test('a save without a version is based on what is stored now, and answers with all of it', async () => {
    const topic = await addTopic(runtime, site, { slug: `topic-${id}`, title: inAllLanguages('Parks') })
    await read()
    await save({ attributes: { featured: true }, to: { topic: { type: 'topics', id: topic.id } } }, { place: other })
    const saved = await save({ attributes: { featured: false } })
    expect(saved.status).toBe(200)
    expect(saved.body?.data).toMatchObject({ attributes: { featured: false }, relationships: { topic: { data: { id: topic.id } } } })
    expect((await readChanges()).at(-1)).toEqual({ featured: { before: true, after: false } })
  })

  test('a save that names the version that was replaced is refused, and changes nothing', async () => {
    const before = lockVersionOf(await read())
    await save({ attributes: { featured: true } }, { place: other })
    const refused = await save({ attributes: { featured: false }, lockVersion: before })
    expect([refused.status, refused.codes]).toEqual([409, ['stale']])
    expect(refused.body?.errors?.[0]).toMatchObject({ meta: { current: { attributes: { featured: true } } } })
    expect(attributesOf(await read(other))['featured']).toBe(true)
  })

  test('a save that names the version of now is stored', async () => {
    await read()
    const now = lockVersionOf(await save({ attributes: { featured: true } }, { place: other }))
    expect((await save({ attributes: { featured: false }, lockVersion: now })).status).toBe(200)
  })

  test('the entity tag of now is accepted, the one before is refused', async () => {
    const before = (await read()).headers.get('etag') ?? ''
    const now = (await save({ attributes: { featured: true } }, { place: other })).headers.get('etag') ?? ''
    expect((await save({ attributes: { featured: false } }, { headers: { 'if-match': before } })).status).toBe(412)
    expect((await save({ attributes: { featured: false } }, { headers: { 'if-match': now } })).status).toBe(200)
  })

  test('who may not change it any more is refused, though the process remembers that they might', async () => {
    const [hub, elsewhere] = [await addHub(runtime, site), await addHub(runtime, site)]
    await save({ to: { hub: { type: 'hubs', id: hub.id } } })
    const hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })
    expect((await save({ attributes: { featured: true } }, { person: hubAdmin })).status).toBe(200)
    await save({ to: { hub: { type: 'hubs', id: elsewhere.id } } }, { place: other })
    const refused = await save({ attributes: { featured: false } }, { person: hubAdmin })
    expect([403, 404]).toContain(refused.status)
    expect(attributesOf(await read(other))['featured']).toBe(true)
  })

  test('who loses the right while their save waits for the change is refused', async () => {
    const [hub, elsewhere] = [await addHub(runtime, site), await addHub(runtime, site)]
    await save({ to: { hub: { type: 'hubs', id: hub.id } } })
    const hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })
    let saving: Promise<ApiAnswer> | undefined
    await other.database.site(site.id).tx(async (tx) => {
      await tx.update(projects).set({ hubId: elsewhere.id }).where(eq(projects.id, id))
      saving = save({ attributes: { featured: true } }, { person: hubAdmin })
      await expect.poll(isSomebodyWaiting).toBe(true)
    })
    expect((await saving)?.status).toBe(403)
    expect(attributesOf(await read())['featured']).toBe(false)
  })

  test('who may change it only since then is not refused', async () => {
    const [hub, elsewhere] = [await addHub(runtime, site), await addHub(runtime, site)]
    await save({ to: { hub: { type: 'hubs', id: elsewhere.id } } })
    const hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })
    await read()
    await save({ to: { hub: { type: 'hubs', id: hub.id } } }, { place: other })
    expect((await save({ attributes: { featured: true } }, { person: hubAdmin })).status).toBe(200)
  })

  test('a change that counts no version, such as an import’s, is neither overwritten nor missed in the trail', async () => {
    await read()
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.update(projects).set({ picture: 'imported', featured: true }).where(eq(projects.id, id)))
    expect(attributesOf(await save({ attributes: { featured: false } }))).toMatchObject({ featured: false, picture: 'imported' })
    expect((await readChanges()).at(-1)).toEqual({ featured: { before: true, after: false } })
  })

  test('one that was deleted is not found', async () => {
    await read()
    await createApiClient(other, site, admin.token).delete(`/projects/${id}`)
    expect((await save({ attributes: { featured: true } })).status).toBe(404)
  })
})

describe('many saves at once', () => {
  const MANY = 25

  test('without versions all of them are stored, one after another', async () => {
    const before = lockVersionOf(await read())
    const answers = await Promise.all(Array.from({ length: MANY }, (_, n) => save({ attributes: { featured: n % 2 === 0 } })))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 200))
    expect(answers.map(lockVersionOf).toSorted((a, b) => a - b)).toEqual(Array.from({ length: MANY }, (_, n) => before + 1 + n))
    const changes = await readChanges()
    expect(changes).toHaveLength(MANY)
    // Each began with what the one before it left.
    let featured: unknown = false
    for (const change of changes) {
      if (change === undefined) continue
      expect(change['featured']?.before).toBe(featured)
      featured = change['featured']?.after
    }
    expect(attributesOf(await read())['featured']).toBe(featured)
    expect(await checkChain(runtime.database.site(site.id))).toMatchObject({ brokenAt: null })
  })

  test('that name one version, one is stored and the others are refused', async () => {
    const lockVersion = lockVersionOf(await read())
    const answers = await Promise.all(Array.from({ length: 8 }, () => save({ attributes: { featured: true }, lockVersion })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
    expect(await readChanges()).toHaveLength(1)
  })

  test('one that the database refuses does not stop the others', async () => {
    await asOwner(`alter table projects add constraint never_then check (closes_at is distinct from '2031-01-01T00:00:00Z')`)
    const { closesAt } = attributesOf(await read())
    const [first, refused, ...others] = await Promise.all([
      save({ attributes: { featured: true } }),
      save({ attributes: { closesAt: '2031-01-01T00:00:00.000Z' } }),
      save({ attributes: { featured: false } }),
      save({ attributes: { featured: true } }),
    ])
    expect([first, refused, ...others].map((answer) => answer?.status)).toEqual([200, 422, 200, 200])
    expect(await readChanges()).toHaveLength(3)
    expect(attributesOf(await read())).toMatchObject({ closesAt })
    expect(await checkChain(runtime.database.site(site.id))).toMatchObject({ brokenAt: null })
  })

  test('from two processes all of them are stored', async () => {
    await Promise.all([read(), read(other)])
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => save({ attributes: { featured: n % 2 === 0 } }, { place: n % 2 === 0 ? runtime : other })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
    expect(await readChanges()).toHaveLength(6)
  })
})
