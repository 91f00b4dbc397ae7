import { computeAverages, computeNetPromoterScore } from './compute-averages.ts'
import type { CountedValue, FigureRow, QuestionFigures, SurveyFigures } from './figures.ts'
import { findSuppressedCells, SUPPRESSION_THRESHOLD, type TableCell } from './suppressed-cells.ts'
import { roundCoarsely, WHOLE_RESPONSE } from '../responses/tallies.ts'
import type { Cohort } from './results-filter.ts'

/** From so many answers on, an average is told although some steps are hidden. */
const MIN_FOR_AVERAGE = 100
/** Unless more than this part of the answers is hidden: then it would be a guess. */
const MAX_HIDDEN_SHARE = 0.1

const SEVERAL_CHOICE_TYPES = new Set(['several_choices', 'picture_choice', 'matrix_several'])

const FOUND_VALUE_TYPES = new Set(['number', 'slider', 'date', 'time', 'address'])

/** Whether people could choose more than one answer, so that the counts do not add up to the people. */
export const canChooseSeveral = (type: string): boolean => SEVERAL_CHOICE_TYPES.has(type)

type ShownFigures = Pick<SurveyFigures, 'languages' | 'sources'> & {
  questions: readonly (Omit<QuestionFigures, 'question'> & { id: string })[]
}

/**
 * The same figures as anybody may see them: small counts are hidden, with as many others as it takes so that none can be worked out. What is
 * told beside the counts, such as a mean, follows from the counts that are shown.
 * @param before the figures as they were shown the last time: what was hidden then is hidden first
 */
export function toPublishableFigures(figures: SurveyFigures, before?: ShownFigures): SurveyFigures {
  return {
    ...figures,
    medianSeconds: figures.responses < SUPPRESSION_THRESHOLD ? null : figures.medianSeconds,
    languages: suppressSmallCounts(figures.languages, before?.languages),
    sources: suppressSmallCounts(figures.sources, before?.sources),
    questions: figures.questions.map((each) =>
      toPublishableQuestion(
        each,
        before?.questions.find(({ id }) => id === each.question.id),
      ),
    ),
  }
}

type EarlierFigures = Pick<QuestionFigures, 'cells' | 'rows'> | undefined

function toPublishableQuestion(figures: QuestionFigures, before: EarlierFigures): QuestionFigures {
  const answered = figures.answered ?? 0
  if (answered < SUPPRESSION_THRESHOLD) return suppressEverything(figures)
  if (figures.shape === 'ranking') return { ...figures, rows: toPublishableRanking(figures.rows, before) }
  if (figures.shape === 'budget') return { ...figures, rows: toPublishableAmounts(figures.rows, answered, before) }
  if (figures.shape === 'places') return toPublishablePlaces(figures, before)
  const hide = canChooseSeveral(figures.question.type)
    ? (cells: readonly CountedValue[], people: number, last?: readonly CountedValue[]) =>
        suppressSmallOverlappingCounts(cells, people, last)
    : (cells: readonly CountedValue[], _people: number, last?: readonly CountedValue[]) => suppressSmallCounts(cells, last)
  const cells = hide(figures.cells, answered, before?.cells)
  return {
    ...figures,
    // A value that only the answers know tells of somebody by being named at all.
    cells: FOUND_VALUE_TYPES.has(figures.question.type) ? omitSuppressed(cells) : cells,
    rows: figures.rows.map((row) => {
      const people = row.answered ?? 0
      const own = hide(row.cells, people, before?.rows.find(({ value }) => value === row.value)?.cells)
      const byPlace = own.map(({ count }, index) => ({ value: String(index + 1), count }))
      return {
        ...row,
        answered: people < SUPPRESSION_THRESHOLD ? null : row.answered,
        cells: own,
        mean: row.mean === null ? null : computeShownAverages(byPlace, people, row).mean,
      }
    }),
    ...computeShownAverages(cells, answered, figures),
  }
}

function suppressEverything(figures: QuestionFigures): QuestionFigures {
  const suppressAllCounts = (cells: readonly CountedValue[]) => cells.map(({ value }) => ({ value, count: null }))
  return {
    ...figures,
    answered: null,
    cells: suppressAllCounts(figures.cells),
    rows: figures.rows.map((row) => ({ ...row, answered: null, cells: suppressAllCounts(row.cells), mean: null })),
    mean: null,
    median: null,
    score: null,
  }
}

/** Of counts whose sum can be known. */
export function suppressSmallCounts(cells: readonly CountedValue[], before?: readonly CountedValue[]): CountedValue[] {
  return applySuppression(
    cells,
    cells.map((cell) => toTableCell(cell, ['all'], before)),
  )
}

