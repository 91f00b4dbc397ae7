import { randomUUID } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { MAX_AREAS } from '#app/features/areas/areas.schema.ts'
import { type AreaShape, replaceAreas } from '#app/features/areas/areas.server.ts'
import { parsePostcodes } from '#app/features/areas/postcodes.schema.ts'
import { parseRings } from '#app/features/areas/polygons.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { attemptWork } from '#app/server/jobs/attempt-work.ts'
import { describeError } from '#app/server/log.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { keepLeaseAliveDuring } from '#app/server/keep-lease-alive.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { CellTooLarge, parseCell, toSourceLocale } from './parse-cells.ts'
import type { ConnectorRow } from './connectors.server.ts'
import { insertRows, deleteCopies, type CopyRow } from './dataset-copies.server.ts'
import { pickCopiedColumns, type DatasetRow, type ChartSums, type SynchronisationRun } from './datasets.server.ts'
import { selectDueDatasets } from './due-datasets.server.ts'
import { writeCommonWordIndex } from './common-word-index.server.ts'
import { isLargeCopy, writeSortOrder } from './large-copy-order.server.ts'
import { writeWordIndex } from './large-word-index.server.ts'
import { type Boundaries, type DatasetFacts, MAX_ROWS } from './opencities.schema.ts'
import { findFaultCode, openPortal } from './portals/open-portal.server.ts'
import { type Cursor, isTransient, PortalFault, type SourceRow, UNCHANGED, type Validators } from './portals/portal.server.ts'
import { computeChartSums } from './dataset-drawings.server.ts'
import { recordFailure } from './synchronise.failures.server.ts'
import { toSearchText } from './search-words.ts'

const MAX_NAME_LENGTH = 120
/** How long a dataset stays with a process after its last sign of life. */
const LEASE_MS = 120_000
/** Then other datasets get their chance; the next turn resumes after the last batch. */
const MAX_TURN_MS = 30 * 60_000
/** The lease while the database sorts a whole copy. */
const LONG_LEASE_MS = 15 * 60_000
const RENEWALS_PER_LEASE = 3
/** Datasets copied concurrently in one process, so that a slow portal does not hold up the others. */
const CONCURRENCY = 3

interface ClaimedDataset {
  dataset: DatasetRow
  connector: ConnectorRow
}

/**
 * Makes all copies that are due, on every site, and resumes interrupted ones.
 * @param leaseMs how long a dataset is reserved for this process without renewal @returns number of attempts
 */
export async function synchroniseDue(runtime: Runtime, leaseMs = LEASE_MS): Promise<number> {
  const runWorker = () =>
    runOnEachSite(runtime, async (ctx) => {
      let tried = 0
      for (let next = await claimDataset(ctx, leaseMs); next; next = await claimDataset(ctx, leaseMs)) {
        tried += 1
        const claimed = next
        // A slow portal or a large file can be silent for longer than the lease.
        const keepLease = () => renewLease(ctx, claimed.dataset, leaseMs)
        await keepLeaseAliveDuring(leaseMs / RENEWALS_PER_LEASE, keepLease, () => synchroniseDataset(ctx, claimed))
      }
      return tried
    })
  const done = await Promise.allSettled(Array.from({ length: CONCURRENCY }, runWorker))
  const failed = done.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return done.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0)
}

/** The next due dataset, leased to this process. Skips portals that are paused after repeated failures. */
function claimDataset(ctx: Ctx, leaseMs: number): Promise<ClaimedDataset | undefined> {
  const now = ctx.now()
  return ctx.db.tx(async (tx) => {
    const [due] = await selectDueDatasets(ctx, tx)
      .orderBy(asc(cityDatasets.dueAt))
      .limit(1)
      .for('update', { of: cityDatasets, skipLocked: true })
    if (!due) return undefined
    const dataset = due.dataset as DatasetRow
    const run: SynchronisationRun = dataset.run
      ? { ...dataset.run, token: randomUUID() }
      : {
          token: randomUUID(),
          version: dataset.version + 1,
          rows: 0,
          cursor: null,
          columns: pickCopiedColumns(dataset.columns, dataset.chart),
          validators: {},
          startedAt: now.toISOString(),
        }
    await tx
      .update(cityDatasets)
      .set({ run, leaseUntil: new Date(now.getTime() + leaseMs) })
      .where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, dataset.id)))
    return { dataset: { ...dataset, run }, connector: due.connector }
  })
}

/** Another process has taken over the run, or an administrator cancelled it. */
class RunLost extends Error {}

