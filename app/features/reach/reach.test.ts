import { createServer, request as ask } from 'node:http'
import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countResponses } from '#app/features/dashboard/count-responses.server.ts'
import { createFrontHandler } from '#app/serve/front.ts'
import { PageStore } from '#app/serve/page-store.ts'
import { ReaderPages } from '#app/serve/reader-pages.ts'
import type { RequestFacts } from '#app/serve/request-facts.ts'
import { createQueues } from '#app/serve/queues.ts'
import { StaticFiles } from '#app/serve/static-files.ts'
import type { Role } from '#app/lib/roles.ts'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR, type SignedInViewer } from '#app/server/auth/viewer.ts'
import { MemoryBudget } from '#app/server/memory/memory-budget.ts'
import { createCtx } from '#app/server/context.ts'
import { hubs, projectDocuments, projects, topics } from '#app/server/db/schema/projects.ts'
import { reachSalts, reachVisits } from '#app/server/db/schema/reach.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { ReachCounter } from './reach.counter.server.ts'
import { findReachPlaces, readReach } from './reach.server.ts'
import { rollUpReach } from './roll-up.server.ts'
import { buildAdministrator } from '#tests/support/people.ts'

const NOON = new Date('2026-11-20T17:00:00Z') // noon in Toronto
const NEXT_DAY = new Date('2026-11-21T17:00:00Z')
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const [roads, parks, traffic, bridge, garden, survey] = [createId(), createId(), createId(), createId(), createId(), createId()]
let runtime: TestRuntime
let site: Site
let other: Site
let reach: ReachCounter
let port = 0
let rendered = 0
const server = createServer()

/** A browser request from its own address behind one proxy. */
function get(
  path: string,
  { from = '192.0.2.1', host = 'riverbend.localhost', method = 'GET', body = '', ...headers }: Record<string, string> = {},
) {
  return new Promise<number>((resolve, reject) => {
    const asked = ask(
      { port, path, method, headers: { host, 'user-agent': FIREFOX, 'x-forwarded-for': from, accept: 'text/html', ...headers } },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    asked.once('error', reject).end(body)
  })
}

const administrator = (role: Role, place: { hubId?: string; projectId?: string } = {}, of = site): SignedInViewer =>
  buildAdministrator(of.id, [role, place])

async function counted() {
  await reach.flush()
  await countResponses(runtime)
  await rollUpReach(runtime)
  const report = await readReach(createCtx(runtime, site, { viewer: administrator('site_admin') }), { days: 30 })
  if (!report) throw new Error('No report')
  return report
}

const forget = async (of = site) => {
  await reach.flush()
  await runtime.database.site(of.id).tx(async (tx) => {
    await tx.execute(sql`delete from reach_days`)
    await tx.execute(sql`delete from reach_visits`)
  })
}

beforeAll(async () => {
  runtime = await createTestRuntime({ TRUSTED_PROXIES: '1' })
  runtime.setNow(NOON)
  site = await addSite(runtime, { slug: 'riverbend' })
  other = await addSite(runtime, { slug: 'harbour' })
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(topics).values({ siteId: site.id, id: traffic, slug: 'traffic', title: { en: 'Traffic' } })
    for (const [id, slug] of [
      [roads, 'roads'],
      [parks, 'parks'],
    ] as const) {
      await tx.insert(hubs).values({ siteId: site.id, id, slug, title: { en: slug } })
    }
    for (const [id, slug, hubId, topicId] of [
      [bridge, 'bridge', roads, traffic],
      [garden, 'garden', parks, null],
    ] as const) {
      await tx.insert(projects).values({ siteId: site.id, id, slug, hubId, topicId, title: { en: slug }, status: 'published' })
    }
    await tx.insert(surveys).values({ siteId: site.id, id: survey, projectId: bridge, slug: 's', title: { en: 's' }, definition: {} })
  })
  reach = new ReachCounter(runtime)
  const answer = (request: Request, facts: RequestFacts) => {
    rendered += 1
    const found = !request.url.includes('missing')
    const headers = { 'content-type': 'text/html', ...(facts.forEveryone ? {} : { 'cache-control': 'private, no-cache' }) }
    return Promise.resolve({ response: new Response('<p>page</p>', { status: found ? 200 : 404, headers }) })
  }
  const kept = { budget: new MemoryBudget(1_000_000), ttlMs: 60_000 }
  server.on(
    'request',
    createFrontHandler({
      runtime,
      reach,
      files: new StaticFiles({}),
      stylesheet: undefined,
      store: new PageStore({ ...kept, name: 'pages' }),
      readerPages: new ReaderPages(kept),
      filteredStore: new PageStore({ ...kept, name: 'filtered pages' }),
      queues: createQueues(),
      hasRoom: () => true,
      readSearch: () => ({}),
      isPathWord: () => false,
      health: () => Promise.resolve({ status: 200, body: {} }),
      answer,
    }),
  )
  server.listen(0)
  await once(server, 'listening')
  port = (server.address() as { port: number }).port
})

