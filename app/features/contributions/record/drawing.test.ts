import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Geometry } from '#app/lib/geometry.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { requireActivityAt } from './activities.policy.server.ts'
import { editContribution, getOwnContribution } from '../own/own-contributions.server.ts'
import { submitContribution } from '../posting/submit-contribution.server.ts'
import { getContribution, listContributions } from '../reading/views.server.ts'
import { findBearing, measureGeometry } from './drawing.schema.ts'

let runtime: TestRuntime
let site: Site
let api: ReturnType<typeof createApiClient>
let wards: Record<string, string>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  api = createApiClient(runtime, site)
  // Two wards side by side.
  wards = await addAreas(runtime, site, [
    { name: 'Elm', west: -74.8, south: 45, side: 0.1 },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1 },
  ])
})
beforeEach(() => runtime.setNow(new Date('2026-03-02T12:00:00Z')))

const as = (): Ctx => createCtx(runtime, site, { viewer: VISITOR, language: 'en', address: null })
const addPlaces = (settings: Record<string, unknown> = {}) => addActivity(runtime, site, { kind: 'places', moderation: 'after', settings })
const addDrawing = (settings: Record<string, unknown> = {}) => addPlaces({ geometries: ['points', 'lines', 'areas'], ...settings })

// Each test states what it expects of the body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { status: number; body: any }

const post = (activityId: string, geometry: unknown, title = 'A way along the river'): Promise<Answer> =>
  api.post('/contributions', {
    data: {
      type: 'contributions',
      id: createId(),
      attributes: {
        title,
        body: 'It is safer than the road.',
        shownAs: 'anonymous',
        sendKey: createId(),
        browserToken: issueToken(runtime, site),
        geometry,
      },
      relationships: { activity: { data: { type: 'activities', id: activityId } } },
    },
  })

type Pair = readonly [number, number]
const line = (...coordinates: Pair[]) => ({ type: 'LineString', coordinates })
const area = (...ring: Pair[]) => ({ type: 'Polygon', coordinates: [ring] })
/** Points on a curve that never comes back to itself. */
const curve = (count: number) =>
  line(...Array.from({ length: count }, (_, at): Pair => [-74.79 + at / 10_000, 45.02 + at ** 2 / 1_000_000]))

