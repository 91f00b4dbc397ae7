import { AppError } from '#app/lib/app-error.ts'
import { type Box, findGrid, isInDegrees, type MapGrid } from '#app/lib/geometry.ts'
import { unpackArchive } from '#app/server/unpack-archive.ts'
import { MAX_AREAS } from '../areas.schema.ts'
import { parseRings, type Point, type Rings } from '../polygons.schema.ts'
import { createConverter, findConverter, readProjection, readProjectionName, type ToDegrees } from '../projections.server.ts'
import { type AreaFileFormat, MAX_AREA_FILE_BYTES, MAX_COLUMN_LETTERS, type ShapeFault } from './area-files.schema.ts'
import { isCrossing } from './find-crossing.ts'
import { type FileFeature, refuseFile } from './file-feature.server.ts'
import { readKml } from './read-kml.server.ts'
import { readShapes } from './read-shapes.server.ts'

export interface AreaFileInput {
  file: Uint8Array
  /** The grid that its coordinates are in, if the file does not say so. */
  convertFrom: MapGrid | null
  /** Latitude comes first in it. */
  isSwapped: boolean
}

export interface ReadShape {
  /** In the order of the columns. */
  values: string[]
  rings: Rings
  fault: Exclude<ShapeFault, 'no-name'> | null
  /** An edge of its outline crosses another. */
  isCrossing: boolean
}

export interface ReadAreas {
  format: AreaFileFormat
  columns: string[]
  shapes: ReadShape[]
  /** West, south, east, north. */
  box: Box
  isProjectionGuessed: boolean
}

/** What the reader of a format has found. */
interface FileContent {
  features: readonly FileFeature[]
  /** Null if the coordinates are degrees; undefined if the file does not say. */
  toDegrees: ToDegrees | null | undefined
}

/** More than the areas of a site: several shapes can make one. */
const MAX_SHAPES = 10 * MAX_AREAS
const MAX_POSITIONS = 2_000_000
/** Corners of all areas that are stored, which every map is drawn from. */
const MAX_CORNERS = 400_000
const MAX_COLUMNS = 60
const MAX_VALUE_LETTERS = 200
const MAX_UNPACKED_BYTES = 120_000_000
const MAX_DEPTH = 10
const MIN_CORNERS = 3
/** South of all inhabited land: latitude and longitude are swapped. */
const SOUTHERNMOST = -56

/**
 * Reads areas from GeoJSON (RFC 7946, and the `crs` that came before it), a Shapefile in a ZIP archive, KML or KMZ. What its shapes are called is decided
 * later: each comes with the values of all columns.
 * @throws {AppError} `invalid` at `/upload`: `file-too-large`, `area-file-unreadable`, `area-file-loose`, `area-file-damaged`, `area-file-many-layers`,
 * `area-file-no-outlines`, `area-file-too-many`, `area-file-too-detailed`, `area-file-no-projection`, `area-file-unknown-projection`, `area-file-swapped`;
 * `british-grid`, `canada-lambert` or `layer-not-degrees` if the file does not say which coordinates it uses and they are not degrees
 */
export function readAreaFile({ file, convertFrom, isSwapped }: AreaFileInput): ReadAreas {
  if (file.length > MAX_AREA_FILE_BYTES) refuseFile('file-too-large', { max: MAX_AREA_FILE_BYTES / 1_000_000 })
  const [format, { features, toDegrees }] = readFormat(file)
  if (features.length > MAX_SHAPES) refuseFile('area-file-too-many', { most: MAX_AREAS, found: features.length })
  const reading = { positions: 0 }
  const outlines = features.map(({ geometry }) => listRings(geometry, reading))
  if (outlines.every((rings) => rings.length === 0)) refuseFile('area-file-no-outlines')
  if (isSwapped) changePlaces(outlines, (x, y) => [y, x])
  if (toDegrees) changePlaces(outlines, toDegrees)
  else if (convertFrom) convertGrid(outlines, convertFrom)
  const box = measureOutlines(outlines)
  requireDegrees(box, format === 'shapefile' && toDegrees === undefined)
  const shapes = outlines.map((rings) => checkOutline(rings))
  if (shapes.reduce((sum, { rings }) => sum + rings.flat().length, 0) > MAX_CORNERS) refuseFile('area-file-too-detailed')
  const { columns, rows } = readTable(features)
  return {
    format,
    columns,
    shapes: shapes.map((shape, at) => ({ ...shape, values: rows[at] ?? [] })),
    box,
    isProjectionGuessed: format === 'shapefile' && toDegrees === undefined && !convertFrom,
  }
}

