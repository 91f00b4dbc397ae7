import { and, asc, desc, eq, gt, lte, ne, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { describeDevice } from '#app/lib/describe-device.ts'
import { createId } from '#app/lib/uuid.ts'
import { findKnownDevice } from '#app/server/auth/known-device.ts'
import { verifyPassword } from '#app/server/auth/passwords.ts'
import { hashToken, createToken, computeIdleEnd, computeLatestEnd, SESSION_HOURS } from '#app/server/auth/tokens.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { pendingSignIns, sessions, users } from '#app/server/db/schema/accounts.ts'
import { forgetGuesses, type GuessLimit, limitGuesses, limitGuessesByAddress, limitGuessesOf } from '#app/server/limits/guesses.ts'
import { reportNewDevice, shortenUserAgent } from './new-devices.server.ts'
import type { SessionView, SignInInput } from './accounts.schema.ts'
import { findUserByEmail, loadHighestRole, lockUser, requireOwnAccount, getRealmDb, type UserRow } from './account-realm.server.ts'
import { limitSecondStep, requireSecondStep } from './second-step/check-second-step.server.ts'

export interface NewSession {
  id: string
  /** Shown only once: just its hash is stored. */
  token: string
  userId: string
  siteId: string
  createdAt: Date
  expiresAt: Date
}

/** Limits password guesses by strangers. */
const limitStrangers = (ctx: Ctx, of: string, siteId: string): GuessLimit[] => limitGuessesOf(ctx, { name: 'sign-in', of, siteId })

/** Clears an account's guess limits, because its holder has proven their identity in another way. */
export const resetGuessLimits = (ctx: Ctx, { siteId, email }: UserRow): Promise<void> =>
  forgetGuesses(ctx, limitStrangers(ctx, email, siteId))

/**
 * Opens a session for the right password, and the right code if the account has two-step sign-in. For clients that send everything at once;
 * the sign-in page asks for the code on its own (`beginSignIn`).
 * @param deviceCookie the browser's known-device cookie
 * @throws {AppError} as `checkPassword`; `second-step-required`, `wrong-second-step` at `/code`
 */
export async function signIn(ctx: Ctx, input: SignInInput & { code?: string | undefined }, deviceCookie?: string): Promise<NewSession> {
  const user = await checkPassword(ctx, input, deviceCookie)
  if (!user.secondStepSince) return openSessionAfterPassword(ctx, user, { deviceCookie })
  const { code } = input
  if (code === undefined) throw new AppError('second-step-required', { pointer: '/code' })
  try {
    return await limitSecondStep(ctx, user, findKnownDevice(ctx, deviceCookie, user), () =>
      openSessionAfterPassword(ctx, user, { deviceCookie, takeSecondStep: (tx, current) => requireSecondStep(ctx, tx, current, { code }) }),
    )
  } catch (error) {
    if (isAppError(error, 'wrong-second-step')) await recordRefusedSignIn(ctx, user, 'wrong-second-step')
    throw error
  }
}

/**
 * The account that the address and password belong to. Wrong passwords count against the account and the network address; on a device that
 * has signed in before, only against that device, so that strangers cannot lock the holder out. Unknown accounts get the same response, with
 * the same work done.
 * @throws {AppError} `wrong-credentials`, `too-many-requests`, and `blocked` only after the right password
 */
export async function checkPassword(ctx: Ctx, input: SignInInput, deviceCookie?: string): Promise<UserRow> {
  const user = await findUserByEmail(ctx, input.email)
  const siteId = user?.siteId ?? ctx.site.id
  const device = findKnownDevice(ctx, deviceCookie, user)
  const limits = device
    ? [{ name: 'sign-in/device', of: device, free: 5, minutes: 60, siteId }]
    : [...limitStrangers(ctx, input.email, siteId), ...limitGuessesByAddress(ctx, 'sign-in')]
  const holder = await limitGuesses(ctx, limits, async () => {
    const matches = await verifyPassword(input.password, user?.passwordHash)
    if (user && matches) return user
    await recordRefusedSignIn(ctx, user, 'wrong-credentials')
    throw new AppError('wrong-credentials')
  })
  if (!holder.blockedAt) return holder
  await recordRefusedSignIn(ctx, holder, 'blocked')
  throw new AppError('blocked')
}

/**
 * Opens a session for an account whose password was checked, unless it changed since.
 * @param more.takeSecondStep takes the second step; without it, accounts that have one are refused
 */
export const openSessionAfterPassword = (
  ctx: Ctx,
  user: UserRow,
  { deviceCookie, takeSecondStep }: { deviceCookie?: string | undefined; takeSecondStep?: (tx: Tx, current: UserRow) => Promise<void> },
): Promise<NewSession> =>
  getRealmDb(ctx, user.siteId).tx(async (tx) => {
    const current = await lockUser(tx, user.siteId, user.id)
    if (current.passwordHash !== user.passwordHash) throw new AppError('wrong-credentials')
    if (current.blockedAt) throw new AppError('blocked')
    if (takeSecondStep) await takeSecondStep(tx, current)
    else if (current.secondStepSince) throw new AppError('second-step-required', { pointer: '/code' })
    return openSession(ctx, tx, current, { deviceCookie })
  })

/** How an account was authenticated, if not by its password. */
export interface ProviderSession {
  identityId: string
  /** The provider's name, for the audit trail. */
  provider: string
  /** The provider's own session, which its logout names. */
  providerSession: string | undefined
  /** When the session ends, however much it is used. */
  endsAt: Date | undefined
}

/**
 * Opens a session for an account that has just authenticated, in the same transaction.
 * @param how.deviceCookie the browser's known-device cookie, for those who signed in here
 */
export async function openSession(
  ctx: Ctx,
  tx: Tx,
  user: UserRow,
  { through, deviceCookie }: { through?: ProviderSession; deviceCookie?: string | undefined } = {},
): Promise<NewSession> {
  const { siteId } = user
  const now = ctx.now()
  const role = await loadHighestRole(tx, siteId, user.id)
  const endsAt = through?.endsAt ?? computeLatestEnd(role, now)
  const idleEnd = computeIdleEnd(role, now)
  const expiresAt = idleEnd < endsAt ? idleEnd : endsAt
  // Where a provider signed them in, it knows their devices; its answer comes without our cookie.
  if (!through) await reportNewDevice(ctx, tx, user, deviceCookie)
  const session = { id: createId(), token: createToken(), userId: user.id, siteId, createdAt: now, expiresAt }
  await tx.delete(sessions).where(and(eq(sessions.siteId, siteId), eq(sessions.userId, user.id), lte(sessions.expiresAt, now)))
  await tx.insert(sessions).values({
    siteId,
    id: session.id,
    userId: user.id,
    tokenHash: hashToken(session.token),
    userAgent: shortenUserAgent(ctx.userAgent),
    address: ctx.address,
    createdAt: now,
    lastUsedAt: now,
    confirmedAt: now,
    expiresAt,
    identityId: through?.identityId ?? null,
    providerSession: through?.providerSession ?? null,
    endsAt,
  })
  await tx
    .update(users)
    .set({ lastSeenAt: now })
    .where(and(eq(users.siteId, siteId), eq(users.id, user.id)))
  await recordAudit(ctx, tx, {
    action: 'sessions.create',
    siteId,
    actor: { id: user.id, role },
    subject: { type: 'sessions', id: session.id },
    ...(through ? { detail: { provider: through.provider } } : {}),
  })
  return session
}

/** Ends the current session, if there is one. */
export async function signOut(ctx: Ctx): Promise<void> {
  if (ctx.viewer.kind === 'visitor') return
  try {
    await endSession(ctx, ctx.viewer.sessionId)
  } catch (error) {
    // Already ended from another device: nothing left to do.
    if (!isAppError(error, 'not-found')) throw error
  }
}

/** The viewer's active sessions, most recently used first. */
export async function listSessions(ctx: Ctx): Promise<SessionView[]> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  const rows = await db.read((tx) =>
    tx
      .select()
      .from(sessions)
      .where(and(eq(sessions.siteId, siteId), eq(sessions.userId, viewer.id), gt(sessions.expiresAt, ctx.now())))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id)),
  )
  return rows.map((row) => ({
    id: row.id,
    ...describeDevice(row.userAgent),
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt,
    expiresAt: row.expiresAt,
    current: row.id === viewer.sessionId,
  }))
}

