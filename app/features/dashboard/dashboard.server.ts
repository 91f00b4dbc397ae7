import { and, eq, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { checkPermission, isAdministrator, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toCalendarDay, listDaysUntil } from '#app/features/reach/reach.days.server.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { placePeople, projectPeople, responseChanges, responseTotals } from '#app/server/db/schema/response-figures.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { selectAnswerDays } from './answer-days.server.ts'
import type { AwaitedReview, Dashboard } from './dashboard.schema.ts'

const CLOSING_SOON_MS = 7 * 86_400_000
const DAYS_SHOWN = 30
const BUSIEST_SHOWN = 5
/** Most projects in each of the lists of projects to review and of those that close soon. */
const LISTED = 10

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
  const localise = ({ title, ...row }: ListedProject) => ({ ...row, title: getTranslation(title, ctx.contentLanguage, site.locale) })

  return ctx.db.read(async (tx) => {
    const [figures, moderation] = await Promise.all([
      loadFigures(ctx, tx, { scope, place: findCountedPlace(ctx, viewer), from: days[0] ?? '' }),
      loadModeration(ctx, tx),
    ])
    const daily = days.map((day) => ({ day, responses: figures.days?.[day] ?? 0 }))
    const sumDays = (part: typeof daily) => part.reduce((sum, { responses }) => sum + responses, 0)
    return {
      openProjects: figures.openProjects,
      participants: figures.people + figures.withoutAccount,
      responses: figures.responses,
      publicResponses: figures.listed,
      responsesThisWeek: sumDays(daily.slice(-7)),
      responsesLastWeek: sumDays(daily.slice(-14, -7)),
      moderation,
      daily,
      busiest: (figures.busiest ?? []).map(({ closesAt, ...row }) => ({
        ...localise(row),
        closesAt: closesAt ? new Date(closesAt) : null,
        responses: row.responses,
      })),
      awaitingReview: (figures.awaitingReview ?? []).map(({ what, id, ...row }) => ({ ...localise(row), what, id })),
      closingSoon: (figures.closingSoon ?? []).map(({ closesAt, ...row }) => ({ ...localise(row), closesAt: new Date(closesAt) })),
    }
  })
}

/** Totals of a whole site, the same figures that its own administrators see. */
export async function loadSiteTotals(ctx: Ctx, tx: Tx): Promise<Pick<Dashboard, 'openProjects' | 'participants' | 'responses'>> {
  const today = toCalendarDay(ctx.site.timeZone, ctx.now())
  const { openProjects, responses, withoutAccount, people } = await loadFigures(ctx, tx, {
    scope: undefined,
    place: ctx.site.id,
    from: today,
  })
  return { openProjects, participants: people + withoutAccount, responses }
}

interface ListedProject {
  projectId: string
  title: Translated
}

interface Figures extends Record<string, unknown> {
  openProjects: number
  responses: number
  /** Responses to projects that everybody may see. */
  listed: number
  withoutAccount: number
  /** Distinct accounts with responses. */
  people: number
  /** Number of responses by day, in the site's calendar. */
  days: Record<string, number> | null
  /** Dates in ISO 8601. */
  busiest: (ListedProject & { closesAt: string | null; responses: number })[] | null
  awaitingReview: (ListedProject & Pick<AwaitedReview, 'what' | 'id'>)[] | null
  closingSoon: (ListedProject & { closesAt: string })[] | null
}

interface FiguresAsked {
  /** Which projects; all of the site's if it is undefined. */
  scope: SQL | undefined
  /** Whose people are counted already, if it is the scope; not true while a project has just moved. */
  place: string | undefined
  /** The first day that is counted by itself. */
  from: string
}

