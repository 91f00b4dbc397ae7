import { describe, expect, test } from 'vitest'
import { isAppError } from '#app/lib/app-error.ts'
import type { MapGrid } from '#app/lib/geometry.ts'
import { createRandom } from '#app/lib/random.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { MAX_LAYER_BYTES } from './layers.schema.ts'
import { createConverter } from '#app/features/areas/projections.server.ts'
import { type ReadLayer, readLayerFile } from './read-layer.server.ts'

const toBytes = (content: unknown) => new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content))
const read = (content: unknown, convertFrom: MapGrid | null = null) => readLayerFile({ file: toBytes(content), convertFrom })
const collect = (...features: unknown[]) => ({ type: 'FeatureCollection', features })
const feature = (geometry: unknown, properties: unknown = {}) => ({ type: 'Feature', geometry, properties })
const point = (...coordinates: unknown[]) => ({ type: 'Point', coordinates })

async function findFault(reading: Promise<unknown>): Promise<string> {
  try {
    await reading
  } catch (error) {
    if (isAppError(error)) return error.faults.map(({ code, pointer }) => `${code} ${pointer}`).join()
    throw error
  }
  return 'read'
}

describe('a GeoJSON file', () => {
  test('is read with geometries of every type, and properties as texts', async () => {
    const square = [
      [-75, 45],
      [-74, 45],
      [-74, 46],
      [-75, 45],
    ]
    const layer = await read(
      collect(
        feature(point(-75.5, 45.25, 80), { name: 'Mill Street', stops: 3, roof: true, lines: ['4', '11'], gone: null }),
        feature({ type: 'MultiPoint', coordinates: [[-75, 45], [-74, 45]] }, { name: 'Two', later: 'x' }), // prettier-ignore
        feature({ type: 'LineString', coordinates: [[-75, 45], [-75, 45], [-74, 45]] }), // prettier-ignore
        feature({ type: 'MultiPolygon', coordinates: [[square]] }),
        feature({ type: 'GeometryCollection', geometries: [point(-75, 45), { type: 'Polygon', coordinates: [square.slice(0, 3)] }] }),
        feature(null, { name: 'Nowhere' }),
      ),
    )
    expect(layer.shapes).toEqual([
      { points: [-75.5, 45.25] },
      { points: [-75, 45, -74, 45] },
      { lines: [[-75, 45, -74, 45]] },
      { areas: [[[-75, 45, -74, 45, -74, 46, -75, 45]]] },
      { points: [-75, 45], areas: [[[-75, 45, -74, 45, -74, 46, -75, 45]]] },
      null,
    ])
    expect(layer.columns).toEqual(['name', 'stops', 'roof', 'lines', 'gone', 'later'])
    expect(layer.rows[0]).toEqual(['Mill Street', '3', 'true', '4, 11', '', ''])
    expect(layer.rows[1]).toEqual(['Two', '', '', '', '', 'x'])
    expect(layer.box).toEqual([-75.5, 45, -74, 46])
    expect(layer.isSimplified).toBe(false)
  })

  test.each([
    ['a bare geometry', point(1, 2)],
    ['a single feature', feature(point(1, 2))],
  ])('may be %s', async (_, content) => {
    expect((await read(content)).shapes).toEqual([{ points: [1, 2] }])
  })

  test.each([
    ['no JSON', '{"type":'],
    ['not a number', '{"type":"Point","coordinates":[NaN,1]}'],
    ['too large a number', '{"type":"Point","coordinates":[1e999,1]}'],
    ['a text for a number', point('1', '2')],
    ['a topology', { type: 'Topology', objects: {} }],
    ['a list', []],
    ['a feature without an object', collect(7)],
    ['a missing coordinate', point(1)],
    ['coordinates that are an object', { type: 'LineString', coordinates: { 0: [1, 2] } }],
  ])('is refused if it has %s', async (_, content) => {
    expect(await findFault(read(content))).toBe('layer-unreadable /upload')
  })

  test('is refused if nothing in it can be drawn', async () => {
    expect(await findFault(read(collect(feature(null), feature({ type: 'LineString', coordinates: [] }))))).toBe('layer-empty /upload')
  })

  test('may have 5 MB, and not a byte more', async () => {
    const text = JSON.stringify(point(1, 2))
    const padded = text + ' '.repeat(MAX_LAYER_BYTES - text.length)
    expect(await findFault(read(padded))).toBe('read')
    expect(await findFault(read(`${padded} `))).toBe('file-too-large /upload')
  })

  test.each([10, 10_000])('nested %s deep neither breaks nor stalls the reader', async (depth) => {
    const wrap = (inner: string, open: string, close: string) => open.repeat(depth) + inner + close.repeat(depth)
    const geometries = wrap('{"type":"Point","coordinates":[1,2]}', '{"type":"GeometryCollection","geometries":[', ']}')
    expect(await findFault(read(geometries))).toBe(depth > 10 ? 'layer-unreadable /upload' : 'read')
    expect(await findFault(read(`{"type":"Polygon","coordinates":${wrap('', '[', ']')}}`))).toBe('layer-unreadable /upload')
    const odd = await read(`{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":${wrap('1', '[', ']')}}}`)
    expect(odd.rows).toEqual([['']])
  })

  test('is refused with more points, features or coordinates than a map needs', async () => {
    const points = Array.from({ length: 10_001 }, () => [1, 2])
    expect(await findFault(read({ type: 'MultiPoint', coordinates: points }))).toBe('layer-too-detailed /upload')
    expect(await findFault(read({ type: 'MultiPoint', coordinates: points.slice(1) }))).toBe('read')
    expect(await findFault(read(collect(...points.map(() => feature(null)))))).toBe('layer-too-detailed /upload')
    const line = `{"type":"LineString","coordinates":[${'[1,2],'.repeat(600_000)}[3,4]]}`
    expect(await findFault(read(line))).toBe('layer-too-detailed /upload')
  })

  test('cannot change what objects are, nor bring texts that cannot be stored', async () => {
    const layer = await read(
      `{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"__proto__":{"seen":1},"constructor":"c","a\\u0000b":"x\\u0000y\\ud800","long":"${'é'.repeat(400)}"}}`,
    )
    expect(layer.columns).toEqual(['__proto__', 'constructor', 'a b', 'long'])
    expect(layer.rows[0]?.slice(0, 3)).toEqual(['', 'c', 'x y\ufffd'])
    expect(layer.rows[0]?.[3]).toHaveLength(300)
    expect(({} as Record<string, unknown>)['seen']).toBeUndefined()
  })

  test('of 5 MB is simplified to 300 kB, and keeps its course', async () => {
    const random = createRandom('coast')
    const coordinates = Array.from({ length: 120_000 }, (_, at) => {
      const angle = (at / 120_000) * 2 * Math.PI
      return [-74.7 + Math.cos(angle) / 10 + random.next() / 2000, 45 + Math.sin(angle) / 10 + random.next() / 2000]
    })
    const file = toBytes({ type: 'Polygon', coordinates: [coordinates] })
    expect(file.length).toBeGreaterThan(4_300_000)
    const layer = await readInOwnProcess<ReadLayer>('map-layer', { file: file.slice(), convertFrom: null }, 'site')
    expect(JSON.stringify(layer.shapes).length).toBeLessThanOrEqual(300_000)
    expect(JSON.stringify(layer.shapes).length).toBeGreaterThan(200_000)
    expect(layer.isSimplified).toBe(true)
    const [ring = []] = layer.shapes[0]?.areas?.[0] ?? []
    expect(ring.slice(0, 2)).toEqual(ring.slice(-2))
    const distances = ring.flatMap((x, at) => (at % 2 === 0 ? [Math.hypot(x + 74.7, (ring[at + 1] ?? 0) - 45)] : []))
    expect(Math.min(...distances)).toBeGreaterThan(0.098)
  }, 60_000)

  test('with very many small outlines still fits: the smallest become points', async () => {
    const features = Array.from({ length: 9000 }, (_, at) => {
      const [x, y] = [-75 + (at % 95) / 1000, 45 + Math.floor(at / 95) / 1000]
      const side = at === 0 ? 0.5 : 0.0001
      return feature({ type: 'Polygon', coordinates: [[[x, y], [x + side, y], [x, y + side], [x, y]]] }) // prettier-ignore
    })
    const { shapes } = await read(collect(...features))
    expect(JSON.stringify(shapes).length).toBeLessThanOrEqual(300_000)
    expect(shapes[0]?.areas).toHaveLength(1)
    expect(shapes.every((shape) => shape !== null)).toBe(true)
  })
})

