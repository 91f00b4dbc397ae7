import { randomBytes, randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { computeLeaf, computeSalt, enqueueEntries, findHourEnd, type LedgerKey } from '#app/features/ledger/ledger.server.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetBallots, budgetSecrets, budgetVoters } from '#app/server/db/schema/budgets.ts'
import type { RoundRow } from '../budgets.policy.server.ts'
import { describeBallot } from './ballot-rules.ts'
import { loadSecret } from './voters.server.ts'

export type BallotRow = typeof budgetBallots.$inferSelect

export interface NewBallot {
  /** In ascending order. */
  options: number[]
  points: number[] | null
  /** Of the receipt. The ballot's entry in the ledger is salted with it. */
  code: string
  /** Null for ballots on paper, which cannot be replaced. */
  ballotKey: Buffer | null
}

/** Where ballots are stored, and when they were cast, to the hour. */
interface BallotBox {
  round: Pick<RoundRow, 'siteId' | 'id'>
  ledger: LedgerKey | undefined
  castAt: Date
}

const computeBallotLeaf = (ledger: LedgerKey | undefined, { code, options, points }: Pick<NewBallot, 'code' | 'options' | 'points'>) =>
  ledger ? computeLeaf(computeSalt(ledger.id, code), describeBallot(options, points)) : null

/**
 * Stores ballots whose voters are recorded already, with what waits for the ledger. They are one JSON parameter, because a statement with
 * thousands of parameters costs more to build than to run.
 * @returns their ids
 */
export async function storeBallots(
  tx: Tx,
  { round: { siteId, id: roundId }, ledger, castAt }: BallotBox,
  ballots: readonly NewBallot[],
  isPaper = false,
): Promise<string[]> {
  if (ballots.length === 0) return []
  const rows = ballots.map((ballot) => ({ ...ballot, id: randomUUID(), leaf: computeBallotLeaf(ledger, ballot) }))
  const given = rows.map(({ id, ballotKey, options, points, code, leaf }) => ({
    id,
    ballot_key: ballotKey?.toString('hex'),
    options,
    points,
    receipt_hash: hashReceiptCode(siteId, code).toString('hex'),
    leaf: leaf?.toString('hex'),
  }))
  // In the order of their ids, which are drawn: it does not tell in which order they came.
  await tx.execute(sql`
    insert into ${budgetBallots} (site_id, id, round_id, ballot_key, options, points, cast_at, receipt_hash, leaf, is_paper)
    select ${siteId}::uuid, id, ${roundId}::uuid, decode(ballot_key, 'hex'), options, points, ${castAt.toISOString()}::timestamptz,
      decode(receipt_hash, 'hex'), decode(leaf, 'hex'), ${isPaper}::boolean
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(
      id uuid, ballot_key text, options int[], points int[], receipt_hash text, leaf text)
    order by id`)
  const entries = rows.flatMap(({ leaf }) => (leaf ? [{ kind: 'added' as const, leaf }] : []))
  if (ledger) await enqueueEntries(tx, ledger, entries, findHourEnd(castAt))
  return rows.map(({ id }) => id)
}

/** Locks ballots by their keys until the transaction ends, in the order of their ids. */
export const lockBallots = (tx: Tx, siteId: string, roundIds: readonly string[], keys: readonly Buffer[]): Promise<BallotRow[]> =>
  keys.length === 0
    ? Promise.resolve([])
    : tx
        .select()
        .from(budgetBallots)
        .where(
          and(
            eq(budgetBallots.siteId, siteId),
            inArray(budgetBallots.roundId, [...roundIds]),
            eq(budgetBallots.ballotKey, sql`any (${sql.param(keys)}::bytea[])`),
          ),
        )
        .orderBy(asc(budgetBallots.id))
        .for('no key update')

/** Puts ballots in the place of those that their voters cast before, which the caller has locked. The ledger keeps these, marked. */
export async function replaceBallots(
  tx: Tx,
  { round: { siteId }, ledger, castAt }: BallotBox,
  replacements: readonly { before: BallotRow; ballot: Omit<NewBallot, 'ballotKey'> }[],
): Promise<void> {
  if (replacements.length === 0) return
  const rows = replacements.map(({ before, ballot }) => ({ before, ballot, leaf: computeBallotLeaf(ledger, ballot) }))
  const given = rows.map(({ before, ballot: { options, points, code }, leaf }) => ({
    id: before.id,
    options,
    points,
    receipt_hash: hashReceiptCode(siteId, code).toString('hex'),
    leaf: leaf?.toString('hex'),
  }))
  await tx.execute(sql`
    update ${budgetBallots} set options = given.options, points = given.points, cast_at = ${castAt.toISOString()}::timestamptz,
      receipt_hash = decode(given.receipt_hash, 'hex'), leaf = decode(given.leaf, 'hex'), version = ${budgetBallots.version} + 1
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(id uuid, options int[], points int[], receipt_hash text, leaf text)
    where ${budgetBallots.siteId} = ${siteId} and ${budgetBallots.id} = given.id`)
  const entries = rows.flatMap(({ before, leaf }) => {
    const former = before.leaf ? [{ kind: 'replaced' as const, leaf: before.leaf }] : []
    return leaf ? [{ kind: 'added' as const, leaf }, ...former] : []
  })
  if (ledger) await enqueueEntries(tx, ledger, entries, findHourEnd(castAt))
}

/** Hashes that recognise one voter of a round. The first of them is the one that is counted. */
export interface VoterHashes {
  roundId: string
  hashes: readonly Buffer[]
}

/**
 * Records who has voted. If two transactions record the same person, the second one waits here until the first one ends.
 * @param voters different people: no hash may occur twice
 * @returns those who had not voted before
 */
export async function recordVoters<Voter extends VoterHashes>(tx: Tx, siteId: string, voters: readonly Voter[]): Promise<Set<Voter>> {
  if (voters.length === 0) return new Set()
  const nameOf = (roundId: string, hash: Buffer) => `${roundId}/${hash.toString('hex')}`
  // Always in the same order, so that two transactions never wait for each other.
  const given = voters
    .flatMap(({ roundId, hashes }) => hashes.map((hash, at) => ({ roundId, hash, isCounted: at === 0, name: nameOf(roundId, hash) })))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const { rows } = await tx.execute<{ round_id: string; person_hash: Buffer }>(sql`
    insert into ${budgetVoters} (site_id, round_id, person_hash, is_counted)
    select ${siteId}::uuid, round_id, person_hash, is_counted
    from unnest(${sql.param(given.map(({ roundId }) => roundId))}::uuid[], ${sql.param(given.map(({ hash }) => hash))}::bytea[],
      ${sql.param(given.map(({ isCounted }) => isCounted))}::boolean[]) as given (round_id, person_hash, is_counted)
    on conflict do nothing returning round_id, person_hash`)
  const added = new Set(rows.map((row) => nameOf(row.round_id, row.person_hash)))
  const isAdded = ({ roundId }: Voter, hash: Buffer) => added.has(nameOf(roundId, hash))
  const fresh = new Set(voters.filter((voter) => voter.hashes.every((hash) => isAdded(voter, hash))))
  // Known by another hash: counted already.
  const known = voters.filter((voter) => !fresh.has(voter) && voter.hashes[0] && isAdded(voter, voter.hashes[0]))
  for (const { roundId, hashes } of known)
    await tx
      .update(budgetVoters)
      .set({ isCounted: false })
      .where(and(eq(budgetVoters.siteId, siteId), eq(budgetVoters.roundId, roundId), inArray(budgetVoters.personHash, hashes.slice(0, 1))))
  return fresh
}

/** The round's secret; a new one for the first ballot, and after a restore, whose ballots can then no longer be replaced. */
export async function obtainSecret(tx: Tx, { siteId, id: roundId }: Pick<RoundRow, 'siteId' | 'id'>): Promise<Buffer> {
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
