import { isPointInside, type Rings } from '#app/features/areas/polygons.schema.ts'
import type { CountedValue, SurveyFigures } from './figures.ts'
import { findSquareCentre } from '../responses/tallies.ts'

/** Groups everything outside the areas. */
export const OUTSIDE_AREAS = ''

/**
 * The same figures with place questions grouped by area: each area with the squares whose centres lie in it. Squares stay ungrouped if
 * there are no areas.
 */
export function groupPlacesByArea(figures: SurveyFigures, areas: readonly { name: string; rings: Rings }[]): SurveyFigures {
  if (areas.length === 0) return figures
  return {
    ...figures,
    questions: figures.questions.map((each) =>
      each.shape === 'places' ? { ...each, cells: [], rows: groupSquaresByArea(each.cells, areas) } : each,
    ),
  }
}

function groupSquaresByArea(squares: readonly CountedValue[], areas: readonly { name: string; rings: Rings }[]) {
  const areaOf = (value: string) => {
    const middle = findSquareCentre(value)
    return areas.find(({ rings }) => middle && isPointInside(middle, rings))?.name ?? OUTSIDE_AREAS
  }
  return [...Map.groupBy(squares, ({ value }) => areaOf(value))]
    .map(([value, cells]) => ({ value, answered: cells.reduce((sum, { count }) => sum + (count ?? 0), 0), cells, mean: null }))
    .toSorted((a, b) => Number(a.value === OUTSIDE_AREAS) - Number(b.value === OUTSIDE_AREAS) || b.answered - a.answered)
}
