import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { makeBlocks, loadCohortTallies, loadAnswerPairs } from './response-bitmaps.server.ts'
import { BLOCK_SIZE } from './response-bitmaps.ts'
import { rebuildTallies, findWrongCounts } from './response-counts.server.ts'
import { type TalliedResponse, TallySums, tallyResponse } from './tallies.ts'
import { isInCohort, type Cohort, parseCohort, type ResultsFilter } from '../results/results-filter.ts'
import { withdrawContribution } from './receipts.server.ts'
import { submitResponse } from './submit-response.server.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'

const RESPONSES = BLOCK_SIZE + 700
const FIRST = Date.UTC(2026, 2, 1)
const MINUTE = 60_000

let runtime: TestRuntime
let site: Site
let survey: { siteId: string; id: string }
let code: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  const { id } = await addSurvey(runtime, site)
  survey = { siteId: site.id, id }
  const ctx = createCtx(runtime, site)
  runtime.setNow(new Date(FIRST - MINUTE))
  const sent = {
    id: v7({ msecs: FIRST - 2 * MINUTE }),
    sendKey: 'k'.repeat(22),
    answers: { name: 'First', safe: 1, mode: { choice: 'bus' } },
  }
  ;({ code } = await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, id)), sent))
  runtime.setNow(undefined)
  await db().tx((tx) =>
    tx.execute(sql`
      insert into responses (site_id, id, survey_id, version, language, source, answers, receipt_hash, submitted_at, seconds)
      select ${site.id}, gen_random_uuid(), ${id}, 1, case when i % 3 = 0 then 'cy' else 'en' end, case when i % 7 = 0 then 'paper' else 'web' end,
        jsonb_build_object('name', 'N' || i, 'safe', 1 + i % 5, 'mode', jsonb_build_object('choice', case when i % 4 = 0 then 'bus' else 'foot' end),
          'want', case when i % 2 = 0 then '{"choices":["trees","seats"]}' else '{"choices":["shade"]}' end::jsonb,
          'cost', case when i % 11 = 0 then -2.25 else i % 977 end, 'share', jsonb_build_object('amounts', jsonb_build_object('a', i % 90))),
        sha256(i::text::bytea), to_timestamp(${FIRST / 1000}) + i * interval '1 minute', i % 400
      from generate_series(1, ${RESPONSES - 1}) i`),
  )
  await db().tx((tx) => tx.execute(sql`update surveys set responses_count = ${RESPONSES} where site_id = ${site.id} and id = ${id}`))
})
const db = () => runtime.database.site(site.id)
const at = (minute: number) => new Date(FIRST + minute * MINUTE).toISOString()

const FILTERS: Record<string, ResultsFilter> = {
  'one answer': { answers: ['mode:bus'] },
  'two answers': { answers: ['want:trees', 'safe:3'] },
  'either of two answers to one question': { answers: ['safe:3', 'safe:4', 'mode:bus'] },
  'numbers of a range': { answers: ['cost:100..300'] },
  'either of two languages': { language: ['cy', 'fr-CA'] },
  'a source and a version': { source: 'paper', version: 1 },
  'a time within a block': { from: at(1000), to: at(2345) },
  'a time from one block to the next': { from: at(BLOCK_SIZE - 50), to: at(BLOCK_SIZE + 50) },
  'all of it together': { answers: ['mode:bus'], language: ['en'], source: 'web', from: at(77), to: at(BLOCK_SIZE + 300) },
  'what nobody said': { answers: ['mode:boat'] },
}

/** Reads each response in turn. */
async function read(filter: ResultsFilter): Promise<TalliedResponse[]> {
  const { rows } = await db().tx((tx) =>
    tx.execute<TalliedResponse & { submitted_at: Date; [name: string]: unknown }>(
      sql`select version, language, source, seconds, answers, submitted_at from responses where survey_id = ${survey.id} and withdrawn_at is null`,
    ),
  )
  const part = parseCohort(filter) as Cohort
  return rows.filter(({ submitted_at: when, ...response }) => {
    const time = new Date(when)
    return isInCohort(part, tallyResponse(response)) && (!part.from || time >= part.from) && (!part.to || time < part.to)
  })
}

async function expectSame(filter: ResultsFilter): Promise<number> {
  const expected = new TallySums()
  const found = await read(filter)
  for (const response of found) for (const tally of tallyResponse(response)) expected.add(tally)
  const counted = await db().tx((tx) => loadCohortTallies(tx, survey, parseCohort(filter)))
  const counts = (tallies: readonly { question: string; value: string; count: number }[]) =>
    Object.fromEntries(tallies.filter(({ count }) => count > 0).map(({ question, value, count }) => [`${question} ${value}`, count]))
  expect(counts(counted)).toEqual(counts(expected.list()))
  const totals = (tallies: ReturnType<TallySums['list']>) =>
    Object.fromEntries(
      [...Map.groupBy(tallies, ({ question }) => question)].map(([question, own]) => [
        question,
        own.reduce((sum, { total }) => sum + total, 0),
      ]),
    )
  for (const [question, total] of Object.entries(totals(expected.list()))) expect(totals(counted)[question] ?? 0).toBeCloseTo(total, 4)
  const pairs = await db().tx((tx) => loadAnswerPairs(tx, survey, { rows: 'mode', columns: 'want' }, parseCohort(filter)))
  const told = pairs.filter(({ row, column }) => row !== '' && column !== '')
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(
    found.reduce((sum, { answers: { want } }) => sum + (typeof want === 'object' && 'choices' in want ? want.choices.length : 0), 0),
  )
  // People who answered both, however many options they chose.
  const both = found.filter(({ answers: { mode, want } }) => mode !== undefined && want !== undefined)
  expect(pairs.find(({ row, column }) => row === '' && column === '')?.count ?? 0).toBe(both.length)
  return found.length
}

