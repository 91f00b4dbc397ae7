import { randomBytes, randomInt } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { formatReceiptCode } from '#app/lib/receipt-code.ts'
import type { PaperOutcome } from '#app/lib/vocabulary/budgets.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetPaperBatches, budgetPaperSheets, budgetPaperTypings, budgetResults } from '#app/server/db/schema/budgets.ts'
import { findStandingResult, type PlacedRound, type RoundRow } from '../budgets.policy.server.ts'
import { recordBudgetAudit } from '../managing/budget-audit.server.ts'
import { findLedger, toHour } from '#app/features/ledger/ledger.server.ts'
import { recordVoters, storeBallots } from '../voting/store-ballots.server.ts'
import { hashSubject } from '../voting/voters.server.ts'
import { loadTypedSheets, type TypedSheet } from './typed-sheets.server.ts'

type Batch = typeof budgetPaperBatches.$inferSelect

/**
 * Counts the ballots of a batch, whose row the caller has locked. Ballots are stored in random order with random receipt codes, and the typed
 * marks are deleted, so that a ballot cannot be traced to its sheet. A sheet whose code was used online does not count. An earlier count is superseded.
 * @throws {AppError} `already-certified`; `paper-unfinished` while a sheet was typed once or differs; `invalid` at `/stated` with `required` or
 * `paper-total-differs`
 */
export async function acceptBatch(ctx: Ctx, tx: Tx, placed: PlacedRound, batch: Batch): Promise<void> {
  const { round } = placed
  const result = await findStandingResult(tx, round)
  if (result?.state === 'certified') throw new AppError('already-certified')
  const sheets = await loadTypedSheets(tx, [batch])
  if (sheets.some(({ reading }) => !reading)) throw new AppError('paper-unfinished')
  requireTotal(batch, sheets.length)
  const valid = sheets.filter(({ state }) => state === 'agreed')
  const counted = await recordPaperVoters(ctx, tx, round, valid)
  const ballots = shuffleBallots(counted).map(({ reading }) => ({
    options: reading?.options ?? [],
    points: reading?.points ?? null,
    code: formatReceiptCode(randomBytes(16)),
    ballotKey: null,
  }))
  const ledger = await findLedger(tx, 'round', round.siteId, round.id)
  await storeBallots(tx, { round, ledger, castAt: toHour(ctx.now()) }, ballots, true)
  const spoilt = sheets.filter(({ state }) => state === 'spoilt')
  const before = valid.filter((sheet) => !counted.includes(sheet))
  await setOutcome(tx, batch, 'counted', counted)
  await setOutcome(tx, batch, 'spoilt', spoilt)
  await setOutcome(tx, batch, 'voted_before', before)
  await deleteTypings(tx, batch, sheets)
  const figures = { counted: counted.length, spoilt: spoilt.length, votedBefore: before.length }
  await tx
    .update(budgetPaperBatches)
    .set({ ...figures, state: 'accepted', acceptedAt: ctx.now(), acceptedBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null })
    .where(and(eq(budgetPaperBatches.siteId, batch.siteId), eq(budgetPaperBatches.id, batch.id)))
  if (result)
    await tx
      .update(budgetResults)
      .set({ state: 'superseded' })
      .where(and(eq(budgetResults.siteId, result.siteId), eq(budgetResults.id, result.id)))
  await recordBudgetAudit(ctx, tx, placed, {
    action: 'budgets.accept-batch',
    detail: { batch: batch.number, name: batch.name, ...figures },
  })
}

function requireTotal({ stated }: Batch, typed: number): void {
  if (stated === null) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/stated' }] })
  if (stated !== typed)
    throw new AppError('invalid', { faults: [{ code: 'paper-total-differs', pointer: '/stated', values: { stated, count: typed } }] })
}

/** Records that the code of each sheet has been used. @returns the sheets whose code had not been used before */
async function recordPaperVoters(
  ctx: Ctx,
  tx: Tx,
  { siteId, id: roundId }: RoundRow,
  sheets: readonly TypedSheet[],
): Promise<TypedSheet[]> {
  const voters = sheets.map((sheet) => ({ sheet, roundId, hashes: [hashSubject(ctx.runtime.secret, roundId, sheet.codeHash)] }))
  const fresh = await recordVoters(tx, siteId, voters)
  return voters.filter((voter) => fresh.has(voter)).map(({ sheet }) => sheet)
}

const toIds = (sheets: readonly TypedSheet[]) => sheets.map(({ id }) => id)

async function setOutcome(tx: Tx, { siteId }: Batch, outcome: PaperOutcome, sheets: readonly TypedSheet[]): Promise<void> {
  if (sheets.length > 0)
    await tx
      .update(budgetPaperSheets)
      .set({ outcome })
      .where(and(eq(budgetPaperSheets.siteId, siteId), inArray(budgetPaperSheets.id, toIds(sheets))))
}

async function deleteTypings(tx: Tx, { siteId }: Batch, sheets: readonly TypedSheet[]): Promise<void> {
  if (sheets.length > 0)
    await tx
      .delete(budgetPaperTypings)
      .where(and(eq(budgetPaperTypings.siteId, siteId), inArray(budgetPaperTypings.sheetId, toIds(sheets))))
}

function shuffleBallots<T>(items: readonly T[]): T[] {
  const drawn = [...items]
  for (let last = drawn.length - 1; last > 0; last--) {
    const at = randomInt(last + 1)
    const [one, other] = [drawn[last], drawn[at]]
    if (one !== undefined && other !== undefined) [drawn[last], drawn[at]] = [other, one]
  }
  return drawn
}
