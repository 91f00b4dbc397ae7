import { and, asc, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { queueAccountMail } from './account-mails.server.ts'
import type { UserRow } from './account-realm.server.ts'

/**
 * Runs a change that may affect who administers the site: role changes, blocking, deletion, merging. Such changes are serialised, the site
 * always keeps an administrator who can sign in, and all site administrators are notified.
 * @param change receives the site administrators before the change
 * @throws {AppError} `last-site-admin` if none would be left
 */
export async function changeSiteAdmins<Result>(
  ctx: Ctx,
  tx: Tx,
  siteId: string,
  change: (before: readonly UserRow[]) => Promise<Result>,
): Promise<Result> {
  await lockForTransaction(tx, siteId, 'site administrators')
  const before = await loadSiteAdmins(tx, siteId)
  const hadOne = await hasLocalSiteAdmin(tx, siteId)
  const result = await change(before)
  const after = await loadSiteAdmins(tx, siteId)
  if ((before.length && !after.length) || (hadOne && !(await hasLocalSiteAdmin(tx, siteId)))) throw new AppError('last-site-admin')
  const added = excludePeople(after, before)
  const removed = excludePeople(before, after)
  // New administrators are not notified here: they get the invitation, or the email about their new role.
  for (const who of added) await notifyReaders(ctx, tx, siteId, excludePeople(after, added), { kind: 'site-admin-added', who: who.login })
  for (const who of removed) await notifyReaders(ctx, tx, siteId, [...after, ...removed], { kind: 'site-admin-removed', who: who.login })
  for (const [action, people] of [
    ['memberships.create', added],
    ['memberships.delete', removed],
  ] as const)
    for (const { id } of people)
      await recordAudit(ctx, tx, { action, siteId, subject: { type: 'users', id }, detail: { role: 'site_admin' } })
  return result
}

/** The site's administrators, those who were invited included. */
export const loadSiteAdmins = async (tx: Tx, siteId: string): Promise<UserRow[]> => {
  const rows = await tx
    .selectDistinctOn([users.id], { user: users })
    .from(memberships)
    .innerJoin(users, and(eq(users.siteId, memberships.siteId), eq(users.id, memberships.userId)))
    .where(and(eq(memberships.siteId, siteId), eq(memberships.role, 'site_admin')))
    .orderBy(asc(users.id))
  return rows.map(({ user }) => user)
}

/** False for blocked people, and for invited people who have not chosen a password yet. */
export const canSignIn = ({ blockedAt, passwordHash, emailConfirmedAt }: UserRow): boolean =>
  blockedAt === null && (passwordHash !== null || emailConfirmedAt !== null)

/** True if somebody administers the site who can sign in without a provider: not blocked, not only invited, not by a group elsewhere. */
async function hasLocalSiteAdmin(tx: Tx, siteId: string): Promise<boolean> {
  const [one] = await tx
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, and(eq(users.siteId, memberships.siteId), eq(users.id, memberships.userId)))
    .where(
      and(
        eq(memberships.siteId, siteId),
        eq(memberships.role, 'site_admin'),
        isNull(memberships.providerId),
        isNull(users.blockedAt),
        or(isNotNull(users.passwordHash), isNotNull(users.emailConfirmedAt)),
      ),
    )
    .limit(1)
  return one !== undefined
}

/** A provider that is down must not lock anyone out. @throws {AppError} `last-site-admin` */
export async function requireLocalSiteAdmin(tx: Tx, siteId: string): Promise<void> {
  await lockForTransaction(tx, siteId, 'site administrators')
  if (!(await hasLocalSiteAdmin(tx, siteId))) throw new AppError('last-site-admin')
}

const excludePeople = (people: readonly UserRow[], others: readonly UserRow[]) =>
  people.filter(({ id }) => !others.some((other) => other.id === id))

async function notifyReaders(
  ctx: Ctx,
  tx: Tx,
  siteId: string,
  readers: readonly UserRow[],
  change: { kind: 'site-admin-added' | 'site-admin-removed'; who: string },
): Promise<void> {
  if (readers.length === 0) return
  const ids = readers.map(({ id }) => id)
  // Skip deleted accounts.
  const present = await tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, siteId), inArray(users.id, ids)))
  const by = ctx.viewer.kind === 'user' ? ctx.viewer.login : undefined
  for (const reader of present) await queueAccountMail(ctx, tx, reader, { ...change, by })
}
