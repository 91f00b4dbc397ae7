import { and, eq, ne } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { describeNewSite, insertSite } from '#app/features/sites/sites.managing.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { listTimeZones } from '#app/lib/time-zones.ts'
import { createId } from '#app/lib/uuid.ts'
import { hashPassword } from '#app/server/auth/passwords.ts'
import { hashToken, createToken } from '#app/server/auth/tokens.ts'
import { createFirstViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Database } from '#app/server/db/client.ts'
import { memberships, oneTimeLinks, users } from '#app/server/db/schema/accounts.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { FirstSite, FirstAdminSetup } from '#app/features/accounts/accounts.schema.ts'
import { revokeLinks, requireLink, consumeLink } from '#app/features/accounts/one-time-links.server.ts'
import { type NewSession, openSession } from '#app/features/accounts/sessions.server.ts'
import { requireStrongPassword } from '#app/features/accounts/strong-password.server.ts'

const LINK_HOURS = 24

/** True if there is no platform administrator yet. */
export async function needsFirstAdmin(database: Database): Promise<boolean> {
  const admins = await database.site(PLATFORM_SITE_ID).read((tx) =>
    tx
      .select({ id: memberships.id })
      .from(memberships)
      .where(and(eq(memberships.siteId, PLATFORM_SITE_ID), eq(memberships.role, 'platform_admin')))
      .limit(1),
  )
  return admins.length === 0
}

/**
 * Creates a one-time link that makes the person running the server a platform administrator. Returns a path that works on any of the
 * platform's hosts. It expires after a day and revokes earlier links.
 */
export async function createFirstAdminLink(database: Database, now: Date): Promise<string> {
  const token = createToken()
  await database.site(PLATFORM_SITE_ID).tx(async (tx) => {
    await tx.delete(oneTimeLinks).where(and(eq(oneTimeLinks.siteId, PLATFORM_SITE_ID), eq(oneTimeLinks.purpose, 'first-admin')))
    await tx.insert(oneTimeLinks).values({
      siteId: PLATFORM_SITE_ID,
      id: createId(),
      userId: null,
      purpose: 'first-admin',
      tokenHash: hashToken(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + LINK_HOURS * 3_600_000),
    })
  })
  return `/first-admin?token=${token}`
}

/** Reads the link without using it up: what it would create. @throws {AppError} `link-expired` */
export async function loadFirstAdminSetup(ctx: Ctx, token: string): Promise<FirstAdminSetup> {
  await requireLink(ctx, token, ['first-admin'])
  const needsSite = await hasNoSites(ctx.runtime.database)
  return { host: needsSite ? ctx.site.host : null, timeZones: needsSite ? listTimeZones() : [] }
}

/**
 * Creates and signs in a platform administrator by such a link. On an empty platform, also creates the first site, under the host name the
 * page was opened at, and invites its administrator.
 * @returns the session, and the id of the new site
 * @throws {AppError} `link-expired`, `invalid`, `taken`
 */
export async function createFirstAdmin(
  ctx: Ctx,
  input: { token: string; login: string; email: string; password: string; site?: FirstSite | undefined },
): Promise<NewSession & { newSiteId?: string }> {
  const link = await requireLink(ctx, input.token, ['first-admin'])
  await requireStrongPassword(ctx, input.password, input)
  if (input.site?.adminEmail === input.email)
    throw new AppError('invalid', { faults: [{ code: 'platform-address', pointer: '/adminEmail' }] })
  const passwordHash = await hashPassword(input.password)
  const session = await ctx.runtime.database.site(PLATFORM_SITE_ID).tx(async (tx) => {
    await consumeLink(ctx, tx, link)
    await revokeLinks(ctx, tx, PLATFORM_SITE_ID, null, ['first-admin'])
    const now = ctx.now()
    const id = createId()
    const [user] = await tx
      .insert(users)
      .values({
        siteId: PLATFORM_SITE_ID,
        id,
        email: input.email,
        login: input.login,
        type: 'administrator',
        passwordHash,
        locale: ctx.language,
        emailConfirmedAt: now,
        createdAt: now,
      })
      .onConflictDoNothing({ target: [users.siteId, users.email] })
      .returning()
    if (!user) throw new AppError('taken', { pointer: '/email' })
    await tx.insert(memberships).values({ siteId: PLATFORM_SITE_ID, id: createId(), userId: id, role: 'platform_admin', createdAt: now })
    await recordAudit(ctx, tx, {
      action: 'memberships.create',
      siteId: PLATFORM_SITE_ID,
      actor: { id, role: 'platform_admin' },
      subject: { type: 'users', id },
      detail: { role: 'platform_admin' },
    })
    const opened = await openSession(ctx, tx, user)
    if (!input.site) return opened
    const site = { ...input.site, name: input.site.siteName, host: ctx.site.host }
    // The site is committed first: if this transaction fails after that, the link still works and asks for the account only.
    const newSiteId = await insertSite({ ...ctx, viewer: createFirstViewer(user, now) }, site)
    await recordAudit(ctx, tx, {
      action: 'sites.create',
      siteId: PLATFORM_SITE_ID,
      actor: { id, role: 'platform_admin' },
      subject: { type: 'sites', id: newSiteId },
      detail: describeNewSite(site),
    })
    return { ...opened, newSiteId }
  })
  ctx.runtime.sites.refresh()
  return session
}

/** True if there is no site besides the platform's own. */
export async function hasNoSites(database: Database): Promise<boolean> {
  const found = await database.global.select({ id: sites.id }).from(sites).where(ne(sites.id, PLATFORM_SITE_ID)).limit(1)
  return found.length === 0
}
