import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { isCounted, responses } from '#app/server/db/schema/responses.ts'
import { findCohortMembers } from '../responses/response-bitmaps.server.ts'
import { parseCohort, type ResultsFilter } from '../results/results-filter.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import { listThemesNamed, loadThemeNames, nameThemes } from '#app/features/heard/theme-names.server.ts'
import { findFormerAnswersSql } from './former-answers.server.ts'
import { listMeaningfulWords } from './meaningful-words.ts'

export interface WrittenAnswer {
  responseId: string
  text: string
  language: ContentLanguage
  submittedAt: Date
  tags: string[]
}

export interface WrittenSearch {
  q?: string | undefined
  word?: string | undefined
  tag?: string | undefined
  untagged?: boolean | undefined
}

const MAX_LISTED = 100
/** Words are counted in at most this many of the newest answers. */
const MAX_READ = 20_000
const MAX_WORDS = 60

interface WrittenQuery extends WrittenSearch {
  surveyId: string
  question: string
  part?: ResultsFilter
}

/**
 * What people wrote to one question, or beside its "other", newest first, paginated. Includes earlier answers if the question has become
 * text.
 * @throws {AppError} `not-found`, `forbidden`
 */
export function listWrittenAnswers(
  ctx: Ctx,
  { offset, limit, ...input }: WrittenQuery & { offset: number; limit: number },
): Promise<{ rows: WrittenAnswer[]; total: number }> {
  return ctx.db.read(async (tx) => {
    await requireSurveyFor(ctx, tx, 'responses.see', input.surveyId)
    const written = await buildSearchQuery(ctx, tx, input)
    const most = Math.min(limit, MAX_LISTED)
    if (input.word) {
      const having = filterByWord(await readWritten(tx, written), input.word)
      return { rows: await withTags(ctx, tx, input, having.slice(offset, offset + most)), total: having.length }
    }
    const { rows } = await tx.execute<{ total: number }>(sql`select count(*)::int as total from (${written}) found`)
    const found = await readWritten(tx, sql`${written} order by submitted_at desc, id desc offset ${offset} limit ${most}`)
    return { rows: await withTags(ctx, tx, input, found), total: rows[0]?.total ?? 0 }
  })
}

/** The words used by most people, in the newest 20,000 answers. @throws {AppError} `not-found`, `forbidden` */
export function listWords(ctx: Ctx, input: WrittenQuery): Promise<{ word: string; answers: number }[]> {
  return ctx.db.read(async (tx) => {
    await requireSurveyFor(ctx, tx, 'responses.see', input.surveyId)
    const counts = new Map<string, number>()
    for (const { text, language } of await readWritten(tx, await buildNewestQuery(ctx, tx, input)))
      for (const word of listMeaningfulWords(text, language)) counts.set(word, (counts.get(word) ?? 0) + 1)
    return [...counts]
      .filter(([, answers]) => answers > 1)
      .toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
      .slice(0, MAX_WORDS)
      .map(([word, answers]) => ({ word, answers }))
  })
}

/** Ids of all responses that match a search. */
export async function listWrittenIds(ctx: Ctx, tx: Tx, input: WrittenQuery): Promise<string[]> {
  const found = await readWritten(tx, await buildSearchQuery(ctx, tx, input))
  return (input.word ? filterByWord(found, input.word) : found).map(({ id }) => id)
}

type WrittenRow = { id: string; text: string; language: ContentLanguage; submitted_at: string }

const readWritten = async (tx: Tx, query: SQL): Promise<WrittenRow[]> =>
  (await tx.execute<WrittenRow & Record<string, unknown>>(query)).rows

const filterByWord = (read: readonly WrittenRow[], word: string): WrittenRow[] => {
  const wanted = word.toLowerCase()
  return read.filter(({ text, language }) => listMeaningfulWords(text, language).has(wanted))
}

