import { and, eq } from 'drizzle-orm'
import { escapeHtml } from '../../lib/escape.ts'
import { campaignMails, campaigns, mailAddresses, outboxMails, users } from '../db/schema.ts'
import type { Tx } from '../db/client.ts'
import type { Runtime } from '../runtime.ts'

type Row = typeof outboxMails.$inferSelect

/** Why a mail is never sent, or nobody knows whether it was. */
export const MAIL_FAULTS = [
  'address-refused',
  'address-bounced',
  'message-refused',
  'message-unknown',
  'mail-undelivered',
  'consent-withdrawn',
  'campaign-cancelled',
] as const
export type MailFault = (typeof MAIL_FAULTS)[number]

/** Mails about an account itself: they go out also to an address that is known to refuse mail, since they are how it is proven again. */
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
  'project-invitation',
  'account-blocked',
  'accounts-merged',
  'site-deletion',
  'site-kept',
  'site-kept-suspended',
] as const
/** Besides, what somebody sends to nobody but themself. */
const GOES_ANYWAY: ReadonlySet<string> = new Set([...ACCOUNT_MAILS, 'newsletter-test'])

/** While a process has a campaign's mail in hand, nobody else takes it. One that is not heard of again lets it go after this long. */
const LEASE_MS = 10 * 60_000
/** So often is a mail tried only where processes die with it in hand. */
const CUT_SHORT = 14
/** A mail that waits for its campaign to go on is due then. */
export const HELD_UNTIL = new Date('9999-01-01T00:00:00Z')

/**
 * Makes a campaign's mail ready to be sent, and marks it: whoever finds it marked does not know whether it was sent, and never sends it again.
 * Any other mail is ready as it is, unless its address refuses mail.
 * @returns undefined where it is not to go now, or never
 */
export function takeUp(runtime: Runtime, row: Row): Promise<Row | undefined> {
  const { campaignId, userId } = row
  if (!campaignId) return GOES_ANYWAY.has(row.kind) ? Promise.resolve(row) : unlessBounced(runtime, row)
  return runtime.database.site(row.siteId).tx(async (tx) => {
    const { siteId } = row
    const put = async (values: Partial<Row>) => {
      await tx.update(outboxMails).set(values).where(own(row))
      return undefined
    }
    const [now] = await tx.select().from(outboxMails).where(own(row)).for('update')
    // Somebody else claimed it since, or it is gone with its reader.
    if (!now || now.attempts !== row.attempts || now.sentAt || now.fault) return undefined
    if (now.handedAt) return put(givenUp('message-unknown'))
    if (now.attempts > CUT_SHORT) return put(givenUp('mail-undelivered'))
    const [campaign] = await tx
      .select({ status: campaigns.status })
      .from(campaigns)
      .where(and(eq(campaigns.siteId, siteId), eq(campaigns.id, campaignId)))
    if (campaign?.status === 'paused') return put({ nextAttemptAt: HELD_UNTIL, attempts: row.attempts - 1 })
    if (!campaign || campaign.status === 'cancelled') return put(givenUp('campaign-cancelled'))
    const [reader] = await tx
      .select({ consent: users.marketingConsentAt, blocked: users.blockedAt, email: users.email })
      .from(users)
      .where(and(eq(users.siteId, siteId), eq(users.id, userId ?? campaignId)))
    if (!reader?.consent || reader.blocked || reader.email !== row.recipient) return put(givenUp('consent-withdrawn'))
    if (await hasBounced(tx, siteId, row.recipient)) return put(givenUp('address-bounced'))
    const [said] = await tx
      .select()
      .from(campaignMails)
      .where(and(eq(campaignMails.siteId, siteId), eq(campaignMails.campaignId, campaignId), eq(campaignMails.language, row.language)))
    if (!said) return put(givenUp('campaign-cancelled'))
    await put({ handedAt: runtime.now(), nextAttemptAt: new Date(runtime.now().getTime() + LEASE_MS) })
    return { ...row, ...filled(said, row) }
  })
}

const unlessBounced = (runtime: Runtime, row: Row): Promise<Row | undefined> =>
  runtime.database.site(row.siteId).tx(async (tx) => {
    if (!(await hasBounced(tx, row.siteId, row.recipient))) return row
    await tx.update(outboxMails).set(givenUp('address-bounced')).where(own(row))
    return undefined
  })

/** What a campaign says, as one of its readers gets it. */
export function filled(
  said: Pick<typeof campaignMails.$inferSelect, 'subject' | 'bodyText' | 'bodyHtml'>,
  { recipientName, leaveUrl }: Pick<Row, 'recipientName' | 'leaveUrl'>,
): Pick<Row, 'subject' | 'bodyText' | 'bodyHtml'> {
  const values: Record<string, string> = { name: recipientName ?? '', leave: leaveUrl ?? '…' }
  const fill = (text: string, as: (value: string) => string = (value) => value) =>
    text.replace(/\{\{(name|leave)\}\}/g, (_, name: string) => as(values[name] ?? ''))
  return {
    subject: fill(said.subject).replace(/\s+/g, ' ').trim(),
    bodyText: fill(said.bodyText),
    bodyHtml: fill(said.bodyHtml, escapeHtml),
  }
}

/** A mail that nothing more becomes of. */
export const givenUp = (fault: MailFault): Partial<Row> => ({ fault, handedAt: null, leaveUrl: null })

async function hasBounced(tx: Tx, siteId: string, address: string): Promise<boolean> {
  const [known] = await tx
    .select({ bouncedAt: mailAddresses.bouncedAt })
    .from(mailAddresses)
    .where(and(eq(mailAddresses.siteId, siteId), eq(mailAddresses.address, address)))
  return Boolean(known?.bouncedAt)
}

export const own = (row: Row) => and(eq(outboxMails.siteId, row.siteId), eq(outboxMails.id, row.id))
