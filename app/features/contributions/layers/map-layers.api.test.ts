import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '#app/lib/random.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { startCpuClock } from '#tests/support/cpu-time.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { uploadFile } from '#tests/support/pictures.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { listContributions } from '../reading/views.server.ts'
import { getLayerTable, serveLayerFile } from '../pages/layer-table.server.ts'

let runtime: TestRuntime
let site: Site
let token: string
let admin: ReturnType<typeof createApiClient>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  await addAreas(runtime, site, [{ name: 'Elm', west: -74.8, south: 45, side: 0.1 }])
  token = (await addPerson(runtime, site, { role: 'site_admin' })).token
  admin = createApiClient(runtime, site, token)
})

const STOPS = {
  type: 'FeatureCollection',
  features: Array.from({ length: 120 }, (_, at) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [Number((-74.79 + at / 2000).toFixed(4)), 45.05] },
    properties: { stop: `<b>Stop ${at + 1}</b>` },
  })),
}
const ROUTE = { type: 'LineString', coordinates: [[-74.9, 45.02], [-74.75, 45.05], [-74.6, 45.02]] } // prettier-ignore

const upload = (content: unknown) => uploadFile(runtime, site, token, Buffer.from(JSON.stringify(content)), 'layer.geojson')
const build = (activity: string, attributes: object) =>
  buildResourceDocument(
    'map-layers',
    { nameTranslations: { en: 'Bus stops' }, ...attributes },
    { to: { activity: { type: 'activities', id: activity } } },
  )
