import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { recordEvents } from '#app/features/marketplace/webhooks/webhook-events.server.ts'
import { requireDuties } from '#app/features/duties/check-duties.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ProjectStatus } from '#app/lib/vocabulary/projects.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { requireFutureMoment } from '#app/server/require-future-moment.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { checkTranslations } from '#app/server/translations.ts'
import { listProjectTexts } from './project-content.schema.ts'
import { adoptDraft, keepPublication, loadStoredProject, lockHead } from './project-revisions.server.ts'
import { toPermissionTarget, type ProjectRow } from './projects.policy.server.ts'

const UNPUBLISHED_STATUSES: ProjectStatus[] = ['draft', 'in_review', 'scheduled']

/**
 * Publishes now or schedules it; for those who may only ask, requests a review.
 * @throws {AppError} `forbidden`, `already-published`, or `invalid` naming each text that is missing or stale in a language of the site, or each duty
 * that is not met if no reason is given; whoever publishes gives it, not who asks for a review
 */
export async function publishProject(
  ctx: Ctx,
  row: ProjectRow,
  input: {
    publishAt?: string | null | undefined
    waived?: readonly string[] | undefined
    waiveTranslations?: boolean | undefined
    dutyReason?: string | undefined
  },
): Promise<ProjectStatus> {
  const { only } = requirePermission(ctx, 'projects.publish', toPermissionTarget(row))
  if (!UNPUBLISHED_STATUSES.includes(row.status)) throw new AppError('already-published')
  const now = ctx.now()
  const publishAt = input.publishAt ? new Date(input.publishAt) : null
  requireFutureMoment(ctx, publishAt, '/publishAt')
  const status: ProjectStatus = only ? 'in_review' : publishAt && publishAt > now ? 'scheduled' : 'published'
  await ctx.db.tx(async (tx) => {
    const texts = listProjectTexts((await loadStoredProject(ctx, tx, row.id)).content)
    const waived = await checkTranslations(ctx, tx, {
      subjectId: row.id,
      before: texts,
      after: texts,
      wasPublic: false,
      isPublic: true,
      waived: input.waiveTranslations ? 'all' : input.waived,
    })
    // The version that is asked about: those who decide are told if it changes.
    const asked = status === 'in_review' ? { revision: (await lockHead(ctx, tx, row.id)).draftId } : undefined
    if (status !== 'in_review') await requireDuties(ctx, tx, { ...row, publishAt }, { act: 'project', reason: input.dutyReason })
    await changeStatus(ctx, tx, row, UNPUBLISHED_STATUSES, {
      status,
      publishAt: status === 'published' ? null : publishAt,
      ...(status === 'published' && { publishedAt: row.publishedAt ?? now }),
    })
    if (status === 'published') await keepPublication(ctx, tx, row.id, waived)
    await recordStatusChange(
      ctx,
      tx,
      row,
      status === 'in_review' ? 'projects.request-review' : status === 'scheduled' ? 'projects.schedule' : 'projects.publish',
      asked,
    )
  })
  return status
}

/**
 * Cancels a schedule or a review request, or takes a published project off the site: it is a draft again.
 * @throws {AppError} `forbidden`, or `conflict` for an archived one, and for those who may publish one that waits for a review: they return it with a reason
 */
export async function withdrawPublication(ctx: Ctx, row: ProjectRow): Promise<void> {
  if (row.status === 'published') return unpublishProject(ctx, row)
  const { only } = requirePermission(ctx, 'projects.publish', toPermissionTarget(row))
  if (!UNPUBLISHED_STATUSES.includes(row.status)) throw new AppError('conflict')
  if (row.status === 'in_review' && !only) throw new AppError('conflict', { detail: { key: 'return-with-reason' } })
  await ctx.db.tx(async (tx) => {
    await changeStatus(ctx, tx, row, UNPUBLISHED_STATUSES, { status: 'draft', publishAt: null })
    await recordStatusChange(ctx, tx, row, 'projects.withdraw')
  })
}

/** From now on only its administrators see it, and its surveys accept no answers. The published version stays in its history. */
async function unpublishProject(ctx: Ctx, row: ProjectRow): Promise<void> {
  requirePublisher(ctx, row)
  await ctx.db.tx(async (tx) => {
    await adoptDraft(ctx, tx, row.id)
    await changeStatus(ctx, tx, row, ['published'], { status: 'draft' })
    await recordStatusChange(ctx, tx, row, 'projects.unpublish')
  })
}

/** @throws {AppError} `forbidden`, `not-published` */
export async function archiveProject(ctx: Ctx, row: ProjectRow): Promise<void> {
  requirePublisher(ctx, row)
  if (row.status !== 'published') throw new AppError('not-published')
  await ctx.db.tx(async (tx) => {
    await changeStatus(ctx, tx, row, ['published'], { status: 'archived', archivedAt: ctx.now() })
    await recordStatusChange(ctx, tx, row, 'projects.archive')
  })
}

/** Restores an archived project to published. @throws {AppError} `forbidden`, `conflict` */
export async function unarchiveProject(ctx: Ctx, row: ProjectRow): Promise<void> {
  requirePublisher(ctx, row)
  if (row.status !== 'archived') throw new AppError('conflict')
  await ctx.db.tx(async (tx) => {
    await changeStatus(ctx, tx, row, ['archived'], { status: 'published', archivedAt: null })
    await recordStatusChange(ctx, tx, row, 'projects.unarchive')
  })
}

/** Publishes what is due on every site. @returns number of published projects */
export function publishDueProjects(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, (ctx) =>
    ctx.db.tx(async (tx) => {
      const due = await tx
        .update(projects)
        .set({
          status: 'published',
          publishedAt: sql`coalesce(${projects.publishedAt}, ${projects.publishAt})`,
          publishAt: null,
          lockVersion: sql`${projects.lockVersion} + 1`,
        })
        .where(and(eq(projects.siteId, ctx.site.id), eq(projects.status, 'scheduled'), lte(projects.publishAt, ctx.now())))
        .returning()
      for (const row of due) {
        await keepPublication(ctx, tx, row.id, [])
        await recordStatusChange(ctx, tx, row, 'projects.publish')
      }
      return due.length
    }),
  )
}

function requirePublisher(ctx: Ctx, row: ProjectRow): void {
  if (requirePermission(ctx, 'projects.publish', toPermissionTarget(row)).only) throw new AppError('forbidden')
}

async function changeStatus(
  ctx: Ctx,
  tx: Tx,
  row: ProjectRow,
  from: ProjectStatus[],
  to: Partial<typeof projects.$inferInsert>,
): Promise<void> {
  const moved = await tx
    .update(projects)
    .set({ ...to, updatedAt: ctx.now(), lockVersion: sql`${projects.lockVersion} + 1` })
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, row.id), inArray(projects.status, from)))
    .returning({ id: projects.id })
  if (!moved.length) throw new AppError('conflict')
}

async function recordStatusChange(ctx: Ctx, tx: Tx, row: ProjectRow, action: AuditAction, detail?: Record<string, unknown>): Promise<void> {
  await recordAudit(ctx, tx, {
    action,
    subject: { type: 'projects', id: row.id },
    hubId: row.hubId,
    projectId: row.id,
    ...(detail && { detail }),
  })
  if (action === 'projects.publish')
    await recordEvents(tx, ctx.site.id, 'project.published', ctx.now(), [
      { subjectId: row.id, data: { project: row.id, title: row.title, url: buildSiteUrl(ctx, `/projects/${row.slug}`) } },
    ])
}
