import { createHmac } from 'node:crypto'
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { AppError } from '../../lib/app-error.ts'
import type { Ctx } from '../context.ts'
import type { Database, Tx } from '../db/client.ts'
import { rateLimits } from '../db/schema/limits.ts'

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
 * sliding window: attempts expire one by one.
 * @param siteId whose rows they are: the account's own site
 * @throws {AppError} `too-many-requests` if any limit is exceeded, with `minutes` to wait and `meta.retryAfter` in seconds
 */
export async function countAttempt(ctx: Ctx, limits: readonly Limit[], siteId = ctx.site.id): Promise<void> {
  const now = ctx.now().getTime()
  const waits = await ctx.runtime.database.site(siteId).tx(async (tx) => {
    const each: number[] = []
    for (const limit of sortByKey(ctx, limits)) {
      const windowMs = limit.minutes * 60_000
      const start = Math.floor(now / windowMs) * windowMs
      const key = keyOf(ctx, limit)
      const { most, cost = 1 } = limit
      const [own] = await tx
        .insert(rateLimits)
        .values({ siteId, key, windowStart: new Date(start), count: Math.min(cost, most + 1) })
        .onConflictDoUpdate({
          target: [rateLimits.siteId, rateLimits.key, rateLimits.windowStart],
          // Stops counting just past the limit: however long somebody keeps trying, they wait no longer.
          set: { count: sql`least(${rateLimits.count} + ${cost}, ${most} + 1)` },
        })
        .returning({ count: rateLimits.count })
      const [before] = await tx
        .select({ count: rateLimits.count })
        .from(rateLimits)
        .where(and(eq(rateLimits.siteId, siteId), eq(rateLimits.key, key), eq(rateLimits.windowStart, new Date(start - windowMs))))
      const share = 1 - (now - start) / windowMs
      if ((own?.count ?? 0) + (before?.count ?? 0) * share > most) each.push(start + windowMs - now)
    }
    return each
  })
  if (waits.length > 0) throw createTooManyError(Math.max(...waits))
}

function createTooManyError(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000)
  return new AppError('too-many-requests', { values: { minutes: Math.ceil(seconds / 60) }, meta: { retryAfter: seconds } })
}

/**
 * The same for one attempt of each of many, in a transaction that is committed although some of them are refused.
 * @param limit applies to all of them
 * @param senders whom each attempt counts for; the same sender may attempt several times
 * @returns for each attempt the error that refuses it, or undefined
 */
export async function countAttempts(
  ctx: Ctx,
  tx: Tx,
  limit: Omit<Limit, 'of' | 'cost'>,
  senders: readonly string[],
): Promise<(AppError | undefined)[]> {
  if (senders.length === 0) return []
  const now = ctx.now().getTime()
  const windowMs = limit.minutes * 60_000
  const start = Math.floor(now / windowMs) * windowMs
  const [opened, before] = [new Date(start), new Date(start - windowMs)]
  const keys = senders.map((of) => keyOf(ctx, { ...limit, of }))
  const costs = new Map<string, number>()
  for (const key of keys) costs.set(key, (costs.get(key) ?? 0) + 1)
  const given = JSON.stringify([...costs].map(([key, cost]) => ({ key, cost })))
  // A subquery for each key finds its row by the primary key. A join was planned as a scan of everybody's attempts.
  const countKnown = (windowStart: Date) => sql`coalesce((select known.count from ${rateLimits} known
    where known.site_id = ${ctx.site.id} and known.key = given.key and known.window_start = ${windowStart}), 0)`
  const { rows } = await tx.execute<{ key: string; before: number; attempts: number }>(sql`
    with given as (select key, cost from jsonb_to_recordset(${given}::jsonb) g(key text, cost int)),
      counted as (
        insert into ${rateLimits} (site_id, key, window_start, count)
        select ${ctx.site.id}::uuid, key, ${opened}::timestamptz, least(cost, ${limit.most} + 1) from given order by key
        on conflict (site_id, key, window_start) do update set count = least(${rateLimits.count} + excluded.count, ${limit.most} + 1)
        returning key, count)
    select given.key, ${countKnown(before)} as before,
      -- Whoever is past the limit already is counted no further: then only the row as it was says how many attempts there were.
      greatest(${countKnown(opened)}, counted.count - given.cost) as attempts
    from given join counted using (key)`)
  const seen = new Map(rows.map((row) => [row.key, row]))
  const share = 1 - (now - start) / windowMs
  return keys.map((key) => {
    const row = seen.get(key)
    if (!row) throw new AppError('internal')
    row.attempts += 1
    return row.attempts + row.before * share > limit.most ? createTooManyError(start + windowMs - now) : undefined
  })
}

/** Gives back an attempt that proved legitimate: somebody who signs in with the right password was not guessing. */
export async function takeBackAttempt(ctx: Ctx, limits: readonly Limit[], siteId = ctx.site.id): Promise<void> {
  const now = ctx.now().getTime()
  await ctx.runtime.database.site(siteId).tx(async (tx) => {
    for (const limit of sortByKey(ctx, limits)) {
      const windowMs = limit.minutes * 60_000
      const windowStart = new Date(Math.floor(now / windowMs) * windowMs)
      await tx
        .update(rateLimits)
        .set({ count: sql`greatest(${rateLimits.count} - ${limit.cost ?? 1}, 0)` })
        .where(and(eq(rateLimits.siteId, siteId), eq(rateLimits.key, keyOf(ctx, limit)), eq(rateLimits.windowStart, windowStart)))
    }
  })
}

export async function forgetAttempts(ctx: Ctx, limits: readonly Limit[], siteId = ctx.site.id): Promise<void> {
  const keys = sortByKey(ctx, limits).map((limit) => keyOf(ctx, limit))
  await ctx.runtime.database
    .site(siteId)
    .tx((tx) => tx.delete(rateLimits).where(and(eq(rateLimits.siteId, siteId), inArray(rateLimits.key, keys))))
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
export async function sweepLimits(database: Database, siteId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * MAX_MINUTES * 60_000)
  await database
    .site(siteId)
    .tx((tx) => tx.delete(rateLimits).where(and(eq(rateLimits.siteId, siteId), lt(rateLimits.windowStart, before))))
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

const keyOf = (ctx: Ctx, limit: Limit): string =>
  `${limit.name}:${createHmac('sha256', ctx.runtime.secret).update(`limit ${limit.name} ${limit.of}`).digest('base64url')}`

/** Always locks in the same order, so that two requests never deadlock. */
const sortByKey = (ctx: Ctx, limits: readonly Limit[]) => limits.toSorted((a, b) => (keyOf(ctx, a) < keyOf(ctx, b) ? -1 : 1))
