import { beforeEach, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { isAppError } from '#app/lib/app-error.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { areas, homeAreas, projectAreas } from '#app/server/db/schema/areas.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import type { Site } from '#app/server/site-directory.ts'
import { buildAreasJson, buildShapefile, type DrawnWard, PRJ, squareRing } from '#tests/factories/area-files.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addPerson as addViewer, addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, buildAdministrator } from '#tests/support/people.ts'
import { uploadFile } from '#tests/support/pictures.ts'
import { getAreaMap } from '../area-map.server.ts'
import { loadLostAreas } from '../areas.server.ts'
import { type AreaFileChoice, previewAreaFile, storeAreaFile } from './import-areas.server.ts'

let runtime: TestRuntime
let site: Site
let token: string
let ctx: Ctx
let sites = 0

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `ward-${++sites}`, languages: ['en', 'fr-CA', 'cy'] })
  const admin = await addPerson(runtime, site, { role: 'site_admin' })
  token = admin.token
  ctx = createCtx(runtime, site, {
    viewer: { ...buildAdministrator(site.id, ['site_admin']), id: admin.id },
    language: 'en',
    address: null,
  })
})

const ward = (name: string, nom: string, code: string, west: number): DrawnWard => ({
  values: { WARD_NAME: name, NOM: nom, WARD_CODE: code },
  rings: [squareRing(west, 45, 0.1)],
})
const OLD_TOWN = ward('Old Town', 'Vieille-Ville', 'W1', -75)
const ISLAND = ward('Island', 'Île', 'W2', -74.9)
const MILLS = ward('Mills', 'Moulins', 'W3', -74.8)

const send = async (wards: readonly DrawnWard[] | Buffer): Promise<AreaFileChoice> => ({
  upload: await uploadFile(
    runtime,
    site,
    token,
    Buffer.isBuffer(wards) ? wards : Buffer.from(JSON.stringify(buildAreasJson(wards))),
    'wards.geojson',
  ),
  convertFrom: null,
  isSwapped: false,
})
async function storeWards(wards: readonly DrawnWard[] | Buffer, missing: 'keep' | 'remove' = 'remove') {
  const choice = await send(wards)
  const { chosen, version } = await previewAreaFile(ctx, choice)
  return storeAreaFile(ctx, { ...choice, columns: chosen, missing, version })
}
const listStored = () => ctx.db.read((tx) => tx.select().from(areas).where(eq(areas.siteId, site.id)).orderBy(areas.name))
async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    if (!isAppError(error)) throw error
    const [fault] = error.faults
    return fault?.pointer ? `${fault.code} ${fault.pointer}` : error.code
  }
}

