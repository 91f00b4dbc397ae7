import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

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
    { name: 'Elm', west: -74.8, south: 45, side: 0.1, postcodes: ['K6H'] },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1, postcodes: ['K6J'] },
  ])
})
beforeEach(() => runtime.setNow(new Date('2026-03-02T12:00:00Z')))

const as = (): Ctx => createCtx(runtime, site, { viewer: VISITOR, language: 'en', address: null })
const addPlaces = (settings: Record<string, unknown> = {}) => addActivity(runtime, site, { kind: 'places', moderation: 'after', settings })

// Each test states what it expects of the body.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { status: number; body: any }
const send = (path: string, document: unknown): Promise<Answer> => api.post(path, document)
const fetchList = (path: string): Promise<Answer> => api.get(path)

const post = (activityId: string, attributes: Record<string, unknown>) => {
  const id = createId()
  return send('/contributions', {
    data: {
      type: 'contributions',
      id,
      attributes: {
        title: 'A lime tree',
        body: 'The pavement is wide here.',
        shownAs: 'anonymous',
        sendKey: createId(),
        browserToken: issueToken(runtime, site),
        ...attributes,
      },
      relationships: { activity: { data: { type: 'activities', id: activityId } } },
    },
  })
}
const point = (lng: number, lat: number) => ({ type: 'Point', coordinates: [lng, lat] })

describe('a place', () => {
  test('is stored as GeoJSON, and its area follows from it', async () => {
    const { id: activity } = await addPlaces()
    const sent = await post(activity, { geometry: point(-74.65, 45.05), areaId: wards['Elm'], placeText: 'Mill Street' })
    expect(sent.status).toBe(201)
    expect(sent.body.data.attributes).toMatchObject({ geometry: point(-74.65, 45.05), areaId: wards['Oak'], placeText: 'Mill Street' })
    const [row] = await as().db.read((tx) => tx.select().from(contributions).where(eq(contributions.id, sent.body.data.id)))
    expect(row).toMatchObject({ lng: -74.65, lat: 45.05 })
  })

  test('may be only an area or only words, but not nothing', async () => {
    const { id: activity } = await addPlaces()
    expect((await post(activity, { areaId: wards['Elm'] })).status).toBe(201)
    expect((await post(activity, { placeText: 'Behind the library' })).status).toBe(201)
    const refused = await post(activity, {})
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ code: 'required', source: { pointer: '/data/attributes/geometry' } }],
    ])
  })

  test.each([
    ['self-crossing', { type: 'Polygon', coordinates: [[[-74.8, 45], [-74.7, 45.1], [-74.7, 45], [-74.8, 45.1]]] }, 'The line crosses itself. Draw it without crossings.'], // prettier-ignore
    ['british-grid', point(318_100, 176_600), 'This looks like British National Grid. Give longitude and latitude in degrees (WGS 84).'],
    [
      'canada-lambert',
      point(7_471_000, 1_186_000),
      'This looks like Statistics Canada Lambert. Give longitude and latitude in degrees (WGS 84).',
    ],
    ['not-a-number', { type: 'Point', coordinates: [null, 45] }, 'Enter a number.'],
  ])('is refused at its pointer, in words: %s', async (code, geometry, title) => {
    const { id: activity } = await addPlaces()
    const refused = await post(activity, { geometry })
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ code, title, source: { pointer: '/data/attributes/geometry' } }]])
  })

  test('outside the border is taken, or refused if the activity says so', async () => {
    const outside = { geometry: point(-73, 45.05) }
    const taken = await post((await addPlaces()).id, outside)
    expect([taken.status, taken.body.data?.attributes.areaId]).toEqual([201, null])
    const refused = await post((await addPlaces({ border: 'refuse' })).id, outside)
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ code: 'outside-border', source: { pointer: '/data/attributes/geometry' } }],
    ])
  })

  test('is refused by an activity without a map', async () => {
    const ideas = await addActivity(runtime, site, { moderation: 'after' })
    expect((await post(ideas.id, { geometry: point(-74.65, 45.05) })).body.errors).toMatchObject([{ code: 'unknown-attribute' }])
  })
})

describe('filters of the API', () => {
  test('find places in a box, around a point and in an area; a broken one is refused', async () => {
    const { id: activity } = await addPlaces()
    for (const lng of [-74.75, -74.65, -74.64]) await post(activity, { title: `At ${lng}`, geometry: point(lng, 45.05) })
    await post(activity, { title: 'In words', placeText: 'Somewhere' })
    const find = async (filter: string) => {
      const { status, body } = await fetchList(`/contributions?filter[activity]=${activity}&sort=number&${filter}`)
      return status === 200
        ? body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title)
        : [status, body.errors[0].source]
    }
    expect(await find('filter[bbox]=-74.66,45,-74.6,45.1')).toEqual(['At -74.65', 'At -74.64'])
    // A hundredth of a degree of longitude is 786 metres at this latitude.
    expect(await find('filter[near]=-74.65,45.05,780')).toEqual(['At -74.65'])
    expect(await find('filter[near]=-74.65,45.05,790')).toEqual(['At -74.65', 'At -74.64'])
    expect(await find(`filter[area]=${wards['Elm']}`)).toEqual(['At -74.75'])
    expect(await find('filter[bbox]=1,2,3')).toEqual([400, { parameter: 'filter[bbox]' }])
    expect(await find('filter[near]=NaN,45,10')).toEqual([400, { parameter: 'filter[near]' }])
  })
})
