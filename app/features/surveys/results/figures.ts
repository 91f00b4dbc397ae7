import type { LetterSample } from '#app/features/invitations/invitations.schema.ts'
import type { OutcomeView } from '#app/features/outcomes/outcomes.schema.ts'
import { computeAverages } from './compute-averages.ts'
import { FIGURE_BUILDERS, type FigureShape } from './figure-shapes.ts'
import type { Interval } from '#app/lib/wilson-interval.ts'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { CombinedDefinition, CombinedQuestion } from '../questionnaire/check-definition.ts'
import { type Tally, WHOLE_RESPONSE } from '../responses/tallies.ts'
import type { Definition } from '../surveys.schema.ts'

/** How often a value was given. */
export interface CountedValue {
  value: string
  count: SuppressibleCount
}

/** Where the answers come from, and how far the shares of everybody there may be from those of the people who answered. */
export interface FigureSample extends LetterSample {
  /** To the survey, as shown. */
  responses: number
  /** At 95 per cent, by answer. Answers whose number is hidden have none. */
  ranges: (Interval & { value: string })[]
  /** What the sample is and what the ranges mean, in the reader's language. Missing in stored figures. */
  note?: string
}

/** A row of a grid, or an option that was ranked or given an amount. */
export interface FigureRow {
  value: string
  answered: SuppressibleCount
  cells: CountedValue[]
  /** Of the column's number, the rank, or the amount over everyone who answered. */
  mean: number | null
}

export interface QuestionFigures {
  question: CombinedQuestion
  shape: FigureShape
  /** Responses whose version contains the question. */
  asked: number
  /** How many of those answered it. */
  answered: SuppressibleCount
  /** Options and steps in their own order, of long lists the chosen ones; other values from the smallest; empty for text. */
  cells: CountedValue[]
  /** Answers are left out of `cells` or `rows`, since naming them would reveal something. */
  hasUnlisted?: boolean
  /** For grids, rankings and budgets. */
  rows: FigureRow[]
  /** For numbers, over those who gave one. */
  mean: number | null
  median: number | null
  /** Net promoter score from 0 to 10: percentage of promoters (9, 10) minus percentage of detractors (0 to 6). */
  score: number | null
  /** What these figures say, in one sentence in the reader's language. Missing in stored figures, and where there is nothing to say. */
  finding?: string
  /** Of questions with choices, if every answer came by a letter of one random sample. Missing in stored figures. */
  sample?: FigureSample
  /** Published decisions that rest on answers to this question. Missing in stored figures, and where there are none. */
  outcomes?: OutcomeView[]
}

export interface SurveyFigures {
  responses: number
  questions: QuestionFigures[]
  /** Median time to finish, in seconds. */
  medianSeconds: number | null
  languages: CountedValue[]
  sources: CountedValue[]
}

interface FiguresInput {
  /** As `loadEveryVersion` returns them: questions have the options that they carry over. */
  versions: ReadonlyMap<number, Definition>
  everything: CombinedDefinition
  marks: readonly Tally[]
}

/** Every question's figures, over the people who were asked it. All screens, pages and exports use these numbers. */
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
      .map((question) => {
        const asked = askedIn(question.id).reduce((sum, [number]) => sum + wholeCount(`v${number}`), 0)
        return buildQuestionFigures(question, byQuestion.get(question.id) ?? [], asked)
      }),
  }
}

/** One question's figures from its tallies. */
export function buildQuestionFigures(question: CombinedQuestion, said: readonly Tally[], asked: number): QuestionFigures {
  const answered = said.find((tally) => tally.value === '')?.count ?? 0
  return {
    question,
    asked,
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
}
