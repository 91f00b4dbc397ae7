export interface Series {
  name: string
  /** One value per point; `null` if there is none. */
  values: readonly (number | null)[]
}

/** Coordinate space of a plot's SVG, which stretches to the available width. */
export const PLOT = { width: 1000, height: 400 } as const

/** Dash patterns that tell series apart besides their colour. */
export const DASHES = [undefined, '7 5', '2 4', '11 4 2 4'] as const

export const findHighest = (series: readonly Series[]): number =>
  Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))

/** Ticks from the top down: four equal integer steps of 1, 2, 2.5 or 5 times a power of ten that cover `highest`. */
export function computeScale(highest: number): { ticks: number[]; top: number } {
  const rough = Math.max(1, highest) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough && Number.isInteger(candidate))
  const step = round ?? Math.ceil(rough)
  return { ticks: [4, 3, 2, 1, 0].map((count) => count * step), top: 4 * step }
}

type ToCoordinate = (value: number) => number
const roundToTenth = (value: number): number => Math.round(value * 10) / 10

/** An SVG path through the values, interrupted where one is missing. */
export function buildLinePath(values: readonly (number | null)[], x: ToCoordinate, y: ToCoordinate): string {
  let pen: 'M' | 'L' = 'M'
  return values
    .map((value, index) => {
      if (value === null) {
        pen = 'M'
        return ''
      }
      const command = `${pen}${roundToTenth(x(index))} ${roundToTenth(y(value))}`
      pen = 'L'
      return command
    })
    .join('')
}

/** The area under a line without gaps; empty for a line with gaps. */
export function buildAreaPath(values: readonly (number | null)[], x: ToCoordinate, y: ToCoordinate): string {
  if (values.includes(null) || values.length === 0) return ''
  return `${buildLinePath(values, x, y)}L${roundToTenth(x(values.length - 1))} ${PLOT.height}L${roundToTenth(x(0))} ${PLOT.height}Z`
}

/** First, middle and last labels, to write under a plot. */
export function pickEndPoints(points: readonly string[]): string[] {
  const middle = points.length > 4 ? [points[Math.floor(points.length / 2)]] : []
  return Array.from(new Set([points[0], ...middle, points.at(-1)])).filter((point) => point !== undefined)
}