describe('what an activity takes', () => {
  test('is points only, unless it is set', async () => {
    const { id } = await addPlaces()
    expect((await post(id, { type: 'Point', coordinates: [-74.75, 45.05] })).status).toBe(201)
    for (const geometry of [line([-74.75, 45.05], [-74.74, 45.05]), area([-74.75, 45.05], [-74.74, 45.05], [-74.74, 45.06])]) {
      const refused = await post(id, geometry)
      expect([refused.status, refused.body.errors]).toMatchObject([
        422,
        [
          {
            code: 'shape-refused',
            title: 'This activity does not take places of this shape. Choose one of the shapes it takes.',
            source: { pointer: '/data/attributes/geometry' },
          },
        ],
      ])
    }
  })

  test('may be lines only: then a point is refused', async () => {
    const { id } = await addPlaces({ geometries: ['lines'] })
    expect((await post(id, { type: 'Point', coordinates: [-74.75, 45.05] })).body.errors).toMatchObject([{ code: 'shape-refused' }])
    expect((await post(id, line([-74.75, 45.05], [-74.74, 45.05]))).status).toBe(201)
  })

  test.each([[[]], [['circles']]])('cannot be nothing or a shape that does not exist: %j', async (geometries) => {
    await expect(addPlaces({ geometries })).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('a line or an area', () => {
  test('is stored as it was drawn, an area closed, with its pin in its middle and the area it lies in', async () => {
    const { id } = await addDrawing()
    const sentLine = await post(id, line([-74.76, 45.05], [-74.75, 45.05], [-74.74, 45.05]))
    const sentArea = await post(id, area([-74.66, 45.04], [-74.64, 45.04], [-74.64, 45.06], [-74.66, 45.06]))
    expect([sentLine.status, sentArea.status]).toEqual([201, 201])
    expect(sentArea.body.data.attributes.geometry.coordinates[0]).toHaveLength(5)
    const rows = await as().db.read((tx) =>
      tx.select().from(contributions).where(eq(contributions.activityId, id)).orderBy(contributions.number),
    )
    expect(rows).toMatchObject([
      { lng: -74.75, lat: 45.05, areaId: wards['Elm'], geometry: { type: 'LineString' } },
      { lng: -74.65, lat: 45.05, areaId: wards['Oak'], geometry: { type: 'Polygon' } },
    ])
  })

  test('may have 200 points and not 201', async () => {
    const { id } = await addDrawing()
    expect((await post(id, curve(200))).status).toBe(201)
    const refused = await post(id, curve(201))
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ code: 'too-many', source: { pointer: '/data/attributes/geometry' } }],
    ])
  })

  test.each([
    ['self-crossing', area([-74.8, 45], [-74.7, 45.1], [-74.7, 45], [-74.8, 45.1])],
    ['self-crossing', line([-74.76, 45.05], [-74.74, 45.05], [-74.74, 45.06], [-74.75, 45.04])],
    [
      'not-a-number',
      {
        type: 'LineString',
        coordinates: [
          [-74.75, 45.05],
          [null, 45],
        ],
      },
    ],
    ['too-few', area([-74.75, 45.05], [-74.74, 45.05])],
    ['too-few', line([-74.75, 45.05])],
    // The same place twice is one point.
    ['too-few', line([-74.75, 45.05], [-74.75, 45.05])],
  ])('is refused at its pointer: %s', async (code, geometry) => {
    const { id } = await addDrawing()
    const refused = await post(id, geometry)
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ code, source: { pointer: '/data/attributes/geometry' } }]])
  })

  test('that leaves the border is taken, or refused if the activity says so', async () => {
    const partly = line([-74.75, 45.05], [-74.75, 45.2])
    expect((await post((await addDrawing()).id, partly)).status).toBe(201)
    const refusing = await addDrawing({ border: 'refuse' })
    expect((await post(refusing.id, partly)).body.errors).toMatchObject([
      { code: 'outside-border', source: { pointer: '/data/attributes/geometry' } },
    ])
    // From one ward into the other it stays inside.
    expect((await post(refusing.id, line([-74.75, 45.05], [-74.65, 45.05]))).status).toBe(201)
  })
})

