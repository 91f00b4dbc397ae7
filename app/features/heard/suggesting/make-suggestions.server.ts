import { createHash } from 'node:crypto'
import { and, eq, gte, inArray, ne, sql } from 'drizzle-orm'
import type { EvidenceSource } from '#app/lib/vocabulary/heard.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themeSuggestionRuns, themeSuggestions } from '#app/server/db/schema/heard.ts'
import { countWaitingWork, runLeasedWork, updateLeased } from '#app/server/jobs/leased-work.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildTextsQuery, parseSourceKey } from '../written-texts.server.ts'
import { suggestThemes, type ThemeSuggestion } from './suggest-themes.ts'
import { isSameKey, type RunRow } from './suggestion-runs.server.ts'

/** A run that took its worker down so often is not tried again. */
const MAX_ATTEMPTS = 3
/** More would not fit into the memory of the process: the oldest are read. */
const MAX_TEXTS = 200_000
const TEXTS_AT_ONCE = 5000
/** Reading the texts is this share of the work. */
const READING_SHARE = 0.3

/**
 * Makes the requested suggestions of every site, one run after the other. Run by a job.
 * @param suggest groups the texts
 * @returns how many runs were finished
 */
export const makeSuggestions = (runtime: Runtime, suggest = suggestThemes): Promise<number> =>
  runLeasedWork(runtime, {
    table: themeSuggestionRuns,
    failure: 'themes could not be suggested',
    start: () => ({ progress: 0, attempts: sql`${themeSuggestionRuns.attempts} + 1` }),
    giveUp: (ctx, tx, isDead) =>
      tx
        .update(themeSuggestionRuns)
        .set({ state: 'failed', finishedAt: ctx.now() })
        .where(and(eq(themeSuggestionRuns.siteId, ctx.site.id), isDead, gte(themeSuggestionRuns.attempts, MAX_ATTEMPTS))),
    make: (ctx, run) => makeRun(ctx, run, suggest),
  })

/** Number of sites with a run waiting to be made. */
export const countWaitingRuns = (runtime: Runtime): Promise<number> => countWaitingWork(runtime, themeSuggestionRuns)

async function makeRun({ runtime, site }: Ctx, run: RunRow, suggest: typeof suggestThemes): Promise<void> {
  const ctx = createCtx(runtime, site, { language: run.language })
  // It also finds out whether the run was cancelled.
  const reportProgress = (share: number) =>
    updateLeased(ctx, themeSuggestionRuns, run, { progress: Math.floor(share * 100), aliveAt: runtime.now() })
  const texts = await loadTexts(ctx, run, (share) => reportProgress(share * READING_SHARE))
  const words = texts.map(({ text }) => text)
  const found = await suggest(words, {
    language: run.language,
    onProgress: (share) => reportProgress(READING_SHARE + share * (1 - READING_SHARE)),
  })
  await storeSuggestions(ctx, run, texts, found)
}

interface LoadedText {
  source: EvidenceSource
  id: string
  question: string
  version: number
  text: string
}

/** The texts of the run's question or activity in its language, a few at a time, so that no answer of the database is large. */
async function loadTexts(ctx: Ctx, run: RunRow, onProgress: (share: number) => Promise<void>): Promise<LoadedText[]> {
  const chosen = sql`(${buildTextsQuery(ctx.site.id, run.projectId, parseSourceKey(run.source))}) t where t.language = ${run.language}`
  const total = await ctx.db.read(async (tx) => {
    const { rows } = await tx.execute<{ total: number }>(sql`select count(*)::int as total from ${chosen}`)
    return Math.min(rows[0]?.total ?? 0, MAX_TEXTS)
  })
  const texts: LoadedText[] = []
  for (let last: string | undefined; texts.length < MAX_TEXTS; last = texts.at(-1)?.id) {
    const { rows } = await ctx.db.read((tx) =>
      tx.execute<LoadedText & Record<string, unknown>>(sql`
        select t.source, t.id, t.question, t.version, t.text from ${chosen} ${last ? sql`and t.id > ${last}` : sql``}
        order by t.id limit ${TEXTS_AT_ONCE}`),
    )
    texts.push(...rows)
    if (rows.length < TEXTS_AT_ONCE) break
    await onProgress(Math.min(1, texts.length / total))
  }
  return texts
}

/**
 * Replaces the earlier suggestions with those found. Rejected ones stay rejected. A text that was withdrawn or changed
 * meanwhile has no passage: the statement compares it with what was read.
 */
function storeSuggestions(ctx: Ctx, run: RunRow, texts: readonly LoadedText[], found: readonly ThemeSuggestion[]): Promise<void> {
  const finished = {
    state: 'done',
    progress: 100,
    texts: texts.length,
    textsAlike: found.reduce((sum, group) => sum + group.texts, 0),
    finishedAt: ctx.now(),
  } as const
  return updateLeased(ctx, themeSuggestionRuns, run, finished, async (tx) => {
    const rejected = await takeRejectedLabels(ctx, tx, run)
    if (found.length === 0) return
    const rows = found.map((group, position) => ({
      siteId: ctx.site.id,
      id: createId(),
      runId: run.id,
      projectId: run.projectId,
      position,
      label: group.label,
      texts: group.texts,
      ...(rejected.has(JSON.stringify(group.label)) && { state: 'rejected' as const }),
    }))
    await tx.insert(themeSuggestions).values(rows)
    const passages = found.flatMap((group, at) =>
      group.passages.map(({ text: place, start, end }, position) => {
        const { id, question, version, text } = texts[place]!
        const digest = createHash('md5').update(text).digest('hex')
        return { id: createId(), suggestion: rows[at]!.id, position, text: id, question, version, digest, start, end }
      }),
    )
    await tx.execute(sql`
      insert into theme_suggestion_passages (site_id, id, suggestion_id, position, response_id, contribution_id, reply_id, question, version,
        start_at, end_at)
      select ${ctx.site.id}, p.id, p.suggestion, p.position, case t.source when 'response' then t.id end,
        case t.source when 'contribution' then t.id end, case t.source when 'reply' then t.id end, p.question, p.version, p.start, p."end"
      from jsonb_to_recordset(${JSON.stringify(passages)}::jsonb) p(id uuid, suggestion uuid, position int, text uuid, question text, version int,
        digest text, start int, "end" int)
      join (${buildTextsQuery(ctx.site.id, run.projectId, parseSourceKey(run.source))}) t
        on t.id = p.text and t.question = p.question and t.version = p.version and md5(t.text) = p.digest`)
  })
}

/** Deletes the suggestions that these replace. @returns labels of those that were rejected */
async function takeRejectedLabels(ctx: Ctx, tx: Tx, run: RunRow): Promise<Set<string>> {
  const former = await tx
    .select({ id: themeSuggestionRuns.id })
    .from(themeSuggestionRuns)
    .where(and(isSameKey(ctx, run), ne(themeSuggestionRuns.id, run.id)))
  const ids = former.map(({ id }) => id)
  if (ids.length === 0) return new Set()
  const rejected = await tx
    .select({ label: themeSuggestions.label })
    .from(themeSuggestions)
    .where(and(eq(themeSuggestions.siteId, ctx.site.id), inArray(themeSuggestions.runId, ids), eq(themeSuggestions.state, 'rejected')))
  await tx.delete(themeSuggestionRuns).where(and(eq(themeSuggestionRuns.siteId, ctx.site.id), inArray(themeSuggestionRuns.id, ids)))
  return new Set(rejected.map(({ label }) => JSON.stringify(label)))
}
