import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, ne, notInArray, or, sql } from 'drizzle-orm'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import {
  activities,
  contributionFollows,
  contributionLinks,
  contributions,
  reactions,
  replies,
} from '#app/server/db/schema/contributions.ts'
import { maskedOriginals, moderationAppeals, moderationCases, moderationReports } from '#app/server/db/schema/moderation.ts'
import { invitations } from '#app/server/db/schema/surveys.ts'
import { deletePrivateTexts } from '../moderation/decide.server.ts'
import { lockContributions } from '../record/contribution-counts.server.ts'
import { eraseContributionTexts } from './account-contributions.server.ts'

const AT_ONCE = 200

/**
 * Separates some of a project's contributions from their authors. What everybody can read stays, without a name; what was never public, or
 * no longer is, loses its text. Call it until it returns 0, then `separateContributionTraces`.
 * @returns how many were changed
 */
export async function separateSomeContributions(ctx: Ctx, tx: Tx, projectId: string): Promise<number> {
  const siteId = ctx.site.id
  const isHidden = notInArray(contributions.state, [...READABLE_STATES])
  const found = await tx
    .select({ id: contributions.id, state: contributions.state })
    .from(contributions)
    .where(
      and(
        eq(contributions.siteId, siteId),
        inArray(contributions.activityId, selectActivities(tx, siteId, projectId)),
        or(
          sql`${contributions.authorId} is not null`,
          ne(contributions.shownName, ''),
          and(isHidden, or(ne(contributions.title, ''), ne(contributions.body, ''))),
        ),
      ),
    )
    .orderBy(asc(contributions.id))
    .limit(AT_ONCE)
  if (found.length === 0) return 0
  const ids = found.map(({ id }) => id)
  await lockContributions(tx, siteId, ids)
  const chosen = and(eq(contributions.siteId, siteId), inArray(contributions.id, ids))
  const hidden = found.filter(({ state }) => !READABLE_STATES.includes(state)).map(({ id }) => id)
  if (hidden.length > 0) await eraseContributionTexts(tx, siteId, inArray(contributions.id, hidden), ctx.now())
  await tx
    .update(contributions)
    .set({
      authorId: null,
      shownName: '',
      shownAs: sql`case when ${contributions.shownAs} in ('name', 'first_name') then 'anonymous' else ${contributions.shownAs} end`,
    })
    .where(chosen)
  return found.length
}

/**
 * Removes what else leads from a project's contributions to people: names of replies, who supported, followed, reported and appealed, private
 * answers, the team's notes, and what removed passages said. All figures stay as they are.
 */
export async function separateContributionTraces(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  const siteId = ctx.site.id
  const ofProject = selectActivities(tx, siteId, projectId)
  const own = tx
    .select({ id: contributions.id })
    .from(contributions)
    .where(and(eq(contributions.siteId, siteId), inArray(contributions.activityId, ofProject)))
  await tx.delete(maskedOriginals).where(and(eq(maskedOriginals.siteId, siteId), inArray(maskedOriginals.contributionId, own)))
  const ownReplies = and(eq(replies.siteId, siteId), inArray(replies.contributionId, own), ne(replies.role, 'official'))
  await tx.delete(replies).where(and(ownReplies, ne(replies.state, 'published')))
  await tx.update(replies).set({ authorId: null, shownName: '' }).where(ownReplies)
  // One person still counts once after contributions are merged or separated: equal marks stay equal, but nobody can make them again.
  const salt = randomBytes(32)
  await tx
    .update(reactions)
    .set({ personHash: sql`sha256(${salt}::bytea || ${reactions.personHash})`, tellUserId: null })
    .where(and(eq(reactions.siteId, siteId), inArray(reactions.contributionId, own)))
  await tx
    .update(moderationReports)
    .set({ personHash: sql`sha256(${salt}::bytea || ${moderationReports.personHash})`, reporterId: null, words: '' })
    .where(and(eq(moderationReports.siteId, siteId), inArray(moderationReports.contributionId, own)))
  const cases = tx
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(and(eq(moderationCases.siteId, siteId), inArray(moderationCases.contributionId, own)))
  await tx
    .update(moderationAppeals)
    .set({
      appellantId: null,
      words: '',
      answer: '',
      state: sql`case when ${moderationAppeals.state} = 'pending' then 'closed' else ${moderationAppeals.state} end`,
    })
    .where(and(eq(moderationAppeals.siteId, siteId), inArray(moderationAppeals.caseId, cases)))
  await deletePrivateTexts(tx, siteId, (id) => inArray(id, own))
  await tx
    .update(contributionLinks)
    .set({ objection: '' })
    .where(and(eq(contributionLinks.siteId, siteId), inArray(contributionLinks.contributionId, own)))
  await tx.delete(contributionFollows).where(and(eq(contributionFollows.siteId, siteId), inArray(contributionFollows.contributionId, own)))
  await tx
    .update(invitations)
    .set({ recipientHash: null })
    .where(and(eq(invitations.siteId, siteId), inArray(invitations.activityId, ofProject)))
}

const selectActivities = (tx: Tx, siteId: string, projectId: string) =>
  tx
    .select({ id: activities.id })
    .from(activities)
    .where(and(eq(activities.siteId, siteId), eq(activities.projectId, projectId)))
