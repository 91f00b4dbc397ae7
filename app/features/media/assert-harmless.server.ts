import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { findVirus, ScannerFault } from '#app/server/virus-scanner.ts'

interface UploadPlace {
  /** What the file was uploaded to, as the audit trail names it. */
  subject?: { type: string; id: string }
  projectId?: string
  /** Where the fault belongs in the form or document that brought the file. */
  pointer?: string
  /** A participant's file: the trail does not say whose, because it may belong to an anonymous survey. */
  isParticipants?: boolean
}

/**
 * Has a file scanned before anything else reads or stores it, if the operator has named a scanner. The trail and the log name the virus and
 * the place, and keep nothing of the file.
 * @throws {AppError} `invalid` with `file-infected`; `unavailable` if the scanner gives no verdict
 */
export async function assertHarmless(ctx: Ctx, file: Uint8Array, place: UploadPlace = {}): Promise<void> {
  const { env, log } = ctx.runtime
  if (!env.CLAMD_ADDRESS) return
  const virus = await findVirus(env.CLAMD_ADDRESS, file).catch((error: unknown) => {
    if (!(error instanceof ScannerFault)) throw error
    log.warn('a file was refused because the virus scanner gave no verdict', { requestId: ctx.requestId, error: error.message })
    throw new AppError('unavailable', { detail: { key: 'scanner-away' } })
  })
  if (!virus) return
  log.warn('a file with a virus was refused', { requestId: ctx.requestId, site: ctx.site.slug, virus })
  const { subject, projectId, pointer, isParticipants } = place
  const known = isParticipants ? { ...ctx, viewer: VISITOR, address: null } : ctx
  // The caller's transaction, if there is one, is rolled back.
  await ctx.runtime.database
    .site(ctx.site.id)
    .tx((tx) => recordAudit(known, tx, { action: 'infected-files.refuse', subject, projectId, detail: { virus, bytes: file.length } }))
  throw new AppError('invalid', { faults: [{ code: 'file-infected', ...(pointer ? { pointer } : {}) }] })
}