async function synchroniseDataset(ctx: Ctx, { dataset, connector }: ClaimedDataset): Promise<void> {
  const run = dataset.run
  if (!run) return
  const ending = new AbortController()
  const copy = async (): Promise<void> => {
    const { portal, reader, url } = openPortal(ctx, connector, ending.signal)
    const requestRows = (cursor: Cursor | undefined, validators: Validators | undefined) =>
      portal.rows(reader, url, dataset.sourceId, { columns: run.columns, cursor, validators })
    // Shapes are not stored between two halves of a copy.
    if (dataset.boundaries) Object.assign(run, { cursor: null, rows: 0 })
    let answer = await requestRows(
      run.cursor ?? undefined,
      run.cursor || dataset.version === 0 ? undefined : (dataset.validators ?? undefined),
    )
    if (answer === UNCHANGED) return await finishUnchanged(ctx, connector, dataset, run)
    if (run.cursor && JSON.stringify(answer.validators) !== JSON.stringify(run.validators)) {
      // The data changed since the first half was copied, so start again.
      await answer.batches.return(undefined)
      Object.assign(run, { cursor: null, rows: 0 })
      answer = await requestRows(undefined, undefined)
      if (answer === UNCHANGED) return await finishUnchanged(ctx, connector, dataset, run)
    }
    if (!run.cursor) await deleteCopies(ctx, dataset.id, { except: dataset.version })
    const started: SynchronisationRun = { ...run, validators: answer.validators }
    const facts = await portal.describe(reader, url, dataset.sourceId)
    requireColumns(started, facts)
    const shapes = new Map<string, AreaShape>()
    const done = await copyRows(ctx, dataset, connector, started, answer.batches, shapes)
    const drawn = isLargeCopy(done.rows) ? await prepareLargeCopy(ctx, dataset, done) : null
    await replaceCopy(ctx, connector, dataset, done, facts, drawn, shapes)
  }
  try {
    await attemptWork(copy, (error) => (error instanceof RunLost ? undefined : recordError(ctx, { dataset, connector }, run, error)))
  } finally {
    ending.abort()
  }
}

/** What stopped a copy, in the log and at its dataset. */
async function recordError(ctx: Ctx, { dataset, connector }: ClaimedDataset, run: SynchronisationRun, error: unknown): Promise<void> {
  const code = error instanceof CellTooLarge ? 'portal-cell-too-large' : findFaultCode(error)
  if (!code) ctx.runtime.log.error(`city dataset ${dataset.id} could not be copied`, describeError(error))
  else ctx.runtime.log.warn('a city dataset could not be copied', { siteId: ctx.site.id, dataset: dataset.id, why: code })
  await recordFailure(ctx, connector, dataset, run, {
    code: code ?? 'portal-not-understood',
    keepRun: code !== undefined && isTransient(code),
    retryAfter: error instanceof PortalFault ? error.retryAfter : undefined,
  })
}

function requireColumns(run: SynchronisationRun, facts: DatasetFacts): void {
  const keys = new Set(facts.columns.map((column) => column.key))
  const gone = run.columns.filter((column) => !keys.has(column.key))
  if (gone.length > 0) throw new PortalFault('portal-columns-changed', `gone: ${gone.map((column) => column.key).join(', ')}`)
}

/** Copies rows batch by batch. Each batch is stored in one transaction with its end position, so that no row is lost or stored twice. */
async function copyRows(
  ctx: Ctx,
  dataset: DatasetRow,
  connector: ConnectorRow,
  started: SynchronisationRun,
  batches: AsyncGenerator<{ rows: SourceRow[]; cursor: Cursor }>,
  shapes: Map<string, AreaShape>,
): Promise<SynchronisationRun> {
  const sourceLocale = toSourceLocale(connector.language, ctx.site.region)
  const filter = dataset.rowFilter
  const until = ctx.now().getTime() + MAX_TURN_MS
  let run = started
  for await (const batch of batches) {
    if (ctx.now().getTime() > until) throw new PortalFault('portal-too-slow', `more than ${MAX_TURN_MS / 60_000} minutes`)
    const rows: CopyRow[] = []
    for (const source of batch.rows) {
      if (filter && toSourceText(source[filter.key]) !== filter.value) continue
      if (dataset.boundaries) addShape(shapes, source, dataset.boundaries)
      const cells = run.columns.map(({ key, type }) => parseCell(type, source[key], sourceLocale))
      rows.push({ p: run.rows + rows.length, c: cells, w: toSearchText(cells) })
    }
    const next: SynchronisationRun = { ...run, rows: run.rows + rows.length, cursor: { ...batch.cursor } }
    if (next.rows > MAX_ROWS) throw new PortalFault('portal-too-many-rows', `more than ${MAX_ROWS}`)
    await ctx.db.tx(async (tx) => {
      await saveRun(ctx, tx, dataset.id, next)
      await insertRows(tx, ctx.site.id, dataset.id, run.version, rows)
    })
    run = next
  }
  return run
}

/** Adds a row's shape to others of the same name: an area may consist of separate parts. */
function addShape(shapes: Map<string, AreaShape>, source: SourceRow, boundaries: Boundaries): void {
  const name = toSourceText(source[boundaries.name]).slice(0, MAX_NAME_LENGTH)
  if (!name || name === 'null' || (shapes.size >= MAX_AREAS && !shapes.has(name))) return
  for (const value of Object.values(source)) {
    const rings = parseRings(value)
    if (!rings) continue
    const known = shapes.get(name)
    const postcodes = boundaries.postcodes === undefined ? [] : parsePostcodes(source[boundaries.postcodes])
    return void shapes.set(name, { rings: [...(known?.rings ?? []), ...rings], postcodes: [...(known?.postcodes ?? []), ...postcodes] })
  }
}

