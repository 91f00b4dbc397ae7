import { and, asc, eq, lte } from 'drizzle-orm'
import { ledgerWaiting } from '#app/server/db/schema/ledger.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { appendWaiting } from './ledger.server.ts'

/** Appends to the ledgers of every site what is due. Run by a job. @returns how many entries */
export const appendLedgers = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async ({ db, site, now }) => {
    const due = await db.tx((tx) =>
      tx
        .selectDistinct({ id: ledgerWaiting.ledgerId })
        .from(ledgerWaiting)
        .where(and(eq(ledgerWaiting.siteId, site.id), lte(ledgerWaiting.dueAt, now())))
        .orderBy(asc(ledgerWaiting.ledgerId)),
    )
    let total = 0
    for (const { id } of due)
      for (let appended = 1; appended > 0; total += appended)
        appended = await db.tx((tx) => appendWaiting(tx, { siteId: site.id, id }, now()))
    return total
  })
