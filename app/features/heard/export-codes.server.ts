import { asc, and, eq, type SQL, sql } from 'drizzle-orm'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { streamWorkbook, type WorkbookCell, yieldRows } from '#app/server/workbook.ts'
import { countThemes, IS_LIVE, LIVE_EVIDENCE, loadProjectThemes, PERSON, resolveMerges } from './theme-figures.server.ts'
import { loadThemeNames, type ThemeNames } from './theme-names.server.ts'
import { buildTextsQuery, loadTextSources } from './written-texts.server.ts'

const ROWS_AT_ONCE = 2000

const ANSWER_HEADS = [
  'source',
  'source_id',
  'question',
  'version',
  'language',
  'written_at',
  'text',
  'read',
  'theme',
  'passage',
  'start',
  'end',
  'state',
  'quoted',
  'coded_at',
]
const THEME_HEADS = ['theme', 'stance', 'source', 'people', 'passages']
const DECISION_HEADS = [
  'number',
  'title',
  'outcome',
  'reason',
  'themes',
  'decided_on',
  'decided_by',
  'delivery',
  'delivery_note',
  'due_on',
  'delays',
  'published_at',
]

/** The workbook in pieces, in the language of the context. Does not check permissions: who asked for it had them. */
export async function streamCodes(ctx: Ctx, projectId: string): Promise<AsyncIterable<Uint8Array>> {
  const { themes, decided, names } = await ctx.db.read(async (tx) => ({
    names: await loadThemeNames(ctx, tx, projectId),
    themes: await listThemeRows(ctx, tx, projectId),
    decided: await listDecisionRows(ctx, tx, projectId),
  }))
  return streamWorkbook([
    { name: 'answers', heads: ANSWER_HEADS, rows: readAnswers(ctx, projectId, names) },
    { name: 'themes', heads: THEME_HEADS, rows: yieldRows(themes) },
    { name: 'decisions', heads: DECISION_HEADS, rows: yieldRows(decided) },
  ])
}

/** Where evidence `e` was written, as in `TextSource`. */
const SOURCE_KEY: SQL = sql`case e.source when 'response' then 'question:' || r.survey_id || ':' || e.question
  when 'contribution' then 'activity:' || c.activity_id
  else 'replies:' || (select o.activity_id from contributions o where o.site_id = p.site_id and o.id = p.contribution_id) end`

/** Each theme over all, then by source: people there may add up to more than over all, because one person can write in several places. */
async function listThemeRows(ctx: Ctx, tx: Tx, projectId: string): Promise<WorkbookCell[][]> {
  const t = getTranslator(ctx.language, 'heard-admin')
  const rows = await loadProjectThemes(ctx, tx, projectId)
  const names = await loadThemeNames(ctx, tx, projectId)
  const figures = await countThemes(ctx, tx, projectId, rows)
  const sources = await loadTextSources(ctx, tx, projectId)
  const ends = JSON.stringify(Object.fromEntries(resolveMerges(rows)))
  const { rows: counted } = await tx.execute<{ theme: string; source: string; people: number; passages: number }>(sql`
    select m.theme, ${SOURCE_KEY} as source, count(distinct ${PERSON})::int as people, count(*)::int as passages
    from ${LIVE_EVIDENCE} join jsonb_each_text(${ends}::jsonb) m(coded, theme) on m.coded::uuid = e.theme_id
    where e.site_id = ${ctx.site.id} and e.project_id = ${projectId} and e.state = 'confirmed' and ${IS_LIVE}
    group by 1, 2`)
  const nameSource = ({ kind, title, within }: (typeof sources)[number]) =>
    kind === 'question' ? `${within}: ${title}` : t(`sources.${kind}`, { title })
  return rows
    .filter(({ mergedInto }) => mergedInto === null)
    .flatMap(({ id, stance }): WorkbookCell[][] => {
      const toRow = (source: string | null, { people = 0, passages = 0 }: { people?: number; passages?: number } = {}) => [
        names.get(id) ?? '',
        t(`stances.${stance}`),
        source,
        people,
        passages,
      ]
      const bySource = sources.flatMap((source) =>
        counted.filter((one) => one.theme === id && one.source === source.key).map((one) => toRow(nameSource(source), one)),
      )
      return [toRow(t('codes-all'), figures.get(id)), ...bySource]
    })
}

