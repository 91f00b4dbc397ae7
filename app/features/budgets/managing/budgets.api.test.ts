import { randomBytes } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { Client } from 'pg'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dumpTables } from '#app/cli/backup/dump-tables.ts'
import { appendLedgers } from '#app/features/ledger/append-ledgers.server.ts'
import { checkLedger } from '#app/features/ledger/check-ledger.ts'
import { ledgerEntries, ledgers } from '#app/server/db/schema/ledger.ts'
import { createCtx } from '#app/server/context.ts'
import { budgetBallots, budgetVoters } from '#app/server/db/schema/budgets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addCards, addRound, loadRound, VOTING_CLOSES } from '#tests/factories/budgets.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { getBallotReceipt, getBudgetResults } from '../budget-views.server.ts'
import { GRACE_MS } from '../budgets.state.ts'
import { checkResult } from '../counting/check-result.ts'
import { countElection } from '../counting/count.ts'
import { readPbFile } from '../counting/pb-file.ts'
import { commitToSeed } from '../counting/commit-to-seed.server.ts'
import { drawLot } from '../counting/ties.ts'
import { serveLedger, servePbFile, serveResultsCsv, serveResultsJson } from '../result-files.server.ts'
import { castBallot } from '../voting/cast-ballot.server.ts'

const NOON = new Date('2026-03-02T12:34:56Z')
const AFTERWARDS = new Date(VOTING_CLOSES.getTime() + GRACE_MS)

let runtime: TestRuntime
let site: Site
let officer: Person
let second: Person
let cards: Awaited<ReturnType<typeof addCards>>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  officer = await addPerson(runtime, site, { role: 'site_admin' })
  second = await addPerson(runtime, site, { role: 'site_admin' })
  cards = await addCards(
    runtime,
    site,
    officer,
    Array.from({ length: 60 }, (_, at) => `RB 2030 ${4700 + at}`),
  )
})
beforeEach(() => runtime.setNow(NOON))

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
type Document = { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number; can: Record<string, boolean> } }
const dataOf = ({ body }: ApiAnswer) => body?.data as Document
const create = (person: Person, type: string, attributes: Record<string, unknown>, to: Record<string, [type: string, id: string]>) =>
  api(person).post(
    `/${type}`,
    buildResourceDocument(type, attributes, {
      to: Object.fromEntries(Object.entries(to).map(([name, [target, id]]) => [name, { type: target, id }])),
    }),
  )
async function patchResource(person: Person, type: string, id: string, attributes: Record<string, unknown>) {
  const { lockVersion } = dataOf(await api(person).get(`/${type}/${id}`)).meta
  return api(person).patch(
    `/${type}/${id}`,
    buildResourceDocument(type, attributes, { id, ...(lockVersion !== undefined && { lockVersion }) }),
  )
}
const count = (person: Person, round: string) => create(person, 'budget-results', {}, { round: ['budget-rounds', round] })

let used = 0
type Round = Awaited<ReturnType<typeof addRound>>
async function castVote(round: Round, options: number[]) {
  const secret = await cards.verify(`RB 2030 ${4700 + used++}`)
  const sending = { id: v7({ msecs: NOON.getTime() }), sendKey: randomBytes(16).toString('base64url') }
  const { code } = await castBallot(createCtx(runtime, site), addressOf(round), {
    ...sending,
    options,
    seen: 0,
    readInvitation: () => secret,
  })
  return { secret, code }
}
const addressOf = ({ projectSlug: project, slug: round }: Round) => ({ project, round })

