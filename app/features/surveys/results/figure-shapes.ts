import { computeAverages, computeNetPromoterScore } from './compute-averages.ts'
import { isLongList } from '../questionnaire/question-types/choices/options.ts'
import { getScaleEnds } from '../questionnaire/question-types/scales/scales.ts'
import type { CombinedQuestion } from '../questionnaire/check-definition.ts'
import type { FigureRow, QuestionFigures } from './figures.ts'
import type { Tally } from '../responses/tallies.ts'
import type { QuestionOf, QuestionType, Row } from '../surveys.schema.ts'

/**
 * How a question's figures are drawn: bars, the most frequent of a long list, stacked bars, ranking, amounts, a map, or
 * nothing if people wrote text.
 */
export type FigureShape = 'bars' | 'list' | 'scale' | 'grid' | 'ranking' | 'budget' | 'places' | 'words'

type FigureParts = Pick<QuestionFigures, 'shape'> & Partial<Pick<QuestionFigures, 'cells' | 'rows' | 'mean' | 'median' | 'score'>>
type FigureBuilder = (question: CombinedQuestion, said: readonly Tally[], answered: number) => FigureParts

const getTallyCount = (said: readonly Tally[], value: string): number => said.find((tally) => tally.value === value)?.count ?? 0
function buildCells(said: readonly Tally[], values: readonly string[]) {
  const counts = new Map(said.map(({ value, count }) => [value, count]))
  return values.map((value) => ({ value, count: counts.get(value) ?? 0 }))
}
const listIds = (items: readonly Row[]) => items.map((item) => item.id)

const buildOptionFigure: FigureBuilder = (question, said) =>
  isLongList(question)
    ? { shape: 'list', cells: listChosenOptions(question.options, said) }
    : { shape: 'bars', cells: buildCells(said, 'options' in question ? listIds(question.options) : []) }

/** Of a long list only what people chose, the most frequent first. */
function listChosenOptions(options: readonly Row[], said: readonly Tally[]) {
  const places = new Map(options.map(({ id }, index) => [id, index]))
  return said
    .filter(({ value, count }) => count > 0 && places.has(value))
    .toSorted((a, b) => b.count - a.count || (places.get(a.value) ?? 0) - (places.get(b.value) ?? 0))
    .map(({ value, count }) => ({ value, count }))
}

const createFixedValueBuilder =
  (...values: string[]): FigureBuilder =>
  (_question, said) => ({ shape: 'bars', cells: buildCells(said, values) })

/** For steps or numbers: every step, or every number given, with mean and median. */
const createNumberBuilder =
  (stepsOf?: (question: CombinedQuestion) => string[]): FigureBuilder =>
  (question, said) => {
    const cells = stepsOf
      ? buildCells(said, stepsOf(question))
      : said.map(({ value, count }) => ({ value, count })).toSorted((a, b) => Number(a.value) - Number(b.value))
    const people = said.reduce((sum, tally) => sum + tally.count, 0)
    const { median } = computeAverages(cells)
    const mean = people === 0 ? null : said.reduce((sum, tally) => sum + tally.total, 0) / people
    return { shape: 'scale', cells: stepsOf || cells.length <= MAX_BARS ? cells : groupIntoBins(cells), mean, median }
  }

const listScaleSteps = (question: CombinedQuestion): string[] => {
  const { min, max } = getScaleEnds(question as QuestionOf<'rating' | 'scale' | 'nps'>)
  return Array.from({ length: max - min + 1 }, (_, index) => String(min + index))
}

const buildRecommendationFigure: FigureBuilder = (question, said, answered) => ({
  ...createNumberBuilder(listScaleSteps)(question, said, answered),
  score: computeNetPromoterScore(said),
})

const buildGridFigure: FigureBuilder = (question, said) => {
  if (!('rows' in question)) return { shape: 'grid' }
  const columns = listIds(question.columns)
  return {
    shape: 'grid',
    rows: question.rows.map((row): FigureRow => {
      const cells = columns.map((value) => ({ value, count: getTallyCount(said, `${row.id}.${value}`) }))
      const answered = getTallyCount(said, `${row.id}.`)
      const sum = cells.reduce((total, cell, index) => total + (index + 1) * cell.count, 0)
      return { value: row.id, answered, cells, mean: question.type === 'likert' && answered > 0 ? sum / answered : null }
    }),
  }
}

