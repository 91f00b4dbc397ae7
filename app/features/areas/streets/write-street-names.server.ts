import { PICTURE_SIZE, type Spot, type StreetName } from '#app/lib/map-picture.ts'
import type { DrawnStreets, NamedPiece } from './draw-streets.server.ts'

/** Height of letters in the picture on a wide and on a narrow screen; the style sheet has the same. */
const LETTERS = {
  street: { wide: 11, narrow: 21 },
  main: { wide: 12, narrow: 22 },
  water: { wide: 12, narrow: 22 },
  green: { wide: 11, narrow: 21 },
  place: { wide: 13, narrow: 23 },
  town: { wide: 17, narrow: 28 },
} as const satisfies Record<StreetName['kind'], Record<Screen, number>>

type Screen = 'wide' | 'narrow'

/** Earlier ones are written first. */
const ORDER: Record<StreetName['kind'], number> = { town: 0, place: 1, water: 2, main: 3, green: 4, street: 5 }
const LETTER_WIDTH = 0.54
/** Chinese, Japanese, Korean and other letters that are as wide as high. */
const WIDE_LETTERS = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]/g
/** How far a street may bend under its name. */
const STRAIGHT_WITHIN = 2.5
const MAX_NAMES = 500
/** A long street is named again after so many units of the picture. */
const REPEATED_AFTER = 300
const TWICE_FROM_METRES = 6
/** Metres for each unit of the picture from which only large streets have names. */
export const SMALL_STREETS_TO_METRES = 9
/** Metres for each unit of the picture below which names of towns and quarters are left out: the picture is too close for them to help. */
const LEAST_METRES = { town: 4, place: 0.8 }
/** Points of a line that are closer to the last one do not matter for letters. */
const LEAST_STEP = 4

/** A circle that letters keep clear of. */
export interface Circle {
  spot: Spot
  radius: number
}

/** Circles by the squares of a grid that they touch. */
class TakenGrid {
  readonly #squares = new Map<number, Circle[]>()

  isFree(circles: readonly Circle[]): boolean {
    return circles.every((circle) =>
      this.#list(circle).every((key) =>
        (this.#squares.get(key) ?? []).every(
          ({ spot, radius }) => Math.hypot(spot[0] - circle.spot[0], spot[1] - circle.spot[1]) >= radius + circle.radius,
        ),
      ),
    )
  }

  take(circles: readonly Circle[]): void {
    for (const circle of circles) {
      for (const key of this.#list(circle)) {
        const found = this.#squares.get(key)
        if (found) found.push(circle)
        else this.#squares.set(key, [circle])
      }
    }
  }

  #list({ spot: [x, y], radius }: Circle): number[] {
    const keys: number[] = []
    for (let column = Math.floor((x - radius) / 40); column <= Math.floor((x + radius) / 40); column++) {
      for (let row = Math.floor((y - radius) / 40); row <= Math.floor((y + radius) / 40); row++) keys.push(column * 1000 + row)
    }
    return keys
  }
}

/** Where a name could stand. */
export interface Candidate {
  name: string
  kind: StreetName['kind']
  spot: Spot
  turned: number
  /** Units of the picture along the line. */
  room: number
  order: number
}

/** Writes as many names as there is room for, beside what is taken on each screen; the least important are left out. */
export function writeStreetNames(candidates: readonly Candidate[], taken: Record<Screen, readonly Circle[]>): StreetName[] {
  const written = { wide: writeOn('wide', candidates, taken.wide), narrow: writeOn('narrow', candidates, taken.narrow) }
  return candidates.flatMap((candidate): StreetName[] => {
    const [isWide, isNarrow] = [written.wide.has(candidate), written.narrow.has(candidate)]
    if (!isWide && !isNarrow) return []
    const { name, kind, spot, turned } = candidate
    return [
      {
        name,
        kind,
        spot: [Math.round(spot[0]), Math.round(spot[1])],
        turned,
        fits: isWide && isNarrow ? 'always' : isWide ? 'wide' : 'narrow',
      },
    ]
  })
}

