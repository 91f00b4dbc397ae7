import { randomBytes, randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { ERROR_BY_REFUSAL, type ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { computeLeaf, computeSalt, enqueueEntries, findLedger, openLedger } from '#app/features/ledger/ledger.server.ts'
import { deriveReceiptCode, hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { readIdTime } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetBallots, budgetRounds, budgetSecrets, budgetVoters } from '#app/server/db/schema/budgets.ts'
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
}

const HOUR_MS = 3_600_000

/** Times are stored to the hour, so that none tells who came when. */
export const toHour = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)

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
    const pots = await loadPots(tx, round)
    const faults = findBallotFaults(round, pots, (await loadBallotOptions(tx, round)).map(toOffered), input.options, input.points)
    if (faults.length > 0) throw new AppError('invalid', { faults: faults.map(toFault) })
    const hashes = await hashVoter(ctx, tx, round, input.readInvitation)
    const isFirst = await recordVoter(tx, round, hashes)
    const code = deriveReceiptCode(ctx.runtime.secret, ctx.site.id, input.id, input.sendKey)
    const receiptHash = hashReceiptCode(ctx.site.id, code)
    const options = input.options.toSorted((a, b) => a - b)
    const points = round.ballotType === 'points' ? options.map((number) => input.points?.[number] ?? 0) : null
    const castAt = toHour(ctx.now())
    const ledger = await findLedger(tx, round.siteId, round.id)
    const leaf = ledger ? computeLeaf(computeSalt(ledger.id, code), describeBallot(options, points)) : null
    const enqueue = (former?: Buffer | null) =>
      ledger && leaf
        ? enqueueEntries(
            tx,
            ledger,
            [{ kind: 'added', leaf }, ...(former ? [{ kind: 'replaced' as const, leaf: former }] : [])],
            new Date(castAt.getTime() + HOUR_MS),
          )
        : undefined
    if (isFirst) {
      const [hash = Buffer.alloc(0)] = hashes
      const ballotKey = computeBallotKey(await obtainSecret(tx, round), hash)
      const id = randomUUID()
      await tx
        .insert(budgetBallots)
        .values({ siteId: round.siteId, id, roundId: round.id, ballotKey, options, points, castAt, receiptHash, leaf })
      await enqueue()
      return { id, code, isReplaced: false }
    }
    const own = await findOwnBallot(tx, round, hashes)
    if (!own) throw new AppError('ballot-not-replaceable')
    if (own.receiptHash.equals(receiptHash)) return { id: own.id, code, isReplaced: own.version > 1 }
    const replaced = await tx
      .update(budgetBallots)
      .set({ options, points, castAt, receiptHash, leaf, version: own.version + 1 })
      .where(and(eq(budgetBallots.siteId, round.siteId), eq(budgetBallots.id, own.id), eq(budgetBallots.version, input.seen)))
      .returning({ id: budgetBallots.id })
    if (replaced.length === 0) throw new AppError('voted-elsewhere')
    await enqueue(own.leaf)
    return { id: own.id, code, isReplaced: true }
  })
}

function requireOpen(ctx: Ctx, { round, project }: PlacedRound, { id, openedAt }: BallotInput): void {
  const opened = openedAt ?? new Date(readIdTime(id) ?? ctx.now())
  const isOpen = project.status === 'published' && isVotingOpen(ctx.now(), round, opened)
  if (isOpen) return
  const phase = getBudgetPhase(ctx.now(), round)
  throw new AppError(phase === 'draft' || phase === 'announced' ? 'voting-not-open' : 'voting-closed')
}

/** Keeps the round as it is until the ballot is stored. The first ballot fixes what ballots rest on, and opens the ledger. */
async function lockRound(tx: Tx, { siteId, id, hasBallots }: RoundRow): Promise<RoundRow> {
  const isIt = and(eq(budgetRounds.siteId, siteId), eq(budgetRounds.id, id))
  if (!hasBallots) {
    const changed = await tx
      .update(budgetRounds)
      .set({ hasBallots: true })
      .where(and(isIt, eq(budgetRounds.hasBallots, false)))
      .returning({ id: budgetRounds.id })
    if (changed.length > 0) await openLedger(tx, siteId, id)
  }
  const [round] = await tx.select().from(budgetRounds).where(isIt).for('share')
  if (!round) throw new AppError('not-found')
  return round
}

/**
 * Records that somebody has voted. Of two transactions for the same person, the second one waits here for the first.
 * @returns false if they had voted before
 */
async function recordVoter(tx: Tx, { siteId, id: roundId }: RoundRow, hashes: readonly Buffer[]): Promise<boolean> {
  const sorted = hashes.toSorted((a, b) => a.compare(b))
  const added = await tx
    .insert(budgetVoters)
    .values(sorted.map((personHash) => ({ siteId, roundId, personHash, isCounted: false })))
    .onConflictDoNothing()
    .returning({ personHash: budgetVoters.personHash })
  if (added.length < hashes.length) return false
  const [first = Buffer.alloc(0)] = hashes
  await tx
    .update(budgetVoters)
    .set({ isCounted: true })
    .where(and(eq(budgetVoters.siteId, siteId), eq(budgetVoters.roundId, roundId), eq(budgetVoters.personHash, first)))
  return true
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
