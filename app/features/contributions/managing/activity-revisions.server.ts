import { and, eq, sql } from 'drizzle-orm'
import { listChanges } from '#app/features/audit/audit.server.ts'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { endReview, requestReview } from '#app/features/reviews/reviews.server.ts'
import type { RevisionKind } from '#app/features/revisions/revisions.server.ts'
import { createStoredHistory, type StoredContent } from '#app/features/revisions/stored-content.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, activityRevisions } from '#app/server/db/schema/contributions.ts'
import { prepareExtraQuestions } from '../fields/extra-questions.server.ts'
import { readExtraQuestions } from '../fields/fields.server.ts'
import { type ActivityRow, type PlacedActivity, selectPlacedActivities } from '../record/activities.policy.server.ts'
import {
  type ActivityContent,
  activityContentSchema,
  isActivityShown,
  listContentTexts,
  listDifferences,
  mergeActivityContents,
  normaliseActivityContent,
  readActivityContent,
} from '../record/activity-content.schema.ts'
import { ACTIVITY_REVIEWS } from '../record/activity-reviews.server.ts'
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
  keepUsedCategories,
  listPublishingFaults,
} from './activity-checks.server.ts'

/**
 * Versions of an activity. The published one is also stored in the activity's row. As long as the activity is a draft, each saved version is.
 */
export const ACTIVITY_CONTENT: RevisionKind = {
  subject: 'activity',
  table: activityRevisions,
  read: (_, given) => normaliseActivityContent(requireValid(activityContentSchema, given, { at: '/content' })),
  prepare: async (ctx, tx, content, placeId) => {
    const { activity, project } = await loadPlacedActivity(ctx, tx, placeId)
    return prepareContent(ctx, tx, activity, project, readActivityContent(content))
  },
  texts: (content) => listContentTexts(readActivityContent(content)),
  obstacles: async (ctx, content, placeId) => {
    const { activity } = await ctx.db.read((tx) => loadPlacedActivity(ctx, tx, placeId))
    const faults = await listPublishingFaults(
      ctx,
      { ...activity, ...toActivityColumns(readActivityContent(content)) },
      activity.status === 'published',
    )
    return faults.map((fault) => ({ ...fault, pointer: `/content${fault.pointer}` }))
  },
  recordChange: async (ctx, tx, { row: revision, act, detail }) => {
    const { activity, project } = await loadPlacedActivity(ctx, tx, revision.placeId)
    if (!isActivityShown(activity.status)) throw new AppError('not-published')
    const ended = act === 'withdraw' ? {} : await endReview(ctx, tx, ACTIVITY_REVIEWS, activity.id)
    await recordActivityAudit(ctx, tx, project, {
      action: act === 'withdraw' ? 'activities.withdraw-changes' : 'activities.publish-changes',
      id: activity.id,
      detail: { ...detail, ...ended, revision: revision.id },
      ...(act === 'withdraw' ? {} : { changes: listChanges(activity, toActivityColumns(readActivityContent(revision.content))) }),
    })
  },
  onSave: (ctx, tx, saved) => activityHistory.onSave(ctx, tx, saved),
  onChange: (ctx, tx, published) => activityHistory.onChange(ctx, tx, published),
  requestReview: async (ctx, tx, revision) => {
    const { activity, project } = await loadPlacedActivity(ctx, tx, revision.placeId)
    const head = await activityHistory.lockHead(ctx, tx, activity.id)
    if (head.draftId !== revision.id || !head.hasChanges) throw new AppError('conflict')
    await requestReview(ctx, tx, ACTIVITY_REVIEWS, { id: activity.id, revisionId: revision.id, title: activity.title, project })
  },
}

/** @throws {AppError} `not-found` */
async function loadPlacedActivity(ctx: Ctx, tx: Tx, id: string | null): Promise<PlacedActivity> {
  const [placed] = await selectPlacedActivities(tx).where(and(eq(activities.siteId, ctx.site.id), eq(activities.id, id ?? '')))
  if (!placed) throw new AppError('not-found')
  return placed
}

