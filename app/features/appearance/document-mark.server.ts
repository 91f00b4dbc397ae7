import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { drawPicture } from '#app/features/media/media.image.server.ts'
import { buildOriginalKey } from '#app/features/media/media.storage.server.ts'
import { findPictureId } from '#app/lib/picture-address.ts'
import type { Ctx } from '#app/server/context.ts'
import { mediaAssets } from '#app/server/db/schema/media.ts'
import type { DocumentContent, DocumentMark } from '#app/server/documents/document.schema.ts'
import { describeError } from '#app/server/log.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { readAppearance } from './appearance.schema.ts'

/** Of a logo in a document, in pixels. */
const WIDTH_PX = 480
/** A logo that is wider than this many times its height stands in a frame of this shape. */
const WIDEST = 6

/** The document with the site's logo; without, if it has none of its own or it cannot be read: no report fails for want of it. */
export async function addSiteMark(ctx: Ctx, content: DocumentContent): Promise<DocumentContent> {
  const { mark: address } = readAppearance(ctx.site.theme)
  if (address === null || address === undefined) return content
  try {
    const id = findPictureId(address)
    const mark = id === undefined ? await readOwnFile(address) : await readLibraryPicture(ctx, id)
    return mark ? { ...content, mark } : content
  } catch (error) {
    ctx.runtime.log.error('the logo of a site could not be read for a document', { site: ctx.site.id, error: describeError(error) })
    return content
  }
}

async function readLibraryPicture(ctx: Ctx, id: string): Promise<DocumentMark | undefined> {
  const [row] = await ctx.db.read((tx) =>
    tx
      .select({ version: mediaAssets.version, width: mediaAssets.width, height: mediaAssets.height })
      .from(mediaAssets)
      .where(and(eq(mediaAssets.siteId, ctx.site.id), eq(mediaAssets.id, id))),
  )
  if (!row) return undefined
  const png = await drawOnce(ctx, buildOriginalKey(ctx.site.id, id, row.version))
  if (!png) return undefined
  const { width } = row
  const height = Math.max(row.height, width / WIDEST)
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><image width="${width}" height="${height}" preserveAspectRatio="xMinYMid" href="data:image/png;base64,${png.toString('base64')}"/></svg>`,
    ratio: width / height,
  }
}

const MOST_DRAWN = 50
const drawn = new Map<string, Promise<Buffer | undefined>>()

/** The same picture for all documents: published ones are open to the public. */
function drawOnce({ runtime }: Ctx, key: string): Promise<Buffer | undefined> {
  const known = drawn.get(key)
  if (known) return known
  const draw = async () => {
    const file = await openStorage(runtime.env).get(key)
    return file && drawPicture(file, WIDTH_PX, 'image/png', { still: true })
  }
  const made = draw()
  drawn.set(key, made)
  made.catch(() => drawn.delete(key))
  for (const oldest of [...drawn.keys()].slice(0, Math.max(0, drawn.size - MOST_DRAWN))) drawn.delete(oldest)
  return made
}

/** One of Parley's own files, as the demo's logos are: drawings, as wide as they are high. */
async function readOwnFile(address: string): Promise<DocumentMark | undefined> {
  const folder = findPublicFolder(import.meta.dirname)
  if (!folder || !address.endsWith('.svg') || normalize(address) !== address) return undefined
  return { svg: await readFile(join(folder, address), 'utf8'), ratio: 1 }
}

/** The built server lies deeper or less deep than this file. */
function findPublicFolder(from: string): string | undefined {
  const folder = join(from, 'public')
  if (existsSync(folder)) return folder
  return dirname(from) === from ? undefined : findPublicFolder(dirname(from))
}
