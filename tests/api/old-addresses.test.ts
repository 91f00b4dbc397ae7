import { beforeAll, expect, test } from 'vitest'
import { getHub } from '#app/features/hubs/hubs.server.ts'
import { getPage } from '#app/features/pages/pages.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { type AddressedKind, redirectIfMoved } from '#app/features/sites/old-addresses.server.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: ReturnType<typeof createApiClient>
const text = { en: 'Text' }
const READ = { projects: getProject, hubs: getHub, pages: getPage } as const

const idOf = (answer: ApiAnswer) => (answer.body as { data: { id: string } }).data.id
const rename = async (type: AddressedKind, id: string, slug: string, lockVersion: number) =>
  expect((await admin.patch(`/${type}/${id}`, buildResourceDocument(type, { slug }, { id, lockVersion }))).status).toBe(200)

/** Where a visitor of the slug ends up: at that slug, or the one they are redirected to. */
async function visit(kind: AddressedKind, slug: string, at = site): Promise<string | number> {
  const ctx = createCtx(runtime, at)
  try {
    return (await redirectIfMoved(ctx, kind, slug, (): Promise<{ slug: string }> => READ[kind](ctx, { slug }))).slug
  } catch (answer) {
    if (!(answer instanceof Response)) return (answer as { status: number }).status
    const { options } = answer as unknown as { options: { to: string; params: { slug: string }; statusCode: number } }
    expect(options).toMatchObject({ to: `/${kind}/$slug`, statusCode: 301 })
    return `-> ${options.params.slug}`
  }
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en'] })
  admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
})

test.each(['projects', 'hubs', 'pages'] as const)(
  'old addresses of %s redirect to the newest, never to another thing or another site',
  async (kind) => {
    const attributes = {
      projects: { titleTranslations: text, summaryTranslations: text },
      hubs: { titleTranslations: text, isPublished: true },
      pages: { titleTranslations: text, bodyTranslations: text, publishedAt: '2026-01-01T00:00:00Z' },
    }[kind]
    const id = idOf(await admin.post(`/${kind}`, buildResourceDocument(kind, { ...attributes, slug: `${kind}-first` })))
    if (kind === 'projects') await admin.post(`/projects/${id}/publications`, buildResourceDocument('publications', {}))
    const version = kind === 'projects' ? 2 : 1
    await rename(kind, id, `${kind}-second`, version)
    await rename(kind, id, `${kind}-third`, version + 1)
    expect(await visit(kind, `${kind}-third`)).toBe(`${kind}-third`)
    expect(await visit(kind, `${kind}-first`)).toBe(`-> ${kind}-third`)
    expect(await visit(kind, `${kind}-second`)).toBe(`-> ${kind}-third`)
    expect(await visit(kind, `${kind}-fourth`)).toBe(404)
    // Back at the first address, which is then no longer an old one.
    await rename(kind, id, `${kind}-first`, version + 2)
    expect(await visit(kind, `${kind}-first`)).toBe(`${kind}-first`)
    expect(await visit(kind, `${kind}-third`)).toBe(`-> ${kind}-first`)
    const other = await addSite(runtime, { slug: `other-${kind}` })
    expect(await visit(kind, `${kind}-third`, other)).toBe(404)
  },
)

test('an old address taken by something new leads to the new thing', async () => {
  const page = { titleTranslations: text, bodyTranslations: text, publishedAt: '2026-01-01T00:00:00Z' }
  const id = idOf(await admin.post('/pages', buildResourceDocument('pages', { ...page, slug: 'rules' })))
  await rename('pages', id, 'old-rules', 1)
  await admin.post('/pages', buildResourceDocument('pages', { ...page, slug: 'rules' }))
  expect(await visit('pages', 'rules')).toBe('rules')
})
