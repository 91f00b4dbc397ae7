import { gzipSync } from 'node:zlib'

/** A square town: streets a hundred metres apart, each with its name, a river, a park and a house. */
export const TOWN = {
  type: 'FeatureCollection',
  features: [
    ...Array.from({ length: 21 }, (_, at) => ({
      type: 'Feature',
      properties: { highway: at === 10 ? 'primary' : 'residential', name: `Alder Street ${at + 1}`, 'name:fr': `Rue de l’Aulne ${at + 1}` },
      geometry: { type: 'LineString', coordinates: [[-74.74, 45.01 + at / 1000], [-74.71, 45.01 + at / 1000]] }, // prettier-ignore
    })),
    toFeature({ waterway: 'river', name: 'Mill Race' }, { type: 'LineString', coordinates: [[-74.725, 45.005], [-74.725, 45.035]] }), // prettier-ignore
    toFeature({ leisure: 'park', name: 'Heron Park' }, square(-74.72, 45.02, 0.006)),
    toFeature({ building: 'yes' }, square(-74.7255, 45.0203, 0.0002)),
    toFeature({ place: 'town', name: 'Riverbend' }, { type: 'Point', coordinates: [-74.73, 45.02] }),
    toFeature({ amenity: 'bench', name: 'A bench' }, { type: 'Point', coordinates: [-74.73, 45.02] }),
  ],
}

export function toFeature(properties: object, geometry: object) {
  return { type: 'Feature', properties, geometry }
}

export function square(west: number, south: number, side: number) {
  const [east, north] = [west + side, south + side]
  return { type: 'Polygon', coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] } // prettier-ignore
}

interface OddMap {
  /** Of tile 0/0/0, before it is packed. */
  tile?: Uint8Array
  tileType?: number
  tileCompression?: number
  zooms?: [number, number]
  tileId?: number
  /** Where the only tile is said to be, in the section of tiles. */
  offset?: number
  length?: number
  version?: number
  metadata?: object
}

/** A PMTiles file of one tile, written here byte by byte after the specification, which may say what is not so. */
export function buildOddMap(odd: OddMap): Buffer {
  const tile = gzipSync(odd.tile ?? Buffer.from([]))
  const directory = gzipSync(
    Buffer.from([1, ...varint(odd.tileId ?? 0), 1, ...varint(odd.length ?? tile.length), ...varint((odd.offset ?? 0) + 1)]),
  )
  const metadata = gzipSync(JSON.stringify(odd.metadata ?? {}))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 'latin1')
  header[7] = odd.version ?? 3
  let start = 127
  for (const [at, length] of [directory.length, metadata.length, 0, tile.length].entries()) {
    header.writeBigUInt64LE(BigInt(start), 8 + at * 16)
    header.writeBigUInt64LE(BigInt(length), 16 + at * 16)
    start += length
  }
  header[97] = 2
  header[98] = odd.tileCompression ?? 2
  header[99] = odd.tileType ?? 1
  const [least, most] = odd.zooms ?? [0, 0]
  header[100] = least
  header[101] = most
  for (const [at, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + at * 4)
  return Buffer.concat([header, directory, metadata, tile])
}

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left]
    bytes.push((left % 128) | 128)
  }
}

/** A vector tile with one street of a name, written byte by byte. */
export function buildStreetTile(name: string, points = 2): Buffer {
  const field = (number: number, content: readonly number[]) => [(number << 3) | 2, ...varint(content.length), ...content]
  const text = (words: string) => [...Buffer.from(words)]
  const geometry = [9, 2, 2, ...varint(((points - 1) << 3) | 2), ...Array.from({ length: points - 1 }, () => [2, 2]).flat()]
  const feature = [...field(2, [0, 0, 1, 1]), (3 << 3) | 0, 2, ...field(4, geometry)]
  const layer = [
    ...field(1, text('roads')),
    ...field(2, feature),
    ...field(3, text('kind')),
    ...field(3, text('name')),
    ...field(4, field(1, text('residential'))),
    ...field(4, field(1, text(name))),
    (5 << 3) | 0,
    ...varint(4096),
    (15 << 3) | 0,
    2,
  ]
  return Buffer.from(field(3, layer))
}

interface TileFeature {
  type: 'point' | 'line' | 'area'
  /** In units of the tile, from 0 to 4096. An area is closed by itself. */
  at: readonly (readonly [x: number, y: number])[]
  /** Numbers are whole. */
  is: Readonly<Record<string, string | number | boolean>>
}

/** A vector tile of layers, written byte by byte after the specification. */
export function buildTile(layers: Readonly<Record<string, readonly TileFeature[]>>): Buffer {
  return Buffer.concat(Object.entries(layers).map(([name, features]) => Buffer.from(field(3, buildLayer(name, features)))))
}

const field = (number: number, content: Iterable<number>): number[] => {
  const bytes = [...content]
  return [(number << 3) | 2, ...varint(bytes.length), ...bytes]
}

function buildLayer(name: string, features: readonly TileFeature[]): number[] {
  const keys = [...new Set(features.flatMap(({ is }) => Object.keys(is)))]
  const values = [...new Set(features.flatMap(({ is }) => Object.values(is)))]
  const written = features.map(({ type, at, is }) => {
    const tags = Object.entries(is).flatMap(([key, value]) => [keys.indexOf(key), values.indexOf(value)])
    const kind = { point: 1, line: 2, area: 3 }[type]
    return field(2, [...field(2, tags.flatMap(varint)), (3 << 3) | 0, kind, ...field(4, buildGeometry(type, at).flatMap(varint))])
  })
  const toValue = (value: string | number | boolean) =>
    typeof value === 'string'
      ? field(1, Buffer.from(value))
      : typeof value === 'number'
        ? [(5 << 3) | 0, ...varint(value)]
        : [(7 << 3) | 0, Number(value)]
  return [
    ...field(1, Buffer.from(name)),
    ...written.flat(),
    ...keys.flatMap((key) => field(3, Buffer.from(key))),
    ...values.flatMap((value) => field(4, toValue(value))),
    (5 << 3) | 0,
    ...varint(4096),
    (15 << 3) | 0,
    2,
  ]
}

/** Commands: move, then a line along the others, then close. */
function buildGeometry(type: TileFeature['type'], at: TileFeature['at']): number[] {
  const zigzag = (value: number) => (value << 1) ^ (value >> 31)
  const steps = at.map(([x, y], index) => {
    const [lastX, lastY] = at[index - 1] ?? [0, 0]
    return [zigzag(x - lastX), zigzag(y - lastY)]
  })
  const [first = [], ...rest] = steps
  const line = rest.length > 0 ? [(rest.length << 3) | 2, ...rest.flat()] : []
  return [(1 << 3) | 1, ...first, ...line, ...(type === 'area' ? [(1 << 3) | 7] : [])]
}
