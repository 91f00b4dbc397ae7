import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import { type BrowserToken, readBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionPhotos, contributions } from '#app/server/db/schema/contributions.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { type PlacedContribution, requirePlacedContribution } from '../record/loading.server.ts'
import { hashBrowser } from './keep-photo.server.ts'
import { PHOTO_WIDTHS, type PhotoWidth } from '../record/photos.schema.ts'
import { buildPhotoKey, type PhotoRow } from '../photos/stored-photos.server.ts'

/** What a browser brings besides its account. */
interface Brought {
  receipt?: string | undefined
  browserToken?: BrowserToken | undefined
}

interface OpenedPhoto {
  bytes: Buffer
  /** Everybody may see it. */
  isPublic: boolean
}

/**
 * A photo as its contribution answers: public with it; before that and after it was declined or removed, for its author and moderators. A
 * photo that was removed by itself is for those who may see originals, one that was not sent yet for the browser that brought it.
 * @throws {AppError} `not-found`, `gone`
 */
export async function openPhoto(ctx: Ctx, id: string, width: PhotoWidth, brought: Brought): Promise<OpenedPhoto> {
  if (!isId(id)) throw new AppError('not-found')
  const { row, isPublic, placed } = await ctx.db.read(async (tx) => {
    const [found] = await tx
      .select()
      .from(contributionPhotos)
      .where(and(eq(contributionPhotos.siteId, ctx.site.id), eq(contributionPhotos.id, id)))
    if (!found) throw new AppError('not-found')
    return { row: found, ...(await requireVisiblePhoto(ctx, tx, found, brought)) }
  })
  if (row.removedAt && placed) await recordLook(ctx, placed)
  const bytes = await openStorage(ctx.runtime.env).get(buildPhotoKey(row, width))
  if (!bytes) throw new AppError('not-found')
  return { bytes, isPublic }
}

/** @returns whether everybody may see it, and its contribution if it was sent */
async function requireVisiblePhoto(
  ctx: Ctx,
  tx: Tx,
  row: PhotoRow,
  brought: Brought,
): Promise<{ isPublic: boolean; placed?: PlacedContribution }> {
  if (!row.sentAt) {
    const isOwn = brought.browserToken !== undefined && row.browserHash?.equals(hashBrowser(ctx, brought.browserToken))
    if (!isOwn) throw new AppError('not-found')
    return { isPublic: false }
  }
  const placed = await requirePlacedContribution(ctx, tx, eq(contributions.id, row.heldBy))
  const { activity, contribution, project } = placed
  const { state } = contribution
  if (row.goneAt || state === 'withdrawn' || state === 'erased') throw new AppError('gone')
  if (row.removedAt) {
    if (!checkPermission(ctx.viewer, 'contributions.see-original').ok) throw new AppError('gone')
    return { isPublic: false, placed }
  }
  if (READABLE_STATES.includes(state)) {
    return { isPublic: activity.status !== 'draft' && project.status !== 'draft' && project.visibility === 'public', placed }
  }
  const mayModerate = checkPermission(ctx.viewer, 'contributions.moderate', toPermissionTarget(project)).ok
  if (mayModerate || isAuthor(ctx, placed, brought)) return { isPublic: false, placed }
  throw new AppError(state === 'held' ? 'not-found' : 'gone')
}

/** Each look at a removed photo is in the audit trail, as those at removed passages are. */
const recordLook = (ctx: Ctx, { contribution, project }: PlacedContribution): Promise<void> =>
  ctx.db.tx((tx) =>
    recordAudit(ctx, tx, {
      action: 'contributions.see-original',
      subject: { type: 'contributions', id: contribution.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { number: contribution.number },
    }),
  )

function isAuthor({ viewer, site }: Ctx, { contribution }: PlacedContribution, { receipt }: Brought): boolean {
  if (viewer.kind === 'user' && contribution.authorId === viewer.id) return true
  const code = receipt === undefined ? undefined : parseReceiptCode(receipt)
  return code !== undefined && hashReceiptCode(site.id, code).equals(contribution.receiptHash)
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
}
const PRIVATE = { ...HEADERS, 'cache-control': 'private, no-store' }

/** Serves `/media/photos/{id}/{width}`. What is public is asked for anew each time, since it may be removed. */
export async function servePhoto({
  context: { ctx },
  params: { id, width },
  request,
}: {
  context: RequestContext
  params: { id: string; width: string }
  request: Request
}): Promise<Response> {
  const wanted = PHOTO_WIDTHS.find((one) => String(one) === width)
  try {
    if (!wanted) throw new AppError('not-found')
    const { bytes, isPublic } = await openPhoto(ctx, id, wanted, { receipt: readReceiptCode(), browserToken: readBrowserToken(ctx) })
    const tag = `"${id}-${wanted}"`
    const headers = isPublic ? { ...HEADERS, 'cache-control': 'public, no-cache', etag: tag } : PRIVATE
    if (isPublic && request.headers.get('if-none-match') === tag) return new Response(null, { status: 304, headers })
    return new Response(new Uint8Array(bytes), {
      headers: { ...headers, 'content-type': 'image/webp', 'content-length': String(bytes.length) },
    })
  } catch (error) {
    if (!isAppError(error)) throw error
    return new Response(null, { status: error.status, headers: PRIVATE })
  }
}
