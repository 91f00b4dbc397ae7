import { and, count, desc, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { type AreaUse, countAreaUse, removeAreas } from '#app/features/areas/areas.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import { chooseFreeSlug } from '#app/server/save-checks.ts'
import { describeSource, requireConnector } from './connectors.server.ts'
import type { cityDatasetShape } from './connectors.api.schema.ts'
import { isLargeCopy } from './large-copy-order.server.ts'
import type {
  Boundaries,
  Cell,
  CopiedColumn,
  DatasetChart,
  DatasetColumn,
  DataUse,
  PortalFaultCode,
  RowFilter,
} from './opencities.schema.ts'
import { computeChartSums, isForChart } from './dataset-drawings.server.ts'
import { loadDataUses } from './data-uses.server.ts'

type StoredDataset = typeof cityDatasets.$inferSelect

/** A copy in progress. */
export interface SynchronisationRun {
  /** Identifies the process doing the work: a process that reads a different token has lost the run. */
  token: string
  version: number
  rows: number
  cursor: Record<string, string | number> | null
  columns: CopiedColumn[]
  validators: { etag?: string; modified?: string }
  startedAt: string
}

/** A chart's sums, stored with a large copy. */
export interface ChartSums extends DatasetChart {
  points: { label: Cell; value: number }[]
  /** Number of distinct labels, including those not drawn. */
  groups: number
}

export type DatasetRow = Omit<
  StoredDataset,
  'columns' | 'copiedColumns' | 'chart' | 'boundaries' | 'drawn' | 'rowFilter' | 'run' | 'lastFault' | 'validators'
> & {
  columns: DatasetColumn[]
  copiedColumns: CopiedColumn[]
  chart: DatasetChart | null
  boundaries: Boundaries | null
  drawn: ChartSums | null
  rowFilter: RowFilter | null
  run: SynchronisationRun | null
  lastFault: { code: PortalFaultCode; at: string } | null
  validators: SynchronisationRun['validators'] | null
}

const MAX_INITIAL_COLUMNS = 12

const isAdministrable = (ctx: Ctx, more?: SQL): SQL | undefined =>
  and(eq(cityDatasets.siteId, ctx.site.id), checkPermission(ctx.viewer, 'site.edit').ok ? undefined : sql`false`, more)

export interface AdministeredDataset extends DatasetRow {
  areaUse: AreaUse
  /** Only set when it was loaded by id. */
  uses?: DataUse[]
}

async function addAreaUse(ctx: Ctx, tx: Tx, rows: DatasetRow[]): Promise<AdministeredDataset[]> {
  const areaUse = await countAreaUse(ctx, tx)
  return rows.map((row) => ({ ...row, areaUse }))
}

export const loadDatasetsById = (ctx: Ctx, ids: readonly string[]): Promise<AdministeredDataset[]> =>
  ctx.db.read(async (tx) => {
    const rows = await tx
      .select()
      .from(cityDatasets)
      .where(isAdministrable(ctx, inArray(cityDatasets.id, [...ids])))
    const found = await addAreaUse(ctx, tx, rows as DatasetRow[])
    if (found.length !== 1) return found
    return Promise.all(found.map(async (row) => ({ ...row, uses: await loadDataUses(ctx, tx, [row.id]) })))
  })

/** @throws {AppError} `forbidden` */
export async function listDatasets(
  ctx: Ctx,
  query: { connector: string | undefined; offset: number; limit: number },
): Promise<{ rows: AdministeredDataset[]; total: number }> {
  requirePermission(ctx, 'site.edit')
  const where = isAdministrable(ctx, query.connector ? eq(cityDatasets.connectorId, query.connector) : undefined)
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(cityDatasets).where(where)
    const rows = await tx
      .select()
      .from(cityDatasets)
      .where(where)
      .orderBy(desc(cityDatasets.updatedAt), cityDatasets.id)
      .limit(query.limit)
      .offset(query.offset)
    return { rows: await addAreaUse(ctx, tx, rows as DatasetRow[]), total: counted?.total ?? 0 }
  })
}

/**
 * Adds a dataset from a connector's portal to the site; the next job makes its first copy.
 * @returns the dataset's id
 * @throws {AppError} `forbidden`, or `invalid` with what the portal did wrong
 */
