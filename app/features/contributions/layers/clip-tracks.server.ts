import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'

/** Beyond the picture, so that no cut edge is seen. */
const MARGIN = 12
const [LEAST, MOST] = [-MARGIN, { 0: PICTURE_SIZE.width + MARGIN, 1: PICTURE_SIZE.height + MARGIN }] as const

interface Edge {
  axis: 0 | 1
  bound: number
  /** 1 if what is above the bound is inside. */
  inward: 1 | -1
}
const EDGES: readonly Edge[] = [
  { axis: 0, bound: LEAST, inward: 1 },
  { axis: 0, bound: MOST[0], inward: -1 },
  { axis: 1, bound: LEAST, inward: 1 },
  { axis: 1, bound: MOST[1], inward: -1 },
]

const isInside = (spot: Spot, { axis, bound, inward }: Edge): boolean => (spot[axis] - bound) * inward >= 0

function cutAt(from: Spot, to: Spot, { axis, bound }: Edge): Spot {
  const share = (bound - from[axis]) / (to[axis] - from[axis])
  return axis === 0 ? [bound, from[1] + (to[1] - from[1]) * share] : [from[0] + (to[0] - from[0]) * share, bound]
}

/** The part of a ring that is in the picture, after Sutherland and Hodgman. */
export const clipRing = (ring: readonly Spot[]): readonly Spot[] =>
  EDGES.reduce<readonly Spot[]>((left, edge) => {
    const kept: Spot[] = []
    for (const [at, spot] of left.entries()) {
      const last = left.at(at - 1)
      if (last && isInside(last, edge) !== isInside(spot, edge)) kept.push(cutAt(last, spot, edge))
      if (isInside(spot, edge)) kept.push(spot)
    }
    return kept
  }, ring)

/** The pieces of a line that are in the picture. */
export const clipLine = (line: readonly Spot[]): Spot[][] =>
  EDGES.reduce<Spot[][]>((pieces, edge) => pieces.flatMap((piece) => cutLine(piece, edge)), [[...line]])

function cutLine(line: readonly Spot[], edge: Edge): Spot[][] {
  const pieces: Spot[][] = []
  let piece: Spot[] = []
  for (const [at, spot] of line.entries()) {
    const last = at > 0 ? line[at - 1] : undefined
    const enters = isInside(spot, edge)
    if (last && isInside(last, edge) !== enters) piece.push(cutAt(last, spot, edge))
    if (enters) piece.push(spot)
    else if (piece.length > 0) {
      pieces.push(piece)
      piece = []
    }
  }
  if (piece.length > 0) pieces.push(piece)
  return pieces.filter(({ length }) => length > 1)
}
