import { and, eq, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { teamComments, teamTasks } from '#app/server/db/schema/teamwork.ts'
import { isAboutOwnWork, selectTargetTitle } from './targets.server.ts'
import { COMMENTS_HASH } from './targets.schema.ts'

/**
 * For the bell: where the viewer was mentioned, and tasks that they were given or that are due. Columns: `id`, `kind`, `title` as JSON,
 * `subject`, `at`. A task is news when it is given, and once more on the day it is due.
 */
export function buildTeamQueries(ctx: Ctx, viewer: SignedInViewer, since: Date): SQL[] {
  const { site, now } = ctx
  const comment = alias(teamComments, 't')
  const task = alias(teamTasks, 't')
  const ofProject = sql`left join ${projects} on ${projects.siteId} = t.site_id and ${projects.id} = t.project_id`
  const dueAt = sql`(t.due_on::timestamp at time zone ${site.timeZone})`
  const isDue = sql`(t.due_on is not null and t.due_on <= ${toCalendarDay(site.timeZone, now())}::date)`
  return [
    sql`(select t.id, 'mention', ${selectTargetTitle}, ${selectTargetPath} || ${`#${COMMENTS_HASH}`}, m.mentioned_at from team_mentions m
      join team_comments t on t.site_id = m.site_id and t.id = m.comment_id ${ofProject}
      where ${and(
        eq(comment.siteId, site.id),
        sql`m.user_id = ${viewer.id} and m.mentioned_at >= ${since} and t.author_id is distinct from ${viewer.id}`,
        isAboutOwnWork(ctx, comment),
      )})`,
    sql`(select t.id, case when ${isDue} then 'task-due' else 'task' end, to_jsonb(t.title), ${selectTargetPath} || ${`#${COMMENTS_HASH}`},
        case when ${isDue} then greatest(t.assigned_at, ${dueAt}) else t.assigned_at end from team_tasks t ${ofProject}
      where ${and(
        eq(task.siteId, site.id),
        sql`t.owner_id = ${viewer.id} and t.done_at is null and (${isDue} or t.assigned_by is distinct from ${viewer.id})`,
        isAboutOwnWork(ctx, task),
      )})`,
  ]
}

/** As `buildTargetPath`, of what the comment or task `t` is about. */
const selectTargetPath = sql`(case t.target_kind
  when 'project' then '/admin/projects/' || t.target_id
  when 'activity' then '/admin/projects/' || t.project_id || '/activities/' || t.target_id
  when 'survey' then '/admin/surveys/' || t.target_id
  when 'page' then '/admin/pages/' || t.target_id
  when 'report' then '/admin/projects/' || t.target_id || '/heard/report'
  when 'event' then '/admin/projects/' || t.project_id || '/events/' || t.target_id
  when 'budget' then '/admin/projects/' || t.project_id || '/budgets/' || t.target_id
  when 'homepage' then '/admin/homepage'
  when 'hub-page' then '/admin/homepage?hub=' || t.target_id
  else '/admin/contributions/' || t.target_id end)`
