import sharp from 'sharp'
import { receiveUploadPiece } from '#app/features/media/media.files.server.ts'
import { buildUploadPath } from '#app/features/media/media.schema.ts'
import { createCtx } from '#app/server/context.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createApiClient, buildResourceDocument } from './api.ts'
import { requestContext } from '#tests/support/request-context.ts'

export const createPicture = (width = 1600, height = 900, background = '#2a6f4f') =>
  sharp({ create: { width, height, channels: 3, background } })

export function sendPiece(
  runtime: Runtime,
  site: Site,
  piece: { id: string; token?: string; offset: number; bytes: Buffer; type?: string },
): Promise<Response> {
  const request = new Request(`http://${site.host}${buildUploadPath(piece.id)}`, {
    method: 'PATCH',
    headers: {
      'content-type': piece.type ?? 'application/offset+octet-stream',
      'content-length': String(piece.bytes.length),
      'upload-offset': String(piece.offset),
      ...(piece.token ? { 'x-api-token': `Bearer ${piece.token}` } : {}),
    },
    body: new Uint8Array(piece.bytes),
  })
  return receiveUploadPiece({ context: requestContext(createCtx(runtime, site)), params: { id: piece.id }, request })
}

/** Uploads a whole file. @returns the upload's id */
export async function uploadFile(runtime: Runtime, site: Site, token: string, bytes: Buffer, name = 'picture.jpg'): Promise<string> {
  const begun = await createApiClient(runtime, site, token).post(
    '/media-uploads',
    buildResourceDocument('media-uploads', { name, bytes: bytes.length }),
  )
  const id = (begun.body?.data as { id?: string } | undefined)?.id
  if (!id) throw new Error(JSON.stringify(begun.body))
  for (let offset = 0; offset < bytes.length; offset += 1_000_000) {
    await sendPiece(runtime, site, { id, token, offset, bytes: bytes.subarray(offset, offset + 1_000_000) })
  }
  return id
}
