import { and, eq, inArray } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { storeOldAddress } from '#app/features/sites/old-addresses.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { USUALLY_COPIED_PARTS } from '#app/lib/vocabulary/projects.ts'
import { buildProjectSearchFields } from './project-search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { chooseFreeSlug, refuseDuplicate } from '#app/server/save-checks.ts'
import { CONTENT_FIELDS, isProjectShown } from './project-content.schema.ts'
import {
  changeProjectRow,
  deleteHead,
  keepDirectChange,
  loadStoredProject,
  lockHead,
  lockProject,
  replaceDates,
} from './project-revisions.server.ts'
import type { projectShape } from './projects.api.schema.ts'
import { insertParts, type ProjectDescription } from './project-description.server.ts'
import { describeCopy, requireCopySource } from './projects.copying.server.ts'
import { loadKnownProjects, type ProjectRecord } from './projects.admin-list.server.ts'
import { toPermissionTarget, type ProjectRow } from './projects.policy.server.ts'
import { type DescribeNewActivity, describeFromTemplate } from './templates/describe-from-template.server.ts'

type CreateProjectInput = CreateInput<typeof projectShape>
type UpdateProjectInput = Omit<UpdateInput<typeof projectShape>, 'waived'> & { waived?: readonly string[] | 'all' | undefined }

/** Texts and dates that a new project may leave out. */
const EMPTY_TEXTS = { summaryTranslations: {}, bodyTranslations: {}, outcomeTranslations: {}, pictureAltTranslations: {} }

/**
 * Creates a draft: empty, a copy of another project, or from a template. Site administrators can do so anywhere, hub administrators in their
 * own hub.
 * @returns the new project's id
 * @throws {AppError} `forbidden`, or `invalid` with `taken`, `required`, `not-found` (of `copyOf`), `not-a-choice` (of `template`, beside
 * `copyOf`) or `dates-out-of-order`
 */
export async function createProject(ctx: Ctx, input: CreateProjectInput, describeNewActivity: DescribeNewActivity): Promise<string> {
  requirePermission(ctx, 'projects.create', { hubId: input.hub ?? null })
  if (!Object.values(input.titleTranslations).some((text) => text?.trim())) {
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/titleTranslations' }] })
  }
  requireOrderedDates(input.opensAt, input.closesAt)
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const start = await describeStart(ctx, tx, input, describeNewActivity)
      const text = { ...(start?.description.texts ?? EMPTY_TEXTS), ...input }
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, 'project', (wanted) =>
        isSlugTaken(ctx, tx, wanted),
      )
      await tx.insert(projects).values({
        siteId: ctx.site.id,
        id,
        slug,
        ...start?.description.columns,
        ...toColumns(text),
        ...buildProjectSearchFields({
          title: input.titleTranslations,
          summary: text.summaryTranslations,
          body: text.bodyTranslations,
          outcome: text.outcomeTranslations,
          faqs: text.faqs ?? start?.description.columns.faqs,
        }),
        title: input.titleTranslations,
        createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
        updatedAt: ctx.now(),
      })
      if (start) await insertParts(ctx, tx, id, start.description)
      await recordAudit(ctx, tx, {
        action: 'projects.create',
        subject: { type: 'projects', id },
        hubId: input.hub ?? null,
        projectId: id,
        ...(start && { detail: start.detail }),
      })
    }),
  )
  return id
}

/** What a new project starts from, and what the audit log says of it. Undefined if it starts empty. */
async function describeStart(
  ctx: Ctx,
  tx: Tx,
  input: CreateProjectInput,
  describeNewActivity: DescribeNewActivity,
): Promise<{ description: ProjectDescription; detail: Record<string, unknown> } | undefined> {
  const { copyOf, copyParts, template } = input
  const opensAt = toDate(input.opensAt ?? null)
  if (template !== undefined) {
    if (copyOf !== undefined) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/template' }] })
    return { description: describeFromTemplate(ctx, template, opensAt, describeNewActivity), detail: { template } }
  }
  if (copyOf === undefined) return undefined
  const source = await requireCopySource(ctx, tx, copyOf)
  const parts = new Set(copyParts ?? USUALLY_COPIED_PARTS)
  return { description: await describeCopy(ctx, tx, source, parts, opensAt), detail: { copyOf, parts: [...parts] } }
}

/**
 * Updates the given fields only, at once. What a published project says is a version in its history from then on, and only those who may
 * publish change it like this.
 * @param version the version that the change is based on; without it, what was saved meanwhile is overwritten
 * @returns the project as this change left it; undefined if the viewer may not know of it any more
 * @throws {AppError} `not-found`; `forbidden`; `invalid`; `stale` if the project has another version by now
 */
