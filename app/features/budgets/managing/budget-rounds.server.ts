import { randomBytes } from 'node:crypto'
import { and, asc, count, desc, eq, inArray, max, sql } from 'drizzle-orm'
import { listChanges } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { loadKnownProjects } from '#app/features/projects/projects.admin-list.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { assertUsableList } from '#app/features/verifications/eligibility-lists.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetBallots, budgetResults, budgetRounds, budgetVoters } from '#app/server/db/schema/budgets.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { chooseFreeSlug, findLostTranslations, findMissingTranslations, refuseDuplicate } from '#app/server/save-checks.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import { listRoundTexts } from '../budget-texts.ts'
import {
  canEditRounds,
  knownRounds,
  loadBallotOptions,
  loadPots,
  type OptionRow,
  type PlacedRound,
  requireRoundFor,
  type ResultRow,
  type RoundRow,
  selectPlacedRounds,
} from '../budgets.policy.server.ts'
import { recordBudgetAudit, refuseIfFixed } from './budget-audit.server.ts'
import type { budgetRoundShape } from './budget-rounds.api.schema.ts'

/** A round with its counts, as the API shows it. */
export interface RoundRecord extends PlacedRound {
  id: string
  result: Pick<ResultRow, 'state'> | undefined
  /** Undefined for those who may not change the round. */
  turnout: { ballots: number; paperBallots: number; voters: number } | undefined
}

async function addFacts(ctx: Ctx, tx: Tx, placed: readonly PlacedRound[]): Promise<RoundRecord[]> {
  const ids = placed.map(({ round }) => round.id)
  if (ids.length === 0) return []
  const results = await tx
    .select({ roundId: budgetResults.roundId, state: budgetResults.state })
    .from(budgetResults)
    .where(and(eq(budgetResults.siteId, ctx.site.id), inArray(budgetResults.roundId, ids)))
  const turnouts = await countTurnouts(
    ctx,
    tx,
    placed.filter(({ project }) => canEditRounds(ctx, project)),
  )
  return placed.map((row) => ({
    ...row,
    id: row.round.id,
    result: results.find(({ roundId, state }) => roundId === row.round.id && state !== 'superseded'),
    turnout: turnouts.get(row.round.id),
  }))
}

/** By the id of the round. It reads all ballots of these rounds, so only for those who are shown it. */
async function countTurnouts(ctx: Ctx, tx: Tx, placed: readonly PlacedRound[]): Promise<Map<string, NonNullable<RoundRecord['turnout']>>> {
  const ids = placed.map(({ round }) => round.id)
  if (ids.length === 0) return new Map()
  const ballots = await tx
    .select({
      roundId: budgetBallots.roundId,
      total: count(),
      paper: sql<number>`count(*) filter (where ${budgetBallots.isPaper})::int`,
    })
    .from(budgetBallots)
    .where(and(eq(budgetBallots.siteId, ctx.site.id), inArray(budgetBallots.roundId, ids)))
    .groupBy(budgetBallots.roundId)
  const voters = await tx
    .select({ roundId: budgetVoters.roundId, total: count() })
    .from(budgetVoters)
    .where(and(eq(budgetVoters.siteId, ctx.site.id), inArray(budgetVoters.roundId, ids), eq(budgetVoters.isCounted, true)))
    .groupBy(budgetVoters.roundId)
  return new Map(
    ids.map((id) => {
      const cast = ballots.find(({ roundId }) => roundId === id)
      const voted = voters.find(({ roundId }) => roundId === id)
      return [id, { ballots: cast?.total ?? 0, paperBallots: cast?.paper ?? 0, voters: voted?.total ?? 0 }]
    }),
  )
}

export const loadRounds = (ctx: Ctx, ids: readonly string[]): Promise<RoundRecord[]> =>
  ctx.db.read(async (tx) =>
    addFacts(ctx, tx, await selectPlacedRounds(tx).where(and(knownRounds(ctx), inArray(budgetRounds.id, [...ids])))),
  )

