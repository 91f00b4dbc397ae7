import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requireContentPublisher } from '#app/features/revisions/revisions.policy.server.ts'
import type { RevisionKind, RevisionRow } from '#app/features/revisions/revisions.server.ts'
import { createStoredHistory, findViewerId, type Head, type StoredContent } from '#app/features/revisions/stored-content.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projectDates, projectRevisions, projects } from '#app/server/db/schema/projects.ts'
import {
  findDifferingContent,
  isProjectShown,
  listProjectTexts,
  normaliseContent,
  type ProjectContent,
  projectContentSchema,
  readProjectContent,
} from './project-content.schema.ts'
import { checkTranslations } from '#app/server/translations.ts'
import { buildProjectSearchFields, SEARCHED_COLUMNS } from './project-search-fields.ts'
import { projectColumns, type ProjectRow } from './projects.policy.server.ts'

/** A project with the content that its row holds: what is published, once it is; until then the draft. */
export interface StoredProject {
  row: ProjectRow
  content: ProjectContent
}

/**
 * Versions of what a project says. The published one is also stored in the project's row. As long as nobody else may see the project, each
 * saved version is.
 */
export const PROJECT_CONTENT: RevisionKind = {
  subject: 'project',
  table: projectRevisions,
  read: (_, given) => {
    const content = requireValid(projectContentSchema, given, { at: '/content' })
    if (!hasText(content.titleTranslations)) {
      throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/content/titleTranslations' }] })
    }
    return normaliseContent(content)
  },
  texts: (content) => listProjectTexts(readProjectContent(content)),
  recordChange: async (ctx, tx, { row: revision, act, place, detail }) => {
    const { row } = await loadStoredProject(ctx, tx, revision.placeId)
    if (!isProjectShown(row.status)) throw new AppError('not-published')
    const isWithdrawal = act === 'withdraw'
    await recordAudit(ctx, tx, {
      action: isWithdrawal ? 'projects.withdraw-changes' : 'projects.publish-changes',
      subject: { type: 'projects', id: row.id },
      ...place,
      detail: { ...detail, revision: revision.id },
      ...(isWithdrawal ? {} : { changes: listChanges(row, toContentColumns(readProjectContent(revision.content)) as Partial<ProjectRow>) }),
    })
  },
  onSave: (ctx, tx, saved) => history.onSave(ctx, tx, saved),
  onChange: (ctx, tx, published) => history.onChange(ctx, tx, published),
  requestReview: async (ctx, tx, revision, place) => {
    const projectId = revision.placeId ?? ''
    const head = await lockHead(ctx, tx, projectId)
    if (head.draftId !== revision.id || !head.hasChanges) throw new AppError('conflict')
    await updateHead(ctx, tx, projectId, { reviewRequestedAt: ctx.now(), reviewRequestedBy: findViewerId(ctx) })
    await recordAudit(ctx, tx, {
      action: 'projects.request-changes-review',
      subject: { type: 'projects', id: projectId },
      ...place,
      detail: { revision: revision.id },
    })
  },
}

const NO_REVIEW = { reviewRequestedAt: null, reviewRequestedBy: null }

type DateRow = typeof projectDates.$inferSelect

/** @throws {AppError} `not-found` */
export async function loadStoredProject(ctx: Ctx, tx: Tx, projectId: string | null): Promise<StoredProject> {
  const [row] = await tx
    .select(projectColumns)
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId ?? '')))
  if (!row) throw new AppError('not-found')
  const dates = await tx
    .select()
    .from(projectDates)
    .where(and(eq(projectDates.siteId, ctx.site.id), eq(projectDates.projectId, row.id)))
    .orderBy(asc(projectDates.position))
  return toStoredProject(row, dates)
}

/** Every project of the site. */
export async function loadStoredProjects(ctx: Ctx, tx: Tx): Promise<StoredProject[]> {
  const rows = await tx.select(projectColumns).from(projects).where(eq(projects.siteId, ctx.site.id))
  const dates = await tx.select().from(projectDates).where(eq(projectDates.siteId, ctx.site.id)).orderBy(asc(projectDates.position))
  const byProject = Map.groupBy(dates, ({ projectId }) => projectId)
  return rows.map((row) => toStoredProject(row, byProject.get(row.id) ?? []))
}

function toStoredProject(row: ProjectRow, dates: readonly DateRow[]): StoredProject {
  const content = {
    titleTranslations: row.title,
    summaryTranslations: row.summary,
    bodyTranslations: row.body,
    outcomeTranslations: row.outcome,
    picture: row.picture,
    pictureAltTranslations: row.pictureAlt,
    place: row.place as ProjectContent['place'],
    team: row.team as ProjectContent['team'],
    faqs: row.faqs as ProjectContent['faqs'],
    dates: dates.map(({ title, detail, happensAt, precision }) => ({ title, detail, happensAt: happensAt.toISOString(), precision })),
  }
  return { row, content: normaliseContent(content) }
}

/** The project's columns that hold this content; key dates are rows of their own. */
export const toContentColumns = (content: ProjectContent) => ({
  title: content.titleTranslations as Translated,
  summary: content.summaryTranslations as Translated,
  body: content.bodyTranslations as Translated,
  outcome: content.outcomeTranslations as Translated,
  picture: content.picture,
  pictureAlt: content.pictureAltTranslations as Translated,
  place: content.place,
  team: content.team,
  faqs: content.faqs,
})

