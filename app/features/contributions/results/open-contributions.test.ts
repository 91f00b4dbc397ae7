import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { serveDcatAp, serveDcatUs } from '#app/features/opencities/open-data.files.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { type contributions, officialResponses } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addPerson as addAccount } from '#tests/support/people.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { listContributions } from '../reading/views.server.ts'
import type { OpenFormat } from './activity-export.schema.ts'
import { serveOpenContributions } from './open-contributions.server.ts'

let runtime: TestRuntime
let site: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'alder' })
})

const as = (viewer?: Ctx['viewer'], of: Site = site): Ctx => createCtx(runtime, of, { ...(viewer && { viewer }), language: 'en' })
type Address = { slug: string; activity: string }

const download = (format: OpenFormat, params: Address, ctx = as()): Promise<Response> =>
  serveOpenContributions(format)({ context: requestContext(ctx), params })

const categories = [{ id: 'shade', title: inAllLanguages('Shade') }]

/** Places as open data: two published ones, and one in each state that is not public. */
async function addOpenPlaces() {
  const slug = `trees-${createId()}`
  const project = await addProject(runtime, site, { slug })
  const activity = await addActivity(runtime, site, {
    projectId: project.id,
    slug: 'trees',
    kind: 'places',
    settings: { categories, openData: true },
  })
  const add = (number: number, more: Partial<typeof contributions.$inferInsert>) =>
    addContribution(runtime, site, { activityId: activity.id, number, ...more })
  const first = await add(1, {
    title: 'Oak by the school',
    body: '=1+1 children wait in the sun',
    categories: ['shade'],
    shownAs: 'name',
    shownName: 'Ana Secret',
    placeText: 'Mill Street',
    lng: -74.5,
    lat: 45.25,
    geometry: { type: 'Point', coordinates: [-74.5, 45.25] },
    supports: 7,
  })
  await add(2, { title: 'Somewhere', body: 'No place named' })
  for (const [at, state] of (['held', 'declined', 'removed', 'withdrawn', 'erased', 'merged'] as const).entries())
    await add(3 + at, { state, title: `Not public ${state}`, body: `Not public ${state}` })
  const respond = (visibility: 'public' | 'private', version: number, text: string) =>
    as().db.tx((tx) =>
      tx.insert(officialResponses).values({
        siteId: site.id,
        id: createId(),
        contributionId: first.id,
        text: { en: text },
        team: { en: 'Parks' },
        version,
        visibility,
      }),
    )
  await respond('public', 1, 'We plant it in March.')
  await respond('private', 2, 'For the author only')
  return { address: { slug, activity: 'trees' }, project }
}

