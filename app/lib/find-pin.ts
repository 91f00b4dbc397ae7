import { type Geometry, type Position, roundTo } from './geometry.ts'

/** Where the pin of a geometry stands: the point, the middle of a line, the centre of an area. */
export function findPin(geometry: Geometry): Position {
  if (geometry.type === 'Point') return geometry.coordinates
  if (geometry.type === 'LineString') return findMiddle(geometry.coordinates)
  const [ring = []] = geometry.coordinates
  return findCentre(ring)
}

function findMiddle(line: readonly Position[]): Position {
  const lengths = line.slice(1).map((to, at) => Math.hypot(to[0] - (line[at]?.[0] ?? 0), to[1] - (line[at]?.[1] ?? 0)))
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2
  for (const [at, length] of lengths.entries()) {
    const [from, to] = [line[at], line[at + 1]]
    if (from && to && left <= length) {
      const share = length === 0 ? 0 : left / length
      return [roundTo(from[0] + (to[0] - from[0]) * share), roundTo(from[1] + (to[1] - from[1]) * share)]
    }
    left -= length
  }
  return line[0] ?? [0, 0]
}

/** Centre of mass of a closed ring. */
function findCentre(ring: readonly Position[]): Position {
  const [originX, originY] = ring[0] ?? [0, 0]
  let [doubled, x, y] = [0, 0, 0]
  for (const [at, to] of ring.slice(1).entries()) {
    const [ax, ay] = [(ring[at]?.[0] ?? 0) - originX, (ring[at]?.[1] ?? 0) - originY]
    const [bx, by] = [to[0] - originX, to[1] - originY]
    const cross = ax * by - bx * ay
    doubled += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  return doubled === 0 ? [originX, originY] : [roundTo(originX + x / (3 * doubled)), roundTo(originY + y / (3 * doubled))]
}
