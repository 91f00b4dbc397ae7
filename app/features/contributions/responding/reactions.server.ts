import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { countOrigins, findOrigin, joinCrowds, type Origin } from '#app/features/participation/origins.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { ActivityAccess, ReactionValue } from '#app/lib/vocabulary/contributions.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Database, Tx } from '#app/server/db/client.ts'
import { activities, contributions, reactions, isPublished } from '#app/server/db/schema/contributions.ts'
import { countAttempt, countAttempts, createAttempt } from '#app/server/limits/limits.ts'
import { type BatchOutcome, createSiteBatches } from '#app/server/batches.ts'
import { freeSlot } from '#app/server/work-slot.ts'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import {
  getReactionRule,
  type PlacedActivity,
  requireActivityAccess,
  requireToSeeActivity,
  selectPlacedActivities,
} from '../record/activities.policy.server.ts'
import { getActivityState } from '../record/activities.state.server.ts'
import { lockPublishedContribution, type PlacedContribution, requirePublishedContribution } from '../record/loading.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { lockContributions } from '../record/contribution-counts.server.ts'
import { loadMergedInto, REACTED_AT, selectTrees } from '../record/merge-trees.server.ts'
import { findPersonKey, hashReactor } from '#app/features/participation/person-hash.server.ts'
import { changeReactions, deleteReactions, insertReactions, type ReactionRow } from './stored-reactions.server.ts'

/** What lets the sender in comes with the request. */
const BROUGHT_ACCESS: readonly ActivityAccess[] = ['invited', 'verified']

/** For each person. */
const LIMIT = { name: 'reaction', most: 60, minutes: 10 }

export interface ReactionInput {
  /** Made by the sender: sending it twice stores it once. */
  id: string
  contributionId: string
  /** Support unless given. */
  value?: ReactionValue | undefined
  browserToken?: BrowserToken | undefined
  invitation?: ReadInvitation | undefined
}

/**
 * Adds the viewer's support, or whether they agree. A person counts once, whatever they send: the reaction they already have is returned,
 * changed if they disagree now with what they agreed with.
 * @throws {AppError} `not-found`, `vanished`, `merged` naming where it went, `invalid` for what the activity does not ask, `activity-not-open`, `activity-closed`, the refusal of the
 * activity's access rule, `browser-or-account-needed`, `too-many-requests`
 */
export function addReaction(ctx: Ctx, input: ReactionInput): Promise<StoredReaction> {
  freeSlot()
  return storeReaction(ctx.runtime.database, ctx.site.id, { ctx, input })
}

interface StoredReaction {
  /** False if the person had reacted before. */
  created: boolean
  row: ReactionRow
}

/** A reaction that has just been sent, by the viewer of `ctx`. */
interface Arrival {
  ctx: Ctx
  input: ReactionInput
}

/** An arrival that may be stored unless the person has reacted already. */
interface AcceptedArrival extends Arrival {
  row: ReactionRow
  origin: Origin | undefined
  /** All hashes that recognise the person. */
  recognisedBy: readonly Buffer[]
}

const storeReaction = createSiteBatches<Arrival, StoredReaction>(storeBatch)

function storeBatch(database: Database, siteId: string, arrivals: readonly Arrival[]): Promise<BatchOutcome<StoredReaction>[]> {
  return database.site(siteId).tx(async (tx) => {
    const outcomes = new Map<ReactionInput, BatchOutcome<StoredReaction>>()
    const accepted: AcceptedArrival[] = []
    const activityOf = await lockReactable(tx, siteId, arrivals)
    for (const arrival of arrivals) {
      try {
        accepted.push(await acceptReaction(tx, arrival, activityOf(arrival.input.contributionId)))
      } catch (error) {
        if (!isAppError(error)) throw error
        outcomes.set(arrival.input, error)
      }
    }
    const known = await findKnownReactions(tx, siteId, accepted)
    const refused = await countReacted(
      tx,
      siteId,
      listFirstOfEach(accepted).filter((arrival) => known(arrival)?.value !== arrival.row.value),
    )
    const wanted = new Map<AcceptedArrival, ReactionRow>()
    const changes = new Map<ReactionRow, AcceptedArrival>()
    for (const arrival of accepted) {
      const refusal = refused.get(arrival)
      const before = known(arrival)
      if (refusal) outcomes.set(arrival.input, refusal)
      else if (before) changes.set(before, arrival)
      else wanted.set(arrival, joinSamePerson([...wanted.keys()], arrival))
    }
    await setAside(
      tx,
      siteId,
      [...wanted].flatMap(([arrival, row]) => (arrival.row === row ? [arrival] : [])),
    )
    const stored = await insertReactions(tx, siteId, new Set(wanted.values()))
    const changed = await changeReactions(tx, siteId, changes)
    for (const arrival of accepted) {
      if (outcomes.has(arrival.input)) continue
      const before = known(arrival)
      const row = wanted.get(arrival)
      if (before) outcomes.set(arrival.input, { created: false, row: changed.get(before) ?? before })
      else outcomes.set(arrival.input, row && stored.has(row) ? { created: row === arrival.row, row } : new AppError('conflict'))
    }
    return arrivals.map(({ input }) => outcomes.get(input) ?? new AppError('internal'))
  })
}

