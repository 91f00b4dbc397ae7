import type { Point } from '../polygons.schema.ts'

interface Edge {
  from: Point
  to: Point
  left: number
  right: number
}

const findTurn = (a: Point, b: Point, c: Point): number => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

/** Both ends of each edge lie on different sides of the other. Edges that only touch do not cross. */
const doCross = (one: Edge, other: Edge): boolean =>
  findTurn(one.from, one.to, other.from) * findTurn(one.from, one.to, other.to) < 0 &&
  findTurn(other.from, other.to, one.from) * findTurn(other.from, other.to, one.to) < 0

const isApart = (one: Edge, other: Edge): boolean =>
  Math.max(one.from[1], one.to[1]) < Math.min(other.from[1], other.to[1]) ||
  Math.max(other.from[1], other.to[1]) < Math.min(one.from[1], one.to[1])

/** True if two edges of a ring, which is closed by its first corner, cross. Compares only edges above the same longitudes. */
export function isCrossing(ring: readonly Point[]): boolean {
  const edges = ring
    .map((from, at): Edge => {
      const to = ring[(at + 1) % ring.length] ?? from
      return { from, to, left: Math.min(from[0], to[0]), right: Math.max(from[0], to[0]) }
    })
    .toSorted((a, b) => a.left - b.left)
  let near: Edge[] = []
  for (const edge of edges) {
    near = near.filter(({ right }) => right >= edge.left)
    if (near.some((other) => !isApart(edge, other) && doCross(edge, other))) return true
    near.push(edge)
  }
  return false
}
