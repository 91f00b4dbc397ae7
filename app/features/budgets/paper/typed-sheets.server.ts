import { and, asc, eq, inArray } from 'drizzle-orm'
import type { PaperOutcome, PaperSheetState } from '#app/lib/vocabulary/budgets.ts'
import type { Tx } from '#app/server/db/client.ts'
import { budgetPaperSheets, budgetPaperTypings } from '#app/server/db/schema/budgets.ts'

/** The marks on a sheet, as one person typed them. */
export interface Reading {
  /** In ascending order. */
  options: number[]
  points: number[] | null
  /** Null for a valid ballot. */
  spoiltReason: string | null
}

export interface TypedSheet {
  id: string
  batchId: string
  number: number
  codeHash: Buffer
  state: PaperSheetState
  /** What two people typed, while they differ. */
  readings: Reading[]
  /** What counts; undefined until it is agreed or settled. */
  reading: Reading | undefined
}

type TypingRow = typeof budgetPaperTypings.$inferSelect

const isSame = (a: Reading, b: Reading): boolean =>
  a.spoiltReason !== null || b.spoiltReason !== null
    ? a.spoiltReason !== null && b.spoiltReason !== null
    : JSON.stringify([a.options, a.points]) === JSON.stringify([b.options, b.points])

/** Where a sheet stands by what was typed of it, which is in the order of its turns. */
export function judgeSheet(
  typings: readonly TypingRow[],
  outcome: PaperOutcome | null,
): Pick<TypedSheet, 'state' | 'readings' | 'reading'> {
  if (outcome) return { state: outcome, readings: [], reading: undefined }
  const [first, second, settled] = typings.map(({ options, points, spoiltReason }): Reading => ({ options, points, spoiltReason }))
  if (!first || !second) return { state: first ? 'typed_once' : 'untyped', readings: [], reading: undefined }
  const reading = settled ?? (isSame(first, second) ? first : undefined)
  if (!reading) return { state: 'differs', readings: [first, second], reading: undefined }
  return { state: reading.spoiltReason === null ? 'agreed' : 'spoilt', readings: [], reading }
}

/** All sheets of batches, by number. */
export async function loadSheets(tx: Tx, batches: readonly { siteId: string; id: string }[]): Promise<TypedSheet[]> {
  const [first] = batches
  if (!first) return []
  const isTheirs = and(
    eq(budgetPaperSheets.siteId, first.siteId),
    inArray(
      budgetPaperSheets.batchId,
      batches.map(({ id }) => id),
    ),
  )
  const rows = await tx
    .select()
    .from(budgetPaperSheets)
    .where(isTheirs)
    .orderBy(asc(budgetPaperSheets.batchId), asc(budgetPaperSheets.number))
  const typings = await tx
    .select({ typing: budgetPaperTypings })
    .from(budgetPaperTypings)
    .innerJoin(
      budgetPaperSheets,
      and(eq(budgetPaperSheets.siteId, budgetPaperTypings.siteId), eq(budgetPaperSheets.id, budgetPaperTypings.sheetId)),
    )
    .where(isTheirs)
    .orderBy(asc(budgetPaperTypings.turn))
  const bySheet = Map.groupBy(
    typings.map(({ typing }) => typing),
    ({ sheetId }) => sheetId,
  )
  return rows.map(({ id, batchId, number, codeHash, outcome }) => ({
    id,
    batchId,
    number,
    codeHash,
    ...judgeSheet(bySheet.get(id) ?? [], outcome),
  }))
}

/** Sheets of the batches that at least one person has typed. */
export const loadTypedSheets = async (tx: Tx, batches: readonly { siteId: string; id: string }[]): Promise<TypedSheet[]> =>
  (await loadSheets(tx, batches)).filter(({ state }) => state !== 'untyped')
