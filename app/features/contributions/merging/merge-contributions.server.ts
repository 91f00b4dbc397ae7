import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributionLinks, contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { lockContributions, recountContributions } from '../record/contribution-counts.server.ts'
import { buildContributionSearch } from '../record/contribution-search.ts'
import { type ContributionRow, failMerged, type PlacedContribution, requireContributionFor } from '../record/loading.server.ts'
import { isActiveMergeOf, type LinkRow } from './links.server.ts'
import { mailMergeUndone } from './merge-mails.server.ts'
import { MAX_LINK_REASON } from '../record/merging.schema.ts'
import { loadMergedInto } from '../record/merge-trees.server.ts'

export interface LinkInput {
  contributionId: string
  targetId: string
  reason: string
}

/**
 * Merges a contribution into another of its activity. It stays readable at its own address; its supporters count there from now on, each
 * person once. Its author and supporters are told by a job.
 * @returns the link's id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` for a target of another activity or without a reason; `merged` if one of them
 * already was, naming where it went; `conflict` if one of them is not published
 */
export async function mergeContributions(ctx: Ctx, input: LinkInput): Promise<string> {
  const reason = requireReason(input.reason)
  return ctx.db.tx(async (tx) => {
    const { source, target } = await requireLinkable(ctx, tx, input)
    const { contribution: double } = source
    const into = target.contribution
    await tx
      .update(contributions)
      .set({ state: 'merged', mergedInto: into.id, searchTitle: '', searchText: '' })
      .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, double.id)))
    await recountContributions(tx, ctx.site.id, [into.id])
    const id = createId()
    const after = await loadCounts(tx, ctx.site.id, into.id)
    await tx.insert(contributionLinks).values({
      siteId: ctx.site.id,
      id,
      contributionId: double.id,
      targetId: into.id,
      kind: 'duplicate_of',
      reason,
      supportsBefore: double.supports,
      targetSupportsBefore: into.supports,
      targetSupportsAfter: after.supports,
      createdBy: getViewerId(ctx),
      createdAt: ctx.now(),
    })
    await recordLinkAudit(ctx, tx, source, 'contributions.merge', {
      into: into.number,
      reason,
      before: { ...nameCounts(double), ...nameCounts(into, 'OfTarget') },
      after: nameCounts(after, 'OfTarget'),
    })
    return id
  })
}

/**
 * Undoes a merge: each of the two has its own supporters again, also those who came since.
 * @throws {AppError} `not-found`, `forbidden`, `invalid` without a reason, `conflict` if it is undone already or the text is gone
 */
export async function undoMerge(ctx: Ctx, linkId: string, typed: string): Promise<void> {
  const reason = requireReason(typed, '/endReason')
  return ctx.db.tx(async (tx) => {
    const link = await requireLink(ctx, tx, linkId)
    const known = await requireContributionFor(ctx, tx, 'contributions.moderate', link.contributionId)
    await lockActivity(ctx, tx, known.activity.id)
    await lockContributions(tx, ctx.site.id, [link.contributionId])
    const source = await requireContributionFor(ctx, tx, 'contributions.moderate', link.contributionId)
    const { contribution: double } = source
    if (double.state !== 'merged' || double.mergedInto !== link.targetId) throw new AppError('conflict')
    const [into] = await loadMergedInto(tx, ctx.site.id, double.id)
    const before = into && (await loadCounts(tx, ctx.site.id, into.id))
    await restoreDoubles(tx, ctx.site.id, [double])
    await endLink(ctx, tx, link.id, reason)
    await recordLinkAudit(ctx, tx, source, 'contributions.unmerge', {
      from: into?.number,
      reason,
      before: nameCounts(before, 'OfTarget'),
      after: {
        ...nameCounts(await loadCounts(tx, ctx.site.id, double.id)),
        ...nameCounts(into && (await loadCounts(tx, ctx.site.id, into.id)), 'OfTarget'),
      },
    })
    await mailMergeUndone(ctx, tx, source, { into: into?.number ?? 0, reason })
  })
}

/** Publishes duplicates again, and recounts what they were merged into. */
async function restoreDoubles(tx: Tx, siteId: string, doubles: readonly ContributionRow[]): Promise<void> {
  const counted = await lockContributions(
    tx,
    siteId,
    doubles.map(({ id }) => id),
  )
  for (const double of doubles)
    await tx
      .update(contributions)
      .set({ state: 'published', mergedInto: null, ...buildContributionSearch(double) })
      .where(and(eq(contributions.siteId, siteId), eq(contributions.id, double.id)))
  await recountContributions(tx, siteId, counted)
}

