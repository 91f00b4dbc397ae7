import { and, eq, inArray, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, reactions } from '#app/server/db/schema/contributions.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { requireActivityAccess } from '../activities/activities.policy.server.ts'
import { getActivityState } from '../activities/activities.state.server.ts'
import { type PlacedContribution, requirePublishedContribution } from '../reading/loading.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { loadMergedInto, selectTree } from '../merging/support-counts.server.ts'
import { findPersonKey, hashParticipant } from '../posting/person-hash.server.ts'

export type ReactionRow = typeof reactions.$inferSelect

const MAX_REACTIONS = 60
const REACTED_WITHIN_MINUTES = 10

export interface ReactionInput {
  /** Made by the sender: sending it twice stores it once. */
  id: string
  contributionId: string
  browserToken?: string | undefined
}

/**
 * Adds the viewer's support. A person counts once, whatever they send: the reaction they already have is returned.
 * @throws {AppError} `not-found`, `gone`, `merged` naming where it went, `activity-not-open`, `activity-closed`, the refusal of the
 * activity's access rule, `browser-or-account-needed`, `too-many-requests`
 */
export async function addReaction(ctx: Ctx, input: ReactionInput): Promise<{ created: boolean; row: ReactionRow }> {
  const placed = await ctx.db.read((tx) => requireReactable(ctx, tx, input.contributionId))
  const person = hashParticipant(ctx, placed.activity.id, input.browserToken)
  const { own } = person
  if (!own) throw new AppError('browser-or-account-needed', { faults: [{ code: 'browser-or-account-needed', pointer: '/browserToken' }] })
  const known = await ctx.db.read((tx) => findReaction(ctx, tx, input.contributionId, person.all))
  if (known) return { created: false, row: known }
  await countReacted(ctx, input.browserToken)
  const { viewer } = ctx
  const isToBeTold = viewer.kind === 'user' && viewer.siteId === ctx.site.id && readActivitySettings(placed.activity).tools.question
  return ctx.db.tx(async (tx) => {
    const row = {
      siteId: ctx.site.id,
      id: input.id,
      contributionId: input.contributionId,
      personHash: own,
      byAccount: person.byAccount,
      value: 'support' as const,
      tellUserId: isToBeTold ? viewer.id : null,
      createdAt: ctx.now(),
    }
    // Locks the contribution first, so that two reactions of one person, by account and by browser, wait for each other.
    if (!(await countSupports(tx, ctx.site.id, input.contributionId, 1))) {
      // It has just been merged or taken off the site.
      await requirePublishedContribution(ctx, tx, input.contributionId)
      throw new AppError('conflict')
    }
    const found = await findReaction(ctx, tx, input.contributionId, person.all)
    const [inserted] = found ? [] : await tx.insert(reactions).values(row).onConflictDoNothing().returning()
    if (inserted) return { created: true, row: inserted }
    await countSupports(tx, ctx.site.id, input.contributionId, -1)
    if (!found) throw new AppError('conflict')
    return { created: false, row: found }
  })
}

/** Takes the viewer's support back; nothing happens if there is none. @throws as `addReaction` */
export async function removeOwnReaction(ctx: Ctx, input: Omit<ReactionInput, 'id'>): Promise<void> {
  const placed = await ctx.db.read((tx) => requireReactable(ctx, tx, input.contributionId))
  const { all } = hashParticipant(ctx, placed.activity.id, input.browserToken)
  if (all.length === 0) return
  await countReacted(ctx, input.browserToken)
  await ctx.db.tx(async (tx) => {
    await lockPublished(ctx, tx, placed.contribution.id)
    await deleteReactions(ctx, tx, placed.contribution.id, all)
  })
}

/** The same by the reaction's id, which only its sender knows, also where it went by a merge. @throws as `addReaction` */
export async function removeReaction(ctx: Ctx, row: ReactionRow): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const target = (await loadMergedInto(tx, ctx.site.id, row.contributionId)).at(-1)?.id ?? row.contributionId
    await requireReactable(ctx, tx, target)
    await lockPublished(ctx, tx, target)
    await deleteReactions(ctx, tx, target, [row.personHash])
  })
}