async function listDecisionRows(ctx: Ctx, tx: Tx, projectId: string): Promise<WorkbookCell[][]> {
  const t = getTranslator(ctx.language, 'heard')
  const localise = (text: Translated) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
  const names = await loadThemeNames(ctx, tx, projectId)
  const rows = await tx
    .select()
    .from(decisions)
    .where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.projectId, projectId)))
    .orderBy(asc(decisions.number))
  const { rows: links } = await tx.execute<{ decision: string; theme: string }>(sql`
    select decision_id as decision, theme_id as theme from decision_themes where site_id = ${ctx.site.id} and project_id = ${projectId}`)
  const { rows: delays } = await tx.execute<{ decision: string; before: string; after: string | null; reason: Translated }>(sql`
    select decision_id as decision, due_before::text as before, due_after::text as after, reason from decision_delays
    where site_id = ${ctx.site.id} and project_id = ${projectId} order by created_at`)
  return rows.map((row) => [
    row.number,
    localise(row.title),
    t(`outcomes.${row.outcome}`),
    localise(row.reason),
    [...new Set(links.flatMap(({ decision, theme }) => (decision === row.id ? [names.get(theme) ?? ''] : [])))].sort().join('; '),
    row.decidedOn,
    localise(row.body),
    t(`deliveries.${row.delivery}`),
    localise(row.deliveryNote),
    row.dueOn,
    delays
      .filter(({ decision }) => decision === row.id)
      .map(({ before, after, reason }) => `${before} → ${after ?? '–'}: ${localise(reason)}`)
      .join('; '),
    row.publishedAt?.toISOString() ?? null,
  ])
}

type AnswerRow = {
  source: string
  id: string
  question: string
  version: number
  language: string
  at: string
  text: string
  is_read: boolean
  evidence: string | null
  theme: string | null
  start_at: number | null
  end_at: number | null
  quote: string | null
  state: string | null
  is_quoted: boolean | null
  coded_at: string | null
}

const NO_EVIDENCE = '00000000-0000-0000-0000-000000000000'

/** One row for each passage, and one for each text without any. */
async function* readAnswers(ctx: Ctx, projectId: string, names: ThemeNames): AsyncGenerator<WorkbookCell[][]> {
  let last: AnswerRow | undefined
  do {
    const after = last
    const { rows } = await ctx.db.read((tx) =>
      tx.execute<AnswerRow>(sql`
        select t.source, t.id, t.question, t.version, t.language, to_json(t.at) #>> '{}' as at, t.text, r.source_id is not null as is_read,
          e.id as evidence, e.theme_id as theme, e.start_at, e.end_at, e.quote, e.state, e.is_quoted, to_json(e.created_at) #>> '{}' as coded_at
        from (${buildTextsQuery(ctx.site.id, projectId)}) t
        left join theme_readings r on r.site_id = ${ctx.site.id} and r.source_id = t.id and r.question = t.question
        left join theme_evidence e on e.site_id = ${ctx.site.id} and e.question = t.question
          and coalesce(e.response_id, e.contribution_id, e.reply_id) = t.id and e.state <> 'rejected'
        ${after ? sql`where (t.id, t.question, coalesce(e.id, ${NO_EVIDENCE})) > (${after.id}::uuid, ${after.question}, ${after.evidence ?? NO_EVIDENCE}::uuid)` : sql``}
        order by t.id, t.question, coalesce(e.id, ${NO_EVIDENCE}) limit ${ROWS_AT_ONCE}`),
    )
    if (rows.length > 0) yield rows.map((row) => toAnswerCells(row, names))
    last = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined
  } while (last)
}

function toAnswerCells(row: AnswerRow, names: ThemeNames): WorkbookCell[] {
  const isCoded = row.evidence !== null
  return [
    row.source,
    row.id,
    row.question,
    row.version,
    row.language,
    row.at,
    row.text,
    row.is_read ? 1 : 0,
    isCoded ? (names.get(row.theme ?? '') ?? '') : null,
    // Without a passage of its own, the whole text says it.
    isCoded ? row.quote || row.text : null,
    row.start_at,
    row.end_at,
    row.state,
    isCoded ? (row.is_quoted ? 1 : 0) : null,
    row.coded_at,
  ]
}
