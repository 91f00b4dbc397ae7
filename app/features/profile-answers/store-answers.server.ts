import { and, eq, sql } from 'drizzle-orm'
import type { Answer, Answers } from '#app/features/surveys/surveys.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ProfileQuestionType, ProfileSource } from '#app/lib/vocabulary/profile.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { profileAnswerOptions, profileAnswers } from '#app/server/db/schema/profile.ts'
import type { ProfileQuestionRow } from './profile-answers.server.ts'

/** Answers that were checked, by key, with the questions they answer. */
export interface CheckedAnswers {
  questions: readonly Pick<ProfileQuestionRow, 'id' | 'key' | 'type'>[]
  answers: Answers
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

/** What an answer can be filtered by: options, an area's slug, a year. None for written answers. */
export function listAnswerOptions(type: ProfileQuestionType, answer: Answer): string[] {
  if (type === 'year-of-birth') return typeof answer === 'number' ? [String(answer)] : []
  if (typeof answer !== 'object') return []
  if ('choice' in answer) return [answer.choice]
  return 'choices' in answer ? answer.choices : []
}

/** An answer of one person that was checked. */
export interface PersonAnswer {
  userId: string
  question: Pick<ProfileQuestionRow, 'id' | 'type'>
  answer: Answer
}

/**
 * Stores answers from an imported table of people, an identity provider or the team, all together. Answers that people gave before are kept.
 * @returns how many were stored
 */
export async function addAnswers(
  ctx: Ctx,
  tx: Tx,
  given: readonly PersonAnswer[],
  source: Exclude<ProfileSource, 'person'>,
): Promise<number> {
  if (given.length === 0) return 0
  const siteId = ctx.site.id
  const list = <Value>(values: readonly Value[]) => sql.param([...values])
  const { rows: added } = await tx.execute<{ user_id: string; question_id: string }>(sql`
    insert into profile_answers (site_id, id, user_id, question_id, answer, answered_at, source)
    select ${siteId}, id, user_id, question_id, answer::jsonb, ${ctx.now().toISOString()}::timestamptz, ${source}
    from unnest(${list(given.map(() => createId()))}::uuid[], ${list(given.map(({ userId }) => userId))}::uuid[],
      ${list(given.map(({ question }) => question.id))}::uuid[], ${list(given.map(({ answer }) => JSON.stringify(answer)))}::text[])
      imported (id, user_id, question_id, answer)
    on conflict (site_id, user_id, question_id) do nothing returning user_id, question_id`)
  const isAdded = new Set(added.map((row) => `${row.user_id} ${row.question_id}`))
  const options = given
    .filter(({ userId, question }) => isAdded.has(`${userId} ${question.id}`))
    .flatMap(({ userId, question, answer }) =>
      listAnswerOptions(question.type, answer).map((option) => ({ userId, questionId: question.id, option })),
    )
  await tx.execute(sql`
    insert into profile_answer_options (site_id, question_id, option, user_id)
    select ${siteId}, question_id, option, user_id
    from unnest(${list(options.map(({ questionId }) => questionId))}::uuid[], ${list(options.map(({ option }) => option))}::text[],
      ${list(options.map(({ userId }) => userId))}::uuid[]) chosen (question_id, option, user_id)`)
  return added.length
}
