import type { MapFeature, MapGeometry } from '#app/features/areas/streets/write-map-file.server.ts'
import { isPointInside, type Rings } from '#app/features/areas/polygons.schema.ts'
import type { Position } from '#app/lib/geometry.ts'
import { createRandom, type Random } from '#app/lib/random.ts'
import type { DemoTown } from './content/types.ts'

const METRES_PER_DEGREE = 111_320
/** Between streets along and across a quarter, in metres. */
const BLOCK = { along: 118, across: 172 }
/** A street bends by so many metres. */
const BEND = 7
const STEP = 43
/** So far do houses and small streets stay from water and main roads. */
const CLEAR_OF_WATER = 14
const CLEAR_OF_MAINS = 13

type Metres = readonly [x: number, y: number]

/** Makes up the streets, houses, parks and water of a town. The same town is always the same. */
export function buildTown(town: DemoTown, areas: ReadonlyMap<string, Rings>, seed: string): MapFeature[] {
  const random = createRandom(`${seed} town`)
  const sheet = createSheet(town.mains[0]?.middle[0] ?? [0, 0])
  const smooth = (middle: readonly Position[]) => smoothWay(middle.map(sheet.toMetres))
  const waters = town.waters.map(({ middle, metres, name, names }) => {
    const ring = thickenWay(smooth(middle), metres, random)
    sheet.addArea('water', 'water', ring, { name, ...names })
    return ring
  })
  const parks = town.parks.map(({ at, metres, name }) => addPark(sheet, drawPark(sheet.toMetres(at), metres, random), name, random))
  const streams = town.streams.map(({ middle, name }) => sheet.addWay('waterway', 'stream', smooth(middle), name))
  for (const { middle } of town.rails) sheet.addWay('roads', 'rail', smooth(middle))
  const mains = town.mains.map(({ middle, kind, name }) => sheet.addWay('roads', kind, smooth(middle), name))
  const isNearWater = createNearness([...waters, ...streams], CLEAR_OF_WATER)
  const ground: Ground = {
    isWet: (spot) => waters.some((ring) => isIn(spot, ring)) || isNearWater(spot),
    isGreen: (spot) => parks.some((ring) => isIn(spot, ring)),
    isBusy: createNearness(mains, CLEAR_OF_MAINS),
  }
  const used = new Set(town.mains.map(({ name }) => name))
  for (const quarter of town.quarters) {
    const rings = areas.get(quarter.name)?.map((ring) => ring.map(sheet.toMetres)) ?? []
    const names = nameStreets(town, quarter, used, random)
    buildQuarter(sheet, ground, { quarter, rings, names, random })
    if (areas.size === 0 && quarter.at) sheet.addPlace('suburb', quarter.at, quarter.name)
  }
  return sheet.features
}

/** What a town is drawn on: in metres from the equator and Greenwich, so that lengths are what they are. */
interface Sheet {
  features: MapFeature[]
  toMetres: (place: Position) => Metres
  /** @returns the way */
  addWay: (layer: string, kind: string, way: readonly Metres[], name?: string) => readonly Metres[]
  addArea: (layer: string, kind: string, ring: readonly Metres[], names?: Record<string, string>) => void
  addPlace: (kind: string, at: Position, name: string) => void
}

function createSheet([, latitude]: Position): Sheet {
  const perLng = METRES_PER_DEGREE * Math.cos((latitude * Math.PI) / 180)
  const toDegrees = ([x, y]: Metres): number[] => [roundDegrees(x / perLng), roundDegrees(y / METRES_PER_DEGREE)]
  const features: MapFeature[] = []
  const add = (layer: string, kind: string, geometry: MapGeometry, names: Record<string, string> = {}) =>
    features.push({ type: 'Feature', properties: { layer, kind, ...names }, geometry })
  return {
    features,
    toMetres: ([lng, lat]) => [lng * perLng, lat * METRES_PER_DEGREE],
    addWay: (layer, kind, way, name) => {
      add(layer, kind, { type: 'LineString', coordinates: way.map(toDegrees) }, name ? { name } : {})
      return way
    },
    addArea: (layer, kind, ring, names) => add(layer, kind, { type: 'Polygon', coordinates: [closeRing(ring.map(toDegrees))] }, names),
    addPlace: (kind, at, name) => add('places', kind, { type: 'Point', coordinates: [...at] }, { name }),
  }
}

/** A park with a path through it. @returns its outline */
function addPark(sheet: Sheet, ring: Metres[], name: string, random: Random): Metres[] {
  sheet.addArea('landuse', 'park', ring, { name })
  const [one, other] = [ring[2], ring[Math.floor(ring.length / 2) + 2]]
  if (one && other) sheet.addWay('roads', 'path', smoothWay([one, nudgeSpot(centreOf(ring), random, 30), other]))
  return ring
}

