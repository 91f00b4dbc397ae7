import { and, eq, isNull, ne } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { StateBefore } from '#app/lib/vocabulary/moderation.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, contributionVersions, replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationAppeals, moderationCases, moderationDecisions, moderationReports, isOpenCase } from '#app/server/db/schema/moderation.ts'
import { recountContributions } from '../record/contribution-counts.server.ts'
import { mergeReleasedAgain } from '../merging/merge-contributions.server.ts'
import { buildContributionSearch } from '../record/contribution-search.ts'
import { requireContributionFor, requireReplyFor } from '../record/loading.server.ts'
import { type CaseRow, type DecisionRow, findLastDecision, isAbout } from './cases.server.ts'
import { STATE_BY_DECISION, UNDO_MS } from './undoable.schema.ts'

/**
 * Undoes a decision within seconds: text, case, merges and appeals are as before, and nobody has been notified. It disappears from the log
 * of decisions; the audit trail keeps both.
 * @throws {AppError} `not-found`; `forbidden` unless the viewer made it; `conflict` if the time has passed, it cannot be undone or
 * something has changed since
 */
export async function undoDecision(ctx: Ctx, decisionId: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [found] = await tx
      .select({ decision: moderationDecisions, opened: moderationCases })
      .from(moderationDecisions)
      .innerJoin(
        moderationCases,
        and(eq(moderationCases.siteId, moderationDecisions.siteId), eq(moderationCases.id, moderationDecisions.caseId)),
      )
      .where(and(eq(moderationDecisions.siteId, ctx.site.id), eq(moderationDecisions.id, decisionId)))
      .for('update')
    if (!found) throw new AppError('not-found')
    const { decision, opened } = found
    const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', opened.contributionId)
    const { viewer } = ctx
    if (viewer.kind !== 'user' || decision.decidedBy !== viewer.id) throw new AppError('forbidden')
    const before = decision.before
    if (!before || ctx.now().getTime() - decision.decidedAt.getTime() > UNDO_MS) throw new AppError('conflict')
    const last = await findLastDecision(tx, ctx.site.id, opened)
    if (last?.id !== decision.id || (await hasFollowUp(tx, opened, decision))) throw new AppError('conflict')
    if (decision.decision !== 'keep') {
      await (opened.replyId
        ? restoreReply(ctx, tx, { opened, decision, before })
        : restoreContribution(ctx, tx, { opened, decision, before }))
    }
    if (!opened.replyId) await mergeReleasedAgain(ctx, tx, placed, decision.decidedAt)
    await reopenAppeals(tx, opened, decision.decidedAt)
    await tx.delete(moderationDecisions).where(and(eq(moderationDecisions.siteId, ctx.site.id), eq(moderationDecisions.id, decision.id)))
    await restoreCase(tx, opened, before)
    await dropMails(tx, opened, decision)
    const action: AuditAction = opened.replyId ? 'replies.undo' : 'contributions.undo'
    await recordAudit(ctx, tx, {
      action,
      subject: opened.replyId ? { type: 'replies', id: opened.replyId } : { type: 'contributions', id: opened.contributionId },
      hubId: placed.project.hubId,
      projectId: placed.project.id,
      detail: { number: placed.contribution.number, decision: decision.decision },
    })
  })
}

/** Somebody appealed against the decision, or reported the text again: what they wrote stays, so the decision stays. */
async function hasFollowUp(tx: Tx, opened: CaseRow, { id, before }: DecisionRow): Promise<boolean> {
  const { siteId } = opened
  const [appeal] = await tx
    .select({ id: moderationAppeals.id })
    .from(moderationAppeals)
    .where(and(eq(moderationAppeals.siteId, siteId), eq(moderationAppeals.decisionId, id)))
  const [openedSince] = await tx
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(and(isAbout(siteId, opened), isOpenCase, ne(moderationCases.id, opened.id)))
  const [report] = await tx
    .select({ id: moderationReports.id })
    .from(moderationReports)
    .where(and(eq(moderationReports.siteId, siteId), eq(moderationReports.caseId, opened.id)))
  return Boolean(appeal || openedSince || (report && !before?.openCase))
}

interface Undoing {
  opened: CaseRow
  decision: DecisionRow
  before: StateBefore
}

