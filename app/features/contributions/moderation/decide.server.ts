import { and, eq, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type ContributionState, READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { StateBefore } from '#app/lib/vocabulary/moderation.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import {
  contributionNotes,
  contributions,
  contributionVersions,
  officialResponseDrafts,
  officialResponses,
  replies,
} from '#app/server/db/schema/contributions.ts'
import { recountContributions } from '../record/contribution-counts.server.ts'
import { closeAppeals } from './appeals/close-appeals.server.ts'
import { type CaseRow, type CaseSubject, closeCases, openCase, recordDecision } from './cases.server.ts'
import { mailDecision } from './decision-mails.server.ts'
import { deleteContributionOriginals, deleteOriginal } from './masking/masked-originals.server.ts'
import { requireRule } from './rules.server.ts'
import type { Screening } from './screening.server.ts'
import { eraseObjections } from '../merging/links.server.ts'
import { releaseDoublesOf } from '../merging/merge-contributions.server.ts'
import type { ActivityRow } from '../record/activities.policy.server.ts'
import { withdrawLeaves } from '../record/contribution-ledger.server.ts'
import { buildContributionSearch } from '../record/contribution-search.ts'
import {
  type ContributionRow,
  type PlacedContribution,
  type PlacedReply,
  requireContributionFor,
  requireReplyFor,
} from '../record/loading.server.ts'

const MAX_REASON = 2000

/** Replies are not merged. */
type ReplyState = Exclude<ContributionState, 'merged'>

/** Which states may follow which. Anything can also be erased. */
const NEXT_STATES: Record<ContributionState, readonly ContributionState[]> = {
  held: ['published', 'declined', 'removed', 'withdrawn'],
  published: ['held', 'removed', 'withdrawn'],
  // Merging and undoing it are no decisions about the text: see `merging/`.
  merged: ['removed', 'withdrawn'],
  declined: [],
  removed: [],
  withdrawn: [],
  erased: [],
}

/** The state of something just sent: rules of moderation decide here. */
export const chooseStateOnSubmission = (
  { moderation }: Pick<ActivityRow, 'moderation'>,
  { holds }: Pick<Screening, 'holds'>,
  doubt: 'rate' | null = null,
): 'held' | 'published' => (moderation === 'before' || holds || doubt ? 'held' : 'published')

/** Why, in a rule of the site and in words to the author. */
interface Reason {
  /** A rule's code. */
  rule: string
  words: string
}

/** `publish` what was held; `hold` or `remove` what is public; `decline` what never was. */
export type StateDecision = 'publish' | 'hold' | 'decline' | 'remove'

const STATE_BY_DECISION = { publish: 'published', hold: 'held', decline: 'declined', remove: 'removed' } as const

const isOpenedNow = ({ openedBy, openedAt }: CaseRow, now: Date): boolean => openedBy === 'staff' && openedAt.getTime() === now.getTime()

/** For taking the decision back: see `undoDecision`. */
const describeBefore = (
  { now }: Ctx,
  { state, version, reason, decidedBy, decidedAt }: Pick<ContributionRow, 'state' | 'version' | 'reason' | 'decidedBy' | 'decidedAt'>,
  opened: CaseRow,
  { publishedAt, wasPublic }: { publishedAt: Date | null; wasPublic: boolean },
): StateBefore => ({
  state,
  version,
  reason,
  decidedBy,
  decidedAt: decidedAt?.toISOString() ?? null,
  publishedAt: publishedAt?.toISOString() ?? null,
  wasPublic,
  openCase: isOpenedNow(opened, now()) ? null : { heldUntil: opened.heldUntil?.toISOString() ?? null },
})

/**
 * The one way to decide about a contribution: its state, its case, the decision and the message to the author change together.
 * @param reason told to the author and to anyone who follows a link to it; needed for all but publishing
 * @throws {AppError} `not-found`, `forbidden`, `invalid`, `conflict` if its state does not allow it
 */
