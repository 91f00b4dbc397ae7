import { computeAverages, computeNetPromoterScore } from './compute-averages.ts'
import type { CountedValue, FigureRow, QuestionFigures, SurveyFigures } from './figures.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { canChooseSeveral } from './publishable-figures.ts'

/** A question's figures without its texts, which come from the current survey. */
export type QuestionCounts = Omit<QuestionFigures, 'question'> & { id: string; type: string }

/** Figures as stored: numbers only. */
export type SurveyCounts = Omit<SurveyFigures, 'questions'> & { questions: QuestionCounts[] }

export const toSurveyCounts = ({ questions, ...whole }: SurveyFigures): SurveyCounts => ({
  ...whole,
  questions: questions.map(({ question, ...numbers }) => ({ ...numbers, id: question.id, type: question.type })),
})

/** The current questions with the stored numbers; omits questions that were not asked then or whose type has changed. */
export function applyCounts(figures: SurveyFigures, { questions, ...whole }: SurveyCounts): SurveyFigures {
  return {
    ...whole,
    questions: figures.questions.flatMap(({ question }) => {
      const kept = questions.find(({ id, type }) => id === question.id && type === question.type)
      if (!kept) return []
      const { id: _id, type: _type, ...numbers } = kept
      return [{ ...numbers, question }]
    }),
  }
}

/**
 * Compares new counts with those published before: each stays the same or moves by at least five, since a smaller change would reveal what
 * a few people said. Counts that lag behind catch up together in steps of five, so that the counts of a question still add up to roughly
 * the number of people who answered it.
 */
export function moveCountsInSteps(before: SurveyCounts, now: SurveyCounts): SurveyCounts {
  return {
    ...now,
    responses: moveCount(before.responses, now.responses),
    languages: moveCountsTogether(before.languages, now.languages),
    sources: moveCountsTogether(before.sources, now.sources),
    questions: now.questions.map((each) => {
      const last = before.questions.find(({ id, type }) => id === each.id && type === each.type)
      return last ? moveQuestion(last, each) : each
    }),
  }
}

function moveQuestion(before: QuestionCounts, now: QuestionCounts): QuestionCounts {
  const answered = moveCount(before.answered, now.answered ?? 0)
  const cells = moveCells(now.type, before.cells, now.cells, answered)
  const rows = now.rows.map((row) => {
    const last = before.rows.find(({ value }) => value === row.value)
    return last ? moveRow(now, last, row) : row
  })
  const hasSteps = now.shape === 'scale' && cells.every(({ value }) => Number.isFinite(Number(value)))
  const steps = cells.map(({ value, count }) => ({ value, count: count ?? 0 }))
  return {
    ...now,
    asked: Math.max(moveCount(before.asked, now.asked), answered),
    answered,
    cells,
    rows: now.shape === 'ranking' ? rows.toSorted((a, b) => (a.mean ?? Infinity) - (b.mean ?? Infinity)) : rows,
    ...(hasSteps && now.mean !== null && computeAverages(steps)),
    ...(hasSteps && now.score !== null && { score: computeNetPromoterScore(steps) }),
  }
}

function moveRow({ type, shape }: QuestionCounts, before: FigureRow, now: FigureRow): FigureRow {
  const answered = moveCount(before.answered, now.answered ?? 0)
  if (shape === 'budget') return { ...now, answered }
  const cells = moveCells(type, before.cells, now.cells, answered)
  const byPlace = cells.map(({ count }, index) => ({ value: String(index + 1), count: count ?? 0 }))
  return { ...now, answered, cells, mean: now.mean === null ? null : computeAverages(byPlace).mean }
}

/** Choices that allow several answers each move independently, but never exceed the number of people. */
function moveCells(type: string, before: readonly CountedValue[], now: readonly CountedValue[], people: number): CountedValue[] {
  if (!canChooseSeveral(type)) return moveCountsTogether(before, now)
  return now.map((cell) => {
    const last = getCount(before, cell.value)
    const moved = moveCountsTogether(before, [cell])[0] ?? cell
    return (moved.count ?? 0) > people && last <= people ? { ...cell, count: last } : moved
  })
}

const getCount = (cells: readonly CountedValue[], value: string): number => cells.find((cell) => cell.value === value)?.count ?? 0

const moveCount = (before: number | null, now: number): number =>
  Math.abs(now - (before ?? 0)) < SUPPRESSION_THRESHOLD ? (before ?? 0) : now

function moveCountsTogether(before: readonly CountedValue[], now: readonly CountedValue[]): CountedValue[] {
  const moved = now.map(({ value, count }) => {
    const last = getCount(before, value)
    return { value, count: moveCount(last, count ?? 0), last, behind: (count ?? 0) - last }
  })
  const waiting = moved.filter(({ count, last }) => count === last)
  const behind = waiting.reduce((sum, cell) => sum + cell.behind, 0)
  const step = Math.sign(behind) * SUPPRESSION_THRESHOLD
  const first = waiting
    .filter((cell) => cell.behind * step > 0 && cell.last + step >= 0)
    .toSorted((a, b) => (b.behind - a.behind) * Math.sign(step))
    .slice(0, Math.round(Math.abs(behind) / SUPPRESSION_THRESHOLD))
  for (const cell of first) cell.count += step
  return moved.map(({ value, count }) => ({ value, count }))
}
