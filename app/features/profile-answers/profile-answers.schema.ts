import type { Translated } from '#app/lib/translated.ts'
import type { ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'

/** The option "Prefer not to say", which every sensitive question has. */
export const NO_ANSWER = 'no-answer'

/** A question about people that a survey can be linked to. */
export interface LinkableQuestion {
  key: string
  kind: ProfileQuestionType
  title: Translated
  /** Options that can be chosen now, or areas. */
  options: { id: string; label: Translated; exclusive?: true }[]
}

/** People who gave one of the options to this question. */
export interface ProfileMatch {
  /** The question's key. */
  question: string
  /** Options; an age group for a year of birth, the slug of an area. */
  options: readonly string[]
}

const PAIR = /^([A-Za-z][\w-]{0,39}):([\w-]{1,80})$/

/**
 * Reads `age:65-74,home:en,home:fr` as filters send it: OR within a question, AND between questions.
 * @returns undefined if it is malformed
 */
export function parseProfileFilter(text: string): ProfileMatch[] | undefined {
  const pairs = text.split(',').map((pair) => PAIR.exec(pair.trim()))
  if (!pairs.every((pair) => pair !== null)) return undefined
  const given = pairs.map(([, question = '', option = '']) => ({ question, option }))
  return [...Map.groupBy(given, ({ question }) => question)].map(([question, all]) => ({
    question,
    options: all.map(({ option }) => option),
  }))
}

/** The text of a filter with this option of a question, or without the question. */
export function changeProfileFilter(text: string | undefined, question: string, option: string | undefined): string | undefined {
  const others = (text ?? '').split(',').filter((pair) => pair && !pair.startsWith(`${question}:`))
  return [...others, ...(option === undefined ? [] : [`${question}:${option}`])].join(',') || undefined
}

/** The one option of a question in the text of a filter. */
export const findProfileOption = (text: string | undefined, question: string): string | undefined =>
  (text ?? '')
    .split(',')
    .find((pair) => pair.startsWith(`${question}:`))
    ?.slice(question.length + 1)