function writeOn(screen: Screen, candidates: readonly Candidate[], taken: readonly Circle[]): Set<Candidate> {
  const grid = new TakenGrid()
  grid.take(taken)
  const written = new Set<Candidate>()
  for (const candidate of candidates) {
    const letters = LETTERS[candidate.kind][screen]
    const width = measureText(candidate.name) * letters
    if (width + letters > candidate.room) continue
    const circles = coverText(candidate, width, letters)
    if (!circles.every(isInPicture) || !grid.isFree(circles)) continue
    grid.take(circles)
    written.add(candidate)
  }
  return written
}

/** As a multiple of the height of its letters. */
const measureText = (name: string): number => LETTER_WIDTH * name.length + (1 - LETTER_WIDTH) * (name.match(WIDE_LETTERS)?.length ?? 0)

const isInPicture = ({ spot: [x, y], radius }: Circle): boolean =>
  x > radius && y > radius && x < PICTURE_SIZE.width - radius && y < PICTURE_SIZE.height - radius

function coverText({ spot, turned }: Pick<Candidate, 'spot' | 'turned'>, width: number, letters: number): Circle[] {
  const angle = (turned * Math.PI) / 180
  const radius = letters * 0.62
  const count = Math.max(1, Math.ceil(width / (letters * 1.1)))
  return Array.from({ length: count + 1 }, (_, at) => {
    const along = (at / count - 0.5) * width
    return { spot: [spot[0] + Math.cos(angle) * along, spot[1] + Math.sin(angle) * along], radius }
  })
}

/** Where names could stand in a picture, the most important first. It takes longer than writing them, and is the same whatever is taken. */
export function listCandidates({ named, metres }: Pick<DrawnStreets, 'named' | 'metres'>): Candidate[] {
  const streets = new Map<string, { kind: StreetName['kind']; pieces: (readonly Spot[])[] }>()
  const areas = new Map<string, Candidate & { size: number }>()
  for (const { kind, name, rank, spots, box } of named) {
    if (box) {
      if (kind === 'place' && metres < (rank >= 8 ? LEAST_METRES.town : LEAST_METRES.place)) continue
      const found = toAreaCandidate(kind, name, rank, box)
      const other = areas.get(`${kind} ${name}`)
      if (!other || other.size < found.size) areas.set(`${kind} ${name}`, found)
    } else {
      const lettered = kind === 'major' || kind === 'main' ? 'main' : kind === 'stream' ? 'water' : 'street'
      const key = `${lettered === 'water' ? 'water' : 'street'} ${name}`
      if (lettered === 'street' && metres > SMALL_STREETS_TO_METRES) continue
      const street = streets.get(key)
      if (street) {
        street.pieces.push(spots)
        if (lettered === 'main') street.kind = 'main'
      } else streets.set(key, { kind: lettered, pieces: [spots] })
    }
  }
  const lines = [...streets.entries()].flatMap(([key, { kind, pieces }]) =>
    toLineCandidates(key.slice(key.indexOf(' ') + 1), kind, pieces, metres),
  )
  return [...areas.values(), ...lines].toSorted((a, b) => a.order - b.order || b.room - a.room).slice(0, MAX_NAMES)
}

function toAreaCandidate(kind: NamedPiece['kind'], name: string, rank: number, [west, north, east, south]: NonNullable<NamedPiece['box']>) {
  const [left, right] = [Math.max(0, west), Math.min(PICTURE_SIZE.width, east)]
  const [top, bottom] = [Math.max(0, north), Math.min(PICTURE_SIZE.height, south)]
  const lettered = kind === 'place' ? (rank >= 8 ? 'town' : 'place') : kind === 'water' ? 'water' : 'green'
  const isPoint = west === east
  return {
    name,
    kind: lettered,
    spot: [(left + right) / 2, (top + bottom) / 2],
    turned: 0,
    room: isPoint ? Infinity : (right - left) * 1.3,
    order: ORDER[lettered] - rank / 100,
    size: (right - left) * (bottom - top),
  } satisfies Candidate & { size: number }
}

function toLineCandidates(name: string, kind: StreetName['kind'], pieces: readonly (readonly Spot[])[], metres: number): Candidate[] {
  const straight = joinPieces(pieces)
    .map(findStraightest)
    .filter((run) => run !== undefined)
    .toSorted((a, b) => b.room - a.room)
  const chosen: typeof straight = []
  for (const run of straight) {
    if (chosen.every(({ spot }) => Math.hypot(spot[0] - run.spot[0], spot[1] - run.spot[1]) > REPEATED_AFTER)) chosen.push(run)
    if (chosen.length > 1 || metres > TWICE_FROM_METRES) break
  }
  return chosen.map((run) => ({ name, kind, ...run, order: ORDER[kind] }))
}

