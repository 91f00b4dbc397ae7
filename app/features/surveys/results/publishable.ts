import { averages, scoreOf } from './averages.ts'
import type { CountedValue, FigureRow, QuestionFigures, SurveyFigures } from './figures.ts'
import { findHidden, SMALLEST_CELL, type TableCell } from './hidden-cells.ts'
import { coarse, WHOLE } from '../responses/tallies.ts'
import type { Part } from './results-filter.ts'

/** From so many answers on, an average is told although some steps are hidden. */
const SAFE_AVERAGE = 100
/** Unless more than this part of the answers is hidden: then it would be a guess. */
const MOST_GUESSED = 0.1

const SEVERAL = new Set(['several_choices', 'picture_choice', 'matrix_several'])

const FOUND = new Set(['number', 'slider', 'date', 'time', 'address'])

/** Whether people could choose more than one answer, so that the counts do not add up to the people. */
export const takesSeveral = (type: string): boolean => SEVERAL.has(type)

type Shown = Pick<SurveyFigures, 'languages' | 'sources'> & { questions: readonly (Omit<QuestionFigures, 'question'> & { id: string })[] }

/**
 * The same figures as anybody may see them: small counts are hidden, with as many others as it takes so that none can be worked out. What is
 * told beside the counts, such as a mean, follows from the counts that are shown.
 * @param before the figures as they were shown the last time: what was hidden then is hidden first
 */
export function publishable(figures: SurveyFigures, before?: Shown): SurveyFigures {
  return {
    ...figures,
    medianSeconds: figures.responses < SMALLEST_CELL ? null : figures.medianSeconds,
    languages: withoutSmall(figures.languages, before?.languages),
    sources: withoutSmall(figures.sources, before?.sources),
    questions: figures.questions.map((each) =>
      publishableQuestion(
        each,
        before?.questions.find(({ id }) => id === each.question.id),
      ),
    ),
  }
}

type Before = Pick<QuestionFigures, 'cells' | 'rows'> | undefined

function publishableQuestion(figures: QuestionFigures, before: Before): QuestionFigures {
  const answered = figures.answered ?? 0
  if (answered < SMALLEST_CELL) return withNothing(figures)
  if (figures.shape === 'ranking') return { ...figures, rows: publishableRanking(figures.rows, before) }
  if (figures.shape === 'budget') return { ...figures, rows: publishableAmounts(figures.rows, answered, before) }
  if (figures.shape === 'places') return publishablePlaces(figures, before)
  const hide = takesSeveral(figures.question.type)
    ? (cells: readonly CountedValue[], people: number, last?: readonly CountedValue[]) => withoutSmallOfSeveral(cells, people, last)
    : (cells: readonly CountedValue[], _people: number, last?: readonly CountedValue[]) => withoutSmall(cells, last)
  const cells = hide(figures.cells, answered, before?.cells)
  return {
    ...figures,
    // A value that only the answers know tells of somebody by being named at all.
    cells: FOUND.has(figures.question.type) ? onlyShown(cells) : cells,
    rows: figures.rows.map((row) => {
      const people = row.answered ?? 0
      const own = hide(row.cells, people, before?.rows.find(({ value }) => value === row.value)?.cells)
      const byPlace = own.map(({ count }, index) => ({ value: String(index + 1), count }))
      return {
        ...row,
        answered: people < SMALLEST_CELL ? null : row.answered,
        cells: own,
        mean: row.mean === null ? null : averagesShown(byPlace, people, row).mean,
      }
    }),
    ...averagesShown(cells, answered, figures),
  }
}

function withNothing(figures: QuestionFigures): QuestionFigures {
  const nothing = (cells: readonly CountedValue[]) => cells.map(({ value }) => ({ value, count: null }))
  return {
    ...figures,
    answered: null,
    cells: nothing(figures.cells),
    rows: figures.rows.map((row) => ({ ...row, answered: null, cells: nothing(row.cells), mean: null })),
    mean: null,
    median: null,
    score: null,
  }
}

/** Of counts whose sum can be known. */
export function withoutSmall(cells: readonly CountedValue[], before?: readonly CountedValue[]): CountedValue[] {
  return shown(
    cells,
    cells.map((cell) => asTableCell(cell, ['all'], before)),
  )
}

