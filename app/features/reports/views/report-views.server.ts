import { and, asc, count, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermissionSomewhere, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { formatViewQuery } from '#app/features/saved-views/saved-views.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ReportAudience, ReportSchedule } from '#app/lib/vocabulary/report-views.ts'
import { loadAccountViewer, type SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { reportViews } from '#app/server/db/schema/reports.ts'
import { refuseDuplicate } from '#app/server/save-checks.ts'
import { findPeriodFault, readReportSearch } from '../report.search.ts'
import { computeNextAt } from './report-schedule.ts'
import { MAX_REPORT_VIEWS } from './report-views.schema.ts'

/** A saved report with the name of the person who made it. */
export type ReportViewRow = typeof reportViews.$inferSelect & { maker: string }

interface ReportViewInput {
  name: string
  audience: ReportAudience
  query: string
  language: Language
  schedule: ReportSchedule
  recipients: string[]
  hubId: string | null
}

/**
 * Keeps a report under a name.
 * @throws {AppError} `unauthenticated`, `forbidden`; `invalid` with `taken`, `too-many`, `required`, `out-of-range` or `not-a-choice`
 */
export async function saveReportView(ctx: Ctx, input: ReportViewInput): Promise<string> {
  const viewer = requireMaker(ctx)
  const values = await checkInput(ctx, viewer, input)
  const id = createId()
  await refuseDuplicate('/name', () =>
    ctx.db.tx(async (tx) => {
      const [kept] = await tx.select({ total: count() }).from(reportViews).where(isOwn(ctx))
      if ((kept?.total ?? 0) >= MAX_REPORT_VIEWS)
        throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/name', values: { max: MAX_REPORT_VIEWS } }] })
      await tx.insert(reportViews).values({ siteId: ctx.site.id, id, userId: viewer.id, ...values, createdAt: ctx.now() })
      await recordAudit(ctx, tx, {
        action: 'report-views.create',
        subject: { type: 'report-views', id },
        hubId: values.hubId,
        detail: describeForAudit(values),
      })
    }),
  )
  return id
}

/** Changes an own one. @throws {AppError} `forbidden` for those of others; `invalid` as `saveReportView` */
export async function changeReportView(ctx: Ctx, row: ReportViewRow, changes: Partial<ReportViewInput>): Promise<void> {
  const viewer = requireMaker(ctx)
  if (row.userId !== viewer.id) throw new AppError('forbidden')
  const { name, audience, query, language, schedule, recipients, hubId } = row
  // For a department, it says which; for others there is none.
  const hub = changes.audience !== undefined && changes.audience !== 'hub' ? { hubId: null } : {}
  const values = await checkInput(ctx, viewer, { name, audience, query, language, schedule, recipients, hubId, ...changes, ...hub })
  await refuseDuplicate('/name', () =>
    ctx.db.tx(async (tx) => {
      await tx
        .update(reportViews)
        .set(values)
        .where(and(isOwn(ctx), eq(reportViews.id, row.id)))
      await recordAudit(ctx, tx, {
        action: 'report-views.update',
        subject: { type: 'report-views', id: row.id },
        hubId: values.hubId,
        changes: listChanges<ReturnType<typeof describeForAudit>>(describeForAudit(row), describeForAudit(values)),
      })
    }),
  )
}

/** Email addresses are not for the trail: it says how many there are. */
const describeForAudit = ({ name, audience, query, schedule, recipients }: Omit<ReportViewInput, 'language' | 'hubId'>) => ({
  name,
  audience,
  query,
  schedule,
  recipients: recipients.length,
})

/** @throws {AppError} `forbidden` */
export async function removeReportView(ctx: Ctx, row: ReportViewRow): Promise<void> {
  if (!mayRemove(ctx, row)) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    await tx.delete(reportViews).where(and(eq(reportViews.siteId, ctx.site.id), eq(reportViews.id, row.id)))
    await recordAudit(ctx, tx, {
      action: 'report-views.delete',
      subject: { type: 'report-views', id: row.id },
      hubId: row.hubId,
      detail: describeForAudit(row),
    })
  })
}

/** Only who made it changes it: its links and mails show what that person may see. */
export const isMaker = ({ viewer, site }: Ctx, row: Pick<ReportViewRow, 'userId'>): boolean =>
  viewer.kind === 'user' && viewer.siteId === site.id && viewer.id === row.userId

/** Administrators of the site also end those that others shared. */
export const mayRemove = (ctx: Ctx, row: ReportViewRow): boolean =>
  isMaker(ctx, row) || (row.audience !== 'self' && checkPermission(ctx.viewer, 'site.edit').ok)

