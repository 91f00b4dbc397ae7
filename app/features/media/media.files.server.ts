import { and, eq } from 'drizzle-orm'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { PICTURE_WIDTHS } from '#app/lib/picture-address.ts'
import { isId } from '#app/lib/uuid.ts'
import type { PictureType } from '#app/lib/vocabulary/media.ts'
import { readBoundedBody } from '#app/server/bounded-body.ts'
import { type Ctx, withViewer } from '#app/server/context.ts'
import { mediaAssets } from '#app/server/db/schema/media.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { drawPicture } from './media.image.server.ts'
import { MAX_CHUNK_BYTES } from './media.schema.ts'
import { buildOriginalKey, buildSizeKey } from './media.storage.server.ts'
import { receiveChunk, loadUploadsById } from './media.uploads.server.ts'

const UNVERSIONED_WIDTH = 1280
/** Nothing in a file may run as a script, whatever type a browser sniffs. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

interface PictureRequest {
  id: string
  /** Absent if content names the picture without a version, as a draft in preview does. */
  version?: string | undefined
  width?: string | undefined
  accept: string
}

interface DrawnPicture {
  bytes: Buffer
  mediaType: PictureType
  /** True if the URL names the current version, so that the response can be cached forever. */
  isFixed: boolean
  tag: string
}

/** One of this site's pictures in the given width and the best type the browser accepts; undefined if there is none. */
async function loadPictureFile(ctx: Ctx, { id, version, width, accept }: PictureRequest): Promise<DrawnPicture | undefined> {
  if (!isId(id)) return undefined
  const [row] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(mediaAssets)
      .where(and(eq(mediaAssets.siteId, ctx.site.id), eq(mediaAssets.id, id))),
  )
  const wanted = Math.min(Number(width ?? UNVERSIONED_WIDTH), row?.width ?? 0)
  if (!row || (wanted !== row.width && !PICTURE_WIDTHS.some((one) => one === wanted))) return undefined
  const isFixed = version === String(row.version)
  if (version !== undefined && !isFixed && !/^\d{1,9}$/.test(version)) return undefined
  const mediaType = choosePictureType(row.mediaType, accept)
  const key = buildSizeKey(ctx.site.id, id, row.version, wanted, mediaType)
  const bytes = await loadOrDraw(ctx, key, { original: buildOriginalKey(ctx.site.id, id, row.version), width: wanted, mediaType })
  return bytes && { bytes, mediaType, isFixed, tag: `"${row.version}-${wanted}-${mediaType.slice(6)}"` }
}

function choosePictureType(own: PictureType, accept: string): PictureType {
  if (own === 'image/gif') return accept.includes('image/webp') ? 'image/webp' : own
  if (accept.includes('image/avif')) return 'image/avif'
  if (accept.includes('image/webp')) return 'image/webp'
  return own === 'image/avif' || own === 'image/webp' ? 'image/jpeg' : own
}

/** Renditions in progress: concurrent requests for the same size share one. */
const pendingDrawings = new Map<string, Promise<Buffer | undefined>>()

async function loadOrDraw(
  { runtime: { env } }: Ctx,
  key: string,
  { original, width, mediaType }: { original: string; width: number; mediaType: PictureType },
): Promise<Buffer | undefined> {
  const storage = openStorage(env)
  const kept = await storage.get(key)
  if (kept) return kept
  const draw = async () => {
    const file = await storage.get(original)
    if (!file) return undefined
    const drawn = await drawPicture(file, width, mediaType)
    await storage.put(key, drawn)
    return drawn
  }
  const drawing = pendingDrawings.get(key) ?? draw()
  pendingDrawings.set(key, drawing)
  try {
    return await drawing
  } finally {
    pendingDrawings.delete(key)
  }
}

export async function servePicture({ context, params, request }: RouteInput<{ _splat?: string }>): Promise<Response> {
  const { _splat: path = '' } = params
  const [id = '', version, width, ...more] = path.split('/')
  const isWhole = version === undefined || width !== undefined
  const accept = request.headers.get('accept') ?? ''
  const found = more.length || !isWhole ? undefined : await loadPictureFile(context.ctx, { id, version, width, accept })
  if (!found) return new Response(null, { status: 404 })
  const headers = {
    'cache-control': found.isFixed ? 'public, max-age=31536000, immutable' : 'public, no-cache',
    vary: 'Accept',
    etag: found.tag,
    'content-security-policy': CONTENT_POLICY,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
  if (request.headers.get('if-none-match') === found.tag) return new Response(null, { status: 304, headers })
  return new Response(new Uint8Array(found.bytes), {
    headers: { ...headers, 'content-type': found.mediaType, 'content-length': String(found.bytes.length) },
  })
}

interface RouteInput<Params> {
  context: RequestContext
  params: Params
  request: Request
}

const CHUNK_TYPE = 'application/offset+octet-stream'

/**
 * Accepts a chunk of an upload, or reports how much has arrived. Authenticates by `x-api-token` like the API and never by cookie, which
 * rules out cross-site requests.
 */
export async function receiveUploadPiece({ context, params, request }: RouteInput<{ id: string }>): Promise<Response> {
  try {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.get('x-api-token') ?? '')?.[1]
    const ctx = await withViewer(context.ctx, token)
    if (!isId(params.id)) throw new AppError('not-found')
    const [row] = await loadUploadsById(ctx, [params.id])
    if (!row) throw new AppError('not-found')
    if (request.method !== 'PATCH') return respondWithOffset(200, row.received)
    if (request.headers.get('content-type') !== CHUNK_TYPE) throw new AppError('unsupported-media-type')
    const offset = Number(request.headers.get('upload-offset') ?? Number.NaN)
    if (!Number.isSafeInteger(offset) || offset < 0) throw new AppError('bad-request')
    const bytes = await readBoundedBody(request, MAX_CHUNK_BYTES)
    return respondWithOffset(204, await receiveChunk(ctx, { id: params.id, offset, bytes }))
  } catch (error) {
    if (!isAppError(error)) throw error
    return new Response(null, { status: error.status, headers: { 'cache-control': 'no-store' } })
  }
}

const respondWithOffset = (status: number, received: number) =>
  new Response(null, { status, headers: { 'upload-offset': String(received), 'cache-control': 'no-store' } })
