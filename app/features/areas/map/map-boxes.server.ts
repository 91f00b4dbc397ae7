import type { Box, Position } from '#app/lib/geometry.ts'

/** About 50 metres: a map does not get closer. */
export const SMALLEST_SPAN = 0.0006

/** At least the smallest span that a map shows. */
export function widenBox([west, south, east, north]: Box): Box {
  const grow = (from: number, to: number): [number, number] => {
    const lack = Math.max(0, SMALLEST_SPAN - (to - from)) / 2
    return [from - lack, to + lack]
  }
  const [[left, right], [bottom, top]] = [grow(west, east), grow(south, north)]
  return [left, bottom, right, top]
}

/** Twice as wide and high; undefined if that is more than the whole map. */
export function doubleBox([west, south, east, north]: Box, whole: Box): Box | undefined {
  const [wide, high] = [(east - west) / 2, (north - south) / 2]
  const box: Box = [Math.max(west - wide, -180), Math.max(south - high, -90), Math.min(east + wide, 180), Math.min(north + high, 90)]
  const isWhole = box[2] - box[0] >= whole[2] - whole[0] && box[3] - box[1] >= whole[3] - whole[1]
  return isWhole ? undefined : box
}

/** Half as wide and high, around the point if there is one in sight. */
export function halveBox([west, south, east, north]: Box, point: Position | undefined): Box {
  const isInSight = point && point[0] >= west && point[0] <= east && point[1] >= south && point[1] <= north
  const [lng, lat] = isInSight ? point : [(west + east) / 2, (south + north) / 2]
  const [wide, high] = [(east - west) / 4, (north - south) / 4]
  return widenBox([lng - wide, lat - high, lng + wide, lat + high])
}
