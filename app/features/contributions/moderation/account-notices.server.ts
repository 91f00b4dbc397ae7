import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { moderationAppeals, moderationCases, moderationReports, isPendingAppeal } from '#app/server/db/schema/moderation.ts'
import { hashAccount } from '#app/features/accounts/account-hash.server.ts'

/** What a person reported and appealed goes with their account. Decisions stay, without their words. */
export async function eraseAccountNotices(tx: Tx, siteId: string, userId: string): Promise<void> {
  await tx.delete(moderationReports).where(and(eq(moderationReports.siteId, siteId), eq(moderationReports.reporterId, userId)))
  await tx
    .update(moderationAppeals)
    .set({ words: '', answer: '', appellantId: null })
    .where(and(eq(moderationAppeals.siteId, siteId), eq(moderationAppeals.appellantId, userId)))
}

/** Appeals about contributions whose texts are erased: there is nothing left to decide, and their authors' words go. */
export async function eraseNoticesAbout(tx: Tx, siteId: string, contributionIds: readonly string[], now: Date): Promise<void> {
  if (contributionIds.length === 0) return
  const cases = tx
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(
      and(
        eq(moderationCases.siteId, siteId),
        inArray(moderationCases.contributionId, [...contributionIds]),
        sql`${moderationCases.replyId} is null`,
      ),
    )
  const about = and(eq(moderationAppeals.siteId, siteId), inArray(moderationAppeals.caseId, cases))
  await tx.update(moderationAppeals).set({ state: 'closed', decidedAt: now }).where(and(about, isPendingAppeal))
  await tx
    .update(moderationAppeals)
    .set({ words: '' })
    .where(and(about, eq(moderationAppeals.appellant, 'author')))
}

interface AccountMove {
  from: string
  into: string
  activityIds: readonly string[]
}

/** Moves reports and appeals to another account. What both reported counts once. */
export async function moveAccountNotices(secret: string, tx: Tx, siteId: string, { from, into, activityIds }: AccountMove): Promise<void> {
  for (const id of activityIds) {
    const [old, kept] = [hashAccount(secret, id, from), hashAccount(secret, id, into)]
    await tx.execute(sql`delete from moderation_reports r where r.site_id = ${siteId} and r.person_hash = ${old} and exists (
      select from moderation_reports own where own.site_id = r.site_id and own.contribution_id = r.contribution_id
        and own.reply_id is not distinct from r.reply_id and own.version = r.version and own.person_hash = ${kept})`)
    await tx
      .update(moderationReports)
      .set({ personHash: kept, reporterId: into })
      .where(and(eq(moderationReports.siteId, siteId), eq(moderationReports.personHash, old)))
  }
  await tx
    .update(moderationAppeals)
    .set({ appellantId: into })
    .where(and(eq(moderationAppeals.siteId, siteId), eq(moderationAppeals.appellantId, from)))
}
