import { and, asc, count, desc, eq, inArray, max, sql } from 'drizzle-orm'
import { listChanges } from '#app/features/audit/audit.server.ts'
import { projectColumns } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { hasText } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetOptions, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { findLostTranslations, findMissingTranslations } from '#app/server/save-checks.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import { listOptionTexts } from '../budget-texts.ts'
import {
  canEditRounds,
  findStandingResult,
  knownRounds,
  loadPots,
  type OptionRow,
  type PlacedRound,
  requireRoundFor,
} from '../budgets.policy.server.ts'
import { recordBudgetAudit, refuseIfFixed } from './budget-audit.server.ts'
import type { budgetOptionShape } from './budget-options.api.schema.ts'
import { findCostFaults } from './budget-rounds.server.ts'
import { listFundedInTheEnd } from './budget-overrides.server.ts'

export type PlacedOption = PlacedRound & { id: string; option: OptionRow }

const selectOptions = (tx: Tx) =>
  tx
    .select({ option: budgetOptions, round: budgetRounds, project: projectColumns })
    .from(budgetOptions)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetOptions.siteId), eq(budgetRounds.id, budgetOptions.roundId)))
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))

/** Ideas that were not screened yet are only known to those who screen them. */
const isKnown = (ctx: Ctx, { option, project }: { option: OptionRow; project: PlacedRound['project'] }): boolean =>
  option.state !== 'idea' || canEditRounds(ctx, project)

export const loadOptions = (ctx: Ctx, ids: readonly string[]): Promise<PlacedOption[]> =>
  ctx.db.read(async (tx) => {
    const rows = await selectOptions(tx).where(and(knownRounds(ctx), inArray(budgetOptions.id, [...ids])))
    return rows.filter((row) => isKnown(ctx, row)).map((row) => ({ ...row, id: row.option.id }))
  })

export const listOptions = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof budgetOptionShape>): Promise<ListResult<PlacedOption>> =>
  ctx.db.read(async (tx) => {
    const seesIdeas = ctx.viewer.kind === 'user' && ctx.viewer.roles.length > 0
    const where = and(
      knownRounds(ctx),
      filter.round ? eq(budgetOptions.roundId, filter.round) : undefined,
      filter.state ? inArray(budgetOptions.state, filter.state) : undefined,
      seesIdeas ? undefined : sql`${budgetOptions.state} <> 'idea'`,
    )
    const [counted] = await tx
      .select({ total: count() })
      .from(budgetOptions)
      .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetOptions.siteId), eq(budgetRounds.id, budgetOptions.roundId)))
      .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
      .where(where)
    const rows = await selectOptions(tx)
      .where(where)
      .orderBy((sort[0]?.descending ? desc : asc)(budgetOptions.number), asc(budgetOptions.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.filter((row) => isKnown(ctx, row)).map((row) => ({ ...row, id: row.option.id })), total: counted?.total ?? 0 }
  })

/**
 * Adds an option: an idea, unless it says that it was screened.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `fixed-once-open`, `not-a-choice`, `cost-missing`, `above-the-pot`, `required`
 */
export async function createOption(ctx: Ctx, input: CreateInput<typeof budgetOptionShape>): Promise<string> {
  const id = createId()
  await refuseIfFixed('/round', () =>
    ctx.db.tx(async (tx) => {
      const placed = await requireRoundFor(ctx, tx, 'budgets.edit', input.round)
      const { round } = placed
      const [last] = await tx
        .select({ number: max(budgetOptions.number) })
        .from(budgetOptions)
        .where(and(eq(budgetOptions.siteId, ctx.site.id), eq(budgetOptions.roundId, round.id)))
      const [row] = await tx
        .insert(budgetOptions)
        .values({
          siteId: ctx.site.id,
          id,
          roundId: round.id,
          ...(await findPointOfContribution(ctx, tx, input.contribution)),
          ...pickColumns(input),
          potId: input.pot,
          title: input.titleTranslations,
          number: (last?.number ?? 0) + 1,
          contributionId: input.contribution ?? null,
          // Checked below, where its faults have names.
          state: input.cost ? (input.state ?? 'idea') : 'idea',
        })
        .returning()
      if (!row) throw new AppError('internal')
      await assertSound(ctx, tx, placed, { ...row, state: input.state ?? 'idea' })
      await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.add-option', detail: { title: row.title, cost: row.cost } })
    }),
  )
  return id
}

/** Where a published contribution lies; of a line or an area, where its pin stands. */
async function findPointOfContribution(ctx: Ctx, tx: Tx, id: string | null | undefined): Promise<Pick<Partial<OptionRow>, 'lng' | 'lat'>> {
  if (!id) return {}
  const [found] = await tx
    .select({ lng: contributions.lng, lat: contributions.lat })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id), eq(contributions.state, 'published')))
  return found ?? {}
}

