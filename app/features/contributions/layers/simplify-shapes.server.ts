import type { LayerShape, Track } from '#app/lib/vocabulary/contributions.ts'
import { rankPositions } from './rank-positions.server.ts'

/** A layer as it is stored for showing. */
export const MAX_SHOWN_BYTES = 300_000
/** About a tenth of a metre; a metre if there is too much of it. */
const DECIMALS = { fine: 6, coarse: 5 }

interface WholeShape {
  points: Track
  lines: readonly Track[]
  areas: readonly (readonly Track[])[]
}

/**
 * Simplifies shapes until they fit into 300 kB of JSON, the least important corners first. If corners do not suffice, the smallest lines and
 * areas become points.
 */
export function simplifyShapes(whole: readonly WholeShape[]): { shapes: LayerShape[]; isSimplified: boolean } {
  const fine = roundShapes(whole, DECIMALS.fine)
  if (measureBytes(fine) <= MAX_SHOWN_BYTES) return { shapes: fine.map(toStored), isSimplified: false }
  const coarse = roundShapes(whole, DECIMALS.coarse)
  const thinned = thinTracks(coarse)
  return { shapes: (measureBytes(thinned) <= MAX_SHOWN_BYTES ? thinned : shrinkParts(thinned)).map(toStored), isSimplified: true }
}

const measureBytes = (shapes: readonly WholeShape[]): number => JSON.stringify(shapes.map(toStored)).length

function toStored({ points, lines, areas }: WholeShape): LayerShape {
  const shape = {
    ...(points.length > 0 && { points }),
    ...(lines.length > 0 && { lines }),
    ...(areas.length > 0 && { areas }),
  }
  return Object.keys(shape).length > 0 ? shape : null
}

function roundShapes(shapes: readonly WholeShape[], decimals: number): WholeShape[] {
  const factor = 10 ** decimals
  const round = (track: Track) => track.map((value) => Math.round(value * factor) / factor)
  return shapes.map(({ points, lines, areas }) => ({
    points: round(points),
    lines: lines.map(round),
    areas: areas.map((rings) => rings.map(round)),
  }))
}

const measureLetters = (track: Track, at: number): number => `${track[at]},${track[at + 1]},`.length

/** Drops as many positions of lines and outlines as it takes, those that change their course least. */
function thinTracks(shapes: readonly WholeShape[]): WholeShape[] {
  const tracks = shapes.flatMap(({ lines, areas }) => [
    ...lines.map((track) => ({ track, least: 2 })),
    ...areas.flat().map((track) => ({ track, least: 4 })),
  ])
  const ranked = tracks.map(({ track, least }) => rankPositions(track, least))
  const droppable = ranked
    .flatMap((ranks, of) => Array.from(ranks, (rank, at) => ({ rank, of, at: at * 2 })))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
  let excess = measureBytes(shapes) - MAX_SHOWN_BYTES
  let threshold = -1
  for (const { rank, of, at } of droppable) {
    if (excess <= 0 && rank > threshold) break
    threshold = rank
    excess -= measureLetters(tracks[of]?.track ?? [], at)
  }
  const kept = new Map(tracks.map(({ track }, of) => [track, keepAbove(track, ranked[of] ?? new Float64Array(), threshold)]))
  const thin = (track: Track) => kept.get(track) ?? track
  return shapes.map(({ points, lines, areas }) => ({ points, lines: lines.map(thin), areas: areas.map((rings) => rings.map(thin)) }))
}

const keepAbove = (track: Track, ranks: Float64Array, threshold: number): Track =>
  track.filter((_, at) => (ranks[at >> 1] ?? Infinity) > threshold)

/** Turns the smallest lines and areas into points, and drops the smallest holes, until the rest fits. */
function shrinkParts(shapes: readonly WholeShape[]): WholeShape[] {
  const sized = shapes
    .flatMap(({ lines, areas }) => [...lines, ...areas.flat()])
    .map((track) => ({ track, size: measureSize(track) }))
    .toSorted((a, b) => a.size - b.size)
  const gone = new Set<Track>()
  const shrink = () =>
    shapes.map(({ points, lines, areas }) => {
      const lost = [...lines, ...areas.flatMap(([outline]) => (outline ? [outline] : []))].filter((track) => gone.has(track))
      return {
        points: [...points, ...lost.flatMap((track) => track.slice(0, 2))],
        lines: lines.filter((line) => !gone.has(line)),
        areas: areas
          .filter(([outline]) => outline && !gone.has(outline))
          .map(([outline, ...holes]) => [...(outline ? [outline] : []), ...holes.filter((hole) => !gone.has(hole))]),
      }
    })
  const step = Math.max(1, Math.ceil(sized.length / 50))
  for (let at = 0; at < sized.length; at += step) {
    for (const { track } of sized.slice(at, at + step)) gone.add(track)
    const shrunk = shrink()
    if (measureBytes(shrunk) <= MAX_SHOWN_BYTES) return shrunk
  }
  return shrink()
}

function measureSize(track: Track): number {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < track.length; at += 2) {
    const [x, y] = [track[at] ?? 0, track[at + 1] ?? 0]
    west = Math.min(west, x)
    east = Math.max(east, x)
    south = Math.min(south, y)
    north = Math.max(north, y)
  }
  return Math.hypot(east - west, north - south)
}
