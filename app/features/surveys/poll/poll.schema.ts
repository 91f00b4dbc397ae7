import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { Refusal } from '../surveys.views.ts'

/** A survey that asks one question with one choice, so that it can be answered where it is mentioned. */
export interface PollView {
  survey: string
  project: string
  questionId: string
  title: LocalisedText
  question: LocalisedText
  help: LocalisedText
  options: readonly PollOption[]
  open: boolean
  /** Whoever answers is recognised, so that pressing twice stores one answer, also without JavaScript. */
  recognises: boolean
  resultsPublic: boolean
}

export interface PollOption {
  id: string
  label: LocalisedText
}

/** The published results of a poll. */
export interface PollResults {
  people: number
  options: readonly (PollOption & { people: SuppressibleCount })[]
  countedAt: Date
}

/** Of a poll that the reader has answered. */
export interface AnsweredPoll {
  /** Null if they are not public, or while too few have answered. */
  results: PollResults | null
}

/** Why an answer was not taken, in place: anything else is explained on the survey's own page. */
export type PollRefusal = Refusal | 'closed'
