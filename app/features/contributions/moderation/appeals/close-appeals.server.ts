import { and, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationAppeals, moderationCases, isPendingAppeal } from '#app/server/db/schema/moderation.ts'
import { type CaseSubject, isAbout } from '../cases.server.ts'

/**
 * Closes the appeals about something that left the site: there is nothing left to decide.
 * @param textGoes its author took it back or it was erased: what they said about it goes as well
 */
export async function closeAppeals(
  ctx: Ctx,
  tx: Tx,
  subject: Pick<CaseSubject, 'contributionId' | 'replyId'>,
  { textGoes }: { textGoes: boolean },
): Promise<void> {
  const siteId = ctx.site.id
  const cases = tx.select({ id: moderationCases.id }).from(moderationCases).where(isAbout(siteId, subject))
  const ofSubject = and(eq(moderationAppeals.siteId, siteId), inArray(moderationAppeals.caseId, cases))
  await tx.update(moderationAppeals).set({ state: 'closed', decidedAt: ctx.now() }).where(and(ofSubject, isPendingAppeal))
  if (textGoes)
    await tx
      .update(moderationAppeals)
      .set({ words: '' })
      .where(and(ofSubject, eq(moderationAppeals.appellant, 'author')))
  await tx
    .update(moderationCases)
    .set({ state: 'decided' })
    .where(and(isAbout(siteId, subject), eq(moderationCases.state, 'appealed')))
}