/** Writes content to the project's row, its key dates and the search. */
async function storeContent(ctx: Ctx, tx: Tx, stored: StoredProject, content: ProjectContent): Promise<void> {
  const changed = findDifferingContent(stored.content, content)
  if (!changed.length) return
  await changeProjectRow(ctx, tx, stored.row, toContentColumns(content))
  if (changed.includes('dates')) await replaceDates(ctx, tx, stored.row.id, content.dates)
}

/** Changes columns of a project, and what the search knows of it, as one more version. */
export async function changeProjectRow(ctx: Ctx, tx: Tx, row: ProjectRow, columns: Partial<typeof projects.$inferInsert>): Promise<void> {
  const isSearched = SEARCHED_COLUMNS.some((name) => name in columns)
  await tx
    .update(projects)
    .set({
      ...columns,
      ...(isSearched && buildProjectSearchFields({ ...row, ...columns })),
      updatedAt: ctx.now(),
      lockVersion: sql`${projects.lockVersion} + 1`,
    })
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, row.id)))
}

export async function replaceDates(ctx: Ctx, tx: Tx, projectId: string, dates: ProjectContent['dates']): Promise<void> {
  await tx.delete(projectDates).where(and(eq(projectDates.siteId, ctx.site.id), eq(projectDates.projectId, projectId)))
  if (!dates.length) return
  await tx.insert(projectDates).values(
    dates.map((date, position) => ({
      siteId: ctx.site.id,
      id: createId(),
      projectId,
      title: date.title,
      detail: date.detail ?? {},
      happensAt: new Date(date.happensAt),
      precision: date.precision,
      position,
    })),
  )
}

/** The project as it is stored, which nobody else changes until the transaction ends. @throws {AppError} `not-found` */
export async function lockProject(ctx: Ctx, tx: Tx, projectId: string): Promise<ProjectRow> {
  const [row] = await tx
    .select(projectColumns)
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
    .for('no key update')
  if (!row) throw new AppError('not-found')
  return row
}

/** When a review was asked for, by id of the draft it is about. */
export async function loadReviewRequests(ctx: Ctx, rows: readonly Pick<RevisionRow, 'id'>[]): Promise<Map<string, Date | null>> {
  if (!rows.length) return new Map()
  const asked = await ctx.db.read((tx) =>
    tx
      .select({ id: revisionHeads.draftId, at: revisionHeads.reviewRequestedAt })
      .from(revisionHeads)
      .where(
        and(
          eq(revisionHeads.siteId, ctx.site.id),
          eq(revisionHeads.subject, 'project'),
          inArray(
            revisionHeads.draftId,
            rows.map(({ id }) => id),
          ),
          isNotNull(revisionHeads.reviewRequestedAt),
        ),
      ),
  )
  return new Map(asked.map(({ id, at }) => [id ?? '', at]))
}

/** The draft no longer waits for a review. @throws {AppError} `conflict` if it did not */
export async function endChangesReview(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  const head = await lockHead(ctx, tx, projectId)
  if (!head.reviewRequestedAt) throw new AppError('conflict')
  await updateHead(ctx, tx, projectId, NO_REVIEW)
}

/**
 * Takes back the request for a review; the draft stays. Those who may publish return it with a reason instead.
 * @throws {AppError} `conflict`
 */
export async function cancelChangesReview(ctx: Ctx, revision: RevisionRow): Promise<void> {
  const { place, mustAsk } = await requireContentPublisher(ctx, 'project', revision.placeId)
  if (!mustAsk) throw new AppError('conflict', { detail: { key: 'return-with-reason' } })
  const projectId = revision.placeId ?? ''
  await ctx.db.tx(async (tx) => {
    await endChangesReview(ctx, tx, projectId)
    await recordAudit(ctx, tx, { action: 'projects.cancel-changes-review', subject: { type: 'projects', id: projectId }, ...place })
  })
}

/**
 * Takes a direct change of a project's row, by the API, into its versions.
 * @throws {AppError} `invalid` with what the change leaves missing or stale on a project that others see, unless it is waived
 */
export async function keepDirectChange(
  ctx: Ctx,
  tx: Tx,
  before: StoredProject,
  head: Head,
  waived: readonly string[] | 'all' | undefined,
): Promise<void> {
  const { row, content } = await loadStoredProject(ctx, tx, before.row.id)
  if (!findDifferingContent(before.content, content).length) return
  const isPublic = isProjectShown(row.status)
  await checkTranslations(ctx, tx, {
    subjectId: row.id,
    before: listProjectTexts(before.content),
    after: listProjectTexts(content),
    wasPublic: isPublic,
    isPublic,
    waived,
  })
  await history.keepDirectChange(ctx, tx, toStored(before), head)
}

const toStored = ({ row, content }: StoredProject): StoredContent<ProjectContent> => ({
  id: row.id,
  content,
  isShown: isProjectShown(row.status),
  updatedAt: row.updatedAt,
  publishedAt: row.publishedAt,
})

const history = createStoredHistory<ProjectContent>({
  history: { subject: 'project', table: projectRevisions },
  read: readProjectContent,
  findDiffering: findDifferingContent,
  load: async (ctx, tx, id) => toStored(await loadStoredProject(ctx, tx, id)),
  store: async (ctx, tx, id, content) => storeContent(ctx, tx, await loadStoredProject(ctx, tx, id), content),
  takeChange: (draft, before, after) => {
    const changed = findDifferingContent(before, after)
    return { ...draft, ...Object.fromEntries(changed.map((name) => [name, after[name]])) }
  },
})
export const { lockHead, deleteHead, loadDraftContent, loadDraftContents, keepPublication, adoptDraft } = history
const { updateHead } = history
