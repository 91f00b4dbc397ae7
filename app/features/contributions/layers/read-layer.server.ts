import { AppError, type Fault } from '#app/lib/app-error.ts'
import { type Box, findGrid, isInDegrees, type MapGrid } from '#app/lib/geometry.ts'
import type { LayerShape } from '#app/lib/vocabulary/contributions.ts'
import { MAX_LAYER_BYTES } from './layers.schema.ts'
import { simplifyShapes } from './simplify-shapes.server.ts'

export interface LayerFile {
  file: Uint8Array
  /** The grid that its coordinates are in, if not degrees. */
  convertFrom: MapGrid | null
}

export interface ReadLayer {
  shapes: LayerShape[]
  isSimplified: boolean
  box: Box
  columns: string[]
  rows: string[][]
}

/** Points, lines and outlines together. */
const MAX_PARTS = 10_000
const MAX_FEATURES = 10_000
const MAX_POSITIONS = 500_000
/** Collections of geometries inside each other. */
const MAX_DEPTH = 10
const MAX_COLUMNS = 30
const MAX_COLUMN_LETTERS = 60
const MAX_CELL_LETTERS = 300

/** Coordinates one after the other, as long as they may still be changed. */
interface OpenShape {
  points: number[]
  lines: number[][]
  areas: number[][][]
}

const refuseFile = (code: Fault['code'], values?: Fault['values'], pointer = '/upload'): never => {
  throw new AppError('invalid', { faults: [{ code, pointer, ...(values && { values }) }] })
}

/**
 * Reads a GeoJSON file (RFC 7946) for drawing: every feature's geometry, simplified, and its properties as texts.
 * @throws {AppError} `invalid` at `/upload`: `layer-unreadable`, `layer-empty`, `layer-too-detailed`, `file-too-large`; `british-grid`,
 * `canada-lambert` or `layer-not-degrees` if the coordinates are not degrees of WGS 84; `layer-other-grid` at `/convertFrom`
 */
export async function readLayerFile({ file, convertFrom }: LayerFile): Promise<ReadLayer> {
  if (file.length > MAX_LAYER_BYTES) refuseFile('file-too-large', { max: MAX_LAYER_BYTES / 1_000_000 })
  const features = listFeatures(parseText(file))
  const reading = { parts: 0, positions: 0 }
  const open = features.map(({ geometry }) => readGeometry(geometry, reading))
  if (reading.parts === 0) refuseFile('layer-empty')
  const tracks = open.flatMap(listTracks)
  if (convertFrom) await convertTracks(tracks, convertFrom)
  else requireDegrees(measureTracks(tracks))
  const { shapes, isSimplified } = simplifyShapes(open)
  return { shapes, isSimplified, box: measureTracks(tracks), ...readTable(features) }
}

function parseText(file: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file))
  } catch {
    return refuseFile('layer-unreadable')
  }
}

type Members = Record<string, unknown>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)
const toList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : refuseFile('layer-unreadable'))

interface Feature {
  geometry: unknown
  properties: Members
}

function listFeatures(root: unknown): Feature[] {
  if (!isObject(root)) return refuseFile('layer-unreadable')
  const given = root['type'] === 'FeatureCollection' ? toList(root['features']) : [root]
  if (given.length > MAX_FEATURES) refuseDetail()
  return given.map((feature) => {
    if (!isObject(feature)) return refuseFile('layer-unreadable')
    if (feature['type'] !== 'Feature') return { geometry: feature, properties: {} }
    return { geometry: feature['geometry'] ?? null, properties: isObject(feature['properties']) ? feature['properties'] : {} }
  })
}

const refuseDetail = () => refuseFile('layer-too-detailed', { max: MAX_PARTS, positions: MAX_POSITIONS })

/** What has been read so far, of all features. */
interface Reading {
  parts: number
  positions: number
}

function readGeometry(root: unknown, reading: Reading): OpenShape {
  const shape: OpenShape = { points: [], lines: [], areas: [] }
  const left = [{ geometry: root, depth: 0 }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { geometry, depth } = next
    if (geometry === null) continue
    if (!isObject(geometry) || depth > MAX_DEPTH) return refuseFile('layer-unreadable')
    if (geometry['type'] === 'GeometryCollection') {
      for (const inner of toList(geometry['geometries'])) left.push({ geometry: inner, depth: depth + 1 })
      if (left.length > MAX_PARTS) refuseDetail()
    } else addGeometry(shape, geometry, reading)
  }
  return shape
}

function addGeometry(shape: OpenShape, { type, coordinates }: Members, reading: Reading): void {
  switch (type) {
    case 'Point':
      if (toList(coordinates).length > 0) addPoint(shape, coordinates, reading)
      break
    case 'MultiPoint':
      for (const position of toList(coordinates)) addPoint(shape, position, reading)
      break
    case 'LineString':
      addLine(shape, coordinates, reading)
      break
    case 'MultiLineString':
      for (const line of toList(coordinates)) addLine(shape, line, reading)
      break
    case 'Polygon':
      addArea(shape, coordinates, reading)
      break
    case 'MultiPolygon':
      for (const area of toList(coordinates)) addArea(shape, area, reading)
      break
    default:
      refuseFile('layer-unreadable')
  }
}

