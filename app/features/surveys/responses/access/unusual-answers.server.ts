import { createHash, createHmac } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { rateLimits } from '#app/server/db/schema/limits.ts'
import { toNetwork } from '#app/server/limits/limits.ts'
import { type Challenge, buildWorkText, countLeadingZeroBits } from './proof-of-work.ts'

/** Up to this many answers to a survey from one address in ten minutes is normal: a family, a class, the computers of a library. */
const USUAL_ANSWERS = 30
const WINDOW_MS = 10 * 60_000
/** From half of it on, browsers get a challenge, before any answer counts as unusual. */
const CHALLENGE_THRESHOLD = USUAL_ANSWERS / 2
/** About 65,000 hashes: a second or two, while the participant reads the first question. */
const CHALLENGE_BITS = 16
const HOUR_MS = 3_600_000
/** How long a page may stay open before its challenge expires. */
const HOURS_ACCEPTED = 12
/** Nobody reads and answers three questions faster. */
const MIN_SECONDS = 2
const MIN_QUESTIONS = 3

/** Where an answer comes from, for counting. */
export interface AnswerOrigin {
  /** A keyed hash of the address and the survey, kept for at most two days and never stored with the answer. */
  key: string
  proven: boolean
}

/** @param proof the browser's solution, if it got a challenge @returns undefined if there is no address: jobs, imports */
export function findOrigin(ctx: Ctx, surveyId: string, sendingId: string, proof: string | undefined): AnswerOrigin | undefined {
  const key = findOriginKey(ctx, surveyId)
  return key === undefined ? undefined : { key, proven: isProven(ctx, surveyId, sendingId, proof) }
}

const findOriginKey = (ctx: Ctx, surveyId: string): string | undefined =>
  ctx.address === null
    ? undefined
    : `answers:${createHmac('sha256', ctx.runtime.secret)
        .update(`answers ${surveyId} ${toNetwork(ctx.address)}`)
        .digest('base64url')}`

/**
 * Counts answers by origin, in the transaction that stores them.
 * @returns the answers beyond the normal rate without a proof: they are accepted and flagged
 */
export async function countOrigins<A extends { origin: AnswerOrigin | undefined }>(
  tx: Tx,
  siteId: string,
  arrivals: readonly A[],
  now: Date,
): Promise<Set<A>> {
  const unusual = new Set<A>()
  const byKey = Map.groupBy(
    arrivals.filter((arrival) => arrival.origin),
    (arrival) => arrival.origin?.key ?? '',
  )
  if (byKey.size === 0) return unusual
  // One statement in key order, so that two transactions cannot deadlock.
  const given = Array.from(byKey, ([key, together]) => ({ key, count: together.length })).toSorted((one, other) =>
    one.key < other.key ? -1 : 1,
  )
  const counted = await tx.execute<{ key: string; count: number }>(sql`
    insert into ${rateLimits} as known (site_id, key, window_start, count)
    select ${siteId}::uuid, key, ${getWindowStart(now).toISOString()}::timestamptz, count
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(key text, count int) order by key
    on conflict (site_id, key, window_start) do update set count = known.count + excluded.count
    returning key, count`)
  for (const { key, count } of counted.rows) {
    const together = byKey.get(key) ?? []
    for (const [index, arrival] of together.entries())
      if (count - together.length + index >= USUAL_ANSWERS && !arrival.origin?.proven) unusual.add(arrival)
  }
  return unusual
}

const getWindowStart = (now: Date) => new Date(Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS)

/** The challenge for a page if many answers come from its address; null if the rate is normal. */
export async function loadChallenge(ctx: Ctx, surveyId: string): Promise<Challenge | null> {
  const key = findOriginKey(ctx, surveyId)
  if (key === undefined) return null
  const now = ctx.now()
  const [row] = await ctx.db.read((tx) =>
    tx
      .select({ count: rateLimits.count })
      .from(rateLimits)
      .where(and(eq(rateLimits.siteId, ctx.site.id), eq(rateLimits.key, key), eq(rateLimits.windowStart, getWindowStart(now)))),
  )
  return (row?.count ?? 0) >= CHALLENGE_THRESHOLD ? { salt: deriveSalt(ctx, surveyId, toHour(now)), bits: CHALLENGE_BITS } : null
}

const toHour = (now: Date) => Math.floor(now.getTime() / HOUR_MS)

const deriveSalt = (ctx: Ctx, surveyId: string, hour: number): string =>
  createHmac('sha256', ctx.runtime.secret).update(`work/${ctx.site.id}/${surveyId}/${hour}`).digest('base64url').slice(0, 22)

function isProven(ctx: Ctx, surveyId: string, sendingId: string, proof: string | undefined): boolean {
  if (!proof || !/^\d{1,12}$/.test(proof)) return false
  const hour = toHour(ctx.now())
  return Array.from({ length: HOURS_ACCEPTED }, (_, ago) => deriveSalt(ctx, surveyId, hour - ago)).some(
    (salt) =>
      countLeadingZeroBits(
        createHash('sha256')
          .update(buildWorkText(salt, sendingId, proof))
          .digest(),
      ) >= CHALLENGE_BITS,
  )
}

/** Sent faster than anyone can read: we accept such an answer and flag it. */
export const isHasty = (seconds: number | null, questions: number): boolean =>
  seconds !== null && seconds < MIN_SECONDS && questions >= MIN_QUESTIONS
