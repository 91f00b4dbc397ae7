import { and, asc, count, desc, eq, exists, inArray, max, type SQL, sql } from 'drizzle-orm'
import { type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { markContentChanged, type Tx } from '#app/server/db/client.ts'
import { activities, contributions, contributionStatuses, officialResponses } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { knownActivities, recordActivityAudit } from '../activities/activities.editing.server.ts'
import { requireActivityFor } from '../activities/activities.policy.server.ts'
import type { contributionStatusShape } from './contribution-statuses.api.schema.ts'

export type StatusRow = typeof contributionStatuses.$inferSelect
export type PlacedStatus = StatusRow & { place: ReturnType<typeof toPermissionTarget> }

const selectStatuses = (tx: Tx) =>
  tx
    .select({ status: contributionStatuses, project: { id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt } })
    .from(contributionStatuses)
    .innerJoin(activities, and(eq(activities.siteId, contributionStatuses.siteId), eq(activities.id, contributionStatuses.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))

const isKnown = (ctx: Ctx, more?: SQL) => and(eq(contributionStatuses.siteId, ctx.site.id), knownActivities(ctx), more)

const toPlacedStatus = ({ status, project }: { status: StatusRow; project: Pick<ProjectRow, 'id' | 'hubId' | 'publishedAt'> }) => ({
  ...status,
  place: toPermissionTarget(project),
})

export const loadStatuses = (ctx: Ctx, ids: readonly string[]): Promise<PlacedStatus[]> =>
  ctx.db.read(async (tx) => (await selectStatuses(tx).where(isKnown(ctx, inArray(contributionStatuses.id, [...ids])))).map(toPlacedStatus))

export function listStatuses(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof contributionStatusShape>,
): Promise<ListResult<PlacedStatus>> {
  return ctx.db.read(async (tx) => {
    const where = isKnown(ctx, filter.activity ? eq(contributionStatuses.activityId, filter.activity) : undefined)
    const [counted] = await tx
      .select({ total: count() })
      .from(contributionStatuses)
      .innerJoin(activities, and(eq(activities.siteId, contributionStatuses.siteId), eq(activities.id, contributionStatuses.activityId)))
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(where)
    const order = sort[0]?.descending ? desc : asc
    const rows = await selectStatuses(tx)
      .where(where)
      .orderBy(order(contributionStatuses.position), asc(contributionStatuses.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toPlacedStatus), total: counted?.total ?? 0 }
  })
}

/** @returns its id @throws {AppError} `not-found`, `forbidden` */
export async function createStatus(ctx: Ctx, input: CreateInput<typeof contributionStatusShape>): Promise<string> {
  const id = createId()
  await ctx.db.tx(async (tx) => {
    const { activity, project } = await requireActivityFor(ctx, tx, 'activities.edit', input.activity)
    const [last] = await tx
      .select({ position: max(contributionStatuses.position) })
      .from(contributionStatuses)
      .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.activityId, activity.id)))
    await tx.insert(contributionStatuses).values({
      siteId: ctx.site.id,
      id,
      activityId: activity.id,
      title: input.titleTranslations,
      position: input.position ?? (last?.position ?? -1) + 1,
      needsText: input.needsText ?? false,
    })
    await recordActivityAudit(ctx, tx, project, {
      action: 'activities.add-status',
      id: activity.id,
      detail: { title: input.titleTranslations },
    })
    await markContentChanged(tx, ctx.site.id)
  })
  return id
}

/** @throws {AppError} `not-found`, `forbidden` */
export async function updateStatus(ctx: Ctx, row: StatusRow, input: UpdateInput<typeof contributionStatusShape>): Promise<void> {
  const saved = {
    ...(input.titleTranslations && { title: input.titleTranslations }),
    ...(input.position !== undefined && { position: input.position }),
    ...(input.needsText !== undefined && { needsText: input.needsText }),
  }
  await ctx.db.tx(async (tx) => {
    const { activity, project } = await requireActivityFor(ctx, tx, 'activities.edit', row.activityId)
    if (Object.keys(saved).length === 0) return
    await tx
      .update(contributionStatuses)
      .set(saved)
      .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.id, row.id)))
    await recordActivityAudit(ctx, tx, project, {
      action: 'activities.change-status',
      id: activity.id,
      detail: { status: row.id, ...saved },
    })
    await markContentChanged(tx, ctx.site.id)
  })
}

/** Deletes a status that no contribution has or had. @throws {AppError} `not-found`, `forbidden`, `in-use` */
export async function deleteStatus(ctx: Ctx, row: StatusRow): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { activity, project } = await requireActivityFor(ctx, tx, 'activities.edit', row.activityId)
    const [found] = await tx
      .select({
        used: sql<boolean>`${exists(
          tx
            .select({ id: contributions.id })
            .from(contributions)
            .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.statusId, row.id))),
        )} or ${exists(
          tx
            .select({ id: officialResponses.id })
            .from(officialResponses)
            .where(and(eq(officialResponses.siteId, ctx.site.id), eq(officialResponses.statusId, row.id))),
        )}`,
      })
      .from(contributionStatuses)
      .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.id, row.id)))
    if (found?.used) throw new AppError('in-use')
    await tx.delete(contributionStatuses).where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.id, row.id)))
    await recordActivityAudit(ctx, tx, project, { action: 'activities.remove-status', id: activity.id, detail: { title: row.title } })
    await markContentChanged(tx, ctx.site.id)
  })
}