/**
 * When a contribution leaves the site for good, what was merged into it stands for itself again: its author did not take anything back.
 * @returns what is published again
 */
export async function releaseDoubles(
  tx: Tx,
  { siteId, targetIds, now }: { siteId: string; targetIds: readonly string[]; now: Date },
): Promise<ContributionRow[]> {
  if (targetIds.length === 0) return []
  await lockContributions(tx, siteId, targetIds)
  const doubles = await tx
    .select()
    .from(contributions)
    .where(and(eq(contributions.siteId, siteId), inArray(contributions.mergedInto, [...targetIds]), eq(contributions.state, 'merged')))
  await restoreDoubles(tx, siteId, doubles)
  for (const { id } of doubles) await tx.update(contributionLinks).set({ endedAt: now }).where(isActiveMergeOf(siteId, id))
  return doubles
}

/** The same with an audit event for each, for a contribution that a person takes off the site. */
export async function releaseDoublesOf(ctx: Ctx, tx: Tx, placed: PlacedContribution): Promise<void> {
  const { contribution } = placed
  const doubles = await releaseDoubles(tx, { siteId: ctx.site.id, targetIds: [contribution.id], now: ctx.now() })
  for (const double of doubles)
    await recordLinkAudit(ctx, tx, { ...placed, contribution: double }, 'contributions.unmerge', {
      from: contribution.number,
      after: nameCounts(await loadCounts(tx, ctx.site.id, double.id)),
    })
}

/** Ends the merge of something whose target left the site while it was away itself. */
export async function standAlone(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  const counted = await lockContributions(tx, ctx.site.id, [id])
  await tx
    .update(contributions)
    .set({ mergedInto: null })
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id)))
  await recountContributions(tx, ctx.site.id, counted)
  await tx.update(contributionLinks).set({ endedAt: ctx.now() }).where(isActiveMergeOf(ctx.site.id, id))
}

/**
 * Merges again what was released when a decision removed its target, at the moment of that decision: the appeal was right. What has been
 * merged elsewhere or taken off the site since then stays as it is.
 */
export async function mergeReleasedAgain(
  ctx: Ctx,
  tx: Tx,
  { contribution, project, ...placed }: PlacedContribution,
  at: Date,
): Promise<void> {
  const siteId = ctx.site.id
  await lockContributions(tx, siteId, [contribution.id])
  const ofTarget = and(
    eq(contributionLinks.siteId, siteId),
    eq(contributionLinks.targetId, contribution.id),
    eq(contributionLinks.kind, 'duplicate_of'),
    eq(contributionLinks.endedAt, at),
    isNull(contributionLinks.endedBy),
  )
  const released = await tx
    .select({ link: contributionLinks.id, double: contributions })
    .from(contributionLinks)
    .innerJoin(contributions, and(eq(contributions.siteId, siteId), eq(contributions.id, contributionLinks.contributionId)))
    .where(and(ofTarget, isPublished, isNull(contributions.mergedInto)))
    .for('update')
  for (const { link, double } of released) {
    await tx
      .update(contributionLinks)
      .set({ endedAt: null })
      .where(and(eq(contributionLinks.siteId, siteId), eq(contributionLinks.id, link)))
    await tx
      .update(contributions)
      .set({ state: 'merged', mergedInto: contribution.id, searchTitle: '', searchText: '' })
      .where(and(eq(contributions.siteId, siteId), eq(contributions.id, double.id)))
    await recordLinkAudit(ctx, tx, { ...placed, project, contribution: double }, 'contributions.merge', { into: contribution.number })
  }
  if (released.length > 0) await recountContributions(tx, siteId, [contribution.id])
}

/** Names two contributions of an activity on each other's pages. @returns the link's id @throws as `mergeContributions` */
export async function relateContributions(ctx: Ctx, input: LinkInput): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const { source, target } = await requireLinkable(ctx, tx, input)
    const id = createId()
    const made = await tx
      .insert(contributionLinks)
      .values({
        siteId: ctx.site.id,
        id,
        contributionId: source.contribution.id,
        targetId: target.contribution.id,
        kind: 'related',
        createdBy: getViewerId(ctx),
        createdAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning({ id: contributionLinks.id })
    if (made.length === 0) throw new AppError('conflict')
    await recordLinkAudit(ctx, tx, source, 'contributions.relate', { with: target.contribution.number })
    return id
  })
}

