import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { projectAreas } from '#app/server/db/schema/areas.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { square } from '#tests/factories/map-files.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, buildAdministrator } from '#tests/support/people.ts'
import { getAreaMap } from './area-map.server.ts'
import { takeOverAreas } from './own-areas.server.ts'

let runtime: TestRuntime
let site: Site
let sites = 0
let admin: ReturnType<typeof createApiClient>

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `outline-${++sites}`, languages: ['en', 'fr-CA'] })
  const person = await addPerson(runtime, site, { role: 'site_admin' })
  admin = createApiClient(runtime, site, person.token)
})

const draw = (attributes: Record<string, unknown>, as = admin) =>
  as.post('/area-outlines', buildResourceDocument('area-outlines', { nameTranslations: { en: 'Old Town' }, outline: square(-75, 45, 0.1), ...attributes })) // prettier-ignore
const idOf = (answer: Awaited<ReturnType<typeof draw>>) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return (answer.body?.data as { id: string } | undefined)?.id ?? ''
}
const change = (id: string, attributes: Record<string, unknown>, lockVersion = 1) =>
  admin.patch(`/area-outlines/${id}`, buildResourceDocument('area-outlines', attributes, { id, lockVersion }))
const listNames = async (language: 'en' | 'fr-CA' = 'en') =>
  (await getAreaMap(createCtx(runtime, site, { viewer: VISITOR, language, address: null }))).areas.map(({ name }) => name)

describe('an area that is drawn', () => {
  test('is on the maps of everybody, in their language, and can be changed and removed', async () => {
    const id = idOf(await draw({ nameTranslations: { en: 'Old Town', 'fr-CA': 'Vieille-Ville' }, key: 'W1' }))
    expect([await listNames(), await listNames('fr-CA')]).toEqual([['Old Town'], ['Vieille-Ville']])
    const wider = square(-75, 45, 0.2)
    expect((await change(id, { outline: wider, nameTranslations: { en: 'Town' } })).status).toBe(200)
    expect((await admin.get(`/area-outlines/${id}`)).body?.data).toMatchObject({
      attributes: { name: 'Town', key: 'W1', outline: wider, fromDataset: false, setAside: false, slug: 'old-town' },
    })
    expect((await change(id, { key: 'W2' })).status).toBe(409)
    expect((await admin.delete(`/area-outlines/${id}`)).status).toBe(204)
    expect(await listNames()).toEqual([])
  })

  test('keeps its holes and its islands as GeoJSON has them', async () => {
    const [outer = [], hole = [], island = []] = [square(-75, 45, 0.3), square(-74.9, 45.1, 0.1), square(-74, 45, 0.1)].map(({ coordinates }) => coordinates[0]) // prettier-ignore
    const outline = { type: 'MultiPolygon', coordinates: [[outer, hole], [island]] }
    const id = idOf(await draw({ outline }))
    expect((await admin.get(`/area-outlines/${id}`)).body?.data).toMatchObject({ attributes: { outline } })
  })

  test('is refused without a name, with one that is taken, and with an outline that is none', async () => {
    idOf(await draw({}))
    expect((await draw({ nameTranslations: { en: ' ' } })).codes).toEqual(['required'])
    expect((await draw({ nameTranslations: { en: 'OLD  town' } })).codes).toEqual(['taken'])
    const name = { nameTranslations: { en: 'Bow' } }
    const bow = [[-75, 45], [-74, 46], [-74, 45], [-75, 46], [-75, 45]] // prettier-ignore
    expect((await draw({ ...name, outline: { type: 'Polygon', coordinates: [bow] } })).codes).toEqual(['self-crossing'])
    expect((await draw({ ...name, outline: { type: 'Polygon', coordinates: [bow.slice(0, 2)] } })).codes).toEqual(['too-few'])
    expect((await draw({ ...name, outline: square(530_000, 180_000, 100) })).codes).toEqual(['layer-not-degrees'])
    expect((await draw({ ...name, outline: { type: 'Point', coordinates: [1, 2] } })).status).toBe(422)
    expect(await listNames()).toEqual(['Old Town'])
  })

  test('is not removed while something uses it, which is said; it can be set aside first', async () => {
    const id = idOf(await draw({}))
    const project = await addProject(runtime, site, { slug: 'quay', title: { en: 'Quay' } })
    await runtime.database.site(site.id).tx((tx) => tx.insert(projectAreas).values({ siteId: site.id, projectId: project.id, areaId: id }))
    const refused = await admin.delete(`/area-outlines/${id}`)
    expect(refused.codes).toEqual(['area-in-use'])
    expect(JSON.stringify(refused.body)).toContain('Projects: Quay')
    expect((await admin.get('/lost-areas')).body?.data).toEqual([])
    expect((await change(id, { setAside: true })).status).toBe(200)
    expect(await listNames()).toEqual([])
    expect((await admin.get('/lost-areas')).body?.data).toMatchObject([{ id, attributes: { projects: ['Quay'] } }])
    expect((await admin.delete(`/lost-areas/${id}`)).status).toBe(204)
  })

  test('waits until areas of a dataset are kept as the site’s own', async () => {
    const { Bute } = await addAreas(runtime, site, [{ name: 'Bute', west: -3.2, south: 51.4, side: 0.1 }])
    await runtime.database.site(site.id).tx((tx) => tx.update(cityDatasets).set({ boundaries: { name: 'ward' } }))
    expect((await draw({})).codes).toEqual(['area-of-dataset'])
    expect((await change(Bute ?? '', { key: 'W1' })).codes).toEqual(['area-of-dataset'])
    expect((await admin.delete(`/area-outlines/${Bute}`)).codes).toEqual(['area-of-dataset'])
    await takeOverAreas(createCtx(runtime, site, { viewer: buildAdministrator(site.id, ['site_admin']), language: 'en', address: null }))
    expect((await change(Bute ?? '', { key: 'W1' })).status).toBe(200)
    expect((await admin.get('/area-outlines')).body?.data).toMatchObject([{ attributes: { name: 'Bute', fromDataset: false } }])
  })

  test('is for those who may edit the site', async () => {
    const other = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin' })).token)
    expect((await draw({}, other)).status).toBe(403)
    expect((await other.get('/area-outlines')).status).toBe(403)
    expect((await createApiClient(runtime, site).get('/area-outlines')).status).toBe(401)
  })
})
