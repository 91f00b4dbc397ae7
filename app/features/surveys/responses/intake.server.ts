import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import { recordEvents } from '#app/features/marketplace/webhooks/webhook-events.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import type { Database, Tx } from '#app/server/db/client.ts'
import { countOrigins, joinCrowds, type Origin } from '#app/features/participation/origins.server.ts'
import { lookUpRows } from '#app/server/db/look-up-rows.ts'
import { type BatchOutcome, createSiteBatches } from '#app/server/batches.ts'
import { freeSlot } from '#app/server/work-slot.ts'
import { countResponses } from './response-counts.server.ts'
import type { TalliedResponse } from './tallies.ts'
import type { Answers } from '../surveys.schema.ts'
import type { TimedSurvey } from '../surveys.state.server.ts'
import { givePlacesBack, type QuotaPlace, takePlaces } from './quotas.server.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responseDrafts, responses, surveyParticipations } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'

/** A validated response, ready to be stored. */
export interface Arrival {
  row: typeof responses.$inferInsert
  projectId: string
  /** Every hash that recognises the person, if each may answer once. */
  personHashes: readonly Buffer[]
  /** For flagging unusually many answers from one origin. */
  origin: Origin | undefined
  /** The quotas it falls under. */
  places: readonly QuotaPlace[]
  /** Asked with the survey locked, since it may have closed meanwhile. @throws {AppError} if it takes no answers */
  requireOpen?: ((placed: TimedSurvey) => void) | undefined
  /** Stores the files it references. @throws {AppError} if there is no room for them: the response is not stored then */
  keepFiles?: ((tx: Tx) => Promise<void>) | undefined
}

type StoredAs = 'counted' | 'doubtful' | 'before'

const ROWS_AT_ONCE = 1000

/**
 * Stores a response and its counts, exactly once per id, before it is acknowledged. One of unusually many from one address counts when somebody
 * has looked at them.
 * @returns `before` if the same sending was already stored
 * @throws {AppError} `already-answered`; `conflict` if the id belongs to another sending
 */
export function storeResponse(database: Database, arrival: Arrival): Promise<StoredAs> {
  freeSlot()
  return storeArrival(database, arrival.row.siteId, arrival)
}

const storeArrival = createSiteBatches(storeBatch)

/** Stores a batch of imported responses and their counts: all or none. @throws {AppError} `quota-full`; `conflict` if one already exists */
export async function storeTogether(tx: Tx, siteId: string, arrivals: readonly Arrival[]): Promise<void> {
  const rows = await assignNumbers(tx, siteId, arrivals)
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const part = rows.slice(from, from + ROWS_AT_ONCE)
    if ((await insertRows(tx, siteId, part)).length < part.length) throw new AppError('conflict')
  }
  if ((await takeQuotaPlaces(tx, siteId, arrivals)).size > 0) throw new AppError('quota-full')
  await countArrivals(tx, siteId, arrivals)
}

function storeBatch(database: Database, siteId: string, arrivals: readonly Arrival[]): Promise<BatchOutcome<StoredAs>[]> {
  return database.site(siteId).tx(async (tx) => {
    const firstOfEach = [...new Map(arrivals.toReversed().map((arrival) => [arrival.row.id, arrival])).values()].toReversed()
    const refused = await markParticipants(tx, siteId, firstOfEach)
    const admitted = firstOfEach.filter((arrival) => !refused.has(arrival))
    const stored = new Set<string>()
    const rows = await assignNumbers(tx, siteId, admitted)
    const closed = await findClosed(tx, siteId, admitted)
    const wanted = admitted.filter((arrival) => !closed.has(arrival))
    const open = new Set(wanted.map(({ row }) => row.id))
    for (const id of await insertRows(
      tx,
      siteId,
      rows.filter((row) => open.has(row.id)),
    ))
      stored.add(id)
    const arrived = wanted.filter((arrival) => stored.has(arrival.row.id))
    // Only what is new: someone whose connection is bad sends the same answer several times.
    const doubtful = await setAside(tx, siteId, arrived)
    const full = await takeQuotaPlaces(
      tx,
      siteId,
      arrived.filter((arrival) => !doubtful.has(arrival)),
    )
    for (const { row } of full.keys()) stored.delete(row.id)
    const withoutRoom = await keepArrivalFiles(
      tx,
      siteId,
      wanted.filter((arrival) => stored.has(arrival.row.id)),
      doubtful,
    )
    for (const { row } of withoutRoom.keys()) stored.delete(row.id)
    const fresh = wanted.filter((arrival) => stored.has(arrival.row.id))
    await unmarkParticipants(
      tx,
      siteId,
      admitted.filter((arrival) => !stored.has(arrival.row.id)),
    )
    await countArrivals(
      tx,
      siteId,
      fresh.filter((arrival) => !doubtful.has(arrival)),
    )
    await recordEvents(tx, siteId, 'response.received', firstOfEach[0]?.row.submittedAt ?? new Date(), fresh.map(toReceivedEvent))
    if (stored.size > 0)
      await tx.delete(responseDrafts).where(and(eq(responseDrafts.siteId, siteId), inArray(responseDrafts.id, [...stored])))
    const before = await loadStoredHashes(
      tx,
      siteId,
      arrivals.filter((arrival) => !fresh.includes(arrival)),
    )
    return arrivals.map((arrival): BatchOutcome<StoredAs> => {
      if (fresh.includes(arrival)) return doubtful.has(arrival) ? 'doubtful' : 'counted'
      const refusal = withoutRoom.get(arrival)
      if (refusal) return refusal
      const place = full.get(arrival)
      if (place) return new AppError('quota-full', { meta: { end: place.end ?? '' } })
      const hash = before.get(arrival.row.id)
      if (hash?.equals(arrival.row.receiptHash)) return 'before'
      const closing = closed.get(arrival)
      if (closing) return closing
      return new AppError(!hash || refused.has(arrival) ? 'already-answered' : 'conflict')
    })
  })
}

