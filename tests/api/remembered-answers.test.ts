import { beforeAll, expect, test } from 'vitest'
import { PublicReads } from '#app/server/public-reads.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { type Account, addAccount, requireItem, requireItems } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import type { Site } from '#app/server/site-directory.ts'

let runtime: TestRuntime
let site: Site
let admin: Account

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.publicAnswers = new PublicReads()
  site = await addSite(runtime)
  admin = await addAccount(runtime, site, { role: 'site_admin' })
})

/** Requests come with their own look at the site, as in the running product after it heard of a change. */
const connect = (token?: string, headers: Record<string, string> = {}) => {
  runtime.sites.refresh()
  return createApiClient(runtime, site, token, { headers })
}
const countStatements = async (work: () => Promise<unknown>) =>
  (await recordDatabaseUse(runtime, work)).statements.filter((text) => !/from "(site_domains|sites)"/.test(text)).length

test('a visitor’s list is read once for all visitors; a signed-in person’s and a search each time', async () => {
  await addProject(runtime, site)
  const first = await connect().get('/projects')
  let second = first
  expect(await countStatements(async () => (second = await connect().get('/projects')))).toBe(0)
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  for (const work of [() => connect(admin.token).get('/projects'), () => connect().get('/projects?filter[q]=bus')]) {
    await work()
    expect(await countStatements(work)).toBeGreaterThan(0)
  }
})

test('is answered in the language of each visitor', async () => {
  await addProject(runtime, site, { slug: 'languages', title: { en: 'The bridge', cy: 'Y bont' } })
  const titles = async (language: string) =>
    requireItems(await connect(undefined, { 'accept-language': language }).get('/projects?page[size]=7')).map(
      ({ attributes }) => attributes['title'],
    )
  expect(await titles('en')).toContain('The bridge')
  expect(await titles('cy')).toContain('Y bont')
  expect(await titles('en')).toContain('The bridge')
})

test('shows a change of published content at once', async () => {
  const { id } = await addProject(runtime, site)
  const title = async () => requireItem(await connect().get(`/projects/${id}`)).attributes['title']
  expect(await title()).toBe('A faster bus')
  const { meta } = requireItem(await connect(admin.token).get(`/projects/${id}`)) as unknown as { meta: { lockVersion: number } }
  const change = buildResourceDocument(
    'projects',
    { titleTranslations: inAllLanguages('A slower bus') },
    { id, lockVersion: meta.lockVersion },
  )
  expect((await connect(admin.token).patch(`/projects/${id}`, change)).status).toBe(200)
  expect(await title()).toBe('A slower bus')
})

test('remembers neither what is missing nor what a person with a token sees', async () => {
  const draft = await addProject(runtime, site, { status: 'draft', publishedAt: null })
  expect((await connect(admin.token).get(`/projects/${draft.id}`)).status).toBe(200)
  expect((await connect().get(`/projects/${draft.id}`)).status).toBe(404)
  const later = crypto.randomUUID()
  expect((await connect().get(`/projects/${later}`)).status).toBe(404)
  expect((await connect('no-such-token').get('/projects')).status).toBe(401)
})
