import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { requireOwnPassword } from '#app/features/accounts/passwords.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { phoneCodes, userPhones } from '#app/server/db/schema/messages.ts'
import { formatPhone } from '#app/server/format-phone.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { countAttempt, takeBackAttempt } from '#app/server/limits/limits.ts'
import { endFormerConsent, findConsent, recordConsent } from './consents.server.ts'
import { queueMessage } from './messages.server.ts'
import { createPhoneCode, findPhoneCodeEnd, limitUnansweredTexts, listPhoneCodeLimits, MAX_PHONE_CODE_TRIES } from './phone-codes.server.ts'
import { parsePhone } from './phone-format.server.ts'

/** A person's number, as their account page shows it. */
export interface PhoneView {
  /** In international format. */
  phone: string | null
  /** The number that a still valid code was sent to. */
  waiting: string | null
  consent: boolean
}

/** The viewer's own number; null if the site sends no texts, and for guests from the platform. @throws {AppError} `unauthenticated` */
export async function readPhone(ctx: Ctx): Promise<PhoneView | null> {
  const viewer = findSiteAccount(ctx)
  if (!viewer || !(await canSendSms(ctx))) return null
  return ctx.db.read(async (tx) => {
    const phone = await findPhoneOfUser(ctx, tx, viewer.id)
    const [code] = await tx
      .select()
      .from(phoneCodes)
      .where(and(eq(phoneCodes.siteId, ctx.site.id), eq(phoneCodes.userId, viewer.id)))
    return {
      phone: phone ? formatPhone(phone) : null,
      waiting: code && code.expiresAt > ctx.now() ? formatPhone(code.phone) : null,
      consent: phone ? ((await findConsent(ctx, tx, phone)) ?? false) : false,
    }
  })
}

/**
 * Sends a code to a number, which becomes the account's once the code is entered. Requires the password.
 * @throws {AppError} `unauthenticated`, `sms-not-enabled`, `wrong-password`, `not-a-phone`, `too-many-requests`
 */
export async function requestPhoneCode(ctx: Ctx, input: { phone: string; password: string }): Promise<void> {
  const viewer = await requireSiteAccount(ctx)
  const phone = parsePhone(input.phone, ctx.site.region)
  if (!phone) throw new AppError('not-a-phone', { pointer: '/phone' })
  await requireOwnPassword(ctx, input.password, '/password')
  await countAttempt(ctx, listPhoneCodeLimits(ctx, viewer.id, phone))
  const code = createPhoneCode()
  const now = ctx.now()
  const values = {
    phone,
    codeHash: hashPhoneCode(ctx, viewer.id, code),
    tries: 0,
    createdAt: now,
    expiresAt: findPhoneCodeEnd(now),
  }
  await ctx.db.tx(async (tx) => {
    await tx
      .insert(phoneCodes)
      .values({ siteId: ctx.site.id, userId: viewer.id, ...values })
      .onConflictDoUpdate({ target: [phoneCodes.siteId, phoneCodes.userId], set: values })
    const body = getTranslator(ctx.language, 'sms')('code.text', { code, site: ctx.site.name })
    await queueMessage(ctx, tx, { purpose: 'code', phone, language: ctx.language, body, userId: viewer.id })
  })
}

/**
 * Assigns the number to the account if the code is right: once, within ten minutes and five attempts. If another account had the number, it
 * loses it, and its consent ends.
 * @throws {AppError} `unauthenticated`, `sms-not-enabled`, `link-expired`, `wrong-code`
 */
