import { and, eq, sql } from 'drizzle-orm'
import { checkAnswers, readAnswers, tidyAnswers } from '#app/features/surveys/questionnaire/answers.ts'
import { buildFieldName } from '#app/features/surveys/questionnaire/field-names.ts'
import { getQuestionModule } from '#app/features/surveys/surveys.question-types.server.ts'
import type { Answer, Answers } from '#app/features/surveys/surveys.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { getFormatter } from '#app/lib/format.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { eventSignUps } from '#app/server/db/schema/events.ts'
import type { FormValues } from '#app/server/forms.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { EventRow } from '../events.policy.server.ts'
import { MAX_SIGN_UP_OPTIONS, MAX_SIGN_UP_QUESTIONS, type SignUpQuestion, signUpQuestionsSchema } from '../sign-up-questions.schema.ts'

type Questioned = Pick<EventRow, 'siteId' | 'id' | 'questions'>

/** The questions of an event, also those that are no longer asked. */
export const readSignUpQuestions = ({ questions }: Pick<EventRow, 'questions'>): SignUpQuestion[] => questions as SignUpQuestion[]

/** Those that are asked. */
export const listAskedQuestions = (event: Pick<EventRow, 'questions'>): SignUpQuestion[] =>
  readSignUpQuestions(event).filter(({ removed }) => !removed)

/** Answers in a form, even if they are incomplete or wrong. */
export const readSentAnswers = (event: Pick<EventRow, 'questions'>, values: FormValues): Answers =>
  readAnswers(listAskedQuestions(event), values)

/** @returns answers as they are stored, and what is wrong with them, with pointers such as `/q.meal` */
export function checkSignUpAnswers(event: Pick<EventRow, 'questions'>, given: Answers): { answers: Answers; faults: Fault[] } {
  const questions = listAskedQuestions(event)
  const faults = checkAnswers(questions, given).map((fault) => {
    const [, id = '', ...part] = (fault.pointer ?? '').split('/')
    return { ...fault, pointer: `/${buildFieldName(id, ...part)}` }
  })
  return { answers: tidyAnswers({ schema: 1, pages: [{ id: 'signUp', questions }] }, given), faults }
}

/** A question and its answer in words. */
export interface AnswerInWords {
  id: string
  title: LocalisedText
  /** One for each option chosen. */
  lines: string[]
}

/** Answers in words, in the order of the questions. */
export function describeAnswers(
  { language, contentLanguage, site }: Ctx,
  event: Pick<EventRow, 'questions'>,
  answers: unknown,
): AnswerInWords[] {
  const given = answers as Record<string, Answer>
  const say = (text: Translated | undefined) => localiseText(text, contentLanguage, site.locale)
  const format = getFormatter({ language, region: site.region, timeZone: site.timeZone })
  const speak = { t: getTranslator(language, 'survey'), language, format, say }
  return readSignUpQuestions(event).flatMap((question) => {
    const answer = Object.hasOwn(given, question.id) ? given[question.id] : undefined
    if (answer === undefined) return []
    return [{ id: question.id, title: say(question.title), lines: getQuestionModule(question).words(question, answer, speak) }]
  })
}

/**
 * Questions as they are saved. What people have answered is kept: a question that is left out is no longer asked, an option no longer offered.
 * @param before undefined for a new event
 * @throws {AppError} `invalid` with pointers below `/questions`; `question-type-fixed` for another type of a question that was answered
 */
export async function prepareSignUpQuestions(tx: Tx, before: Questioned | undefined, given: unknown): Promise<SignUpQuestion[]> {
  const questions = requireValid(signUpQuestionsSchema, given, { at: '/questions' })
  const answered = before ? await findAnswered(tx, before) : new Map<string, SignUpQuestion>()
  const faults = questions.flatMap((question, at) => {
    const pointer = `/questions/${at}`
    const former = answered.get(question.id)
    return [
      ...(questions.findIndex(({ id }) => id === question.id) === at ? [] : [{ code: 'taken' as const, pointer: `${pointer}/id` }]),
      ...(former && former.type !== question.type ? [{ code: 'question-type-fixed' as const, pointer: `${pointer}/type` }] : []),
      ...listDefinitionFaults(question, pointer),
    ]
  })
  if (questions.filter(({ removed }) => !removed).length > MAX_SIGN_UP_QUESTIONS)
    faults.push({ code: 'too-many', pointer: '/questions', values: { max: MAX_SIGN_UP_QUESTIONS } })
  if (faults.length > 0) throw new AppError('invalid', { faults })
  const ids = new Set(questions.map(({ id }) => id))
  const left = [...answered.values()].filter(({ id }) => !ids.has(id)).map((question) => ({ ...question, removed: true as const }))
  return [...questions.map((question) => keepOptions(question, answered.get(question.id))), ...left]
}

function listDefinitionFaults(question: SignUpQuestion, at: string): Fault[] {
  if (question.removed) return []
  const faults = getQuestionModule(question).faults?.(question, at) ?? []
  const offered = 'options' in question ? question.options.filter(({ removed }) => !removed).length : 0
  return offered > MAX_SIGN_UP_OPTIONS
    ? [...faults, { code: 'too-many', pointer: `${at}/options`, values: { max: MAX_SIGN_UP_OPTIONS } }]
    : faults
}

/** An option that may have been chosen keeps its words. */
function keepOptions(question: SignUpQuestion, former: SignUpQuestion | undefined): SignUpQuestion {
  if (!('options' in question) || !former || !('options' in former)) return question
  const ids = new Set(question.options.map(({ id }) => id))
  const left = former.options.filter(({ id }) => !ids.has(id)).map((option) => ({ ...option, removed: true as const }))
  return { ...question, options: [...question.options, ...left] }
}

/** The questions that some sign-up answers. */
async function findAnswered(tx: Tx, { siteId, id, questions }: Questioned): Promise<Map<string, SignUpQuestion>> {
  const known = readSignUpQuestions({ questions })
  if (known.length === 0) return new Map()
  const rows = await tx
    .selectDistinct({ question: sql<string>`jsonb_object_keys(${eventSignUps.answers})` })
    .from(eventSignUps)
    .where(and(eq(eventSignUps.siteId, siteId), eq(eventSignUps.eventId, id)))
  const answered = new Set(rows.map(({ question }) => question))
  return new Map(known.filter((question) => answered.has(question.id)).map((question) => [question.id, question]))
}