/** A word search covers the same answers as the word counts: the newest ones. */
const buildSearchQuery = async (ctx: Ctx, tx: Tx, input: WrittenQuery): Promise<SQL> =>
  input.word ? sql`select * from (${await buildNewestQuery(ctx, tx, input)}) newest` : buildWrittenQuery(ctx, tx, input)

const buildNewestQuery = async (ctx: Ctx, tx: Tx, input: WrittenQuery): Promise<SQL> =>
  sql`${await buildWrittenQuery(ctx, tx, input)} order by submitted_at desc, id desc limit ${sql.raw(String(MAX_READ))}`

async function buildWrittenQuery(ctx: Ctx, tx: Tx, { surveyId, question, part, q, tag, untagged }: WrittenQuery): Promise<SQL> {
  const members = await findCohortMembers(tx, { siteId: ctx.site.id, id: surveyId }, part && parseCohort(part))
  const former = await findFormerAnswersSql(ctx, tx, surveyId, question)
  const text = former ?? sql`written_answer(${responses.answers}, ${question})`
  const tags = sql`select from theme_evidence e where e.site_id = ${ctx.site.id} and e.response_id = ${responses.id} and e.question = ${question}
    and e.state = 'confirmed' ${tag === undefined ? sql`` : sql`and e.theme_id in (${await selectThemesNamed(ctx, tx, surveyId, tag)})`}`
  const where = and(
    eq(responses.siteId, ctx.site.id),
    eq(responses.surveyId, surveyId),
    isCounted,
    former
      ? sql`${responses.answers} ? ${question}`
      : sql`(jsonb_typeof(${responses.answers} -> ${question}) = 'string' or (${responses.answers} -> ${question}) ? 'other'
          or ${responses.answers} #> array[${question}, 'place'] ? 'address')`,
    q ? sql`${text} ilike ${toLikePattern(q)}` : undefined,
    tag === undefined ? undefined : sql`exists (${tags})`,
    untagged ? sql`not exists (${tags})` : undefined,
    members &&
      sql`(get_bit(wanted.bits, ${responses.number} % 8192) = 1 or ${responses.id} in (
        select id::uuid from jsonb_array_elements_text(${JSON.stringify(members.ids)}::jsonb) given(id)))`,
  )
  const joined = members ? sql`left join (${members.wanted}) wanted on wanted.block = ${responses.number} / 8192` : sql``
  return sql`select ${responses.id}, ${text} as text, ${responses.language}, ${responses.submittedAt} from ${responses} ${joined} where ${where}`
}

async function selectThemesNamed(ctx: Ctx, tx: Tx, surveyId: string, tag: string): Promise<SQL> {
  const { project } = await requireSurveyFor(ctx, tx, 'responses.see', surveyId)
  const ids = listThemesNamed(await loadThemeNames(ctx, tx, project.id), tag)
  return sql`select id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) given(id)`
}

async function withTags(ctx: Ctx, tx: Tx, { surveyId, question }: WrittenQuery, read: readonly WrittenRow[]): Promise<WrittenAnswer[]> {
  if (read.length === 0) return []
  const { project } = await requireSurveyFor(ctx, tx, 'responses.see', surveyId)
  const names = await loadThemeNames(ctx, tx, project.id)
  const { rows } = await tx.execute<{ response_id: string; theme: string }>(sql`
    select distinct response_id, theme_id as theme from theme_evidence
    where site_id = ${ctx.site.id} and question = ${question} and state = 'confirmed' and response_id in (
      select id::uuid from jsonb_array_elements_text(${JSON.stringify(read.map(({ id }) => id))}::jsonb) given(id))`)
  const themes = Map.groupBy(rows, (row) => row.response_id)
  return read.map(({ id, text, language, submitted_at: submittedAt }) => ({
    responseId: id,
    text,
    language,
    submittedAt: new Date(submittedAt),
    tags: nameThemes(
      names,
      (themes.get(id) ?? []).map(({ theme }) => theme),
    ),
  }))
}
