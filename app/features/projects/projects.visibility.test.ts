import { beforeAll, describe, expect, test } from 'vitest'
import { createDraftLink, revokeDraftLink, loadDraftLinksById } from '#app/features/revisions/draft-links.server.ts'
import { type Viewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addPerson, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { alterToken } from '#tests/support/alter-token.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { listProjects } from './projects.list.server.ts'
import { requireProjectBySlug, getProject } from './projects.server.ts'

let runtime: TestRuntime
let site: Site
let people: Record<
  'visitor' | 'participant' | 'member' | 'projectAdmin' | 'hubAdmin' | 'otherHubAdmin' | 'siteAdmin' | 'platform' | 'support',
  Viewer
>
const slugs = {
  public: 'public',
  members: 'members',
  hidden: 'hidden',
  link: 'link',
  draft: 'draft',
  removed: 'removed',
  archived: 'archived',
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  const hub = await addHub(runtime, site)
  const other = await addHub(runtime, site)
  const add = (slug: string, values: Parameters<typeof addProject>[2]) => addProject(runtime, site, { slug, hubId: hub.id, ...values })
  const [draft, members] = await Promise.all([
    add(slugs.draft, { status: 'draft', publishedAt: null }),
    add(slugs.members, { visibility: 'members' }),
    add(slugs.public, {}),
    add(slugs.hidden, { visibility: 'hidden' }),
    add(slugs.link, { visibility: 'link' }),
    add(slugs.removed, { status: 'archived', visibility: 'hidden' }),
    add(slugs.archived, { status: 'archived' }),
  ])
  const platform = {
    ...(await addPerson(runtime, site)),
    roles: [{ role: 'platform_admin' as const, hubId: null, projectId: null, mayExportPersonalData: false }],
  }
  people = {
    visitor: VISITOR,
    participant: await addPerson(runtime, site),
    member: await addPerson(runtime, site, { memberOf: members.id }),
    projectAdmin: await addPerson(runtime, site, {
      roles: [draft, members].map(({ id }) => ({ role: 'project_admin' as const, projectId: id })),
    }),
    hubAdmin: await addPerson(runtime, site, { roles: [{ role: 'hub_admin', hubId: hub.id }] }),
    otherHubAdmin: await addPerson(runtime, site, { roles: [{ role: 'hub_admin', hubId: other.id }] }),
    siteAdmin: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }),
    platform,
    support: { ...platform, supportGranted: true },
  }
})

const outcome = async (who: keyof typeof people, slug: string, preview?: string) => {
  const ctx = createCtx(runtime, site, { viewer: people[who] })
  return getProject(ctx, { slug, preview }).then(
    (project) => (project.preview ? 'ahead' : 'seen'),
    (error: { code: string }) => error.code,
  )
}