const startsWith = (file: Uint8Array, ...bytes: number[]): boolean => bytes.every((byte, at) => file[at] === byte)

function readFormat(file: Uint8Array): [AreaFileFormat, FileContent] {
  if (startsWith(file, 0x50, 0x4b)) return readArchive(file)
  // The first bytes of a .shp, without what belongs to it.
  if (startsWith(file, 0, 0, 0x27, 0x0a)) return refuseFile('area-file-loose')
  const text = decodeText(file)
  return text.trimStart().startsWith('<') ? ['kml', { features: readKml(text), toDegrees: null }] : ['geojson', readGeoJson(text)]
}

/** Of UTF-8, or what an XML declaration says. */
function decodeText(file: Uint8Array): string {
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]{1,30})["']/.exec(Buffer.from(file.subarray(0, 200)).toString('latin1'))?.[1]
  try {
    return new TextDecoder(declared ?? 'utf-8', { fatal: true }).decode(file)
  } catch {
    return refuseFile('area-file-unreadable')
  }
}

function readArchive(file: Uint8Array): [AreaFileFormat, FileContent] {
  const files = listArchive(file)
  const kml = files.find(({ name }) => /\.kml$/i.test(name))
  if (kml) return ['kml', { features: readKml(decodeText(kml.bytes)), toDegrees: null }]
  const shapes = files.filter(({ name }) => /\.shp$/i.test(name))
  const [first] = shapes
  if (!first) return refuseFile('area-file-unreadable')
  if (shapes.length > 1) refuseFile('area-file-many-layers', { names: shapes.map(({ name }) => name.slice(name.lastIndexOf('/') + 1, -4)).join(', ').slice(0, 300) }) // prettier-ignore
  const stem = first.name.slice(0, -4).toLowerCase()
  const findBeside = (extension: string) => files.find(({ name }) => name.toLowerCase() === `${stem}.${extension}`)?.bytes
  const wkt = findBeside('prj')?.toString('utf8').trim()
  const toDegrees = wkt
    ? (readProjection(wkt) ?? refuseFile('area-file-unknown-projection', { name: readProjectionName(wkt) || '?' }))
    : undefined
  const features = readShapes({ shp: first.bytes, dbf: findBeside('dbf'), encoding: findBeside('cpg')?.toString('latin1') })
  return ['shapefile', { features, toDegrees }]
}

function listArchive(file: Uint8Array) {
  try {
    const files = [...unpackArchive(file, MAX_UNPACKED_BYTES)]
    return files.filter(({ name }) => !name.includes('__MACOSX') && !/(^|\/)\./.test(name))
  } catch {
    return refuseFile('area-file-damaged')
  }
}

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

function readGeoJson(text: string): FileContent {
  const root = parseJson(text)
  if (!isObject(root)) return refuseFile('area-file-unreadable')
  const features = root['type'] === 'FeatureCollection' ? root['features'] : root['type'] === 'Feature' ? [root] : [{ geometry: root }]
  if (!Array.isArray(features)) return refuseFile('area-file-unreadable')
  return { features: (features as unknown[]).map((feature) => (isObject(feature) ? feature : {})), toDegrees: readCrs(root['crs']) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return refuseFile('area-file-unreadable')
  }
}

/** The coordinates that GeoJSON of before RFC 7946 could name. */
function readCrs(crs: unknown): FileContent['toDegrees'] {
  if (!isObject(crs) || !isObject(crs['properties'])) return undefined
  const { name } = crs['properties']
  if (typeof name !== 'string') return undefined
  const code = /(\w+)$/.exec(name)?.[1] ?? ''
  const found = findConverter(code)
  return found === undefined ? refuseFile('area-file-unknown-projection', { name: name.slice(0, 80) }) : found
}

