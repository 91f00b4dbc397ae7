import { type SQL, sql } from 'drizzle-orm'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { replacePipes } from '#app/lib/piped-answers.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { EvidenceSource } from '#app/lib/vocabulary/heard.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { CodedPassage, ReadingProgress, TextSource, TextToRead } from './heard.schema.ts'
import { isNotReadBlind } from './double-coding/blind-reading.server.ts'
import { requireProjectFor } from './heard.policy.server.ts'

const MAX_AT_ONCE = 50

type ChosenSource = { kind: 'question'; survey: string; question: string } | { kind: 'activity' | 'replies'; activity: string }

const UUID = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`
const SOURCE_KEY = new RegExp(`^(?:question:(?<survey>${UUID}):(?<question>[^:]{1,40})|(?<kind>activity|replies):(?<activity>${UUID}))$`)

/** @throws {AppError} `not-found` */
export function parseSourceKey(key: string): ChosenSource {
  const { survey, question, kind, activity } = SOURCE_KEY.exec(key)?.groups ?? {}
  if (survey && question) return { kind: 'question', survey, question }
  if (activity && (kind === 'activity' || kind === 'replies')) return { kind, activity }
  throw new AppError('not-found')
}

/**
 * All that people wrote in a project, or in one source of it: `source`, `id`, `question`, `text`, `language`, `at`, `version`, `person`. A person
 * is an account, or the one text of somebody without one. Only what counts and can be read.
 * @param projectId an id, or a column that holds one
 */
export function buildTextsQuery(siteId: string, projectId: string | SQL, chosen?: ChosenSource): SQL {
  const answers =
    chosen?.kind === 'question'
      ? sql`cross join (select ${chosen.question}::text as question) q`
      : sql`join lateral (${sql.raw(QUESTIONS_WITH_WORDS)}) q on true`
  const responses = sql`
    select 'response' as source, r.id, q.question, written_answer(r.answers, q.question) as text, r.language, r.submitted_at as at, r.version,
      coalesce(r.user_id, r.id) as person
    from responses r join surveys s on s.site_id = r.site_id and s.id = r.survey_id ${answers}
    where r.site_id = ${siteId} and s.project_id = ${projectId} and r.withdrawn_at is null and r.counted
      and written_answer(r.answers, q.question) <> '' ${chosen?.kind === 'question' ? sql`and s.id = ${chosen.survey}` : sql``}`
  const isChosen = chosen && chosen.kind !== 'question' ? sql`and a.id = ${chosen.activity}` : sql``
  const contributions = sql`
    select 'contribution' as source, c.id, '' as question, contribution_text(c.title, c.body) as text, c.language, c.submitted_at as at, c.version,
      coalesce(c.author_id, c.id) as person
    from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id
    where c.site_id = ${siteId} and a.project_id = ${projectId} and c.state in ('published', 'merged')
      and contribution_text(c.title, c.body) <> '' ${isChosen}`
  const replies = sql`
    select 'reply' as source, p.id, '' as question, p.body as text, p.language, p.created_at as at, p.version, coalesce(p.author_id, p.id) as person
    from replies p join contributions c on c.site_id = p.site_id and c.id = p.contribution_id
    join activities a on a.site_id = c.site_id and a.id = c.activity_id
    where p.site_id = ${siteId} and a.project_id = ${projectId} and p.state = 'published' and p.role <> 'official' and p.body <> '' ${isChosen}`
  if (!chosen) return sql`${responses} union all ${contributions} union all ${replies}`
  return { question: responses, activity: contributions, replies }[chosen.kind]
}

/** Questions whose answer is a text that does not name a person, and questions with "other": of the survey `s`, as published. */
const QUESTIONS_WITH_WORDS = `select asked ->> 'id' as question from survey_versions v,
    jsonb_path_query(v.definition, '$.pages[*].questions[*]') asked
  where v.site_id = s.site_id and v.survey_id = s.id and v.number = s.published_version and ${isAskedForWords('asked')}`

function isAskedForWords(question: string): string {
  return `coalesce(${question} ->> 'removed', 'false') <> 'true' and coalesce(${question} ->> 'personal', 'false') <> 'true'
    and (${question} ->> 'type' in ('short_text', 'long_text') or ${question} @? '$.options[*] ? (@.other == true)')`
}

/** What there is to read in a project, in the order of its surveys and activities. @throws {AppError} `not-found`, `forbidden` */
export function listTextSources(ctx: Ctx, projectId: string): Promise<TextSource[]> {
  return ctx.db.read(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', projectId)
    return loadTextSources(ctx, tx, projectId)
  })
}

/** The same, for who may see them. Does not check permissions. */
export async function loadTextSources(ctx: Ctx, tx: Tx, projectId: string): Promise<TextSource[]> {
  const localise = (text: Translated) => getTranslation(text, ctx.contentLanguage, ctx.site.locale)
  const { rows: questions } = await tx.execute<{ survey: string; within: Translated; question: string; title: Translated }>(sql`
    select s.id as survey, s.title as within, asked ->> 'id' as question, asked -> 'title' as title
    from surveys s join survey_versions v on v.site_id = s.site_id and v.survey_id = s.id and v.number = s.published_version,
      jsonb_path_query(v.definition, '$.pages[*].questions[*]') with ordinality asks(asked, place)
    where s.site_id = ${ctx.site.id} and s.project_id = ${projectId} and ${sql.raw(isAskedForWords('asked'))}
    order by s.created_at, s.id, place`)
  const { rows: activities } = await tx.execute<{ id: string; title: Translated }>(sql`
    select id, title from activities where site_id = ${ctx.site.id} and project_id = ${projectId} and status <> 'draft' order by position, id`)
  return [
    ...questions.map(({ survey, within, question, title }) => ({
      key: `question:${survey}:${question}`,
      kind: 'question' as const,
      title: replacePipes(localise(title)),
      within: localise(within),
    })),
    ...activities.flatMap(({ id, title }) =>
      (['activity', 'replies'] as const).map((kind) => ({ key: `${kind}:${id}`, kind, title: localise(title), within: localise(title) })),
    ),
  ]
}

interface TextsInput {
  project: string
  source: string
  language?: ContentLanguage | undefined
  /** Only what nobody has read. */
  unread?: boolean | undefined
  /** Only what is coded to this theme. */
  theme?: string | undefined
  /** The last text before these. */
  after?: { at: string; id: string } | undefined
}

type TextRow = {
  source: EvidenceSource
  id: string
  question: string
  text: string
  language: ContentLanguage
  at: string
  version: number
  is_read: boolean
}

/** The next texts of a source, oldest first, each with what was coded; without those that the viewer reads as the second person. @throws {AppError} `not-found`, `forbidden` */
export async function listTextsToRead(ctx: Ctx, { project, source, language, unread, theme, after }: TextsInput): Promise<TextToRead[]> {
  const chosen = parseSourceKey(source)
  return ctx.db.read(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', project)
    const { rows } = await tx.execute<TextRow>(sql`
      select t.source, t.id, t.question, t.text, t.language, t.at::text as at, t.version, r.source_id is not null as is_read
      from (${buildTextsQuery(ctx.site.id, project, chosen)}) t
      left join theme_readings r on r.site_id = ${ctx.site.id} and r.source_id = t.id and r.question = t.question
      where ${isNotReadBlind(ctx, sql`t.id`, sql`t.question`)} ${language ? sql`and t.language = ${language}` : sql``} ${unread ? sql`and r.source_id is null` : sql``}
        ${theme ? sql`and exists (${selectEvidenceOf(ctx)} and e.theme_id = ${theme})` : sql``}
        ${after ? sql`and (t.at, t.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
      order by t.at, t.id limit ${MAX_AT_ONCE}`)
    const passages = await loadPassages(ctx, tx, rows)
    return rows.map(({ is_read: isRead, ...row }) => ({ ...row, isRead, passages: passages.get(`${row.id} ${row.question}`) ?? [] }))
  })
}

