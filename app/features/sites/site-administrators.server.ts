import { and, eq, ne } from 'drizzle-orm'
import { createInvitationLink, sendInvitation } from '#app/features/accounts/invitations.server.ts'
import { inviteFirstAdmin } from '#app/features/accounts/memberships.server.ts'
import { canSignIn, loadSiteAdmins } from '#app/features/accounts/site-admins.server.ts'
import { canSendMail } from '#app/features/marketplace/site-mail-transport.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Ctx, createCtx, withLanguage } from '#app/server/context.ts'
import { siteDomains, sites } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { requireNoPlatformAccount } from './sites.managing.server.ts'

interface SiteAdministrator {
  id: string
  siteId: string
  login: string
  email: string
  state: 'active' | 'invited' | 'blocked'
  createdAt: Date
}

/** The administrators of a site, those who were invited included. @throws {AppError} `forbidden` */
export async function listSiteAdministrators(
  ctx: Ctx,
  { siteId, offset, limit }: { siteId: string; offset: number; limit: number },
): Promise<{ rows: SiteAdministrator[]; total: number; meta: { sendsMail: boolean } }> {
  requirePermission(ctx, 'sites.manage')
  const there = await loadSiteCtx(ctx, siteId)
  const all = await loadAdministrators(there)
  return { rows: all.slice(offset, offset + limit), total: all.length, meta: { sendsMail: await canSendMail(there) } }
}

export async function loadSiteAdministratorsById(ctx: Ctx, ids: readonly string[]): Promise<SiteAdministrator[]> {
  if (!checkPermission(ctx.viewer, 'sites.manage').ok) return []
  const siteIds = [...new Set(ids.flatMap((id) => id.split('.').slice(0, 1)))]
  const found = await Promise.all(
    siteIds.map(async (siteId) => {
      const there = await findSiteCtx(ctx, siteId)
      return there ? loadAdministrators(there) : []
    }),
  )
  return found.flat().filter(({ id }) => ids.includes(id))
}

/**
 * Invites a site's first administrator, in place of those who were invited and have not signed in.
 * @returns its id
 * @throws {AppError} `forbidden`, `first-site-admin-only`; `invalid` with `platform-address`
 */
export async function inviteSiteAdministrator(ctx: Ctx, { siteId, email }: { siteId: string; email: string }): Promise<string> {
  requirePermission(ctx, 'sites.invite-first-admin')
  await requireNoPlatformAccount(ctx, email, '/email')
  const there = await loadSiteCtx(ctx, siteId)
  await inviteFirstAdmin(there, email)
  const invited = (await loadAdministrators(there)).find((one) => one.email === email)
  if (!invited) throw new AppError('conflict')
  return invited.id
}

/**
 * Invites them again: by email, or if the site sends none, by a link to hand over.
 * @returns the link; null if it was emailed
 * @throws {AppError} `forbidden`, `conflict` if they have a password, `first-site-admin-only` if someone else can sign in
 */
export async function handOverInvitation(ctx: Ctx, administratorId: string): Promise<string | null> {
  requirePermission(ctx, 'sites.invite-first-admin')
  const [siteId = '', userId = ''] = administratorId.split('.')
  const there = await loadSiteCtx(ctx, siteId)
  if (!(await canSendMail(there))) return createInvitationLink(there, userId)
  await sendInvitation(there, userId)
  return null
}

const loadAdministrators = async ({ db, site }: Ctx): Promise<SiteAdministrator[]> =>
  (await db.read((tx) => loadSiteAdmins(tx, site.id))).map((user) => ({
    id: `${site.id}.${user.id}`,
    siteId: site.id,
    login: user.login,
    email: user.email,
    state: user.blockedAt ? 'blocked' : canSignIn(user) ? 'active' : 'invited',
    createdAt: user.createdAt,
  }))

/** The same request on another site of the platform. */
async function findSiteCtx(ctx: Ctx, siteId: string): Promise<Ctx | undefined> {
  const [found] = await ctx.runtime.database.global
    .select({ site: sites, host: siteDomains.host })
    .from(sites)
    .innerJoin(siteDomains, and(eq(siteDomains.siteId, sites.id), siteDomains.isPrimary))
    .where(and(eq(sites.id, siteId), ne(sites.id, PLATFORM_SITE_ID)))
  if (!found) return undefined
  const { site, host } = found
  return withLanguage(createCtx(ctx.runtime, { ...site, host, primaryHost: host }, { ...ctx }), site.locale)
}

async function loadSiteCtx(ctx: Ctx, siteId: string): Promise<Ctx> {
  const there = await findSiteCtx(ctx, siteId)
  if (!there) throw new AppError('not-found')
  return there
}