describe('a round', () => {
  test('is set up, screened and published through the API, with what is missing named', async () => {
    const project = await addProject(runtime, site)
    const activity = await addActivity(runtime, site, { projectId: project.id })
    const idea = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const made = await create(
      officer,
      'budget-rounds',
      { titleTranslations: inAllLanguages('Fund') },
      { project: ['projects', project.id] },
    )
    expect(made.status).toBe(201)
    const { id } = dataOf(made)
    expect((await patchResource(officer, 'budget-rounds', id, { status: 'published' })).codes).toEqual([
      'required',
      'required',
      'no-options',
    ])
    const pot = dataOf(
      await create(
        officer,
        'budget-pots',
        { titleTranslations: inAllLanguages('Millside'), amount: 10_000 },
        { round: ['budget-rounds', id] },
      ),
    )
    const to: Record<string, [string, string]> = { round: ['budget-rounds', id], pot: ['budget-pots', pot.id] }
    const title = { titleTranslations: inAllLanguages('Benches') }
    expect((await create(officer, 'budget-options', { ...title, state: 'feasible' }, to)).codes).toEqual(['cost-missing'])
    expect((await create(officer, 'budget-options', { ...title, cost: 0 }, to)).codes).toEqual(['out-of-range'])
    expect((await create(officer, 'budget-options', { ...title, cost: -5 }, to)).codes).toEqual(['out-of-range'])
    expect((await create(officer, 'budget-options', { ...title, cost: 10_001, state: 'feasible' }, to)).codes).toEqual(['above-the-pot'])
    expect((await create(officer, 'budget-options', { ...title, state: 'not_feasible' }, to)).codes).toEqual(['required'])
    const option = await create(officer, 'budget-options', { ...title, cost: 9000 }, { ...to, contribution: ['contributions', idea.id] })
    expect(dataOf(option).attributes).toMatchObject({ state: 'idea', number: 1, cost: 9000 })
    // An idea that has not been screened is not public.
    expect((await api().get(`/budget-options/${dataOf(option).id}`)).status).toBe(404)
    await patchResource(officer, 'budget-options', dataOf(option).id, { state: 'feasible' })
    const times = { opensAt: '2026-03-01T12:00:00Z', closesAt: '2026-03-10T12:00:00Z' }
    expect((await patchResource(officer, 'budget-rounds', id, { opensAt: times.closesAt, closesAt: times.opensAt })).codes).toEqual([
      'dates-out-of-order',
    ])
    expect((await patchResource(officer, 'budget-rounds', id, { ...times, status: 'published' })).status).toBe(200)
    const shown = dataOf(await api(officer).get(`/budget-rounds/${id}`)).attributes
    expect(shown).toMatchObject({ phase: 'voting', hasBallots: false, ballots: 0, voters: 0 })
    expect(shown['seedHash']).toBe(commitToSeed((await loadRound(runtime, site, id)).seed ?? ''))
    // The public sees neither the turnout nor the seed.
    const seen = await api().get(`/budget-rounds/${id}`)
    expect(dataOf(seen).attributes).not.toHaveProperty('voters')
    expect(JSON.stringify(seen.body)).not.toContain((await loadRound(runtime, site, id)).seed)
  })

  test('is changed only by those who may edit its project', async () => {
    const round = await addRound(runtime, site, [{ amount: 100, costs: [50] }])
    const stranger = await addPerson(runtime, site)
    const elsewhere = await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })
    for (const person of [stranger, elsewhere])
      expect((await patchResource(person, 'budget-rounds', round.id, { threshold: 2 })).status).toBe(403)
    expect(
      (await api().patch(`/budget-rounds/${round.id}`, buildResourceDocument('budget-rounds', {}, { id: round.id, lockVersion: 1 })))
        .status,
    ).toBe(401)
    expect((await count(stranger, round.id)).status).toBe(403)
  })
})

