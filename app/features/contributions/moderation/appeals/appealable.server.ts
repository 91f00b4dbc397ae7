import { and, eq } from 'drizzle-orm'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Appellant } from '#app/lib/vocabulary/moderation.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { moderationAppeals } from '#app/server/db/schema/moderation.ts'
import { type CaseRow, type DecisionRow, findLastDecision } from '../cases.server.ts'
import { APPEALABLE_DECISIONS, getAppealEnd } from './appeals.schema.ts'

export interface AppealSubject {
  side: Appellant
  decision: DecisionRow
  opened: CaseRow
}

/** Until when this side may appeal against a decision; null if it cannot: the decision must be the last one, and a side appeals once. */
export async function findOpenAppealEnd(ctx: Ctx, tx: Tx, { side, decision, opened }: AppealSubject): Promise<Date | null> {
  const until = getAppealEnd(decision.decidedAt)
  if (!APPEALABLE_DECISIONS[side].includes(decision.decision) || opened.state !== 'decided' || ctx.now() >= until) return null
  const last = await findLastDecision(tx, ctx.site.id, opened)
  if (last?.id !== decision.id) return null
  const isPublic = READABLE_STATES.includes(await loadState(tx, opened))
  if (isPublic !== (side === 'reporter' || decision.decision === 'mask')) return null
  const [earlier] = await tx
    .select({ id: moderationAppeals.id })
    .from(moderationAppeals)
    .where(and(eq(moderationAppeals.siteId, ctx.site.id), eq(moderationAppeals.caseId, opened.id), eq(moderationAppeals.appellant, side)))
  return earlier ? null : until
}

async function loadState(tx: Tx, { siteId, contributionId, replyId }: CaseRow) {
  const [row] = replyId
    ? await tx
        .select({ state: replies.state })
        .from(replies)
        .where(and(eq(replies.siteId, siteId), eq(replies.id, replyId)))
    : await tx
        .select({ state: contributions.state })
        .from(contributions)
        .where(and(eq(contributions.siteId, siteId), eq(contributions.id, contributionId)))
  return row?.state ?? 'erased'
}
