import type { Ctx } from '#app/server/context.ts'
import { csvFile } from '#app/server/csv-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { auditFilterOf, readAuditSearch } from './audit-search.ts'
import { type AuditEvent, listAudit, seesAddresses } from './audit.list.server.ts'
import { recordAudit } from './audit.server.ts'

const AT_ONCE = 500
const HEADS = ['number', 'at', 'actor', 'actor_id', 'role', 'action', 'subject_type', 'subject_id', 'subject', 'address', 'detail', 'hash']

/** The trail as a file, with what the screen is filtered by; making it is itself noted. */
export function auditFile({ context: { ctx }, request }: { context: RequestContext; request: Request }): Promise<Response> {
  return csvFile(ctx, async () => {
    const search = readAuditSearch(Object.fromEntries(new URL(request.url).searchParams))
    const filter = auditFilterOf(search, ctx.site.timeZone)
    const { total } = await listAudit(ctx, { filter, offset: 0, limit: 1 })
    await ctx.db.tx((tx) => recordAudit(ctx, tx, { action: 'audit-events.export', detail: { lines: total, ...search } }))
    return { filename: `audit-${ctx.now().toISOString().slice(0, 10)}.csv`, heads: HEADS, rows: rowsOf(ctx, filter, total) }
  })
}

/** Oldest first: lines that are written meanwhile come after the last. */
async function* rowsOf(ctx: Ctx, filter: Parameters<typeof listAudit>[1]['filter'], total: number) {
  const withAddress = seesAddresses(ctx.viewer)
  for (let offset = 0; offset < total; offset += AT_ONCE) {
    const { rows } = await listAudit(ctx, { filter, oldestFirst: true, offset, limit: Math.min(AT_ONCE, total - offset) })
    yield rows.map((event) => line(event, withAddress))
  }
}

const line = (event: AuditEvent, withAddress: boolean) => [
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
