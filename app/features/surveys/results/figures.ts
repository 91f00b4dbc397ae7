import { computeAverages } from './compute-averages.ts'
import { FIGURE_BUILDERS, type FigureShape } from './figure-shapes.ts'
import type { CombinedDefinition, CombinedQuestion } from '../questionnaire/check-definition.ts'
import { type Tally, WHOLE_RESPONSE } from '../responses/tallies.ts'
import type { Definition } from '../surveys.schema.ts'

/** How often something was given; null where the number is too small to be shown. */
export type SuppressibleCount = number | null

export interface CountedValue {
  value: string
  count: SuppressibleCount
}

/** A row of a grid, or an option that was ranked or given money. */
export interface FigureRow {
  value: string
  answered: SuppressibleCount
  cells: CountedValue[]
  /** Of its column's number, its place, or its amount over all who answered. */
  mean: number | null
}

export interface QuestionFigures {
  question: CombinedQuestion
  /** How it is drawn. */
  shape: FigureShape
  /** Responses whose version asked it. */
  asked: number
  /** Of those, how many answered it. */
  answered: SuppressibleCount
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

interface FiguresInput {
  versions: ReadonlyMap<number, Definition>
  everything: CombinedDefinition
  marks: readonly Tally[]
}

/** Every question's figures, over those who were asked it. All screens, pages and files take their numbers from here. */
export function computeFigures({ versions, everything, marks }: FiguresInput): SurveyFigures {
  const byQuestion = Map.groupBy(
    marks.filter((tally) => tally.count > 0),
    (tally) => tally.question,
  )
  const whole = byQuestion.get(WHOLE_RESPONSE) ?? []
  const wholeCount = (value: string) => whole.find((tally) => tally.value === value)?.count ?? 0
  const withFirst = (letter: string) =>
    whole.filter((tally) => tally.value.startsWith(letter)).map(({ value, count }) => ({ value: value.slice(1), count }))
  const askedIn = (id: string) =>
    [...versions].filter(([, definition]) => definition.pages.some((page) => page.questions.some((each) => each.id === id)))
  const questions = everything.pages.flatMap((page) => page.questions)
  const seconds = withFirst('s').toSorted((a, b) => Number(a.value) - Number(b.value))
  return {
    responses: wholeCount(''),
    medianSeconds: computeAverages(seconds).median,
    languages: withFirst('l').toSorted((a, b) => b.count - a.count),
    sources: withFirst('c').toSorted((a, b) => b.count - a.count),
    questions: questions
      .filter((question) => question.type !== 'info')
      .map((bare) => {
        const question = addCarriedOptions(bare, questions)
        const said = byQuestion.get(question.id) ?? []
        const answered = said.find((tally) => tally.value === '')?.count ?? 0
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
          ...FIGURE_BUILDERS[question.type]?.(
            question,
            said.filter((tally) => tally.value !== ''),
            answered,
          ),
        }
      }),
  }
}

/** A question that took over another's options, with those options among its own. */
function addCarriedOptions(question: CombinedQuestion, all: readonly CombinedQuestion[]): CombinedQuestion {
  if (!('carry' in question) || !question.carry) return question
  const { carry } = question
  const source = all.find((each) => each.id === carry.question)
  return source && 'options' in source ? { ...question, options: [...source.options, ...question.options] } : question
}
