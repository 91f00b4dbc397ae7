import { AppError, isAppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { limitByAddress, countAttempt, takeBackAttempt } from '#app/server/limits/limits.ts'
import { type SurveyAddress, requireSurveyAt } from '#app/features/surveys/surveys.server.ts'
import { isInvitation, parseInvitation } from './invitation-secrets.server.ts'

const getGuessLimits = (ctx: Ctx) => limitByAddress(ctx, { name: 'invitation', most: 30, minutes: 15 })

/**
 * Reads a code or the secret part of a personal link, typed or from the address.
 * @returns the secret that the browser keeps to answer with, whether used or not
 * @throws {AppError} `invalid` with `required`, `wrong-format` or `not-found` at `/invitation`; `too-many-requests`; `not-found`
 */
export async function acceptInvitation(ctx: Ctx, address: SurveyAddress, typed: string): Promise<{ surveyId: string; secret: string }> {
  if (!typed.trim()) throw createInvitationError('required')
  const secret = parseInvitation(typed)
  if (!secret) throw createInvitationError('wrong-format')
  await countAttempt(ctx, getGuessLimits(ctx))
  const surveyId = await ctx.db.read(async (tx) => {
    const { survey } = await requireSurveyAt(ctx, tx, address)
    return (await isInvitation(ctx, tx, survey.id, secret)) ? survey.id : undefined
  })
  if (!surveyId) throw createInvitationError('not-found')
  await takeBackAttempt(ctx, getGuessLimits(ctx))
  return { surveyId, secret }
}

/** Counts an answer that carries an invitation as a guess, unless the invitation is valid. */
export async function withGuessLimits<T>(ctx: Ctx, invitation: string | undefined, answer: () => Promise<T>): Promise<T> {
  if (invitation === undefined) return answer()
  await countAttempt(ctx, getGuessLimits(ctx))
  try {
    const done = await answer()
    await takeBackAttempt(ctx, getGuessLimits(ctx))
    return done
  } catch (error) {
    if (!isAppError(error, 'invitation-needed')) await takeBackAttempt(ctx, getGuessLimits(ctx))
    throw error
  }
}

const createInvitationError = (code: 'required' | 'wrong-format' | 'not-found') =>
  new AppError('invalid', { faults: [{ code, pointer: '/invitation' }] })
