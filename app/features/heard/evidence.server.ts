import { and, eq, sql } from 'drizzle-orm'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themeEvidence, themes } from '#app/server/db/schema/heard.ts'
import { requireProjectFor } from './heard.policy.server.ts'
import type { ThemeRow } from './theme-figures.server.ts'
import type { themeEvidenceShape } from './themes.api.schema.ts'
import { buildTextsQuery, getReaderId } from './written-texts.server.ts'

export type EvidenceRow = typeof themeEvidence.$inferSelect

/**
 * Codes a passage, or a whole text, to a theme; the text is then read. The same passage again changes only its state.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `quote-not-found` if that version of the text does not say so at that place
 */
export function addEvidence(ctx: Ctx, input: Omit<CreateInput<typeof themeEvidenceShape>, 'id'>): Promise<string> {
  const { source, sourceId, question = '', version, start = 0, quote = '', state = 'confirmed', isQuoted = false } = input
  return ctx.db.tx(async (tx) => {
    const theme = await requireTheme(ctx, tx, input.theme)
    await requireProjectFor(ctx, tx, 'responses.see', theme.projectId)
    const present = buildTextsQuery(ctx.site.id, theme.projectId)
    const { rows: found } = await tx.execute(sql`
      select from (${present}) t where t.source = ${source} and t.id = ${sourceId} and t.question = ${question}`)
    if (found.length === 0) throw new AppError('not-found')
    const isThis = (kind: string) => (source === kind ? sourceId : null)
    // The passage is compared with the stored text in the statement that stores it, so that no quote can be made up.
    const { rows } = await tx.execute<{ id: string }>(sql`
      insert into theme_evidence (site_id, id, project_id, theme_id, source, response_id, contribution_id, reply_id, question, version, start_at,
        end_at, quote, state, is_quoted, created_by, created_at)
      select ${ctx.site.id}, ${createId()}, ${theme.projectId}, ${theme.id}, ${source}, ${isThis('response')}::uuid, ${isThis('contribution')}::uuid,
        ${isThis('reply')}::uuid, ${question}, t.version, ${quote === '' ? 0 : start}, ${quote === '' ? 0 : start} + char_length(${quote}), ${quote},
        ${state}, ${isQuoted}, ${getReaderId(ctx)}::uuid, ${ctx.now()}::timestamptz
      from (
        select version, text from (${present}) now where now.source = ${source} and now.id = ${sourceId} and now.question = ${question}
        union
        select v.number, contribution_text(v.title, v.body) from contribution_versions v
        where ${source} = 'contribution' and v.site_id = ${ctx.site.id} and v.contribution_id = ${sourceId} and v.was_public
      ) t
      where (${version ?? null}::integer is null or t.version = ${version ?? null}::integer)
        and (${quote} = '' or substring(t.text from ${start}::integer + 1 for char_length(${quote})) = ${quote})
      order by t.version desc limit 1
      on conflict (site_id, theme_id, coalesce(response_id, contribution_id, reply_id), question, start_at, end_at)
        do update set state = excluded.state, is_quoted = theme_evidence.is_quoted or excluded.is_quoted
      returning id`)
    const [stored] = rows
    if (!stored) throw new AppError('quote-not-found', { pointer: '/quote' })
    await tx.execute(sql`
      insert into theme_readings (site_id, source_id, question, project_id, read_by, read_at)
      values (${ctx.site.id}, ${sourceId}, ${question}, ${theme.projectId}, ${getReaderId(ctx)}::uuid, ${ctx.now()}::timestamptz)
      on conflict do nothing`)
    return stored.id
  })
}

/** @throws {AppError} `not-found` */
export async function requireTheme(ctx: Ctx, tx: Tx, id: string): Promise<ThemeRow> {
  const [theme] = await tx
    .select()
    .from(themes)
    .where(and(eq(themes.siteId, ctx.site.id), eq(themes.id, id)))
  if (!theme) throw new AppError('not-found')
  return theme
}

/** Confirms or rejects it, offers it as a quote, or moves it to another theme of the project. @throws {AppError} `not-found`, `forbidden` */
export function updateEvidence(ctx: Ctx, row: EvidenceRow, input: UpdateInput<typeof themeEvidenceShape>): Promise<void> {
  return ctx.db.tx(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', row.projectId)
    const theme = input.theme ? await requireTheme(ctx, tx, input.theme) : undefined
    if (theme && theme.projectId !== row.projectId) throw new AppError('not-found')
    // The other theme has the same passage already: it counts once.
    if (theme)
      await tx.execute(sql`
      delete from theme_evidence e using theme_evidence moved where moved.site_id = ${ctx.site.id} and moved.id = ${row.id} and e.site_id = moved.site_id
        and e.theme_id = ${theme.id} and e.id <> moved.id and e.question = moved.question and e.start_at = moved.start_at and e.end_at = moved.end_at
        and coalesce(e.response_id, e.contribution_id, e.reply_id) = coalesce(moved.response_id, moved.contribution_id, moved.reply_id)`)
    const saved = {
      ...(input.state && { state: input.state }),
      ...(input.isQuoted !== undefined && { isQuoted: input.isQuoted }),
      ...(theme && { themeId: theme.id }),
    }
    if (Object.keys(saved).length === 0) return
    await tx
      .update(themeEvidence)
      .set(saved)
      .where(and(eq(themeEvidence.siteId, ctx.site.id), eq(themeEvidence.id, row.id)))
  })
}

/** @throws {AppError} `not-found`, `forbidden` */
export function deleteEvidence(ctx: Ctx, row: EvidenceRow): Promise<void> {
  return ctx.db.tx(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', row.projectId)
    await tx.delete(themeEvidence).where(and(eq(themeEvidence.siteId, ctx.site.id), eq(themeEvidence.id, row.id)))
  })
}
