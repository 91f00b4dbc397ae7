import { gzipSync } from 'node:zlib'
import GeoJSONVT from 'geojson-vt'
import { PbfWriter } from 'pbf'
import { zxyToTileId } from 'pmtiles'
import type { Box } from '#app/lib/geometry.ts'

/** One shape of a map that is being made: coordinates in degrees. */
export interface MapFeature {
  type: 'Feature'
  /** `layer` and `kind` as `classifyFeature` finds them, and names. */
  properties: Readonly<Record<string, string>> & { layer: string; kind: string }
  geometry: MapGeometry
}

export type MapGeometry =
  | { type: 'Point'; coordinates: number[] }
  | { type: 'MultiPoint' | 'LineString'; coordinates: number[][] }
  | { type: 'MultiLineString' | 'Polygon'; coordinates: number[][][] }
  | { type: 'MultiPolygon'; coordinates: number[][][][] }

const EXTENT = 4096
/** Of a tile beyond its edges. */
const BUFFER = 160
const MIN_ZOOM = 9
const MAX_ZOOM = 14
/** The zoom from which a kind is in the file: before, it would not be seen. */
const FROM_ZOOM: Readonly<Record<string, number>> = {
  buildings: 14,
  residential: 12,
  unclassified: 12,
  living_street: 12,
  pedestrian: 12,
  service: 13,
  track: 13,
  path: 13,
  footway: 13,
  cycleway: 13,
  steps: 14,
}

const HEADER_BYTES = 127
/** A root directory ends within the first 16 kB of a file. */
const MAX_ROOT_BYTES = 16_384 - HEADER_BYTES
const LEAF_ENTRIES = 4096

interface PackedTile {
  id: number
  bytes: Uint8Array
}

export interface WrittenMap {
  file: Uint8Array
  box: Box
  minZoom: number
  maxZoom: number
  tiles: number
}

/** Makes a PMTiles file, version 3, of vector tiles. The same features always make the same file. */
export function writeMapFile(features: readonly MapFeature[], metadata: { name: string; attribution: string }): WrittenMap {
  const box = measureFeatures(features)
  const tiles: PackedTile[] = []
  for (let zoom = MIN_ZOOM; zoom <= MAX_ZOOM; zoom++) {
    const shown = features.filter(({ properties: { layer, kind } }) => zoom >= (FROM_ZOOM[layer] ?? FROM_ZOOM[kind] ?? 0))
    const options = { maxZoom: zoom, indexMaxZoom: 0, indexMaxPoints: 0, tolerance: 4, extent: EXTENT, buffer: BUFFER }
    const sliced = new GeoJSONVT(
      { type: 'FeatureCollection', features: shown } as unknown as ConstructorParameters<typeof GeoJSONVT>[0],
      options,
    )
    for (const { x, y } of listTiles(box, zoom)) {
      const tile = sliced.getTile(zoom, x, y)
      if (tile?.features.length) tiles.push({ id: zxyToTileId(zoom, x, y), bytes: gzipSync(encodeTile(tile.features), { level: 6 }) })
    }
  }
  const sorted = tiles.toSorted((a, b) => a.id - b.id)
  return { file: assembleFile(sorted, box, metadata), box, minZoom: MIN_ZOOM, maxZoom: MAX_ZOOM, tiles: sorted.length }
}

function measureFeatures(features: readonly MapFeature[]): Box {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  const visit = (coordinates: unknown): void => {
    if (!Array.isArray(coordinates)) return
    const [lng, lat] = coordinates as unknown[]
    if (typeof lng !== 'number' || typeof lat !== 'number') {
      for (const inner of coordinates) visit(inner)
      return
    }
    box[0] = Math.min(box[0], lng)
    box[1] = Math.min(box[1], lat)
    box[2] = Math.max(box[2], lng)
    box[3] = Math.max(box[3], lat)
  }
  for (const { geometry } of features) visit(geometry.coordinates)
  return box
}

function listTiles([west, south, east, north]: Box, zoom: number): { x: number; y: number }[] {
  const many = 2 ** zoom
  const toX = (lng: number) => Math.min(many - 1, Math.max(0, Math.floor(((lng + 180) / 360) * many)))
  const toY = (lat: number) => {
    const sine = Math.sin((Math.min(85, Math.max(-85, lat)) * Math.PI) / 180)
    return Math.min(many - 1, Math.max(0, Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * many)))
  }
  const [left, right, top, bottom] = [toX(west), toX(east), toY(north), toY(south)]
  const wide = right - left + 1
  return Array.from({ length: wide * (bottom - top + 1) }, (_, at) => ({ x: left + (at % wide), y: top + Math.floor(at / wide) }))
}

type TileFeature = NonNullable<ReturnType<GeoJSONVT['getTile']>>['features'][number]

/** After the specification of vector tiles, version 2. */
function encodeTile(features: readonly TileFeature[]): Uint8Array {
  const layers = new Map<string, TileFeature[]>()
  for (const feature of features) {
    const name = String(feature.tags?.['layer'])
    const found = layers.get(name)
    if (found) found.push(feature)
    else layers.set(name, [feature])
  }
  const tile = new PbfWriter()
  for (const [name, members] of layers) tile.writeMessage(3, writeLayer, { name, members })
  return tile.finish()
}

