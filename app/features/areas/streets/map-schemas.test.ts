import { describe, expect, test } from 'vitest'
import { buildOddMap, buildTile } from '#tests/factories/map-files.ts'
import { checkMapFile } from './check-map-file.server.ts'
import { readMapTile } from './map-tile.server.ts'

const street = [
  [100, 1000],
  [4000, 1000],
] as const
const block = [
  [1000, 1000],
  [1000, 1200],
  [1200, 1200],
  [1200, 1000],
] as const
const spot = [[2000, 2000]] as const

/** Layers and fields as https://shortbread-tiles.org/schema/1.0/ and /1.1/ list them. */
const SHORTBREAD = {
  ocean: [{ type: 'area', at: block, is: { dummy: 1 } }],
  water_polygons: [
    { type: 'area', at: block, is: { kind: 'water', way_area: 900 } },
    { type: 'area', at: block, is: { kind: 'glacier', way_area: 900 } },
  ],
  water_polygons_labels: [{ type: 'point', at: spot, is: { kind: 'water', name: 'Mill Pond', name_en: 'Mill Pond' } }],
  water_lines: [{ type: 'line', at: street, is: { kind: 'river', tunnel: false, bridge: false } }],
  water_lines_labels: [{ type: 'line', at: street, is: { kind: 'river', name: 'Afon Wen', name_en: 'White River' } }],
  boundaries: [{ type: 'line', at: street, is: { admin_level: 4, maritime: false } }],
  place_labels: [
    { type: 'point', at: spot, is: { kind: 'state_capital', name: 'Riverbend', population: 90_000 } },
    { type: 'point', at: spot, is: { kind: 'neighbourhood', name: 'Oak Hill', population: 100 } },
  ],
  land: [
    { type: 'area', at: block, is: { kind: 'park' } },
    { type: 'area', at: block, is: { kind: 'industrial' } },
  ],
  sites: [{ type: 'area', at: block, is: { kind: 'parking' } }],
  buildings: [{ type: 'area', at: block, is: { dummy: 1 } }],
  addresses: [{ type: 'point', at: spot, is: { housenumber: '12' } }],
  streets: [
    { type: 'line', at: street, is: { kind: 'primary', link: false, rail: false, surface: 'asphalt' } },
    { type: 'line', at: street, is: { kind: 'residential', link: false, rail: false } },
    { type: 'line', at: street, is: { kind: 'service', service: 'alley', rail: false } },
    { type: 'line', at: street, is: { kind: 'cycleway', rail: false } },
    { type: 'line', at: street, is: { kind: 'tram', rail: true } },
    { type: 'line', at: street, is: { kind: 'runway', rail: false } },
  ],
  street_polygons: [{ type: 'area', at: block, is: { kind: 'pedestrian' } }],
  street_labels: [{ type: 'line', at: street, is: { kind: 'residential', name: 'Mill Lane', name_cy: 'Lôn y Felin', tunnel: false } }],
} as const

/** As https://openmaptiles.org/schema/ lists them. */
const OPENMAPTILES = {
  water: [{ type: 'area', at: block, is: { id: 7, class: 'lake', intermittent: 0 } }],
  water_name: [
    { type: 'point', at: spot, is: { name: 'Mill Pond', class: 'lake', 'name:latin': 'Mill Pond' } },
    { type: 'line', at: street, is: { name: 'Long Lake', class: 'lake' } },
  ],
  waterway: [{ type: 'line', at: street, is: { class: 'river', name: 'Afon Wen', 'name:en': 'White River', brunnel: 'bridge' } }],
  landcover: [
    { type: 'area', at: block, is: { class: 'wood', subclass: 'forest' } },
    { type: 'area', at: block, is: { class: 'sand', subclass: 'beach' } },
  ],
  landuse: [
    { type: 'area', at: block, is: { class: 'cemetery' } },
    { type: 'area', at: block, is: { class: 'residential' } },
  ],
  park: [{ type: 'point', at: spot, is: { class: 'nature_reserve', name: 'Heron Reserve', rank: 1 } }],
  building: [{ type: 'area', at: block, is: { render_height: 9, render_min_height: 0 } }],
  transportation: [
    { type: 'line', at: street, is: { class: 'primary', oneway: 1 } },
    { type: 'line', at: street, is: { class: 'minor' } },
    { type: 'line', at: street, is: { class: 'service', service: 'driveway' } },
    { type: 'line', at: street, is: { class: 'path', subclass: 'cycleway' } },
    { type: 'line', at: street, is: { class: 'transit', subclass: 'tram' } },
    { type: 'line', at: street, is: { class: 'ferry' } },
    { type: 'line', at: street, is: { class: 'minor_construction' } },
    { type: 'area', at: block, is: { class: 'path', subclass: 'pedestrian' } },
  ],
  transportation_name: [{ type: 'line', at: street, is: { class: 'minor', name: 'Mill Lane', 'name:cy': 'Lôn y Felin' } }],
  place: [
    { type: 'point', at: spot, is: { class: 'city', name: 'Riverbend', capital: 4, rank: 3 } },
    { type: 'point', at: spot, is: { class: 'neighbourhood', name: 'Oak Hill', rank: 9 } },
    { type: 'point', at: spot, is: { class: 'country', name: 'Elsewhere', rank: 1 } },
  ],
  housenumber: [{ type: 'point', at: spot, is: { housenumber: '12' } }],
  poi: [{ type: 'point', at: spot, is: { class: 'cafe', name: 'A café' } }],
} as const

const countKinds = (tile: Buffer) => {
  const counts: Record<string, number> = {}
  for (const { kind, isNameOnly } of readMapTile(tile).shapes) if (!isNameOnly) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

describe('a map file in another schema', () => {
  test('of Shortbread shows its waters, land, buildings and streets, and nothing else', () => {
    expect(countKinds(buildTile(SHORTBREAD))).toEqual({
      water: 2,
      stream: 1,
      green: 1,
      building: 1,
      major: 1,
      street: 1,
      lane: 1,
      path: 1,
      rail: 1,
    })
  })

  test('of OpenMapTiles shows the same', () => {
    expect(countKinds(buildTile(OPENMAPTILES))).toEqual({
      water: 1,
      stream: 1,
      green: 2,
      building: 1,
      major: 1,
      street: 1,
      lane: 1,
      path: 1,
      rail: 1,
    })
  })

  test.each([
    ['Shortbread', SHORTBREAD, ['Riverbend place', 'Oak Hill place', 'Mill Lane street', 'Mill Pond water', 'Afon Wen water']],
    [
      'OpenMapTiles',
      OPENMAPTILES,
      [
        'Riverbend place',
        'Oak Hill place',
        'Mill Lane street',
        'Mill Pond water',
        'Long Lake water',
        'Afon Wen water',
        'Heron Reserve green',
      ],
    ],
  ])('of %s gives its names to the search, and says who made it', async (_, layers, names) => {
    const metadata = { attribution: '<a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap contributors</a>' }
    const checked = await checkMapFile({ file: buildOddMap({ tile: buildTile(layers), metadata }) })
    expect(checked.credit).toBe('© OpenStreetMap contributors')
    expect(checked.names.map(({ name, kind }) => `${name} ${kind}`).toSorted()).toEqual(names.toSorted())
    const find = (name: string) => checked.names.find((one) => one.name === name)
    expect(find('Afon Wen')?.names).toEqual({ en: 'White River' })
    expect(find('Mill Lane')?.names).toEqual({ cy: 'Lôn y Felin' })
    expect(find('Riverbend')?.rank).toBe(9)
  })
})
