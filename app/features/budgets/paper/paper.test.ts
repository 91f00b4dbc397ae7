import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appendLedgers } from '#app/features/ledger/append-ledgers.server.ts'
import { checkLedger } from '#app/features/ledger/check-ledger.ts'
import { findLedger, streamLedger } from '#app/features/ledger/ledger.server.ts'
import { verifyByCode } from '#app/features/verifications/verify-by-code.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { budgetBallots, budgetPaperSheets, budgetPaperTypings, budgetVoters } from '#app/server/db/schema/budgets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addCards, addRound, VOTING_CLOSES } from '#tests/factories/budgets.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { getBudgetResults } from '../budget-views.server.ts'
import { GRACE_MS } from '../budgets.state.ts'
import { serveResultsCsv } from '../result-files.server.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { castBallot } from '../voting/cast-ballot.server.ts'
import { deriveSheetCode } from './paper-codes.server.ts'
import { serveSheets } from './print-sheets.server.ts'

const NOON = new Date('2026-03-02T12:34:56Z')
const AFTERWARDS = new Date(VOTING_CLOSES.getTime() + GRACE_MS)

let runtime: TestRuntime
let site: Site
let ann: Person
let bob: Person
let cards: Awaited<ReturnType<typeof addCards>>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  ann = await addPerson(runtime, site, { role: 'site_admin' })
  bob = await addPerson(runtime, site, { role: 'site_admin' })
  cards = await addCards(
    runtime,
    site,
    ann,
    Array.from({ length: 30 }, (_, at) => `RB 2030 ${4700 + at}`),
  )
})
beforeEach(() => runtime.setNow(NOON))

type Round = Awaited<ReturnType<typeof addRound>>
type Document = { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
const dataOf = ({ body }: ApiAnswer) => body?.data as Document
const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const ctxOf = async (person?: Person) => {
  const { database } = runtime
  const viewer = person && (await loadViewer({ db: database.site(site.id), database }, person.token, new Date()))
  return createCtx(runtime, site, viewer ? { viewer } : {})
}
const addPaperRound = (values: Parameters<typeof addRound>[3] = {}) =>
  addRound(runtime, site, [{ amount: 10_000, costs: [6000, 5000, 4000] }], { paper: 'sheets', ...values })
const toBatch = (id: string) => ({ batch: { type: 'budget-paper-batches', id } })
const createBatch = (round: Round, sheets = 3, person = ann) =>
  api(person).post(
    '/budget-paper-batches',
    buildResourceDocument(
      'budget-paper-batches',
      { name: 'Central library', sheets },
      { to: { round: { type: 'budget-rounds', id: round.id } } },
    ),
  )
const addBatch = async (round: Round, sheets = 3) => dataOf(await createBatch(round, sheets)).id
const codeOf = (batch: string, number: number) => deriveSheetCode(createCtx(runtime, site), batch, number)
const type = (person: Person, batch: string, number: number | string, attributes: Record<string, unknown>) =>
  api(person).post(
    '/budget-paper-typings',
    buildResourceDocument(
      'budget-paper-typings',
      { code: typeof number === 'string' ? number : codeOf(batch, number), options: [], ...attributes },
      { to: toBatch(batch) },
    ),
  )
const typeTwice = async (batch: string, number: number, attributes: Record<string, unknown>) => {
  await type(ann, batch, number, attributes)
  return dataOf(await type(bob, batch, number, attributes)).attributes
}
const readBatch = async (id: string) => dataOf(await api(ann).get(`/budget-paper-batches/${id}`))
const change = async (id: string, attributes: Record<string, unknown>, person = ann) => {
  const { lockVersion } = (await readBatch(id)).meta
  return api(person).patch(`/budget-paper-batches/${id}`, buildResourceDocument('budget-paper-batches', attributes, { id, lockVersion }))
}
const accept = (id: string, stated: number) => change(id, { stated, state: 'accepted' })
const listSheets = async (batch: string, person = ann) =>
  (await api(person).get(`/budget-paper-sheets?filter[batch]=${batch}`)).body?.data as Document[]
const settle = (sheet: string, attributes: Record<string, unknown>) =>
  api(bob).patch(`/budget-paper-sheets/${sheet}`, buildResourceDocument('budget-paper-sheets', attributes, { id: sheet }))
const readBallots = (round: Round) =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(budgetBallots).where(eq(budgetBallots.roundId, round.id)))
const readVoters = (round: Round) =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(budgetVoters).where(eq(budgetVoters.roundId, round.id)))
const count = (round: Round, person = ann) =>
  api(person).post(
    '/budget-results',
    buildResourceDocument('budget-results', {}, { to: { round: { type: 'budget-rounds', id: round.id } } }),
  )
