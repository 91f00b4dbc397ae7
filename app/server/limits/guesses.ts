import { sql } from 'drizzle-orm'
import { isAppError } from '../../lib/app-error.ts'
import type { Ctx } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { rateLimits } from '../db/schema/limits.ts'
import { createTooManyError, keyOf, toNetwork } from './limits.ts'
import { noteAttempt } from './unavailable.ts'

/** Slows down those who guess: passwords, codes, cards. Decision 0207. */
export interface GuessLimit {
  /** What is guessed, e.g. `sign-in`. */
  readonly name: string
  /** Whose guesses it counts, or what they are about: a device, an account, a network. Only a keyed hash is stored. */
  readonly of: string
  /** So many wrong guesses within `minutes` cost no wait. The next one costs a second, and each further one twice the time before. */
  readonly free: number
  readonly minutes: number
  /** Whose rows they are; the site of the request by default. */
  readonly siteId?: string
}

/** A wait grows no longer than this. */
const LONGEST_WAIT_SECONDS = 3600
/** So many people of an office, a school or a library never mistype within an hour. */
const FREE_AT_AN_ADDRESS = 200

/** What a guess added to one key, to be taken back if it was right. */
interface CountedGuess {
  siteId: string
  key: string
  openedAt: number
  waitsUntil: number | null
}

/**
 * Makes a guess, which counts against each limit only if it is wrong. It is counted before it is made, so that guesses at the same time
 * cannot outrun the limits. Nothing waits in the process: a guess that comes too early is refused, and does not count.
 * @param isWrong whether an error means that the guess was wrong; by default every refusal does, and no outage
 * @throws {AppError} `too-many-requests` with `minutes`, or `seconds`, to wait and `meta.retryAfter` in seconds; and as `guess`
 */
export async function limitGuesses<Result>(
  ctx: Ctx,
  limits: readonly GuessLimit[],
  guess: () => Promise<Result>,
  isWrong: (error: unknown) => boolean = isRefusal,
): Promise<Result> {
  const counted = await countGuess(ctx, limits)
  try {
    const result = await guess()
    await takeBackGuess(ctx, counted)
    return result
  } catch (error) {
    // While the database is away nothing can be taken back: that is done once the request is answered.
    if (!isWrong(error)) await takeBackGuess(ctx, counted).catch(() => noteAttempt(ctx.requestId, () => takeBackGuess(ctx, counted)))
    throw error
  }
}

const isRefusal = (error: unknown): boolean => isAppError(error) && error.status < 500 && error.code !== 'too-many-requests'

/** The limit by network address, far above what one office does; none if there is no network. */
export function limitGuessesByAddress(ctx: Ctx, name: string, free = FREE_AT_AN_ADDRESS): GuessLimit[] {
  return ctx.address === null ? [] : [{ name: `${name}/address`, of: toNetwork(ctx.address), free, minutes: 60 }]
}

/**
 * The limits for what belongs to one account or card. By network first, so that somebody far away does not make its holder wait; altogether
 * against guesses from many networks.
 */
export function limitGuessesOf(
  { address }: Ctx,
  {
    name,
    of,
    siteId,
    free = 5,
    most = 20,
    minutes = 60,
  }: Omit<GuessLimit, 'free' | 'minutes'> & { free?: number; most?: number; minutes?: number },
): GuessLimit[] {
  const shared = { minutes, ...(siteId && { siteId }) }
  return [
    { ...shared, name: `${name}/network`, of: `${of} ${address === null ? '' : toNetwork(address)}`, free },
    { ...shared, name, of, free: most },
  ]
}

/** Forgets wrong guesses, after the holder has proved in another way who they are. */
export async function forgetGuesses(ctx: Ctx, limits: readonly GuessLimit[]): Promise<void> {
  for (const { siteId, keys } of groupKeys(ctx, limits))
    await ctx.runtime.database.site(siteId).tx((tx) =>
      tx.execute(sql`delete from ${rateLimits} where site_id = ${siteId} and key in (select jsonb_array_elements_text(
        ${JSON.stringify(keys.map(({ key }) => key))}::jsonb))`),
    )
}

interface GuessKey extends Pick<GuessLimit, 'free' | 'minutes'> {
  key: string
}

