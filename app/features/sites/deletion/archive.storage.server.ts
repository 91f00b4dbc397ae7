import { createHash } from 'node:crypto'
import { AppError } from '#app/lib/app-error.ts'
import type { siteDeletions } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { openStorage } from '#app/server/storage/storage.ts'

type StoredExport = Pick<typeof siteDeletions.$inferSelect, 'id' | 'exportAttempt' | 'exportPieces' | 'exportBytes' | 'exportSha256'>

/** Storage prefix for the exports of a site being deleted: among the platform's own files, since they outlive the site's. */
export const buildArchiveKey = (siteId: string): string => `${PLATFORM_SITE_ID}/site-exports/${siteId}`
export const buildAttemptKey = (siteId: string, attempt: string): string => `${buildArchiveKey(siteId)}/${attempt}`
export const buildPieceKey = (siteId: string, attempt: string, piece: number): string => `${buildAttemptKey(siteId, attempt)}/${piece}`

/** Streams a stored archive piece by piece. @throws {AppError} `gone` if one is missing */
export async function* readArchivePieces(runtime: Runtime, { id, exportAttempt, exportPieces }: StoredExport): AsyncGenerator<Uint8Array> {
  const storage = openStorage(runtime.env)
  for (let piece = 0; piece < (exportPieces ?? 0); piece++) {
    const bytes = await storage.get(buildPieceKey(id, exportAttempt ?? '', piece))
    if (!bytes) throw new AppError('gone')
    yield bytes
  }
}

/** Verifies that the stored archive is complete, byte for byte. */
export async function isArchiveWhole(runtime: Runtime, row: StoredExport): Promise<boolean> {
  if (!row.exportAttempt || !row.exportPieces) return false
  const hash = createHash('sha256')
  let length = 0
  const storage = openStorage(runtime.env)
  for (let piece = 0; piece < row.exportPieces; piece++) {
    const bytes = await storage.get(buildPieceKey(row.id, row.exportAttempt, piece))
    if (!bytes) return false
    hash.update(bytes)
    length += bytes.length
  }
  return length === row.exportBytes && hash.digest('hex') === row.exportSha256
}