/**
 * Their rows, numbered per survey in order of arrival. Keeps the surveys' rows locked, so that no number is stored before a smaller one.
 */
async function assignNumbers(tx: Tx, siteId: string, arrivals: readonly Arrival[]): Promise<Arrival['row'][]> {
  const rows: Arrival['row'][] = []
  for (const [surveyId, own] of groupByKey(arrivals, (arrival) => arrival.row.surveyId)) {
    const [survey] = await tx
      .update(surveys)
      .set({ responsesNumbered: sql`${surveys.responsesNumbered} + ${own.length}` })
      .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
      .returning({ next: surveys.responsesNumbered })
    const first = (survey?.next ?? own.length) - own.length
    rows.push(...own.map(({ row }, index) => ({ ...row, number: first + index })))
  }
  return rows
}

/** Those whose survey, locked now, no longer takes answers, and why. */
async function findClosed(tx: Tx, siteId: string, arrivals: readonly Arrival[]): Promise<Map<Arrival, AppError>> {
  const asking = arrivals.filter(({ requireOpen }) => requireOpen)
  if (asking.length === 0) return new Map()
  const times = (table: typeof surveys | typeof projects) => ({ status: table.status, opensAt: table.opensAt, closesAt: table.closesAt })
  const ids = [...new Set(asking.map(({ row }) => row.surveyId))]
  const rows = await tx
    .select({ id: surveys.id, survey: times(surveys), project: times(projects) })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, siteId), inArray(surveys.id, ids)))
  const placed = new Map(rows.map((row) => [row.id, row]))
  const closed = new Map<Arrival, AppError>()
  for (const arrival of asking) {
    const survey = placed.get(arrival.row.surveyId)
    try {
      if (!survey) throw new AppError('not-found')
      arrival.requireOpen?.(survey)
    } catch (error) {
      if (!isAppError(error)) throw error
      closed.set(arrival, error)
    }
  }
  return closed
}

/**
 * Inserts all rows as one JSON parameter: building a statement with thousands of parameters would cost more than running it.
 * @returns the ids that are new
 */
async function insertRows(tx: Tx, siteId: string, rows: readonly Arrival['row'][]): Promise<string[]> {
  if (rows.length === 0) return []
  const given = rows.map((row) => ({
    id: row.id,
    survey_id: row.surveyId,
    version: row.version,
    user_id: row.userId ?? null,
    language: row.language,
    source: row.source ?? 'web',
    answers: row.answers,
    receipt_hash: row.receiptHash.toString('hex'),
    submitted_at: row.submittedAt,
    seconds: row.seconds ?? null,
    number: row.number ?? null,
    doubt: row.doubt ?? null,
  }))
  const stored = await tx.execute<{ id: string }>(sql`
    insert into ${responses} (site_id, id, survey_id, version, user_id, language, source, answers, receipt_hash, submitted_at, seconds, number, doubt)
    select ${siteId}::uuid, id, survey_id, version, user_id, language, source, answers, decode(receipt_hash, 'hex'), submitted_at, seconds, number, doubt
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(
      id uuid, survey_id uuid, version int, user_id uuid, language text, source text, answers jsonb, receipt_hash text,
      submitted_at timestamptz, seconds int, number int, doubt text)
    on conflict do nothing returning id`)
  return stored.rows.map(({ id }) => id)
}