export async function decideOnContribution(at: Ctx, id: string, decision: StateDecision, reason?: Partial<Reason>): Promise<void> {
  const words = readWords(decision, reason)
  const ctx = stopClock(at)
  await ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', id)
    const { contribution, activity } = placed
    const subject = { contributionId: contribution.id, replyId: null, version: contribution.version }
    const rule = decision === 'publish' ? null : await requireRule(ctx, tx, reason?.rule)
    const decidedBy = getViewerId(ctx)
    const opened = await openCase(ctx, tx, activity, { subject, openedBy: 'staff' })
    const { publishedAt } = contribution
    const before = describeBefore(ctx, contribution, opened, { publishedAt, wasPublic: await wasVersionPublic(tx, contribution) })
    await changeContributionState(ctx, tx, placed, STATE_BY_DECISION[decision], { reason: words, rule: rule?.code, decidedBy })
    const decisionId = await recordDecision(ctx, tx, opened, { decision, rule, words, decidedBy, before })
    const { authorId } = contribution
    await mailDecision(ctx, tx, placed, { authorId, to: STATE_BY_DECISION[decision], reason: words, rule, decisionId, mayUndo: true })
  })
}

async function wasVersionPublic(tx: Tx, { siteId, id, version }: ContributionRow): Promise<boolean> {
  const [found] = await tx
    .select({ wasPublic: contributionVersions.wasPublic })
    .from(contributionVersions)
    .where(
      and(eq(contributionVersions.siteId, siteId), eq(contributionVersions.contributionId, id), eq(contributionVersions.number, version)),
    )
  return found?.wasPublic ?? false
}

/** The same for a reply. */
export async function decideOnReply(at: Ctx, id: string, decision: StateDecision, reason?: Partial<Reason>): Promise<void> {
  const words = readWords(decision, reason)
  const ctx = stopClock(at)
  await ctx.db.tx(async (tx) => {
    const placed = await requireReplyFor(ctx, tx, 'contributions.moderate', id)
    const { reply, activity } = placed
    const subject = { contributionId: reply.contributionId, replyId: reply.id, version: 1 }
    const rule = decision === 'publish' ? null : await requireRule(ctx, tx, reason?.rule)
    const decidedBy = getViewerId(ctx)
    const opened = await openCase(ctx, tx, activity, { subject, openedBy: 'staff' })
    const before = describeBefore(ctx, reply, opened, { publishedAt: null, wasPublic: false })
    await changeReplyState(ctx, tx, placed, STATE_BY_DECISION[decision], { reason: words, rule: rule?.code, decidedBy })
    const decisionId = await recordDecision(ctx, tx, opened, { decision, rule, words, decidedBy, before })
    const { authorId } = reply
    await mailDecision(ctx, tx, placed, {
      authorId,
      to: STATE_BY_DECISION[decision],
      reason: words,
      rule,
      decisionId,
      isReply: true,
      mayUndo: true,
    })
  })
}

/** Looks at something public and leaves it as it is. @throws {AppError} `not-found`, `forbidden`, `conflict` if it is not public */
export async function keepAsItIs(at: Ctx, { contributionId, replyId }: Pick<CaseSubject, 'contributionId' | 'replyId'>): Promise<void> {
  const ctx = stopClock(at)
  await ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', contributionId)
    const row = replyId ? (await requireReplyFor(ctx, tx, 'contributions.moderate', replyId)).reply : placed.contribution
    const { state } = row
    if (!READABLE_STATES.includes(state)) throw new AppError('conflict')
    const version = replyId ? 1 : placed.contribution.version
    const opened = await openCase(ctx, tx, placed.activity, { subject: { contributionId, replyId, version }, openedBy: 'staff' })
    const before = describeBefore(ctx, row, opened, { publishedAt: null, wasPublic: true })
    await recordDecision(ctx, tx, opened, { decision: 'keep', rule: null, words: '', decidedBy: getViewerId(ctx), before })
    await recordAudit(ctx, tx, {
      action: replyId ? 'replies.keep' : 'contributions.keep',
      subject: replyId ? { type: 'replies', id: replyId } : { type: 'contributions', id: contributionId },
      hubId: placed.project.hubId,
      projectId: placed.project.id,
      detail: { number: placed.contribution.number },
    })
  })
}

/** All that one decision changes carries the same moment: an appeal that is right finds by it what to restore. */
export function stopClock(ctx: Ctx): Ctx {
  const now = ctx.now()
  return { ...ctx, now: () => now }
}

