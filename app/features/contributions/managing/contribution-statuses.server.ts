import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import { alwaysNeedsText } from '#app/lib/vocabulary/contributions.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions, contributionStatuses, officialResponses } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { findLostTranslations, findMissingTranslations } from '#app/server/save-checks.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import { knownActivities } from './activities.editing.server.ts'
import { recordActivityAudit } from './activity-audit.server.ts'
import { listStatusTexts } from '../record/activity-texts.ts'
import { type ActivityRow, requireActivityFor } from '../record/activities.policy.server.ts'
import type { contributionStatusShape } from './contribution-statuses.api.schema.ts'

export type StatusRow = typeof contributionStatuses.$inferSelect
export type PlacedStatus = StatusRow & { inUse: boolean; place: ReturnType<typeof toPermissionTarget> }

/** Whether a contribution has or had the status. */
const inUse = sql<boolean>`(exists (select from ${contributions} used
    where used.site_id = contribution_statuses.site_id and used.status_id = contribution_statuses.id)
  or exists (select from ${officialResponses} used
    where used.site_id = contribution_statuses.site_id and used.status_id = contribution_statuses.id))`

const selectStatuses = (tx: Tx) =>
  tx
    .select({ status: contributionStatuses, inUse, project: { id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt } })
    .from(contributionStatuses)
    .innerJoin(activities, and(eq(activities.siteId, contributionStatuses.siteId), eq(activities.id, contributionStatuses.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))

const isKnown = (ctx: Ctx, more?: SQL) => and(eq(contributionStatuses.siteId, ctx.site.id), knownActivities(ctx), more)

interface FoundStatus {
  status: StatusRow
  inUse: boolean
  project: Pick<ProjectRow, 'id' | 'hubId' | 'publishedAt'>
}

const toPlacedStatus = ({ status, project, ...row }: FoundStatus): PlacedStatus => ({
  ...status,
  inUse: row.inUse,
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

/**
 * Adds a status, after the others unless a position is given.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid`, with `translation-missing` if the activity is published
 */
export async function createStatus(ctx: Ctx, input: CreateInput<typeof contributionStatusShape>): Promise<string> {
  const id = createId()
  await ctx.db.tx(async (tx) => {
    const { activity, project } = await requireActivityFor(ctx, tx, 'activities.edit', input.activity)
    assertTitle(ctx, activity, input.titleTranslations)
    await lockActivity(ctx, tx, activity.id)
    const order = await loadOrder(ctx, tx, activity.id)
    await tx.insert(contributionStatuses).values({
      siteId: ctx.site.id,
      id,
      activityId: activity.id,
      title: input.titleTranslations,
      needsText: input.needsText ?? false,
    })
    await saveOrder(ctx, tx, order.offered.toSpliced(input.position ?? order.offered.length, 0, id), order.archived)
    await recordActivityAudit(ctx, tx, project, {
      action: 'activities.add-status',
      id: activity.id,
      detail: { title: input.titleTranslations },
    })
  })
  return id
}

/**
 * Renames, moves, archives or restores a status.
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `last-status` if none would be offered; `invalid`, with `translation-missing` if the
 * activity is published, `always-needs-text` at `/needsText`
 */
export async function updateStatus(
  ctx: Ctx,
  row: StatusRow,
  input: UpdateInput<typeof contributionStatusShape>,
  lockVersion: number,
): Promise<void> {
  const saved = {
    ...(input.titleTranslations && { title: input.titleTranslations }),
    ...(input.needsText !== undefined && { needsText: input.needsText }),
    ...(input.archived !== undefined && { archived: input.archived }),
  }
  await ctx.db.tx(async (tx) => {
    const { activity, project } = await requireActivityFor(ctx, tx, 'activities.edit', row.activityId)
    if (input.titleTranslations) {
      assertTitle(ctx, activity, input.titleTranslations, row.title)
      // Publishing the activity looks at its statuses too.
      await recordSourceChanges(ctx, tx, activity.id, listStatusTexts([row]), listStatusTexts([{ title: input.titleTranslations }]))
    }
    if (input.needsText === false && alwaysNeedsText(row.code))
      throw new AppError('invalid', { faults: [{ code: 'always-needs-text', pointer: '/needsText' }] })
    await lockActivity(ctx, tx, activity.id)
    const changed = await tx
      .update(contributionStatuses)
      .set({ ...saved, lockVersion: sql`${contributionStatuses.lockVersion} + 1` })
      .where(and(isStatus(ctx, row.id), eq(contributionStatuses.lockVersion, lockVersion)))
      .returning({ archived: contributionStatuses.archived })
    const [now] = changed
    if (!now) throw new AppError('stale')
    await placeStatus(ctx, tx, row, { position: input.position, isArchived: now.archived })
    await recordActivityAudit(ctx, tx, project, {
      action: 'activities.change-status',
      id: activity.id,
      detail: { status: row.id, ...saved, ...(input.position !== undefined && { position: input.position }) },
    })
  })
}

/** Deletes a status, or archives it if a contribution has or had it. @throws {AppError} `not-found`, `forbidden`, `last-status` */
export async function deleteStatus(ctx: Ctx, row: StatusRow): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { activity, project } = await requireActivityFor(ctx, tx, 'activities.edit', row.activityId)
    // New contributions get a status under the same lock: none gets this one meanwhile.
    await lockActivity(ctx, tx, activity.id)
    // Waits for an answer that is just giving it.
    await tx.select({ id: contributionStatuses.id }).from(contributionStatuses).where(isStatus(ctx, row.id)).for('update')
    const [found] = await tx.select({ inUse }).from(contributionStatuses).where(isStatus(ctx, row.id))
    if (!found) throw new AppError('not-found')
    await placeStatus(ctx, tx, row, { isArchived: true })
    if (found.inUse)
      await tx
        .update(contributionStatuses)
        .set({ archived: true, lockVersion: sql`${contributionStatuses.lockVersion} + 1` })
        .where(isStatus(ctx, row.id))
    else await tx.delete(contributionStatuses).where(isStatus(ctx, row.id))
    await recordActivityAudit(ctx, tx, project, {
      action: found.inUse ? 'activities.archive-status' : 'activities.remove-status',
      id: activity.id,
      detail: { title: row.title },
    })
  })
}

