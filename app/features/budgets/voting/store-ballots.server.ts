import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { computeLeaf, computeSalt, enqueueEntries, findHourEnd, findLedger, openLedger } from '#app/features/ledger/ledger.server.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetBallots, budgetRounds, budgetVoters } from '#app/server/db/schema/budgets.ts'
import type { RoundRow } from '../budgets.policy.server.ts'
import { describeBallot } from './ballot-rules.ts'

export interface NewBallot {
  /** In ascending order. */
  options: number[]
  points: number[] | null
  /** Of the receipt. The ballot's entry in the ledger is salted with it. */
  code: string
  /** Null for ballots on paper, which cannot be replaced. */
  ballotKey: Buffer | null
}

/** Stores ballots whose voters are recorded already, with what waits for the ledger. @returns their ids */
export async function storeBallots(
  tx: Tx,
  { siteId, id: roundId }: Pick<RoundRow, 'siteId' | 'id'>,
  ballots: readonly NewBallot[],
  castAt: Date,
  isPaper = false,
): Promise<string[]> {
  if (ballots.length === 0) return []
  const ledger = await findLedger(tx, 'round', siteId, roundId)
  const rows = ballots.map(({ options, points, code, ballotKey }) => ({
    siteId,
    id: randomUUID(),
    roundId,
    ballotKey,
    options,
    points,
    castAt,
    isPaper,
    receiptHash: hashReceiptCode(siteId, code),
    leaf: ledger ? computeLeaf(computeSalt(ledger.id, code), describeBallot(options, points)) : null,
  }))
  await tx.insert(budgetBallots).values(rows)
  const entries = rows.flatMap(({ leaf }) => (leaf ? [{ kind: 'added' as const, leaf }] : []))
  if (ledger) await enqueueEntries(tx, ledger, entries, findHourEnd(castAt))
  return rows.map(({ id }) => id)
}

/** Keeps the round as it is until the ballot is stored. The first ballot fixes what ballots rest on, and opens the ledger. */
export async function lockRound(tx: Tx, { siteId, id, hasBallots }: RoundRow): Promise<RoundRow> {
  const isIt = and(eq(budgetRounds.siteId, siteId), eq(budgetRounds.id, id))
  if (!hasBallots) {
    const changed = await tx
      .update(budgetRounds)
      .set({ hasBallots: true })
      .where(and(isIt, eq(budgetRounds.hasBallots, false)))
      .returning({ id: budgetRounds.id })
    if (changed.length > 0) await openLedger(tx, 'round', siteId, id)
  }
  const [round] = await tx.select().from(budgetRounds).where(isIt).for('share')
  if (!round) throw new AppError('not-found')
  return round
}

/**
 * Records that a person has voted. If two transactions record the same person, the second one waits here for the first.
 * @returns false if the person had voted before
 */
export async function recordVoter(tx: Tx, { siteId, id: roundId }: RoundRow, hashes: readonly Buffer[]): Promise<boolean> {
  const sorted = hashes.toSorted((a, b) => a.compare(b))
  const [first = Buffer.alloc(0)] = hashes
  const added = await tx
    .insert(budgetVoters)
    .values(sorted.map((personHash) => ({ siteId, roundId, personHash, isCounted: personHash.equals(first) })))
    .onConflictDoNothing()
    .returning({ personHash: budgetVoters.personHash })
  if (added.length === hashes.length) return true
  // Known by another hash: counted already.
  if (added.some(({ personHash }) => personHash.equals(first)))
    await tx
      .update(budgetVoters)
      .set({ isCounted: false })
      .where(and(eq(budgetVoters.siteId, siteId), eq(budgetVoters.roundId, roundId), eq(budgetVoters.personHash, first)))
  return false
}
