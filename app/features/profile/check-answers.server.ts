import { and, eq } from 'drizzle-orm'
import type { ProfileQuestionRow } from '#app/features/profile-answers/profile-answers.server.ts'
import type { CheckedAnswers } from '#app/features/profile-answers/store-answers.server.ts'
import { checkAnswers, readAnswers, tidyAnswers } from '#app/features/surveys/questionnaire/answers.ts'
import { buildFieldName, type FormValues } from '#app/features/surveys/questionnaire/field-names.ts'
import type { Answer, Answers } from '#app/features/surveys/surveys.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { ProfileAskedAt } from '#app/lib/vocabulary/profile.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { profileAnswers } from '#app/server/db/schema/profile.ts'
import { loadAreaOptions, lockQuestions } from './asked-questions.server.ts'
import { toQuestion, withLimits } from './profile-questions.ts'

const FIELD = /^q\.([A-Za-z][A-Za-z0-9_-]{0,39})$/

/**
 * Checks what a form says about a person.
 * @param askedAt the questions that the form asks, of which the required ones must be answered
 * @throws {AppError} `question-retired` if a question was withdrawn meanwhile; `invalid` with pointers such as `/q.age`
 */
export async function checkSentAnswers(
  ctx: Ctx,
  tx: Tx,
  values: FormValues,
  askedAt?: ProfileAskedAt,
  others: readonly Fault[] = [],
): Promise<CheckedAnswers> {
  const sent = Object.entries(values).filter(([, value]) => [value ?? ''].flat().some((one) => one.trim()))
  const keys = sent.flatMap(([name]) => FIELD.exec(name)?.[1] ?? [])
  const rows = keys.length || askedAt ? await lockQuestions(ctx, tx, { keys, askedAt }) : []
  const { questions, answers, faults } = await readFormAnswers(ctx, tx, rows, values)
  refuseRetired(rows, keys)
  const all = [...others, ...faults]
  if (all.length > 0) throw new AppError('invalid', { faults: all })
  return { questions, answers }
}

async function readFormAnswers(ctx: Ctx, tx: Tx, rows: readonly ProfileQuestionRow[], values: FormValues) {
  const questions = rows.filter(({ status }) => status === 'live')
  const asked = await toCheckedQuestions(ctx, tx, questions)
  const answers = readAnswers(asked, values)
  const faults = checkAnswers(asked, answers).map((fault) => toFieldFault(questions, fault))
  return { questions, answers: tidyAll(asked, answers), faults }
}

/**
 * Checks one answer as the API sends it.
 * @throws {AppError} `question-retired`; `invalid` with the pointer `/answer`, or `/question` if the site has no such question
 */
export async function checkOneAnswer(
  ctx: Ctx,
  tx: Tx,
  key: string,
  answer: Answer,
): Promise<CheckedAnswers & { questions: readonly ProfileQuestionRow[] }> {
  const rows = await lockQuestions(ctx, tx, { keys: [key] })
  if (rows.length === 0) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/question' }] })
  refuseRetired(rows, [key])
  const asked = await toCheckedQuestions(ctx, tx, rows)
  const answers = tidyAll(asked, { [key]: answer })
  const [fault] = checkAnswers(asked, answers)
  if (fault) throw new AppError('invalid', { faults: [{ ...fault, pointer: '/answer' }] })
  if (answers[key] === undefined) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/answer' }] })
  return { questions: rows, answers }
}

/** @throws {AppError} `question-retired` */
function refuseRetired(rows: readonly ProfileQuestionRow[], keys: readonly string[]): void {
  const retired = rows.filter(({ key, status }) => status === 'retired' && keys.includes(key))
  if (retired.length > 0)
    throw new AppError('question-retired', {
      faults: retired.map(({ key }) => ({ code: 'question-retired' as const, pointer: `/${buildFieldName(key)}` })),
    })
}

async function toCheckedQuestions(ctx: Ctx, tx: Tx, rows: readonly ProfileQuestionRow[]) {
  const areas = await loadAreaOptions(ctx, tx, rows)
  return rows
    .filter(({ type }) => type !== 'area' || areas.length > 0)
    .map((row) => withLimits(toQuestion(row, areas), row.type, ctx.now()))
}

const tidyAll = (questions: Parameters<typeof checkAnswers>[0], answers: Answers): Answers =>
  tidyAnswers({ schema: 1, pages: [{ id: 'about', questions: [...questions] }] }, answers)

/** What is wrong with a year is said as one sentence, without its limits. */
function toFieldFault(rows: readonly ProfileQuestionRow[], fault: Fault): Fault {
  const [, key = '', ...part] = (fault.pointer ?? '').split('/')
  const isYear = rows.find((row) => row.key === key)?.type === 'year-of-birth' && fault.code !== 'required'
  return { ...(isYear ? { code: 'not-a-year' } : fault), pointer: `/${buildFieldName(key, ...part)}` }
}

/** With what it can be filtered by. @returns whether there was one */
export async function deleteAnswer(
  tx: Tx,
  { siteId, userId, questionId }: { siteId: string; userId: string; questionId: string },
): Promise<boolean> {
  const gone = await tx
    .delete(profileAnswers)
    .where(and(eq(profileAnswers.siteId, siteId), eq(profileAnswers.userId, userId), eq(profileAnswers.questionId, questionId)))
    .returning({ id: profileAnswers.id })
  return gone.length > 0
}
