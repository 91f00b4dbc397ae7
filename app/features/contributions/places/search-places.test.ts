import { beforeAll, describe, expect, test } from 'vitest'
import { readPlaceWriting, readTypedGeometry, takePlaceStep } from '../posting/place-steps.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { searchPlacesAt } from './search-places.server.ts'

let runtime: TestRuntime
let site: Site
let ctx: Ctx
let wards: Record<string, string>
let activity: Awaited<ReturnType<typeof addActivity>>
let number = 0

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  wards = await addAreas(runtime, site, [
    { name: 'Elm', west: -74.8, south: 45, side: 0.1, postcodes: ['K6H'] },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1, postcodes: ['K6J'] },
  ])
  ctx = createCtx(runtime, site, { viewer: VISITOR, language: 'en', address: null })
  activity = await addActivity(runtime, site, { kind: 'places' })
  const add = (placeText: string, lng: number, lat: number, more: object = {}) =>
    addContribution(runtime, site, {
      activityId: activity.id,
      number: ++number,
      placeText,
      lng,
      lat,
      geometry: { type: 'Point', coordinates: [lng, lat] },
      ...more,
    })
  await add('Rue du Couvent', -74.65, 45.05)
  await add('Quai de l’Île', -74.75, 45.02)
  await add('Secret Street', -74.65, 45.05, { state: 'held' })
})

/** A place in another activity of the site. */
async function addElsewhere(placeText: string, values: Parameters<typeof addActivity>[2] = {}, more: object = {}): Promise<void> {
  const { id: activityId } = await addActivity(runtime, site, { kind: 'places', ...values })
  const point = { lng: -74.62, lat: 45.03, geometry: { type: 'Point' as const, coordinates: [-74.62, 45.03] as const } }
  await addContribution(runtime, site, { activityId, number: 1, placeText, ...point, ...more })
}

const addressOf = () => ({ project: activity.projectSlug, activity: activity.slug })
const find = (text: string) => searchPlacesAt(ctx, { ...addressOf(), text })

/** What the page shows after a button of the form was pressed without JavaScript. */
async function press(values: Record<string, string>) {
  const geometry = readTypedGeometry(values)
  const texts = { title: 'A lime', body: 'Wide pavement.', shownAs: 'anonymous', shownName: '' }
  const written = { ...texts, categories: [], areaId: null, placeText: '', geometry, fields: {} }
  const error: unknown = await takePlaceStep(ctx, addressOf(), values, written).catch((thrown: unknown) => thrown)
  if (!isAppError(error)) throw error
  const faults = error.faults.map(({ code, pointer = '' }) => ({ code, field: pointer.slice(1) }))
  const place = await ctx.db.read(async (tx) => {
    const placed = await requireActivityAt(ctx, tx, addressOf())
    return readPlaceWriting(ctx, tx, placed, { form: '', values, faults })
  })
  if (!place) throw new Error('The activity has no map')
  return { place, faults: faults.map(({ code, field }) => `${code} ${field}`) }
}

describe('the search of an activity’s map', () => {
  test('finds streets that were published there, without accents, and none that waits for a moderator', async () => {
    expect(await find('couvent')).toMatchObject([{ name: 'Rue du Couvent', note: 'Oak', point: [-74.65, 45.05] }])
    expect(await find('quai de l ile')).toMatchObject([{ name: 'Quai de l’Île', note: 'Elm' }])
    expect(await find('secret street')).toEqual([])
    expect(await find('pavement')).toEqual([])
  })

  test('finds what was published in other activities that everybody may see, by the beginning of a word too', async () => {
    await addElsewhere('Passerelle des Ursulines')
    await addElsewhere('Ursulines Lane', { status: 'draft' })
    await addElsewhere('Ursulines Court', {}, { state: 'held' })
    await addElsewhere('Ursulines Gate', { projectId: (await addProject(runtime, site, { visibility: 'link' })).id })
    expect(await find('des ursul')).toMatchObject([{ name: 'Passerelle des Ursulines', note: 'Oak', point: [-74.62, 45.03] }])
    const other = await addActivity(runtime, site, { kind: 'places' })
    const found = await searchPlacesAt(ctx, { project: other.projectSlug, activity: other.slug, text: 'couvent' })
    expect(found.map(({ name }) => name)).toEqual(['Rue du Couvent'])
  })

  test('a second search moves the pin and the map; an area takes away a pin that lies elsewhere, and keeps one in it', async () => {
    const first = await press({ place: 'find', find: 'Couvent' })
    expect(first.place).toMatchObject({ lng: '-74.65', lat: '45.05', found: { name: 'Rue du Couvent, Oak' } })
    const { lng, lat, view } = first.place
    const second = await press({ place: 'find', find: 'Quai', lng, lat, view })
    expect(second.place).toMatchObject({ lng: '-74.75', lat: '45.02' })
    expect(second.place.spot).not.toBeNull()
    expect(second.place.view).not.toBe(view)
    const area = await press({ place: 'find', find: 'Oak', lng: '-74.75', lat: '45.02', view: second.place.view })
    expect(area.place).toMatchObject({ lng: '', lat: '', areaId: wards['Oak'] })
    const kept = await press({ place: 'find', find: 'Oak', lng, lat, view })
    expect(kept.place).toMatchObject({ lng, lat })
  })

  test('is made by the Enter key too, and says what it has not found', async () => {
    expect((await press({ place: 'check', find: 'Couvent' })).place).toMatchObject({ lng: '-74.65', isCheck: false })
    expect((await press({ place: 'find', find: 'Nowhere Lane' })).faults).toEqual(['place-unknown find'])
  })
})

test('the check page always shows the pin, wherever the map had been left', async () => {
  const { place } = await press({ place: 'check', lng: '-74.65', lat: '45.05', view: '-74.79,45.01,-74.78,45.02', placeText: 'Here' })
  const [x = -1, y = -1] = place.spot ?? []
  expect(x).toBeGreaterThan(0)
  expect(x).toBeLessThan(640)
  expect(y).toBeGreaterThan(0)
  expect(y).toBeLessThan(420)
})
