import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { reportViews } from '#app/server/db/schema/reports.ts'

const isInRecipients = (email: string) => sql`${email.toLowerCase()} = any (${reportViews.recipients})`

/** What a person’s own data say of the reports that they saved. Addresses of others are not theirs. */
export const readOwnReportViews = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({
      name: reportViews.name,
      audience: reportViews.audience,
      query: reportViews.query,
      schedule: reportViews.schedule,
      createdAt: reportViews.createdAt,
    })
    .from(reportViews)
    .where(and(eq(reportViews.siteId, siteId), eq(reportViews.userId, userId)))
    .orderBy(asc(reportViews.createdAt))

/** And of those that are mailed to them. */
export const readReportsMailedTo = (tx: Tx, siteId: string, email: string) =>
  tx
    .select({ name: reportViews.name, schedule: reportViews.schedule })
    .from(reportViews)
    .where(and(eq(reportViews.siteId, siteId), isInRecipients(email)))
    .orderBy(asc(reportViews.createdAt))

/** No report is mailed to this address any more. */
export async function eraseRecipient(tx: Tx, siteId: string, email: string): Promise<void> {
  await tx
    .update(reportViews)
    .set({ recipients: sql`array_remove(${reportViews.recipients}, ${email.toLowerCase()})` })
    .where(and(eq(reportViews.siteId, siteId), isInRecipients(email)))
}
