import { gzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '#app/lib/random.ts'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { PublicReads } from '#app/server/public-reads.ts'
import type { Site } from '#app/server/site-directory.ts'
import { insertAll } from '#app/cli/demo/insert-rows.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import type { ContributionSearch } from '../record/contributions.schema.ts'
import { listContributions } from '../reading/views.server.ts'

let runtime: TestRuntime
let site: Site
let wards: Record<string, string>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  wards = await addAreas(runtime, site, [
    { name: 'Elm', west: -74.8, south: 45, side: 0.1 },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1 },
  ])
})

type Activity = Awaited<ReturnType<typeof addActivity>>
const as = (): Ctx => createCtx(runtime, site, { viewer: VISITOR, language: 'en', address: null })
const list = (activity: Activity, search: ContributionSearch = {}) =>
  listContributions(as(), { project: activity.projectSlug, activity: activity.slug }, search)
const addPlaces = () => addActivity(runtime, site, { kind: 'places' })
const addPlace = (activity: Activity, number: number, [lng, lat]: readonly [number, number], more: object = {}) =>
  addContribution(runtime, site, {
    activityId: activity.id,
    number,
    lng,
    lat,
    geometry: {
      type: 'Point',
      coordinates: [lng, lat],
    },
    ...more,
  })

/** Adds many places at random, two thirds of them in the west. */
async function addMany(activity: Activity, count: number): Promise<void> {
  const random = createRandom('places')
  const rows = Array.from({ length: count }, (_, at) => {
    const west = random.chance(2 / 3)
    const [lng, lat] = [(west ? -74.8 : -74.7) + random.next() / 10, 45 + random.next() / 10]
    return {
      siteId: site.id,
      id: createId(),
      activityId: activity.id,
      number: at + 1,
      language: 'en' as const,
      state: 'published' as const,
      title: `Bench ${at + 1}`,
      body: 'Somewhere to sit.',
      placeText: 'Mill Street',
      areaId: wards[west ? 'Elm' : 'Oak'] ?? null,
      lng,
      lat,
      geometry: {
        type: 'Point' as const,
        coordinates: [lng, lat] as const,
      },
      categories: at % 4 === 0 ? ['seats'] : [],
      statusId: activity.statuses[at % 7]?.id ?? null,
      shownAs: 'anonymous' as const,
      shownName: '',
      source: 'web' as const,
      reason: '',
      version: 1,
      supports: 0,
      repliesCount: 0,
      receiptHash: Buffer.from(createId()),
      submittedAt: new Date('2026-01-05'),
      publishedAt: new Date(17676e8 + at * 1e3),
      searchTitle: '',
      searchText: '',
    }
  })
  await runtime.database.site(site.id).tx((tx) => insertAll(tx, contributions, rows))
}

