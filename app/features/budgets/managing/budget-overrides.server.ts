import { and, asc, eq, inArray } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { projectColumns, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { hasText } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import { implementResource, type ListQuery, type ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetOptions, budgetOverrides, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { refuseDuplicate } from '#app/server/save-checks.ts'
import {
  findStandingResult,
  knownRounds,
  loadOverrides,
  type OverrideRow,
  type PlacedRound,
  requireRoundFor,
} from '../budgets.policy.server.ts'
import { recordBudgetAudit } from './budget-audit.server.ts'
import { budgetOverrideShape } from './budget-overrides.api.schema.ts'
import { listFunded } from './count-round.server.ts'

type PlacedOverride = PlacedRound & { id: string; override: OverrideRow }

/** Everybody sees them: they are only made for certified results. */
const selectKnown = async (ctx: Ctx, tx: Tx, by: { ids?: readonly string[]; round?: string | undefined }): Promise<PlacedOverride[]> => {
  const rows = await tx
    .select({ override: budgetOverrides, round: budgetRounds, project: projectColumns })
    .from(budgetOverrides)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetOverrides.siteId), eq(budgetRounds.id, budgetOverrides.roundId)))
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
    .where(
      and(
        knownRounds(ctx),
        by.ids ? inArray(budgetOverrides.id, [...by.ids]) : undefined,
        by.round ? eq(budgetOverrides.roundId, by.round) : undefined,
      ),
    )
    .orderBy(asc(budgetOverrides.createdAt), asc(budgetOverrides.id))
  return rows.map((row) => ({ ...row, id: row.override.id }))
}

const listOverrides = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof budgetOverrideShape>): Promise<ListResult<PlacedOverride>> =>
  ctx.db.read(async (tx) => {
    const known = await selectKnown(ctx, tx, { round: filter.round })
    const sorted = sort[0]?.descending ? known.toReversed() : known
    return { rows: sorted.slice(page.offset, page.offset + page.limit), total: known.length }
  })

/**
 * Records what a body decided about an option once the result is certified. The calculated result stays as it is.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `required` without a body or a reason, `not-a-choice` for what was calculated so, for an
 * option that was withdrawn, and before the result is certified; with `taken` if there is one about this option
 */
async function createOverride(ctx: Ctx, input: CreateInput<typeof budgetOverrideShape>): Promise<string> {
  const id = createId()
  const { isFunded, bodyTranslations: body, reasonTranslations: reason, option: optionId } = input
  await refuseDuplicate('/option', () =>
    ctx.db.tx(async (tx) => {
      const [option] = await tx
        .select()
        .from(budgetOptions)
        .where(and(eq(budgetOptions.siteId, ctx.site.id), eq(budgetOptions.id, optionId)))
      if (!option) throw new AppError('not-found')
      const placed = await requireRoundFor(ctx, tx, 'budgets.certify', option.roundId)
      const result = await findStandingResult(tx, placed.round)
      const isOpen = result?.state === 'certified' && option.state === 'feasible' && !option.withdrawnAt
      const faults: Fault[] = [
        ...(hasText(body) ? [] : [{ code: 'required' as const, pointer: '/bodyTranslations' }]),
        ...(hasText(reason) ? [] : [{ code: 'required' as const, pointer: '/reasonTranslations' }]),
        ...(isOpen ? [] : [{ code: 'not-a-choice' as const, pointer: '/option' }]),
        ...(isOpen && listFunded(result).has(option.number) === isFunded ? [{ code: 'not-a-choice' as const, pointer: '/isFunded' }] : []),
      ]
      if (faults.length > 0) throw new AppError('invalid', { faults })
      await tx.insert(budgetOverrides).values({
        siteId: ctx.site.id,
        id,
        roundId: placed.round.id,
        optionId,
        isFunded,
        body,
        reason,
        createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
        createdAt: ctx.now(),
      })
      await tellAgain(tx, ctx.site.id, optionId)
      await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.override', detail: { title: option.title, isFunded, body, reason } })
    }),
  )
  return id
}

/** The calculated result applies to the option again, whose delivery is forgotten if it is not funded then. @throws {AppError} `not-found`, `forbidden` */
async function deleteOverride(ctx: Ctx, { override }: PlacedOverride): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.certify', override.roundId)
    const isIt = and(eq(budgetOverrides.siteId, ctx.site.id), eq(budgetOverrides.id, override.id))
    const gone = await tx.delete(budgetOverrides).where(isIt).returning({ id: budgetOverrides.id })
    if (gone.length === 0) throw new AppError('not-found')
    const isOption = and(eq(budgetOptions.siteId, ctx.site.id), eq(budgetOptions.id, override.optionId))
    const [option] = await tx.select({ title: budgetOptions.title }).from(budgetOptions).where(isOption)
    await tellAgain(tx, ctx.site.id, override.optionId)
    if (override.isFunded) await tx.update(budgetOptions).set({ delivery: null, deliveryNote: {} }).where(isOption)
    await recordBudgetAudit(ctx, tx, placed, {
      action: 'budgets.end-override',
      detail: { title: option?.title, isFunded: override.isFunded, body: override.body },
    })
  })
}

/** Makes the job `tell-proposers` tell the people who proposed the option again whether it is funded. */
const tellAgain = (tx: Tx, siteId: string, optionId: string) =>
  tx
    .update(budgetOptions)
    .set({ told: 'feasible', toldUntil: null })
    .where(and(eq(budgetOptions.siteId, siteId), eq(budgetOptions.id, optionId)))

export const budgetOverrideResource = implementResource(budgetOverrideShape, {
  load: (ctx, ids) => ctx.db.read((tx) => selectKnown(ctx, tx, { ids })),
  list: listOverrides,
  can: (ctx, { project }) => ({ remove: checkPermission(ctx.viewer, 'budgets.certify', toPermissionTarget(project)).ok }),
  attributes: ({ override }) => ({
    isFunded: override.isFunded,
    body: override.body,
    reason: override.reason,
    createdAt: override.createdAt,
  }),
  relationships: {
    round: { id: ({ override }) => override.roundId, alwaysVisible: true },
    option: { id: ({ override }) => override.optionId, alwaysVisible: true },
  },
  create: createOverride,
  remove: deleteOverride,
})

/** Numbers of the options that are funded in the end: by the rule, but for what a body decided otherwise. */
export async function listFundedInTheEnd(tx: Tx, placed: PlacedRound, result: Parameters<typeof listFunded>[0]): Promise<Set<number>> {
  const funded = listFunded(result)
  for (const { number, isFunded } of await loadOverrides(tx, placed.round)) {
    if (isFunded) funded.add(number)
    else funded.delete(number)
  }
  return funded
}
