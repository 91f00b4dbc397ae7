import { and, asc, sql } from 'drizzle-orm'
import { type Box, isInBox, type Position } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows } from '#app/server/db/schema/opencities.ts'
import { isInCopy, listShownColumns } from './copy-columns.server.ts'
import type { DatasetRow } from './datasets.server.ts'
import { isLargeCopy } from './large-copy-order.server.ts'
import { findMatchingRows, isAtPositions } from './large-search.server.ts'
import type { Cell } from './opencities.schema.ts'
import { loadPublishedDatasetRows } from './published-datasets.server.ts'
import { parseSearchWords } from './search-words.ts'

/** Only the site's first datasets with places are searched, and only so many rows of each that have all the words. Areas have their own names and postcodes. */
const MAX_DATASETS = 10
const MAX_MATCHES = 50

export interface FoundPlace {
  name: string
  point: Position
}

/**
 * Places of published datasets whose row has all the typed words, best first: addresses in a register of addresses, or buildings by their
 * names. The first dataset that has any answers.
 * @param within the area to stay in
 */
export async function findPlacesInData(ctx: Ctx, tx: Tx, typed: string, within: Box | undefined, most: number): Promise<FoundPlace[]> {
  const words = parseSearchWords(typed)
  if (words.length === 0) return []
  const searched = (await loadPublishedDatasetRows(ctx, tx, null)).flatMap(({ row }) => {
    const columns = listShownColumns(ctx, row)
    const place = columns.find(({ view }) => view.type === 'place')
    const named = columns.filter(({ view }) => view.type === 'text')
    return place && named.length > 0 && !row.boundaries ? [{ row, place: place.index, named: named.map(({ index }) => index) }] : []
  })
  for (const { row, place, named } of searched.slice(0, MAX_DATASETS)) {
    const found = (await loadMatches(ctx, tx, row, words)).flatMap((cells): RankedPlace[] => {
      const point = cells[place]
      const name = chooseName(
        named.map((index) => cells[index]).filter((cell) => typeof cell === 'string'),
        words,
      )
      return name && Array.isArray(point) && (!within || isInBox(point, within)) ? [{ ...name, point }] : []
    })
    const best = found.toSorted((a, b) => b.rank - a.rank).slice(0, most)
    if (best.length > 0) return best.map(({ name, point }) => ({ name, point }))
  }
  return []
}

interface RankedPlace extends FoundPlace {
  /** How many of the typed words it has whole. */
  rank: number
}

async function loadMatches(ctx: Ctx, tx: Tx, row: DatasetRow, words: readonly string[]): Promise<Cell[][]> {
  const found = isLargeCopy(row.rowCount) ? await findMatchingRows(ctx, tx, row, words) : undefined
  const matches = found
    ? [isAtPositions(found.positions.slice(0, MAX_MATCHES))]
    : words.map((word) => sql`position(${` ${word}`} in ' ' || ${cityDatasetRows.words}) > 0`)
  const rows = await tx
    .select({ cells: cityDatasetRows.cells })
    .from(cityDatasetRows)
    .where(and(isInCopy(ctx, row), ...matches))
    .orderBy(asc(cityDatasetRows.position))
    .limit(MAX_MATCHES)
  return rows.map(({ cells }) => cells as Cell[])
}

/** The text that has most of the typed words. */
function chooseName(texts: readonly string[], words: readonly string[]): Omit<RankedPlace, 'point'> | undefined {
  const ranked = texts.filter(Boolean).map((name) => {
    const own = new Set(parseSearchWords(name))
    return { name, rank: words.filter((word) => own.has(word)).length }
  })
  return ranked.toSorted((a, b) => b.rank - a.rank)[0]
}
