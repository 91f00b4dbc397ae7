import { averages } from './surveys.averages.ts'
import { FIGURES, type Shape } from './surveys.figure-shapes.ts'
import type { KeptDefinition, KeptQuestion } from './surveys.definition.ts'
import { type Mark, WHOLE } from './surveys.marks.ts'
import type { Definition } from './surveys.schema.ts'

/** Counts below this are not shown to everybody: a person in so small a group might be recognised. */
export const SMALLEST_CELL = 5
/** From so many answers on, an average gives no hidden count away. */
const SAFE_AVERAGE = 100

/** How often something was given; null where the number is too small to be shown. */
export type Cell = number | null

export interface CountedValue {
  value: string
  count: Cell
}

/** A row of a grid, or an option that was ranked or given money. */
export interface FigureRow {
  value: string
  answered: Cell
  cells: CountedValue[]
  /** Of its column's number, its place, or its amount over all who answered. */
  mean: number | null
}

export interface QuestionFigures {
  question: KeptQuestion
  /** How it is drawn. */
  shape: Shape
  /** Responses whose version asked it. */
  asked: number
  /** Of those, how many answered it. */
  answered: Cell
  /** For choices in the order of the options, for scales in the order of the steps, for others from the smallest; empty for text. */
  cells: CountedValue[]
  /** Of grids, rankings and budgets. */
  rows: FigureRow[]
  /** Of numbers, over those who gave one. */
  mean: number | null
  median: number | null
  /** Of a recommendation from 0 to 10: per cent who would (9, 10) less per cent who would not (0 to 6). */
  score: number | null
}

export interface SurveyFigures {
  responses: number
  questions: QuestionFigures[]
  /** Half of the people took no longer, in seconds. */
  medianSeconds: number | null
  languages: CountedValue[]
  sources: CountedValue[]
}

interface Figured {
  versions: ReadonlyMap<number, Definition>
  everything: KeptDefinition
  marks: readonly Mark[]
}

/** Every question's figures, over those who were asked it. All screens, pages and files take their numbers from here. */
export function figuresOf({ versions, everything, marks }: Figured): SurveyFigures {
  const byQuestion = Map.groupBy(
    marks.filter((mark) => mark.count > 0),
    (mark) => mark.question,
  )
  const whole = byQuestion.get(WHOLE) ?? []
  const wholeCount = (value: string) => whole.find((mark) => mark.value === value)?.count ?? 0
  const withFirst = (letter: string) =>
    whole.filter((mark) => mark.value.startsWith(letter)).map(({ value, count }) => ({ value: value.slice(1), count }))
  const askedIn = (id: string) =>
    [...versions].filter(([, definition]) => definition.pages.some((page) => page.questions.some((each) => each.id === id)))
  const questions = everything.pages.flatMap((page) => page.questions)
  const seconds = withFirst('s').toSorted((a, b) => Number(a.value) - Number(b.value))
  return {
    responses: wholeCount(''),
    medianSeconds: averages(seconds).median,
    languages: withFirst('l').toSorted((a, b) => b.count - a.count),
    sources: withFirst('c').toSorted((a, b) => b.count - a.count),
    questions: questions
      .filter((question) => question.type !== 'info')
      .map((bare) => {
        const question = withCarried(bare, questions)
        const said = byQuestion.get(question.id) ?? []
        const answered = said.find((mark) => mark.value === '')?.count ?? 0
        return {
          question,
          asked: askedIn(question.id).reduce((sum, [number]) => sum + wholeCount(`v${number}`), 0),
          answered,
          cells: [],
          rows: [],
          mean: null,
          median: null,
          score: null,
          shape: 'words' as const,
          ...FIGURES[question.type]?.(
            question,
            said.filter((mark) => mark.value !== ''),
            answered,
          ),
        }
      }),
  }
}

/** A question that took over another's options, with those options among its own. */
function withCarried(question: KeptQuestion, all: readonly KeptQuestion[]): KeptQuestion {
  if (!('carry' in question) || !question.carry) return question
  const { carry } = question
  const source = all.find((each) => each.id === carry.question)
  return source && 'options' in source ? { ...question, options: [...source.options, ...question.options] } : question
}

