import { and, asc, eq, inArray } from 'drizzle-orm'
import { ERROR_BY_REFUSAL, type ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { toHour } from '#app/features/ledger/ledger.server.ts'
import { deriveReceiptCode, hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { requireVisibleWithin } from '#app/features/projects/projects.policy.server.ts'
import { findHeldByEach, isEnough, type VerificationRow } from '#app/features/verifications/held-verifications.server.ts'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { readIdTime } from '#app/lib/uuid.ts'
import { type BatchOutcome, createSiteBatches } from '#app/server/batches.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Database, Tx } from '#app/server/db/client.ts'
import { budgetOptions, budgetPots } from '#app/server/db/schema/budgets.ts'
import { freeSlot } from '#app/server/work-slot.ts'
import { findRefusalBy, type OptionRow, type PlacedRound, readVerificationRule } from '../budgets.policy.server.ts'
import { getBudgetPhase, isVotingOpen } from '../budgets.state.ts'
import { type BallotFault, findBallotFaults, type OfferedOption, type OfferedPot, type Points } from './ballot-rules.ts'
import { fixRound, type LockedRound, lockRounds, type RoundReference } from './lock-rounds.server.ts'
import {
  type BallotRow,
  lockBallots,
  obtainSecret,
  recordVoters,
  replaceBallots,
  storeBallots,
  type VoterHashes,
} from './store-ballots.server.ts'
import { computeBallotKey, hashVoterBy } from './voters.server.ts'

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
  roundId: string
  code: string
  /** It replaced an earlier one. */
  isReplaced: boolean
  /** As it is stored. */
  options: number[]
  points: number[] | null
  /** How often it has been cast. */
  version: number
}

export const toOffered = ({
  number,
  potId,
  cost,
  withdrawnAt,
}: Pick<OptionRow, 'number' | 'potId' | 'cost' | 'withdrawnAt'>): OfferedOption => ({
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
 * stored in one transaction, which ballots that arrive together share. The same sending again gives the same receipt.
 * @throws {AppError} `not-found`, `gone`; `voting-not-open`, `voting-closed`; the refusal of the round's access rule; `invalid` with the
 * ballot's faults; `voted-elsewhere` if the voter has cast a ballot that this form does not know; `ballot-not-replaceable` if the round's secret
 * was lost
 */
export function castBallot(ctx: Ctx, reference: RoundReference, input: BallotInput): Promise<CastBallot> {
  freeSlot()
  return storeBallot(ctx.runtime.database, ctx.site.id, { ctx, reference, input })
}

/** A ballot that has just been sent, by the viewer of `ctx`. */
interface Arrival {
  ctx: Ctx
  reference: RoundReference
  input: BallotInput
}

/** A ballot that may be cast: whether its voter has one already is not known yet. */
interface AcceptedBallot extends VoterHashes {
  arrival: Arrival
  round: LockedRound
  /** In ascending order. */
  options: number[]
  points: number[] | null
  code: string
}

type Outcomes = Map<Arrival, BatchOutcome<CastBallot>>

const storeBallot = createSiteBatches<Arrival, CastBallot>(storeBatch)

function storeBatch(database: Database, siteId: string, arrivals: readonly Arrival[]): Promise<BatchOutcome<CastBallot>[]> {
  return database.site(siteId).tx(async (tx) => {
    const outcomes: Outcomes = new Map()
    const accepted = await acceptBallots(tx, siteId, arrivals, outcomes)
    await prepareRounds(tx, new Set(accepted.map(({ round }) => round)))
    // What one person has sent is stored one after the other.
    for (let waiting = accepted; waiting.length > 0;) {
      const { first, later } = separateVoters(waiting)
      await storeOnce(tx, siteId, first, outcomes)
      waiting = later
    }
    return arrivals.map((arrival) => outcomes.get(arrival) ?? new AppError('internal'))
  })
}

/** Refuses those that may not be cast. @returns the others */
async function acceptBallots(tx: Tx, siteId: string, arrivals: readonly Arrival[], outcomes: Outcomes): Promise<AcceptedBallot[]> {
  const now = arrivals[0]?.ctx.now() ?? new Date()
  const references = arrivals.map(({ reference }) => reference)
  const findRound = await lockRounds(tx, siteId, references, now)
  const rounds = [...new Set(references.flatMap((reference) => findRound(reference) ?? []))]
  const verified = arrivals.filter(({ reference }) => findRound(reference)?.round.access === 'verified')
  const holders = verified.map(({ ctx, input }) => ({ ctx, secret: input.readInvitation?.(siteId) }))
  const [offerOf, held] = await Promise.all([loadOffers(tx, siteId, rounds), findHeldByEach(tx, siteId, holders)])
  const heldBy = new Map(verified.map((arrival, at) => [arrival, held[at] ?? []]))
  const accepted: AcceptedBallot[] = []
  for (const arrival of arrivals) {
    try {
      const round = findRound(arrival.reference)
      if (!round) throw new AppError('not-found')
      accepted.push(await acceptBallot(tx, arrival, round, offerOf(round.round.id), heldBy.get(arrival) ?? []))
    } catch (error) {
      if (!isAppError(error)) throw error
      outcomes.set(arrival, error)
    }
  }
  return accepted
}

async function acceptBallot(
  tx: Tx,
  arrival: Arrival,
  placed: LockedRound,
  { pots, options: offered }: Offer,
  held: readonly VerificationRow[],
): Promise<AcceptedBallot> {
  const { ctx, input } = arrival
  const { round, project } = placed
  await requireVisibleWithin(ctx, tx, project, round)
  const sufficient = held.filter((one) => isEnough(readVerificationRule(round), one))
  const refusal = await findRefusalBy(ctx, tx, placed, () => sufficient)
  if (refusal) throw new AppError(ERROR_BY_REFUSAL[refusal])
  requireOpen(ctx, placed, input)
  const faults = findBallotFaults(round, pots, offered, input.options, input.points)
  if (faults.length > 0) throw new AppError('invalid', { faults: faults.map(toFault) })
  const hashes = hashVoterBy(ctx, round, sufficient)
  // An account of the platform has no vote on a site.
  if (hashes.length === 0) throw new AppError('forbidden')
  const options = input.options.toSorted((a, b) => a - b)
  const points = round.ballotType === 'points' ? options.map((number) => input.points?.[number] ?? 0) : null
  const code = deriveReceiptCode(ctx.runtime.secret, ctx.site.id, input.id, input.sendKey)
  return { arrival, round: placed, roundId: round.id, hashes, options, points, code }
}

function requireOpen(ctx: Ctx, { round, project, isLocked }: LockedRound, { id, openedAt }: BallotInput): void {
  const opened = openedAt ?? new Date(readIdTime(id) ?? ctx.now())
  const isOpen = isLocked && project.status === 'published' && isVotingOpen(ctx.now(), round, opened)
  if (isOpen) return
  const phase = getBudgetPhase(ctx.now(), round)
  throw new AppError(phase === 'draft' || phase === 'announced' ? 'voting-not-open' : 'voting-closed')
}

/** What a round's ballots choose from. */
interface Offer {
  pots: OfferedPot[]
  options: OfferedOption[]
}

async function loadOffers(tx: Tx, siteId: string, rounds: readonly PlacedRound[]): Promise<(roundId: string) => Offer> {
  const { number, potId, cost, withdrawnAt, roundId } = budgetOptions
  const isOnBallot = and(
    eq(budgetOptions.siteId, siteId),
    inArray(
      roundId,
      rounds.map(({ round }) => round.id),
    ),
    eq(budgetOptions.state, 'feasible'),
  )
  const rows = rounds.length
    ? await tx
        .select({ roundId, amount: budgetPots.amount, option: { number, potId, cost, withdrawnAt } })
        .from(budgetOptions)
        .innerJoin(budgetPots, and(eq(budgetPots.siteId, budgetOptions.siteId), eq(budgetPots.id, potId)))
        .where(isOnBallot)
        .orderBy(asc(budgetPots.position), asc(budgetPots.id), asc(number))
    : []
  const byRound = Map.groupBy(rows, (row) => row.roundId)
  return (id) => {
    const own = byRound.get(id) ?? []
    const amounts = new Map(own.map(({ amount, option }) => [option.potId, amount]))
    return { pots: [...amounts].map(([pot, amount]) => ({ id: pot, amount })), options: own.map(({ option }) => toOffered(option)) }
  }
}

/** What the first ballot of a round needs and fixes. */
async function prepareRounds(tx: Tx, rounds: ReadonlySet<LockedRound>): Promise<void> {
  for (const placed of rounds) {
    placed.ledger ??= await fixRound(tx, placed.round)
    placed.secret ??= await obtainSecret(tx, placed.round)
  }
}

/** The first ballot of each voter, and what was sent later by the same people. */
function separateVoters(ballots: readonly AcceptedBallot[]): { first: AcceptedBallot[]; later: AcceptedBallot[] } {
  const seen = new Set<string>()
  const { first = [], later = [] } = Object.groupBy(ballots, ({ roundId, hashes }) => {
    const names = hashes.map((hash) => `${roundId}/${hash.toString('hex')}`)
    const isKnown = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    return isKnown ? 'later' : 'first'
  })
  return { first, later }
}

/** Stores or replaces one ballot of each voter. */
async function storeOnce(tx: Tx, siteId: string, ballots: readonly AcceptedBallot[], outcomes: Outcomes): Promise<void> {
  const fresh = await recordVoters(tx, siteId, ballots)
  const others = ballots.filter((ballot) => !fresh.has(ballot))
  for (const [placed, own] of Map.groupBy(fresh, ({ round }) => round)) {
    const ids = await storeBallots(
      tx,
      toBox(placed, own),
      own.map((ballot) => ({ ...pickContent(ballot), ballotKey: computeKeys(ballot)[0] ?? null })),
    )
    for (const [at, ballot] of own.entries()) outcomes.set(ballot.arrival, describeCast(ballot, ids[at] ?? '', 1))
  }
  const roundIds = [...new Set(others.map(({ roundId }) => roundId))]
  const known = await lockBallots(tx, siteId, roundIds, others.flatMap(computeKeys))
  const byKey = new Map(known.map((before) => [before.ballotKey?.toString('hex'), before]))
  for (const [placed, own] of Map.groupBy(others, ({ round }) => round)) {
    const replacements = own.flatMap((ballot) => {
      const before = computeKeys(ballot)
        .map((key) => byKey.get(key.toString('hex')))
        .find((one) => one !== undefined)
      const outcome = decideAgain(ballot, before)
      outcomes.set(ballot.arrival, outcome.result)
      return before && outcome.isReplacement ? [{ before, ballot: pickContent(ballot) }] : []
    })
    await replaceBallots(tx, toBox(placed, own), replacements)
  }
}

/** What becomes of the ballot of a voter who has voted before. */
function decideAgain(ballot: AcceptedBallot, before: BallotRow | undefined): { result: BatchOutcome<CastBallot>; isReplacement?: true } {
  if (!before) return { result: new AppError('ballot-not-replaceable') }
  const { id, version, options, points } = before
  // The same sending once more.
  if (before.receiptHash.equals(hashReceiptCode(before.siteId, ballot.code)))
    return { result: describeCast({ ...ballot, options, points }, id, version) }
  if (version !== ballot.arrival.input.seen) return { result: new AppError('voted-elsewhere') }
  return { result: describeCast(ballot, id, version + 1), isReplacement: true }
}

const pickContent = ({ options, points, code }: AcceptedBallot) => ({ options, points, code })

const toBox = ({ round, ledger }: LockedRound, [ballot]: readonly AcceptedBallot[]) => ({
  round,
  ledger,
  castAt: toHour(ballot?.arrival.ctx.now() ?? new Date()),
})

const computeKeys = ({ round: { secret }, hashes }: AcceptedBallot): Buffer[] =>
  secret ? hashes.map((hash) => computeBallotKey(secret, hash)) : []

const describeCast = ({ roundId, options, points, code }: AcceptedBallot, id: string, version: number): CastBallot => ({
  id,
  roundId,
  code,
  isReplaced: version > 1,
  options,
  points,
  version,
})
