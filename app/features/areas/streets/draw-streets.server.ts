import type { Box } from '#app/lib/geometry.ts'
import type { Language } from '#app/lib/languages.ts'
import { PICTURE_SIZE, STREET_KINDS, type Spot, type StreetKind, type StreetPath } from '#app/lib/map-picture.ts'
import { createBoxView, type MapView } from '../map/map-view.schema.ts'
import type { MapFile } from './map-file.server.ts'
import { type MapTile, TILE_EXTENT, type TileShape } from './map-tile.server.ts'

/** Tiles of one picture. */
const MAX_TILES = 12
/** Width of a tile in the picture for which its detail is right. */
const TILE_WIDTH = 512
/** Beyond the picture and the edges of tiles, so that no cut is seen. */
const MARGIN = 6
const METRES_PER_DEGREE = 111_320
/** Positions are in halves of a unit of the picture. */
const PARTS = 2

/** Of real streets, in metres, and the least and most units of the picture that they are drawn with. */
const WIDTHS: Partial<Record<StreetKind, { metres: number; least: number; most: number }>> = {
  stream: { metres: 4, least: 0.8, most: 14 },
  rail: { metres: 3, least: 0.8, most: 3 },
  path: { metres: 2, least: 0.8, most: 4 },
  lane: { metres: 4, least: 0.6, most: 20 },
  street: { metres: 8, least: 0.6, most: 34 },
  main: { metres: 10, least: 1.4, most: 40 },
  major: { metres: 13, least: 2, most: 46 },
}
/** Metres for each unit of the picture beyond which a kind would only be a blur. */
const COARSEST: Partial<Record<StreetKind, number>> = { building: 2.4, lane: 4, path: 5, street: 24, stream: 30, rail: 40, main: 120 }
/** Below this width a line has no darker edge. */
const LEAST_CASED = 2.4

/** Part of a street or a name of water, a park or a place, in units of the picture. */
export interface NamedPiece {
  kind: TileShape['kind']
  name: string
  rank: number
  spots: readonly Spot[]
  /** Of an area. */
  box?: Box
}

export interface DrawnStreets {
  paths: StreetPath[]
  named: NamedPiece[]
  /** Metres for each unit of the picture. */
  metres: number
}

interface TileAt {
  x: number
  y: number
  z: number
}

/** What a map file covers. */
export interface MapCover {
  box: Box
  minZoom: number
  maxZoom: number
}

/**
 * Draws what is in the picture of a box, by kind. The same for everybody who looks at it in a language.
 * @param box as `createBoxView` takes it
 */
export async function drawStreets(file: MapFile, cover: MapCover, box: Box, language: Language): Promise<DrawnStreets> {
  const view = createBoxView(box)
  const metres = view.unit.lat * METRES_PER_DEGREE
  const listed = listTiles(view, cover)
  const paths = new Map<StreetKind, string[]>()
  const named: NamedPiece[] = []
  for (const at of listed) {
    const tile = await file.readTile(at.z, at.x, at.y)
    drawTile(tile, createTileView(view, at), { metres, paths, named, language })
  }
  const drawn = STREET_KINDS.flatMap((kind): StreetPath[] => {
    const path = paths.get(kind)?.join('')
    return path ? [{ kind, path, ...measureWidth(kind, metres) }] : []
  })
  return { paths: drawn, named, metres }
}

function measureWidth(kind: StreetKind, metres: number): Pick<StreetPath, 'width' | 'casing'> {
  const given = WIDTHS[kind]
  if (!given) return {}
  const width = Math.min(given.most, Math.max(given.least, given.metres / metres))
  const round = (value: number) => Math.round(value * PARTS * 10) / 10
  const isCased = width >= LEAST_CASED && ['lane', 'street', 'main', 'major'].includes(kind)
  return { width: round(width), ...(isCased && { casing: round(width + 1.4) }) }
}

