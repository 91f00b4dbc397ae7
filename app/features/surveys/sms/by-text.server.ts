import type { Fault } from '#app/lib/app-error.ts'
import { isLongList } from '../questionnaire/question-types/choices/options.ts'
import { listAskedQuestions, walkSurvey } from '../questionnaire/walk-survey.ts'
import type { Answers, Definition, Question, QuestionOf } from '../surveys.schema.ts'

const TEXT_QUESTION_TYPES = [
  'one_choice',
  'dropdown',
  'demographic',
  'yes_no',
  'rating',
  'scale',
  'nps',
  'number',
  'slider',
  'short_text',
] as const
/** A question that fits into one text message and can be answered with one. */
export type TextQuestion = QuestionOf<(typeof TEXT_QUESTION_TYPES)[number]>

/** Nobody answers more than this by text message. */
const MAX_QUESTIONS = 12

const isTextQuestion = (question: Question): question is TextQuestion => TEXT_QUESTION_TYPES.some((type) => type === question.type)

/** Why a survey cannot be answered by text message. Pointers are relative to the definition. */
export function listByTextFaults({ pages }: Definition): Fault[] {
  const asked = pages.flatMap((page, p) =>
    page.questions.flatMap((question, q) => (question.removed ? [] : [{ question, at: `/pages/${p}/questions/${q}/type` }])),
  )
  const fits = (question: Question) => isTextQuestion(question) && !isLongList(question)
  const faults = asked.filter(({ question }) => !fits(question)).map(({ at }): Fault => ({ code: 'not-by-text', pointer: at }))
  if (asked.length > MAX_QUESTIONS) faults.push({ code: 'too-many', pointer: '/pages', values: { max: MAX_QUESTIONS } })
  return faults
}

/**
 * The questions to ask by text message, in order, by the survey's rules. The order is never shuffled: a campaign's message asks all of its
 * readers the same first question.
 * @param id of the response
 */
export const listQuestionsAskedByText = (definition: Definition, answers: Answers, id: string): TextQuestion[] =>
  listAskedQuestions(walkSurvey(withoutShuffling(definition), answers, id)).filter(isTextQuestion)

/** Like `walkSurvey`: answers to the questions asked, and the ending. */
export const walkByText = (definition: Definition, answers: Answers, id: string): { kept: Answers; end: string } =>
  walkSurvey(withoutShuffling(definition), answers, id)

const withoutShuffling = (definition: Definition): Definition => ({
  ...definition,
  pages: definition.pages.map((page) => ({
    ...page,
    shuffle: false,
    questions: page.questions.map((question) => ('shuffle' in question ? { ...question, shuffle: false } : question)),
  })),
})
