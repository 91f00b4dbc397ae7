import type { Point } from './shapes.schema.ts'

/** The site's areas as they are drawn: no finer than a picture shows. */
export interface AreaMap {
  areas: { name: string; rings: Point[][] }[]
}

/** Corners that fall together on a grid of so many steps across the whole are one. */
const STEPS = 900

/** The areas with no more corners than can be told apart where all of them are in view. */
export function drawable(areas: AreaMap['areas']): AreaMap['areas'] {
  const all = areas.flatMap(({ rings }) => rings.flat())
  const span = (axis: 0 | 1) => {
    const values = all.map((point) => point[axis])
    return (
      values.reduce((most, value) => Math.max(most, value), -Infinity) - values.reduce((least, value) => Math.min(least, value), Infinity)
    )
  }
  const step = Math.max(span(0), span(1)) / STEPS
  const round = (value: number) => Number((Math.round(value / step) * step).toFixed(5))
  const thinned = (ring: readonly Point[]) => {
    const corners = ring.map(([x, y]): Point => [round(x), round(y)])
    return corners.filter(([x, y], index) => x !== corners[index - 1]?.[0] || y !== corners[index - 1]?.[1])
  }
  return step > 0 ? areas.map(({ name, rings }) => ({ name, rings: rings.map(thinned).filter((ring) => ring.length > 2) })) : []
}
