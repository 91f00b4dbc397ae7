import { and, eq, lte } from 'drizzle-orm'
import { addSiteMark } from '#app/features/appearance/document-mark.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { buildUnsubscribeUrl, hashAddress } from '#app/features/follows/unsubscribe-links.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { getColon } from '#app/lib/format.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'
import { loadAccountViewer } from '#app/server/auth/viewer.ts'
import { type Ctx, withLanguage } from '#app/server/context.ts'
import { reportViews } from '#app/server/db/schema/reports.ts'
import { DOCUMENT_TYPES } from '#app/server/documents/document.schema.ts'
import { canTypeset, makeDocument } from '#app/server/documents/make-document.server.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { MailContent } from '#app/server/mail/layout-mail.ts'
import { keepMailFile, queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildDocument, showReport } from '../report-files.server.ts'
import type { ReportView } from '../report.schema.ts'
import { readReportSearch, type ReportSearch } from '../report.search.ts'
import { computeNextAt, omitToday } from './report-schedule.ts'
import { maySeeSomewhere, type ReportViewRow, selectReportViews } from './report-views.server.ts'

const AT_ONCE = 20

/** Mails the reports that are due, each once per period. Run by a job. @returns how many reports */
export const sendDueReports = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    const due = await selectReportViews(ctx, lte(reportViews.nextAt, ctx.now()), { limit: AT_ONCE, offset: 0 })
    let sent = 0
    for (const view of due) sent += Number(await sendReport(ctx, view))
    return sent
  })

/** @returns false if it was not sent: another process was faster, or the person who made it may see no reports any more */
async function sendReport(ctx: Ctx, view: ReportViewRow): Promise<boolean> {
  const viewer = await loadAccountViewer(ctx.db, view.userId)
  if (!viewer || !maySeeSomewhere(viewer)) {
    await stopSchedule(ctx, view)
    return false
  }
  const language = ctx.site.languages.includes(view.language) ? view.language : ctx.site.locale
  const reader: Ctx = withLanguage({ ...ctx, viewer }, language)
  const search = omitToday(readReportSearch(parseSearchParams(view.query)), toCalendarDay(ctx.site.timeZone, ctx.now()))
  const report = await showReport(reader, search, true)
  const file = await makePdf(reader, search, report)
  const writeMailFor = (leave: string) => writeMail(reader, view, { report, hasFile: file !== null, leave })
  return ctx.db.tx(async (tx) => {
    const { rowCount } = await tx
      .update(reportViews)
      .set({ nextAt: computeNextAt(view.schedule, ctx.site.timeZone, ctx.now()) })
      .where(isStillDue(ctx, view))
    if (!rowCount) return false
    const name = `report-${toCalendarDay(ctx.site.timeZone, ctx.now())}.pdf`
    const fileId = file && (await keepMailFile(ctx, tx, { name, mediaType: DOCUMENT_TYPES.pdf, bytes: file }))
    for (const to of view.recipients) {
      const leaveUrl = buildUnsubscribeUrl(ctx, language, { kind: 'report', viewId: view.id, addressHash: hashAddress(to) })
      await queueMail(ctx, tx, { kind: 'report', to, userId: null, language, content: writeMailFor(leaveUrl), leaveUrl, fileId })
    }
    await recordAudit(reader, tx, {
      action: 'report-views.send',
      subject: { type: 'report-views', id: view.id },
      hubId: view.hubId,
      detail: { name: view.name, recipients: view.recipients.length },
    })
    return true
  })
}

const isStillDue = ({ site }: Ctx, view: ReportViewRow) =>
  and(eq(reportViews.siteId, site.id), eq(reportViews.id, view.id), view.nextAt ? eq(reportViews.nextAt, view.nextAt) : undefined)

const stopSchedule = (ctx: Ctx, view: ReportViewRow): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await tx.update(reportViews).set({ schedule: 'none', nextAt: null }).where(isStillDue(ctx, view))
  })

/** Null without the typesetter, or if it is too busy now or the report too large: the mail says it all in its text. */
async function makePdf(ctx: Ctx, search: ReportSearch, report: ReportView): Promise<Uint8Array | null> {
  if (!canTypeset()) return null
  try {
    return await makeDocument(ctx.site.id, 'pdf', await addSiteMark(ctx, buildDocument(ctx, search, report)))
  } catch (error) {
    if (isAppError(error, 'unavailable')) return null
    throw error
  }
}

/** The summary and every table, line by line. */
function writeMail(
  { language, site }: Ctx,
  view: ReportViewRow,
  { report, hasFile, leave }: { report: ReportView; hasFile: boolean; leave: string },
): MailContent {
  const t = getTranslator(language, 'reports')
  const colon = getColon(language)
  const names = { site: site.name, name: view.name, maker: view.maker }
  return {
    subject: t('mail.subject', { ...names, period: report.subtitle }),
    paragraphs: [
      `${report.title}. ${report.subtitle}.`,
      ...report.remarks,
      ...report.parts.flatMap(({ heading, blocks }) => [
        heading,
        ...blocks.flatMap((block) => {
          if (block.kind === 'terms') return block.terms.map(({ term, meaning }) => `${term}${colon}${meaning}`)
          if (block.kind === 'table')
            return block.rows.map(
              ([first, ...cells]) =>
                `${first?.text ?? ''}${colon}${cells.map(({ text }, at) => `${block.heads[at + 1] ?? ''} ${text}`).join(', ')}`,
            )
          return 'text' in block ? [block.text] : []
        }),
      ]),
      ...(hasFile ? [t('mail.attached')] : []),
    ],
    small: [report.smallPrint],
    footer: t('mail.footer', names),
    leave: { label: t('mail.leave'), href: leave },
  }
}