export const listRounds = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof budgetRoundShape>): Promise<ListResult<RoundRecord>> =>
  ctx.db.read(async (tx) => {
    const where = and(knownRounds(ctx), filter.project ? eq(budgetRounds.projectId, filter.project) : undefined)
    const [counted] = await tx
      .select({ total: count() })
      .from(budgetRounds)
      .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
      .where(where)
    const rows = await selectPlacedRounds(tx)
      .where(where)
      .orderBy((sort[0]?.descending ? desc : asc)(budgetRounds.position), asc(budgetRounds.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: await addFacts(ctx, tx, rows), total: counted?.total ?? 0 }
  })

/**
 * Creates a draft of a round.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `taken`, `dates-out-of-order` or `out-of-range`
 */
export async function createRound(ctx: Ctx, input: CreateInput<typeof budgetRoundShape>): Promise<string> {
  const [project] = await loadKnownProjects(ctx, [input.project])
  if (!project) throw new AppError('not-found')
  requirePermission(ctx, 'budgets.edit', toPermissionTarget(project))
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const isInProject = and(eq(budgetRounds.siteId, ctx.site.id), eq(budgetRounds.projectId, project.id))
      const taken = await tx.select({ slug: budgetRounds.slug, position: budgetRounds.position }).from(budgetRounds).where(isInProject)
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, 'budget', (wanted) =>
        Promise.resolve(taken.some((one) => one.slug === wanted)),
      )
      const [last] = await tx
        .select({ position: max(budgetRounds.position) })
        .from(budgetRounds)
        .where(isInProject)
      const [round] = await tx
        .insert(budgetRounds)
        .values({
          siteId: ctx.site.id,
          id,
          projectId: project.id,
          ...pickColumns(input),
          slug,
          title: input.titleTranslations,
          position: input.position ?? (last?.position ?? -1) + 1,
          updatedAt: ctx.now(),
        })
        .returning()
      if (!round) throw new AppError('internal')
      await assertSound(ctx, tx, round)
      await recordBudgetAudit(ctx, tx, { round, project }, { action: 'budgets.create' })
    }),
  )
  return id
}

