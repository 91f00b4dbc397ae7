import { createHmac, randomUUID } from 'node:crypto'
import { and, count, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { assertHarmless } from '#app/features/media/assert-harmless.server.ts'
import { drawPicture, readPicture } from '#app/features/media/media.image.server.ts'
import { requireStorageRoom } from '#app/features/media/media.uploads.server.ts'
import { hashSending } from '#app/features/surveys/responses/drafts.server.ts'
import { hashGiver, inspectionLimit } from '#app/features/surveys/responses/files/keep-file.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { BrowserToken, NewBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { contributionPhotos, contributions } from '#app/server/db/schema/contributions.ts'
import { type FileBounds, type FormValues, readText } from '#app/server/forms.ts'
import { countAttempt, limitByAddress } from '#app/server/limits/limits.ts'
import type { FormFile } from '#app/server/multipart.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import {
  type ActivityAddress,
  findActivityRefusal,
  type PlacedActivity,
  requireActivityAccess,
  requireActivityAt,
} from '../record/activities.policy.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { requireOpenActivity } from './submit-contribution.server.ts'
import {
  buildPhotoField,
  type KeptPhotoView,
  listPhotoSlots,
  MAX_PHOTO_MEGABYTES,
  MAX_PHOTOS,
  PHOTO_TYPES,
  PHOTO_WIDTHS,
} from '../record/photos.schema.ts'
import {
  buildPhotoFolder,
  buildPhotoKey,
  type GivenPhoto,
  type GivenPhotos,
  type PhotoRow,
  removeUnsentPhotos,
  whereBroughtWith,
  whereHeldBy,
  whereIs,
} from '../photos/stored-photos.server.ts'

/** Photos that one sending may bring, those that were replaced included. */
const MAX_BROUGHT = 12
/** Limits for photos that were not sent yet: from one network address to the whole site, and from everybody to one activity. */
const MAX_UNSENT_MEGABYTES = { ofAddress: 60, ofActivity: 500 } as const
/** One byte above the limit, so that an oversized file is recognised as such. */
const FILE_BOUNDS: FileBounds = { files: MAX_PHOTOS, fileBytes: MAX_PHOTO_MEGABYTES * 1_000_000 + 1 }

