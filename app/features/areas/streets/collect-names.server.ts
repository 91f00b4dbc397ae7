import type { Box, Position } from '#app/lib/geometry.ts'
import type { Language } from '#app/lib/languages.ts'
import { type MapTile, TILE_EXTENT, type TileShape } from './map-tile.server.ts'

export const NAME_KINDS = ['place', 'street', 'water', 'green', 'building'] as const
export type NameKind = (typeof NAME_KINDS)[number]

/** Something with a name in a map file. */
export interface MapName {
  /** In the language of the place, and where it differs in others. */
  name: string
  names?: Partial<Record<Language, string>> | undefined
  kind: NameKind
  /** On the street, or in the middle of what has an extent. */
  at: Position
  box: Box
  /** Of a place: the larger, the earlier it is listed. */
  rank: number
}

/** The largest town that a file may hold has far fewer. */
const MAX_NAMES = 30_000
const MAX_PARTS = 200_000
/** Two streets of one name are two if they are farther apart than this, in degrees: about 500 metres. */
const APART = 0.005
const DECIMALS = 5

const KINDS: Partial<Record<TileShape['kind'], NameKind>> = {
  place: 'place',
  major: 'street',
  main: 'street',
  street: 'street',
  lane: 'street',
  path: 'street',
  water: 'water',
  stream: 'water',
  green: 'green',
  building: 'building',
}

interface Part {
  box: Box
  middles: Position[]
  rank: number
}

interface Named extends Pick<MapName, 'name' | 'names' | 'kind'> {
  parts: Part[]
}

/** Brings the names of a file's tiles together: a street that crosses tiles is one. */
export class NameCollector {
  readonly #named = new Map<string, Named>()
  #parts = 0

  add({ shapes }: MapTile, [z, x, y]: readonly [number, number, number]): void {
    const toPosition = createPlacer(z, x, y)
    for (const { name, names, kind: drawn, rank, bounds, tracks } of shapes) {
      const kind = KINDS[drawn]
      if (!name || !kind || this.#parts >= MAX_PARTS) continue
      const [west, north] = toPosition(bounds[0], bounds[1])
      const [east, south] = toPosition(bounds[2], bounds[3])
      const middle =
        kind === 'street' || drawn === 'stream' ? findTrackMiddle(tracks) : [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2]
      const key = `${kind} ${name}`
      const found = this.#named.get(key) ?? { name, names, kind, parts: [] }
      this.#named.set(key, found)
      found.parts.push({ box: [west, south, east, north], middles: [toPosition(middle[0] ?? 0, middle[1] ?? 0)], rank })
      this.#parts += 1
    }
  }

  /** Places and streets first. */
  list(): MapName[] {
    const all = [...this.#named.values()].flatMap(({ parts, ...named }) =>
      joinNearParts(parts).map(({ box, middles, rank }): MapName => ({
        ...named,
        at: roundDegrees(findNearest(middles, [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])),
        box: roundDegrees(box),
        rank,
      })),
    )
    return all.toSorted((a, b) => NAME_KINDS.indexOf(a.kind) - NAME_KINDS.indexOf(b.kind) || b.rank - a.rank).slice(0, MAX_NAMES)
  }
}

const roundDegrees = <Numbers extends readonly number[]>(numbers: Numbers): Numbers =>
  numbers.map((value) => Number(value.toFixed(DECIMALS))) as unknown as Numbers

/** Degrees of a position in a tile. */
function createPlacer(z: number, tileX: number, tileY: number): (x: number, y: number) => Position {
  const tiles = 2 ** z
  return (x, y) => [
    ((tileX + x / TILE_EXTENT) / tiles) * 360 - 180,
    (Math.atan(Math.sinh(Math.PI * (1 - (2 * (tileY + y / TILE_EXTENT)) / tiles))) * 180) / Math.PI,
  ]
}

/** Half way along the longest of the lines. */
function findTrackMiddle(tracks: readonly Float32Array[]): readonly [number, number] {
  const measured = tracks.map((track) => ({ track, length: measureTrack(track) }))
  const [longest] = measured.toSorted((a, b) => b.length - a.length)
  if (!longest) return [0, 0]
  const { track, length } = longest
  let left = length / 2
  for (let at = 2; at < track.length; at += 2) {
    const [fromX = 0, fromY = 0, toX = 0, toY = 0] = track.subarray(at - 2, at + 2)
    const step = Math.hypot(toX - fromX, toY - fromY)
    if (step >= left && step > 0) return [fromX + ((toX - fromX) * left) / step, fromY + ((toY - fromY) * left) / step]
    left -= step
  }
  return [track[0] ?? 0, track[1] ?? 0]
}

function measureTrack(track: Float32Array): number {
  let length = 0
  for (let at = 2; at < track.length; at += 2)
    length += Math.hypot((track[at] ?? 0) - (track[at - 2] ?? 0), (track[at + 1] ?? 0) - (track[at - 1] ?? 0))
  return length
}

/** Parts that touch, or nearly so, are parts of one thing. */
function joinNearParts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    let whole = part
    for (let at = joined.length - 1; at >= 0; at--) {
      const other = joined[at]
      if (!other || !isNear(whole.box, other.box)) continue
      whole = {
        box: coverBoth(whole.box, other.box),
        middles: [...other.middles, ...whole.middles],
        rank: Math.max(whole.rank, other.rank),
      }
      joined.splice(at, 1)
    }
    joined.push(whole)
  }
  return joined
}

const isNear = (one: Box, other: Box): boolean =>
  one[0] - APART <= other[2] && other[0] - APART <= one[2] && one[1] - APART <= other[3] && other[1] - APART <= one[3]

const coverBoth = (one: Box, other: Box): Box => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
]

function findNearest(positions: readonly Position[], [lng, lat]: Position): Position {
  const measure = (position: Position) => Math.hypot(position[0] - lng, position[1] - lat)
  return positions.reduce((best, position) => (measure(position) < measure(best) ? position : best), positions[0] ?? [lng, lat])
}
