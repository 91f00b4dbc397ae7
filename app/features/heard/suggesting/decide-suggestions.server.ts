import { and, eq, sql } from 'drizzle-orm'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themeSuggestions } from '#app/server/db/schema/heard.ts'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { requireTheme } from '../evidence.server.ts'
import { requireProjectFor } from '../heard.policy.server.ts'
import { MAX_QUOTE } from '../heard.schema.ts'
import { loadProjectThemes } from '../theme-figures.server.ts'
import { addTheme } from '../themes.server.ts'
import { getReaderId } from '../written-texts.server.ts'
import type { themeSuggestionShape } from './suggestions.api.schema.ts'
import { buildLivePassages, listIds, type SuggestionRow } from './suggestions.server.ts'

type Decision = UpdateInput<typeof themeSuggestionShape>

/**
 * Confirms or rejects a suggestion, or takes either back. Confirmed, the named passages are evidence of a theme of the project, or of a new one.
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `required` at `/state`, `/title` or `/confirmedPassages`; `stale` if a colleague has
 * decided meanwhile; `quote-not-found` if all named passages were withdrawn or changed since
 */
export function decideOnSuggestion(ctx: Ctx, row: SuggestionRow, input: Decision): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'responses.see', row.projectId)
    if (input.state === undefined) throw createRequiredError('/state')
    if (input.state === 'confirmed') return confirmSuggestion(ctx, tx, project, row, input)
    if (input.state === 'rejected') return moveOn(ctx, tx, row, 'suggested', { state: 'rejected' })
    if (row.state === 'confirmed') return takeBack(ctx, tx, row)
    return moveOn(ctx, tx, row, 'rejected', { state: 'suggested' })
  })
}

const createRequiredError = (pointer: string) => new AppError('invalid', { faults: [{ code: 'required', pointer }] })

/** Only from the state that the viewer saw. @throws {AppError} `stale` */
async function moveOn(
  ctx: Ctx,
  tx: Tx,
  { id }: SuggestionRow,
  from: SuggestionRow['state'],
  to: Partial<typeof themeSuggestions.$inferInsert>,
): Promise<void> {
  const isDecided = to.state !== 'suggested'
  const moved = await tx
    .update(themeSuggestions)
    .set({ ...to, decidedBy: isDecided ? getReaderId(ctx) : null, decidedAt: isDecided ? ctx.now() : null })
    .where(and(eq(themeSuggestions.siteId, ctx.site.id), eq(themeSuggestions.id, id), eq(themeSuggestions.state, from)))
    .returning({ id: themeSuggestions.id })
  if (moved.length === 0) throw new AppError('stale')
}

async function confirmSuggestion(ctx: Ctx, tx: Tx, project: ProjectRow, row: SuggestionRow, input: Decision): Promise<void> {
  const passages = input.confirmedPassages ?? []
  if (passages.length === 0) throw createRequiredError('/confirmedPassages')
  // First, so that of two people who confirm at once the second waits here, and adds no theme.
  await moveOn(ctx, tx, row, 'suggested', { state: 'confirmed' })
  const theme = await findTheme(ctx, tx, project, row, input)
  await tx
    .update(themeSuggestions)
    .set({ themeId: theme.id, hasNewTheme: theme.isNew })
    .where(and(eq(themeSuggestions.siteId, ctx.site.id), eq(themeSuggestions.id, row.id)))
  await storeEvidence(ctx, tx, row, theme.id, passages)
}

async function findTheme(ctx: Ctx, tx: Tx, project: ProjectRow, row: SuggestionRow, input: Decision) {
  if (input.theme) {
    const theme = await requireTheme(ctx, tx, input.theme)
    if (theme.projectId !== project.id) throw new AppError('not-found')
    return { id: theme.id, isNew: false }
  }
  const title = input.title ?? ''
  if (title === '') throw createRequiredError('/title')
  const known = (await loadProjectThemes(ctx, tx, project.id)).find(
    (theme) => theme.mergedInto === null && Object.values(theme.title).includes(title),
  )
  if (known) return { id: known.id, isNew: false }
  const id = createId()
  await addTheme(ctx, tx, project, { id, title: { [row.language]: title } })
  return { id, isNew: true }
}

/**
 * The words come from the stored texts in the statement that stores the evidence. Only a text that is a passage as a whole was read by this.
 * @throws {AppError} `quote-not-found` if nothing is left of them
 */
async function storeEvidence(ctx: Ctx, tx: Tx, row: SuggestionRow, theme: string, passages: readonly string[]): Promise<void> {
  const reader = getReaderId(ctx)
  const live = sql`from ${buildLivePassages(ctx, row)} and p.suggestion_id = ${row.id} and p.id in (${listIds(passages)})
    and p.end_at - p.start_at <= ${MAX_QUOTE} and char_length(t.text) >= p.end_at`
  const { rows } = await tx.execute<{ found: number }>(sql`
    with found as (
      select t.source, t.id, p.question, p.version, p.response_id, p.contribution_id, p.reply_id, p.start_at, p.end_at,
        substring(t.text from p.start_at + 1 for p.end_at - p.start_at) as quote ${live}
    ), stored as (
      insert into theme_evidence (site_id, id, project_id, theme_id, source, response_id, contribution_id, reply_id, question, version, start_at,
        end_at, quote, state, suggestion_id, created_by, created_at)
      select ${ctx.site.id}, gen_random_uuid(), ${row.projectId}, ${theme}, source, response_id, contribution_id, reply_id, question, version,
        start_at, end_at, quote, 'confirmed', ${row.id}, ${reader}::uuid, ${ctx.now()}::timestamptz from found
      on conflict (site_id, theme_id, coalesce(response_id, contribution_id, reply_id), question, start_at, end_at)
        do update set state = 'confirmed' where theme_evidence.state <> 'confirmed'
    ), read as (
      insert into theme_readings (site_id, source_id, question, project_id, read_by, read_at)
      select ${ctx.site.id}, id, question, ${row.projectId}, ${reader}::uuid, ${ctx.now()}::timestamptz from found where end_at = 0
      on conflict do nothing
    )
    select count(*)::int as found from found`)
  if (!rows[0]?.found) throw new AppError('quote-not-found', { pointer: '/confirmedPassages' })
}

/** What was confirmed from it is evidence no longer. A theme that it made goes too, if nothing else rests on it. */
async function takeBack(ctx: Ctx, tx: Tx, row: SuggestionRow): Promise<void> {
  await moveOn(ctx, tx, row, 'confirmed', { state: 'suggested', themeId: null, hasNewTheme: false })
  await tx.execute(sql`delete from theme_evidence where site_id = ${ctx.site.id} and suggestion_id = ${row.id}`)
  if (row.hasNewTheme && row.themeId)
    await tx.execute(sql`
      delete from themes m where m.site_id = ${ctx.site.id} and m.id = ${row.themeId}
        and not exists (select from theme_evidence e where e.site_id = m.site_id and e.theme_id = m.id)
        and not exists (select from decision_themes d where d.site_id = m.site_id and d.theme_id = m.id)
        and not exists (select from themes o where o.site_id = m.site_id and (o.parent_id = m.id or o.merged_into = m.id))`)
}
