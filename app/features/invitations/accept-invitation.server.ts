import { AppError, isAppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { isInvitation, parseInvitation } from './invitation-secrets.server.ts'

/** A code or personal link that was accepted. */
export interface AcceptedInvitation {
  /** Of the survey or activity. */
  subjectId: string
  /** The browser keeps it, to take part with it. */
  secret: string
}

/**
 * Reads a code or the secret part of a personal link, typed or from the address.
 * @param findSubject the id of the survey or activity
 * @throws {AppError} `invalid` with `required`, `wrong-format` or `not-found` at `/invitation`; `too-many-requests`
 */
export async function acceptInvitationTo(ctx: Ctx, findSubject: (tx: Tx) => Promise<string>, typed: string): Promise<AcceptedInvitation> {
  if (!typed.trim()) throw createInvitationError('required')
  const secret = parseInvitation(typed)
  if (!secret) throw createInvitationError('wrong-format')
  return limitGuesses(ctx, limitGuessesByAddress(ctx, 'invitation'), async () => {
    const subjectId = await ctx.db.read(async (tx) => {
      const id = await findSubject(tx)
      return (await isInvitation(ctx, tx, id, secret)) ? id : undefined
    })
    if (!subjectId) throw createInvitationError('not-found')
    return { subjectId, secret }
  })
}

/** Counts an answer that carries an invitation as a guess, unless the invitation is valid. */
export async function withGuessLimits<T>(ctx: Ctx, invitation: string | undefined, answer: () => Promise<T>): Promise<T> {
  if (invitation === undefined) return answer()
  const isWrong = (error: unknown) => isAppError(error, 'invitation-needed') || isAppError(error, 'verification-needed')
  return limitGuesses(ctx, limitGuessesByAddress(ctx, 'invitation'), answer, isWrong)
}

const createInvitationError = (code: 'required' | 'wrong-format' | 'not-found') =>
  new AppError('invalid', { faults: [{ code, pointer: '/invitation' }] })
