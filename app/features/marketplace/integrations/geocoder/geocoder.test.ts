import { beforeEach, describe, expect, test } from 'vitest'
import { searchOnMap } from '#app/features/areas/map/find-on-map.server.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { sendJson, servePortal } from '#tests/support/portals/serve.ts'
import { loadGeocoder } from '../../geocoding.server.ts'
import { GEOCODER_KINDS } from './geocoder-kinds.server.ts'
import type { GeocoderKind } from './manifest.ts'

const toGeoJson = (label: string, coordinates: number[]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: { label, score: 0.9 },
})
const IN_SITE = [-74.65, 45.05] as const
/** What each service answers, as it documents it: an address in the site's areas, and one elsewhere. */
const ANSWERS: Record<GeocoderKind, object> = {
  arcgis: {
    spatialReference: { wkid: 4326, latestWkid: 4326 },
    candidates: [
      {
        address: '12 Mill Lane',
        location: { x: -74.65, y: 45.05 },
        score: 100,
        attributes: {},
        extent: { xmin: -1, ymin: 0, xmax: 1, ymax: 2 },
      },
      { address: '12 Mill Lane, Elsewhere', location: { x: 10, y: 50 }, score: 80, attributes: {} },
    ],
  },
  pelias: {
    geocoding: { version: '0.2', attribution: 'https://geocoder.example/attribution', query: { text: '12 mill' } },
    type: 'FeatureCollection',
    features: [toGeoJson('12 Mill Lane', [...IN_SITE]), toGeoJson('12 Mill Lane, Elsewhere', [10, 50])],
    bbox: [-74.65, 45.05, 10, 50],
  },
  addok: {
    type: 'FeatureCollection',
    version: 'draft',
    attribution: 'BAN',
    licence: 'ETALAB-2.0',
    query: '12 mill',
    limit: 8,
    features: [toGeoJson('12 Mill Lane', [...IN_SITE]), toGeoJson('12 Mill Lane, Elsewhere', [10, 50])],
  },
  'os-places': {
    header: {
      uri: 'https://api.os.uk/search/places/v1/find?query=12',
      query: '12',
      offset: 0,
      totalresults: 2,
      format: 'JSON',
      dataset: 'DPA',
    },
    results: [
      { DPA: { UPRN: '1', ADDRESS: '12 Mill Lane', LNG: -74.65, LAT: 45.05, MATCH: 1 } },
      { DPA: { UPRN: '2', ADDRESS: '12 Mill Lane, Elsewhere', LNG: 10, LAT: 50, MATCH: 0.5 } },
    ],
  },
}
const PATHS: Record<GeocoderKind, string> = {
  arcgis: '/geo/findAddressCandidates',
  pelias: '/geo/v1/autocomplete',
  addok: '/geo/search/',
  'os-places': '/geo/search/places/v1/find',
}
const KINDS = Object.keys(ANSWERS) as GeocoderKind[]

let runtime: TestRuntime
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
let sites = 0
let answer: { status: number; body: unknown }
const portal = await servePortal((_, response) =>
  answer.status === 200 ? sendJson(response, answer.body) : void response.writeHead(answer.status).end(),
)

beforeEach(async () => {
  runtime ??= await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  const site = await addSite(runtime, { slug: `town-${++sites}` })
  await addAreas(runtime, site, [{ name: 'Oak', west: -74.7, south: 45, side: 0.1, postcodes: ['K6J'] }])
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  ctx = createCtx(runtime, site, { viewer: VISITOR, language: 'en', address: '203.0.113.5' })
  portal.asked.length = 0
})