describe('a file of areas', () => {
  test('is shown before anything is stored: names by language, keys, faults and what would change', async () => {
    const bow: DrawnWard = { values: { ...MILLS.values }, rings: [[[-75, 45], [-74, 46], [-74, 45], [-75, 46], [-75, 45]]] } // prettier-ignore
    const preview = await previewAreaFile(
      ctx,
      await send(buildShapefile([OLD_TOWN, ISLAND, bow, ward('', 'Sans nom', 'W9', -74)], PRJ.nad83)),
    )
    expect(preview).toMatchObject({
      format: 'shapefile',
      chosen: { names: { en: 'WARD_NAME', 'fr-CA': 'NOM' }, key: 'WARD_CODE' },
      columns: [
        { name: 'WARD_NAME', example: 'Old Town' },
        { name: 'NOM', example: 'Vieille-Ville' },
        { name: 'WARD_CODE', example: 'W1' },
      ],
      areas: [
        { name: 'Old Town', names: { en: 'Old Town', 'fr-CA': 'Vieille-Ville' }, key: 'W1', change: 'new', fault: null },
        { name: 'Island', change: 'new', fault: null },
        { name: 'Mills', change: 'new', fault: null, isCrossing: true },
        { name: '', change: null, fault: 'no-name' },
      ],
      missing: [],
      farKm: null,
    })
    expect(preview.map.areas.map(({ name }) => name)).toEqual(['Old Town', 'Island', 'Mills', ''])
    expect(await listStored()).toEqual([])
  })

  test('becomes the site’s areas, which maps show in the language of the reader', async () => {
    expect(await storeWards(buildShapefile([OLD_TOWN, ISLAND], PRJ.nad83))).toEqual({ added: 2, changed: 0, removed: 0, setAside: 0 })
    const french = createCtx(runtime, site, { viewer: ctx.viewer, language: 'fr-CA', address: null })
    expect((await getAreaMap(french)).areas.map(({ name }) => name)).toEqual(['Vieille-Ville', 'Île'])
    const welsh = createCtx(runtime, site, { viewer: ctx.viewer, language: 'cy', address: null })
    expect((await getAreaMap(welsh)).areas.map(({ name }) => name)).toEqual(['Island', 'Old Town'])
  })

  test('puts shapes of one name together, and the same outline twice is no hole', async () => {
    const islet: DrawnWard = { ...ISLAND, rings: [squareRing(-73, 45, 0.1)] }
    const preview = await previewAreaFile(ctx, await send([ISLAND, islet, islet, OLD_TOWN]))
    expect(preview.areas).toMatchObject([
      { name: 'Island', parts: 2 },
      { name: 'Old Town', parts: 1 },
    ])
    await storeWards([ISLAND, islet, islet, OLD_TOWN])
    expect((await listStored()).map(({ name, rings }) => [name, (rings as unknown[]).length])).toEqual([['Island', 2], ['Old Town', 1]]) // prettier-ignore
  })

  test('takes other columns than those that were guessed', async () => {
    const choice = await send([OLD_TOWN])
    const columns = { names: { en: 'WARD_CODE' } }
    const preview = await previewAreaFile(ctx, { ...choice, columns })
    expect(preview.areas).toMatchObject([{ name: 'W1', key: '' }])
    await storeAreaFile(ctx, { ...choice, columns, missing: 'remove', version: preview.version })
    expect(await listStored()).toMatchObject([{ name: 'W1', names: { en: 'W1' }, key: null }])
    const nothing = await previewAreaFile(ctx, await send([OLD_TOWN]))
    const order = { ...(await send([OLD_TOWN])), columns: { names: {} }, missing: 'remove' as const, version: nothing.version }
    expect(await refusalOf(storeAreaFile(ctx, order))).toBe('required /columns')
  })
})

