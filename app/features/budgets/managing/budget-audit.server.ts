import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { findSqlState } from '#app/server/db/sql-state.ts'
import type { PlacedRound } from '../budgets.policy.server.ts'

/** Every event of a round is about the round. */
export const recordBudgetAudit = (
  ctx: Ctx,
  tx: Tx,
  { round, project }: PlacedRound,
  entry: Pick<Parameters<typeof recordAudit>[2], 'action' | 'changes' | 'detail'>,
): Promise<void> =>
  recordAudit(ctx, tx, { ...entry, subject: { type: 'budget-rounds', id: round.id }, hubId: project.hubId, projectId: project.id })

/** What the database says if something is changed that ballots rest on. */
const HAS_BALLOTS = 'PB001'

/** @throws {AppError} `invalid` with `fixed-once-open` if ballots rest on what was to change */
export async function refuseIfFixed<T>(pointer: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (findSqlState(error) !== HAS_BALLOTS) throw error
    throw new AppError('invalid', { faults: [{ code: 'fixed-once-open', pointer }] })
  }
}
