import { and, asc, count, desc, eq, inArray, isNull, max, ne, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { listChanges } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWithinProjects, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { endReview } from '#app/features/reviews/reviews.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ActivityStatus } from '#app/lib/vocabulary/contributions.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions, contributionStatuses, isHeld, isPublished } from '#app/server/db/schema/contributions.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { titleContains } from '#app/server/db/title-contains.ts'
import { chooseFreeSlug, refuseDuplicate } from '#app/server/save-checks.ts'
import { checkTranslations } from '#app/server/translations.ts'
import type { activityShape } from './activities.api.schema.ts'
import { type ActivityRow, mayPublishActivity, type PlacedActivity, selectPlacedActivities } from '../record/activities.policy.server.ts'
import { isActivityShown } from '../record/activity-content.schema.ts'
import { ACTIVITY_REVIEWS } from '../record/activity-reviews.server.ts'
import { listActivityTexts } from '../record/activity-texts.ts'
import { prepareExtraQuestions } from '../fields/extra-questions.server.ts'
import { readExtraQuestions } from '../fields/fields.server.ts'
import type { CommonSettings } from '../kinds/define-kind.ts'
import { type ActivityKind, isActivityKind } from '../kinds/kinds.ts'
import { listStartingStatuses } from '../kinds/new-activity.server.ts'
import { requireCompleteRules } from '../moderation/rules.server.ts'
import { recordActivityAudit } from './activity-audit.server.ts'
import {
  assertEligibilityList,
  assertGroup,
  assertInOrder,
  assertSameLedger,
  assertSameReactions,
  assertStage,
  checkSettings,
  hasJustOpened,
  isMapMissing,
  keepUsedCategories,
  listPublishingFaults,
} from './activity-checks.server.ts'
import { activityHistory, toStoredActivity } from './activity-revisions.server.ts'
import { requireEditableProject } from './project-stages.server.ts'

/** An activity with its counts, as the API shows it. */
export interface ActivityRecord extends PlacedActivity {
  id: string
  published: number
  held: number
  /** Whether its draft says something else than what is published. */
  hasChanges: boolean
  isMapMissing: boolean
}

/** Path segments below a project's address that are not activities. */
const RESERVED_SLUGS: readonly string[] = ['surveys', 'budgets', 'events', 'updates', 'data', 'decisions', 'documents', 'report']

export const knownActivities = (ctx: Ctx) =>
  and(eq(activities.siteId, ctx.site.id), knownWithinProjects(ctx, ne(activities.status, 'draft')))

async function addCounts(ctx: Ctx, tx: Tx, rows: readonly PlacedActivity[]): Promise<ActivityRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ activity }) => activity.id)
  // Counted separately, so that an index is enough for those that are published.
  const countByActivity = (where: SQL | undefined, published: boolean) =>
    tx
      .select({ activityId: contributions.activityId, published: sql<boolean>`${published}::boolean`, total: count() })
      .from(contributions)
      .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.activityId, ids), where))
      .groupBy(contributions.activityId)
  const counted = await unionAll(
    countByActivity(isPublished, true),
    // One that was answered privately is no longer waiting.
    countByActivity(and(isHeld, isNull(contributions.answered)), false),
  )
  const find = (id: string, published: boolean) => counted.find((row) => row.activityId === id && row.published === published)?.total ?? 0
  const changed = ctx.viewer.kind === 'user' ? await listChanged(ctx, tx, ids) : new Set<string>()
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      id: row.activity.id,
      published: find(row.activity.id, true),
      held: find(row.activity.id, false),
      hasChanges: changed.has(row.activity.id),
      isMapMissing: await isMapMissing(ctx, row.activity),
    })),
  )
}