/**
 * Locks the published contributions that were reacted to, so that two reactions of one person, by account and by browser, wait for each
 * other, and nothing is merged or taken off the site meanwhile.
 * @returns finds a contribution's activity; undefined for what is not published
 */
async function lockReactable(
  tx: Tx,
  siteId: string,
  arrivals: readonly Arrival[],
): Promise<(contributionId: string) => PlacedActivity | undefined> {
  const ids = [...new Set(arrivals.map(({ input }) => input.contributionId).filter(isId))]
  const locked = await tx
    .select({ id: contributions.id, activityId: contributions.activityId })
    .from(contributions)
    .where(and(eq(contributions.siteId, siteId), inArray(contributions.id, ids), isPublished))
    .orderBy(asc(contributions.id))
    .for('update')
  const activityIds = [...new Set(locked.map(({ activityId }) => activityId))]
  const placed = activityIds.length
    ? await selectPlacedActivities(tx).where(and(eq(activities.siteId, siteId), inArray(activities.id, activityIds)))
    : []
  const byId = new Map(placed.map((one) => [one.activity.id, one]))
  const activityOf = new Map(locked.map(({ id, activityId }) => [id, byId.get(activityId)]))
  return (id) => activityOf.get(id)
}

async function acceptReaction(tx: Tx, { ctx, input }: Arrival, placed: PlacedActivity | undefined): Promise<AcceptedArrival> {
  if (placed) {
    await requireToSeeActivity(ctx, tx, placed)
    await requireOpenForReactions(ctx, tx, placed, input.invitation)
  }
  // Says why it is not published.
  const { activity } = placed ?? (await requireReactable(ctx, tx, input.contributionId, input.invitation))
  const value = input.value ?? 'support'
  if (!readActivitySettings(activity).tools.reactions.includes(value))
    throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/value' }] })
  const { own, all, byAccount } = await hashReactor(ctx, tx, getReactionRule(activity), input.browserToken, input.invitation)
  if (!own) throw new AppError('browser-or-account-needed', { faults: [{ code: 'browser-or-account-needed', pointer: '/browserToken' }] })
  const { viewer } = ctx
  const isToBeTold = viewer.kind === 'user' && viewer.siteId === ctx.site.id && readActivitySettings(activity).tools.question
  const row = {
    siteId: ctx.site.id,
    id: input.id,
    contributionId: input.contributionId,
    personHash: own,
    byAccount,
    value,
    tellUserId: isToBeTold ? viewer.id : null,
    createdAt: ctx.now(),
    changedAt: null,
    crowdId: null,
    counted: true,
  }
  return { ctx, input, row, origin: findOrigin(ctx, 'supports', { activityId: activity.id }), recognisedBy: all }
}

/** Reactions that the same people have to the same contributions, or to what was merged into them: the last of each person. */
async function findKnownReactions(
  tx: Tx,
  siteId: string,
  arrivals: readonly AcceptedArrival[],
): Promise<(arrival: AcceptedArrival) => ReactionRow | undefined> {
  if (arrivals.length === 0) return () => undefined
  const toKey = (root: string, hash: Buffer) => `${root} ${hash.toString('hex')}`
  const roots = [...new Set(arrivals.map(({ input }) => input.contributionId))]
  const hashes = arrivals.flatMap(({ recognisedBy }) => recognisedBy)
  const found = await tx
    .select({ root: sql<string>`tree.root`, reaction: reactions })
    .from(reactions)
    .innerJoin(sql`${selectTrees(siteId, roots)} tree`, sql`tree.id = ${reactions.contributionId}`)
    .where(and(eq(reactions.siteId, siteId), sql`${reactions.personHash} = any (${sql.param(hashes)}::bytea[])`))
    .orderBy(REACTED_AT, reactions.id)
  const known = new Map(found.map(({ root, reaction }) => [toKey(root, reaction.personHash), reaction]))
  return ({ input, recognisedBy }) => {
    const key = recognisedBy.map((hash) => toKey(input.contributionId, hash)).find((one) => known.has(one))
    return key === undefined ? undefined : known.get(key)
  }
}

