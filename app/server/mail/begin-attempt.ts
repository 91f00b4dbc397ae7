import { and, eq } from 'drizzle-orm'
import { users } from '../db/schema/accounts.ts'
import { campaignMails, mailAddresses, outboxMails } from '../db/schema/mail.ts'
import { campaigns } from '../db/schema/messages.ts'
import { sites } from '../db/schema/sites.ts'
import type { Tx } from '../db/client.ts'
import { isOutdatedReminder } from '../event-reminders.ts'
import type { Runtime } from '../runtime.ts'
import { ACCOUNT_MAILS, fillCampaignMail, buildGiveUpUpdate, HELD_UNTIL, matchMailRow } from './campaign-mails.ts'
import type { OutboxRow } from './claim-mails.ts'

/** Account mails, and mails that people send to themselves. */
const KINDS_IGNORING_BOUNCES: ReadonlySet<string> = new Set([...ACCOUNT_MAILS, 'newsletter-test'])
/** A campaign mail is sent at most once: if its process dies, the mail is given up after this many leases. */
const CAMPAIGN_LEASES = 10
/** Reached only if processes keep dying while sending a mail. */
const MAX_INTERRUPTED_ATTEMPTS = 14
const SUSPENDED_RETRY_MS = 10 * 60_000

type CampaignMail = typeof campaignMails.$inferSelect

/** What all attempts of one run share. */
export interface DeliveryTurn {
  leaseMs: number
  /** Cached campaign texts: they are fixed once a campaign is prepared. */
  said: Map<string, CampaignMail>
}

/**
 * Starts one attempt to send a claimed mail: the lease must still be ours, and every check runs again. A campaign mail is marked: if a
 * later attempt finds the mark, nobody knows whether it was sent, so it is never sent again.
 * @param isFirst whether no mail service was tried since it was claimed
 * @returns the mail to send; undefined if it must not be sent now, or ever
 */
export function beginAttempt(runtime: Runtime, row: OutboxRow, turn: DeliveryTurn, isFirst: boolean): Promise<OutboxRow | undefined> {
  return runtime.database.site(row.siteId).tx(async (tx) => {
    const found = await loadMailState(runtime, tx, row)
    const { mail } = found ?? {}
    if (!found || !mail?.lease || mail.lease !== row.lease || mail.sentAt || mail.fault) return undefined
    const held = row.campaignId ? findHoldUpdate(runtime, found, row, isFirst) : findGiveUpUpdate(found, row)
    if (held) {
      await tx.update(outboxMails).set(held).where(matchMailRow(row))
      return undefined
    }
    const attempts = mail.attempts + (isFirst ? 1 : 0)
    const now = runtime.now()
    // If processes keep dying while sending it, it is retried less and less often.
    const leases = row.campaignId ? CAMPAIGN_LEASES : 2 ** (attempts - 1)
    const begun = { attempts, nextAttemptAt: new Date(now.getTime() + leases * turn.leaseMs), ...(row.campaignId ? { handedAt: now } : {}) }
    const said = row.campaignId ? await findCampaignMail(tx, row, row.campaignId, turn.said) : undefined
    const values = row.campaignId && !said ? buildGiveUpUpdate('campaign-cancelled') : begun
    await tx.update(outboxMails).set(values).where(matchMailRow(row))
    if (values !== begun) return undefined
    return { ...row, ...begun, ...(said ? fillCampaignMail(said, row) : {}) }
  })
}

type MailState = NonNullable<Awaited<ReturnType<typeof loadMailState>>>

async function loadMailState(runtime: Runtime, tx: Tx, row: OutboxRow) {
  const [found] = await tx
    .select({
      mail: {
        attempts: outboxMails.attempts,
        sentAt: outboxMails.sentAt,
        fault: outboxMails.fault,
        handedAt: outboxMails.handedAt,
        lease: outboxMails.lease,
      },
      site: sites.status,
      campaign: campaigns.status,
      reader: { consent: users.marketingConsentAt, blocked: users.blockedAt, email: users.email },
      bouncedAt: mailAddresses.bouncedAt,
      isOutdated: isOutdatedReminder(runtime.now(), outboxMails),
    })
    .from(outboxMails)
    .leftJoin(sites, eq(sites.id, outboxMails.siteId))
    .leftJoin(campaigns, and(eq(campaigns.siteId, outboxMails.siteId), eq(campaigns.id, outboxMails.campaignId)))
    .leftJoin(users, and(eq(users.siteId, outboxMails.siteId), eq(users.id, outboxMails.userId)))
    .leftJoin(mailAddresses, and(eq(mailAddresses.siteId, outboxMails.siteId), eq(mailAddresses.address, outboxMails.recipient)))
    .where(matchMailRow(row))
    .for('update', { of: outboxMails })
  return found
}

/** Why a mail of no campaign must not be sent at all. */
function findGiveUpUpdate({ bouncedAt, isOutdated }: MailState, { kind }: OutboxRow): Partial<OutboxRow> | undefined {
  if (isOutdated) return buildGiveUpUpdate('reminder-outdated')
  return bouncedAt && !KINDS_IGNORING_BOUNCES.has(kind) ? buildGiveUpUpdate('address-bounced') : undefined
}

/** Why a campaign mail must wait, or must not be sent at all, as the update of its row. */
function findHoldUpdate(
  runtime: Runtime,
  { mail, site, campaign, reader, bouncedAt }: MailState,
  row: OutboxRow,
  isFirst: boolean,
): Partial<OutboxRow> | undefined {
  if (isFirst && mail.handedAt) return buildGiveUpUpdate('message-unknown')
  if (mail.attempts >= MAX_INTERRUPTED_ATTEMPTS) return buildGiveUpUpdate('mail-undelivered')
  if (!campaign || campaign === 'cancelled') return buildGiveUpUpdate('campaign-cancelled')
  if (!reader?.consent || reader.blocked || reader.email !== row.recipient) return buildGiveUpUpdate('consent-withdrawn')
  if (bouncedAt) return buildGiveUpUpdate('address-bounced')
  const holdUntil = (nextAttemptAt: Date) => ({ nextAttemptAt, handedAt: null, lease: null })
  if (campaign === 'paused') return holdUntil(HELD_UNTIL)
  return site === 'active' ? undefined : holdUntil(new Date(runtime.now().getTime() + SUSPENDED_RETRY_MS))
}

async function findCampaignMail(
  tx: Tx,
  { siteId, language }: OutboxRow,
  campaignId: string,
  read: Map<string, CampaignMail>,
): Promise<CampaignMail | undefined> {
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
