import { and, eq } from 'drizzle-orm'
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