const certify = (answer: ApiAnswer, person = bob) => {
  const { id } = dataOf(answer)
  return api(person).patch(`/budget-results/${id}`, buildResourceDocument('budget-results', { state: 'certified' }, { id }))
}
let used = 0
async function castVote(round: Round, options: number[], secret?: string) {
  const held = secret ?? (await cards.verify(`RB 2030 ${4700 + used++}`))
  const ctx = createCtx(runtime, site)
  return castBallot(
    ctx,
    { project: round.projectSlug, round: round.slug },
    {
      id: v7({ msecs: NOON.getTime() }),
      sendKey: randomBytes(16).toString('base64url'),
      options,
      seen: 0,
      readInvitation: () => held,
    },
  )
}

describe('a batch of sheets', () => {
  test('is made for rounds that allow paper, and fixes what is printed on its sheets', async () => {
    const without = await addRound(runtime, site, [{ amount: 100, costs: [50] }])
    expect((await createBatch(without)).codes).toEqual(['paper-not-allowed'])
    const draft = await addPaperRound({ status: 'draft' })
    expect((await createBatch(draft)).codes).toEqual(['voting-not-open'])
    const round = await addPaperRound()
    expect(await readBatch(await addBatch(round))).toMatchObject({
      attributes: { number: 1, sheets: 3, stated: null, state: 'open', returned: 0, counted: 0 },
    })
    expect(await readBatch(await addBatch(round))).toMatchObject({ attributes: { number: 2 } })
    const option = round.options[0]?.id ?? ''
    const dearer = buildResourceDocument('budget-options', { cost: 5 }, { id: option, lockVersion: 1 })
    expect((await api(ann).patch(`/budget-options/${option}`, dearer)).codes).toEqual(['fixed-once-open'])
    const off = buildResourceDocument('budget-rounds', { paper: 'none' }, { id: round.id, lockVersion: 1 })
    expect((await api(ann).patch(`/budget-rounds/${round.id}`, off)).codes).toEqual(['fixed-once-open'])
  })

  test('is known to administrators of its project only', async () => {
    const round = await addPaperRound()
    const batch = await addBatch(round)
    const [sheet] = await listSheets(batch)
    for (const person of [undefined, await addPerson(runtime, site)]) {
      expect((await api(person).get(`/budget-paper-batches/${batch}`)).status).toBe(404)
      expect((await api(person).get(`/budget-paper-sheets/${sheet?.id}`)).status).toBe(404)
      expect((await api(person).get(`/budget-paper-batches?filter[round]=${round.id}`)).body?.data).toEqual([])
    }
    expect((await createBatch(round, 3, await addPerson(runtime, site))).status).toBe(403)
  })

  test('gets numbers of its own, also if several are made at once', async () => {
    const round = await addPaperRound()
    await Promise.all([1, 2, 3, 4].map(() => addBatch(round, 1)))
    const { body } = await api(ann).get(`/budget-paper-batches?filter[round]=${round.id}`)
    expect(((body?.data ?? []) as Document[]).map(({ attributes }) => attributes['number'])).toEqual([1, 2, 3, 4])
  })

  test('is printed in each language of the site, with the codes that are typed later', async () => {
    const round = await addPaperRound()
    const batch = await addBatch(round, 2)
    const print = async (person: Person | undefined, language: string) =>
      serveSheets({ context: { ctx: await ctxOf(person) } as never, params: { id: '', round: round.id, batch, language } })
    const answer = await print(ann, 'en')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    expect((await print(ann, 'de')).status).toBe(404)
    expect((await print(undefined, 'en')).status).toBe(401)
    expect((await print(await addPerson(runtime, site), 'en')).status).toBe(404)
    const printed = await runtime.database
      .site(site.id)
      .tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'budgets.print-sheets')))
    expect(printed).toHaveLength(1)
  })

  test('is deleted while it is open: its codes are worth nothing then', async () => {
    const batch = await addBatch(await addPaperRound())
    await type(ann, batch, 1, { options: [1] })
    expect((await api(ann).delete(`/budget-paper-batches/${batch}`)).status).toBe(204)
    expect((await type(bob, batch, 1, { options: [1] })).status).toBe(404)
  })
})

