import { and, eq } from 'drizzle-orm'
import { createReaderContext } from '#app/features/homepage/homepage.preview.server.ts'
import type { PreviewSearch } from '#app/features/live-preview/preview-search.schema.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown } from '#app/features/projects/project-content.schema.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, projectStages } from '#app/server/db/schema/contributions.ts'
import { checkSettings } from '../managing/activity-checks.server.ts'
import { ACTIVITY_CONTENT, activityHistory, toActivityColumns } from '../managing/activity-revisions.server.ts'
import { type ActivityContent, isActivityShown, readActivityContent } from '../record/activity-content.schema.ts'
import { type PlacedActivity, selectPlacedActivities } from '../record/activities.policy.server.ts'
import type { ContributionListView } from '../record/contributions.schema.ts'
import { loadOfferedAreas, loadStatuses } from './activity-view.server.ts'
import { loadContributionList } from './views.server.ts'

export interface ActivityPreviewRequest extends Omit<PreviewSearch, 'link'> {
  id: string
}

/**
 * An activity's page with its draft of changes, as the chosen kind of reader would see it once it is published.
 * @param content what the editor holds, not saved yet
 * @throws {AppError} `not-found` for those who may not edit it; `invalid` for content that could not be saved either
 */
export function getActivityPreview(
  ctx: Ctx,
  request: ActivityPreviewRequest & { content?: unknown },
): Promise<{ list: ContributionListView; now: string }> {
  return ctx.db.read(async (tx) => {
    const reader = createReaderContext(withTx(ctx, tx), request)
    const [found] = await selectPlacedActivities(tx).where(and(eq(activities.siteId, ctx.site.id), eq(activities.id, request.id)))
    if (!found || !checkPermission(ctx.viewer, 'activities.edit', toPermissionTarget(found.project)).ok) throw new AppError('not-found')
    const given = request.content === undefined ? undefined : readActivityContent(ACTIVITY_CONTENT.read(ctx, request.content))
    const changes = request.published ? undefined : (given ?? (await activityHistory.loadDraftContent(ctx, tx, request.id)))
    const placed = toPublished(changes ? await applyContent(ctx, tx, found, changes) : found)
    const frame = { placed, statuses: await loadStatuses(ctx, tx, request.id), areas: await loadOfferedAreas(ctx, tx, placed) }
    return { list: await loadContributionList(reader, tx, frame, {}), now: reader.now().toISOString() }
  })
}

/** As if both had been published. */
const toPublished = ({ activity, project, stage }: PlacedActivity): PlacedActivity => ({
  activity: isActivityShown(activity.status) ? activity : { ...activity, status: 'published' },
  project: isProjectShown(project.status) ? project : { ...project, status: 'published' },
  stage,
})

async function applyContent(ctx: Ctx, tx: Tx, { activity, project }: PlacedActivity, content: ActivityContent): Promise<PlacedActivity> {
  const [stage] = content.stage
    ? await tx
        .select()
        .from(projectStages)
        .where(and(eq(projectStages.siteId, ctx.site.id), eq(projectStages.projectId, project.id), eq(projectStages.id, content.stage)))
    : []
  const settings = checkSettings(activity.kind, content.settings)
  return { activity: { ...activity, ...toActivityColumns(content), settings }, project, stage: stage ?? null }
}
