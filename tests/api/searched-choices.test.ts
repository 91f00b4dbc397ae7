import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApi } from '#app/lib/api-client/client.ts'
import { createTransport } from '#app/lib/api-client/transport.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import { handleApi } from '#app/root/api-handler.ts'
import { peopleGroups } from '#app/server/db/schema/accounts.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { EVERY_TYPE } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const caller = vi.hoisted(() => ({ send: undefined as ((request: Request) => Promise<Response>) | undefined, token: '' }))
vi.mock('#app/shell/api.ts', () => ({
  api: createApi((request) =>
    createTransport({
      origin: 'http://localhost',
      token: () => caller.token,
      language: () => 'en',
      send: (sent) => (caller.send as NonNullable<typeof caller.send>)(sent),
    })(request),
  ),
}))
const { activitySource, groupSource, hubSource, projectSource, surveySource } = await import('#app/shell/admin/record-sources.ts')
const { campaignPlaceSource } = await import('#app/features/campaigns/admin/campaign-places.ts')

const COUNT = 150
let runtime: TestRuntime
let site: Site
const people: Record<string, Person> = {}
const last: Record<'hub' | 'project' | 'survey' | 'activity' | 'group', string> = {
  hub: '',
  project: '',
  survey: '',
  activity: '',
  group: '',
}
const { signal } = new AbortController()

const as = (role: string) => {
  caller.token = people[role]?.token ?? ''
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'many' })
  caller.send = (request) => handleApi(new Request(request, { headers: withHost(request) }), runtime, { address: '127.0.0.1' })
  await runtime.database.site(site.id).tx(async (tx) => {
    for (let at = 1; at <= COUNT; at++) {
      const ids = { hub: createId(), project: createId(), survey: createId(), activity: createId(), group: createId() }
      const number = String(at).padStart(3, '0')
      const title = (kind: string) => ({ en: at === COUNT ? `Zoé’s ${kind}` : `${kind} ${number}` })
      const siteId = site.id
      await tx.insert(hubs).values({ siteId, id: ids.hub, slug: `h${number}`, title: title('Hub'), publishedAt: runtime.now() })
      await tx.insert(projects).values({
        siteId,
        id: ids.project,
        hubId: ids.hub,
        slug: `p${number}`,
        title: title('Project'),
        ...buildSearchFields(title('Project')),
      })
      await tx.insert(surveys).values({
        siteId,
        id: ids.survey,
        projectId: ids.project,
        slug: `s${number}`,
        title: title('Survey'),
        status: 'published',
        definition: EVERY_TYPE,
      })
      await tx
        .insert(activities)
        .values({ siteId, id: ids.activity, projectId: ids.project, kind: 'ideas', slug: `a${number}`, title: title('Activity') })
      await tx.insert(peopleGroups).values({ siteId, id: ids.group, name: title('Group').en, kind: 'group', hubId: ids.hub })
      if (at === COUNT) Object.assign(last, ids)
    }
  })
  people['site_admin'] = await addPerson(runtime, site, { role: 'site_admin' })
  people['hub_admin'] = await addPerson(runtime, site, { role: 'hub_admin', hubId: last.hub })
  people['project_admin'] = await addPerson(runtime, site, { role: 'project_admin', projectId: last.project })
})

const withHost = (request: Request): Headers => {
  const headers = new Headers(request.headers)
  headers.set('host', site.host)
  return headers
}

const names = { hub: (name: string) => `In ${name}`, project: (name: string) => `About ${name}` }

/** Every choice of the administration, by the source that its screens use. */
const CHOICES = [
  ['departments of role rules', hubSource(), 'hub'],
  ['departments of projects, groups, filters and roles', hubSource({ mine: true }), 'hub'],
  ['projects of role rules, datasets, blocks and group rules', projectSource(), 'project'],
  ['projects of new surveys and of the filter of surveys', projectSource({ managed: true }), 'project'],
  ['surveys of blocks and group rules', surveySource(), 'survey'],
  ['surveys to copy', surveySource({ managed: true }), 'survey'],
  ['activities of group rules', activitySource(), 'activity'],
  ['groups of audiences, access and filters', groupSource(), 'group'],
  ['groups that people are added to', groupSource({ byHand: true }), 'group'],
] as const

describe.each(CHOICES)('%s', (_, source, kind) => {
  test('the 150th is not among the first, and is found by part of its name, without its accent', async () => {
    as('site_admin')
    const first = await source.find('', signal)
    expect(first.total).toBe(COUNT)
    expect(first.choices.length).toBeLessThan(COUNT)
    if (kind !== 'activity') expect(first.choices.map(({ id }) => id)).not.toContain(last[kind])
    expect((await source.find(kind === 'group' ? 'zoé' : 'zoe', signal)).choices.map(({ id }) => id)).toEqual([last[kind]])
    expect(await source.find('no such words', signal)).toEqual({ choices: [], total: 0 })
  })

  test('shows the name of the chosen one, and nothing of one that is gone', async () => {
    as('site_admin')
    expect((await source.load(last[kind], signal))?.name).toMatch(/^Zoé’s /)
    expect(await source.load(createId(), signal)).toBeNull()
  })
})

test('the place of a campaign is found among departments and projects', async () => {
  as('site_admin')
  const source = campaignPlaceSource(names, true)
  const found = await source.find('zoe', signal)
  expect(found).toEqual({
    choices: [
      { id: `hubs ${last.hub}`, name: 'In Zoé’s Hub' },
      { id: `projects ${last.project}`, name: 'About Zoé’s Project' },
    ],
    total: 2,
  })
  expect(await source.load(`hubs ${last.hub}`, signal)).toEqual(found.choices[0])
})

describe('who administers one place is offered only what is theirs', () => {
  test.each(['hub_admin', 'project_admin'])('%s', async (role) => {
    as(role)
    const projectsOffered = await projectSource({ managed: true }).find('', signal)
    expect(projectsOffered).toEqual({ choices: [{ id: last.project, name: 'Zoé’s Project' }], total: 1 })
    expect((await hubSource({ mine: true }).find('', signal)).total).toBe(role === 'hub_admin' ? 1 : 0)
    expect((await surveySource({ managed: true }).find('', signal)).total).toBe(1)
  })

  test('a group of another department is not offered, nor named', async () => {
    as('hub_admin')
    expect((await groupSource().find('', signal)).choices.map(({ id }) => id)).toEqual([last.group])
    expect((await groupSource().find('Group 001', signal)).total).toBe(0)
  })
})

test('a group with a rule takes nobody by hand', async () => {
  as('site_admin')
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(peopleGroups).values({ siteId: site.id, id: createId(), name: 'By rule', kind: 'group', rule: { locale: 'en' } }))
  expect((await groupSource().find('By rule', signal)).total).toBe(1)
  expect((await groupSource({ byHand: true }).find('By rule', signal)).total).toBe(0)
})
