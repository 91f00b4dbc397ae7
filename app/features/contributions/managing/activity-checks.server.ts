import { and, eq, sql } from 'drizzle-orm'
import { loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { readSiteMap } from '#app/features/areas/map/site-map.server.ts'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { assertUsableList } from '#app/features/verifications/eligibility-lists.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions, projectStages } from '#app/server/db/schema/contributions.ts'
import type { ActivityRow } from '../record/activities.policy.server.ts'
import { hasLedger } from '../record/contribution-ledger.server.ts'
import { getPostingTimes } from '../record/activities.state.server.ts'
import type { CommonSettings } from '../kinds/define-kind.ts'
import { getKind, readActivitySettings } from '../kinds/kinds.ts'

/** @throws {AppError} `invalid`, with pointers below `/settings` */
export const checkSettings = (kind: string, settings: unknown): CommonSettings =>
  requireValid(getKind(kind).settings, settings ?? {}, { at: '/settings' })

export function assertInOrder({ opensAt, closesAt }: { opensAt: Date | null; closesAt: Date | null }): void {
  if (opensAt && closesAt && closesAt <= opensAt)
    throw new AppError('invalid', { faults: [{ code: 'dates-out-of-order', pointer: '/closesAt' }] })
}

export async function assertGroup(ctx: Ctx, groupId: string | null | undefined): Promise<void> {
  if (groupId && (await loadGroupsById(ctx, [groupId])).length === 0)
    throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/groupId' }] })
}

export const assertEligibilityList = (ctx: Ctx, tx: Tx, { verification }: Pick<CommonSettings, 'verification'>): Promise<void> =>
  assertUsableList(ctx, tx, verification, '/settings/verification/list')

export async function assertStage(ctx: Ctx, tx: Tx, projectId: string, stageId: string | null | undefined): Promise<void> {
  if (!stageId) return
  const found = await tx
    .select({ id: projectStages.id })
    .from(projectStages)
    .where(and(eq(projectStages.siteId, ctx.site.id), eq(projectStages.projectId, projectId), eq(projectStages.id, stageId)))
  if (found.length === 0) throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/stage' }] })
}

/** What people said must go on meaning what they were asked. @throws {AppError} `invalid` with `fixed-once-open` */
export function assertSameReactions({ kind, settings: before }: ActivityRow, settings: CommonSettings): void {
  const [was, is] = [before, settings].map((given) => readActivitySettings({ kind, settings: given }).tools.reactions)
  const isOther = was?.length && is?.length && was.join() !== is.join()
  if (isOther) throw new AppError('invalid', { faults: [{ code: 'fixed-once-open', pointer: '/settings/reactions' }] })
}

/**
 * A ledger holds everything that was sent, or there is none. Waits for what is being sent, which opens the activity.
 * @throws {AppError} `invalid` with `fixed-once-open`
 */
export async function assertSameLedger(
  tx: Tx,
  { siteId, id, kind, settings: before }: ActivityRow,
  settings: CommonSettings,
): Promise<void> {
  if (hasLedger({ kind, settings: before }) === hasLedger({ kind, settings })) return
  const [now] = await tx
    .select({ hasOpened: activities.hasOpened })
    .from(activities)
    .where(and(eq(activities.siteId, siteId), eq(activities.id, id)))
    .for('update')
  if (now?.hasOpened) throw new AppError('invalid', { faults: [{ code: 'fixed-once-open', pointer: '/settings/ledger' }] })
}

/**
 * Why the activity cannot be published as it is. Pointers are those of its content.
 * @param isPublished it is public already: then its changes do not wait for a map
 */
export async function listPublishingFaults(ctx: Ctx, activity: Pick<ActivityRow, PublishedColumn>, isPublished: boolean): Promise<Fault[]> {
  const needsGroup = (activity.postAccess === 'group' || activity.reactAccess === 'group') && !activity.groupId
  const needsMap = !isPublished && (await isMapMissing(ctx, activity))
  return [
    ...(needsGroup ? [{ code: 'required' as const, pointer: '/groupId' }] : []),
    ...(needsMap ? [{ code: 'map-missing' as const, pointer: '/settings/geometries' }] : []),
  ]
}

type PublishedColumn = 'kind' | 'settings' | 'postAccess' | 'reactAccess' | 'groupId' | 'layers'

/**
 * True if an activity with places has no map that shows where they are: the site has no street map, and the activity no layer. Outlines of areas
 * are not enough.
 */
export async function isMapMissing(ctx: Ctx, activity: Pick<ActivityRow, 'kind' | 'settings' | 'layers'>): Promise<boolean> {
  if (readActivitySettings(activity).tools.places === undefined || activity.layers > 0) return false
  return (await readSiteMap(ctx)).file === undefined
}

export async function hasJustOpened(ctx: Ctx, tx: Tx, project: ProjectRow, activity: ActivityRow): Promise<boolean> {
  if (activity.status !== 'published') return false
  const [stage] = activity.stageId
    ? await tx
        .select()
        .from(projectStages)
        .where(and(eq(projectStages.siteId, ctx.site.id), eq(projectStages.id, activity.stageId)))
    : []
  const { opensAt } = getPostingTimes({ activity, stage: stage ?? null, project })
  return project.publishedAt !== null && (opensAt === null || opensAt <= ctx.now())
}

export async function keepUsedCategories(ctx: Ctx, tx: Tx, row: ActivityRow, settings: CommonSettings): Promise<CommonSettings> {
  const kept = new Set(settings.categories.map(({ id }) => id))
  const missing = (row.settings as CommonSettings).categories.filter(({ id }) => !kept.has(id))
  if (missing.length === 0) return settings
  const { rows } = await tx.execute<{ id: string }>(
    sql`select distinct unnest(categories) as id from ${contributions} where site_id = ${ctx.site.id} and activity_id = ${row.id}`,
  )
  const used = new Set(rows.map(({ id }) => id))
  const archived = missing.filter(({ id }) => used.has(id)).map((category) => ({ ...category, archived: true }))
  return { ...settings, categories: [...settings.categories, ...archived] }
}
