import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { MOST_COUNTED_IMMEDIATELY } from '#app/lib/vocabulary/budgets.ts'
import { budgetCounts, budgetResults, budgetRounds } from '#app/server/db/schema/budgets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound, loadRound, VOTING_CLOSES } from '#tests/factories/budgets.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { GRACE_MS } from '../budgets.state.ts'
import { countElectionByStep } from '../counting/count.ts'
import { countPot, loadElections, readPotResults } from './count-round.server.ts'
import { makeCounts } from './make-counts.server.ts'

let runtime: TestRuntime
let site: Site
let ann: Person
let bob: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  ann = await addPerson(runtime, site, { role: 'site_admin' })
  bob = await addPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(new Date(VOTING_CLOSES.getTime() + GRACE_MS)))

type Round = Awaited<ReturnType<typeof addRound>>
type Document = { id: string; attributes: { state: string; progress: number }; meta: { lockVersion: number } }
const dataOf = ({ body }: ApiAnswer) => body?.data as Document
const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const onSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<T>
const ask = (type: 'budget-counts' | 'budget-results', { id }: Round, person = ann) =>
  api(person).post(`/${type}`, buildResourceDocument(type, {}, { to: { round: { type: 'budget-rounds', id } } }))
const readCount = async (id: string) => dataOf(await api(ann).get(`/budget-counts/${id}`)).attributes
const readResults = ({ id }: Round) =>
  onSite<(typeof budgetResults.$inferSelect)[]>((tx) => tx.select().from(budgetResults).where(eq(budgetResults.roundId, id)))

/** Voting on four options has ended; the ballots name one to three of them. */
async function addVoted(ballots: number): Promise<Round> {
  const round = await addRound(runtime, site, [{ amount: 10_000_000, costs: [6_000_000, 4_000_000, 3_500_000, 900_000] }])
  await onSite(async (tx) => {
    await tx.update(budgetRounds).set({ hasBallots: true }).where(eq(budgetRounds.id, round.id))
    await tx.execute(sql`
      insert into budget_ballots (site_id, id, round_id, options, cast_at, receipt_hash)
      select ${site.id}, gen_random_uuid(), ${round.id}, array(select distinct o from unnest(array[1 + n % 4, 1 + n % 3, 1 + n % 2]) o order by o),
        ${VOTING_CLOSES.toISOString()}, sha256(gen_random_uuid()::text::bytea) from generate_series(1, ${ballots}) n`)
  })
  return round
}

/** Counts, but waits before the end until it is released. */
function createHeldCount() {
  const gate = { isReleased: false }
  let waits: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (waits = resolve))
  function* count(...input: Parameters<typeof countElectionByStep>): ReturnType<typeof countElectionByStep> {
    const outcome = yield* countElectionByStep(...input)
    waits()
    while (!gate.isReleased) yield 0.5
    return outcome
  }
  return { count, begun, release: () => (gate.isReleased = true) }
}

test('a round with very many ballots is counted by a job, with the result of an immediate count, for the person who asked', async () => {
  const round = await addVoted(MOST_COUNTED_IMMEDIATELY + 1)
  expect((await ask('budget-results', round)).codes).toEqual(['count-takes-long'])
  const asked = await ask('budget-counts', round)
  expect(asked.status).toBe(201)
  expect(dataOf(asked).attributes).toMatchObject({ state: 'waiting', progress: 0 })
  // A second administrator who asks for a count gets the one in progress.
  expect(dataOf(await ask('budget-counts', round, bob)).id).toBe(dataOf(asked).id)
  expect(await makeCounts(runtime)).toBe(1)
  expect(await readCount(dataOf(asked).id)).toMatchObject({ state: 'done', progress: 100 })
  const [result, ...more] = await readResults(round)
  expect(more).toEqual([])
  expect(result).toMatchObject({ state: 'provisional', ballots: MOST_COUNTED_IMMEDIATELY + 1, countedBy: ann.id })
  const row = await loadRound(runtime, site, round.id)
  const expected = await onSite<ReturnType<typeof countPot>[]>(async (tx) => (await loadElections(tx, row)).map(countPot))
  expect(readPotResults(result ?? { pots: [] })).toEqual(JSON.parse(JSON.stringify(expected)))
  expect(expected[0]?.outcomes['equal-shares'].funded.length).toBeGreaterThan(0)
  const certify = (person: Person) =>
    api(person).patch(
      `/budget-results/${result?.id}`,
      buildResourceDocument('budget-results', { state: 'certified' }, { id: result?.id ?? '' }),
    )
  expect((await certify(ann)).codes).toEqual(['certify-same-person'])
  expect((await certify(bob)).status).toBe(200)
  expect((await ask('budget-counts', round)).codes).toEqual(['already-certified'])
})

test('is asked for once voting is over, and by those who may change the round', async () => {
  const round = await addVoted(3)
  expect((await ask('budget-counts', round, await addPerson(runtime, site))).codes).toEqual(['forbidden'])
  runtime.setNow(VOTING_CLOSES)
  expect((await ask('budget-counts', round)).codes).toEqual(['voting-not-over'])
})

test('made by two processes at the same time is made once', async () => {
  const round = await addVoted(50)
  await ask('budget-counts', round)
  await Promise.all([makeCounts(runtime), makeCounts(runtime)])
  expect(await readResults(round)).toHaveLength(1)
})

test('cancelled while it is made leaves no result', async () => {
  const round = await addVoted(50)
  const { id } = dataOf(await ask('budget-counts', round))
  const held = createHeldCount()
  const making = makeCounts(runtime, held.count)
  await held.begun
  expect((await readCount(id)).state).toBe('running')
  expect((await api(ann).delete(`/budget-counts/${id}`)).status).toBe(204)
  held.release()
  expect(await making).toBe(0)
  expect((await readCount(id)).state).toBe('cancelled')
  expect(await readResults(round)).toEqual([])
})

test('is made anew if an option is withdrawn meanwhile', async () => {
  const round = await addVoted(50)
  await ask('budget-counts', round)
  const held = createHeldCount()
  const making = makeCounts(runtime, held.count)
  await held.begun
  const id = round.options[3]?.id ?? ''
  const { lockVersion } = dataOf(await api(ann).get(`/budget-options/${id}`)).meta
  const withdrawal = { withdrawn: true, withdrawnReasonTranslations: { en: 'The land was sold.' } }
  const withdrawn = await api(ann).patch(`/budget-options/${id}`, buildResourceDocument('budget-options', withdrawal, { id, lockVersion }))
  expect(withdrawn.status).toBe(200)
  held.release()
  expect(await making).toBe(1)
  const [result] = await readResults(round)
  expect(readPotResults(result ?? { pots: [] })[0]?.options).toEqual([1, 2, 3])
})

test('whose worker died is made by another one, but not for ever', async () => {
  const round = await addVoted(50)
  const { id } = dataOf(await ask('budget-counts', round))
  const leave = (attempts: number) =>
    onSite((tx) =>
      tx
        .update(budgetCounts)
        .set({ state: 'running', attempts, lease: id, aliveAt: new Date(runtime.now().getTime() - 120_000) })
        .where(eq(budgetCounts.id, id)),
    )
  await leave(3)
  expect(await makeCounts(runtime)).toBe(0)
  expect((await readCount(id)).state).toBe('failed')
  await leave(2)
  expect(await makeCounts(runtime)).toBe(1)
  expect(await readResults(round)).toHaveLength(1)
})
