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
const MAIN_ROADS: ReadonlySet<TileShape['kind']> = new Set(['main', 'major'])
/** Letters of all paths of a picture: compressed about two fifths of that. */
const MAX_LETTERS = 48_000

interface Detail {
  /** Half units of the picture that a line may be moved by. */
  tolerance: number
  /** Square units of the picture below which an area is left out. */
  leastArea: number
  leastBuilding: number
  /** Units of the picture below which a piece of a line is left out, unless it is of a main road: in many files these come in short pieces. */
  leastLine: number
  without: readonly StreetKind[]
}

/** The first with which a picture does not become too long. */
const DETAILS: readonly Detail[] = [
  { tolerance: 0.7, leastArea: 3, leastBuilding: 5, leastLine: 0, without: [] },
  { tolerance: 1.2, leastArea: 8, leastBuilding: 16, leastLine: 1.5, without: [] },
  { tolerance: 1.6, leastArea: 20, leastBuilding: 40, leastLine: 4, without: ['path'] },
  { tolerance: 2.2, leastArea: 40, leastBuilding: 120, leastLine: 8, without: ['path', 'lane'] },
  { tolerance: 3, leastArea: 80, leastBuilding: 400, leastLine: 14, without: ['path', 'lane'] },
  { tolerance: 4, leastArea: 160, leastBuilding: Infinity, leastLine: 24, without: ['path', 'lane', 'building', 'rail'] },
  { tolerance: 4, leastArea: 160, leastBuilding: Infinity, leastLine: 48, without: ['path', 'lane', 'building', 'rail'] },
  { tolerance: 5, leastArea: 300, leastBuilding: Infinity, leastLine: 10, without: ['path', 'lane', 'building', 'rail', 'street'] },
]
/** Below this width a line has no darker edge. */
const LEAST_CASED = 2.4

const COARSEST_DETAIL = DETAILS.at(-1) ?? { tolerance: 5, leastArea: 300, leastBuilding: Infinity, leastLine: 10, without: [] }

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
  const tiles: { tile: MapTile; view: TileView }[] = []
  for (const at of listTiles(view, cover)) tiles.push({ tile: await file.readTile(at.z, at.x, at.y), view: createTileView(view, at) })
  let drawing: Drawing
  let tried = guessDetail(tiles, metres)
  do {
    const detail = DETAILS[tried] ?? COARSEST_DETAIL
    drawing = { metres, language, detail, paths: new Map(), named: [], letters: 0 }
    for (const each of tiles) if (drawing.letters <= MAX_LETTERS) drawTile(each.tile, each.view, drawing)
  } while (drawing.letters > MAX_LETTERS && ++tried < DETAILS.length)
  const { paths, named } = drawing
  const drawn = STREET_KINDS.flatMap((kind): StreetPath[] => {
    const path = paths.get(kind)?.join('')
    return path ? [{ kind, path, ...measureWidth(kind, metres) }] : []
  })
  return { paths: drawn, named, metres }
}

/** Dense pictures do not begin with a detail that they could not have. */
function guessDetail(tiles: readonly { tile: MapTile; view: TileView }[], metres: number): number {
  let points = 0
  for (const { tile, view } of tiles) {
    const [left, top, right, bottom] = view.frame
    for (const shape of tile.shapes) {
      if (shape.kind === 'place' || metres > (COARSEST[shape.kind] ?? Infinity)) continue
      const [west, north, east, south] = toPictureBox(shape, view)
      if (east < left || west > right || south < top || north > bottom) continue
      for (const { length } of shape.tracks) points += length / 2
    }
  }
  const crowding = points / DRAWABLE_POINTS
  return GUESSES.filter((most) => crowding > most).length
}

/** As many points, about, are drawn with the first detail. */
const DRAWABLE_POINTS = MAX_LETTERS / 4.5
/** Beyond so many times that many, one detail more is not tried. */
const GUESSES = [2, 3.5, 6, 9]

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
  if (west > east || south > north) return []
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
  /** Bounds of what is drawn: the part of the tile inside the picture, with a small margin. */
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
  detail: Detail
  letters: number
  paths: Map<StreetKind, string[]>
  named: NamedPiece[]
  language: Language
}

const AREAS: ReadonlySet<string> = new Set(['green', 'water', 'building'])

