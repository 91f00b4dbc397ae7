import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { checkChain } from '#app/features/audit/audit.chain.server.ts'
import { loadKnownProjects } from '#app/features/projects/projects.admin-list.server.ts'
import { updateProject } from '#app/features/projects/projects.editing.server.ts'
import { type SignedInViewer, type Viewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, withTx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projectDates, projects } from '#app/server/db/schema/projects.ts'
import { KeptBodies } from '#app/server/kept-bodies.ts'
import { MemoryBudget } from '#app/server/memory/memory-budget.ts'
import { RememberedRows } from '#app/server/remembered-rows.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createId } from '#app/lib/uuid.ts'
import { addHub, addTopic } from '#tests/factories/content.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { type Account, addAccount, requireItem, requireItems, type ResourceItem } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'

let runtime: TestRuntime
let site: Site
let admin: Account
let other: Account
let id: string

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addAccount(runtime, site, { role: 'site_admin' })
  ;({ id } = await addProject(runtime, site, { slug: 'bridge', title: { en: 'The bridge', cy: 'Y bont' } }))
  const { id: second } = await addProject(runtime, site)
  other = await addAccount(runtime, site, { role: 'project_admin', projectId: second })
})

beforeEach(() => {
  runtime.rows = new RememberedRows()
})

const open = (who: Account | undefined, language = 'en') =>
  createApiClient(runtime, site, who?.token, { headers: { 'accept-language': language } })
const readProject = async (who: Account, language?: string) =>
  requireItem(await open(who, language).get(`/projects/${id}`)) as ResourceItem & { meta: unknown }
const readItem = async (of: string) => requireItem(await open(admin).get(`/projects/${of}`))
const change = (work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) => runtime.database.site(site.id).tx(work)

test('what the API shows of remembered rows is what it shows of rows that were just read', async () => {
  const queries = [
    '/projects',
    `/projects/${id}`,
    '/projects?include=hub,topic&sort=title',
    '/projects?fields[projects]=title,hub',
    '/projects?page[size]=1&page[number]=2',
    // The same rows, at another address.
    '/projects?page[size]=50',
    `/publications/${id}`,
  ]
  for (const who of [admin, other])
    for (const language of ['en', 'cy'])
      for (const query of queries) {
        const { rows, ...plain } = runtime
        const expected = await createApiClient(plain, site, who.token, { headers: { 'accept-language': language } }).get(query)
        await open(who, language).get(query)
        expect((await open(who, language).get(query)).body, query).toEqual(expected.body)
        expect(rows?.bytes).toBeGreaterThan(0)
      }
})

test('a row that did not change is not read again, for anybody and in any language', async () => {
  const readsTexts = async (who: Account, language?: string) => {
    const { statements } = await recordDatabaseUse(runtime, () => readProject(who, language))
    return statements.some((text) => /"body"/.test(text))
  }
  expect(await readsTexts(admin)).toBe(true)
  expect(await readsTexts(admin)).toBe(false)
  expect(await readsTexts(other, 'cy')).toBe(false)
})

test('each viewer sees what they may do, and texts in all languages only if they may change them', async () => {
  for (let count = 0; count < 2; count++) {
    const [own, foreign] = [await readProject(admin), await readProject(other)]
    expect([own.meta, foreign.meta]).toMatchObject([{ can: { update: true } }, { can: { update: false } }])
    expect(own.attributes['titleTranslations']).toMatchObject({ cy: 'Y bont' })
    expect(foreign.attributes['titleTranslations']).toBeUndefined()
    expect((await readProject(other, 'cy')).attributes['title']).toBe('Y bont')
  }
})

test('any change of the row or its dates shows at once, whatever made it', async () => {
  await readProject(admin)
  const here = and(eq(projects.siteId, site.id), eq(projects.id, id))
  await change((tx) => tx.update(projects).set({ participants: 12 }).where(here))
  expect((await readProject(admin)).attributes['participants']).toBe(12)
  const date = { siteId: site.id, id: createId(), projectId: id, title: { en: 'Opening' }, happensAt: new Date('2026-12-01T10:00:00Z') }
  await change((tx) => tx.insert(projectDates).values(date))
  expect((await readProject(admin)).attributes['dates']).toMatchObject([{ title: { en: 'Opening' } }])
  const thatDate = and(eq(projectDates.siteId, site.id), eq(projectDates.id, date.id))
  await change((tx) =>
    tx
      .update(projectDates)
      .set({ title: { en: 'Closing' } })
      .where(thatDate),
  )
  expect((await readProject(admin)).attributes['dates']).toMatchObject([{ title: { en: 'Closing' } }])
  await change((tx) => tx.delete(projectDates).where(thatDate))
  expect((await readProject(admin)).attributes['dates']).toEqual([])
})