/** The bounds for the files of a form: undefined if the sender may not post photos there. Checked before the form is read. */
export async function findPhotoBounds(ctx: Ctx, address: ActivityAddress, invitation?: ReadInvitation): Promise<FileBounds | undefined> {
  try {
    return await ctx.db.read(async (tx) => {
      const placed = await requireActivityAt(ctx, tx, address)
      if (!readActivitySettings(placed.activity).tools.photos) return undefined
      return (await findActivityRefusal(ctx, tx, 'contributions.post', placed, invitation)) ? undefined : FILE_BOUNDS
    })
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

interface PhotoForm {
  address: ActivityAddress
  sending: Sending
  /** One that was given just now will do: it only shows the photo to this browser again. */
  browserToken: BrowserToken | NewBrowserToken
  invitation?: ReadInvitation | undefined
  values: FormValues
  files: readonly FormFile[]
}

/**
 * Stores the photos of a form and puts their ids into its fields, so that they survive if the form is refused for another reason. A new file
 * replaces the one that its place had. Undefined if the activity takes no photos or the form was sent before.
 * @throws {AppError} as `submitContribution` if the sender may not post; `too-many-requests`, `unavailable`
 */
export async function takeFormPhotos(ctx: Ctx, form: PhotoForm): Promise<GivenPhotos | undefined> {
  const { address, sending, values, files } = form
  const slots = listPhotoSlots(MAX_PHOTOS)
  const brought = files.filter(({ field }) => slots.some((slot) => field === buildPhotoField('file', slot)))
  const hasAny = brought.length > 0 || slots.some((slot) => readKeptId(values, slot) !== undefined)
  if (hasAny && (await isSent(ctx, sending))) return undefined
  const faults: Fault[] = []
  for (const slot of slots) {
    const file = brought.find(({ field }) => field === buildPhotoField('file', slot))
    if (!file) continue
    const pointer = `/${buildPhotoField('file', slot)}`
    try {
      const before = readKeptId(values, slot)
      values[buildPhotoField('kept', slot)] = await keepPhoto(ctx, (tx) => requireActivityAt(ctx, tx, address), { ...form, file })
      if (before) await removeUnsentPhotos(ctx, sending, before)
    } catch (error) {
      if (!isAppError(error, 'invalid')) throw error
      faults.push(...error.faults.map((fault) => ({ ...fault, pointer })))
    }
  }
  // The same form, sent twice at once, was stored in the meantime.
  if (faults.length > 0 && (await isSent(ctx, sending))) return undefined
  const photos: GivenPhoto[] = []
  for (const slot of slots) {
    const id = readKeptId(values, slot)
    const alt = readAlt(values, slot)
    if (id) photos.push({ slot, id, alt })
    // A text without a photo: its file was not chosen, or was refused.
    else if (alt && !faults.some(({ pointer }) => pointer === `/${buildPhotoField('file', slot)}`))
      faults.push({ code: 'required', pointer: `/${buildPhotoField('file', slot)}` })
  }
  return photos.length + faults.length > 0 ? { photos, faults } : undefined
}

const readAlt = (values: FormValues, slot: number): string => readText(values[buildPhotoField('alt', slot)]).replace(/\s+/g, ' ').trim()

function readKeptId(values: FormValues, slot: number): string | undefined {
  const id = readText(values[buildPhotoField('kept', slot)])
  return isId(id) ? id : undefined
}

/** What the photos of a form are said to show: it is published with the text, and looked at like it. */
export const listAlts = (values: FormValues): string[] =>
  listPhotoSlots(MAX_PHOTOS)
    .map((slot) => readAlt(values, slot))
    .filter(Boolean)

/** The photos that a form has brought so far, for showing it again. */
export async function loadKeptPhotos(ctx: Ctx, tx: Tx, sending: Sending, values: FormValues): Promise<KeptPhotoView[]> {
  const slots = listPhotoSlots(MAX_PHOTOS).filter((slot) => readKeptId(values, slot) !== undefined)
  if (slots.length === 0) return []
  const rows = await tx
    .select()
    .from(contributionPhotos)
    .where(and(whereBroughtWith(ctx, sending), isNull(contributionPhotos.sentAt)))
  return slots.flatMap((slot) => {
    const row = rows.find(({ id }) => id === readKeptId(values, slot))
    return row ? [{ slot, id: row.id, alt: readAlt(values, slot), width: row.width, height: row.height }] : []
  })
}

const isSent = (ctx: Ctx, { id }: Sending): Promise<boolean> =>
  ctx.db.read(async (tx) => {
    const rows = await tx
      .select({ id: contributions.id })
      .from(contributions)
      .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, id)))
    return rows.length > 0
  })

/** Recognises the browser that brought a photo, which sees it before it is sent. */
export const hashBrowser = (ctx: Ctx, token: BrowserToken | NewBrowserToken): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`photos ${ctx.site.id} ${token}`).digest()

/**
 * Stores a photo for a contribution that is still being written, re-encoded: without place, camera and author.
 * @returns its id
 */
async function keepPhoto(
  ctx: Ctx,
  find: (tx: Tx) => Promise<PlacedActivity>,
  { sending, browserToken, invitation, file }: Pick<PhotoForm, 'sending' | 'browserToken' | 'invitation'> & { file: FormFile },
): Promise<string> {
  await countAttempt(ctx, limitByAddress(ctx, { name: 'contribution-photo', most: 150, minutes: 15 }))
  const refuse = (fault: Fault) => new AppError('invalid', { faults: [fault] })
  const giverHash = hashGiver(ctx)
  const { activityId, projectId } = await ctx.db.tx(async (tx) => {
    const placed = await find(tx)
    requireOpenActivity(ctx, placed, sending.id)
    await requireActivityAccess(ctx, tx, 'contributions.post', placed, invitation)
    const { photos: most = 0 } = readActivitySettings(placed.activity).tools
    if (most === 0) throw refuse({ code: 'too-many', values: { max: most } })
    if (file.isCut || file.bytes > MAX_PHOTO_MEGABYTES * 1_000_000)
      throw refuse({ code: 'file-too-large', values: { max: MAX_PHOTO_MEGABYTES } })
    const [held] = await tx.select({ photos: count() }).from(contributionPhotos).where(whereHeldBy(ctx, sending.id))
    if ((held?.photos ?? 0) >= MAX_BROUGHT) throw refuse({ code: 'too-many', values: { max: MAX_BROUGHT } })
    await assertMayWait(ctx, tx, { activityId: placed.activity.id, bytes: file.bytes, giverHash })
    return { activityId: placed.activity.id, projectId: placed.project.id }
  })
  return inspectionLimit(async () => {
    const received = await file.read()
    await assertHarmless(ctx, received, { subject: { type: 'activities', id: activityId }, projectId, isParticipants: true })
    const drawn = await drawPhoto(received)
    const row: PhotoRow = {
      siteId: ctx.site.id,
      id: randomUUID(),
      activityId,
      heldBy: sending.id,
      keyHash: hashSending(ctx, sending),
      position: 0,
      alt: '',
      width: drawn.width,
      height: drawn.height,
      bytes: drawn.files.reduce((sum, [, { length }]) => sum + length, 0),
      touchedAt: ctx.now(),
      sentAt: null,
      goneAt: null,
      removedAt: null,
      removedAs: null,
      giverHash,
      browserHash: hashBrowser(ctx, browserToken),
    }
    // Insert the row first, so that every object in storage has one. Check again: others may have arrived during the inspection.
    await ctx.db.tx(async (tx) => {
      await assertMayWait(ctx, tx, { activityId, bytes: row.bytes, giverHash })
      await tx.insert(contributionPhotos).values(row)
    })
    try {
      for (const [width, bytes] of drawn.files) await openStorage(ctx.runtime.env).put(buildPhotoKey(row, width), bytes)
    } catch (error) {
      // Writing also fails if the folder is deleted meanwhile.
      await requireStillKept(ctx, row)
      await removeUnsentPhotos(ctx, sending, row.id)
      throw error
    }
    await requireStillKept(ctx, row)
    return row.id
  })
}

