import { and, eq, gte, inArray, lt, or, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { isCounted, responses, surveyCounts } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { deleteBlocks, loadCohortTallies, tallyEveryResponse, resetBlocks } from './response-bitmaps.server.ts'
import type { Cohort } from '../results/results-filter.ts'
import { findWholeTally, type Tally, type TalliedResponse, TallySums, tallyResponse, WHOLE_RESPONSE } from './tallies.ts'

/**
 * Adds responses to a survey's counts, or removes them, in the transaction that stores or deletes them. The caller must hold the lock on
 * the survey's row and have updated its response count, so a concurrent rebuild either sees a response or is followed by its update.
 * @param by 1 to add, -1 to remove
 */
export async function countResponses(
  tx: Tx,
  siteId: string,
  surveyId: string,
  given: readonly (TalliedResponse & { number?: number | null })[],
  by: 1 | -1,
): Promise<void> {
  if (given.length === 0) return
  const survey = { siteId, id: surveyId }
  if (by === -1)
    await deleteBlocks(
      tx,
      survey,
      given.map((response) => response.number),
    )
  if (!(await hasCounts(tx, siteId, surveyId)) && !(await areFirstResponses(tx, survey, by * given.length))) return
  const sums = new TallySums()
  for (const response of given) for (const tally of tallyResponse(response)) sums.add(tally, by)
  await addTallies(tx, siteId, surveyId, sums.list())
}

/** True if the survey had no responses before these. */
async function areFirstResponses(tx: Tx, { siteId, id }: { siteId: string; id: string }, given: number): Promise<boolean> {
  const [row] = await tx
    .select({ all: surveys.responsesCount })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, id)))
  return row?.all === given
}

/** A survey's counts, computed first if there are none, as for responses that were inserted directly. */
export const loadSurveyTallies = async (tx: Tx, siteId: string, surveyId: string): Promise<Tally[]> =>
  (await loadTalliesOfSurveys(tx, siteId, [surveyId])).get(surveyId) ?? []

/**
 * The same of each of several surveys, in one statement.
 * @param part only what a cohort said. What is stored is read if the cohort is a period and has all responses of a survey.
 */
export async function loadTalliesOfSurveys(tx: Tx, siteId: string, ids: readonly string[], part?: Cohort): Promise<Map<string, Tally[]>> {
  const whole = part ? await findSurveysWithin(tx, siteId, ids, part) : ids
  const found = await selectTallies(tx, siteId, whole)
  const uncounted = whole.filter((id) => !findWholeTally(found.get(id) ?? []))
  for (const id of uncounted.toSorted()) {
    await lockSurvey(tx, siteId, id)
    if (!(await hasCounts(tx, siteId, id))) await replaceTallies(tx, siteId, id, await loadCohortTallies(tx, { siteId, id }))
  }
  if (uncounted.length > 0) for (const [id, tallies] of await selectTallies(tx, siteId, uncounted)) found.set(id, tallies)
  for (const id of ids) if (part && !whole.includes(id)) found.set(id, await loadCohortTallies(tx, { siteId, id }, part))
  return found
}

/** The surveys of which all responses were sent in the period of a cohort; none if it is about more than a period. */
async function findSurveysWithin(
  tx: Tx,
  siteId: string,
  ids: readonly string[],
  { groups, from, to, area, people }: Cohort,
): Promise<string[]> {
  if (ids.length === 0 || groups.length > 0 || area !== undefined || people !== undefined) return []
  const isOutside = or(from && lt(responses.submittedAt, from), to && gte(responses.submittedAt, to))
  const rows = await tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(
      and(
        eq(surveys.siteId, siteId),
        inArray(surveys.id, [...ids]),
        sql`not exists (select from ${responses} where ${and(eq(responses.siteId, surveys.siteId), eq(responses.surveyId, surveys.id), isCounted, isOutside)})`,
      ),
    )
  return rows.map(({ id }) => id)
}

