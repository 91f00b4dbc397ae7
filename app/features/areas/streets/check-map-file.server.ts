import { type Entry, type Header, bytesToHeader, Compression, ResolvedValueCache, type Source, TileType, tileIdToZxy } from 'pmtiles'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { type Box, isInDegrees } from '#app/lib/geometry.ts'
import { type MapName, NameCollector } from './collect-names.server.ts'
import { MAX_TILE_BYTES, unpackBounded } from './map-file.server.ts'
import { MAX_CREDIT_LETTERS, MAX_MAP_BYTES, MAX_MAP_ZOOM } from './map-files.schema.ts'
import { cleanName, readMapTile, TileTooLarge } from './map-tile.server.ts'
import { readMapGeoJson } from './read-map-geojson.server.ts'
import { writeMapFile } from './write-map-file.server.ts'

export interface CheckedMap {
  /** Set if the file was made here, from GeoJSON. */
  file: Uint8Array | undefined
  /** Who made the map, as the file says; empty if it does not. */
  credit: string
  box: Box
  minZoom: number
  maxZoom: number
  tiles: number
  /** To be found by a search. */
  names: MapName[]
}

const MAX_DEPTH = 3
const MAX_ENTRIES = 200_000
const HEADER_BYTES = 127
const MAX_METADATA_BYTES = 2_000_000

const refuseMap = (code: Fault['code'], values?: Fault['values']): never => {
  throw new AppError('invalid', { faults: [{ code, pointer: '/upload', ...(values && { values }) }] })
}

/**
 * Reads a file of vector tiles (PMTiles 3) from end to end, or makes one of GeoJSON. Every tile is unpacked and read, so that what passes can be drawn.
 * @throws {AppError} `invalid` at `/upload`: `file-too-large`, `map-file-unreadable`, `map-file-damaged`, `map-file-raster`, `map-file-packed`,
 * `map-file-too-fine`, `map-file-too-detailed`, `map-file-empty`; `layer-not-degrees`, `map-file-too-wide`
 */
export async function checkMapFile({ file }: { file: Uint8Array }): Promise<CheckedMap> {
  if (file.length > MAX_MAP_BYTES) refuseMap('file-too-large', { max: MAX_MAP_BYTES / 1_000_000 })
  if (isPmtiles(file)) return checkPmtiles(file)
  const features = readMapGeoJson(file)
  const { file: made, ...written } = writeMapFile(features, { name: 'map', attribution: '' })
  if (made.length > MAX_MAP_BYTES) refuseMap('map-file-too-detailed')
  const header = readHeader(made)
  const { names } = await checkTiles(made, header, await listEntries(made, header))
  return { file: made, credit: '', ...written, names }
}

const isPmtiles = (file: Uint8Array): boolean => Buffer.from(file.subarray(0, 7)).toString('latin1') === 'PMTiles'

async function checkPmtiles(file: Uint8Array): Promise<CheckedMap> {
  const header = readHeader(file)
  if (header.tileType !== TileType.Mvt) refuseMap('map-file-raster')
  if (![header.internalCompression, header.tileCompression].every((one) => one === Compression.None || one === Compression.Gzip))
    refuseMap('map-file-packed')
  if (header.maxZoom > MAX_MAP_ZOOM) refuseMap('map-file-too-fine', { max: MAX_MAP_ZOOM })
  const box: Box = [header.minLon, header.minLat, header.maxLon, header.maxLat]
  const isSound = header.minZoom <= header.maxZoom && box[0] < box[2] && box[1] < box[3] && isInDegrees(box)
  if (!isSound || !isInside(file, header)) refuseMap('map-file-damaged')
  const entries = await listEntries(file, header)
  const { tiles, shapes, names } = await checkTiles(file, header, entries)
  if (shapes === 0) refuseMap('map-file-empty')
  return { file: undefined, credit: await readCredit(file, header), box, minZoom: header.minZoom, maxZoom: header.maxZoom, tiles, names }
}

function readHeader(file: Uint8Array): Header {
  if (file.length < HEADER_BYTES || file[7] !== 3) return refuseMap('map-file-unreadable')
  return bytesToHeader(copyBytes(file, 0, HEADER_BYTES))
}