describe('coordinates that are not degrees', () => {
  test.each([
    ['the British National Grid', [point(318_100, 176_600), point(530_625, 178_388)], 'british-grid'],
    ['Statistics Canada Lambert', [point(7_471_000, 1_175_000), point(7_600_000, 1_200_000)], 'canada-lambert'],
    ['Web Mercator', [point(-8_425_000, 5_683_000)], 'layer-not-degrees'],
    ['a grid and degrees at once', [point(318_100, 176_600), point(-3.18, 51.48)], 'layer-not-degrees'],
    ['both grids at once', [point(318_100, 176_600), point(7_471_000, 1_175_000)], 'layer-not-degrees'],
  ])('in %s are refused by name', async (_, points, code) => {
    expect(await findFault(read(collect(...points.map((geometry) => feature(geometry)))))).toBe(`${code} /upload`)
  })

  test('are not converted from another grid than theirs', async () => {
    expect(await findFault(read(point(318_100, 176_600), 'canada-lambert'))).toBe('layer-other-grid /convertFrom')
    expect(await findFault(read(point(-3.18, 51.48), 'british-grid'))).toBe('layer-other-grid /convertFrom')
  })

  // Caister water tower, the worked example of Ordnance Survey's guide to OSTN15.
  test('of the British National Grid are converted to within 5 metres', async () => {
    const { shapes } = await read(point(651_409.804, 313_177.45), 'british-grid')
    const [lng = 0, lat = 0] = shapes[0]?.points ?? []
    expect(measureMetres([lng, lat], [1.716073973, 52.658007833])).toBeLessThan(5)
  })

  test('of Statistics Canada Lambert are converted from the origin of EPSG:3347 and along its meridian', () => {
    const convert = createConverter('canada-lambert')
    expect(measureMetres(convert(6_200_000, 3_000_000), [-91.866666667, 63.390675])).toBeLessThan(1)
    const [lng] = convert(6_200_000, 2_000_000)
    expect(lng).toBeCloseTo(-91.866666667, 6)
  })
})

function measureMetres([lngA, latA]: readonly [number, number], [lngB, latB]: readonly [number, number]): number {
  const east = (lngB - lngA) * 111_320 * Math.cos((latA * Math.PI) / 180)
  return Math.hypot(east, (latB - latA) * 111_130)
}