/** @throws {AppError} `not-found`, `forbidden` */
export async function endRelation(ctx: Ctx, linkId: string): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const link = await requireLink(ctx, tx, linkId)
    const source = await requireContributionFor(ctx, tx, 'contributions.moderate', link.contributionId)
    await endLink(ctx, tx, link.id, '')
    await recordLinkAudit(ctx, tx, source, 'contributions.unrelate', {})
  })
}

/** Both contributions, locked, if they may be linked. */
async function requireLinkable(
  ctx: Ctx,
  tx: Tx,
  { contributionId, targetId }: LinkInput,
): Promise<{ source: PlacedContribution; target: PlacedContribution }> {
  const { activity } = await requireContributionFor(ctx, tx, 'contributions.moderate', contributionId)
  const isOther = contributionId !== targetId && (await isInActivity(ctx, tx, activity.id, targetId))
  if (!isOther) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/target' }] })
  await lockActivity(ctx, tx, activity.id)
  // Whoever supports one of them at this moment either counts already or waits and learns of the merge.
  await lockContributions(tx, ctx.site.id, [contributionId, targetId])
  const source = await requireContributionFor(ctx, tx, 'contributions.moderate', contributionId)
  const target = await requireContributionFor(ctx, tx, 'contributions.moderate', targetId)
  for (const { contribution } of [source, target]) {
    if (contribution.state === 'merged') await failMerged(ctx, tx, contribution.id)
    if (contribution.state !== 'published') throw new AppError('conflict')
  }
  return { source, target }
}

async function isInActivity(ctx: Ctx, tx: Tx, activityId: string, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: contributions.id })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id), eq(contributions.activityId, activityId)))
  return found.length > 0
}

/** One merge or undoing at a time: they look at the whole tree. */
async function lockActivity(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  await tx
    .select({ id: activities.id })
    .from(activities)
    .where(and(eq(activities.siteId, ctx.site.id), eq(activities.id, id)))
    .for('update')
}

async function requireLink(ctx: Ctx, tx: Tx, id: string): Promise<LinkRow> {
  const [link] = await tx
    .select()
    .from(contributionLinks)
    .where(and(eq(contributionLinks.siteId, ctx.site.id), eq(contributionLinks.id, id)))
  if (!link) throw new AppError('not-found')
  return link
}

async function endLink(ctx: Ctx, tx: Tx, id: string, reason: string): Promise<void> {
  const ended = await tx
    .update(contributionLinks)
    .set({ endedAt: ctx.now(), endedBy: getViewerId(ctx), endReason: reason })
    .where(and(eq(contributionLinks.siteId, ctx.site.id), eq(contributionLinks.id, id), isNull(contributionLinks.endedAt)))
    .returning({ id: contributionLinks.id })
  if (ended.length === 0) throw new AppError('conflict')
}

type ReactionCounts = Pick<ContributionRow, 'supports' | 'disagrees'>

async function loadCounts(tx: Tx, siteId: string, id: string): Promise<ReactionCounts> {
  const [row] = await tx
    .select({ supports: contributions.supports, disagrees: contributions.disagrees })
    .from(contributions)
    .where(and(eq(contributions.siteId, siteId), eq(contributions.id, id)))
  return row ?? { supports: 0, disagrees: 0 }
}

/** Counts for the audit trail. `disagrees` is left out if it is 0. */
const nameCounts = ({ supports, disagrees }: ReactionCounts = { supports: 0, disagrees: 0 }, of = ''): Record<string, number> => ({
  [`supports${of}`]: supports,
  ...(disagrees > 0 && { [`disagrees${of}`]: disagrees }),
})

const recordLinkAudit = (
  ctx: Ctx,
  tx: Tx,
  { contribution, project }: PlacedContribution,
  action: AuditAction,
  detail: Record<string, unknown>,
) =>
  recordAudit(ctx, tx, {
    action,
    subject: { type: 'contributions', id: contribution.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { number: contribution.number, ...detail },
  })

const getViewerId = ({ viewer }: Ctx): string | null => (viewer.kind === 'user' ? viewer.id : null)

function requireReason(typed: string, pointer = '/reason'): string {
  const words = typed.trim()
  if (!words) throw new AppError('invalid', { faults: [{ code: 'required', pointer }] })
  if (words.length > MAX_LINK_REASON)
    throw new AppError('invalid', { faults: [{ code: 'too-long', pointer, values: { max: MAX_LINK_REASON } }] })
  return words
}
