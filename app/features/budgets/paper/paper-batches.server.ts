import { and, asc, count, eq, inArray, max, sql } from 'drizzle-orm'
import { listChanges } from '#app/features/audit/audit.server.ts'
import { deleteCodesOf, storeCodeBatch } from '#app/features/verifications/code-batches.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { projectColumns } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetPaperBatches, budgetPaperSheets, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import {
  canEditRounds,
  findStandingResult,
  knownRounds,
  type PlacedRound,
  readVerificationRule,
  requireRoundFor,
  type RoundRow,
} from '../budgets.policy.server.ts'
import { getBudgetPhase } from '../budgets.state.ts'
import { recordBudgetAudit } from '../managing/budget-audit.server.ts'
import { lockRound } from '../voting/lock-rounds.server.ts'
import { acceptBatch } from './accept-batch.server.ts'
import type { paperBatchShape } from './paper.api.schema.ts'
import { deriveSheetCode, hashSheetCode } from './paper-codes.server.ts'
import { loadTypedSheets } from './typed-sheets.server.ts'

export type PaperBatchRow = typeof budgetPaperBatches.$inferSelect
export interface PlacedBatch extends PlacedRound {
  id: string
  batch: PaperBatchRow
}
/** A batch with how far its sheets are typed. */
export interface PaperBatch extends PlacedBatch {
  returned: number
  typedOnce: number
  differing: number
  spoilt: number
}

const selectBatches = (tx: Tx) =>
  tx
    .select({ batch: budgetPaperBatches, round: budgetRounds, project: projectColumns })
    .from(budgetPaperBatches)
    .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetPaperBatches.siteId), eq(budgetRounds.id, budgetPaperBatches.roundId)))
    .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))

/** Batches of rounds that the viewer may edit; to other people they do not exist. */
export async function selectKnownBatches(ctx: Ctx, tx: Tx, ids?: readonly string[], roundId?: string): Promise<PlacedBatch[]> {
  if (ctx.viewer.kind !== 'user' || ctx.viewer.roles.length === 0) return []
  const rows = await selectBatches(tx)
    .where(
      and(
        knownRounds(ctx),
        ids ? inArray(budgetPaperBatches.id, [...ids]) : undefined,
        roundId ? eq(budgetPaperBatches.roundId, roundId) : undefined,
      ),
    )
    .orderBy(asc(budgetPaperBatches.number), asc(budgetPaperBatches.id))
  return rows.filter(({ project }) => canEditRounds(ctx, project)).map((row) => ({ ...row, id: row.batch.id }))
}

async function addProgress(tx: Tx, rows: readonly PlacedBatch[]): Promise<PaperBatch[]> {
  const open = rows.filter(({ batch }) => batch.state === 'open').map(({ batch }) => batch)
  const typed = Map.groupBy(await loadTypedSheets(tx, open), ({ batchId }) => batchId)
  return rows.map((row) => {
    const { batch } = row
    const own = typed.get(batch.id) ?? []
    const countState = (state: string) => own.filter((sheet) => sheet.state === state).length
    const isAccepted = batch.state === 'accepted'
    return {
      ...row,
      returned: isAccepted ? batch.counted + batch.spoilt + batch.votedBefore : own.length,
      typedOnce: countState('typed_once'),
      differing: countState('differs'),
      spoilt: isAccepted ? batch.spoilt : countState('spoilt'),
    }
  })
}

export const loadBatches = (ctx: Ctx, ids: readonly string[]): Promise<PaperBatch[]> =>
  ctx.db.read(async (tx) => addProgress(tx, await selectKnownBatches(ctx, tx, ids)))

/** Few: a round has a batch for each place that hands out sheets. */
export const listBatches = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof paperBatchShape>): Promise<ListResult<PaperBatch>> =>
  ctx.db.read(async (tx) => {
    const known = await selectKnownBatches(ctx, tx, undefined, filter.round)
    const sorted = sort[0]?.descending ? known.toReversed() : known
    return { rows: await addProgress(tx, sorted.slice(page.offset, page.offset + page.limit)), total: known.length }
  })

/** @throws {AppError} `already-certified`; `voting-not-open` for a draft; `paper-not-allowed` */
async function requirePaper(ctx: Ctx, tx: Tx, round: RoundRow): Promise<void> {
  const result = await findStandingResult(tx, round)
  if (result?.state === 'certified') throw new AppError('already-certified')
  if (getBudgetPhase(ctx.now(), round) === 'draft') throw new AppError('voting-not-open')
  if (round.paper === 'none') throw new AppError('paper-not-allowed')
}

/**
 * Makes the sheets of a batch. From then on, what is printed on them is fixed. Codes of letters open the ballot online too.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; those of `requirePaper`
 */