test('a filter finds the same in unnumbered responses, in bitmaps, and across both', async () => {
  await expectSame(FILTERS['all of it together'] ?? {})
  await db().tx((tx) => rebuildTallies(tx, site.id, survey.id))
  expect(await makeBlocks(runtime)).toBe(1)
  expect(await makeBlocks(runtime)).toBe(0)
  const found: Record<string, number> = {}
  for (const [name, filter] of Object.entries(FILTERS)) found[name] = await expectSame(filter)
  expect(found).toMatchObject({ 'what nobody said': 0, 'a time within a block': 1345 })
  expect(await db().tx((tx) => findWrongCounts(tx, site.id, survey.id))).toEqual([])
})

test('a withdrawn response is removed from the bitmaps', async () => {
  await withdrawContribution(createCtx(runtime, site), code)
  expect(await db().tx((tx) => findWrongCounts(tx, site.id, survey.id))).toEqual([])
  expect(await makeBlocks(runtime)).toBe(1)
  await expectSame({ answers: ['mode:bus'] })
  expect(await db().tx((tx) => findWrongCounts(tx, site.id, survey.id))).toEqual([])
})

test('wrong bitmaps are detected, and rebuilt from the responses', async () => {
  await db().tx((tx) =>
    tx.execute(sql`update survey_block_bits set bits = ~bits where site_id = ${site.id} and question = 'mode' and value = 'foot'`),
  )
  expect(await db().tx((tx) => findWrongCounts(tx, site.id, survey.id))).toHaveLength(1)
  await db().tx((tx) => rebuildTallies(tx, site.id, survey.id))
  expect(await makeBlocks(runtime)).toBe(1)
  expect(await db().tx((tx) => findWrongCounts(tx, site.id, survey.id))).toEqual([])
})

test('the job numbers responses that were inserted directly, and filters find them before and after', async () => {
  await db().tx(async (tx) => {
    await tx.execute(sql`update responses set number = null where site_id = ${site.id} and number >= 8192`)
    await tx.execute(sql`update surveys set responses_numbered = 8192 where site_id = ${site.id} and id = ${survey.id}`)
  })
  await expectSame({ answers: ['mode:bus'] })
  expect(await makeBlocks(runtime)).toBe(0)
  const { rows } = await db().tx((tx) => tx.execute(sql`select id from responses where site_id = ${site.id} and number is null`))
  expect(rows).toEqual([])
  await expectSame({ answers: ['mode:bus'] })
  expect(await db().tx((tx) => findWrongCounts(tx, site.id, survey.id))).toEqual([])
})

test('counts the residents of an area inside and outside blocks', async () => {
  const area = v7()
  const lives = (i: string) => sql.raw(`${i} % 40 = 0`)
  await db().tx(async (tx) => {
    const [connector, dataset] = [v7(), v7()]
    await tx.execute(sql`insert into city_connectors (site_id, id, name, portal_url, kind, language, every_minutes)
      values (${site.id}, ${connector}, 'Wards', 'https://wards.example', 'geojson', 'en', 1440)`)
    await tx.execute(sql`insert into city_datasets (site_id, id, connector_id, slug, source_id, title, columns)
      values (${site.id}, ${dataset}, ${connector}, 'wards', 'wards', '{}', '[]')`)
    await tx.execute(
      sql`insert into areas (site_id, id, dataset_id, slug, name, rings) values (${site.id}, ${area}, ${dataset}, 'east', 'East', '[]')`,
    )
    // Every twentieth response has an account, and half of those live there.
    await tx.execute(sql`insert into users (site_id, id, email, login)
      select site_id, id, id || '@example.org', 'Somebody' from responses where survey_id = ${survey.id} and number % 20 = 0`)
    await tx.execute(sql`update responses set user_id = id where survey_id = ${survey.id} and number % 20 = 0`)
    await tx.execute(sql`insert into home_areas (site_id, user_id, area_id, consented_at)
      select site_id, id, ${area}, now() from responses where survey_id = ${survey.id} and ${lives('number')}`)
  })
  await makeBlocks(runtime)
  const told = await db().tx((tx) => loadCohortTallies(tx, survey, parseCohort({ area })))
  const { rows } = await db().tx((tx) =>
    tx.execute<{ inside: number; outside: number; bus: number }>(sql`
      select count(*) filter (where number < ${BLOCK_SIZE})::int as inside, count(*) filter (where number >= ${BLOCK_SIZE})::int as outside,
        count(*) filter (where answers -> 'mode' ->> 'choice' = 'bus')::int as bus
      from responses where survey_id = ${survey.id} and withdrawn_at is null and ${lives('number')}`),
  )
  const counted = (question: string, value: string) =>
    told.find((tally) => tally.question === question && tally.value === value)?.count ?? 0
  const { inside = 0, outside = 0, bus = 0 } = rows[0] ?? {}
  expect([inside > 100, outside > 10]).toEqual([true, true])
  expect([counted('', ''), counted('mode', 'bus')]).toEqual([inside + outside, bus])
  const pairs = await db().tx((tx) => loadAnswerPairs(tx, survey, { rows: 'mode', columns: 'safe' }, parseCohort({ area })))
  expect(pairs.filter(({ row, column }) => row === 'bus' && column !== '').reduce((sum, { count }) => sum + count, 0)).toBe(bus)
})