const isStatus = (ctx: Ctx, id: string) => and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.id, id))

/**
 * @param before the title so far, if it is changed
 * @throws {AppError} `invalid` with each language that a published activity needs
 */
function assertTitle({ site }: Ctx, activity: Pick<ActivityRow, 'status'>, title: Translated, before?: Translated): void {
  const texts = { titleTranslations: title }
  const find = () =>
    before ? findLostTranslations({ titleTranslations: before }, texts, site.languages) : findMissingTranslations(texts, site.languages)
  const faults = activity.status === 'published' ? find() : []
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

const lockActivity = (ctx: Ctx, tx: Tx, id: string) =>
  tx
    .select({ id: activities.id })
    .from(activities)
    .where(and(eq(activities.siteId, ctx.site.id), eq(activities.id, id)))
    .for('update')

async function loadOrder(ctx: Ctx, tx: Tx, activityId: string): Promise<{ offered: string[]; archived: string[] }> {
  const rows = await tx
    .select({ id: contributionStatuses.id, archived: contributionStatuses.archived })
    .from(contributionStatuses)
    .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.activityId, activityId)))
    .orderBy(asc(contributionStatuses.position), asc(contributionStatuses.id))
  const list = (archived: boolean) => rows.filter((row) => row.archived === archived).map(({ id }) => id)
  return { offered: list(false), archived: list(true) }
}

async function saveOrder(ctx: Ctx, tx: Tx, offered: readonly string[], archived: readonly string[]): Promise<void> {
  for (const [position, id] of [...offered, ...archived].entries())
    await tx.update(contributionStatuses).set({ position }).where(isStatus(ctx, id))
}

/** Gives a status its place: among those that are offered, or after them. @throws {AppError} `last-status` if none would be offered */
async function placeStatus(
  ctx: Ctx,
  tx: Tx,
  { id, activityId }: StatusRow,
  { position, isArchived }: { position?: number | undefined; isArchived: boolean },
): Promise<void> {
  const { offered, archived } = await loadOrder(ctx, tx, activityId)
  const at = offered.indexOf(id)
  const others = offered.filter((each) => each !== id)
  if (isArchived && others.length === 0) throw new AppError('last-status')
  const rest = archived.filter((each) => each !== id)
  if (isArchived) await saveOrder(ctx, tx, others, [...rest, id])
  else await saveOrder(ctx, tx, others.toSpliced(position ?? (at === -1 ? others.length : at), 0, id), rest)
}