describe('a sheet', () => {
  test('is typed by two people, and the second does not see what the first typed', async () => {
    const batch = await addBatch(await addPaperRound())
    expect(dataOf(await type(ann, batch, 1, { options: [1] }))).toMatchObject({ attributes: { number: 1, state: 'typed_once' } })
    for (const person of [ann, bob]) {
      const [first] = await listSheets(batch, person)
      expect(first?.attributes).toEqual({ number: 1, state: 'typed_once' })
    }
    expect((await type(ann, batch, 1, { options: [1] })).codes).toEqual(['typed-by-you'])
    expect(dataOf(await type(bob, batch, 1, { options: [1] }))).toMatchObject({ attributes: { number: 1, state: 'agreed' } })
    const third = await addPerson(runtime, site, { role: 'site_admin' })
    expect((await type(third, batch, 1, { options: [1] })).codes).toEqual(['sheet-typed'])
    expect((await readBatch(batch)).attributes).toMatchObject({ returned: 1, typedOnce: 0, differing: 0 })
  })

  test('typed by two people at once is typed by two, not once', async () => {
    const batch = await addBatch(await addPaperRound())
    const work = [ann, bob, ann, bob].map((person) => type(person, batch, 1, { options: [1] }))
    const states = (await Promise.all(work)).map((answer) => answer.codes?.[0] ?? dataOf(answer).attributes['state'])
    expect(states.filter((state) => state === 'typed_once')).toHaveLength(1)
    expect(states.filter((state) => state === 'agreed')).toHaveLength(1)
    const rows = await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx
          .select({ turn: budgetPaperTypings.turn, by: budgetPaperTypings.typedBy })
          .from(budgetPaperTypings)
          .innerJoin(budgetPaperSheets, eq(budgetPaperSheets.id, budgetPaperTypings.sheetId))
          .where(eq(budgetPaperSheets.batchId, batch)),
      )
    expect(rows.map(({ turn }) => turn).toSorted()).toEqual([1, 2])
    expect(new Set(rows.map(({ by }) => by)).size).toBe(2)
  })

  test('needs a code of the batch, and marks that a ballot could have', async () => {
    const round = await addPaperRound()
    const [batch, other] = [await addBatch(round), await addBatch(round)]
    expect((await type(ann, batch, 'AAAA-BBBB-CCCC-DDDD', { options: [1] })).codes).toEqual(['sheet-unknown'])
    expect((await type(ann, batch, codeOf(other, 1), { options: [1] })).codes).toEqual(['sheet-unknown'])
    expect((await type(ann, batch, 'tea', { options: [1] })).codes).toEqual(['sheet-unknown'])
    expect((await type(ann, batch, 1, { options: [1, 2] })).codes).toEqual(['over-the-pot'])
    expect((await type(ann, batch, 1, { options: [] })).codes).toEqual(['too-few'])
    expect((await type(ann, batch, 1, { options: [9] })).codes).toEqual(['option-gone'])
    expect((await readBatch(batch)).attributes).toMatchObject({ returned: 0 })
    const lower = codeOf(batch, 1).toLowerCase().replaceAll('-', ' ')
    expect(dataOf(await type(ann, batch, lower, { options: [1] })).attributes['state']).toBe('typed_once')
  })

  test('that is typed differently shows both readings, and is settled once', async () => {
    const batch = await addBatch(await addPaperRound())
    await type(ann, batch, 2, { options: [1] })
    expect(dataOf(await type(bob, batch, 2, { options: [3] })).attributes['state']).toBe('differs')
    const sheet = (await listSheets(batch))[1]
    expect(sheet?.attributes).toMatchObject({
      state: 'differs',
      readings: [
        { options: [1], points: null, spoiltReason: null },
        { options: [3], points: null, spoiltReason: null },
      ],
    })
    const id = sheet?.id ?? ''
    expect((await settle(id, { options: [1, 2] })).codes).toEqual(['over-the-pot'])
    expect((await settle(id, { options: [3] })).status).toBe(200)
    expect((await listSheets(batch))[1]?.attributes).toEqual({ number: 2, state: 'agreed' })
    expect((await settle(id, { options: [1] })).codes).toEqual(['conflict'])
  })

  test('is spoilt with a reason, if both say so or it is settled so', async () => {
    const batch = await addBatch(await addPaperRound())
    expect((await type(ann, batch, 1, { spoiltReason: ' ' })).codes).toEqual(['required'])
    expect(await typeTwice(batch, 1, { spoiltReason: 'Everything is ticked' })).toMatchObject({ state: 'spoilt' })
    await type(ann, batch, 2, { options: [1] })
    expect(dataOf(await type(bob, batch, 2, { spoiltReason: 'Torn' })).attributes['state']).toBe('differs')
    expect((await settle((await listSheets(batch))[1]?.id ?? '', { spoiltReason: 'Torn' })).status).toBe(200)
    expect((await readBatch(batch)).attributes).toMatchObject({ returned: 2, spoilt: 2, differing: 0 })
  })

  test('with points is typed with the points of each option', async () => {
    const batch = await addBatch(await addPaperRound({ ballotType: 'points', maxPoints: 10 }))
    expect((await type(ann, batch, 1, { options: [1, 2], points: [7, 4] })).codes).toEqual(['over-the-points'])
    await type(ann, batch, 1, { options: [2, 1], points: [3, 7] })
    expect(dataOf(await type(bob, batch, 1, { options: [1, 2], points: [7, 3] })).attributes['state']).toBe('agreed')
    await type(ann, batch, 2, { options: [1], points: [7] })
    expect(dataOf(await type(bob, batch, 2, { options: [1], points: [6] })).attributes['state']).toBe('differs')
  })
})

