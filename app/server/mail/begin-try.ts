import { and, eq } from 'drizzle-orm'
import { campaignMails, campaigns, mailAddresses, outboxMails, sites, users } from '../db/schema.ts'
import type { Tx } from '../db/client.ts'
import type { Runtime } from '../runtime.ts'
import { ACCOUNT_MAILS, filled, givenUp, HELD_UNTIL, own } from './campaign-mails.ts'
import type { Row } from './claims.ts'

/** Besides mails about an account, what people send to themselves. */
const GOES_ANYWAY: ReadonlySet<string> = new Set([...ACCOUNT_MAILS, 'newsletter-test'])
/** A campaign's mail is handed over once or never: if its process is not heard of again, it is given up after so many leases. */
const CAMPAIGN_LEASES = 10
/** A mail is tried this often only if processes die with it in hand. */
const CUT_SHORT = 14
const SUSPENDED_RETRY_MS = 10 * 60_000

type Said = typeof campaignMails.$inferSelect

/** What the tries of one turn share. */
export interface Turn {
  leaseMs: number
  /** What campaigns say, as far as it was read before: it is fixed when a campaign is prepared. */
  said: Map<string, Said>
}

/**
 * Begins one try of a mail that was claimed: its lease must still be ours, and every check is made again. A campaign's mail is marked:
 * whoever finds it marked does not know whether it was sent, and never sends it again.
 * @param isFirst whether it was handed to no mail service yet since it was claimed
 * @returns the mail as it leaves; undefined where it is not to go now, or never
 */
export function beginTry(runtime: Runtime, row: Row, turn: Turn, isFirst: boolean): Promise<Row | undefined> {
  return runtime.database.site(row.siteId).tx(async (tx) => {
    const found = await look(tx, row)
    const { mail } = found ?? {}
    if (!found || !mail?.lease || mail.lease !== row.lease || mail.sentAt || mail.fault) return undefined
    const held = row.campaignId
      ? heldAs(runtime, found, row, isFirst)
      : found.bouncedAt && !GOES_ANYWAY.has(row.kind)
        ? givenUp('address-bounced')
        : undefined
    if (held) {
      await tx.update(outboxMails).set(held).where(own(row))
      return undefined
    }
    const attempts = mail.attempts + (isFirst ? 1 : 0)
    const now = runtime.now()
    // Where processes die with it in hand, it is tried less and less often.
    const leases = row.campaignId ? CAMPAIGN_LEASES : 2 ** (attempts - 1)
    const begun = { attempts, nextAttemptAt: new Date(now.getTime() + leases * turn.leaseMs), ...(row.campaignId ? { handedAt: now } : {}) }
    const said = row.campaignId ? await saidIn(tx, row, row.campaignId, turn.said) : undefined
    const values = row.campaignId && !said ? givenUp('campaign-cancelled') : begun
    await tx.update(outboxMails).set(values).where(own(row))
    if (values !== begun) return undefined
    return { ...row, ...begun, ...(said ? filled(said, row) : {}) }
  })
}

type Found = NonNullable<Awaited<ReturnType<typeof look>>>

async function look(tx: Tx, row: Row) {
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
    .where(own(row))
    .for('update', { of: outboxMails })
  return found
}

/** Why a campaign's mail is not to go now, or never, as its row says it then. */
function heldAs(
  runtime: Runtime,
  { mail, site, campaign, reader, bouncedAt }: Found,
  row: Row,
  isFirst: boolean,
): Partial<Row> | undefined {
  if (isFirst && mail.handedAt) return givenUp('message-unknown')
  if (mail.attempts >= CUT_SHORT) return givenUp('mail-undelivered')
  if (!campaign || campaign === 'cancelled') return givenUp('campaign-cancelled')
  if (!reader?.consent || reader.blocked || reader.email !== row.recipient) return givenUp('consent-withdrawn')
  if (bouncedAt) return givenUp('address-bounced')
  const waits = (nextAttemptAt: Date) => ({ nextAttemptAt, handedAt: null, lease: null })
  if (campaign === 'paused') return waits(HELD_UNTIL)
  return site === 'active' ? undefined : waits(new Date(runtime.now().getTime() + SUSPENDED_RETRY_MS))
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