/** Saves the run and extends its lease. @throws {RunLost} */
async function saveRun(ctx: Ctx, tx: Tx, datasetId: string, run: SynchronisationRun, forMs = LEASE_MS): Promise<void> {
  const kept = await tx
    .update(cityDatasets)
    .set({ run, leaseUntil: new Date(ctx.now().getTime() + forMs) })
    .where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, datasetId), eq(sql`${cityDatasets.run} ->> 'token'`, run.token)))
    .returning({ id: cityDatasets.id })
  if (!kept.length) throw new RunLost()
}

/** Renews the lease of a running copy, whatever it is waiting for. */
function renewLease(ctx: Ctx, { id, run }: DatasetRow, leaseMs: number): Promise<unknown> {
  const until = sql`${new Date(ctx.now().getTime() + leaseMs).toISOString()}::timestamptz`
  return ctx.db.tx((tx) =>
    tx
      .update(cityDatasets)
      .set({ leaseUntil: sql`greatest(${cityDatasets.leaseUntil}, ${until})` })
      .where(
        and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, id), eq(sql`${cityDatasets.run} ->> 'token'`, run?.token ?? '')),
      ),
  )
}

/** Sorts and sums a large copy once, before anybody sees it. */
async function prepareLargeCopy(ctx: Ctx, dataset: DatasetRow, run: SynchronisationRun): Promise<ChartSums | null> {
  const copy = { ...dataset, version: run.version, copiedColumns: run.columns, rowCount: run.rows }
  const extendLease = () => ctx.db.tx((tx) => saveRun(ctx, tx, dataset.id, run, LONG_LEASE_MS))
  await extendLease()
  await writeWordIndex(ctx, copy)
  await writeCommonWordIndex(ctx, copy, extendLease)
  for (const [index, column] of run.columns.entries()) {
    await extendLease()
    await writeSortOrder(ctx, copy, column, index)
  }
  return ctx.db.read((tx) => computeChartSums(ctx, tx, copy))
}

/** A source value as row filters compare it. */
const toSourceText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).trim()

const computeNextTurn = (ctx: Ctx, connector: ConnectorRow) => new Date(ctx.now().getTime() + connector.everyMinutes * 60_000)

/** Replaces the old copy with the new one, for every reader at once. */
async function replaceCopy(
  ctx: Ctx,
  connector: ConnectorRow,
  dataset: DatasetRow,
  run: SynchronisationRun,
  facts: DatasetFacts,
  drawn: ChartSums | null,
  shapes: ReadonlyMap<string, AreaShape>,
): Promise<void> {
  const modified = facts.updatedAt ?? run.validators.modified
  const updatedAt = modified && !Number.isNaN(Date.parse(modified)) ? new Date(modified) : dataset.sourceUpdatedAt
  await finishRun(ctx, connector, dataset, run, shapes, {
    version: run.version,
    copiedColumns: run.columns,
    rowCount: run.rows,
    drawn,
    synchronisedAt: ctx.now(),
    sourceUpdatedAt: updatedAt,
    validators: run.validators,
    licenceUrl: facts.licenceUrl ?? dataset.licenceUrl,
    sourceUrl: facts.page ?? dataset.sourceUrl,
  })
  await deleteCopies(ctx, dataset.id, { except: run.version })
}

/** The portal reports no change, so the copy counts as fresh. */
const finishUnchanged = (ctx: Ctx, connector: ConnectorRow, dataset: DatasetRow, run: SynchronisationRun) =>
  finishRun(ctx, connector, dataset, run, new Map(), {})

async function finishRun(
  ctx: Ctx,
  connector: ConnectorRow,
  dataset: DatasetRow,
  run: SynchronisationRun,
  shapes: ReadonlyMap<string, AreaShape>,
  values: Partial<typeof cityDatasets.$inferInsert>,
): Promise<void> {
  const { site } = ctx
  await ctx.db.tx(async (tx) => {
    const kept = await tx
      .update(cityDatasets)
      .set({
        ...values,
        run: null,
        leaseUntil: null,
        failures: 0,
        lastFault: null,
        checkedAt: ctx.now(),
        dueAt: computeNextTurn(ctx, connector),
      })
      .where(and(eq(cityDatasets.siteId, site.id), eq(cityDatasets.id, dataset.id), eq(sql`${cityDatasets.run} ->> 'token'`, run.token)))
      .returning({ id: cityDatasets.id })
    if (!kept.length) throw new RunLost()
    if (shapes.size > 0) await replaceAreas(ctx, tx, dataset.id, shapes)
    await tx
      .update(cityConnectors)
      .set({ failures: 0, pausedUntil: null })
      .where(and(eq(cityConnectors.siteId, site.id), eq(cityConnectors.id, connector.id)))
  })
}
