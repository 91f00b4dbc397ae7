import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { jobTurns } from '#app/server/db/schema/jobs.ts'
import { MAX_TURN_MS } from '#app/server/jobs/run-jobs.ts'
import { JOB_NAMES, type JobName, type JobState } from './platform.schema.ts'

export interface JobTurn {
  id: JobName
  state: JobState
  everySeconds: number | null
  doneAt: Date | null
  tookMs: number | null
  failedAt: Date | null
  failures: number
}

const MISSED_TURNS_ALLOWED = 3

/** The last run of every job, those that need attention first. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listJobTurns(ctx: Ctx): Promise<JobTurn[]> {
  requirePermission(ctx, 'sites.manage')
  const rows = await ctx.runtime.database.global.select().from(jobTurns)
  const byName = new Map(rows.map((row) => [row.name, row]))
  const turns = JOB_NAMES.map((id): JobTurn => {
    const row = byName.get(id)
    if (!row) return { id, state: 'new', everySeconds: null, doneAt: null, tookMs: null, failedAt: null, failures: 0 }
    return { ...row, id, state: toJobState(row, ctx.now()) }
  })
  const order: Record<JobState, number> = { failing: 0, late: 1, new: 2, well: 3 }
  return turns.toSorted((a, b) => order[a.state] - order[b.state])
}

function toJobState({ failures, everySeconds, doneAt }: typeof jobTurns.$inferSelect, now: Date): JobState {
  if (failures > 0) return 'failing'
  if (!doneAt) return 'new'
  const lateAfter = MISSED_TURNS_ALLOWED * everySeconds * 1000 + MAX_TURN_MS
  return now.getTime() - doneAt.getTime() > lateAfter ? 'late' : 'well'
}
