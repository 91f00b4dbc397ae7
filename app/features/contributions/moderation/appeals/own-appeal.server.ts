import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import type { OwnAppealView } from '../../record/contributions.schema.ts'
import { isAbout } from '../cases.server.ts'
import { findOpenAppealEnd } from './appealable.server.ts'
import { APPEALABLE_DECISIONS } from './appeals.schema.ts'
import { findAppeal } from './find-appeal.server.ts'

/** What the author of a contribution may appeal against, or has. */
export async function loadOwnAppeal(ctx: Ctx, tx: Tx, contributionId: string): Promise<OwnAppealView | null> {
  const [last] = await tx
    .select({ decision: moderationDecisions, opened: moderationCases })
    .from(moderationDecisions)
    .innerJoin(
      moderationCases,
      and(eq(moderationCases.siteId, moderationDecisions.siteId), eq(moderationCases.id, moderationDecisions.caseId)),
    )
    .where(
      and(isAbout(ctx.site.id, { contributionId, replyId: null }), inArray(moderationDecisions.decision, [...APPEALABLE_DECISIONS.author])),
    )
    .orderBy(desc(moderationDecisions.decidedAt), desc(moderationDecisions.id))
    .limit(1)
  if (!last) return null
  const appeal = await findAppeal(tx, last.opened, 'author')
  const until = await findOpenAppealEnd(ctx, tx, { side: 'author', ...last })
  return appeal || until ? { decision: appeal?.decisionId ?? last.decision.id, until: until?.toISOString() ?? null } : null
}
