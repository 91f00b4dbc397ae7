import { and, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { mapFiles } from '#app/server/db/schema/areas.ts'
import { contributionPhotos } from '#app/server/db/schema/contributions.ts'
import { mediaAssets, mediaUploads } from '#app/server/db/schema/media.ts'
import { responseFiles } from '#app/server/db/schema/responses.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { assertHarmless } from './assert-harmless.server.ts'
import { authorizeLibrary, canUseLibrary } from './media.policy.server.ts'
import { MAX_CHUNK_BYTES } from './media.schema.ts'
import { buildUploadKey } from './media.storage.server.ts'

export type UploadRow = typeof mediaUploads.$inferSelect

const RETENTION_HOURS = 48

/**
 * Starts an upload of the given size.
 * @returns id of the upload
 * @throws {AppError} `unauthenticated`, `forbidden`, or `invalid` with `storage-full` if the site's quota has no room for it
 */
export async function beginUpload(ctx: Ctx, { name, bytes }: { name: string; bytes: number }): Promise<string> {
  const viewer = authorizeLibrary(ctx.viewer)
  const id = createId()
  await ctx.db.tx(async (tx) => {
    await requireStorageRoom(ctx, tx, bytes)
    await tx.insert(mediaUploads).values({ siteId: ctx.site.id, id, name, bytes, createdBy: viewer.id, createdAt: ctx.now() })
  })
  return id
}

/**
 * Checks the site's storage quota. Uploads in progress count with their announced size, so that parallel uploads cannot exceed it together;
 * files in survey responses and photos of contributions count once they are sent.
 * Holds a lock until the transaction ends: write what uses the space in the same transaction.
 * @throws {AppError} `invalid` with `storage-full` at `pointer`
 */
export async function requireStorageRoom(ctx: Ctx, tx: Tx, bytes: number, pointer = '/bytes'): Promise<void> {
  const { MEDIA_QUOTA_MB: quota } = ctx.runtime.env
  await lockForTransaction(tx, ctx.site.id, 'storage')
  const [used] = await tx
    .select({
      bytes: sql<number>`coalesce(sum(${mediaAssets.bytes}), 0)
        + (select coalesce(sum(${mediaUploads.bytes}), 0) from ${mediaUploads} where ${mediaUploads.siteId} = ${ctx.site.id})
        + (select coalesce(sum(${responseFiles.bytes}), 0) from ${responseFiles}
            where ${responseFiles.siteId} = ${ctx.site.id} and ${responseFiles.sentAt} is not null)
        + (select coalesce(sum(${contributionPhotos.bytes}), 0) from ${contributionPhotos}
            where ${contributionPhotos.siteId} = ${ctx.site.id} and ${contributionPhotos.sentAt} is not null)
        + (select coalesce(sum(${mapFiles.bytes}), 0) from ${mapFiles} where ${mapFiles.siteId} = ${ctx.site.id})
        + (select coalesce(sum(d.bytes), 0) from (
            select distinct content, bytes from project_documents where site_id = ${ctx.site.id} and content is not null) d)`.mapWith(
        Number,
      ),
    })
    .from(mediaAssets)
    .where(eq(mediaAssets.siteId, ctx.site.id))
  if ((used?.bytes ?? 0) + bytes > quota * 1_000_000) {
    throw new AppError('invalid', { faults: [{ code: 'storage-full', pointer, values: { max: quota } }] })
  }
}

/** Only the person who started an upload can see it. */
export function loadUploadsById(ctx: Ctx, ids: readonly string[]): Promise<UploadRow[]> {
  const { viewer } = ctx
  if (viewer.kind !== 'user' || !canUseLibrary(viewer)) return Promise.resolve([])
  return ctx.db.read((tx) =>
    tx
      .select()
      .from(mediaUploads)
      .where(and(eq(mediaUploads.siteId, ctx.site.id), eq(mediaUploads.createdBy, viewer.id), inArray(mediaUploads.id, [...ids]))),
  )
}

async function requireOwnUpload(ctx: Ctx, id: string): Promise<UploadRow> {
  const [row] = await loadUploadsById(ctx, [id])
  if (!row) throw new AppError('not-found')
  return row
}

/**
 * Appends a chunk to an upload.
 * @param offset bytes that the client believes have arrived
 * @returns bytes received so far
 * @throws {AppError} `not-found`; `conflict` if the offset is wrong; `too-large` beyond the announced size
 */
export async function receiveChunk(ctx: Ctx, input: { id: string; offset: number; bytes: Buffer }): Promise<number> {
  const { id, offset, bytes } = input
  const row = await requireOwnUpload(ctx, id)
  const received = offset + bytes.length
  if (bytes.length > MAX_CHUNK_BYTES || received > row.bytes) throw new AppError('too-large')
  if (offset !== row.received || !bytes.length) throw new AppError('conflict', { meta: { received: row.received } })
  await openStorage(ctx.runtime.env).put(buildPieceKey(row, offset), bytes)
  const moved = await ctx.db.tx((tx) =>
    tx
      .update(mediaUploads)
      .set({ received, touchedAt: ctx.now() })
      .where(and(eq(mediaUploads.siteId, ctx.site.id), eq(mediaUploads.id, id), eq(mediaUploads.received, offset)))
      .returning({ id: mediaUploads.id }),
  )
  if (!moved.length) throw new AppError('conflict')
  return received
}

const buildPieceKey = ({ siteId, id }: UploadRow, offset: number) => `${buildUploadKey(siteId, id)}/${offset}`

/**
 * The complete file. One with a virus is deleted.
 * @throws {AppError} `invalid` if the viewer has no such upload, it is incomplete, or with `file-infected`; `unavailable`
 */
export async function requireUploadedFile(ctx: Ctx, id: string): Promise<{ row: UploadRow; bytes: Buffer }> {
  const [row] = await loadUploadsById(ctx, [id])
  const missing = new AppError('invalid', { faults: [{ code: 'unknown-reference', pointer: '/upload' }] })
  if (!row || row.received !== row.bytes) throw missing
  const storage = openStorage(ctx.runtime.env)
  const pieces: Buffer[] = []
  for (let offset = 0; offset < row.bytes;) {
    const piece = await storage.get(buildPieceKey(row, offset))
    if (!piece?.length) throw missing
    pieces.push(piece)
    offset += piece.length
  }
  const bytes = Buffer.concat(pieces)
  try {
    await assertHarmless(ctx, bytes, { subject: { type: 'media-uploads', id }, pointer: '/upload' })
  } catch (error) {
    if (isAppError(error, 'invalid')) await dropUpload(ctx, row)
    throw error
  }
  return { row, bytes }
}

/** Deletes an upload and its chunks. */
export async function dropUpload(ctx: Ctx, { id }: Pick<UploadRow, 'id'>): Promise<void> {
  await ctx.db.tx((tx) => tx.delete(mediaUploads).where(and(eq(mediaUploads.siteId, ctx.site.id), eq(mediaUploads.id, id))))
  await openStorage(ctx.runtime.env).removeBelow(buildUploadKey(ctx.site.id, id))
}

/** Deletes uploads that nothing has been added to for 48 hours, on every site. Run by a job. @returns how many */
export function sweepUploads(runtime: Runtime): Promise<number> {
  const before = new Date(runtime.now().getTime() - RETENTION_HOURS * 3_600_000)
  return runOnEachSite(runtime, async (ctx) => {
    const gone = await ctx.db.tx((tx) =>
      tx
        .delete(mediaUploads)
        .where(
          and(
            eq(mediaUploads.siteId, ctx.site.id),
            lt(mediaUploads.createdAt, before),
            or(isNull(mediaUploads.touchedAt), lt(mediaUploads.touchedAt, before)),
          ),
        )
        .returning({ id: mediaUploads.id }),
    )
    for (const { id } of gone) await openStorage(ctx.runtime.env).removeBelow(buildUploadKey(ctx.site.id, id))
    return gone.length
  })
}