const copyBytes = (file: Uint8Array, offset: number, length: number): ArrayBuffer =>
  new Uint8Array(file.subarray(offset, offset + length)).buffer

/** Every section lies in the file. */
const isInside = (file: Uint8Array, header: Header): boolean =>
  [
    [header.rootDirectoryOffset, header.rootDirectoryLength],
    [header.jsonMetadataOffset, header.jsonMetadataLength],
    [header.leafDirectoryOffset, header.leafDirectoryLength ?? 0],
    [header.tileDataOffset, header.tileDataLength ?? 0],
  ].every(([offset = NaN, length = NaN]) => length === 0 || (offset >= HEADER_BYTES && offset + length <= file.length))

/** The entries of all tiles, in their order. */
async function listEntries(file: Uint8Array, header: Header): Promise<Entry[]> {
  const source: Source = { getKey: () => 'file', getBytes: (offset, length) => Promise.resolve({ data: copyBytes(file, offset, length) }) }
  const directories = new ResolvedValueCache(2, false, unpackBounded)
  const found: Entry[] = []
  const visit = async (offset: number, length: number, depth: number): Promise<void> => {
    const entries = await directories.getDirectory(source, offset, length, header).catch(() => refuseMap('map-file-damaged'))
    for (const entry of entries) {
      const isLeaf = entry.runLength === 0
      const most = (isLeaf ? header.leafDirectoryLength : header.tileDataLength) ?? 0
      const isSound =
        entry.length > 0 && entry.offset >= 0 && entry.offset + entry.length <= most && entry.tileId >= (found.at(-1)?.tileId ?? -1)
      if (!isSound || (isLeaf && depth >= MAX_DEPTH)) refuseMap('map-file-damaged')
      if (isLeaf) await visit(header.leafDirectoryOffset + entry.offset, entry.length, depth + 1)
      else found.push(entry)
      if (found.length > MAX_ENTRIES) refuseMap('map-file-too-detailed')
    }
  }
  await visit(header.rootDirectoryOffset, header.rootDirectoryLength, 1)
  return found
}

async function checkTiles(
  file: Uint8Array,
  header: Header,
  entries: readonly Entry[],
): Promise<{ tiles: number; shapes: number; names: MapName[] }> {
  const checked = new Set<number>()
  const names = new NameCollector()
  let [tiles, shapes] = [0, 0]
  for (const { tileId, offset, length, runLength } of entries) {
    tiles += runLength
    const [zoom] = findPlace(tileId + runLength - 1)
    if (zoom > MAX_MAP_ZOOM) refuseMap('map-file-too-fine', { max: MAX_MAP_ZOOM })
    if (checked.has(offset)) continue
    checked.add(offset)
    try {
      const unpacked = await unpackBounded(copyBytes(file, header.tileDataOffset + offset, length), header.tileCompression, MAX_TILE_BYTES)
      const tile = readMapTile(new Uint8Array(unpacked))
      shapes += tile.shapes.length
      if (zoom === header.maxZoom) names.add(tile, findPlace(tileId))
    } catch (error) {
      refuseMap(error instanceof TileTooLarge || error instanceof RangeError ? 'map-file-too-detailed' : 'map-file-damaged')
    }
  }
  return { tiles, shapes, names: names.list() }
}

function findPlace(tileId: number): [number, number, number] {
  try {
    return tileIdToZxy(tileId)
  } catch {
    return refuseMap('map-file-damaged')
  }
}

/** As text: files say it in HTML, with links. */
async function readCredit(file: Uint8Array, header: Header): Promise<string> {
  try {
    const packed = copyBytes(file, header.jsonMetadataOffset, header.jsonMetadataLength)
    const unpacked = await unpackBounded(packed, header.internalCompression, MAX_METADATA_BYTES)
    const { attribution } = JSON.parse(new TextDecoder().decode(unpacked)) as { attribution?: unknown }
    return typeof attribution === 'string' ? toPlainCredit(attribution) : ''
  } catch {
    return ''
  }
}

export const toPlainCredit = (text: string): string =>
  cleanName(
    text
      .slice(0, 2000)
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&copy;', '©')
      .replaceAll('&amp;', '&'),
    MAX_CREDIT_LETTERS,
  )
