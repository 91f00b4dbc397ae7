import { and, eq } from 'drizzle-orm'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { highestRole, type Role } from '#app/lib/roles.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'

/**
 * An account belongs to one site: the one it was created on, or the platform's own site for platform administrators, who may sign in on any
 * site. Only these helpers decide which.
 */

export type UserRow = typeof users.$inferSelect

/** Sites where a visitor of this host may have an account, the platform's own first. */
export const listRealmSiteIds = (ctx: Ctx): string[] => [...new Set([PLATFORM_SITE_ID, ctx.site.id])]

export const getRealmDb = (ctx: Ctx, siteId: string): SiteDb => (siteId === ctx.db.siteId ? ctx.db : ctx.runtime.database.site(siteId))

/** Always queries both realms, so that response time does not reveal whether an address is known. */
export async function findUserByEmail(ctx: Ctx, email: string): Promise<UserRow | undefined> {
  const found: UserRow[] = []
  for (const siteId of listRealmSiteIds(ctx)) {
    const rows = await getRealmDb(ctx, siteId).read((tx) =>
      tx
        .select()
        .from(users)
        .where(and(eq(users.siteId, siteId), eq(users.email, email))),
    )
    found.push(...rows)
  }
  return found[0]
}

export function requireOwnAccount(ctx: Ctx): { viewer: SignedInViewer; siteId: string; db: SiteDb } {
  const { viewer } = ctx
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  requirePermission(ctx, 'account.own-data', { ownerId: viewer.id })
  return { viewer, siteId: viewer.siteId, db: getRealmDb(ctx, viewer.siteId) }
}

/** Loads the account's row and locks it until the transaction ends. @throws {AppError} `unauthenticated` if the account is gone */
export async function lockUser(tx: Tx, siteId: string, userId: string): Promise<UserRow> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, siteId), eq(users.id, userId)))
    .for('update')
  if (!user) throw new AppError('unauthenticated')
  return user
}

export async function loadHighestRole(tx: Tx, siteId: string, userId: string): Promise<Role | 'participant'> {
  const roles = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.siteId, siteId), eq(memberships.userId, userId)))
  return highestRole(roles.map(({ role }) => role)) ?? 'participant'
}

/** Words that an attacker would try first as this account's password. */
export const listGuessableWords = (ctx: Ctx, user: { email: string; login: string }): string[] => [
  ctx.site.name,
  'Parley',
  user.email,
  user.email.split('@')[0] ?? '',
  user.login,
]
