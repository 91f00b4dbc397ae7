import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listContributions } from '#app/features/contributions/reading/views.server.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { buildOddMap, buildStreetTile, TOWN } from '#tests/factories/map-files.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { uploadFile } from '#tests/support/pictures.ts'

let runtime: TestRuntime
let site: Site
let token: string
let sites = 0
let admin: ReturnType<typeof createApiClient>
let server: Server
/** What the server of maps answers. */
let served: { status: number; body: Buffer }

beforeAll(async () => {
  runtime = await createTestRuntime({ OUTGOING_LOOPBACK: 'true' })
  server = createServer((_, response) => response.writeHead(served.status).end(served.body))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => server.close())
beforeEach(async () => {
  site = await addSite(runtime, { slug: `town-${++sites}` })
  token = (await addPerson(runtime, site, { role: 'site_admin' })).token
  admin = createApiClient(runtime, site, token)
})

const CREDIT = '© OpenStreetMap contributors'
const sendMap = (content: unknown, name = 'town.geojson') =>
  uploadFile(runtime, site, token, Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content)), name)
const add = (attributes: Record<string, unknown>) => admin.post('/map-files', buildResourceDocument('map-files', attributes))
async function listFiles(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of openStorage(runtime.env).keysBelow(site.id)) keys.push(key)
  return keys
}
const idOf = ({ body }: Awaited<ReturnType<typeof add>>) => (body?.data as { id: string } | undefined)?.id ?? ''
const faultsOf = (answer: Awaited<ReturnType<typeof add>>) => answer.body?.errors?.map(({ code, source }) => `${code} ${source?.pointer}`)

describe('the map of a site', () => {
  test('is uploaded as GeoJSON, and its streets are below the map of places with who made it', async () => {
    const activity = await addActivity(runtime, site, { kind: 'places' })
    const draw = async () => {
      const ctx = createCtx(runtime, site, { viewer: VISITOR, language: 'en', address: null })
      return (
        await listContributions(ctx, { project: activity.projectSlug, activity: activity.slug }, { bbox: '-74.73,45.016,-74.72,45.0225' })
      ).map
    }
    expect((await draw())?.streets).toBeUndefined()
    const added = await add({ upload: await sendMap(TOWN), credit: CREDIT })
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    expect(added.body?.data).toMatchObject({ attributes: { name: 'town.geojson', credit: CREDIT, box: [-74.74, 45.005, -74.71, 45.035] } })
    const map = await draw()
    expect(map?.credit).toBe(CREDIT)
    expect(map?.streets).toContain('>Alder Street 11</text>')
    expect(map?.streets?.match(/<path /g)?.length).toBeGreaterThan(3)
  })

  test('is replaced by another: one file is kept, and none after it is removed', async () => {
    await add({ upload: await sendMap(TOWN), credit: CREDIT })
    const [first] = await listFiles()
    const second = await add({
      upload: await sendMap(buildOddMap({ tile: buildStreetTile('Mill Lane'), metadata: { attribution: 'Mill Town' } })),
    })
    expect(second.body?.data).toMatchObject({ attributes: { credit: 'Mill Town' } })
    const left = await listFiles()
    // Its tiles and its names.
    expect(left).toHaveLength(2)
    expect(left).not.toContain(first)
    const listed = (await admin.get('/map-files')).body?.data as { id: string }[]
    expect(listed).toHaveLength(1)
    expect((await admin.delete(`/map-files/${listed[0]?.id}`)).status).toBe(204)
    expect(await listFiles()).toEqual([])
    expect((await admin.get('/map-files')).body?.data).toEqual([])
  })

  test('says who made it: from the input, else from the file, and not at all is refused', async () => {
    const upload = await sendMap(TOWN)
    expect(faultsOf(await add({ upload }))).toEqual(['required /data/attributes/credit'])
    const added = await add({ upload, credit: CREDIT })
    const id = idOf(added)
    const change = (credit: string) => admin.patch(`/map-files/${id}`, buildResourceDocument('map-files', { credit }, { id }))
    expect((await change('© \u202EMill Town')).body?.data).toMatchObject({ attributes: { credit: '© Mill Town' } })
    expect(faultsOf(await change(' '))).toEqual(['required /data/attributes/credit'])
  })

  test('is downloaded once from an address, and refused at it', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/maps/town.pmtiles`
    served = { status: 200, body: buildOddMap({ tile: buildStreetTile('Mill Lane'), metadata: { attribution: 'Mill Town' } }) }
    expect((await add({ address })).body?.data).toMatchObject({
      attributes: { name: address.slice('http://'.length), credit: 'Mill Town' },
    })
    served = { status: 200, body: buildOddMap({ tileType: 2 }) }
    expect(faultsOf(await add({ address }))).toEqual(['map-file-raster /data/attributes/address'])
    served = { status: 404, body: Buffer.from('not here') }
    expect(faultsOf(await add({ address }))).toEqual(['map-file-unreachable /data/attributes/address'])
    served = { status: 200, body: Buffer.alloc(20_000_001) }
    expect(faultsOf(await add({ address }))).toEqual(['file-too-large /data/attributes/address'])
    expect(faultsOf(await add({ address: 'file:///etc/passwd' }))).toEqual(['not-a-link /data/attributes/address'])
    // What was refused did not take the place of what was there.
    expect((await admin.get('/map-files')).body?.data).toMatchObject([{ attributes: { credit: 'Mill Town' } }])
  })

  test('belongs to those who edit the site, and to nobody elsewhere', async () => {
    const added = await add({ upload: await sendMap(TOWN), credit: CREDIT })
    const id = idOf(added)
    const hubAdmin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'project_admin' })).token)
    expect((await hubAdmin.get('/map-files')).status).toBe(403)
    expect((await createApiClient(runtime, site).get('/map-files')).status).toBe(401)
    const other = await addSite(runtime, { slug: `town-${++sites}` })
    const stranger = createApiClient(runtime, other, (await addPerson(runtime, other, { role: 'site_admin' })).token)
    expect((await stranger.get(`/map-files/${id}`)).status).toBe(404)
    expect((await stranger.delete(`/map-files/${id}`)).status).toBe(404)
    expect((await stranger.get('/map-files')).body?.data).toEqual([])
  })

  test('counts towards the storage of its site', async () => {
    const small = await createTestRuntime({ MEDIA_QUOTA_MB: '1' })
    const own = await addSite(small, { slug: `town-${++sites}` })
    const person = await addPerson(small, own, { role: 'site_admin' })
    const client = createApiClient(small, own, person.token)
    const noise = Array.from({ length: 60_000 }, (_, at) => `x${(at * 2_654_435_761) % 4_294_967_296}`).join('')
    const upload = await uploadFile(small, own, person.token, buildOddMap({ tile: buildStreetTile('Mill Lane'), metadata: { attribution: 'Mill Town', noise } }), 'a.pmtiles') // prettier-ignore
    expect((await client.post('/map-files', buildResourceDocument('map-files', { upload }))).status).toBe(201)
    const full = await client.post('/media-uploads', buildResourceDocument('media-uploads', { name: 'a.png', bytes: 990_000 }))
    expect(full.body?.errors?.map(({ code }) => code)).toEqual(['storage-full'])
  })
})
