import { and, asc, eq, inArray, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Ctx } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { keepLeaseAliveDuring } from '../keep-lease-alive.ts'
import { describeError } from '../log.ts'
import type { Runtime } from '../runtime.ts'
import { attemptWork } from './attempt-work.ts'
import { runOnEachSite } from './each-site.ts'

/** Without a heartbeat for this long, a worker is considered dead and another starts its work again. */
const LEASE_MS = 60_000
const HEARTBEATS_PER_LEASE = 3

/** The work was cancelled, or its worker was considered dead. */
export class SupersededError extends Error {}

/** What tables of work that takes long have in common. A row is `waiting`, `running`, `done`, `failed` or `cancelled`. */
type LeasedTable = PgTable & Record<'siteId' | 'id' | 'state' | 'aliveAt' | 'lease' | 'createdAt' | 'finishedAt', AnyPgColumn>
/** Of some of a table's columns. */
type Values = Readonly<Record<string, unknown>>
interface LeasedRow {
  id: string
  lease: string | null
}

interface LeasedWork<Table extends LeasedTable> {
  table: Table
  /** Written to the log if one fails. */
  failure: string
  /** What a row says when it begins, besides its lease. */
  start: () => Values
  /** Ends what no worker will finish, before the next row is claimed. */
  giveUp?: (ctx: Ctx, tx: Tx, isDead: SQL | undefined) => Promise<unknown>
  /** @throws {SupersededError} from `updateLeased` */
  make: (ctx: Ctx, row: Table['$inferSelect']) => Promise<void>
  /** Nothing more is claimed once the process stops. */
  ending?: AbortSignal | undefined
}

/**
 * Does what waits on every site, one after the other. Run by a job.
 * @returns how much was done
 */
export function runLeasedWork<Table extends LeasedTable>(
  runtime: Runtime,
  work: LeasedWork<Table>,
  deadAfterMs = LEASE_MS,
): Promise<number> {
  return runOnEachSite(runtime, async (ctx) => {
    let made = 0
    const claim = () => (work.ending?.aborted ? undefined : claimRow(ctx, work, deadAfterMs))
    for (let row = await claim(); row; row = await claim()) {
      const claimed = row
      // Heartbeats continue while it waits for something, or computes for long.
      const renew = () => updateLeased(ctx, work.table, claimed, { aliveAt: ctx.now() })
      if (await keepLeaseAliveDuring(deadAfterMs / HEARTBEATS_PER_LEASE, renew, () => attemptRow(ctx, work, claimed))) made += 1
    }
    return made
  })
}

/** Number of sites with a row that waits. */
export const countWaitingWork = (runtime: Runtime, table: LeasedTable): Promise<number> =>
  runOnEachSite(runtime, (ctx) => ctx.db.read(async (tx) => (await selectUnclaimed(ctx, tx, table, LEASE_MS).limit(1)).length))

const isDead = (ctx: Ctx, { state, aliveAt }: LeasedTable, deadAfterMs: number): SQL | undefined =>
  and(eq(state, 'running'), lt(aliveAt, new Date(ctx.now().getTime() - deadAfterMs)))

/** Rows of the site that no worker holds, the oldest first. */
const selectUnclaimed = (ctx: Ctx, tx: Tx, table: LeasedTable, deadAfterMs: number) =>
  tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.siteId, ctx.site.id), or(eq(table.state, 'waiting'), isDead(ctx, table, deadAfterMs))))
    .orderBy(asc(table.createdAt))

function claimRow<Table extends LeasedTable>(
  ctx: Ctx,
  { table, start, giveUp }: LeasedWork<Table>,
  deadAfterMs: number,
): Promise<(Table['$inferSelect'] & LeasedRow) | undefined> {
  return ctx.db.tx(async (tx) => {
    await giveUp?.(ctx, tx, isDead(ctx, table, deadAfterMs))
    const due = await selectUnclaimed(ctx, tx, table, deadAfterMs).limit(1).for('update', { skipLocked: true })
    const ids = due.map(({ id }) => id)
    const rows = await tx
      .update(table)
      .set({ ...start(), state: 'running', aliveAt: ctx.now(), lease: crypto.randomUUID() } as never)
      .where(and(eq(table.siteId, ctx.site.id), inArray(table.id, ids)))
      .returning()
    return (rows as unknown as (Table['$inferSelect'] & LeasedRow)[])[0]
  })
}

const attemptRow = <Table extends LeasedTable>(
  ctx: Ctx,
  { table, failure, make }: LeasedWork<Table>,
  row: Table['$inferSelect'] & LeasedRow,
): Promise<boolean> =>
  attemptWork(
    async () => {
      await make(ctx, row)
      return true
    },
    async (thrown) => {
      if (thrown instanceof SupersededError) return false
      ctx.runtime.log.error(failure, { id: row.id, ...describeError(thrown) })
      await updateLeased(ctx, table, row, { state: 'failed', finishedAt: ctx.now() }).catch(() => {})
      return false
    },
  )

/**
 * Writes to a row that this worker still holds.
 * @param andThen done while the row is locked; if it fails, nothing is written
 * @throws {SupersededError} if it was cancelled in the meantime, has expired, or another worker has started it again
 */
export function updateLeased(
  ctx: Ctx,
  table: LeasedTable,
  { id, lease }: LeasedRow,
  values: Values,
  andThen?: (tx: Tx) => Promise<void>,
): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const holdsLease = lease === null ? isNull(table.lease) : eq(table.lease, lease)
    const { rowCount } = await tx
      .update(table)
      .set(values)
      .where(and(eq(table.siteId, ctx.site.id), eq(table.id, id), eq(table.state, 'running'), holdsLease))
    if (!rowCount) throw new SupersededError()
    await andThen?.(tx)
  })
}