/** Evidence of the text `t`. */
const selectEvidenceOf = ({ site }: Ctx): SQL => sql`
  select from theme_evidence e where e.site_id = ${site.id} and e.question = t.question
    and coalesce(e.response_id, e.contribution_id, e.reply_id) = t.id`

async function loadPassages(ctx: Ctx, tx: Tx, texts: readonly TextRow[]): Promise<Map<string, CodedPassage[]>> {
  if (texts.length === 0) return new Map()
  const ids = sql`select id::uuid from jsonb_array_elements_text(${JSON.stringify(texts.map(({ id }) => id))}::jsonb) given(id)`
  const { rows } = await tx.execute<Omit<CodedPassage, 'isQuoted'> & { source_id: string; question: string; is_quoted: boolean }>(sql`
    select e.id, e.theme_id as theme, e.start_at as start, e.end_at as end, e.is_quoted, e.state, e.question,
      coalesce(e.response_id, e.contribution_id, e.reply_id) as source_id
    from theme_evidence e where e.site_id = ${ctx.site.id} and e.state <> 'rejected'
      and (e.response_id in (${ids}) or e.contribution_id in (${ids}) or e.reply_id in (${ids}))
    order by e.start_at, e.created_at, e.id`)
  return Map.groupBy(
    rows.map(({ is_quoted: isQuoted, ...row }) => ({ ...row, isQuoted })),
    (row) => `${row.source_id} ${row.question}`,
  )
}

