import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { assertVisible } from '#app/features/projects/projects.policy.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { foldText } from '#app/lib/fold.ts'
import { isSlug } from '#app/lib/slug.ts'
import { wordsIn } from '#app/lib/words.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows, cityDatasets, projects } from '#app/server/db/schema.ts'
import type { DatasetRow } from './datasets.server.ts'
import { type Cell, MOST_SORTED_ROWS, ROWS_PER_PAGE } from './opencities.schema.ts'
import { ofCopy, shownColumns } from './copy-columns.server.ts'
import { readChart, readMap } from './reading.drawings.server.ts'
import type { DatasetSearch, DatasetTeaser, DatasetView } from './reading.schema.ts'

/** Datasets people may see: published, with a copy to show. */
const published = (ctx: Ctx, more?: SQL): SQL | undefined =>
  and(eq(cityDatasets.siteId, ctx.site.id), isNotNull(cityDatasets.publishedAt), gt(cityDatasets.version, 0), more)

/** Published datasets of the site itself, or of one project whose page is seen anyway. */
export async function listPublishedDatasets(ctx: Ctx, input: { project: string | null }): Promise<DatasetTeaser[]> {
  return ctx.db.tx(async (tx) => {
    const project = input.project === null ? undefined : await visibleProject(ctx, tx, { slug: input.project })
    if (input.project !== null && !project) return []
    const rows = await tx
      .select()
      .from(cityDatasets)
      .where(published(ctx, project ? eq(cityDatasets.projectId, project.id) : isNull(cityDatasets.projectId)))
      .orderBy(asc(cityDatasets.createdAt), asc(cityDatasets.id))
      .limit(100)
    return rows.map((row) => teaser(ctx, row as DatasetRow))
  })
}

/**
 * A published dataset with one page of its table. Searching and sorting are left out where the table is too large for them.
 * @throws {AppError} `not-found`, also where its project may not be seen
 */
export function getDataset(ctx: Ctx, input: { slug: string; search: DatasetSearch }): Promise<DatasetView> {
  return ctx.db.tx(async (tx) => {
    const { row, project } = await findPublished(ctx, tx, input.slug)
    const searchable = row.rowCount <= MOST_SORTED_ROWS
    const shown = shownColumns(ctx, row)
    const words = searchable
      ? foldText(input.search.q ?? '')
          .split(' ')
          .filter(Boolean)
          .slice(0, 8)
      : []
    const where = and(ofCopy(ctx, row), ...words.map((word) => sql`position(${word} in ${cityDatasetRows.words}) > 0`))
    const total = words.length ? await countRows(tx, where) : row.rowCount
    const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE))
    const page = Math.min(input.search.page ?? 1, pages)
    const first = (page - 1) * ROWS_PER_PAGE
    const sort = searchable ? shown.find(({ view }) => view.id === input.search.sort?.replace(/^-/, '')) : undefined
    const direction = sql.raw(input.search.sort?.startsWith('-') ? 'desc' : 'asc')
    const inOrder = !words.length && !sort
    const found = await tx
      .select({ cells: cityDatasetRows.cells })
      .from(cityDatasetRows)
      // Without a search the position itself is the page: no row before it is read.
      .where(
        inOrder
          ? and(where, sql`${cityDatasetRows.position} >= ${first} and ${cityDatasetRows.position} < ${first + ROWS_PER_PAGE}`)
          : where,
      )
      .orderBy(
        ...(sort ? [sql`nullif(${cityDatasetRows.cells} -> ${sql.raw(String(sort.index))}, 'null') ${direction} nulls last`] : []),
        asc(cityDatasetRows.position),
      )
      .limit(ROWS_PER_PAGE)
      .offset(inOrder ? 0 : first)
    const cells = found.map((one) => one.cells as Cell[])
    const seen: DatasetSearch = {
      ...(words.length && input.search.q ? { q: input.search.q } : {}),
      ...(sort && input.search.sort ? { sort: input.search.sort } : {}),
      ...(page > 1 ? { page } : {}),
    }
    return {
      ...teaser(ctx, row),
      project: project && { slug: project.slug, title: wordsIn(project.title, ctx.language, ctx.site.locale) },
      licenceUrl: httpOnly(row.licenceUrl),
      sourceUrl: httpOnly(row.sourceUrl),
      sourceUpdatedAt: row.sourceUpdatedAt?.toISOString() ?? null,
      checkedAt: (row.checkedAt ?? row.synchronisedAt ?? ctx.now()).toISOString(),
      failing: row.lastFault !== null,
      columns: shown.map(({ view }) => view),
      table: cells.map((row) => shown.map(({ index }) => row[index] ?? null)),
      total,
      page,
      pages,
      search: seen,
      searchable,
      chart: searchable ? await readChart(ctx, tx, row) : null,
      map: await readMap(ctx, tx, row, where, cells),
      now: ctx.now().toISOString(),
    }
  })
}

/** The dataset with this slug, if the viewer may see it. @throws {AppError} `not-found` */
export async function findPublished(ctx: Ctx, tx: Tx, slug: string) {
  if (!isSlug(slug)) throw new AppError('not-found')
  const [found] = await tx
    .select()
    .from(cityDatasets)
    .where(published(ctx, eq(cityDatasets.slug, slug)))
  if (!found) throw new AppError('not-found')
  const row = found as DatasetRow
  const project = row.projectId ? await visibleProject(ctx, tx, { id: row.projectId }) : null
  if (project === undefined) throw new AppError('not-found')
  return { row, project }
}

async function visibleProject(ctx: Ctx, tx: Tx, which: { slug: string } | { id: string }) {
  const [row] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), 'id' in which ? eq(projects.id, which.id) : eq(projects.slug, which.slug)))
  if (!row) return undefined
  try {
    await assertVisible(ctx, tx, row)
    return row
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

async function countRows(tx: Tx, where: SQL | undefined): Promise<number> {
  const [counted] = await tx
    .select({ total: sql<number>`count(*)::int` })
    .from(cityDatasetRows)
    .where(where)
  return counted?.total ?? 0
}

function teaser(ctx: Ctx, row: DatasetRow): DatasetTeaser {
  return {
    slug: row.slug,
    title: wordsIn(row.title, ctx.language, ctx.site.locale),
    description: wordsIn(row.description, ctx.language, ctx.site.locale),
    rows: row.rowCount,
    publisher: row.publisher,
    licence: row.licence,
    synchronisedAt: (row.synchronisedAt ?? ctx.now()).toISOString(),
  }
}

/** An address that came from a portal is a link only where it leads to a page. */
const httpOnly = (address: string | null): string | null =>
  address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null