describe('an accepted batch', () => {
  test('needs every sheet typed twice, and the stated total', async () => {
    const batch = await addBatch(await addPaperRound())
    await typeTwice(batch, 1, { options: [1] })
    await type(ann, batch, 2, { options: [1] })
    expect((await accept(batch, 2)).codes).toEqual(['paper-unfinished'])
    await type(bob, batch, 2, { options: [2] })
    expect((await accept(batch, 2)).codes).toEqual(['paper-unfinished'])
    await settle((await listSheets(batch))[1]?.id ?? '', { options: [2] })
    expect((await change(batch, { state: 'accepted' })).codes).toEqual(['required'])
    expect((await accept(batch, 3)).codes).toEqual(['paper-total-differs'])
    expect((await accept(batch, 2)).status).toBe(200)
    expect((await accept(batch, 2)).codes).toEqual(['conflict'])
    expect((await type(ann, batch, 3, { options: [1] })).codes).toEqual(['conflict'])
    expect((await api(ann).delete(`/budget-paper-batches/${batch}`)).codes).toEqual(['conflict'])
  })

  test('is counted with the others, each code once, and nothing leads from a sheet to its ballot', async () => {
    const round = await addPaperRound()
    await castVote(round, [1])
    const batch = await addBatch(round, 4)
    await typeTwice(batch, 1, { options: [1, 3] })
    await typeTwice(batch, 2, { options: [2] })
    await typeTwice(batch, 3, { spoiltReason: 'Empty' })
    expect((await accept(batch, 3)).status).toBe(200)
    expect((await readBatch(batch)).attributes).toMatchObject({ state: 'accepted', returned: 3, counted: 2, spoilt: 1, votedBefore: 0 })
    const ballots = await readBallots(round)
    expect(
      ballots
        .filter(({ isPaper }) => isPaper)
        .map(({ options }) => options.join())
        .toSorted(),
    ).toEqual(['1,3', '2'])
    for (const { ballotKey, castAt } of ballots.filter(({ isPaper }) => isPaper)) {
      expect(ballotKey).toBeNull()
      expect(castAt).toEqual(new Date('2026-03-02T12:00:00Z'))
    }
    expect((await readVoters(round)).filter(({ isCounted }) => isCounted)).toHaveLength(3)
    expect((await listSheets(batch)).map(({ attributes }) => attributes['state'])).toEqual(['counted', 'counted', 'spoilt', 'untyped'])
    // What was typed is gone, and no code is a ballot's receipt.
    const typings = await runtime.database.site(site.id).tx((tx) => tx.select().from(budgetPaperTypings))
    const sheets = (await listSheets(batch)).map(({ id }) => id)
    expect(typings.filter(({ sheetId }) => sheets.includes(sheetId))).toEqual([])
    const figures = dataOf(await api(ann).get(`/budget-rounds/${round.id}`)).attributes
    expect(figures).toMatchObject({ ballots: 3, paperBallots: 2, voters: 3 })
    runtime.setNow(new Date(NOON.getTime() + 3_600_000))
    await appendLedgers(runtime)
    const db = runtime.database.site(site.id)
    const ledger = await db.tx((tx) => findLedger(tx, 'round', site.id, round.id))
    let text = ''
    if (ledger) for await (const piece of streamLedger(db, ledger)) text += piece
    expect(await checkLedger(text)).toMatchObject({ faults: [], standing: 3 })
  })

  test('accepted by two people at once is counted once', async () => {
    const round = await addPaperRound()
    const batch = await addBatch(round)
    await typeTwice(batch, 1, { options: [1] })
    const codes = (await Promise.all([accept(batch, 1), accept(batch, 1), accept(batch, 1)])).map(({ status }) => status)
    expect(codes.filter((status) => status === 200)).toHaveLength(1)
    expect(await readBallots(round)).toHaveLength(1)
    expect(await readVoters(round)).toHaveLength(1)
  })

  test('has to be accepted before the count, and makes a count from before worthless', async () => {
    const round = await addPaperRound()
    await castVote(round, [1])
    const batch = await addBatch(round)
    await typeTwice(batch, 1, { options: [2] })
    runtime.setNow(AFTERWARDS)
    expect((await count(round)).codes).toEqual(['paper-open'])
    expect((await accept(batch, 1)).status).toBe(200)
    const counted = await count(round)
    expect(dataOf(counted).attributes).toMatchObject({ ballots: 2, paper: 1 })
    const late = await addBatch(round)
    expect((await certify(counted)).codes).toEqual(['paper-open'])
    await typeTwice(late, 1, { options: [2] })
    expect((await accept(late, 1)).status).toBe(200)
    expect((await certify(counted)).codes).toEqual(['stale'])
    const again = await count(round)
    expect(dataOf(again).attributes).toMatchObject({ ballots: 3, paper: 2, pots: [{ ballots: 3, paper: 2 }] })
    expect((await certify(again)).status).toBe(200)
    expect((await createBatch(round)).codes).toEqual(['already-certified'])
    expect((await readBallots(round)).filter(({ isPaper }) => isPaper)).toHaveLength(2)
    const ctx = createCtx(runtime, site)
    const view = await getBudgetResults(ctx, { project: round.projectSlug, round: round.slug }, { pot: 1 })
    expect(view.pot).toMatchObject({ ballots: 3, paper: 2 })
    const csv = await serveResultsCsv({ context: requestContext(ctx), params: { slug: round.projectSlug, round: round.slug } })
    const [, line] = (await csv.text()).split('\r\n')
    expect(line).toMatch(/^Pot 1,.*,3,2,,,$/)
  })
})