/** How many texts of a source there are and were read, by language. @throws {AppError} `not-found`, `forbidden` */
export async function countReading(ctx: Ctx, { project, source }: { project: string; source: string }): Promise<ReadingProgress[]> {
  const chosen = parseSourceKey(source)
  return ctx.db.read(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', project)
    return countTexts(ctx, tx, project, chosen)
  })
}

/** The same for a project's editor, or one source of it. */
export async function countTexts(ctx: Ctx, tx: Tx, projectId: string, chosen?: ChosenSource): Promise<ReadingProgress[]> {
  const { rows } = await tx.execute<ReadingProgress & Record<string, unknown>>(sql`
    select t.language, count(*)::int as total, count(r.source_id)::int as read from (${buildTextsQuery(ctx.site.id, projectId, chosen)}) t
    left join theme_readings r on r.site_id = ${ctx.site.id} and r.source_id = t.id and r.question = t.question
    group by t.language order by t.language`)
  return rows
}

/** How much people wrote in each of some projects, and how much of it was read, in one statement. */
export async function countTextsByProject(
  { site }: Ctx,
  tx: Tx,
  projectIds: readonly string[],
): Promise<Map<string, { texts: number; textsRead: number }>> {
  if (projectIds.length === 0) return new Map()
  const { rows } = await tx.execute<{ project: string; texts: number; read: number }>(sql`
    select p.id as project, count(t.id)::int as texts, count(r.source_id)::int as read
    from unnest(${sql.param([...projectIds])}::uuid[]) p(id)
    cross join lateral (${buildTextsQuery(site.id, sql`p.id`)}) t
    left join theme_readings r on r.site_id = ${site.id} and r.source_id = t.id and r.question = t.question
    group by p.id`)
  return new Map(rows.map(({ project, texts, read }) => [project, { texts, textsRead: read }]))
}

/** Marks a text as read, with a theme or without one. Idempotent. @throws {AppError} `not-found`, `forbidden` */
export async function markAsRead(ctx: Ctx, input: { project: string; source: string; id: string }): Promise<void> {
  const chosen = parseSourceKey(input.source)
  return ctx.db.tx(async (tx) => {
    await requireProjectFor(ctx, tx, 'responses.see', input.project)
    const { rowCount } = await tx.execute(sql`
      insert into theme_readings (site_id, source_id, question, project_id, read_by, read_at)
      select ${ctx.site.id}, t.id, t.question, ${input.project}, ${getReaderId(ctx)}::uuid, ${ctx.now()}::timestamptz
      from (${buildTextsQuery(ctx.site.id, input.project, chosen)}) t where t.id = ${input.id}
      on conflict (site_id, source_id, question) do update set read_at = theme_readings.read_at`)
    if (!rowCount) throw new AppError('not-found')
  })
}

export const getReaderId = ({ viewer }: Ctx): string | null => (viewer.kind === 'user' ? viewer.id : null)
