import { recordAudit } from '#app/features/audit/audit.server.ts'
import { canSendMail } from '#app/features/marketplace/site-mail-transport.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { buildInvitationUrl, queueAccountMail } from './account-mails.server.ts'
import { type Membership, SITE_ROLES, type SiteRole } from './accounts.schema.ts'
import { createInvitationToken } from './one-time-links.server.ts'
import { canGiveRole, canNameFirstAdmin, listMemberships, requireRolePermission } from './memberships.server.ts'
import { canSignIn, loadSiteAdmins } from './site-admins.server.ts'
import { lockUser, type UserRow } from './account-realm.server.ts'

/**
 * Emails the invitation again with a new link; earlier links are revoked.
 * @throws {AppError} `not-found`, `forbidden`, `fresh-sign-in-required`, `conflict`, `too-many-requests`
 */
export const sendInvitation = (ctx: Ctx, userId: string): Promise<void> =>
  renewInvitation(ctx, userId, async (tx, user, role) => {
    await queueAccountMail(ctx, tx, user, { kind: 'invitation', token: await createInvitationToken(ctx, tx, user), role })
    await recordAudit(ctx, tx, { action: 'memberships.invite-again', subject: { type: 'users', id: userId }, detail: { role } })
  })

/**
 * Creates a new invitation link for an administrator to hand over, for sites that cannot send email.
 * @returns the URL
 * @throws {AppError} as `sendInvitation`, and `mail-goes-out` if the site can send email
 */
export async function createInvitationLink(ctx: Ctx, userId: string): Promise<string> {
  if (await canSendMail(ctx)) throw new AppError('mail-goes-out')
  return renewInvitation(ctx, userId, async (tx, user, role) => {
    const token = await createInvitationToken(ctx, tx, user)
    await recordAudit(ctx, tx, { action: 'memberships.copy-invitation', subject: { type: 'users', id: userId }, detail: { role } })
    return buildInvitationUrl(ctx, user, token)
  })
}

async function renewInvitation<Result>(
  ctx: Ctx,
  userId: string,
  act: (tx: Tx, user: UserRow, role: SiteRole) => Promise<Result>,
): Promise<Result> {
  const { rows } = await listMemberships(ctx, { user: userId, offset: 0, limit: 100 })
  const toPlace = (membership: Membership) => ({ hubId: membership.hubId ?? membership.projectHubId, projectId: membership.projectId })
  const given = rows.filter(
    (membership) => canGiveRole(ctx.viewer, membership.role, toPlace(membership)) || canNameFirstAdmin(ctx.viewer, membership.role),
  )
  const highest = SITE_ROLES.map((one) => given.find((membership) => membership.role === one)).find(
    (membership) => membership !== undefined,
  )
  if (!highest) throw new AppError(rows.length ? 'forbidden' : 'not-found')
  const { role } = highest
  requireRolePermission(ctx, role, toPlace(highest))
  await countAttempt(ctx, [{ name: 'invitation', of: userId, most: 5, minutes: 60 }])
  return ctx.db.tx(async (tx) => {
    const user = await lockUser(tx, ctx.site.id, userId)
    if (user.passwordHash !== null) throw new AppError('conflict', { detail: { key: 'password-chosen' } })
    if (canNameFirstAdmin(ctx.viewer, role) && (await loadSiteAdmins(tx, ctx.site.id)).some(canSignIn))
      throw new AppError('first-site-admin-only')
    return act(tx, user, role)
  })
}
