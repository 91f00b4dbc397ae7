import { findAgeGroup } from '#app/lib/age-groups.ts'
import type { ProfileQuestionType } from '#app/lib/vocabulary/profile.ts'
import { checkAnswers, listQuestions, readAnswers, toFormValues } from './answers.ts'
import { getOwn } from './question-types/question-type.ts'
import type { Answer, Answers, Definition, Question, QuestionType } from '../surveys.schema.ts'

/** Questions of a survey that are linked to a question about people, and the way of an answer from one to the other. */

type LinkedToProfile = Question & { profile: string }

export const listProfileLinks = (definition: Definition): LinkedToProfile[] =>
  listQuestions(definition).filter((question): question is LinkedToProfile => question.profile !== undefined)

const ONE_CHOICE: readonly QuestionType[] = ['one_choice', 'dropdown', 'demographic']

/** How a survey may ask what a question about people asks. Of a year of birth it asks only the age group. */
const FITTING_TYPES: Record<ProfileQuestionType, readonly QuestionType[]> = {
  'one-choice': ONE_CHOICE,
  'several-choices': ['several_choices'],
  'year-of-birth': ONE_CHOICE,
  area: ONE_CHOICE,
  postcode: ['short_text'],
  'short-text': ['short_text'],
}

export const fitsProfileType = ({ type }: Pick<Question, 'type'>, profile: ProfileQuestionType): boolean =>
  FITTING_TYPES[profile].includes(type)

/**
 * What a person said about themselves as an answer of the survey.
 * @param year the current one, which an age group is counted from
 * @returns undefined if the survey does not offer it
 */
export function toSurveyAnswer(question: Question, type: ProfileQuestionType, said: Answer, year: number): Answer | undefined {
  if (!fitsProfileType(question, type)) return undefined
  const answer = type === 'year-of-birth' ? toAgeChoice(said, year) : keepOffered(question, said)
  if (answer === undefined || checkAnswers([question], { [question.id]: answer }).length > 0) return undefined
  return readAnswers([question], toFormValues([question], { [question.id]: answer }))[question.id]
}

/** The options of the standard question about age: `u16`, `a16` to `a75`. */
function toAgeChoice(said: Answer, year: number): Answer | undefined {
  const group = typeof said === 'number' ? findAgeGroup(said, year) : undefined
  return group && { choice: group === 'under-16' ? 'u16' : `a${group.slice(0, 2)}` }
}

/** Of several choices, those that the survey offers too. */
function keepOffered(question: Question, said: Answer): Answer | undefined {
  if (typeof said !== 'object' || !('choices' in said) || question.type !== 'several_choices') return said
  const offered = new Set(question.options.filter(({ removed }) => !removed).map(({ id }) => id))
  const choices = said.choices.filter((id) => offered.has(id))
  return choices.length > 0 ? { choices } : undefined
}

/**
 * Whether every answer that the survey takes can also be kept as what the person said about themselves. An age group cannot; nor can several
 * choices if the survey offers fewer, because the others would be lost.
 */
export function canBeKept(question: Question, type: ProfileQuestionType, offered: ReadonlySet<string> | undefined): boolean {
  if (type === 'year-of-birth' || !fitsProfileType(question, type)) return false
  if (!('options' in question)) return true
  const options = question.options.filter(({ removed }: SurveyOption) => !removed)
  if (type === 'several-choices' && options.length !== offered?.size) return false
  return options.every(({ id, other }: SurveyOption) => offered?.has(id) && !other)
}

interface SurveyOption {
  id: string
  removed?: true | undefined
  other?: true | undefined
}

/** The answers in a form or draft that differ from what the person said. */
export const listChangedAnswers = (links: readonly LinkedToProfile[], answers: Answers, said: Answers): LinkedToProfile[] =>
  links.filter(({ id }) => {
    const answer = getOwn(answers, id)
    return answer !== undefined && JSON.stringify(answer) !== JSON.stringify(getOwn(said, id))
  })
