import { AppError } from '#app/lib/app-error.ts'
import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { placeOf } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { marksOfPart, pairsOfPart } from './surveys.blocks.server.ts'
import { keptCounts } from './surveys.counts.server.ts'
import { type CountedValue, figuresOf, publishable, publishableTable, SMALLEST_CELL, type SurveyFigures } from './surveys.figures.ts'
import { seeSurveyAs } from './surveys.policy.server.ts'
import { partOf, type ResultsFilter } from './surveys.parts.ts'
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

/**
 * The figures of a survey, for those who may see its responses. Numbers so small that a person might be recognised are hidden from
 * those who may not see personal data, and from everybody where the figures are those of an area; of fewer than five from there none are told.
 * @throws {AppError} `not-found`, `forbidden`; `invalid-parameter` for an area together with anything else
 */
export function getResults(ctx: Ctx, surveyId: string, filter: ResultsFilter = {}): Promise<SurveyFigures> {
  return ctx.db.tx(async (tx) => {
    const { survey, project } = await seeSurveyAs(ctx, tx, 'responses.see', surveyId)
    const figures = await countSurvey(ctx, tx, survey.id, alone(filter))
    if (filter.area !== undefined && figures.responses < SMALLEST_CELL)
      return inOneLanguage(ctx, figuresOf({ ...(await versionsOf(tx, ctx.site.id, surveyId)), marks: [] }))
    const whole = filter.area === undefined && decide(ctx.viewer, 'responses.export-personal', placeOf(project)).ok
    return inOneLanguage(ctx, whole ? figures : publishable(figures))
  })
}

/** Someone's area is not to be found out by what else is known of them. @throws {AppError} `invalid-parameter` */
function alone(filter: ResultsFilter): ResultsFilter {
  const { area, ...others } = filter
  if (area !== undefined && partOf(others)) throw new AppError('invalid-parameter', { parameter: 'filter[area]' })
  return filter
}

function inOneLanguage(ctx: Ctx, figures: SurveyFigures): SurveyFigures {
  const page = { id: 'all', questions: figures.questions.map((each) => each.question) }
  const [told] = definitionIn({ schema: 1, pages: [page] }, ctx.language, ctx.site.locale).pages
  return {
    ...figures,
    questions: figures.questions.map((each, index) => ({ ...each, question: { ...each.question, ...told?.questions[index] } })),
  }
}

/** From the counts that are kept; those of a part of the responses from the bits that are kept of them. */
async function countSurvey(ctx: Ctx, tx: Tx, surveyId: string, filter: ResultsFilter = {}): Promise<SurveyFigures> {
  const part = partOf(filter)
  const marks = part ? await marksOfPart(tx, { siteId: ctx.site.id, id: surveyId }, part) : await keptCounts(tx, ctx.site.id, surveyId)
  return figuresOf({ ...(await versionsOf(tx, ctx.site.id, surveyId)), marks })
}

/** One question's values beside another's: how many said both. */
export interface CrossTable {
  rows: { value: string; cells: CountedValue[] }[]
}

/**
 * Two questions of one survey against each other, by options and steps. Small numbers are hidden as in the figures.
 * @throws {AppError} `not-found`, `forbidden`
 */
export function crossTabulate(
  ctx: Ctx,
  input: { surveyId: string; rows: string; columns: string; filter?: ResultsFilter },
): Promise<CrossTable> {
  return ctx.db.tx(async (tx) => {
    const { survey, project } = await seeSurveyAs(ctx, tx, 'responses.see', input.surveyId)
    const filter = alone(input.filter ?? {})
    const pairs = await pairsOfPart(tx, { siteId: ctx.site.id, id: survey.id }, input, partOf(filter))
    const table = [...Map.groupBy(pairs, (pair) => pair.row)].map(([value, cells]) => ({
      value,
      cells: cells.map(({ column, count: people }) => ({ value: column, count: people })),
    }))
    const mayKnowEach = filter.area === undefined && decide(ctx.viewer, 'responses.export-personal', placeOf(project)).ok
    return { rows: mayKnowEach ? table : publishableTable(table) }
  })
}
