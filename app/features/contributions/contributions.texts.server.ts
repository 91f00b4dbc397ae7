import { and, asc, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown } from '#app/features/projects/project-content.schema.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import type { Translated } from '#app/lib/translated.ts'
import { activities, contributionStatuses } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { withTx } from '#app/server/context.ts'
import type { LoadTextSubjects, TextSubject } from '#app/server/translations.ts'
import { createDraftPublisher } from '#app/features/revisions/publish-draft.server.ts'
import { findDraftRevision, saveRevision } from '#app/features/revisions/revisions.server.ts'
import { ACTIVITY_CONTENT, activityHistory, toActivityContent } from './managing/activity-revisions.server.ts'
import { updateStatus } from './managing/contribution-statuses.server.ts'
import { selectPlacedActivities } from './record/activities.policy.server.ts'
import type { moderationRuleShape } from './moderation/moderation.api.schema.ts'
import { listRuleTexts, loadSiteRules, updateRule } from './moderation/rules.server.ts'
import { listContentTexts } from './record/activity-content.schema.ts'
import { listStatusTexts } from './record/activity-texts.ts'

/** Activities with their texts, for the language desk. */
export const loadActivitySubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await selectPlacedActivities(tx).where(and(eq(activities.siteId, ctx.site.id), id ? eq(activities.id, id) : undefined))
  const drafts = id === undefined ? await activityHistory.loadDraftContents(ctx, tx) : undefined
  const subjects: TextSubject[] = []
  for (const { activity: row, project } of rows) {
    if (!checkPermission(ctx.viewer, 'activities.edit', toPermissionTarget(project)).ok) continue
    const draft = drafts ? drafts.get(row.id) : await activityHistory.loadDraftContent(ctx, tx, row.id)
    const content = draft ?? toActivityContent(row)
    subjects.push({
      id: row.id,
      title: content.titleTranslations,
      project: { id: project.id, title: project.title },
      isPublic: row.status === 'published' && isProjectShown(project.status),
      editor: `/admin/projects/${project.id}/activities/${row.id}`,
      content,
      texts: listContentTexts(content),
      save: async (next) => {
        const newest = await findDraftRevision(ctx, ACTIVITY_CONTENT, row.id)
        return saveRevision(ctx, ACTIVITY_CONTENT, { content: next, placeId: row.id, parentId: newest?.id ?? null })
      },
      publish:
        id !== undefined && row.status === 'published'
          ? await createDraftPublisher(withTx(ctx, tx), ctx, ACTIVITY_CONTENT, row.id)
          : undefined,
    })
  }
  return subjects
}

interface StatusTitles {
  statuses: { title: Translated }[]
}

/** Names of the statuses that each activity offers, for the language desk: they apply at once, without the activity's draft. */
export const loadStatusSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select({
      status: contributionStatuses,
      activity: { id: activities.id, title: activities.title, status: activities.status },
      project: {
        id: projects.id,
        title: projects.title,
        status: projects.status,
        hubId: projects.hubId,
        publishedAt: projects.publishedAt,
      },
    })
    .from(contributionStatuses)
    .innerJoin(activities, and(eq(activities.siteId, contributionStatuses.siteId), eq(activities.id, contributionStatuses.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(
      and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.archived, false), id ? eq(activities.id, id) : undefined),
    )
    .orderBy(asc(contributionStatuses.position), asc(contributionStatuses.id))
  const editable = rows.filter(({ project }) => checkPermission(ctx.viewer, 'activities.edit', toPermissionTarget(project)).ok)
  return [...Map.groupBy(editable, ({ activity }) => activity.id).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { activity, project } = first
    const statuses = own.map(({ status }) => status)
    return {
      id: activity.id,
      title: activity.title,
      project: { id: project.id, title: project.title },
      isPublic: activity.status === 'published' && isProjectShown(project.status),
      editor: `/admin/projects/${project.id}/activities/${activity.id}`,
      content: { statuses: statuses.map(({ title }) => ({ title })) } satisfies StatusTitles,
      texts: listStatusTexts(statuses),
      save: (content: unknown) =>
        ctx.db.tx(async (inside) => {
          for (const [at, { title }] of (content as StatusTitles).statuses.entries()) {
            const row = statuses[at]
            if (row && !isJsonEqual(title, row.title))
              await updateStatus(withTx(ctx, inside), row, { titleTranslations: title }, row.lockVersion)
          }
        }),
    }
  })
}

/** The site's rules, for the language desk, without those that are no longer used. */
export const loadRuleSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  if (!checkPermission(ctx.viewer, 'moderation.rules').ok) return []
  const rows = await loadSiteRules(ctx.site.id, tx)
  return rows
    .filter((row) => !row.archived && (id === undefined || row.id === id))
    .map((row) => ({
      id: row.id,
      title: row.label,
      project: null,
      isPublic: true,
      editor: '/admin/moderation/rules',
      content: { labelTranslations: row.label, explanationTranslations: row.explanation },
      texts: listRuleTexts(row),
      save: (content: unknown) => updateRule(ctx, row, content as UpdateInput<typeof moderationRuleShape>, row.lockVersion),
    }))
}
