import { and, asc, eq, type SQL } from 'drizzle-orm'
import { findAccessRefusal, type ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import {
  knownWithinProjects,
  projectColumns,
  type ProjectRow,
  requireVisibleWithin,
  toPermissionTarget,
} from '#app/features/projects/projects.policy.server.ts'
import { findSufficient } from '#app/features/verifications/held-verifications.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isSlug } from '#app/lib/slug.ts'
import { isId } from '#app/lib/uuid.ts'
import type { OptionState } from '#app/lib/vocabulary/budgets.ts'
import { DEFAULT_VERIFICATION_RULE, type VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetOptions, budgetOverrides, budgetPots, budgetResults, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'

export type RoundRow = typeof budgetRounds.$inferSelect
export type PotRow = typeof budgetPots.$inferSelect
export type OptionRow = typeof budgetOptions.$inferSelect
export type ResultRow = typeof budgetResults.$inferSelect

export interface PlacedRound {
  round: RoundRow
  project: ProjectRow
}

/** Slugs, as in the page's address. */
export interface RoundAddress {
  project: string
  round: string
}

export const selectPlacedRounds = (tx: Tx) =>
  tx
    .select({ round: budgetRounds, project: projectColumns })
    .from(budgetRounds)
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))

/** Rounds that the viewer may see: with their project, and drafts if they may see its drafts. */
export function knownRounds(ctx: Ctx): SQL | undefined {
  return and(eq(budgetRounds.siteId, ctx.site.id), knownWithinProjects(ctx, eq(budgetRounds.status, 'published')))
}

/** Loads a round if the viewer may see its project and, for a draft, drafts. @throws {AppError} `not-found`, `gone` */
export async function requireVisibleRound(ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<PlacedRound> {
  const [found] = await selectPlacedRounds(tx).where(and(eq(budgetRounds.siteId, ctx.site.id), where))
  if (!found) throw new AppError('not-found')
  await requireVisibleWithin(ctx, tx, found.project, found.round)
  return found
}

export function requireRoundAt(ctx: Ctx, tx: Tx, address: RoundAddress): Promise<PlacedRound> {
  if (!isSlug(address.project) || !isSlug(address.round)) throw new AppError('not-found')
  return requireVisibleRound(ctx, tx, and(eq(projects.slug, address.project), eq(budgetRounds.slug, address.round)))
}

/** The same for an administrator. @throws {AppError} `not-found` if the viewer may not even see it, otherwise `forbidden` */
export async function requireRoundFor(ctx: Ctx, tx: Tx, action: 'budgets.edit' | 'budgets.certify', roundId: string): Promise<PlacedRound> {
  if (!isId(roundId)) throw new AppError('not-found')
  const placed = await requireVisibleRound(ctx, tx, eq(budgetRounds.id, roundId))
  requirePermission(ctx, action, toPermissionTarget(placed.project))
  return placed
}

export const canEditRounds = (ctx: Ctx, project: ProjectRow): boolean =>
  checkPermission(ctx.viewer, 'budgets.edit', toPermissionTarget(project)).ok

export const readVerificationRule = ({ verification }: Pick<RoundRow, 'verification'>): VerificationRule =>
  verification ?? DEFAULT_VERIFICATION_RULE

/** Why the viewer may not vote; null if they may. */
export const findVotingRefusal = (ctx: Ctx, tx: Tx, placed: PlacedRound, readInvitation?: ReadInvitation): Promise<AccessRefusal | null> =>
  findRefusalBy(ctx, tx, placed, () => findSufficient(ctx, tx, readVerificationRule(placed.round), readInvitation?.(ctx.site.id)))

/** The same by the verifications that are enough for the round. */
export const findRefusalBy = (
  ctx: Ctx,
  tx: Tx,
  { round, project }: PlacedRound,
  loadSufficient: () => Promise<readonly unknown[]> | readonly unknown[],
): Promise<AccessRefusal | null> =>
  findAccessRefusal(ctx, tx, {
    action: 'budgets.vote',
    access: round.access,
    groupId: null,
    projectId: project.id,
    hasVerification: async () => (await loadSufficient()).length > 0,
  })

export const loadPots = (tx: Tx, { siteId, id }: Pick<RoundRow, 'siteId' | 'id'>): Promise<PotRow[]> =>
  tx
    .select()
    .from(budgetPots)
    .where(and(eq(budgetPots.siteId, siteId), eq(budgetPots.roundId, id)))
    .orderBy(asc(budgetPots.position), asc(budgetPots.id))

const loadOptionsIn =
  (state: OptionState) =>
  (tx: Tx, { siteId, id }: Pick<RoundRow, 'siteId' | 'id'>): Promise<OptionRow[]> =>
    tx
      .select()
      .from(budgetOptions)
      .where(and(eq(budgetOptions.siteId, siteId), eq(budgetOptions.roundId, id), eq(budgetOptions.state, state)))
      .orderBy(asc(budgetOptions.number))

/** Those that are or were on the ballot, by number. */
export const loadBallotOptions = loadOptionsIn('feasible')
export const loadNotFeasible = loadOptionsIn('not_feasible')

export type OverrideRow = typeof budgetOverrides.$inferSelect

/** What a body decided about options of a round, with the number of each. */
export async function loadOverrides(
  tx: Tx,
  { siteId, id }: Pick<RoundRow, 'siteId' | 'id'>,
): Promise<(OverrideRow & { number: number })[]> {
  const rows = await tx
    .select({ override: budgetOverrides, number: budgetOptions.number })
    .from(budgetOverrides)
    .innerJoin(budgetOptions, and(eq(budgetOptions.siteId, budgetOverrides.siteId), eq(budgetOptions.id, budgetOverrides.optionId)))
    .where(and(eq(budgetOverrides.siteId, siteId), eq(budgetOverrides.roundId, id)))
    .orderBy(asc(budgetOptions.number))
  return rows.map(({ override, number }) => ({ ...override, number }))
}

/** The result that is certified; else the provisional one. */
export async function findStandingResult(tx: Tx, { siteId, id }: Pick<RoundRow, 'siteId' | 'id'>): Promise<ResultRow | undefined> {
  const rows = await tx
    .select()
    .from(budgetResults)
    .where(and(eq(budgetResults.siteId, siteId), eq(budgetResults.roundId, id)))
  return rows.find(({ state }) => state !== 'superseded')
}