describe('codes in letters', () => {
  const verify = async (code: string) => {
    const { secret } = await verifyByCode(createCtx(runtime, site), { code, browserToken: issueToken(runtime, site) })
    return secret ?? ''
  }

  test('open the ballot online too, and count once in either way', async () => {
    const round = await addPaperRound({ paper: 'letters' })
    const batch = await addBatch(round)
    await castVote(round, [1], await verify(codeOf(batch, 1)))
    await typeTwice(batch, 1, { options: [2] })
    await typeTwice(batch, 2, { options: [3] })
    expect((await accept(batch, 2)).status).toBe(200)
    expect((await readBatch(batch)).attributes).toMatchObject({ counted: 1, votedBefore: 1 })
    expect((await readBallots(round)).map(({ options }) => options.join()).toSorted()).toEqual(['1', '3'])
    const late = await castVote(round, [1], await verify(codeOf(batch, 2))).catch((error: unknown) =>
      isAppError(error) ? error.code : error,
    )
    expect(late).toBe('ballot-not-replaceable')
    expect(await readBallots(round)).toHaveLength(2)
  })

  test('used online and on paper at once count once', async () => {
    const round = await addPaperRound({ paper: 'letters' })
    const batch = await addBatch(round, 5)
    const secrets = await Promise.all([1, 2, 3, 4, 5].map((number) => verify(codeOf(batch, number))))
    for (const number of [1, 2, 3, 4, 5]) await typeTwice(batch, number, { options: [2] })
    await Promise.all([accept(batch, 5), ...secrets.map((secret) => castVote(round, [1], secret).catch(() => undefined))])
    expect(await readBallots(round)).toHaveLength(5)
    expect((await readVoters(round)).filter(({ isCounted }) => isCounted)).toHaveLength(5)
    const { counted, votedBefore } = (await readBatch(batch)).attributes as Record<string, number>
    expect((counted ?? 0) + (votedBefore ?? 0)).toBe(5)
    expect((await readBallots(round)).filter(({ isPaper }) => isPaper)).toHaveLength(counted ?? -1)
  })

  test('are for verified people of no particular list, and for those who may make codes', async () => {
    const round = await addPaperRound({ paper: 'sheets' })
    const edit = (attributes: Record<string, unknown>) =>
      api(ann).patch(`/budget-rounds/${round.id}`, buildResourceDocument('budget-rounds', attributes, { id: round.id, lockVersion: 1 }))
    expect((await edit({ paper: 'letters', access: 'confirmed' })).codes).toEqual(['not-a-choice'])
    expect((await edit({ paper: 'letters', verification: { level: 'resident', list: cards.listId } })).codes).toEqual(['not-a-choice'])
    expect((await edit({ paper: 'letters' })).status).toBe(200)
    const projectAdmin = await addPerson(runtime, site, { role: 'project_admin', projectId: round.projectId })
    expect((await createBatch(round, 1, projectAdmin)).status).toBe(403)
  })

  test('end with their batch', async () => {
    const round = await addPaperRound({ paper: 'letters' })
    const batch = await addBatch(round)
    expect((await api(ann).delete(`/budget-paper-batches/${batch}`)).status).toBe(204)
    await expect(verify(codeOf(batch, 1))).rejects.toThrow()
  })
})
