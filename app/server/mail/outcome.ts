import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '../db/client.ts'
import { mailAddresses, type outboxMails } from '../db/schema.ts'
import { givenUp } from './campaign-mails.ts'

type Row = typeof outboxMails.$inferSelect

/** Mails in a row that are given up, each after hours of trying, before an address counts as dead. */
const MOST_SOFT_FAILURES = 3

const FIRST_RETRY_MS = 60_000

/** What a mail service's answer, or its silence, says of a mail. */
export interface Outcome {
  /** `address`: this reader is refused for good; `message`: this mail is; `later`: not now; `unsure`: it may have been sent. */
  kind: 'address' | 'message' | 'later' | 'unsure'
  /** It was the reader's address that was not taken. */
  ofAddress: boolean
  reason: string
}

/** Reads an error of the mail transport. A permanent refusal of our own sender or credentials is the site's matter, and is tried again. */
export function outcomeOf(error: unknown): Outcome {
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

/** What becomes of a mail that was not taken, and of what is known of its address. @param last whether it was tried often enough */
export async function settle(tx: Tx, row: Row, outcome: Outcome, last: boolean, now: Date): Promise<Partial<Row>> {
  const lastError = outcome.reason
  switch (outcome.kind) {
    case 'address':
      await markAddress(tx, row, { bouncedAt: now, reason: lastError, updatedAt: now })
      return { ...givenUp('address-refused'), lastError }
    case 'message':
      return { ...givenUp('message-refused'), lastError }
    case 'unsure':
      // Of other mails one too many is better than none: a link to confirm an address.
      if (row.campaignId) return { ...givenUp('message-unknown'), lastError }
      break
    case 'later':
  }
  if (!last) {
    const again = new Date(now.getTime() + FIRST_RETRY_MS * 2 ** (row.attempts - 1))
    return { handedAt: null, lastError, ...(row.campaignId ? { nextAttemptAt: again } : {}) }
  }
  if (outcome.ofAddress) {
    const failures = sql`${mailAddresses.softFailures} + 1`
    await markAddress(
      tx,
      row,
      { softFailures: 1, reason: lastError, updatedAt: now },
      {
        softFailures: failures,
        bouncedAt: sql`case when ${failures} >= ${MOST_SOFT_FAILURES} then coalesce(${mailAddresses.bouncedAt}, ${now.toISOString()}::timestamptz) else ${mailAddresses.bouncedAt} end`,
        reason: lastError,
        updatedAt: now,
      },
    )
  }
  return { ...givenUp('mail-undelivered'), lastError }
}

type Mark = Omit<typeof mailAddresses.$inferInsert, 'siteId' | 'address'>

async function markAddress(tx: Tx, { siteId, recipient }: Row, first: Mark, again: Parameters<typeof update>[0] = first): Promise<void> {
  await tx
    .insert(mailAddresses)
    .values({ siteId, address: recipient, ...first })
    .onConflictDoUpdate(update(again))
}
const update = (set: { [K in keyof Mark]?: Mark[K] | ReturnType<typeof sql> }) => ({
  target: [mailAddresses.siteId, mailAddresses.address],
  set,
})

/** A mail was taken for it: whatever was wrong before is over. */
export const forgetFailures = (tx: Tx, { siteId, recipient }: Row) =>
  tx.delete(mailAddresses).where(and(eq(mailAddresses.siteId, siteId), eq(mailAddresses.address, recipient)))
