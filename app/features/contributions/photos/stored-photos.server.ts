import { and, asc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { requireStorageRoom } from '#app/features/media/media.uploads.server.ts'
import { hashSending } from '#app/features/surveys/responses/drafts.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionPhotos, contributions } from '#app/server/db/schema/contributions.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import type { Tools } from '../kinds/define-kind.ts'
import { buildPhotoField, MAX_PHOTO_ALT, type PhotoView, type PhotoWidth } from '../record/photos.schema.ts'

export type PhotoRow = typeof contributionPhotos.$inferSelect

const UNSENT_KEPT_MS = 86_400_000
const SWEPT_AT_ONCE = 200

/** A photo that was stored before, with what it shows. */
export interface GivenPhoto {
  slot: number
  id: string
  alt: string
}

/** The photos of a form, and what is wrong with the files that were not stored. */
export interface GivenPhotos {
  photos: readonly GivenPhoto[]
  faults: readonly Fault[]
}

type PhotoKey = Pick<PhotoRow, 'siteId' | 'id'>
export const buildPhotoFolder = ({ siteId, id }: PhotoKey): string => `${siteId}/contributions/${id}`
export const buildPhotoKey = (row: PhotoKey, width: PhotoWidth): string => `${buildPhotoFolder(row)}/${width}.webp`

/** A missing text is asked for: without it, the photo says nothing to some people. */
export function checkPhotos({ photos: most = 0 }: Tools, given: GivenPhotos | undefined): Fault[] {
  if (!given) return []
  const late = given.photos.find((_, at) => at >= most)
  return [
    ...given.faults,
    ...given.photos.flatMap(({ slot, alt }): Fault[] => {
      const pointer = `/${buildPhotoField('alt', slot)}`
      if (!alt) return [{ code: 'required', pointer }]
      return Array.from(alt).length > MAX_PHOTO_ALT ? [{ code: 'too-long', pointer, values: { max: MAX_PHOTO_ALT } }] : []
    }),
    ...(late ? [{ code: 'too-many' as const, pointer: `/${buildPhotoField('file', late.slot)}`, values: { max: most } }] : []),
  ]
}

export const whereHeldBy = (ctx: Ctx, id: string) => and(eq(contributionPhotos.siteId, ctx.site.id), eq(contributionPhotos.heldBy, id))

/** Photos that came with this sending, and only with it. */
export const whereBroughtWith = (ctx: Ctx, sending: Sending) =>
  and(whereHeldBy(ctx, sending.id), eq(contributionPhotos.keyHash, hashSending(ctx, sending)))

/**
 * Makes photos part of the contribution that is just being stored. They count towards the site's storage from now on.
 * @throws {AppError} `invalid` with `file-gone` for one that was swept or belongs to another sending, or `storage-full`
 */
export async function attachPhotos(
  ctx: Ctx,
  tx: Tx,
  { sending, activityId, photos }: { sending: Sending; activityId: string; photos: readonly GivenPhoto[] },
): Promise<void> {
  const [first] = photos
  if (!first) return
  for (const [position, { id, slot, alt }] of photos.entries()) {
    const attached = await tx
      .update(contributionPhotos)
      .set({ sentAt: ctx.now(), giverHash: null, browserHash: null, position, alt })
      .where(
        and(
          whereBroughtWith(ctx, sending),
          eq(contributionPhotos.id, id),
          eq(contributionPhotos.activityId, activityId),
          isNull(contributionPhotos.sentAt),
        ),
      )
      .returning({ id: contributionPhotos.id })
    if (attached.length === 0)
      throw new AppError('invalid', { faults: [{ code: 'file-gone', pointer: `/${buildPhotoField('file', slot)}` }] })
  }
  await requireStorageRoom(ctx, tx, 0, `/${buildPhotoField('file', first.slot)}`)
}

/** The photos of contributions, in their order. */
export async function loadPhotos(ctx: Ctx, tx: Tx, contributionIds: readonly string[]): Promise<Map<string, PhotoView[]>> {
  if (contributionIds.length === 0) return new Map()
  const rows = await tx
    .select({
      heldBy: contributionPhotos.heldBy,
      id: contributionPhotos.id,
      alt: contributionPhotos.alt,
      width: contributionPhotos.width,
      height: contributionPhotos.height,
    })
    .from(contributionPhotos)
    .where(
      and(
        eq(contributionPhotos.siteId, ctx.site.id),
        inArray(contributionPhotos.heldBy, [...contributionIds]),
        isNotNull(contributionPhotos.sentAt),
        isNull(contributionPhotos.goneAt),
        isNull(contributionPhotos.removedAt),
      ),
    )
    .orderBy(asc(contributionPhotos.position))
  const byContribution = Map.groupBy(rows, ({ heldBy }) => heldBy)
  return new Map(
    Array.from(byContribution, ([id, own]) => [id, own.map(({ id: photo, alt, width, height }) => ({ id: photo, alt, width, height }))]),
  )
}

/** The photos of each contribution of a query, as one of its columns. */
export const selectPhotos = () =>
  sql<PhotoView[]>`coalesce((
    select json_agg(json_build_object('id', p.id, 'alt', p.alt, 'width', p.width, 'height', p.height) order by p.position)
    from ${contributionPhotos} p
    where p.site_id = ${contributions.siteId} and p.held_by = ${contributions.id} and p.sent_at is not null and p.gone_at is null
      and p.removed_at is null
  ), '[]')`

/** From now on nobody sees the photos of these contributions: their texts go at once, their files right after or with the next sweep. */
export async function releasePhotos(tx: Tx, siteId: string, contributionIds: readonly string[], now: Date): Promise<void> {
  if (contributionIds.length === 0) return
  await tx
    .update(contributionPhotos)
    .set({ goneAt: now, alt: '' })
    .where(
      and(
        eq(contributionPhotos.siteId, siteId),
        inArray(contributionPhotos.heldBy, [...contributionIds]),
        isNull(contributionPhotos.goneAt),
      ),
    )
}

/** Deletes the files of photos that were released. */
export async function deleteReleasedPhotos(ctx: Ctx, contributionId: string): Promise<void> {
  const rows = await ctx.db.read((tx) =>
    tx
      .select()
      .from(contributionPhotos)
      .where(and(whereHeldBy(ctx, contributionId), isNotNull(contributionPhotos.goneAt), sql`${contributionPhotos.bytes} > 0`)),
  )
  await emptyPhotos(ctx, rows)
}

/** Deletes files and leaves the rows, whose addresses then say that the photo is gone. */
async function emptyPhotos(ctx: Ctx, rows: readonly PhotoRow[]): Promise<void> {
  for (const row of rows) {
    await openStorage(ctx.runtime.env).removeBelow(buildPhotoFolder(row))
    await ctx.db.tx((tx) => tx.update(contributionPhotos).set({ bytes: 0, alt: '' }).where(whereIs(row)))
  }
}

export const whereIs = ({ siteId, id }: PhotoKey) => and(eq(contributionPhotos.siteId, siteId), eq(contributionPhotos.id, id))

/** Deletes photos that were brought with a sending and are not part of it, or one of them. */
export async function removeUnsentPhotos(ctx: Ctx, sending: Sending, id?: string): Promise<void> {
  const rows = await ctx.db.read((tx) =>
    tx
      .select()
      .from(contributionPhotos)
      .where(
        and(
          whereBroughtWith(ctx, sending),
          isNull(contributionPhotos.sentAt),
          id === undefined ? undefined : eq(contributionPhotos.id, id),
        ),
      ),
  )
  await deletePhotos(ctx, rows)
}

/**
 * Deletes the stored files before their row: a row is left behind only if that fails. It is marked before, so that whoever is still writing
 * the files deletes them.
 */
async function deletePhotos(ctx: Ctx, rows: readonly PhotoRow[]): Promise<void> {
  for (const row of rows) {
    await ctx.db.tx((tx) => tx.update(contributionPhotos).set({ goneAt: ctx.now() }).where(whereIs(row)))
    await openStorage(ctx.runtime.env).removeBelow(buildPhotoFolder(row))
    await ctx.db.tx((tx) => tx.delete(contributionPhotos).where(whereIs(row)))
  }
}

/**
 * On every site, deletes photos that were not sent within a day, those of contributions that no longer exist, and the files of those that
 * were withdrawn or erased. Run by a job.
 * @returns how many
 */
export function sweepPhotos(runtime: Runtime): Promise<number> {
  const before = new Date(runtime.now().getTime() - UNSENT_KEPT_MS)
  return runOnEachSite(runtime, async (ctx) => {
    const { unsent, released } = await ctx.db.read(async (tx) => {
      const ofSite = eq(contributionPhotos.siteId, ctx.site.id)
      const held = sql`select from ${contributions} c where c.site_id = ${contributionPhotos.siteId} and c.id = ${contributionPhotos.heldBy}`
      return {
        unsent: await tx
          .select()
          .from(contributionPhotos)
          .where(
            and(
              ofSite,
              or(
                and(isNull(contributionPhotos.sentAt), lt(contributionPhotos.touchedAt, before)),
                and(isNotNull(contributionPhotos.sentAt), sql`not exists (${held})`),
              ),
            ),
          )
          .limit(SWEPT_AT_ONCE),
        released: await tx
          .select()
          .from(contributionPhotos)
          .where(
            and(
              ofSite,
              sql`${contributionPhotos.bytes} > 0`,
              or(isNotNull(contributionPhotos.goneAt), sql`exists (${held} and c.state in ('withdrawn', 'erased'))`),
            ),
          )
          .limit(SWEPT_AT_ONCE),
      }
    })
    await deletePhotos(ctx, unsent)
    await emptyPhotos(ctx, released)
    return unsent.length + released.length
  })
}
