import { createHmac } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { findSufficient, type VerificationRow } from '#app/features/verifications/held-verifications.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetBallots, budgetRounds, budgetSecrets, budgetVoters } from '#app/server/db/schema/budgets.ts'
import { readVerificationRule, type RoundRow } from '../budgets.policy.server.ts'

type BallotRow = typeof budgetBallots.$inferSelect

const hashAccount = (secret: string, roundId: string, userId: string): Buffer =>
  createHmac('sha256', secret).update(`voted/${roundId}/account/${userId}`).digest()

/** Who was verified by something, such as the code of a letter, as a voter of a round. */
export const hashSubject = (secret: string, roundId: string, subject: Buffer): Buffer =>
  createHmac('sha256', secret).update(`voted/${roundId}/verified/`).update(subject).digest()

/**
 * Hashes that recognise the viewer as a voter of a round, without revealing who they are; none if nothing does. An account is recognised by all
 * that it holds; a browser without one may be shared, so there only the person who was verified last is meant.
 */
export async function hashVoter(ctx: Ctx, tx: Tx, round: RoundRow, readInvitation?: ReadInvitation): Promise<Buffer[]> {
  const asks = round.access === 'verified'
  return hashVoterBy(ctx, round, asks ? await findSufficient(ctx, tx, readVerificationRule(round), readInvitation?.(ctx.site.id)) : [])
}

/** The same by the verifications that are enough for the round: the oldest first. */
export function hashVoterBy(
  { viewer, runtime, site }: Ctx,
  round: Pick<RoundRow, 'id' | 'access'>,
  held: readonly Pick<VerificationRow, 'subjectHash'>[],
): Buffer[] {
  const account = viewer.kind === 'user' && viewer.siteId === site.id ? [hashAccount(runtime.secret, round.id, viewer.id)] : []
  if (round.access === 'confirmed') return account
  const meant = account.length > 0 ? held : held.slice(-1)
  return meant.length > 0 ? [...meant.map(({ subjectHash }) => hashSubject(runtime.secret, round.id, subjectHash)), ...account] : []
}

/** Whether one of these hashes has voted. */
export async function hasVoted(tx: Tx, round: RoundRow, hashes: readonly Buffer[]): Promise<boolean> {
  if (hashes.length === 0) return false
  const rows = await tx
    .select({ roundId: budgetVoters.roundId })
    .from(budgetVoters)
    .where(and(eq(budgetVoters.siteId, round.siteId), eq(budgetVoters.roundId, round.id), inArray(budgetVoters.personHash, [...hashes])))
  return rows.length > 0
}

export async function loadSecret(tx: Tx, round: Pick<RoundRow, 'siteId' | 'id'>): Promise<Buffer | undefined> {
  const [row] = await tx
    .select({ secret: budgetSecrets.secret })
    .from(budgetSecrets)
    .where(and(eq(budgetSecrets.siteId, round.siteId), eq(budgetSecrets.roundId, round.id)))
  return row?.secret
}

/** Leads from a voter to their ballot for as long as the round's secret exists. */
export const computeBallotKey = (secret: Buffer, personHash: Buffer): Buffer => createHmac('sha256', secret).update(personHash).digest()

/** The ballot of a voter; undefined if they have none, or once the round's secret is destroyed. */
export async function findOwnBallot(tx: Tx, round: RoundRow, hashes: readonly Buffer[]): Promise<BallotRow | undefined> {
  const secret = hashes.length > 0 ? await loadSecret(tx, round) : undefined
  if (!secret) return undefined
  const keys = hashes.map((hash) => computeBallotKey(secret, hash))
  const [ballot] = await tx
    .select()
    .from(budgetBallots)
    .where(and(eq(budgetBallots.siteId, round.siteId), eq(budgetBallots.roundId, round.id), inArray(budgetBallots.ballotKey, keys)))
  return ballot
}

/** For the file of a person's own data: in which rounds their account has voted. Nothing leads to the ballots. */
export async function readOwnVotes(ctx: Ctx, tx: Tx, { siteId, userId }: { siteId: string; userId: string }) {
  const rounds = await tx
    .select({ id: budgetRounds.id, title: budgetRounds.title })
    .from(budgetRounds)
    .where(eq(budgetRounds.siteId, siteId))
  const hashes = new Map(rounds.map((round) => [hashAccount(ctx.runtime.secret, round.id, userId).toString('hex'), round]))
  if (rounds.length === 0) return []
  const voted = await tx
    .select({ personHash: budgetVoters.personHash })
    .from(budgetVoters)
    .where(
      and(
        eq(budgetVoters.siteId, siteId),
        inArray(
          budgetVoters.personHash,
          [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex')),
        ),
      ),
    )
  return voted.flatMap(({ personHash }) => {
    const round = hashes.get(personHash.toString('hex'))
    return round ? [{ round: round.id, title: round.title }] : []
  })
}

/** Merged accounts are one person: where either has voted, both have. */
export async function copyVotes(ctx: Ctx, tx: Tx, { from, into }: { from: string; into: string }): Promise<void> {
  const rounds = await tx.select({ id: budgetRounds.id }).from(budgetRounds).where(eq(budgetRounds.siteId, ctx.site.id))
  for (const { id } of rounds) {
    const former = hashAccount(ctx.runtime.secret, id, from)
    const [voted] = await tx
      .select({ roundId: budgetVoters.roundId })
      .from(budgetVoters)
      .where(and(eq(budgetVoters.siteId, ctx.site.id), eq(budgetVoters.roundId, id), eq(budgetVoters.personHash, former)))
    if (!voted) continue
    const personHash = hashAccount(ctx.runtime.secret, id, into)
    await tx.insert(budgetVoters).values({ siteId: ctx.site.id, roundId: id, personHash, isCounted: false }).onConflictDoNothing()
  }
}