describe('a second file of areas', () => {
  test('keeps those that keep their key or name, with their projects', async () => {
    await storeWards([OLD_TOWN, ISLAND])
    const [island, oldTown] = await listStored()
    const project = await addProject(runtime, site, { slug: 'quay' })
    await ctx.db.tx((tx) => tx.insert(projectAreas).values({ siteId: site.id, projectId: project.id, areaId: island?.id ?? '' }))
    const renamed = ward('Great Island', 'Grande Île', 'W2', -74.9)
    const withoutKey = { ...ward('OLD TOWN', 'Vieille-Ville', 'W1b', -75.2) }
    const preview = await previewAreaFile(ctx, await send([renamed, withoutKey]))
    expect(preview.areas).toMatchObject([
      { change: 'changed', was: 'Island' },
      { change: 'changed', was: 'Old Town' },
    ])
    await storeWards([renamed, withoutKey])
    expect((await listStored()).map(({ id, name, slug }) => [id, name, slug])).toEqual([
      [island?.id, 'Great Island', 'island'],
      [oldTown?.id, 'OLD TOWN', 'old-town'],
    ])
    expect(await storeWards([renamed, withoutKey])).toEqual({ added: 0, changed: 0, removed: 0, setAside: 0 })
  })

  test('says what it lacks and what uses that; what is used is set aside, and the rest is removed', async () => {
    await storeWards([OLD_TOWN, ISLAND, MILLS])
    const [island] = await listStored()
    const project = await addProject(runtime, site, { slug: 'quay', title: { en: 'Quay' } })
    const resident = await addViewer(runtime, site)
    await ctx.db.tx(async (tx) => {
      const areaId = island?.id ?? ''
      await tx.insert(projectAreas).values({ siteId: site.id, projectId: project.id, areaId })
      const userId = resident.kind === 'user' ? resident.id : ''
      await tx.insert(homeAreas).values({ siteId: site.id, userId, areaId, consentedAt: new Date() })
    })
    const preview = await previewAreaFile(ctx, await send([OLD_TOWN]))
    expect(preview.missing).toMatchObject([
      { name: 'Island', projects: ['Quay'], people: 1, campaigns: [] },
      { name: 'Mills', projects: [], people: 0 },
    ])
    expect(await storeWards([OLD_TOWN], 'keep')).toEqual({ added: 0, changed: 0, removed: 0, setAside: 0 })
    expect(await listStored()).toHaveLength(3)
    expect(await storeWards([OLD_TOWN])).toEqual({ added: 0, changed: 0, removed: 1, setAside: 1 })
    expect((await getAreaMap(ctx)).areas.map(({ name }) => name)).toEqual(['Old Town'])
    expect(await loadLostAreas(ctx)).toMatchObject([{ name: 'Island', projects: ['Quay'], people: 1 }])
    // It comes back as it was.
    expect(await storeWards([OLD_TOWN, ISLAND])).toMatchObject({ changed: 1 })
    expect((await listStored()).find(({ name }) => name === 'Island')).toMatchObject({ id: island?.id, goneAt: null })
  })

  test('leaves an area as it is if it has no new outline', async () => {
    await storeWards([OLD_TOWN, ISLAND])
    const before = await listStored()
    const label = { type: 'Feature', properties: ISLAND.values, geometry: { type: 'Point', coordinates: [-75, 45] } }
    const { features } = buildAreasJson([OLD_TOWN])
    const file = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: [...features, label] }))
    expect(await previewAreaFile(ctx, await send(file))).toMatchObject({
      missing: [],
      areas: [{ change: 'same' }, { fault: 'no-outline' }],
    })
    await storeWards(file)
    expect(await listStored()).toEqual(before)
  })

  test('is refused if the areas have changed since its preview, and its upload is kept', async () => {
    const choice = await send([OLD_TOWN])
    const { chosen, version } = await previewAreaFile(ctx, choice)
    await storeWards([ISLAND])
    const order = { ...choice, columns: chosen, missing: 'remove' as const, version }
    expect(await refusalOf(storeAreaFile(ctx, order))).toBe('stale')
    expect((await listStored()).map(({ name }) => name)).toEqual(['Island'])
    expect(await storeAreaFile(ctx, { ...order, version: (await previewAreaFile(ctx, choice)).version })).toMatchObject({
      added: 1,
      removed: 1,
    })
  })

  test('with latitude first is refused where the site’s place shows it, and far areas are said to be far', async () => {
    await addAreas(runtime, site, [{ name: 'Bute', west: -3.2, south: 51.4, side: 0.1 }])
    const cardiff = [{ ...OLD_TOWN, rings: [squareRing(-3.3, 51.4, 0.05)] }]
    const turned = cardiff.map((each) => ({ ...each, rings: each.rings.map((ring) => ring.map(([x, y]) => [y, x] as const)) }))
    expect((await previewAreaFile(ctx, await send(cardiff))).farKm).toBeNull()
    const choice = await send(turned)
    expect(await refusalOf(previewAreaFile(ctx, choice))).toBe('area-file-swapped /upload')
    expect((await previewAreaFile(ctx, { ...choice, isSwapped: true })).box[0]).toBeCloseTo(-3.3, 5)
    expect((await previewAreaFile(ctx, await send([OLD_TOWN]))).farKm).toBeGreaterThan(4000)
  })

  test('ends what a dataset says about the areas, and the preview says so', async () => {
    await addAreas(runtime, site, [{ name: 'Island', west: -74.9, south: 45, side: 0.1 }])
    await ctx.db.tx((tx) => tx.update(cityDatasets).set({ boundaries: { name: 'ward' } }))
    const [before] = await listStored()
    expect(await previewAreaFile(ctx, await send([ISLAND]))).toMatchObject({ dataset: 'Wards', areas: [{ change: 'changed' }] })
    await storeWards([ISLAND])
    expect(await listStored()).toMatchObject([{ id: before?.id, datasetId: null }])
    const { rows } = await ctx.db.read((tx) => tx.execute(sql`select boundaries from city_datasets where site_id = ${site.id}`))
    expect(rows).toEqual([{ boundaries: null }])
  })

  test('is for those who may edit the site', async () => {
    const stranger = createCtx(runtime, site, { viewer: buildAdministrator(site.id, ['hub_admin']), language: 'en', address: null })
    const choice = await send([OLD_TOWN])
    expect(await refusalOf(previewAreaFile(stranger, choice))).toBe('forbidden')
    expect(await refusalOf(storeAreaFile(stranger, { ...choice, columns: { names: {} }, missing: 'keep', version: '' }))).toBe('forbidden')
  })
})
