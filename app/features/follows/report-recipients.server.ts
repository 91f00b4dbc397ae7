import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { reportViews } from '#app/server/db/schema/reports.ts'
import { hashAddress, type Unsubscription } from './unsubscribe-links.server.ts'

type ReportMails = Extract<Unsubscription, { kind: 'report' }>

/** Whether a report is still mailed to the address that the link is for. */
export const isReportRecipient = async (ctx: Ctx, tx: Tx, leave: ReportMails): Promise<boolean> =>
  (await findRecipient(ctx, tx, leave)) !== undefined

/** Removes an address from the recipients of a report; removing the last one ends its schedule. Idempotent. */
export async function endReportMails(ctx: Ctx, tx: Tx, leave: ReportMails): Promise<void> {
  const recipient = await findRecipient(ctx, tx, leave)
  if (recipient === undefined) return
  const left = sql`array_remove(${reportViews.recipients}, ${recipient})`
  await tx
    .update(reportViews)
    .set({
      recipients: left,
      schedule: sql`case when ${left} = '{}' then 'none' else ${reportViews.schedule} end`,
      nextAt: sql`case when ${left} = '{}' then null else ${reportViews.nextAt} end`,
    })
    .where(isView(ctx, leave))
}

async function findRecipient(ctx: Ctx, tx: Tx, leave: ReportMails): Promise<string | undefined> {
  const [view] = await tx.select({ recipients: reportViews.recipients }).from(reportViews).where(isView(ctx, leave))
  return view?.recipients.find((address) => hashAddress(address).equals(leave.addressHash))
}

const isView = ({ site }: Ctx, { viewId }: ReportMails) => and(eq(reportViews.siteId, site.id), eq(reportViews.id, viewId))