/** Unusually many from one address do not count until somebody has looked. @returns those */
async function setAside(tx: Tx, siteId: string, arrivals: readonly Arrival[]): Promise<ReadonlySet<Arrival>> {
  const unusual = await countOrigins(tx, siteId, arrivals)
  const crowdOf = await joinCrowds(tx, siteId, unusual, arrivals[0]?.row.submittedAt ?? new Date())
  for (const [crowdId, together] of Map.groupBy(unusual, (arrival) => crowdOf.get(arrival))) {
    const ids = together.map(({ row }) => row.id)
    await tx
      .update(responses)
      .set({ doubt: 'rate', counted: false, crowdId: crowdId ?? null })
      .from(sql`unnest(${sql.param(ids)}::uuid[]) as unusual (id)`)
      .where(and(eq(responses.siteId, siteId), eq(responses.id, sql`unusual.id`)))
  }
  return unusual
}

/** Records who answers surveys that each may answer once. @returns the responses of people who already answered */
async function markParticipants(tx: Tx, siteId: string, arrivals: readonly Arrival[]): Promise<Set<Arrival>> {
  const marks = new Map(
    arrivals.flatMap((arrival) =>
      arrival.personHashes.map(
        (personHash) => [buildMarkKey(arrival, personHash), { siteId, surveyId: arrival.row.surveyId, personHash }] as const,
      ),
    ),
  )
  if (marks.size === 0) return new Set()
  // In key order, so that two transactions cannot deadlock.
  const wanted = [...marks].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, mark]) => mark)
  const rows = await tx
    .insert(surveyParticipations)
    .values(wanted)
    .onConflictDoNothing()
    .returning({ surveyId: surveyParticipations.surveyId, personHash: surveyParticipations.personHash })
  const free = new Map(rows.map((row) => [`${row.surveyId}/${row.personHash.toString('base64')}`, row]))
  const refused = new Set<Arrival>()
  for (const arrival of arrivals) {
    const own = arrival.personHashes.map((personHash) => buildMarkKey(arrival, personHash))
    if (own.every((key) => free.has(key))) for (const key of own) free.delete(key)
    else refused.add(arrival)
  }
  // Someone refused by one hash must not be recorded by another.
  for (const { surveyId, personHash } of free.values()) await deleteParticipation(tx, siteId, surveyId, [personHash])
  return refused
}

const buildMarkKey = ({ row }: Arrival, personHash: Buffer) => `${row.surveyId}/${personHash.toString('base64')}`

/**
 * Stores the files of new responses. A response whose files find no room is deleted again in the same transaction.
 * @returns the reason for each
 */
async function keepArrivalFiles(
  tx: Tx,
  siteId: string,
  arrivals: readonly Arrival[],
  doubtful: ReadonlySet<Arrival>,
): Promise<Map<Arrival, AppError>> {
  const refused = new Map<Arrival, AppError>()
  for (const arrival of arrivals) {
    if (!arrival.keepFiles) continue
    await tx.execute(sql`savepoint files_of_one`)
    try {
      await arrival.keepFiles(tx)
    } catch (error) {
      if (!isAppError(error)) throw error
      refused.set(arrival, error)
      await tx.execute(sql`rollback to savepoint files_of_one`)
      if (!doubtful.has(arrival)) await givePlacesBack(tx, siteId, arrival.row.surveyId, arrival.places)
    }
  }
  await removeResponses(tx, siteId, refused.keys())
  return refused
}

/**
 * Takes quota places for new responses. A response without a place is deleted again in the same transaction.
 * @returns the full quota for each
 */
async function takeQuotaPlaces(tx: Tx, siteId: string, arrivals: readonly Arrival[]): Promise<Map<Arrival, QuotaPlace>> {
  const full = new Map<Arrival, QuotaPlace>()
  for (const arrival of arrivals) {
    if (arrival.places.length === 0) continue
    const place = await takePlaces(tx, siteId, arrival.row.surveyId, arrival.places)
    if (place) full.set(arrival, place)
  }
  await removeResponses(tx, siteId, full.keys())
  return full
}

