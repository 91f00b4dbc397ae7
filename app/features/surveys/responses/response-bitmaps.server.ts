import { and, asc, eq, gte, inArray, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { homeAreas } from '#app/server/db/schema/areas.ts'
import { isCounted, responses, surveyBlockBits, surveyBlocks } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import {
  addBitCounts,
  type BitCount,
  BLOCK_SIZE,
  buildBlockRows,
  formatBits,
  PRESENCE_DIGIT,
  createEmptyBits,
  setBit,
} from './response-bitmaps.ts'
import { type Tally, type TalliedResponse, TallySums, tallyResponse } from './tallies.ts'
import { isInCohort, type Cohort } from '../results/results-filter.ts'
import type { Answers } from '../surveys.schema.ts'

const ROWS_AT_ONCE = 2000
const BITS_AT_ONCE = 500
/** Per job run: the rest waits for the next one, so that one large import does not hold up other surveys. */
const BLOCKS_A_TURN = 40
const EVERY_RESPONSE: Cohort = { groups: [], from: undefined, to: undefined }

export interface SurveyKey {
  siteId: string
  id: string
}

const whereInSurvey = ({ siteId, id }: SurveyKey) => and(eq(responses.siteId, siteId), eq(responses.surveyId, id), isCounted)
const whereBlockOf = ({ siteId, id }: SurveyKey) => and(eq(surveyBlocks.siteId, siteId), eq(surveyBlocks.surveyId, id))

/** Tallies of a cohort: from bitmaps for finished blocks, from the responses themselves for the rest. */
export async function loadCohortTallies(tx: Tx, survey: SurveyKey, part: Cohort = EVERY_RESPONSE): Promise<Tally[]> {
  const sums = new TallySums()
  const { blocks, wanted } = await loadCohortBlocks(tx, survey, part)
  if (wanted) {
    const { rows } = await tx.execute<BitCount & Record<string, unknown>>(sql`
      with wanted as materialized (${wanted})
      select question, value, digit, sum(people)::int as count, sum(people * weight) as total
      from (
        select b.question, b.value, b.digit, b.weight, bit_count(b.bits & wanted.bits) as people
        from ${surveyBlockBits} b join wanted on wanted.block = b.block
        where b.site_id = ${survey.siteId} and b.survey_id = ${survey.id} offset 0
      ) counted
      where people > 0 group by question, value, digit`)
    addBitCounts(sums, rows)
  }
  await readResponsesOutsideBlocks(tx, survey, part, blocks, (tallies) => {
    for (const tally of tallies) sums.add(tally)
  })
  return sums.list()
}

/** Tallies of all responses, computed from the responses: the reference that all stored counts must match. */
export async function tallyEveryResponse(tx: Tx, survey: SurveyKey): Promise<Tally[]> {
  const sums = new TallySums()
  await readResponsesOutsideBlocks(tx, survey, EVERY_RESPONSE, [], (tallies) => {
    for (const tally of tallies) sums.add(tally)
  })
  return sums.list()
}

/** How many of a cohort gave each pair of answers to two questions; an empty value means any answer. */
export async function loadAnswerPairs(
  tx: Tx,
  survey: SurveyKey,
  questions: { rows: string; columns: string },
  part: Cohort = EVERY_RESPONSE,
): Promise<{ row: string; column: string; count: number }[]> {
  const sums = new Map<string, { row: string; column: string; count: number }>()
  const addPair = (row: string, column: string, count: number) => {
    const key = `${row}\n${column}`
    const known = sums.get(key)
    if (known) known.count += count
    else sums.set(key, { row, column, count })
  }
  const { blocks, wanted } = await loadCohortBlocks(tx, survey, part)
  if (wanted) {
    const whereQuestion = (question: string, name: string) =>
      sql
        .raw(name)
        .append(sql`.question = ${question} and `)
        .append(sql.raw(`${name}.digit = ${PRESENCE_DIGIT}`))
    const { rows } = await tx.execute<{ row: string; column: string; count: number }>(sql`
      with wanted as materialized (${wanted})
      select r.value as row, c.value as column, sum(bit_count(r.bits & c.bits & wanted.bits))::int as count
      from wanted
      join ${surveyBlockBits} r on r.block = wanted.block and ${whereQuestion(questions.rows, 'r')}
      join ${surveyBlockBits} c on c.block = wanted.block and c.site_id = r.site_id and c.survey_id = r.survey_id and ${whereQuestion(questions.columns, 'c')}
      where r.site_id = ${survey.siteId} and r.survey_id = ${survey.id}
      group by 1, 2 having sum(bit_count(r.bits & c.bits & wanted.bits)) > 0`)
    for (const { row, column, count } of rows) addPair(row, column, count)
  }
  await readResponsesOutsideBlocks(tx, survey, part, blocks, (tallies) => {
    const listByQuestion = (question: string) => tallies.filter((tally) => tally.question === question)
    for (const { value: row } of listByQuestion(questions.rows))
      for (const { value: column } of listByQuestion(questions.columns)) addPair(row, column, 1)
  })
  return [...sums.values()]
}

/**
 * Finds the responses of a cohort, for a query over `responses`: a subquery of `block` and `bits` to join by `number`, and the ids of those
 * in no block.
 * @returns undefined if the cohort is all responses
 */
export async function findCohortMembers(
  tx: Tx,
  survey: SurveyKey,
  part: Cohort | undefined,
): Promise<{ wanted: SQL; ids: string[] } | undefined> {
  if (!part) return undefined
  const { blocks, wanted } = await loadCohortBlocks(tx, survey, part)
  const ids: string[] = []
  await readResponsesOutsideBlocks(tx, survey, part, blocks, (_marks, id) => ids.push(id))
  return { wanted: wanted ?? sql`select null::int as block, null::bit(8192) as bits where false`, ids }
}

/** The finished blocks, and a query for the cohort's bits in each block that contains any of it. */
async function loadCohortBlocks(tx: Tx, survey: SurveyKey, part: Cohort): Promise<{ blocks: number[]; wanted: SQL | undefined }> {
  const { from, to, area, people } = part
  const made = await tx
    .select({ block: surveyBlocks.block, firstAt: surveyBlocks.firstAt, lastAt: surveyBlocks.lastAt })
    .from(surveyBlocks)
    .where(and(whereBlockOf(survey), surveyBlocks.complete))
    .orderBy(asc(surveyBlocks.block))
  const blocks = made.map(({ block }) => block)
  const inTime = made.filter(
    ({ firstAt, lastAt }) => firstAt && lastAt && (from === undefined || lastAt >= from) && (to === undefined || firstAt < to),
  )
  if (inTime.length === 0) return { blocks, wanted: undefined }
  const cut = inTime.filter(
    ({ firstAt, lastAt }) =>
      area !== undefined || people !== undefined || (firstAt && lastAt && ((from && firstAt < from) || (to && lastAt >= to))),
  )
  const masks = await loadBlockMasks(
    tx,
    survey,
    part,
    cut.map(({ block }) => block),
  )
  const groups = [[{ question: '', value: '', low: null, high: null }], ...part.groups]
  const asked = groups.flatMap((group, index) => group.map((saying) => ({ ...saying, group: index })))
  const wanted = sql`
    select said.block, case when mask.bits is null then said.bits else said.bits & mask.bits::bit(8192) end as bits
    from (
      select block, bit_and(bits) as bits
      from (
        select at.block, asked."group", bit_or(found.bits) as bits
        from jsonb_to_recordset(${JSON.stringify(inTime)}::jsonb) at(block int)
        cross join jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) asked("group" int, question text, value text, low float8, high float8)
        cross join lateral (
          select b.bits from ${surveyBlockBits} b
          where b.site_id = ${survey.siteId} and b.survey_id = ${survey.id} and b.block = at.block
            and b.question = asked.question and b.value = asked.value and b.digit = ${PRESENCE_DIGIT}
          union all
          select b.bits from ${surveyBlockBits} b
          where asked.low is not null and b.site_id = ${survey.siteId} and b.survey_id = ${survey.id} and b.block = at.block
            and b.question = asked.question and b.digit = ${PRESENCE_DIGIT}
            and case when b.value ~ '^-?[0-9]+(\\.[0-9]+)?$' then b.value::float8 >= asked.low and b.value::float8 < asked.high else false end
        ) found
        group by 1, 2
      ) groups group by block having count(*) = ${groups.length}
    ) said
    left join jsonb_to_recordset(${JSON.stringify(masks)}::jsonb) mask(block int, bits text) on mask.block = said.block`
  return { blocks, wanted }
}

/** For blocks that are only partly in the period, or from some people only: the bits of the responses that are. */
async function loadBlockMasks(
  tx: Tx,
  survey: SurveyKey,
  { from, to, area, people }: Cohort,
  cut: readonly number[],
): Promise<{ block: number; bits: string }[]> {
  const masks = new Map(cut.map((block) => [block, createEmptyBits()]))
  if (cut.length > 0) {
    const rows = await tx
      .select({ number: responses.number })
      .from(responses)
      .where(
        and(
          whereInSurvey(survey),
          or(...cut.map((block) => and(gte(responses.number, block * BLOCK_SIZE), lt(responses.number, (block + 1) * BLOCK_SIZE)))),
          from && gte(responses.submittedAt, from),
          to && lt(responses.submittedAt, to),
          whereHomeArea(area),
          people,
        ),
      )
    for (const { number } of rows) {
      const bits = number === null ? undefined : masks.get(Math.floor(number / BLOCK_SIZE))
      if (bits && number !== null) setBit(bits, number % BLOCK_SIZE)
    }
  }
  return [...masks].map(([block, bits]) => ({ block, bits: formatBits(bits) }))
}

/**
 * Reads a cohort's responses outside these blocks through a cursor. Each response is read exactly once, whatever plan the database chooses,
 * even right after a large import when its statistics are stale.
 */
async function readResponsesOutsideBlocks(
  tx: Tx,
  survey: SurveyKey,
  part: Cohort,
  blocks: readonly number[],
  tell: (tallies: readonly Tally[], id: string) => void,
): Promise<void> {
  const unkept = or(
    isNull(responses.number),
    ...listBlockGaps(blocks).map(([first, end]) =>
      and(gte(responses.number, first * BLOCK_SIZE), end === undefined ? undefined : lt(responses.number, end * BLOCK_SIZE)),
    ),
  )
  const query = tx
    .select(TALLIED_COLUMNS)
    .from(responses)
    .where(
      and(
        whereInSurvey(survey),
        unkept,
        part.from && gte(responses.submittedAt, part.from),
        part.to && lt(responses.submittedAt, part.to),
        whereHomeArea(part.area),
        part.people,
      ),
    )
  await tx.execute(sql`declare unkept no scroll cursor for ${query}`)
  for (let read = ROWS_AT_ONCE; read === ROWS_AT_ONCE;) {
    const { rows } = await tx.execute<TalliedRow & Record<string, unknown>>(sql.raw(`fetch ${ROWS_AT_ONCE} from unkept`))
    for (const row of rows) {
      const tallies = tallyResponse(toTalliedResponse(row))
      if (isInCohort(part, tallies)) tell(tallies, row.id)
    }
    read = rows.length
  }
  await tx.execute(sql`close unkept`)
}

/** Limits responses to people who say they live in an area. */
const whereHomeArea = (area: string | undefined) =>
  area === undefined
    ? undefined
    : sql`exists (select from ${homeAreas} home where home.site_id = ${responses.siteId} and home.user_id = ${responses.userId} and home.area_id = ${area})`

const TALLIED_COLUMNS = {
  id: responses.id,
  version: responses.version,
  language: responses.language,
  source: responses.source,
  seconds: responses.seconds,
  answers: responses.answers,
}

type TalliedRow = Omit<TalliedResponse, 'answers'> & { id: string; answers: unknown }

const toTalliedResponse = (row: Omit<TalliedRow, 'id'>): TalliedResponse => ({
  ...row,
  answers: row.answers as Answers,
})

/** Ranges of blocks that are not among these: first inclusive, end exclusive; the last range is open-ended. */
function listBlockGaps(blocks: readonly number[]): [first: number, end: number | undefined][] {
  const found: [number, number | undefined][] = []
  let next = 0
  for (const block of blocks) {
    if (block > next) found.push([next, block])
    next = block + 1
  }
  return [...found, [next, undefined]]
}

/**
 * Deletes the blocks of responses whose answers change. The caller must hold the lock on the survey's row, as `beginBlock` does: a block
 * started earlier is deleted here, and one started later sees the change.
 */
export async function deleteBlocks(tx: Tx, survey: SurveyKey, numbers: readonly (number | null | undefined)[]): Promise<void> {
  const blocks = [...new Set(numbers.flatMap((number) => (typeof number === 'number' ? [Math.floor(number / BLOCK_SIZE)] : [])))]
  if (blocks.length > 0) await tx.delete(surveyBlocks).where(and(whereBlockOf(survey), inArray(surveyBlocks.block, blocks)))
}

/** Deletes every block of a survey, and numbers responses that have no number. The caller must hold the lock on the survey's row. */
export async function resetBlocks(tx: Tx, survey: SurveyKey): Promise<void> {
  await tx.delete(surveyBlocks).where(whereBlockOf(survey))
  await numberResponses(tx, survey)
}

/** Numbers up to `most` responses that were inserted by something other than Parley. The caller must hold the lock on the survey's row. */
async function numberResponses(tx: Tx, survey: SurveyKey, most?: number): Promise<void> {
  await tx.execute(sql`
    with fresh as (
      select r.id, s.responses_numbered + row_number() over (order by r.submitted_at, r.id) - 1 as number
      from responses r join surveys s on s.site_id = r.site_id and s.id = r.survey_id
      where r.site_id = ${survey.siteId} and r.survey_id = ${survey.id} and r.number is null
      order by r.submitted_at, r.id limit ${most ?? null}
    ), numbered as (
      update responses r set number = fresh.number from fresh where r.site_id = ${survey.siteId} and r.id = fresh.id returning r.id
    )
    update surveys set responses_numbered = responses_numbered + (select count(*) from numbered)
    where site_id = ${survey.siteId} and id = ${survey.id}`)
}

/** Builds the full blocks that are missing, on every site. Run by a job. @returns how many were built */
export function makeBlocks(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, async ({ site, db }) => {
    let made = 0
    await db.tx((tx) => numberOneSurvey(tx, site.id))
    const due = await db.read((tx) =>
      tx.execute<{ id: string; block: number }>(sql`
        select s.id, due.block from ${surveys} s cross join generate_series(0, s.responses_numbered / ${BLOCK_SIZE} - 1) due(block)
        where s.site_id = ${site.id} and s.responses_numbered >= ${BLOCK_SIZE} and not exists (
          select 1 from ${surveyBlocks} b where b.site_id = s.site_id and b.survey_id = s.id and b.block = due.block and b.complete
        ) limit ${BLOCKS_A_TURN}`),
    )
    for (const { id, block } of due.rows) {
      const survey = { siteId: site.id, id }
      await db.tx((tx) => beginBlock(tx, survey, block))
      if (await db.tx((tx) => makeBlock(tx, survey, block))) made += 1
    }
    return made
  })
}

