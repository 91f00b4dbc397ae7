/** Mean and median of a scale from the count of each step, in order. */
export function computeAverages(cells: readonly { value: string; count: number }[]): { mean: number | null; median: number | null } {
  const total = cells.reduce((sum, cell) => sum + cell.count, 0)
  if (total === 0) return { mean: null, median: null }
  const mean = cells.reduce((sum, cell) => sum + Number(cell.value) * cell.count, 0) / total
  return { mean, median: (getStepAt(cells, Math.ceil(total / 2)) + getStepAt(cells, Math.floor(total / 2) + 1)) / 2 }
}

/** The step at `position` (from 1) when all answers are sorted. */
export function getStepAt(cells: readonly { value: string; count: number }[], position: number): number {
  let passed = 0
  for (const cell of cells) {
    passed += cell.count
    if (passed >= position) return Number(cell.value)
  }
  return 0
}

/** Net promoter score from 0 to 10: percentage of promoters (9, 10) minus percentage of detractors (0 to 6). */
export function computeNetPromoterScore(cells: readonly { value: string; count: number }[]): number | null {
  const people = cells.reduce((sum, { count }) => sum + count, 0)
  const countBetween = (from: number, to: number) =>
    cells.filter(({ value }) => Number(value) >= from && Number(value) <= to).reduce((sum, { count }) => sum + count, 0)
  return people === 0 ? null : Math.round(((countBetween(9, 10) - countBetween(0, 6)) / people) * 100)
}
