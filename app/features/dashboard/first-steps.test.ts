import { beforeEach, expect, test } from 'vitest'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { appearanceRevisions, homepageRevisions } from '#app/server/db/schema/homepage.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub, addPage } from '#tests/factories/content.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { loadFirstSteps } from './first-steps.server.ts'
import { createId } from '#app/lib/uuid.ts'

let runtime: TestRuntime
let site: Site
let admin: Person

const ctxOf = async ({ token }: Person): Promise<Ctx> => {
  const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, token, runtime.now())
  return createCtx(runtime, site, { viewer })
}
const listDone = async () => (await loadFirstSteps(await ctxOf(admin))).filter(({ isDone }) => isDone).map(({ name }) => name)

beforeEach(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

test('an empty site lists every step, and connecting an email service only while there is none', async () => {
  const names = (await loadFirstSteps(await ctxOf(admin))).map(({ name }) => name)
  expect(names).toEqual(['settings', 'mail', 'legal', 'appearance', 'homepage', 'hub', 'project', 'survey', 'publish', 'invite'])
  expect(await listDone()).toEqual([])
  runtime.env.SMTP_URL = 'smtp://127.0.0.1:9'
  expect((await loadFirstSteps(await ctxOf(admin))).map(({ name }) => name)).not.toContain('mail')
})

test('what exists is done, without anybody ticking it', async () => {
  await addHub(runtime, site)
  const project = await addProject(runtime, site)
  await addSurvey(runtime, site, { projectId: project.id })
  expect(await listDone()).toEqual(['hub', 'project', 'survey', 'publish'])
  await runtime.database.site(site.id).tx(async (tx) => {
    const revision = { siteId: site.id, id: createId(), publishedAt: runtime.now() }
    await tx.insert(homepageRevisions).values({ ...revision, content: { schema: 2, blocks: [] } })
    await tx.insert(appearanceRevisions).values({ ...revision, content: {} })
  })
  site = { ...site, contactEmail: 'consult@city.example' }
  await addPerson(runtime, site)
  await addPage(runtime, site, { kind: 'page' })
  expect(await listDone()).not.toContain('legal')
  await addPage(runtime, site, { kind: 'legal', slug: 'privacy' })
  expect(await listDone()).not.toContain('legal')
  await addPage(runtime, site, { kind: 'legal', slug: 'terms', publishedAt: null })
  // Terms that are written but not published are read by nobody.
  expect(await listDone()).not.toContain('legal')
  await addPage(runtime, site, { kind: 'legal', slug: 'terms-of-use' })
  expect(await listDone()).toEqual(['settings', 'legal', 'appearance', 'homepage', 'hub', 'project', 'survey', 'publish', 'invite'])
})

test('a published project is a published consultation only with a published survey or activity', async () => {
  const project = await addProject(runtime, site)
  expect(await listDone()).not.toContain('publish')
  await addSurvey(runtime, site, { projectId: project.id, status: 'draft' })
  expect(await listDone()).not.toContain('publish')
  const draft = await addProject(runtime, site, { status: 'draft' })
  await addSurvey(runtime, site, { projectId: draft.id })
  expect(await listDone()).not.toContain('publish')
  await addActivity(runtime, site, { projectId: project.id })
  expect(await listDone()).toContain('publish')
})

test('only those who set the site up have steps', async () => {
  expect(await loadFirstSteps(await ctxOf(await addPerson(runtime, site)))).toEqual([])
})
