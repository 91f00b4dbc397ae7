import { and, eq, max, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themeEvidence, themes } from '#app/server/db/schema/heard.ts'
import { requireProjectFor } from './heard.policy.server.ts'
import { loadProjectThemes, type ThemeRow } from './theme-figures.server.ts'
import type { themeShape } from './themes.api.schema.ts'

/** @returns the new theme's id @throws {AppError} `not-found`, `forbidden`, `theme-loop` */
export function createTheme(ctx: Ctx, input: CreateInput<typeof themeShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'responses.see', input.project)
    const id = createId()
    await requireNoLoop(ctx, tx, project.id, { id, parentId: input.parent ?? null, mergedInto: null })
    await addTheme(ctx, tx, project, {
      id,
      title: input.titleTranslations,
      description: input.descriptionTranslations ?? {},
      stance: input.stance ?? 'suggestion',
      parentId: input.parent ?? null,
      ...(input.position !== undefined && { position: input.position }),
    })
    return id
  })
}

/** Adds a theme at the end of the list, unless it has a position. Does not check permissions. */
export async function addTheme(
  ctx: Ctx,
  tx: Tx,
  project: ProjectRow,
  values: Omit<typeof themes.$inferInsert, 'siteId' | 'projectId'>,
): Promise<void> {
  const position = values.position ?? (await findNextPosition(ctx, tx, project.id))
  await tx.insert(themes).values({ ...values, siteId: ctx.site.id, projectId: project.id, position })
  await recordThemeAudit(ctx, tx, project, 'themes.create', values.id)
}

export async function findNextPosition(ctx: Ctx, tx: Tx, projectId: string): Promise<number> {
  const [last] = await tx
    .select({ position: max(themes.position) })
    .from(themes)
    .where(and(eq(themes.siteId, ctx.site.id), eq(themes.projectId, projectId)))
  return (last?.position ?? 0) + 1
}

/** @throws {AppError} `not-found`, `forbidden`, `stale`, `theme-loop` */
export function updateTheme(ctx: Ctx, row: ThemeRow, input: UpdateInput<typeof themeShape>, lockVersion: number): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'responses.see', row.projectId)
    const saved: Partial<ThemeRow> = {
      ...(input.titleTranslations && { title: input.titleTranslations }),
      ...(input.descriptionTranslations && { description: input.descriptionTranslations }),
      ...(input.stance && { stance: input.stance }),
      ...(input.position !== undefined && { position: input.position }),
      ...(input.parent !== undefined && { parentId: input.parent }),
      ...(input.mergedInto !== undefined && { mergedInto: input.mergedInto }),
    }
    await requireNoLoop(ctx, tx, project.id, { ...row, ...saved })
    const changed = await tx
      .update(themes)
      .set({ ...saved, lockVersion: sql`${themes.lockVersion} + 1` })
      .where(and(eq(themes.siteId, ctx.site.id), eq(themes.id, row.id), eq(themes.lockVersion, lockVersion)))
      .returning({ id: themes.id })
    if (changed.length === 0) throw new AppError('stale')
    await recordThemeAudit(ctx, tx, project, 'themes.update', row.id, { changes: listChanges(row, saved) })
  })
}

/**
 * No theme is above itself, and none is merged into itself, over however many steps. The themes of the project are locked, so that two people
 * cannot close a loop together.
 * @throws {AppError} `invalid` with `theme-loop`; `not-found` if the other theme is not of this project
 */
async function requireNoLoop(ctx: Ctx, tx: Tx, projectId: string, next: Pick<ThemeRow, 'id' | 'parentId' | 'mergedInto'>): Promise<void> {
  if (!next.parentId && !next.mergedInto) return
  await tx
    .select({ id: themes.id })
    .from(themes)
    .where(and(eq(themes.siteId, ctx.site.id), eq(themes.projectId, projectId)))
    .orderBy(themes.id)
    .for('update')
  const byId = new Map((await loadProjectThemes(ctx, tx, projectId)).map((row) => [row.id, row]))
  for (const [link, pointer] of [
    ['parentId', '/parent'],
    ['mergedInto', '/mergedInto'],
  ] as const) {
    const above = next[link]
    if (above && above !== next.id && !byId.has(above)) throw new AppError('not-found')
    for (let at = above, steps = 0; at; at = byId.get(at)?.[link] ?? null, steps++)
      if (at === next.id || steps > byId.size) throw new AppError('invalid', { faults: [{ code: 'theme-loop', pointer }] })
  }
}

/** Only a theme without passages, also in samples of two coders: others are merged. @throws {AppError} `not-found`, `forbidden`, `in-use` */
export function deleteTheme(ctx: Ctx, row: ThemeRow): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'responses.see', row.projectId)
    const [used] = await tx
      .select({ id: themeEvidence.id })
      .from(themeEvidence)
      .where(and(eq(themeEvidence.siteId, ctx.site.id), eq(themeEvidence.themeId, row.id)))
      .limit(1)
    const { rows: givenInSample } = await tx.execute(sql`
      select from coding_sample_codes where site_id = ${ctx.site.id} and theme_id = ${row.id} limit 1`)
    if (used || givenInSample.length > 0) throw new AppError('in-use')
    await tx.delete(themes).where(and(eq(themes.siteId, ctx.site.id), eq(themes.id, row.id)))
    await recordThemeAudit(ctx, tx, project, 'themes.delete', row.id, { detail: { title: row.title } })
  })
}

const recordThemeAudit = (
  ctx: Ctx,
  tx: Tx,
  project: ProjectRow,
  action: 'themes.create' | 'themes.update' | 'themes.delete',
  id: string,
  more: Pick<Parameters<typeof recordAudit>[2], 'changes' | 'detail'> = {},
) => recordAudit(ctx, tx, { action, subject: { type: 'themes', id }, hubId: project.hubId, projectId: project.id, ...more })
