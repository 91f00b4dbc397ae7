import { randomUUID } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { MOST_AREAS } from '#app/features/areas/areas.schema.ts'
import { type AreaShape, replaceAreas } from '#app/features/areas/areas.server.ts'
import { postcodesIn } from '#app/features/areas/postcodes.schema.ts'
import { ringsOf } from '#app/features/areas/shapes.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import { contentChanged, type Tx } from '#app/server/db/client.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema.ts'
import { describeError } from '#app/server/log.ts'
import { onEachSite } from '#app/server/jobs/each-site.ts'
import { keepAliveDuring } from '#app/server/keep-alive.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { CellTooLarge, cellOf, habitsOf } from './cells.ts'
import type { ConnectorRow } from './connectors.server.ts'
import { copyBatch, deleteCopies, type NewRow } from './copies.server.ts'
import { copiedColumns, type DatasetRow, type DrawnSums, type Run } from './datasets.server.ts'
import { selectDue } from './due.server.ts'
import { makeCommonWords } from './common-words.server.ts'
import { isLarge, makeOrder } from './large-copies.server.ts'
import { makeWords } from './large-words.server.ts'
import { type Boundaries, type DatasetFacts, MOST_ROWS } from './opencities.schema.ts'
import { faultCodeOf, openPortal } from './portals/open.server.ts'
import { type Cursor, isPassing, PortalFault, type SourceRow, UNCHANGED, type Validators } from './portals/portal.server.ts'
import { addUp } from './reading.drawings.server.ts'
import { noteFailure } from './synchronise.failures.server.ts'
import { wordsOf } from './words.ts'

const LONGEST_NAME = 120
/** Nobody else takes a dataset for this long after its process was last heard of. */
const LEASE_MS = 120_000
/** Then it is the others' turn; the next one goes on from the last batch. */
const LONGEST_TURN_MS = 30 * 60_000
/** While the database puts a whole copy in order. */
const LONG_LEASE_MS = 15 * 60_000
const RENEWALS_A_LEASE = 3
/** Datasets that are copied at the same time in one process, so that a slow portal does not keep the others waiting. */
const AT_ONCE = 3

interface Claimed {
  dataset: DatasetRow
  connector: ConnectorRow
}

/**
 * Makes the copies that are due on every site, and goes on with those that were cut short.
 * @param leaseMs how long a dataset is kept from others unless that is renewed @returns how many were tried
 */
export async function synchroniseDue(runtime: Runtime, leaseMs = LEASE_MS): Promise<number> {
  const work = () =>
    onEachSite(runtime, async (ctx) => {
      let tried = 0
      for (let next = await claim(ctx, leaseMs); next; next = await claim(ctx, leaseMs)) {
        tried += 1
        const claimed = next
        // A slow portal, or a large file, says nothing for longer than that.
        const keep = () => renew(ctx, claimed.dataset, leaseMs)
        await keepAliveDuring(leaseMs / RENEWALS_A_LEASE, keep, () => synchronise(ctx, claimed))
      }
      return tried
    })
  const done = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  const failed = done.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return done.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), 0)
}