/** Numbers responses of one survey that were inserted into the table directly: without a number, every filter has to read them. */
async function numberOneSurvey(tx: Tx, siteId: string): Promise<void> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select s.id from ${surveys} s where s.site_id = ${siteId} and exists (
      select 1 from ${responses} r where r.site_id = s.site_id and r.survey_id = s.id and r.number is null
    ) limit 1 for update skip locked`)
  const [survey] = rows
  if (survey) await numberResponses(tx, { siteId, id: survey.id }, BLOCKS_A_TURN * BLOCK_SIZE)
}

/** From here on, anyone who changes a response of the block finds the block and deletes it. */
async function beginBlock(tx: Tx, { siteId, id }: SurveyKey, block: number): Promise<void> {
  await tx
    .select({ id: surveys.id })
    .from(surveys)
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, id)))
    .for('update')
  await tx.insert(surveyBlocks).values({ siteId, surveyId: id, block }).onConflictDoNothing()
}

/** @returns false if the block was deleted in the meantime */
async function makeBlock(tx: Tx, survey: SurveyKey, block: number): Promise<boolean> {
  const rows = await tx
    .select({ ...TALLIED_COLUMNS, number: responses.number, submittedAt: responses.submittedAt })
    .from(responses)
    .where(and(whereInSurvey(survey), gte(responses.number, block * BLOCK_SIZE), lt(responses.number, (block + 1) * BLOCK_SIZE)))
  const times = rows.map((row) => row.submittedAt.getTime()).toSorted((a, b) => a - b)
  const toDate = (time: number | undefined, later = 0) => (time === undefined ? null : new Date(time + later))
  const begun = await tx
    .update(surveyBlocks)
    // A Date has only milliseconds: the actual last moment is up to one later.
    .set({ complete: true, firstAt: toDate(times[0]), lastAt: toDate(times.at(-1), 1) })
    .where(and(whereBlockOf(survey), eq(surveyBlocks.block, block), not(surveyBlocks.complete)))
    .returning({ block: surveyBlocks.block })
  if (begun.length === 0) return false
  const bits = buildBlockRows(rows.map((row) => ({ place: (row.number ?? 0) % BLOCK_SIZE, response: toTalliedResponse(row) })))
  for (let from = 0; from < bits.length; from += BITS_AT_ONCE) {
    const part = bits.slice(from, from + BITS_AT_ONCE).map((row) => ({ ...row, bits: formatBits(row.bits) }))
    await tx.execute(sql`
      insert into ${surveyBlockBits} (site_id, survey_id, block, question, value, digit, weight, bits)
      select ${survey.siteId}::uuid, ${survey.id}::uuid, ${block}::int, row.question, row.value, row.digit, row.weight, row.bits::bit(8192)
      from jsonb_to_recordset(${JSON.stringify(part)}::jsonb) row(question text, value text, digit smallint, weight float8, bits text)`)
  }
  return true
}
