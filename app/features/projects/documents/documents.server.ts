import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { dropUpload, requireUploadedFile } from '#app/features/media/media.uploads.server.ts'
import { requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectDocuments, projects } from '#app/server/db/schema/projects.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { recordSourceChanges } from '#app/server/translations.ts'
import { toPermissionTarget, type ProjectRow } from '../projects.policy.server.ts'
import { countPdfPages } from './count-pdf-pages.ts'
import { detectDocumentType } from './document-type.server.ts'
import type { projectDocumentShape } from './documents.api.schema.ts'
import { DOCUMENT_TYPES, type DocumentType, MAX_DOCUMENTS } from './documents.schema.ts'

export type DocumentRow = typeof projectDocuments.$inferSelect
type PlacedDocument = DocumentRow & { project: ProjectRow }

export const listDocumentTexts = ({ title }: Pick<DocumentRow, 'title'>): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: 200 },
]

/** Storage key of a document's content. */
export const buildContentKey = (siteId: string, content: string): string => `${siteId}/documents/${content}`

/** The path stays the same when the content is replaced by another of its type. */
export const buildDocumentPath = (id: string, type: DocumentType): string => `/media/documents/${id}.${DOCUMENT_TYPES[type]}`

/** Documents of the projects that the viewer edits, in order. @throws {AppError} `unauthenticated` */
export async function listDocuments(
  ctx: Ctx,
  query: { project?: string; offset: number; limit: number },
): Promise<{ rows: PlacedDocument[]; total: number }> {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  const where = and(isEditable(ctx), query.project === undefined ? undefined : eq(projectDocuments.projectId, query.project))
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(projectDocuments).innerJoin(projects, isOfProject).where(where)
    const rows = await selectDocuments(tx, where).limit(query.limit).offset(query.offset)
    return { rows: rows.map(toPlacedDocument), total: counted?.total ?? 0 }
  })
}

export async function loadDocumentsById(ctx: Ctx, ids: readonly string[]): Promise<PlacedDocument[]> {
  if (ctx.viewer.kind === 'visitor' || ids.length === 0) return []
  const rows = await ctx.db.read((tx) => selectDocuments(tx, and(isEditable(ctx), inArray(projectDocuments.id, [...ids]))))
  return rows.map(toPlacedDocument)
}

/**
 * Adds a completed upload as the project's last document. It shows on the project's page at once.
 * @returns the document's id
 * @throws {AppError} `forbidden`; `invalid` with `file-type-refused`, `unknown-reference` or `too-many`
 */
export async function addDocument(ctx: Ctx, input: CreateInput<typeof projectDocumentShape>): Promise<string> {
  const project = await requireProject(ctx, input.project)
  requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
  const file = await storeUpload(ctx, input.upload)
  const id = createId()
  const named = Object.values(input.titleTranslations ?? {}).some((text) => text?.trim())
  const title = named
    ? (input.titleTranslations ?? {})
    : { [ctx.site.locale]: file.name.replace(/\.\w{1,5}$/, '').slice(0, 200) || file.name }
  await ctx.db.tx(async (tx) => {
    await lockProject(ctx, tx, project.id)
    const order = await loadOrder(ctx, tx, project.id)
    if (order.length >= MAX_DOCUMENTS) throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/upload' }] })
    await tx.insert(projectDocuments).values({
      siteId: ctx.site.id,
      id,
      projectId: project.id,
      title,
      language: input.language ?? null,
      position: order.length,
      createdAt: ctx.now(),
      ...toContentColumns(id, file),
    })
    await recordDocumentChange(ctx, tx, 'project-documents.create', project, {
      document: id,
      title,
      mediaType: file.mediaType,
      bytes: file.bytes,
    })
  })
  await dropUpload(ctx, { id: input.upload })
  return id
}

/**
 * Changes a document's details, its position or, with `upload`, its content.
 * @throws {AppError} `forbidden`; `invalid` with `file-type-refused`, `unknown-reference` or `required`
 */
export async function updateDocument(ctx: Ctx, row: PlacedDocument, input: UpdateInput<typeof projectDocumentShape>): Promise<void> {
  requirePermission(ctx, 'projects.edit', toPermissionTarget(row.project))
  const { titleTranslations: title, language, position, upload } = input
  if (title && !Object.values(title).some((text) => text?.trim()))
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/titleTranslations' }] })
  const file = upload === undefined ? undefined : await storeUpload(ctx, upload)
  const saved = { ...(title && { title }), ...(language !== undefined && { language }), ...(file && toContentColumns(row.id, file)) }
  await ctx.db.tx(async (tx) => {
    await lockProject(ctx, tx, row.projectId)
    const own = and(eq(projectDocuments.siteId, ctx.site.id), eq(projectDocuments.id, row.id))
    if (Object.keys(saved).length) await tx.update(projectDocuments).set(saved).where(own)
    if (title) await recordSourceChanges(ctx, tx, row.id, listDocumentTexts(row), listDocumentTexts({ title }))
    if (position !== undefined) await moveDocument(ctx, tx, row, position)
    await recordDocumentChange(ctx, tx, file ? 'project-documents.replace' : 'project-documents.update', row.project, {
      document: row.id,
      changes: listChanges<DocumentRow>(row, saved),
      ...(position !== undefined && { position }),
    })
  })
  if (!file || upload === undefined) return
  await dropUpload(ctx, { id: upload })
  await removeUnusedContent(ctx, row)
}

