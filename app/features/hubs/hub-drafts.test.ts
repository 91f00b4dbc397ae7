import { beforeAll, expect, test } from 'vitest'
import { listProjects } from '#app/features/projects/projects.list.server.ts'
import { searchSite } from '#app/features/search/search.server.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { getHub, listHubs } from './hubs.server.ts'

type Api = ReturnType<typeof createApiClient>
interface Hub {
  id: string
  attributes: { isPublished: boolean }
  meta: { lockVersion: number }
}

let runtime: TestRuntime
let site: Site
let admin: Api

const visitor = () => createCtx(runtime, site)
const hubOf = (answer: { body?: unknown }) => (answer.body as { data: Hub }).data
const listSlugs = async () => (await listHubs(visitor())).map(({ slug }) => slug)

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
})

test('a new department is a draft: nobody but its administrators finds it until it is published', async () => {
  const titleTranslations = { en: 'Lighthouses' }
  const hub = hubOf(await admin.post('/hubs', buildResourceDocument('hubs', { slug: 'lighthouses', titleTranslations })))
  expect(hub.attributes.isPublished).toBe(false)
  await addProject(runtime, site, { hubId: hub.id, slug: 'lamps' })

  expect(await listSlugs()).not.toContain('lighthouses')
  await expect(getHub(visitor(), { slug: 'lighthouses' })).rejects.toMatchObject({ code: 'not-found' })
  expect((await searchSite(visitor(), { q: 'lighthouses' })).hits).toEqual([])
  expect((await createApiClient(runtime, site).get(`/hubs/${hub.id}`)).status).toBe(404)
  const other = await addHub(runtime, site)
  const elsewhere = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin', hubId: other.id })).token)
  expect((await elsewhere.get(`/hubs/${hub.id}`)).status).toBe(404)
  const own = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })).token)
  expect((await own.get(`/hubs/${hub.id}`)).status).toBe(200)
  // Its project stays public, without a link that leads nowhere.
  const lamps = (await listProjects(visitor(), {})).projects.find(({ slug }) => slug === 'lamps')
  expect(lamps?.hub).toBeNull()

  const { lockVersion } = hub.meta
  const published = await admin.patch(`/hubs/${hub.id}`, buildResourceDocument('hubs', { isPublished: true }, { id: hub.id, lockVersion }))
  expect(hubOf(published).attributes.isPublished).toBe(true)
  expect(await listSlugs()).toContain('lighthouses')
  expect((await createApiClient(runtime, site).get(`/hubs/${hub.id}`)).status).toBe(200)
})

test('a published department can be taken back', async () => {
  const { id } = await addHub(runtime, site, { slug: 'harbours' })
  expect(await listSlugs()).toContain('harbours')
  await admin.patch(`/hubs/${id}`, buildResourceDocument('hubs', { isPublished: false }, { id, lockVersion: 1 }))
  expect(await listSlugs()).not.toContain('harbours')
})
