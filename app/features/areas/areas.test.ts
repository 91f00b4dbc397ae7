import { randomBytes } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { readOpenResults } from '#app/features/opencities/open-versions.server.ts'
import { synchroniseDue } from '#app/features/opencities/synchronise.server.ts'
import { listProjects } from '#app/features/projects/projects.list.server.ts'
import { rebuildTallies } from '#app/features/surveys/responses/response-counts.server.ts'
import { getResults } from '#app/features/surveys/results/results.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { areas, homeAreas, projectAreas } from '#app/server/db/schema/areas.ts'
import { homepageRevisions, savedSections } from '#app/server/db/schema/homepage.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { hubs } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson as addViewer, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { servePortal } from '#tests/support/portals/serve.ts'
import { suppressSmallCounts } from './area-counts.server.ts'
import { getAreaMap } from './area-map.server.ts'
import { readHomeArea, setHomeArea } from './home-area.server.ts'

let runtime: TestRuntime
let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
let dataset: string
let wards: [string, number][]

/** Postcodes as a source lists them: `k7l` is in two areas. */
const CODES: Record<string, string> = { 'Ward 10': 'K7K 1; K7L', 'Ward 2': 'k7l, K7L-2' }

const ward = ([name, west]: [string, number]) => ({
  type: 'Feature',
  properties: { ward: name, people: 100, codes: CODES[name] },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, 45],
        [west + 1, 45],
        [west + 1, 46],
        [west, 46],
        [west, 45],
      ],
    ],
  },
})
const idOf = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return (answer.body?.data as { id: string } | undefined)?.id ?? ''
}
const stored = () => ctx.db.tx((tx) => tx.select({ id: areas.id, slug: areas.slug, name: areas.name }).from(areas).orderBy(areas.slug))
const lockOf = async (): Promise<number> => {
  const { data } = (await api.get(`/city-datasets/${dataset}`)).body as unknown as { data: { meta: { lockVersion: number } } }
  return data.meta.lockVersion
}
const change = async (attributes: Record<string, unknown>) =>
  api.patch(`/city-datasets/${dataset}`, buildResourceDocument('city-datasets', attributes, { id: dataset, lockVersion: await lockOf() }))