interface Ground {
  isWet: (spot: Metres) => boolean
  isGreen: (spot: Metres) => boolean
  isBusy: (spot: Metres) => boolean
}

interface QuarterPlan {
  quarter: DemoTown['quarters'][number]
  rings: Metres[][]
  names: Iterator<string, undefined>
  random: Random
}

function buildQuarter(sheet: Sheet, { isWet, isGreen, isBusy }: Ground, { quarter, rings, names, random }: QuarterPlan): void {
  const { metres } = quarter
  const at = quarter.at ? sheet.toMetres(quarter.at) : centreOf(rings[0] ?? [])
  const reach = metres ?? Math.max(...rings.flat().map((spot) => measureDistance(spot, at)))
  const isHere = (spot: Metres) =>
    metres ? measureDistance(spot, at) < metres * (0.86 + 0.14 * Math.sin(spot[0] / 130)) : rings.some((ring) => isIn(spot, ring))
  const isFree = (spot: Metres) => isHere(spot) && !isWet(spot) && !isGreen(spot)
  const grid = createGrid(at, quarter.angle, random)
  for (const direction of ['along', 'across'] as const) {
    const count = Math.ceil(reach / BLOCK[direction])
    // The streets of the stories are in the middle.
    for (let each = 0; each <= 2 * count; each++) {
      const number = (each % 2 ? 1 : -1) * Math.ceil(each / 2)
      const way: Metres[] = []
      for (let along = -reach; along <= reach; along += STEP) way.push(grid.spotAt(direction, number, along))
      const pieces = splitWay(way, isFree, direction === 'across' ? 0.02 : 0.008, random).filter((piece) => piece.length > 2)
      if (pieces.length === 0) continue
      const name = names.next().value
      for (const piece of pieces) sheet.addWay('roads', 'residential', piece, name)
    }
  }
  for (const house of grid.listHouses(reach)) {
    if (isFree(centreOf(house)) && !house.some((corner) => isBusy(corner) || isWet(corner))) sheet.addArea('buildings', 'building', house)
  }
}

const roundDegrees = (degrees: number): number => Number(degrees.toFixed(6))
const measureDistance = (one: Metres, other: Metres): number => Math.hypot(one[0] - other[0], one[1] - other[1])
const isIn = (spot: Metres, ring: Metres[]): boolean => isPointInside(spot, [ring])
const nudgeSpot = ([x, y]: Metres, random: Random, by: number): Metres => [x + (random.next() - 0.5) * by, y + (random.next() - 0.5) * by]
const closeRing = (ring: number[][]): number[][] => (ring[0] ? [...ring, ring[0]] : ring)

const centreOf = (spots: readonly Metres[]): Metres => {
  const [sumX, sumY] = spots.reduce(([x, y], spot) => [x + spot[0], y + spot[1]], [0, 0])
  return [sumX / spots.length, sumY / spots.length]
}

/** A curve through all points, after Catmull and Rom. */
function smoothWay(way: readonly Metres[]): Metres[] {
  if (way.length < 3) return [...way]
  const smooth: Metres[] = []
  for (const [at, from] of way.entries()) {
    const to = way[at + 1]
    if (!to) break
    const [before, after] = [way[at - 1] ?? from, way[at + 2] ?? to]
    for (let part = 0; part < 6; part++) {
      const t = part / 6
      const blend = (axis: 0 | 1) =>
        0.5 *
        (2 * from[axis] +
          (to[axis] - before[axis]) * t +
          (2 * before[axis] - 5 * from[axis] + 4 * to[axis] - after[axis]) * t * t +
          (3 * from[axis] - before[axis] - 3 * to[axis] + after[axis]) * t ** 3)
      smooth.push([blend(0), blend(1)])
    }
  }
  const last = way.at(-1)
  return last ? [...smooth, last] : smooth
}

/** The outline of water around its middle. */
function thickenWay(way: readonly Metres[], metres: number, random: Random): Metres[] {
  const phase = random.next() * 6
  const sides = way.map((spot, at): [Metres, Metres] => {
    const [before, after] = [way[at - 1] ?? spot, way[at + 1] ?? spot]
    const length = measureDistance(before, after) || 1
    const [right, down] = [(after[1] - before[1]) / length, -(after[0] - before[0]) / length]
    const half = (metres / 2) * (1 + 0.16 * Math.sin(at * 0.9 + phase))
    return [
      [spot[0] + right * half, spot[1] + down * half],
      [spot[0] - right * half, spot[1] - down * half],
    ]
  })
  return [...sides.map(([one]) => one), ...sides.toReversed().map(([, other]) => other)]
}

function drawPark([x, y]: Metres, [wide, high]: readonly [number, number], random: Random): Metres[] {
  return Array.from({ length: 18 }, (_, at): Metres => {
    const angle = (at / 18) * 2 * Math.PI
    // Between a rectangle and an ellipse.
    const square = 1 / Math.max(Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle)))
    const far = 0.5 * square ** 0.6 * (0.94 + random.next() * 0.1)
    return [x + Math.cos(angle) * wide * far, y + Math.sin(angle) * high * far]
  })
}

