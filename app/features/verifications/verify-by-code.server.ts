import { and, eq } from 'drizzle-orm'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import { limitGuesses } from '#app/server/limits/guesses.ts'
import { hashLetterCode, lockCode } from './code-batches.server.ts'
import { findHeld } from './held-verifications.server.ts'
import { listTryLimits, type NewVerification, NO_ORIGIN, type Prover, requireNoGuest, storeForViewer } from './store-verification.server.ts'

/**
 * Verifies the viewer by a code from a letter, which works for one of them. Typing it again gives the same verification.
 * @throws {AppError} `invalid` at `/code`: `required`, `wrong-format`, `not-found`, `taken` if another person used it; `too-many-requests`;
 * `forbidden` for a guest of the platform
 */
export async function verifyByCode(ctx: Ctx, { code: typed, browserToken, secret }: Prover & { code: string }): Promise<NewVerification> {
  requireNoGuest(ctx)
  if (!typed.trim()) throw createCodeFault('required')
  const code = parseReceiptCode(typed)
  if (!code) throw createCodeFault('wrong-format')
  const subjectHash = hashLetterCode(ctx, code)
  return limitGuesses(ctx, listTryLimits(ctx, browserToken), () =>
    ctx.db.tx(async (tx) => {
      const batch = await lockCode(ctx, tx, subjectHash)
      if (!batch) throw createCodeFault('not-found')
      const [used] = await tx
        .select({ id: verifications.id })
        .from(verifications)
        .where(and(eq(verifications.siteId, ctx.site.id), eq(verifications.subjectHash, subjectHash)))
        .limit(1)
      const held = await findHeld(ctx, tx, secret)
      if (used && !held.some((one) => one.subjectHash.equals(subjectHash))) throw createCodeFault('taken')
      const { level, validUntil, id: batchId } = batch
      return storeForViewer(ctx, tx, { ...NO_ORIGIN, subjectHash, method: 'code', level, batchId, validUntil }, secret)
    }),
  )
}

const createCodeFault = (code: 'required' | 'wrong-format' | 'not-found' | 'taken') =>
  new AppError('invalid', { faults: [{ code, pointer: '/code' }] })
