import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { separateContributionTraces, separateSomeContributions } from '#app/features/contributions/own/project-contributions.server.ts'
import { separateSignUps } from '#app/features/events/signing-up/cancel-sign-up.server.ts'
import { deleteAnsweringTraces, separateSomeResponses } from '#app/features/surveys/responses/erase-account-responses.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectRetentions, projects } from '#app/server/db/schema/projects.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { addRow, isRowOf, isWorkDue, type ProjectRetention, selectRetentions } from './project-retentions.server.ts'
import { mailRemoval } from './removal-mails.server.ts'

/**
 * Removes the personal data of projects that closed long enough ago, and tells their teams 30 days before. Answers and public contributions
 * stay without their authors. May be stopped at any time: the next run goes on. Run by a job.
 * @returns of how many projects data was removed
 */
export const removePersonalData = (runtime: Runtime, ending?: AbortSignal): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    const due = await ctx.db.read((tx) => selectRetentions(ctx, tx, isWorkDue(ctx.now())))
    let removed = 0
    for (const { id } of due) {
      if (ending?.aborted) break
      await ctx.db.tx((tx) => tellTeam(ctx, tx, id))
      removed += Number(await removeFromProject(ctx, id, ending))
    }
    return removed
  })

/** Locks the project's row: a second process waits here, then sees what the first one did. Nor can the project open again meanwhile. */
async function lockRetention(ctx: Ctx, tx: Tx, projectId: string): Promise<ProjectRetention | undefined> {
  const own = and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId))
  const [project] = await tx.select({ id: projects.id }).from(projects).where(own).for('share')
  if (!project) return undefined
  await addRow(ctx, tx, projectId)
  await tx.select({ id: projectRetentions.projectId }).from(projectRetentions).where(isRowOf(ctx, projectId)).for('update')
  const [row] = await selectRetentions(ctx, tx, and(eq(projects.id, projectId), isWorkDue(ctx.now())))
  return row
}

async function tellTeam(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  const row = await lockRetention(ctx, tx, projectId)
  if (!row?.removalAt || !row.dueAt || (row.warnedFor && row.warnedFor >= row.dueAt)) return
  await tx.update(projectRetentions).set({ warnedAt: ctx.now(), warnedFor: row.removalAt }).where(isRowOf(ctx, projectId))
  await mailRemoval(ctx, tx, row, row.removalAt)
}

/** In transactions of a few hundred rows each, so that nobody waits long. Each looks again whether the data is still due. */
async function removeFromProject(ctx: Ctx, projectId: string, ending?: AbortSignal): Promise<boolean> {
  for (;;) {
    if (ending?.aborted) return false
    const step = await ctx.db.tx((tx) => removeSome(ctx, tx, projectId))
    if (step !== 'more') return step === 'done'
  }
}

async function removeSome(ctx: Ctx, tx: Tx, projectId: string): Promise<'more' | 'done' | 'not-due'> {
  const row = await lockRetention(ctx, tx, projectId)
  if (!row?.closedAt || !row.removalAt || !row.warnedFor || row.removalAt > ctx.now()) return 'not-due'
  if ((await separateSomeResponses(ctx, tx, projectId)) > 0) return 'more'
  if ((await separateSomeContributions(ctx, tx, projectId)) > 0) return 'more'
  await separateSignUps(ctx, tx, projectId)
  await deleteAnsweringTraces(ctx, tx, projectId)
  await separateContributionTraces(ctx, tx, projectId)
  await tx.update(projectRetentions).set({ removedAt: ctx.now(), removedFor: row.closedAt }).where(isRowOf(ctx, projectId))
  await recordAudit(ctx, tx, {
    action: 'projects.remove-personal-data',
    subject: { type: 'projects', id: projectId },
    hubId: row.hubId,
    projectId,
    detail: { closedAt: row.closedAt, months: row.keptMonths ?? row.siteMonths, toldAt: row.warnedAt },
  })
  return 'done'
}
