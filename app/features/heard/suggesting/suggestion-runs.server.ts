import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themeSuggestionRuns } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { requireProjectFor } from '../heard.policy.server.ts'
import { getReaderId, parseSourceKey } from '../written-texts.server.ts'
import type { themeSuggestionRunShape } from './suggestions.api.schema.ts'

export type RunRow = typeof themeSuggestionRuns.$inferSelect

const IN_PROGRESS = ['waiting', 'running'] as const

/**
 * Asks for suggestions, which a job then makes. If they are being made already, for whomever, these are the ones.
 * @returns the run's id
 * @throws {AppError} `not-found`, `forbidden`
 */
export async function requestSuggestions(ctx: Ctx, input: Omit<CreateInput<typeof themeSuggestionRunShape>, 'id'>): Promise<string> {
  const { project: projectId, source, language } = input
  parseSourceKey(source)
  return ctx.db.tx(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', projectId)
    const id = createId()
    const added = await tx
      .insert(themeSuggestionRuns)
      .values({ siteId: ctx.site.id, id, projectId, source, language, createdBy: getReaderId(ctx), createdAt: ctx.now() })
      .onConflictDoNothing()
      .returning({ id: themeSuggestionRuns.id })
    if (added.length > 0) return id
    const [known] = await tx
      .select({ id: themeSuggestionRuns.id })
      .from(themeSuggestionRuns)
      .where(isSameKey(ctx, { projectId, source, language }))
      .orderBy(desc(themeSuggestionRuns.createdAt))
      .limit(1)
    return known?.id ?? id
  })
}

/** Of the same texts. */
export const isSameKey = (
  { site }: Pick<Ctx, 'site'>,
  { projectId, source, language }: Pick<RunRow, 'projectId' | 'source' | 'language'>,
) =>
  and(
    eq(themeSuggestionRuns.siteId, site.id),
    eq(themeSuggestionRuns.projectId, projectId),
    eq(themeSuggestionRuns.source, source),
    eq(themeSuggestionRuns.language, language),
  )

/** Cancels a run in progress, or deletes what it suggested. What was confirmed stays. @throws {AppError} `not-found`, `forbidden` */
export function removeRun(ctx: Ctx, { id, projectId }: RunRow): Promise<void> {
  return ctx.db.tx(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', projectId)
    const isThis = and(eq(themeSuggestionRuns.siteId, ctx.site.id), eq(themeSuggestionRuns.id, id))
    const cancelled = await tx
      .update(themeSuggestionRuns)
      .set({ state: 'cancelled', finishedAt: ctx.now(), lease: null })
      .where(and(isThis, inArray(themeSuggestionRuns.state, IN_PROGRESS)))
      .returning({ id: themeSuggestionRuns.id })
    if (cancelled.length === 0) await tx.delete(themeSuggestionRuns).where(isThis)
  })
}

const selectRuns = (tx: Tx) =>
  tx
    .select({ run: themeSuggestionRuns })
    .from(themeSuggestionRuns)
    .innerJoin(projects, and(eq(projects.siteId, themeSuggestionRuns.siteId), eq(projects.id, themeSuggestionRuns.projectId)))

/** Of projects in which the viewer may read what people wrote. */
const isVisible = (ctx: Ctx) =>
  and(eq(themeSuggestionRuns.siteId, ctx.site.id), scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id }))

export const loadRuns = (ctx: Ctx, ids: readonly string[]): Promise<RunRow[]> =>
  ctx.db.read(async (tx) => {
    const rows = await selectRuns(tx).where(and(isVisible(ctx), inArray(themeSuggestionRuns.id, [...ids])))
    return rows.map(({ run }) => run)
  })

export function listRuns(ctx: Ctx, { filter, sort, page }: ListQuery<typeof themeSuggestionRunShape>): Promise<ListResult<RunRow>> {
  const where = and(
    isVisible(ctx),
    filter.project ? eq(themeSuggestionRuns.projectId, filter.project) : undefined,
    filter.source ? eq(themeSuggestionRuns.source, filter.source) : undefined,
    filter.language ? eq(themeSuggestionRuns.language, filter.language) : undefined,
  )
  return ctx.db.read(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(themeSuggestionRuns)
      .innerJoin(projects, and(eq(projects.siteId, themeSuggestionRuns.siteId), eq(projects.id, themeSuggestionRuns.projectId)))
      .where(where)
    const direction = sort.some(({ descending }) => descending) ? sql`desc` : sql`asc`
    const rows = await selectRuns(tx)
      .where(where)
      .orderBy(sql`${themeSuggestionRuns.createdAt} ${direction}`, sql`${themeSuggestionRuns.id} ${direction}`)
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(({ run }) => run), total: counted?.total ?? 0 }
  })
}
