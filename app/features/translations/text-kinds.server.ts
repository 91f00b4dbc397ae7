import { and, eq, inArray, isNotNull, type SQL } from 'drizzle-orm'
import { updateNewsletter } from '#app/features/campaigns/newsletters/newsletters.server.ts'
import { listNewsletterTexts } from '#app/features/campaigns/newsletters/newsletters.schema.ts'
import { loadCampaignsById, toCampaignPlace } from '#app/features/campaigns/campaigns.server.ts'
import { HOMEPAGE } from '#app/features/homepage/homepage.server.ts'
import { readBlocks } from '#app/features/homepage/homepage.schema.ts'
import { listBlockTexts } from '#app/features/homepage/missing-texts.schema.ts'
import { updatePage } from '#app/features/pages/pages.editing.server.ts'
import { loadAreaSubjects } from '#app/features/areas/areas.texts.server.ts'
import { loadOptionSubjects, loadPotSubjects, loadRoundSubjects } from '#app/features/budgets/budgets.texts.server.ts'
import { loadActivitySubjects, loadRuleSubjects, loadStatusSubjects } from '#app/features/contributions/contributions.texts.server.ts'
import { loadDocumentSubjects } from '#app/features/projects/documents/documents.texts.server.ts'
import { loadEventSubjects } from '#app/features/events/events.texts.server.ts'
import { loadDecisionSubjects } from '#app/features/heard/decisions.texts.server.ts'
import { loadHubSubjects, loadTopicSubjects } from '#app/features/hubs/hubs.texts.server.ts'
import { loadQuestionSubjects } from '#app/features/profile/profile.texts.server.ts'
import { loadSurveySubjects } from '#app/features/surveys/surveys.texts.server.ts'
import { listPageTexts } from '#app/features/pages/pages.schema.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown, listProjectTexts, type ProjectContent } from '#app/features/projects/project-content.schema.ts'
import {
  loadDraftContent,
  loadDraftContents,
  loadStoredProject,
  loadStoredProjects,
  PROJECT_CONTENT,
  type StoredProject,
} from '#app/features/projects/project-revisions.server.ts'
import { projectColumns, type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { canEditScope } from '#app/features/revisions/revisions.policy.server.ts'
import { findDraftRevision, isPublished, loadDraftRevisions, saveRevision } from '#app/features/revisions/revisions.server.ts'
import { createDraftPublisher } from '#app/features/revisions/publish-draft.server.ts'
import { updateUpdate } from '#app/features/updates/updates.editing.server.ts'
import { listUpdateTexts } from '#app/features/updates/updates.schema.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { LoadTextSubjects, TextSubject } from '#app/server/translations.ts'
import type { TextKind } from './translations.schema.ts'

const toProject = ({ id, title }: Pick<ProjectRow, 'id' | 'title'>) => ({ id, title })
const mayEdit = ({ viewer }: Ctx, project: ProjectRow) => checkPermission(viewer, 'projects.edit', toPermissionTarget(project)).ok
const isOne = (column: Parameters<typeof eq>[0], id: string | undefined): SQL | undefined => (id ? eq(column, id) : undefined)

interface TitleAndBody {
  titleTranslations: Translated
  bodyTranslations: Translated
}

const loadPages: LoadTextSubjects = async (ctx, tx, id) => {
  if (!checkPermission(ctx.viewer, 'site.edit').ok) return []
  const rows = await tx
    .select()
    .from(pages)
    .where(and(eq(pages.siteId, ctx.site.id), isOne(pages.id, id)))
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    project: null,
    isPublic: row.publishedAt !== null,
    editor: `/admin/pages/${row.id}`,
    content: { titleTranslations: row.title, bodyTranslations: row.body } satisfies TitleAndBody,
    texts: listPageTexts(row),
    save: (content) => updatePage(ctx, row, content as TitleAndBody, row.lockVersion),
  }))
}

const loadUpdates: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select({ update: projectUpdates, project: projectColumns })
    .from(projectUpdates)
    .innerJoin(projects, and(eq(projects.siteId, projectUpdates.siteId), eq(projects.id, projectUpdates.projectId)))
    .where(and(eq(projectUpdates.siteId, ctx.site.id), isOne(projectUpdates.id, id)))
  return rows.flatMap(({ update: row, project }) =>
    mayEdit(ctx, project)
      ? {
          id: row.id,
          title: row.title,
          project: toProject(project),
          isPublic: row.publishedAt !== null && isProjectShown(project.status),
          editor: `/admin/updates/${row.id}`,
          content: { titleTranslations: row.title, bodyTranslations: row.body } satisfies TitleAndBody,
          texts: listUpdateTexts(row),
          save: (content: unknown) => updateUpdate(ctx, row, content as TitleAndBody, row.lockVersion),
        }
      : [],
  )
}

const loadProjects: LoadTextSubjects = async (ctx, tx, id) => {
  const stored = id === undefined ? await loadStoredProjects(ctx, tx) : await findStoredProject(ctx, tx, id)
  const drafts = id === undefined ? await loadDraftContents(ctx, tx) : undefined
  const subjects: TextSubject[] = []
  for (const { row, content: published } of stored) {
    if (!mayEdit(ctx, row)) continue
    const draft = drafts ? drafts.get(row.id) : await loadDraftContent(ctx, tx, row.id)
    const content: ProjectContent = draft ?? published
    subjects.push({
      id: row.id,
      title: content.titleTranslations,
      project: toProject(row),
      isPublic: isProjectShown(row.status),
      editor: `/admin/projects/${row.id}`,
      content,
      texts: listProjectTexts(content),
      save: async (next) => {
        const newest = await findDraftRevision(ctx, PROJECT_CONTENT, row.id)
        return saveRevision(ctx, PROJECT_CONTENT, { content: next, placeId: row.id, parentId: newest?.id ?? null })
      },
      publish:
        id !== undefined && isProjectShown(row.status) && checkPermission(ctx.viewer, 'projects.publish', toPermissionTarget(row)).ok
          ? await createDraftPublisher(withTx(ctx, tx), ctx, PROJECT_CONTENT, row.id)
          : undefined,
    })
  }
  return subjects
}

