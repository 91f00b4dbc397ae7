import type { Fault } from '#app/lib/app-error.ts'
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
/** A question that one text can ask and one text can answer. */
export type TextQuestion = QuestionOf<(typeof TEXT_QUESTION_TYPES)[number]>

/** Nobody answers more than this by text. */
const MAX_QUESTIONS = 12

const isTextQuestion = (question: Question): question is TextQuestion => TEXT_QUESTION_TYPES.some((type) => type === question.type)

/** What keeps a survey from being answered by text. Pointers lie inside the definition. */
export function listByTextFaults({ pages }: Definition): Fault[] {
  const asked = pages.flatMap((page, p) =>
    page.questions.flatMap((question, q) => (question.removed ? [] : [{ question, at: `/pages/${p}/questions/${q}/type` }])),
  )
  const faults = asked.filter(({ question }) => !isTextQuestion(question)).map(({ at }): Fault => ({ code: 'not-by-text', pointer: at }))
  if (asked.length > MAX_QUESTIONS) faults.push({ code: 'too-many', pointer: '/pages', values: { max: MAX_QUESTIONS } })
  return faults
}

/**
 * What is asked of somebody who answers by text, in order, by the rules of the survey. Everybody is asked in the survey's own order: what
 * a campaign's text asks first is the same for all of its readers.
 * @param id of the response
 */
export const listQuestionsAskedByText = (definition: Definition, answers: Answers, id: string): TextQuestion[] =>
  listAskedQuestions(walkSurvey(withoutShuffling(definition), answers, id)).filter(isTextQuestion)

/** As `walk`: answers to what is asked, and the closing page it ends on. */
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