export async function confirmPhone(ctx: Ctx, input: { code: string }): Promise<void> {
  const viewer = await requireSiteAccount(ctx)
  const { site } = ctx
  const pending = and(eq(phoneCodes.siteId, site.id), eq(phoneCodes.userId, viewer.id))
  // A wrong code must be counted, so the transaction has to commit.
  const outcome = await ctx.db.tx(async (tx) => {
    const [sent] = await tx.select().from(phoneCodes).where(pending).for('update')
    if (!sent || sent.expiresAt <= ctx.now() || sent.tries >= MAX_PHONE_CODE_TRIES) return 'expired'
    if (!timingSafeEqual(sent.codeHash, hashPhoneCode(ctx, viewer.id, input.code.replace(/\D/g, '')))) {
      await tx
        .update(phoneCodes)
        .set({ tries: sql`${phoneCodes.tries} + 1` })
        .where(pending)
      return 'wrong'
    }
    const { phone } = sent
    await tx.delete(phoneCodes).where(pending)
    await tx.delete(userPhones).where(and(eq(userPhones.siteId, site.id), eq(userPhones.phone, phone)))
    await endFormerConsent(ctx, tx, { phone, userId: viewer.id, words: getTranslator(ctx.language, 'sms')('code.passed-on') })
    await tx
      .insert(userPhones)
      .values({ siteId: site.id, userId: viewer.id, phone, confirmedAt: ctx.now() })
      .onConflictDoUpdate({ target: [userPhones.siteId, userPhones.userId], set: { phone, confirmedAt: ctx.now() } })
    await recordAudit(ctx, tx, { action: 'users.confirm-phone', subject: { type: 'users', id: viewer.id } })
    return 'confirmed'
  })
  if (outcome === 'expired') throw new AppError('code-expired', { pointer: '/code' })
  if (outcome === 'wrong') throw new AppError('wrong-code', { pointer: '/code' })
  await takeBackAttempt(ctx, limitUnansweredTexts(ctx))
}

/** Gives or withdraws consent to texts. The ledger keeps the wording. @throws {AppError} `unauthenticated`, `conflict` */
export async function setSmsConsent(ctx: Ctx, consent: boolean): Promise<void> {
  const viewer = await requireSiteAccount(ctx)
  await ctx.db.tx(async (tx) => {
    const phone = await findPhoneOfUser(ctx, tx, viewer.id)
    if (!phone) throw new AppError('conflict')
    const words = getTranslator(ctx.language, 'account')('phone.consent', { site: ctx.site.name })
    const isNew = await recordConsent(ctx, tx, {
      phone,
      userId: viewer.id,
      given: consent,
      words,
      language: ctx.language,
      source: 'account',
    })
    if (isNew) {
      await recordAudit(ctx, tx, {
        action: consent ? 'consents.give' : 'consents.withdraw',
        subject: { type: 'users', id: viewer.id },
        detail: { purpose: 'sms' },
      })
    }
  })
}

/** Removes the number from the account and withdraws its consent. @throws {AppError} `unauthenticated` */
export async function removePhone(ctx: Ctx): Promise<void> {
  const viewer = await requireSiteAccount(ctx)
  await setSmsConsent(ctx, false)
  await ctx.db.tx(async (tx) => {
    await tx.delete(userPhones).where(and(eq(userPhones.siteId, ctx.site.id), eq(userPhones.userId, viewer.id)))
    await recordAudit(ctx, tx, { action: 'users.remove-phone', subject: { type: 'users', id: viewer.id } })
  })
}

/** The viewer, if their account belongs to this site. */
function findSiteAccount(ctx: Ctx): SignedInViewer | undefined {
  if (ctx.viewer.kind !== 'user') throw new AppError('unauthenticated')
  return ctx.viewer.siteId === ctx.site.id ? ctx.viewer : undefined
}

async function requireSiteAccount(ctx: Ctx): Promise<SignedInViewer> {
  const viewer = findSiteAccount(ctx)
  if (!viewer) throw new AppError('forbidden')
  if (!(await canSendSms(ctx))) throw new AppError('sms-not-enabled')
  return viewer
}

/** The viewer's own number, if the site can text them; undefined for visitors and guests from the platform. */
export async function findOwnPhone(ctx: Ctx): Promise<string | undefined> {
  const { viewer, site } = ctx
  if (viewer.kind !== 'user' || viewer.siteId !== site.id || !(await canSendSms(ctx))) return undefined
  return ctx.db.read((tx) => findReachablePhone(ctx, tx, viewer.id))
}

/** The number of an account; undefined if it has none, or its owner refused texts or sent STOP. */
export async function findReachablePhone(ctx: Ctx, tx: Tx, userId: string): Promise<string | undefined> {
  const phone = await findPhoneOfUser(ctx, tx, userId)
  return phone && (await findConsent(ctx, tx, phone)) !== false ? phone : undefined
}

async function findPhoneOfUser(ctx: Ctx, tx: Tx, userId: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ phone: userPhones.phone })
    .from(userPhones)
    .where(and(eq(userPhones.siteId, ctx.site.id), eq(userPhones.userId, userId)))
  return row?.phone
}

const hashPhoneCode = ({ runtime, site }: Ctx, userId: string, code: string): Buffer =>
  createHmac('sha256', runtime.secret).update(`phone code ${site.id} ${userId} ${code}`).digest()
