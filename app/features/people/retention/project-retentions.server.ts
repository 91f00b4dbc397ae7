import { and, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectRetentions, projects, retentionSettings } from '#app/server/db/schema/projects.ts'
import type { projectRetentionShape } from './retention.api.schema.ts'
import { TOLD_DAYS_BEFORE } from './retention.schema.ts'

/** How long the personal data of a project is kept, and what became of it. */
export interface ProjectRetention {
  /** The project's. */
  id: string
  hubId: string | null
  publishedAt: Date | null
  title: Translated
  slug: string
  keptMonths: number | null
  siteMonths: number | null
  lockVersion: number
  closedAt: Date | null
  /** When the months are over. */
  dueAt: Date | null
  warnedAt: Date | null
  warnedFor: Date | null
  removedAt: Date | null
  removedFor: Date | null
  /** When personal data will be removed. */
  removalAt: Date | null
}

const closedAt = sql`project_closed_at(${projects})`
const dueAt = sql`add_months(${closedAt}, coalesce(${projectRetentions.keptMonths}, ${retentionSettings.keptMonths}))`
const isRemoved = sql`coalesce(${projectRetentions.removedFor} >= ${closedAt}, false)`

/** The day that the team was told of, or the first one that it can still be told of in time. Null if no day follows. */
const buildRemovalAt = (now: Date) => sql`case when ${dueAt} is not null and not ${isRemoved} then
  case when ${projectRetentions.warnedFor} >= ${dueAt} then ${projectRetentions.warnedFor}
    else greatest(${dueAt}, ${now.toISOString()}::timestamptz + make_interval(days => ${TOLD_DAYS_BEFORE})) end end`

const toDate = projects.closesAt

/** @param where a condition on projects, and on the retentions joined to them */
export async function selectRetentions(
  ctx: Ctx,
  tx: Tx,
  where: SQL | undefined,
  page?: { offset: number; limit: number },
): Promise<ProjectRetention[]> {
  const removalAt = buildRemovalAt(ctx.now())
  const query = tx
    .select({
      id: projects.id,
      hubId: projects.hubId,
      publishedAt: projects.publishedAt,
      title: projects.title,
      slug: projects.slug,
      keptMonths: projectRetentions.keptMonths,
      siteMonths: retentionSettings.keptMonths,
      lockVersion: sql<number>`coalesce(${projectRetentions.lockVersion}, 1)`,
      closedAt: sql<Date | null>`${closedAt}`.mapWith(toDate),
      dueAt: sql<Date | null>`${dueAt}`.mapWith(toDate),
      warnedAt: projectRetentions.warnedAt,
      warnedFor: projectRetentions.warnedFor,
      removedAt: projectRetentions.removedAt,
      removedFor: projectRetentions.removedFor,
      removalAt: sql<Date | null>`${removalAt}`.mapWith(toDate),
    })
    .from(projects)
    .leftJoin(projectRetentions, and(eq(projectRetentions.siteId, projects.siteId), eq(projectRetentions.projectId, projects.id)))
    .leftJoin(retentionSettings, eq(retentionSettings.siteId, projects.siteId))
    .where(and(eq(projects.siteId, ctx.site.id), where))
    .orderBy(sql`${removalAt} nulls last`, projects.id)
  return page ? query.offset(page.offset).limit(page.limit) : query
}

/** Projects with personal data to remove, or whose team is to be told now. */
export const isWorkDue = (now: Date): SQL => sql`(${dueAt} <= ${now.toISOString()}::timestamptz + make_interval(days => ${TOLD_DAYS_BEFORE})
  and not ${isRemoved}
  and (${projectRetentions.warnedFor} is null or ${projectRetentions.warnedFor} < ${dueAt} or ${projectRetentions.warnedFor} <= ${now.toISOString()}::timestamptz))`

