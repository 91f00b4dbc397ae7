import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { budgetBallots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound, VOTING_CLOSES } from '#tests/factories/budgets.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { getBudgetResults } from '../budget-views.server.ts'
import { GRACE_MS } from '../budgets.state.ts'
import { serveResultsCsv, serveResultsJson } from '../result-files.server.ts'

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
type Document = { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
const dataOf = ({ body }: ApiAnswer) => body?.data as Document
const api = (person?: Person) => createApiClient(runtime, site, person?.token)

/** A round of two options, of which the first has all votes and the second does not fit beside it. */
async function addCounted(): Promise<{ round: Round; result: string }> {
  const round = await addRound(runtime, site, [{ amount: 10_000, costs: [6000, 5000] }], { rule: 'greedy' })
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.update(budgetRounds).set({ hasBallots: true }).where(eq(budgetRounds.id, round.id))
    const receiptHash = Buffer.from(round.id)
    await tx
      .insert(budgetBallots)
      .values({ siteId: site.id, id: round.id, roundId: round.id, options: [1], castAt: VOTING_CLOSES, receiptHash })
  })
  const to = { round: { type: 'budget-rounds', id: round.id } }
  const result = dataOf(await api(ann).post('/budget-results', buildResourceDocument('budget-results', {}, { to }))).id
  return { round, result }
}
const certify = (id: string) =>
  api(bob).patch(`/budget-results/${id}`, buildResourceDocument('budget-results', { state: 'certified' }, { id }))
async function addDecided(): Promise<Round> {
  const { round, result } = await addCounted()
  expect((await certify(result)).status).toBe(200)
  return round
}
const BODY = { bodyTranslations: { en: 'The council' }, reasonTranslations: { en: 'It fits next year’s plans' } }
const decide = (round: Round, at: number, attributes: Record<string, unknown>, person = ann) =>
  api(person).post(
    '/budget-overrides',
    buildResourceDocument(
      'budget-overrides',
      { ...BODY, ...attributes },
      { to: { option: { type: 'budget-options', id: round.options[at]?.id ?? '' } } },
    ),
  )
const deliver = async (round: Round, at: number) => {
  const id = round.options[at]?.id ?? ''
  const { lockVersion } = dataOf(await api(ann).get(`/budget-options/${id}`)).meta
  return api(ann).patch(`/budget-options/${id}`, buildResourceDocument('budget-options', { delivery: 'planned' }, { id, lockVersion }))
}
const readPot = async (round: Round) =>
  (await getBudgetResults(createCtx(runtime, site), { project: round.projectSlug, round: round.slug }, { pot: 1 })).pot

describe('a decision against the count', () => {
  test('waits for the certified result, and names a body and a reason', async () => {
    const { round, result } = await addCounted()
    expect((await decide(round, 1, { isFunded: true })).codes).toEqual(['not-a-choice'])
    await certify(result)
    expect((await decide(round, 1, { isFunded: true, bodyTranslations: {} })).codes).toEqual(['required'])
    expect((await decide(round, 1, { isFunded: true, reasonTranslations: {} })).codes).toEqual(['required'])
    expect((await decide(round, 1, { isFunded: true })).status).toBe(201)
    expect((await decide(round, 1, { isFunded: true })).codes).toEqual(['taken'])
  })

  test('says the opposite of what was calculated', async () => {
    const round = await addDecided()
    expect((await decide(round, 0, { isFunded: true })).codes).toEqual(['not-a-choice'])
    expect((await decide(round, 1, { isFunded: false })).codes).toEqual(['not-a-choice'])
    expect((await decide(round, 0, { isFunded: false })).status).toBe(201)
  })

  test('is for those who may certify', async () => {
    const round = await addDecided()
    const projectAdmin = await addPerson(runtime, site, { role: 'project_admin', projectId: round.projectId })
    expect((await decide(round, 1, { isFunded: true }, projectAdmin)).status).toBe(403)
    expect((await decide(round, 1, { isFunded: true }, await addPerson(runtime, site))).status).toBe(403)
    const { id } = dataOf(await decide(round, 1, { isFunded: true }))
    expect((await api(projectAdmin).delete(`/budget-overrides/${id}`)).status).toBe(403)
  })

  test('made twice at once is made once', async () => {
    const round = await addDecided()
    const statuses = (await Promise.all([1, 2, 3].map(() => decide(round, 1, { isFunded: true })))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    const { body } = await api().get(`/budget-overrides?filter[round]=${round.id}`)
    expect(body?.data).toHaveLength(1)
  })

  test('stands in public beside the calculated result, which stays, and is in its files and the audit log', async () => {
    const round = await addDecided()
    await decide(round, 1, { isFunded: true })
    const pot = await readPot(round)
    expect(pot.outcomes.greedy).toMatchObject({ funded: 1, cost: 6000 })
    expect(pot.rows).toMatchObject([
      { number: 1, isFunded: { greedy: true }, override: null },
      {
        number: 2,
        isFunded: { greedy: false },
        override: { isFunded: true, body: { text: 'The council' }, reason: { text: 'It fits next year’s plans' } },
      },
    ])
    const request = { context: requestContext(createCtx(runtime, site)), params: { slug: round.projectSlug, round: round.slug } }
    const [, first, second] = (await (await serveResultsCsv(request)).text()).split('\r\n')
    expect(first).toMatch(/,,,$/)
    expect(second).toMatch(/,1,The council,It fits next year’s plans$/)
    expect(JSON.parse(await (await serveResultsJson(request)).text())).toMatchObject({ overrides: [{ option: 2, isFunded: true }] })
    const events = await runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, round.id)))
    expect(events.map(({ action }) => action)).toContain('budgets.override')
  })

  test('decides what is delivered, until it is ended', async () => {
    const round = await addDecided()
    expect((await deliver(round, 1)).codes).toEqual(['not-a-choice'])
    const { id } = dataOf(await decide(round, 1, { isFunded: true }))
    await decide(round, 0, { isFunded: false })
    expect((await deliver(round, 1)).status).toBe(200)
    expect((await deliver(round, 0)).codes).toEqual(['not-a-choice'])
    expect((await api(ann).delete(`/budget-overrides/${id}`)).status).toBe(204)
    expect((await readPot(round)).rows[1]).toMatchObject({ override: null, delivery: null })
    expect((await deliver(round, 1)).codes).toEqual(['not-a-choice'])
  })
})
