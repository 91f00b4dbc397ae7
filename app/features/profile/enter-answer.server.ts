import { and, eq } from 'drizzle-orm'
import { loadPeopleById, requirePeopleManager } from '#app/features/accounts/people.list.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { addAnswers, storeAnswers } from '#app/features/profile-answers/store-answers.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import { profileAnswers } from '#app/server/db/schema/profile.ts'
import { checkOneAnswer } from './check-answers.server.ts'
import type { ProfileAnswer } from './profile.schema.ts'

/** What the team enters can be corrected by the team; what a person said, or confirmed at their sign-in, only by that person. */
const REPLACEABLE = ['staff', 'import'] as const

/**
 * Stores an answer that a person gave to the team, for example on the phone. Only the person can give sensitive answers.
 * @returns the answer's id
 * @throws {AppError} `forbidden`, `not-found`; `said-by-person` if they have answered the question themselves; as `checkOneAnswer`
 */
export async function enterAnswer(ctx: Ctx, userId: string, key: string, answer: ProfileAnswer): Promise<string> {
  requirePeopleManager(ctx.viewer)
  return ctx.db.tx(async (tx) => {
    const [person] = await loadPeopleById(withTx(ctx, tx), [userId])
    if (!person) throw new AppError('not-found')
    const checked = await checkOneAnswer(ctx, tx, key, answer)
    const [question] = checked.questions
    const given = checked.answers[key]
    if (!question || question.sensitive || given === undefined)
      throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/question' }] })
    const isTheirs = and(
      eq(profileAnswers.siteId, ctx.site.id),
      eq(profileAnswers.userId, userId),
      eq(profileAnswers.questionId, question.id),
    )
    const [before] = await tx.select({ source: profileAnswers.source }).from(profileAnswers).where(isTheirs).for('update')
    if (before && !REPLACEABLE.some((source) => source === before.source)) throw new AppError('said-by-person')
    if (before) await storeAnswers(ctx, tx, userId, checked, 'staff')
    // The person may have answered since.
    else if ((await addAnswers(ctx, tx, [{ userId, question, answer: given }], 'staff')) === 0) throw new AppError('said-by-person')
    await recordAudit(ctx, tx, { action: 'profile-answers.enter', subject: { type: 'users', id: userId }, detail: { question: key } })
    const [stored] = await tx.select({ id: profileAnswers.id }).from(profileAnswers).where(isTheirs)
    if (!stored) throw new AppError('internal')
    return stored.id
  })
}
