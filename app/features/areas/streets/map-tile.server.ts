import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { Language } from '#app/lib/languages.ts'
import { joinTracks } from './join-tracks.server.ts'
import { findShapeKind, NAME_LAYERS, rankPlace, type ShapeKind, type ShapeProperties } from './street-kinds.server.ts'

/** Positions in a tile go from 0 to this, whatever the file's own extent. */
export const TILE_EXTENT = 4096
const MAX_TILE_POINTS = 200_000
const MAX_TILE_SHAPES = 30_000
const MAX_NAME_LETTERS = 80
const MAX_EXTENT = 65_536

export interface TileShape {
  kind: ShapeKind
  /** Each of `[x, y, x, y, …]`. */
  tracks: readonly Float32Array[]
  /** West, north, east, south of all tracks. */
  bounds: readonly [number, number, number, number]
  /** In the language of the place, and where it differs in others. */
  name: string
  names: Partial<Record<Language, string>> | undefined
  /** Of a place: the larger, the earlier its name is written. */
  rank: number
  /** What its layer shows is drawn from another. */
  isNameOnly: boolean
}

/** What is drawn of one tile. */
export interface MapTile {
  shapes: readonly TileShape[]
  /** In memory, about. */
  bytes: number
}

/** More than any honest tile holds. */
export class TileTooLarge extends Error {}

/**
 * Reads a vector tile. Layers and kinds that are not drawn are left out.
 * @throws {TileTooLarge} and other errors if it is no tile
 */
export function readMapTile(unpacked: Uint8Array): MapTile {
  const shapes: TileShape[] = []
  const { layers } = new VectorTile(new PbfReader(unpacked))
  let points = 0
  let bytes = 200
  for (const [name, layer] of Object.entries(layers)) {
    if (layer.extent < 1 || layer.extent > MAX_EXTENT) throw new TileTooLarge('extent')
    const scale = TILE_EXTENT / layer.extent
    for (let at = 0; at < layer.length; at++) {
      const feature = layer.feature(at)
      const found = findShapeKind(name, feature.properties)
      const kind = found === 'water' && feature.type === 2 ? 'stream' : found
      if (!kind || !isOfType(kind, feature)) continue
      if (shapes.length >= MAX_TILE_SHAPES) throw new TileTooLarge('shapes')
      const shape = readShape(feature, kind, scale, NAME_LAYERS.has(name))
      points += shape.tracks.reduce((sum, { length }) => sum + length / 2, 0)
      if (points > MAX_TILE_POINTS) throw new TileTooLarge('points')
      shapes.push(shape)
      bytes += 220 + shape.tracks.reduce((sum, { length }) => sum + 120 + length * 4, 0)
    }
  }
  return { shapes: joinWays(shapes), bytes }
}

/** Pieces of one way that begin where another ends become one: half as many to draw. */
function joinWays(shapes: readonly TileShape[]): TileShape[] {
  const joined: TileShape[] = []
  const ways = new Map<string, TileShape[]>()
  for (const shape of shapes) {
    if (AREAS.has(shape.kind) || shape.kind === 'place') {
      joined.push(shape)
      continue
    }
    const key = `${shape.kind} ${shape.isNameOnly} ${shape.name}`
    const found = ways.get(key)
    if (found) found.push(shape)
    else ways.set(key, [shape])
  }
  for (const pieces of ways.values()) {
    const [first] = pieces
    if (!first) continue
    if (pieces.length === 1) joined.push(first)
    else
      for (const track of joinTracks(pieces.flatMap(({ tracks }) => tracks)))
        joined.push({ ...first, tracks: [track], bounds: measureTrack(track) })
  }
  return joined
}

function measureTrack(track: Float32Array): TileShape['bounds'] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < track.length; at += 2) {
    const [x = 0, y = 0] = [track[at], track[at + 1]]
    bounds[0] = Math.min(bounds[0], x)
    bounds[1] = Math.min(bounds[1], y)
    bounds[2] = Math.max(bounds[2], x)
    bounds[3] = Math.max(bounds[3], y)
  }
  return bounds
}

const AREAS: ReadonlySet<ShapeKind> = new Set(['water', 'green', 'building'])

/** Areas are polygons, ways are lines and places are points; names of waters and parks may be points too. */
function isOfType(kind: ShapeKind, { type }: VectorTileFeature): boolean {
  if (kind === 'place') return type === 1
  if (AREAS.has(kind)) return type === 3 || (type === 1 && kind !== 'building')
  return type === 2
}

function readShape(feature: VectorTileFeature, kind: ShapeKind, scale: number, isNameOnly: boolean): TileShape {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  const tracks = feature.loadGeometry().map((points) => {
    const track = new Float32Array(points.length * 2)
    for (const [at, point] of points.entries()) {
      const [x, y] = [point.x * scale, point.y * scale]
      track[at * 2] = x
      track[at * 2 + 1] = y
      if (x < bounds[0]) bounds[0] = x
      if (y < bounds[1]) bounds[1] = y
      if (x > bounds[2]) bounds[2] = x
      if (y > bounds[3]) bounds[3] = y
    }
    return track
  })
  return {
    kind,
    tracks,
    bounds,
    ...readNames(feature.properties),
    rank: kind === 'place' ? rankPlace(feature.properties) : 0,
    isNameOnly: isNameOnly || feature.type === 1,
  }
}

function readNames(properties: ShapeProperties): Pick<TileShape, 'name' | 'names'> {
  const read = (key: string) => cleanName(properties[key])
  const name = read('name') || read('name:latin') || read('name_en')
  const readIn = (language: string) => read(`name:${language}`) || read(`name_${language}`)
  const others = { en: readIn('en'), 'fr-CA': readIn('fr'), cy: readIn('cy') }
  const differing = Object.entries(others).filter(([, other]) => other && other !== name)
  return { name, names: differing.length > 0 ? Object.fromEntries(differing) : undefined }
}

/** Without what could hide or turn letters around. */
export function cleanName(value: unknown, most = MAX_NAME_LETTERS): string {
  if (typeof value !== 'string') return ''
  const clean = value
    .slice(0, most * 4)
    .toWellFormed()
    .replace(HIDDEN, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return Array.from(clean).slice(0, most).join('')
}

/** Control characters, marks that change the direction of text, and characters without width. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- these are what is removed
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu
