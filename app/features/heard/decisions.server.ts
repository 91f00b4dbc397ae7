import { and, eq, inArray, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { hasText } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { decisionDelays, decisions, decisionThemes, themes } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { checkTranslations } from '#app/server/translations.ts'
import type { decisionShape } from './decisions.api.schema.ts'
import { requireProjectFor } from './heard.policy.server.ts'
import { listDecisionTexts } from './heard.schema.ts'

export type DecisionRow = typeof decisions.$inferSelect

/**
 * A draft until the decisions of its project are published.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `required` without a reason
 */
export function createDecision(ctx: Ctx, input: CreateInput<typeof decisionShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'projects.edit', input.project)
    const id = createId()
    // Decisions of one project are numbered one after the other.
    await tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, project.id)))
      .for('update')
    const [row] = await tx
      .insert(decisions)
      .values({
        siteId: ctx.site.id,
        id,
        projectId: project.id,
        number: sql`(select coalesce(max(d.number), 0) + 1 from decisions d where d.site_id = ${ctx.site.id} and d.project_id = ${project.id})`,
        title: input.titleTranslations,
        text: input.textTranslations ?? {},
        outcome: input.outcome,
        reason: input.reasonTranslations,
        body: input.bodyTranslations ?? {},
        decidedOn: input.decidedOn,
        delivery: input.delivery ?? 'planned',
        deliveryNote: input.deliveryNoteTranslations ?? {},
        dueOn: input.dueOn ?? null,
      })
      .returning()
    if (row)
      await checkTranslations(ctx, tx, { subjectId: id, before: [], after: listDecisionTexts(row), wasPublic: false, isPublic: false })
    if (input.themes) await linkThemes(ctx, tx, project.id, id, input.themes)
    await recordDecisionAudit(ctx, tx, project, 'decisions.create', id)
    return id
  })
}

/**
 * Once it is public, a promised day changes only with a reason, which stays beside the former day.
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid` with `required`, or with what a public one lacks in a language of the site
 */
export function updateDecision(ctx: Ctx, row: DecisionRow, input: UpdateInput<typeof decisionShape>, lockVersion: number): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'projects.edit', row.projectId)
    if (input.reasonTranslations && !hasText(input.reasonTranslations)) throw requiredAt('/reasonTranslations')
    if (input.titleTranslations && !hasText(input.titleTranslations)) throw requiredAt('/titleTranslations')
    const saved: Partial<DecisionRow> = {
      ...(input.titleTranslations && { title: input.titleTranslations }),
      ...(input.textTranslations && { text: input.textTranslations }),
      ...(input.outcome && { outcome: input.outcome }),
      ...(input.reasonTranslations && { reason: input.reasonTranslations }),
      ...(input.bodyTranslations && { body: input.bodyTranslations }),
      ...(input.decidedOn && { decidedOn: input.decidedOn }),
      ...(input.delivery && { delivery: input.delivery }),
      ...(input.deliveryNoteTranslations && { deliveryNote: input.deliveryNoteTranslations }),
      ...(input.dueOn !== undefined && { dueOn: input.dueOn }),
    }
    const next = { ...row, ...saved }
    const changed = await tx
      .update(decisions)
      .set({ ...saved, lockVersion: sql`${decisions.lockVersion} + 1` })
      .where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.id, row.id), eq(decisions.lockVersion, lockVersion)))
      .returning({ id: decisions.id })
    if (changed.length === 0) throw new AppError('stale')
    if (row.publishedAt && row.dueOn && next.dueOn !== row.dueOn) {
      if (!input.delayReason) throw requiredAt('/delayReason')
      await tx.insert(decisionDelays).values({
        siteId: ctx.site.id,
        id: createId(),
        decisionId: row.id,
        projectId: row.projectId,
        dueBefore: row.dueOn,
        dueAfter: next.dueOn,
        reason: { [ctx.language]: input.delayReason },
        createdAt: ctx.now(),
      })
    }
    const isPublic = row.publishedAt !== null
    await checkTranslations(ctx, tx, {
      subjectId: row.id,
      before: listDecisionTexts(row),
      after: listDecisionTexts(next),
      wasPublic: isPublic,
      isPublic,
      waived: input.waived,
    })
    if (input.themes) await linkThemes(ctx, tx, row.projectId, row.id, input.themes)
    await recordDecisionAudit(ctx, tx, project, 'decisions.update', row.id, { changes: listChanges(row, saved) })
  })
}

const requiredAt = (pointer: string) => new AppError('invalid', { faults: [{ code: 'required', pointer }] })

/** @throws {AppError} `not-found` if a theme is not of this project */
async function linkThemes(ctx: Ctx, tx: Tx, projectId: string, decisionId: string, wanted: readonly string[]): Promise<void> {
  const ids = [...new Set(wanted)]
  const isOfDecision = and(eq(decisionThemes.siteId, ctx.site.id), eq(decisionThemes.decisionId, decisionId))
  await tx.delete(decisionThemes).where(isOfDecision)
  if (ids.length === 0) return
  const known = await tx
    .select({ id: themes.id })
    .from(themes)
    .where(and(eq(themes.siteId, ctx.site.id), eq(themes.projectId, projectId), inArray(themes.id, ids)))
  if (known.length !== ids.length) throw new AppError('not-found', { pointer: '/themes' })
  await tx.insert(decisionThemes).values(ids.map((themeId) => ({ siteId: ctx.site.id, decisionId, themeId, projectId })))
}

/** Only one that was never public: people may have been told of the others. @throws {AppError} `not-found`, `forbidden`, `already-published` */
export function deleteDecision(ctx: Ctx, row: DecisionRow): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'projects.edit', row.projectId)
    if (row.publishedAt) throw new AppError('already-published')
    await tx.delete(decisions).where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.id, row.id)))
    await recordDecisionAudit(ctx, tx, project, 'decisions.delete', row.id, { detail: { title: row.title } })
  })
}

const recordDecisionAudit = (
  ctx: Ctx,
  tx: Tx,
  project: ProjectRow,
  action: 'decisions.create' | 'decisions.update' | 'decisions.delete',
  id: string,
  more: Pick<Parameters<typeof recordAudit>[2], 'changes' | 'detail'> = {},
) => recordAudit(ctx, tx, { action, subject: { type: 'decisions', id }, hubId: project.hubId, projectId: project.id, ...more })
