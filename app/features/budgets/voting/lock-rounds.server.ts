import { and, asc, eq, gt, isNull, or, type SQL } from 'drizzle-orm'
import { findLedger, type LedgerKey, openLedger } from '#app/features/ledger/ledger.server.ts'
import { projectColumns } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isSlug } from '#app/lib/slug.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetRounds, budgetSecrets } from '#app/server/db/schema/budgets.ts'
import { ledgers } from '#app/server/db/schema/ledger.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { PlacedRound, RoundAddress, RoundRow } from '../budgets.policy.server.ts'
import { GRACE_MS } from '../budgets.state.ts'

/** How a sender names the round that they vote in. */
export type RoundReference = { id: string } | RoundAddress

/** A round that stays as it is until the transaction ends, with what its ballots need. */
export interface LockedRound extends PlacedRound {
  /** False if its voting ended so long ago that no ballot is taken: such a round need not be locked. */
  isLocked: boolean
  /** Undefined before the first ballot, and after a restore. */
  secret: Buffer | undefined
  /** Undefined before the first ballot, and in rounds that are older than ledgers. */
  ledger: LedgerKey | undefined
}

/**
 * Locks rounds until the transaction ends, so that they cannot change while ballots are stored. Several transactions can share the lock, except
 * for a round without ballots: its first ballot changes it.
 * @returns finds a round; undefined if there is none
 */
export async function lockRounds(
  tx: Tx,
  siteId: string,
  references: readonly RoundReference[],
  now: Date,
): Promise<(reference: RoundReference) => LockedRound | undefined> {
  const found = new Map<string, LockedRound>()
  const nameOf = (reference: RoundReference) => ('id' in reference ? reference.id : `${reference.project}/${reference.round}`)
  const wanted = new Map(references.filter(isReference).map((reference) => [nameOf(reference), reference]))
  const mayBeOpen = or(isNull(budgetRounds.closesAt), gt(budgetRounds.closesAt, new Date(now.getTime() - GRACE_MS)))
  const ways = [
    { lock: 'share', only: and(mayBeOpen, eq(budgetRounds.hasBallots, true)) },
    { lock: 'no key update', only: mayBeOpen },
    { lock: undefined, only: undefined },
  ] as const
  for (const { lock, only } of ways) {
    const missing = [...wanted].filter(([name]) => !found.has(name)).map(([, reference]) => reference)
    if (missing.length === 0) break
    const query = selectRounds(tx)
      .where(and(eq(budgetRounds.siteId, siteId), or(...missing.map(isNamed)), only))
      .orderBy(asc(budgetRounds.id))
    for (const { round, project, secret, ledgerId } of await (lock ? query.for(lock, { of: budgetRounds }) : query)) {
      const ledger = ledgerId === null ? undefined : ({ of: 'round', siteId, id: ledgerId } as const)
      const locked = { round, project, isLocked: lock !== undefined, secret: secret ?? undefined, ledger }
      for (const name of [round.id, `${project.slug}/${round.slug}`]) found.set(name, locked)
    }
  }
  return (reference) => found.get(nameOf(reference))
}

const selectRounds = (tx: Tx) =>
  tx
    .select({ round: budgetRounds, project: projectColumns, secret: budgetSecrets.secret, ledgerId: ledgers.id })
    .from(budgetRounds)
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
    .leftJoin(budgetSecrets, and(eq(budgetSecrets.siteId, budgetRounds.siteId), eq(budgetSecrets.roundId, budgetRounds.id)))
    .leftJoin(ledgers, and(eq(ledgers.siteId, budgetRounds.siteId), eq(ledgers.ownerId, budgetRounds.id)))

const isReference = (reference: RoundReference): boolean =>
  'id' in reference ? isId(reference.id) : isSlug(reference.project) && isSlug(reference.round)

const isNamed = (reference: RoundReference): SQL | undefined =>
  'id' in reference ? eq(budgetRounds.id, reference.id) : and(eq(projects.slug, reference.project), eq(budgetRounds.slug, reference.round))

/** Keeps one round as it is until the transaction ends, and fixes what its ballots rest on. */
export async function lockRound(tx: Tx, round: RoundRow): Promise<RoundRow> {
  if (!round.hasBallots) await fixRound(tx, round)
  const [locked] = await tx
    .select()
    .from(budgetRounds)
    .where(and(eq(budgetRounds.siteId, round.siteId), eq(budgetRounds.id, round.id)))
    .for('share')
  if (!locked) throw new AppError('not-found')
  return locked
}

/** The first ballot fixes what ballots rest on, and opens the ledger. @returns the round's ledger */
export async function fixRound(tx: Tx, { siteId, id }: Pick<RoundRow, 'siteId' | 'id'>): Promise<LedgerKey | undefined> {
  const changed = await tx
    .update(budgetRounds)
    .set({ hasBallots: true })
    .where(and(eq(budgetRounds.siteId, siteId), eq(budgetRounds.id, id), eq(budgetRounds.hasBallots, false)))
    .returning({ id: budgetRounds.id })
  return changed.length > 0 ? openLedger(tx, 'round', siteId, id) : findLedger(tx, 'round', siteId, id)
}
