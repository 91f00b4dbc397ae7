import { createHmac } from 'node:crypto'
import { and, between, desc, eq, gt, lt, sql, type SQL } from 'drizzle-orm'
import { AppError } from '../../lib/app-error.ts'
import type { Ctx } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { rateLimits } from '../db/schema/limits.ts'
import { createSiteBatches } from '../batches.ts'
import { noteAttempt } from './unavailable.ts'

export interface Limit {
  /** What is limited, e.g. `sign-in`. */
  readonly name: string
  /** Whom it counts: an account, an email address, a network address. Only a keyed hash is stored. */
  readonly of: string
  readonly most: number
  readonly minutes: number
  /** Weight of one attempt; 1 by default. */
  readonly cost?: number
}

/** The longest window of any limit, in minutes: older rows are swept. */
export const MAX_MINUTES = 24 * 60

/**
 * Counts one attempt against each limit, in its own transaction, so that a refused attempt counts although its work is rolled back. Uses a
 * sliding window: attempts expire one by one. Attempts that are made at the same time share a transaction. A request that is answered with 503
 * after all gives its attempts back.
 * @param siteId whose rows they are: the account's own site
 * @throws {AppError} `too-many-requests` if any limit is exceeded, with `minutes` to wait and `meta.retryAfter` in seconds
 */
export async function countAttempt(ctx: Ctx, limits: readonly Limit[], siteId = ctx.site.id): Promise<void> {
  if (limits.length === 0) return
  const madeAt = ctx.now()
  await countTogether(ctx.runtime.database, siteId, createAttempt(ctx, limits))
  noteAttempt(ctx.requestId, () => takeBackAttempt({ ...ctx, now: () => madeAt }, limits, siteId))
}

const countTogether = createSiteBatches((database, siteId, attempts: readonly Attempt[]) =>
  database.site(siteId).tx(async (tx) => (await countAttempts(tx, siteId, attempts)).map((error) => error ?? true)),
)

/** What an attempt adds to the count of one key. */
interface Charge {
  key: string
  cost: number
  most: number
  /** Start of the current window, in milliseconds since 1970. */
  openedAt: number
  windowMs: number
  /** Milliseconds until the window ends. */
  waitMs: number
  /** How much of the window before still counts, from 0 to 1. */
  shareBefore: number
}

/** What one attempt adds to each of its limits. */
export type Attempt = readonly Charge[]

export function createAttempt(ctx: Ctx, limits: readonly Limit[]): Attempt {
  const now = ctx.now().getTime()
  return limits.map((limit): Charge => {
    const { most, minutes, cost = 1 } = limit
    const windowMs = minutes * 60_000
    const openedAt = Math.floor(now / windowMs) * windowMs
    const waitMs = openedAt + windowMs - now
    return { key: keyOf(ctx, limit), cost, most, openedAt, windowMs, waitMs, shareBefore: waitMs / windowMs }
  })
}

/**
 * Counts attempts in their order, in a transaction that is committed although some of them are refused.
 * @returns for each attempt the error that refuses it, or undefined
 */
export async function countAttempts(tx: Tx, siteId: string, attempts: readonly Attempt[]): Promise<(AppError | undefined)[]> {
  const counted = await countCharges(tx, siteId, attempts.flat())
  return attempts.map((charges) => {
    let longestMs = 0
    for (const { key, cost, most, openedAt, waitMs, shareBefore } of charges) {
      const row = counted.get(nameWindow(key, openedAt))
      if (!row) throw new AppError('internal')
      row.attempts += cost
      if (row.attempts + row.before * shareBefore > most) longestMs = Math.max(longestMs, waitMs)
    }
    return longestMs > 0 ? createTooManyError(longestMs) : undefined
  })
}

/** @returns for each key and window how many attempts the window before had, and how many this one had before these */
async function countCharges(
  tx: Tx,
  siteId: string,
  charges: readonly Charge[],
): Promise<Map<string, { before: number; attempts: number }>> {
  const sums = new Map<string, { key: string; cost: number; most: number; opened: Date; before: Date }>()
  for (const { key, cost, most, openedAt, windowMs } of charges) {
    const name = nameWindow(key, openedAt)
    const sum = sums.get(name)
    if (sum) sum.cost += cost
    else sums.set(name, { key, cost, most, opened: new Date(openedAt), before: new Date(openedAt - windowMs) })
  }
  if (sums.size === 0) return new Map()
  // A subquery for each key finds its row by the primary key. A join was planned as a scan of everybody's attempts.
  const countKnown = (windowStart: SQL) => sql`coalesce((select known.count from ${rateLimits} known
    where known.site_id = ${siteId} and known.key = given.key and known.window_start = ${windowStart}), 0)`
  // Always in the same order, so that two transactions never deadlock.
  const { rows } = await tx.execute<{ key: string; opened: Date; before: number; attempts: number }>(sql`
    with given as (
        select * from jsonb_to_recordset(${JSON.stringify([...sums.values()])}::jsonb)
          g(key text, cost int, most int, opened timestamptz, before timestamptz)),
      counted as (
        -- Stops counting just past the limit: however long somebody keeps trying, they wait no longer.
        insert into ${rateLimits} (site_id, key, window_start, count)
        select ${siteId}::uuid, key, opened, least(cost, most + 1) from given order by key, opened
        on conflict (site_id, key, window_start) do update set count = least(${rateLimits.count} + excluded.count,
          (select most + 1 from given where given.key = excluded.key and given.opened = excluded.window_start))
        returning key, window_start, count)
    select given.key, given.opened, ${countKnown(sql`given.before`)} as before,
      -- Whoever is past the limit already is counted no further: then only the row as it was says how many attempts there were.
      greatest(${countKnown(sql`given.opened`)}, counted.count - given.cost) as attempts
    from given join counted on counted.key = given.key and counted.window_start = given.opened`)
  return new Map(rows.map((row) => [nameWindow(row.key, new Date(row.opened).getTime()), row]))
}

