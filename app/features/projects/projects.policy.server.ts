import { and, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission, type PermissionTarget, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { openDraftLink } from '#app/features/revisions/draft-links.server.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ProjectStatus } from '#app/lib/vocabulary/projects.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { readRoleHolder } from '#app/server/shared-rendering.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'

export type ProjectRow = Omit<typeof projects.$inferSelect, 'searchTitle' | 'searchText' | 'rowVersion'>

const { searchTitle: _title, searchText: _text, rowVersion: _version, ...columns } = getTableColumns(projects)
/** What a project is read with: all but its version and what only the search reads, which is as long as the texts themselves. */
export const projectColumns = columns

const PUBLISHED: readonly ProjectStatus[] = ['published', 'archived']

/** What permissions on a project depend on. */
export type ProjectPlace = Pick<ProjectRow, 'id' | 'hubId' | 'publishedAt'>

export const toPermissionTarget = (row: ProjectPlace): PermissionTarget => ({
  hubId: row.hubId,
  projectId: row.id,
  everPublished: row.publishedAt !== null,
})

/** Projects that may appear in the viewer's lists, feeds and searches: published ones for everyone, members-only ones for members. */
export function listedWhere(ctx: Ctx): SQL | undefined {
  const { site } = ctx
  const viewer = readRoleHolder(ctx)
  const inScope = scopeWhere(viewer, 'projects.see-members-only', { hub: projects.hubId, project: projects.id }) ?? sql`true`
  return and(
    eq(projects.siteId, site.id),
    inArray(projects.status, PUBLISHED),
    or(eq(projects.visibility, 'public'), and(eq(projects.visibility, 'members'), or(inScope, isMemberSql(viewer, site.id)))),
  )
}

function isMemberSql(viewer: Viewer, siteId: string): SQL | undefined {
  if (viewer.kind !== 'user') return undefined
  if (viewer.memberOf) return sql`${projects.id} = any (${sql.param(viewer.memberOf)}::uuid[])`
  return sql`exists (select 1 from ${projectMembers} where ${projectMembers.siteId} = ${siteId}
    and ${projectMembers.projectId} = ${projects.id} and ${projectMembers.userId} = ${viewer.id})`
}

const seenDraftsWhere = (viewer: Viewer): SQL | undefined =>
  scopeWhere(viewer, 'projects.see-draft', { hub: projects.hubId, project: projects.id })

/** Whether every project of the site is in `knownWhere`. */
export const knowsAllProjects = (viewer: Viewer): boolean => seenDraftsWhere(viewer) === undefined

/** Everything the viewer may administer or look at, including drafts and hidden projects. */
export function knownWhere(ctx: Ctx): SQL | undefined {
  const inScope = seenDraftsWhere(ctx.viewer)
  return inScope === undefined ? eq(projects.siteId, ctx.site.id) : or(listedWhere(ctx), and(eq(projects.siteId, ctx.site.id), inScope))
}

/** What belongs to the projects that a query joins, as far as the viewer may see it: drafts with drafts of their project. */
export function knownWithinProjects(ctx: Ctx, isShown: SQL | undefined): SQL | undefined {
  const seesDrafts = seenDraftsWhere(ctx.viewer)
  return and(knownWhere(ctx), seesDrafts && or(isShown, seesDrafts))
}

/**
 * Whether the viewer may see this project. One they may not see does not exist for them; one that was archived and taken off the site is
 * gone.
 * @returns true in `preview` if they see it before everyone else
 * @throws {AppError} `not-found` or `gone`
 */
export async function requireVisibleProject(ctx: Ctx, tx: Tx, row: ProjectRow, previewToken?: string): Promise<{ preview: boolean }> {
  const place = toPermissionTarget(row)
  const isPublished = PUBLISHED.includes(row.status)
  if (isPublished && (row.visibility === 'public' || row.visibility === 'link')) return { preview: false }
  if (isPublished && row.visibility === 'members') {
    const isMember = await isMemberOf(ctx, tx, row.id)
    if (checkPermission(ctx.viewer, 'projects.see-members-only', { ...place, isMember }).ok) return { preview: false }
  }
  const hasPreviewLink = previewToken ? (await openDraftLink(withTx(ctx, tx), previewToken))?.projectId === row.id : false
  if (checkPermission(ctx.viewer, 'projects.see-draft', { ...place, hasPreviewLink }).ok)
    return { preview: !isPublished || row.visibility === 'hidden' }
  throw new AppError(row.status === 'archived' && row.visibility === 'hidden' ? 'gone' : 'not-found')
}

/** The same for what belongs to the project: its drafts are seen by those who see drafts of the project. @throws {AppError} `not-found` or `gone` */
export async function requireVisibleWithin(ctx: Ctx, tx: Tx, project: ProjectRow, { status }: { status: string }): Promise<void> {
  await requireVisibleProject(ctx, tx, project)
  if (status === 'draft' && !checkPermission(ctx.viewer, 'projects.see-draft', toPermissionTarget(project)).ok)
    throw new AppError('not-found')
}

async function isMemberOf({ viewer, site }: Ctx, tx: Tx, projectId: string): Promise<boolean> {
  if (viewer.kind !== 'user') return false
  if (viewer.memberOf) return viewer.memberOf.includes(projectId)
  const [found] = await tx
    .select({ projectId: projectMembers.projectId })
    .from(projectMembers)
    .where(and(eq(projectMembers.siteId, site.id), eq(projectMembers.projectId, projectId), eq(projectMembers.userId, viewer.id)))
  return found !== undefined
}
