import { and, desc, eq, ne } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { moderationDecisions } from '#app/server/db/schema/moderation.ts'
import type { CaseRow, DecisionRow } from '../cases.server.ts'
import { OUTCOME_BY_DECISION, type ReportOutcome } from './reports.schema.ts'

/** The last decision of a case that ended it; undefined while it is open. */
export async function findFinalDecision(tx: Tx, { siteId, id }: Pick<CaseRow, 'siteId' | 'id'>): Promise<DecisionRow | undefined> {
  const [decision] = await tx
    .select()
    .from(moderationDecisions)
    .where(and(eq(moderationDecisions.siteId, siteId), eq(moderationDecisions.caseId, id), ne(moderationDecisions.decision, 'hold')))
    .orderBy(desc(moderationDecisions.decidedAt), desc(moderationDecisions.id))
    .limit(1)
  return decision
}

/** What came of a reported text. */
export async function findOutcome(tx: Tx, opened: CaseRow): Promise<{ outcome: ReportOutcome; decision: DecisionRow | undefined }> {
  if (opened.state === 'open') return { outcome: 'waiting', decision: undefined }
  if (opened.state === 'closed') return { outcome: 'withdrawn', decision: undefined }
  const decision = await findFinalDecision(tx, opened)
  return { outcome: (decision && OUTCOME_BY_DECISION[decision.decision]) ?? 'withdrawn', decision }
}
