import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import { budgetOptions, budgetRounds } from '#app/server/db/schema/budgets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addRound, VOTING_OPENS } from '#tests/factories/budgets.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { getBallot } from './budget-views.server.ts'

const NOON = new Date(VOTING_OPENS.getTime() + 86_400_000)
/** West and east of a site of two wards, which share the meridian -74.7. */
const WEST = [-74.75, 45.05] as const
const EAST = [-74.65, 45.05] as const

let runtime: TestRuntime
let site: Site
let officer: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  officer = await addPerson(runtime, site, { role: 'site_admin' })
  await addAreas(runtime, site, [
    { name: 'Elm', west: -74.8, south: 45, side: 0.1 },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1 },
  ])
})
beforeEach(() => runtime.setNow(NOON))

type Round = Awaited<ReturnType<typeof addRound>>
const place = (round: Round, number: number, [lng, lat]: readonly [number, number]) =>
  runtime.database.site(site.id).tx((tx) =>
    tx
      .update(budgetOptions)
      .set({ lng, lat, place: `Place ${number}` })
      .where(and(eq(budgetOptions.roundId, round.id), eq(budgetOptions.number, number))),
  )
const readMap = async (round: Round, bbox?: string, of: Site = site) => {
  const address = { project: round.projectSlug, round: round.slug }
  const asked = { order: 'drawn', bbox, readChoice: () => undefined, readInvitation: () => undefined } as const
  return (await getBallot(createCtx(runtime, of), address, asked)).map
}
const addOptions = (count: number) => addRound(runtime, site, [{ amount: 5_000_000, costs: Array.from({ length: count }, () => 100_000) }])

describe('the map of a ballot', () => {
  test('shows the options that have a point by their numbers, and counts those that have none', async () => {
    const round = await addOptions(3)
    await place(round, 1, WEST)
    await place(round, 3, EAST)
    const map = await readMap(round)
    expect(map).toMatchObject({ placed: 2, unplaced: 1, bubbles: [], isNarrowed: false })
    expect(map?.pins.map(({ number, title, place: words, sign }) => [number, title, words, sign])).toEqual([
      [1, 'Option 1', 'Place 1', '1'],
      [3, 'Option 3', 'Place 3', '3'],
    ])
    const [west, east] = map?.pins.map(({ spot: [x] }) => x) ?? []
    expect(west).toBeLessThan(east ?? 0)
  })

  test('is not there without a point, nor on a site that has no map', async () => {
    expect(await readMap(await addOptions(2))).toBeNull()
    const bare = await addSite(runtime, { slug: 'bare' })
    const round = await addRound(runtime, bare, [{ amount: 5_000_000, costs: [100_000] }])
    await runtime.database
      .site(bare.id)
      .tx((tx) => tx.update(budgetOptions).set({ lng: WEST[0], lat: WEST[1] }).where(eq(budgetOptions.roundId, round.id)))
    expect(await readMap(round, undefined, bare)).toBeNull()
  })

  test('leads from a bubble to a closer look, and names the options at one and the same place', async () => {
    const round = await addOptions(4)
    await place(round, 1, WEST)
    await place(round, 2, [WEST[0] + 0.001, WEST[1]])
    await place(round, 3, EAST)
    await place(round, 4, EAST)
    const whole = await readMap(round)
    expect(whole?.pins).toEqual([])
    expect(whole?.bubbles.map(({ total, numbers }) => ({ total, numbers }))).toEqual(
      expect.arrayContaining([
        { total: 2, numbers: [] },
        { total: 2, numbers: [3, 4] },
      ]),
    )
    const closer = await readMap(round, whole?.bubbles.find(({ numbers }) => numbers.length === 0)?.box)
    expect(closer).toMatchObject({ isNarrowed: true, placed: 2, unplaced: 0, bubbles: [] })
    expect(closer?.pins.map(({ number }) => number)).toEqual([1, 2])
  })

  test('shows a point as soon as it is set, and the whole map for a part that is none', async () => {
    const round = await addOptions(2)
    await place(round, 1, WEST)
    expect(await readMap(round)).toMatchObject({ placed: 1 })
    await place(round, 2, EAST)
    expect(await readMap(round)).toMatchObject({ placed: 2 })
    expect(await readMap(round, 'nowhere')).toMatchObject({ placed: 2, isNarrowed: false })
  })
})

describe('the point of an option', () => {
  const api = () => createApiClient(runtime, site, officer.token)
  const createOption = (round: Round, attributes: object, contribution?: string) =>
    api().post(
      '/budget-options',
      buildResourceDocument(
        'budget-options',
        { titleTranslations: { en: 'A bench' }, ...attributes },
        {
          to: {
            round: { type: 'budget-rounds', id: round.id },
            pot: { type: 'budget-pots', id: round.pots[0]?.id ?? '' },
            ...(contribution && { contribution: { type: 'contributions', id: contribution } }),
          },
        },
      ),
    )
  const read = ({ body }: Awaited<ReturnType<typeof createOption>>) =>
    body?.data as { id: string; attributes: { point: unknown }; meta: { lockVersion: number } }

  test('is taken over from the contribution that it was made from, unless it says otherwise', async () => {
    const round = await addOptions(1)
    const activity = await addActivity(runtime, site, { kind: 'places' })
    const [lng, lat] = EAST
    const at = { activityId: activity.id, lng, lat, geometry: { type: 'Point' as const, coordinates: EAST } }
    const published = await addContribution(runtime, site, { ...at, number: 1 })
    const held = await addContribution(runtime, site, { ...at, number: 2, state: 'held' })
    expect(read(await createOption(round, {}, published.id)).attributes.point).toEqual({ lng, lat })
    expect(read(await createOption(round, { point: { lng: -74.75, lat: 45.01 } }, published.id)).attributes.point).toEqual({
      lng: -74.75,
      lat: 45.01,
    })
    expect(read(await createOption(round, { point: null }, published.id)).attributes.point).toBeNull()
    expect(read(await createOption(round, {}, held.id)).attributes.point).toBeNull()
    expect(read(await createOption(round, {})).attributes.point).toBeNull()
  })

  test('is on earth', async () => {
    const round = await addOptions(1)
    for (const point of [{ lng: 181, lat: 0 }, { lng: 0, lat: 90.5 }, { lng: 0 }, { lng: 'east', lat: 1 }])
      expect((await createOption(round, { point })).status).toBe(422)
  })

  test('is set and removed by staff until the first ballot, which fixes it', async () => {
    const round = await addOptions(1)
    const created = read(await createOption(round, { point: { lng: -74.75, lat: 45.01 } }))
    const change = (point: unknown, lockVersion: number) =>
      api().patch(`/budget-options/${created.id}`, buildResourceDocument('budget-options', { point }, { id: created.id, lockVersion }))
    const removed = await change(null, created.meta.lockVersion)
    expect(read(removed).attributes.point).toBeNull()
    const moved = await change({ lng: -74.65, lat: 45.02 }, read(removed).meta.lockVersion)
    expect(read(moved).attributes.point).toEqual({ lng: -74.65, lat: 45.02 })
    await runtime.database.site(site.id).tx((tx) => tx.update(budgetRounds).set({ hasBallots: true }).where(eq(budgetRounds.id, round.id)))
    const refused = await change(null, read(moved).meta.lockVersion)
    expect(refused.codes).toEqual(['fixed-once-open'])
    expect(JSON.stringify(refused.body)).toContain('/data/attributes/point')
  })
})