function writeLayer({ name, members }: { name: string; members: readonly TileFeature[] }, pbf: PbfWriter): void {
  const [keys, values] = [new Map<string, number>(), new Map<string, number>()]
  const indexOf = (known: Map<string, number>, word: string): number => {
    const found = known.get(word)
    if (found !== undefined) return found
    known.set(word, known.size)
    return known.size - 1
  }
  pbf.writeVarintField(15, 2)
  pbf.writeStringField(1, name)
  for (const { type, geometry, tags } of members) {
    const numbers = Object.entries(tags ?? {})
      .filter(([key]) => key !== 'layer')
      .flatMap(([key, value]) => [indexOf(keys, key), indexOf(values, String(value))])
    pbf.writeMessage(
      2,
      (_, inner) => {
        inner.writePackedVarint(2, numbers)
        inner.writeVarintField(3, type)
        inner.writePackedVarint(4, encodeGeometry(type, type === 1 ? [geometry] : geometry))
      },
      undefined,
    )
  }
  for (const key of keys.keys()) pbf.writeStringField(3, key)
  for (const value of values.keys()) pbf.writeMessage(4, (word: string, inner) => inner.writeStringField(1, word), value)
  pbf.writeVarintField(5, EXTENT)
}

const zigZag = (value: number): number => (value << 1) ^ (value >> 31)

function encodeGeometry(type: number, tracks: readonly (readonly [number, number])[][]): number[] {
  const commands: number[] = []
  let [x, y] = [0, 0]
  const step = ([toX, toY]: readonly [number, number]) => {
    commands.push(zigZag(toX - x), zigZag(toY - y))
    ;[x, y] = [toX, toY]
  }
  for (const track of tracks) {
    // A ring is closed by its command, and its last point would repeat the first.
    const points = type === 3 ? track.slice(0, -1) : track
    const [first, ...rest] = points
    if (!first) continue
    if (type === 1) {
      commands.push((points.length << 3) | 1)
      for (const point of points) step(point)
      continue
    }
    commands.push((1 << 3) | 1)
    step(first)
    commands.push((rest.length << 3) | 2)
    for (const point of rest) step(point)
    if (type === 3) commands.push((1 << 3) | 7)
  }
  return commands
}

interface Entry {
  id: number
  offset: number
  length: number
  /** 0 for a leaf directory. */
  run: number
}

function packDirectory(entries: readonly Entry[]): Uint8Array {
  const pbf = new PbfWriter()
  pbf.writeVarint(entries.length)
  for (const [at, { id }] of entries.entries()) pbf.writeVarint(id - (entries[at - 1]?.id ?? 0))
  for (const { run } of entries) pbf.writeVarint(run)
  for (const { length } of entries) pbf.writeVarint(length)
  for (const [at, { offset }] of entries.entries()) {
    const last = entries[at - 1]
    pbf.writeVarint(last && offset === last.offset + last.length ? 0 : offset + 1)
  }
  return gzipSync(pbf.finish())
}

/** One directory, or a root of leaf directories if that would be too large. */
function packDirectories(entries: readonly Entry[]): { root: Uint8Array; leaves: Uint8Array } {
  const root = packDirectory(entries)
  if (root.length <= MAX_ROOT_BYTES) return { root, leaves: new Uint8Array() }
  const leaves: Uint8Array[] = []
  const pointers: Entry[] = []
  let offset = 0
  for (let at = 0; at < entries.length; at += LEAF_ENTRIES) {
    const leaf = packDirectory(entries.slice(at, at + LEAF_ENTRIES))
    pointers.push({ id: entries[at]?.id ?? 0, offset, length: leaf.length, run: 0 })
    leaves.push(leaf)
    offset += leaf.length
  }
  return { root: packDirectory(pointers), leaves: Buffer.concat(leaves) }
}

function assembleFile(tiles: readonly PackedTile[], box: Box, { name, attribution }: { name: string; attribution: string }): Uint8Array {
  let offset = 0
  const entries = tiles.map(({ id, bytes: { length } }): Entry => {
    const entry = { id, offset, length, run: 1 }
    offset += length
    return entry
  })
  const { root, leaves } = packDirectories(entries)
  const metadata = gzipSync(JSON.stringify({ name, attribution, vector_layers: [] }))
  const header = new DataView(new ArrayBuffer(HEADER_BYTES))
  for (const [at, letter] of Array.from('PMTiles').entries()) header.setUint8(at, letter.charCodeAt(0))
  header.setUint8(7, 3)
  const sections = [root.length, metadata.length, leaves.length, offset]
  let start = HEADER_BYTES
  for (const [at, length] of sections.entries()) {
    header.setBigUint64(8 + at * 16, BigInt(start), true)
    header.setBigUint64(16 + at * 16, BigInt(length), true)
    start += length
  }
  for (const at of [72, 80, 88]) header.setBigUint64(at, BigInt(tiles.length), true)
  for (const [at, value] of [1, 2, 2, 1, MIN_ZOOM, MAX_ZOOM].entries()) header.setUint8(96 + at, value)
  for (const [at, degrees] of box.entries()) header.setInt32(102 + at * 4, Math.round(degrees * 1e7), true)
  header.setUint8(118, MIN_ZOOM)
  header.setInt32(119, Math.round(((box[0] + box[2]) / 2) * 1e7), true)
  header.setInt32(123, Math.round(((box[1] + box[3]) / 2) * 1e7), true)
  return Buffer.concat([new Uint8Array(header.buffer), root, metadata, leaves, ...tiles.map(({ bytes }) => bytes)])
}
