import { createHmac } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { crowds } from '#app/server/db/schema/crowds.ts'
import { type Attempt, countAttempts, createAttempt, limitByAddress, toNetwork } from '#app/server/limits/limits.ts'
import { isSharedAddress, SHARED_FACTOR } from '#app/server/limits/shared-networks.ts'

/** How many an hour are usual from one address in an activity or survey, from people without an account: a family, a class. */
const USUAL = { texts: 30, supports: 60, answers: 60 } as const

export interface CrowdSubject {
  surveyId?: string
  activityId?: string
}

/** Where something comes from, for counting. */
export interface Origin {
  subject: CrowdSubject
  attempt: Attempt
  /** A keyed hash of the address and the subject, kept for at most two days and never stored with what was sent. */
  addressHash: Buffer
}

/** @returns undefined for people who are signed in, and if there is no address: jobs, imports, texts */
export function findOrigin(ctx: Ctx, what: keyof typeof USUAL, subject: CrowdSubject): Origin | undefined {
  if (ctx.address === null || ctx.viewer.kind === 'user') return undefined
  const within = subject.surveyId ?? subject.activityId ?? ''
  const most = USUAL[what] * (isSharedAddress(ctx) ? SHARED_FACTOR : 1)
  return {
    subject,
    attempt: createAttempt(ctx, limitByAddress(ctx, { name: what, within, most, minutes: 60 })),
    addressHash: createHmac('sha256', ctx.runtime.secret)
      .update(`crowd ${within} ${toNetwork(ctx.address)}`)
      .digest(),
  }
}

/**
 * Counts what arrives by its origin, in the transaction that stores it.
 * @returns what is more than usual
 */
export async function countOrigins<A extends { origin: Origin | undefined }>(
  tx: Tx,
  siteId: string,
  arrivals: readonly A[],
): Promise<Set<A>> {
  const known = arrivals.filter(({ origin }) => origin)
  const refused = await countAttempts(
    tx,
    siteId,
    known.map(({ origin }) => origin?.attempt ?? []),
  )
  return new Set(known.filter((_, index) => refused[index]))
}

/**
 * The crowd that each belongs to: one for each survey or activity and address, until somebody decides about it. The caller has locked the
 * survey or what is supported.
 */
export async function joinCrowds<A extends { origin: Origin | undefined }>(
  tx: Tx,
  siteId: string,
  unusual: ReadonlySet<A>,
  now: Date,
): Promise<Map<A, string>> {
  const toKey = ({ origin }: A) =>
    `${origin?.subject.surveyId ?? origin?.subject.activityId ?? ''} ${origin?.addressHash.toString('hex') ?? ''}`
  const joined = new Map<A, string>()
  // In key order, so that two transactions cannot deadlock.
  for (const [, together] of [...Map.groupBy(unusual, toKey)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const origin = together[0]?.origin
    if (!origin) continue
    const at = now.toISOString()
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into ${crowds} (site_id, id, survey_id, activity_id, address_hash, first_at, last_at)
      values (${siteId}, ${createId()}, ${origin.subject.surveyId ?? null}, ${origin.subject.activityId ?? null}, ${origin.addressHash}, ${at}, ${at})
      on conflict (site_id, coalesce(survey_id, activity_id), address_hash) where decision is null and address_hash is not null
      do update set last_at = greatest(crowds.last_at, excluded.last_at) returning id`)
    for (const arrival of together) joined.set(arrival, rows[0]?.id ?? '')
  }
  return joined
}
