import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { moveAddressFollows } from '#app/features/follows/email-follows.server.ts'
import { recordEvents } from '#app/features/marketplace/webhooks/webhook-events.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { withMinimumDuration } from '#app/lib/minimum-duration.ts'
import { type ContentLanguage, listContentLanguages } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { hashPassword } from '#app/server/auth/passwords.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { mailAddresses } from '#app/server/db/schema/mail.ts'
import { countAttempt, takeBackAttempt } from '#app/server/limits/limits.ts'
import { limitMails } from '#app/server/limits/mails.ts'
import { queueAccountMail } from './account-mails.server.ts'
import type { RegisterInput } from './accounts.schema.ts'
import { recordMailConsent } from './mail-consents.server.ts'
import { CONFIRM_HOURS, requireLink, createOneTimeLink, consumeLink } from './one-time-links.server.ts'
import { findUserByEmail, lockUser, requireOwnAccount, getRealmDb, type UserRow } from './account-realm.server.ts'
import { requireUnbreachedPassword, requireUnguessablePassword } from './strong-password.server.ts'

/** Longer than either path takes on an idle machine, including the password hash. */
const MIN_RESPONSE_MS = 300

type AlsoStore = (tx: Tx, userId: string) => Promise<void>

/**
 * Creates an account and emails a confirmation link. Only the holder learns, by email, if the address is already registered: the response
 * and the work done are the same.
 * @param alsoStore stores what else was said of the new person, in the same transaction
 * @returns an id, which is the new account's if one was created
 */
export async function registerParticipant(ctx: Ctx, input: RegisterInput, alsoStore?: AlsoStore): Promise<{ id: string }> {
  const locale = input.locale ?? ctx.contentLanguage
  if (!listContentLanguages(ctx.site).includes(locale))
    throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/locale' }] })
  requireUnguessablePassword(ctx, input.password, input)
  await countAttempt(ctx, limitMails(ctx, 'register', input.email))
  await requireUnbreachedPassword(ctx, input.password)
  return withMinimumDuration(MIN_RESPONSE_MS, async () => {
    const id = createId()
    const passwordHash = await hashPassword(input.password)
    const known = (await findUserByEmail(ctx, input.email)) ?? (await createAccount(ctx, { ...input, id, passwordHash, locale }, alsoStore))
    if (known) await notifyExistingHolder(ctx, known)
    return { id }
  })
}

/** @returns the existing account, if another registration won the race */
async function createAccount(
  ctx: Ctx,
  input: Omit<RegisterInput, 'password' | 'locale'> & { id: string; passwordHash: string; locale: ContentLanguage },
  alsoStore?: AlsoStore,
): Promise<UserRow | undefined> {
  const { id, email, login, passwordHash, locale, marketingConsent } = input
  const now = ctx.now()
  const isMade = await ctx.db.tx(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({
        siteId: ctx.site.id,
        id,
        email,
        login,
        passwordHash,
        locale,
        marketingConsentAt: marketingConsent ? now : null,
        createdAt: now,
      })
      .onConflictDoNothing({ target: [users.siteId, users.email] })
      .returning()
    if (!user) return false
    await alsoStore?.(tx, id)
    if (marketingConsent)
      await recordMailConsent(ctx, tx, { siteId: user.siteId, user, given: true, language: ctx.language, source: 'account' })
    const token = await createOneTimeLink(ctx, tx, buildConfirmationLink(user))
    await queueAccountMail(ctx, tx, user, { kind: 'confirm-email', token })
    await recordAudit(ctx, tx, { action: 'users.create', actor: { id, role: 'participant' }, subject: { type: 'users', id } })
    return true
  })
  return isMade ? undefined : findUserByEmail(ctx, email)
}