describe('the map of a list', () => {
  test('shows single places as pins with number, title and place, and says which have none', async () => {
    const activity = await addPlaces()
    await addPlace(activity, 14, [-74.75, 45.05], { title: 'Bus shelter', placeText: 'Mill Street', statusId: activity.statuses[2]?.id })
    await addPlace(activity, 15, [-74.65, 45.05], { title: 'Abri', language: 'fr-CA' })
    await addContribution(runtime, site, { activityId: activity.id, number: 16, areaId: wards['Elm'] ?? null })
    const { map } = await list(activity)
    expect(map).toMatchObject({ placed: 2, unplaced: 1, bubbles: [], isNarrowed: false })
    expect(map?.pins).toMatchObject([
      { number: 14, title: 'Bus shelter', place: 'Mill Street', sign: 'planned' },
      { number: 15, title: 'Abri', lang: 'fr-CA' },
    ])
    const [first, second] = map?.pins ?? []
    expect(first?.spot[0]).toBeLessThan(second?.spot[0] ?? 0)
    expect(map?.labels.map(({ name }) => name)).toEqual(['Elm', 'Oak'])
  })

  test('has bubbles 44 pixels apart on a phone of 360, each of which opens as many places as it says', async () => {
    const activity = await addPlaces()
    await addMany(activity, 900)
    const whole = (await list(activity)).map
    const boxes = [undefined, ...(whole?.bubbles.slice(0, 3).map(({ box }) => box) ?? [])]
    for (const bbox of boxes) {
      const { map } = await list(activity, bbox ? { bbox } : {})
      const bubbles = map?.bubbles ?? []
      expect(bubbles.length).toBeGreaterThan(3)
      // The picture is 640 wide, and 328 pixels on such a phone.
      const gaps = bubbles.flatMap((one, at) =>
        bubbles.slice(at + 1).map((other) => Math.hypot(one.spot[0] - other.spot[0], one.spot[1] - other.spot[1])),
      )
      expect(Math.min(...gaps) * (328 / 640)).toBeGreaterThan(43)
      const onMap = bubbles.reduce((sum, { total }) => sum + total, map?.pins.length ?? 0)
      expect(onMap).toBe(map?.placed)
      for (const { box, total } of bubbles) expect((await list(activity, { bbox: box })).total).toBe(total)
    }
  })

  test('has bubbles that open as many places as they say, although a line reaches into what they open', async () => {
    const activity = await addActivity(runtime, site, { kind: 'places', settings: { geometries: ['points', 'lines'] } })
    await addPlace(activity, 1, [-74.77, 45.03])
    await addPlace(activity, 2, [-74.768, 45.032])
    // Its pin stands far in the east.
    const line = { type: 'LineString' as const, coordinates: [[-74.62, 45.08], [-74.769, 45.031], [-74.79, 45.03]] } // prettier-ignore
    await addPlace(activity, 3, [-74.62, 45.08], { geometry: line })
    const { map } = await list(activity)
    const [bubble] = map?.bubbles ?? []
    expect(bubble?.total).toBe(2)
    const opened = await list(activity, { bbox: bubble?.box ?? '', only: 'pins' })
    expect(opened.entries.map(({ number }) => number)).toEqual([2, 1])
    expect(opened.map?.placed).toBe(2)
    // Moving the map there shows the line as well.
    expect((await list(activity, { bbox: bubble?.box ?? '' })).total).toBe(3)
  })

  test('is narrowed to a street that is looked for, and says what it has found, or that it has found nothing', async () => {
    const activity = await addPlaces()
    await addPlace(activity, 1, [-74.77, 45.03], { placeText: 'Rue du Couvent' })
    await addPlace(activity, 2, [-74.62, 45.08], { placeText: 'Far away' })
    const found = await list(activity, { find: 'couvent', page: 2 })
    expect(found).toMatchObject({ total: 1, page: 1, sought: { text: 'couvent', found: { name: 'Rue du Couvent, Elm' } } })
    expect(found.map).toMatchObject({ placed: 1, isNarrowed: true })
    // From here on, links lead to the part of the map.
    expect(found.search.find).toBeUndefined()
    expect((await list(activity, found.search)).total).toBe(1)
    expect(await list(activity, { find: 'Nowhere Lane' })).toMatchObject({ total: 2, sought: { text: 'Nowhere Lane', found: null } })
  })

  test('says in which area a bubble is, and can be moved and zoomed by links', async () => {
    const activity = await addPlaces()
    await addMany(activity, 60)
    const { map } = await list(activity)
    expect(new Set(map?.bubbles.map(({ near }) => near))).toEqual(new Set(['Elm', 'Oak', undefined]))
    expect(map?.moves).toMatchObject({
      shown: [-74.8, 45, -74.6, 45.1],
      nearer: '-74.75,45.025,-74.65,45.075',
      east: '-74.7,45,-74.5,45.1',
    })
    expect(map?.moves?.farther).toBeUndefined()
    const nearer = (await list(activity, { bbox: map?.moves?.nearer ?? '' })).map
    expect(nearer?.moves).toMatchObject({ north: '-74.75,45.05,-74.65,45.1', farther: '-74.8,45,-74.6,45.1' })
  })

  test('stands a letter in each area whose name is too long for it, clear of the pins, and says what it stands for', async () => {
    const strips = await addSite(runtime, { slug: 'strips' })
    const names = ['Elm', ...Array.from({ length: 8 }, (_, at) => `Harbour District ${at + 1}`)]
    await addAreas(
      runtime,
      strips,
      names.map((name, at) => ({ name, west: -75 + at * 0.1, south: 45, side: 0.1 })),
    )
    const activity = await addActivity(runtime, strips, { kind: 'places' })
    await addContribution(runtime, strips, {
      activityId: activity.id,
      number: 1,
      lng: -74.85,
      lat: 45.05,
      geometry: { type: 'Point', coordinates: [-74.85, 45.05] },
    })
    const ctx = createCtx(runtime, strips, { viewer: VISITOR, language: 'en', address: null })
    const { map } = await listContributions(ctx, { project: activity.projectSlug, activity: activity.slug }, {})
    expect(map?.labels).toMatchObject([{ name: 'Elm', fits: 'always' }])
    const letters = map?.letters ?? []
    expect(letters.map(({ letter, name }) => `${letter} ${name}`)).toEqual(names.slice(1).map((name, at) => `${'ABCDEFGH'[at]} ${name}`))
    const across = letters.map(({ spot }) => spot[0])
    expect(across).toEqual(across.toSorted((a, b) => a - b))
    const [pin] = map?.pins ?? []
    // On a narrow screen a pin reaches 54 above its tip and 21 to each side; a letter is 24 high.
    for (const { spot } of letters) {
      const [x, y] = [Math.abs(spot[0] - (pin?.spot[0] ?? 0)), spot[1] - (pin?.spot[1] ?? 0)]
      expect(x > 21 + 8 || y > 12 || y < -54 - 12).toBe(true)
    }
  })

  test('no pin covers a name or a letter, wherever the pin stands in its area', async () => {
    const site = await addSite(runtime, { slug: 'covered' })
    await addAreas(
      runtime,
      site,
      ['Elm', 'A long name that is never whole on a phone'].map((name, at) => ({ name, west: -75 + at * 0.4, south: 45, side: 0.4 })),
    )
    const ctx = createCtx(runtime, site, { viewer: VISITOR, language: 'en', address: null })
    let shown = 0
    for (let step = 0; step < 20; step++) {
      const activity = await addActivity(runtime, site, { kind: 'places' })
      const [lng, lat] = [-74.95 + (step % 4) * 0.2, 45.1 + Math.floor(step / 4) * 0.05]
      await addContribution(runtime, site, {
        activityId: activity.id,
        number: 1,
        lng,
        lat,
        geometry: { type: 'Point', coordinates: [lng, lat] },
      })
      const { map } = await listContributions(ctx, { project: activity.projectSlug, activity: activity.slug }, {})
      const [x, tip] = map?.pins[0]?.spot ?? [0, 0]
      // A pin is 13 to each side of its tip and reaches 34 above it, 1.6 times as much on a narrow screen; half of each text’s width is its letters.
      const covers = (text: { spot: readonly number[]; half: number; above: number; below: number }, scale: number) =>
        Math.abs((text.spot[0] ?? 0) - x) < text.half + 13 * scale &&
        (text.spot[1] ?? 0) + text.below > tip - 34 * scale &&
        (text.spot[1] ?? 0) - text.above < tip
      for (const { name, spot, fits } of map?.labels ?? []) {
        expect([step, name, covers({ spot, half: name.length * 3.6, above: 10, below: 3 }, 1)]).toEqual([step, name, false])
        if (fits === 'always')
          expect([step, name, covers({ spot, half: name.length * 6.7, above: 18, below: 5 }, 1.6)]).toEqual([step, name, false])
        shown++
      }
      for (const { letter, spot } of map?.letters ?? []) {
        expect([step, letter, covers({ spot, half: 8, above: 9, below: 9 }, 1.6)]).toEqual([step, letter, false])
        shown++
      }
    }
    expect(shown).toBeGreaterThan(30)
  })

  test('shows crowded places as a bubble that narrows map and list to them', async () => {
    const activity = await addPlaces()
    await addPlace(activity, 1, [-74.75, 45.05])
    await addPlace(activity, 2, [-74.749, 45.051])
    await addPlace(activity, 3, [-74.62, 45.02])
    const { map } = await list(activity)
    expect(map?.pins.map(({ number }) => number)).toEqual([3])
    expect(map?.bubbles).toMatchObject([{ total: 2, isSmallest: false }])
    const narrowed = await list(activity, { bbox: map?.bubbles[0]?.box ?? '' })
    expect(narrowed.entries.map(({ number }) => number).toSorted()).toEqual([1, 2])
    expect(narrowed.map?.pins.map(({ number }) => number).toSorted()).toEqual([1, 2])
    expect(narrowed.map).toMatchObject({ placed: 2, isNarrowed: true })
  })

  test('a bubble of places at one spot leads to the list, since the map does not get closer', async () => {
    const activity = await addPlaces()
    for (const number of [1, 2, 3]) await addPlace(activity, number, [-74.75, 45.05])
    const { map } = await list(activity)
    expect(map?.bubbles).toMatchObject([{ total: 3, isSmallest: true }])
    const narrowed = await list(activity, { bbox: map?.bubbles[0]?.box ?? '' })
    expect(narrowed.total).toBe(3)
    expect(narrowed.map?.bubbles).toMatchObject([{ total: 3, isSmallest: true }])
  })

  test('counts every place that matches the filter, also those outside the border, and never only those of the page', async () => {
    const activity = await addActivity(runtime, site, {
      kind: 'places',
      settings: { categories: [{ id: 'seats', title: { en: 'Seats' } }] },
    })
    await addMany(activity, 300)
    await addPlace(activity, 301, [-60, 50])
    const count = async (search: ContributionSearch) => {
      const { map, total, entries } = await list(activity, search)
      const drawn = (map?.pins.length ?? 0) + (map?.bubbles ?? []).reduce((sum, bubble) => sum + bubble.total, 0)
      expect({ drawn, placed: map?.placed }).toEqual({ drawn: total, placed: total })
      expect(entries.length).toBeLessThanOrEqual(20)
      return total
    }
    expect(await count({})).toBe(301)
    expect(await count({ page: 3 })).toBe(301)
    expect(await count({ category: 'seats' })).toBe(75)
    const [elm, oak] = [await count({ area: wards['Elm'] ?? '' }), await count({ area: wards['Oak'] ?? '' })]
    expect(elm + oak).toBe(300)
    expect(await count({ bbox: '-74.75,45,-74.7,45.1' })).toBeGreaterThan(20)
    // A box that is none narrows nothing.
    expect(await count({ bbox: '1,2' })).toBe(301)
  })

  test('what is searched for comes best first, page by page, on the map and in the list', async () => {
    const activity = await addPlaces()
    const counts: Record<number, object> = {
      7: { repliesCount: 3, publishedAt: new Date('2026-11-01') },
      9: { supports: 4 },
      12: { supports: 7 },
    }
    // A word in a title weighs more than one in the text; of equals, the newest number comes first.
    for (let number = 1; number <= 45; number += 1) {
      const words = number > 40 ? { title: 'Zebra crossing' } : number > 5 ? { body: 'Like the zebra nearby.' } : {}
      await addPlace(activity, number, [-74.79 + number / 500, 45.05], { ...words, ...counts[number] })
    }
    // Found as well, and better, but by another activity.
    await addPlace(await addPlaces(), 1, [-74.75, 45.05], { title: 'Zebra, zebra', body: 'A zebra.' })
    const found = async (search: ContributionSearch) => {
      const { entries, map, total, page, pages } = await list(activity, search)
      const drawn = (map?.pins.length ?? 0) + (map?.bubbles ?? []).reduce((sum, bubble) => sum + bubble.total, 0)
      return { numbers: entries.map(({ number }) => number), drawn, total, page, pages }
    }
    const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at)
    expect(await found({ q: 'zebra' })).toEqual({ numbers: down(45, 26), drawn: 40, total: 40, page: 1, pages: 2 })
    expect(await found({ q: 'zebra', page: 2 })).toEqual({ numbers: down(25, 6), drawn: 40, total: 40, page: 2, pages: 2 })
    // A page beyond the end is the last one.
    expect(await found({ q: 'zebra', page: 9 })).toMatchObject({ numbers: down(25, 6), page: 2 })
    // Another order that was asked for, and another filter besides.
    expect((await found({ q: 'zebra', sort: 'unseen' })).numbers).toHaveLength(20)
    expect((await found({ q: 'zebra', sort: 'supported' })).numbers.slice(0, 5)).toEqual([12, 9, 45, 44, 43])
    expect((await found({ q: 'zebra', sort: 'discussed', page: 2 })).numbers).toEqual([...down(26, 8), 6])
    expect((await found({ q: 'zebra', sort: 'newest' })).numbers[0]).toBe(7)
    expect(await found({ q: 'zebra nearby' })).toMatchObject({ numbers: down(45, 26), total: 40 })
    expect(await found({ q: 'zebra', bbox: '-74.7105,45,-74.69,45.1' })).toMatchObject({ numbers: down(45, 40), drawn: 6, total: 6 })
    expect(await found({ q: 'giraffe' })).toEqual({ numbers: [], drawn: 0, total: 0, page: 1, pages: 1 })
  })

  test('never shows what waits for a moderator', async () => {
    const activity = await addPlaces()
    await addPlace(activity, 1, [-74.75, 45.05], { state: 'held' })
    expect((await list(activity)).map).toMatchObject({ pins: [], bubbles: [], placed: 0 })
  })

  test('needs no areas: then it fits the places', async () => {
    const bare = await addSite(runtime, { slug: 'bare' })
    const activity = await addActivity(runtime, bare, { kind: 'places' })
    for (const [number, lng] of [-1.5, -1.4, -1.3].entries())
      await addContribution(runtime, bare, {
        activityId: activity.id,
        number: number + 1,
        lng,
        lat: 53,
        geometry: { type: 'Point', coordinates: [lng, 53] },
      })
    const ctx = createCtx(runtime, bare, { viewer: VISITOR, language: 'en', address: null })
    const { map } = await listContributions(ctx, { project: activity.projectSlug, activity: activity.slug }, {})
    expect(map?.outlines).toEqual([])
    expect(map?.pins).toHaveLength(3)
  })
})