describe('reading', () => {
  const place = (activityId: string, number: number, geometry: object, [lng, lat]: Pair) =>
    addContribution(runtime, site, { activityId, number, lng, lat, geometry: geometry as never })

  test('list, map and page show a line with its length and an area with its size', async () => {
    const activity = await addDrawing()
    // A hundredth of a degree of longitude is 786 metres at this latitude, and of latitude 1,112: 87.4 hectares.
    await place(activity.id, 1, line([-74.79, 45.05], [-74.78, 45.05]), [-74.785, 45.05])
    await place(
      activity.id,
      2,
      area([-74.63, 45.04], [-74.62, 45.04], [-74.62, 45.05], [-74.63, 45.05], [-74.63, 45.04]),
      [-74.625, 45.045],
    )
    await place(activity.id, 3, { type: 'Point', coordinates: [-74.71, 45.09] }, [-74.71, 45.09])
    const address = { project: activity.projectSlug, activity: activity.slug }
    const { entries, map } = await listContributions(as(), address, {})
    const sizes = entries
      .toSorted((a, b) => a.number - b.number)
      .map(({ drawn }) => drawn && [drawn.shape, Math.round(drawn.amount / (drawn.shape === 'lines' ? 10 : 1000))])
    expect(sizes).toEqual([['lines', 79], ['areas', 874], null])
    const shown = map?.pins.toSorted((a, b) => a.number - b.number).map(({ drawn }) => drawn?.outline.replace(/[\d. -]+/g, '·'))
    expect(shown).toEqual(['M·L·', 'M·L·L·L·L·Z', undefined])
    expect((await getContribution(as(), address, 1, undefined)).contribution?.map?.drawn?.shape).toBe('lines')
    expect((await getContribution(as(), address, 3, undefined)).contribution?.map?.drawn).toBeUndefined()
  })

  test('the map of a page holds the whole line, also where it leaves the area of its middle', async () => {
    const activity = await addDrawing()
    await place(activity.id, 1, line([-74.79, 45.05], [-74.61, 45.05]), [-74.7001, 45.05])
    const { contribution } = await getContribution(as(), { project: activity.projectSlug, activity: activity.slug }, 1, undefined)
    const across = contribution?.map?.drawn?.outline.match(/[\d.-]+ /g)?.map(Number) ?? []
    expect(across).toHaveLength(2)
    for (const x of across) expect(x > 0 && x < 640).toBe(true)
  })

  test('are found by a box or a circle that any part of them touches', async () => {
    const activity = await addDrawing()
    // From the south-west to the north-east: the box around it is much larger than the line.
    await post(activity.id, line([-74.79, 45.01], [-74.71, 45.09]), 'Diagonal')
    await post(activity.id, area([-74.69, 45.01], [-74.61, 45.01], [-74.61, 45.09], [-74.69, 45.09]), 'Square')
    const find = async (filter: string): Promise<string[]> => {
      const { body }: Answer = await api.get(`/contributions?filter[activity]=${activity.id}&sort=number&${filter}`)
      return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
    }
    expect(await find('filter[bbox]=-74.78,45.015,-74.77,45.035')).toEqual(['Diagonal'])
    expect(await find('filter[bbox]=-74.79,45.07,-74.77,45.09')).toEqual([])
    // A corner of the area, its inside, a box around both, and one between them.
    expect(await find('filter[bbox]=-74.62,45.08,-74.6,45.1')).toEqual(['Square'])
    expect(await find('filter[bbox]=-74.68,45.02,-74.67,45.03')).toEqual(['Square'])
    expect(await find('filter[bbox]=-74.8,45,-74.6,45.1')).toEqual(['Diagonal', 'Square'])
    expect(await find('filter[bbox]=-74.705,45.01,-74.695,45.05')).toEqual([])
    expect(await find('filter[near]=-74.78,45.021,200')).toEqual(['Diagonal'])
    expect(await find('filter[near]=-74.79,45.09,3000')).toEqual([])
    expect(await find('filter[near]=-74.67,45.03,10')).toEqual(['Square'])
    // 786 metres for a hundredth of a degree of longitude: the edge is half of that away.
    expect(await find('filter[near]=-74.605,45.05,400')).toEqual(['Square'])
    expect(await find('filter[near]=-74.605,45.05,380')).toEqual([])
    const listed = await listContributions(
      as(),
      { project: activity.projectSlug, activity: activity.slug },
      { bbox: '-74.78,45.015,-74.77,45.035' },
    )
    expect(listed.entries.map(({ title }) => title)).toEqual(['Diagonal'])
  })
})

