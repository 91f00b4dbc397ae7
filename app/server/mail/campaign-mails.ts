import { and, eq } from 'drizzle-orm'
import { escapeHtml } from '../../lib/escape-html.ts'
import { type campaignMails, outboxMails } from '../db/schema/mail.ts'

type Row = typeof outboxMails.$inferSelect

/** Why a mail is never sent, or why nobody knows whether it was. */
export const MAIL_FAULTS = [
  'address-refused',
  'address-bounced',
  'message-refused',
  'message-unknown',
  'mail-undelivered',
  'consent-withdrawn',
  'campaign-cancelled',
  'reminder-outdated',
] as const
export type MailFault = (typeof MAIL_FAULTS)[number]

/** Mails about the account itself: these are sent even to an address that bounces, because they are how it is proved again. */
export const ACCOUNT_MAILS = [
  'confirm-email',
  'account-exists',
  'finish-registration',
  'reset-password',
  'password-changed',
  'change-email',
  'email-in-use',
  'email-change-asked',
  'email-changed',
  'invitation',
  'role-given',
  'contact-invitation',
  'site-admin-added',
  'site-admin-removed',
  'project-invitation',
  'account-blocked',
  'accounts-merged',
  'second-step-on',
  'second-step-off',
  'second-step-changed',
  'recovery-code-used',
  'new-device',
  'site-deletion',
  'site-kept',
  'site-kept-suspended',
  'provider-added',
  'provider-activated',
  'provider-changed',
  'provider-waits',
  'support-granted',
  'support-received',
  'codes-made',
] as const
/** Due date of a mail that waits for its campaign to resume. */
export const HELD_UNTIL = new Date('9999-01-01T00:00:00Z')

/** A campaign's text, filled in for one recipient. */
export function fillCampaignMail(
  said: Pick<typeof campaignMails.$inferSelect, 'subject' | 'bodyText' | 'bodyHtml'>,
  { recipientName, leaveUrl }: Pick<Row, 'recipientName' | 'leaveUrl'>,
): Pick<Row, 'subject' | 'bodyText' | 'bodyHtml'> {
  const values: Record<string, string> = { name: recipientName ?? '', leave: leaveUrl ?? '…' }
  const fillPlaceholders = (text: string, as: (value: string) => string = (value) => value) =>
    text.replace(/\{\{(name|leave)\}\}/g, (_, name: string) => as(values[name] ?? ''))
  return {
    subject: fillPlaceholders(said.subject).replace(/\s+/g, ' ').trim(),
    bodyText: fillPlaceholders(said.bodyText),
    bodyHtml: fillPlaceholders(said.bodyHtml, escapeHtml),
  }
}

/** A mail we will not try again. */
export const buildGiveUpUpdate = (fault: MailFault): Partial<Row> => ({
  fault,
  handedAt: null,
  leaveUrl: null,
  secretBodies: null,
  lease: null,
})

export const matchMailRow = (row: Row) => and(eq(outboxMails.siteId, row.siteId), eq(outboxMails.id, row.id))
