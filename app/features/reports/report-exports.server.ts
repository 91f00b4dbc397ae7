import { and, eq, gt, inArray } from 'drizzle-orm'
import { recordPersonalDownload } from '#app/features/audit/audit.server.ts'
import { requirePermissionSomewhere, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { REPORT_STEPS } from '#app/features/surveys/export/export.schema.ts'
import { computeExpiry, openExportFile, removeExport } from '#app/features/surveys/export/exports.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId, isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { type StoredReport, surveyExports } from '#app/server/db/schema/results.ts'
import { DOCUMENT_TYPES } from '#app/server/documents/document.schema.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A report's file, or a project's codes, on its way, as its page shows it. */
export interface ReportFile {
  id: string
  title: string
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  /** Steps that are done, of how many. */
  done: number
  total: number
  bytes: number | null
  createdAt: Date
  expiresAt: Date
  kind: 'report' | 'codes'
  /** Path of what it was asked for from. */
  back: string
}

/** Has the PDF of a report made in the background. The figures are those of now, as the viewer sees them. @returns its id */
export async function requestReportFile(ctx: Ctx, report: StoredReport): Promise<string> {
  const { viewer } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  const id = createId()
  const now = ctx.now()
  await ctx.db.tx((tx) =>
    tx.insert(surveyExports).values({
      siteId: ctx.site.id,
      id,
      createdBy: viewer.id,
      format: 'pdf',
      language: ctx.language,
      total: REPORT_STEPS.stored,
      done: REPORT_STEPS.figures,
      createdAt: now,
      expiresAt: computeExpiry(now),
      report,
    }),
  )
  return id
}

/** How far one of the viewer's own files is. @throws {AppError} `unauthenticated`, `forbidden`, `not-found` also for those of others */
export async function readReportFile(ctx: Ctx, id: string): Promise<ReportFile> {
  const { report, ...row } = await requireOwnFile(ctx, id)
  const { state, done, total, bytes, createdAt, expiresAt } = row
  return {
    id,
    title: report.title,
    kind: report.codes ? 'codes' : 'report',
    back: buildBackPath(report),
    state,
    done,
    total,
    bytes,
    createdAt,
    expiresAt,
  }
}

/** Cancels a file in progress, or deletes a finished one. @throws {AppError} as `readReportFile` */
export async function cancelReportFile(ctx: Ctx, id: string): Promise<string> {
  const { report } = await requireOwnFile(ctx, id)
  await removeExport(ctx, { id })
  return buildBackPath(report)
}

const buildBackPath = ({ query, codes }: StoredReport): string =>
  codes ? `/admin/projects/${codes.project}/heard` : `/admin/reports?${query}`

/** Download route of a finished file. A project that the viewer may no longer look at takes it away. */
export const downloadReportFile = ({
  context: { ctx },
  params: { id },
}: {
  context: RequestContext
  params: { id: string }
}): Promise<Response> =>
  createFileResponse(ctx, async () => {
    const row = await requireOwnFile(ctx, id)
    if (row.state !== 'done' || !(await maySeeAll(ctx, row.report.projects))) throw new AppError('not-found')
    const { codes } = row.report
    if (codes) await recordCodesTaken(ctx, row)
    const filename = codes?.filename ?? `report-${toCalendarDay(ctx.site.timeZone, row.createdAt)}.pdf`
    return { filename, type: codes ? XLSX : DOCUMENT_TYPES.pdf, bytes: row.bytes, pieces: await openExportFile(ctx, row) }
  })

/** Who asked for it has said why. */
const recordCodesTaken = (ctx: Ctx, { id, reason, report }: Awaited<ReturnType<typeof requireOwnFile>>): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const [projectId = ''] = report.projects
    const detail = { format: 'xlsx', export: id, taken: true }
    const entry = { action: 'themes.export', subject: { type: 'projects', id: projectId }, projectId, detail } as const
    await recordPersonalDownload(ctx, tx, entry, reason ?? undefined)
  })

async function requireOwnFile(ctx: Ctx, id: string) {
  requirePermissionSomewhere(ctx, 'responses.see')
  const { viewer, site } = ctx
  if (viewer.kind !== 'user' || !isId(id)) throw new AppError('not-found')
  const [row] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(surveyExports)
      .where(
        and(
          eq(surveyExports.siteId, site.id),
          eq(surveyExports.id, id),
          eq(surveyExports.createdBy, viewer.id),
          gt(surveyExports.expiresAt, ctx.now()),
        ),
      ),
  )
  if (!row?.report) throw new AppError('not-found')
  return { ...row, report: row.report }
}

async function maySeeAll(ctx: Ctx, ids: readonly string[]): Promise<boolean> {
  const scope = scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
  const seen = await ctx.db.read((tx) =>
    tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), inArray(projects.id, [...ids]), scope)),
  )
  return seen.length === ids.length
}
