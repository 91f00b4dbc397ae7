import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { mailAddresses, type outboxMails } from '../db/schema/mail.ts'
import { buildGiveUpUpdate } from './campaign-mails.ts'

type Row = typeof outboxMails.$inferSelect

/** Consecutive mails given up, each after hours of retries, before an address counts as dead. */
export const MAX_SOFT_FAILURES = 3
/** A failure this long after the previous one restarts the count. */
const SOFT_FORGOTTEN_DAYS = 90

const FIRST_RETRY_MS = 60_000

/** What a mail service's reply, or lack of one, says about a mail. */
export interface DeliveryOutcome {
  /** `address`: this recipient is permanently refused; `message`: this mail is; `later`: temporary; `unsure`: it may have been sent. */
  kind: 'address' | 'message' | 'later' | 'unsure'
  /** The recipient's address was refused. */
  ofAddress: boolean
  reason: string
}

/** Classifies a transport error. A permanent refusal of our own sender or credentials is the site's problem, so it is retried. */
export function classifyTransportError(error: unknown): DeliveryOutcome {
  const { name, command, responseCode, code, originalCode, syscall, message } = error as Record<string, unknown>
  const reason = typeof message === 'string' ? message.slice(0, 500) : 'unknown'
  const ofAddress = command === 'RCPT TO'
  const permanent = typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600 && responseCode !== 503
  if (permanent && ofAddress) return { kind: 'address', ofAddress, reason }
  if (permanent && command === 'DATA') return { kind: 'message', ofAddress, reason }
  const neverBegun =
    typeof responseCode === 'number' ||
    name === 'NotTaken' ||
    syscall === 'connect' ||
    ['EDNS', 'EAUTH', 'ETLS', 'EENVELOPE', 'ECONNREFUSED'].includes(String(code)) ||
    /^(CONNECT|GREETING)_TIMEOUT$/.test(String(originalCode))
  return { kind: neverBegun ? 'later' : 'unsure', ofAddress, reason }
}

/** Decides what happens to a failed mail, and updates what is known about its address. @param last true after the last attempt */
export async function settleFailure(tx: Tx, row: Row, outcome: DeliveryOutcome, last: boolean, now: Date): Promise<Partial<Row>> {
  const lastError = outcome.reason
  switch (outcome.kind) {
    case 'address':
      await markHardBounce(tx, row, lastError, now)
      return { ...buildGiveUpUpdate('address-refused'), lastError }
    case 'message':
      return { ...buildGiveUpUpdate('message-refused'), lastError }
    case 'unsure':
      // For other mails one too many is better than none: it may be a link to confirm an address.
      if (row.campaignId) return { ...buildGiveUpUpdate('message-unknown'), lastError }
      break
    case 'later':
  }
  if (!last) {
    const again = new Date(now.getTime() + FIRST_RETRY_MS * 2 ** (row.attempts - 1))
    return { handedAt: null, lastError, nextAttemptAt: again, lease: null }
  }
  if (outcome.ofAddress) await markSoftBounce(tx, row, lastError, now)
  return { ...buildGiveUpUpdate('mail-undelivered'), lastError }
}

type AddressKey = Pick<Row, 'siteId' | 'recipient'>

/** Records a hard bounce. @param reported it was reported after the mail had been accepted */
export const markHardBounce = (tx: Tx, known: AddressKey, reason: string, now: Date, reported = false): Promise<void> =>
  markAddress(tx, known, { bouncedAt: now, reason, updatedAt: now, reported }, sql`${now.toISOString()}::timestamptz`)

/** Records a soft bounce: MAX_SOFT_FAILURES in a short time count as a hard one. */
export function markSoftBounce(tx: Tx, known: AddressKey, reason: string, now: Date, reported = false): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  const failures = sql`case when ${mailAddresses.updatedAt} < ${at} - interval '${sql.raw(String(SOFT_FORGOTTEN_DAYS))} days' then 1 else ${mailAddresses.softFailures} + 1 end`
  const first = { softFailures: 1, reason, updatedAt: now, reported }
  return markAddress(tx, known, first, sql`case when ${failures} >= ${MAX_SOFT_FAILURES} then ${at} end`, failures)
}

/** @param bounced since when it bounces, unless already known. @param failures consecutive soft failures, if that changes */
async function markAddress(
  tx: Tx,
  { siteId, recipient }: AddressKey,
  first: Omit<typeof mailAddresses.$inferInsert, 'siteId' | 'address'>,
  bounced: SQL,
  failures: SQL = sql`${mailAddresses.softFailures}`,
): Promise<void> {
  await tx
    .insert(mailAddresses)
    .values({ siteId, address: recipient, ...first })
    .onConflictDoUpdate({
      target: [mailAddresses.siteId, mailAddresses.address],
      set: {
        softFailures: failures,
        bouncedAt: sql`coalesce(${mailAddresses.bouncedAt}, ${bounced})`,
        reported: sql`${mailAddresses.reported} or ${first.reported ?? false}`,
        reason: first.reason ?? null,
        updatedAt: first.updatedAt,
      },
    })
}

/** Their mails were accepted, so earlier refusals no longer count. Reported bounces do: a relay accepts mail for any address. */
export const forgetFailures = (tx: Tx, siteId: string, taken: readonly Row[]) =>
  tx.delete(mailAddresses).where(
    and(
      eq(mailAddresses.siteId, siteId),
      inArray(
        mailAddresses.address,
        taken.map(({ recipient }) => recipient),
      ),
      eq(mailAddresses.reported, false),
    ),
  )
