import type { Point } from './polygons.schema.ts'

/** The site's areas as they are drawn: no finer than a picture shows. */
export interface AreaMap {
  areas: { name: string; rings: Point[][] }[]
}

/** Corners that fall together on a grid of so many steps across the whole are one. */
const GRID_STEPS = 900

/** The areas with no more corners than can be told apart where all of them are in view. */
export function simplifyAreas(areas: AreaMap['areas']): AreaMap['areas'] {
  const all = areas.flatMap(({ rings }) => rings.flat())
  const measureSpan = (axis: 0 | 1) => {
    const values = all.map((point) => point[axis])
    return (
      values.reduce((most, value) => Math.max(most, value), -Infinity) - values.reduce((least, value) => Math.min(least, value), Infinity)
    )
  }
  const step = Math.max(measureSpan(0), measureSpan(1)) / GRID_STEPS
  const snapToGrid = (value: number) => Number((Math.round(value / step) * step).toFixed(5))
  const simplifyRing = (ring: readonly Point[]) => {
    const corners = ring.map(([x, y]): Point => [snapToGrid(x), snapToGrid(y)])
    return corners.filter(([x, y], index) => x !== corners[index - 1]?.[0] || y !== corners[index - 1]?.[1])
  }
  return step > 0 ? areas.map(({ name, rings }) => ({ name, rings: rings.map(simplifyRing).filter((ring) => ring.length > 2) })) : []
}
