import { and, asc, count, desc, eq, gt, gte, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { isAdministrator, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toCalendarDay, listDaysUntil } from '#app/features/reach/reach.days.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Dashboard } from './dashboard.schema.ts'

const DAY_MS = 86_400_000
const DAYS_SHOWN = 30

/** Figures for an administrator's start page, counted over projects whose responses they may see. */
export async function readDashboard(ctx: Ctx): Promise<Dashboard> {
  const { viewer, site } = ctx
  if (!isAdministrator(viewer)) throw new AppError(viewer.kind === 'visitor' ? 'unauthenticated' : 'forbidden')
  const scope = scopeWhere(viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
  const now = ctx.now()
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const inSite = and(eq(projects.siteId, site.id), scope)
  const localiseTitle = (text: (typeof projects.$inferSelect)['title']) => getTranslation(text, ctx.language, site.locale)

  return ctx.db.read(async (tx) => {
    const given = selectAnswers(ctx, tx, scope)
    const countBetween = (from: Date, to: Date) =>
      sql<number>`count(*) filter (where ${given.submittedAt} >= ${from} and ${given.submittedAt} < ${to})`.mapWith(Number)
    const [totals] = await tx
      .select({
        responses: count(),
        listed: sql<number>`count(*) filter (where ${given.listed})`.mapWith(Number),
        participants: countParticipants(given),
        thisWeek: countBetween(daysAgo(7), new Date(now.getTime() + DAY_MS)),
        lastWeek: countBetween(daysAgo(14), daysAgo(7)),
      })
      .from(given)
    const byDay = await tx
      .select({ day: given.day, responses: count() })
      .from(given)
      .where(gte(given.submittedAt, daysAgo(DAYS_SHOWN + 1)))
      .groupBy(given.day)
    const busiest = await tx
      .select({ projectId: projects.id, title: projects.title, closesAt: projects.closesAt, responses: count() })
      .from(given)
      .innerJoin(projects, and(eq(projects.siteId, site.id), eq(projects.id, given.projectId)))
      .where(gte(given.submittedAt, daysAgo(DAYS_SHOWN)))
      .groupBy(projects.id, projects.title, projects.closesAt)
      .orderBy(desc(count()))
      .limit(5)
    const openProjects = await countOpenProjects(ctx, tx, scope)
    const waiting = await tx
      .select({ projectId: projects.id, title: projects.title })
      .from(projects)
      .where(and(inSite, eq(projects.status, 'in_review')))
      .orderBy(asc(projects.updatedAt))
      .limit(10)
    const closing = await tx
      .select({ projectId: projects.id, title: projects.title, closesAt: projects.closesAt })
      .from(projects)
      .where(
        and(
          inSite,
          eq(projects.status, 'published'),
          isNotNull(projects.closesAt),
          gt(projects.closesAt, now),
          lt(projects.closesAt, new Date(now.getTime() + 7 * DAY_MS)),
        ),
      )
      .orderBy(asc(projects.closesAt))
      .limit(10)
    const counted = new Map(byDay.map((row) => [row.day, row.responses]))
    return {
      openProjects,
      participants: totals?.participants ?? 0,
      responses: totals?.responses ?? 0,
      publicResponses: totals?.listed ?? 0,
      responsesThisWeek: totals?.thisWeek ?? 0,
      responsesLastWeek: totals?.lastWeek ?? 0,
      daily: listDaysUntil(toCalendarDay(site.timeZone, now), DAYS_SHOWN).map((day) => ({ day, responses: counted.get(day) ?? 0 })),
      busiest: busiest.map((row) => ({ ...row, title: localiseTitle(row.title) })),
      awaitingReview: waiting.map((row) => ({ ...row, title: localiseTitle(row.title) })),
      closingSoon: closing.map(({ closesAt, ...row }) => ({ ...row, title: localiseTitle(row.title), closesAt: closesAt ?? now })),
    }
  })
}

/** Totals of a whole site, the same figures that its own administrators see. */
export async function loadSiteTotals(ctx: Ctx, tx: Tx): Promise<Pick<Dashboard, 'openProjects' | 'participants' | 'responses'>> {
  const given = selectAnswers(ctx, tx, undefined)
  const [totals] = await tx.select({ responses: count(), participants: countParticipants(given) }).from(given)
  const openProjects = await countOpenProjects(ctx, tx, undefined)
  return { openProjects, participants: totals?.participants ?? 0, responses: totals?.responses ?? 0 }
}

/** Responses that count, each with its project and its day in the site's time zone. */
const selectAnswers = ({ site }: Ctx, tx: Tx, scope: SQL | undefined) =>
  tx
    .select({
      projectId: projects.id,
      userId: responses.userId,
      submittedAt: responses.submittedAt,
      listed: sql<boolean>`${projects.visibility} = 'public' and ${projects.status} in ('published', 'archived')`.as('listed'),
      day: sql<string>`to_char(${responses.submittedAt} at time zone ${site.timeZone}, 'YYYY-MM-DD')`.as('day'),
    })
    .from(responses)
    .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(responses.siteId, site.id), isNull(responses.withdrawnAt), scope))
    .as('given')

const countParticipants = (given: ReturnType<typeof selectAnswers>) =>
  sql<number>`count(distinct ${given.userId}) + count(*) filter (where ${given.userId} is null)`.mapWith(Number)

async function countOpenProjects(ctx: Ctx, tx: Tx, scope: SQL | undefined): Promise<number> {
  const now = ctx.now()
  const [open] = await tx
    .select({ projects: count() })
    .from(projects)
    .where(
      and(
        eq(projects.siteId, ctx.site.id),
        scope,
        eq(projects.status, 'published'),
        or(isNull(projects.opensAt), lte(projects.opensAt, now)),
        or(isNull(projects.closesAt), gt(projects.closesAt, now)),
      ),
    )
  return open?.projects ?? 0
}
