import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveyQuotas } from '#app/server/db/schema/surveys.ts'
import { getStepAt } from './compute-averages.ts'
import { loadSurveyTallies, loadTalliesOfSurveys } from '../responses/response-counts.server.ts'
import { SUPPRESSION_THRESHOLD, type SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import { countTallied, WHOLE_RESPONSE } from '../responses/tallies.ts'
import { type PlacedSurvey, requireSurveyFor, requireSurveysFor } from '../surveys.policy.server.ts'
import type { Page } from '../surveys.schema.ts'
import { loadEveryVersion } from '../questionnaire/versions.server.ts'

export interface Completion {
  started: SuppressibleCount
  pages: { id: string; title: string; reached: SuppressibleCount }[]
  sent: SuppressibleCount
  quotas: { id: string; taken: SuppressibleCount }[]
  /** People with an account who sent more than one response. Nobody knows of others. */
  answeredAgain: SuppressibleCount
  seconds: { quarter: number; half: number; threeQuarters: number } | null
}

/**
 * How far participants got, page by page of the newest version, counting drafts and sent responses, and how long it took those who sent
 * one. A sent response counts as having reached every page, even pages it skipped. Small numbers are suppressed as in the figures.
 * @throws {AppError} `not-found`, `forbidden`
 */
export function getCompletion(ctx: Ctx, surveyId: string): Promise<Completion> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'responses.see', surveyId)
    const { survey } = placed
    const pages = [...(await loadEveryVersion(tx, ctx.site.id, survey.id)).versions.values()].at(-1)?.pages ?? []
    const halfGiven = await countDraftsByPage(tx, ctx.site.id, survey.id, pages)
    const whole = (await loadSurveyTallies(tx, ctx.site.id, survey.id)).filter(
      (tally) => tally.question === WHOLE_RESPONSE && tally.count > 0,
    )
    const sent = countTallied(whole)
    const drafts = halfGiven.reduce((sum, count) => sum + count, 0)
    const whoCame = (page: number) => sent + halfGiven.slice(page + 1).reduce((sum, count) => sum + count, 0)
    const knowsEach = canKnowEach(ctx, placed)
    const suppressSmallCount = (count: number) => suppressUnlessKnown(count, knowsEach)
    const quotas = await tx
      .select({ id: surveyQuotas.quotaId, taken: surveyQuotas.taken })
      .from(surveyQuotas)
      .where(and(eq(surveyQuotas.siteId, ctx.site.id), eq(surveyQuotas.surveyId, survey.id)))
    return {
      started: suppressSmallCount(sent + drafts),
      pages: pages.map(({ id, title }, index) => ({
        id,
        title: localiseText(title, ctx.contentLanguage, ctx.site.locale).text,
        reached: suppressSmallCount(whoCame(index)),
      })),
      sent: suppressSmallCount(sent),
      quotas: quotas.map(({ id, taken }) => ({ id, taken: suppressSmallCount(taken) })),
      answeredAgain: suppressSmallCount(await countPeopleAgain(tx, ctx.site.id, survey.id)),
      seconds: knowsEach || sent >= SUPPRESSION_THRESHOLD ? computeQuartiles(whole) : null,
    }
  })
}

/**
 * How many people began each of several surveys and how many sent their answers: those of `getCompletion`, in three statements.
 * @throws {AppError} `not-found`, `forbidden`
 */
export function countStarted(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Pick<Completion, 'started' | 'sent'>>> {
  return ctx.db.tx(async (tx) => {
    const all = await requireSurveysFor(ctx, tx, 'responses.see', ids)
    const tallies = await loadTalliesOfSurveys(tx, ctx.site.id, ids)
    const drafts = await tx
      .select({ survey: responseDrafts.surveyId, count: sql<number>`count(*)::int` })
      .from(responseDrafts)
      .where(and(eq(responseDrafts.siteId, ctx.site.id), inArray(responseDrafts.surveyId, [...ids]), isFirstDraft))
      .groupBy(responseDrafts.surveyId)
    return new Map(
      all.map((placed) => {
        const { id } = placed.survey
        const sent = countTallied(tallies.get(id) ?? [])
        const begun = drafts.find(({ survey }) => survey === id)?.count ?? 0
        const knowsEach = canKnowEach(ctx, placed)
        return [id, { started: suppressUnlessKnown(sent + begun, knowsEach), sent: suppressUnlessKnown(sent, knowsEach) }]
      }),
    )
  })
}

const canKnowEach = (ctx: Ctx, { project }: PlacedSurvey): boolean =>
  checkPermission(ctx.viewer, 'responses.export-personal', toPermissionTarget(project)).ok
const suppressUnlessKnown = (count: number, knowsEach: boolean): SuppressibleCount =>
  knowsEach || count === 0 || count >= SUPPRESSION_THRESHOLD ? count : null

/** Begun, and no change of a response that was sent. */
const isFirstDraft = and(gt(responseDrafts.version, 0), isNull(responseDrafts.replaces))

/** How many drafts have no answers yet, have their last answer on the first page, on the second, and so on. */
async function countDraftsByPage(tx: Tx, siteId: string, surveyId: string, pages: readonly Page[]): Promise<number[]> {
  const furthest = pages
    .map((page, index) => {
      const ids = page.questions.map((question) => question.id).join(' ')
      return sql`when ${responseDrafts.answers} ?| string_to_array(${ids}, ' ') then ${sql.raw(String(index + 1))}`
    })
    .toReversed()
  const at = pages.length === 0 ? sql<number>`0` : sql<number>`case ${sql.join(furthest, sql` `)} else 0 end`
  const rows = await tx
    .select({ at, count: sql<number>`count(*)::int` })
    .from(responseDrafts)
    .where(and(eq(responseDrafts.siteId, siteId), eq(responseDrafts.surveyId, surveyId), isFirstDraft))
    .groupBy(sql`1`)
  return Array.from({ length: pages.length + 1 }, (_, index) => rows.find((row) => row.at === index)?.count ?? 0)
}

async function countPeopleAgain(tx: Tx, siteId: string, surveyId: string): Promise<number> {
  const { rows } = await tx.execute<{ people: number }>(sql`
    select count(*)::int as people from (
      select from ${responses} where site_id = ${siteId} and survey_id = ${surveyId} and withdrawn_at is null and user_id is not null
      group by user_id having count(*) > 1) again`)
  return rows[0]?.people ?? 0
}

function computeQuartiles(whole: readonly { value: string; count: number }[]): Completion['seconds'] {
  const cells = whole
    .filter((tally) => tally.value.startsWith('s'))
    .map(({ value, count }) => ({ value: value.slice(1), count }))
    .toSorted((a, b) => Number(a.value) - Number(b.value))
  const total = cells.reduce((sum, cell) => sum + cell.count, 0)
  if (total === 0) return null
  const findPercentile = (share: number) => getStepAt(cells, Math.max(1, Math.ceil(total * share)))
  return { quarter: findPercentile(0.25), half: findPercentile(0.5), threeQuarters: findPercentile(0.75) }
}