const getViewerId = ({ viewer }: Ctx): string | null => (viewer.kind === 'user' ? viewer.id : null)

const readWords = (decision: StateDecision, reason: Partial<Reason> | undefined): string =>
  decision === 'publish' ? '' : requireWords(reason?.words ?? '')

/** @throws {AppError} `invalid` without words to the author, or with too many */
export function requireWords(typed: string): string {
  const words = typed.trim()
  if (!words) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/reason' }] })
  if (words.length > MAX_REASON)
    throw new AppError('invalid', { faults: [{ code: 'too-long', pointer: '/reason', values: { max: MAX_REASON } }] })
  return words
}

interface StateChange {
  reason: string
  /** The code of the rule that was broken. */
  rule?: string | undefined
  /** Null if the author or a rule did it. */
  decidedBy: string | null
  /** Reports held it, and nobody decided in time. */
  cameBack?: boolean
  /** An appeal was right: what was declined or removed is as it was before. */
  isRestored?: boolean
}

/** Where an appeal that was right leads. */
const RESTORED_STATES: Partial<Record<ContributionState, readonly ContributionState[]>> = {
  declined: ['published'],
  removed: ['published', 'merged'],
}

/** @throws {AppError} `conflict` if the state does not allow it */
function requireNextState(from: ContributionState, to: ContributionState, isRestored: boolean): void {
  if (to === 'erased') return
  const next = (isRestored ? RESTORED_STATES : NEXT_STATES)[from] ?? []
  if (!next.includes(to)) throw new AppError('conflict')
}

const AUDIT_BY_STATE: Record<ContributionState, AuditAction> = {
  held: 'contributions.hold',
  published: 'contributions.publish',
  merged: 'contributions.restore',
  declined: 'contributions.decline',
  removed: 'contributions.remove',
  withdrawn: 'contributions.withdraw',
  erased: 'contributions.erase',
}

const REPLY_AUDIT_BY_STATE: Record<ReplyState, AuditAction> = {
  held: 'replies.hold',
  published: 'replies.publish',
  declined: 'replies.decline',
  removed: 'replies.remove',
  withdrawn: 'replies.withdraw',
  erased: 'replies.erase',
}

const chooseReturnAction = (type: 'contributions' | 'replies', { cameBack, isRestored }: StateChange): AuditAction | undefined =>
  isRestored ? `${type}.restore` : cameBack ? `${type}.return` : undefined

/** What leaves the site for good: what others asked about it needs no answer any more. */
const isGone = (to: ContributionState): boolean => !READABLE_STATES.includes(to) && to !== 'held'

/** What was public is removed; what never was is declined. @throws {AppError} `conflict` */
function requireFittingRefusal(row: ContributionRow, to: ContributionState): void {
  if (row.state === 'held' && to === (row.publishedAt ? 'declined' : 'removed')) throw new AppError('conflict')
}

/** What is left in the row of a contribution that its author takes back. */
const WITHOUT_TEXT = {
  title: '',
  body: '',
  shownName: '',
  shownAs: 'anonymous',
  placeText: '',
  authorId: null,
  fields: {},
  geometry: null,
  lng: null,
  lat: null,
} as const

/**
 * Moves a contribution to another state, with its audit event. The one place where states change.
 * @throws {AppError} `conflict` if the state does not allow it or has just changed
 */