describe('an author', () => {
  const change = { title: 'A way along the river', body: 'It is safer than the road.', categories: [] }
  const send = async (activity: Awaited<ReturnType<typeof addPlaces>>, geometry: Geometry) => {
    const find = (tx: Tx) => requireActivityAt(as(), tx, addressOf(activity))
    const input = { ...change, ...createSending(runtime.now()), shownAs: 'anonymous', shownName: '', areaId: null, placeText: '', geometry }
    return submitContribution(as(), find, input)
  }
  const addressOf = (activity: Awaited<ReturnType<typeof addPlaces>>) => ({ project: activity.projectSlug, activity: activity.slug })
  const loadGeometry = async (id: string) => {
    const [row] = await as().db.read((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
    return row
  }
  const short = { type: 'LineString', coordinates: [[-74.76, 45.05], [-74.75, 45.05]] } as const // prettier-ignore
  const long = { type: 'LineString', coordinates: [[-74.66, 45.05], [-74.65, 45.05], [-74.64, 45.06]] } as const // prettier-ignore

  test('changes a line within 30 minutes, as it is checked when it is sent, and not later', async () => {
    const activity = await addDrawing()
    const { id, code } = await send(activity, short)
    const own = await getOwnContribution(as(), addressOf(activity), { code })
    expect(own.placeEditing).toMatchObject({ shape: 'lines', points: '-74.76,45.05 -74.75,45.05', isFinished: true })
    const place = { areaId: null, placeText: 'By the mill' }
    await editContribution(as(), addressOf(activity), { code }, { ...change, place: { ...place, geometry: long } })
    expect(await loadGeometry(id)).toMatchObject({
      geometry: long,
      areaId: wards['Oak'],
      placeText: 'By the mill',
      lng: expect.closeTo(-74.6489, 3),
    })
    const crossing = { type: 'LineString', coordinates: [[-74.76, 45.05], [-74.74, 45.05], [-74.74, 45.06], [-74.75, 45.04]] } as const // prettier-ignore
    const refused = editContribution(as(), addressOf(activity), { code }, { ...change, place: { ...place, geometry: crossing } })
    await expect(refused).rejects.toMatchObject({ code: 'invalid', faults: [{ code: 'self-crossing', pointer: '/geometry' }] })
    runtime.setNow(new Date('2026-03-02T12:31:00Z'))
    const late = editContribution(as(), addressOf(activity), { code }, { ...change, place: { ...place, geometry: short } })
    await expect(late).rejects.toMatchObject({ code: 'editing-over' })
    expect((await loadGeometry(id))?.geometry).toEqual(long)
  })

  test('keeps a line that the activity no longer takes, also with its text changed, but may not draw another', async () => {
    const activity = await addDrawing()
    const { id, code } = await send(activity, short)
    const settings = { ...activity.settings, geometries: ['points'] }
    await as().db.tx((tx) => tx.update(activities).set({ settings }).where(eq(activities.id, activity.id)))
    const place = { areaId: null, placeText: '' }
    await editContribution(as(), addressOf(activity), { code }, { ...change, title: 'A path', place: { ...place, geometry: short } })
    expect(await loadGeometry(id)).toMatchObject({ title: 'A path', geometry: short })
    const refused = editContribution(as(), addressOf(activity), { code }, { ...change, place: { ...place, geometry: long } })
    await expect(refused).rejects.toMatchObject({ code: 'invalid', faults: [{ code: 'shape-refused', pointer: '/geometry' }] })
  })

  test('keeps the holes of an area that came through the API when only the text changes', async () => {
    const activity = await addDrawing()
    const ring = (west: number, side: number): Pair[] => [[west, 45.02], [west + side, 45.02], [west + side, 45.02 + side], [west, 45.02]] // prettier-ignore
    const holed = { type: 'Polygon', coordinates: [[[-74.79, 45.01], [-74.71, 45.01], [-74.71, 45.09], [-74.79, 45.09], [-74.79, 45.01]], ring(-74.77, 0.01)] } as const // prettier-ignore
    const { id, code } = await send(activity, holed)
    const before = (await loadGeometry(id))?.geometry
    const drawn = { type: 'Polygon', coordinates: [holed.coordinates[0]] } as const
    await editContribution(as(), addressOf(activity), { code }, { ...change, place: { areaId: null, placeText: '', geometry: drawn } })
    expect((await loadGeometry(id))?.geometry).toEqual(before)
    expect(before?.coordinates).toHaveLength(2)
  })
})

test('a hole is not part of an area, and directions are told from the point before', () => {
  const ring = (west: number, south: number, side: number): Pair[] => [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ]
  const whole = measureGeometry({ type: 'Polygon', coordinates: [ring(0, 0, 0.02)] })?.amount ?? 0
  const holed = measureGeometry({ type: 'Polygon', coordinates: [ring(0, 0, 0.02), ring(0.005, 0.005, 0.01)] })?.amount ?? 0
  expect(holed / whole).toBeCloseTo(0.75, 3)
  const directions = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]] as const // prettier-ignore
  expect(directions.map((to) => findBearing([0, 0], to))).toEqual([
    'north',
    'north-east',
    'east',
    'south-east',
    'south',
    'south-west',
    'west',
    'north-west', // prettier-ignore
  ])
})
