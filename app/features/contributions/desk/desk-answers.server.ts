import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { requirePermissionSomewhere, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions, contributionStatuses } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { loadModerationSettings } from '../moderation/moderation-settings.server.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { isSameStatus } from '../responding/official-responses.server.ts'
import { selectFitting } from './desk-bulk.server.ts'
import type { ChosenOnDesk } from './desk-search.ts'

type StatusRow = typeof contributionStatuses.$inferSelect

interface DeskAnswerPlan {
  /** What can be answered: published, in activities with official answers. The oldest first. */
  ids: string[]
  unfit: number
  /** Statuses that all of their activities have, by the id of one of them. */
  statuses: { id: string; title: string; needsText: boolean }[]
  /** The site wants a second person's agreement to words: they are drafted, and a colleague is asked. */
  needsAgreement: boolean
}

/**
 * What would be answered of everything that a list shows, or of the given ones, and which statuses could be given to all of it.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export function planDeskAnswer(ctx: Ctx, chosen: ChosenOnDesk): Promise<DeskAnswerPlan> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  return ctx.db.read(async (tx) => {
    const answerable = await listAnswerableActivities(ctx, tx)
    const fits: SQL = sql`(${contributions.state} = 'published' and ${contributions.activityId} = any (${sql.param(answerable)}::uuid[]))`
    const plan = await selectFitting(ctx, tx, chosen, fits)
    const localise = createLocaliser(ctx)
    const statuses = (await listCommonStatuses(ctx, tx, plan.ids)).map(({ id, title, needsText }) => ({
      id,
      title: localise(title).text,
      needsText,
    }))
    return { ...plan, statuses, needsAgreement: (await loadModerationSettings(tx, ctx.site.id)).answersNeedAgreement }
  })
}

export async function listAnswerableActivities(ctx: Ctx, tx: Tx): Promise<string[]> {
  const rows = await tx
    .select({ id: activities.id, kind: activities.kind, settings: activities.settings })
    .from(activities)
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(
      and(
        eq(activities.siteId, ctx.site.id),
        scopeWhere(ctx.viewer, 'contributions.answer', { hub: projects.hubId, project: projects.id }),
      ),
    )
  return rows.filter((row) => readActivitySettings(row).tools.answers).map(({ id }) => id)
}

export async function listCommonStatuses(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<StatusRow[]> {
  if (ids.length === 0) return []
  const places = await tx
    .selectDistinct({ id: contributions.activityId })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, [...ids])))
  const rows = await loadStatuses(
    ctx,
    tx,
    places.map(({ id }) => id),
  )
  const [first, ...others] = places.map(({ id }) => rows.filter(({ activityId }) => activityId === id))
  return (first ?? []).filter((status) => others.every((offered) => offered.some((other) => isSameStatus(status, other))))
}

export const loadStatuses = (ctx: Ctx, tx: Tx, activityIds: readonly string[]): Promise<StatusRow[]> =>
  tx
    .select()
    .from(contributionStatuses)
    .where(
      and(
        eq(contributionStatuses.siteId, ctx.site.id),
        inArray(contributionStatuses.activityId, [...activityIds]),
        eq(contributionStatuses.archived, false),
      ),
    )
    .orderBy(contributionStatuses.position)