/** Sorted so that the option with the best average rank comes first. */
const buildRankingFigure: FigureBuilder = (question, said) => {
  const ids = 'options' in question ? listIds(question.options) : []
  const rows = ids.map((id): FigureRow => {
    const places = said.filter((tally) => tally.value.startsWith(`${id}.`))
    const answered = places.reduce((sum, tally) => sum + tally.count, 0)
    return {
      value: id,
      answered,
      cells: ids.map((_, index) => ({ value: String(index + 1), count: getTallyCount(said, `${id}.${index + 1}`) })),
      mean: answered === 0 ? null : places.reduce((sum, tally) => sum + tally.total, 0) / answered,
    }
  })
  return { shape: 'ranking', rows: rows.toSorted((a, b) => (a.mean ?? Infinity) - (b.mean ?? Infinity)) }
}

/** The average amount per option over everyone who answered: no amount counts as zero. */
const buildBudgetFigure: FigureBuilder = (question, said, answered) => ({
  shape: 'budget',
  rows: ('options' in question ? question.options : []).map(({ id }): FigureRow => {
    const given = said.find((tally) => tally.value === id)
    return { value: id, answered: given?.count ?? 0, cells: [], mean: answered === 0 ? null : (given?.total ?? 0) / answered }
  }),
})

/** Values known only from the answers, in their natural order: months, hours, districts. */
const createFoundValueBuilder =
  (order: (a: { value: string; count: number }, b: { value: string; count: number }) => number): FigureBuilder =>
  (_question, said) => ({
    shape: 'bars',
    cells: said
      .map(({ value, count }) => ({ value, count }))
      .toSorted(order)
      .slice(0, MAX_FOUND),
  })
const buildFigureByName = createFoundValueBuilder((a, b) => (a.value < b.value ? -1 : 1))
const buildFigureByCount = createFoundValueBuilder((a, b) => b.count - a.count)

/** Squares that contain the points people gave. Places described only in words are in none. */
const buildSquareFigure: FigureBuilder = (_question, said) => ({
  shape: 'places',
  cells: said.map(({ value, count }) => ({ value, count })).toSorted((a, b) => b.count - a.count),
})

const buildTextFigure: FigureBuilder = () => ({ shape: 'words' })

/** How each question type is summarised. A test fails if a type is missing. */
export const FIGURE_BUILDERS: { readonly [T in QuestionType]?: FigureBuilder } = {
  one_choice: buildOptionFigure,
  several_choices: buildOptionFigure,
  dropdown: buildOptionFigure,
  picture_choice: buildOptionFigure,
  demographic: buildOptionFigure,
  yes_no: createFixedValueBuilder('yes', 'no'),
  consent: createFixedValueBuilder('yes'),
  rating: createNumberBuilder(listScaleSteps),
  scale: createNumberBuilder(listScaleSteps),
  nps: buildRecommendationFigure,
  number: createNumberBuilder(),
  slider: createNumberBuilder(),
  likert: buildGridFigure,
  matrix_one: buildGridFigure,
  matrix_several: buildGridFigure,
  ranking: buildRankingFigure,
  budget: buildBudgetFigure,
  date: buildFigureByName,
  time: buildFigureByName,
  address: buildFigureByCount,
  place: buildSquareFigure,
  file: buildTextFigure,
  short_text: buildTextFigure,
  long_text: buildTextFigure,
  email: buildTextFigure,
  phone: buildTextFigure,
  info: buildTextFigure,
}

const MAX_BARS = 15
const MAX_FOUND = 60

/** About ten equal bins from the smallest to the largest value, each named by its bounds: `0..9`. */
function groupIntoBins(cells: readonly { value: string; count: number }[]) {
  const [first, last] = [Number(cells[0]?.value), Number(cells.at(-1)?.value)]
  const rough = (last - first) / 10
  const ten = 10 ** Math.floor(Math.log10(rough))
  const width = ([1, 2, 5, 10].find((step) => step * ten >= rough) ?? 10) * ten
  const bins = new Map<number, number>()
  for (let at = Math.floor(first / width); at <= Math.floor(last / width); at++) bins.set(at, 0)
  for (const { value, count } of cells) {
    const at = Math.floor(Number(value) / width)
    bins.set(at, (bins.get(at) ?? 0) + count)
  }
  const formatBound = (value: number) => String(Number(value.toPrecision(6)))
  return [...bins].map(([at, count]) => ({ value: `${formatBound(at * width)}..${formatBound((at + 1) * width)}`, count }))
}
