import type { SQL } from 'drizzle-orm'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { type Tally, WHOLE_RESPONSE } from '../responses/tallies.ts'

/** Which responses to count; an empty filter means all of them. */
export interface ResultsFilter {
  language?: readonly ContentLanguage[] | undefined
  version?: number | undefined
  source?: string | undefined
  /** ISO 8601; the end is exclusive. */
  from?: string | undefined
  to?: string | undefined
  /**
   * `<question>:<counted value>`: an option, a step, a row and its column, a month, a range `10..20`. Values of one question are combined
   * with OR, different questions with AND.
   */
  answers?: readonly string[] | undefined
  /** Id of the area where participants live. Cannot be combined with other filters, which would reveal where somebody lives. */
  area?: string | undefined
  /**
   * What participants said about themselves: one option of one question, as `age:65-74`. Cannot be combined with other filters either.
   */
  profile?: string | undefined
}

/** A value to match; for numbers, the range from `low` to below `high`. */
export interface AnswerMatch {
  question: string
  value: string
  low: number | null
  high: number | null
}

/** A subset of the responses: those that match at least one value of each group. */
export interface Cohort {
  groups: readonly (readonly AnswerMatch[])[]
  from: Date | undefined
  to: Date | undefined
  area?: string | undefined
  /** Limits responses to some people's, in SQL. */
  people?: SQL | undefined
}

const RANGE_PATTERN = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/
const NUMBER_PATTERN = /^-?\d+(\.\d+)?$/

const matchWholeResponse = (value: string): AnswerMatch => ({ question: WHOLE_RESPONSE, value, low: null, high: null })

/** @returns undefined if the filter matches all responses */
export function parseCohort({ language, version, source, from, to, answers = [], area, profile }: ResultsFilter): Cohort | undefined {
  const groups = [
    ...(language ? [language.map((code) => matchWholeResponse(`l${code}`))] : []),
    ...(version === undefined ? [] : [[matchWholeResponse(`v${version}`)]]),
    ...(source === undefined ? [] : [[matchWholeResponse(`c${source}`)]]),
    ...Map.groupBy(answers.map(parseAnswerMatch), ({ question }) => question).values(),
  ]
  if (groups.length === 0 && from === undefined && to === undefined && area === undefined && profile === undefined) return undefined
  return { groups, from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to), area }
}

function parseAnswerMatch(answer: string): AnswerMatch {
  const at = answer.indexOf(':')
  const [question, value] = at < 0 ? [answer, ''] : [answer.slice(0, at), answer.slice(at + 1)]
  const range = RANGE_PATTERN.exec(value)
  return { question, value, low: range ? Number(range[1]) : null, high: range ? Number(range[2]) : null }
}

/** Whether a response with these tallies matches the groups; dates are not checked. */
export const isInCohort = ({ groups }: Cohort, tallies: readonly Tally[]): boolean =>
  groups.every((group) =>
    group.some((saying) => tallies.some((tally) => tally.question === saying.question && isMatchingValue(tally.value, saying))),
  )

function isMatchingValue(value: string, { value: wanted, low, high }: AnswerMatch): boolean {
  if (value === wanted) return true
  return low !== null && high !== null && NUMBER_PATTERN.test(value) && Number(value) >= low && Number(value) < high
}
