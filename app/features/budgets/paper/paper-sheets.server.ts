import { and, eq, inArray } from 'drizzle-orm'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { createId } from '#app/lib/uuid.ts'
import type { PaperSheetState } from '#app/lib/vocabulary/budgets.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetPaperBatches, budgetPaperSheets, budgetPaperTypings } from '#app/server/db/schema/budgets.ts'
import { loadBallotOptions, loadPots, type PlacedRound, requireRoundFor, type RoundRow } from '../budgets.policy.server.ts'
import { recordBudgetAudit } from '../managing/budget-audit.server.ts'
import { findBallotFaults } from '../voting/ballot-rules.ts'
import { toFault, toOffered } from '../voting/cast-ballot.server.ts'
import { lockOpenBatch, type PlacedBatch, selectKnownBatches } from './paper-batches.server.ts'
import type { paperSheetShape, paperTypingShape } from './paper.api.schema.ts'
import { hashSheetCode } from './paper-codes.server.ts'
import { judgeSheet, loadSheets, type Reading, type TypedSheet } from './typed-sheets.server.ts'

export const listPaperSheets = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof paperSheetShape>): Promise<ListResult<TypedSheet>> =>
  ctx.db.read(async (tx) => {
    const known = await selectKnownBatches(ctx, tx, filter.batch ? [filter.batch] : undefined)
    const sheets = await loadSheets(
      tx,
      known.map(({ batch }) => batch),
    )
    const wanted = sheets.filter(({ state }) => !filter.state || filter.state.includes(state))
    const sorted = sort[0]?.descending ? wanted.toReversed() : wanted
    return { rows: sorted.slice(page.offset, page.offset + page.limit), total: wanted.length }
  })

export const loadPaperSheets = (ctx: Ctx, ids: readonly string[]): Promise<TypedSheet[]> =>
  ctx.db.read(async (tx) => {
    const found = await tx
      .selectDistinct({ batchId: budgetPaperSheets.batchId })
      .from(budgetPaperSheets)
      .where(and(eq(budgetPaperSheets.siteId, ctx.site.id), inArray(budgetPaperSheets.id, [...ids])))
    if (found.length === 0) return []
    const known = await selectKnownBatches(
      ctx,
      tx,
      found.map(({ batchId }) => batchId),
    )
    const sheets = await loadSheets(
      tx,
      known.map(({ batch }) => batch),
    )
    return sheets.filter(({ id }) => ids.includes(id))
  })

interface Typed {
  options: readonly number[]
  points?: readonly number[] | undefined
  spoiltReason?: string | undefined
}

/**
 * What was typed, if it is a ballot that could be cast; a spoilt sheet says nothing. An option that was withdrawn stays on sheets that were printed
 * before, and its voter is a voter.
 * @throws {AppError} `invalid` with the ballot's faults, or with `required` for a spoilt sheet without a reason
 */
async function readTyped(tx: Tx, round: RoundRow, { options: numbers, points: given, spoiltReason }: Typed): Promise<Reading> {
  if (spoiltReason === '') throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/spoiltReason' }] })
  if (spoiltReason !== undefined) return { options: [], points: null, spoiltReason }
  const points = Object.fromEntries(numbers.map((number, at) => [number, given?.[at] ?? 0]))
  const offered = (await loadBallotOptions(tx, round)).map((option) => ({ ...toOffered(option), isWithdrawn: false }))
  const faults = findBallotFaults(round, await loadPots(tx, round), offered, numbers, points)
  if (faults.length > 0) throw new AppError('invalid', { faults: faults.map(toFault) })
  const options = numbers.toSorted((a, b) => a - b)
  return { options, points: round.ballotType === 'points' ? options.map((number) => points[number] ?? 0) : null, spoiltReason: null }
}

/** The batch, kept open while its sheets are typed. @throws {AppError} `not-found`, `forbidden`, `conflict` once it is accepted */
async function lockBatchFor(ctx: Ctx, tx: Tx, batchId: string): Promise<PlacedBatch> {
  const [row] = await tx
    .select()
    .from(budgetPaperBatches)
    .where(and(eq(budgetPaperBatches.siteId, ctx.site.id), eq(budgetPaperBatches.id, batchId)))
  if (!row) throw new AppError('not-found')
  const placed = await requireRoundFor(ctx, tx, 'budgets.edit', row.roundId)
  return { ...placed, id: row.id, batch: await lockOpenBatch(tx, row, 'share') }
}