beforeAll(async () => {
  runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  site = await addSite(runtime, { slug: 'alder' })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  wards = [
    ['Ward 10', -75],
    ['Ward 2', -74],
  ]
  const portal = await servePortal((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/geo+json' })
      .end(JSON.stringify({ type: 'FeatureCollection', features: wards.map(ward) })),
  )
  const connector = idOf(
    await api.post('/city-connectors', buildResourceDocument('city-connectors', { portalUrl: `${portal.origin}/wards.geojson` })),
  )
  const to = { connector: { type: 'city-connectors', id: connector } }
  dataset = idOf(
    await api.post(
      '/city-datasets',
      buildResourceDocument('city-datasets', { sourceId: `${portal.origin}/wards.geojson`, published: true }, { to }),
    ),
  )
  await synchroniseDue(runtime)
  idOf(await change({ boundaries: { name: 'ward', postcodes: 'codes' } }))
  await synchroniseDue(runtime)
})

describe('areas of a site', () => {
  test('are the shapes of a dataset, and keep their identity when it is synchronised again', async () => {
    const before = await stored()
    expect(before.map(({ slug }) => slug)).toEqual(['ward-10', 'ward-2'])
    expect((await change({ boundaries: { name: 'nothing' } })).codes).toEqual(['not-a-choice'])
    wards.push(['Ward 3', -73])
    idOf(
      await api.post(
        '/city-synchronisations',
        buildResourceDocument('city-synchronisations', {}, { to: { dataset: { type: 'city-datasets', id: dataset } } }),
      ),
    )
    await synchroniseDue(runtime)
    const after = await stored()
    expect(after.map(({ slug }) => slug)).toEqual(['ward-10', 'ward-2', 'ward-3'])
    expect(after.slice(0, 2)).toEqual(before)
    // Natural order: 2, 3, 10.
    const listed = (await api.get('/areas?page[size]=500')).body?.data as { attributes: { name: string } }[]
    expect(listed.map(({ attributes }) => attributes.name)).toEqual(['Ward 2', 'Ward 3', 'Ward 10'])
  })

  test('hold projects: chosen by hand, suggested by location, and filtered by area', async () => {
    const project = await addProject(runtime, site, { slug: 'quay', place: { address: { en: 'Quay 1' }, lat: 45.5, lng: -73.5 } })
    await addProject(runtime, site, { slug: 'elsewhere' })
    const [, ward2] = await stored()
    const path = `/project-placements/${project.id}`
    const read = async () => (await api.get(path)).body?.data as { attributes: { areas: string[]; suggested: string[] } }
    expect((await read()).attributes).toEqual({ areas: [], suggested: [ward2?.id], lost: [] })
    const place = (chosen: (string | undefined)[], as = api) =>
      as.patch(path, buildResourceDocument('project-placements', { areas: chosen }, { id: project.id }))
    expect((await place([createId()])).status).toBe(422)
    const stranger = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin' })).token)
    expect((await place([ward2?.id], stranger)).status).toBe(404)
    idOf(await place([ward2?.id]))
    const list = await listProjects(ctx, { area: 'ward-2' })
    expect(list.projects.map(({ slug }) => slug)).toEqual(['quay'])
    expect(list).toMatchObject({ total: 1, search: { area: 'ward-2' }, areas: [{ slug: 'ward-2', count: 1 }] })
    // An area without projects is ignored as a filter.
    expect(await listProjects(ctx, { area: 'ward-10' })).toMatchObject({ total: 2, search: {} })
  })

  test('record where people say they live, until they withdraw it', async () => {
    const viewer = await addViewer(runtime, site)
    const own = createCtx(runtime, site, { viewer })
    const [ward10] = await stored()
    expect(await readHomeArea(own)).toMatchObject({ chosen: null, areas: [{ slug: 'ward-2' }, { slug: 'ward-3' }, { slug: 'ward-10' }] })
    await expect(setHomeArea(own, { area: ward10?.id ?? '', consent: false })).rejects.toMatchObject({ code: 'invalid' })
    await expect(setHomeArea(own, { area: createId(), consent: true })).rejects.toMatchObject({ code: 'invalid' })
    await expect(setHomeArea(ctx, { area: ward10?.id ?? '', consent: true })).rejects.toMatchObject({ code: 'forbidden' })
    await setHomeArea(own, { area: ward10?.id ?? '', consent: true })
    expect((await readHomeArea(own))?.chosen).toBe(ward10?.id)
    expect(JSON.stringify(await readOwnData(own))).toContain('Ward 10')
    await setHomeArea(own, { area: null, consent: false })
    expect((await readHomeArea(own))?.chosen).toBeNull()
    expect(
      await ctx.db.tx((tx) =>
        tx
          .select()
          .from(homeAreas)
          .where(and(eq(homeAreas.siteId, site.id), eq(homeAreas.userId, viewer.id))),
      ),
    ).toEqual([])
  })

  test('are found by postcode, which is not stored', async () => {
    const viewer = await addViewer(runtime, site)
    const own = createCtx(runtime, site, { viewer })
    const [ward10, ward2] = await stored()
    const say = async (postcode: string) => {
      await setHomeArea(own, { area: '', postcode, consent: true })
      return (await readHomeArea(own))?.chosen
    }
    expect((await readHomeArea(own))?.byPostcode).toBe(true)
    expect(await say('k7k 1a9')).toBe(ward10?.id)
    // The longest prefix wins; shared and unknown prefixes are refused.
    expect(await say('K7L 2B3')).toBe(ward2?.id)
    for (const nowhere of ['K7L 9Z9', 'M5V 1A1', '-'])
      await expect(say(nowhere)).rejects.toMatchObject({ faults: [{ code: 'postcode-unknown', pointer: '/postcode' }] })
    await expect(setHomeArea(own, { area: '', postcode: 'K7K 1A9', consent: false })).rejects.toMatchObject({ code: 'invalid' })
    expect((await readHomeArea(own))?.chosen).toBe(ward2?.id)
    expect(JSON.stringify(await readOwnData(own))).not.toMatch(/K7L ?2B3/i)
    await setHomeArea(own, { area: null, consent: false })
  })

  test('appear in results only with counts too large to identify anyone', async () => {
    const project = await addProject(runtime, site, { slug: 'lane' })
    const survey = await addSurvey(runtime, site, { projectId: project.id, slug: 'lane', resultsPublic: true })
    const [ward10, ward2, ward3] = await stored()
    const answer = async (area: string | undefined, count: number) => {
      for (let made = 0; made < count; made++) {
        const person = await addViewer(runtime, site)
        await ctx.db.tx(async (tx) => {
          if (area) await tx.insert(homeAreas).values({ siteId: site.id, userId: person.id, areaId: area, consentedAt: new Date() })
          await tx.insert(responses).values({
            siteId: site.id,
            id: createId(),
            surveyId: survey.id,
            version: 1,
            userId: person.id,
            language: 'en',
            answers: { mode: { choice: 'bus' } },
            submittedAt: runtime.now(),
            receiptHash: randomBytes(32),
          })
        })
      }
    }
    await answer(ward10?.id, 8)
    await answer(ward2?.id, 6)
    await answer(ward3?.id, 2)
    await answer(undefined, 3)
    await ctx.db.tx((tx) => rebuildTallies(tx, site.id, survey.id))
    const told = [
      { area: 'ward-10', name: 'Ward 10', responses: 8 },
      { area: 'ward-2', name: 'Ward 2', responses: null },
      { area: 'ward-3', name: 'Ward 3', responses: null },
    ]
    expect((await readOpenResults(ctx, { project: 'lane', survey: 'lane' })).areas).toEqual(told)
    const listed = (await api.get(`/survey-areas?filter[survey]=${survey.id}&page[size]=500`)).body?.data as {
      attributes: { responses: number | null }
    }[]
    expect(listed.map(({ attributes }) => attributes.responses)).toEqual([8, null, null])
    // Results filtered by area: nothing for small groups, even for administrators, and no combination with other filters.
    type Figures = { responses: number; questions: { question: { id: string }; cells: { value: string; count: number | null }[] }[] }
    const figures = async (query: string) => {
      const answer = await api.get(`/survey-results?filter[survey]=${survey.id}&${query}`)
      return (answer.body?.data as { attributes: Figures }[] | undefined)?.[0]?.attributes ?? answer.status
    }
    const byBus = (all: Figures | number) =>
      typeof all === 'number'
        ? all
        : all.questions.find(({ question }) => question.id === 'mode')?.cells.find(({ value }) => value === 'bus')?.count
    const ofAreas = await Promise.all([ward10, ward2, ward3].map((ward) => figures(`filter[area]=${ward?.id}`)))
    expect(ofAreas).toMatchObject([{ responses: 8 }, { responses: 6 }, { responses: 0 }])
    expect(ofAreas.map(byBus)).toEqual([8, 6, expect.toSatisfy((count) => !count)])
    for (const other of ['filter[language]=en', 'filter[from]=2026-01-01T00:00:00Z', 'filter[answers]=mode:bus', 'filter[version]=1'])
      expect(await figures(`filter[area]=${ward10?.id}&${other}`)).toBe(400)
    expect((await api.get(`/written-answers?filter[survey]=${survey.id}&filter[question]=ideas&filter[area]=${ward10?.id}`)).status).toBe(
      400,
    )
    const stranger = createApiClient(runtime, site, (await addPerson(runtime, site)).token)
    expect((await stranger.get(`/survey-areas?filter[survey]=${survey.id}`)).status).toBe(403)
    // The next day there is one more response from an area among five new ones: the difference must not show it.
    await answer(ward10?.id, 1)
    await answer(undefined, 4)
    await ctx.db.tx((tx) => rebuildTallies(tx, site.id, survey.id))
    runtime.setNow(new Date(Date.now() + 25 * 3_600_000))
    const dayAfter = await readOpenResults(ctx, { project: 'lane', survey: 'lane' })
    runtime.setNow(new Date(Date.now() + 26 * 3_600_000))
    await answer(ward10?.id, 4)
    await answer(undefined, 3)
    await ctx.db.tx((tx) => rebuildTallies(tx, site.id, survey.id))
    runtime.setNow(new Date(Date.now() + 50 * 3_600_000))
    const nextDay = await readOpenResults(ctx, { project: 'lane', survey: 'lane' })
    runtime.setNow(undefined)
    expect([dayAfter, nextDay].map(({ version }) => version?.responses)).toEqual([24, 31])
    expect([dayAfter, nextDay].map(({ areas: [first] }) => first?.responses)).toEqual([8, 13])
    expect(suppressSmallCounts([{ area: 'a', name: 'A', responses: 5 }])).toEqual([{ area: 'a', name: 'A', responses: 5 }])
    // The second hidden area stays the same while there is one: A stays hidden, although B is now the next smallest.
    const counts = (a: number, b: number) => [
      { area: 'a', name: 'A', responses: a },
      { area: 'b', name: 'B', responses: b },
      { area: 'c', name: 'C', responses: 2 },
    ]
    const first = suppressSmallCounts(counts(6, 8))
    expect(first.map(({ responses }) => responses)).toEqual([null, 8, null])
    expect(suppressSmallCounts(counts(9, 8), first).map(({ responses }) => responses)).toEqual([null, 8, null])
    expect(suppressSmallCounts(counts(9, 8)).map(({ responses }) => responses)).toEqual([9, null, null])
    // Two small ones that stand for three people need a third.
    expect(suppressSmallCounts(counts(9, 1)).map(({ responses }) => responses)).toEqual([null, null, null])
  })

  test('show no results of an area if the few people outside it could be worked out from them', async () => {
    const survey = await addSurvey(runtime, site, { resultsPublic: true })
    const viewer = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
    const [ward] = await stored()
    const people: string[] = []
    const answer = async (area: string | undefined, count: number) => {
      for (let made = 0; made < count; made++) {
        const person = await addViewer(runtime, site)
        people.push(person.id)
        await ctx.db.tx(async (tx) => {
          if (area) await tx.insert(homeAreas).values({ siteId: site.id, userId: person.id, areaId: area, consentedAt: new Date() })
          await tx.insert(responses).values({
            siteId: site.id,
            id: createId(),
            surveyId: survey.id,
            version: 1,
            userId: person.id,
            language: 'en',
            answers: { mode: { choice: area ? 'bus' : 'foot' } },
            submittedAt: runtime.now(),
            receiptHash: randomBytes(32),
          })
        })
      }
      await ctx.db.tx((tx) => rebuildTallies(tx, site.id, survey.id))
    }
    const count = async () => (await getResults(createCtx(runtime, site, { viewer }), survey.id, { area: ward?.id ?? '' })).responses
    await answer(ward?.id, 20)
    await answer(undefined, 4)
    // 24 answers less the 20 of the area are those of four people, who all go on foot.
    expect(await count()).toBe(0)
    await answer(undefined, 1)
    runtime.setNow(new Date(Date.now() + 2 * 3_600_000))
    expect(await count()).toBe(20)
    runtime.setNow(undefined)
    await ctx.db.tx((tx) => tx.delete(homeAreas).where(inArray(homeAreas.userId, people)))
  })

  test('stay with everything assigned to them when they are missing from their source, until someone removes them', async () => {
    const all = [...wards]
    const copy = async (names: string[]) => {
      wards.splice(0, wards.length, ...all.filter(([name]) => names.includes(name)))
      const to = { dataset: { type: 'city-datasets', id: dataset } }
      await api.post('/city-synchronisations', buildResourceDocument('city-synchronisations', {}, { to }))
      await synchroniseDue(runtime)
    }
    type Lost = { id: string; attributes: { name: string; projects: string[]; people: number } }
    const lost = async () => (await api.get('/lost-areas')).body?.data as Lost[]
    const [ward10, ward2, ward3] = (await stored()).map(({ id }) => id) as [string, string, string]
    const [quay] = await ctx.db.tx((tx) => tx.select({ id: projectAreas.projectId }).from(projectAreas))
    const [living, ...others] = await Promise.all([addViewer(runtime, site), addViewer(runtime, site)])
    const own = createCtx(runtime, site, { viewer: living })
    await setHomeArea(own, { area: ward2, consent: true })
    const letter = idOf(
      await api.post('/newsletters', buildResourceDocument('newsletters', { name: 'May news', audience: { area: ward3 } })),
    )
    await copy(['Ward 10'])
    // Nobody else can choose the missing area, and it is no longer suggested for projects; existing choices are kept.
    expect(await lost()).toMatchObject([
      { id: ward2, attributes: { name: 'Ward 2', projects: [expect.any(String)], people: 7, campaigns: [] } },
      { id: ward3, attributes: { name: 'Ward 3', projects: [], people: 2, campaigns: ['May news'] } },
    ])
    expect(await readHomeArea(own)).toMatchObject({ chosen: ward2, areas: [{ slug: 'ward-2' }, { slug: 'ward-10' }] })
    await setHomeArea(own, { area: ward2, consent: true })
    for (const viewer of others) {
      const another = createCtx(runtime, site, { viewer })
      await expect(setHomeArea(another, { area: ward2, consent: true })).rejects.toMatchObject({ code: 'invalid' })
      await setHomeArea(another, { area: '', postcode: 'K7L 2B3', consent: true })
      expect((await readHomeArea(another))?.chosen).toBe(ward10)
      await setHomeArea(another, { area: null, consent: false })
    }
    const placement = (await api.get(`/project-placements/${quay?.id}`)).body?.data as { attributes: object }
    expect(placement.attributes).toMatchObject({ areas: [ward2], suggested: [], lost: [{ id: ward2, name: 'Ward 2' }] })
    expect((await listProjects(ctx, { area: 'ward-2' })).total).toBe(1)
    expect((await getAreaMap(ctx)).areas.map(({ name }) => name)).toEqual(['Ward 10'])
    // An area that returns is the same area as before.
    await copy(['Ward 10', 'Ward 2'])
    expect((await lost()).map(({ attributes }) => attributes.name)).toEqual(['Ward 3'])
    expect((await api.delete(`/lost-areas/${ward2}`)).status).toBe(404)
    const stranger = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin' })).token)
    expect([(await stranger.get('/lost-areas')).status, (await stranger.delete(`/lost-areas/${ward3}`)).status]).toEqual([403, 404])
    const chosen = async () =>
      ((await api.get(`/newsletters/${letter}`)).body?.data as { attributes: { chosen: object } } | undefined)?.attributes.chosen
    expect(await chosen()).toEqual({ area: 'Ward 3' })
    expect((await api.delete(`/lost-areas/${ward3}`)).status).toBe(204)
    expect(await chosen()).toEqual({ area: null })
    const to = { campaign: { type: 'newsletters', id: letter } }
    expect((await api.post('/newsletter-sendings', buildResourceDocument('newsletter-sendings', {}, { to }))).codes).toEqual(['area-gone'])
    expect((await stored()).map(({ slug }) => slug)).toEqual(['ward-10', 'ward-2'])
  })

  test('and their dataset are not removed before naming everything that uses them', async () => {
    const hub = createId()
    const project = await addProject(runtime, site, { slug: 'figures', title: { en: 'Figures' } })
    const block = { schema: 2, blocks: [{ id: 'b_1', type: 'open_data', datasetId: dataset, show: 'map' }] }
    const page = (placeId: string | null, content: object, publishedAt: Date | null, at: string) => ({
      siteId: site.id,
      id: createId(),
      placeId,
      content,
      publishedAt,
      createdAt: new Date(at),
    })
    await ctx.db.tx(async (tx) => {
      await tx.insert(hubs).values({ siteId: site.id, id: hub, slug: 'roads', title: { en: 'Roads' } })
      await tx.insert(homepageRevisions).values([
        // The site's published page shows it, followed by a draft without it; the department's page only had it in an old version.
        page(null, block, new Date('2026-01-01'), '2026-01-01'),
        page(null, { schema: 2, blocks: [] }, null, '2026-02-01'),
        page(hub, block, new Date('2026-01-01'), '2026-01-01'),
        page(hub, { schema: 2, blocks: [] }, new Date('2026-02-01'), '2026-02-01'),
      ])
      await tx.insert(savedSections).values({ siteId: site.id, id: createId(), name: 'Our wards', content: block, createdAt: new Date() })
    })
    const [ward2] = (await stored()).filter(({ slug }) => slug === 'ward-2')
    for (const type of ['newsletters', 'sms-campaigns'])
      await ctx.db.tx((tx) =>
        tx.insert(campaigns).values({
          siteId: site.id,
          id: createId(),
          channel: type === 'newsletters' ? 'email' : 'sms',
          name: `To ward 2`,
          audience: { area: ward2?.id },
          status: type === 'newsletters' ? 'scheduled' : 'draft',
          createdAt: new Date(),
          updatedAt: new Date(),
        }),
      )
    const to = { project: { type: 'projects', id: project.id } }
    idOf(
      await api.patch(
        `/city-datasets/${dataset}`,
        buildResourceDocument('city-datasets', {}, { id: dataset, to, lockVersion: await lockOf() }),
      ),
    )
    type Read = {
      body?: { data?: { attributes: { uses: { kind: string; title: string }[] }; relationships: { connector: { data: { id: string } } } } }
    }
    const read = async (path: string) => ((await api.get(path)) as unknown as Read).body?.data
    const told = (uses: { kind: string; title: string }[] = []) => uses.map(({ kind, title }) => `${kind} ${title}`.trim())
    const uses = [
      'homepage',
      'newsletter To ward 2',
      expect.stringMatching(/^project-area \w/),
      'project-page Figures',
      'section Our wards',
      'sms-campaign To ward 2',
    ]
    const own = await read(`/city-datasets/${dataset}?include=connector`)
    expect(told(own?.attributes.uses)).toEqual(uses)
    const connector = await read(`/city-connectors/${own?.relationships.connector.data.id}`)
    expect(told(connector?.attributes.uses)).toEqual([expect.stringMatching(/^dataset \w/), ...uses])
  })

  test('are removed when the dataset is no longer the site’s boundaries', async () => {
    const use = async () => {
      const { data } = (await api.get(`/city-datasets/${dataset}`)).body as unknown as { data: { attributes: { areaUse: object } } }
      return data.attributes.areaUse
    }
    // The administrator sees what will be removed with them.
    expect(await use()).toEqual({ areas: 2, projects: 1, people: 20, campaigns: 2 })
    idOf(await change({ boundaries: null }))
    expect(await use()).toEqual({ areas: 0, projects: 0, people: 0, campaigns: 0 })
    expect(await stored()).toEqual([])
    expect((await listProjects(ctx, { area: 'ward-2' })).areas).toEqual([])
  })
})
