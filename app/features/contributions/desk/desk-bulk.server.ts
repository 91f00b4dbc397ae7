import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { requirePermissionSomewhere } from '#app/features/permissions/permissions.policy.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import type { ContributionState } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { joinTexts, toSearchWords } from '#app/server/db/text-search.ts'
import { createDecision } from '../moderation/case-records.server.ts'
import { loadDeskFilter } from './desk-list.server.ts'
import { type ChosenOnDesk, DESK_BULK_MOST, type DeskStep } from './desk-search.ts'

/** The states in which a step changes something. */
const FIT_STATES: Record<DeskStep, readonly ContributionState[]> = {
  accept: ['held'],
  refuse: ['held', 'published'],
  hold: ['published'],
}

interface DeskPlan {
  /** What will be decided about, the oldest first. */
  ids: string[]
  /** How many of the chosen ones the step changes nothing about. */
  unfit: number
}

/**
 * What a step would decide about: of everything that a list shows, or of the given ones. At most `DESK_BULK_MOST`.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export function planDeskStep(ctx: Ctx, step: DeskStep, chosen: ChosenOnDesk): Promise<DeskPlan> {
  requirePermissionSomewhere(ctx, 'contributions.moderate')
  return ctx.db.read((tx) => selectFitting(ctx, tx, chosen, inArray(contributions.state, [...FIT_STATES[step]])))
}

export async function selectFitting(ctx: Ctx, tx: Tx, chosen: ChosenOnDesk, fits: SQL): Promise<DeskPlan> {
  const words = 'search' in chosen ? toSearchWords(chosen.search.q ?? '') : []
  const found = words.length > 0 ? joinTexts(ctx.site.id, words) : undefined
  const where: SQL | undefined =
    'search' in chosen
      ? and(await loadDeskFilter(ctx, tx, chosen.search), found?.where(contributions.id))
      : and(await loadDeskFilter(ctx, tx, {}), inArray(contributions.id, [...chosen.ids]))
  const { rows } = await tx.execute<{ ids: string[] | null; unfit: number }>(sql`
    with ${found ? sql`${found.found},` : sql``}
    chosen as (select ${contributions.id} as id, ${contributions.submittedAt} as at, ${fits} as fits from ${contributions} where ${where}),
    listed as (select id, at from chosen where fits order by at, id limit ${DESK_BULK_MOST})
    select (select array_agg(id::text order by at, id) from listed) as ids, (select count(*)::int from chosen where not fits) as unfit`)
  return { ids: rows[0]?.ids ?? [], unfit: rows[0]?.unfit ?? 0 }
}

interface DeskOutcome {
  /** Decisions made, for undoing them. */
  decisions: string[]
  /** How many were skipped, because another moderator had decided about them or they no longer exist. */
  left: number
}

/**
 * Decides about each of some contributions, in a transaction of its own with its record and its message. Sent twice, or by two people at
 * once, each is decided once: the other finds it decided.
 * @throws {AppError} `unauthenticated`, `forbidden`, `invalid` without a rule and words where a step needs them
 */
export async function takeDeskStep(
  ctx: Ctx,
  { ids, step, rule, reason }: { ids: readonly string[]; step: DeskStep; rule?: string | undefined; reason?: string | undefined },
): Promise<DeskOutcome> {
  requirePermissionSomewhere(ctx, 'contributions.moderate')
  const known = await ctx.db.read((tx) =>
    tx
      .select({ id: contributions.id, state: contributions.state, publishedAt: contributions.publishedAt })
      .from(contributions)
      .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, [...ids])))
      .orderBy(asc(contributions.submittedAt), asc(contributions.id)),
  )
  const outcome: DeskOutcome = { decisions: [], left: ids.length - known.length }
  for (const { id, state, publishedAt } of known) {
    if (!FIT_STATES[step].includes(state)) {
      outcome.left += 1
      continue
    }
    const decision = step === 'accept' ? 'publish' : step === 'hold' ? 'hold' : publishedAt ? 'remove' : 'decline'
    try {
      outcome.decisions.push(await createDecision(ctx, { contribution: id, decision, ...(step !== 'accept' && { rule, reason }) }))
    } catch (error) {
      if (!isAppError(error, 'conflict') && !isAppError(error, 'not-found')) throw error
      outcome.left += 1
    }
  }
  return outcome
}
