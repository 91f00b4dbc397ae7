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

type Said = typeof campaignMails.$inferSelect

/**
 * Makes a campaign's mail ready to be sent, and marks it: whoever finds it marked does not know whether it was sent, and never sends it again.
 * Any other mail is ready as it is, unless its address refuses mail.
 * @param read what campaigns say, as far as it was read before: it is fixed when a campaign is prepared
 * @returns undefined where it is not to go now, or never
 */
export function takeUp(runtime: Runtime, row: Row, read: Map<string, Said>): Promise<Row | undefined> {
  const { campaignId } = row
  if (!campaignId) return GOES_ANYWAY.has(row.kind) ? Promise.resolve(row) : unlessBounced(runtime, row)
  return runtime.database.site(row.siteId).tx(async (tx) => {
    const put = async (values: Partial<Row>) => {
      await tx.update(outboxMails).set(values).where(own(row))
      return undefined
    }
    const [found] = await tx
      .select({
        mail: { attempts: outboxMails.attempts, sentAt: outboxMails.sentAt, fault: outboxMails.fault, handedAt: outboxMails.handedAt },
        campaign: campaigns.status,
        reader: { consent: users.marketingConsentAt, blocked: users.blockedAt, email: users.email },
        bouncedAt: mailAddresses.bouncedAt,
      })
      .from(outboxMails)
      .leftJoin(campaigns, and(eq(campaigns.siteId, outboxMails.siteId), eq(campaigns.id, outboxMails.campaignId)))
      .leftJoin(users, and(eq(users.siteId, outboxMails.siteId), eq(users.id, outboxMails.userId)))
      .leftJoin(mailAddresses, and(eq(mailAddresses.siteId, outboxMails.siteId), eq(mailAddresses.address, outboxMails.recipient)))
      .where(own(row))
      .for('update', { of: outboxMails })
    if (!found) return undefined
    const { mail, campaign, reader, bouncedAt } = found
    // Somebody else claimed it since.
    if (mail.attempts !== row.attempts || mail.sentAt || mail.fault) return undefined
    if (mail.handedAt) return put(givenUp('message-unknown'))
    if (mail.attempts > CUT_SHORT) return put(givenUp('mail-undelivered'))
    if (campaign === 'paused') return put({ nextAttemptAt: HELD_UNTIL, attempts: row.attempts - 1 })
    if (!campaign || campaign === 'cancelled') return put(givenUp('campaign-cancelled'))
    if (!reader?.consent || reader.blocked || reader.email !== row.recipient) return put(givenUp('consent-withdrawn'))
    if (bouncedAt) return put(givenUp('address-bounced'))
    const said = await saidIn(tx, row, campaignId, read)
    if (!said) return put(givenUp('campaign-cancelled'))
    await put({ handedAt: runtime.now(), nextAttemptAt: new Date(runtime.now().getTime() + LEASE_MS) })
    return { ...row, ...filled(said, row) }
  })
}

async function saidIn(tx: Tx, { siteId, language }: Row, campaignId: string, read: Map<string, Said>): Promise<Said | undefined> {
  const key = `${campaignId} ${language}`
  const before = read.get(key)
  if (before) return before
  const [said] = await tx
    .select()
    .from(campaignMails)
    .where(and(eq(campaignMails.siteId, siteId), eq(campaignMails.campaignId, campaignId), eq(campaignMails.language, language)))
  if (said) read.set(key, said)
  return said
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
