import type { StreetKind } from '#app/lib/map-picture.ts'

/** What a map file says about a shape. */
export type ShapeProperties = Readonly<Record<string, unknown>>

/** What is drawn of a shape: `place` is only a name. */
export type ShapeKind = StreetKind | 'place'

const readWord = (properties: ShapeProperties, ...names: readonly string[]): string => {
  for (const name of names) {
    const value = properties[name]
    if (typeof value === 'string' && value) return value
  }
  return ''
}

const listWords = (words: string): ReadonlySet<string> => new Set(words.split(' '))
const MAJOR = listWords('motorway motorway_link trunk trunk_link primary primary_link highway')
const MAIN = listWords('secondary secondary_link tertiary tertiary_link major_road medium_road')
const STREETS = listWords('residential unclassified living_street road minor_road minor street busway bus_guideway pedestrian')
const LANES = listWords('service track driveway alley parking_aisle')
const PATHS = listWords('path footway cycleway steps bridleway corridor sidewalk crossing')
const RAILS = listWords('rail light_rail tram subway narrow_gauge monorail funicular transit')
const GREENS = listWords(
  'park garden recreation_ground village_green grass grassland meadow wood forest scrub nature_reserve cemetery golf_course allotments ' +
    'playground pitch orchard heath wetland national_park protected_area dog_park greenfield common zoo farmland ' +
    'grave_yard vineyard plant_nursery miniature_golf swamp bog string_bog wet_meadow marsh',
)
const STREAMS = listWords('river stream canal ditch drain')
/** The larger a place, the earlier its name is written. */
const PLACES: Readonly<Record<string, number>> = {
  capital: 9,
  state_capital: 9,
  city: 9,
  town: 8,
  locality: 7,
  village: 7,
  suburb: 6,
  quarter: 5,
  neighbourhood: 5,
  hamlet: 4,
  isolated_dwelling: 3,
  macrohood: 5,
}

function findRoad(word: string, detail = word): StreetKind | undefined {
  const found = ROADS.find(({ words }) => words.has(detail)) ?? ROADS.find(({ words }) => words.has(word))
  return found?.kind
}

const ROADS: readonly { kind: StreetKind; words: ReadonlySet<string> }[] = [
  { kind: 'major', words: MAJOR },
  { kind: 'main', words: MAIN },
  { kind: 'street', words: STREETS },
  { kind: 'lane', words: LANES },
  { kind: 'path', words: PATHS },
  { kind: 'rail', words: RAILS },
]

/** Layers of Protomaps, OpenMapTiles and Shortbread, and of the files that Parley makes. Other layers are left out. */
const LAYERS: Readonly<Record<string, (properties: ShapeProperties) => ShapeKind | undefined>> = {
  roads: (shape) =>
    findRoad(readWord(shape, 'kind', 'pmap:kind', 'highway'), readWord(shape, 'kind_detail', 'pmap:kind_detail', 'highway') || undefined),
  transit: (shape) => (RAILS.has(readWord(shape, 'kind', 'railway', 'pmap:kind')) ? 'rail' : undefined),
  transportation: (shape) => findRoad(readWord(shape, 'class'), readWord(shape, 'subclass') || undefined),
  transportation_name: (shape) => findRoad(readWord(shape, 'class'), readWord(shape, 'subclass') || undefined),
  streets: (shape) => findRoad(readWord(shape, 'kind')),
  street_labels: (shape) => findRoad(readWord(shape, 'kind')),
  water: () => 'water',
  ocean: () => 'water',
  water_polygons: toWater,
  water_polygons_labels: toWater,
  water_name: () => 'water',
  waterway: () => 'stream',
  water_lines: () => 'stream',
  water_lines_labels: () => 'stream',
  physical_line: (shape) => (STREAMS.has(readWord(shape, 'kind', 'waterway', 'pmap:kind')) ? 'stream' : undefined),
  buildings: (shape) => (/^(?!address)/.test(readWord(shape, 'kind')) ? 'building' : undefined),
  building: () => 'building',
  landuse: toGreen,
  landcover: toGreen,
  natural: toGreen,
  land: toGreen,
  park: () => 'green',
  places: toPlace,
  place: toPlace,
  place_labels: toPlace,
}

/** Shortbread lists glaciers among the waters. */
function toWater(shape: ShapeProperties): ShapeKind | undefined {
  return readWord(shape, 'kind') === 'glacier' ? undefined : 'water'
}

function toGreen(shape: ShapeProperties): ShapeKind | undefined {
  return ['kind', 'pmap:kind', 'class', 'leisure', 'landuse', 'natural'].some((key) => GREENS.has(readWord(shape, key)))
    ? 'green'
    : undefined
}

function toPlace(shape: ShapeProperties): ShapeKind | undefined {
  return rankPlace(shape) > 0 ? 'place' : undefined
}

/** From 0, which is not written, to 9. */
export const rankPlace = (shape: ShapeProperties): number =>
  PLACES[readWord(shape, 'kind_detail', 'pmap:kind_detail', 'place')] ?? PLACES[readWord(shape, 'kind', 'pmap:kind', 'class', 'place')] ?? 0

/** Layers that only repeat others for their names. */
export const NAME_LAYERS: ReadonlySet<string> = listWords(
  'transportation_name street_labels water_polygons_labels water_lines_labels water_name',
)

/** What is drawn of a shape of a layer; undefined if nothing is. */
export const findShapeKind = (layer: string, properties: ShapeProperties): ShapeKind | undefined => LAYERS[layer]?.(properties)

const isKnownLayer = (layer: string): boolean => Object.hasOwn(LAYERS, layer)

/** The layer and kind under which a GeoJSON feature is kept, by its own `kind` or the tags of OpenStreetMap. */
export function classifyFeature(properties: ShapeProperties): { layer: string; kind: string } | undefined {
  const layer = readWord(properties, 'layer')
  const kind = readWord(properties, 'kind')
  if (isKnownLayer(layer) && kind) return { layer, kind }
  const highway = readWord(properties, 'highway')
  if (highway) return { layer: 'roads', kind: highway }
  if (readWord(properties, 'railway')) return { layer: 'roads', kind: 'rail' }
  if (STREAMS.has(readWord(properties, 'waterway'))) return { layer: 'waterway', kind: readWord(properties, 'waterway') }
  const land = readWord(properties, 'leisure', 'landuse', 'natural', 'boundary')
  if (land === 'water' || land === 'basin' || land === 'reservoir' || readWord(properties, 'water'))
    return { layer: 'water', kind: 'water' }
  if (GREENS.has(land)) return { layer: 'landuse', kind: land }
  const building = readWord(properties, 'building')
  if (building && building !== 'no') return { layer: 'buildings', kind: 'building' }
  const place = readWord(properties, 'place')
  return PLACES[place] ? { layer: 'places', kind: place } : undefined
}