/** Ends one of the viewer's own sessions. @throws {AppError} `not-found` if it is not theirs */
export async function endSession(ctx: Ctx, sessionId: string): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  await db.tx(async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.siteId, siteId), eq(sessions.userId, viewer.id), eq(sessions.id, sessionId)))
      .returning({ id: sessions.id })
    if (ended.length === 0) throw new AppError('not-found')
    await recordAudit(ctx, tx, { action: 'sessions.delete', siteId, subject: { type: 'sessions', id: sessionId } })
  })
}

/** Signs the viewer out on all other devices. @returns how many sessions ended */
export async function endOtherSessions(ctx: Ctx): Promise<number> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  return db.tx(async (tx) => {
    const ended = await endAccountSessions(tx, siteId, viewer.id, viewer.sessionId)
    await recordAudit(ctx, tx, { action: 'sessions.delete', siteId, detail: { others: ended } })
    return ended
  })
}

/** Ends all of an account's sessions, or all but one, and what waits for its second step. @returns how many sessions ended */
export async function endAccountSessions(tx: Tx, siteId: string, userId: string, exceptSessionId?: string): Promise<number> {
  await tx.delete(pendingSignIns).where(and(eq(pendingSignIns.siteId, siteId), eq(pendingSignIns.userId, userId)))
  const ended = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.siteId, siteId),
        eq(sessions.userId, userId),
        exceptSessionId === undefined ? undefined : ne(sessions.id, exceptSessionId),
      ),
    )
    .returning({ id: sessions.id })
  return ended.length
}