test('a save answers with the project as it is read afterwards', async () => {
  const { id: saved } = await addProject(runtime, site)
  await change((tx) =>
    tx
      .insert(projectDates)
      .values({ siteId: site.id, id: createId(), projectId: saved, title: { en: 'Opening' }, happensAt: runtime.now(), position: 0 }),
  )
  const { id: topicId } = await addTopic(runtime, site, { slug: 'bridges', title: { en: 'Bridges' } })
  const { id: hubId } = await addHub(runtime, site)
  const inAWeek = new Date(runtime.now().getTime() + 7 * 86_400_000).toISOString()
  const changes: [Record<string, unknown>, Record<string, { type: string; id: string }>?][] = [
    [{ featured: true }],
    [{ slug: 'new-bridge', opensAt: inAWeek }],
    [{ opensAt: null, closesAt: inAWeek }, { topic: { type: 'topics', id: topicId } }],
    [{ visibility: 'link' }, { hub: { type: 'hubs', id: hubId } }],
    [{ titleTranslations: inAllLanguages('The new bridge') }],
  ]
  for (const [attributes, to = {}] of changes) {
    const answer = await open(admin).patch(`/projects/${saved}`, buildResourceDocument('projects', attributes, { id: saved, to }))
    expect(answer).toMatchObject({ status: 200, body: { data: { attributes } } })
    expect(answer.body?.data).toEqual((await open(admin).get(`/projects/${saved}`)).body?.data)
  }
})

test('a save that is taken back is not shown', async () => {
  const { id: saved } = await addProject(runtime, site)
  const ctx = await admin.ctx()
  await loadKnownProjects(ctx, [saved])
  const saving = ctx.db.tx(async (tx) => {
    await updateProject(withTx(ctx, tx), saved, { featured: true })
    throw new Error('changed my mind')
  })
  await expect(saving).rejects.toThrow('changed my mind')
  expect(requireItem(await open(admin).get(`/projects/${saved}`)).attributes).toMatchObject({ featured: false })
  const topic = { id: saved, to: { topic: null } }
  const next = await open(admin).patch(`/projects/${saved}`, buildResourceDocument('projects', {}, topic))
  expect(next).toMatchObject({ status: 200, body: { data: { attributes: { featured: false }, meta: { lockVersion: 2 } } } })
})

test('saves of a project that arrive together are all kept, each in the trail', async () => {
  const all = await Promise.all(Array.from({ length: 3 }, () => addProject(runtime, site)))
  const projectIds = all.map((project) => project.id)
  const inAWeek = new Date(runtime.now().getTime() + 7 * 86_400_000).toISOString()
  const save = (attributes: Record<string, unknown>) =>
    Promise.all(
      projectIds.map((saved) => open(admin).patch(`/projects/${saved}`, buildResourceDocument('projects', attributes, { id: saved }))),
    )
  const answers = (await Promise.all([save({ featured: true }), save({ closesAt: inAWeek }), save({ place: null })])).flat()
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  for (const saved of projectIds) {
    const { attributes, meta } = (await readItem(saved)) as ResourceItem & { meta: { lockVersion: number } }
    expect(attributes).toMatchObject({ featured: true, closesAt: inAWeek })
    expect(meta.lockVersion).toBe(4)
  }
  const db = runtime.database.site(site.id)
  const lines = await db.read((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'projects.update')))
  for (const saved of projectIds) expect(lines.filter((line) => line.projectId === saved)).toHaveLength(3)
  expect((await checkChain(db)).brokenAt).toBeNull()
})

test('a phase that changes with time shows, though the row stays as it is', async () => {
  const closesAt = new Date('2027-01-01T00:00:00Z')
  await change((tx) =>
    tx
      .update(projects)
      .set({ closesAt })
      .where(and(eq(projects.siteId, site.id), eq(projects.id, id))),
  )
  try {
    runtime.setNow(new Date(closesAt.getTime() - 1000))
    const holder = await addAccount(runtime, site, { role: 'site_admin' })
    expect((await readProject(holder)).attributes['phase']).toBe('open')
    runtime.setNow(new Date(closesAt.getTime() + 1000))
    expect((await readProject(holder)).attributes['phase']).toBe('closed')
  } finally {
    runtime.setNow(undefined)
  }
})

test('who may no longer see a row does not get it from memory', async () => {
  const { id: draft } = await addProject(runtime, site, { status: 'draft', publishedAt: null })
  expect((await open(admin).get(`/projects/${draft}`)).status).toBe(200)
  expect((await open(other).get(`/projects/${draft}`)).status).toBe(404)
  expect((await open(undefined).get(`/projects/${draft}`)).status).toBe(404)
  const elsewhere = await addSite(runtime, { slug: 'harbour' })
  const theirAdmin = await addAccount(runtime, elsewhere, { role: 'site_admin' })
  expect((await createApiClient(runtime, elsewhere, theirAdmin.token).get(`/projects/${draft}`)).status).toBe(404)
})

