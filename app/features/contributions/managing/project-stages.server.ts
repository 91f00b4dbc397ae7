import { and, asc, count, desc, eq, exists, inArray, max, type SQL, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { loadKnownProjects } from '#app/features/projects/projects.admin-list.server.ts'
import { knownWhere, type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectStages } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { StageRow } from '../record/activities.policy.server.ts'
import type { projectStageShape } from './project-stages.api.schema.ts'

export type PlacedStage = StageRow & { place: ReturnType<typeof toPermissionTarget> }

/** @throws {AppError} `not-found`, `forbidden` */
export async function requireEditableProject(ctx: Ctx, projectId: string): Promise<ProjectRow> {
  const [project] = await loadKnownProjects(ctx, [projectId])
  if (!project) throw new AppError('not-found')
  requirePermission(ctx, 'activities.edit', toPermissionTarget(project))
  return project
}

const isKnown = (ctx: Ctx, tx: Tx, more?: SQL): SQL | undefined =>
  and(
    eq(projectStages.siteId, ctx.site.id),
    more,
    exists(
      tx
        .select({ one: sql`1` })
        .from(projects)
        .where(and(knownWhere(ctx), eq(projects.id, projectStages.projectId))),
    ),
  )

const selectStages = (tx: Tx) =>
  tx
    .select({ stage: projectStages, project: { id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt } })
    .from(projectStages)
    .innerJoin(projects, and(eq(projects.siteId, projectStages.siteId), eq(projects.id, projectStages.projectId)))

const toPlacedStage = ({ stage, project }: Awaited<ReturnType<typeof selectStages>>[number]): PlacedStage => ({
  ...stage,
  place: toPermissionTarget(project),
})

export const loadStages = (ctx: Ctx, ids: readonly string[]): Promise<PlacedStage[]> =>
  ctx.db.read(async (tx) => (await selectStages(tx).where(isKnown(ctx, tx, inArray(projectStages.id, [...ids])))).map(toPlacedStage))

export function listStages(ctx: Ctx, { filter, sort, page }: ListQuery<typeof projectStageShape>): Promise<ListResult<PlacedStage>> {
  return ctx.db.read(async (tx) => {
    const where = isKnown(ctx, tx, filter.project ? eq(projectStages.projectId, filter.project) : undefined)
    const [counted] = await tx.select({ total: count() }).from(projectStages).where(where)
    const order = sort[0]?.descending ? desc : asc
    const rows = await selectStages(tx)
      .where(where)
      .orderBy(order(projectStages.position), asc(projectStages.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toPlacedStage), total: counted?.total ?? 0 }
  })
}

function assertInOrder({ startsAt, endsAt }: { startsAt: Date; endsAt: Date | null }): void {
  if (endsAt && endsAt <= startsAt) throw new AppError('invalid', { faults: [{ code: 'dates-out-of-order', pointer: '/endsAt' }] })
}

/** @returns the new stage's id @throws {AppError} `not-found`, `forbidden`, `invalid` with `dates-out-of-order` */
export async function createStage(ctx: Ctx, input: CreateInput<typeof projectStageShape>): Promise<string> {
  const project = await requireEditableProject(ctx, input.project)
  const times = { startsAt: input.startsAt, endsAt: input.endsAt ?? null }
  assertInOrder(times)
  const id = createId()
  await ctx.db.tx(async (tx) => {
    const [last] = await tx
      .select({ position: max(projectStages.position) })
      .from(projectStages)
      .where(and(eq(projectStages.siteId, ctx.site.id), eq(projectStages.projectId, project.id)))
    await tx.insert(projectStages).values({
      siteId: ctx.site.id,
      id,
      projectId: project.id,
      title: input.titleTranslations,
      summary: input.summaryTranslations ?? {},
      kind: input.kind ?? 'listen',
      ...times,
      position: input.position ?? (last?.position ?? -1) + 1,
      updatedAt: ctx.now(),
    })
    await recordStageAudit(ctx, tx, project, { action: 'project-stages.create', id })
  })
  return id
}

/** @throws {AppError} `not-found`, `forbidden`, `stale`, `invalid` with `dates-out-of-order` */
export async function updateStage(
  ctx: Ctx,
  row: StageRow,
  input: UpdateInput<typeof projectStageShape>,
  lockVersion: number,
): Promise<void> {
  const project = await requireEditableProject(ctx, row.projectId)
  const saved: Partial<StageRow> = {
    ...(input.titleTranslations && { title: input.titleTranslations }),
    ...(input.summaryTranslations && { summary: input.summaryTranslations }),
    ...(input.kind && { kind: input.kind }),
    ...(input.startsAt && { startsAt: input.startsAt }),
    ...(input.endsAt !== undefined && { endsAt: input.endsAt }),
    ...(input.position !== undefined && { position: input.position }),
  }
  assertInOrder({ ...row, ...saved })
  await ctx.db.tx(async (tx) => {
    const changed = await tx
      .update(projectStages)
      .set({ ...saved, lockVersion: sql`${projectStages.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(and(eq(projectStages.siteId, ctx.site.id), eq(projectStages.id, row.id), eq(projectStages.lockVersion, lockVersion)))
      .returning({ id: projectStages.id })
    if (!changed.length) throw new AppError('stale')
    await recordStageAudit(ctx, tx, project, { action: 'project-stages.update', id: row.id, changes: listChanges(row, saved) })
  })
}

/** Deletes a stage. Its activities stay, without a stage. @throws {AppError} `not-found`, `forbidden` */
export async function deleteStage(ctx: Ctx, row: StageRow): Promise<void> {
  const project = await requireEditableProject(ctx, row.projectId)
  await ctx.db.tx(async (tx) => {
    await tx.delete(projectStages).where(and(eq(projectStages.siteId, ctx.site.id), eq(projectStages.id, row.id)))
    await recordStageAudit(ctx, tx, project, { action: 'project-stages.delete', id: row.id, detail: { title: row.title } })
  })
}

const recordStageAudit = (
  ctx: Ctx,
  tx: Tx,
  project: ProjectRow,
  { id, ...entry }: { id: string } & Pick<Parameters<typeof recordAudit>[2], 'action' | 'changes' | 'detail'>,
): Promise<void> => recordAudit(ctx, tx, { ...entry, subject: { type: 'project-stages', id }, hubId: project.hubId, projectId: project.id })
