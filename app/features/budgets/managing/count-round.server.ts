import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { projectColumns, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { COUNTING_RULES, type CountingRule, MOST_COUNTED_IMMEDIATELY } from '#app/lib/vocabulary/budgets.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetBallots, budgetResults, budgetRounds, budgetSecrets, budgetVoters } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import {
  findStandingResult,
  knownRounds,
  loadBallotOptions,
  loadPots,
  type OptionRow,
  type PlacedRound,
  type PotRow,
  requireRoundFor,
  type ResultRow,
  type RoundRow,
} from '../budgets.policy.server.ts'
import { isVotingOver } from '../budgets.state.ts'
import { findLedger, sealLedger } from '#app/features/ledger/ledger.server.ts'
import { describeResult, type PotOutcome } from '../counting/check-result.ts'
import { countElection } from '../counting/count.ts'
import type { Election, Outcome } from '../counting/election.ts'
import { prepareElection } from '../counting/ties.ts'
import { requireAllAccepted } from '../paper/paper-batches.server.ts'
import { recordBudgetAudit } from './budget-audit.server.ts'
import type { budgetResultShape } from './budget-results.api.schema.ts'

/** What a count found for one pot. */
export interface PotResult {
  potId: string
  amount: number
  /** Those that name at least one of its options. */
  ballots: number
  /** How many of these were on paper; undefined for counts from before there was paper. */
  paper?: number
  /** SHA-256 of the ballots. */
  digest: string
  lot: string
  /** Numbers of its options, in the order of the outcomes' votes and reasons. */
  options: number[]
  outcomes: Record<CountingRule, Outcome>
}

export const readPotResults = ({ pots }: Pick<ResultRow, 'pots'>): PotResult[] => pots as PotResult[]

/** What the rule of the vote decides about each pot. */
export const listOutcomes = (result: Pick<ResultRow, 'pots' | 'rule'>): PotOutcome[] =>
  readPotResults(result).map(({ digest, outcomes }) => ({ digest, rule: result.rule, funded: outcomes[result.rule].funded }))

/** Numbers of the options that the rule of the vote funds. */
export const listFunded = (result: ResultRow): Set<number> =>
  new Set(readPotResults(result).flatMap(({ outcomes }) => outcomes[result.rule].funded.map(Number)))

/** One unit of every currency has 100 minor units. */
const UNIT = 100

/** What a ballot says: numbers of options and, where ballots give points, the points of each. */
export type BallotLines = Pick<typeof budgetBallots.$inferSelect, 'options' | 'points'> & { isPaper?: boolean }

/** The vote on one pot, from all ballots of the round. Options that were withdrawn are left out; who named only them is still a voter. */
export function buildElection(
  round: Pick<RoundRow, 'threshold' | 'seed'>,
  pot: Pick<PotRow, 'id' | 'amount'>,
  options: readonly OptionRow[],
  ballots: readonly BallotLines[],
): Promise<Election> {
  const own = options.filter(({ potId }) => potId === pot.id)
  const standing = own.filter(({ withdrawnAt }) => withdrawnAt === null)
  const positions = new Map(standing.map(({ number }, at) => [number, at]))
  const numbers = new Set(own.map(({ number }) => number))
  const cast = ballots.filter((ballot) => ballot.options.some((number) => numbers.has(number)))
  const lines = cast.map((ballot) =>
    ballot.options.flatMap((number, place) => {
      const at = positions.get(number)
      return at === undefined ? [] : [{ at, points: ballot.points?.[place] ?? 0 }]
    }),
  )
  const votes = {
    pot: pot.amount,
    unit: UNIT,
    options: standing.map(({ number, cost, exclusiveGroup }) => ({
      id: String(number),
      cost: cost ?? 0,
      ...(exclusiveGroup && { group: exclusiveGroup }),
    })),
    ballots: lines.map((own) => own.map(({ at }) => at)),
    ...(cast.some(({ points }) => points) && { points: lines.map((own) => own.map(({ points }) => points)) }),
    threshold: round.threshold,
  }
  return prepareElection(votes, { seed: round.seed ?? '' })
}

const loadBallotLines = (tx: Tx, { siteId, id }: Pick<RoundRow, 'siteId' | 'id'>): Promise<BallotLines[]> =>
  tx
    .select({ options: budgetBallots.options, points: budgetBallots.points, isPaper: budgetBallots.isPaper })
    .from(budgetBallots)
    .where(and(eq(budgetBallots.siteId, siteId), eq(budgetBallots.roundId, id)))

