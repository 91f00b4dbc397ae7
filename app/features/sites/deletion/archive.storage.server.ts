import { createHash } from 'node:crypto'
import { AppError } from '#app/lib/app-error.ts'
import type { siteDeletions } from '#app/server/db/schema.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { storageOf } from '#app/server/storage/storage.ts'

type Kept = Pick<typeof siteDeletions.$inferSelect, 'id' | 'exportAttempt' | 'exportPieces' | 'exportBytes' | 'exportSha256'>

/** Below it lie the exports of a site that is to be deleted: with the platform's own files, since they outlive the site's. */
export const archiveKey = (siteId: string): string => `${PLATFORM_SITE_ID}/site-exports/${siteId}`
export const attemptKey = (siteId: string, attempt: string): string => `${archiveKey(siteId)}/${attempt}`
export const pieceKey = (siteId: string, attempt: string, piece: number): string => `${attemptKey(siteId, attempt)}/${piece}`

/** An archive as it was stored, piece by piece. @throws {AppError} `gone` where one is missing */
export async function* archivePieces(runtime: Runtime, { id, exportAttempt, exportPieces }: Kept): AsyncGenerator<Uint8Array> {
  const storage = storageOf(runtime.env)
  for (let piece = 0; piece < (exportPieces ?? 0); piece++) {
    const bytes = await storage.get(pieceKey(id, exportAttempt ?? '', piece))
    if (!bytes) throw new AppError('gone')
    yield bytes
  }
}

/** Whether every byte of the archive lies where it was put. */
export async function isWhole(runtime: Runtime, row: Kept): Promise<boolean> {
  if (!row.exportAttempt || !row.exportPieces) return false
  const hash = createHash('sha256')
  let length = 0
  const storage = storageOf(runtime.env)
  for (let piece = 0; piece < row.exportPieces; piece++) {
    const bytes = await storage.get(pieceKey(row.id, row.exportAttempt, piece))
    if (!bytes) return false
    hash.update(bytes)
    length += bytes.length
  }
  return length === row.exportBytes && hash.digest('hex') === row.exportSha256
}
