import { and, asc, count, desc, eq, inArray, max, sql } from 'drizzle-orm'
import { listChanges } from '#app/features/audit/audit.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { budgetOptions, budgetPots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectColumns } from '#app/features/projects/projects.policy.server.ts'
import { findLostTranslations, findMissingTranslations } from '#app/server/save-checks.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import { listPotTexts } from '../budget-texts.ts'
import { knownRounds, type PlacedRound, type PotRow, requireRoundFor } from '../budgets.policy.server.ts'
import { recordBudgetAudit, refuseIfFixed } from './budget-audit.server.ts'
import type { budgetPotShape } from './budget-pots.api.schema.ts'

export type PlacedPot = PlacedRound & { id: string; pot: PotRow }

const selectPots = (tx: Tx) =>
  tx
    .select({ pot: budgetPots, round: budgetRounds, project: projectColumns })
    .from(budgetPots)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetPots.siteId), eq(budgetRounds.id, budgetPots.roundId)))
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))

export const loadRoundPots = (ctx: Ctx, ids: readonly string[]): Promise<PlacedPot[]> =>
  ctx.db.read(async (tx) => {
    const rows = await selectPots(tx).where(and(knownRounds(ctx), inArray(budgetPots.id, [...ids])))
    return rows.map((row) => ({ ...row, id: row.pot.id }))
  })

export const listPots = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof budgetPotShape>): Promise<ListResult<PlacedPot>> =>
  ctx.db.read(async (tx) => {
    const where = and(knownRounds(ctx), filter.round ? eq(budgetPots.roundId, filter.round) : undefined)
    const [counted] = await tx
      .select({ total: count() })
      .from(budgetPots)
      .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetPots.siteId), eq(budgetRounds.id, budgetPots.roundId)))
      .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
      .where(where)
    const rows = await selectPots(tx)
      .where(where)
      .orderBy((sort[0]?.descending ? desc : asc)(budgetPots.position), asc(budgetPots.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map((row) => ({ ...row, id: row.pot.id })), total: counted?.total ?? 0 }
  })

/** @returns the new pot's id @throws {AppError} `not-found`, `forbidden`; `invalid` with `fixed-once-open`, or `translation-missing` in a published round */
export async function createPot(ctx: Ctx, input: CreateInput<typeof budgetPotShape>): Promise<string> {
  const id = createId()
  await refuseIfFixed('/round', () =>
    ctx.db.tx(async (tx) => {
      const placed = await requireRoundFor(ctx, tx, 'budgets.edit', input.round)
      assertTitle(ctx, placed, input.titleTranslations)
      const [last] = await tx
        .select({ position: max(budgetPots.position) })
        .from(budgetPots)
        .where(and(eq(budgetPots.siteId, ctx.site.id), eq(budgetPots.roundId, placed.round.id)))
      await tx.insert(budgetPots).values({
        siteId: ctx.site.id,
        id,
        roundId: placed.round.id,
        title: input.titleTranslations,
        amount: input.amount,
        position: input.position ?? (last?.position ?? -1) + 1,
      })
      await recordBudgetAudit(ctx, tx, placed, {
        action: 'budgets.add-pot',
        detail: { title: input.titleTranslations, amount: input.amount },
      })
    }),
  )
  return id
}

/**
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid` with `fixed-once-open`, `translation-missing` in a published round, or `above-the-pot`
 * for an option that would cost more
 */
export async function updatePot(
  ctx: Ctx,
  { pot }: PlacedPot,
  input: UpdateInput<typeof budgetPotShape>,
  lockVersion: number,
): Promise<void> {
  const { titleTranslations: title, amount, position } = input
  const saved = { ...(title && { title }), ...(amount !== undefined && { amount }), ...(position !== undefined && { position }) }
  await refuseIfFixed('/amount', () =>
    ctx.db.tx(async (tx) => {
      const placed = await requireRoundFor(ctx, tx, 'budgets.edit', pot.roundId)
      if (amount !== undefined && placed.round.status === 'published') await assertAffordable(tx, pot, amount)
      if (title) {
        assertTitle(ctx, placed, title, pot.title)
        await recordSourceChanges(ctx, tx, pot.id, listPotTexts(pot), listPotTexts({ title }))
      }
      const changed = await tx
        .update(budgetPots)
        .set({ ...saved, lockVersion: sql`${budgetPots.lockVersion} + 1` })
        .where(and(eq(budgetPots.siteId, ctx.site.id), eq(budgetPots.id, pot.id), eq(budgetPots.lockVersion, lockVersion)))
        .returning({ id: budgetPots.id })
      if (changed.length === 0) throw new AppError('stale')
      await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.update', changes: listChanges(pot, saved) })
    }),
  )
}

/**
 * @param before the title so far, if it is changed
 * @throws {AppError} `invalid` with each language that a pot of a published round needs
 */
function assertTitle({ site }: Ctx, { round }: PlacedRound, title: Translated, before?: Translated): void {
  if (round.status !== 'published') return
  const texts = { titleTranslations: title }
  const faults = before
    ? findLostTranslations({ titleTranslations: before }, texts, site.languages)
    : findMissingTranslations(texts, site.languages)
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

async function assertAffordable(tx: Tx, { siteId, id }: PotRow, amount: number): Promise<void> {
  const [dearest] = await tx
    .select({ cost: max(budgetOptions.cost) })
    .from(budgetOptions)
    .where(and(eq(budgetOptions.siteId, siteId), eq(budgetOptions.potId, id), eq(budgetOptions.state, 'feasible')))
  if ((dearest?.cost ?? 0) > amount) throw new AppError('invalid', { faults: [{ code: 'above-the-pot', pointer: '/amount' }] })
}

/** Deletes a pot without options. @throws {AppError} `not-found`, `forbidden`, `in-use` */
export async function deletePot(ctx: Ctx, { pot }: PlacedPot): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.edit', pot.roundId)
    const [used] = await tx
      .select({ total: count() })
      .from(budgetOptions)
      .where(and(eq(budgetOptions.siteId, ctx.site.id), eq(budgetOptions.potId, pot.id)))
    if (placed.round.hasBallots || (used?.total ?? 0) > 0) throw new AppError('in-use')
    await tx.delete(budgetPots).where(and(eq(budgetPots.siteId, ctx.site.id), eq(budgetPots.id, pot.id)))
    await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.remove-pot', detail: { title: pot.title } })
  })
}
