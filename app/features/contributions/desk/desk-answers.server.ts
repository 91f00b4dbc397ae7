import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { requirePermissionSomewhere, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions, contributionStatuses } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { loadModerationSettings } from '../moderation/moderation-settings.server.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { createOfficialResponse, isSameStatus } from '../responding/official-responses.server.ts'
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

interface DeskAnswer {
  ids: readonly string[]
  /** The same for all parts of one answer. */
  group: string
  status: string | null
  textTranslations: Translated
  teamTranslations: Translated
  waived: readonly string[]
}

/**
 * Gives each of some contributions the same answer, or only the same status, in a transaction of its own with its record and its message. Authors
 * and followers of several are notified once, also of several parts. Sent twice, what has the answer already does not get it again.
 * @returns how many are left as they are, because they are no longer published or are gone
 * @throws {AppError} `unauthenticated`, `forbidden`, `invalid` as `createOfficialResponse`
 */
export async function answerFromDesk(ctx: Ctx, { ids, group, status, ...answer }: DeskAnswer): Promise<{ left: number }> {
  requirePermissionSomewhere(ctx, 'contributions.answer')
  const { known, statuses } = await ctx.db.read((tx) => loadToAnswer(ctx, tx, { ids, group, status }))
  const given = statuses.find(({ id }) => id === status)
  let left = ids.length - known.length
  for (const { id, activityId, isGiven } of known) {
    if (isGiven) continue
    const own = given && statuses.find((one) => one.activityId === activityId && isSameStatus(one, given))
    try {
      await createOfficialResponse(ctx, { contribution: id, status: own?.id ?? status, ...answer, waived: [...answer.waived] }, group)
    } catch (error) {
      if (!isAppError(error, 'conflict') && !isAppError(error, 'not-found')) throw error
      left += 1
    }
  }
  return { left }
}

async function loadToAnswer(ctx: Ctx, tx: Tx, { ids, group, status }: Pick<DeskAnswer, 'ids' | 'group' | 'status'>) {
  const known = await tx
    .select({
      id: contributions.id,
      activityId: contributions.activityId,
      isGiven: sql<boolean>`exists (select from official_responses o where o.site_id = ${ctx.site.id} and o.group_id = ${group}
        and o.contribution_id = ${contributions.id})`,
    })
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.id, [...ids])))
  if (status === null) return { known, statuses: [] }
  const [given] = await tx
    .select()
    .from(contributionStatuses)
    .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.id, status)))
  const others = await loadStatuses(ctx, tx, [...new Set(known.map(({ activityId }) => activityId))])
  return { known, statuses: [...(given ? [given] : []), ...others] }
}