/** What is stored as it was sent, with the columns' names. */
function pickColumns(input: UpdateInput<typeof budgetRoundShape>): Partial<RoundRow> {
  const { titleTranslations: title, introTranslations: intro, slug, status, ballotType, minOptions, maxOptions, maxPots, maxPoints } = input
  const { rule, threshold, currency, access, verification, paper, opensAt, closesAt, position } = input
  const limits = { ballotType, minOptions, maxOptions, maxPots, maxPoints, rule, threshold, currency, access, verification, paper }
  const columns = { title, intro, slug, status, ...limits, opensAt, closesAt, position }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

async function assertSound(ctx: Ctx, tx: Tx, round: RoundRow): Promise<void> {
  const { opensAt, closesAt, ballotType, minOptions, maxOptions, maxPoints, access, verification, paper } = round
  if (opensAt && closesAt && closesAt <= opensAt)
    throw new AppError('invalid', { faults: [{ code: 'dates-out-of-order', pointer: '/closesAt' }] })
  if (maxOptions !== null && maxOptions < minOptions)
    throw new AppError('invalid', { faults: [{ code: 'out-of-range', pointer: '/maxOptions', values: { min: minOptions, max: 1000 } }] })
  if (ballotType === 'points' && maxPoints === null)
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/maxPoints' }] })
  // A letter's code verifies its reader, which would not be enough here.
  if (paper === 'letters' && (access !== 'verified' || verification?.list))
    throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/paper' }] })
  await assertUsableList(ctx, tx, verification, '/verification')
}

/**
 * Changes only the given properties. Publishing draws the seed for ties, whose hash is shown from then on.
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid`, with `fixed-once-open` for what ballots rest on, and with
 * `required`, `translation-missing`, `no-options` or `above-the-pot` for what publishing needs
 */
export async function updateRound(ctx: Ctx, id: string, input: UpdateInput<typeof budgetRoundShape>, lockVersion: number): Promise<void> {
  const saved = pickColumns(input)
  await refuseDuplicate('/slug', () =>
    refuseIfFixed(findFixedPointer(saved), () =>
      ctx.db.tx(async (tx) => {
        const placed = await requireRoundFor(ctx, tx, 'budgets.edit', id)
        const before = placed.round
        const after = { ...before, ...saved }
        await assertSound(ctx, tx, after)
        const publishes = after.status === 'published'
        if (publishes) await assertPublishable(ctx, tx, after, before.status === 'published' ? before : undefined)
        await recordSourceChanges(ctx, tx, id, listRoundTexts(before), listRoundTexts(after))
        const changed = await tx
          .update(budgetRounds)
          .set({
            ...saved,
            ...(publishes && before.seed === null && { seed: randomBytes(32).toString('hex') }),
            lockVersion: sql`${budgetRounds.lockVersion} + 1`,
            updatedAt: ctx.now(),
          })
          .where(and(eq(budgetRounds.siteId, ctx.site.id), eq(budgetRounds.id, id), eq(budgetRounds.lockVersion, lockVersion)))
          .returning({ id: budgetRounds.id })
        if (changed.length === 0) throw new AppError('stale')
        const action = publishes && before.status === 'draft' ? 'budgets.publish' : 'budgets.update'
        await recordBudgetAudit(ctx, tx, placed, { action, changes: listChanges(before, saved) })
      }),
    ),
  )
}

const FIXED = [
  'slug',
  'status',
  'ballotType',
  'minOptions',
  'maxOptions',
  'maxPots',
  'maxPoints',
  'rule',
  'threshold',
  'currency',
  'access',
  'verification',
  'paper',
  'opensAt',
]
const findFixedPointer = (saved: Partial<RoundRow>): string => `/${FIXED.find((name) => name in saved) ?? 'status'}`

/**
 * @param before the round so far, if it is public: its pots and options are checked as they are saved
 * @throws {AppError} `invalid` with everything that is missing before people can vote
 */
async function assertPublishable(ctx: Ctx, tx: Tx, round: RoundRow, before: RoundRow | undefined): Promise<void> {
  const pots = await loadPots(tx, round)
  const options = await loadBallotOptions(tx, round)
  const faults: Fault[] = [
    ...(round.opensAt ? [] : [{ code: 'required' as const, pointer: '/opensAt' }]),
    ...(round.closesAt ? [] : [{ code: 'required' as const, pointer: '/closesAt' }]),
    ...(options.length > 0 ? [] : [{ code: 'no-options' as const, pointer: '/status' }]),
    ...(before
      ? findLostTranslations({ titleTranslations: before.title }, { titleTranslations: round.title }, ctx.site.languages)
      : findMissingTranslations({ titleTranslations: round.title }, ctx.site.languages)),
    ...(before ? [] : [...pots, ...options]).flatMap(({ title }) =>
      findMissingTranslations({ title }, ctx.site.languages).map(({ code, values }) => ({ code, values, pointer: '/status' })),
    ),
    ...options.flatMap((option) => findCostFaults(option, pots).map((fault) => ({ ...fault, pointer: '/status' }))),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

/** An option that costs more than its pot could never be funded. */
export function findCostFaults(
  { cost, potId, number }: Pick<OptionRow, 'cost' | 'potId' | 'number'>,
  pots: readonly { id: string; amount: number }[],
): Fault[] {
  const pot = pots.find(({ id }) => id === potId)
  return cost !== null && pot && cost > pot.amount ? [{ code: 'above-the-pot', pointer: '/cost', values: { number } }] : []
}

/** Deletes a round that has no ballots. @throws {AppError} `not-found`, `forbidden`, `in-use` */
export async function deleteRound(ctx: Ctx, { id }: Pick<RoundRecord, 'id'>): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.edit', id)
    const gone = await tx
      .delete(budgetRounds)
      .where(and(eq(budgetRounds.siteId, ctx.site.id), eq(budgetRounds.id, id), eq(budgetRounds.hasBallots, false)))
      .returning({ id: budgetRounds.id })
    if (gone.length === 0) throw new AppError('in-use')
    await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.delete', detail: { title: placed.round.title } })
  })
}