async function listChanged(ctx: Ctx, tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .select({ id: revisionHeads.scopeId })
    .from(revisionHeads)
    .where(
      and(
        eq(revisionHeads.siteId, ctx.site.id),
        eq(revisionHeads.subject, 'activity'),
        inArray(revisionHeads.scopeId, [...ids]),
        eq(revisionHeads.hasChanges, true),
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

export const loadActivities = (ctx: Ctx, ids: readonly string[]): Promise<ActivityRecord[]> =>
  ctx.db.read(async (tx) =>
    addCounts(ctx, tx, await selectPlacedActivities(tx).where(and(knownActivities(ctx), inArray(activities.id, [...ids])))),
  )

export function listActivities(ctx: Ctx, { filter, sort, page }: ListQuery<typeof activityShape>): Promise<ListResult<ActivityRecord>> {
  return ctx.db.read(async (tx) => {
    const where = and(
      knownActivities(ctx),
      filter.project ? eq(activities.projectId, filter.project) : undefined,
      filter.status ? inArray(activities.status, filter.status) : undefined,
      filter.q ? titleContains(activities.title, filter.q) : undefined,
    )
    const [counted] = await tx
      .select({ total: count() })
      .from(activities)
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(where)
    const order = sort.map(({ by, descending }) =>
      (descending ? desc : asc)(by === 'position' ? activities.position : activities.createdAt),
    )
    const rows = await selectPlacedActivities(tx)
      .where(where)
      .orderBy(...order, asc(activities.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: await addCounts(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

/**
 * Creates a draft activity with the statuses of its kind, in every language of the site.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `not-a-choice`, `taken` or `dates-out-of-order`
 */
export async function createActivity(ctx: Ctx, input: CreateInput<typeof activityShape>): Promise<string> {
  const project = await requireEditableProject(ctx, input.project)
  const { kind } = input
  if (!isActivityKind(kind)) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/kind' }] })
  const settings = checkSettings(kind, input.settings)
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const times = { opensAt: input.opensAt ?? null, closesAt: input.closesAt ?? null }
      assertInOrder(times)
      await assertGroup(ctx, input.groupId)
      await assertStage(ctx, tx, project.id, input.stage)
      await assertEligibilityList(ctx, tx, settings)
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, kind, (wanted) =>
        isSlugTaken(ctx, tx, project.id, wanted),
      )
      assertFreeSlug(slug)
      const [last] = await tx
        .select({ position: max(activities.position) })
        .from(activities)
        .where(and(eq(activities.siteId, ctx.site.id), eq(activities.projectId, project.id)))
      await tx.insert(activities).values({
        siteId: ctx.site.id,
        id,
        projectId: project.id,
        stageId: input.stage ?? null,
        kind,
        slug,
        title: input.titleTranslations,
        intro: input.introTranslations ?? {},
        ...times,
        ...(input.postAccess && { postAccess: input.postAccess }),
        ...(input.reactAccess && { reactAccess: input.reactAccess }),
        groupId: input.groupId ?? null,
        ...(input.moderation && { moderation: input.moderation }),
        settings,
        fields: await prepareExtraQuestions(tx, undefined, input.fields ?? []),
        position: input.position ?? (last?.position ?? -1) + 1,
        ...buildSearchFields(input.titleTranslations, input.introTranslations),
        updatedAt: ctx.now(),
      })
      const statuses = buildStartingStatuses(ctx, id, kind)
      if (statuses.length > 0) await tx.insert(contributionStatuses).values(statuses)
      await recordActivityAudit(ctx, tx, project, { action: 'activities.create', id })
    }),
  )
  return id
}

/** Rows of the statuses that a new activity starts with. */
export const buildStartingStatuses = (
  { site }: { site: Pick<Ctx['site'], 'id'> },
  activityId: string,
  kind: ActivityKind,
): (typeof contributionStatuses.$inferInsert)[] =>
  listStartingStatuses(kind).map((status) => ({ ...status, siteId: site.id, id: createId(), activityId }))

function assertFreeSlug(slug: string): void {
  if (RESERVED_SLUGS.includes(slug)) throw new AppError('invalid', { faults: [{ code: 'taken', pointer: '/slug' }] })
}

async function isSlugTaken(ctx: Ctx, tx: Tx, projectId: string, slug: string): Promise<boolean> {
  if (RESERVED_SLUGS.includes(slug)) return true
  const found = await tx
    .select({ id: activities.id })
    .from(activities)
    .where(and(eq(activities.siteId, ctx.site.id), eq(activities.projectId, projectId), eq(activities.slug, slug)))
  return found.length > 0
}

/**
 * Changes only the given properties. A category that is removed while contributions have it is archived instead.
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid`, with `translation-missing` for what publishing needs;
 * `fixed-once-open` for the address of an activity that was open
 */
export async function updateActivity(
  ctx: Ctx,
  { activity: row }: PlacedActivity,
  input: UpdateInput<typeof activityShape>,
  lockVersion: number,
): Promise<void> {
  const project = await requireEditableProject(ctx, row.projectId)
  if (!isActivityKind(row.kind)) throw new AppError('not-found')
  const { kind } = row
  if (input.status && input.status !== row.status && !mayPublishActivity(ctx.viewer, project)) {
    requirePermission(ctx, 'activities.publish', toPermissionTarget(project))
    throw new AppError('forbidden')
  }
  if (input.slug && input.slug !== row.slug) {
    assertFreeSlug(input.slug)
    if (row.hasOpened) throw new AppError('invalid', { faults: [{ code: 'fixed-once-open', pointer: '/slug' }] })
  }
  await assertGroup(ctx, input.groupId)
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const head = await activityHistory.lockHead(ctx, tx, row.id)
      await assertStage(ctx, tx, project.id, input.stage)
      if (input.settings) await assertEligibilityList(ctx, tx, checkSettings(kind, input.settings))
      const settings = input.settings && (await keepUsedCategories(ctx, tx, row, checkSettings(kind, input.settings)))
      if (settings && row.hasOpened) assertSameReactions(row, settings)
      if (settings) await assertSameLedger(tx, row, settings)
      const fields = input.fields && (await prepareExtraQuestions(tx, row, input.fields))
      const saved: Partial<ActivityRow> = {
        ...pickGivenColumns(input),
        ...(fields && { fields }),
        ...(settings && { settings }),
      }
      const after = { ...row, ...saved }
      assertInOrder(after)
      if (after.status === 'published') await assertPublishable(ctx, after, row.status === 'published')
      if (after.status === 'published' && row.status !== 'published') await requireCompleteRules(ctx, tx)
      const statuses = await loadStatusTitles(ctx, tx, row.id)
      const waived = await checkTranslations(ctx, tx, {
        subjectId: row.id,
        before: listTextsOf(row, statuses),
        after: listTextsOf(after, statuses),
        wasPublic: row.status === 'published',
        isPublic: after.status === 'published',
        waived: input.waived,
      })
      const hasOpened = row.hasOpened || (await hasJustOpened(ctx, tx, project, after))
      const changed = await tx
        .update(activities)
        .set({
          ...saved,
          hasOpened,
          ...buildSearchFields(after.title, after.intro),
          lockVersion: sql`${activities.lockVersion} + 1`,
          updatedAt: ctx.now(),
        })
        .where(and(eq(activities.siteId, ctx.site.id), eq(activities.id, row.id), eq(activities.lockVersion, lockVersion)))
        .returning({ id: activities.id })
      if (!changed.length) throw new AppError('stale')
      await activityHistory.keepDirectChange(ctx, tx, toStoredActivity(row), head)
      const isPublication = isActivityShown(after.status) && !isActivityShown(row.status)
      if (isPublication) await activityHistory.keepPublication(ctx, tx, row.id, waived)
      const ended = isPublication ? await endReview(ctx, tx, ACTIVITY_REVIEWS, row.id) : {}
      if (isActivityShown(row.status) && !isActivityShown(after.status)) await activityHistory.adoptDraft(ctx, tx, row.id)
      const action = chooseAuditAction(row.status, after.status)
      await recordActivityAudit(ctx, tx, project, { action, id: row.id, detail: ended, changes: listChanges(row, saved) })
    }),
  )
}

/** What is stored as it was sent, with the columns' names. */
function pickGivenColumns(input: UpdateInput<typeof activityShape>): Partial<ActivityRow> {
  const { slug, titleTranslations: title, introTranslations: intro, status, opensAt, closesAt } = input
  const { postAccess, reactAccess, groupId, moderation, stage: stageId, position } = input
  const columns = { slug, title, intro, status, opensAt, closesAt, postAccess, reactAccess, groupId, moderation, stageId, position }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

function chooseAuditAction(before: ActivityStatus, after: ActivityStatus) {
  if (before === after) return 'activities.update'
  if (after === 'published') return before === 'archived' ? 'activities.unarchive' : 'activities.publish'
  return after === 'archived' ? 'activities.archive' : 'activities.unpublish'
}

/** @throws {AppError} `invalid` with what is missing */
export async function assertPublishable(ctx: Ctx, activity: ActivityRow, wasPublished: boolean): Promise<void> {
  const faults = await listPublishingFaults(ctx, activity, wasPublished)
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

/** What people read in an activity, as it is stored. */
export const listTextsOf = (activity: ActivityRow, statuses: readonly { title: Translated }[]): TranslatedText[] =>
  listActivityTexts({
    title: activity.title,
    intro: activity.intro,
    categories: (activity.settings as CommonSettings).categories ?? [],
    questions: readExtraQuestions(activity),
    statuses,
  })

/** Names of the statuses that its contributions can have, in order. */
export const loadStatusTitles = (ctx: Ctx, tx: Tx, activityId: string): Promise<{ title: Translated }[]> =>
  tx
    .select({ title: contributionStatuses.title })
    .from(contributionStatuses)
    .where(
      and(
        eq(contributionStatuses.siteId, ctx.site.id),
        eq(contributionStatuses.activityId, activityId),
        eq(contributionStatuses.archived, false),
      ),
    )
    .orderBy(asc(contributionStatuses.position), asc(contributionStatuses.id))

/** Deletes an activity that nobody has contributed to. @throws {AppError} `not-found`, `forbidden`, `in-use` */
export async function deleteActivity(ctx: Ctx, { activity }: PlacedActivity): Promise<void> {
  const project = await requireEditableProject(ctx, activity.projectId)
  if (activity.numbered > 0) throw new AppError('in-use')
  await ctx.db.tx(async (tx) => {
    await activityHistory.deleteHead(ctx, tx, activity.id)
    await tx.delete(activities).where(and(eq(activities.siteId, ctx.site.id), eq(activities.id, activity.id)))
    await recordActivityAudit(ctx, tx, project, { action: 'activities.delete', id: activity.id, detail: { title: activity.title } })
  })
}

/** Ids of an activity's statuses, in order. */
export async function loadStatusIds(ctx: Ctx, activityIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ id: contributionStatuses.id, activityId: contributionStatuses.activityId })
      .from(contributionStatuses)
      .where(and(eq(contributionStatuses.siteId, ctx.site.id), inArray(contributionStatuses.activityId, [...activityIds])))
      .orderBy(asc(contributionStatuses.position), asc(contributionStatuses.id)),
  )
  return new Map(activityIds.map((id) => [id, rows.filter((row) => row.activityId === id).map((row) => row.id)]))
}
