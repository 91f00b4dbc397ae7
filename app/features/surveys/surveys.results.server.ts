import { and, count, desc, eq, gte, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { placeOf } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema.ts'
import { keptCounts, marksWhere } from './surveys.counts.server.ts'
import { type CountedValue, figuresOf, publishable, publishableTable, SMALLEST_CELL, type SurveyFigures } from './surveys.figures.ts'
import { seeSurveyAs } from './surveys.policy.server.ts'
import { gave } from './surveys.response-list.server.ts'
import { seeSurveyAt, type SurveyAddress, viewOf } from './surveys.server.ts'
import { versionsOf } from './surveys.versions.server.ts'
import { definitionIn, type SurveyView } from './surveys.views.ts'

export interface PublicResults {
  survey: SurveyView
  /** Null while there are too few responses to show any. */
  figures: SurveyFigures | null
}

/**
 * The results of a survey that publishes them, with small numbers hidden. Those who may see its responses see the page beforehand.
 * @throws {AppError} `not-found`, also where they are not published
 */
export function getPublicResults(ctx: Ctx, address: SurveyAddress): Promise<PublicResults> {
  return ctx.db.tx(async (tx) => {
    const placed = await seeSurveyAt(ctx, tx, address)
    const mayLookAhead = decide(ctx.viewer, 'responses.see', placeOf(placed.project)).ok
    if (!placed.survey.resultsPublic && !mayLookAhead) throw new AppError('not-found')
    const figures = await countSurvey(ctx, tx, placed.survey.id)
    const survey = viewOf(ctx, placed)
    if (figures.responses < SMALLEST_CELL) return { survey, figures: null }
    return { survey, figures: inOneLanguage(ctx, publishable(figures)) }
  })
}

/** Which responses are counted; without any, all of them. */
export interface ResultsFilter {
  language?: readonly Language[] | undefined
  version?: number | undefined
  source?: string | undefined
  /** Instants; the end is not included. */
  from?: string | undefined
  to?: string | undefined
  /** `<question>:<option or step>`: only who said so, all of them together. */
  answers?: readonly string[] | undefined
}

/**
 * The figures of a survey, for those who may see its responses. Numbers so small that a person might be recognised are hidden from
 * those who may not see personal data. @throws {AppError} `not-found`, `forbidden`
 */
export function getResults(ctx: Ctx, surveyId: string, filter: ResultsFilter = {}): Promise<SurveyFigures> {
  return ctx.db.tx(async (tx) => {
    const { survey, project } = await seeSurveyAs(ctx, tx, 'responses.see', surveyId)
    const figures = await countSurvey(ctx, tx, survey.id, filter)
    const whole = decide(ctx.viewer, 'responses.export-personal', placeOf(project)).ok
    return inOneLanguage(ctx, whole ? figures : publishable(figures))
  })
}

function inOneLanguage(ctx: Ctx, figures: SurveyFigures): SurveyFigures {
  const page = { id: 'all', questions: figures.questions.map((each) => each.question) }
  const [told] = definitionIn({ schema: 1, pages: [page] }, ctx.language, ctx.site.locale).pages
  return {
    ...figures,
    questions: figures.questions.map((each, index) => ({ ...each, question: { ...each.question, ...told?.questions[index] } })),
  }
}

/** From the counts that are kept; those of a part of the responses are made from the responses themselves. */
async function countSurvey(ctx: Ctx, tx: Tx, surveyId: string, filter: ResultsFilter = {}): Promise<SurveyFigures> {
  const where = responsesOf(filter)
  const marks = where
    ? await marksWhere(tx, and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isNull(responses.withdrawnAt), where))
    : await keptCounts(tx, ctx.site.id, surveyId)
  return figuresOf({ ...(await versionsOf(tx, ctx.site.id, surveyId)), marks })
}