/** Whoever merges it or counts it anew waits. @throws as `addReaction` if it is no longer published */
async function lockPublished(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  const locked = await tx
    .select({ id: contributions.id })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id), eq(contributions.state, 'published')))
    .for('update')
  if (locked.length > 0) return
  await requirePublishedContribution(ctx, tx, id)
  throw new AppError('conflict')
}

async function requireReactable(ctx: Ctx, tx: Tx, contributionId: string): Promise<PlacedContribution> {
  const placed = await requirePublishedContribution(ctx, tx, contributionId)
  if (!readActivitySettings(placed.activity).tools.reactions.includes('support')) throw new AppError('forbidden')
  const state = getActivityState(ctx.now(), placed)
  if (state === 'preview') throw new AppError('not-published')
  if (state === 'scheduled') throw new AppError('activity-not-open')
  if (state === 'closed') throw new AppError('activity-closed')
  await requireActivityAccess(ctx, tx, 'contributions.react', placed)
  return placed
}

/** A person's support goes from the contribution and from all that was merged into it: they were told it is one. */
async function deleteReactions(ctx: Ctx, tx: Tx, id: string, hashes: readonly Buffer[]): Promise<void> {
  const gone = await tx
    .delete(reactions)
    .where(
      and(
        eq(reactions.siteId, ctx.site.id),
        inArray(reactions.personHash, [...hashes]),
        sql`${reactions.contributionId} in ${selectTree(ctx.site.id, id)}`,
      ),
    )
    .returning({ person: sql<string>`encode(${reactions.personHash}, 'hex')` })
  if (gone.length === 0) return
  await countSupports(tx, ctx.site.id, id, -new Set(gone.map(({ person }) => person)).size)
}

async function findReaction(ctx: Ctx, tx: Tx, contributionId: string, hashes: readonly Buffer[]): Promise<ReactionRow | undefined> {
  if (hashes.length === 0) return undefined
  const [row] = await tx
    .select()
    .from(reactions)
    .where(
      and(
        eq(reactions.siteId, ctx.site.id),
        inArray(reactions.personHash, [...hashes]),
        sql`${reactions.contributionId} in ${selectTree(ctx.site.id, contributionId)}`,
      ),
    )
    .limit(1)
  return row
}

export const hasReacted = async (ctx: Ctx, tx: Tx, contributionId: string, hashes: readonly Buffer[]): Promise<boolean> =>
  (await findReaction(ctx, tx, contributionId, hashes)) !== undefined

/**
 * Counts in the contribution's row. Stored pages are not made anew for it: at a thousand reactions a second none would last. They expire
 * within a minute, and whoever reacted gets a page of their own.
 * @returns false if it is not published
 */
async function countSupports(tx: Tx, siteId: string, contributionId: string, step: number): Promise<boolean> {
  const counted = await tx
    .update(contributions)
    .set({ supports: sql`greatest(0, ${contributions.supports} + ${step})` })
    .where(and(eq(contributions.siteId, siteId), eq(contributions.id, contributionId), eq(contributions.state, 'published')))
    .returning({ id: contributions.id })
  return counted.length > 0
}

/** @throws {AppError} `too-many-requests` */
function countReacted(ctx: Ctx, browserToken: string | undefined): Promise<void> {
  const of = findPersonKey(ctx, browserToken)
  return of ? countAttempt(ctx, [{ name: 'reaction', of, most: MAX_REACTIONS, minutes: REACTED_WITHIN_MINUTES }]) : Promise.resolve()
}

/** Reactions by id: those of a browser for anyone who knows the id, those of an account for that account. */
export function loadReactions(ctx: Ctx, ids: readonly string[]): Promise<ReactionRow[]> {
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select({ reaction: reactions, activityId: contributions.activityId })
      .from(reactions)
      .innerJoin(contributions, and(eq(contributions.siteId, reactions.siteId), eq(contributions.id, reactions.contributionId)))
      .where(and(eq(reactions.siteId, ctx.site.id), inArray(reactions.id, [...ids])))
    const isOwn = ({ reaction, activityId }: (typeof rows)[number]) =>
      !reaction.byAccount || Boolean(hashParticipant(ctx, activityId, undefined).own?.equals(reaction.personHash))
    return rows.filter(isOwn).map(({ reaction }) => reaction)
  })
}