describe('a count', () => {
  test('waits for the last ballot, is certified by somebody else, and is then public with its reasons and files', async () => {
    const round = await addRound(runtime, site, [
      { amount: 10_000, costs: [6000, 4000, 5000] },
      { amount: 3000, costs: [3000] },
    ])
    const votes = [[1], [1], [1, 2], [2], [2, 4], [3]]
    const cast: { secret: string; code: string }[] = []
    for (const options of votes) cast.push(await castVote(round, options))
    runtime.setNow(new Date(AFTERWARDS.getTime() - 1))
    expect((await count(officer, round.id)).codes).toEqual(['voting-not-over'])
    runtime.setNow(AFTERWARDS)
    const counted = await count(officer, round.id)
    expect(dataOf(counted).attributes).toMatchObject({ state: 'provisional', ballots: votes.length, isOwnCount: true })
    const { id } = dataOf(counted)
    expect((await api().get(`/budget-results/${id}`)).status).toBe(404)
    await expect(getBudgetResults(createCtx(runtime, site), addressOf(round), { pot: 1 })).rejects.toMatchObject({ code: 'not-found' })

    expect((await patchResource(officer, 'budget-results', id, { state: 'certified' })).codes).toEqual(['certify-same-person'])
    const again = dataOf(await count(officer, round.id)).id
    expect((await patchResource(second, 'budget-results', id, { state: 'certified' })).codes).toEqual(['stale'])
    expect((await patchResource(second, 'budget-results', again, { state: 'certified' })).status).toBe(200)
    expect((await patchResource(second, 'budget-results', again, { state: 'certified' })).codes).toEqual(['already-certified'])
    expect((await count(officer, round.id)).codes).toEqual(['already-certified'])

    const results = await getBudgetResults(createCtx(runtime, site), addressOf(round), { pot: 1 })
    expect(results.pot).toMatchObject({ ballots: 6, outcomes: { 'equal-shares': { funded: 2, cost: 10_000, satisfied: 5 } } })
    expect(results.pot.rows.find(({ number }) => number === 3)).toMatchObject({ votes: 1, reasons: { 'equal-shares': { kind: 'short' } } })
    expect((await getBallotReceipt(createCtx(runtime, site), addressOf(round), cast[0]?.code)).receipt).toMatchObject({ isCounted: true })

    // What people download can be counted again by anybody.
    const request = (params: Record<string, string>) => ({
      context: requestContext(createCtx(runtime, site)),
      params: { slug: round.projectSlug, round: round.slug, ...params },
    })
    const file = await readPbFile(await (await servePbFile(request({ pot: '1' }))).text())
    expect(file.election.ballots).toHaveLength(6)
    expect(countElection(file.election, file.rule ?? 'greedy').funded.toSorted()).toEqual(file.stated?.toSorted())
    expect(file.election.lot).toBe(await drawLot(round.seed ?? '', file.election.digest))
    expect(await (await serveResultsCsv(request({}))).text()).toContain('Pot 1,1,Option 1,60,3,equal-shares,1')
    expect(JSON.parse(await (await serveResultsJson(request({}))).text())).toMatchObject({ seed: round.seed, ballots: 6 })
    expect((await servePbFile(request({ pot: '3' }))).status).toBe(404)

    // The ledger ends with this result, and the receipt proves its entry although the round's secret is gone.
    const ledger = await checkLedger(await (await serveLedger(request({}))).text())
    expect(ledger).toMatchObject({ faults: [], entries: 7, standing: 6, head: results.ledger?.head })
    const files = await Promise.all(
      ['1', '2'].map(async (pot) => {
        const { rule, ...read } = await readPbFile(await (await servePbFile(request({ pot }))).text())
        return { ...read, rule: rule ?? 'greedy' }
      }),
    )
    expect(await checkResult(ledger, files)).toMatchObject({ isSealed: true, pots: [{ isStated: true }, { isStated: true }] })
    expect(await checkResult(ledger, files.slice(0, 1))).toMatchObject({ isSealed: false })
    const { receipt } = await getBallotReceipt(createCtx(runtime, site), addressOf(round), cast[0]?.code)
    expect(receipt?.proof?.entry?.number).toBeGreaterThan(0)

    // Afterwards only funded options have a delivery, and nothing is withdrawn any more.
    const [first, , third] = round.options
    expect((await patchResource(officer, 'budget-options', first?.id ?? '', { delivery: 'done' })).status).toBe(200)
    expect((await patchResource(officer, 'budget-options', third?.id ?? '', { delivery: 'done' })).codes).toEqual(['not-a-choice'])
    expect(
      (await patchResource(officer, 'budget-options', first?.id ?? '', { withdrawn: true, withdrawnReasonTranslations: { en: 'Late' } }))
        .codes,
    ).toEqual(['conflict'])
  })

  test('leaves out what was withdrawn, and its voters still have their part', async () => {
    const round = await addRound(runtime, site, [{ amount: 10_000, costs: [6000, 4000] }])
    await castVote(round, [1])
    await castVote(round, [2])
    await patchResource(officer, 'budget-options', round.options[0]?.id ?? '', {
      withdrawn: true,
      withdrawnReasonTranslations: { en: 'The ground is polluted' },
    })
    runtime.setNow(AFTERWARDS)
    const { attributes } = dataOf(await count(officer, round.id))
    expect(attributes['pots']).toMatchObject([{ ballots: 2, options: [2], outcomes: { 'equal-shares': { funded: ['2'] } } }])
  })
})

