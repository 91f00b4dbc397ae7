import { eq } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportAudit } from '#app/features/audit/audit.export.server.ts'
import { type AuditRow, chainLines } from '#app/features/audit/audit.chain.server.ts'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { mediaAssets } from '#app/server/db/schema/media.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { requestContext } from '#tests/support/request-context.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let number = 0

interface Event {
  id: string
  attributes: {
    sequence: number
    action: string
    actorName: string | null
    subjectName: string | null
    names: Record<string, string>
    address?: string | null
    detail: Record<string, unknown>
  }
}
const events = (answer: ApiAnswer) => answer.body?.data as Event[]
const actions = (answer: ApiAnswer) => events(answer).map((event) => event.attributes.action)
interface Check {
  lines: number
  brokenAt: number | null
  hash: string
}
const check = async (person = admin): Promise<Check | undefined> => {
  const { body } = await createApiClient(runtime, site, person.token).get('/audit-check')
  return (body?.data as { attributes: Check } | undefined)?.attributes
}

/** Runs a statement that only the owner of the tables may run. */
async function asOwner(statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: runtime.ownerUrl })
  await client.connect()
  await client.query(statement, values)
  await client.end()
}

const write = (action: string, more: Partial<Parameters<typeof recordAudit>[2]> = {}) => {
  const ctx = createCtx(runtime, site, { address: '203.0.113.7' })
  return ctx.db.tx((tx) => recordAudit(ctx, tx, { action: action as AuditAction, ...more }))
}

beforeAll(async () => {
  runtime = await createTestRuntime()
})

beforeEach(async () => {
  site = await addSite(runtime, { slug: `riverbend${++number}` })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

describe('the audit trail is append-only', () => {
  test('the application cannot change, delete or truncate it, whatever it asks of the database', async () => {
    await write('projects.create')
    const own = runtime.database.site(site.id)
    const denied = expect.objectContaining({ cause: expect.objectContaining({ code: '42501' }) })
    await expect(own.tx((tx) => tx.update(auditEvents).set({ action: 'nothing' }))).rejects.toEqual(denied)
    await expect(own.tx((tx) => tx.delete(auditEvents))).rejects.toEqual(denied)
    await expect(own.tx((tx) => tx.execute('truncate audit_events'))).rejects.toEqual(denied)
    expect(await own.tx((tx) => tx.select().from(auditEvents))).toHaveLength(1)
  })

  test('events form one chain without gaps under concurrent writes', async () => {
    const detail = { z: 1, a: { y: [1, { b: 'é', a: null }], when: new Date() }, nothing: undefined }
    await Promise.all(Array.from({ length: 20 }, (_, index) => write('projects.update', { detail: { ...detail, index } })))
    expect(await check()).toMatchObject({ lines: 20, brokenAt: null, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('events of one transaction follow each other as they were recorded, and are written by one statement', async () => {
    await write('projects.create')
    const ctx = createCtx(runtime, site)
    const { statements } = await recordDatabaseUse(runtime, () =>
      ctx.db.tx(async (tx) => {
        for (const action of ['one.done', 'two.done', 'three.done']) await recordAudit(ctx, tx, { action: action as AuditAction })
      }),
    )
    expect(statements).toHaveLength(1)
    expect(await check()).toMatchObject({ lines: 4, brokenAt: null })
    const stored = await ctx.db.read((tx) => tx.select().from(auditEvents).orderBy(auditEvents.sequence))
    expect(stored.map(({ action }) => action)).toEqual(['projects.create', 'one.done', 'two.done', 'three.done'])
  })

  test('detects an event that is rewritten, removed or cut off the end', async () => {
    for (const action of ['one.done', 'two.done', 'three.done', 'four.done']) await write(action)
    const whole = await check()
    await asOwner(`update audit_events set detail = '{"lie": true}' where site_id = $1 and action = 'two.done'`, [site.id])
    expect(await check()).toMatchObject({ brokenAt: 2 })
    await asOwner(`update audit_events set detail = '{}' where site_id = $1 and action = 'two.done'`, [site.id])
    expect(await check()).toEqual(whole)
    await asOwner(`delete from audit_events where site_id = $1 and action = 'four.done'`, [site.id])
    expect(await check()).toMatchObject({ brokenAt: 4 })
    await asOwner(`delete from audit_events where site_id = $1 and action = 'two.done'`, [site.id])
    expect(await check()).toMatchObject({ brokenAt: 2 })
  })

  test('detects that an event is ascribed to somebody else, or that the last one is replaced by a whole one', async () => {
    const actor = { id: createId(), role: 'site_admin' } as const
    for (const action of ['one.done', 'two.done']) await write(action, { actor })
    const whole = await check()
    for (const [column, lie, truth] of [
      ['actor_id', createId(), actor.id],
      ['actor_role', 'hub_admin', actor.role],
    ] as const) {
      const rewrite = (value: string) =>
        asOwner(`update audit_events set ${column} = $2 where site_id = $1 and action = 'one.done'`, [site.id, value])
      await rewrite(lie)
      expect(await check()).toMatchObject({ brokenAt: 1 })
      await rewrite(truth)
      expect(await check()).toEqual(whole)
    }
    // A row that continues the chain itself: only the stored end of the chain tells that it is not the one that was written.
    const [first, last] = await runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents).orderBy(auditEvents.sequence))
    if (!first || !last) throw new Error('no events')
    const { hash } = chainLines([{ ...last, detail: { lie: true } }], first)[0] as AuditRow
    await asOwner(`update audit_events set detail = '{"lie": true}', hash = $2 where site_id = $1 and action = 'two.done'`, [site.id, hash])
    expect(await check()).toMatchObject({ brokenAt: 2 })
  })

  test('only those who may see the whole trail can verify it', async () => {
    const hubId = createId()
    await runtime.database.site(site.id).tx((tx) => tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'roads', title: {} }))
    const hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId })
    expect((await createApiClient(runtime, site, hubAdmin.token).get('/audit-check')).status).toBe(403)
    expect((await createApiClient(runtime, site).get('/audit-check')).status).toBe(401)
  })
})

