import { createHash } from 'node:crypto'
import { and, asc, eq, gte, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { EvidenceSource } from '#app/lib/vocabulary/heard.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { themeSuggestionRuns, themeSuggestions } from '#app/server/db/schema/heard.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { keepLeaseAliveDuring } from '#app/server/keep-lease-alive.ts'
import { describeError } from '#app/server/log.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { buildTextsQuery, parseSourceKey } from '../written-texts.server.ts'
import { suggestThemes, type ThemeSuggestion } from './suggest-themes.ts'
import { isSameKey, type RunRow } from './suggestion-runs.server.ts'

/** Without a heartbeat for this long, a worker is considered dead and another starts again. */
const LEASE_MS = 60_000
const HEARTBEATS_PER_LEASE = 3
/** A run that took its worker down so often is not tried again. */
const MAX_ATTEMPTS = 3
/** More would not fit into the memory of the process: the oldest are read. */
const MAX_TEXTS = 200_000
const TEXTS_AT_ONCE = 5000
/** Reading the texts is this share of the work. */
const READING_SHARE = 0.3

/** The run was cancelled, or its worker was considered dead. */
class SupersededError extends Error {}

/**
 * Makes the requested suggestions of every site, one run after the other. Run by a job.
 * @param suggest groups the texts
 * @returns how many runs were finished
 */
export function makeSuggestions(runtime: Runtime, suggest = suggestThemes): Promise<number> {
  return runOnEachSite(runtime, async ({ site }) => {
    let made = 0
    for (let row = await claimRun(runtime, site); row; row = await claimRun(runtime, site)) {
      const run = row
      const sendHeartbeat = () => updateRun(createCtx(runtime, site), run, { aliveAt: runtime.now() })
      if (await keepLeaseAliveDuring(LEASE_MS / HEARTBEATS_PER_LEASE, sendHeartbeat, () => makeRun(runtime, site, run, suggest))) made += 1
    }
    return made
  })
}

/** Number of sites with a run waiting to be made. */
export const countWaitingRuns = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, ({ site, db }) => db.read(async (tx) => (await selectUnclaimed(tx, site, runtime.now()).limit(1)).length))

/** Runs of the site that no worker holds. */
function selectUnclaimed(tx: Tx, site: Site, now: Date) {
  const free = or(
    eq(themeSuggestionRuns.state, 'waiting'),
    and(eq(themeSuggestionRuns.state, 'running'), lt(themeSuggestionRuns.aliveAt, new Date(now.getTime() - LEASE_MS))),
  )
  return tx
    .select({ id: themeSuggestionRuns.id })
    .from(themeSuggestionRuns)
    .where(and(eq(themeSuggestionRuns.siteId, site.id), free))
    .orderBy(asc(themeSuggestionRuns.createdAt))
}

/** Claims the oldest of them. */
function claimRun(runtime: Runtime, site: Site): Promise<RunRow | undefined> {
  const now = runtime.now()
  return runtime.database.site(site.id).tx(async (tx) => {
    const ofSite = eq(themeSuggestionRuns.siteId, site.id)
    const isDead = and(
      eq(themeSuggestionRuns.state, 'running'),
      lt(themeSuggestionRuns.aliveAt, new Date(now.getTime() - LEASE_MS)),
      gte(themeSuggestionRuns.attempts, MAX_ATTEMPTS),
    )
    await tx.update(themeSuggestionRuns).set({ state: 'failed', finishedAt: now }).where(and(ofSite, isDead))
    const due = await selectUnclaimed(tx, site, now).limit(1).for('update', { skipLocked: true })
    const ids = due.map(({ id }) => id)
    const [row] = await tx
      .update(themeSuggestionRuns)
      .set({
        state: 'running',
        aliveAt: now,
        lease: crypto.randomUUID(),
        progress: 0,
        attempts: sql`${themeSuggestionRuns.attempts} + 1`,
      })
      .where(and(ofSite, inArray(themeSuggestionRuns.id, ids)))
      .returning()
    return row
  })
}

async function makeRun(runtime: Runtime, site: Site, run: RunRow, suggest: typeof suggestThemes): Promise<boolean> {
  const ctx = createCtx(runtime, site, { language: run.language })
  // It also finds out whether the run was cancelled.
  const reportProgress = (share: number) => updateRun(ctx, run, { progress: Math.floor(share * 100), aliveAt: runtime.now() })
  try {
    const texts = await loadTexts(ctx, run, (share) => reportProgress(share * READING_SHARE))
    const words = texts.map(({ text }) => text)
    const found = await suggest(words, {
      language: run.language,
      onProgress: (share) => reportProgress(READING_SHARE + share * (1 - READING_SHARE)),
    })
    await storeSuggestions(ctx, run, texts, found)
    return true
  } catch (error) {
    if (error instanceof SupersededError) return false
    runtime.log.error('themes could not be suggested', { run: run.id, ...describeError(error) })
    await updateRun(ctx, run, { state: 'failed', finishedAt: runtime.now() }).catch(() => {})
    return false
  }
}

/** @throws {SupersededError} if it was cancelled in the meantime, or another worker has started it again */
function updateRun(ctx: Ctx, run: RunRow, values: Partial<typeof themeSuggestionRuns.$inferInsert>): Promise<void> {
  return ctx.db.tx((tx) => updateRunIn(ctx, tx, run, values))
}

async function updateRunIn(ctx: Ctx, tx: Tx, run: RunRow, values: Partial<typeof themeSuggestionRuns.$inferInsert>): Promise<void> {
  const { rowCount } = await tx
    .update(themeSuggestionRuns)
    .set(values)
    .where(
      and(
        eq(themeSuggestionRuns.siteId, ctx.site.id),
        eq(themeSuggestionRuns.id, run.id),
        eq(themeSuggestionRuns.state, 'running'),
        run.lease === null ? isNull(themeSuggestionRuns.lease) : eq(themeSuggestionRuns.lease, run.lease),
      ),
    )
  if (!rowCount) throw new SupersededError()
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
  return ctx.db.tx(async (tx) => {
    await updateRunIn(ctx, tx, run, {
      state: 'done',
      progress: 100,
      texts: texts.length,
      textsAlike: found.reduce((sum, group) => sum + group.texts, 0),
      finishedAt: ctx.now(),
    })
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