async function removeResponses(tx: Tx, siteId: string, arrivals: Iterable<Arrival>): Promise<void> {
  const ids = Array.from(arrivals, ({ row }) => row.id)
  if (ids.length > 0) await tx.delete(responses).where(and(eq(responses.siteId, siteId), inArray(responses.id, ids)))
}

/** Forgets that these people answered: their responses were not stored after all. */
async function unmarkParticipants(tx: Tx, siteId: string, arrivals: readonly Arrival[]): Promise<void> {
  for (const { row, personHashes } of arrivals) await deleteParticipation(tx, siteId, row.surveyId, personHashes)
}

export async function deleteParticipation(tx: Tx, siteId: string, surveyId: string, personHashes: readonly Buffer[]): Promise<void> {
  if (personHashes.length === 0) return
  await tx
    .delete(surveyParticipations)
    .where(
      and(
        eq(surveyParticipations.siteId, siteId),
        eq(surveyParticipations.surveyId, surveyId),
        inArray(surveyParticipations.personHash, [...personHashes]),
      ),
    )
}

async function loadStoredHashes(tx: Tx, siteId: string, arrivals: readonly Arrival[]): Promise<Map<string, Buffer>> {
  if (arrivals.length === 0) return new Map()
  const rows = await tx.select({ id: responses.id, receiptHash: responses.receiptHash }).from(
    lookUpRows(
      responses,
      siteId,
      arrivals.map((arrival) => arrival.row.id),
    ),
  )
  return new Map(rows.map((row) => [row.id, row.receiptHash]))
}

/** Adds to the counts of surveys and projects: responses, and people new to the project. */
async function countArrivals(tx: Tx, siteId: string, fresh: readonly Arrival[]): Promise<void> {
  for (const [surveyId, arrivals] of groupByKey(fresh, (arrival) => arrival.row.surveyId)) {
    await tx
      .update(surveys)
      .set({ responsesCount: sql`${surveys.responsesCount} + ${arrivals.length}` })
      .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
    await countResponses(tx, siteId, surveyId, arrivals.map(toTalliedResponse), 1)
  }
  for (const [projectId, arrivals] of groupByKey(fresh, (arrival) => arrival.projectId)) {
    const known = [...new Set(arrivals.flatMap((arrival) => (arrival.row.userId ? [arrival.row.userId] : [])))]
    const returning = await countReturningPeople(
      tx,
      siteId,
      projectId,
      known,
      arrivals.map((arrival) => arrival.row.id),
    )
    const people = arrivals.filter((arrival) => !arrival.row.userId).length + known.length - returning
    if (people > 0) await addParticipants(tx, siteId, projectId, people)
  }
}

/** Payload for webhooks: only that a response exists, none of its answers. */
const toReceivedEvent = ({ row, projectId }: Arrival) => ({
  subjectId: row.id,
  data: { response: row.id, survey: row.surveyId, project: projectId, source: row.source ?? 'web' },
})

const toTalliedResponse = ({ row }: Arrival): TalliedResponse => ({
  version: row.version,
  language: row.language,
  source: row.source ?? 'web',
  seconds: row.seconds ?? null,
  answers: row.answers as Answers,
})

export async function addParticipants(tx: Tx, siteId: string, projectId: string, people: number): Promise<void> {
  await tx
    .update(projects)
    .set({ participants: sql`greatest(0, ${projects.participants} + ${people})` })
    .where(and(eq(projects.siteId, siteId), eq(projects.id, projectId)))
}

/** How many of `userIds` have a response in the project other than those in `besides`. */
export async function countReturningPeople(
  tx: Tx,
  siteId: string,
  projectId: string,
  userIds: readonly string[],
  besides: readonly string[],
): Promise<number> {
  if (userIds.length === 0) return 0
  const [row] = await tx
    .select({ people: sql<number>`count(distinct ${responses.userId})`.mapWith(Number) })
    .from(responses)
    .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
    .where(
      and(
        eq(responses.siteId, siteId),
        eq(surveys.projectId, projectId),
        isNull(responses.withdrawnAt),
        inArray(responses.userId, [...userIds]),
        notInArray(responses.id, [...besides]),
      ),
    )
  return row?.people ?? 0
}

/** In key order, so that two transactions cannot deadlock. */
const groupByKey = <T>(items: readonly T[], key: (item: T) => string): [string, T[]][] =>
  [...Map.groupBy(items, key)].toSorted(([a], [b]) => (a < b ? -1 : 1))