export async function updateProject(ctx: Ctx, id: string, input: UpdateProjectInput, version?: number): Promise<ProjectRecord | undefined> {
  const save = async (tx: Tx) => {
    const head = changesContent(input) ? await lockHead(ctx, tx, id) : undefined
    const row = await lockProject(ctx, tx, id)
    const before = head && (await loadStoredProject(ctx, tx, id))
    requireUpdatable(ctx, row, input)
    if (version !== undefined && version !== row.lockVersion) throw new AppError('stale')
    const changed = toColumns(input)
    await changeProjectRow(ctx, tx, row, changed)
    await storeOldAddress(ctx, tx, 'projects', row, input.slug)
    if (input.dates) await replaceDates(ctx, tx, id, input.dates)
    if (before) await keepDirectChange(ctx, tx, before, head, input.waived)
    await recordAudit(ctx, tx, {
      action: 'projects.update',
      subject: { type: 'projects', id },
      hubId: row.hubId,
      projectId: id,
      changes: listChanges<ProjectRow>(row, changed),
      ...(input.dates && { detail: { dates: input.dates.length } }),
    })
    const [record] = await loadKnownProjects(withTx(ctx, tx), [id])
    return record
  }
  return refuseDuplicate('/slug', () => ctx.db.tx(save))
}

const changesContent = (input: UpdateProjectInput): boolean => CONTENT_FIELDS.some((name) => input[name] !== undefined)

/** @throws {AppError} `forbidden`, `invalid` */
function requireUpdatable(ctx: Ctx, row: ProjectRow, input: UpdateProjectInput): void {
  const place = toPermissionTarget(row)
  requirePermission(ctx, 'projects.edit', place)
  if (input.hub !== undefined && input.hub !== row.hubId) requirePermission(ctx, 'projects.create', { hubId: input.hub })
  if (input.slug !== undefined && input.slug !== row.slug) requirePermission(ctx, 'projects.publish', place)
  requireOrderedDates(
    input.opensAt === undefined ? row.opensAt : input.opensAt,
    input.closesAt === undefined ? row.closesAt : input.closesAt,
  )
  if (changesContent(input) && isProjectShown(row.status) && requirePermission(ctx, 'projects.publish', place).only) {
    throw new AppError('forbidden', { detail: { key: 'changes-need-review' } })
  }
}

/**
 * Deletes a project without responses. One that people took part in can only be archived, so that no response is lost.
 * @throws {AppError} `forbidden`, `conflict`
 */
export async function deleteProject(ctx: Ctx, row: ProjectRow): Promise<void> {
  requirePermission(ctx, 'projects.delete', toPermissionTarget(row))
  await ctx.db.tx(async (tx) => {
    const [answered] = await tx
      .select({ id: responses.id })
      .from(responses)
      .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.projectId, row.id)))
      .limit(1)
    if (answered) throw new AppError('conflict', { detail: { key: 'project-answered' } })
    await deleteHead(ctx, tx, row.id)
    await tx.delete(revisionHeads).where(
      and(
        eq(revisionHeads.siteId, ctx.site.id),
        eq(revisionHeads.subject, 'activity'),
        inArray(
          revisionHeads.scopeId,
          tx
            .select({ id: activities.id })
            .from(activities)
            .where(and(eq(activities.siteId, ctx.site.id), eq(activities.projectId, row.id))),
        ),
      ),
    )
    await tx.delete(projects).where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, row.id)))
    await recordAudit(ctx, tx, {
      action: 'projects.delete',
      subject: { type: 'projects', id: row.id },
      hubId: row.hubId,
      detail: { title: row.title, slug: row.slug },
    })
  })
}

function requireOrderedDates(opens: Date | string | null | undefined, closes: Date | string | null | undefined): void {
  if (opens && closes && new Date(opens) >= new Date(closes)) {
    throw new AppError('invalid', { faults: [{ code: 'dates-out-of-order', pointer: '/closesAt' }] })
  }
}

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** The columns of the given fields; missing ones stay unchanged. */
function toColumns(input: Partial<UpdateProjectInput>): Partial<typeof projects.$inferInsert> {
  return {
    ...(input.slug !== undefined && { slug: input.slug }),
    ...(input.titleTranslations && { title: input.titleTranslations }),
    ...(input.summaryTranslations && { summary: input.summaryTranslations }),
    ...(input.bodyTranslations && { body: input.bodyTranslations }),
    ...(input.outcomeTranslations && { outcome: input.outcomeTranslations }),
    ...(input.pictureAltTranslations && { pictureAlt: input.pictureAltTranslations }),
    ...(input.visibility && { visibility: input.visibility }),
    ...(input.opensAt !== undefined && { opensAt: toDate(input.opensAt) }),
    ...(input.closesAt !== undefined && { closesAt: toDate(input.closesAt) }),
    ...(input.picture !== undefined && { picture: input.picture }),
    ...(input.place !== undefined && { place: input.place }),
    ...(input.team && { team: input.team }),
    ...(input.faqs && { faqs: input.faqs }),
    ...(input.featured !== undefined && { featured: input.featured }),
    ...(input.hub !== undefined && { hubId: input.hub }),
    ...(input.topic !== undefined && { topicId: input.topic }),
  }
}

async function isSlugTaken(ctx: Ctx, tx: Tx, slug: string): Promise<boolean> {
  const found = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.slug, slug)))
  return found.length > 0
}
