import { and, eq } from 'drizzle-orm'
import { campaignMails, campaigns, mailAddresses, outboxMails, sites, users } from '../db/schema.ts'
import type { Tx } from '../db/client.ts'
import type { Runtime } from '../runtime.ts'
import { ACCOUNT_MAILS, fillCampaignMail, buildGiveUpUpdate, HELD_UNTIL, matchMailRow } from './campaign-mails.ts'
import type { OutboxRow } from './claim-mails.ts'

/** Besides mails about an account, what people send to themselves. */
const KINDS_IGNORING_BOUNCES: ReadonlySet<string> = new Set([...ACCOUNT_MAILS, 'newsletter-test'])
/** A campaign's mail is handed over once or never: if its process is not heard of again, it is given up after so many leases. */
const CAMPAIGN_LEASES = 10
/** A mail is tried this often only if processes die with it in hand. */
const MAX_INTERRUPTED_ATTEMPTS = 14
const SUSPENDED_RETRY_MS = 10 * 60_000

type CampaignMail = typeof campaignMails.$inferSelect

/** What the tries of one turn share. */
export interface DeliveryTurn {
  leaseMs: number
  /** What campaigns say, as far as it was read before: it is fixed when a campaign is prepared. */
  said: Map<string, CampaignMail>
}

/**
 * Begins one try of a mail that was claimed: its lease must still be ours, and every check is made again. A campaign's mail is marked:
 * whoever finds it marked does not know whether it was sent, and never sends it again.
 * @param isFirst whether it was handed to no mail service yet since it was claimed
 * @returns the mail as it leaves; undefined where it is not to go now, or never
 */
export function beginAttempt(runtime: Runtime, row: OutboxRow, turn: DeliveryTurn, isFirst: boolean): Promise<OutboxRow | undefined> {
  return runtime.database.site(row.siteId).tx(async (tx) => {
    const found = await loadMailState(tx, row)
    const { mail } = found ?? {}
    if (!found || !mail?.lease || mail.lease !== row.lease || mail.sentAt || mail.fault) return undefined
    const held = row.campaignId
      ? findHoldUpdate(runtime, found, row, isFirst)
      : found.bouncedAt && !KINDS_IGNORING_BOUNCES.has(row.kind)
        ? buildGiveUpUpdate('address-bounced')
        : undefined
    if (held) {
      await tx.update(outboxMails).set(held).where(matchMailRow(row))
      return undefined
    }
    const attempts = mail.attempts + (isFirst ? 1 : 0)
    const now = runtime.now()
    // Where processes die with it in hand, it is tried less and less often.
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

async function loadMailState(tx: Tx, row: OutboxRow) {
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

/** Why a campaign's mail is not to go now, or never, as its row says it then. */
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
