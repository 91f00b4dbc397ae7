import { AppError } from '#app/lib/app-error.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import { implementResource, type ListQuery, type ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { type ProjectFigures, readReport, sortByEngaged } from './report.server.ts'
import { projectFiguresShape } from './reports.api.schema.ts'
import { findPeriodFault, type ReportSearch } from './report.search.ts'

export const projectFiguresResource = implementResource(projectFiguresShape, {
  list: listProjectFigures,
  attributes: ({ title, reach, answers, contributions }) => ({
    title,
    aware: reach.aware,
    informed: reach.informed,
    engaged: reach.engaged,
    answers,
    contributions: contributions.total,
    supports: contributions.supports,
    replies: contributions.replies,
    answeredContributions: contributions.answered,
    daysToAnswer: contributions.medianDays,
  }),
  relationships: { project: { id: ({ id }) => id, alwaysVisible: true } },
})

/** @throws {AppError} as `readReport` */
async function listProjectFigures(ctx: Ctx, { filter, page }: ListQuery<typeof projectFiguresShape>): Promise<ListResult<ProjectFigures>> {
  const search: ReportSearch = omitUndefined({
    projects: filter.project,
    hubs: filter.hub,
    topics: filter.topic,
    states: filter.state,
    activities: filter.activity,
    areas: filter.area,
    from: filter.from,
    until: filter.until,
    sections: ['projects' as const],
  })
  const fault = findPeriodFault(search, toCalendarDay(ctx.site.timeZone, ctx.now()))
  if (fault) throw new AppError('invalid-parameter', { parameter: `filter[${fault.field}]` })
  const report = await readReport(ctx, search)
  const rows = sortByEngaged(report)
  const { aware, informed, engaged } = report.reach.totals
  return {
    rows: rows.slice(page.offset, page.offset + page.limit),
    total: rows.length,
    meta: {
      period: report.period,
      hidden: report.hidden,
      totals: { aware, informed, engaged, answers: report.answers.total, contributions: report.contributions.total },
    },
  }
}