export async function createBatch(ctx: Ctx, { round: roundId, name, sheets }: CreateInput<typeof paperBatchShape>): Promise<string> {
  const id = createId()
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1)
  const codes = numbers.map((number) => deriveSheetCode(ctx, id, number))
  await ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.edit', roundId)
    const round = await lockRound(tx, placed.round)
    await requirePaper(ctx, tx, round)
    const ofRound = and(eq(budgetPaperBatches.siteId, ctx.site.id), eq(budgetPaperBatches.roundId, round.id))
    // Two batches that are made at once get two numbers.
    await lockForTransaction(tx, ctx.site.id, `paper batches of ${round.id}`)
    const [last] = await tx
      .select({ number: max(budgetPaperBatches.number) })
      .from(budgetPaperBatches)
      .where(ofRound)
    const number = (last?.number ?? 0) + 1
    const codeBatchId = round.paper === 'letters' ? await makeLetters(ctx, tx, { ...placed, round }, name, codes) : null
    await tx.insert(budgetPaperBatches).values({
      siteId: ctx.site.id,
      id,
      roundId: round.id,
      number,
      name,
      sheets,
      codeBatchId,
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      createdAt: ctx.now(),
    })
    await tx
      .insert(budgetPaperSheets)
      .values(
        codes.map((code, at) => ({ siteId: ctx.site.id, id: createId(), batchId: id, number: at + 1, codeHash: hashSheetCode(ctx, code) })),
      )
    await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.add-batch', detail: { batch: number, name, sheets } })
  })
  return id
}

const LETTERS_LAST_MS = 30 * 86_400_000

/** The codes of sheets that are sent in letters verify people as codes of other letters do, which only those who may make these may do. */
function makeLetters(ctx: Ctx, tx: Tx, { round }: PlacedRound, name: string, codes: readonly string[]): Promise<string> {
  requirePermission(ctx, 'eligibility-lists.edit')
  const until = Math.max(round.closesAt?.getTime() ?? 0, ctx.now().getTime()) + LETTERS_LAST_MS
  const title = getTranslation(round.title, ctx.site.locale)
  const { level } = readVerificationRule(round)
  return storeCodeBatch(ctx, tx, { name: `${title}: ${name}`.slice(0, 120), level, validUntil: new Date(until) }, codes)
}

/**
 * Renames an open batch, sets how many sheets were returned, or accepts it.
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `conflict` once it is accepted; as `acceptBatch`
 */
export async function updateBatch(
  ctx: Ctx,
  { batch: before }: PlacedBatch,
  { name, stated, state }: UpdateInput<typeof paperBatchShape>,
  lockVersion: number,
): Promise<void> {
  const saved = { ...(name !== undefined && { name }), ...(stated !== undefined && { stated }) }
  await ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.edit', before.roundId)
    const round = await lockRound(tx, placed.round)
    const batch = await lockOpenBatch(tx, before)
    if (batch.lockVersion !== lockVersion) throw new AppError('stale')
    const isIt = and(eq(budgetPaperBatches.siteId, ctx.site.id), eq(budgetPaperBatches.id, batch.id))
    await tx
      .update(budgetPaperBatches)
      .set({ ...saved, lockVersion: sql`${budgetPaperBatches.lockVersion} + 1` })
      .where(isIt)
    if (state === 'accepted') {
      await acceptBatch(ctx, tx, { ...placed, round }, { ...batch, ...saved })
      return
    }
    const detail = { batch: batch.number, name: batch.name }
    await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.update-batch', detail, changes: listChanges(batch, saved) })
  })
}

/** Keeps a batch as it is until the transaction ends. @throws {AppError} `not-found`; `conflict` if it was accepted */
export async function lockOpenBatch(
  tx: Tx,
  { siteId, id }: PaperBatchRow,
  strength: 'update' | 'share' = 'update',
): Promise<PaperBatchRow> {
  const [batch] = await tx
    .select()
    .from(budgetPaperBatches)
    .where(and(eq(budgetPaperBatches.siteId, siteId), eq(budgetPaperBatches.id, id)))
    .for(strength)
  if (!batch) throw new AppError('not-found')
  if (batch.state !== 'open') throw new AppError('conflict')
  return batch
}

/** Deletes a batch that is not accepted, with what was typed: its codes are worth nothing from then on. @throws {AppError} `not-found`, `forbidden`, `conflict` */
export async function deleteBatch(ctx: Ctx, { batch: row }: PlacedBatch): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireRoundFor(ctx, tx, 'budgets.edit', row.roundId)
    const batch = await lockOpenBatch(tx, row)
    await tx.delete(budgetPaperBatches).where(and(eq(budgetPaperBatches.siteId, ctx.site.id), eq(budgetPaperBatches.id, batch.id)))
    if (batch.codeBatchId) await deleteCodesOf(ctx, tx, batch.codeBatchId)
    await recordBudgetAudit(ctx, tx, placed, { action: 'budgets.remove-batch', detail: { batch: batch.number, name: batch.name } })
  })
}

/** Closing a round waits for its paper. @throws {AppError} `paper-open` while a batch is not accepted */
export async function requireAllAccepted(tx: Tx, { siteId, id }: Pick<RoundRow, 'siteId' | 'id'>): Promise<void> {
  const [open] = await tx
    .select({ batches: count() })
    .from(budgetPaperBatches)
    .where(and(eq(budgetPaperBatches.siteId, siteId), eq(budgetPaperBatches.roundId, id), eq(budgetPaperBatches.state, 'open')))
  if ((open?.batches ?? 0) > 0) throw new AppError('paper-open')
}
