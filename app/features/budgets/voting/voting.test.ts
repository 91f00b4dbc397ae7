import { createHash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appendLedgers } from '#app/features/ledger/append-ledgers.server.ts'
import { checkLedger } from '#app/features/ledger/check-ledger.ts'
import { findLedger, streamLedger } from '#app/features/ledger/ledger.server.ts'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { getAppRole, buildAppUrl } from '#app/server/connection-string.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { openDatabase } from '#app/server/db/client.ts'
import { budgetBallots, budgetOptions, budgetRounds, budgetSecrets, budgetVoters } from '#app/server/db/schema/budgets.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addCards, addRound, VOTING_CLOSES } from '#tests/factories/budgets.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, createTestRuntime, type TestRuntime, warmUpConnections } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { getBallotReceipt } from '../budget-views.server.ts'
import { GRACE_MS } from '../budgets.state.ts'
import { findBallotFaults, type Points, summarisePots } from './ballot-rules.ts'
import { castBallot } from './cast-ballot.server.ts'

const NOON = new Date('2026-03-02T12:34:56Z')

let runtime: TestRuntime
let site: Site
let admin: Person
let cards: Awaited<ReturnType<typeof addCards>>
let used = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  cards = await addCards(
    runtime,
    site,
    admin,
    Array.from({ length: 90 }, (_, at) => `RB 2030 ${4700 + at}`),
  )
})
beforeEach(() => runtime.setNow(NOON))

/** What the browser of somebody with a card of their own holds. */
const verifySomebody = () => cards.verify(`RB 2030 ${4700 + used++}`)
type Round = Awaited<ReturnType<typeof addRound>>
const addOnePot = (values: Parameters<typeof addRound>[3] = {}) =>
  addRound(runtime, site, [{ amount: 10_000, costs: [6000, 4000, 5000] }], values)

interface Casting {
  points?: Points
  secret?: string
  ctx?: Ctx
  seen?: number
  sending?: { id: string; sendKey: string }
  openedAt?: Date
}
const newSending = () => ({ id: v7({ msecs: runtime.now().getTime() }), sendKey: randomBytes(16).toString('base64url') })
const cast = (
  round: Round,
  options: number[],
  { secret, ctx = createCtx(runtime, site), seen = 0, sending = newSending(), openedAt, points }: Casting = {},
) =>
  castBallot(
    ctx,
    { project: round.projectSlug, round: round.slug },
    {
      ...sending,
      options,
      seen,
      openedAt,
      points,
      readInvitation: () => secret,
    },
  )
const codesOf = (work: Promise<unknown>) =>
  work.then(
    () => 'cast',
    (error: unknown) =>
      isAppError(error) ? (error.code === 'invalid' ? error.faults.map(({ code }) => code).join() : error.code) : String(error),
  )
const asPerson = async (person: Person) => {
  const { database } = runtime
  return createCtx(runtime, site, { viewer: await loadViewer({ db: database.site(site.id), database }, person.token, new Date()) })
}
const readBallots = (round: Round) =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(budgetBallots).where(eq(budgetBallots.roundId, round.id)))
const readVoters = (round: Round) =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(budgetVoters).where(eq(budgetVoters.roundId, round.id)))