/** Of the ballots that name an option of a pot, how many were on paper. */
function countPaper(pot: Pick<PotRow, 'id'>, options: readonly OptionRow[], ballots: readonly BallotLines[]): number {
  const numbers = new Set(options.filter(({ potId }) => potId === pot.id).map(({ number }) => number))
  return ballots.filter((ballot) => ballot.isPaper && ballot.options.some((number) => numbers.has(number))).length
}

/** The vote on every pot of a round. */
export async function loadElections(tx: Tx, round: RoundRow): Promise<{ pot: PotRow; election: Election; paper: number }[]> {
  const pots = await loadPots(tx, round)
  const options = await loadBallotOptions(tx, round)
  const ballots = await loadBallotLines(tx, round)
  return Promise.all(
    pots.map(async (pot) => ({
      pot,
      election: await buildElection(round, pot, options, ballots),
      paper: countPaper(pot, options, ballots),
    })),
  )
}

type CountedElection = { pot: Pick<PotRow, 'id' | 'amount'>; election: Election; paper?: number }

export const countPot = (counted: CountedElection): PotResult =>
  describePotResult(
    counted,
    Object.fromEntries(COUNTING_RULES.map((rule) => [rule, countElection(counted.election, rule)])) as PotResult['outcomes'],
  )

export const describePotResult = ({ pot, election, paper = 0 }: CountedElection, outcomes: PotResult['outcomes']): PotResult => ({
  potId: pot.id,
  amount: pot.amount,
  ballots: election.ballots.length,
  paper,
  digest: election.digest,
  lot: election.lot,
  options: election.options.map(({ id }) => Number(id)),
  outcomes,
})

export async function countBallots(tx: Tx, { siteId, id }: Pick<RoundRow, 'siteId' | 'id'>): Promise<{ ballots: number; paper: number }> {
  const [counted] = await tx
    .select({ ballots: count(), paper: sql<number>`count(*) filter (where ${budgetBallots.isPaper})::int` })
    .from(budgetBallots)
    .where(and(eq(budgetBallots.siteId, siteId), eq(budgetBallots.roundId, id)))
  return counted ?? { ballots: 0, paper: 0 }
}

/**
 * Counts a round whose voting has ended, by every rule; the rule of the round decides. A count before is superseded.
 * @returns the result's id
 * @throws {AppError} `not-found`, `forbidden`, `voting-not-over`, `already-certified`; `paper-open` while a batch of paper ballots is not accepted;
 * `count-takes-long` for a round with so many ballots that a job has to count them
 */
export function countRound(ctx: Ctx, { round: roundId }: CreateInput<typeof budgetResultShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.edit', roundId)
    const round = await lockForCount(tx, placed.round)
    const before = await requireCountable(ctx, tx, round)
    if ((await countBallots(tx, round)).ballots > MOST_COUNTED_IMMEDIATELY) throw new AppError('count-takes-long')
    const pots = (await loadElections(tx, round)).map(countPot)
    return storeResult(ctx, tx, placed, { before, pots, countedBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null })
  })
}

/** @returns the result before, if there is one @throws {AppError} `voting-not-over`, `already-certified`, `paper-open` */
export async function requireCountable(ctx: Ctx, tx: Tx, round: RoundRow): Promise<ResultRow | undefined> {
  const before = await findStandingResult(tx, round)
  if (before?.state === 'certified') throw new AppError('already-certified')
  if (!isVotingOver(ctx.now(), round)) throw new AppError('voting-not-over')
  await requireAllAccepted(tx, round)
  return before
}

interface Counted {
  /** The result that this one supersedes. */
  before: ResultRow | undefined
  pots: PotResult[]
  countedBy: string | null
}

/** Stores what a count found. @returns the result's id */
export async function storeResult(ctx: Ctx, tx: Tx, placed: PlacedRound, { before, pots, countedBy }: Counted): Promise<string> {
  const { round } = placed
  const id = createId()
  const { ballots, paper } = await countBallots(tx, round)
  if (before) await tx.update(budgetResults).set({ state: 'superseded' }).where(isResult(before))
  await tx.insert(budgetResults).values({
    siteId: ctx.site.id,
    id,
    roundId: round.id,
    rule: round.rule,
    pots,
    ballots,
    paper,
    countedAt: ctx.now(),
    countedBy,
  })
  await recordBudgetAudit(ctx, tx, placed, {
    action: 'budgets.count',
    detail: { ballots, paper, digests: pots.map(({ digest }) => digest) },
  })
  return id
}

const isResult = ({ siteId, id }: Pick<ResultRow, 'siteId' | 'id'>) => and(eq(budgetResults.siteId, siteId), eq(budgetResults.id, id))

