import type { Language } from '#app/lib/languages.ts'
import { type Mark, WHOLE } from '../responses/tallies.ts'

/** Which responses are counted; without any, all of them. */
export interface ResultsFilter {
  language?: readonly Language[] | undefined
  version?: number | undefined
  source?: string | undefined
  /** Instants; the end is not included. */
  from?: string | undefined
  to?: string | undefined
  /**
   * `<question>:<what a figure counts of it>`: an option, a step, a row and its column, a month, numbers `10..20`. Of one question any of them,
   * of different questions all.
   */
  answers?: readonly string[] | undefined
  /** Where those live who answered, by the area's id. It stands alone: with others it would tell where somebody lives. */
  area?: string | undefined
}

/** Something that may have been said; of numbers, from `low` to below `high`. */
export interface Saying {
  question: string
  value: string
  low: number | null
  high: number | null
}

/** A part of the responses: those that said one thing of each group. */
export interface Part {
  groups: readonly (readonly Saying[])[]
  from: Date | undefined
  to: Date | undefined
  area?: string | undefined
}

const RANGE = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/
const IS_NUMBER = /^-?\d+(\.\d+)?$/

const whole = (value: string): Saying => ({ question: WHOLE, value, low: null, high: null })

/** @returns undefined where it is all of them */
export function partOf({ language, version, source, from, to, answers = [], area }: ResultsFilter): Part | undefined {
  const groups = [
    ...(language ? [language.map((code) => whole(`l${code}`))] : []),
    ...(version === undefined ? [] : [[whole(`v${version}`)]]),
    ...(source === undefined ? [] : [[whole(`c${source}`)]]),
    ...Map.groupBy(answers.map(sayingOf), ({ question }) => question).values(),
  ]
  if (groups.length === 0 && from === undefined && to === undefined && area === undefined) return undefined
  return { groups, from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to), area }
}

function sayingOf(answer: string): Saying {
  const at = answer.indexOf(':')
  const [question, value] = at < 0 ? [answer, ''] : [answer.slice(0, at), answer.slice(at + 1)]
  const range = RANGE.exec(value)
  return { question, value, low: range ? Number(range[1]) : null, high: range ? Number(range[2]) : null }
}

/** Whether a response of these marks belongs to the part, whenever it came. */
export const isIn = ({ groups }: Part, marks: readonly Mark[]): boolean =>
  groups.every((group) => group.some((saying) => marks.some((mark) => mark.question === saying.question && says(mark.value, saying))))

function says(value: string, { value: wanted, low, high }: Saying): boolean {
  if (value === wanted) return true
  return low !== null && high !== null && IS_NUMBER.test(value) && Number(value) >= low && Number(value) < high
}