/** Keys by site and always in the same order, so that two guesses never deadlock. */
function groupKeys(ctx: Ctx, limits: readonly GuessLimit[]): { siteId: string; keys: GuessKey[] }[] {
  const groups = Map.groupBy(limits, ({ siteId }) => siteId ?? ctx.site.id)
  return [...groups].map(([siteId, of]) => ({
    siteId,
    keys: of
      .map((limit) => ({ key: keyOf(ctx, limit), free: limit.free, minutes: limit.minutes }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  }))
}

async function countGuess(ctx: Ctx, limits: readonly GuessLimit[]): Promise<CountedGuess[]> {
  const counted: CountedGuess[] = []
  const now = ctx.now().getTime()
  for (const { siteId, keys } of groupKeys(ctx, limits)) {
    try {
      counted.push(...(await ctx.runtime.database.site(siteId).tx((tx) => countAtSite(tx, siteId, keys, now))))
    } catch (error) {
      await takeBackGuess(ctx, counted)
      throw error
    }
  }
  return counted
}

async function countAtSite(tx: Tx, siteId: string, keys: readonly GuessKey[], now: number): Promise<CountedGuess[]> {
  const given = keys.map(({ key, minutes }) => {
    const windowMs = minutes * 60_000
    const openedAt = Math.floor(now / windowMs) * windowMs
    return { key, openedAt, opened: new Date(openedAt), before: new Date(openedAt - windowMs), share: 1 - (now - openedAt) / windowMs }
  })
  const known = await lockGuesses(tx, siteId, given)
  const counted = keys.map(({ key, free }, index): CountedGuess & { waitMs: number } => {
    const { openedAt = 0, share = 0 } = given[index] ?? {}
    const { count = 0, before = 0, waitsUntil = 0 } = known.get(key) ?? {}
    const excess = Math.ceil(count + before * share + 1 - free)
    const seconds = excess > 0 ? Math.min(2 ** (excess - 1), LONGEST_WAIT_SECONDS) : 0
    return { siteId, key, openedAt, waitsUntil: seconds > 0 ? now + seconds * 1000 : null, waitMs: waitsUntil - now }
  })
  const waitMs = Math.max(0, ...counted.map((each) => each.waitMs))
  if (waitMs > 0) throw createTooManyError(waitMs)
  await tx.execute(sql`
    update ${rateLimits} r set count = r.count + 1, waits_until = g.waits_until
    from ${toRecords(counted)} where r.site_id = ${siteId} and r.key = g.key and r.window_start = g.opened`)
  return counted
}

/** The counts of keys, whose rows stay locked until the end of the transaction. */
async function lockGuesses(
  tx: Tx,
  siteId: string,
  given: readonly { key: string; opened: Date; before: Date }[],
): Promise<Map<string, { count: number; before: number; waitsUntil: number }>> {
  const { rows } = await tx.execute<{ key: string; count: number; before: number; waits_ms: number }>(sql`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) g(key text, opened timestamptz, before timestamptz)),
      locked as (
        insert into ${rateLimits} (site_id, key, window_start, count) select ${siteId}::uuid, key, opened, 0 from given order by key
        on conflict (site_id, key, window_start) do update set count = ${rateLimits.count}
        returning key, count, waits_until)
    select given.key, locked.count, coalesce(former.count, 0) as before,
      coalesce(extract(epoch from greatest(locked.waits_until, former.waits_until)) * 1000, 0)::float8 as waits_ms
    from given join locked on locked.key = given.key
      left join ${rateLimits} former on former.site_id = ${siteId} and former.key = given.key and former.window_start = given.before`)
  return new Map(rows.map(({ key, count, before, waits_ms: waitsUntil }) => [key, { count, before, waitsUntil }]))
}

async function takeBackGuess(ctx: Ctx, counted: readonly CountedGuess[]): Promise<void> {
  for (const [siteId, own] of Map.groupBy(counted, (each) => each.siteId))
    await ctx.runtime.database.site(siteId).tx((tx) =>
      // The wait ends too, unless another guess has set its own since.
      tx.execute(sql`
        update ${rateLimits} r set count = greatest(r.count - 1, 0),
          waits_until = case when r.waits_until is distinct from g.waits_until then r.waits_until end
        from ${toRecords(own)} where r.site_id = ${siteId} and r.key = g.key and r.window_start = g.opened`),
    )
}

const toRecords = (counted: readonly CountedGuess[]) => {
  const records = counted.map(({ key, openedAt, waitsUntil }) => ({
    key,
    opened: new Date(openedAt),
    waits_until: waitsUntil === null ? null : new Date(waitsUntil),
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) g(key text, opened timestamptz, waits_until timestamptz)`
}