const toKey = ([x, y]: Spot): string => `${Math.round(x)} ${Math.round(y)}`

/** Pieces of one street that begin where another ends become one. */
function joinPieces(pieces: readonly (readonly Spot[])[]): Spot[][] {
  const joined: Spot[][] = []
  const ends = new Map<string, Spot[]>()
  for (const piece of pieces) {
    let spots = [...piece]
    for (const side of ['first', 'last'] as const) {
      const end = side === 'first' ? spots[0] : spots.at(-1)
      const other = end && ends.get(toKey(end))
      if (!end || !other || other === spots) continue
      const [otherFirst, otherLast] = [other[0], other.at(-1)]
      if (!otherFirst || !otherLast) continue
      ends.delete(toKey(otherFirst))
      ends.delete(toKey(otherLast))
      joined.splice(joined.indexOf(other), 1)
      const before = toKey(otherLast) === toKey(end) ? other : other.toReversed()
      const after = side === 'first' ? spots : spots.toReversed()
      spots = [...before, ...after.slice(1)]
    }
    joined.push(spots)
    const [first, last] = [spots[0], spots.at(-1)]
    if (first) ends.set(toKey(first), spots)
    if (last) ends.set(toKey(last), spots)
  }
  return joined
}

/** The longest part of a line that bends so little that straight letters lie on it. */
function findStraightest(spots: readonly Spot[]): Pick<Candidate, 'spot' | 'turned' | 'room'> | undefined {
  const shown = dropNearPoints(spots).slice(0, 400)
  let best: { from: Spot; to: Spot; room: number } | undefined
  for (let start = 0; start < shown.length - 1; start++) {
    const from = shown[start]
    if (!from) continue
    for (let end = start + 1; end < shown.length && end < start + 60; end++) {
      const to = shown[end]
      if (!to || !isStraight(shown, start, end)) break
      const room = Math.hypot(to[0] - from[0], to[1] - from[1])
      if (room > (best?.room ?? 0)) best = { from, to, room }
    }
  }
  if (!best) return undefined
  const clipped = clipToPicture(best.from, best.to)
  if (!clipped) return undefined
  const [[fromX, fromY], [toX, toY]] = clipped
  const turned = Math.round((Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI)
  return {
    spot: [(fromX + toX) / 2, (fromY + toY) / 2],
    turned: turned > 90 ? turned - 180 : turned <= -90 ? turned + 180 : turned,
    room: Math.hypot(toX - fromX, toY - fromY),
  }
}

function dropNearPoints(spots: readonly Spot[]): Spot[] {
  const kept: Spot[] = []
  for (const [at, spot] of spots.entries()) {
    const last = kept.at(-1)
    if (!last || at === spots.length - 1 || Math.hypot(spot[0] - last[0], spot[1] - last[1]) >= LEAST_STEP) kept.push(spot)
  }
  return kept
}

function isStraight(spots: readonly Spot[], start: number, end: number): boolean {
  const [from, to] = [spots[start], spots[end]]
  if (!from || !to) return false
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = Math.hypot(dx, dy)
  if (length === 0) return false
  for (let at = start + 1; at < end; at++) {
    const [x, y] = spots[at] ?? from
    if (Math.abs((x - from[0]) * dy - (y - from[1]) * dx) / length > STRAIGHT_WITHIN) return false
  }
  return true
}

/** The part of a step that is in the picture. */
function clipToPicture(from: Spot, to: Spot): [Spot, Spot] | undefined {
  let [start, end] = [0, 1]
  for (const axis of [0, 1] as const) {
    const step = to[axis] - from[axis]
    const most = axis === 0 ? PICTURE_SIZE.width : PICTURE_SIZE.height
    if (step === 0) {
      if (from[axis] < 0 || from[axis] > most) return undefined
      continue
    }
    const [one, other] = [-from[axis] / step, (most - from[axis]) / step]
    start = Math.max(start, Math.min(one, other))
    end = Math.min(end, Math.max(one, other))
  }
  if (start >= end) return undefined
  const at = (share: number): Spot => [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
  return [at(start), at(end)]
}