async function selectTallies(tx: Tx, siteId: string, ids: readonly string[]): Promise<Map<string, Tally[]>> {
  if (ids.length === 0) return new Map()
  const { surveyId, question, value, count, total } = surveyCounts
  const rows = await tx
    .select({ surveyId, tally: { question, value, count, total } })
    .from(surveyCounts)
    .where(and(eq(surveyCounts.siteId, siteId), inArray(surveyId, [...ids])))
  const bySurvey = Map.groupBy(rows, (row) => row.surveyId)
  return new Map(ids.map((id) => [id, (bySurvey.get(id) ?? []).map(({ tally }) => tally)]))
}

async function hasCounts(tx: Tx, siteId: string, surveyId: string): Promise<boolean> {
  const rows = await tx
    .select({ count: surveyCounts.count })
    .from(surveyCounts)
    .where(
      and(
        eq(surveyCounts.siteId, siteId),
        eq(surveyCounts.surveyId, surveyId),
        eq(surveyCounts.question, WHOLE_RESPONSE),
        eq(surveyCounts.value, ''),
      ),
    )
  return rows.length > 0
}

/** Recounts every response. No response can be stored in the meantime. @returns how many there are */
export async function rebuildTallies(tx: Tx, siteId: string, surveyId: string): Promise<number> {
  const survey = { siteId, id: surveyId }
  await lockSurvey(tx, siteId, surveyId)
  await resetBlocks(tx, survey)
  return replaceTallies(tx, siteId, surveyId, await loadCohortTallies(tx, survey))
}

async function replaceTallies(tx: Tx, siteId: string, surveyId: string, tallies: readonly Tally[]): Promise<number> {
  await tx.delete(surveyCounts).where(and(eq(surveyCounts.siteId, siteId), eq(surveyCounts.surveyId, surveyId)))
  const whole = findWholeTally(tallies)
  await addTallies(tx, siteId, surveyId, whole ? tallies : [{ question: WHOLE_RESPONSE, value: '', count: 0, total: 0 }])
  return whole?.count ?? 0
}

export const lockSurvey = (tx: Tx, siteId: string, surveyId: string) =>
  tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
    .for('update')

/** Differences between the stored counts and bitmaps and what the responses say, as `question value: stored, real`. Empty if all is well. */
export async function findWrongCounts(tx: Tx, siteId: string, surveyId: string): Promise<string[]> {
  if (!(await hasCounts(tx, siteId, surveyId))) return []
  const survey = { siteId, id: surveyId }
  await lockSurvey(tx, siteId, surveyId)
  const real = await tallyEveryResponse(tx, survey)
  const kept = [(await selectTallies(tx, siteId, [surveyId])).get(surveyId) ?? [], await loadCohortTallies(tx, survey)]
  return [...new Set(kept.flatMap((tallies) => listDifferences(tallies, real)))]
}

function listDifferences(kept: readonly Tally[], real: readonly Tally[]): string[] {
  const byName = (tallies: readonly Tally[]) => new Map(tallies.map((tally) => [`${tally.question} ${tally.value}`, tally]))
  const [is, should] = [byName(kept), byName(real)]
  return [...new Set([...is.keys(), ...should.keys()])].flatMap((name) => {
    const [counted, said] = [is.get(name)?.count ?? 0, should.get(name)?.count ?? 0]
    return counted === said ? [] : [`${name}: ${counted}, ${said}`]
  })
}

async function addTallies(tx: Tx, siteId: string, surveyId: string, tallies: readonly Tally[]): Promise<void> {
  await tx.execute(sql`
    insert into ${surveyCounts} (site_id, survey_id, question, value, count, total)
    select ${siteId}::uuid, ${surveyId}::uuid, mark.question, mark.value, mark.count, mark.total
    from jsonb_to_recordset(${JSON.stringify(tallies)}::jsonb) mark(question text, value text, count int, total double precision)
    on conflict (site_id, survey_id, question, value)
    do update set count = ${surveyCounts}.count + excluded.count, total = ${surveyCounts}.total + excluded.total`)
}