describe('the contributions of an activity as open data', () => {
  test('are what is published, without names, the same in each format', async () => {
    const { address } = await addOpenPlaces()
    const csv = await download('csv', address)
    expect([csv.status, csv.headers.get('access-control-allow-origin'), csv.headers.get('content-type')]).toEqual([
      200,
      '*',
      'text/csv; charset=utf-8',
    ])
    const text = await csv.text()
    const rows = parse(text, { columns: true, bom: true }) as Record<string, string>[]
    expect(rows.map((row) => row['number'])).toEqual(['1', '2'])
    expect(rows[0]).toMatchObject({
      title: 'Oak by the school',
      categories: 'Shade',
      place: 'Mill Street',
      longitude: '-74.5',
      latitude: '45.25',
      supports: '7',
      answer: 'We plant it in March.',
      answered_by: 'Parks',
    })
    expect(new URL(rows[0]?.['page'] ?? '').pathname).toBe(`/projects/${address.slug}/trees/1`)
    // A spreadsheet would run it as a formula.
    expect(rows[0]?.['text']?.startsWith('=')).toBe(false)

    const json = (await (await download('json', address)).json()) as { licence: string; contributions: Record<string, unknown>[] }
    expect(json.licence).toMatch(/^https:\/\/creativecommons\.org\//)
    expect(json.contributions.map((one) => [one['number'], one['title'], one['supports']])).toEqual([
      [1, 'Oak by the school', 7],
      [2, 'Somewhere', 0],
    ])
    const places = (await (await download('geojson', address)).json()) as {
      type: string
      features: { type: string; geometry: unknown; properties: Record<string, unknown> }[]
    }
    expect(places.type).toBe('FeatureCollection')
    expect(places.features.map(({ type, geometry, properties }) => [type, geometry, properties['title']])).toEqual([
      ['Feature', { type: 'Point', coordinates: [-74.5, 45.25] }, 'Oak by the school'],
    ])
    for (const all of [text, JSON.stringify(json), JSON.stringify(places)]) {
      expect(all).not.toContain('Ana Secret')
      expect(all).not.toContain('Not public')
      expect(all).not.toContain('For the author only')
    }
  })

  test('are offered on the page of the activity, and in both catalogues', async () => {
    const { address } = await addOpenPlaces()
    const list = await listContributions(as(), { project: address.slug, activity: 'trees' }, {})
    expect(list.activity.openFormats).toEqual(['csv', 'json', 'geojson'])
    const context = requestContext(as())
    const request = new Request('http://alder.localhost/data.json')
    for (const serve of [serveDcatUs, serveDcatAp]) {
      const catalogue = await (await serve({ context, request, params: {} })).text()
      for (const format of ['csv', 'json', 'geojson'])
        expect(catalogue).toContain(`/projects/${address.slug}/trees/contributions.${format}"`)
    }
  })

  test('without places have no map format', async () => {
    const project = await addProject(runtime, site, { slug: `ideas-${createId()}` })
    await addActivity(runtime, site, { projectId: project.id, slug: 'ideas', settings: { openData: true } })
    const address = { slug: project.slug, activity: 'ideas' }
    expect((await download('csv', address)).status).toBe(200)
    expect((await download('geojson', address)).status).toBe(404)
    expect((await listContributions(as(), { project: project.slug, activity: 'ideas' }, {})).activity.openFormats).toEqual(['csv', 'json'])
  })

  test('are nobody’s unless the activity says so, and only of what everybody sees, whoever asks', async () => {
    const cases = [
      { settings: {} },
      { settings: { openData: true }, activity: { status: 'draft' as const } },
      { settings: { openData: true }, project: { status: 'draft' as const } },
      { settings: { openData: true }, project: { visibility: 'members' as const } },
      { settings: { openData: true }, project: { visibility: 'hidden' as const } },
      { settings: { openData: true }, project: { visibility: 'link' as const } },
    ]
    const admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
    for (const { settings, activity, project: values } of cases) {
      const project = await addProject(runtime, site, { slug: `closed-${createId()}`, ...values })
      await addActivity(runtime, site, { projectId: project.id, slug: 'ideas', settings, ...activity })
      const address = { slug: project.slug, activity: 'ideas' }
      for (const ctx of [as(), as(admin)]) expect((await download('csv', address, ctx)).status, JSON.stringify(values)).toBe(404)
      const catalogue = await (
        await serveDcatUs({ context: requestContext(as(admin)), request: new Request('http://alder.localhost/data.json'), params: {} })
      ).text()
      expect(catalogue).not.toContain(project.slug)
    }
    const { address } = await addOpenPlaces()
    const other = await addSite(runtime, { slug: 'birch' })
    expect((await download('csv', address, as(undefined, other))).status).toBe(404)
  })

  test('are switched on in the activity’s settings', async () => {
    const project = await addProject(runtime, site)
    const activity = await addActivity(runtime, site, { projectId: project.id, slug: 'ideas' })
    const { token } = await addAccount(runtime, site, { role: 'site_admin' })
    const changed = await createApiClient(runtime, site, token).patch(`/activities/${activity.id}`, {
      data: { type: 'activities', id: activity.id, attributes: { settings: { openData: true } }, meta: { lockVersion: 1 } },
    })
    expect(changed.status).toBe(200)
    expect((await download('csv', { slug: project.slug, activity: 'ideas' })).status).toBe(200)
  })
})