test('once a result is certified, nothing in the database or a backup leads from a ballot to its voter', async () => {
  const round = await addRound(runtime, site, [{ amount: 10_000, costs: [6000, 4000] }])
  const voters: { secret: string; code: string }[] = []
  for (let voter = 0; voter < 8; voter++) voters.push(await castVote(round, [1 + (voter % 2)]))
  // Half of them are in the ledger before the others vote, an hour later.
  runtime.setNow(new Date(NOON.getTime() + 3_600_000))
  await appendLedgers(runtime)
  for (let voter = 0; voter < 8; voter++) voters.push(await castVote(round, [1 + (voter % 2)]))
  const inSite = runtime.database.site(site.id)
  const readBallots = () => inSite.tx((tx) => tx.select().from(budgetBallots).where(eq(budgetBallots.roundId, round.id)))
  const before = await readBallots()

  const owner = new Client({ connectionString: runtime.ownerUrl })
  await owner.connect()
  /** Every row of every table as text, by table. */
  const dump = async () => {
    const { rows: tables } = await owner.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
    const texts = new Map<string, string[]>()
    for (const { name } of tables)
      texts.set(
        name,
        (await owner.query<{ t: string }>(`select t::text from "${name}" t`)).rows.map(({ t }) => t),
      )
    return texts
  }
  const { rows: secrets } = await owner.query<{ secret: Buffer }>('select secret from budget_secrets where round_id = $1', [round.id])
  const secret = secrets[0]?.secret.toString('hex') ?? 'none'
  const backup: string[] = []
  const archive = { write: (line: unknown) => Promise.resolve(void backup.push(JSON.stringify(line))) }
  await dumpTables(owner, archive as never)
  expect(secret).toHaveLength(64)
  expect(backup.join('\n')).not.toContain(secret)
  // Nor does a backup pair them by the order in which they voted.
  const places = before.map(({ id: ballot }) => backup.findIndex((line) => line.includes(ballot)))
  expect(places.every((place) => place > 0)).toBe(true)
  expect(places).not.toEqual(places.toSorted((a, b) => a - b))

  runtime.setNow(AFTERWARDS)
  const { id } = dataOf(await count(officer, round.id))
  expect((await patchResource(second, 'budget-results', id, { state: 'certified' })).status).toBe(200)
  const after = await readBallots()
  const tables = await dump()
  const everything = [...tables.values()].flat().join('\n')
  const told = runtime.logged.join('\n')
  for (const text of [everything, told]) {
    expect(text).not.toContain(secret)
    for (const { ballotKey } of before) expect(text).not.toContain(ballotKey?.toString('hex'))
    // Ballots have other ids than when they were cast, and nothing names either.
    for (const ballot of before) expect(text).not.toContain(ballot.id)
    for (const { code } of voters) expect(text).not.toContain(code)
  }
  const elsewhere = [...tables]
    .filter(([name]) => name !== 'budget_ballots')
    .flatMap(([, rows]) => rows)
    .join('\n')
  for (const ballot of after) {
    expect(ballot.ballotKey).toBeNull()
    expect(elsewhere).not.toContain(ballot.id)
    expect(elsewhere).not.toContain(ballot.receiptHash.toString('hex'))
  }
  const counted = await inSite.tx((tx) => tx.select().from(budgetVoters).where(eq(budgetVoters.roundId, round.id)))
  expect(counted).toHaveLength(after.length)
  const outsideVoters = [...tables]
    .filter(([name]) => name !== 'budget_voters')
    .flatMap(([, rows]) => rows)
    .join('\n')
  for (const { personHash } of counted) expect(outsideVoters).not.toContain(personHash.toString('hex'))

  // Entries have no time, and nothing joins them to ballots or voters: neither their hashes nor their ids. What waited for the ledger is gone.
  const entries = await inSite.tx((tx) =>
    tx
      .select()
      .from(ledgerEntries)
      .where(inArray(ledgerEntries.ledgerId, tx.select({ id: ledgers.id }).from(ledgers).where(eq(ledgers.ownerId, round.id)))),
  )
  expect(entries.filter(({ leaf }) => before.some((ballot) => leaf && ballot.leaf?.equals(leaf)))).toHaveLength(voters.length)
  const outsideLedger = [...tables]
    .filter(([name]) => name !== 'ledger_entries')
    .flatMap(([, rows]) => rows)
    .join('\n')
  for (const { leaf, hash } of entries)
    for (const value of [leaf, hash]) if (value) expect(outsideLedger).not.toContain(value.toString('hex'))
  for (const { leaf } of after) expect(leaf).toBeNull()
  const waiting = tables.get('ledger_waiting')?.join('\n')
  for (const { leaf } of before) expect(waiting).not.toContain(leaf?.toString('hex'))
  const { rows: timed } = await owner.query(
    `select 1 from information_schema.columns where table_name in ('ledgers', 'ledger_entries') and data_type like 'timestamp%'`,
  )
  expect(timed).toEqual([])

  // The database itself numbers the transactions that wrote rows: all of them are now the certification's.
  const { rows: written } = await owner.query<{ n: number }>(
    `select count(distinct xmin::text)::int as n from (select xmin from budget_ballots where round_id = $1 union all
     select xmin from budget_voters where round_id = $1) all_rows`,
    [round.id],
  )
  expect(written[0]?.n).toBe(1)
  await owner.end()
})