describe('its content', () => {
  test('a change is recorded with the values before and after', async () => {
    const api = createApiClient(runtime, site, admin.token)
    const made = (await api.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'Parks' } }))).body?.data as {
      id: string
    }
    await api.patch(
      `/projects/${made.id}`,
      buildResourceDocument('projects', { titleTranslations: { en: 'Gardens' }, featured: true }, { id: made.id, lockVersion: 1 }),
    )
    const [event] = events(await api.get(`/audit-events?filter[subject]=${made.id}&filter[action]=projects.update`))
    expect(event?.attributes).toMatchObject({ actorName: 'site_admin', subjectName: 'Gardens', address: '127.0.0.1' })
    expect(event?.attributes.detail['changes']).toEqual({
      title: { before: { en: 'Parks' }, after: { en: 'Gardens' } },
      featured: { before: false, after: true },
    })
  })

  test('events about datasets, pictures and groups say their names, as do the people and things that facts mention by id', async () => {
    const [connector, dataset, picture, hubId, gone] = Array.from({ length: 5 }, createId)
    if (!connector || !dataset || !picture || !hubId || !gone) throw new Error('no ids')
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'trees', title: { en: 'Trees and parks' } })
      await tx
        .insert(cityConnectors)
        .values({ siteId: site.id, id: connector, name: 'City portal', portalUrl: 'https://data.example', kind: 'ckan' })
      await tx.insert(cityDatasets).values({
        siteId: site.id,
        id: dataset,
        connectorId: connector,
        slug: 'trees',
        sourceId: '4f1c-9a2b',
        title: { en: 'Street trees' },
      })
      await tx.insert(mediaAssets).values({
        siteId: site.id,
        id: picture,
        name: 'oak.jpg',
        mediaType: 'image/jpeg',
        bytes: 10,
        width: 10,
        height: 10,
        createdAt: new Date(),
        updatedAt: new Date(),
      })
    })
    await write('city-connectors.create', { subject: { type: 'city-connectors', id: connector } })
    await write('city-datasets.update', {
      subject: { type: 'city-datasets', id: dataset },
      detail: { changes: { hubId: { before: gone, after: hubId } }, by: admin.id },
    })
    await write('media-assets.update', { subject: { type: 'media-assets', id: picture } })
    const listed = await createApiClient(runtime, site, admin.token).get(`/audit-events?page[size]=3`)
    expect(events(listed).map(({ attributes }) => attributes.subjectName)).toEqual(['oak.jpg', 'Street trees', 'City portal'])
    expect(events(listed)[1]?.attributes.names).toEqual({ [hubId]: 'Trees and parks', [admin.id]: 'site_admin' })
  })

  test('refusals to signed-in people are recorded, up to a limit', async () => {
    const participant = await addPerson(runtime, site)
    const api = createApiClient(runtime, site, participant.token)
    for (let n = 0; n < 35; n++) await api.post('/hubs', buildResourceDocument('hubs', { titleTranslations: { en: 'Mine' } }))
    const refusals = await createApiClient(runtime, site, admin.token).get('/audit-events?filter[action]=refusals')
    expect(events(refusals)).toHaveLength(30)
    expect(events(refusals)[0]?.attributes.detail).toEqual({ method: 'POST', path: '/api/v2/hubs' })
  })

  test('it is filtered by actor, action, subject and time, and paged', async () => {
    const other = await addPerson(runtime, site, { role: 'site_admin', email: 'bryn@example.org' })
    const subject = { type: 'projects', id: createId() }
    runtime.setNow(new Date('2026-03-01T12:00:00Z'))
    await write('projects.create', { actor: { id: admin.id, role: 'site_admin' }, subject })
    runtime.setNow(new Date('2026-03-02T12:00:00Z'))
    await write('projects.publish', { actor: { id: other.id, role: 'site_admin' }, subject })
    await write('pages.create', { actor: { id: other.id, role: 'site_admin' } })
    runtime.setNow(undefined)
    const api = createApiClient(runtime, site, admin.token)
    const find = async (query: string) => actions(await api.get(`/audit-events?${query}`))
    expect(await find('filter[who]=BRYN')).toEqual(['pages.create', 'projects.publish'])
    expect(await find(`filter[actor]=${admin.id}`)).toEqual(['projects.create'])
    expect(await find('filter[action]=projects')).toEqual(['projects.publish', 'projects.create'])
    expect(await find('filter[action]=projects.publish')).toEqual(['projects.publish'])
    expect(await find(`filter[subject]=${subject.id}&sort=at`)).toEqual(['projects.create', 'projects.publish'])
    expect(await find('filter[from]=2026-03-02T00:00:00Z&filter[until]=2026-03-02T12:00:00Z')).toEqual([])
    expect(await find('page[size]=1&page[number]=2')).toEqual(['projects.publish'])
    expect((await api.get("/audit-events?filter[action]=projects';--")).status).toBe(400)
  })

  test('the export holds the same events and is itself audited', async () => {
    await write('projects.create', { detail: { note: '=1+1' } })
    const ctx = await withViewer(createCtx(runtime, site, { reason: 'The data officer asks' }), admin.token)
    const file = await exportAudit({
      context: requestContext(ctx),
      request: new Request('http://x/admin/audit.csv?kind=projects'),
    })
    expect(file.headers.get('content-disposition')).toContain('audit-')
    const text = await file.text()
    expect(text.split('\r\n')[0]).toContain('number,at,actor')
    expect(text).toContain('projects.create')
    expect(text.trim().split('\r\n')).toHaveLength(2)
    expect(actions(await createApiClient(runtime, site, admin.token).get('/audit-events'))[0]).toBe('audit-events.export')
    const nobody = await withViewer(createCtx(runtime, site), (await addPerson(runtime, site)).token)
    expect((await exportAudit({ context: requestContext(nobody), request: new Request('http://x/admin/audit.csv') })).status).toBe(403)
  })
})

