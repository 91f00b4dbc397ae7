import { and, eq } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { type ActivityAddress, requireActivityAt } from '../../record/activities.policy.server.ts'
import { hashParticipant } from '#app/features/participation/person-hash.server.ts'
import { loadActivityView } from '../../reading/activity-view.server.ts'
import { findOpenAppealEnd } from '../appeals/appealable.server.ts'
import { findRuleLabel, loadSiteRules } from '../rules.server.ts'
import { findOutcome } from './report-outcome.server.ts'
import type { OwnReport, ReportPageView } from './reports.schema.ts'
import { findReplyTo, findReport, type ReportRow, type ReportSubject, toCaseSubject } from './submit-report.server.ts'

export interface ReportAddress extends ActivityAddress {
  number: number
  /** The id of a reply to the contribution. */
  reply: string | undefined
}

/** What an address of the report page is about, whatever its state. @throws {AppError} `not-found` */
async function requireSubject(ctx: Ctx, tx: Tx, { number, reply: replyId, ...address }: ReportAddress): Promise<ReportSubject> {
  const activity = await requireActivityAt(ctx, tx, address)
  const [contribution] = await tx
    .select()
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.activityId, activity.activity.id), eq(contributions.number, number)))
  if (!contribution) throw new AppError('not-found')
  const reply = replyId === undefined ? null : await findReplyTo(ctx, tx, contribution.id, replyId)
  if (reply === undefined) throw new AppError('not-found')
  return { placed: { ...activity, contribution }, reply }
}

/** The ids of what an address is about. @throws {AppError} `not-found` */
export const findReportSubject = (ctx: Ctx, address: ReportAddress): Promise<{ contributionId: string; replyId: string | null }> =>
  ctx.db.read(async (tx) => {
    const { placed, reply } = await requireSubject(ctx, tx, address)
    return { contributionId: placed.contribution.id, replyId: reply?.id ?? null }
  })

/**
 * The page on which somebody reports a text, or sees what came of their report: that also if the text is no longer there.
 * @throws {AppError} `not-found`; `gone` for somebody who did not report it
 */
export function loadReportPage(ctx: Ctx, address: ReportAddress, browserToken: BrowserToken | undefined): Promise<ReportPageView> {
  return ctx.db.read(async (tx) => {
    const subject = await requireSubject(ctx, tx, address)
    const { placed, reply } = subject
    const { contribution } = placed
    const person = hashParticipant(ctx, placed.activity.id, browserToken)
    const own = await findReport(tx, ctx.site.id, toCaseSubject(subject), person.all)
    const isReadable = READABLE_STATES.includes(contribution.state) && (reply === null || READABLE_STATES.includes(reply.state))
    if (!own && !isReadable) throw new AppError((reply ?? contribution).state === 'held' ? 'not-found' : 'gone')
    const localise = (text: Parameters<typeof localiseText>[0]) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
    const rules = own ? [] : await loadSiteRules(ctx.site.id, tx)
    const { language } = reply ?? contribution
    return {
      activity: await loadActivityView(ctx, tx, placed),
      number: contribution.number,
      title: isReadable ? contribution.title : '',
      reply: reply && { id: reply.id, body: isReadable ? reply.body : '' },
      lang: language === ctx.language ? null : language,
      rules: rules
        .filter(({ archived }) => !archived)
        .map(({ code, label, explanation }) => ({ code, label: localise(label), explanation: localise(explanation) })),
      report: own ? await describeOwnReport(ctx, tx, own) : null,
      hasAccount: ctx.viewer.kind === 'user' && ctx.viewer.siteId === ctx.site.id,
    }
  })
}

async function describeOwnReport(ctx: Ctx, tx: Tx, report: ReportRow): Promise<OwnReport> {
  const [opened] = await tx
    .select()
    .from(moderationCases)
    .where(and(eq(moderationCases.siteId, ctx.site.id), eq(moderationCases.id, report.caseId)))
  if (!opened) throw new AppError('not-found')
  const { outcome, decision } = await findOutcome(tx, opened)
  const named = outcome === 'removed' && decision ? decision : report
  const label = await findRuleLabel(tx, ctx.site.id, named)
  const mayAppeal = decision && (await findOpenAppealEnd(ctx, tx, { side: 'reporter', decision, opened })) !== null
  return {
    at: report.createdAt.toISOString(),
    rule: label ? localiseText(label, ctx.contentLanguage, ctx.site.locale) : null,
    outcome,
    appeal: decision && (mayAppeal || opened.state === 'appealed') ? decision.id : null,
  }
}