/** Whether an attempt was counted within the limit's window. */
export async function wasCounted(ctx: Ctx, tx: Tx, limit: Limit): Promise<boolean> {
  const since = new Date(ctx.now().getTime() - 2 * limit.minutes * 60_000)
  const rows = await tx
    .select({ count: rateLimits.count })
    .from(rateLimits)
    .where(and(eq(rateLimits.siteId, ctx.site.id), eq(rateLimits.key, keyOf(ctx, limit)), gt(rateLimits.windowStart, since)))
  return rows.some(({ count }) => count > 0)
}

const nameWindow = (key: string, openedAt: number): string => `${key} ${openedAt}`

/** Says how long to wait: in minutes, and in seconds if it is less than one. */
export function createTooManyError(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000)
  const values = { minutes: Math.ceil(seconds / 60), ...(seconds < 60 && { seconds }) }
  return new AppError('too-many-requests', { values, meta: { retryAfter: seconds } })
}

/** Gives back an attempt that proved legitimate: somebody who opens the link of a mail did not send it to strangers. */
export async function takeBackAttempt(ctx: Ctx, limits: readonly Limit[], siteId = ctx.site.id): Promise<void> {
  const now = ctx.now().getTime()
  await ctx.runtime.database.site(siteId).tx(async (tx) => {
    for (const limit of sortByKey(ctx, limits)) {
      const windowMs = limit.minutes * 60_000
      const openedAt = Math.floor(now / windowMs) * windowMs
      const [opened, before] = [new Date(openedAt), new Date(openedAt - windowMs)]
      const isOwn = and(eq(rateLimits.siteId, siteId), eq(rateLimits.key, keyOf(ctx, limit)))
      // It may have been counted in the window before.
      const [counted] = await tx
        .select({ windowStart: rateLimits.windowStart })
        .from(rateLimits)
        .where(and(isOwn, between(rateLimits.windowStart, before, opened), gt(rateLimits.count, 0)))
        .orderBy(desc(rateLimits.windowStart))
        .limit(1)
        .for('update')
      if (!counted) continue
      await tx
        .update(rateLimits)
        .set({ count: sql`greatest(${rateLimits.count} - ${limit.cost ?? 1}, 0)` })
        .where(and(isOwn, eq(rateLimits.windowStart, counted.windowStart)))
    }
  })
}

/**
 * The limit by network address, or none if there is no network (jobs, the command line).
 * @param limit.within counts separately for this, such as a survey's id
 */
export function limitByAddress(ctx: Ctx, { within, ...limit }: Omit<Limit, 'of'> & { within?: string }): Limit[] {
  if (ctx.address === null) return []
  return [{ ...limit, name: `${limit.name}/address`, of: [...(within ? [within] : []), toNetwork(ctx.address)].join(' ') }]
}

/** Removes counts that no limit needs any more. */
export async function sweepLimits(tx: Tx, siteId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * MAX_MINUTES * 60_000)
  await tx.delete(rateLimits).where(and(eq(rateLimits.siteId, siteId), lt(rateLimits.windowStart, before)))
}

/** A single connection usually owns a whole IPv6 /64, so the network is counted. */
export function toNetwork(address: string): string {
  const plain = address.toLowerCase().replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)
  if (mapped?.[1]) return mapped[1]
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

export const keyOf = (ctx: Ctx, limit: Pick<Limit, 'name' | 'of'>): string =>
  `${limit.name}:${createHmac('sha256', ctx.runtime.secret).update(`limit ${limit.name} ${limit.of}`).digest('base64url')}`

/** Always locks in the same order, so that two requests never deadlock. */
const sortByKey = (ctx: Ctx, limits: readonly Limit[]) => limits.toSorted((a, b) => (keyOf(ctx, a) < keyOf(ctx, b) ? -1 : 1))