export async function createDataset(ctx: Ctx, input: CreateInput<typeof cityDatasetShape>): Promise<string> {
  requirePermission(ctx, 'site.edit')
  const connector = await requireConnector(ctx, input.connector)
  const facts = await describeSource(ctx, { connector: connector.id, source: input.sourceId })
  const language = facts.language ?? connector.language
  const title = input.titleTranslations ?? { [language]: facts.title.slice(0, 200) }
  const id = createId()
  const columns: DatasetColumn[] = facts.columns.map(({ key, label, type }, index) => ({
    key,
    type,
    name: label === key ? {} : { [language]: label.slice(0, 120) },
    shown: index < MAX_INITIAL_COLUMNS,
  }))
  await ctx.db.tx(async (tx) => {
    const slug = await chooseFreeSlug(undefined, title, ctx.site.locale, 'data', async (wanted) => {
      const found = await tx
        .select({ id: cityDatasets.id })
        .from(cityDatasets)
        .where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.slug, wanted)))
      return found.length > 0
    })
    await tx.insert(cityDatasets).values({
      siteId: ctx.site.id,
      id,
      connectorId: connector.id,
      projectId: input.project ?? null,
      slug,
      sourceId: facts.id,
      title,
      description: input.descriptionTranslations ?? (facts.description ? { [language]: facts.description.slice(0, 2000) } : {}),
      publisher: input.publisher ?? facts.publisher.slice(0, 200),
      licence: input.licence ?? facts.licence.slice(0, 200),
      licenceUrl: facts.licenceUrl,
      sourceUrl: facts.page,
      sourceUpdatedAt: facts.updatedAt ? new Date(facts.updatedAt) : null,
      columns,
      rowFilter: input.rowFilter ?? null,
      chart: input.chart ?? null,
      publishedAt: input.published ? ctx.now() : null,
      dueAt: ctx.now(),
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    })
    await recordDatasetChange(ctx, 'city-datasets.create', id, tx)
  })
  return id
}

/**
 * Updates the given fields. Names and publication take effect at once; changed columns or filters with the next copy, which is then due
 * immediately.
 * @throws {AppError} `forbidden`, `stale`, or `invalid` if the source lacks a named column
 */
export async function updateDataset(
  ctx: Ctx,
  row: DatasetRow,
  input: UpdateInput<typeof cityDatasetShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'site.edit')
  const columns = input.columns ? orderColumns(row.columns, input.columns) : row.columns
  const keys = new Set(columns.map((column) => column.key))
  for (const [pointer, key] of [
    ['/rowFilter/key', input.rowFilter?.key],
    ['/chart/label', input.chart?.label],
    ['/chart/values', input.chart?.values],
    ['/boundaries/name', input.boundaries?.name],
    ['/boundaries/postcodes', input.boundaries?.postcodes],
  ] as const) {
    if (key !== undefined && !keys.has(key)) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer }] })
  }
  const filter = input.rowFilter === undefined ? row.rowFilter : input.rowFilter
  const chart = input.chart === undefined ? row.chart : input.chart
  const boundaries = input.boundaries === undefined ? row.boundaries : input.boundaries
  const needsCopy =
    serialiseCopiedColumns(columns, chart) !== serialiseCopiedColumns(row.columns, row.chart) ||
    JSON.stringify(filter) !== JSON.stringify(row.rowFilter) ||
    (boundaries !== null && (boundaries.name !== row.boundaries?.name || boundaries.postcodes !== row.boundaries.postcodes))
  await ctx.db.tx(async (tx) => {
    if (input.boundaries) await clearOtherBoundaries(ctx, tx, row.id)
    else if (input.boundaries === null) await removeAreas(ctx, tx, row.id)
    const redrawn = chart && isLargeCopy(row.rowCount) && !(row.drawn && isForChart(row.drawn, chart))
    const changed = await tx
      .update(cityDatasets)
      .set({
        ...(redrawn && { drawn: await computeChartSums(ctx, tx, { ...row, columns, chart }) }),
        ...(input.titleTranslations && { title: input.titleTranslations }),
        ...(input.descriptionTranslations && { description: input.descriptionTranslations }),
        ...(input.publisher !== undefined && { publisher: input.publisher }),
        ...(input.licence !== undefined && { licence: input.licence }),
        ...(input.chart !== undefined && { chart: input.chart }),
        ...(input.boundaries !== undefined && { boundaries }),
        ...(input.project !== undefined && { projectId: input.project }),
        ...(input.published !== undefined && { publishedAt: input.published ? (row.publishedAt ?? ctx.now()) : null }),
        columns,
        rowFilter: filter,
        // No point in finishing a copy with the old columns; and the portal's "not modified" does not cover the new ones.
        ...(needsCopy && { dueAt: ctx.now(), run: null, leaseUntil: null, validators: null }),
        updatedAt: ctx.now(),
        lockVersion: sql`${cityDatasets.lockVersion} + 1`,
      })
      .where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, row.id), eq(cityDatasets.lockVersion, lockVersion)))
      .returning({ id: cityDatasets.id })
    if (!changed.length) throw new AppError('stale')
    await recordDatasetChange(ctx, 'city-datasets.update', row.id, tx, { changed: Object.keys(input) })
  })
}