/** The next dataset that is due, kept from others for a while. Its portal is left in peace while it fails again and again. */
function claim(ctx: Ctx, leaseMs: number): Promise<Claimed | undefined> {
  const now = ctx.now()
  return ctx.db.tx(async (tx) => {
    const [due] = await selectDue(ctx, tx).orderBy(asc(cityDatasets.dueAt)).limit(1).for('update', { of: cityDatasets, skipLocked: true })
    if (!due) return undefined
    const dataset = due.dataset as DatasetRow
    const run: Run = dataset.run
      ? { ...dataset.run, token: randomUUID() }
      : {
          token: randomUUID(),
          version: dataset.version + 1,
          rows: 0,
          cursor: null,
          columns: copiedColumns(dataset.columns, dataset.chart),
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

/** Another process took the run over, or an administrator gave it up. */
class RunLost extends Error {}

async function synchronise(ctx: Ctx, { dataset, connector }: Claimed): Promise<void> {
  const run = dataset.run
  if (!run) return
  const ending = new AbortController()
  try {
    const { portal, reader, url } = openPortal(ctx, connector, ending.signal)
    const ask = (cursor: Cursor | undefined, validators: Validators | undefined) =>
      portal.rows(reader, url, dataset.sourceId, { columns: run.columns, cursor, validators })
    // Shapes are not kept between two halves of a copy.
    if (dataset.boundaries) Object.assign(run, { cursor: null, rows: 0 })
    let answer = await ask(run.cursor ?? undefined, run.cursor || dataset.version === 0 ? undefined : (dataset.validators ?? undefined))
    if (answer === UNCHANGED) return await settle(ctx, connector, dataset, run)
    if (run.cursor && JSON.stringify(answer.validators) !== JSON.stringify(run.validators)) {
      // What changed since its first half was copied is begun again.
      await answer.batches.return(undefined)
      Object.assign(run, { cursor: null, rows: 0 })
      answer = await ask(undefined, undefined)
      if (answer === UNCHANGED) return await settle(ctx, connector, dataset, run)
    }
    if (!run.cursor) await deleteCopies(ctx, dataset.id, { except: dataset.version })
    const started: Run = { ...run, validators: answer.validators }
    const facts = await portal.describe(reader, url, dataset.sourceId)
    checkColumns(started, facts)
    const shapes = new Map<string, AreaShape>()
    const done = await copyRows(ctx, dataset, connector, started, answer.batches, shapes)
    const drawn = isLarge(done.rows) ? await prepareLarge(ctx, dataset, done) : null
    await swap(ctx, connector, dataset, done, facts, drawn, shapes)
  } catch (error) {
    if (error instanceof RunLost) return
    const code = error instanceof CellTooLarge ? 'portal-cell-too-large' : faultCodeOf(error)
    if (!code) ctx.runtime.log.error(`city dataset ${dataset.id} could not be copied`, describeError(error))
    else ctx.runtime.log.warn('a city dataset could not be copied', { siteId: ctx.site.id, dataset: dataset.id, why: code })
    await noteFailure(ctx, connector, dataset, run, {
      code: code ?? 'portal-not-understood',
      keepRun: code !== undefined && isPassing(code),
      retryAfter: error instanceof PortalFault ? error.retryAfter : undefined,
    })
  } finally {
    ending.abort()
  }
}

function checkColumns(run: Run, facts: DatasetFacts): void {
  const keys = new Set(facts.columns.map((column) => column.key))
  const gone = run.columns.filter((column) => !keys.has(column.key))
  if (gone.length > 0) throw new PortalFault('portal-columns-changed', `gone: ${gone.map((column) => column.key).join(', ')}`)
}

/** Takes the rows batch by batch. Each is kept in one transaction with the place it ends at, so that none is lost or kept twice. */
async function copyRows(
  ctx: Ctx,
  dataset: DatasetRow,
  connector: ConnectorRow,
  started: Run,
  batches: AsyncGenerator<{ rows: SourceRow[]; cursor: Cursor }>,
  shapes: Map<string, AreaShape>,
): Promise<Run> {
  const habits = habitsOf(connector.language, ctx.site.region)
  const filter = dataset.rowFilter
  const until = ctx.now().getTime() + LONGEST_TURN_MS
  let run = started
  for await (const batch of batches) {
    if (ctx.now().getTime() > until) throw new PortalFault('portal-too-slow', `more than ${LONGEST_TURN_MS / 60_000} minutes`)
    const rows: NewRow[] = []
    for (const source of batch.rows) {
      if (filter && sourceText(source[filter.key]) !== filter.value) continue
      if (dataset.boundaries) addShape(shapes, source, dataset.boundaries)
      const cells = run.columns.map(({ key, type }) => cellOf(type, source[key], habits))
      rows.push({ p: run.rows + rows.length, c: cells, w: wordsOf(cells) })
    }
    const next: Run = { ...run, rows: run.rows + rows.length, cursor: { ...batch.cursor } }
    if (next.rows > MOST_ROWS) throw new PortalFault('portal-too-many-rows', `more than ${MOST_ROWS}`)
    await ctx.db.tx(async (tx) => {
      await hold(ctx, tx, dataset.id, next)
      await copyBatch(tx, ctx.site.id, dataset.id, run.version, rows)
    })
    run = next
  }
  return run
}

/** The shape of a row, with others of the same name: an area may lie in two places. */
function addShape(shapes: Map<string, AreaShape>, source: SourceRow, boundaries: Boundaries): void {
  const name = sourceText(source[boundaries.name]).slice(0, LONGEST_NAME)
  if (!name || name === 'null' || (shapes.size >= MOST_AREAS && !shapes.has(name))) return
  for (const value of Object.values(source)) {
    const rings = ringsOf(value)
    if (!rings) continue
    const known = shapes.get(name)
    const postcodes = boundaries.postcodes === undefined ? [] : postcodesIn(source[boundaries.postcodes])
    return void shapes.set(name, { rings: [...(known?.rings ?? []), ...rings], postcodes: [...(known?.postcodes ?? []), ...postcodes] })
  }
}

/** Keeps the run and its dataset for a while longer. @throws {RunLost} */
async function hold(ctx: Ctx, tx: Tx, datasetId: string, run: Run, forMs = LEASE_MS): Promise<void> {
  const kept = await tx
    .update(cityDatasets)
    .set({ run, leaseUntil: new Date(ctx.now().getTime() + forMs) })
    .where(and(eq(cityDatasets.siteId, ctx.site.id), eq(cityDatasets.id, datasetId), eq(sql`${cityDatasets.run} ->> 'token'`, run.token)))
    .returning({ id: cityDatasets.id })
  if (!kept.length) throw new RunLost()
}

/** Keeps a dataset whose run is under way, whatever it waits for. */
function renew(ctx: Ctx, { id, run }: DatasetRow, leaseMs: number): Promise<unknown> {
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

/** What is sorted and added up once for a large copy, before anybody sees it. */
async function prepareLarge(ctx: Ctx, dataset: DatasetRow, run: Run): Promise<DrawnSums | null> {
  const copy = { ...dataset, version: run.version, copiedColumns: run.columns, rowCount: run.rows }
  const holdLonger = () => ctx.db.tx((tx) => hold(ctx, tx, dataset.id, run, LONG_LEASE_MS))
  await holdLonger()
  await makeWords(ctx, copy)
  await makeCommonWords(ctx, copy, holdLonger)
  for (const [index, column] of run.columns.entries()) {
    await holdLonger()
    await makeOrder(ctx, copy, column, index)
  }
  return ctx.db.tx((tx) => addUp(ctx, tx, copy))
}

/** A value of the source as a filter names it. */
const sourceText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).trim()

const nextTurn = (ctx: Ctx, connector: ConnectorRow) => new Date(ctx.now().getTime() + connector.everyMinutes * 60_000)

/** Puts the whole copy in the place of the old one, at once for every reader. */
async function swap(
  ctx: Ctx,
  connector: ConnectorRow,
  dataset: DatasetRow,
  run: Run,
  facts: DatasetFacts,
  drawn: DrawnSums | null,
  shapes: ReadonlyMap<string, AreaShape>,
): Promise<void> {
  const modified = facts.updatedAt ?? run.validators.modified
  const updatedAt = modified && !Number.isNaN(Date.parse(modified)) ? new Date(modified) : dataset.sourceUpdatedAt
  await finish(ctx, connector, dataset, run, shapes, {
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

/** The portal says that nothing changed: the copy is as good as new. */
const settle = (ctx: Ctx, connector: ConnectorRow, dataset: DatasetRow, run: Run) => finish(ctx, connector, dataset, run, new Map(), {})

async function finish(
  ctx: Ctx,
  connector: ConnectorRow,
  dataset: DatasetRow,
  run: Run,
  shapes: ReadonlyMap<string, AreaShape>,
  values: Partial<typeof cityDatasets.$inferInsert>,
): Promise<void> {
  const { site } = ctx
  await ctx.db.tx(async (tx) => {
    const kept = await tx
      .update(cityDatasets)
      .set({ ...values, run: null, leaseUntil: null, failures: 0, lastFault: null, checkedAt: ctx.now(), dueAt: nextTurn(ctx, connector) })
      .where(and(eq(cityDatasets.siteId, site.id), eq(cityDatasets.id, dataset.id), eq(sql`${cityDatasets.run} ->> 'token'`, run.token)))
      .returning({ id: cityDatasets.id })
    if (!kept.length) throw new RunLost()
    if (shapes.size > 0) await replaceAreas(ctx, tx, dataset.id, shapes)
    await tx
      .update(cityConnectors)
      .set({ failures: 0, pausedUntil: null })
      .where(and(eq(cityConnectors.siteId, site.id), eq(cityConnectors.id, connector.id)))
    await contentChanged(tx, site.id)
  })
}