const toText = (at: Date | null): string | null => at?.toISOString() ?? null

/** What an activity's row says. */
export const toActivityContent = (row: ActivityRow): ActivityContent => ({
  titleTranslations: row.title,
  introTranslations: row.intro,
  stage: row.stageId,
  opensAt: toText(row.opensAt),
  closesAt: toText(row.closesAt),
  postAccess: row.postAccess,
  reactAccess: row.reactAccess,
  groupId: row.groupId,
  moderation: row.moderation,
  settings: row.settings as ActivityContent['settings'],
  fields: [...readExtraQuestions(row)],
})

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** The activity's columns that hold this content. */
export const toActivityColumns = (content: ActivityContent): Partial<ActivityRow> & Pick<ActivityRow, 'title' | 'intro'> => ({
  title: content.titleTranslations,
  intro: content.introTranslations,
  stageId: content.stage,
  opensAt: toDate(content.opensAt),
  closesAt: toDate(content.closesAt),
  postAccess: content.postAccess,
  reactAccess: content.reactAccess,
  groupId: content.groupId,
  moderation: content.moderation,
  settings: content.settings,
  fields: content.fields,
})

/**
 * Content as it is stored: with the categories that contributions have and the questions that people answered.
 * @throws {AppError} `invalid`, with pointers below `/content`
 */
function prepareContent(ctx: Ctx, tx: Tx, row: ActivityRow, project: Pick<ProjectRow, 'id'>, content: ActivityContent) {
  return pointToContent(async (): Promise<ActivityContent> => {
    assertInOrder({ opensAt: toDate(content.opensAt), closesAt: toDate(content.closesAt) })
    await assertGroup(ctx, content.groupId)
    await assertStage(ctx, tx, project.id, content.stage)
    const checked = checkSettings(row.kind, content.settings)
    await assertEligibilityList(ctx, tx, checked)
    const settings = await keepUsedCategories(ctx, tx, row, checked)
    if (row.hasOpened) assertSameReactions(row, settings)
    await assertSameLedger(tx, row, settings)
    return { ...content, settings: { ...settings }, fields: await prepareExtraQuestions(tx, row, content.fields) }
  })
}

async function pointToContent<Result>(check: () => Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    throw new AppError('invalid', { faults: error.faults.map((fault) => ({ ...fault, pointer: `/content${fault.pointer}` })) })
  }
}

async function storeContent(ctx: Ctx, tx: Tx, id: string, content: ActivityContent): Promise<void> {
  const { activity, project } = await loadPlacedActivity(ctx, tx, id)
  // What people sent since this version was saved may use a category or a question that it does not have.
  const prepared = await prepareContent(ctx, tx, activity, project, content)
  if (listDifferences(toActivityContent(activity), prepared).length === 0) return
  const after = { ...activity, ...toActivityColumns(prepared) }
  await tx
    .update(activities)
    .set({
      ...toActivityColumns(prepared),
      hasOpened: activity.hasOpened || (await hasJustOpened(ctx, tx, project, after)),
      ...buildSearchFields(after.title, after.intro),
      lockVersion: sql`${activities.lockVersion} + 1`,
      updatedAt: ctx.now(),
    })
    .where(and(eq(activities.siteId, ctx.site.id), eq(activities.id, id)))
}

export const toStoredActivity = (row: ActivityRow): StoredContent<ActivityContent> => ({
  id: row.id,
  content: toActivityContent(row),
  isShown: isActivityShown(row.status),
  updatedAt: row.updatedAt,
  publishedAt: null,
})

export const activityHistory = createStoredHistory<ActivityContent>({
  history: { subject: 'activity', table: activityRevisions },
  read: readActivityContent,
  findDiffering: listDifferences,
  load: async (ctx, tx, id) => toStoredActivity((await loadPlacedActivity(ctx, tx, id)).activity),
  store: storeContent,
  takeChange: (draft, before, after) => mergeActivityContents(before, draft, after).theirs,
})
