import type { KeptDefinition, KeptQuestion } from './surveys.definition.ts'
import type { Definition } from './surveys.schema.ts'

/** Counts below this are not published: a person in so small a group might be recognised. */
export const SMALLEST_CELL = 5
/** From so many answers on, an average gives no hidden count away. */
const SAFE_AVERAGE = 100

/** One counted value: an option's id, or a step of a scale. */
export interface Counted {
  question: string
  value: string
  count: number
}

/** How often something was given; null where the number is too small to be published. */
export type Cell = number | null

export interface QuestionFigures {
  question: KeptQuestion
  /** Responses whose version asked it. */
  asked: number
  /** Of those, how many answered it. */
  answered: Cell
  /** For choices in the order of the options, for ratings in the order of the scale; empty for text. */
  cells: { value: string; count: Cell }[]
  /** Of a rating, over those who gave one. */
  mean: number | null
  median: number | null
}

export interface SurveyFigures {
  responses: number
  questions: QuestionFigures[]
}

interface Figured {
  versions: ReadonlyMap<number, Definition>
  everything: KeptDefinition
  /** Responses by version. */
  responses: ReadonlyMap<number, number>
  /** How many answered each question. */
  answered: ReadonlyMap<string, number>
  counted: readonly Counted[]
}

/** Every question's figures, over those who were asked it. All screens, pages and files take their numbers from here. */
export function figuresOf({ versions, everything, responses, answered, counted }: Figured): SurveyFigures {
  const byQuestion = Map.groupBy(counted, (each) => each.question)
  const askedIn = (id: string) =>
    [...versions].filter(([, definition]) => definition.pages.some((page) => page.questions.some((each) => each.id === id)))
  const total = [...responses.values()].reduce((sum, count) => sum + count, 0)
  return {
    responses: total,
    questions: everything.pages
      .flatMap((page) => page.questions)
      .map((question) => {
        const counts = new Map((byQuestion.get(question.id) ?? []).map((each) => [each.value, each.count]))
        const cells = valuesOf(question).map((value) => ({ value, count: counts.get(value) ?? 0 }))
        return {
          question,
          asked: askedIn(question.id).reduce((sum, [number]) => sum + (responses.get(number) ?? 0), 0),
          answered: answered.get(question.id) ?? 0,
          cells,
          ...(question.type === 'rating' ? averages(cells) : { mean: null, median: null }),
        }
      }),
  }
}

function valuesOf(question: KeptQuestion): string[] {
  if ('options' in question) return question.options.map((option) => option.id)
  return question.type === 'rating' ? Array.from({ length: question.scale.max }, (_, index) => String(index + 1)) : []
}

/** Mean and median of a scale from how often each step was given. */
export function averages(cells: readonly { value: string; count: number }[]): { mean: number | null; median: number | null } {
  const total = cells.reduce((sum, cell) => sum + cell.count, 0)
  if (total === 0) return { mean: null, median: null }
  const mean = cells.reduce((sum, cell) => sum + Number(cell.value) * cell.count, 0) / total
  return { mean, median: (stepAt(cells, Math.ceil(total / 2)) + stepAt(cells, Math.floor(total / 2) + 1)) / 2 }
}

/** Step of the answer that stands at `position`, counted from 1, when all are put in order. */
function stepAt(cells: readonly { value: string; count: number }[], position: number): number {
  let passed = 0
  for (const cell of cells) {
    passed += cell.count
    if (passed >= position) return Number(cell.value)
  }
  return 0
}

/**
 * The same figures as anybody may see them: small numbers are hidden, and where a hidden one could be told from the rest, the next
 * smallest is hidden with it.
 */
export function publishable(figures: SurveyFigures): SurveyFigures {
  return { ...figures, questions: figures.questions.map(publishableQuestion) }
}

function publishableQuestion(figures: QuestionFigures): QuestionFigures {
  const answered = figures.answered ?? 0
  if (answered < SMALLEST_CELL) {
    return { ...figures, answered: null, cells: figures.cells.map(({ value }) => ({ value, count: null })), mean: null, median: null }
  }
  const small = figures.cells.filter((cell) => (cell.count ?? 0) < SMALLEST_CELL)
  const hidden = new Set(small.map((cell) => cell.value))
  const addsUp = figures.question.type !== 'several_choices'
  if (addsUp && small.length === 1 && (small[0]?.count ?? 0) > 0) {
    const [next] = figures.cells.filter((cell) => !hidden.has(cell.value)).toSorted((a, b) => (a.count ?? 0) - (b.count ?? 0))
    if (next) hidden.add(next.value)
  }
  const tellsAverage = hidden.size === 0 || answered >= SAFE_AVERAGE
  return {
    ...figures,
    cells: figures.cells.map((cell) => (hidden.has(cell.value) ? { ...cell, count: null } : cell)),
    mean: tellsAverage ? figures.mean : null,
    median: tellsAverage ? figures.median : null,
  }
}
