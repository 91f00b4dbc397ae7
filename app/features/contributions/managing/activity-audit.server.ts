import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'

export const recordActivityAudit = (
  ctx: Ctx,
  tx: Tx,
  project: Pick<ProjectRow, 'id' | 'hubId'>,
  { id, ...entry }: { id: string } & Pick<Parameters<typeof recordAudit>[2], 'action' | 'changes' | 'detail'>,
): Promise<void> => recordAudit(ctx, tx, { ...entry, subject: { type: 'activities', id }, hubId: project.hubId, projectId: project.id })
