import { recordAudit } from '#app/features/audit/audit.server.ts'
import { sendsMail } from '#app/features/marketplace/mail-way.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { invitationUrl, mailTo } from './account-mails.server.ts'
import { SITE_ROLES, type SiteRole } from './accounts.schema.ts'
import { invitation } from './links.server.ts'
import { listMemberships, mayGiveRole } from './memberships.server.ts'
import { lockedUser, type UserRow } from './realm.server.ts'

/** Mails the invitation once more: its link works anew, earlier ones stop working. @throws {AppError} `not-found`, `forbidden`, `conflict`, `too-many-requests` */
export const sendInvitation = (ctx: Ctx, userId: string): Promise<void> =>
  inviteAgain(ctx, userId, async (tx, user, role) => {
    await mailTo(ctx, tx, user, { kind: 'invitation', token: await invitation(ctx, tx, user), role })
    await recordAudit(ctx, tx, { action: 'memberships.invite-again', subject: { type: 'users', id: userId }, detail: { role } })
  })

/**
 * Makes the link of an invitation anew for the administrator who may give the role to hand over, where no mail leaves the site.
 * @returns its address @throws {AppError} as `sendInvitation`, and `mail-goes-out` where the link reaches its reader by mail
 */
export async function makeInvitationLink(ctx: Ctx, userId: string): Promise<string> {
  if (await sendsMail(ctx)) throw new AppError('mail-goes-out')
  return inviteAgain(ctx, userId, async (tx, user, role) => {
    const token = await invitation(ctx, tx, user)
    await recordAudit(ctx, tx, { action: 'memberships.copy-invitation', subject: { type: 'users', id: userId }, detail: { role } })
    return invitationUrl(ctx, user, token)
  })
}

async function inviteAgain<Result>(
  ctx: Ctx,
  userId: string,
  act: (tx: Tx, user: UserRow, role: SiteRole) => Promise<Result>,
): Promise<Result> {
  const { rows } = await listMemberships(ctx, { user: userId, offset: 0, limit: 100 })
  const given = rows.filter((held) =>
    mayGiveRole(ctx.viewer, held.role, { hubId: held.hubId ?? held.projectHubId, projectId: held.projectId }),
  )
  const role = SITE_ROLES.find((one) => given.some((held) => held.role === one))
  if (!role) throw new AppError(rows.length ? 'forbidden' : 'not-found')
  await countAttempt(ctx, [{ name: 'invitation', of: userId, most: 5, minutes: 60 }])
  return ctx.db.tx(async (tx) => {
    const user = await lockedUser(tx, ctx.site.id, userId)
    if (user.passwordHash !== null) throw new AppError('conflict', { detail: 'They have chosen a password already.' })
    return act(tx, user, role)
  })
}
