import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Database, Tx } from '#app/server/db/client.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { type Attempt, countAttempts } from '#app/server/limits/limits.ts'
import { type BatchOutcome, createSiteBatches } from '#app/server/site-batches.ts'
import type { Answers } from '../surveys.schema.ts'

/** A checked draft, ready to be stored. */
interface DraftArrival {
  row: Pick<typeof responseDrafts.$inferSelect, 'id' | 'surveyId' | 'version' | 'userId' | 'language' | 'updatedAt'> & {
    answers: Answers
    resumeHash: Buffer
  }
  /** Counts how much the draft grows. */
  growth: Attempt
}

/**
 * Stores a draft, or replaces the one with its id.
 * @returns whether it is new
 * @throws {AppError} `too-many-requests`; `already-answered` if its response was already sent; `conflict` if somebody else started it
 */
export async function storeDraft(database: Database, siteId: string, arrival: DraftArrival): Promise<{ created: boolean }> {
  return storeArrival(database, siteId, arrival)
}

const storeArrival = createSiteBatches(storeBatch)

function storeBatch(database: Database, siteId: string, arrivals: readonly DraftArrival[]): Promise<BatchOutcome<{ created: boolean }>[]> {
  return database.site(siteId).tx(async (tx) => {
    const excesses = await countAttempts(
      tx,
      siteId,
      arrivals.map(({ growth }) => growth),
    )
    const outcomes = new Map<DraftArrival, BatchOutcome<{ created: boolean }>>()
    let waiting: DraftArrival[] = []
    for (const [index, arrival] of arrivals.entries()) {
      const excess = excesses[index]
      if (excess) outcomes.set(arrival, excess)
      else waiting.push(arrival)
    }
    // A draft that was saved several times is stored several times, in that order: one statement cannot change a row twice.
    while (waiting.length > 0) {
      const firstOfEach = [...new Map(waiting.toReversed().map((arrival) => [arrival.row.id, arrival])).values()]
      const stored = await upsertRows(tx, siteId, firstOfEach)
      const refused = firstOfEach.filter(({ row }) => !stored.has(row.id))
      const sent = await selectSent(tx, siteId, refused)
      for (const arrival of firstOfEach) {
        const created = stored.get(arrival.row.id)
        const error = sent.has(arrival.row.id) ? 'already-answered' : 'conflict'
        outcomes.set(arrival, created === undefined ? new AppError(error) : { created })
      }
      waiting = waiting.filter((arrival) => !outcomes.has(arrival))
    }
    return arrivals.map((arrival) => outcomes.get(arrival) ?? new AppError('internal'))
  })
}

/** @returns the ids that were stored, and whether each is new */
async function upsertRows(tx: Tx, siteId: string, arrivals: readonly DraftArrival[]): Promise<Map<string, boolean>> {
  const given = arrivals.map(({ row }) => ({
    id: row.id,
    survey_id: row.surveyId,
    version: row.version,
    user_id: row.userId,
    language: row.language,
    answers: row.answers,
    resume_hash: row.resumeHash.toString('hex'),
    updated_at: row.updatedAt,
  }))
  // In key order, so that two transactions cannot deadlock. Only a row that was just inserted has no transaction that ended it.
  const { rows } = await tx.execute<{ id: string; created: boolean }>(sql`
    insert into ${responseDrafts} (site_id, id, survey_id, version, user_id, language, answers, resume_hash, started_at, updated_at)
    select ${siteId}::uuid, id, survey_id, version, user_id, language, answers, decode(resume_hash, 'hex'), updated_at, updated_at
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(
      id uuid, survey_id uuid, version int, user_id uuid, language text, answers jsonb, resume_hash text, updated_at timestamptz)
    where not exists (select from ${responses} sent where sent.site_id = ${siteId} and sent.id = given.id)
      and not exists (select from ${responses} sent where sent.site_id = ${siteId} and sent.edit_id = given.id)
    order by id
    on conflict (site_id, id) do update
      set version = excluded.version, language = excluded.language, answers = excluded.answers, updated_at = excluded.updated_at
      where ${responseDrafts.resumeHash} = excluded.resume_hash and ${responseDrafts.surveyId} = excluded.survey_id
    returning id, xmax = 0 as created`)
  return new Map(rows.map(({ id, created }) => [id, created]))
}

/** @returns the ids of those whose response was sent */
async function selectSent(tx: Tx, siteId: string, arrivals: readonly DraftArrival[]): Promise<Set<string>> {
  if (arrivals.length === 0) return new Set()
  const ids = arrivals.map(({ row }) => row.id)
  const rows = await tx
    .select({ id: responses.id, editId: responses.editId })
    .from(responses)
    .where(and(eq(responses.siteId, siteId), or(inArray(responses.id, ids), inArray(responses.editId, ids))))
  return new Set(rows.flatMap(({ id, editId }) => (editId ? [id, editId] : [id])))
}
