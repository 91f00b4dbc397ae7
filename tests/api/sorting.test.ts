import { beforeAll, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

/** Lists sorted by a name are in the order that readers of the request's language expect. */
let runtime: TestRuntime
let site: Site
let token = ''

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA', 'cy'] })
  token = (await addPerson(runtime, site, { role: 'site_admin', login: 'Morgan' })).token
  for (const login of ['Zainab', 'Étienne', 'eve', 'Lloyd', 'Lowri']) await addPerson(runtime, site, { login })
  const api = createApiClient(runtime, site, token)
  for (const en of ['Zoo', 'Écoles', 'eaux']) await api.post('/topics', buildResourceDocument('topics', { titleTranslations: { en } }))
})

async function listFields(language: string, path: string, field: string): Promise<unknown[]> {
  const answer: ApiAnswer = await createApiClient(runtime, site, token, { headers: { 'accept-language': language } }).get(path)
  const rows = (answer.body?.data ?? []) as { attributes: Record<string, unknown> }[]
  return rows.map(({ attributes }) => attributes[field])
}

test('people: accents and capitals do not push a name to the end', async () => {
  expect(await listFields('fr-CA', '/users?sort=login', 'login')).toEqual(['Étienne', 'eve', 'Lloyd', 'Lowri', 'Morgan', 'Zainab'])
  expect(await listFields('en', '/users?sort=-login', 'login')).toEqual(['Zainab', 'Morgan', 'Lowri', 'Lloyd', 'eve', 'Étienne'])
})

test('people: in Welsh, Ll is a letter of its own after L', async () => {
  expect(await listFields('cy', '/users?sort=login', 'login')).toEqual(['Étienne', 'eve', 'Lowri', 'Lloyd', 'Morgan', 'Zainab'])
})

test('people: a search is sorted alike', async () => {
  expect(await listFields('fr-CA', '/users?sort=login&filter[q]=et', 'login')).toEqual(['Étienne'])
})

test('titles', async () => {
  expect(await listFields('fr-CA', '/topics?sort=title', 'title')).toEqual(['eaux', 'Écoles', 'Zoo'])
})