function pickColumns(input: UpdateInput<typeof budgetOptionShape>): Partial<OptionRow> {
  const { titleTranslations: title, textTranslations: text, costNoteTranslations: costNote, reasonTranslations: reason } = input
  const { withdrawnReasonTranslations: withdrawnReason, deliveryNoteTranslations: deliveryNote, delivery } = input
  const { cost, place, exclusiveGroup, state, pot: potId } = input
  const { lng, lat } = input.point === undefined ? {} : (input.point ?? { lng: null, lat: null })
  const columns = {
    title,
    text,
    costNote,
    reason,
    withdrawnReason,
    deliveryNote,
    delivery,
    cost,
    place,
    lng,
    lat,
    exclusiveGroup,
    state,
    potId,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/**
 * @param before the option so far, if it is changed
 * @throws {AppError} `invalid`
 */
async function assertSound(ctx: Ctx, tx: Tx, { round }: PlacedRound, option: OptionRow, before?: OptionRow): Promise<void> {
  const pots = await loadPots(tx, round)
  const needsLanguages = round.status === 'published' && option.state === 'feasible'
  const title = { titleTranslations: option.title }
  const { languages } = ctx.site
  const faults: Fault[] = [
    ...(pots.some(({ id }) => id === option.potId) ? [] : [{ code: 'not-a-choice' as const, pointer: '/pot' }]),
    ...(option.state === 'feasible' && option.cost === null ? [{ code: 'cost-missing' as const, pointer: '/cost' }] : []),
    ...(option.state === 'feasible' ? findCostFaults(option, pots) : []),
    ...(option.state === 'not_feasible' && !hasText(option.reason) ? [{ code: 'required' as const, pointer: '/reasonTranslations' }] : []),
    ...(option.withdrawnAt && !hasText(option.withdrawnReason)
      ? [{ code: 'required' as const, pointer: '/withdrawnReasonTranslations' }]
      : []),
    ...(!needsLanguages
      ? []
      : before?.state === 'feasible'
        ? findLostTranslations({ titleTranslations: before.title }, title, languages)
        : findMissingTranslations(title, languages)),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

/**
 * Screens, changes or withdraws an option, or says how its delivery stands.
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid` as for `createOption`, with `required` for a withdrawal without a reason, and
 * `not-a-choice` for the delivery of an option that is not funded; `conflict` for a withdrawal after the count
 */
export async function updateOption(
  ctx: Ctx,
  { option: before }: PlacedOption,
  input: UpdateInput<typeof budgetOptionShape>,
  lockVersion: number,
): Promise<void> {
  const withdrawnAt = input.withdrawn === undefined ? before.withdrawnAt : input.withdrawn ? (before.withdrawnAt ?? ctx.now()) : null
  const saved = { ...pickColumns(input), withdrawnAt }
  await refuseIfFixed(findFixedPointer(input), () =>
    ctx.db.tx(async (tx) => {
      const placed = await requireRoundFor(ctx, tx, 'budgets.edit', before.roundId)
      const after = { ...before, ...saved }
      await assertSound(ctx, tx, placed, after, before)
      await recordSourceChanges(ctx, tx, before.id, listOptionTexts(before, placed.round), listOptionTexts(after, placed.round))
      const result = await findStandingResult(tx, placed.round)
      if (result && withdrawnAt !== before.withdrawnAt) throw new AppError('conflict')
      const isFunded = result?.state === 'certified' && (await listFundedInTheEnd(tx, placed, result)).has(before.number)
      if (input.delivery && !isFunded) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/delivery' }] })
      const changed = await tx
        .update(budgetOptions)
        .set({ ...saved, lockVersion: sql`${budgetOptions.lockVersion} + 1` })
        .where(and(eq(budgetOptions.siteId, ctx.site.id), eq(budgetOptions.id, before.id), eq(budgetOptions.lockVersion, lockVersion)))
        .returning({ id: budgetOptions.id })
      if (changed.length === 0) throw new AppError('stale')
      const action = withdrawnAt && !before.withdrawnAt ? 'budgets.withdraw-option' : 'budgets.update-option'
      await recordBudgetAudit(ctx, tx, placed, { action, detail: { title: before.title }, changes: listChanges(before, saved) })
    }),
  )
}

const FIXED = [
  'titleTranslations',
  'textTranslations',
  'cost',
  'costNoteTranslations',
  'place',
  'point',
  'exclusiveGroup',
  'state',
  'pot',
] as const
const findFixedPointer = (input: UpdateInput<typeof budgetOptionShape>): string =>
  `/${FIXED.find((name) => input[name] !== undefined) ?? 'state'}`

/** Deletes an option that no ballot can name. @throws {AppError} `not-found`, `forbidden`, `in-use` */
export async function deleteOption(ctx: Ctx, { option }: PlacedOption): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.edit', option.roundId)
    if (placed.round.hasBallots) throw new AppError('in-use')
    await tx.delete(budgetOptions).where(and(eq(budgetOptions.siteId, ctx.site.id), eq(budgetOptions.id, option.id)))
    await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.remove-option', detail: { title: option.title } })
  })
}