type OpenRing = [number, number][]

/** Rings of polygons, also in collections; other shapes have none. */
function listRings(root: unknown, reading: { positions: number }): OpenRing[] {
  const rings: OpenRing[] = []
  const left = [{ geometry: root, depth: 0 }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { geometry, depth } = next
    if (!isObject(geometry) || depth > MAX_DEPTH) continue
    const { type, coordinates, geometries } = geometry
    if (type === 'GeometryCollection' && Array.isArray(geometries))
      for (const inner of geometries as unknown[]) left.push({ geometry: inner, depth: depth + 1 })
    const polygons = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? toList(coordinates) : []
    for (const polygon of polygons) {
      for (const ring of toList(polygon)) {
        const positions = readRing(ring, reading)
        if (positions.length >= MIN_CORNERS) rings.push(positions)
      }
    }
  }
  return rings
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : refuseFile('area-file-damaged'))

function readRing(value: unknown, reading: { positions: number }): OpenRing {
  return toList(value).map((position) => {
    const [x, y] = toList(position)
    if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) return refuseFile('area-file-damaged')
    if (++reading.positions > MAX_POSITIONS) refuseFile('area-file-too-detailed')
    return [x, y]
  })
}

function changePlaces(outlines: readonly OpenRing[][], change: ToDegrees): void {
  for (const ring of outlines.flat()) {
    for (const place of ring) [place[0], place[1]] = change(place[0], place[1])
  }
}

function convertGrid(outlines: readonly OpenRing[][], grid: MapGrid): void {
  if (findGrid(measureOutlines(outlines)) !== grid) {
    throw new AppError('invalid', { faults: [{ code: 'layer-other-grid', pointer: '/convertFrom' }] })
  }
  changePlaces(outlines, createConverter(grid))
}

function measureOutlines(outlines: readonly OpenRing[][]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const ring of outlines.flat()) {
    for (const [x, y] of ring) {
      west = Math.min(west, x)
      east = Math.max(east, x)
      south = Math.min(south, y)
      north = Math.max(north, y)
    }
  }
  return [west, south, east, north]
}

function requireDegrees(box: Box, lacksProjection: boolean): void {
  const [west, south, east, north] = box
  if (isInDegrees(box)) {
    if (north < SOUTHERNMOST) refuseFile('area-file-swapped')
    return
  }
  const grid = findGrid(box)
  if (grid) refuseFile(grid)
  if (isInDegrees([south, west, north, east])) refuseFile('area-file-swapped')
  refuseFile(lacksProjection ? 'area-file-no-projection' : 'layer-not-degrees')
}

/** Thinned for storing, and what is wrong with it. */
function checkOutline(rings: readonly OpenRing[]): Omit<ReadShape, 'values'> {
  const outline = parseRings({ type: 'Polygon', coordinates: rings })
  if (!outline) return { rings: [], fault: 'no-outline', isCrossing: false }
  return { rings: outline, fault: null, isCrossing: rings.some((ring: readonly Point[]) => isCrossing(ring)) }
}

/** The columns that the first features name first, and a text for each feature and column. */
function readTable(features: readonly FileFeature[]): { columns: string[]; rows: string[][] } {
  const names = new Set<string>()
  const properties = features.map((feature) => (isObject(feature.properties) ? feature.properties : {}))
  for (const each of properties) {
    for (const name of Object.keys(each)) {
      if (names.size < MAX_COLUMNS && name.length <= MAX_COLUMN_LETTERS) names.add(name)
    }
  }
  return {
    columns: [...names],
    rows: properties.map((each) => [...names].map((name) => formatValue(Object.hasOwn(each, name) ? each[name] : ''))),
  }
}

// oxlint-disable-next-line no-control-regex -- these are what is replaced
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

const formatValue = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, MAX_VALUE_LETTERS).toWellFormed().replace(CONTROLS, ' ').trim()
    : ''
