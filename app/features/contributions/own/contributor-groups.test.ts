import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadReaderPage } from '#app/features/campaigns/audience.server.ts'
import type { Audience, Channel } from '#app/features/campaigns/campaigns.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { smsConsents, userPhones } from '#app/server/db/schema/messages.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { mergeContributions } from '../merging/merge-contributions.server.ts'
import { addReaction } from '../responding/reactions.server.ts'

let runtime: TestRuntime
let site: Site
let siteAdmin: Person
let hubAdmin: Person
let roads: { hub: string; project: string; activity: string }
let parks: typeof roads
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  siteAdmin = await addPerson(runtime, site, { role: 'site_admin' })
  roads = await addPlace()
  parks = await addPlace()
  hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: roads.hub })
})

async function addPlace() {
  const hub = await addHub(runtime, site)
  const project = await addProject(runtime, site, { hubId: hub.id })
  const activity = await addActivity(runtime, site, { projectId: project.id })
  return { hub: hub.id, project: project.id, activity: activity.id }
}

const api = (person: Person) => createApiClient(runtime, site, person.token)
type Body = { data?: unknown } | undefined
const idOf = (body: Body) => (body?.data as { id: string } | undefined)?.id ?? ''
const idsOf = (body: Body) => ((body?.data ?? []) as { id: string }[]).map(({ id }) => id).toSorted()
const make = (person: Person, rule: object, hub?: string) =>
  api(person).post(
    '/groups',
    buildResourceDocument('groups', { name: 'By rule', rule }, hub ? { to: { hub: { type: 'hubs', id: hub } } } : {}),
  )
const peopleOf = async (group: string, person = siteAdmin) => idsOf((await api(person).get(`/users?filter[group]=${group}`)).body)
const asPerson = async (person: Person) =>
  createCtx(runtime, site, {
    viewer: await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, person.token, new Date()),
  })
let number = 0
const contribute = (place: typeof roads, more: object = {}) =>
  addContribution(runtime, site, { activityId: place.activity, number: (number += 1), ...more })
const support = async (person: Person, contributionId: string) => addReaction(await asPerson(person), { id: createId(), contributionId })

describe('a group by rule', () => {
  test('holds who contributed to an activity, unless it was declined, removed or withdrawn', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => addPerson(runtime, site)))
    const place = await addPlace()
    for (const [at, state] of (['published', 'held', 'declined', 'removed'] as const).entries())
      await contribute(place, { authorId: people[at]?.id, state })
    await contribute(roads, { authorId: people[4]?.id })
    const group = idOf((await make(siteAdmin, { contributedTo: place.activity })).body)
    expect(await peopleOf(group)).toEqual([people[0]?.id, people[1]?.id].toSorted())
  })

  test('holds who supports something in an activity, also by a merge, and no longer once they withdrew', async () => {
    const [one, two, other] = [await addPerson(runtime, site), await addPerson(runtime, site), await addPerson(runtime, site)]
    const place = await addPlace()
    const [double, target] = [await contribute(place), await contribute(place)]
    const first = await support(one, double.id)
    await support(two, target.id)
    await support(other, (await contribute(parks)).id)
    const admin = await asPerson(siteAdmin)
    await mergeContributions(admin, { contributionId: double.id, targetId: target.id, reason: 'The same' })
    const group = idOf((await make(siteAdmin, { supportedIn: place.activity })).body)
    expect(await peopleOf(group)).toEqual([one.id, two.id].toSorted())
    expect((await api(siteAdmin).get(`/groups/${group}`)).body).toMatchObject({ data: { attributes: { members: 2 } } })
    await api(one).delete(`/reactions/${first.row.id}`)
    expect(await peopleOf(group)).toEqual([two.id])
    const both = idOf((await make(siteAdmin, { supportedIn: place.activity, contributedTo: place.activity })).body)
    expect(await peopleOf(both)).toEqual([])
  })

  test.each(['contributedTo', 'supportedIn'])('names only activities whose people the viewer manages, by %s', async (name) => {
    const unknown = createId()
    const refused = await make(hubAdmin, { [name]: parks.activity }, roads.hub)
    expect([refused.status, refused.body?.errors?.map(({ code, source }) => [code, source?.pointer])]).toEqual([
      422,
      [['not-a-choice', `/data/attributes/rule/${name}`]],
    ])
    const notKnown = await make(hubAdmin, { [name]: unknown }, roads.hub)
    expect(JSON.stringify(notKnown.body)).toBe(JSON.stringify(refused.body))
    expect((await make(siteAdmin, { [name]: unknown })).codes).toEqual(['not-a-choice'])
    // A hub's group never looks into another hub.
    expect((await make(siteAdmin, { [name]: parks.activity }, roads.hub)).codes).toEqual(['not-a-choice'])
    expect((await make(siteAdmin, { [name]: parks.activity })).status).toBe(201)
    expect((await make(hubAdmin, { [name]: roads.activity }, roads.hub)).status).toBe(201)
  })

  test('of a hub holds its contributors, whom its administrator then manages', async () => {
    const author = await addPerson(runtime, site)
    expect((await api(hubAdmin).get(`/users/${author.id}`)).status).toBe(404)
    await contribute(roads, { authorId: author.id })
    const group = idOf((await make(hubAdmin, { contributedTo: roads.activity }, roads.hub)).body)
    expect(await peopleOf(group, hubAdmin)).toContain(author.id)
    expect((await api(hubAdmin).get(`/users/${author.id}`)).status).toBe(200)
  })
})