function responsesOf({ language, version, source, from, to, answers = [] }: ResultsFilter): SQL | undefined {
  return and(
    language && inArray(responses.language, [...language]),
    version === undefined ? undefined : eq(responses.version, version),
    source === undefined ? undefined : eq(responses.source, source),
    from === undefined ? undefined : gte(responses.submittedAt, new Date(from)),
    to === undefined ? undefined : lt(responses.submittedAt, new Date(to)),
    ...answers.map(gave),
  )
}

/** One question's values beside another's: how many said both. */
export interface CrossTable {
  rows: { value: string; cells: CountedValue[] }[]
}

/**
 * Two questions of one survey against each other, by options and steps. Small numbers are hidden as in the figures.
 * @throws {AppError} `not-found`, `forbidden`
 */
export function crossTabulate(ctx: Ctx, input: { surveyId: string; rows: string; columns: string }): Promise<CrossTable> {
  return ctx.db.tx(async (tx) => {
    const { survey, project } = await seeSurveyAs(ctx, tx, 'responses.see', input.surveyId)
    const { rows } = await tx.execute<{ row: string; col: string; count: number }>(sql`
      select r.value as row, c.value as col, count(*)::int as count
      from ${responses} cross join lateral (${valuesOf(input.rows)}) r(value) cross join lateral (${valuesOf(input.columns)}) c(value)
      where ${responses.siteId} = ${ctx.site.id} and ${responses.surveyId} = ${survey.id} and ${responses.withdrawnAt} is null
      group by 1, 2`)
    const table = [...Map.groupBy(rows, (each) => each.row)].map(([value, cells]) => ({
      value,
      cells: cells.map(({ col, count: people }) => ({ value: col, count: people })),
    }))
    const mayKnowEach = decide(ctx.viewer, 'responses.export-personal', placeOf(project)).ok
    return { rows: mayKnowEach ? table : publishableTable(table) }
  })
}

/** What one response said to a question: its options, or its step. */
function valuesOf(question: string): SQL {
  const answer = sql`${responses.answers} -> ${question}`
  return sql`
    select ${answer} ->> 'choice' where jsonb_typeof(${answer}) = 'object' and ${answer} ? 'choice'
    union all select jsonb_array_elements_text(${answer} -> 'choices') where jsonb_typeof(${answer} -> 'choices') = 'array'
    union all select ${responses.answers} ->> ${question} where jsonb_typeof(${answer}) = 'number'`
}

export interface WrittenAnswer {
  responseId: string
  text: string
  language: Language
  submittedAt: Date
}

const MOST_WRITTEN = 100

/** What people wrote to one question, newest first, in pages. @throws {AppError} `not-found`, `forbidden` */
export function listWrittenAnswers(
  ctx: Ctx,
  input: { surveyId: string; question: string; offset: number; limit: number },
): Promise<{ rows: WrittenAnswer[]; total: number }> {
  return ctx.db.tx(async (tx) => {
    const { survey } = await seeSurveyAs(ctx, tx, 'responses.see', input.surveyId)
    const text = sql<string>`coalesce(
      ${responses.answers} -> ${input.question} ->> 'other',
      ${responses.answers} #>> array[${input.question}, 'place', 'address'],
      ${responses.answers} ->> ${input.question})`
    const where = and(
      eq(responses.siteId, ctx.site.id),
      eq(responses.surveyId, survey.id),
      isNull(responses.withdrawnAt),
      sql`(jsonb_typeof(${responses.answers} -> ${input.question}) = 'string' or (${responses.answers} -> ${input.question}) ? 'other'
        or ${responses.answers} #> array[${input.question}, 'place'] ? 'address')`,
    )
    const [total] = await tx.select({ all: count() }).from(responses).where(where)
    const rows = await tx
      .select({ responseId: responses.id, text, language: responses.language, submittedAt: responses.submittedAt })
      .from(responses)
      .where(where)
      .orderBy(desc(responses.submittedAt), desc(responses.id))
      .offset(input.offset)
      .limit(Math.min(input.limit, MOST_WRITTEN))
    return { rows, total: total?.all ?? 0 }
  })
}