async function restoreContribution(ctx: Ctx, tx: Tx, { opened, decision, before }: Undoing): Promise<void> {
  const { contribution: row } = await requireContributionFor(ctx, tx, 'contributions.moderate', opened.contributionId)
  const changed = await tx
    .update(contributions)
    .set({
      ...toColumns(before),
      publishedAt: before.publishedAt ? new Date(before.publishedAt) : null,
      ...(before.state === 'published' ? buildContributionSearch(row) : { searchTitle: '', searchText: '' }),
    })
    .where(
      and(
        eq(contributions.siteId, ctx.site.id),
        eq(contributions.id, row.id),
        eq(contributions.state, STATE_BY_DECISION[decision.decision] ?? before.state),
        eq(contributions.decidedAt, decision.decidedAt),
        eq(contributions.version, before.version),
      ),
    )
    .returning({ id: contributions.id })
  if (changed.length === 0) throw new AppError('conflict')
  await tx
    .update(contributionVersions)
    .set({ wasPublic: before.wasPublic })
    .where(
      and(
        eq(contributionVersions.siteId, ctx.site.id),
        eq(contributionVersions.contributionId, row.id),
        eq(contributionVersions.number, before.version),
      ),
    )
}

async function restoreReply(ctx: Ctx, tx: Tx, { opened, decision, before }: Undoing): Promise<void> {
  const { reply: row } = await requireReplyFor(ctx, tx, 'contributions.moderate', opened.replyId ?? '')
  if (before.state === 'merged') throw new AppError('conflict')
  const changed = await tx
    .update(replies)
    .set({ ...toColumns(before), state: before.state })
    .where(
      and(
        eq(replies.siteId, ctx.site.id),
        eq(replies.id, row.id),
        eq(replies.decidedAt, decision.decidedAt),
        eq(replies.version, before.version),
      ),
    )
    .returning({ id: replies.id })
  if (changed.length === 0) throw new AppError('conflict')
  await recountContributions(tx, ctx.site.id, [opened.contributionId])
}

const toColumns = ({ state, reason, decidedBy, decidedAt }: StateBefore) => ({
  state,
  reason,
  decidedBy,
  decidedAt: decidedAt ? new Date(decidedAt) : null,
})

/** A case that the decision opened goes with it. */
async function restoreCase(tx: Tx, opened: CaseRow, { openCase }: StateBefore): Promise<void> {
  const isCase = and(eq(moderationCases.siteId, opened.siteId), eq(moderationCases.id, opened.id))
  if (!openCase) await tx.delete(moderationCases).where(isCase)
  else
    await tx
      .update(moderationCases)
      .set({ state: 'open', decidedAt: null, heldUntil: openCase.heldUntil ? new Date(openCase.heldUntil) : null })
      .where(isCase)
}

/** Appeals that ended because their text left the site wait again. */
async function reopenAppeals(tx: Tx, { siteId, contributionId, replyId }: CaseRow, at: Date): Promise<void> {
  const reopened = await tx
    .update(moderationAppeals)
    .set({ state: 'pending', decidedAt: null })
    .from(moderationCases)
    .where(
      and(
        eq(moderationAppeals.siteId, siteId),
        eq(moderationAppeals.state, 'closed'),
        eq(moderationAppeals.decidedAt, at),
        eq(moderationCases.siteId, siteId),
        eq(moderationCases.id, moderationAppeals.caseId),
        eq(moderationCases.contributionId, contributionId),
        replyId === null ? isNull(moderationCases.replyId) : eq(moderationCases.replyId, replyId),
      ),
    )
    .returning({ caseId: moderationAppeals.caseId })
  for (const { caseId } of reopened)
    await tx
      .update(moderationCases)
      .set({ state: 'appealed' })
      .where(and(eq(moderationCases.siteId, siteId), eq(moderationCases.id, caseId)))
}

/** Mails about a decision wait until it can no longer be taken back. */
async function dropMails(tx: Tx, { siteId }: CaseRow, { id }: DecisionRow): Promise<void> {
  await tx.delete(outboxMails).where(and(eq(outboxMails.siteId, siteId), eq(outboxMails.decisionId, id), isNull(outboxMails.sentAt)))
}