describe.each(['email', 'sms'] as const)('an audience by %s', (channel: Channel) => {
  const reach = async (audience: Audience, place: { hubId?: string; projectId?: string } = {}) => {
    const query = { channel, hubId: place.hubId ?? null, projectId: place.projectId ?? null, audience }
    const { readers } = await loadReaderPage(createCtx(runtime, site), query, { offset: 0, limit: 100 })
    return readers.map(({ id }) => id).toSorted()
  }
  let next = 100 + (channel === 'sms' ? 100 : 0)
  const addReader = async () => {
    const person = await addPerson(runtime, site)
    const phone = `+1613555${String((next += 1)).padStart(4, '0')}`
    await createCtx(runtime, site).db.tx(async (tx) => {
      await tx.update(users).set({ marketingConsentAt: new Date() }).where(eq(users.id, person.id))
      await tx.insert(userPhones).values({ siteId: site.id, userId: person.id, phone, confirmedAt: new Date() })
      await tx.insert(smsConsents).values({
        siteId: site.id,
        id: createId(),
        phone,
        given: true,
        words: 'News by text',
        language: 'en',
        source: 'account',
        at: new Date(),
      })
    })
    return person
  }

  test('of a group reaches contributors and supporters of its hub, and nobody of another', async () => {
    const place = await addPlace()
    const [author, supporter, stranger] = [await addReader(), await addReader(), await addReader()]
    const { id } = await contribute(place, { authorId: author.id })
    await support(supporter, id)
    await support(stranger, (await contribute(parks)).id)
    const contributed = idOf((await make(siteAdmin, { contributedTo: place.activity })).body)
    const supported = idOf((await make(siteAdmin, { supportedIn: place.activity })).body)
    expect(await reach({ group: contributed })).toEqual([author.id])
    expect(await reach({ group: supported })).toEqual([supporter.id])
    for (const within of [{ hubId: place.hub }, { projectId: place.project }]) {
      expect(await reach({ group: contributed }, within)).toEqual([author.id])
      expect(await reach({ group: supported }, within)).toEqual([supporter.id])
    }
    expect(await reach({ group: contributed }, { hubId: parks.hub })).toEqual([])
    expect(await reach({ group: supported }, { hubId: parks.hub })).toEqual([])
  })
})
