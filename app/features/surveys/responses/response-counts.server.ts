import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { surveyCounts, surveys } from '#app/server/db/schema.ts'
import { forgetBlocks, marksOfPart, marksOfResponses, startBlocksAnew } from './response-bitmaps.server.ts'
import { type Mark, type MarkedResponse, MarkSums, marksOf, WHOLE } from './tallies.ts'

/**
 * Adds responses to a survey's counts, or takes them out, in the transaction that stores or deletes them. The caller holds the
 * survey's row and has counted them in it, as whoever changes its number of responses does; so a rebuild either sees a response or is
 * told of it.
 * @param by 1 to add, -1 to take out
 */
export async function countResponses(
  tx: Tx,
  siteId: string,
  surveyId: string,
  given: readonly (MarkedResponse & { number?: number | null })[],
  by: 1 | -1,
): Promise<void> {
  if (given.length === 0) return
  const survey = { siteId, id: surveyId }
  if (by === -1)
    await forgetBlocks(
      tx,
      survey,
      given.map((response) => response.number),
    )
  if (!(await isCounted(tx, siteId, surveyId)) && !(await areTheFirst(tx, survey, by * given.length))) return
  const sums = new MarkSums()
  for (const response of given) for (const mark of marksOf(response)) sums.add(mark, by)
  await addMarks(tx, siteId, surveyId, sums.list())
}

/** A survey is counted from its first responses on. */
async function areTheFirst(tx: Tx, { siteId, id }: { siteId: string; id: string }, given: number): Promise<boolean> {
  const [row] = await tx
    .select({ all: surveys.responsesCount })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, id)))
  return row?.all === given
}

/** A survey's counts, made first where there are none yet: of a survey whose responses were brought in otherwise. */
export async function keptCounts(tx: Tx, siteId: string, surveyId: string): Promise<Mark[]> {
  if (!(await isCounted(tx, siteId, surveyId))) {
    await holdSurvey(tx, siteId, surveyId)
    await writeCounts(tx, siteId, surveyId, await marksOfPart(tx, { siteId, id: surveyId }))
  }
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
  const survey = { siteId, id: surveyId }
  await holdSurvey(tx, siteId, surveyId)
  await startBlocksAnew(tx, survey)
  return writeCounts(tx, siteId, surveyId, await marksOfPart(tx, survey))
}

async function writeCounts(tx: Tx, siteId: string, surveyId: string, marks: readonly Mark[]): Promise<number> {
  await tx.delete(surveyCounts).where(and(eq(surveyCounts.siteId, siteId), eq(surveyCounts.surveyId, surveyId)))
  const whole = marks.find((mark) => mark.question === WHOLE && mark.value === '')
  await addMarks(tx, siteId, surveyId, whole ? marks : [{ question: WHOLE, value: '', count: 0, total: 0 }])
  return whole?.count ?? 0
}

const holdSurvey = (tx: Tx, siteId: string, surveyId: string) =>
  tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
    .for('update')

/**
 * Differences between what is kept of the responses, as counts and as bits, and what they say themselves, as `question value: kept, real`.
 * None where all is well.
 */
export async function wrongCounts(tx: Tx, siteId: string, surveyId: string): Promise<string[]> {
  if (!(await isCounted(tx, siteId, surveyId))) return []
  const survey = { siteId, id: surveyId }
  await holdSurvey(tx, siteId, surveyId)
  const real = await marksOfResponses(tx, survey)
  const kept = [await readCounts(tx, siteId, surveyId), await marksOfPart(tx, survey)]
  return [...new Set(kept.flatMap((marks) => differences(marks, real)))]
}

function differences(kept: readonly Mark[], real: readonly Mark[]): string[] {
  const byName = (marks: readonly Mark[]) => new Map(marks.map((mark) => [`${mark.question} ${mark.value}`, mark]))
  const [is, should] = [byName(kept), byName(real)]
  return [...new Set([...is.keys(), ...should.keys()])].flatMap((name) => {
    const [counted, said] = [is.get(name)?.count ?? 0, should.get(name)?.count ?? 0]
    return counted === said ? [] : [`${name}: ${counted}, ${said}`]
  })
}

async function addMarks(tx: Tx, siteId: string, surveyId: string, marks: readonly Mark[]): Promise<void> {
  await tx.execute(sql`
    insert into ${surveyCounts} (site_id, survey_id, question, value, count, total)
    select ${siteId}::uuid, ${surveyId}::uuid, mark.question, mark.value, mark.count, mark.total
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) mark(question text, value text, count int, total double precision)
    on conflict (site_id, survey_id, question, value)
    do update set count = ${surveyCounts}.count + excluded.count, total = ${surveyCounts}.total + excluded.total`)
}
