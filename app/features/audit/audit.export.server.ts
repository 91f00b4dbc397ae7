import { requirePermissionSomewhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { createCsvResponse } from '#app/server/csv-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { toAuditFilter, readAuditSearch } from './audit-search.ts'
import { type AuditEvent, listAudit, canSeeAddresses } from './audit.list.server.ts'
import { recordPersonalDownload } from './audit.server.ts'

const LINES_PER_BATCH = 500
const CSV_COLUMNS = [
  'number',
  'at',
  'actor',
  'actor_id',
  'role',
  'action',
  'subject_type',
  'subject_id',
  'subject',
  'address',
  'detail',
  'hash',
]

/** Exports the trail as CSV, with the screen's filters. The export is itself audited. */
export function exportAudit({ context: { ctx }, request }: { context: RequestContext; request: Request }): Promise<Response> {
  return createCsvResponse(ctx, async () => {
    requirePermissionSomewhere(ctx, 'audit.export')
    const search = readAuditSearch(Object.fromEntries(new URL(request.url).searchParams))
    const filter = toAuditFilter(search, ctx.site.timeZone)
    const { total } = await listAudit(ctx, { filter, offset: 0, limit: 1 })
    await ctx.db.tx((tx) => recordPersonalDownload(ctx, tx, { action: 'audit-events.export', detail: { lines: total, ...search } }))
    return { filename: `audit-${ctx.now().toISOString().slice(0, 10)}.csv`, heads: CSV_COLUMNS, rows: streamAuditRows(ctx, filter, total) }
  })
}

/** Oldest first, so that events written meanwhile come after the last page. */
async function* streamAuditRows(ctx: Ctx, filter: Parameters<typeof listAudit>[1]['filter'], total: number) {
  const withAddress = canSeeAddresses(ctx.viewer)
  for (let offset = 0; offset < total; offset += LINES_PER_BATCH) {
    const { rows } = await listAudit(ctx, { filter, oldestFirst: true, offset, limit: Math.min(LINES_PER_BATCH, total - offset) })
    yield rows.map((event) => toCsvRow(event, withAddress))
  }
}

const toCsvRow = (event: AuditEvent, withAddress: boolean) => [
  event.sequence,
  event.at.toISOString(),
  event.actorName,
  event.actorId,
  event.actorRole,
  event.action,
  event.subjectType,
  event.subjectId,
  event.subjectName,
  withAddress ? event.address : null,
  JSON.stringify(event.detail),
  event.hash.toString('hex'),
]
