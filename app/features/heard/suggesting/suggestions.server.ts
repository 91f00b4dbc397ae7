import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { EvidenceSource } from '#app/lib/vocabulary/heard.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themeSuggestionRuns, themeSuggestions } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { buildTextsQuery, parseSourceKey } from '../written-texts.server.ts'
import type { themeSuggestionPassageShape, themeSuggestionShape } from './suggestions.api.schema.ts'

export interface SuggestionRow {
  id: string
  runId: string
  projectId: string
  source: string
  language: ContentLanguage
  position: number
  label: string[]
  texts: number
  state: (typeof themeSuggestions.$inferSelect)['state']
  themeId: string | null
  hasNewTheme: boolean
  /** Number of passages whose text is as it was. */
  passages: number
  place: ReturnType<typeof toPermissionTarget>
}

interface PassageRow {
  id: string
  suggestionId: string
  source: EvidenceSource
  sourceId: string
  question: string
  version: number
  start: number
  words: string
  isWhole: boolean
}

const isRunOf = and(eq(themeSuggestionRuns.siteId, themeSuggestions.siteId), eq(themeSuggestionRuns.id, themeSuggestions.runId))
const isProjectOf = and(eq(projects.siteId, themeSuggestions.siteId), eq(projects.id, themeSuggestions.projectId))

/** In projects in which the viewer may read what people wrote. Without a passage, a suggestion rests on nothing and is not shown. */
const isVisible = (ctx: Ctx, more: SQL | undefined) =>
  and(
    eq(themeSuggestions.siteId, ctx.site.id),
    scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id }),
    sql`exists (select from theme_suggestion_passages p where p.site_id = ${themeSuggestions.siteId} and p.suggestion_id = ${themeSuggestions.id})`,
    more,
  )

const selectSuggestions = (ctx: Ctx, tx: Tx, more: SQL | undefined) =>
  tx
    .select({
      suggestion: themeSuggestions,
      source: themeSuggestionRuns.source,
      language: themeSuggestionRuns.language,
      project: { id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt },
    })
    .from(themeSuggestions)
    .innerJoin(themeSuggestionRuns, isRunOf)
    .innerJoin(projects, isProjectOf)
    .where(isVisible(ctx, more))

async function countPassages(ctx: Ctx, tx: Tx, found: Awaited<ReturnType<typeof selectSuggestions>>): Promise<SuggestionRow[]> {
  const rows = found.map(({ suggestion, source, language, project }) => ({
    ...suggestion,
    source,
    language,
    place: toPermissionTarget(project),
  }))
  const counts = new Map<string, number>()
  for (const [, ofRun] of Map.groupBy(rows, ({ runId }) => runId)) {
    const [first] = ofRun
    if (!first) continue
    const { rows: counted } = await tx.execute<{ id: string; passages: number }>(sql`
      select p.suggestion_id as id, count(*)::int as passages from ${buildLivePassages(ctx, first)}
      and p.suggestion_id in (${listIds(ofRun.map(({ id }) => id))}) group by p.suggestion_id`)
    for (const { id, passages } of counted) counts.set(id, passages)
  }
  return rows.map((row) => ({ ...row, passages: counts.get(row.id) ?? 0 }))
}

export const listIds = (ids: readonly string[]): SQL =>
  sql`select id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) given(id)`

/** Passages `p` with the texts `t` that they are in, if these are as they were: they count, can be read, and have the same version. */
export const buildLivePassages = (ctx: Ctx, { projectId, source }: { projectId: string; source: string }): SQL => sql`
  theme_suggestion_passages p join (${buildTextsQuery(ctx.site.id, projectId, parseSourceKey(source))}) t
    on t.id = coalesce(p.response_id, p.contribution_id, p.reply_id) and t.question = p.question and t.version = p.version
  where p.site_id = ${ctx.site.id}`

/** The passage `p` of the text `t`, in characters; the whole text if both its ends are 0. */
const WORDS: SQL = sql`case when p.end_at = 0 then t.text else substring(t.text from p.start_at + 1 for p.end_at - p.start_at) end`

export const loadSuggestions = (ctx: Ctx, ids: readonly string[]): Promise<SuggestionRow[]> =>
  ctx.db.read(async (tx) => countPassages(ctx, tx, await selectSuggestions(ctx, tx, inArray(themeSuggestions.id, [...ids]))))

export function listSuggestions(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof themeSuggestionShape>,
): Promise<ListResult<SuggestionRow>> {
  const more = and(
    filter.run ? eq(themeSuggestions.runId, filter.run) : undefined,
    filter.state ? inArray(themeSuggestions.state, filter.state) : undefined,
  )
  return ctx.db.read(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(themeSuggestions)
      .innerJoin(projects, isProjectOf)
      .where(isVisible(ctx, more))
    const direction = sort.some(({ descending }) => descending) ? sql`desc` : sql`asc`
    const found = await selectSuggestions(ctx, tx, more)
      .orderBy(sql`${themeSuggestions.position} ${direction}`, asc(themeSuggestions.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: await countPassages(ctx, tx, found), total: counted?.total ?? 0 }
  })
}

export const loadSuggestedPassages = (ctx: Ctx, ids: readonly string[]): Promise<PassageRow[]> =>
  ctx.db.read(async (tx) => {
    const { rows: found } = await tx.execute<{ suggestion: string }>(sql`
      select distinct p.suggestion_id as suggestion from theme_suggestion_passages p
      where p.site_id = ${ctx.site.id} and p.id in (${listIds(ids)})`)
    const suggestions = await selectSuggestions(
      ctx,
      tx,
      inArray(
        themeSuggestions.id,
        found.map(({ suggestion }) => suggestion),
      ),
    )
    const rows: PassageRow[] = []
    for (const { suggestion, source } of suggestions)
      rows.push(...(await selectPassages(ctx, tx, { ...suggestion, source }, sql`and p.id in (${listIds(ids)})`)))
    return rows
  })

const selectPassages = async (
  ctx: Ctx,
  tx: Tx,
  { id, projectId, source }: { id: string; projectId: string; source: string },
  more: SQL,
): Promise<PassageRow[]> => {
  const { rows } = await tx.execute<PassageRow & Record<string, unknown>>(sql`
    select p.id, p.suggestion_id as "suggestionId", t.source, t.id as "sourceId", p.question, p.version, p.start_at as start,
      ${WORDS} as words, p.end_at = 0 as "isWhole"
    from ${buildLivePassages(ctx, { projectId, source })} and p.suggestion_id = ${id} ${more}`)
  return rows
}

/** Of one suggestion: without the filter, the list is empty. */
export function listSuggestedPassages(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof themeSuggestionPassageShape>,
): Promise<ListResult<PassageRow>> {
  const suggestionId = filter.suggestion
  return ctx.db.read(async (tx) => {
    const [found] = suggestionId
      ? await countPassages(ctx, tx, await selectSuggestions(ctx, tx, eq(themeSuggestions.id, suggestionId)))
      : []
    if (!found) return { rows: [], total: 0 }
    const direction = sort.some(({ descending }) => descending) ? sql`desc` : sql`asc`
    const rows = await selectPassages(ctx, tx, found, sql`order by p.position ${direction} limit ${page.limit} offset ${page.offset}`)
    return { rows, total: found.passages }
  })
}