export async function changeContributionState(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  to: ContributionState,
  change: StateChange,
): Promise<void> {
  const { contribution: row, project } = placed
  const { reason, rule, decidedBy, isRestored = false } = change
  requireNextState(row.state, to, isRestored)
  requireFittingRefusal(row, to)
  const now = ctx.now()
  const textGoes = to === 'withdrawn' || to === 'erased'
  const search = to === 'published' ? buildContributionSearch(row) : { searchTitle: '', searchText: '' }
  const changed = await tx
    .update(contributions)
    .set({
      state: to,
      reason,
      decidedBy,
      decidedAt: now,
      ...search,
      ...(to === 'published' && row.publishedAt === null && { publishedAt: now }),
      ...(textGoes && WITHOUT_TEXT),
    })
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, row.id), eq(contributions.state, row.state)))
    .returning({ id: contributions.id })
  if (changed.length === 0) throw new AppError('conflict')
  const versions = and(eq(contributionVersions.siteId, ctx.site.id), eq(contributionVersions.contributionId, row.id))
  if (to === 'published') {
    await tx
      .update(contributionVersions)
      .set({ wasPublic: true })
      .where(and(versions, eq(contributionVersions.number, row.version)))
  }
  await recordAudit(ctx, tx, {
    action: chooseReturnAction('contributions', change) ?? AUDIT_BY_STATE[to],
    subject: { type: 'contributions', id: row.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { number: row.number, before: row.state, ...(rule && { rule }), ...(reason && { reason }) },
  })
  if (textGoes) {
    await deletePrivateTexts(tx, ctx.site.id, (id) => eq(id, row.id))
    await tx.delete(contributionVersions).where(versions)
    await closeCases(ctx, tx, { contributionId: row.id, replyId: null })
    await eraseObjections(tx, ctx.site.id, row.id)
    await deleteContributionOriginals(tx, ctx.site.id, [row.id])
    await withdrawLeaves(tx, ctx.site.id, [row.id], now)
  }
  if (isGone(to)) await closeAppeals(ctx, tx, { contributionId: row.id, replyId: null }, { textGoes })
  if (isGone(to) && row.state !== 'merged') await releaseDoublesOf(ctx, tx, placed)
}

/** The same for a reply. */
export async function changeReplyState(
  ctx: Ctx,
  tx: Tx,
  { reply: row, contribution, project }: PlacedReply,
  to: ReplyState,
  change: StateChange,
): Promise<void> {
  const { reason, rule, decidedBy, isRestored = false } = change
  requireNextState(row.state, to, isRestored)
  const textGoes = to === 'withdrawn' || to === 'erased'
  const changed = await tx
    .update(replies)
    .set({ state: to, reason, decidedBy, decidedAt: ctx.now(), ...(textGoes && { body: '', shownName: '', authorId: null }) })
    .where(and(eq(replies.siteId, ctx.site.id), eq(replies.id, row.id), eq(replies.state, row.state)))
    .returning({ id: replies.id })
  if (changed.length === 0) throw new AppError('conflict')
  await recordAudit(ctx, tx, {
    action: chooseReturnAction('replies', change) ?? REPLY_AUDIT_BY_STATE[to],
    subject: { type: 'replies', id: row.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { contribution: contribution.number, before: row.state, ...(rule && { rule }), ...(reason && { reason }) },
  })
  const subject = { contributionId: contribution.id, replyId: row.id }
  if (textGoes) await closeCases(ctx, tx, subject)
  if (isGone(to)) await closeAppeals(ctx, tx, subject, { textGoes })
  if (textGoes) await deleteOriginal(tx, ctx.site.id, subject)
  if (to !== 'published' && row.state !== 'published') return
  await recountContributions(tx, ctx.site.id, [contribution.id])
}

/** Private answers, sent or drafted, and the team's notes are about the person: they go with the text. Public answers stay. */
export async function deletePrivateTexts(tx: Tx, siteId: string, isOf: (contributionId: AnyPgColumn) => SQL): Promise<void> {
  for (const answers of [officialResponses, officialResponseDrafts])
    await tx.delete(answers).where(and(eq(answers.siteId, siteId), isOf(answers.contributionId), eq(answers.visibility, 'private')))
  await tx.delete(contributionNotes).where(and(eq(contributionNotes.siteId, siteId), isOf(contributionNotes.contributionId)))
}

/** Erases the text of a contribution for privacy, whatever its state. @throws {AppError} `not-found`, `forbidden`, `invalid` */
export async function eraseContribution(ctx: Ctx, id: string, reason: string): Promise<void> {
  requirePermission(ctx, 'participants.erase')
  const words = requireWords(reason)
  await ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', id)
    if (placed.contribution.state === 'erased') throw new AppError('conflict')
    await changeContributionState(ctx, tx, placed, 'erased', { reason: words, decidedBy: getViewerId(ctx) })
  })
}