/**
 * Of counts that add up to no sum, since people chose as many as they liked. But everybody chose something: if fewer choices are shown than
 * people answered, the rest chose something hidden, which is then protected like counts that add up.
 */
function withoutSmallOfSeveral(cells: readonly CountedValue[], people: number, before?: readonly CountedValue[]): CountedValue[] {
  const each = cells.map((cell) => asTableCell(cell, [], before))
  const seen = each.filter(({ count }) => count >= SMALLEST_CELL)
  const hidesSome = seen.length < each.length
  const leftOver = people - seen.reduce((sum, { count }) => sum + count, 0)
  return shown(cells, hidesSome && leftOver > 0 ? each.map((cell) => ({ ...cell, sums: ['all'] })) : each)
}

const asTableCell = ({ value, count }: CountedValue, sums: readonly string[], before: readonly CountedValue[] | undefined): TableCell => ({
  count: count ?? 0,
  sums,
  wasHidden: before !== undefined && !before.some((cell) => cell.value === value && cell.count !== null),
})

function shown(cells: readonly CountedValue[], asTable: readonly TableCell[]): CountedValue[] {
  const hidden = findHidden(asTable, 'known')
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
function averagesShown(cells: readonly CountedValue[], people: number, exact: { mean: number | null } & Partial<Averages>): Averages {
  const { mean, median = null, score = null } = exact
  const unseen = cells.filter(({ count }) => count === null).length
  if (unseen === 0) return { mean, median, score }
  const rest = people - cells.reduce((sum, { count }) => sum + (count ?? 0), 0)
  if (people < SAFE_AVERAGE || rest > people * MOST_GUESSED) return { mean: null, median: null, score: null }
  const hasSteps = cells.every(({ value }) => Number.isFinite(Number(value)))
  if (!hasSteps) return { mean: mean === null ? null : coarse(mean), median: median === null ? null : coarse(median), score: null }
  const spread = cells.map(({ value, count }) => ({ value, count: count ?? Math.max(0, rest) / unseen }))
  return {
    ...(mean === null ? { mean: null, median: null } : averages(spread)),
    score: score === null ? null : scoreOf(spread),
  }
}

/** A table of options by places: how many ranked each can be known, and how many gave each place. */
function publishableRanking(rows: readonly FigureRow[], before: Before): FigureRow[] {
  const told = publishableTable(rows, before?.rows)
  return rows.map((row, index) => {
    const cells = told[index]?.cells ?? []
    const people = row.answered ?? 0
    const { mean } = averagesShown(cells, people, row)
    return { ...row, answered: people < SMALLEST_CELL ? null : people, cells, mean: people < SMALLEST_CELL ? null : mean }
  })
}

/** What was shared out can be known, so that one hidden average could be told from the others. */
function publishableAmounts(rows: readonly FigureRow[], people: number, before: Before): FigureRow[] {
  const asCells = (each: readonly FigureRow[]) => each.map(({ value, answered }) => ({ value, count: answered }))
  const last = before && asCells(before.rows)
  const told = withoutSmallOfSeveral(asCells(rows), people, last)
  const hidden = told.filter(({ count }) => count === null)
  const [next] = hidden.length === 1 ? told.filter(({ count }) => count !== null).toSorted((a, b) => (a.count ?? 0) - (b.count ?? 0)) : []
  return rows.map((row, index) => {
    const count = told[index] === next ? null : (told[index]?.count ?? null)
    return { ...row, answered: count, mean: count === null ? null : row.mean }
  })
}

/** Areas, each the sum of its squares, which together are everybody who gave a point. One in which few did is not even named. */
function publishablePlaces(figures: QuestionFigures, before: Before): QuestionFigures {
  const lastSquares = before && [...before.cells, ...before.rows.flatMap(({ cells }) => cells)]
  if (figures.rows.length === 0) return { ...figures, cells: onlyShown(withoutSmall(figures.cells, lastSquares)) }
  const lastAreas = before?.rows.map(({ value, answered }) => ({ value, count: answered }))
  const table = figures.rows.map((row) => ({
    area: asTableCell({ value: row.value, count: row.answered }, [`area ${row.value}`, 'all'], lastAreas),
    squares: row.cells.map((cell) => asTableCell(cell, [`area ${row.value}`], lastSquares)),
  }))
  const hidden = findHidden(table.flatMap(({ area, squares }) => [area, ...squares]))
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

const onlyShown = (cells: readonly CountedValue[]) => cells.filter(({ count }) => count !== null)

interface TableRow {
  value: string
  cells: CountedValue[]
}

/** A table of two questions with its small numbers hidden. What a row or a column adds up to can be known. */
export function publishableTable(rows: readonly TableRow[], before?: readonly TableRow[]): TableRow[] {
  const table = rows.map(({ value: row, cells }) => {
    const last = before?.find(({ value }) => value === row)?.cells
    return cells.map((cell) => asTableCell(cell, [`row ${row}`, `column ${cell.value}`], last))
  })
  const hidden = findHidden(table.flat())
  return rows.map(({ value, cells }, at) => ({
    value,
    cells: cells.map((cell, index) => {
      const own = table[at]?.[index]
      return own && hidden.has(own) ? { ...cell, count: null } : cell
    }),
  }))
}

/** The nearest multiple of five: from numbers of several parts of the responses nobody's answers can be worked out. */
export const roundedToFive = (count: number): number => Math.round(count / SMALLEST_CELL) * SMALLEST_CELL

/** The figures of a part of the responses for those who may not see each: in fives, with nothing of small counts, which are then hidden. */
export function roundToFives(figures: SurveyFigures): SurveyFigures {
  const round = (count: number | null) => ((count ?? 0) < SMALLEST_CELL ? 0 : roundedToFive(count ?? 0))
  const roundEach = (cells: readonly CountedValue[]) => cells.map(({ value, count }) => ({ value, count: round(count) }))
  return {
    responses: round(figures.responses),
    medianSeconds: null,
    languages: roundEach(figures.languages),
    sources: roundEach(figures.sources),
    questions: figures.questions.map((each) => ({
      ...each,
      asked: roundedToFive(each.asked),
      answered: round(each.answered),
      cells: roundEach(each.cells),
      rows: each.rows.map((row) => ({ ...row, answered: round(row.answered), cells: roundEach(row.cells), mean: roundMean(row.mean) })),
      mean: roundMean(each.mean),
      median: each.median === null ? null : coarse(each.median),
      score: each.score === null ? null : roundedToFive(each.score),
    })),
  }
}

const roundMean = (mean: number | null): number | null => (mean === null ? null : Number(mean.toPrecision(2)))

/**
 * Whether a part of the responses tells of a few people: because few belong to it or are left out of it, or because it is named by an answer
 * whose count is hidden in the figures of all.
 */
export function isTooSmallAPart(published: SurveyFigures, { groups }: Part, { people, of }: { people: number; of: number }): boolean {
  const leftOut = of - people
  if (people < SMALLEST_CELL || (leftOut > 0 && leftOut < SMALLEST_CELL)) return true
  return groups.some((group) => group.some(({ question, value }) => isHiddenValue(published, question, value)))
}

function isHiddenValue(published: SurveyFigures, question: string, value: string): boolean {
  const named = (prefix: string, cells: readonly CountedValue[]) => cells.map((cell) => ({ ...cell, value: `${prefix}${cell.value}` }))
  if (question === WHOLE) return isHiddenIn([...named('l', published.languages), ...named('c', published.sources)], value)
  const figures = published.questions.find((each) => each.question.id === question)
  if (!figures) return false
  const ofRows = figures.rows.flatMap((row) => [{ value: row.value, count: row.answered }, ...named(`${row.value}.`, row.cells)])
  const isNamed = figures.cells.some((cell) => cell.value === value)
  return figures.answered === null || isHiddenIn([...figures.cells, ...ofRows], value) || (FOUND.has(figures.question.type) && !isNamed)
}

const isHiddenIn = (cells: readonly CountedValue[], value: string) => cells.some((cell) => cell.value === value && cell.count === null)