/** Deletes a document, and its file unless a copy of the project shows it too. @throws {AppError} `forbidden` */
export async function removeDocument(ctx: Ctx, row: PlacedDocument): Promise<void> {
  requirePermission(ctx, 'projects.edit', toPermissionTarget(row.project))
  await ctx.db.tx(async (tx) => {
    await tx.delete(projectDocuments).where(and(eq(projectDocuments.siteId, ctx.site.id), eq(projectDocuments.id, row.id)))
    await recordDocumentChange(ctx, tx, 'project-documents.delete', row.project, { document: row.id, title: row.title })
  })
  await removeUnusedContent(ctx, row)
}

interface StoredFile {
  name: string
  mediaType: DocumentType
  bytes: number
  pages: number | null
  content: string
}

/** Checks an upload's type and puts it into storage under a new name. */
async function storeUpload(ctx: Ctx, upload: string): Promise<StoredFile> {
  const { row, bytes } = await requireUploadedFile(ctx, upload)
  const mediaType = detectDocumentType(bytes, row.name)
  if (!mediaType) throw new AppError('invalid', { faults: [{ code: 'file-type-refused', pointer: '/upload' }] })
  const content = createId()
  await openStorage(ctx.runtime.env).put(`${buildContentKey(ctx.site.id, content)}/file`, bytes)
  const pages = mediaType === 'application/pdf' ? (countPdfPages(bytes) ?? null) : null
  return { name: row.name, mediaType, bytes: bytes.length, pages, content }
}

const toContentColumns = (id: string, { mediaType, bytes, pages, content }: StoredFile) => ({
  file: buildDocumentPath(id, mediaType),
  mediaType,
  bytes,
  pages,
  content,
})

async function removeUnusedContent(ctx: Ctx, { content }: DocumentRow): Promise<void> {
  if (content === null) return
  const shown = await ctx.db.read((tx) =>
    tx
      .select({ id: projectDocuments.id })
      .from(projectDocuments)
      .where(and(eq(projectDocuments.siteId, ctx.site.id), eq(projectDocuments.content, content)))
      .limit(1),
  )
  if (!shown.length) await openStorage(ctx.runtime.env).removeBelow(buildContentKey(ctx.site.id, content))
}

async function requireProject(ctx: Ctx, id: string): Promise<ProjectRow> {
  const [project] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, id))),
  )
  if (!project) throw new AppError('not-found')
  return project
}

/** Serialises changes to the order of a project's documents. */
const lockProject = (ctx: Ctx, tx: Tx, projectId: string) =>
  tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
    .for('update')

async function loadOrder(ctx: Ctx, tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: projectDocuments.id })
    .from(projectDocuments)
    .where(and(eq(projectDocuments.siteId, ctx.site.id), eq(projectDocuments.projectId, projectId)))
    .orderBy(asc(projectDocuments.position), asc(projectDocuments.id))
  return rows.map(({ id }) => id)
}

async function moveDocument(ctx: Ctx, tx: Tx, row: DocumentRow, position: number): Promise<void> {
  const order = (await loadOrder(ctx, tx, row.projectId)).filter((id) => id !== row.id).toSpliced(position, 0, row.id)
  for (const [at, id] of order.entries()) {
    await tx
      .update(projectDocuments)
      .set({ position: at })
      .where(and(eq(projectDocuments.siteId, ctx.site.id), eq(projectDocuments.id, id)))
  }
}

async function recordDocumentChange(
  ctx: Ctx,
  tx: Tx,
  action: 'project-documents.create' | 'project-documents.update' | 'project-documents.replace' | 'project-documents.delete',
  project: ProjectRow,
  detail: Record<string, unknown>,
): Promise<void> {
  await recordAudit(ctx, tx, { action, subject: { type: 'projects', id: project.id }, hubId: project.hubId, projectId: project.id, detail })
}

const isEditable = (ctx: Ctx): SQL | undefined =>
  and(eq(projectDocuments.siteId, ctx.site.id), scopeWhere(ctx.viewer, 'projects.edit', { hub: projects.hubId, project: projects.id }))

const isOfProject = and(eq(projects.siteId, projectDocuments.siteId), eq(projects.id, projectDocuments.projectId))

const selectDocuments = (tx: Tx, where: SQL | undefined) =>
  tx
    .select({ document: projectDocuments, project: projects })
    .from(projectDocuments)
    .innerJoin(projects, isOfProject)
    .where(where)
    .orderBy(sql`${projectDocuments.projectId}`, asc(projectDocuments.position), asc(projectDocuments.id))
    .$dynamic()

const toPlacedDocument = ({ document, project }: { document: DocumentRow; project: ProjectRow }): PlacedDocument => ({
  ...document,
  project,
})