afterAll(() => void server.close())

describe('reach', () => {
  test('counts pages served from the page store, and each visitor once a day', async () => {
    await get('/projects/bridge')
    const renderings = rendered
    await get('/projects/bridge', { from: '192.0.2.2', referer: 'https://www.google.ca/' })
    await get('/projects/bridge', { from: '192.0.2.2' })
    await get('/', { from: '192.0.2.2' })
    expect(rendered).toBe(renderings + 1)
    const report = await counted()
    expect(report.totals).toEqual({ aware: 2, informed: 0, engaged: 0 })
    expect(report.projects.find(({ id }) => id === bridge)).toMatchObject({ aware: 2 })
    expect(report.hubs.find(({ id }) => id === roads)).toMatchObject({ aware: 2 })
    expect(report.topics).toMatchObject([{ id: traffic, aware: 2 }])
    expect(report.sources.toSorted((a, b) => a.source.localeCompare(b.source))).toEqual([
      { source: 'direct', aware: 1, informed: 0 },
      { source: 'search', aware: 1, informed: 0 },
    ])
    expect(report.days.at(-1)).toEqual({ day: '2026-11-20', aware: 2, informed: 0, engaged: 0 })
    await forget()
  })

  test('ignores prefetches, bots, failed requests and everybody who asks not to be counted', async () => {
    await get('/projects/bridge', { 'sec-purpose': 'prefetch' })
    await get('/projects/bridge', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
    await get('/projects/bridge', { 'sec-gpc': '1' })
    await get('/projects/bridge', { dnt: '1' })
    await get('/projects/bridge', { 'sec-fetch-dest': 'iframe' })
    await get('/projects/bridge', { 'sec-fetch-dest': 'empty' })
    await get('/projects/bridge?preview=secret')
    await get('/_serverFn/abc')
    await get('/admin')
    expect(await get('/projects/missing')).toBe(404)
    expect((await counted()).totals.aware).toBe(0)
  })

  test('counts client-side navigation by beacon, but ignores beacons from other sites', async () => {
    await get('/seen', { method: 'POST', body: '/fr-CA/projects/garden/updates/spring', 'sec-fetch-site': 'same-origin' })
    await get('/seen', { method: 'POST', body: '/projects/bridge', 'sec-fetch-site': 'cross-site' })
    await get('/seen', { method: 'POST', body: '/admin', 'sec-fetch-site': 'same-origin' })
    const report = await counted()
    expect(report.totals).toEqual({ aware: 1, informed: 1, engaged: 0 })
    expect(report.languages).toEqual([{ language: 'fr-CA', aware: 1, informed: 1, engaged: 0 }])
    expect(report.projects.find(({ id }) => id === bridge)).toMatchObject({ aware: 0 })
    await forget()
  })

  test('counts who opened an update or a document, each once a day, and no draft', async () => {
    const [spring, draft, plan] = [createId(), createId(), createId()] as const
    await runtime.database.site(site.id).tx(async (tx) => {
      const own = { siteId: site.id, projectId: garden, body: { en: 'x' } }
      await tx.insert(projectUpdates).values([
        { ...own, id: spring, slug: 'spring', title: { en: 'Spring' }, publishedAt: NOON },
        { ...own, id: draft, slug: 'draft', title: { en: 'Draft' } },
      ])
      await tx.insert(projectDocuments).values({
        siteId: site.id,
        id: plan,
        projectId: garden,
        title: { en: 'Plan' },
        file: '/files/plan.pdf',
        mediaType: 'application/pdf',
        bytes: 1,
      })
    })
    for (const from of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) await get('/projects/garden/updates/spring', { from })
    await get('/cy/projects/garden/updates/spring', { from: '192.0.2.3' })
    await get('/projects/garden/updates/draft', { from: '192.0.2.4' })
    await get('/files/plan.pdf', { from: '192.0.2.5' })
    const report = await counted()
    const { rows } = await runtime.database.site(site.id).tx((tx) =>
      tx.execute<{ kind: string; place: string; people: number }>(sql`
        select kind, place_id as place, sum(aware)::int as people from reach_days where kind in ('update', 'document') group by 1, 2 order by 1`),
    )
    expect(rows).toEqual([
      { kind: 'document', place: plan, people: 1 },
      { kind: 'update', place: spring, people: 3 },
    ])
    expect(report.totals.aware).toBe(5)
    expect(report.projects.find(({ id }) => id === garden)).toMatchObject({ aware: 5, informed: 5 })
    await forget()
  })

  test('counts participants as informed and informed people as aware; a withdrawn response does not count', async () => {
    const person = createId()
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.execute(sql`insert into users (site_id, id, email, login) values (${site.id}, ${person}, 'p@example.org', 'P')`)
      for (const more of [{ userId: person }, { userId: person }, { source: 'paper' }, { withdrawnAt: NOON }]) {
        const row = {
          siteId: site.id,
          id: createId(),
          surveyId: survey,
          version: 1,
          language: 'en' as const,
          answers: {},
          submittedAt: NOON,
        }
        await tx.insert(responses).values({ ...row, receiptHash: Buffer.from(createId()), ...more })
      }
    })
    await get('/projects/bridge', { from: '192.0.2.7' })
    await get('/projects/bridge', { from: '192.0.2.8' })
    const report = await counted()
    expect(report.totals).toEqual({ aware: 3, informed: 2, engaged: 2 })
    expect(report.uncounted).toBe(1)
    for (const row of [report.projects, report.hubs, report.topics].map(([first]) => first)) {
      expect(row).toMatchObject({ aware: 3, informed: 2, engaged: 2 })
    }
  })

  test('gives the same number wherever it is shown and however often it is recomputed', async () => {
    const before = await counted()
    await get('/projects/bridge', { from: '192.0.2.8' })
    await rollUpReach(runtime)
    const after = await counted()
    expect(after).toEqual(before)
    const ofHub = await readReach(createCtx(runtime, site, { viewer: administrator('hub_admin', { hubId: roads }) }), { days: 90 })
    expect(ofHub).toMatchObject({ place: { kind: 'hub', id: roads }, totals: before.hubs.find(({ id }) => id === roads) && before.totals })
    const viewer = administrator('project_admin', { projectId: bridge })
    expect(await readReach(createCtx(runtime, site, { viewer }), { days: 30 })).toMatchObject({
      place: { kind: 'project', id: bridge },
      totals: before.totals,
    })
  })

  test('shows administrators only their own part, and nobody else anything', async () => {
    const as = (viewer: SignedInViewer | typeof VISITOR, of = site) => createCtx(runtime, of, { viewer })
    const hubAdmin = administrator('hub_admin', { hubId: roads })
    const report = await readReach(as(hubAdmin), { days: 30 })
    const own = { places: [{ kind: 'hub', id: roads, title: 'roads' }], total: 1 }
    expect(await findReachPlaces(as(hubAdmin), '')).toEqual(own)
    expect(await findReachPlaces(as(hubAdmin), 'Roa')).toEqual(own)
    expect(await findReachPlaces(as(hubAdmin), 'parks')).toEqual({ places: [], total: 0 })
    await expect(findReachPlaces(as(VISITOR), '')).rejects.toThrow('unauthenticated')
    expect(report?.projects.map(({ id }) => id)).toEqual([bridge])
    for (const place of [
      { kind: 'site', id: site.id },
      { kind: 'hub', id: parks },
      { kind: 'project', id: garden },
    ] as const) {
      await expect(readReach(as(hubAdmin), { place, days: 30 })).rejects.toMatchObject({ code: 'not-found' })
    }
    const stranger = as(administrator('site_admin', {}, other), other)
    expect((await readReach(stranger, { days: 30 }))?.totals.aware).toBe(0)
    for (const place of [
      { kind: 'site', id: site.id },
      { kind: 'hub', id: roads },
      { kind: 'project', id: bridge },
    ] as const) {
      await expect(readReach(stranger, { place, days: 30 })).rejects.toMatchObject({ code: 'not-found' })
    }
    await expect(readReach(as(VISITOR), { days: 30 })).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await readReach(as(administrator('platform_admin')), { days: 30 })).toBeNull()
  })

  test('keeps the counts of a past day, and deletes its visitors and their salt', async () => {
    const { totals } = await counted()
    await get('/', { from: '192.0.2.77' })
    runtime.setNow(NEXT_DAY)
    await reach.flush() // still buffered when the day ended
    await rollUpReach(runtime)
    const left = await runtime.database
      .site(site.id)
      .tx(async (tx) => [await tx.select().from(reachSalts), await tx.select().from(reachVisits)])
    expect(left).toEqual([[], []])
    const after = await counted()
    expect(after.totals).toEqual({ ...totals, aware: totals.aware + 1 })
    await get('/projects/bridge', { from: '192.0.2.8' })
    expect((await counted()).totals.aware).toBe(totals.aware + 2) // nobody is recognised on another day
    expect(runtime.logged.filter((line) => line.includes('192.0.2.'))).toEqual([])
  })
})