describe('a ballot', () => {
  test('is cast by a library card, and stored with its hour only', async () => {
    const round = await addOnePot()
    const { code } = await cast(round, [2, 1], { secret: await verifySomebody() })
    expect(code).toMatch(/^[\dA-Z]{4}(-[\dA-Z]{4}){3}$/)
    const [ballot, ...others] = await readBallots(round)
    expect(others).toEqual([])
    expect(ballot).toMatchObject({ options: [1, 2], version: 1, castAt: new Date('2026-03-02T12:00:00Z') })
    expect(await readVoters(round)).toHaveLength(1)
  })

  test('is refused without a card, and to another site’s', async () => {
    const round = await addOnePot()
    expect(await codesOf(cast(round, [1]))).toBe('verification-needed')
    expect(await codesOf(cast(round, [1], { secret: 'something else' }))).toBe('verification-needed')
    const other = await addSite(runtime, { slug: 'harbour' })
    expect(await codesOf(cast(round, [1], { ctx: createCtx(runtime, other), secret: await verifySomebody() }))).toBe('not-found')
  })

  test('of a round for accounts needs one with a confirmed address', async () => {
    const round = await addOnePot({ access: 'confirmed' })
    expect(await codesOf(cast(round, [1]))).toBe('unauthenticated')
    const unconfirmed = await addPerson(runtime, site, { confirmed: false })
    expect(await codesOf(cast(round, [1], { ctx: await asPerson(unconfirmed) }))).toBe('confirm-to-take-part')
    const person = await addPerson(runtime, site)
    expect(await codesOf(cast(round, [1], { ctx: await asPerson(person) }))).toBe('cast')
    const ofThePlatform = await addPerson(runtime, site, { role: 'platform_admin' })
    expect(await codesOf(cast(round, [1], { ctx: await asPerson(ofThePlatform) }))).toBe('forbidden')
    expect(JSON.stringify(await readOwnData(await asPerson(person)))).toContain(round.id)
  })

  test('is refused with each fault named, and nothing of it is stored', async () => {
    const round = await addRound(
      runtime,
      site,
      [
        { amount: 10_000, costs: [6000, 5000] },
        { amount: 5000, costs: [1000] },
      ],
      { maxPots: 1, minOptions: 1, maxOptions: 2 },
    )
    const secret = await verifySomebody()
    const tryOut = (options: number[]) => codesOf(cast(round, options, { secret }))
    expect(await tryOut([])).toBe('too-few')
    expect(await tryOut([1, 2])).toBe('over-the-pot')
    expect(await tryOut([1, 3])).toBe('too-many-pots')
    expect(await tryOut([3, 3])).toBe('option-twice')
    expect(await tryOut([9])).toBe('option-gone')
    expect(await tryOut([1, 2, 3])).toBe('too-many,too-many-pots,over-the-pot')
    expect(await readVoters(round)).toEqual([])
    expect(await readBallots(round)).toEqual([])
  })

  test('may cost more than the pot where only the number of options is limited', async () => {
    const round = await addOnePot({ ballotType: 'approve', maxOptions: 2 })
    const secret = await verifySomebody()
    expect(await codesOf(cast(round, [1, 2, 3], { secret }))).toBe('too-many')
    expect(await codesOf(cast(round, [1, 3], { secret }))).toBe('cast')
  })

  test('cannot name an option that was withdrawn', async () => {
    const round = await addOnePot()
    await runtime.database.site(site.id).tx((tx) =>
      tx
        .update(budgetOptions)
        .set({ withdrawnAt: NOON, withdrawnReason: { en: 'The ground is polluted' } })
        .where(eq(budgetOptions.id, round.options[0]?.id ?? '')),
    )
    expect(await codesOf(cast(round, [1], { secret: await verifySomebody() }))).toBe('option-gone')
  })
})

