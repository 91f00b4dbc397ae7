import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Database, Tx } from '#app/server/db/client.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { type Attempt, countAttempts } from '#app/server/limits/limits.ts'
import { type BatchOutcome, createSiteBatches } from '#app/server/batches.ts'
import { freeSlot } from '#app/server/work-slot.ts'
import type { Answers } from '../surveys.schema.ts'

/** A validated draft, ready to be stored. */
interface DraftArrival {
  row: Pick<typeof responseDrafts.$inferSelect, 'id' | 'surveyId' | 'version' | 'userId' | 'language' | 'updatedAt'> & {
    answers: Answers
    resumeHash: Buffer
  }
  /** Size of its answers in bytes. */
  bytes: number
  /** Limits on the sender. @param bytesBefore size of the draft that this one replaces; undefined for a new one */
  limitBy: (bytesBefore: number | undefined) => Attempt
}

interface StoredDraft {
  created: boolean
  /** The response that it changes, if it does. */
  replaces: string | null
}

/**
 * Creates the draft with this id, or overwrites it.
 * @throws {AppError} `too-many-requests`; `already-answered` if a response with this id exists; `conflict` if the draft has another key
 */
export function storeDraft(database: Database, siteId: string, arrival: DraftArrival): Promise<StoredDraft> {
  freeSlot()
  return storeArrival(database, siteId, arrival)
}

const storeArrival = createSiteBatches(storeBatch)

function storeBatch(database: Database, siteId: string, arrivals: readonly DraftArrival[]): Promise<BatchOutcome<StoredDraft>[]> {
  return database.site(siteId).tx(async (tx) => {
    const excesses = await countAttempts(tx, siteId, limitArrivals(arrivals, await selectSizes(tx, siteId, arrivals)))
    const outcomes = new Map<DraftArrival, BatchOutcome<StoredDraft>>()
    let waiting: DraftArrival[] = []
    for (const [index, arrival] of arrivals.entries()) {
      const excess = excesses[index]
      if (excess) outcomes.set(arrival, excess)
      else waiting.push(arrival)
    }
    // One statement cannot change a row twice, so duplicates of an id are stored one after another.
    while (waiting.length > 0) {
      const firstOfEach = [...new Map(waiting.toReversed().map((arrival) => [arrival.row.id, arrival])).values()]
      const stored = await upsertRows(tx, siteId, firstOfEach)
      const refused = firstOfEach.filter(({ row }) => !stored.has(row.id))
      const answered = await selectAnswered(tx, siteId, refused)
      for (const arrival of firstOfEach) {
        const error = answered.has(arrival.row.id) ? 'already-answered' : 'conflict'
        outcomes.set(arrival, stored.get(arrival.row.id) ?? new AppError(error))
      }
      waiting = waiting.filter((arrival) => !outcomes.has(arrival))
    }
    return arrivals.map((arrival) => outcomes.get(arrival) ?? new AppError('internal'))
  })
}

/** @returns the size of the answers stored under each id */
async function selectSizes(tx: Tx, siteId: string, arrivals: readonly DraftArrival[]): Promise<Map<string, number>> {
  const ids = [...new Set(arrivals.map(({ row }) => row.id))]
  const { rows } = await tx.execute<{ id: string; bytes: number }>(sql`
    select id, octet_length(answers::text) as bytes from ${responseDrafts} where site_id = ${siteId} and id = any(${sql.param(ids)}::uuid[])`)
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** Drafts with the same id replace each other in order of arrival. */
function limitArrivals(arrivals: readonly DraftArrival[], sizes: Map<string, number>): Attempt[] {
  return arrivals.map(({ row: { id }, bytes, limitBy }) => {
    const attempt = limitBy(sizes.get(id))
    sizes.set(id, bytes)
    return attempt
  })
}

/** @returns for each stored id, whether it was created, and the response that it replaces */
async function upsertRows(tx: Tx, siteId: string, arrivals: readonly DraftArrival[]): Promise<Map<string, StoredDraft>> {
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
  // In key order, so that two transactions cannot deadlock. PostgreSQL sets xmax to 0 for inserted rows, never for updated ones.
  // `offset 0` makes it look up each id; it would otherwise merge the drafts with the ids of all responses of the site.
  const { rows } = await tx.execute<{ id: string } & Pick<StoredDraft, keyof StoredDraft>>(sql`
    insert into ${responseDrafts} (site_id, id, survey_id, version, user_id, language, answers, resume_hash, started_at, updated_at)
    select ${siteId}::uuid, id, survey_id, version, user_id, language, answers, decode(resume_hash, 'hex'), updated_at, updated_at
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(
      id uuid, survey_id uuid, version int, user_id uuid, language text, answers jsonb, resume_hash text, updated_at timestamptz)
    where not exists (select from ${responses} sent where sent.site_id = ${siteId} and sent.id = given.id offset 0)
      and not exists (select from ${responses} sent where sent.site_id = ${siteId} and sent.edit_id = given.id offset 0)
    order by id
    on conflict (site_id, id) do update
      set version = excluded.version, language = excluded.language, answers = excluded.answers, updated_at = excluded.updated_at
      where ${responseDrafts.resumeHash} = excluded.resume_hash and ${responseDrafts.surveyId} = excluded.survey_id
    returning id, xmax = 0 as created, replaces`)
  return new Map(rows.map(({ id, ...stored }) => [id, stored]))
}

/** @returns the ids that already have a response */
async function selectAnswered(tx: Tx, siteId: string, arrivals: readonly DraftArrival[]): Promise<Set<string>> {
  if (arrivals.length === 0) return new Set()
  const ids = arrivals.map(({ row }) => row.id)
  const rows = await tx
    .select({ id: responses.id, editId: responses.editId })
    .from(responses)
    .where(and(eq(responses.siteId, siteId), or(inArray(responses.id, ids), inArray(responses.editId, ids))))
  return new Set(rows.flatMap(({ id, editId }) => (editId ? [id, editId] : [id])))
}
