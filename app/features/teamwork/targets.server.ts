import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type PermissionTarget, requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { listPermittedPeople } from '#app/features/permissions/permitted-people.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { TARGET_KINDS, type TargetKind } from '#app/lib/vocabulary/teamwork.ts'
import { isInScope, requireScope } from '#app/server/api/token-scopes.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Target } from './targets.schema.ts'

/** A target with where it belongs. */
export interface PlacedTarget extends Target {
  /** Null only for pages, the homepage's and departments' among them. */
  projectId: string | null
  hubId: string | null
  everPublished: boolean
  title: Translated
}

/** Whoever may do this to a target works on it: only they read and write what the team says about it. */
const ACTIONS: Record<TargetKind, Action> = {
  project: 'projects.edit',
  activity: 'activities.edit',
  survey: 'projects.edit',
  page: 'site.edit',
  report: 'projects.edit',
  contribution: 'contributions.moderate',
  event: 'events.edit',
  budget: 'budgets.edit',
  homepage: 'site.edit',
  'hub-page': 'hubs.edit-homepage',
}

const SITE_NAME = sql`jsonb_build_object(s.locale, s.name)`

/** Rows of each kind of target: `site_id`, `id`, `project_id` and `title`. */
const ROWS: Record<TargetKind, SQL> = {
  project: sql`(select site_id, id, id as project_id, title from projects)`,
  report: sql`(select site_id, id, id as project_id, title from projects)`,
  activity: sql`(select site_id, id, project_id, title from activities)`,
  survey: sql`(select site_id, id, project_id, title from surveys)`,
  page: sql`(select site_id, id, null::uuid as project_id, title from pages)`,
  contribution: sql`(select c.site_id, c.id, a.project_id, jsonb_build_object(c.language, c.title) as title from contributions c
    join activities a on a.site_id = c.site_id and a.id = c.activity_id)`,
  event: sql`(select site_id, id, project_id, title from events)`,
  budget: sql`(select site_id, id, project_id, title from budget_rounds)`,
  homepage: sql`(select id as site_id, id, null::uuid as project_id, ${SITE_NAME} as title from sites s)`,
  'hub-page': sql`(select site_id, id, null::uuid as project_id, title from hubs)`,
}

/** A target that the viewer works on. @throws {AppError} `not-found`, `unauthenticated`, `forbidden` */
export async function requireTarget(ctx: Ctx, tx: Tx, { kind, id }: Target): Promise<PlacedTarget> {
  const { rows } = await tx.execute<{
    project_id: string | null
    hub_id: string | null
    published_at: string | null
    title: Translated
  }>(sql`
    select t.project_id, ${projects.hubId} as hub_id, ${projects.publishedAt} as published_at, t.title from ${ROWS[kind]} t
    left join ${projects} on ${projects.siteId} = t.site_id and ${projects.id} = t.project_id
    where t.site_id = ${ctx.site.id} and t.id = ${id}`)
  const [row] = rows
  if (!row) throw new AppError('not-found')
  const target: PlacedTarget = {
    kind,
    id,
    projectId: row.project_id,
    hubId: kind === 'hub-page' ? id : row.hub_id,
    everPublished: row.published_at !== null,
    title: row.title,
  }
  requirePermission(ctx, ACTIONS[kind], toPlace(target))
  if (kind === 'contribution') requireScope(ctx.viewer, 'contributions', 'read')
  return target
}

const toPlace = ({ hubId, projectId, everPublished }: PlacedTarget): PermissionTarget => ({ hubId, projectId, everPublished })

/** Colleagues who work on the target, by name. */
export const listColleagues = (ctx: Ctx, tx: Tx, target: PlacedTarget, words = ''): Promise<{ id: string; name: string }[]> =>
  listPermittedPeople(ctx, tx, ACTIONS[target.kind], toPlace(target), words)

/** Condition for comments or tasks about what the viewer works on. Needs `projects` joined. */
export const isAboutOwnWork = (
  { viewer }: Pick<Ctx, 'viewer'>,
  { targetKind, targetId }: { targetKind: AnyPgColumn; targetId: AnyPgColumn },
): SQL | undefined =>
  or(
    // A program that may not read contributions does not read about them either.
    ...TARGET_KINDS.filter((kind) => kind !== 'contribution' || isInScope(viewer, 'contributions', 'read')).map((kind) =>
      and(
        eq(targetKind, kind),
        // Only site administrators can edit the homepage and other pages that belong to no project.
        scopeWhere(viewer, ACTIONS[kind], kind === 'hub-page' ? { hub: targetId } : { hub: projects.hubId, project: projects.id }),
      ),
    ),
  )

/** The title of what a comment or task `t` is about, as JSON. */
export const selectTargetTitle = sql`(case t.target_kind
  when 'activity' then (select a.title from activities a where a.site_id = t.site_id and a.id = t.target_id)
  when 'survey' then (select s.title from surveys s where s.site_id = t.site_id and s.id = t.target_id)
  when 'page' then (select g.title from pages g where g.site_id = t.site_id and g.id = t.target_id)
  when 'event' then (select e.title from events e where e.site_id = t.site_id and e.id = t.target_id)
  when 'budget' then (select b.title from budget_rounds b where b.site_id = t.site_id and b.id = t.target_id)
  when 'homepage' then (select ${SITE_NAME} from sites s where s.id = t.target_id)
  when 'hub-page' then (select h.title from hubs h where h.site_id = t.site_id and h.id = t.target_id)
  when 'contribution' then (select jsonb_build_object(c.language, c.title) from contributions c where c.site_id = t.site_id and c.id = t.target_id)
  else (select p.title from projects p where p.site_id = t.site_id and p.id = t.target_id) end)`

export const localiseTargetTitle = ({ contentLanguage, site }: Pick<Ctx, 'contentLanguage' | 'site'>, title: Translated | null): string =>
  title ? getTranslation(title, contentLanguage, site.locale) || (Object.values(title)[0] ?? '') : ''
