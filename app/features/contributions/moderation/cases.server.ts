import { and, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ContributionState } from '#app/lib/vocabulary/contributions.ts'
import type { CaseOpening, CaseState, ModerationDecision, StateBefore } from '#app/lib/vocabulary/moderation.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationCases, moderationDecisions, isOpenCase } from '#app/server/db/schema/moderation.ts'
import type { ActivityRow } from '../record/activities.policy.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { findRuleLabel, type RuleRow } from './rules.server.ts'
import type { Screening } from './screening.server.ts'

export type CaseRow = typeof moderationCases.$inferSelect
export type DecisionRow = typeof moderationDecisions.$inferSelect

/** What a case is about: a contribution, or a reply to it. */
export interface CaseSubject {
  contributionId: string
  replyId: string | null
  version: number
}

export const isAbout = (siteId: string, { contributionId, replyId }: Pick<CaseSubject, 'contributionId' | 'replyId'>): SQL | undefined =>
  and(
    eq(moderationCases.siteId, siteId),
    eq(moderationCases.contributionId, contributionId),
    replyId === null ? isNull(moderationCases.replyId) : eq(moderationCases.replyId, replyId),
  )

/** The open case of a subject; a new one if there is none, due as its activity promises. */
export async function openCase(
  ctx: Ctx,
  tx: Tx,
  activity: ActivityRow,
  { subject, openedBy }: { subject: CaseSubject; openedBy: CaseOpening },
): Promise<CaseRow> {
  const isOpen = and(isAbout(ctx.site.id, subject), isOpenCase)
  const [known] = await tx.select().from(moderationCases).where(isOpen)
  if (known) return known
  const openedAt = ctx.now()
  const { moderationDays } = readActivitySettings(activity).settings
  const [opened] = await tx
    .insert(moderationCases)
    .values({
      ...subject,
      siteId: ctx.site.id,
      id: createId(),
      openedBy,
      openedAt,
      dueAt: new Date(openedAt.getTime() + moderationDays * 86_400_000),
    })
    .onConflictDoNothing()
    .returning()
  // Somebody else opened one at the same time.
  const [row] = opened ? [opened] : await tx.select().from(moderationCases).where(isOpen)
  if (!row) throw new AppError('conflict')
  return row
}

/** The case of something just sent or changed, if a moderator should look at it: it is held, it is doubted, or something was found in it. */
export async function openCaseOnArrival(
  ctx: Ctx,
  tx: Tx,
  activity: ActivityRow,
  { subject, state, screening, doubt }: { subject: CaseSubject; state: ContributionState; screening: Screening; doubt?: 'rate' | null },
): Promise<void> {
  const openedBy = screening.openedBy ?? doubt ?? (state === 'held' ? 'before' : null)
  if (openedBy) await openCase(ctx, tx, activity, { subject, openedBy })
}

/** Closes what is open about something that its author withdrew or that was erased. */
export async function closeCases(ctx: Ctx, tx: Tx, subject: Pick<CaseSubject, 'contributionId' | 'replyId'>): Promise<void> {
  await tx
    .update(moderationCases)
    .set({ state: 'closed', heldUntil: null })
    .where(and(isAbout(ctx.site.id, subject), inArray(moderationCases.state, ['open', 'appealed'])))
}

/** An edited text that waits for a moderator does not come back by itself. */
export async function stopReturn(tx: Tx, siteId: string, subject: Pick<CaseSubject, 'contributionId' | 'replyId'>): Promise<void> {
  await tx
    .update(moderationCases)
    .set({ heldUntil: null })
    .where(and(isAbout(siteId, subject), isOpenCase))
}

interface Verdict {
  decision: ModerationDecision
  rule: RuleRow | null
  words: string
  decidedBy: string | null
  /** Taken by a rule, not by a person. */
  automatic?: boolean
  /** Lets the person who decided undo it. */
  before?: StateBefore
}

/** Records a decision in its case. To hold something leaves the case open. @returns the decision's id */
export async function recordDecision(ctx: Ctx, tx: Tx, opened: CaseRow, verdict: Verdict): Promise<string> {
  const { id } = opened
  const decisionId = await insertDecision(ctx, tx, id, verdict)
  if (verdict.decision === 'hold') return decisionId
  const state: CaseState = 'decided'
  const changed = await tx
    .update(moderationCases)
    .set({ state, decidedAt: ctx.now(), heldUntil: null })
    .where(and(eq(moderationCases.siteId, ctx.site.id), eq(moderationCases.id, id), isOpenCase))
    .returning({ id: moderationCases.id })
  if (changed.length === 0) throw new AppError('conflict')
  return decisionId
}

/** @returns its id */
export async function insertDecision(ctx: Ctx, tx: Tx, caseId: string, verdict: Verdict): Promise<string> {
  const { decision, rule, words, decidedBy, automatic = false, before } = verdict
  const id = createId()
  await tx.insert(moderationDecisions).values({
    siteId: ctx.site.id,
    id,
    caseId,
    decision,
    ruleId: rule?.id ?? null,
    ruleVersion: rule?.version ?? null,
    words,
    automatic,
    decidedBy,
    decidedAt: ctx.now(),
    before: before ?? null,
  })
  return id
}

/** The last decision about a subject; undefined if nobody has decided. */
export async function findLastDecision(
  tx: Tx,
  siteId: string,
  subject: Pick<CaseSubject, 'contributionId' | 'replyId'>,
): Promise<DecisionRow | undefined> {
  const [found] = await tx
    .select({ decision: moderationDecisions })
    .from(moderationDecisions)
    .innerJoin(
      moderationCases,
      and(eq(moderationCases.siteId, moderationDecisions.siteId), eq(moderationCases.id, moderationDecisions.caseId)),
    )
    .where(isAbout(siteId, subject))
    .orderBy(desc(moderationDecisions.decidedAt), desc(moderationDecisions.id))
    .limit(1)
  return found?.decision
}

/** The rule that the last decision about a contribution named, in the viewer's language; null if there is none. */
export async function findNamedRule(ctx: Ctx, tx: Tx, contributionId: string): Promise<LocalisedText | null> {
  const last = await findLastDecision(tx, ctx.site.id, { contributionId, replyId: null })
  const label = last && (await findRuleLabel(tx, ctx.site.id, last))
  return label ? localiseText(label, ctx.contentLanguage, ctx.site.locale) : null
}
