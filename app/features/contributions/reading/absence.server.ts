import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { GoneContribution } from '../record/contributions.schema.ts'
import { findLastDecision, findNamedRule } from '../moderation/cases.server.ts'
import type { ContributionRow } from '../record/loading.server.ts'

/** Why a contribution that was there can no longer be read. */
export async function explainAbsence(ctx: Ctx, tx: Tx, row: ContributionRow): Promise<Omit<GoneContribution, 'answers'>> {
  const isRefused = row.state === 'declined' || row.state === 'removed'
  const reason = isRefused ? row.reason : ''
  const rule = reason ? await findNamedRule(ctx, tx, row.id) : null
  const last = isRefused ? await findLastDecision(tx, ctx.site.id, { contributionId: row.id, replyId: null }) : undefined
  return { number: row.number, state: row.state as GoneContribution['state'], rule, reason, decision: last?.id ?? null }
}