const whereAdministered = ({ viewer }: Ctx) => scopeWhere(viewer, 'projects.edit', { hub: projects.hubId, project: projects.id })

export const loadRetentions = (ctx: Ctx, ids: readonly string[]): Promise<ProjectRetention[]> =>
  ctx.db.read((tx) => selectRetentions(ctx, tx, and(inArray(projects.id, [...ids]), whereAdministered(ctx))))

/** Projects that the viewer administers, the next one whose personal data goes first. */
export function listRetentions(ctx: Ctx, { filter, page }: ListQuery<typeof projectRetentionShape>): Promise<ListResult<ProjectRetention>> {
  const isPlanned = sql`${buildRemovalAt(ctx.now())} is not null`
  const where = and(whereAdministered(ctx), filter.planned === undefined ? undefined : filter.planned ? isPlanned : sql`not (${isPlanned})`)
  return ctx.db.read(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(projects)
      .leftJoin(projectRetentions, and(eq(projectRetentions.siteId, projects.siteId), eq(projectRetentions.projectId, projects.id)))
      .leftJoin(retentionSettings, eq(retentionSettings.siteId, projects.siteId))
      .where(and(eq(projects.siteId, ctx.site.id), where))
    return { rows: await selectRetentions(ctx, tx, where, page), total: counted?.total ?? 0 }
  })
}

/** Whether the viewer may keep a project's personal data for longer; to keep it for less long also needs the right to erase people. */
export const mayChangeRetention = ({ viewer }: Pick<Ctx, 'viewer'>, { id, hubId, publishedAt }: ProjectRetention): boolean => {
  const decision = checkPermission(viewer, 'projects.publish', { hubId, projectId: id, everPublished: publishedAt !== null })
  return decision.ok && !decision.only
}

/** True if data is kept for less long than before. Null: without an end. */
export const isShorter = (before: number | null, after: number | null): boolean => after !== null && (before === null || after < before)

/**
 * Sets for how many months a project's personal data is kept. A later day moves what its team was told of; a sooner one is told anew.
 * @throws {AppError} `forbidden`; `fresh-sign-in-required` to keep it for less long; `invalid` with `required` at `/reason`; `stale`
 */
export async function updateRetention(
  ctx: Ctx,
  row: ProjectRetention,
  input: { keptMonths?: number | null; reason?: string },
  version: number,
): Promise<void> {
  if (!mayChangeRetention(ctx, row)) throw new AppError('forbidden')
  const { keptMonths, reason = '' } = input
  if (keptMonths === undefined || keptMonths === row.keptMonths) return
  const [before, after] = [row.keptMonths ?? row.siteMonths, keptMonths ?? row.siteMonths]
  if (isShorter(before, after)) requirePermission(ctx, 'participants.erase')
  if (!reason) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/reason' }] })
  await ctx.db.tx(async (tx) => {
    await addRow(ctx, tx, row.id)
    const changed = await tx
      .update(projectRetentions)
      .set({ keptMonths, lockVersion: sql`${projectRetentions.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(and(isRowOf(ctx, row.id), eq(projectRetentions.lockVersion, version)))
      .returning({ id: projectRetentions.projectId })
    if (changed.length === 0) throw new AppError('stale')
    await recordAudit(ctx, tx, {
      action: 'projects.set-retention',
      subject: { type: 'projects', id: row.id },
      hubId: row.hubId,
      projectId: row.id,
      changes: { keptMonths: { before: row.keptMonths, after: keptMonths } },
      detail: { reason },
    })
  })
}

export const isRowOf = (ctx: Ctx, projectId: string): SQL | undefined =>
  and(eq(projectRetentions.siteId, ctx.site.id), eq(projectRetentions.projectId, projectId))

export const addRow = (ctx: Ctx, tx: Tx, projectId: string) =>
  tx.insert(projectRetentions).values({ siteId: ctx.site.id, projectId, updatedAt: ctx.now() }).onConflictDoNothing()
