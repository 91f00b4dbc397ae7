import { and, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import {
  checkPermission,
  type PermissionTarget,
  requirePermission,
  scopeWhere,
} from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { RevisedPlace } from './draft.schema.ts'
import type { RevisionHistory } from './revisions.server.ts'

type Subject = RevisedPlace['subject']

/** Where content belongs, for permissions and the audit trail. */
export type ContentPlace = Pick<PermissionTarget, 'hubId' | 'projectId'>

/** Requires permission to edit the site's pages, or those of one of its hubs. */
export function requireScopeAccess(ctx: Ctx, hubId: string | null): void {
  if (hubId) requirePermission(ctx, 'hubs.edit-homepage', { hubId })
  else requirePermission(ctx, 'site.edit')
}

export const canEditScope = ({ viewer }: Ctx, hubId: string | null): boolean =>
  hubId ? checkPermission(viewer, 'hubs.edit-homepage', { hubId }).ok : checkPermission(viewer, 'site.edit').ok

/**
 * Requires permission to edit the content of a place.
 * @param placeId the hub, project (also of its report) or activity; null for the site's own content
 * @throws {AppError} `not-found` for a project or activity the viewer may not know of, or `forbidden`
 */
export async function requireContentEditor(ctx: Ctx, subject: Subject, placeId: string | null): Promise<ContentPlace> {
  if (subject === 'project' || subject === 'heard-report') return requireProjectEditor(ctx, placeId)
  if (subject === 'activity') return requireActivityEditor(ctx, placeId)
  const hubId = subject === 'appearance' ? null : placeId
  requireScopeAccess(ctx, hubId)
  return { hubId }
}

/** The same for publishing it: changes of an activity by those who may edit it. @returns with `mustAsk` for those who may only ask somebody else to */
export async function requireContentPublisher(
  ctx: Ctx,
  subject: Subject,
  placeId: string | null,
): Promise<{ place: ContentPlace; mustAsk: boolean }> {
  const place = await requireContentEditor(ctx, subject, placeId)
  if (subject !== 'project' && subject !== 'heard-report') return { place, mustAsk: false }
  return { place, mustAsk: requirePermission(ctx, 'projects.publish', place).only === 'review' }
}

async function requireProjectEditor(ctx: Ctx, projectId: string | null): Promise<ContentPlace> {
  const [project] = await ctx.db.read((tx) =>
    tx
      .select({ hubId: projects.hubId, projectId: projects.id })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), projectId === null ? sql`false` : eq(projects.id, projectId))),
  )
  if (!project || !checkPermission(ctx.viewer, 'projects.see-draft', project).ok) throw new AppError('not-found')
  requirePermission(ctx, 'projects.edit', project)
  return project
}

async function requireActivityEditor(ctx: Ctx, activityId: string | null): Promise<ContentPlace> {
  const [project] = await ctx.db.read((tx) =>
    tx
      .select({ hubId: projects.hubId, projectId: projects.id })
      .from(activities)
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(and(eq(activities.siteId, ctx.site.id), activityId === null ? sql`false` : eq(activities.id, activityId))),
  )
  if (!project || !checkPermission(ctx.viewer, 'projects.see-draft', project).ok) throw new AppError('not-found')
  requirePermission(ctx, 'activities.edit', project)
  return project
}

/** Drafts of what the viewer edits: of the site, their hubs, their projects, and those projects' activities and surveys. */
export function isEditableDraft({ viewer, site }: Ctx, { table, subject }: RevisionHistory): SQL {
  const editable = scopeWhere(viewer, 'projects.edit', { hub: projects.hubId, project: projects.id })
  if (subject === 'survey') {
    const isOfProject = and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId), editable)
    const isPlace = and(eq(surveys.siteId, site.id), sql`${surveys.id} = ${table.placeId}`)
    return sql`exists (select from ${surveys} join ${projects} on ${isOfProject} where ${isPlace})`
  }
  if (subject === 'activity') {
    const isEditable = scopeWhere(viewer, 'activities.edit', { hub: projects.hubId, project: projects.id })
    const isOfProject = and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId), isEditable)
    const isPlace = and(eq(activities.siteId, site.id), sql`${activities.id} = ${table.placeId}`)
    return sql`exists (select from ${activities} join ${projects} on ${isOfProject} where ${isPlace})`
  }
  if (subject === 'project' || subject === 'heard-report') {
    const isPlace = and(eq(projects.siteId, site.id), sql`${projects.id} = ${table.placeId}`, editable)
    return sql`exists (select from ${projects} where ${isPlace})`
  }
  const ofSite = checkPermission(viewer, 'site.edit').ok ? isNull(table.placeId) : sql`false`
  if (subject === 'appearance') return ofSite
  const ofHubs = and(isNotNull(table.placeId), scopeWhere(viewer, 'hubs.edit-homepage', { hub: table.placeId }))
  return or(ofSite, ofHubs) ?? ofSite
}
