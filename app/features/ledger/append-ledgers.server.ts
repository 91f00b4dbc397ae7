import { and, asc, eq, lte } from 'drizzle-orm'
import { LEDGER_OWNERS } from '#app/lib/vocabulary/ledger.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { appendWaiting, getWaitingTable } from './ledger.server.ts'

/** Appends to the ledgers of every site what is due. Run by a job. @returns how many entries */
export const appendLedgers = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async ({ db, site, now }) => {
    let total = 0
    for (const of of LEDGER_OWNERS) {
      const waiting = getWaitingTable(of)
      const due = await db.tx((tx) =>
        tx
          .selectDistinct({ id: waiting.ledgerId })
          .from(waiting)
          .where(and(eq(waiting.siteId, site.id), lte(waiting.dueAt, now())))
          .orderBy(asc(waiting.ledgerId)),
      )
      for (const { id } of due)
        for (let appended = 1; appended > 0; total += appended)
          appended = await db.tx((tx) => appendWaiting(tx, { of, siteId: site.id, id }, now()))
    }
    return total
  })
