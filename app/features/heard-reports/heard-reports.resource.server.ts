import { and, asc, count, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { type AuthoredRevision, listRevisions, loadVisibleRevisions } from '#app/features/revisions/revisions.list.server.ts'
import { toContent, toRevisionAttributes } from '#app/features/revisions/revision-resources.server.ts'
import { createReviewHandlers, listReviews } from '#app/features/reviews/reviews.server.ts'
import { saveRevision } from '#app/features/revisions/revisions.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { heardReports } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { heardReportRevisionShape, heardReportShape } from './heard-reports.api.schema.ts'
import { loadReportContent, type ReportRow } from './heard-reports.server.ts'
import type { ReportView } from './heard-reports.schema.ts'
import { askForReview, HEARD_REPORT, publishReport } from './publish-report.server.ts'
import { heardReportReviewShape } from './report-reviews.api.schema.ts'
import { REPORT_REVIEWS } from './report-reviews.server.ts'

export const heardReportRevisionResource = implementResource(heardReportRevisionShape, {
  load: (ctx, ids) => loadVisibleRevisions(ctx, HEARD_REPORT, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, HEARD_REPORT, { ...filter, place: filter.project, sort, page }),
  // Revisions are only listed for people who may edit the project.
  can: () => ({ update: true }),
  attributes: (row: AuthoredRevision) => ({ ...toRevisionAttributes(row), content: toContent(row) }),
  relationships: {
    project: { id: (row) => row.placeId },
    parent: { id: (row) => row.parentId },
    reports: { ids: loadReportIds },
  },
  create: async (ctx, { content, note, project, parent }) =>
    (await saveRevision(ctx, HEARD_REPORT, { content, note, placeId: project, parentId: parent ?? null })).id,
})

async function loadReportIds(ctx: Ctx, rows: readonly AuthoredRevision[]): Promise<Map<string, string[]>> {
  const ids = rows.map(({ id }) => id)
  const found = await ctx.db.read((tx) =>
    tx
      .select({ id: heardReports.id, revision: heardReports.revisionId })
      .from(heardReports)
      .where(and(eq(heardReports.siteId, ctx.site.id), inArray(heardReports.revisionId, ids)))
      .orderBy(asc(heardReports.version)),
  )
  const byRevision = Map.groupBy(found, ({ revision }) => revision)
  return new Map(ids.map((id) => [id, (byRevision.get(id) ?? []).map((report) => report.id)]))
}

type ShownReport = ReportRow & Pick<ReportView, 'facts' | 'blocks'>

const isOfProject = and(eq(projects.siteId, heardReports.siteId), eq(projects.id, heardReports.projectId))
const isVisible = (ctx: Ctx, more: SQL | undefined) => and(eq(heardReports.siteId, ctx.site.id), listedWhere(ctx), more)

const selectReports = (ctx: Ctx, tx: Tx, more: SQL | undefined) =>
  tx.select({ report: heardReports }).from(heardReports).innerJoin(projects, isOfProject).where(isVisible(ctx, more))

async function showReports(ctx: Ctx, tx: Tx, rows: readonly { report: ReportRow }[]): Promise<ShownReport[]> {
  const shown: ShownReport[] = []
  for (const { report } of rows) shown.push({ ...report, ...(await loadReportContent(ctx, tx, report)) })
  return shown
}

export const heardReportResource = implementResource(heardReportShape, {
  load: (ctx, ids) => ctx.db.read(async (tx) => showReports(ctx, tx, await selectReports(ctx, tx, inArray(heardReports.id, [...ids])))),
  list: (ctx, { filter, sort, page }) =>
    ctx.db.read(async (tx) => {
      const where = and(
        filter.project ? eq(heardReports.projectId, filter.project) : undefined,
        filter.status ? inArray(heardReports.status, [...filter.status]) : undefined,
      )
      const [counted] = await tx.select({ total: count() }).from(heardReports).innerJoin(projects, isOfProject).where(isVisible(ctx, where))
      const rows = await selectReports(ctx, tx, where)
        .orderBy(asc(heardReports.projectId), (sort.some(({ descending }) => descending) ? desc : asc)(heardReports.version))
        .limit(page.limit)
        .offset(page.offset)
      return { rows: await showReports(ctx, tx, rows), total: counted?.total ?? 0 }
    }),
  attributes: ({ version, kind, status, asOf, facts, blocks }: ShownReport) => ({
    version,
    kind,
    status,
    asOf,
    answers: facts.answers,
    withdrawnSince: facts.gone,
    blocks: blocks as unknown as Record<string, unknown>[],
  }),
  relationships: {
    project: { id: (row) => row.projectId, alwaysVisible: 'in-scope' },
    revision: { id: (row) => row.revisionId },
  },
  create: publishReport,
})

export const heardReportReviewResource = implementResource(heardReportReviewShape, {
  ...createReviewHandlers(REPORT_REVIEWS),
  list: (ctx, { filter, page }) => listReviews(ctx, REPORT_REVIEWS, { ...filter, page }),
  relationships: { project: { id: (row) => row.id, alwaysVisible: 'in-scope' }, revision: { id: (row) => row.revisionId } },
  create: askForReview,
})