async function add(activity: string, content: unknown, attributes: object = {}) {
  const answer = await admin.post('/map-layers', build(activity, { upload: await upload(content), ...attributes }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body?.data as { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
}
const addPlaces = (values: object = {}) => addActivity(runtime, site, { kind: 'places', ...values })
type Activity = Awaited<ReturnType<typeof addPlaces>>
const visitor = () => createCtx(runtime, site, { viewer: VISITOR, language: 'en', address: null })
const addressOf = (activity: Activity) => ({ project: activity.projectSlug, activity: activity.slug })
const drawMap = async (activity: Activity) => (await listContributions(visitor(), addressOf(activity), {})).map

describe('a layer', () => {
  test('is drawn on the map of its activity, clipped, with its name and a pattern of its own', async () => {
    const activity = await addPlaces()
    expect((await drawMap(activity))?.layers).toBeUndefined()
    await add(activity.id, ROUTE, { nameTranslations: { en: 'Cycle route' } })
    await add(activity.id, STOPS)
    const layers = (await drawMap(activity))?.layers ?? []
    expect(layers.map(({ number, name, parts }) => ({ number, name: name.text, parts }))).toEqual([
      { number: 1, name: 'Cycle route', parts: ['lines'] },
      { number: 2, name: 'Bus stops', parts: ['points'] },
    ])
    expect(new Set(layers.map(({ pattern }) => pattern)).size).toBe(2)
    // Elm is as wide as the picture: the route comes in on the left and leaves on the right.
    expect(layers[0]?.lines).toMatch(/^M-12 \d+l[\d -]+$/)
    expect(layers[1]?.points?.split('M')).toHaveLength(121)
  })

  test('is ordered, renamed, hidden and removed', async () => {
    const activity = await addPlaces()
    const route = await add(activity.id, ROUTE, { nameTranslations: { en: 'Route' } })
    const stops = await add(activity.id, STOPS)
    const change = async (layer: typeof route, attributes: Record<string, unknown>) => {
      const { body } = await admin.get(`/map-layers/${layer.id}`)
      const { lockVersion } = (body as { data: typeof route }).data.meta
      return admin.patch(`/map-layers/${layer.id}`, buildResourceDocument('map-layers', attributes, { id: layer.id, lockVersion }))
    }
    const names = async () => (await drawMap(activity))?.layers?.map(({ name }) => name.text)
    await change(stops, { position: 0, nameTranslations: { en: 'Stops' } })
    expect(await names()).toEqual(['Stops', 'Route'])
    expect((await change(stops, { pattern: route.attributes['pattern'] })).codes).toEqual(['taken'])
    await change(stops, { visible: false })
    expect(await names()).toEqual(['Route'])
    await expect(getLayerTable(visitor(), addressOf(activity), 2, 1)).rejects.toMatchObject({ code: 'not-found' })
    expect((await createApiClient(runtime, site).get(`/map-layers/${stops.id}`)).status).toBe(404)
    expect((await admin.delete(`/map-layers/${route.id}`)).status).toBe(204)
    expect(await names()).toBeUndefined()
    const { rows } = await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx.execute<{ action: string }>(sql`select action from audit_events where subject_type = 'map-layers' order by at, action`),
      )
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['map-layers.create', 'map-layers.update', 'map-layers.delete']))
  })

  test('in a grid is refused by name, and the same upload is converted when asked for', async () => {
    const activity = await addPlaces()
    const id = await upload({ type: 'Point', coordinates: [651_409.804, 313_177.45] })
    const refused = await admin.post('/map-layers', build(activity.id, { upload: id }))
    expect(refused.status).toBe(422)
    expect(refused.body?.errors).toMatchObject([{ code: 'british-grid', source: { pointer: '/data/attributes/upload' } }])
    const answer = await admin.post('/map-layers', build(activity.id, { upload: id, convertFrom: 'british-grid' }))
    expect(answer.status).toBe(201)
    const { attributes } = (answer.body as { data: { attributes: { box: number[]; convertedFrom: string } } }).data
    expect(attributes.convertedFrom).toBe('british-grid')
    expect(attributes.box[0]).toBeCloseTo(1.71607, 3)
    expect(attributes.box[1]).toBeCloseTo(52.65801, 3)
  })

  test('is the tenth and last of a map', async () => {
    const activity = await addPlaces()
    for (let at = 0; at < 10; at++) await add(activity.id, ROUTE)
    const answer = await admin.post('/map-layers', build(activity.id, { upload: await upload(ROUTE) }))
    expect(answer.codes).toEqual(['too-many-layers'])
    expect(new Set((await drawMap(activity))?.layers?.map(({ pattern }) => pattern)).size).toBe(10)
  }, 60_000)

  test('belongs to an activity with a map, and is changed by those who may edit the activity', async () => {
    const ideas = await addActivity(runtime, site)
    expect((await admin.post('/map-layers', build(ideas.id, { upload: await upload(ROUTE) }))).status).toBe(422)
    const project = await addProject(runtime, site)
    const activity = await addPlaces({ projectId: project.id })
    const own = await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
    const other = await addPerson(runtime, site, { role: 'project_admin', projectId: ideas.projectId })
    const layer = await add(activity.id, ROUTE)
    const remove = (by: string) => createApiClient(runtime, site, by).delete(`/map-layers/${layer.id}`)
    expect((await createApiClient(runtime, site).delete(`/map-layers/${layer.id}`)).status).toBe(401)
    expect((await remove(other.token)).status).toBe(403)
    expect((await remove(own.token)).status).toBe(204)
  })

  test('of a draft is for those who see drafts', async () => {
    const activity = await addPlaces({ status: 'draft' })
    const layer = await add(activity.id, ROUTE)
    expect((await createApiClient(runtime, site).get(`/map-layers/${layer.id}`)).status).toBe(404)
    await expect(getLayerTable(visitor(), addressOf(activity), 1, 1)).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('the table of a layer', () => {
  test('has 50 features a page, and no page beyond the last', async () => {
    const activity = await addPlaces()
    await add(activity.id, STOPS)
    const { table } = await getLayerTable(visitor(), addressOf(activity), 1, 3)
    expect(table).toMatchObject({ features: 120, pages: 3, page: 3, columns: ['stop'] })
    expect(table.rows).toHaveLength(20)
    expect(table.rows[0]).toEqual({ number: 101, cells: ['<b>Stop 101</b>'] })
    await expect(getLayerTable(visitor(), addressOf(activity), 1, 4)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('is downloaded as GeoJSON', async () => {
    const activity = await addPlaces()
    await add(activity.id, STOPS)
    const params = { slug: activity.projectSlug, activity: activity.slug, layer: '1' }
    const answer = await serveLayerFile({ context: requestContext(visitor()), params })
    expect(answer.headers.get('content-type')).toBe('application/geo+json')
    expect(await answer.json()).toEqual(STOPS)
    expect((await serveLayerFile({ context: requestContext(visitor()), params: { ...params, layer: '2' } })).status).toBe(404)
  })
})

test('the whole map stays below 60 kB with ten layers as detailed as they may be', async () => {
  const activity = await addPlaces()
  const random = createRandom('detail')
  const jitter = () => [-74.8 + random.next() / 10, 45 + random.next() / 10]
  const lines = Array.from({ length: 4500 }, () => Array.from({ length: 25 }, jitter))
  const content = { type: 'MultiLineString', coordinates: lines }
  expect(JSON.stringify(content).length).toBeGreaterThan(4_000_000)
  for (let at = 0; at < 3; at++) await add(activity.id, content)
  for (let at = 0; at < 7; at++) await add(activity.id, { type: 'MultiPoint', coordinates: Array.from({ length: 9000 }, jitter) })
  const measureCpu = startCpuClock()
  const map = await drawMap(activity)
  expect(gzipSync(JSON.stringify(map)).length).toBeLessThan(60_000)
  expect(map?.layers?.every(({ lines: drawn, points }) => drawn ?? points)).toBe(true)
  expect(measureCpu()).toBeLessThan(5000)
}, 120_000)
