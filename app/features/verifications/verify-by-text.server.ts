import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq, lte, sql } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import { queueMessage } from '#app/features/sms/messages.server.ts'
import {
  createPhoneCode,
  findPhoneCodeEnd,
  limitUnansweredTexts,
  listPhoneCodeLimits,
  MAX_PHONE_CODE_TRIES,
} from '#app/features/sms/phone-codes.server.ts'
import { isLocalPhone, parsePhone } from '#app/features/sms/phone-format.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId, isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { verificationTexts } from '#app/server/db/schema/verifications.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { limitGuesses } from '#app/server/limits/guesses.ts'
import { countAttempt, takeBackAttempt } from '#app/server/limits/limits.ts'
import {
  findPersonKey,
  findYearFromNow,
  listTryLimits,
  type NewVerification,
  NO_ORIGIN,
  type Prover,
  requireNoGuest,
  storeForViewer,
} from './store-verification.server.ts'

/** Strangers decide how many texts a site pays for: no more than these a day. */
const TEXTS_A_DAY = 500

const isText = (ctx: Ctx, id: string) => and(eq(verificationTexts.siteId, ctx.site.id), eq(verificationTexts.id, id))

/** Whom a number verifies: one person, in however many browsers and accounts. */
const hashPhone = ({ runtime, site }: Ctx, phone: string): Buffer =>
  createHmac('sha256', runtime.secret).update(`verified phone/${site.id}/${phone}`).digest()

const hashCode = ({ runtime, site }: Ctx, textId: string, code: string): Buffer =>
  createHmac('sha256', runtime.secret).update(`verification text/${site.id}/${textId}/${code}`).digest()

export interface SentText {
  id: string
  expiresAt: Date
}

/**
 * Texts a code to a number of the site's country. The number stays only in the text, until it is sent.
 * @throws {AppError} `sms-not-enabled`; `invalid` at `/phone`: `required`, `not-a-phone`; `too-many-requests`; `forbidden` for a guest of
 * the platform
 */
export async function sendVerificationText(
  ctx: Ctx,
  { phone: typed, browserToken }: Pick<Prover, 'browserToken'> & { phone: string },
): Promise<SentText> {
  requireNoGuest(ctx)
  if (!(await canSendSms(ctx))) throw new AppError('sms-not-enabled')
  if (!typed.trim()) throw createPhoneFault('required')
  const phone = parsePhone(typed, ctx.site.region)
  if (!phone || !isLocalPhone(phone, ctx.site.region)) throw createPhoneFault('not-a-phone')
  const person = findPersonKey(ctx, browserToken)
  const ofSite = { name: 'verify-text', of: ctx.site.id, most: TEXTS_A_DAY, minutes: 24 * 60 }
  await countAttempt(ctx, [...listPhoneCodeLimits(ctx, person, phone), ofSite])
  const id = createId()
  const code = createPhoneCode()
  const expiresAt = findPhoneCodeEnd(ctx.now())
  await ctx.db.tx(async (tx) => {
    const hashes = { phoneHash: hashPhone(ctx, phone), codeHash: hashCode(ctx, id, code) }
    await tx.insert(verificationTexts).values({ siteId: ctx.site.id, id, expiresAt, ...hashes })
    const body = getTranslator(ctx.language, 'sms')('code.text', { code, site: ctx.site.name })
    await queueMessage(ctx, tx, { purpose: 'code', phone, language: ctx.language, body, userId: null, unnamed: true })
  })
  return { id, expiresAt }
}

/**
 * Verifies the viewer by the code that was texted to them: once, within ten minutes and five attempts.
 * @throws {AppError} `code-expired`, `wrong-code` at `/code`; `invalid` with `required` at `/code`; `too-many-requests`; `forbidden` for a
 * guest of the platform
 */
export async function verifyByText(
  ctx: Ctx,
  { textId, code, browserToken, secret }: Prover & { textId: string; code: string },
): Promise<NewVerification> {
  requireNoGuest(ctx)
  if (!isId(textId)) throw new AppError('code-expired', { pointer: '/code' })
  const digits = code.replace(/\D/g, '')
  if (!digits) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/code' }] })
  return limitGuesses(ctx, listTryLimits(ctx, browserToken), () => takeText(ctx, textId, digits, secret))
}

async function takeText(ctx: Ctx, textId: string, digits: string, secret: string | undefined): Promise<NewVerification> {
  // A wrong code must be counted, so the transaction has to commit.
  const outcome = await ctx.db.tx(async (tx) => {
    const [sent] = await tx.select().from(verificationTexts).where(isText(ctx, textId)).for('update')
    if (!sent || sent.expiresAt <= ctx.now() || sent.tries >= MAX_PHONE_CODE_TRIES) return 'code-expired'
    if (!timingSafeEqual(sent.codeHash, hashCode(ctx, textId, digits))) {
      await tx
        .update(verificationTexts)
        .set({ tries: sql`${verificationTexts.tries} + 1` })
        .where(isText(ctx, textId))
      return 'wrong-code'
    }
    await tx.delete(verificationTexts).where(isText(ctx, textId))
    const proof = { ...NO_ORIGIN, subjectHash: sent.phoneHash, method: 'text', level: 'contact', validUntil: findYearFromNow(ctx) } as const
    return storeForViewer(ctx, tx, proof, secret)
  })
  if (outcome === 'code-expired' || outcome === 'wrong-code') throw new AppError(outcome, { pointer: '/code' })
  await takeBackAttempt(ctx, limitUnansweredTexts(ctx))
  return outcome
}

/** Deletes texts whose codes have expired. @returns how many */
export async function deleteExpiredTexts(ctx: Ctx, tx: Tx): Promise<number> {
  const gone = await tx
    .delete(verificationTexts)
    .where(and(eq(verificationTexts.siteId, ctx.site.id), lte(verificationTexts.expiresAt, ctx.now())))
    .returning({ id: verificationTexts.id })
  return gone.length
}

const createPhoneFault = (code: 'required' | 'not-a-phone') => new AppError('invalid', { faults: [{ code, pointer: '/phone' }] })
