import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { selectAreaName } from '#app/features/areas/area-names.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lookUpRows } from '#app/server/db/look-up-rows.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { CONTRIBUTIONS_PER_PAGE } from '../record/contributions.schema.ts'
import { selectPhotos } from '../photos/stored-photos.server.ts'
import type { PhotoView } from '../record/photos.schema.ts'
import { countInSquares, type CountedSquares, type Matches, selectMatches, sumSquares, toMatches } from '../places/place-map.server.ts'
import { selectPublicAnswers, type StoredAnswer } from '../record/answers.server.ts'
import type { ContributionRow } from '../record/loading.server.ts'

interface PageRow {
  row: ContributionRow
  area: string | null
  photos: PhotoView[]
  answers: StoredAnswer[]
}

interface AskedPage {
  where: SQL | undefined
  order: SQL[]
  page: number
}

interface LoadedPage extends Matches {
  /** A page beyond the end is the last one. */
  page: number
  pages: number
  rows: PageRow[]
  /** What matches, in squares of the map, if its box was known. */
  squares?: CountedSquares['squares']
}

const isItsArea = and(eq(areas.siteId, contributions.siteId), eq(areas.id, contributions.areaId))
const selectColumns = (ctx: Ctx) => ({
  row: contributions,
  area: selectAreaName(ctx),
  photos: selectPhotos(),
  answers: selectPublicAnswers(),
})
const selectRows = (ctx: Ctx, tx: Tx, found: typeof contributions = contributions) =>
  tx.select(selectColumns(ctx)).from(found).leftJoin(areas, isItsArea)

/** Sorts ids, not whole texts: with ten thousand that is the dearest part. */
function isOnPage(ctx: Ctx, tx: Tx, { where, order, page }: AskedPage): SQL | undefined {
  const shown = tx
    .select({ id: contributions.id })
    .from(contributions)
    .where(where)
    .orderBy(...order)
    .limit(CONTRIBUTIONS_PER_PAGE)
    .offset((page - 1) * CONTRIBUTIONS_PER_PAGE)
  return and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, shown))
}

/** A page of what matches, all about its entries, and how many match, in one statement. */
export async function loadPage(ctx: Ctx, tx: Tx, asked: AskedPage): Promise<LoadedPage> {
  const counted = tx.$with('counted').as(selectMatches(tx, asked.where))
  const { total, placed, west, south, east, north } = counted
  const found = await tx
    .with(counted)
    .select({ matches: { total, placed, west, south, east, north }, ...selectColumns(ctx) })
    .from(counted)
    .leftJoin(contributions, isOnPage(ctx, tx, asked))
    .leftJoin(areas, isItsArea)
    .orderBy(...asked.order)
  const matches = toMatches(found[0]?.matches)
  const pages = countPages(matches)
  if (asked.page > pages) return loadPage(ctx, tx, { ...asked, page: pages })
  const rows = found.flatMap(({ row, area, photos, answers }) => (row ? [{ row, area, photos, answers }] : []))
  return { ...matches, page: asked.page, pages, rows }
}

type MappedPage = AskedPage & Omit<Parameters<typeof countInSquares>[2], 'searched'>

/** The same with a map: its squares are one statement, the page another that does not wait for the first. */
export async function loadMappedPage(ctx: Ctx, tx: Tx, asked: MappedPage, found: SQL | undefined): Promise<LoadedPage> {
  if (found) return loadFoundPage(ctx, tx, { ...asked, found })
  const loadRows = (page: number) =>
    selectRows(ctx, tx)
      .where(isOnPage(ctx, tx, { ...asked, page }))
      .orderBy(...asked.order)
  const [{ squares }, rows] = await Promise.all([countInSquares(ctx, tx, asked), loadRows(asked.page)])
  const matches = sumSquares(squares)
  const pages = countPages(matches)
  const page = Math.min(asked.page, pages)
  return { ...matches, squares, page, pages, rows: page === asked.page ? rows : await loadRows(page) }
}

/** The same if words are searched for: the statement of the squares also tells what the page shows. */
async function loadFoundPage(ctx: Ctx, tx: Tx, asked: MappedPage & { found: SQL }): Promise<LoadedPage> {
  const { page } = asked
  const { squares, shown = [] } = await countInSquares(ctx, tx, { ...asked, searched: asked })
  const matches = sumSquares(squares)
  const pages = countPages(matches)
  if (page > pages) return loadFoundPage(ctx, tx, { ...asked, page: pages })
  const rows = await selectRows(ctx, tx, lookUpRows(contributions, ctx.site.id, shown))
  rows.sort((a, b) => shown.indexOf(a.row.id) - shown.indexOf(b.row.id))
  return { ...matches, squares, page, pages, rows }
}

const countPages = ({ total }: Matches): number => Math.max(1, Math.ceil(total / CONTRIBUTIONS_PER_PAGE))