describe('voting', () => {
  test('opens and closes, and a ballot that was opened before has 15 minutes more', async () => {
    const round = await addOnePot()
    const secret = await verifySomebody()
    const at = (ms: number) => runtime.setNow(new Date(VOTING_CLOSES.getTime() + ms))
    runtime.setNow(new Date('2026-02-28T12:00:00Z'))
    expect(await codesOf(cast(round, [1], { secret }))).toBe('voting-not-open')
    at(0)
    expect(await codesOf(cast(round, [1], { secret }))).toBe('voting-closed')
    const before = new Date(VOTING_CLOSES.getTime() - 1)
    at(GRACE_MS - 1)
    expect(await codesOf(cast(round, [1], { secret, openedAt: before }))).toBe('cast')
    at(GRACE_MS)
    expect(await codesOf(cast(round, [2], { secret, openedAt: before, seen: 1 }))).toBe('voting-closed')
  })

  test('is for one ballot of each voter, which they may replace', async () => {
    const round = await addOnePot()
    const secret = await verifySomebody()
    await cast(round, [1], { secret })
    const second = await cast(round, [2, 3], { secret, seen: 1 })
    expect(second.isReplaced).toBe(true)
    expect(await readBallots(round)).toMatchObject([{ options: [2, 3], version: 2 }])
    expect(await readVoters(round)).toHaveLength(1)
    // In another browser, the same card is the same voter.
    const other = await cards.verify(`RB 2030 ${4700 + used - 1}`)
    expect(await codesOf(cast(round, [1], { secret: other }))).toBe('voted-elsewhere')
    expect(await codesOf(cast(round, [1], { secret: other, seen: 2 }))).toBe('cast')
  })

  test('counts the same sending once, with the same receipt', async () => {
    const round = await addOnePot()
    const secret = await verifySomebody()
    const sending = newSending()
    const [one, two] = [await cast(round, [1], { secret, sending }), await cast(round, [1], { secret, sending })]
    expect(two.code).toBe(one.code)
    expect(await readBallots(round)).toMatchObject([{ version: 1 }])
  })

  test('in two tabs at once casts one ballot and tells the other', async () => {
    await warmUpConnections(runtime)
    const round = await addOnePot()
    const secret = await verifySomebody()
    const outcomes = await Promise.all([1, 2, 3].map((option) => codesOf(cast(round, [option], { secret }))))
    expect(outcomes.toSorted()).toEqual(['cast', 'voted-elsewhere', 'voted-elsewhere'])
    expect(await readBallots(round)).toHaveLength(1)
    expect(await readVoters(round)).toHaveLength(1)
  })

  test('is for one ballot of an account, also if it comes with two cards at once', async () => {
    const round = await addOnePot()
    const ctx = await asPerson(await addPerson(runtime, site))
    const secrets = [await verifySomebody(), await verifySomebody()]
    const castBoth = secrets.map((secret) => codesOf(cast(round, [1], { secret, ctx })))
    // Its key is that of the first card, which the second one does not know.
    expect((await Promise.all(castBoth)).toSorted()).toEqual(['ballot-not-replaceable', 'cast'])
    expect(await readBallots(round)).toHaveLength(1)
    expect((await readVoters(round)).filter(({ isCounted }) => isCounted)).toHaveLength(1)
  })

  test('in two processes at once counts each voter once, and as many ballots as voters', async () => {
    const round = await addOnePot()
    const another = openDatabase(buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley')), { max: 8 })
    const elsewhere = createCtx({ ...runtime, database: another }, site)
    const secrets = await Promise.all(Array.from({ length: 10 }, verifySomebody))
    const work = secrets.flatMap((secret) => [cast(round, [1], { secret }), cast(round, [2], { secret, ctx: elsewhere })])
    const outcomes = await Promise.all(work.map(codesOf))
    await another.close()
    expect(outcomes.filter((outcome) => outcome === 'cast')).toHaveLength(10)
    expect(await readBallots(round)).toHaveLength(10)
    expect((await readVoters(round)).filter(({ isCounted }) => isCounted)).toHaveLength(10)
  })

  test('stores what arrives together as if one had come after the other, and each has its own answer', async () => {
    const [round, another, withoutBallots] = [await addOnePot(), await addOnePot(), await addOnePot()]
    const [early, unsure, dear, elsewhere, refused] = await Promise.all(Array.from({ length: 5 }, verifySomebody))
    const sending = newSending()
    const first = await cast(round, [1], { secret: early })
    const outcomes = await Promise.all([
      codesOf(cast(round, [2], { secret: early, seen: 1 })),
      codesOf(cast(round, [1], { secret: unsure, sending })),
      codesOf(cast(round, [1, 2, 3], { secret: dear })),
      codesOf(cast(another, [3], { secret: elsewhere })),
      codesOf(cast(round, [1], { secret: unsure, sending })),
      codesOf(cast(round, [3], { secret: unsure })),
      codesOf(cast(round, [3])),
      codesOf(cast(withoutBallots, [9], { secret: refused })),
    ])
    expect(outcomes).toEqual(['cast', 'cast', 'over-the-pot', 'cast', 'cast', 'voted-elsewhere', 'verification-needed', 'option-gone'])
    const stored = await readBallots(round)
    expect(stored.map(({ options, version }) => `${options.join()} v${version}`).toSorted()).toEqual(['1 v1', '2 v2'])
    expect(await readVoters(round)).toHaveLength(2)
    expect(await readBallots(another)).toMatchObject([{ options: [3] }])
    expect(first.isReplaced).toBe(false)
    // What was refused fixes nothing.
    const [free] = await runtime.database
      .site(site.id)
      .tx((tx) => tx.select({ hasBallots: budgetRounds.hasBallots }).from(budgetRounds).where(eq(budgetRounds.id, withoutBallots.id)))
    expect(free).toEqual({ hasBallots: false })
  })

  test('after the secret was lost replaces no ballot, and doubles none', async () => {
    const round = await addOnePot()
    const secret = await verifySomebody()
    await cast(round, [1], { secret })
    await runtime.database.site(site.id).tx((tx) => tx.delete(budgetSecrets).where(eq(budgetSecrets.roundId, round.id)))
    expect(await codesOf(cast(round, [2], { secret, seen: 1 }))).toBe('ballot-not-replaceable')
    expect(await codesOf(cast(round, [2], { secret: await verifySomebody() }))).toBe('cast')
    expect(await readBallots(round)).toHaveLength(2)
  })
})

describe('a ballot with points', () => {
  const addPoints = () => addOnePot({ ballotType: 'points', maxPoints: 10 })

  test('is stored with the points of each option', async () => {
    const round = await addPoints()
    await cast(round, [3, 1], { secret: await verifySomebody(), points: { 1: 7, 3: 3 } })
    expect(await readBallots(round)).toMatchObject([{ options: [1, 3], points: [7, 3] }])
  })

  test('is refused over the limit, or with an option that has none', async () => {
    const round = await addPoints()
    const secret = await verifySomebody()
    expect(await codesOf(cast(round, [1, 2], { secret, points: { 1: 7, 2: 4 } }))).toBe('over-the-points')
    expect(await codesOf(cast(round, [1, 2], { secret, points: { 1: 7 } }))).toBe('points-missing')
    expect(await codesOf(cast(round, [1], { secret }))).toBe('points-missing')
    expect(await codesOf(cast(round, [], { secret, points: {} }))).toBe('too-few')
    expect(await readBallots(round)).toEqual([])
    expect(await codesOf(cast(round, [1, 2], { secret, points: { 1: 7, 2: 3 } }))).toBe('cast')
  })

  test('is what the account that cast it reads through the API', async () => {
    const round = await addOnePot({ ballotType: 'points', maxPoints: 10, access: 'confirmed' })
    const api = createApiClient(runtime, site, (await addPerson(runtime, site)).token)
    const { id, sendKey } = newSending()
    const to = { round: { type: 'budget-rounds', id: round.id } }
    const post = (points: number[]) =>
      api.post(
        '/budget-ballots',
        buildResourceDocument('budget-ballots', { options: [1, 2], points, seen: 0, sendingId: id, sendKey }, { to }),
      )
    expect((await post([7, 4])).codes).toEqual(['over-the-points'])
    expect((await post([7])).codes).toEqual(['points-missing'])
    expect((await post([7, 3])).body?.data).toMatchObject({ attributes: { options: [1, 2], points: [7, 3] } })
  })

  test('needs a round that says how many there are, which is fixed by the first ballot', async () => {
    const round = await addOnePot()
    const api = createApiClient(runtime, site, admin.token)
    const patch = (attributes: Record<string, unknown>) =>
      api.patch(`/budget-rounds/${round.id}`, buildResourceDocument('budget-rounds', attributes, { id: round.id, lockVersion: 1 }))
    expect((await patch({ ballotType: 'points' })).codes).toEqual(['required'])
    expect((await patch({ ballotType: 'points', maxPoints: 10 })).status).toBe(200)
    await cast(round, [1], { secret: await verifySomebody(), points: { 1: 10 } })
    const again = buildResourceDocument('budget-rounds', { maxPoints: 12 }, { id: round.id, lockVersion: 2 })
    expect((await api.patch(`/budget-rounds/${round.id}`, again)).codes).toEqual(['fixed-once-open'])
  })
})

describe('the ledger', () => {
  const HOUR = 3_600_000
  const readLedger = async (round: Round) => {
    const db = runtime.database.site(site.id)
    const ledger = await db.tx((tx) => findLedger(tx, 'round', site.id, round.id))
    if (!ledger) return undefined
    let text = ''
    for await (const piece of streamLedger(db, ledger)) text += piece
    return checkLedger(text)
  }
  const readReceipt = async (round: Round, code: string) =>
    (await getBallotReceipt(createCtx(runtime, site), { project: round.projectSlug, round: round.slug }, code)).receipt?.proof

  test('gets one entry for each ballot once its hour is over, and the receipt proves it', async () => {
    const round = await addOnePot()
    expect(await readLedger(round)).toBeUndefined()
    const { code } = await cast(round, [2, 1], { secret: await verifySomebody() })
    await cast(round, [2], { secret: await verifySomebody() })
    runtime.setNow(new Date('2026-03-02T12:59:59Z'))
    await appendLedgers(runtime)
    expect(await readLedger(round)).toMatchObject({ entries: 0 })
    expect(await readReceipt(round, code)).toMatchObject({ entry: null, entries: 0 })
    runtime.setNow(new Date('2026-03-02T13:00:00Z'))
    await appendLedgers(runtime)
    const checked = await readLedger(round)
    expect(checked).toMatchObject({ faults: [], entries: 2, standing: 2 })
    const proof = await readReceipt(round, code)
    expect(proof).toMatchObject({ entries: 2, head: checked?.head, entry: { number: expect.any(Number) as number } })
    expect(proof?.leaf).toBe(createHash('sha256').update(`${proof?.salt}1,2`).digest('hex'))
  })

  test('marks a ballot that was replaced, and keeps its entry', async () => {
    const round = await addOnePot()
    const secret = await verifySomebody()
    const first = await cast(round, [1], { secret })
    await cast(round, [2], { secret, seen: 1 })
    runtime.setNow(new Date(NOON.getTime() + HOUR))
    await appendLedgers(runtime)
    expect(await readLedger(round)).toMatchObject({ faults: [], entries: 3, standing: 1, marks: 1 })
    const third = await cast(round, [3], { secret, seen: 2 })
    runtime.setNow(new Date(NOON.getTime() + 2 * HOUR))
    await appendLedgers(runtime)
    expect(await readLedger(round)).toMatchObject({ faults: [], entries: 5, standing: 1, marks: 2 })
    expect((await readReceipt(round, third.code))?.entry).not.toBeNull()
    expect(await readReceipt(round, first.code)).toBeUndefined()
  })

  test('counts a ballot that was sent twice once, and one that was refused not at all', async () => {
    const round = await addOnePot()
    const secret = await verifySomebody()
    const sending = newSending()
    await cast(round, [1], { secret, sending })
    await cast(round, [1], { secret, sending })
    expect(await codesOf(cast(round, [2], { secret }))).toBe('voted-elsewhere')
    runtime.setNow(new Date(NOON.getTime() + HOUR))
    await appendLedgers(runtime)
    expect(await readLedger(round)).toMatchObject({ faults: [], entries: 1, standing: 1 })
  })

  test('has points in its hashes', async () => {
    const round = await addOnePot({ ballotType: 'points', maxPoints: 10 })
    const { code } = await cast(round, [1, 3], { secret: await verifySomebody(), points: { 1: 7, 3: 3 } })
    runtime.setNow(new Date(NOON.getTime() + HOUR))
    await appendLedgers(runtime)
    const proof = await readReceipt(round, code)
    expect(proof?.leaf).toBe(createHash('sha256').update(`${proof?.salt}1:7,3:3`).digest('hex'))
    expect(proof?.entry).not.toBeNull()
  })
})

describe('from the first ballot on', () => {
  test('what ballots rest on is fixed in the database', async () => {
    const round = await addOnePot()
    const change = (work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) => runtime.database.site(site.id).tx(work)
    const option = eq(budgetOptions.id, round.options[0]?.id ?? '')
    await change((tx) => tx.update(budgetOptions).set({ cost: 5500 }).where(option))
    await cast(round, [1], { secret: await verifySomebody() })
    await expect(change((tx) => tx.update(budgetOptions).set({ cost: 100 }).where(option))).rejects.toThrow()
    await expect(change((tx) => tx.update(budgetRounds).set({ rule: 'greedy' }).where(eq(budgetRounds.id, round.id)))).rejects.toThrow()
    await change((tx) =>
      tx
        .update(budgetRounds)
        .set({ intro: { en: 'Vote now' } })
        .where(eq(budgetRounds.id, round.id)),
    )
  })

  test('an administrator is told so, and withdraws an option only with a reason', async () => {
    const round = await addOnePot()
    await cast(round, [1], { secret: await verifySomebody() })
    const api = createApiClient(runtime, site, admin.token)
    const patch = (type: string, id: string, attributes: Record<string, unknown>) =>
      api.patch(`/${type}/${id}`, buildResourceDocument(type, attributes, { id, lockVersion: 1 }))
    const [option, pot] = [round.options[0]?.id ?? '', round.pots[0]?.id ?? '']
    for (const [type, id, attributes] of [
      ['budget-options', option, { cost: 100 }],
      ['budget-options', option, { titleTranslations: inAllLanguages('Other') }],
      ['budget-pots', pot, { amount: 20_000 }],
      ['budget-rounds', round.id, { ballotType: 'approve' }],
      ['budget-rounds', round.id, { rule: 'greedy' }],
      ['budget-rounds', round.id, { maxOptions: 2 }],
    ] as const)
      expect((await patch(type, id, attributes)).codes, type).toEqual(['fixed-once-open'])
    expect((await api.delete(`/budget-options/${option}`)).codes).toEqual(['in-use'])
    expect((await patch('budget-options', option, { withdrawn: true })).codes).toEqual(['required'])
    expect(
      (await patch('budget-options', option, { withdrawn: true, withdrawnReasonTranslations: { en: 'Polluted ground' } })).status,
    ).toBe(200)
  })
})

test('what to take out follows from the sums of each pot', () => {
  const pots = [{ id: 'a', amount: 100 }]
  const options = [60, 50, 40].map((cost, at) => ({ number: at + 1, potId: 'a', cost, isWithdrawn: false }))
  expect(summarisePots(pots, options, [1, 2])).toEqual([{ potId: 'a', amount: 100, chosen: [1, 2], cost: 110, left: -10 }])
  const rules = { ballotType: 'knapsack', minOptions: 1, maxOptions: null, maxPots: null, maxPoints: null } as const
  expect(findBallotFaults(rules, pots, options, [1, 2])).toEqual([{ code: 'over-the-pot', potId: 'a', over: 10 }])
  expect(findBallotFaults(rules, pots, options, [1, 3])).toEqual([])
})
