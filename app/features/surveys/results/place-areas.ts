import { isInside, type Rings } from '#app/features/areas/shapes.schema.ts'
import type { CountedValue, SurveyFigures } from './figures.ts'
import { middleOfSquare } from '../responses/tallies.ts'

/** The name of what lies in no area. */
export const OUTSIDE = ''

/**
 * The same figures with each question about places told by areas as well: each with the squares whose middle lies in it. Without areas the
 * squares stay by themselves.
 */
export function withAreas(figures: SurveyFigures, areas: readonly { name: string; rings: Rings }[]): SurveyFigures {
  if (areas.length === 0) return figures
  return {
    ...figures,
    questions: figures.questions.map((each) => (each.shape === 'places' ? { ...each, cells: [], rows: byArea(each.cells, areas) } : each)),
  }
}

function byArea(squares: readonly CountedValue[], areas: readonly { name: string; rings: Rings }[]) {
  const areaOf = (value: string) => {
    const middle = middleOfSquare(value)
    return areas.find(({ rings }) => middle && isInside(middle, rings))?.name ?? OUTSIDE
  }
  return [...Map.groupBy(squares, ({ value }) => areaOf(value))]
    .map(([value, cells]) => ({ value, answered: cells.reduce((sum, { count }) => sum + (count ?? 0), 0), cells, mean: null }))
    .toSorted((a, b) => Number(a.value === OUTSIDE) - Number(b.value === OUTSIDE) || b.answered - a.answered)
}
