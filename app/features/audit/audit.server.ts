import { newId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { auditEvents } from '#app/server/db/schema.ts'

export interface AuditEntry {
  /** What was done, named like the thing and the act: `projects.publish`, `responses.export`, `sessions.create`. */
  action: string
  subject?: { type: string; id: string }
  hubId?: string | null
  projectId?: string | null
  /** Facts that help to understand it later. Never passwords, tokens, answers or e-mail addresses. */
  detail?: Record<string, unknown>
  /** Who did it, where that is not the context's viewer: somebody signing in, say. */
  actor?: { id: string; role: string }
  /** Whose trail, where that is not the context's site: the platform's own. The transaction must be bound to it. */
  siteId?: string
}

/** Writes one line of the site's audit trail, in the transaction of what it tells about. */
export async function recordAudit(ctx: Ctx, tx: Tx, entry: AuditEntry): Promise<void> {
  const viewer = ctx.viewer.kind === 'user' ? { id: ctx.viewer.id, role: ctx.viewer.roleName } : undefined
  const actor = entry.actor ?? viewer
  await tx.insert(auditEvents).values({
    siteId: entry.siteId ?? ctx.site.id,
    id: newId(),
    at: ctx.now(),
    actorId: actor?.id ?? null,
    actorRole: actor?.role ?? null,
    action: entry.action,
    subjectType: entry.subject?.type ?? null,
    subjectId: entry.subject?.id ?? null,
    hubId: entry.hubId ?? null,
    projectId: entry.projectId ?? null,
    address: ctx.address,
    detail: entry.detail ?? {},
  })
}
