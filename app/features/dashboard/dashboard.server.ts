import { and, asc, eq, gt, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { checkPermission, isAdministrator, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toCalendarDay, listDaysUntil } from '#app/features/reach/reach.days.server.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { placePeople, projectPeople, responseChanges, responseDays, responseTotals } from '#app/server/db/schema/response-figures.ts'
import type { Dashboard } from './dashboard.schema.ts'

const DAY_MS = 86_400_000
const DAYS_SHOWN = 30
const BUSIEST_SHOWN = 5

const areChangesInReview = sql`exists (select from ${revisionHeads} where ${revisionHeads.siteId} = ${projects.siteId}
  and ${revisionHeads.subject} = 'project' and ${revisionHeads.scopeId} = ${projects.id} and ${revisionHeads.reviewRequestedAt} is not null)`

/**
 * Figures for an administrator's start page, over projects whose responses they may see. Responses are not counted here: a job adds them to
 * the figures every few seconds, and those it has not added yet are added here.
 */
export async function readDashboard(ctx: Ctx): Promise<Dashboard> {
  const { viewer, site } = ctx
  if (!isAdministrator(viewer)) throw new AppError(viewer.kind === 'visitor' ? 'unauthenticated' : 'forbidden')
  const scope = scopeWhere(viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
  const now = ctx.now()
  const days = listDaysUntil(toCalendarDay(site.timeZone, now), DAYS_SHOWN)
  const localiseTitle = (text: Translated) => getTranslation(text, ctx.language, site.locale)

  return ctx.db.read(async (tx) => {
    const [totals, people, recent, moderation, waiting, closing] = await Promise.all([
      loadTotals(ctx, tx, scope),
      countAccounts(ctx, tx, scope, findCountedPlace(ctx, viewer)),
      loadRecent(ctx, tx, scope, days[0] ?? ''),
      loadModeration(ctx, tx),
      tx
        .select({ projectId: projects.id, title: projects.title })
        .from(projects)
        .where(and(eq(projects.siteId, site.id), scope, or(eq(projects.status, 'in_review'), areChangesInReview)))
        .orderBy(asc(projects.updatedAt))
        .limit(10),
      tx
        .select({ projectId: projects.id, title: projects.title, closesAt: projects.closesAt })
        .from(projects)
        .where(
          and(
            eq(projects.siteId, site.id),
            scope,
            eq(projects.status, 'published'),
            isNotNull(projects.closesAt),
            gt(projects.closesAt, now),
            lt(projects.closesAt, new Date(now.getTime() + 7 * DAY_MS)),
          ),
        )
        .orderBy(asc(projects.closesAt))
        .limit(10),
    ])
    const daily = days.map((day) => ({ day, responses: recent.byDay.get(day) ?? 0 }))
    const sumDays = (part: typeof daily) => part.reduce((sum, { responses }) => sum + responses, 0)
    return {
      openProjects: totals.openProjects,
      participants: people + totals.withoutAccount,
      responses: totals.responses,
      publicResponses: totals.listed,
      responsesThisWeek: sumDays(daily.slice(-7)),
      responsesLastWeek: sumDays(daily.slice(-14, -7)),
      moderation,
      daily,
      busiest: recent.busiest.map((row) => ({ ...row, title: localiseTitle(row.title) })),
      awaitingReview: waiting.map((row) => ({ ...row, title: localiseTitle(row.title) })),
      closingSoon: closing.map(({ closesAt, ...row }) => ({ ...row, title: localiseTitle(row.title), closesAt: closesAt ?? now })),
    }
  })
}

/** Totals of a whole site, the same figures that its own administrators see. */
export async function loadSiteTotals(ctx: Ctx, tx: Tx): Promise<Pick<Dashboard, 'openProjects' | 'participants' | 'responses'>> {
  const [{ openProjects, responses, withoutAccount }, people] = await Promise.all([
    loadTotals(ctx, tx, undefined),
    countAccounts(ctx, tx, undefined, ctx.site.id),
  ])
  return { openProjects, participants: people + withoutAccount, responses }
}

interface Totals {
  openProjects: number
  responses: number
  listed: number
  withoutAccount: number
}

async function loadTotals({ site, now }: Ctx, tx: Tx, scope: SQL | undefined): Promise<Totals> {
  const at = now().toISOString()
  const { rows } = await tx.execute<Totals & Record<string, unknown>>(sql`
    select coalesce(sum(given.responses), 0)::int as responses, coalesce(sum(given.without_account), 0)::int as "withoutAccount",
      coalesce(sum(given.responses) filter (where projects.visibility = 'public' and projects.status in ('published', 'archived')), 0)::int as listed,
      (count(*) filter (where projects.status = 'published' and (projects.opens_at is null or projects.opens_at <= ${at})
        and (projects.closes_at is null or projects.closes_at > ${at})))::int as "openProjects"
    from projects left join (
      select project_id, sum(responses) as responses, sum(without_account) as without_account
      from (
        select project_id, responses, without_account from ${responseTotals} where site_id = ${site.id}
        union all select project_id, change, case when user_id is null then change else 0 end from ${responseChanges} where site_id = ${site.id}
      ) part group by project_id
    ) given on given.project_id = projects.id
    where ${and(eq(projects.siteId, site.id), scope)}`)
  return rows[0] ?? { openProjects: 0, responses: 0, listed: 0, withoutAccount: 0 }
}

interface Recent {
  byDay: Map<string, number>
  busiest: { projectId: string; title: Translated; closesAt: Date | null; responses: number }[]
}

/** Responses since the day `from`, by day and in the projects with most of them. */
async function loadRecent({ site }: Ctx, tx: Tx, scope: SQL | undefined, from: string): Promise<Recent> {
  const { rows } = await tx.execute<{
    day: string | null
    projectId: string | null
    title: Translated | null
    closesAt: string | null
    responses: number
  }>(sql`
    with given as materialized (
      select part.project_id, part.day, sum(part.responses)::int as responses
      from (
        select project_id, day, responses from ${responseDays} where site_id = ${site.id} and day >= ${from}::date
        union all select project_id, day, change from ${responseChanges} where site_id = ${site.id} and day >= ${from}::date
      ) part group by part.project_id, part.day),
    recent as materialized (
      select projects.id, given.day, given.responses from given join projects on projects.id = given.project_id
      where ${and(eq(projects.siteId, site.id), scope)})
    (select to_char(day, 'YYYY-MM-DD') as day, null as "projectId", null::jsonb as title, null as "closesAt", sum(responses)::int as responses
      from recent group by day)
    union all
    (select null, p.id, p.title, to_char(p.closes_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), busy.responses
      from (select id, sum(responses)::int as responses from recent group by id having sum(responses) > 0 order by 2 desc, 1 limit ${BUSIEST_SHOWN}) busy
      join projects p on p.site_id = ${site.id} and p.id = busy.id order by busy.responses desc, p.id)`)
  return {
    byDay: new Map(rows.flatMap(({ day, responses }) => (day ? [[day, responses] as const] : []))),
    busiest: rows.flatMap(({ projectId, title, closesAt, responses }) =>
      projectId ? [{ projectId, title: title ?? {}, closesAt: closesAt ? new Date(closesAt) : null, responses }] : [],
    ),
  }
}

/** Only what is open is counted, by indexes that hold nothing else. The place of each case is only looked up for those who do not see all. */
async function loadModeration({ site, viewer, now }: Ctx, tx: Tx): Promise<Dashboard['moderation']> {
  const place = { hub: projects.hubId, project: projects.id }
  const moderates = scopeWhere(viewer, 'contributions.moderate', place)
  const decidesAppeals = scopeWhere(viewer, 'moderation.appeals', place)
  const placesOfCases = sql`cross join lateral (
      select projects.id, projects.hub_id from contributions
        join activities on activities.site_id = contributions.site_id and activities.id = contributions.activity_id
        join projects on projects.site_id = activities.site_id and projects.id = activities.project_id
      where contributions.site_id = ${site.id} and contributions.id = cases.contribution_id offset 0
    ) projects`
  const { rows } = await tx.execute<Dashboard['moderation'] & Record<string, unknown>>(sql`
    with cases as materialized (
      select contribution_id, due_at, false as has_appeal from moderation_cases where site_id = ${site.id} and state = 'open'
      union all select contribution_id, due_at, true from moderation_cases where site_id = ${site.id} and id in (
        select case_id from moderation_appeals where site_id = ${site.id} and state = 'pending')
    )
    select (count(*) filter (where ${and(sql`not has_appeal`, moderates)}))::int as waiting,
      (count(*) filter (where ${and(sql`not has_appeal and due_at < ${now().toISOString()}`, moderates)}))::int as late,
      (count(*) filter (where ${and(sql`has_appeal`, decidesAppeals)}))::int as appeals
    from cases ${moderates || decidesAppeals ? placesOfCases : sql``}`)
  return rows[0] ?? { waiting: 0, late: 0, appeals: 0 }
}

/** The site, hub or project that the viewer sees, if it is only one: its people are counted already. */
function findCountedPlace({ site }: Ctx, viewer: SignedInViewer): string | undefined {
  if (checkPermission(viewer, 'responses.see', {}).ok) return site.id
  const [only, ...others] = viewer.roles
  if (!only || others.length > 0) return undefined
  const { hubId, projectId } = only
  const place = projectId ? { projectId } : { hubId }
  return checkPermission(viewer, 'responses.see', place).ok ? (projectId ?? hubId ?? undefined) : undefined
}

/**
 * Distinct accounts with responses in scope.
 * @param place whose people are counted already, if it is the scope; not true while a project has just moved
 */
async function countAccounts({ site }: Ctx, tx: Tx, scope: SQL | undefined, place: string | undefined): Promise<number> {
  const inScope = and(eq(projects.siteId, site.id), scope)
  const distinct = sql`
    (select count(distinct user_id) from ${projectPeople}
      where site_id = ${site.id} and project_id in (select id from projects where ${inScope}))`
  const counted = place
    ? sql`
      case when exists (select from ${responseChanges} where site_id = ${site.id} and day is null) then ${distinct}
        else (select people from ${placePeople} where site_id = ${site.id} and place_id = ${place}) end`
    : distinct
  const { rows } = await tx.execute<{ people: number }>(sql`
    with given as materialized (
      select project_id, user_id, sum(change) as change from ${responseChanges} where site_id = ${site.id} and user_id is not null
      group by project_id, user_id),
    presence as (
      select part.user_id, sum(part.before) > 0 as had, sum(part.before + part.change) > 0 as has
      from (
        select known.project_id, asker.user_id, known.before, 0 as change from (select distinct user_id from given) asker
        cross join lateral (
          select project_id, responses as before from ${projectPeople} where site_id = ${site.id} and user_id = asker.user_id offset 0
        ) known
        union all select project_id, user_id, 0, change from given
      ) part join projects on projects.id = part.project_id
      where ${inScope} group by part.user_id)
    select (coalesce(${counted}, 0) + (select count(*) filter (where has) - count(*) filter (where had) from presence))::int as people`)
  return rows[0]?.people ?? 0
}
