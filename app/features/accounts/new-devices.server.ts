import { and, eq, sql } from 'drizzle-orm'
import { describeDevice } from '#app/lib/describe-device.ts'
import { findKnownDevice } from '#app/server/auth/known-device.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { sessions } from '#app/server/db/schema/accounts.ts'
import { queueAccountMail } from './account-mails.server.ts'
import type { UserRow } from './account-realm.server.ts'

const MAX_USER_AGENT_LENGTH = 400

/** A user agent as sessions keep it. */
export const shortenUserAgent = (userAgent: string | null): string | null => userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null

/** Emails the account's holder about a sign-in on a new device, except for the account's first sign-in. */
export async function reportNewDevice(ctx: Ctx, tx: Tx, user: UserRow, deviceCookie: string | undefined): Promise<void> {
  if (user.lastSeenAt === null || findKnownDevice(ctx, deviceCookie, user)) return
  if (await hasSimilarSession(ctx, tx, user)) return
  await queueAccountMail(ctx, tx, user, { kind: 'new-device', device: describeDevice(ctx.userAgent), at: ctx.now() })
}

/** Programs and browsers that keep no cookies: the same software at the same network address. */
async function hasSimilarSession({ userAgent, address }: Ctx, tx: Tx, { siteId, id }: UserRow): Promise<boolean> {
  const found = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.siteId, siteId),
        eq(sessions.userId, id),
        sql`${sessions.userAgent} is not distinct from ${shortenUserAgent(userAgent)}`,
        sql`${sessions.address} is not distinct from ${address}`,
      ),
    )
    .limit(1)
  return found.length > 0
}