export interface NewTyping {
  id: string
  batchId: string
  number: number
  state: PaperSheetState
}

/**
 * Stores the marks of a sheet as one of two people typed them. The second person does not see what the first one typed.
 * @throws {AppError} `not-found`, `forbidden`, `conflict` once the batch is accepted; `invalid` with `sheet-unknown` at `/code` and with the ballot's faults;
 * `sheet-typed` if two people have typed it; `typed-by-you`
 */
export async function typeSheet(
  ctx: Ctx,
  { batch: batchId, code: typedCode, ...typed }: CreateInput<typeof paperTypingShape>,
): Promise<NewTyping> {
  const typist = ctx.viewer.kind === 'user' ? ctx.viewer.id : null
  return ctx.db.tx(async (tx) => {
    const { batch, round } = await lockBatchFor(ctx, tx, batchId)
    const sheet = await lockSheet(ctx, tx, batch.id, typedCode)
    const before = await tx
      .select()
      .from(budgetPaperTypings)
      .where(and(eq(budgetPaperTypings.siteId, ctx.site.id), eq(budgetPaperTypings.sheetId, sheet.id)))
      .orderBy(budgetPaperTypings.turn)
    if (before.length > 1) throw new AppError('sheet-typed')
    if (before.some(({ typedBy }) => typedBy === typist)) throw new AppError('typed-by-you')
    const reading = await readTyped(tx, round, typed)
    const row = { siteId: ctx.site.id, id: createId(), sheetId: sheet.id, turn: before.length + 1, ...reading, typedBy: typist }
    await tx.insert(budgetPaperTypings).values(row)
    return { id: row.id, batchId: batch.id, number: sheet.number, state: judgeSheet([...before, row], null).state }
  })
}

/** Of two people who type the same sheet at once, the second waits here for the first. */
async function lockSheet(ctx: Ctx, tx: Tx, batchId: string, typed: string): Promise<typeof budgetPaperSheets.$inferSelect> {
  const code = parseReceiptCode(typed)
  const [sheet] = code
    ? await tx
        .select()
        .from(budgetPaperSheets)
        .where(
          and(
            eq(budgetPaperSheets.siteId, ctx.site.id),
            eq(budgetPaperSheets.batchId, batchId),
            eq(budgetPaperSheets.codeHash, hashSheetCode(ctx, code)),
          ),
        )
        .for('update')
    : []
  if (!sheet) throw new AppError('invalid', { faults: [{ code: 'sheet-unknown', pointer: '/code' }] })
  return sheet
}

/**
 * Settles what is on a sheet that two people have typed differently, by looking at it once more. Audited without what it says.
 * @throws {AppError} `not-found`, `forbidden`; `conflict` unless they differ; `invalid` with the ballot's faults
 */
export async function settleSheet(ctx: Ctx, { id, batchId }: TypedSheet, input: UpdateInput<typeof paperSheetShape>): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await lockBatchFor(ctx, tx, batchId)
    const isIt = and(eq(budgetPaperSheets.siteId, ctx.site.id), eq(budgetPaperSheets.id, id))
    await tx.select({ id: budgetPaperSheets.id }).from(budgetPaperSheets).where(isIt).for('update')
    const sheet = (await loadSheets(tx, [placed.batch])).find((one) => one.id === id)
    if (sheet?.state !== 'differs') throw new AppError('conflict')
    const reading = await readTyped(tx, placed.round, { ...input, options: input.options ?? [] })
    const typedBy = ctx.viewer.kind === 'user' ? ctx.viewer.id : null
    await tx.insert(budgetPaperTypings).values({ siteId: ctx.site.id, id: createId(), sheetId: id, turn: 3, ...reading, typedBy })
    await recordSettled(ctx, tx, placed, sheet.number)
  })
}

const recordSettled = (ctx: Ctx, tx: Tx, placed: PlacedRound & PlacedBatch, sheet: number): Promise<void> =>
  recordBudgetAudit(ctx, tx, placed, { action: 'budgets.settle-sheet', detail: { batch: placed.batch.number, sheet } })