/**
 * The same figures as anybody may see them: small numbers are hidden, and where a hidden one could be told from the rest, the next
 * smallest is hidden with it.
 */
export function publishable(figures: SurveyFigures): SurveyFigures {
  const few = ({ value, count }: CountedValue): CountedValue => ({ value, count: (count ?? 0) < SMALLEST_CELL ? null : count })
  return {
    ...figures,
    medianSeconds: figures.responses < SMALLEST_CELL ? null : figures.medianSeconds,
    languages: figures.languages.map(few),
    sources: figures.sources.map(few),
    questions: figures.questions.map(publishableQuestion),
  }
}

const SEVERAL = new Set(['several_choices', 'picture_choice', 'matrix_several'])

function publishableQuestion(figures: QuestionFigures): QuestionFigures {
  const answered = figures.answered ?? 0
  const nothing = (cells: readonly CountedValue[]) => cells.map(({ value }) => ({ value, count: null }))
  if (answered < SMALLEST_CELL) {
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
  const addsUp = !SEVERAL.has(figures.question.type)
  const cells = withoutSmall(figures.cells, addsUp)
  const tellsAverage = (shown: readonly CountedValue[], from: number) => shown.every((cell) => cell.count !== null) || from >= SAFE_AVERAGE
  return {
    ...figures,
    cells,
    rows: figures.rows.map((row) => {
      const own = withoutSmall(row.cells, addsUp)
      const tells = (row.answered ?? 0) >= SMALLEST_CELL && tellsAverage(own, row.answered ?? 0)
      return { ...row, answered: (row.answered ?? 0) < SMALLEST_CELL ? null : row.answered, cells: own, mean: tells ? row.mean : null }
    }),
    ...(tellsAverage(cells, answered) ? {} : { mean: null, median: null, score: null }),
  }
}

function withoutSmall(cells: readonly CountedValue[], addsUp: boolean): CountedValue[] {
  const small = cells.filter((cell) => (cell.count ?? 0) < SMALLEST_CELL)
  const hidden = new Set(small.map((cell) => cell.value))
  if (addsUp && small.length === 1 && (small[0]?.count ?? 0) > 0) {
    const [next] = cells.filter((cell) => !hidden.has(cell.value)).toSorted((a, b) => (a.count ?? 0) - (b.count ?? 0))
    if (next) hidden.add(next.value)
  }
  return cells.map((cell) => (hidden.has(cell.value) ? { ...cell, count: null } : cell))
}

interface TableRow {
  value: string
  cells: CountedValue[]
}

/**
 * A table of two questions with its small numbers hidden. What a row or a column adds up to can be known, so none keeps a single hidden
 * number: the next smallest is hidden with it, until there are two or none in each.
 */
export function publishableTable(rows: readonly TableRow[]): TableRow[] {
  const cells = rows.flatMap(({ value: row, cells: own }) => own.map(({ value: column, count }) => ({ row, column, count: count ?? 0 })))
  const hidden = new Set(cells.filter(({ count }) => count < SMALLEST_CELL))
  const lines = [...Map.groupBy(cells, ({ row }) => row).values(), ...Map.groupBy(cells, ({ column }) => column).values()]
  for (let settled = false; !settled;) {
    settled = true
    for (const line of lines) {
      if (line.filter((cell) => hidden.has(cell)).length !== 1) continue
      const [next] = line.filter((cell) => !hidden.has(cell)).toSorted((a, b) => a.count - b.count)
      if (!next) continue
      hidden.add(next)
      settled = false
    }
  }
  const isHidden = (row: string, column: string) => cells.some((cell) => cell.row === row && cell.column === column && hidden.has(cell))
  return rows.map(({ value: row, cells: own }) => ({
    value: row,
    cells: own.map((cell) => (isHidden(row, cell.value) ? { ...cell, count: null } : cell)),
  }))
}