/** Emails a new confirmation link. @throws {AppError} `already-confirmed` */
export async function resendConfirmation(ctx: Ctx): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  await countAttempt(ctx, [{ name: 'confirm-email', of: viewer.id, most: 5, minutes: 60 }], siteId)
  await db.tx(async (tx) => {
    const user = await lockUser(tx, siteId, viewer.id)
    if (user.emailConfirmedAt) throw new AppError('already-confirmed')
    const token = await createOneTimeLink(ctx, tx, buildConfirmationLink(user))
    await queueAccountMail(ctx, tx, user, { kind: 'confirm-email', token })
  })
}

/**
 * Reads what an emailed link would do without using it up: pages show it, and mail scanners may open it. @throws {AppError} `link-expired`
 */
export async function loadConfirmation(ctx: Ctx, token: string): Promise<{ kind: 'confirm-email' | 'change-email'; email: string }> {
  const link = await requireLink(ctx, token, ['confirm-email', 'change-email'])
  return { kind: link.purpose === 'change-email' ? 'change-email' : 'confirm-email', email: link.email ?? '' }
}

/** Confirms the address that a link was sent to: the account's current one, or its new one. @throws {AppError} `link-expired`, `taken` */
export async function confirmEmail(ctx: Ctx, token: string): Promise<{ kind: 'confirm-email' | 'change-email' }> {
  const link = await requireLink(ctx, token, ['confirm-email', 'change-email'])
  const { siteId, userId, email } = link
  if (!userId || !email) throw new AppError('link-expired')
  const isChange = link.purpose === 'change-email'
  await getRealmDb(ctx, siteId).tx(async (tx) => {
    await consumeLink(ctx, tx, link)
    const user = await lockUser(tx, siteId, userId)
    if (!isChange && user.email !== email) throw new AppError('link-expired')
    if (isChange && user.email !== email) {
      const [holder] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.siteId, siteId), eq(users.email, email)))
      if (holder) throw new AppError('taken')
      await queueAccountMail(ctx, tx, user, { kind: 'email-changed', to: user.email })
    }
    await tx
      .update(users)
      .set({ email, emailConfirmedAt: ctx.now() })
      .where(and(eq(users.siteId, siteId), eq(users.id, userId)))
    await moveAddressFollows(tx, { siteId, userId, email })
    // An invited administrator also confirms an address, but did not register.
    if (!isChange && user.emailConfirmedAt === null && user.type === 'participant')
      await recordEvents(tx, siteId, 'participant.registered', ctx.now(), [{ subjectId: userId, data: { user: userId } }])
    // The link was opened, so the address can receive email again: clear its failures.
    await tx.delete(mailAddresses).where(and(eq(mailAddresses.siteId, siteId), eq(mailAddresses.address, email)))
    await recordAudit(ctx, tx, {
      action: isChange ? 'users.change-email' : 'users.confirm-email',
      siteId,
      subject: { type: 'users', id: userId },
    })
  })
  if (!isChange) await takeBackAttempt(ctx, limitMails(ctx, 'register', email))
  return { kind: isChange ? 'change-email' : 'confirm-email' }
}

const buildConfirmationLink = (user: UserRow) => ({
  siteId: user.siteId,
  userId: user.id,
  purpose: 'confirm-email' as const,
  email: user.email,
  hours: CONFIRM_HOURS,
})

/**
 * Tells the holder that someone registered with their address. If the account was never confirmed, the address's real owner takes it over
 * by choosing a password, so that no one can claim another person's address.
 */
async function notifyExistingHolder(ctx: Ctx, user: UserRow): Promise<void> {
  const { siteId } = user
  await getRealmDb(ctx, siteId).tx(async (tx) => {
    if (user.emailConfirmedAt) {
      await queueAccountMail(ctx, tx, user, { kind: 'account-exists' })
    } else {
      const purpose = 'reset-password'
      const token = await createOneTimeLink(ctx, tx, { siteId, userId: user.id, purpose, email: user.email, hours: CONFIRM_HOURS })
      await queueAccountMail(ctx, tx, user, { kind: 'finish-registration', token })
    }
    await recordAudit(ctx, tx, { action: 'users.refuse', siteId, subject: { type: 'users', id: user.id } })
  })
}
