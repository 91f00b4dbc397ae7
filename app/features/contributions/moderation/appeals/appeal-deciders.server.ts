import { and, eq, ne } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { listPermittedPeople } from '../../record/permitted-people.server.ts'
import type { PlacedContribution } from '../../record/loading.server.ts'
import { type DecidingRefusal, LONE_DECIDER_HOURS } from './appeals.schema.ts'
import type { AppealRow } from './find-appeal.server.ts'

export interface AppealDeciders {
  /** Names of those who may decide and are not involved in the case. Empty: nobody else can. */
  names: string[]
  /** Why the viewer cannot decide, though their role may. */
  refusal: DecidingRefusal | null
  /** From when somebody who is involved may decide, if nobody else can. */
  openToAllAt: Date
}

/**
 * Who may decide an appeal: nobody who decided in its case, wrote the text or sent the appeal, unless there is nobody else.
 */
export async function findDeciders(
  ctx: Ctx,
  tx: Tx,
  appeal: AppealRow,
  { project }: Pick<PlacedContribution, 'project'>,
): Promise<AppealDeciders> {
  const involved = await listInvolved(tx, appeal)
  const others = (await listPermittedPeople(ctx, tx, 'moderation.appeals', project)).filter(({ id }) => !involved.has(id))
  const openToAllAt = new Date(appeal.createdAt.getTime() + LONE_DECIDER_HOURS * 3_600_000)
  const isInvolved = ctx.viewer.kind === 'user' && involved.has(ctx.viewer.id)
  return {
    names: others.map(({ name }) => name),
    openToAllAt,
    refusal: isInvolved ? refuseInvolved(ctx, others.length, openToAllAt) : null,
  }
}

function refuseInvolved(ctx: Ctx, others: number, openToAllAt: Date): DecidingRefusal | null {
  if (others > 0) return 'same-person'
  return ctx.now() < openToAllAt ? 'too-early' : null
}

/** Everyone who decided in a case, wrote the text or appealed. To hold a text decides nothing. */
export async function listInvolved(tx: Tx, { siteId, caseId, appellantId }: AppealRow): Promise<ReadonlySet<string | null>> {
  const decided = await tx
    .select({ id: moderationDecisions.decidedBy })
    .from(moderationDecisions)
    .where(and(eq(moderationDecisions.siteId, siteId), eq(moderationDecisions.caseId, caseId), ne(moderationDecisions.decision, 'hold')))
  const [written] = await tx
    .select({ replyId: moderationCases.replyId, byContribution: contributions.authorId, byReply: replies.authorId })
    .from(moderationCases)
    .innerJoin(contributions, and(eq(contributions.siteId, siteId), eq(contributions.id, moderationCases.contributionId)))
    .leftJoin(replies, and(eq(replies.siteId, siteId), eq(replies.id, moderationCases.replyId)))
    .where(and(eq(moderationCases.siteId, siteId), eq(moderationCases.id, caseId)))
  const author = written?.replyId ? written.byReply : (written?.byContribution ?? null)
  return new Set([...decided.map(({ id }) => id), author, appellantId])
}
