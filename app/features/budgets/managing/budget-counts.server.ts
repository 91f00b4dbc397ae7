import { and, asc, count, desc, eq, inArray } from 'drizzle-orm'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { createId } from '#app/lib/uuid.ts'
import { implementResource, type ListQuery, type ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetCounts, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { requireRoundFor } from '../budgets.policy.server.ts'
import { recordBudgetAudit } from './budget-audit.server.ts'
import { budgetCountShape } from './budget-counts.api.schema.ts'
import { requireCountable } from './count-round.server.ts'

export type CountRow = typeof budgetCounts.$inferSelect

const IN_PROGRESS = ['waiting', 'running'] as const

/**
 * Asks for a count, which a job then makes. If the round is being counted already, that is the one.
 * @returns the count's id
 * @throws {AppError} as `countRound`
 */
function requestCount(ctx: Ctx, { round: roundId }: CreateInput<typeof budgetCountShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.edit', roundId)
    await requireCountable(ctx, tx, placed.round)
    const id = createId()
    const createdBy = ctx.viewer.kind === 'user' ? ctx.viewer.id : null
    const added = await tx
      .insert(budgetCounts)
      .values({ siteId: ctx.site.id, id, roundId, createdBy, createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning({ id: budgetCounts.id })
    if (added.length > 0) {
      await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.count' })
      return id
    }
    const [known] = await tx
      .select({ id: budgetCounts.id })
      .from(budgetCounts)
      .where(and(eq(budgetCounts.siteId, ctx.site.id), eq(budgetCounts.roundId, roundId)))
      .orderBy(desc(budgetCounts.createdAt))
      .limit(1)
    return known?.id ?? id
  })
}

/** Cancels a count in progress; what another has found stays. @throws {AppError} `not-found`, `forbidden` */
async function removeCount(ctx: Ctx, { id, roundId }: CountRow): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await requireRoundFor(ctx, tx, 'budgets.edit', roundId)
    await tx
      .update(budgetCounts)
      .set({ state: 'cancelled', finishedAt: ctx.now(), lease: null })
      .where(and(eq(budgetCounts.siteId, ctx.site.id), eq(budgetCounts.id, id), inArray(budgetCounts.state, IN_PROGRESS)))
  })
}

const selectCounts = (tx: Tx) =>
  tx
    .select({ counted: budgetCounts })
    .from(budgetCounts)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetCounts.siteId), eq(budgetRounds.id, budgetCounts.roundId)))
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))

/** Of rounds that the viewer may change. */
const isVisible = (ctx: Ctx) =>
  and(eq(budgetCounts.siteId, ctx.site.id), scopeWhere(ctx.viewer, 'budgets.edit', { hub: projects.hubId, project: projects.id }))

const loadCounts = (ctx: Ctx, ids: readonly string[]): Promise<CountRow[]> =>
  ctx.db.read(async (tx) => {
    const rows = await selectCounts(tx).where(and(isVisible(ctx), inArray(budgetCounts.id, [...ids])))
    return rows.map(({ counted }) => counted)
  })

const listCounts = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof budgetCountShape>): Promise<ListResult<CountRow>> =>
  ctx.db.read(async (tx) => {
    const where = and(isVisible(ctx), filter.round ? eq(budgetCounts.roundId, filter.round) : undefined)
    const [all] = await tx
      .select({ total: count() })
      .from(budgetCounts)
      .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetCounts.siteId), eq(budgetRounds.id, budgetCounts.roundId)))
      .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
      .where(where)
    const rows = await selectCounts(tx)
      .where(where)
      .orderBy((sort[0]?.descending ? desc : asc)(budgetCounts.createdAt), asc(budgetCounts.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(({ counted }) => counted), total: all?.total ?? 0 }
  })

export const budgetCountResource = implementResource(budgetCountShape, {
  load: loadCounts,
  list: listCounts,
  attributes: ({ state, progress, createdAt, finishedAt }) => ({ state, progress, createdAt, finishedAt }),
  relationships: { round: { id: ({ roundId }) => roundId, alwaysVisible: true } },
  create: requestCount,
  remove: removeCount,
})
