import { and, asc, count, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { mediaAssets } from '#app/server/db/schema/media.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import type { mediaAssetShape } from './media.api.schema.ts'
import { readPicture } from './media.image.server.ts'
import { loadPlaces } from './media.places.server.ts'
import { authorizeLibrary, canChangePicture, canUseLibrary } from './media.policy.server.ts'
import type { MediaPlace } from './media.schema.ts'
import { buildAssetKey, buildOriginalKey, buildVersionKey } from './media.storage.server.ts'
import { dropUpload, requireUploadedFile } from './media.uploads.server.ts'

type AssetRow = typeof mediaAssets.$inferSelect
/** A picture; includes the places that use it if requested alone. */
export type AssetRecord = AssetRow & { places?: MediaPlace[] }

const LOADED_WITH_PLACES = 1

/** Loads pictures by id; none if the viewer may not use the library. */
export async function loadPicturesById(ctx: Ctx, ids: readonly string[]): Promise<AssetRecord[]> {
  if (!canUseLibrary(ctx.viewer)) return []
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select()
      .from(mediaAssets)
      .where(and(eq(mediaAssets.siteId, ctx.site.id), inArray(mediaAssets.id, [...ids])))
    if (rows.length > LOADED_WITH_PLACES) return rows
    return Promise.all(rows.map(async (row) => ({ ...row, places: await loadPlaces(ctx, tx, row.id) })))
  })
}

export function listPictures(ctx: Ctx, { filter, sort, page }: ListQuery<typeof mediaAssetShape>): Promise<ListResult<AssetRecord>> {
  if (!canUseLibrary(ctx.viewer)) return Promise.resolve({ rows: [], total: 0 })
  const lacking = or(...ctx.site.languages.map((language) => sql`coalesce(${mediaAssets.alt} ->> ${language}, '') = ''`))
  const words = filter.q ? toLikePattern(filter.q) : undefined
  const where = and(
    eq(mediaAssets.siteId, ctx.site.id),
    words ? or(ilike(mediaAssets.name, words), sql`${mediaAssets.alt}::text ilike ${words}`) : undefined,
    filter.missingAlternative === undefined ? undefined : filter.missingAlternative ? lacking : sql`not (${lacking})`,
  )
  const columns: Record<(typeof sort)[number]['by'], SQL> = {
    createdAt: sql`${mediaAssets.createdAt}`,
    name: collateFor(ctx.language, mediaAssets.name),
    bytes: sql`${mediaAssets.bytes}`,
  }
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(mediaAssets).where(where)
    const rows = await tx
      .select()
      .from(mediaAssets)
      .where(where)
      .orderBy(...sort.map(({ by, descending }) => (descending ? desc : asc)(columns[by])), asc(mediaAssets.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

/**
 * Adds a completed upload to the library.
 * @returns id of the picture
 * @throws {AppError} `forbidden`; `invalid` with what is wrong with the file
 */
export async function createPicture(ctx: Ctx, input: CreateInput<typeof mediaAssetShape>): Promise<string> {
  const viewer = authorizeLibrary(ctx.viewer)
  const { row: upload, bytes } = await requireUploadedFile(ctx, input.upload)
  const id = createId()
  const { bytes: kept, ...facts } = await readPicture(bytes)
  await openStorage(ctx.runtime.env).put(buildOriginalKey(ctx.site.id, id, 1), kept)
  const name = input.name ?? upload.name
  await ctx.db.tx(async (tx) => {
    const now = ctx.now()
    await tx.insert(mediaAssets).values({
      siteId: ctx.site.id,
      id,
      name,
      ...facts,
      bytes: kept.length,
      alt: input.altTranslations ?? {},
      createdBy: viewer.id,
      createdAt: now,
      updatedAt: now,
    })
    await recordAudit(ctx, tx, { action: 'media-assets.create', subject: { type: 'media-assets', id }, detail: { name } })
  })
  await dropUpload(ctx, upload)
  return id
}

/**
 * Updates a picture's name, alternative text and focal point or, with `upload`, replaces the picture wherever it is shown: its address in
 * content stays the same, pages get the new version.
 * @throws {AppError} `forbidden`, `stale`; `invalid` with what is wrong with the file
 */
export async function updatePicture(
  ctx: Ctx,
  row: AssetRow,
  input: UpdateInput<typeof mediaAssetShape>,
  lockVersion: number,
): Promise<void> {
  if (!canChangePicture(ctx.viewer, row)) throw new AppError('forbidden')
  const upload = input.upload === undefined ? undefined : await requireUploadedFile(ctx, input.upload)
  const content = upload && (await readPicture(upload.bytes))
  const version = row.version + (content ? 1 : 0)
  const storage = openStorage(ctx.runtime.env)
  const saved = {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.altTranslations && { alt: input.altTranslations }),
    ...(input.focalPoint && { focalX: input.focalPoint.x, focalY: input.focalPoint.y }),
    ...(content && { version, mediaType: content.mediaType, bytes: content.bytes.length, width: content.width, height: content.height }),
  }
  await ctx.db.tx(async (tx) => {
    const changed = await tx
      .update(mediaAssets)
      .set({ ...saved, updatedAt: ctx.now(), lockVersion: sql`${mediaAssets.lockVersion} + 1` })
      .where(and(eq(mediaAssets.siteId, ctx.site.id), eq(mediaAssets.id, row.id), eq(mediaAssets.lockVersion, lockVersion)))
      .returning({ id: mediaAssets.id })
    if (!changed.length) throw new AppError('stale')
    // The update locked the row: nobody else can write this version.
    if (content) await storage.put(buildOriginalKey(ctx.site.id, row.id, version), content.bytes)
    await recordAudit(ctx, tx, {
      action: content ? 'media-assets.replace' : 'media-assets.update',
      subject: { type: 'media-assets', id: row.id },
      detail: { name: row.name },
      changes: listChanges(row, saved),
    })
  })
  if (upload) {
    await dropUpload(ctx, upload.row)
    await storage.removeBelow(buildVersionKey(ctx.site.id, row.id, row.version))
  }
}

/**
 * Deletes a picture that is not in use.
 * @throws {AppError} `forbidden`; `in-use` with the places in `meta`
 */
export async function removePicture(ctx: Ctx, row: AssetRow): Promise<void> {
  if (!canChangePicture(ctx.viewer, row)) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    const places = await loadPlaces(ctx, tx, row.id)
    if (places.length) throw new AppError('in-use', { meta: { places } })
    await tx.delete(mediaAssets).where(and(eq(mediaAssets.siteId, ctx.site.id), eq(mediaAssets.id, row.id)))
    await recordAudit(ctx, tx, {
      action: 'media-assets.delete',
      subject: { type: 'media-assets', id: row.id },
      detail: { name: row.name },
    })
  })
  await openStorage(ctx.runtime.env).removeBelow(buildAssetKey(ctx.site.id, row.id))
}