export async function lockForCount(tx: Tx, { siteId, id }: RoundRow): Promise<RoundRow> {
  const [round] = await tx
    .select()
    .from(budgetRounds)
    .where(and(eq(budgetRounds.siteId, siteId), eq(budgetRounds.id, id)))
    .for('update')
  if (!round) throw new AppError('not-found')
  return round
}

/**
 * Certifies a count, which closes the ledger with it. The person who counted may not. The round's secret is deleted with all that it made, and ballots and voters are stored
 * anew in another order, so that nothing leads from one to the other.
 * @throws {AppError} `not-found`, `forbidden`, `certify-same-person`, `already-certified`, `paper-open`; `stale` if another count superseded this one
 */
export async function certifyResult(ctx: Ctx, { result }: PlacedResult, { state }: UpdateInput<typeof budgetResultShape>): Promise<void> {
  if (state !== 'certified') throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/state' }] })
  await ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.certify', result.roundId)
    const round = await lockForCount(tx, placed.round)
    const standing = await findStandingResult(tx, round)
    if (standing?.state === 'certified') throw new AppError('already-certified')
    if (standing?.id !== result.id) throw new AppError('stale')
    await requireAllAccepted(tx, round)
    const viewerId = ctx.viewer.kind === 'user' ? ctx.viewer.id : null
    if (!viewerId || standing.countedBy === viewerId) throw new AppError('certify-same-person')
    const ledger = await findLedger(tx, 'round', round.siteId, round.id)
    if (ledger) await sealLedger(tx, ledger, describeResult(standing.ballots, listOutcomes(standing)))
    await tx.update(budgetResults).set({ state: 'certified', certifiedAt: ctx.now(), certifiedBy: viewerId }).where(isResult(standing))
    await separateBallots(tx, round)
    await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.certify', detail: { ballots: standing.ballots } })
  })
}

/** Without this, rows that were written together would still show which ballot is whose. Ballots lose the way to their entries in the ledger. */
async function separateBallots(tx: Tx, { siteId, id }: RoundRow): Promise<void> {
  await tx.delete(budgetSecrets).where(and(eq(budgetSecrets.siteId, siteId), eq(budgetSecrets.roundId, id)))
  await tx.execute(sql`
    with gone as (delete from ${budgetBallots} where site_id = ${siteId} and round_id = ${id}
      returning options, points, version, cast_at, receipt_hash, is_paper)
    insert into ${budgetBallots} (site_id, id, round_id, options, points, version, cast_at, receipt_hash, is_paper)
    select ${siteId}::uuid, gen_random_uuid(), ${id}::uuid, options, points, version, cast_at, receipt_hash, is_paper from gone order by random()`)
  await tx.execute(sql`
    with gone as (delete from ${budgetVoters} where site_id = ${siteId} and round_id = ${id} returning person_hash, is_counted)
    insert into ${budgetVoters} (site_id, round_id, person_hash, is_counted)
    select ${siteId}::uuid, ${id}::uuid, person_hash, is_counted from gone order by person_hash`)
}

export type PlacedResult = PlacedRound & { id: string; result: ResultRow }

const selectResults = (tx: Tx) =>
  tx
    .select({ result: budgetResults, round: budgetRounds, project: projectColumns })
    .from(budgetResults)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetResults.siteId), eq(budgetRounds.id, budgetResults.roundId)))
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))

/** A count is public once it is certified. */
const isKnown = (ctx: Ctx, { result, project }: { result: ResultRow; project: PlacedRound['project'] }): boolean =>
  result.state === 'certified' || checkPermission(ctx.viewer, 'budgets.edit', toPermissionTarget(project)).ok

export const loadResults = (ctx: Ctx, ids: readonly string[]): Promise<PlacedResult[]> =>
  ctx.db.read(async (tx) => {
    const rows = await selectResults(tx).where(and(knownRounds(ctx), inArray(budgetResults.id, [...ids])))
    return rows.filter((row) => isKnown(ctx, row)).map((row) => ({ ...row, id: row.result.id }))
  })

/** Few: a round has been counted once or twice. */
export const listResults = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof budgetResultShape>): Promise<ListResult<PlacedResult>> =>
  ctx.db.read(async (tx) => {
    const rows = await selectResults(tx)
      .where(and(knownRounds(ctx), filter.round ? eq(budgetResults.roundId, filter.round) : undefined))
      .orderBy((sort[0]?.descending ? desc : asc)(budgetResults.countedAt), asc(budgetResults.id))
    const known = rows.filter((row) => isKnown(ctx, row)).map((row) => ({ ...row, id: row.result.id }))
    return { rows: known.slice(page.offset, page.offset + page.limit), total: known.length }
  })
