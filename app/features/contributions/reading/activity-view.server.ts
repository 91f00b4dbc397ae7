import { and, asc, eq } from 'drizzle-orm'
import type { AreaView } from '#app/features/areas/areas.schema.ts'
import { listAreas } from '#app/features/areas/areas.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionStatuses } from '#app/server/db/schema/contributions.ts'
import { readWithin } from '#app/server/memory/content-reads.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { type ActivityAddress, type PlacedActivity, requireActivityAt } from '../record/activities.policy.server.ts'
import { hasLedger } from '../record/contribution-ledger.server.ts'
import { getActivityState, getPostingTimes } from '../record/activities.state.server.ts'
import type { ActivityView } from '../record/contributions.schema.ts'
import { toFieldViews } from '../fields/fields.server.ts'
import { isActivityKind, readActivitySettings } from '../kinds/kinds.ts'
import { listOpenFormats } from '../results/open-formats.ts'
import { createLocaliser } from '../record/answers.server.ts'

export type StatusRow = typeof contributionStatuses.$inferSelect

/** What all who may see an activity see around its contributions. */
export interface ActivityFrame {
  placed: PlacedActivity
  statuses: readonly StatusRow[]
  /** Those that people can choose from. */
  areas: readonly AreaView[]
}

/** Read once until it changes. @throws {AppError} `not-found`, `gone` */
export const readActivityFrame = (ctx: Ctx, { project, activity }: ActivityAddress): Promise<ActivityFrame> =>
  readPublic(ctx, ['activity', project, activity], (reader) =>
    readWithin(
      ({ placed }) => ({ project: placed.project.id, activity: placed.activity.id }),
      () =>
        reader.db.read(async (tx) => {
          const placed = await requireActivityAt(reader, tx, { project, activity })
          return {
            placed,
            statuses: await loadStatuses(reader, tx, placed.activity.id),
            areas: await loadOfferedAreas(reader, tx, placed),
          }
        }),
    ),
  )

export const loadStatuses = (ctx: Ctx, tx: Tx, activityId: string): Promise<StatusRow[]> =>
  tx
    .select()
    .from(contributionStatuses)
    .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.activityId, activityId)))
    .orderBy(asc(contributionStatuses.position), asc(contributionStatuses.id))

export const loadOfferedAreas = async (ctx: Ctx, tx: Tx, { activity }: PlacedActivity): Promise<AreaView[]> =>
  isActivityKind(activity.kind) && readActivitySettings(activity).settings.asksArea ? listAreas(ctx, tx) : []

export const loadActivityView = async (ctx: Ctx, tx: Tx, placed: PlacedActivity): Promise<ActivityView> =>
  toActivityView(ctx, { placed, areas: await loadOfferedAreas(ctx, tx, placed) })

/** @throws {AppError} `not-found` if this version of the product does not know its kind */
export function toActivityView(ctx: Ctx, { placed, areas }: Pick<ActivityFrame, 'placed' | 'areas'>): ActivityView {
  const { activity, project } = placed
  if (!isActivityKind(activity.kind)) throw new AppError('not-found')
  const localise = createLocaliser(ctx)
  const { kind, settings, tools } = readActivitySettings(activity)
  const times = getPostingTimes(placed)
  return {
    id: activity.id,
    slug: activity.slug,
    kind: activity.kind,
    title: localise(activity.title),
    intro: localise(activity.intro),
    state: getActivityState(ctx.now(), placed),
    opensAt: times.opensAt?.toISOString() ?? null,
    closesAt: times.closesAt?.toISOString() ?? null,
    moderation: activity.moderation,
    moderationDays: settings.moderationDays,
    postAccess: activity.postAccess,
    tools,
    maxTitle: kind.maxTitle,
    maxBody: kind.maxBody,
    categories: settings.categories
      .filter(({ archived }) => !archived)
      .map(({ id, title }) => ({ value: id, label: localise(title).text })),
    areas: areas.map(({ id, name }) => ({ value: id, label: name })),
    shownNames: settings.shownNames,
    fields: toFieldViews(ctx, activity),
    openFormats: project.visibility === 'public' && settings.openData ? listOpenFormats(activity) : [],
    hasLedger: hasLedger(activity),
    listed: activity.status !== 'draft' && project.status !== 'draft' && project.visibility === 'public',
    project: { slug: project.slug, title: localise(project.title) },
  }
}