/**
 * The same form, sent twice at once, may have been stored without this photo while its files were written.
 * @throws {AppError} `invalid` with `file-gone`
 */
async function requireStillKept(ctx: Ctx, row: PhotoRow): Promise<void> {
  const [kept] = await ctx.db.read((tx) =>
    tx
      .select({ id: contributionPhotos.id })
      .from(contributionPhotos)
      .where(and(whereIs(row), isNull(contributionPhotos.goneAt))),
  )
  if (kept) return
  await openStorage(ctx.runtime.env).removeBelow(buildPhotoFolder(row))
  throw new AppError('invalid', { faults: [{ code: 'file-gone' }] })
}

/** A photo in both widths. @throws {AppError} `invalid` with `file-type-refused`, `picture-too-large` or `unreadable-picture` */
export async function drawPhoto(file: Buffer) {
  const picture = await readPicture(file)
  if (!PHOTO_TYPES.includes(picture.mediaType)) throw new AppError('invalid', { faults: [{ code: 'file-type-refused' }] })
  const widest = PHOTO_WIDTHS[1]
  const files: [(typeof PHOTO_WIDTHS)[number], Buffer][] = []
  for (const width of PHOTO_WIDTHS) files.push([width, await drawPicture(picture.bytes, width, 'image/webp', { still: true })])
  const width = Math.min(picture.width, widest)
  return { files, width, height: Math.max(1, Math.round((picture.height * width) / picture.width)) }
}

/** As for files of surveys: what was not sent uses none of the site's storage, and is limited. Holds a lock until the transaction ends. */
async function assertMayWait(
  ctx: Ctx,
  tx: Tx,
  { activityId, bytes, giverHash }: { activityId: string; bytes: number; giverHash: Buffer | null },
): Promise<void> {
  const bytesWhere = (where: SQL) => sql<number>`coalesce(sum(${contributionPhotos.bytes}) filter (where ${where}), 0)`.mapWith(Number)
  await lockForTransaction(tx, ctx.site.id, 'storage')
  const [waiting] = await tx
    .select({
      ofActivity: bytesWhere(eq(contributionPhotos.activityId, activityId)),
      ofAddress: giverHash ? bytesWhere(eq(contributionPhotos.giverHash, giverHash)) : sql<number>`0`.mapWith(Number),
    })
    .from(contributionPhotos)
    .where(and(eq(contributionPhotos.siteId, ctx.site.id), isNull(contributionPhotos.sentAt)))
  for (const whose of ['ofAddress', 'ofActivity'] as const) {
    const max = MAX_UNSENT_MEGABYTES[whose]
    if ((waiting?.[whose] ?? 0) + bytes > max * 1_000_000)
      throw new AppError('invalid', { faults: [{ code: 'too-many-unsent-files', values: { max } }] })
  }
  await requireStorageRoom(ctx, tx, bytes)
}