/** @throws {AppError} `invalid` */
async function checkInput(ctx: Ctx, viewer: SignedInViewer, input: ReportViewInput) {
  const { name, audience, hubId, language, schedule } = input
  const search = readReportSearch(parseSearchParams(input.query))
  const recipients = [...new Set(input.recipients)]
  if (audience === 'hub' && hubId === null) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/hub' }] })
  if (audience !== 'hub' && hubId !== null) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/hub' }] })
  if (audience !== 'self' && !checkPermission(viewer, 'responses.see', { hubId }).ok)
    throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: hubId === null ? '/audience' : '/hub' }] })
  if (findPeriodFault(search, toCalendarDay(ctx.site.timeZone, ctx.now())))
    throw new AppError('invalid', { faults: [{ code: 'out-of-range', pointer: '/query' }] })
  if (schedule !== 'none' && recipients.length === 0)
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/recipients' }] })
  if (schedule !== 'none') await requireOwnRole(ctx, viewer)
  const nextAt = computeNextAt(schedule, ctx.site.timeZone, ctx.now())
  return { name, audience, hubId, language, schedule, query: formatViewQuery(search), recipients, nextAt }
}

/** Saved reports that the viewer finds in their list, by name; none for guests of the site. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listReportViews(
  ctx: Ctx,
  page: { limit: number; offset: number },
): Promise<{ rows: ReportViewRow[]; total: number }> {
  requirePermissionSomewhere(ctx, 'responses.see')
  const [counted] = await ctx.db.read((tx) => tx.select({ total: count() }).from(reportViews).where(isListed(ctx)))
  return { rows: await selectReportViews(ctx, isListed(ctx), page), total: counted?.total ?? 0 }
}

export const loadReportViewsById = (ctx: Ctx, ids: readonly string[]): Promise<ReportViewRow[]> =>
  selectReportViews(ctx, and(isListed(ctx), inArray(reportViews.id, [...ids])))

export const selectReportViews = (ctx: Ctx, where: SQL | undefined, page = { limit: 1000, offset: 0 }): Promise<ReportViewRow[]> =>
  ctx.db.read((tx) =>
    tx
      .select({ ...getTableColumns(reportViews), maker: users.login })
      .from(reportViews)
      .innerJoin(users, and(eq(users.siteId, reportViews.siteId), eq(users.id, reportViews.userId)))
      .where(and(eq(reportViews.siteId, ctx.site.id), where))
      .orderBy(asc(collateFor(ctx.language, reportViews.name)), asc(reportViews.id))
      .limit(page.limit)
      .offset(page.offset),
  )

const isOwn = ({ site, viewer }: Ctx): SQL | undefined =>
  viewer.kind === 'user' ? and(eq(reportViews.siteId, site.id), eq(reportViews.userId, viewer.id)) : sql`false`

/** Own ones, those of the site, and those of the viewer's departments. */
function isListed(ctx: Ctx): SQL | undefined {
  if (ctx.viewer.kind !== 'user' || !maySeeSomewhere(ctx.viewer)) return sql`false`
  const ofHubs = and(eq(reportViews.audience, 'hub'), scopeWhere(ctx.viewer, 'responses.see', { hub: reportViews.hubId }))
  return and(eq(reportViews.siteId, ctx.site.id), or(isOwn(ctx), eq(reportViews.audience, 'site'), ofHubs))
}

/** Whether there is a place whose answers the person sees: without one, they have no reports. */
export const maySeeSomewhere = (viewer: SignedInViewer): boolean =>
  checkPermission(viewer, 'responses.see').ok ||
  viewer.roles.some(({ hubId, projectId }) => checkPermission(viewer, 'responses.see', { hubId, projectId }).ok)

/** Requires an account of this site that sees answers: guests from the platform cannot keep anything here. */
function requireMaker(ctx: Ctx): SignedInViewer {
  requirePermissionSomewhere(ctx, 'responses.see')
  const { viewer, site } = ctx
  if (viewer.kind !== 'user' || viewer.siteId !== site.id) throw new AppError('forbidden')
  return viewer
}

/** What goes on while the person is away needs a role that was given here: nobody would notice that a group elsewhere was left. */
export async function requireOwnRole(ctx: Ctx, viewer: SignedInViewer): Promise<void> {
  const away = await loadAccountViewer(ctx.db, viewer.id)
  if (!away || !maySeeSomewhere(away)) throw new AppError('forbidden', { detail: { key: 'role-from-provider' } })
}