describe('scope', () => {
  test('hub and project administrators see events in their scope, without network addresses', async () => {
    const [hub, other, project] = [createId(), createId(), createId()]
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.insert(hubs).values([
        { siteId: site.id, id: hub, slug: 'roads', title: { en: 'Roads' } },
        { siteId: site.id, id: other, slug: 'parks', title: { en: 'Parks' } },
      ])
      await tx.insert(projects).values({ siteId: site.id, id: project, slug: 'bridge', title: { en: 'Bridge' }, hubId: hub })
    })
    await write('projects.create', { subject: { type: 'projects', id: project }, hubId: hub, projectId: project })
    await write('hubs.update', { hubId: hub })
    await write('hubs.create', { hubId: other })
    await write('pages.create')
    const hubAdmin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin', hubId: hub })).token)
    const projectAdmin = createApiClient(
      runtime,
      site,
      (await addPerson(runtime, site, { role: 'project_admin', projectId: project })).token,
    )
    expect(actions(await hubAdmin.get('/audit-events'))).toEqual(['hubs.update', 'projects.create'])
    expect(actions(await projectAdmin.get('/audit-events'))).toEqual(['projects.create'])
    expect(events(await hubAdmin.get('/audit-events'))[0]?.attributes).not.toHaveProperty('address')
    // A filter does not widen the scope.
    expect(actions(await hubAdmin.get(`/audit-events?filter[hub]=${other}`))).toEqual([])
    expect((await hubAdmin.get('/audit-events?filter[trail]=platform')).status).toBe(403)
    const [foreign] = events(await createApiClient(runtime, site, admin.token).get('/audit-events?filter[action]=pages'))
    expect((await hubAdmin.get(`/audit-events/${foreign?.id}`)).status).toBe(404)
    expect((await createApiClient(runtime, site, (await addPerson(runtime, site)).token).get('/audit-events')).status).toBe(403)
  })

  test('platform administrators see the platform’s trail, and on a site only their own actions', async () => {
    const platform = await addPerson(runtime, site, { role: 'platform_admin' })
    await write('pages.create', { actor: { id: admin.id, role: 'site_admin' } })
    await write('memberships.create', { actor: { id: platform.id, role: 'platform_admin' } })
    const ctx = createCtx(runtime, site)
    await runtime.database
      .site(PLATFORM_SITE_ID)
      .tx((tx) =>
        recordAudit(ctx, tx, { action: 'sites.create', siteId: PLATFORM_SITE_ID, actor: { id: createId(), role: 'platform_admin' } }),
      )
    const api = createApiClient(runtime, site, platform.token)
    expect(actions(await api.get('/audit-events'))).toContain('sites.create')
    expect(actions(await api.get('/audit-events?filter[trail]=site'))).toEqual(['memberships.create'])
    const theirs = events(await createApiClient(runtime, site, admin.token).get('/audit-events?filter[action]=pages'))[0]
    expect((await api.get(`/audit-events/${theirs?.id}`)).status).toBe(404)
    expect(await check(platform)).toMatchObject({ brokenAt: null })
    // The platform's events are not in the site's trail.
    expect(
      await runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'sites.create'))),
    ).toEqual([])
  })
})