function countPart(reading: Reading): void {
  if (++reading.parts > MAX_PARTS) refuseDetail()
}

function addPoint({ points }: OpenShape, position: unknown, reading: Reading): void {
  countPart(reading)
  addPosition(points, position, reading)
}

function addLine({ lines }: OpenShape, positions: unknown, reading: Reading): void {
  const line = readTrack(positions, reading)
  if (line.length < 4) return
  countPart(reading)
  lines.push(line)
}

/** An outline with its holes. What is too narrow to be an area is left out. */
function addArea({ areas }: OpenShape, rings: unknown, reading: Reading): void {
  const [outline, ...holes] = toList(rings).map((ring) => closeRing(readTrack(ring, reading)))
  if (!outline || outline.length < MIN_RING) return
  const area = [outline, ...holes.filter((hole) => hole.length >= MIN_RING)]
  for (const _ of area) countPart(reading)
  areas.push(area)
}

/** Numbers of a closed triangle. */
const MIN_RING = 8

function closeRing(ring: number[]): number[] {
  const [x, y] = ring
  if (x !== undefined && y !== undefined && (ring.at(-2) !== x || ring.at(-1) !== y)) ring.push(x, y)
  return ring
}

/** Positions without those that repeat the one before. */
function readTrack(positions: unknown, reading: Reading): number[] {
  const track: number[] = []
  for (const position of toList(positions)) {
    addPosition(track, position, reading)
    const { length } = track
    if (length >= 4 && track[length - 1] === track[length - 3] && track[length - 2] === track[length - 4]) track.length -= 2
  }
  return track
}

function addPosition(track: number[], position: unknown, reading: Reading): void {
  const [x, y] = toList(position)
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) return refuseFile('layer-unreadable')
  if (++reading.positions > MAX_POSITIONS) refuseDetail()
  track.push(x, y)
}

const listTracks = ({ points, lines, areas }: OpenShape): number[][] => [points, ...lines, ...areas.flat()]

function measureTracks(tracks: readonly (readonly number[])[]): Box {
  const [least, most] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ] as [[number, number], [number, number]]
  for (const track of tracks) {
    for (const [at, value] of track.entries()) {
      const axis = at % 2 === 0 ? 0 : 1
      if (value < least[axis]) least[axis] = value
      if (value > most[axis]) most[axis] = value
    }
  }
  return [...least, ...most]
}

/** All coordinates decide together which grid they look like. */
function requireDegrees(box: Box): void {
  if (!isInDegrees(box)) refuseFile(findGrid(box) ?? 'layer-not-degrees')
}

async function convertTracks(tracks: readonly number[][], grid: MapGrid): Promise<void> {
  if (findGrid(measureTracks(tracks)) !== grid) refuseFile('layer-other-grid', undefined, '/convertFrom')
  const { createConverter } = await import('#app/features/areas/projections.server.ts')
  const toDegrees = createConverter(grid)
  for (const track of tracks) {
    for (let at = 0; at < track.length; at += 2) {
      const [lng, lat] = toDegrees(track[at] ?? 0, track[at + 1] ?? 0)
      track[at] = lng
      track[at + 1] = lat
    }
  }
  if (!isInDegrees(measureTracks(tracks))) refuseFile('layer-other-grid', undefined, '/convertFrom')
}

/** The columns that the first features name first, and a text for each feature and column. */
function readTable(features: readonly Feature[]): { columns: string[]; rows: string[][] } {
  const names = new Set<string>()
  for (const { properties } of features) {
    for (const name of Object.keys(properties)) {
      if (names.size >= MAX_COLUMNS) break
      names.add(name)
    }
  }
  const rows = features.map(({ properties }) =>
    [...names].map((name) => (Object.hasOwn(properties, name) ? formatCell(properties[name]) : '')),
  )
  return { columns: [...names].map((name) => cutText(name, MAX_COLUMN_LETTERS)), rows }
}

/** Lists are joined; what is nested deeper has no place in a table. */
function formatCell(value: unknown): string {
  const values = Array.isArray(value) ? value.slice(0, MAX_CELL_LETTERS) : [value]
  const texts = values.flatMap((each: unknown) =>
    typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean' ? [String(each)] : [],
  )
  return cutText(texts.join(', '), MAX_CELL_LETTERS)
}

/** Only what the database can store. */
function cutText(text: string, most: number): string {
  const clean = text
    .slice(0, most * 4)
    .toWellFormed()
    .replace(CONTROLS, ' ')
    .trim()
  const letters = Array.from(clean)
  return letters.length <= most ? clean : `${letters.slice(0, most - 1).join('')}…`
}

// oxlint-disable-next-line no-control-regex -- these are what is replaced
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