/**
 * Of counts that add up to no sum, since people chose as many as they liked. But everybody chose something: if fewer choices are shown than
 * people answered, the rest chose something hidden, which is then protected like counts that add up.
 */
function suppressSmallOverlappingCounts(cells: readonly CountedValue[], people: number, before?: readonly CountedValue[]): CountedValue[] {
  const each = cells.map((cell) => toTableCell(cell, [], before))
  const seen = each.filter(({ count }) => count >= SUPPRESSION_THRESHOLD)
  const hidesSome = seen.length < each.length
  const leftOver = people - seen.reduce((sum, { count }) => sum + count, 0)
  return applySuppression(cells, hidesSome && leftOver > 0 ? each.map((cell) => ({ ...cell, sums: ['all'] })) : each)
}

const toTableCell = ({ value, count }: CountedValue, sums: readonly string[], before: readonly CountedValue[] | undefined): TableCell => ({
  count: count ?? 0,
  sums,
  wasHidden: before !== undefined && !before.some((cell) => cell.value === value && cell.count !== null),
})

function applySuppression(cells: readonly CountedValue[], asTable: readonly TableCell[]): CountedValue[] {
  const hidden = findSuppressedCells(asTable, 'known')
  return cells.map((cell, index) => {
    const own = asTable[index]
    return own && hidden.has(own) ? { ...cell, count: null } : cell
  })
}

type Averages = Pick<QuestionFigures, 'mean' | 'median' | 'score'>

/**
 * What is told of a scale beside its counts. Where some are hidden it is worked out from those that are shown, with the rest spread evenly over
 * the hidden steps: so it holds nothing that they do not.
 */
function computeShownAverages(
  cells: readonly CountedValue[],
  people: number,
  exact: { mean: number | null } & Partial<Averages>,
): Averages {
  const { mean, median = null, score = null } = exact
  const unseen = cells.filter(({ count }) => count === null).length
  if (unseen === 0) return { mean, median, score }
  const rest = people - cells.reduce((sum, { count }) => sum + (count ?? 0), 0)
  if (people < MIN_FOR_AVERAGE || rest > people * MAX_HIDDEN_SHARE) return { mean: null, median: null, score: null }
  const hasSteps = cells.every(({ value }) => Number.isFinite(Number(value)))
  if (!hasSteps)
    return { mean: mean === null ? null : roundCoarsely(mean), median: median === null ? null : roundCoarsely(median), score: null }
  const spread = cells.map(({ value, count }) => ({ value, count: count ?? Math.max(0, rest) / unseen }))
  return {
    ...(mean === null ? { mean: null, median: null } : computeAverages(spread)),
    score: score === null ? null : computeNetPromoterScore(spread),
  }
}

/** A table of options by places: how many ranked each can be known, and how many gave each place. */
function toPublishableRanking(rows: readonly FigureRow[], before: EarlierFigures): FigureRow[] {
  const told = toPublishableTable(rows, before?.rows)
  return rows.map((row, index) => {
    const cells = told[index]?.cells ?? []
    const people = row.answered ?? 0
    const { mean } = computeShownAverages(cells, people, row)
    return { ...row, answered: people < SUPPRESSION_THRESHOLD ? null : people, cells, mean: people < SUPPRESSION_THRESHOLD ? null : mean }
  })
}

/** What was shared out can be known, so that one hidden average could be told from the others. */
function toPublishableAmounts(rows: readonly FigureRow[], people: number, before: EarlierFigures): FigureRow[] {
  const asCells = (each: readonly FigureRow[]) => each.map(({ value, answered }) => ({ value, count: answered }))
  const last = before && asCells(before.rows)
  const told = suppressSmallOverlappingCounts(asCells(rows), people, last)
  const hidden = told.filter(({ count }) => count === null)
  const [next] = hidden.length === 1 ? told.filter(({ count }) => count !== null).toSorted((a, b) => (a.count ?? 0) - (b.count ?? 0)) : []
  return rows.map((row, index) => {
    const count = told[index] === next ? null : (told[index]?.count ?? null)
    return { ...row, answered: count, mean: count === null ? null : row.mean }
  })
}

