import { and, eq } from 'drizzle-orm'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'

/**
 * An account lives on one site: the one it was made on, or the platform's own for platform administrators, who may sign in under
 * any site's address. These helpers find the right one; nothing else in the feature decides between them.
 */

export type UserRow = typeof users.$inferSelect

/** Where somebody who comes to this site's address may have an account, the platform's own first. */
export const listRealmSiteIds = (ctx: Ctx): string[] => [...new Set([PLATFORM_SITE_ID, ctx.site.id])]

export const getRealmDb = (ctx: Ctx, siteId: string): SiteDb => (siteId === ctx.db.siteId ? ctx.db : ctx.runtime.database.site(siteId))

/** Both realms are always asked, so that a known address takes no other time than an unknown one. */
export async function findUserByEmail(ctx: Ctx, email: string): Promise<UserRow | undefined> {
  const found: UserRow[] = []
  for (const siteId of listRealmSiteIds(ctx)) {
    const rows = await getRealmDb(ctx, siteId).tx((tx) =>
      tx
        .select()
        .from(users)
        .where(and(eq(users.siteId, siteId), eq(users.email, email))),
    )
    found.push(...rows)
  }
  return found[0]
}

/** The viewer's own account. @throws {AppError} `unauthenticated` */
export function requireOwnAccount(ctx: Ctx): { viewer: SignedInViewer; siteId: string; db: SiteDb } {
  const { viewer } = ctx
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  requirePermission(viewer, 'account.own-data', { ownerId: viewer.id })
  return { viewer, siteId: viewer.siteId, db: getRealmDb(ctx, viewer.siteId) }
}

/** The account's row, locked until the transaction ends. @throws {AppError} `unauthenticated` where it is gone */
export async function lockUser(tx: Tx, siteId: string, userId: string): Promise<UserRow> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, siteId), eq(users.id, userId)))
    .for('update')
  if (!user) throw new AppError('unauthenticated')
  return user
}

/** What a stranger would try first as this account's password. */
export const listGuessableWords = (ctx: Ctx, user: { email: string; login: string }): string[] => [
  ctx.site.name,
  'Parley',
  user.email,
  user.email.split('@')[0] ?? '',
  user.login,
]
