import { computeAverages, computeNetPromoterScore } from './compute-averages.ts'
import type { CountedValue, FigureRow, QuestionFigures, SurveyFigures } from './figures.ts'
import { findSuppressedCells, SUPPRESSION_THRESHOLD, type TableCell } from '#app/lib/suppressed-cells.ts'
import { roundCoarsely, WHOLE_RESPONSE } from '../responses/tallies.ts'
import type { Cohort } from './results-filter.ts'

/** From this many answers on, an average is shown even if some steps are suppressed. */
const MIN_FOR_AVERAGE = 100
/** Unless more than this share of the answers is suppressed: the average would be a guess. */
const MAX_HIDDEN_SHARE = 0.1

const SEVERAL_CHOICE_TYPES = new Set(['several_choices', 'picture_choice', 'matrix_several'])

const FOUND_VALUE_TYPES = new Set(['number', 'slider', 'date', 'time', 'address'])

/** True if the results list only the values that were given, not every possible value. */
const isFoundByAnswers = ({ question, shape }: Pick<QuestionFigures, 'question' | 'shape'>): boolean =>
  FOUND_VALUE_TYPES.has(question.type) || shape === 'list'

/** True if people could choose several answers, so that the counts do not add up to the number of people. */
export const canChooseSeveral = (type: string): boolean => SEVERAL_CHOICE_TYPES.has(type)

type ShownFigures = Pick<SurveyFigures, 'languages' | 'sources'> & {
  questions: readonly (Omit<QuestionFigures, 'question'> & { id: string })[]
}

/**
 * The figures as anyone may see them: small counts are suppressed, plus as many others as needed so that none can be derived. Values shown
 * beside the counts, such as a mean, are computed from the visible counts.
 * @param before the figures as last shown: what was suppressed then is suppressed first
 */
export function toPublishableFigures(figures: SurveyFigures, before?: ShownFigures): SurveyFigures {
  return {
    ...figures,
    medianSeconds: figures.responses < SUPPRESSION_THRESHOLD ? null : figures.medianSeconds,
    languages: putHiddenLast(suppressSmallCounts(figures.languages, before?.languages)),
    sources: putHiddenLast(suppressSmallCounts(figures.sources, before?.sources)),
    questions: figures.questions.map((each) =>
      toPublishableQuestion(
        each,
        before?.questions.find(({ id }) => id === each.question.id),
      ),
    ),
  }
}

type EarlierFigures = Pick<QuestionFigures, 'cells' | 'rows'> | undefined

