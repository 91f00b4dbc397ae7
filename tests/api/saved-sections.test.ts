import { beforeAll, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let hubAdmin: Person
let hub: { id: string }
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'kept' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  hub = await addHub(runtime, site)
  hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const blocks = [{ id: 'a', type: 'rich_text', body: { en: 'How we decide' } }]
const keep = (by: Person, options: { name?: string; blocks?: unknown[]; hub?: string } = {}) =>
  api(by).post(
    '/saved-sections',
    buildResourceDocument(
      'saved-sections',
      { name: options.name ?? 'How we decide', content: { schema: 2, blocks: options.blocks ?? blocks } },
      options.hub ? { to: { hub: { type: 'hubs', id: options.hub } } } : {},
    ),
  )
const names = (answer: ApiAnswer) =>
  ((answer.body?.data ?? []) as { attributes: { name: string } }[]).map(({ attributes }) => attributes.name)

test('a section is saved under a name, found by name, and deleted', async () => {
  const kept = await keep(admin, { name: 'Zebra crossings' })
  expect(kept.status).toBe(201)
  await keep(admin, { name: 'At the council' })
  expect(names(await api(admin).get('/saved-sections'))).toEqual(['At the council', 'Zebra crossings'])
  const { id } = (kept.body?.data ?? { id: '' }) as { id: string }
  expect((await api(admin).get(`/saved-sections/${id}`)).body?.data).toMatchObject({ attributes: { content: { blocks: [{ id: 'a' }] } } })
  expect((await api(admin).delete(`/saved-sections/${id}`)).status).toBe(204)
  expect(names(await api(admin).get('/saved-sections'))).toEqual(['At the council'])
})

test('refuses to save invalid blocks', async () => {
  const refused = await keep(admin, { blocks: [{ id: 'a', type: 'carousel' }] })
  expect([refused.status, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/content/blocks/0/type'])
  expect((await keep(admin, { name: ' ' })).codes).toEqual(['required'])
})

test('a department’s sections belong to its administrators, the site’s to site administrators', async () => {
  expect((await keep(hubAdmin)).status).toBe(403)
  expect((await keep(hubAdmin, { name: 'Of the parks', hub: hub.id })).status).toBe(201)
  expect(names(await api(hubAdmin).get('/saved-sections'))).toEqual(['Of the parks'])
  expect(names(await api(admin).get('/saved-sections'))).toContain('Of the parks')
  expect(names(await api(await addPerson(runtime, site)).get('/saved-sections'))).toEqual([])
  expect((await api().get('/saved-sections')).body?.data).toEqual([])
})
