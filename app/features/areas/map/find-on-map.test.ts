import { beforeAll, describe, expect, test } from 'vitest'
import { getDataset } from '#app/features/opencities/dataset-page.server.ts'
import { synchroniseDue } from '#app/features/opencities/synchronise.server.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { TOWN } from '#tests/factories/map-files.ts'
import { uploadFile } from '#tests/support/pictures.ts'
import { servePortal } from '#tests/support/portals/serve.ts'
import { searchOnMap } from './find-on-map.server.ts'

const toWard = (name: string, codes: string, west: number) => ({
  type: 'Feature',
  properties: { ward: name, codes },
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
const toDoor = (address: string, keeper: string, coordinates: [number, number]) => ({
  type: 'Feature',
  properties: { keeper, address },
  geometry: { type: 'Point', coordinates },
})
const FILES: Record<string, object[]> = {
  '/wards.geojson': [toWard('Old Town', 'K7K 1; K7L', -75), toWard('South Shore', 'K7L; K7M', -74)],
  '/doors.geojson': [
    toDoor('120 Fern Street', 'Parks', [-74.9, 45.2]),
    toDoor('12 Fern Street', 'Parks', [-74.5, 45.5]),
    toDoor('12 Fern Street, far away', 'Parks', [10, 50]),
    toDoor('Rue de l’Église', 'Écoles', [-73.5, 45.75]),
  ],
  '/secret.geojson': [toDoor('5 Hidden Lane', 'Parks', [-74.5, 45.5])],
}

let ctx: Ctx
const find = async (text: string) => (await searchOnMap(ctx, text))[0]

beforeAll(async () => {
  const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  const site = await addSite(runtime, { slug: 'alder' })
  ctx = createCtx(runtime, site)
  const admin = await addPerson(runtime, site, { role: 'site_admin' })
  const api = createApiClient(runtime, site, admin.token)
  const portal = await servePortal((url, response) =>
    response
      .writeHead(200, { 'content-type': 'application/geo+json' })
      .end(JSON.stringify({ type: 'FeatureCollection', features: FILES[url.pathname] ?? [] })),
  )
  const add = async (type: string, attributes: Record<string, unknown>, to?: Record<string, { type: string; id: string }>) => {
    const answer = await api.post(`/${type}`, buildResourceDocument(type, attributes, to && { to }))
    return (answer.body?.data as { id: string } | undefined)?.id ?? ''
  }
  const upload = await uploadFile(runtime, site, admin.token, Buffer.from(JSON.stringify(TOWN)), 'town.geojson')
  await add('map-files', { upload, credit: '© Alder' })
  const datasets: string[] = []
  for (const file of Object.keys(FILES)) {
    const portalUrl = portal.origin + file
    const connector = { type: 'city-connectors', id: await add('city-connectors', { portalUrl }) }
    datasets.push(await add('city-datasets', { sourceId: portalUrl, published: file !== '/secret.geojson' }, { connector }))
  }
  await synchroniseDue(runtime)
  const [wards = ''] = datasets
  const { data } = (await api.get(`/city-datasets/${wards}`)).body as unknown as { data: { meta: { lockVersion: number } } }
  const boundaries = { name: 'ward', postcodes: 'codes' }
  await api.patch(
    `/city-datasets/${wards}`,
    buildResourceDocument('city-datasets', { boundaries }, { id: wards, lockVersion: data.meta.lockVersion }),
  )
  await synchroniseDue(runtime)
})

describe('the search of a map', () => {
  test('finds an area by the beginning of its name, and by a postcode that only it has', async () => {
    expect(await find('old t')).toMatchObject({ name: 'Old Town', box: [-75, 45, -74, 46] })
    expect(await find('K7M 2B4')).toMatchObject({ name: 'South Shore' })
    expect(await find('K7L 2B4')).toBeUndefined()
    expect(await find('')).toBeUndefined()
  })

  test('finds a street of the map file in an area, and an address in open data before the street alone', async () => {
    expect(await find('alder street 7')).toMatchObject({ name: 'Alder Street 7', note: 'Old Town' })
    expect(await find('Alder Street 7, Old Town')).toMatchObject({ name: 'Alder Street 7', note: 'Old Town' })
    expect(await find('Alder Street 7, South Shore')).toBeUndefined()
    expect((await find('12 fern'))?.isWithoutNumber).toBeUndefined()
    expect(await find('88 Mill Race')).toMatchObject({ name: 'Mill Race', isWithoutNumber: true })
  })

  test('finds an address in published open data: the one with the whole words, within the site’s areas, without accents', async () => {
    expect(await find('12 fern')).toMatchObject({ name: '12 Fern Street', point: [-74.5, 45.5] })
    expect(await find('eglise')).toMatchObject({ name: 'Rue de l’Église', point: [-73.5, 45.75] })
    expect(await find('far away')).toBeUndefined()
    expect(await find('hidden lane')).toBeUndefined()
  })
})

test('the map of a dataset shows the named areas behind its points', async () => {
  const { map } = await getDataset(ctx, { slug: 'doors', search: { q: 'fern street parks' } })
  expect(map?.background.outlines.length).toBeGreaterThan(0)
  const near = await getDataset(ctx, { slug: 'doors', search: { q: 'eglise' } })
  expect(near.map?.background.labels.map(({ name }) => name)).toContain('South Shore')
  // In the middle from west to east, and north of the middle.
  const [x, y] = near.map?.points[0] ?? []
  expect(x).toBe(320)
  expect(y).toBeLessThan(210)
})
