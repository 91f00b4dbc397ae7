import { and, count, desc, eq, gt, inArray, isNull } from 'drizzle-orm'
import { mailSiteAdmins, queueSecurityMail } from '#app/features/accounts/security-mails.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { memberships, supportGrants, users } from '#app/server/db/schema/accounts.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { recordPlatformAudit } from './sites.managing.server.ts'

export type GrantRow = typeof supportGrants.$inferSelect
export const GRANT_DAYS = 14

/**
 * Grants the platform's support access to the site for 14 days.
 * @returns the grant's id
 * @throws {AppError} `forbidden`, `conflict` if a grant is active
 */
export async function grantSupport(ctx: Ctx, input: { reason: string }): Promise<string> {
  requirePermission(ctx, 'support.grant')
  const { viewer } = ctx
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  const id = createId()
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + GRANT_DAYS * 86_400_000)
  await ctx.db.tx(async (tx) => {
    const open = await tx.select({ id: supportGrants.id }).from(supportGrants).where(isRunning(ctx)).limit(1)
    if (open.length) throw new AppError('conflict', { detail: { key: 'support-granted' } })
    await tx
      .insert(supportGrants)
      .values({ siteId: ctx.site.id, id, grantedBy: viewer.id, reason: input.reason, createdAt: now, expiresAt })
    await recordAudit(ctx, tx, {
      action: 'support.grant',
      subject: { type: 'support-grants', id },
      detail: { reason: input.reason, expiresAt },
    })
    await mailSiteAdmins(ctx, tx, { kind: 'support-granted', reason: input.reason, until: expiresAt })
  })
  await tellPlatform(ctx, { reason: input.reason, until: expiresAt })
  return id
}

/** Revokes support's access from its next request on. @throws {AppError} `forbidden`, `conflict` */
export async function revokeSupport(ctx: Ctx, grant: GrantRow): Promise<void> {
  requirePermission(ctx, 'support.revoke')
  if (grant.revokedAt || grant.expiresAt <= ctx.now()) throw new AppError('conflict')
  await ctx.db.tx(async (tx) => {
    await tx
      .update(supportGrants)
      .set({ revokedAt: ctx.now() })
      .where(and(eq(supportGrants.siteId, ctx.site.id), eq(supportGrants.id, grant.id)))
    await recordAudit(ctx, tx, { action: 'support.revoke', subject: { type: 'support-grants', id: grant.id } })
  })
  await recordPlatformAudit(ctx, 'support.revoke', ctx.site.id, {})
}

/** The platform's administrators learn of the grant by email and from their own audit trail, which notifications and lists come from. */
async function tellPlatform(ctx: Ctx, { reason, until }: { reason: string; until: Date }): Promise<void> {
  await ctx.runtime.database.site(PLATFORM_SITE_ID).tx(async (tx) => {
    const readers = await tx
      .select({ user: users })
      .from(memberships)
      .innerJoin(users, and(eq(users.siteId, memberships.siteId), eq(users.id, memberships.userId)))
      .where(and(eq(memberships.siteId, PLATFORM_SITE_ID), eq(memberships.role, 'platform_admin'), isNull(users.blockedAt)))
    for (const { user } of readers) await queueSecurityMail(ctx, tx, user, { kind: 'support-received', reason, until })
    await recordAudit(ctx, tx, {
      action: 'support.grant',
      siteId: PLATFORM_SITE_ID,
      subject: { type: 'sites', id: ctx.site.id },
      detail: { title: { [ctx.site.locale]: ctx.site.name }, reason, expiresAt: until },
    })
  })
}

/** All support grants, newest first: for the site's administrators, and for support if it may enter. */
export async function listGrants(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: GrantRow[]; total: number }> {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!canSeeGrants(ctx)) throw new AppError('forbidden')
  const own = eq(supportGrants.siteId, ctx.site.id)
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(supportGrants).where(own)
    const rows = await tx
      .select()
      .from(supportGrants)
      .where(own)
      .orderBy(desc(supportGrants.createdAt), desc(supportGrants.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

export async function loadGrantsById(ctx: Ctx, ids: readonly string[]): Promise<GrantRow[]> {
  if (!canSeeGrants(ctx) || ids.length === 0) return []
  return ctx.db.read((tx) =>
    tx
      .select()
      .from(supportGrants)
      .where(and(eq(supportGrants.siteId, ctx.site.id), inArray(supportGrants.id, [...ids]))),
  )
}

/**
 * Records a platform administrator's entry in the audit trails of the site and the platform.
 * @throws {AppError} `forbidden` without a grant
 */
export async function enterSite(ctx: Ctx): Promise<{ id: string; until: Date }> {
  requirePermission(ctx, 'support.enter')
  const grant = await ctx.db.tx(async (tx) => {
    const [open] = await tx.select().from(supportGrants).where(isRunning(ctx)).orderBy(desc(supportGrants.expiresAt)).limit(1)
    if (!open) throw new AppError('forbidden')
    await recordAudit(ctx, tx, { action: 'support.enter', subject: { type: 'support-grants', id: open.id } })
    return open
  })
  await ctx.runtime.database
    .site(PLATFORM_SITE_ID)
    .tx((tx) => recordAudit(ctx, tx, { action: 'support.enter', siteId: PLATFORM_SITE_ID, subject: { type: 'sites', id: ctx.site.id } }))
  return { id: createId(), until: grant.expiresAt }
}

const canSeeGrants = ({ viewer }: Ctx): boolean =>
  checkPermission(viewer, 'support.revoke').ok || checkPermission(viewer, 'support.enter').ok

const isRunning = (ctx: Ctx) =>
  and(eq(supportGrants.siteId, ctx.site.id), gt(supportGrants.expiresAt, ctx.now()), isNull(supportGrants.revokedAt))