/** Without what was sent twice at once: it counts once against the limit. */
const listFirstOfEach = (arrivals: readonly AcceptedArrival[]): AcceptedArrival[] =>
  [...new Map(arrivals.toReversed().map((arrival) => [arrival.input.id, arrival])).values()].toReversed()

/** @returns its own row, or the same person's to the same contribution, sent just before, which then says what they said last */
function joinSamePerson(before: readonly AcceptedArrival[], { input, recognisedBy, row }: AcceptedArrival): ReactionRow {
  const same = before.find(
    (one) => one.input.contributionId === input.contributionId && recognisedBy.some((hash) => hash.equals(one.row.personHash)),
  )
  if (!same) return row
  same.row.value = row.value
  return same.row
}

/** Unusually many from one address do not count until somebody has looked. */
async function setAside(tx: Tx, siteId: string, arrivals: readonly AcceptedArrival[]): Promise<void> {
  const unusual = await countOrigins(tx, siteId, arrivals)
  const [first] = unusual
  if (!first) return
  for (const [{ row }, crowdId] of await joinCrowds(tx, siteId, unusual, first.row.createdAt))
    Object.assign(row, { crowdId, counted: false })
}

/** Takes back what the viewer said; nothing happens if there is none. @throws as `addReaction` */
export async function removeOwnReaction(ctx: Ctx, input: Omit<ReactionInput, 'id' | 'value'>): Promise<void> {
  const { all } = await ctx.db.read(async (tx) => {
    const { activity } = await requireReactable(ctx, tx, input.contributionId, input.invitation)
    return hashReactor(ctx, tx, getReactionRule(activity), input.browserToken, input.invitation)
  })
  if (all.length === 0) return
  const of = findPersonKey(ctx, input.browserToken)
  if (of) await countAttempt(ctx, [{ ...LIMIT, of }])
  await ctx.db.tx(async (tx) => {
    await lockContributions(tx, ctx.site.id, [input.contributionId])
    await requireReactable(ctx, tx, input.contributionId, input.invitation)
    await deleteReactions(ctx, tx, input.contributionId, all)
  })
}

/** The same by the reaction's id, which only its sender knows, also where it went by a merge. @throws as `addReaction` */
export async function removeReaction(ctx: Ctx, row: ReactionRow): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const target = (await loadMergedInto(tx, ctx.site.id, row.contributionId)).at(-1)?.id ?? row.contributionId
    const placed = await lockPublishedContribution(ctx, tx, target)
    requireReactionsOpen(ctx, placed)
    // Only the sender, who brought a code or was verified when they reacted, knows the id.
    if (!BROUGHT_ACCESS.includes(placed.activity.reactAccess)) await requireActivityAccess(ctx, tx, 'contributions.react', placed)
    await deleteReactions(ctx, tx, target, [row.personHash])
  })
}

async function requireReactable(
  ctx: Ctx,
  tx: Tx,
  contributionId: string,
  invitation: ReadInvitation | undefined,
): Promise<PlacedContribution> {
  const placed = await requirePublishedContribution(ctx, tx, contributionId)
  await requireOpenForReactions(ctx, tx, placed, invitation)
  return placed
}

function requireReactionsOpen(ctx: Ctx, placed: PlacedActivity): void {
  if (readActivitySettings(placed.activity).tools.reactions.length === 0) throw new AppError('forbidden')
  const state = getActivityState(ctx.now(), placed)
  if (state === 'preview') throw new AppError('not-published')
  if (state === 'scheduled') throw new AppError('activity-not-open')
  if (state === 'closed') throw new AppError('activity-closed')
}

async function requireOpenForReactions(ctx: Ctx, tx: Tx, placed: PlacedActivity, invitation: ReadInvitation | undefined): Promise<void> {
  requireReactionsOpen(ctx, placed)
  await requireActivityAccess(ctx, tx, 'contributions.react', placed, invitation)
}

/** @returns what refuses those who react too often */
async function countReacted(tx: Tx, siteId: string, arrivals: readonly AcceptedArrival[]): Promise<Map<AcceptedArrival, AppError>> {
  const refused = new Map<AcceptedArrival, AppError>()
  const attempts = arrivals.map(({ ctx, input }) => createAttempt(ctx, [{ ...LIMIT, of: findPersonKey(ctx, input.browserToken) ?? '' }]))
  const errors = await countAttempts(tx, siteId, attempts)
  for (const [index, arrival] of arrivals.entries()) {
    const error = errors[index]
    if (error) refused.set(arrival, error)
  }
  return refused
}