async function findStoredProject(ctx: Ctx, tx: Tx, id: string): Promise<StoredProject[]> {
  try {
    return [await loadStoredProject(ctx, tx, id)]
  } catch (error) {
    if (isAppError(error, 'not-found')) return []
    throw error
  }
}

const loadHomepages: LoadTextSubjects = async (ctx, tx, id) => {
  const found = await tx
    .select({ id: hubs.id, title: hubs.title })
    .from(hubs)
    .where(and(eq(hubs.siteId, ctx.site.id), isOne(hubs.id, id)))
  const own = id === undefined || id === ctx.site.id ? [{ id: null, title: { [ctx.site.locale]: ctx.site.name } as Translated }] : []
  const subjects: TextSubject[] = []
  const shown = await tx
    .selectDistinct({ placeId: homepageRevisions.placeId })
    .from(homepageRevisions)
    .where(and(eq(homepageRevisions.siteId, ctx.site.id), isPublished(ctx, HOMEPAGE)))
  const drafts = id === undefined ? await loadDraftRevisions(withTx(ctx, tx), HOMEPAGE) : undefined
  for (const { id: placeId, title } of [...own, ...found]) {
    if (!canEditScope(ctx, placeId)) continue
    const draft = drafts ? drafts.find((one) => one.placeId === placeId) : await findDraftRevision(withTx(ctx, tx), HOMEPAGE, placeId)
    if (!draft) continue
    subjects.push({
      id: placeId ?? ctx.site.id,
      title,
      project: null,
      isPublic: shown.some((one) => one.placeId === placeId),
      editor: placeId ? `/admin/homepage?hub=${placeId}` : '/admin/homepage',
      content: draft.content,
      texts: listBlockTexts(readBlocks(draft.content)),
      save: (content) => saveRevision(ctx, HOMEPAGE, { content, placeId, parentId: draft.id }),
      publish: id === undefined ? undefined : await createDraftPublisher(withTx(ctx, tx), ctx, HOMEPAGE, placeId),
    })
  }
  return subjects
}

/** Drafts only: what was sent cannot change. */
const loadNewsletters: LoadTextSubjects = async (ctx, tx, id) => {
  const drafts = await tx
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.siteId, ctx.site.id),
        eq(campaigns.channel, 'email'),
        inArray(campaigns.status, ['draft']),
        isNotNull(campaigns.content),
        isOne(campaigns.id, id),
      ),
    )
  const rows = await loadCampaignsById(
    withTx(ctx, tx),
    'email',
    drafts.map((one) => one.id),
  )
  return rows.flatMap((row) =>
    checkPermission(ctx.viewer, 'campaigns.send', toCampaignPlace(row)).ok
      ? {
          id: row.id,
          title: { [ctx.site.locale]: row.name },
          project: null,
          isPublic: false,
          editor: `/admin/newsletters/${row.id}`,
          content: { subjectTranslations: row.subject, content: row.content },
          texts: listNewsletterTexts(row.subject, row.content),
          save: (next: unknown) => {
            const { subjectTranslations, content } = next as { subjectTranslations: Translated; content: Record<string, unknown> }
            // A newsletter that has no blocks yet has no content to check.
            const blocks = readBlocks(content).length > 0 ? { content } : {}
            return updateNewsletter(ctx, row, { subjectTranslations, ...blocks }, row.lockVersion)
          },
        }
      : [],
  )
}

/** Every kind of text that the desk shows. Each reads and writes as its own editor does. */
const LOADERS: Record<TextKind, LoadTextSubjects> = {
  homepage: loadHomepages,
  pages: loadPages,
  hubs: loadHubSubjects,
  topics: loadTopicSubjects,
  areas: loadAreaSubjects,
  projects: loadProjects,
  'project-documents': loadDocumentSubjects,
  'project-updates': loadUpdates,
  activities: loadActivitySubjects,
  'contribution-statuses': loadStatusSubjects,
  'moderation-rules': loadRuleSubjects,
  surveys: loadSurveySubjects,
  'budget-rounds': loadRoundSubjects,
  'budget-pots': loadPotSubjects,
  'budget-options': loadOptionSubjects,
  events: loadEventSubjects,
  decisions: loadDecisionSubjects,
  'profile-questions': loadQuestionSubjects,
  newsletters: loadNewsletters,
}

export const loadTextSubjects = (ctx: Ctx, kind: TextKind): Promise<TextSubject[]> => ctx.db.read((tx) => LOADERS[kind](ctx, tx))

/** @throws {AppError} `not-found` if it does not exist for the viewer or they may not edit it */
export async function requireTextSubject(ctx: Ctx, kind: TextKind, id: string): Promise<TextSubject> {
  const [subject] = await ctx.db.read((tx) => LOADERS[kind](ctx, tx, id))
  if (!subject) throw new AppError('not-found')
  return subject
}
