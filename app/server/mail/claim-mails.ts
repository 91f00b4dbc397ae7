import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import { createId } from '../../lib/uuid.ts'
import { outboxMails } from '../db/schema/mail.ts'
import { keepLeaseAlive } from '../keep-lease-alive.ts'
import type { Runtime } from '../runtime.ts'

export type OutboxRow = typeof outboxMails.$inferSelect

/** A process renews the lease while it is sending. If the process dies, its mails are free again after this long. */
export const LEASE_MS = 60_000
const RENEWALS_PER_LEASE = 3
const BATCH_SIZE = 50
export const MAX_ATTEMPTS = 10

/** Mails that one process has claimed together and keeps until the batch is closed. */
export interface MailBatch {
  isEmpty: boolean
  next: () => OutboxRow | undefined
  /** Stops renewing and gives back mails that were not started. */
  close: () => Promise<void>
}

/**
 * Claims a site's next due mails, so that no other process sends them at the same time. Sign-in links go before newsletters. The lease is
 * kept alive; each mail must be checked again before it is sent.
 */
export async function claimBatch(runtime: Runtime, siteId: string, leaseMs: number): Promise<MailBatch> {
  const lease = createId()
  const rows = await claimDueMails(runtime, siteId, lease, leaseMs)
  const [begun, ids] = [new Set<string>(), rows.map(({ id }) => id)]
  const waiting = [...rows]
  const updateClaimed = (values: { nextAttemptAt: Date | SQL; lease?: null }, of: readonly string[]) =>
    runtime.database.site(siteId).tx((tx) =>
      tx
        .update(outboxMails)
        .set(values)
        .where(
          and(
            eq(outboxMails.siteId, siteId),
            inArray(outboxMails.id, [...of]),
            eq(outboxMails.lease, lease),
            isNull(outboxMails.sentAt),
            isNull(outboxMails.fault),
          ),
        ),
    )
  const renewLease = () =>
    updateClaimed({ nextAttemptAt: sql`greatest(${outboxMails.nextAttemptAt}, ${computeLeaseEnd(runtime, leaseMs)}::timestamptz)` }, ids)
  const stop = rows.length > 0 ? keepLeaseAlive(leaseMs / RENEWALS_PER_LEASE, renewLease) : undefined
  return {
    isEmpty: rows.length === 0,
    next: () => {
      const row = waiting.shift()
      if (row) begun.add(row.id)
      return row
    },
    close: async () => {
      await stop?.()
      const left = ids.filter((id) => !begun.has(id))
      if (left.length > 0) await updateClaimed({ nextAttemptAt: runtime.now(), lease: null }, left)
    },
  }
}

const computeLeaseEnd = (runtime: Runtime, leaseMs: number): string => new Date(runtime.now().getTime() + leaseMs).toISOString()

function claimDueMails(runtime: Runtime, siteId: string, lease: string, leaseMs: number): Promise<OutboxRow[]> {
  const now = runtime.now()
  return runtime.database.site(siteId).tx(async (tx) => {
    // Right after a newsletter is queued, table statistics are out of date: the planner would sort all its mails for each claim.
    await tx.execute(sql`set local enable_sort = off`)
    const selectDue = (of: SQL | undefined, most: number) =>
      tx
        .select({ id: outboxMails.id })
        .from(outboxMails)
        .where(
          and(
            eq(outboxMails.siteId, siteId),
            isNull(outboxMails.sentAt),
            isNull(outboxMails.fault),
            lte(outboxMails.nextAttemptAt, now),
            of,
          ),
        )
        .orderBy(asc(outboxMails.nextAttemptAt))
        .limit(most)
        .for('update', { skipLocked: true })
    const first = await selectDue(and(isNull(outboxMails.campaignId), lt(outboxMails.attempts, MAX_ATTEMPTS)), BATCH_SIZE)
    // No attempt limit for campaign mails: a campaign ends only once every mail is settled, even one whose last attempt was interrupted.
    const due =
      first.length < BATCH_SIZE ? [...first, ...(await selectDue(isNotNull(outboxMails.campaignId), BATCH_SIZE - first.length))] : first
    if (due.length === 0) return []
    return tx
      .update(outboxMails)
      .set({ lease, nextAttemptAt: sql`${computeLeaseEnd(runtime, leaseMs)}::timestamptz` })
      .where(
        and(
          eq(outboxMails.siteId, siteId),
          inArray(
            outboxMails.id,
            due.map((row) => row.id),
          ),
        ),
      )
      .returning()
  })
}