test('that a draft has changes is remembered only for viewers who may see drafts', async () => {
  await change((tx) => tx.insert(revisionHeads).values({ siteId: site.id, subject: 'project', scopeId: id, hasChanges: true }))
  const support: SignedInViewer = {
    kind: 'user',
    id: createId(),
    siteId: site.id,
    sessionId: createId(),
    email: 'support@example.org',
    login: 'Support',
    type: 'administrator',
    confirmed: true,
    lastSeenAt: null,
    roles: [{ role: 'platform_admin', hubId: null, projectId: null, mayExportPersonalData: false }],
    roleName: 'platform_admin',
    supportGranted: true,
  }
  const as = (viewer: Viewer) => createCtx(runtime, site, { viewer })
  for (const [first, second] of [
    [support, VISITOR],
    [VISITOR, support],
  ] as const) {
    runtime.rows = new RememberedRows()
    const seen = new Map<Viewer, unknown>()
    for (const viewer of [first, second]) seen.set(viewer, (await loadKnownProjects(as(viewer), [id]))[0]?.changes)
    expect([seen.get(support), seen.get(VISITOR)]).toEqual(['draft', undefined])
  }
})

test('lists whose statement is prepared once hold their own site’s rows, by the filters, order and language that were asked for', async () => {
  const elsewhere = await addSite(runtime, { slug: 'quay' })
  const theirAdmin = await addAccount(runtime, elsewhere, { role: 'site_admin' })
  const { id: theirs } = await addProject(runtime, elsewhere)
  const here = await addSite(runtime, { slug: 'hill' })
  const ourAdmin = await addAccount(runtime, here, { role: 'site_admin' })
  const { id: open1 } = await addProject(runtime, here, { title: { en: 'Apple', cy: 'Wenynen' } })
  const { id: open2 } = await addProject(runtime, here, { title: { en: 'Bee', cy: 'Afal' } })
  const { id: draft } = await addProject(runtime, here, { title: { en: 'Cat', cy: 'Cath' }, status: 'draft', publishedAt: null })
  const listIds = async (query: string, language = 'en') => {
    const ours = createApiClient(runtime, here, ourAdmin.token, { headers: { 'accept-language': language } })
    return requireItems(await ours.get(`/projects?${query}`)).map((item) => item.id)
  }
  for (let count = 0; count < 2; count++) {
    expect(
      requireItems(await createApiClient(runtime, elsewhere, theirAdmin.token).get('/projects?sort=title')).map((item) => item.id),
    ).toEqual([theirs])
    expect(await listIds('sort=title')).toEqual([open1, open2, draft])
    expect(await listIds('sort=-title')).toEqual([draft, open2, open1])
    expect(await listIds('sort=title', 'cy')).toEqual([open2, draft, open1])
    expect(await listIds('sort=title&filter[status]=draft')).toEqual([draft])
    expect(await listIds('sort=title&filter[status]=published')).toEqual([open1, open2])
    expect(await listIds('sort=title&filter[status]=draft,published')).toEqual([open1, open2, draft])
    expect(await listIds('sort=title&page[size]=1&page[number]=2')).toEqual([open2])
  }
  const oneProject = await addAccount(runtime, here, { role: 'project_admin', projectId: open1 })
  const theirList = await createApiClient(runtime, here, oneProject.token).get('/projects?sort=title')
  expect(requireItems(theirList).map((item) => item.id)).toEqual([open1, open2])
})

test('one answer is put together for everybody who gets the same, and another one for others', async () => {
  const again = await addAccount(runtime, site, { role: 'site_admin' })
  runtime.bodies = new KeptBodies()
  await open(admin).get('/projects')
  const { bytes } = runtime.bodies
  expect(bytes).toBeGreaterThan(0)
  await open(again).get('/projects')
  expect(runtime.bodies.bytes).toBe(bytes)
  await open(other).get('/projects')
  expect(runtime.bodies.bytes).toBeGreaterThan(bytes)
})

test('memory stays bounded', () => {
  const rows = new RememberedRows(new MemoryBudget(20_000))
  for (let count = 0; count < 100; count++) rows.add(String(count), { id: String(count), text: 'x'.repeat(100) } as { id: string })
  expect(rows.bytes).toBeLessThanOrEqual(20_000)
  expect(rows.find('99')).toBeDefined()
  expect(rows.find('0')).toBeUndefined()
  const bodies = new KeptBodies(new MemoryBudget(20_000))
  for (let count = 0; count < 100; count++) bodies.obtain(String(count), () => Buffer.from('x'.repeat(1000)))
  expect(bodies.bytes).toBeGreaterThan(10_000)
  expect(bodies.bytes).toBeLessThanOrEqual(20_000)
})