function drawTile(tile: MapTile, view: TileView, drawing: Drawing): void {
  const { metres, named, language, detail } = drawing
  const [left, top, right, bottom] = view.frame
  for (const shape of tile.shapes) {
    if (drawing.letters > MAX_LETTERS) return
    const { kind } = shape
    const box = toPictureBox(shape, view)
    const [west, north, east, south] = box
    if (east < left || west > right || south < top || north > bottom) continue
    const name = shape.names?.[language] ?? shape.name
    if (kind === 'place' || (shape.isNameOnly && AREAS.has(kind))) {
      const spot: Spot = [(west + east) / 2, (north + south) / 2]
      if (name) named.push({ kind, name, rank: shape.rank, spots: [spot], box: [...spot, ...spot] })
      continue
    }
    if (metres > (COARSEST[kind] ?? Infinity) || detail.without.includes(kind)) continue
    if (AREAS.has(kind)) drawArea(shape, view, drawing, name)
    else if (MAIN_ROADS.has(kind) || Math.max(east - west, south - north) >= detail.leastLine) drawLines(shape, view, drawing, name)
  }
}

function drawArea(shape: TileShape, view: TileView, drawing: Drawing, name: string): void {
  const { kind } = shape
  const [west, north, east, south] = toPictureBox(shape, view)
  const isBuilding = kind === 'building'
  if ((east - west) * (south - north) < (isBuilding ? drawing.detail.leastBuilding : drawing.detail.leastArea)) return
  if (isBuilding && !isMiddleInside(shape)) return
  const path = shape.tracks
    .map((track) => {
      const spots = toSpots(track, view)
      return drawSteps(isBuilding ? spots : clipToFrame(spots, view.frame), true, drawing.detail.tolerance)
    })
    .join('')
  addPath(drawing, kind, path)
  if (name && !isBuilding) drawing.named.push({ kind, name, rank: 0, spots: [], box: [west, north, east, south] })
}

function drawLines({ kind, tracks, isNameOnly }: TileShape, view: TileView, drawing: Drawing, name: string): void {
  for (const track of tracks) {
    for (const piece of cutTrack(track, view)) {
      if (!isNameOnly) addPath(drawing, kind, drawSteps(piece, false, drawing.detail.tolerance))
      if (name) drawing.named.push({ kind, name, rank: 0, spots: piece })
    }
  }
}

function addPath(drawing: Drawing, kind: TileShape['kind'], path: string): void {
  if (!path || kind === 'place') return
  drawing.letters += path.length
  const found = drawing.paths.get(kind)
  if (found) found.push(path)
  else drawing.paths.set(kind, [path])
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

/** Relative steps in whole halves of a unit. */
function drawSteps(spots: readonly Spot[], isClosed: boolean, tolerance: number): string {
  const kept = simplifyTrack(spots, tolerance / PARTS)
  const [first] = kept
  if (!first || kept.length < (isClosed ? 3 : 2)) return ''
  const [startX, startY] = [Math.round(first[0] * PARTS), Math.round(first[1] * PARTS)]
  let [x, y] = [startX, startY]
  let steps = ''
  for (let at = 1; at < kept.length; at++) {
    const spot = kept[at] ?? first
    const [dx, dy] = [Math.round(spot[0] * PARTS) - x, Math.round(spot[1] * PARTS) - y]
    if ((dx === 0 && dy === 0) || (isClosed && at === kept.length - 1 && x + dx === startX && y + dy === startY)) continue
    steps += `${steps && dx >= 0 ? ' ' : ''}${dx}${dy < 0 ? '' : ' '}${dy}`
    x += dx
    y += dy
  }
  return steps && `M${startX} ${startY}l${steps}${isClosed ? 'z' : ''}`
}

/** After Ramer, Douglas and Peucker: without the points that a line comes close to without them. */
function simplifyTrack(spots: readonly Spot[], tolerance: number): readonly Spot[] {
  if (spots.length < 3) return spots
  const isKept = new Uint8Array(spots.length)
  isKept[0] = 1
  isKept[spots.length - 1] = 1
  const left: [number, number][] = [[0, spots.length - 1]]
  for (let span = left.pop(); span; span = left.pop()) {
    const [from, to] = span
    const [start, end] = [spots[from], spots[to]]
    if (!start || !end) continue
    const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
    const length = Math.hypot(dx, dy)
    let [most, farthest] = [tolerance, -1]
    for (let at = from + 1; at < to; at++) {
      const [x, y] = spots[at] ?? start
      // A ring ends where it begins: then the distance to that point counts.
      const gap = length === 0 ? Math.hypot(x - start[0], y - start[1]) : Math.abs((x - start[0]) * dy - (y - start[1]) * dx) / length
      if (gap > most) [most, farthest] = [gap, at]
    }
    if (farthest < 0) continue
    isKept[farthest] = 1
    left.push([from, farthest], [farthest, to])
  }
  return spots.filter((_, at) => isKept[at])
}