/** Whether something is closer to one of many ways than some metres. */
function createNearness(ways: readonly (readonly Metres[])[], metres: number): (spot: Metres) => boolean {
  const square = 60
  const keyOf = (x: number, y: number) => `${Math.floor(x / square)} ${Math.floor(y / square)}`
  const near = new Map<string, [Metres, Metres][]>()
  for (const way of ways) {
    for (const [at, from] of way.entries()) {
      const to = way[at + 1]
      if (!to) break
      const steps = Math.max(1, Math.ceil(measureDistance(from, to) / square))
      const keys = new Set<string>()
      for (let step = 0; step <= steps; step++) {
        const [x, y] = [from[0] + ((to[0] - from[0]) * step) / steps, from[1] + ((to[1] - from[1]) * step) / steps]
        for (const dx of [-square, 0, square]) for (const dy of [-square, 0, square]) keys.add(keyOf(x + dx, y + dy))
      }
      for (const key of keys) {
        const found = near.get(key)
        if (found) found.push([from, to])
        else near.set(key, [[from, to]])
      }
    }
  }
  return (spot) => (near.get(keyOf(spot[0], spot[1])) ?? []).some(([from, to]) => measureGap(spot, from, to) < metres)
}

function measureGap(spot: Metres, from: Metres, to: Metres): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const share = Math.min(1, Math.max(0, ((spot[0] - from[0]) * dx + (spot[1] - from[1]) * dy) / (dx * dx + dy * dy || 1)))
  return measureDistance(spot, [from[0] + dx * share, from[1] + dy * share])
}

/** The pieces of a way that are free; now and then a step is left out, so that not every street goes through. */
function splitWay(way: readonly Metres[], isFree: (spot: Metres) => boolean, gaps: number, random: Random): Metres[][] {
  const pieces: Metres[][] = []
  let piece: Metres[] = []
  for (const spot of way) {
    if (isFree(spot) && !random.chance(gaps)) piece.push(spot)
    else if (piece.length > 0) {
      pieces.push(piece)
      piece = []
    }
  }
  return piece.length > 0 ? [...pieces, piece] : pieces
}

function createGrid([x, y]: Metres, degrees: number, random: Random) {
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [phase, pace] = [random.next() * 6, 0.0022 + random.next() * 0.001]
  /** A place so far along and across the quarter's streets: all bend alike, so that they never cross twice. */
  const place = (along: number, across: number): Metres => {
    const [bentAlong, bentAcross] = [along + BEND * Math.sin(across * pace + phase), across + BEND * Math.sin(along * pace * 1.3 + phase)]
    return [x + bentAlong * cos - bentAcross * sin, y + bentAlong * sin + bentAcross * cos]
  }
  return {
    spotAt: (direction: 'along' | 'across', number: number, far: number): Metres =>
      direction === 'along' ? place(far, number * BLOCK.along) : place(number * BLOCK.across, far),
    /** Rows of houses on both sides of the streets that go along. */
    listHouses: (reach: number): Metres[][] => {
      const houses: Metres[][] = []
      for (let row = -Math.ceil(reach / BLOCK.along); row <= Math.ceil(reach / BLOCK.along); row++) {
        for (let block = -Math.ceil(reach / BLOCK.across); block <= Math.ceil(reach / BLOCK.across); block++) {
          const end = (block + 1) * BLOCK.across - 12
          for (const side of [1, -1]) {
            let from = block * BLOCK.across + 12
            while (from < end - 14) {
              const wide = Math.min(end - from, 14 + random.next() * 20)
              const deep = 10 + random.next() * 9
              const front = row * BLOCK.along + side * (11 + random.next() * 4)
              const back = front + side * deep
              if (!random.chance(0.12))
                houses.push([place(from, front), place(from + wide, front), place(from + wide, back), place(from, back)])
              from += wide + 4 + random.next() * 9
            }
          }
        }
      }
      return houses
    },
  }
}

/** The names of the stories first, then made-up ones that no other street has. */
function* nameStreets(
  town: DemoTown,
  quarter: DemoTown['quarters'][number],
  used: Set<string | undefined>,
  random: Random,
): Generator<string, undefined> {
  for (const name of quarter.streets) {
    if (used.has(name)) continue
    used.add(name)
    yield name
  }
  const { first, last, isLastFirst, french } = town.otherStreets
  const isFrench = french?.quarter === quarter.name
  const others = isFrench
    ? french.first.flatMap((one) => french.last.map((other) => `${other} ${one}`))
    : first.flatMap((one) => last.map((other) => (isLastFirst ? `${other} ${one}` : `${one} ${other}`)))
  for (const name of random.shuffle(others)) {
    if (used.has(name)) continue
    used.add(name)
    yield name
  }
  return undefined
}