test('10,000 places take at most 60 kB compressed and as many statements as 10', { timeout: 120_000 }, async () => {
  // Time stands still: nothing that is remembered expires while the places are added.
  runtime.publicReads = new PublicReads({ now: () => 0 })
  const [few, many] = [await addPlaces(), await addPlaces()]
  await addMany(few, 10)
  await addMany(many, 10_000)
  await runtime.database.site(site.id).tx((tx) => tx.select().from(contributions).where(eq(contributions.number, 0)))
  const used: number[] = []
  for (const activity of [few, many]) {
    await list(activity)
    used.push((await recordDatabaseUse(runtime, () => list(activity, { area: wards['Elm'] ?? '' }))).statements.length)
  }
  expect(used).toEqual([2, 2])
  const { map } = await list(many)
  expect((map?.pins.length ?? 0) + (map?.bubbles ?? []).reduce((sum, { total }) => sum + total, 0)).toBe(10_000)
  expect(gzipSync(JSON.stringify(map)).length).toBeLessThan(60_000)
})

test('planned for any parameters, map and list find the indexes of what is published', { timeout: 120_000 }, async () => {
  const activity = await addPlaces()
  await addMany(activity, 2000)
  const owner = new pg.Client({ connectionString: runtime.ownerUrl })
  await owner.connect()
  await owner.query('vacuum analyze contributions')
  await owner.end()
  for (const [search, index] of [
    [{ bbox: '-74.8,45,-74.6,45.1' }, 'contributions_placed'],
    [{}, 'contributions_published'],
  ] as const) {
    // Once before: what surrounds the list is then remembered.
    runtime.publicReads = new PublicReads()
    await list(activity, search)
    const { statements } = await recordDatabaseUse(runtime, () => list(activity, search))
    const plans = statements.map(async (text) => {
      const { rows } = await runtime.database.site(site.id).tx((tx) => tx.execute(sql.raw(`explain (generic_plan) ${text}`)))
      return rows.map((row) => Object.values(row)).join('\n')
    })
    const [squares, page] = await Promise.all(plans)
    expect(squares).toContain(`Index Only Scan using ${index} on contributions`)
    expect(page).toContain('contributions_published')
  }
})