/** The figures of one question as anyone may see them. */
export function toPublishableQuestion(figures: QuestionFigures, before?: EarlierFigures): QuestionFigures {
  const answered = figures.answered ?? 0
  if (answered < SUPPRESSION_THRESHOLD) return suppressEverything(figures)
  if (figures.shape === 'ranking') return { ...figures, rows: putHiddenRanksLast(figures, toPublishableRanking(figures.rows, before)) }
  if (figures.shape === 'budget') return { ...figures, rows: toPublishableAmounts(figures.rows, answered, before) }
  if (figures.shape === 'places') return toPublishablePlaces(figures, before)
  const hide = canChooseSeveral(figures.question.type)
    ? (cells: readonly CountedValue[], people: number, last?: readonly CountedValue[]) =>
        suppressSmallOverlappingCounts(cells, people, last)
    : (cells: readonly CountedValue[], _people: number, last?: readonly CountedValue[]) => suppressSmallCounts(cells, last)
  const cells = hide(figures.cells, answered, before?.cells)
  return {
    ...figures,
    // A value known only from the answers reveals something just by being listed.
    ...(isFoundByAnswers(figures) ? omitSuppressed(cells) : { cells }),
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
  const isNamedByAnswers = isFoundByAnswers(figures) || figures.shape === 'places'
  const rows = figures.rows.map((row) => ({ ...row, answered: null, cells: suppressAllCounts(row.cells), mean: null }))
  return {
    ...figures,
    answered: null,
    cells: isNamedByAnswers ? [] : suppressAllCounts(figures.cells),
    rows: isNamedByAnswers ? [] : putHiddenRanksLast(figures, rows),
    mean: null,
    median: null,
    score: null,
  }
}

/** What is hidden comes last and in an order of its own: its place among the others would say how large it is. */
const putHiddenLast = (cells: readonly CountedValue[]): CountedValue[] => [
  ...cells.filter(({ count }) => count !== null),
  ...cells.filter(({ count }) => count === null).toSorted((a, b) => (a.value < b.value ? -1 : 1)),
]

/** The same for the options of a ranking, which are sorted by their average rank; the others keep the order of the question. */
function putHiddenRanksLast({ question, shape }: QuestionFigures, rows: readonly FigureRow[]): FigureRow[] {
  if (shape !== 'ranking' || !('options' in question)) return [...rows]
  const ids = question.options.map(({ id }) => id)
  const hidden = rows.filter(({ mean }) => mean === null).toSorted((a, b) => ids.indexOf(a.value) - ids.indexOf(b.value))
  return [...rows.filter(({ mean }) => mean !== null), ...hidden]
}

/** For counts whose total is known. */
export function suppressSmallCounts(cells: readonly CountedValue[], before?: readonly CountedValue[]): CountedValue[] {
  return applySuppression(
    cells,
    cells.map((cell) => toTableCell(cell, ['all'], before)),
  )
}

/**
 * For counts without a known total, since people chose as many as they liked. But everybody chose something: if the visible counts add up
 * to fewer than the people who answered, the rest chose something suppressed, which then needs the same protection as counts that add up.
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
 * The averages of a scale. If some counts are suppressed, they are computed from the visible ones, with the rest spread evenly over the
 * suppressed steps, so they reveal nothing that the counts do not.
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

/** A table of options by rank: both how many ranked each option and how many assigned each rank can be known. */
function toPublishableRanking(rows: readonly FigureRow[], before: EarlierFigures): FigureRow[] {
  const publishable = toPublishableTable(rows, before?.rows)
  return rows.map((row, index) => {
    const cells = publishable[index]?.cells ?? []
    const people = row.answered ?? 0
    const { mean } = computeShownAverages(cells, people, row)
    return { ...row, answered: people < SUPPRESSION_THRESHOLD ? null : people, cells, mean: people < SUPPRESSION_THRESHOLD ? null : mean }
  })
}

/** The total that was allocated can be known, so a single suppressed average could be derived from the others. */
function toPublishableAmounts(rows: readonly FigureRow[], people: number, before: EarlierFigures): FigureRow[] {
  const asCells = (each: readonly FigureRow[]) => each.map(({ value, answered }) => ({ value, count: answered }))
  const last = before && asCells(before.rows)
  const publishable = suppressSmallOverlappingCounts(asCells(rows), people, last)
  const hidden = publishable.filter(({ count }) => count === null)
  const [next] =
    hidden.length === 1 ? publishable.filter(({ count }) => count !== null).toSorted((a, b) => (a.count ?? 0) - (b.count ?? 0)) : []
  return rows.map((row, index) => {
    const count = publishable[index] === next ? null : (publishable[index]?.count ?? null)
    return { ...row, answered: count, mean: count === null ? null : row.mean }
  })
}

/** Areas, each the sum of its squares, which together are everybody who gave a point. An area with few points is not even named. */
function toPublishablePlaces(figures: QuestionFigures, before: EarlierFigures): QuestionFigures {
  const lastSquares = before && [...before.cells, ...before.rows.flatMap(({ cells }) => cells)]
  if (figures.rows.length === 0) return { ...figures, ...omitSuppressed(suppressSmallCounts(figures.cells, lastSquares)) }
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
    hasUnlisted: hidden.size > 0,
    rows: figures.rows
      .flatMap((row, index) => {
        const cells = row.cells.filter((_, at) => !isHidden(table[index]?.squares[at]))
        const answered = isHidden(table[index]?.area) ? null : row.answered
        return answered === null && cells.length === 0 ? [] : [{ ...row, answered, cells }]
      })
      .toSorted((a, b) => Number(a.answered === null) - Number(b.answered === null)),
  }
}

function omitSuppressed(cells: readonly CountedValue[]): Pick<QuestionFigures, 'cells' | 'hasUnlisted'> {
  const shown = cells.filter(({ count }) => count !== null)
  return { cells: shown, hasUnlisted: shown.length < cells.length }
}

interface TableRow {
  value: string
  cells: CountedValue[]
}

/** A cross-table with small numbers suppressed. Row and column totals can be known. */
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

/** Rounds to the nearest multiple of five, so that comparing several cohorts does not reveal anyone's answers. */
export const roundToFive = (count: number): number => Math.round(count / SUPPRESSION_THRESHOLD) * SUPPRESSION_THRESHOLD

/**
 * A cohort's figures for people who may not see personal data: rounded to fives, with small counts set to zero so that they are suppressed.
 */
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
 * Whether a cohort would reveal a few people: because few belong to it, few are outside it, or it is defined by an answer whose count is
 * suppressed in the overall figures.
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
  return figures.answered === null || isSuppressedIn([...figures.cells, ...ofRows], value) || (isFoundByAnswers(figures) && !isNamed)
}

const isSuppressedIn = (cells: readonly CountedValue[], value: string) => cells.some((cell) => cell.value === value && cell.count === null)
