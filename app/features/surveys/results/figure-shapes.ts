import { averages, scoreOf } from './averages.ts'
import { endsOf } from '../questionnaire/question-types/scales/scales.ts'
import type { KeptQuestion } from '../questionnaire/check-definition.ts'
import type { FigureRow, QuestionFigures } from './figures.ts'
import type { Mark } from '../responses/tallies.ts'
import type { QuestionOf, QuestionType, Row } from '../surveys.schema.ts'

/** How a question's figures are drawn: as bars, bars of parts, order, amounts, where it is, or not at all where people wrote. */
export type Shape = 'bars' | 'scale' | 'grid' | 'ranking' | 'budget' | 'places' | 'words'

type Parts = Pick<QuestionFigures, 'shape'> & Partial<Pick<QuestionFigures, 'cells' | 'rows' | 'mean' | 'median' | 'score'>>
type Figure = (question: KeptQuestion, said: readonly Mark[], answered: number) => Parts

const countIn = (said: readonly Mark[], value: string): number => said.find((mark) => mark.value === value)?.count ?? 0
const cellsOf = (said: readonly Mark[], values: readonly string[]) => values.map((value) => ({ value, count: countIn(said, value) }))
const idsOf = (items: readonly Row[]) => items.map((item) => item.id)

const options: Figure = (question, said) => ({
  shape: 'bars',
  cells: cellsOf(said, 'options' in question ? idsOf(question.options) : []),
})

const fixed =
  (...values: string[]): Figure =>
  (_question, said) => ({ shape: 'bars', cells: cellsOf(said, values) })

/** Of steps or numbers: every step, or every number that was given, with mean and median. */
const numbers =
  (stepsOf?: (question: KeptQuestion) => string[]): Figure =>
  (question, said) => {
    const cells = stepsOf
      ? cellsOf(said, stepsOf(question))
      : said.map(({ value, count }) => ({ value, count })).toSorted((a, b) => Number(a.value) - Number(b.value))
    const people = said.reduce((sum, mark) => sum + mark.count, 0)
    const { median } = averages(cells)
    const mean = people === 0 ? null : said.reduce((sum, mark) => sum + mark.total, 0) / people
    return { shape: 'scale', cells: stepsOf || cells.length <= MOST_BARS ? cells : inBins(cells), mean, median }
  }

const stepsOf = (question: KeptQuestion): string[] => {
  const { min, max } = endsOf(question as QuestionOf<'rating' | 'scale' | 'nps'>)
  return Array.from({ length: max - min + 1 }, (_, index) => String(min + index))
}

const recommendation: Figure = (question, said, answered) => ({
  ...numbers(stepsOf)(question, said, answered),
  score: scoreOf(said),
})

const grid: Figure = (question, said) => {
  if (!('rows' in question)) return { shape: 'grid' }
  const columns = idsOf(question.columns)
  return {
    shape: 'grid',
    rows: question.rows.map((row): FigureRow => {
      const cells = columns.map((value) => ({ value, count: countIn(said, `${row.id}.${value}`) }))
      const answered = countIn(said, `${row.id}.`)
      const sum = cells.reduce((total, cell, index) => total + (index + 1) * cell.count, 0)
      return { value: row.id, answered, cells, mean: question.type === 'likert' && answered > 0 ? sum / answered : null }
    }),
  }
}

/** The option that came first most often first. */
const ranking: Figure = (question, said) => {
  const ids = 'options' in question ? idsOf(question.options) : []
  const rows = ids.map((id): FigureRow => {
    const places = said.filter((mark) => mark.value.startsWith(`${id}.`))
    const answered = places.reduce((sum, mark) => sum + mark.count, 0)
    return {
      value: id,
      answered,
      cells: ids.map((_, index) => ({ value: String(index + 1), count: countIn(said, `${id}.${index + 1}`) })),
      mean: answered === 0 ? null : places.reduce((sum, mark) => sum + mark.total, 0) / answered,
    }
  })
  return { shape: 'ranking', rows: rows.toSorted((a, b) => (a.mean ?? Infinity) - (b.mean ?? Infinity)) }
}

/** What each option was given, on average over all who shared out: who gave it nothing counts as nought. */
const budget: Figure = (question, said, answered) => ({
  shape: 'budget',
  rows: ('options' in question ? question.options : []).map(({ id }): FigureRow => {
    const given = said.find((mark) => mark.value === id)
    return { value: id, answered: given?.count ?? 0, cells: [], mean: answered === 0 ? null : (given?.total ?? 0) / answered }
  }),
})

/** Values that only the answers know, in their own order: months, hours, districts. */
const found =
  (order: (a: { value: string; count: number }, b: { value: string; count: number }) => number): Figure =>
  (_question, said) => ({
    shape: 'bars',
    cells: said
      .map(({ value, count }) => ({ value, count }))
      .toSorted(order)
      .slice(0, MOST_FOUND),
  })
const byName = found((a, b) => (a.value < b.value ? -1 : 1))
const byCount = found((a, b) => b.count - a.count)

/** Squares that hold the points people gave. Those who described a place in words alone are in none. */
const squares: Figure = (_question, said) => ({
  shape: 'places',
  cells: said.map(({ value, count }) => ({ value, count })).toSorted((a, b) => b.count - a.count),
})

const words: Figure = () => ({ shape: 'words' })

/** What is told of each type of question. A test fails on a type that is not here. */
export const FIGURES: { readonly [T in QuestionType]?: Figure } = {
  one_choice: options,
  several_choices: options,
  dropdown: options,
  picture_choice: options,
  demographic: options,
  yes_no: fixed('yes', 'no'),
  consent: fixed('yes'),
  rating: numbers(stepsOf),
  scale: numbers(stepsOf),
  nps: recommendation,
  number: numbers(),
  slider: numbers(),
  likert: grid,
  matrix_one: grid,
  matrix_several: grid,
  ranking,
  budget,
  date: byName,
  time: byName,
  address: byCount,
  place: squares,
  file: words,
  short_text: words,
  long_text: words,
  email: words,
  phone: words,
  info: words,
}

const MOST_BARS = 15
const MOST_FOUND = 60

/** Ten or so equal steps from the smallest to the largest, each named by its ends: `0..9`. */
function inBins(cells: readonly { value: string; count: number }[]) {
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
  const tidy = (value: number) => String(Number(value.toPrecision(6)))
  return [...bins].map(([at, count]) => ({ value: `${tidy(at * width)}..${tidy((at + 1) * width)}`, count }))
}