/** Areas, each the sum of its squares, which together are everybody who gave a point. One in which few did is not even named. */
function toPublishablePlaces(figures: QuestionFigures, before: EarlierFigures): QuestionFigures {
  const lastSquares = before && [...before.cells, ...before.rows.flatMap(({ cells }) => cells)]
  if (figures.rows.length === 0) return { ...figures, cells: omitSuppressed(suppressSmallCounts(figures.cells, lastSquares)) }
  const lastAreas = before?.rows.map(({ value, answered }) => ({ value, count: answered }))
  const table = figures.rows.map((row) => ({
    area: toTableCell({ value: row.value, count: row.answered }, [`area ${row.value}`, 'all'], lastAreas),
    squares: row.cells.map((cell) => toTableCell(cell, [`area ${row.value}`], lastSquares)),
  }))
  const hidden = findSuppressedCells(table.flatMap(({ area, squares }) => [area, ...squares]))
  const isHidden = (cell: TableCell | undefined) => cell === undefined || hidden.has(cell)
  return {
    ...figures,
    cells: [],
    rows: figures.rows.flatMap((row, index) => {
      const cells = row.cells.filter((_, at) => !isHidden(table[index]?.squares[at]))
      const answered = isHidden(table[index]?.area) ? null : row.answered
      return answered === null && cells.length === 0 ? [] : [{ ...row, answered, cells }]
    }),
  }
}

const omitSuppressed = (cells: readonly CountedValue[]) => cells.filter(({ count }) => count !== null)

interface TableRow {
  value: string
  cells: CountedValue[]
}

/** A table of two questions with its small numbers hidden. What a row or a column adds up to can be known. */
export function toPublishableTable(rows: readonly TableRow[], before?: readonly TableRow[]): TableRow[] {
  const table = rows.map(({ value: row, cells }) => {
    const last = before?.find(({ value }) => value === row)?.cells
    return cells.map((cell) => toTableCell(cell, [`row ${row}`, `column ${cell.value}`], last))
  })
  const hidden = findSuppressedCells(table.flat())
  return rows.map(({ value, cells }, at) => ({
    value,
    cells: cells.map((cell, index) => {
      const own = table[at]?.[index]
      return own && hidden.has(own) ? { ...cell, count: null } : cell
    }),
  }))
}

/** The nearest multiple of five: from numbers of several parts of the responses nobody's answers can be worked out. */
export const roundToFive = (count: number): number => Math.round(count / SUPPRESSION_THRESHOLD) * SUPPRESSION_THRESHOLD

/** The figures of a part of the responses for those who may not see each: in fives, with nothing of small counts, which are then hidden. */
export function roundFiguresToFive(figures: SurveyFigures): SurveyFigures {
  const roundCount = (count: number | null) => ((count ?? 0) < SUPPRESSION_THRESHOLD ? 0 : roundToFive(count ?? 0))
  const roundEach = (cells: readonly CountedValue[]) => cells.map(({ value, count }) => ({ value, count: roundCount(count) }))
  return {
    responses: roundCount(figures.responses),
    medianSeconds: null,
    languages: roundEach(figures.languages),
    sources: roundEach(figures.sources),
    questions: figures.questions.map((each) => ({
      ...each,
      asked: roundToFive(each.asked),
      answered: roundCount(each.answered),
      cells: roundEach(each.cells),
      rows: each.rows.map((row) => ({
        ...row,
        answered: roundCount(row.answered),
        cells: roundEach(row.cells),
        mean: roundMean(row.mean),
      })),
      mean: roundMean(each.mean),
      median: each.median === null ? null : roundCoarsely(each.median),
      score: each.score === null ? null : roundToFive(each.score),
    })),
  }
}

const roundMean = (mean: number | null): number | null => (mean === null ? null : Number(mean.toPrecision(2)))

/**
 * Whether a part of the responses tells of a few people: because few belong to it or are left out of it, or because it is named by an answer
 * whose count is hidden in the figures of all.
 */
export function isCohortTooSmall(published: SurveyFigures, { groups }: Cohort, { people, of }: { people: number; of: number }): boolean {
  const leftOut = of - people
  if (people < SUPPRESSION_THRESHOLD || (leftOut > 0 && leftOut < SUPPRESSION_THRESHOLD)) return true
  return groups.some((group) => group.some(({ question, value }) => isSuppressedValue(published, question, value)))
}

function isSuppressedValue(published: SurveyFigures, question: string, value: string): boolean {
  const prefixValues = (prefix: string, cells: readonly CountedValue[]) =>
    cells.map((cell) => ({ ...cell, value: `${prefix}${cell.value}` }))
  if (question === WHOLE_RESPONSE)
    return isSuppressedIn([...prefixValues('l', published.languages), ...prefixValues('c', published.sources)], value)
  const figures = published.questions.find((each) => each.question.id === question)
  if (!figures) return false
  const ofRows = figures.rows.flatMap((row) => [{ value: row.value, count: row.answered }, ...prefixValues(`${row.value}.`, row.cells)])
  const isNamed = figures.cells.some((cell) => cell.value === value)
  return (
    figures.answered === null ||
    isSuppressedIn([...figures.cells, ...ofRows], value) ||
    (FOUND_VALUE_TYPES.has(figures.question.type) && !isNamed)
  )
}

const isSuppressedIn = (cells: readonly CountedValue[], value: string) => cells.some((cell) => cell.value === value && cell.count === null)
