import { and, eq } from 'drizzle-orm'
import type { ProfileQuestionRow } from '#app/features/profile-answers/profile-answers.server.ts'
import { checkAnswers, readAnswers, tidyAnswers } from '#app/features/surveys/questionnaire/answers.ts'
import { buildFieldName, type FormValues } from '#app/features/surveys/questionnaire/field-names.ts'
import type { Answer, Answers } from '#app/features/surveys/surveys.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ProfileAskedAt, ProfileSource } from '#app/lib/vocabulary/profile.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { profileAnswerOptions, profileAnswers } from '#app/server/db/schema/profile.ts'
import { loadAreaOptions, lockQuestions } from './asked-questions.server.ts'
import { listAnswerOptions, toQuestion, withLimits } from './profile-questions.ts'

/** Answers of a form that were checked, with the questions they answer. */
export interface CheckedAnswers {
  questions: readonly ProfileQuestionRow[]
  answers: Answers
}

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
export async function checkOneAnswer(ctx: Ctx, tx: Tx, key: string, answer: Answer): Promise<CheckedAnswers> {
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

/** Stores answers of a person in place of earlier ones. The caller has checked them in the same transaction. */
export async function storeAnswers(
  ctx: Ctx,
  tx: Tx,
  userId: string,
  { questions, answers }: CheckedAnswers,
  source: ProfileSource,
): Promise<void> {
  for (const { id: questionId, key, type } of questions) {
    const answer = answers[key]
    if (answer === undefined) continue
    const own = { siteId: ctx.site.id, userId, questionId }
    const given = { answer, answeredAt: ctx.now(), source }
    // The row is locked by this, so that two answers sent at once follow each other.
    await tx
      .insert(profileAnswers)
      .values({ ...own, id: createId(), ...given })
      .onConflictDoUpdate({ target: [profileAnswers.siteId, profileAnswers.userId, profileAnswers.questionId], set: given })
    await tx
      .delete(profileAnswerOptions)
      .where(
        and(
          eq(profileAnswerOptions.siteId, ctx.site.id),
          eq(profileAnswerOptions.userId, userId),
          eq(profileAnswerOptions.questionId, questionId),
        ),
      )
    const options = listAnswerOptions(type, answer)
    if (options.length > 0) await tx.insert(profileAnswerOptions).values(options.map((option) => ({ ...own, option })))
  }
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