/** A site has one set of areas. The existing ones stay until the new ones are copied: an area that keeps its name keeps its projects. */
const clearOtherBoundaries = (ctx: Ctx, tx: Tx, datasetId: string) =>
  tx
    .update(cityDatasets)
    .set({ boundaries: null, lockVersion: sql`${cityDatasets.lockVersion} + 1` })
    .where(and(eq(cityDatasets.siteId, ctx.site.id), ne(cityDatasets.id, datasetId), isNotNull(cityDatasets.boundaries)))

/** @throws {AppError} `forbidden` */
export async function deleteDataset(ctx: Ctx, row: DatasetRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await tx.delete(cityDatasets).where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, row.id)))
    await recordDatasetChange(ctx, 'city-datasets.delete', row.id, tx, { title: row.title })
  })
}

/** Datasets being copied or due for it, limited to those the viewer may administer. */
export const loadRunningDatasets = (ctx: Ctx, ids: readonly string[]): Promise<DatasetRow[]> =>
  ctx.db.read(async (tx) => {
    const underWay = sql`(${isNotNull(cityDatasets.run)} or ${cityDatasets.dueAt} <= ${ctx.now().toISOString()}::timestamptz)`
    const rows = await tx
      .select()
      .from(cityDatasets)
      .where(isAdministrable(ctx, and(inArray(cityDatasets.id, [...ids]), underWay)))
    return rows as DatasetRow[]
  })

/** Requests a new copy now, even from a paused portal. @throws {AppError} `forbidden` */
export async function beginSynchronisation(ctx: Ctx, datasetId: string): Promise<string> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await tx.execute(sql`update city_connectors c set paused_until = null, failures = 0 from city_datasets d
      where d.site_id = ${ctx.site.id} and d.id = ${datasetId} and c.site_id = d.site_id and c.id = d.connector_id`)
    await tx
      .update(cityDatasets)
      .set({ dueAt: ctx.now(), validators: null })
      .where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, datasetId)))
    await recordDatasetChange(ctx, 'city-datasets.synchronise', datasetId, tx)
  })
  return datasetId
}

/** Cancels the copy in progress; the current one stays until the next is due. @throws {AppError} `forbidden` */
export async function cancelSynchronisation(ctx: Ctx, row: DatasetRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  const connector = await requireConnector(ctx, row.connectorId)
  const dueAt = new Date(ctx.now().getTime() + connector.everyMinutes * 60_000)
  await ctx.db.tx(async (tx) => {
    await tx
      .update(cityDatasets)
      .set({ run: null, leaseUntil: null, dueAt })
      .where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, row.id)))
    await recordDatasetChange(ctx, 'city-datasets.cancel', row.id, tx)
  })
}

/** The columns a copy stores: those shown or charted, with their types. */
export const pickCopiedColumns = (columns: readonly DatasetColumn[], chart: DatasetChart | null): CopiedColumn[] =>
  columns.filter(({ key, shown }) => shown || key === chart?.label || key === chart?.values).map(({ key, type }) => ({ key, type }))

const serialiseCopiedColumns = (columns: readonly DatasetColumn[], chart: DatasetChart | null) =>
  JSON.stringify(pickCopiedColumns(columns, chart).toSorted((a, b) => (a.key < b.key ? -1 : 1)))

/** The columns in the given order and with the given names; columns that were left out follow, hidden. */
function orderColumns(own: readonly DatasetColumn[], given: readonly DatasetColumn[]): DatasetColumn[] {
  const keys = new Set(own.map((column) => column.key))
  const unknown = given.findIndex((column) => !keys.has(column.key))
  if (unknown >= 0) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: `/columns/${unknown}/key` }] })
  const named = new Set(given.map((column) => column.key))
  return [...given, ...own.filter((column) => !named.has(column.key)).map((column) => ({ ...column, shown: false }))]
}

async function recordDatasetChange(
  ctx: Ctx,
  action: AuditAction,
  id: string,
  tx: Parameters<Parameters<Ctx['db']['tx']>[0]>[0],
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(ctx, tx, { action, subject: { type: 'city-datasets', id }, detail })
}
