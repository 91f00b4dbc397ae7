import { or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { selectDueTexts } from '#app/features/contributions/contributions.waiting.server.ts'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { isAboutOwnWork } from '#app/features/teamwork/targets.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { teamTasks } from '#app/server/db/schema/teamwork.ts'
import type { DateEvent, DateKind } from './calendar.schema.ts'

/** Where dates of one kind come from. All SQL names its rows `t`, and their project `projects`. */
export interface DateSource {
  kind: DateKind
  event: DateEvent
  /** A table with `id`, `project_id` and `title`, or a query in brackets. */
  rows: SQL
  projectId?: SQL
  /** When it is: a timestamp, or a day of the site's calendar. */
  at: { moment: SQL } | { day: SQL }
  /** How exact a timestamp is; by default to the minute. */
  precision?: SQL
  /** For how many texts a row without a title stands. */
  texts?: SQL
  where?: SQL
  /** Rows that everybody may see who sees the project; by default none. */
  isPublic?: SQL
  /** Rows that the viewer works on; undefined for all. */
  scope: SQL | undefined
  /** It is to be done by then, and is not done yet. */
  isOpen?: SQL
  /** Where people work on it, in the administration. */
  path: (ids: { id: string; projectId: string }) => string
}

/** Every date of the calendar, of its files and of a project's overview comes from here: a feature with other dates adds them to this list. */
export const listDateSources = (ctx: Ctx): DateSource[] => [
  ...listOpenings({
    kind: 'project',
    rows: sql`projects`,
    projectId: sql`t.id`,
    where: sql`t.status <> 'archived'`,
    isPublic: sql`true`,
    scope: scopeOf(ctx, 'projects.edit'),
    path: ({ id }) => `/admin/projects/${id}`,
  }),
  {
    kind: 'project',
    event: 'published',
    rows: sql`projects`,
    projectId: sql`t.id`,
    at: { moment: sql`t.publish_at` },
    where: sql`t.status = 'scheduled'`,
    scope: scopeOf(ctx, 'projects.edit'),
    path: ({ id }) => `/admin/projects/${id}`,
  },
  ...listOpenings({
    kind: 'survey',
    rows: sql`surveys`,
    where: sql`t.status <> 'archived'`,
    isPublic: sql`t.status = 'published'`,
    scope: scopeOf(ctx, 'projects.edit'),
    path: ({ id }) => `/admin/surveys/${id}`,
  }),
  ...listOpenings({
    kind: 'activity',
    rows: sql`activities`,
    where: sql`t.status <> 'archived'`,
    isPublic: sql`t.status = 'published'`,
    scope: scopeOf(ctx, 'activities.edit'),
    path: ({ id, projectId }) => `/admin/projects/${projectId}/activities/${id}`,
  }),
  ...listOpenings({
    kind: 'budget',
    rows: sql`budget_rounds`,
    isPublic: sql`t.status = 'published'`,
    scope: scopeOf(ctx, 'budgets.edit'),
    path: ({ id, projectId }) => `/admin/projects/${projectId}/budgets/${id}`,
  }),
  ...listOpenings({
    kind: 'stage',
    rows: sql`(select *, starts_at as opens_at, ends_at as closes_at from project_stages)`,
    precision: sql`'day'`,
    isPublic: sql`true`,
    scope: scopeOf(ctx, 'activities.edit'),
    path: ({ projectId }) => `/admin/projects/${projectId}#activities`,
  }),
  {
    kind: 'key-date',
    event: 'happens',
    rows: sql`project_dates`,
    at: { moment: sql`t.happens_at` },
    precision: sql`t.precision`,
    isPublic: sql`true`,
    scope: scopeOf(ctx, 'projects.edit'),
    path: ({ projectId }) => `/admin/projects/${projectId}#dates`,
  },
  {
    kind: 'event',
    event: 'happens',
    rows: sql`events`,
    at: { moment: sql`t.starts_at` },
    where: sql`t.status <> 'cancelled'`,
    isPublic: sql`t.status = 'published'`,
    scope: scopeOf(ctx, 'activities.edit'),
    path: ({ id, projectId }) => `/admin/projects/${projectId}/events/${id}`,
  },
  {
    kind: 'update',
    event: 'published',
    rows: sql`project_updates`,
    at: { moment: sql`t.published_at` },
    isPublic: sql`t.published_at <= ${ctx.now().toISOString()}::timestamptz`,
    scope: scopeOf(ctx, 'projects.edit'),
    path: ({ id }) => `/admin/updates/${id}`,
  },
  buildCampaignSource(ctx, { kind: 'newsletter', channel: 'email', path: ({ id }) => `/admin/newsletters/${id}` }),
  buildCampaignSource(ctx, { kind: 'text', channel: 'sms', path: ({ id }) => `/admin/campaigns/${id}` }),
  {
    kind: 'decision',
    event: 'promised',
    rows: sql`decisions`,
    at: { day: sql`t.due_on` },
    isPublic: sql`t.published_at is not null`,
    isOpen: sql`t.delivery in ('planned', 'under_way')`,
    scope: scopeOf(ctx, 'projects.edit'),
    path: ({ id, projectId }) => `/admin/projects/${projectId}/heard/decisions/${id}`,
  },
  buildTaskSource(ctx),
  buildDueSource(ctx, { kind: 'question', path: ({ projectId }) => `/admin/contributions?project=${projectId}&waits=question` }),
  buildDueSource(ctx, { kind: 'moderation', path: ({ projectId }) => `/admin/moderation?project=${projectId}` }),
]

const scopeOf = (ctx: Ctx, action: Action): SQL | undefined => scopeWhere(ctx.viewer, action, { hub: projects.hubId, project: projects.id })

/** When something opens, and when it closes. */
const listOpenings = (source: Omit<DateSource, 'event' | 'at'>): DateSource[] => [
  { ...source, event: 'opens', at: { moment: sql`t.opens_at` } },
  { ...source, event: 'closes', at: { moment: sql`t.closes_at` } },
]

/** Tasks of the team, wherever they hang. */
const buildTaskSource = (ctx: Ctx): DateSource => ({
  kind: 'task',
  event: 'due',
  // A task is written in one language only.
  rows: sql`(select site_id, id, project_id, target_kind, target_id, due_on, done_at, jsonb_build_object(${ctx.site.locale}::text, title) as title from team_tasks)`,
  at: { day: sql`t.due_on` },
  where: sql`t.due_on is not null and t.done_at is null`,
  isOpen: sql`true`,
  scope: isAboutOwnWork(ctx, alias(teamTasks, 't')),
  path: ({ projectId }) => `/admin/tasks?whose=all${projectId && `&project=${projectId}`}`,
})

/** Campaigns have a name, which is no translation, and may belong to a department or to the whole site. */
function buildCampaignSource(
  ctx: Ctx,
  { kind, channel, path }: Pick<DateSource, 'kind' | 'path'> & { channel: 'email' | 'sms' },
): DateSource {
  const t = alias(campaigns, 't')
  const isOwn = scopeWhere(ctx.viewer, 'campaigns.send', { hub: t.hubId, project: t.projectId })
  return {
    kind,
    event: 'sent',
    rows: sql`(select site_id, id, hub_id, project_id, channel, status, send_at, jsonb_build_object(${ctx.site.locale}::text, name) as title from campaigns)`,
    at: { moment: sql`t.send_at` },
    where: sql`t.channel = ${channel} and t.status not in ('draft', 'cancelled')`,
    scope: isOwn && or(isOwn, scopeWhere(ctx.viewer, 'campaigns.send', { hub: projects.hubId })),
    path,
  }
}

/** What is due on one day in one project is one date: the titles of contributions are people's own words, which stay where they are. */
const buildDueSource = (ctx: Ctx, { kind, path }: { kind: 'question' | 'moderation'; path: DateSource['path'] }): DateSource => ({
  kind,
  event: 'due',
  rows: sql`(select ${ctx.site.id}::uuid as site_id, project_id as id, project_id, day, texts, null::jsonb as title from (${selectDueTexts(ctx, kind)}) due)`,
  at: { day: sql`t.day` },
  texts: sql`t.texts`,
  isOpen: sql`true`,
  scope: scopeOf(ctx, 'contributions.moderate'),
  path,
})