describe('project visibility', () => {
  test.each([
    ['public', ['visitor', 'participant', 'member', 'otherHubAdmin', 'platform'], 'seen'],
    ['link', ['visitor', 'participant', 'platform'], 'seen'],
    ['members', ['visitor', 'participant', 'otherHubAdmin', 'platform'], 'not-found'],
    ['members', ['member', 'projectAdmin', 'hubAdmin', 'siteAdmin', 'support'], 'seen'],
    ['draft', ['visitor', 'participant', 'member', 'otherHubAdmin', 'platform'], 'not-found'],
    ['draft', ['projectAdmin', 'hubAdmin', 'siteAdmin', 'support'], 'ahead'],
    ['hidden', ['visitor', 'participant', 'member', 'projectAdmin', 'otherHubAdmin', 'platform'], 'not-found'],
    ['hidden', ['hubAdmin', 'siteAdmin', 'support'], 'ahead'],
    ['removed', ['visitor', 'participant', 'otherHubAdmin', 'platform'], 'gone'],
    ['archived', ['visitor', 'participant'], 'seen'],
  ] as const)('%s: to %s it is %s', async (slug, viewers, expected) => {
    for (const viewer of viewers) expect([viewer, await outcome(viewer, slugs[slug])]).toEqual([viewer, expected])
  })

  test('lists show public projects, and members-only projects to their members', async () => {
    const listed = async (who: keyof typeof people) =>
      (await listProjects(createCtx(runtime, site, { viewer: people[who] }), {})).projects.map((project) => project.slug).sort()
    for (const who of ['visitor', 'participant', 'otherHubAdmin', 'platform'] as const)
      expect([who, await listed(who)]).toEqual([who, ['archived', 'public']])
    for (const who of ['member', 'projectAdmin', 'hubAdmin', 'siteAdmin', 'support'] as const) {
      expect([who, await listed(who)]).toEqual([who, ['archived', 'members', 'public']])
    }
  })

  test('a preview link opens its draft until it expires or is revoked', async () => {
    const draft = await addProject(runtime, site, { slug: 'secret', status: 'draft', publishedAt: null })
    const admin = createCtx(runtime, site, { viewer: people.siteAdmin })
    const link = async (days: number) => {
      const expiresAt = new Date(Date.now() + days * 864e5).toISOString()
      const id = await createDraftLink(admin, { subject: 'project', placeId: draft.id, expiresAt })
      const [made] = await loadDraftLinksById(admin, [id])
      if (!made) throw new Error('the link is not seen by who made it')
      return { made, token: new URL(made.path, 'http://x').searchParams.get('preview') ?? '' }
    }
    const [good, short, revoked] = [await link(2), await link(0.5), await link(2)]
    await revokeDraftLink(admin, revoked.made)
    expect(good.made.path).toBe(`/projects/secret?preview=${good.token}`)
    expect(await outcome('visitor', 'secret', good.token)).toBe('ahead')
    expect(await outcome('participant', 'secret', good.token)).toBe('ahead')
    for (const token of [revoked.token, alterToken(good.token), good.made.id, '']) {
      expect(await outcome('visitor', 'secret', token)).toBe('not-found')
    }
    expect(await outcome('visitor', 'secret', short.token)).toBe('ahead')
    runtime.setNow(new Date(Date.now() + 864e5))
    expect(await outcome('visitor', 'secret', short.token)).toBe('not-found')
    runtime.setNow(undefined)
    expect(await outcome('visitor', slugs.draft, good.token)).toBe('not-found')
  })

  test('those who edit a project can create, see and revoke its preview links', async () => {
    const expiresAt = new Date(Date.now() + 864e5).toISOString()
    const { id: projectId } = await runtime.database
      .site(site.id)
      .tx(async (tx) => requireProjectBySlug(createCtx(runtime, site), tx, slugs.draft))
    const make = (who: keyof typeof people) =>
      createDraftLink(createCtx(runtime, site, { viewer: people[who] }), { subject: 'project', placeId: projectId, expiresAt })
    const seen = async (who: keyof typeof people, id: string) =>
      (await loadDraftLinksById(createCtx(runtime, site, { viewer: people[who] }), [id])).length
    for (const who of ['visitor', 'participant', 'member', 'otherHubAdmin', 'platform'] as const) {
      await expect(make(who), who).rejects.toMatchObject({ code: 'not-found' })
    }
    await expect(make('support')).rejects.toMatchObject({ code: 'forbidden' })
    const id = await make('projectAdmin')
    for (const who of ['projectAdmin', 'hubAdmin', 'siteAdmin'] as const) expect([who, await seen(who, id)]).toEqual([who, 1])
    for (const who of ['visitor', 'participant', 'otherHubAdmin', 'support'] as const) expect([who, await seen(who, id)]).toEqual([who, 0])
    const elsewhere = await addSite(runtime, { slug: 'elsewhere' })
    expect(await loadDraftLinksById(createCtx(runtime, elsewhere, { viewer: people.siteAdmin }), [id])).toEqual([])
  })

  test("another site's project does not exist", async () => {
    const elsewhere = await addSite(runtime, { slug: 'harbour' })
    await expect(getProject(createCtx(runtime, elsewhere), { slug: slugs.public })).rejects.toMatchObject({ code: 'not-found' })
    expect((await listProjects(createCtx(runtime, elsewhere), {})).total).toBe(0)
  })
})

test('a project’s page says which of its surveys need an account', async () => {
  const { id: projectId } = await addProject(runtime, site, { slug: 'accounts' })
  const accesses = ['anyone', 'anyone_once', 'signed_in', 'confirmed', 'members', 'group', 'invited'] as const
  for (const access of accesses) await addSurvey(runtime, site, { projectId, slug: access.replace('_', '-'), access })
  const { surveys } = await getProject(createCtx(runtime, site), { slug: 'accounts' })
  expect(Object.fromEntries(surveys.map(({ slug, needsAccount }) => [slug, needsAccount]))).toEqual({
    anyone: false,
    'anyone-once': false,
    'signed-in': true,
    confirmed: true,
    members: true,
    group: true,
    invited: false,
  })
})
