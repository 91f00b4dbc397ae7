import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { responses, surveyCounts, surveys } from '#app/server/db/schema.ts'
import { type Mark, type MarkedResponse, marksOf, sumMarks, WHOLE } from './surveys.marks.ts'
import type { Answers } from './surveys.schema.ts'

const ROWS_AT_ONCE = 2000

/**
 * Adds responses to a survey's counts, or takes them out, in the transaction that stores or deletes them. The caller holds the
 * survey's row, as whoever changes its number of responses does; so a rebuild either sees a response or is told of it.
 * @param by 1 to add, -1 to take out
 */
export async function countResponses(
  tx: Tx,
  siteId: string,
  surveyId: string,
  given: readonly MarkedResponse[],
  by: 1 | -1,
): Promise<void> {
  if (given.length === 0 || !(await isCounted(tx, siteId, surveyId))) return
  await addMarks(
    tx,
    siteId,
    surveyId,
    sumMarks(given.flatMap((response) => marksOf(response).map((mark) => ({ ...mark, count: by * mark.count, total: by * mark.total })))),
  )
}

/** A survey's counts, made first where there are none yet: of a survey whose responses were brought in otherwise. */
export async function keptCounts(tx: Tx, siteId: string, surveyId: string): Promise<Mark[]> {
  if (!(await isCounted(tx, siteId, surveyId))) await rebuildCounts(tx, siteId, surveyId)
  return readCounts(tx, siteId, surveyId)
}

function readCounts(tx: Tx, siteId: string, surveyId: string): Promise<Mark[]> {
  return tx
    .select({ question: surveyCounts.question, value: surveyCounts.value, count: surveyCounts.count, total: surveyCounts.total })
    .from(surveyCounts)
    .where(and(eq(surveyCounts.siteId, siteId), eq(surveyCounts.surveyId, surveyId)))
}

async function isCounted(tx: Tx, siteId: string, surveyId: string): Promise<boolean> {
  const rows = await tx
    .select({ count: surveyCounts.count })
    .from(surveyCounts)
    .where(
      and(
        eq(surveyCounts.siteId, siteId),
        eq(surveyCounts.surveyId, surveyId),
        eq(surveyCounts.question, WHOLE),
        eq(surveyCounts.value, ''),
      ),
    )
  return rows.length > 0
}

/** Counts every response anew. No response is stored meanwhile. @returns how many there are */
export async function rebuildCounts(tx: Tx, siteId: string, surveyId: string): Promise<number> {
  await tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
    .for('update')
  await tx.delete(surveyCounts).where(and(eq(surveyCounts.siteId, siteId), eq(surveyCounts.surveyId, surveyId)))
  const marks = await marksWhere(tx, and(eq(responses.siteId, siteId), eq(responses.surveyId, surveyId), isNull(responses.withdrawnAt)))
  const whole = marks.find((mark) => mark.question === WHOLE && mark.value === '')
  await addMarks(tx, siteId, surveyId, whole ? marks : [{ question: WHOLE, value: '', count: 0, total: 0 }])
  return whole?.count ?? 0
}

/** Differences between the kept counts and what the responses say, as `question value: kept, real`. None where all is well. */
export async function wrongCounts(tx: Tx, siteId: string, surveyId: string): Promise<string[]> {
  if (!(await isCounted(tx, siteId, surveyId))) return []
  await tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
    .for('update')
  const kept = new Map((await readCounts(tx, siteId, surveyId)).map((mark) => [`${mark.question} ${mark.value}`, mark]))
  const real = new Map(
    (await marksWhere(tx, and(eq(responses.siteId, siteId), eq(responses.surveyId, surveyId), isNull(responses.withdrawnAt)))).map(
      (mark) => [`${mark.question} ${mark.value}`, mark],
    ),
  )
  return [...new Set([...kept.keys(), ...real.keys()])].flatMap((key) => {
    const [is, should] = [kept.get(key), real.get(key)]
    const same =
      (is?.count ?? 0) === (should?.count ?? 0) && Math.abs((is?.total ?? 0) - (should?.total ?? 0)) < 1e-6 * (1 + Math.abs(is?.total ?? 0))
    return same ? [] : [`${key}: ${is?.count ?? 0}, ${should?.count ?? 0}`]
  })
}

/** What the responses of `where` say, read in pages. */
export async function marksWhere(tx: Tx, where: SQL | undefined): Promise<Mark[]> {
  let sums: Mark[] = []
  let last: string | undefined
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ended
    const rows = await tx
      .select({
        id: responses.id,
        version: responses.version,
        language: responses.language,
        source: responses.source,
        seconds: responses.seconds,
        answers: responses.answers,
      })
      .from(responses)
      .where(and(where, last === undefined ? undefined : gt(responses.id, last)))
      .orderBy(asc(responses.id))
      .limit(ROWS_AT_ONCE)
    sums = sumMarks([...sums, ...rows.flatMap((row) => marksOf({ ...row, answers: row.answers as Answers }))])
    last = rows.length === ROWS_AT_ONCE ? rows.at(-1)?.id : undefined
  } while (last !== undefined)
  return sums
}

async function addMarks(tx: Tx, siteId: string, surveyId: string, marks: readonly Mark[]): Promise<void> {
  await tx.execute(sql`
    insert into ${surveyCounts} (site_id, survey_id, question, value, count, total)
    select ${siteId}::uuid, ${surveyId}::uuid, mark.question, mark.value, mark.count, mark.total
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) mark(question text, value text, count int, total double precision)
    on conflict (site_id, survey_id, question, value)
    do update set count = ${surveyCounts}.count + excluded.count, total = ${surveyCounts}.total + excluded.total`)
}
