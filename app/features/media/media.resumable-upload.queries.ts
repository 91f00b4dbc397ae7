import { UPLOAD_ITEM } from '#app/lib/stored-items.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { findToken } from '#app/lib/api-client/token.ts'
import { api } from '#app/shell/api.ts'
import { MAX_CHUNK_BYTES, buildUploadPath } from './media.schema.ts'

const MAX_ATTEMPTS = 6
const FIRST_RETRY_MS = 400

/**
 * Uploads a file in chunks. Resumes an interrupted upload, even from another day or page.
 * @param onProgress called with the number of bytes received
 * @returns id of the upload
 * @throws {AppError} if the file is refused or the network stays down
 */
export async function sendFile(file: File, onProgress: (received: number) => void, signal: AbortSignal): Promise<string> {
  const { id, received } = await beginOrResume(file)
  let offset = received
  let failures = 0
  while (offset < file.size) {
    onProgress(offset)
    try {
      // oxlint-disable-next-line no-await-in-loop -- each piece follows the one before
      offset = await sendPiece(id, offset, file.slice(offset, offset + MAX_CHUNK_BYTES), signal)
      failures = 0
    } catch (error) {
      failures++
      if (signal.aborted || failures >= MAX_ATTEMPTS || (isAppError(error) && error.status !== 409)) throw error
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((done) => setTimeout(done, FIRST_RETRY_MS * 2 ** (failures - 1)))
      // oxlint-disable-next-line no-await-in-loop
      offset = await loadReceivedBytes(id).catch(() => offset)
    }
  }
  onProgress(offset)
  removeUploadId(file)
  return id
}

async function sendPiece(id: string, offset: number, piece: Blob, signal: AbortSignal): Promise<number> {
  const token = findToken({ body: document.body, storage: () => window.sessionStorage })
  const answer = await fetch(buildUploadPath(id), {
    method: 'PATCH',
    headers: {
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...(token ? { 'x-api-token': `Bearer ${token}` } : {}),
    },
    body: piece,
    signal,
  })
  if (answer.ok) return Number(answer.headers.get('upload-offset'))
  if (answer.status === 409) throw new AppError('conflict')
  if (answer.status >= 500) throw new Error(`The server responded to a chunk with ${answer.status}`)
  throw new AppError(answer.status === 413 ? 'too-large' : answer.status === 404 ? 'not-found' : 'forbidden')
}

const loadReceivedBytes = async (id: string) => (await api.get('media-uploads', id)).data.received

async function beginOrResume(file: File): Promise<{ id: string; received: number }> {
  const known = findStoredUpload(file)
  if (known) {
    const received = await loadReceivedBytes(known).catch(() => undefined)
    if (received !== undefined) return { id: known, received }
  }
  const { data } = await api.create('media-uploads', { attributes: { name: file.name, bytes: file.size } })
  storeUploadId(file, data.id)
  return { id: data.id, received: 0 }
}

const buildStorageKey = ({ name, size, lastModified }: File) => `${UPLOAD_ITEM.name}${name}:${size}:${lastModified}`

function findStoredUpload(file: File): string | undefined {
  try {
    return localStorage.getItem(buildStorageKey(file)) ?? undefined
  } catch {
    return undefined
  }
}

function storeUploadId(file: File, id: string): void {
  try {
    localStorage.setItem(buildStorageKey(file), id)
  } catch {
    // Without storage, an interrupted upload starts over.
  }
}

function removeUploadId(file: File): void {
  try {
    localStorage.removeItem(buildStorageKey(file))
  } catch {
    // Storage is blocked: there is nothing to remove.
  }
}
