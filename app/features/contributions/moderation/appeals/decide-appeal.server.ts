import { and, eq } from 'drizzle-orm'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { moderationAppeals, moderationCases } from '#app/server/db/schema/moderation.ts'
import { mergeReleasedAgain, standAlone } from '../../merging/merge-contributions.server.ts'
import { loadMergedInto } from '../../record/merge-trees.server.ts'
import { insertDecision } from '../cases.server.ts'
import { changeContributionState, changeReplyState, stopClock } from '../decide.server.ts'
import { mailDecision } from '../decision-mails.server.ts'
import { unmaskContribution, unmaskReply } from '../masking/mask.server.ts'
import { requireRule, type RuleRow } from '../rules.server.ts'
import { findDeciders } from './appeal-deciders.server.ts'
import { mailAppealDecision } from './appeal-mails.server.ts'
import type { DecidingRefusal } from './appeals.schema.ts'
import { type AppealRow, type PlacedDecision, requirePlacedDecision } from './find-appeal.server.ts'
import { recordAppealAudit, requireAppealWords } from './submit-appeal.server.ts'

export interface AppealVerdict {
  state: 'upheld' | 'overturned'
  /** To the person who appealed. */
  answer: string
  /** The rule that is broken after all: needed to overturn a decision to keep something. */
  rule?: string | undefined
}

const REFUSAL_CODES = { 'same-person': 'appeal-same-person', 'too-early': 'appeal-too-early' } as const satisfies Record<
  DecidingRefusal,
  string
>

/**
 * Decides an appeal. Overturned by its author, a text is as it was before; by somebody who reported it, it is removed.
 * @throws {AppError} `not-found`, `forbidden`; `appeal-same-person` for somebody who is involved in its case; `appeal-too-early` for them if
 * nobody else can decide, until 24 hours have passed; `invalid`; `conflict` if it is decided already or the text went in the meantime
 */
export async function decideAppeal(at: Ctx, id: string, verdict: AppealVerdict): Promise<void> {
  const ctx = stopClock(at)
  await ctx.db.tx(async (tx) => {
    const appeal = await requirePendingAppeal(ctx, tx, id)
    const found = await requirePlacedDecision(ctx, tx, appeal.decisionId)
    const { placed, opened } = found
    requirePermission(ctx, 'moderation.appeals', toPermissionTarget(placed.project))
    const { refusal } = await findDeciders(ctx, tx, appeal, placed)
    if (refusal) throw new AppError(REFUSAL_CODES[refusal])
    const answer = requireAppealWords(verdict.answer, '/answer')
    const decidedBy = ctx.viewer.kind === 'user' ? ctx.viewer.id : null
    await tx
      .update(moderationAppeals)
      .set({ state: verdict.state, answer, decidedBy, decidedAt: ctx.now() })
      .where(and(eq(moderationAppeals.siteId, ctx.site.id), eq(moderationAppeals.id, id)))
    await tx
      .update(moderationCases)
      .set({ state: 'decided' })
      .where(and(eq(moderationCases.siteId, ctx.site.id), eq(moderationCases.id, opened.id)))
    if (verdict.state === 'overturned') {
      if (found.decision.decision === 'mask') await putPassagesBack(ctx, tx, found, decidedBy)
      else if (appeal.appellant === 'author') await restoreText(ctx, tx, found, decidedBy)
      else await removeText(ctx, tx, found, { answer, decidedBy, rule: await requireRule(ctx, tx, verdict.rule) })
    }
    await recordAppealAudit(ctx, tx, found, {
      action: verdict.state === 'upheld' ? 'moderation-appeals.uphold' : 'moderation-appeals.overturn',
      appealId: id,
      detail: { by: appeal.appellant, answer },
    })
    await mailAppealDecision(ctx, tx, found, { appeal, state: verdict.state, answer })
  })
}

/** Locked, so that it is decided once. */
async function requirePendingAppeal(ctx: Ctx, tx: Tx, id: string): Promise<AppealRow> {
  const [appeal] = await tx
    .select()
    .from(moderationAppeals)
    .where(and(eq(moderationAppeals.siteId, ctx.site.id), eq(moderationAppeals.id, id)))
    .for('update')
  if (!appeal) throw new AppError('not-found')
  if (appeal.state !== 'pending') throw new AppError('conflict')
  return appeal
}

/** Makes a text what it was before the decision: its state, its place in lists, and what is counted about it. */
async function restoreText(ctx: Ctx, tx: Tx, { placed, reply, decision, opened }: PlacedDecision, decidedBy: string | null): Promise<void> {
  const change = { reason: '', decidedBy, isRestored: true }
  if (reply) await changeReplyState(ctx, tx, { ...placed, reply }, 'published', change)
  else {
    const [into] = await loadMergedInto(tx, ctx.site.id, placed.contribution.id)
    const staysMerged = into !== undefined && READABLE_STATES.some((state) => state === into.state)
    if (into && !staysMerged) await standAlone(ctx, tx, placed.contribution.id)
    await changeContributionState(ctx, tx, await reloadContribution(ctx, tx, placed), staysMerged ? 'merged' : 'published', change)
    await mergeReleasedAgain(ctx, tx, placed, decision.decidedAt)
  }
  await insertDecision(ctx, tx, opened.id, { decision: 'restore', rule: null, words: '', decidedBy })
}

/** Whoever decides an appeal need not see the original: the author's word and the moderator's are what they weigh. */
async function putPassagesBack(ctx: Ctx, tx: Tx, { placed, reply, opened }: PlacedDecision, decidedBy: string | null): Promise<void> {
  if (reply) await unmaskReply(ctx, tx, { ...placed, reply })
  else await unmaskContribution(ctx, tx, placed)
  await insertDecision(ctx, tx, opened.id, { decision: 'unmask', rule: null, words: '', decidedBy })
}

async function reloadContribution(ctx: Ctx, tx: Tx, placed: PlacedDecision['placed']): Promise<PlacedDecision['placed']> {
  const [contribution] = await tx
    .select()
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, placed.contribution.id)))
  return contribution ? { ...placed, contribution } : placed
}

interface Removal {
  answer: string
  decidedBy: string | null
  rule: RuleRow
}

/** Removes what was kept: the person who reported it was right. Its author is told, and may appeal in turn. */
async function removeText(
  ctx: Ctx,
  tx: Tx,
  { placed, reply, opened }: PlacedDecision,
  { answer, decidedBy, rule }: Removal,
): Promise<void> {
  const change = { reason: answer, rule: rule.code, decidedBy }
  if (reply) await changeReplyState(ctx, tx, { ...placed, reply }, 'removed', change)
  else await changeContributionState(ctx, tx, placed, 'removed', change)
  const decisionId = await insertDecision(ctx, tx, opened.id, { decision: 'remove', rule, words: answer, decidedBy })
  const { authorId } = reply ?? placed.contribution
  await mailDecision(ctx, tx, placed, { authorId, to: 'removed', reason: answer, rule, decisionId, isReply: reply !== null })
}
