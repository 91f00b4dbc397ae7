import { and, asc, eq, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { getFormatter } from '#app/lib/format.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { moderationCases, moderationReports } from '#app/server/db/schema/moderation.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { type PlacedContribution, type ReplyRow, selectPlacedContributions } from '../../record/loading.server.ts'
import type { CaseRow, DecisionRow } from '../cases.server.ts'
import { buildActivityPath, buildAppealUrl, describeReason, formatAppealEnd, loadReader } from '../decision-mails.server.ts'
import { UNDO_MS } from '../undoable.schema.ts'
import { findRuleTexts } from '../rules.server.ts'
import { findOutcome } from './report-outcome.server.ts'
import type { ReportRow } from './submit-report.server.ts'

const REPORTS_AT_ONCE = 200

/** Tells an author with an account that reports took their text off the site, and when it comes back. */
export const mailHeldByReports = (
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  { reply, until }: { reply: ReplyRow | null; until: Date },
): Promise<void> => mailAuthor(ctx, tx, placed, { kind: reply ? 'reply-reported' : 'contribution-reported', reply, until })

/** Tells them that it is on the site again. */
export const mailReturned = (ctx: Ctx, tx: Tx, placed: PlacedContribution, reply: ReplyRow | null): Promise<void> =>
  mailAuthor(ctx, tx, placed, { kind: reply ? 'reply-returned' : 'contribution-returned', reply })

interface AuthorMail {
  kind: 'contribution-reported' | 'reply-reported' | 'contribution-returned' | 'reply-returned'
  reply: ReplyRow | null
  until?: Date
}

async function mailAuthor(ctx: Ctx, tx: Tx, placed: PlacedContribution, { kind, reply, until }: AuthorMail): Promise<void> {
  const { contribution, activity } = placed
  const { authorId } = reply ?? contribution
  const reader = authorId && (await loadReader(ctx, tx, authorId))
  if (!reader) return
  const { site } = ctx
  const { language } = reader
  const t = getTranslator(language, 'mail')
  const { timeZone, region } = site
  const names = {
    site: site.name,
    number: contribution.number,
    title: contribution.title,
    activity: getTranslation(activity.title, language, site.locale),
    date: until ? getFormatter({ language, timeZone, region }).dateTime(until) : '',
  }
  const page = until && !reply ? `receipt?number=${contribution.number}` : contribution.number
  await queueMail(ctx, tx, {
    kind,
    to: reader.email,
    userId: authorId,
    language,
    content: {
      subject: t(`${kind}.subject`, names),
      paragraphs: [t(`${kind}.text`, names)],
      action: { label: t('contribution-action'), href: buildSiteUrl(ctx, `/${language}${buildActivityPath(placed)}/${page}`) },
      footer: t('contribution-footer', names),
    },
  })
}

/**
 * Tells people with an account what was decided about the texts that they reported, each report once and without names. Run by a job.
 * @returns how many reports
 */
export const tellReporters = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    let told = 0
    for (let more = REPORTS_AT_ONCE; more === REPORTS_AT_ONCE; told += more) more = await ctx.db.tx((tx) => tellSomeReporters(ctx, tx))
    return told
  })

async function tellSomeReporters(ctx: Ctx, tx: Tx): Promise<number> {
  const rows = await tx
    .select({ report: moderationReports, opened: moderationCases })
    .from(moderationReports)
    .innerJoin(moderationCases, and(eq(moderationCases.siteId, moderationReports.siteId), eq(moderationCases.id, moderationReports.caseId)))
    .where(
      and(
        eq(moderationReports.siteId, ctx.site.id),
        isNull(moderationReports.toldAt),
        isNotNull(moderationReports.reporterId),
        inArray(moderationCases.state, ['decided', 'appealed', 'closed']),
        // Until then, the decision may be undone.
        or(isNull(moderationCases.decidedAt), lt(moderationCases.decidedAt, new Date(ctx.now().getTime() - UNDO_MS))),
      ),
    )
    .orderBy(asc(moderationReports.caseId), asc(moderationReports.id))
    .limit(REPORTS_AT_ONCE)
    .for('update', { of: moderationReports, skipLocked: true })
  for (const { report, opened } of rows) await mailOutcome(ctx, tx, report, opened)
  if (rows.length > 0)
    await tx
      .update(moderationReports)
      .set({ toldAt: ctx.now() })
      .where(
        and(
          eq(moderationReports.siteId, ctx.site.id),
          inArray(
            moderationReports.id,
            rows.map(({ report }) => report.id),
          ),
        ),
      )
  return rows.length
}

async function mailOutcome(ctx: Ctx, tx: Tx, report: ReportRow, opened: CaseRow): Promise<void> {
  const { outcome, decision } = await findOutcome(tx, opened)
  const reader = report.reporterId && (await loadReader(ctx, tx, report.reporterId))
  const [placed] = await selectPlacedContributions(tx).where(
    and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, report.contributionId)),
  )
  if (!reader || !placed || outcome === 'waiting') return
  const { site } = ctx
  const { language } = reader
  const t = getTranslator(language, 'mail')
  const names = {
    site: site.name,
    number: placed.contribution.number,
    activity: getTranslation(placed.activity.title, language, site.locale),
  }
  const mayAppeal = outcome === 'kept' && decision !== undefined && decision.decision !== 'restore'
  await queueMail(ctx, tx, {
    kind: `report-${outcome}`,
    to: reader.email,
    userId: report.reporterId,
    language,
    content: {
      subject: t(`report-${outcome}.subject`, names),
      paragraphs: [
        t(`report-${outcome}.text`, names),
        ...(outcome === 'removed' ? await describeRule(tx, decision, { language, locale: site.locale }) : []),
        ...(mayAppeal ? [t('appeal.offer', { date: formatAppealEnd(ctx, language, decision.decidedAt) })] : []),
      ],
      ...(mayAppeal && { links: [{ label: t('appeal.link'), href: buildAppealUrl(ctx, language, decision.id) }] }),
      action: {
        label: t('contribution-action'),
        href: buildSiteUrl(ctx, `/${language}${buildActivityPath(placed)}/${placed.contribution.number}`),
      },
      footer: t('report-footer', names),
    },
  })
}

async function describeRule(tx: Tx, decision: DecisionRow | undefined, { language, locale }: Languages): Promise<string[]> {
  const rule = decision && (await findRuleTexts(tx, decision.siteId, decision))
  return rule ? describeReason(getTranslator(language, 'mail'), language, locale, { rule, reason: '' }) : []
}

interface Languages {
  language: Parameters<typeof describeReason>[1]
  locale: Parameters<typeof describeReason>[2]
}
