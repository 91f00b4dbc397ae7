/** What became of a part of a file: see the README. */
export type Verdict = 'same' | 'differs' | 'named' | 'unjudged' | 'not-asked'

export interface Judged {
  verdict: Verdict
  /** Codes of the report's notes, or why it cannot be judged, or the answers for which it differs. */
  why: string
  name: string
  text: string
  /** Whether everything that it depends on is in the file. */
  isInFile: boolean
}

export interface JudgedSurvey {
  questions: readonly Judged[]
  options: readonly Judged[]
  conditions: readonly Judged[]
}