/** Shortens a person's open sessions to the limit of their new role. */
export async function shortenSessions(tx: Tx, { siteId, id }: Pick<UserRow, 'siteId' | 'id'>): Promise<void> {
  const role = await loadHighestRole(tx, siteId, id)
  if (role === 'participant') return
  const latest = sql`now() + make_interval(hours => ${SESSION_HOURS[role].most})`
  await tx
    .update(sessions)
    .set({ endsAt: sql`least(${sessions.endsAt}, ${latest})`, expiresAt: sql`least(${sessions.expiresAt}, ${latest})` })
    .where(and(eq(sessions.siteId, siteId), eq(sessions.userId, id)))
}

/** Uses its own transaction: that of the attempt is rolled back. */
export async function recordRefusedSignIn(
  ctx: Ctx,
  user: Pick<UserRow, 'siteId' | 'id'> | undefined,
  reason: 'wrong-credentials' | 'blocked' | 'wrong-second-step' | 'wrong-passkey' | 'copied-passkey',
): Promise<void> {
  const siteId = user?.siteId ?? ctx.site.id
  await ctx.runtime.database.site(siteId).tx((tx) =>
    recordAudit(ctx, tx, {
      action: 'sessions.refuse',
      siteId,
      ...(user ? { subject: { type: 'users', id: user.id } } : {}),
      detail: { reason },
    }),
  )
}

/** For the file of their own data: where somebody is signed in. */
export const readOwnSessions = (tx: Tx, { siteId, userId }: { siteId: string; userId: string }) =>
  tx
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      address: sessions.address,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.siteId, siteId), eq(sessions.userId, userId)))
    .orderBy(asc(sessions.createdAt))