const toTileX = (lng: number, z: number): number => ((lng + 180) / 360) * 2 ** z
const toTileY = (lat: number, z: number): number => {
  const sine = Math.sin((Math.min(85, Math.max(-85, lat)) * Math.PI) / 180)
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z
}
const toLng = (x: number, z: number): number => (x / 2 ** z) * 360 - 180
const toLat = (y: number, z: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI

function listTiles(view: MapView, cover: MapCover): TileAt[] {
  const [left, top] = view.placeAt([0, 0])
  const [right, bottom] = view.placeAt([PICTURE_SIZE.width, PICTURE_SIZE.height])
  const [west, south, east, north] = [
    Math.max(left, cover.box[0]),
    Math.max(bottom, cover.box[1]),
    Math.min(right, cover.box[2]),
    Math.min(top, cover.box[3]),
  ]
  if (west >= east || south >= north) return []
  const wanted = Math.round(Math.log2(360 / (view.unit.lng * TILE_WIDTH)))
  for (let z = Math.min(cover.maxZoom, Math.max(cover.minZoom, wanted)); z >= cover.minZoom; z--) {
    const most = 2 ** z - 1
    const [fromX, toX] = [toTileX(west, z), toTileX(east, z)].map((x) => Math.min(most, Math.max(0, Math.floor(x)))) as [number, number]
    const [fromY, toY] = [toTileY(north, z), toTileY(south, z)].map((y) => Math.min(most, Math.max(0, Math.floor(y)))) as [number, number]
    const [wide, high] = [toX - fromX + 1, toY - fromY + 1]
    if (wide * high > MAX_TILES) continue
    return Array.from({ length: wide * high }, (_, at) => ({ x: fromX + (at % wide), y: fromY + Math.floor(at / wide), z }))
  }
  return []
}

/** Places a tile's positions in the picture: small enough to be drawn with equal steps. */
interface TileView {
  left: number
  top: number
  stepX: number
  stepY: number
  /** What is drawn of it: the tile where it is in the picture, and a little more. */
  frame: Frame
}

type Frame = readonly [left: number, top: number, right: number, bottom: number]

function createTileView(view: MapView, { x, y, z }: TileAt): TileView {
  const [left, top] = view.spotOf([toLng(x, z), toLat(y, z)])
  const [right, bottom] = view.spotOf([toLng(x + 1, z), toLat(y + 1, z)])
  return {
    left,
    top,
    stepX: (right - left) / TILE_EXTENT,
    stepY: (bottom - top) / TILE_EXTENT,
    frame: [
      Math.max(left - 1, -MARGIN),
      Math.max(top - 1, -MARGIN),
      Math.min(right + 1, PICTURE_SIZE.width + MARGIN),
      Math.min(bottom + 1, PICTURE_SIZE.height + MARGIN),
    ],
  }
}

interface Drawing {
  metres: number
  paths: Map<StreetKind, string[]>
  named: NamedPiece[]
  language: Language
}

const AREAS: ReadonlySet<string> = new Set(['green', 'water', 'building'])

function drawTile(tile: MapTile, view: TileView, { metres, paths, named, language }: Drawing): void {
  for (const shape of tile.shapes) {
    const { kind } = shape
    const [west, north, east, south] = toPictureBox(shape, view)
    const [left, top, right, bottom] = view.frame
    if (east < left || west > right || south < top || north > bottom) continue
    const name = shape.names?.[language] ?? shape.name
    if (kind === 'place' || (shape.isNameOnly && AREAS.has(kind))) {
      const spot: Spot = [(west + east) / 2, (north + south) / 2]
      if (name) named.push({ kind, name, rank: shape.rank, spots: [spot], box: [...spot, ...spot] })
      continue
    }
    if (metres > (COARSEST[kind] ?? Infinity)) continue
    if (AREAS.has(kind)) {
      if (kind === 'building' && (!isMiddleInside(shape) || (east - west) * (south - north) < 4)) continue
      if ((east - west) * (south - north) < 3) continue
      addPath(paths, kind, drawArea(shape, view))
      if (name && kind !== 'building') named.push({ kind, name, rank: 0, spots: [], box: [west, north, east, south] })
      continue
    }
    for (const track of shape.tracks) {
      for (const piece of cutTrack(track, view)) {
        if (!shape.isNameOnly) addPath(paths, kind, drawSteps(piece, false))
        if (name) named.push({ kind, name, rank: 0, spots: piece })
      }
    }
  }
}

function addPath(paths: Map<StreetKind, string[]>, kind: StreetKind, path: string): void {
  if (!path) return
  const found = paths.get(kind)
  if (found) found.push(path)
  else paths.set(kind, [path])
}

const toPictureBox = ({ bounds }: TileShape, { left, top, stepX, stepY }: TileView): Box => [
  left + bounds[0] * stepX,
  top + bounds[1] * stepY,
  left + bounds[2] * stepX,
  top + bounds[3] * stepY,
]

/** What crosses an edge is in both tiles: it is drawn from the one that holds its middle. */
function isMiddleInside({ bounds: [west, north, east, south] }: TileShape): boolean {
  const [x, y] = [(west + east) / 2, (north + south) / 2]
  return x >= 0 && y >= 0 && x < TILE_EXTENT && y < TILE_EXTENT
}

const toSpots = (track: Float32Array, { left, top, stepX, stepY }: TileView): Spot[] => {
  const spots: Spot[] = []
  for (let at = 0; at < track.length; at += 2) spots.push([left + (track[at] ?? 0) * stepX, top + (track[at + 1] ?? 0) * stepY])
  return spots
}

function drawArea(shape: TileShape, view: TileView): string {
  const isWhole = shape.kind === 'building'
  return shape.tracks
    .map((track) => {
      const spots = toSpots(track, view)
      return drawSteps(isWhole ? spots : clipToFrame(spots, view.frame), true)
    })
    .join('')
}

/** The part of a ring in the frame, after Sutherland and Hodgman. */
function clipToFrame(ring: readonly Spot[], [left, top, right, bottom]: Frame): Spot[] {
  let kept = [...ring]
  for (const [axis, bound, inward] of [
    [0, left, 1],
    [0, right, -1],
    [1, top, 1],
    [1, bottom, -1],
  ] as const) {
    const next: Spot[] = []
    for (const [at, spot] of kept.entries()) {
      const last = kept.at(at - 1) ?? spot
      const [isIn, wasIn] = [(spot[axis] - bound) * inward >= 0, (last[axis] - bound) * inward >= 0]
      if (isIn !== wasIn) {
        const share = (bound - last[axis]) / (spot[axis] - last[axis])
        next.push(axis === 0 ? [bound, last[1] + (spot[1] - last[1]) * share] : [last[0] + (spot[0] - last[0]) * share, bound])
      }
      if (isIn) next.push(spot)
    }
    kept = next
  }
  return kept
}

/** The pieces of a line that come near the frame; steps that lie wholly beyond one of its sides are left out. */
function cutTrack(track: Float32Array, view: TileView): Spot[][] {
  const [left, top, right, bottom] = view.frame
  const spots = toSpots(track, view)
  const pieces: Spot[][] = []
  let piece: Spot[] = []
  for (const [at, spot] of spots.entries()) {
    const last = spots[at - 1]
    if (!last) continue
    const isBeyond =
      (last[0] < left && spot[0] < left) ||
      (last[0] > right && spot[0] > right) ||
      (last[1] < top && spot[1] < top) ||
      (last[1] > bottom && spot[1] > bottom)
    if (isBeyond) {
      if (piece.length > 1) pieces.push(piece)
      piece = []
      continue
    }
    if (piece.length === 0) piece.push(last)
    piece.push(spot)
  }
  if (piece.length > 1) pieces.push(piece)
  return pieces
}

/** Relative steps in whole halves; steps too short to be seen are joined with the next. */
function drawSteps(spots: readonly Spot[], isClosed: boolean): string {
  const [first] = spots
  if (!first || spots.length < (isClosed ? 3 : 2)) return ''
  const [startX, startY] = [Math.round(first[0] * PARTS), Math.round(first[1] * PARTS)]
  let [x, y] = [startX, startY]
  let steps = ''
  for (let at = 1; at < spots.length; at++) {
    const spot = spots[at] ?? first
    const [toX, toY] = [Math.round(spot[0] * PARTS), Math.round(spot[1] * PARTS)]
    const isLast = at === spots.length - 1
    const [dx, dy] = [toX - x, toY - y]
    if (dx === 0 && dy === 0) continue
    if (!isLast && Math.abs(dx) + Math.abs(dy) < 3) continue
    if (isLast && isClosed && toX === startX && toY === startY) continue
    steps += `${steps && dx >= 0 ? ' ' : ''}${dx}${dy < 0 ? '' : ' '}${dy}`
    ;[x, y] = [toX, toY]
  }
  return steps && `M${startX} ${startY}l${steps}${isClosed ? 'z' : ''}`
}
