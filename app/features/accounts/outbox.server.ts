import { and, count, desc, eq, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { canSendMail } from '#app/features/marketplace/site-mail-transport.server.ts'
import { requirePermission, isAdministrator } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { campaignMails, outboxMails } from '#app/server/db/schema/mail.ts'
import { fillCampaignMail, type MailFault } from '#app/server/mail/campaign-mails.ts'

export interface OutboxMail {
  id: string
  kind: string
  recipient: string
  language: string
  subject: string
  createdAt: Date
  sentAt: Date | null
  attempts: number
  lastError: string | null
  /** True if it bounced after the mail service had accepted it. */
  returned: boolean
  fault: MailFault | null
}

/** The site's emails, newest first, for site editors. */
export async function listOutbox(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: OutboxMail[]; total: number }> {
  requirePermission(ctx, 'site.edit')
  const own = eq(outboxMails.siteId, ctx.site.id)
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select(OUTBOX_COLUMNS)
      .from(outboxMails)
      .where(own)
      .orderBy(desc(outboxMails.createdAt), desc(outboxMails.id))
      .limit(page.limit)
      .offset(page.offset)
    const [counted] = await tx.select({ total: count() }).from(outboxMails).where(own)
    return { rows, total: counted?.total ?? 0 }
  })
}

/** True if the site can send email. @throws {AppError} `forbidden` if the viewer is not an administrator */
export async function checkMailService(ctx: Ctx): Promise<boolean> {
  if (!isAdministrator(ctx.viewer)) throw new AppError(ctx.viewer.kind === 'visitor' ? 'unauthenticated' : 'forbidden')
  return canSendMail(ctx)
}

/** One email with its text, with secrets masked that only its recipient may see. Reading it is audited. @throws {AppError} `not-found` */
export async function readOutboxMail(ctx: Ctx, id: string): Promise<OutboxMail & { bodyText: string; bodyHtml: string }> {
  requirePermission(ctx, 'site.edit')
  return ctx.db.tx(async (tx) => {
    const [row] = await tx
      .select({
        ...OUTBOX_COLUMNS,
        bodyText: outboxMails.bodyText,
        bodyHtml: outboxMails.bodyHtml,
        userId: outboxMails.userId,
        recipientName: outboxMails.recipientName,
        said: campaignMails,
      })
      .from(outboxMails)
      .leftJoin(
        campaignMails,
        and(
          eq(campaignMails.siteId, outboxMails.siteId),
          eq(campaignMails.campaignId, outboxMails.campaignId),
          eq(campaignMails.language, outboxMails.language),
        ),
      )
      .where(and(eq(outboxMails.siteId, ctx.site.id), eq(outboxMails.id, id)))
    if (!row) throw new AppError('not-found')
    const { said, recipientName, userId, ...mail } = row
    const detail = { name: mail.kind, reader: userId }
    await recordAudit(ctx, tx, { action: 'mails.read', subject: { type: 'mails', id }, detail })
    return said ? { ...mail, ...fillCampaignMail(said, { recipientName, leaveUrl: null }) } : mail
  })
}

const OUTBOX_COLUMNS = {
  id: outboxMails.id,
  kind: outboxMails.kind,
  recipient: outboxMails.recipient,
  language: outboxMails.language,
  subject: outboxMails.subject,
  createdAt: outboxMails.createdAt,
  sentAt: outboxMails.sentAt,
  attempts: outboxMails.attempts,
  lastError: outboxMails.lastError,
  returned: sql<boolean>`${outboxMails.returnedAt} is not null`,
  fault: sql<MailFault | null>`${outboxMails.fault}`,
}
