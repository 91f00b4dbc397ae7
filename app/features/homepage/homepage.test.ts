import { beforeEach, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { getHomepage } from './homepage.server.ts'

const runtime = await createTestRuntime()
let site: Site
let number = 0
beforeEach(async () => {
  site = await addSite(runtime, { slug: `site${++number}` })
})

const publish = (blocks: unknown[], publishedAt: Date | null = new Date(Date.now() - 1000)) =>
  runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(homepageRevisions).values({ siteId: site.id, id: createId(), content: { schema: 1, blocks }, publishedAt }))
const blocks = async () => (await getHomepage(createCtx(runtime, site))).blocks

test('a site without a homepage shows the default blocks', async () => {
  await addProject(runtime, site)
  await addHub(runtime, site)
  expect((await blocks()).map((block) => block.type)).toEqual(['hero', 'project_grid', 'hub_grid', 'counters'])
})

test('a new site shows no row of zeros', async () => {
  expect((await blocks()).map((block) => block.type)).toEqual(['hero', 'project_grid'])
  await addProject(runtime, site)
  expect((await blocks()).at(-1)).toMatchObject({ type: 'counters', data: { values: { open_projects: 1, answers: 0 } } })
})

test('shows the newest published revision, never a draft', async () => {
  const hero = (text: string) => ({ id: 'a', type: 'hero', title: { en: text }, text: {} })
  await publish([hero('old')], new Date(Date.now() - 10_000))
  await publish([hero('now')])
  await publish([hero('draft')], null)
  await publish([hero('later')], new Date(Date.now() + 60_000))
  expect(await blocks()).toMatchObject([{ type: 'hero', title: { text: 'now' } }])
})

test('skips blocks that cannot be parsed or shown, and keeps the others', async () => {
  const secret = await addProject(runtime, site, { status: 'draft', publishedAt: null })
  await publish([
    { id: 'a', type: 'carousel' },
    null,
    { id: 'b', type: 'hero', title: { en: 'Hi' }, text: {}, action: { label: { en: 'x' }, href: 'javascript:alert(1)' } },
    { id: 'c', type: 'featured_project', projectId: secret.id },
    { id: 'd', type: 'voices', title: {}, quotes: [{ text: 'More shade.', language: 'en', projectId: secret.id }] },
    { id: 'e', type: 'rich_text', body: { en: 'Hello' } },
  ])
  expect(await blocks()).toMatchObject([
    { id: 'd', type: 'voices', title: { text: '' }, quotes: [{ text: 'More shade.', language: 'en' }], data: { projects: [] } },
    { id: 'e', type: 'rich_text', body: { text: 'Hello' } },
  ])
})

test('a grid leaves out the featured project and fills whole rows', async () => {
  const featured = await addProject(runtime, site)
  for (let at = 0; at < 4; at++) await addProject(runtime, site)
  await publish([
    { id: 'a', type: 'featured_project', projectId: featured.id },
    { id: 'b', type: 'project_grid', title: {}, filter: 'open', limit: 6 },
  ])
  const grid = (await blocks())[1]
  expect(grid).toMatchObject({ type: 'project_grid', data: { total: 5 } })
  expect(grid?.type === 'project_grid' && grid.data.projects.map(({ id }) => id)).not.toContain(featured.id)
  expect(grid?.type === 'project_grid' && grid.data.projects).toHaveLength(3)
})
