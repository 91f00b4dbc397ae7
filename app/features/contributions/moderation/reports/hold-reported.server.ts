import { and, count, eq, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { moderationCases, moderationReports, isOpenCase } from '#app/server/db/schema/moderation.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { type PlacedContribution, selectPlacedContributions } from '../../record/loading.server.ts'
import { type CaseRow, isAbout, recordDecision } from '../cases.server.ts'
import { changeContributionState, changeReplyState } from '../decide.server.ts'
import { mailHeldByReports, mailReturned } from './report-mails.server.ts'
import { loadModerationSettings } from '../moderation-settings.server.ts'
import { HELD_HOURS } from './reports.schema.ts'
import type { ReportSubject } from './submit-report.server.ts'

const CASES_AT_ONCE = 100

/** Takes a reported text off the site once enough confirmed accounts say that it breaks a rule. */
export async function holdIfReported(ctx: Ctx, tx: Tx, { placed, reply }: ReportSubject, opened: CaseRow): Promise<void> {
  const { state } = reply ?? placed.contribution
  const { reportsToHold } = await loadModerationSettings(tx, ctx.site.id)
  if (state !== 'published' || reportsToHold === null) return
  if ((await countConfirmed(tx, opened)) < reportsToHold || (await wasLookedAt(tx, opened))) return
  const heldAt = ctx.now()
  const heldUntil = new Date(heldAt.getTime() + HELD_HOURS * 3_600_000)
  await tx
    .update(moderationCases)
    .set({ heldAt, heldUntil, dueAt: sql`least(${moderationCases.dueAt}, ${heldUntil.toISOString()}::timestamptz)` })
    .where(and(eq(moderationCases.siteId, ctx.site.id), eq(moderationCases.id, opened.id)))
  const change = { reason: '', decidedBy: null }
  if (reply) await changeReplyState(ctx, tx, { ...placed, reply }, 'held', change)
  else await changeContributionState(ctx, tx, placed, 'held', change)
  await recordDecision(ctx, tx, opened, { decision: 'hold', rule: null, words: '', decidedBy: null, automatic: true })
  await mailHeldByReports(ctx, tx, placed, { reply, until: heldUntil })
}

/** Reports in a case by accounts with a confirmed email address. */
async function countConfirmed(tx: Tx, { siteId, id }: CaseRow): Promise<number> {
  const [counted] = await tx
    .select({ total: count() })
    .from(moderationReports)
    .innerJoin(users, and(eq(users.siteId, moderationReports.siteId), eq(users.id, moderationReports.reporterId)))
    .where(
      and(
        eq(moderationReports.siteId, siteId),
        eq(moderationReports.caseId, id),
        isNotNull(users.emailConfirmedAt),
        isNull(users.blockedAt),
      ),
    )
  return counted?.total ?? 0
}

/** Reports hold a version once at most, and not after a moderator has decided about reports of it. */
async function wasLookedAt(tx: Tx, opened: CaseRow): Promise<boolean> {
  const [found] = await tx
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(
      and(
        isAbout(opened.siteId, opened),
        eq(moderationCases.version, opened.version),
        or(
          isNotNull(moderationCases.heldAt),
          and(
            ne(moderationCases.id, opened.id),
            sql`exists (select from moderation_reports r where r.site_id = ${opened.siteId} and r.case_id = ${moderationCases.id})`,
          ),
        ),
      ),
    )
    .limit(1)
  return found !== undefined
}

/**
 * Publishes again what reports took off the site and nobody has decided about in time. Its case stays open. Run by a job.
 * @returns how many texts
 */
export const returnHeldTexts = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    const due = await ctx.db.read((tx) =>
      tx.select({ id: moderationCases.id }).from(moderationCases).where(isReturnDue(ctx)).limit(CASES_AT_ONCE),
    )
    let returned = 0
    for (const { id } of due) returned += Number(await ctx.db.tx((tx) => returnText(ctx, tx, id)))
    return returned
  })

const isReturnDue = (ctx: Ctx) => and(eq(moderationCases.siteId, ctx.site.id), isOpenCase, lte(moderationCases.heldUntil, ctx.now()))

/** @returns false if somebody has decided in the meantime */
async function returnText(ctx: Ctx, tx: Tx, caseId: string): Promise<boolean> {
  const [due] = await tx
    .update(moderationCases)
    .set({ heldUntil: null })
    .where(and(isReturnDue(ctx), eq(moderationCases.id, caseId)))
    .returning()
  const placed = due && (await loadPlaced(ctx, tx, due))
  if (!due || !placed) return false
  const change = { reason: '', decidedBy: null, cameBack: true }
  if (due.replyId) {
    const [reply] = await tx
      .select()
      .from(replies)
      .where(and(eq(replies.siteId, ctx.site.id), eq(replies.id, due.replyId)))
    if (reply?.state !== 'held') return false
    await changeReplyState(ctx, tx, { ...placed, reply }, 'published', change)
    await mailReturned(ctx, tx, placed, reply)
  } else {
    if (placed.contribution.state !== 'held') return false
    await changeContributionState(ctx, tx, placed, 'published', change)
    await mailReturned(ctx, tx, placed, null)
  }
  return true
}

async function loadPlaced(ctx: Ctx, tx: Tx, { contributionId }: CaseRow): Promise<PlacedContribution | undefined> {
  const [placed] = await selectPlacedContributions(tx).where(
    and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, contributionId)),
  )
  return placed
}
