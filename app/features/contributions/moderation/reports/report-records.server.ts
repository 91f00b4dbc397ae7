import { and, asc, count, desc, eq, sql } from 'drizzle-orm'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { parseBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lookUpRows } from '#app/server/db/look-up-rows.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { moderationCases, moderationReports, moderationRules } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { isModerated, isModeratedContribution } from '../case-records.server.ts'
import type { moderationReportShape } from './reports.api.schema.ts'
import { type ReportRow, submitReport } from './submit-report.server.ts'

/** A report as moderators read it; its sender is told less. */
export type ReportRecord = ReportRow & { rule: string; reporterName?: string | null }

const selectReports = (tx: Tx, found: typeof moderationReports) =>
  tx
    .select({ row: moderationReports, rule: moderationRules.code, reporterName: users.login })
    .from(found)
    .innerJoin(moderationCases, and(eq(moderationCases.siteId, moderationReports.siteId), eq(moderationCases.id, moderationReports.caseId)))
    .innerJoin(contributions, and(eq(contributions.siteId, moderationCases.siteId), eq(contributions.id, moderationCases.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .innerJoin(moderationRules, and(eq(moderationRules.siteId, moderationReports.siteId), eq(moderationRules.id, moderationReports.ruleId)))
    .leftJoin(users, and(eq(users.siteId, moderationReports.siteId), eq(users.id, moderationReports.reporterId)))

type SelectedReport = Awaited<ReturnType<typeof selectReports>>[number]
const toRecord = ({ row, rule, reporterName }: SelectedReport): ReportRecord => ({ ...row, rule, reporterName })

/** Reports of what the viewer moderates. */
export const loadReports = (ctx: Ctx, ids: readonly string[]): Promise<ReportRecord[]> =>
  ctx.db.read(async (tx) =>
    (await selectReports(tx, lookUpRows(moderationReports, ctx.site.id, ids)).where(isModerated(ctx))).map(toRecord),
  )

export function listReports(ctx: Ctx, { filter, sort, page }: ListQuery<typeof moderationReportShape>): Promise<ListResult<ReportRecord>> {
  return ctx.db.read(async (tx) => {
    const where = and(
      eq(moderationReports.siteId, ctx.site.id),
      isModeratedContribution(ctx, moderationReports.contributionId),
      filter.case ? eq(moderationReports.caseId, filter.case) : undefined,
    )
    const [counted] = await tx.select({ total: count() }).from(moderationReports).where(where)
    const order = [(sort[0]?.descending ? desc : asc)(moderationReports.createdAt), asc(moderationReports.id)]
    const shown = tx
      .select({ id: moderationReports.id })
      .from(moderationReports)
      .where(where)
      .orderBy(...order)
      .limit(page.limit)
      .offset(page.offset)
    const rows = await selectReports(tx, lookUpRows(moderationReports, ctx.site.id, sql`array(${shown})`)).orderBy(...order)
    return { rows: rows.map(toRecord), total: counted?.total ?? 0 }
  })
}

/** @throws as `submitReport` */
export async function createReport(ctx: Ctx, input: CreateInput<typeof moderationReportShape>): Promise<ReportRecord> {
  const { id, contribution, reply, rule, words } = input
  const browserToken = parseBrowserToken(ctx, input.browserToken)
  const row = await submitReport(ctx, { id, contributionId: contribution, replyId: reply ?? null, rule, words: words ?? '', browserToken })
  // The sender may have reported it before, for another rule.
  const named = await ctx.db.read((tx) =>
    tx
      .select({ code: moderationRules.code })
      .from(moderationRules)
      .where(and(eq(moderationRules.siteId, ctx.site.id), eq(moderationRules.id, row.ruleId))),
  )
  return { ...row, rule: named[0]?.code ?? rule }
}
