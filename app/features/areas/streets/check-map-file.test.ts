import { describe, expect, test } from 'vitest'
import { isAppError } from '#app/lib/app-error.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { buildOddMap, buildStreetTile, square, toFeature, TOWN } from '#tests/factories/map-files.ts'
import { type CheckedMap, checkMapFile } from './check-map-file.server.ts'
import { MAX_MAP_BYTES } from './map-files.schema.ts'
import { readMapTile } from './map-tile.server.ts'

const toBytes = (content: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(content))
const collect = (...features: object[]) => toBytes({ type: 'FeatureCollection', features })
const STREET = buildStreetTile('Mill Lane')

async function findFault(file: Uint8Array): Promise<string> {
  try {
    await checkMapFile({ file })
  } catch (error) {
    if (isAppError(error, 'invalid')) return error.faults.map(({ code, pointer }) => `${code} ${pointer}`).join()
    throw error
  }
  return 'read'
}

describe('a map file', () => {
  test('of vector tiles passes with what it covers and who made it, in words without HTML', async () => {
    const metadata = { attribution: '<a href="https://example.org/">&copy; OpenStreetMap</a>\u202E contributors' }
    const checked = await checkMapFile({ file: buildOddMap({ tile: STREET, metadata }) })
    expect(checked).toMatchObject({
      names: [{ name: 'Mill Lane', kind: 'street' }],
      file: undefined,
      credit: '© OpenStreetMap contributors',
      box: [-180, -85, 180, 85],
      minZoom: 0,
      maxZoom: 0,
      tiles: 1,
    })
  })

  test('is made of GeoJSON with the tags of OpenStreetMap, and passes then itself', async () => {
    const made = await checkMapFile({ file: toBytes(TOWN) })
    expect(made.tiles).toBeGreaterThan(5)
    expect(made.box).toEqual([-74.74, 45.005, -74.71, 45.035])
    const again = await checkMapFile({ file: made.file ?? new Uint8Array() })
    expect(again).toMatchObject({ file: undefined, minZoom: made.minZoom, maxZoom: made.maxZoom, tiles: made.tiles })
    expect(Buffer.from((await checkMapFile({ file: toBytes(TOWN) })).file ?? []).equals(made.file ?? Buffer.alloc(0))).toBe(true)
  })

  test.each([
    ['nothing', Buffer.alloc(0), 'map-file-unreadable'],
    ['words', Buffer.from('PMTilesque'), 'map-file-unreadable'],
    ['another version', buildOddMap({ tile: STREET, version: 2 }), 'map-file-unreadable'],
    ['pictures', buildOddMap({ tile: STREET, tileType: 2 }), 'map-file-raster'],
    ['another kind of vector tiles', buildOddMap({ tile: STREET, tileType: 6 }), 'map-file-raster'],
    ['brotli', buildOddMap({ tile: STREET, tileCompression: 3 }), 'map-file-packed'],
    ['a zoom beyond 16', buildOddMap({ tile: STREET, zooms: [0, 17] }), 'map-file-too-fine'],
    ['a tile beyond zoom 16', buildOddMap({ tile: STREET, tileId: (4 ** 17 - 1) / 3 }), 'map-file-too-fine'],
    ['zooms the wrong way round', buildOddMap({ tile: STREET, zooms: [9, 3] }), 'map-file-damaged'],
    ['a tile before the file', buildOddMap({ tile: STREET, offset: -1 }), 'map-file-damaged'],
    ['a tile beyond the file', buildOddMap({ tile: STREET, offset: 1_000_000 }), 'map-file-damaged'],
    ['a tile longer than the file', buildOddMap({ tile: STREET, length: 2 ** 40 }), 'map-file-damaged'],
    ['a truncated file', buildOddMap({ tile: STREET }).subarray(0, -10), 'map-file-damaged'],
    ['only its header', buildOddMap({ tile: STREET }).subarray(0, 127), 'map-file-damaged'],
    ['a tile that is none', buildOddMap({ tile: Buffer.from([0x1a, 0x7f, 1, 2, 3]) }), 'map-file-damaged'],
    ['a bomb', buildOddMap({ tile: Buffer.alloc(50_000_000) }), 'map-file-too-detailed'],
    ['a tile of too many points', buildOddMap({ tile: buildStreetTile('Mill Lane', 210_000) }), 'map-file-too-detailed'],
    ['no streets', buildOddMap({ tile: Buffer.alloc(0) }), 'map-file-empty'],
    ['GeoJSON of other things', collect(toFeature({ amenity: 'bench' }, { type: 'Point', coordinates: [0, 0] })), 'map-file-empty'],
    ['GeoJSON in metres', collect(toFeature({ leisure: 'park' }, square(530_000, 180_000, 100))), 'layer-not-degrees'],
    ['GeoJSON of a country', collect(toFeature({ leisure: 'park' }, square(0, 45, 3))), 'map-file-too-wide'],
    ['GeoJSON without numbers', collect(toFeature({ highway: 'path' }, { type: 'LineString', coordinates: [['a', 'b']] })), 'map-file-unreadable'], // prettier-ignore
    ['a file that is too large', Buffer.alloc(MAX_MAP_BYTES + 1), 'file-too-large'],
  ])('with %s is refused in words', async (_, file, code) => {
    expect(await findFault(file)).toBe(`${code} /upload`)
  })

  test('is read in its own process, whatever it holds', async () => {
    const checked = await readInOwnProcess<CheckedMap>('map-file', { file: buildOddMap({ tile: STREET }) }, crypto.randomUUID())
    expect(checked.tiles).toBe(1)
    const bomb = readInOwnProcess('map-file', { file: buildOddMap({ tile: Buffer.alloc(50_000_000) }) }, crypto.randomUUID())
    await expect(bomb).rejects.toMatchObject({ faults: [{ code: 'map-file-too-detailed' }] })
  })

  test('has names without hidden letters and marks that turn text around', () => {
    const { shapes } = readMapTile(buildStreetTile('Mill\u0000 \u202ELane\u200B\u2066\u0007'))
    expect(shapes.map(({ name }) => name)).toEqual(['Mill Lane'])
  })
})
