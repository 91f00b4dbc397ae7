import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { hashToken, createToken } from '#app/server/auth/tokens.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { oneTimeLinks } from '#app/server/db/schema/accounts.ts'
import { getRealmDb, listRealmSiteIds, type UserRow } from './account-realm.server.ts'

export type LinkPurpose = 'confirm-email' | 'reset-password' | 'change-email' | 'first-admin'
export type LinkRow = typeof oneTimeLinks.$inferSelect

export const CONFIRM_HOURS = 24
export const RESET_HOURS = 1
export const INVITATION_DAYS = 7

/** Creates a one-time link and revokes earlier ones of the same purpose. @returns its secret; only a hash is stored */
export async function createOneTimeLink(
  ctx: Ctx,
  tx: Tx,
  link: { siteId: string; userId: string | null; purpose: LinkPurpose; email: string | null; hours: number },
): Promise<string> {
  await revokeLinks(ctx, tx, link.siteId, link.userId, [link.purpose])
  const token = createToken()
  await tx.insert(oneTimeLinks).values({
    siteId: link.siteId,
    id: createId(),
    userId: link.userId,
    purpose: link.purpose,
    tokenHash: hashToken(token),
    email: link.email,
    createdAt: ctx.now(),
    expiresAt: new Date(ctx.now().getTime() + link.hours * 3_600_000),
  })
  return token
}

/** Creates the secret of an invitation link, used to choose a password. */
export const createInvitationToken = (ctx: Ctx, tx: Tx, user: UserRow): Promise<string> =>
  createOneTimeLink(ctx, tx, {
    siteId: user.siteId,
    userId: user.id,
    purpose: 'reset-password',
    email: user.email,
    hours: INVITATION_DAYS * 24,
  })

/** Uses a link up, in the transaction of the action it authorises. @throws {AppError} `link-expired` */
export async function consumeLink(ctx: Ctx, tx: Tx, found: LinkRow): Promise<void> {
  const taken = await tx
    .update(oneTimeLinks)
    .set({ usedAt: ctx.now() })
    .where(and(eq(oneTimeLinks.siteId, found.siteId), eq(oneTimeLinks.id, found.id), isNull(oneTimeLinks.usedAt)))
    .returning({ id: oneTimeLinks.id })
  if (taken.length === 0) throw new AppError('link-expired')
}

/** The link behind a secret, if still valid. @throws {AppError} `link-expired`, even if the link never existed */
export async function requireLink(ctx: Ctx, token: string, purposes: readonly LinkPurpose[]): Promise<LinkRow> {
  for (const siteId of listRealmSiteIds(ctx)) {
    const [found] = await getRealmDb(ctx, siteId).read((tx) =>
      tx
        .select()
        .from(oneTimeLinks)
        .where(
          and(
            eq(oneTimeLinks.siteId, siteId),
            eq(oneTimeLinks.tokenHash, hashToken(token)),
            inArray(oneTimeLinks.purpose, [...purposes]),
            isNull(oneTimeLinks.usedAt),
            gt(oneTimeLinks.expiresAt, ctx.now()),
          ),
        ),
    )
    if (found) return found
  }
  throw new AppError('link-expired')
}

/** Revokes an account's unused links of these purposes. */
export async function revokeLinks(
  ctx: Ctx,
  tx: Tx,
  siteId: string,
  userId: string | null,
  purposes: readonly LinkPurpose[],
): Promise<void> {
  await tx
    .update(oneTimeLinks)
    .set({ usedAt: ctx.now() })
    .where(
      and(
        eq(oneTimeLinks.siteId, siteId),
        userId === null ? isNull(oneTimeLinks.userId) : eq(oneTimeLinks.userId, userId),
        inArray(oneTimeLinks.purpose, [...purposes]),
        isNull(oneTimeLinks.usedAt),
      ),
    )
}