async function install(kind: GeocoderKind, settings: object = {}) {
  answer = { status: 200, body: ANSWERS[kind] }
  const whole = { kind, address: `${portal.origin}/geo/`, key: 's3cret', attribution: '© Riverbend addresses', ...settings }
  const made = await api.post('/installations', buildResourceDocument('installations', { integration: 'geocoder', settings: whole }))
  const { id, meta } = (made.body as { data: { id: string; meta: { lockVersion: number } } }).data
  const { lockVersion } = meta
  expect(
    (await api.patch(`/installations/${id}`, buildResourceDocument('installations', { enabled: true }, { id, lockVersion }))).status,
  ).toBe(200)
  return id
}
const find = async (text: string) => (await searchOnMap(ctx, text)).map(({ name }) => name)

describe('the address service of a site', () => {
  test.each(KINDS)('%s is asked at its own address, within the site’s areas, and its answer is found on the map', async (kind) => {
    await install(kind)
    const found = await searchOnMap(ctx, '12 mill')
    expect(found).toEqual([expect.objectContaining({ name: '12 Mill Lane', note: 'Oak', point: IN_SITE })])
    const [asked = ''] = portal.asked
    expect(new URL(asked, portal.origin).pathname).toBe(PATHS[kind])
    expect(decodeURIComponent(asked.replaceAll('+', ' '))).toContain('12 mill')
    expect(asked.includes('s3cret')).toBe(kind !== 'addok')
    expect(await loadGeocoder(ctx)).toEqual({ attribution: '© Riverbend addresses' })
  })

  test.each(KINDS)('%s: what is not in its documented form is no address', (kind) => {
    const { parse } = GEOCODER_KINDS[kind]
    expect(parse(ANSWERS[kind])).toHaveLength(2)
    for (const body of [null, [], {}, 'no', { features: [{}] }, { candidates: [{ address: '', location: { x: 0, y: 0 } }] }])
      expect(parse(body)).toBeUndefined()
    const beyond = JSON.parse(JSON.stringify(ANSWERS[kind]).replaceAll('45.05', '145.05')) as unknown
    expect(parse(beyond)).toBeUndefined()
    const asText = JSON.parse(JSON.stringify(ANSWERS[kind]).replaceAll('45.05', '"45.05"')) as unknown
    expect(parse(asText)).toBeUndefined()
  })

  test('is never asked if the site has none, nor for what the site knows itself, nor twice for the same', async () => {
    expect(await find('12 mill')).toEqual([])
    expect(portal.asked).toEqual([])
    await install('pelias')
    expect(await find('oak')).toEqual(['Oak'])
    expect(portal.asked).toEqual([])
    await find('12 mill')
    await find('12 mill')
    expect(portal.asked).toHaveLength(1)
  })

  test('may have no results; a town can be added to each search', async () => {
    await install('os-places', { town: 'Riverbend' })
    answer.body = { header: { totalresults: 0 } }
    expect(await find('99 mill')).toEqual([])
    expect(new URL(portal.asked[0] ?? '', portal.origin).searchParams.get('query')).toBe('99 mill, Riverbend')
  })

  test('that fails leaves the search without its addresses, and is left in peace after failing again and again', async () => {
    const id = await install('pelias')
    answer = { status: 500, body: '' }
    for (let number = 1; number <= 8; number++) expect(await find(`${number} mill`)).toEqual([])
    expect(portal.asked).toHaveLength(5)
    expect((await api.get(`/installations/${id}`)).body?.data).toMatchObject({ attributes: { health: 'down' } })
  })

  test('a refusal that ArcGIS sends with status 200 is one, and the key is in no log line', async () => {
    const id = await install('arcgis')
    answer.body = { error: { code: 498, message: 'Invalid token' } }
    expect(await find('12 weaver street')).toEqual([])
    const calls = JSON.stringify((await api.get(`/installation-calls?filter[installation]=${id}`)).body)
    expect(calls).toContain('/geo/findAddressCandidates')
    expect(calls).not.toContain('s3cret')
    expect(calls).not.toContain('weaver')
  })

  test('is not asked too often from one network', async () => {
    await install('pelias')
    for (let number = 1; number <= 125; number++) await find(`${number} mill`)
    expect(portal.asked).toHaveLength(120)
  })
})
