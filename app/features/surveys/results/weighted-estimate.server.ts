import { and, count, eq, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { buildMargin, DEFAULT_CAPS, rakeWeights, type WeightingCell } from '#app/features/reference-populations/rake-weights.ts'
import {
  findPopulation,
  readPopulations,
  type ReferencePopulation,
} from '#app/features/reference-populations/reference-populations.server.ts'
import { toPopulationOption } from '#app/features/reference-populations/survey-options.ts'
import type { Population } from '#app/features/reference-populations/compare-with-population.ts'
import { AppError } from '#app/lib/app-error.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { findWilsonInterval } from '#app/lib/wilson-interval.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { isCounted, responses } from '#app/server/db/schema/responses.ts'
import { loadEveryVersion } from '../questionnaire/versions.server.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import type { Question, Row } from '../surveys.schema.ts'
import type { EstimateResult, WeightedEstimate } from './weighted-estimate.schema.ts'

/** A linked question of the survey, and who lives there. */
interface WeightedBy {
  question: Question
  table: ReferencePopulation
  population: Population
}

/** People who gave the same answer to the question and to all that are weighted by. */
interface Group {
  answer: string
  cell: WeightingCell
}

const HAS_ONE_ANSWER: ReadonlySet<Question['type']> = new Set(['one_choice', 'dropdown', 'demographic'])

/**
 * The answers to a question, weighted so that those who answered are like those who live there in what the survey asked about them. For people
 * who see exact numbers; it never stands in the place of the figures.
 * @throws {AppError} `not-found`, `forbidden`
 */
export function estimateWeighted(ctx: Ctx, input: { survey: string; question: string }): Promise<EstimateResult> {
  return ctx.db.read(async (tx) => {
    const { survey, project } = await requireSurveyFor(ctx, tx, 'responses.see', input.survey)
    // As for exact figures.
    if (!checkPermission(ctx.viewer, 'responses.export-personal', toPermissionTarget(project)).ok) throw new AppError('forbidden')
    const { everything } = await loadEveryVersion(tx, ctx.site.id, survey.id)
    const questions = everything.pages.flatMap((page) => page.questions)
    const asked = questions.find(({ id }) => id === input.question)
    if (!asked || !HAS_ONE_ANSWER.has(asked.type)) throw new AppError('not-found')
    const by = await loadWeightedBy(
      ctx,
      tx,
      questions.filter(({ id, type }) => id !== asked.id && HAS_ONE_ANSWER.has(type)),
      project.id,
    )
    if (by.length === 0) return { refusal: { reason: 'no-margins' } }
    return weighAnswers(ctx, asked, by, await countGroups(ctx, tx, survey.id, asked.id, by))
  })
}

async function loadWeightedBy(ctx: Ctx, tx: Tx, questions: readonly Question[], projectId: string): Promise<WeightedBy[]> {
  const linked = questions.filter(({ profile }) => profile !== undefined)
  if (linked.length === 0) return []
  const tables = await readPopulations(
    ctx,
    tx,
    linked.flatMap(({ profile }) => profile ?? []),
  )
  const found: WeightedBy[] = []
  for (const question of linked) {
    const table = tables.find(({ question: { key } }) => key === question.profile)
    const population = table && (await findPopulation(ctx, tx, table, [projectId]))
    if (table && population) found.push({ question, table, population })
  }
  return found
}

/** What was chosen, '' for nothing. The path is a constant of the statement, so that groups are those of the columns. */
const selectChoice = (question: string) => sql<string>`coalesce(${responses.answers} -> ${sql.param(question)}::text ->> 'choice', '')`

async function countGroups(ctx: Ctx, tx: Tx, surveyId: string, asked: string, by: readonly WeightedBy[]): Promise<Group[]> {
  const chosen = sql<string[]>`array[${sql.join(
    [asked, ...by.map(({ question }) => question.id)].map((id) => selectChoice(id)),
    sql`, `,
  )}]`
  const rows = await tx
    .select({ chosen, people: count() })
    .from(responses)
    .where(and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isCounted))
    .groupBy(sql`1`)
  return rows.flatMap(({ chosen: [answer = '', ...said], people }) =>
    answer === '' ? [] : [{ answer, cell: { categories: said.map(toCategory), people } }],
  )
}

/** Who preferred not to say is weighted as those who said nothing. */
function toCategory(option: string): string {
  const category = toPopulationOption(option)
  return category === NO_ANSWER ? '' : category
}

function weighAnswers(ctx: Ctx, asked: Question, by: readonly WeightedBy[], groups: readonly Group[]): EstimateResult {
  const cells = groups.map(({ cell }) => cell)
  const said = by.map((_, at) => sumBy(cells, ({ categories }) => categories[at] ?? ''))
  const given = sumBy(
    groups.map(({ answer, cell }) => ({ ...cell, categories: [answer] })),
    ({ categories }) => categories[0] ?? '',
  )
  const people = cells.reduce((sum, cell) => sum + cell.people, 0)
  const isSmall = [...said, given].some((counts) => [...counts.values()].some((number) => number < SUPPRESSION_THRESHOLD))
  if (people === 0 || isSmall) return { refusal: { reason: 'too-few' } }
  const nameQuestion = (at: number) => getTranslation(by[at]?.question.title, ctx.contentLanguage, ctx.site.locale)
  const result = rakeWeights(
    cells,
    by.map(({ population }, at) => buildMargin(String(at), said[at] ?? new Map(), population.people)),
  )
  if (!result.ok) {
    if (result.reason === 'no-convergence') return { refusal: { reason: result.reason } }
    const at = Number(result.margin)
    const option = by[at]?.table.options.find(({ id }) => id === result.category)
    const category = option ? getTranslation(option.label, ctx.contentLanguage, ctx.site.locale) : result.category
    return { refusal: { reason: result.reason, question: nameQuestion(at), category } }
  }
  const { weights, ...figures } = result.weights
  const findWeightedShare = (answer: string) =>
    groups.reduce((sum, one, at) => sum + (one.answer === answer ? one.cell.people * (weights[at] ?? 0) : 0), 0) / people
  const options: readonly Row[] = 'options' in asked ? asked.options : []
  const estimate: WeightedEstimate = {
    options: options
      .filter(({ id }) => given.has(id))
      .map(({ id, label }) => {
        const share = findWeightedShare(id)
        return {
          label: getTranslation(label, ctx.contentLanguage, ctx.site.locale),
          plain: (given.get(id) ?? 0) / people,
          weighted: share,
          ...findWilsonInterval(share, figures.effectivePeople),
        }
      }),
    people,
    ...figures,
    ...DEFAULT_CAPS,
    by: by.map(({ population }, at) => ({ question: nameQuestion(at), source: population.source, year: population.year })),
  }
  return { estimate }
}

function sumBy(cells: readonly WeightingCell[], keyOf: (cell: WeightingCell) => string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const cell of cells) sums.set(keyOf(cell), (sums.get(keyOf(cell)) ?? 0) + cell.people)
  return sums
}