/** One statement, so that the responses that are not in the figures yet are read only once. */
async function loadFigures({ site, now: getNow }: Ctx, tx: Tx, { scope, place, from }: FiguresAsked): Promise<Figures> {
  const now = getNow()
  const [at, soon] = [now.toISOString(), new Date(now.getTime() + CLOSING_SOON_MS).toISOString()]
  const inReview = (subject: 'project' | 'heard-report' | 'activity') => sql`select ${revisionHeads.scopeId} from ${revisionHeads}
    where ${revisionHeads.siteId} = ${site.id} and ${revisionHeads.subject} = ${subject} and ${revisionHeads.reviewRequestedAt} is not null`
  const distinct = sql`(select count(distinct user_id) from ${projectPeople} where site_id = ${site.id} and project_id in (select id from listed))`
  const counted = place
    ? sql`
      case when exists (select from changes where day is null) then ${distinct}
        else (select people from ${placePeople} where site_id = ${site.id} and place_id = ${place}) end`
    : distinct
  const { rows } = await tx.execute<Figures>(sql`
    with changes as materialized (
      select project_id, day, user_id, change from ${responseChanges} where site_id = ${site.id}),
    listed as materialized (
      select id, title, status, visibility, opens_at, closes_at, updated_at
      from projects where ${and(eq(projects.siteId, site.id), scope)}),
    totals as (
      select project_id, sum(responses) as responses, sum(without_account) as without_account
      from (
        select project_id, responses, without_account from ${responseTotals} where site_id = ${site.id}
        union all select project_id, change, case when user_id is null then change else 0 end from changes
      ) part group by project_id),
    recent as materialized (
      select day, project_id, sum(responses)::int as responses
      from (${selectAnswerDays(site.id, { from, changes: sql`changes` })}) part where project_id in (select id from listed) group by grouping sets ((day), (project_id))),
    given as (
      select project_id, user_id, sum(change) as change from changes where user_id is not null group by project_id, user_id),
    presence as (
      select user_id, sum(before) > 0 as had, sum(before + change) > 0 as has
      from (
        select known.project_id, asker.user_id, known.before, 0 as change from (select distinct user_id from given) asker
        cross join lateral (
          select project_id, responses as before from ${projectPeople} where site_id = ${site.id} and user_id = asker.user_id offset 0
        ) known
        union all select project_id, user_id, 0, change from given
      ) part where project_id in (select id from listed) group by user_id)
    select coalesce(sum(totals.responses), 0)::int as responses, coalesce(sum(totals.without_account), 0)::int as "withoutAccount",
      coalesce(sum(totals.responses) filter (where visibility = 'public' and status in ('published', 'archived')), 0)::int as listed,
      (count(*) filter (where status = 'published' and (opens_at is null or opens_at <= ${at}) and (closes_at is null or closes_at > ${at})))::int
        as "openProjects",
      (select (coalesce(${counted}, 0) + count(*) filter (where has) - count(*) filter (where had))::int from presence) as people,
      (select json_object_agg(day, responses) from recent where day is not null) as days,
      (select json_agg(json_build_object('projectId', id, 'title', title, 'closesAt', closes_at, 'responses', responses) order by responses desc, id)
        from (select project_id, responses from recent where project_id is not null and responses > 0 order by 2 desc, 1 limit ${BUSIEST_SHOWN}) busy
        join listed on id = project_id) as busiest,
      (select json_agg(json_build_object('projectId', project_id, 'id', id, 'title', title, 'what', what) order by updated_at, what, id)
        from (select id as project_id, id, title, updated_at, 'project' as what from listed where status = 'in_review' or id in (${inReview('project')})
          union all select id, id, title, updated_at, 'report' from listed where id in (${inReview('heard-report')})
          union all select listed.id, s.id, s.title, s.updated_at, 'survey' from ${surveys} s join listed on listed.id = s.project_id
            where s.site_id = ${site.id} and s.review_requested_at is not null
          union all select listed.id, a.id, a.title, a.updated_at, 'activity' from ${activities} a join listed on listed.id = a.project_id
            where a.site_id = ${site.id} and a.id in (${inReview('activity')})
          order by updated_at limit ${LISTED}) waiting) as "awaitingReview",
      (select json_agg(json_build_object('projectId', id, 'title', title, 'closesAt', closes_at) order by closes_at)
        from (select * from listed where status = 'published' and closes_at > ${at} and closes_at < ${soon} order by closes_at limit ${LISTED}) closing)
        as "closingSoon"
    from listed left join totals on totals.project_id = listed.id`)
  const [figures] = rows
  if (!figures) throw new Error('Sums have a row')
  return figures
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
