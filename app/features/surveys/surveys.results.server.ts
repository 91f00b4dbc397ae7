import { and, count, desc, eq, isNull, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { placeOf } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema.ts'
import { type Counted, figuresOf, publishable, SMALLEST_CELL, type SurveyFigures } from './surveys.figures.ts'
import { seeSurveyAs } from './surveys.policy.server.ts'
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

/** Every number of a survey, for those who may see its responses. @throws {AppError} `not-found`, `forbidden` */
export function getResults(ctx: Ctx, surveyId: string): Promise<SurveyFigures> {
  return ctx.db.tx(async (tx) => {
    const { survey } = await seeSurveyAs(ctx, tx, 'responses.see', surveyId)
    return inOneLanguage(ctx, await countSurvey(ctx, tx, survey.id))
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

async function countSurvey(ctx: Ctx, tx: Tx, surveyId: string): Promise<SurveyFigures> {
  const given = and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isNull(responses.withdrawnAt))
  const byVersion = await tx
    .select({ version: responses.version, responses: count() })
    .from(responses)
    .where(given)
    .groupBy(responses.version)
  const { rows } = await tx.execute<{ question: string; kind: 'answered' | 'value'; value: string; count: number }>(sql`
    with given as materialized (
      select a.key as question, a.value as answer, jsonb_typeof(a.value) as shape
      from ${responses} cross join lateral jsonb_each(${responses.answers}) a where ${given}
    )
    select question, 'answered' as kind, '' as value, count(*)::int as count from given group by question
    union all
    select question, 'value', answer ->> 'choice', count(*)::int from given where shape = 'object' and answer ? 'choice' group by question, answer ->> 'choice'
    union all
    select question, 'value', chosen, count(*)::int from given cross join lateral jsonb_array_elements_text(answer -> 'choices') chosen
      where shape = 'object' and jsonb_typeof(answer -> 'choices') = 'array' group by question, chosen
    union all
    select question, 'value', answer #>> '{}', count(*)::int from given where shape = 'number' group by question, answer #>> '{}'`)
  return figuresOf({
    ...(await versionsOf(tx, ctx.site.id, surveyId)),
    responses: new Map(byVersion.map((row) => [row.version, row.responses])),
    answered: new Map(rows.filter((row) => row.kind === 'answered').map((row) => [row.question, row.count])),
    counted: rows.filter((row): row is typeof row & Counted => row.kind === 'value'),
  })
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
    const text = sql<string>`coalesce(${responses.answers} -> ${input.question} ->> 'other', ${responses.answers} ->> ${input.question})`
    const where = and(
      eq(responses.siteId, ctx.site.id),
      eq(responses.surveyId, survey.id),
      isNull(responses.withdrawnAt),
      sql`(jsonb_typeof(${responses.answers} -> ${input.question}) = 'string' or (${responses.answers} -> ${input.question}) ? 'other')`,
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
