import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { ERROR_BY_REFUSAL, type ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { computeLeaf, computeSalt, enqueueEntries, findHourEnd, findLedger, toHour } from '#app/features/ledger/ledger.server.ts'
import { deriveReceiptCode, hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { readIdTime } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetBallots, budgetSecrets } from '#app/server/db/schema/budgets.ts'
import {
  findVotingRefusal,
  loadBallotOptions,
  loadPots,
  type OptionRow,
  type PlacedRound,
  type RoundRow,
} from '../budgets.policy.server.ts'
import { getBudgetPhase, isVotingOpen } from '../budgets.state.ts'
import { type BallotFault, describeBallot, findBallotFaults, type OfferedOption, type Points } from './ballot-rules.ts'
import { lockRound, recordVoter, storeBallots } from './store-ballots.server.ts'
import { findOwnBallot, computeBallotKey, hashVoter, loadSecret } from './voters.server.ts'

export interface BallotInput extends Sending {
  /** Numbers of the chosen options. */
  options: readonly number[]
  /** Of each of them, where ballots give points. */
  points?: Points | undefined
  /** How often the voter's ballot had been cast when the form was opened: 0 if they had none. */
  seen: number
  /** When the ballot was opened; by default when the form was. */
  openedAt?: Date | undefined
  readInvitation?: ReadInvitation | undefined
}

export interface CastBallot {
  id: string
  code: string
  /** It replaced an earlier one. */
  isReplaced: boolean
  /** As it is stored. */
  options: number[]
  points: number[] | null
  /** How often it has been cast. */
  version: number
}

export const toOffered = ({ number, potId, cost, withdrawnAt }: OptionRow): OfferedOption => ({
  number,
  potId,
  cost: cost ?? 0,
  isWithdrawn: withdrawnAt !== null,
})

export const toFault = (fault: BallotFault): Fault => {
  const { code, ...values } = fault
  return { code, pointer: '/options', values }
}

/**
 * Casts a ballot, or replaces the voter's own until voting closes. The ballot, that its voter has voted, and what waits for the ledger are
 * stored in one transaction. The same sending again gives the same receipt.
 * @throws {AppError} `not-found`; `voting-not-open`, `voting-closed`; the refusal of the round's access rule; `invalid` with the ballot's faults;
 * `voted-elsewhere` if the voter has cast a ballot that this form does not know; `ballot-not-replaceable` if the round's secret was lost
 */
export function castBallot(ctx: Ctx, find: (tx: Tx) => Promise<PlacedRound>, input: BallotInput): Promise<CastBallot> {
  return ctx.db.tx(async (tx) => {
    const placed = await find(tx)
    const refusal = await findVotingRefusal(ctx, tx, placed, input.readInvitation)
    if (refusal) throw new AppError(ERROR_BY_REFUSAL[refusal])
    const round = await lockRound(tx, placed.round)
    requireOpen(ctx, { ...placed, round }, input)
    const [pots, offered, hashes] = await Promise.all([
      loadPots(tx, round),
      loadBallotOptions(tx, round),
      hashVoter(ctx, tx, round, input.readInvitation),
    ])
    const faults = findBallotFaults(round, pots, offered.map(toOffered), input.options, input.points)
    if (faults.length > 0) throw new AppError('invalid', { faults: faults.map(toFault) })
    const isFirst = await recordVoter(tx, round, hashes)
    const code = deriveReceiptCode(ctx.runtime.secret, ctx.site.id, input.id, input.sendKey)
    const receiptHash = hashReceiptCode(ctx.site.id, code)
    const options = input.options.toSorted((a, b) => a - b)
    const points = round.ballotType === 'points' ? options.map((number) => input.points?.[number] ?? 0) : null
    const castAt = toHour(ctx.now())
    if (isFirst) {
      const [hash = Buffer.alloc(0)] = hashes
      const ballotKey = computeBallotKey(await obtainSecret(tx, round), hash)
      const [id = ''] = await storeBallots(tx, round, [{ options, points, code, ballotKey }], castAt)
      return { id, code, isReplaced: false, options, points, version: 1 }
    }
    const own = await findOwnBallot(tx, round, hashes)
    if (!own) throw new AppError('ballot-not-replaceable')
    if (own.receiptHash.equals(receiptHash)) {
      const { id, version } = own
      return { id, code, isReplaced: version > 1, options: own.options, points: own.points, version }
    }
    const ledger = await findLedger(tx, 'round', round.siteId, round.id)
    const leaf = ledger ? computeLeaf(computeSalt(ledger.id, code), describeBallot(options, points)) : null
    const replaced = await tx
      .update(budgetBallots)
      .set({ options, points, castAt, receiptHash, leaf, version: own.version + 1 })
      .where(and(eq(budgetBallots.siteId, round.siteId), eq(budgetBallots.id, own.id), eq(budgetBallots.version, input.seen)))
      .returning({ id: budgetBallots.id })
    if (replaced.length === 0) throw new AppError('voted-elsewhere')
    if (ledger && leaf) {
      const former = own.leaf ? [{ kind: 'replaced' as const, leaf: own.leaf }] : []
      await enqueueEntries(tx, ledger, [{ kind: 'added', leaf }, ...former], findHourEnd(castAt))
    }
    return { id: own.id, code, isReplaced: true, options, points, version: own.version + 1 }
  })
}

function requireOpen(ctx: Ctx, { round, project }: PlacedRound, { id, openedAt }: BallotInput): void {
  const opened = openedAt ?? new Date(readIdTime(id) ?? ctx.now())
  const isOpen = project.status === 'published' && isVotingOpen(ctx.now(), round, opened)
  if (isOpen) return
  const phase = getBudgetPhase(ctx.now(), round)
  throw new AppError(phase === 'draft' || phase === 'announced' ? 'voting-not-open' : 'voting-closed')
}

/** The round's secret; a new one for the first ballot, and after a restore, whose ballots can then no longer be replaced. */
async function obtainSecret(tx: Tx, { siteId, id: roundId }: RoundRow): Promise<Buffer> {
  const known = await loadSecret(tx, { siteId, id: roundId })
  if (known) return known
  await tx
    .insert(budgetSecrets)
    .values({ siteId, roundId, secret: randomBytes(32) })
    .onConflictDoNothing()
  const secret = await loadSecret(tx, { siteId, id: roundId })
  if (!secret) throw new AppError('internal')
  return secret
}
