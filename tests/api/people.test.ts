import { and, eq, gt } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exportPeople, exportPersonFile } from '#app/features/people/people.export.server.ts'
import { readActivity } from '#app/features/people/people.activity.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { peopleGroups, users } from '#app/server/db/schema/accounts.ts'
import { savedViews } from '#app/server/db/schema/administration.ts'
import { homeAreas } from '#app/server/db/schema/areas.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { mailConsents } from '#app/server/db/schema/mail.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { smsConsents, userPhones } from '#app/server/db/schema/messages.ts'
import { replies } from '#app/server/db/schema/contributions.ts'
import { eventSignUps } from '#app/server/db/schema/events.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addEvent } from '#tests/factories/events.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addAccount, type ResourceItem, requireItem, requireItems, loadMailsTo } from '#tests/support/accounts.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let siteAdmin: Person
let hubAdmin: Person
let roads: Place
let parks: Place

interface Place {
  hub: string
  project: string
  survey: string
}

const api = (person?: Person, at = site) => createApiClient(runtime, at, person?.token)
const inSite = <T>(work: (tx: Tx) => Promise<T>) => runtime.database.site(site.id).tx(work)
const ids = (answer: ApiAnswer) => requireItems(answer).map(({ id }) => id)
const to = (type: string, id: string) => ({ type, id })

async function addPlace(slug: string): Promise<Place> {
  const [hub, project, survey] = [createId(), createId(), createId()]
  await inSite(async (tx) => {
    await tx.insert(hubs).values({ siteId: site.id, id: hub, slug, title: { en: slug } })
    await tx.insert(projects).values({ siteId: site.id, id: project, hubId: hub, slug, title: { en: `Project ${slug}` } })
    await tx
      .insert(surveys)
      .values({ siteId: site.id, id: survey, projectId: project, slug, title: { en: `Survey ${slug}` }, definition: {} })
  })
  return { hub, project, survey }
}

const follow = (userId: string, { project }: Place) =>
  inSite((tx) => tx.insert(projectFollows).values({ siteId: site.id, projectId: project, userId }))
const answer = (userId: string, { survey }: Place) =>
  inSite((tx) =>
    tx.insert(responses).values({
      siteId: site.id,
      id: createId(),
      surveyId: survey,
      version: 1,
      userId,
      language: 'en',
      answers: {},
      receiptHash: Buffer.from(createId()),
    }),
  )

const make = (person: Person, attributes: Record<string, unknown>, hub?: string) =>
  api(person).post('/groups', buildResourceDocument('groups', attributes, hub ? { to: { hub: to('hubs', hub) } } : {}))

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `s-${createId()}` })
  roads = await addPlace('roads')
  parks = await addPlace('parks')
  siteAdmin = await addPerson(runtime, site, { role: 'site_admin', email: 'site@example.net' })
  hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: roads.hub, email: 'hub@example.net' })
})

describe('finding people', () => {
  test('tolerates accents, word order and misspellings, and filters by status and hub', async () => {
    const zoe = await addAccount(runtime, site, { login: 'Zoé Lafrenière', email: 'zl@riverbend.example' })
    const bob = await addAccount(runtime, site, { login: 'Bob Jones', email: 'bob@riverbend.example', confirmed: false })
    await api(siteAdmin).post('/memberships', buildResourceDocument('memberships', { role: 'site_admin', email: 'new@riverbend.example' }))
    await follow(zoe.id, parks)
    const find = async (query: string) => ids(await api(siteAdmin).get(`/users?${query}`))
    expect(await find('filter[q]=zoe')).toEqual([zoe.id])
    expect(await find('filter[q]=lafreniere zoé')).toEqual([zoe.id])
    expect(await find('filter[q]=Lafreneire')).toEqual([zoe.id])
    expect(await find('filter[q]=xyzzy')).toEqual([])
    expect(await find('filter[status]=unconfirmed')).toEqual([bob.id])
    expect(await find('filter[status]=invited')).toHaveLength(1)
    expect(await find(`filter[hub]=${parks.hub}`)).toEqual([zoe.id])
    expect(await find(`filter[hub]=${parks.hub}&page[number]=9`)).toEqual([])
    // A hub administrator cannot widen their scope by a filter.
    expect(ids(await api(hubAdmin).get(`/users?filter[hub]=${parks.hub}`))).toEqual([])
    expect((await api(siteAdmin).get('/users?filter[passwordHash]=x')).status).toBe(400)
    expect((await api(siteAdmin).get('/users?sort=passwordHash')).status).toBe(400)
    expect((await api(siteAdmin).get('/users?include=sessions')).status).toBe(400)
  })

  test('shows a person’s activity, to a hub administrator only in their own hub', async () => {
    const ann = await addAccount(runtime, site)
    await answer(ann.id, roads)
    await follow(ann.id, parks)
    const seenBy = async (person: Person) =>
      (await readActivity(await withViewer(createCtx(runtime, site), person.token), ann.id)).data
        .map((one) => [one.kind, one.project?.title])
        .toSorted()
    expect(await seenBy(siteAdmin)).toEqual([
      ['answered', 'Project roads'],
      ['follows', 'Project parks'],
      ['joined', undefined],
    ])
    expect(await seenBy(hubAdmin)).toEqual([['answered', 'Project roads']])
  })

  test('who only replied, or only has a place at an event, is among the people of that hub, and what they did is listed', async () => {
    const [replied, going, waiting, left] = [
      await addAccount(runtime, site),
      await addAccount(runtime, site),
      await addAccount(runtime, site),
      await addAccount(runtime, site),
    ]
    const activity = await addActivity(runtime, site, { projectId: roads.project })
    const contribution = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const event = await addEvent(runtime, site, { projectId: roads.project, title: { en: 'Walk along the river' } })
    const at = runtime.now()
    await inSite(async (tx) => {
      await tx.insert(replies).values({
        siteId: site.id,
        id: createId(),
        contributionId: contribution.id,
        authorId: replied.id,
        body: 'So do we.',
        state: 'published',
        language: 'en',
        receiptHash: Buffer.from(createId()),
        createdAt: at,
      })
      const place = { siteId: site.id, eventId: event.id, language: 'en', createdAt: at } as const
      await tx.insert(eventSignUps).values([
        { ...place, id: createId(), userId: going.id, state: 'going', attendedAt: at },
        { ...place, id: createId(), userId: waiting.id, state: 'waiting' },
        { ...place, id: createId(), userId: left.id, state: 'cancelled' },
      ])
    })
    const found = ids(await api(hubAdmin).get('/users'))
    expect(found).toEqual(expect.arrayContaining([replied.id, going.id]))
    expect(found).not.toContain(waiting.id)
    expect(found).not.toContain(left.id)
    expect(ids(await api(siteAdmin).get(`/users?filter[project]=${roads.project}`)).toSorted()).toEqual([replied.id, going.id].toSorted())
    expect(ids(await api(siteAdmin).get('/users?filter[projectsAtLeast]=1')).toSorted()).toEqual([replied.id, going.id].toSorted())
    const seen = async (person: Person, id: string) =>
      (await readActivity(await withViewer(createCtx(runtime, site), person.token), id)).data
        .map((one) => [one.kind, one.title, one.project?.title])
        .toSorted()
    expect(await seen(hubAdmin, going.id)).toEqual([
      ['attended', 'Walk along the river', 'Project roads'],
      ['signed-up', 'Walk along the river', 'Project roads'],
    ])
    expect((await seen(siteAdmin, waiting.id)).map(([kind]) => kind)).toEqual(['joined', 'signed-up'])
    expect((await seen(siteAdmin, left.id)).map(([kind]) => kind)).toEqual(['joined'])
  })

  test('finds who took part lately, for the first time or long ago, and who follows a topic', async () => {
    const [regular, newcomer, former, follower] = [
      await addAccount(runtime, site),
      await addAccount(runtime, site),
      await addAccount(runtime, site),
      await addAccount(runtime, site),
    ]
    const topic = createId()
    await inSite(async (tx) => {
      await tx.insert(topics).values({ siteId: site.id, id: topic, slug: 'trees', title: { en: 'Trees' } })
      await tx.update(projects).set({ topicId: topic }).where(eq(projects.id, parks.project))
    })
    const answerBefore = async (userId: string, days: number, place = roads) => {
      await answer(userId, place)
      const submittedAt = new Date(runtime.now().getTime() - days * 86_400_000)
      await inSite((tx) =>
        tx
          .update(responses)
          .set({ submittedAt })
          .where(and(eq(responses.userId, userId), gt(responses.submittedAt, submittedAt))),
      )
    }
    await answerBefore(former.id, 400)
    await answerBefore(newcomer.id, 80)
    await answerBefore(regular.id, 500)
    await answer(regular.id, parks)
    await follow(follower.id, parks)
    await follow(former.id, roads)
    const find = async (query: string, person = siteAdmin) => ids(await api(person).get(`/users?${query}`)).toSorted()
    expect(await find('filter[tookPart]=last-30-days')).toEqual([regular.id])
    expect(await find('filter[tookPart]=last-90-days')).toEqual([regular.id, newcomer.id].toSorted())
    expect(await find('filter[tookPart]=first-90-days')).toEqual([newcomer.id])
    expect(await find('filter[tookPart]=not-for-a-year')).toEqual([former.id])
    expect(await find('filter[tookPart]=last-year&filter[projectsAtLeast]=2')).toEqual([regular.id])
    expect(await find(`filter[followsTopic]=${topic}`)).toEqual([follower.id])
    expect(await find(`filter[followsTopic]=${createId()}`)).toEqual([])
    // With what they said about themselves, the others narrow those who said it.
    const question = createId()
    await inSite(async (tx) => {
      const texts = { label: { en: 'Home' }, purpose: { en: 'To translate.' } }
      await tx.insert(profileQuestions).values({
        siteId: site.id,
        id: question,
        key: 'home',
        type: 'one-choice',
        ...texts,
        askedAt: 'sign-up',
        retentionMonths: 12,
        status: 'live',
      })
      for (const person of [former, newcomer, follower]) {
        const given = { siteId: site.id, userId: person.id, questionId: question }
        await tx.insert(profileAnswers).values({ ...given, id: createId(), answer: { choice: 'en' }, source: 'person' })
        await tx.insert(profileAnswerOptions).values({ ...given, option: 'en' })
      }
    })
    const said = 'filter[profile]=home:en'
    expect(await find(said)).toEqual([former.id, newcomer.id, follower.id].toSorted())
    expect(await find(`${said}&filter[tookPart]=last-90-days`)).toEqual([newcomer.id])
    expect(await find(`${said}&filter[tookPart]=not-for-a-year`)).toEqual([former.id])
    expect(await find(`${said}&filter[projectsAtLeast]=1`)).toEqual([former.id, newcomer.id].toSorted())
    expect(await find(`${said}&filter[projectsAtLeast]=2`)).toEqual([])
    expect(await find(`${said}&filter[followsTopic]=${topic}`)).toEqual([follower.id])
    expect(await find(`${said}&filter[project]=${parks.project}`)).toEqual([follower.id])
    expect(await find(`${said}&filter[project]=${roads.project}`)).toEqual([former.id, newcomer.id].toSorted())
    expect(await find(said, hubAdmin)).toEqual([former.id, newcomer.id].toSorted())
    // For administrators of a hub, only what happened there counts.
    expect(await find('filter[tookPart]=not-for-a-year', hubAdmin)).toEqual([regular.id, former.id].toSorted())
    expect(await find(`filter[followsTopic]=${topic}`, hubAdmin)).toEqual([])
    expect((await api(siteAdmin).get('/users?filter[tookPart]=yesterday')).status).toBe(400)
  })

  test('exports those who were chosen one by one, of whom nobody is in the file who would not be in the list', async () => {
    const [ann, bob, cai] = [await addAccount(runtime, site), await addAccount(runtime, site), await addAccount(runtime, site)]
    await follow(ann.id, roads)
    const request = new Request(`http://x/admin/people.csv?ids=${ann.id},${bob.id},nonsense`)
    const listExported = async (person: Person) => {
      const context = requestContext(await withViewer(createCtx(runtime, site, { reason: 'To write to them' }), person.token))
      const [, ...lines] = (await (await exportPeople({ context, request })).text()).trim().split(/\r?\n/)
      return lines.map((line) => line.split(',')[0]).toSorted()
    }
    expect(await listExported(siteAdmin)).toEqual([ann.id, bob.id].toSorted())
    expect(await listExported(hubAdmin)).toEqual([ann.id])
    expect(await listExported(siteAdmin)).not.toContain(cai.id)
    const events = await inSite((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'users.export')))
    expect(events[0]).toMatchObject({ actorId: siteAdmin.id, detail: { people: 2, chosen: 2 } })
  })

  test('exports the people one manages, and everything about one person; both are audited', async () => {
    const ann = await addAccount(runtime, site, { login: '=HYPERLINK()', email: 'ann@riverbend.example' })
    const bob = await addAccount(runtime, site, { email: 'bob@riverbend.example' })
    await follow(ann.id, roads)
    const as = async (person: Person) =>
      requestContext(await withViewer(createCtx(runtime, site, { reason: 'The data officer asks' }), person.token))
    const request = new Request('http://x/admin/people.csv')
    const file = await (await exportPeople({ context: await as(hubAdmin), request })).text()
    expect(file).toContain('ann@riverbend.example')
    expect(file).toContain("'=HYPERLINK()")
    expect(file).not.toContain(bob.email)
    const participant = await addPerson(runtime, site)
    expect((await exportPeople({ context: await as(participant), request })).status).toBe(403)
    // The columns that were chosen on the screen.
    const chosen = new Request(
      'http://x/admin/people.csv?hide=email,role,lastSeenAt,language,news,createdAt,status,projects,firstParticipationAt,lastParticipationAt',
    )
    const [heads, ...lines] = (await (await exportPeople({ context: await as(hubAdmin), request: chosen })).text()).trim().split(/\r?\n/)
    expect(heads?.replace(/^\uFEFF/, '')).toBe('id,login,groups')
    expect(lines.join()).not.toContain('ann@riverbend.example')
    expect((await exportPersonFile({ context: await as(hubAdmin), params: { id: ann.id } })).status).toBe(403)
    const whole = await (await exportPersonFile({ context: await as(siteAdmin), params: { id: ann.id } })).json()
    expect(whole).toMatchObject({ account: { email: 'ann@riverbend.example' }, follows: [{ projectId: roads.project }] })
    const noted = await inSite((tx) =>
      tx.select().from(auditEvents).where(eq(auditEvents.action, 'users.export')).orderBy(auditEvents.sequence),
    )
    expect(noted.map(({ actorId }) => actorId)).toEqual([hubAdmin.id, hubAdmin.id, siteAdmin.id])
  })
})

describe('groups and tags', () => {
  test('by hand: people are added and removed, and the list of people is filtered by them', async () => {
    const [ann, bob] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const group = requireItem(await make(siteAdmin, { name: 'Panel of 2026', kind: 'tag' }))
    const put = { data: [to('users', ann.id), to('users', bob.id)] }
    expect((await api(siteAdmin).post(`/groups/${group.id}/relationships/people`, put)).status).toBe(204)
    expect(ids(await api(siteAdmin).get(`/users?filter[group]=${group.id}`)).toSorted()).toEqual([ann.id, bob.id].toSorted())
    expect((await api(siteAdmin).get(`/groups/${group.id}`)).body).toMatchObject({ data: { attributes: { members: 2, kind: 'tag' } } })
    expect((await api(siteAdmin).delete(`/groups/${group.id}/relationships/people`, { data: [to('users', bob.id)] })).status).toBe(204)
    expect(ids(await api(siteAdmin).get(`/groups/${group.id}/people`))).toEqual([ann.id])
    expect((await api(siteAdmin).get(`/users/${ann.id}?include=groups`)).body?.included).toMatchObject([{ id: group.id }])
  })

  test('by rule: people belong as soon as they match', async () => {
    const group = requireItem(await make(siteAdmin, { name: 'Parks people', rule: { hub: parks.hub, role: ['participant'] } }))
    const inIt = async () => ids(await api(siteAdmin).get(`/users?filter[group]=${group.id}`))
    expect(await inIt()).toEqual([])
    const ann = await addPerson(runtime, site)
    await follow(ann.id, parks)
    expect(await inIt()).toEqual([ann.id])
    const put = await api(siteAdmin).post(`/groups/${group.id}/relationships/people`, { data: [to('users', ann.id)] })
    expect(put.codes).toEqual(['conflict'])
    expect((await make(siteAdmin, { name: 'Everybody', rule: {} })).codes).toEqual(['required'])
    expect((await make(siteAdmin, { name: 'Sly', rule: { sql: 'true' } })).status).toBe(422)
  })

  test('of a hub belong to its administrators, who see only people of that hub in them', async () => {
    const [ann, bob] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    await follow(ann.id, roads)
    await follow(bob.id, parks)
    const own = requireItem(await make(hubAdmin, { name: 'Cyclists' }, roads.hub))
    expect((await make(hubAdmin, { name: 'All' })).status).toBe(403)
    expect((await make(hubAdmin, { name: 'Theirs' }, parks.hub)).status).toBe(403)
    const ofSite = requireItem(await make(siteAdmin, { name: 'Newcomers', rule: { joinedWithinDays: 30 } }))
    expect(ids(await api(hubAdmin).get('/groups'))).toEqual([own.id])
    expect((await api(hubAdmin).get(`/groups/${ofSite.id}`)).status).toBe(404)
    expect(ids(await api(hubAdmin).get(`/users?filter[group]=${ofSite.id}`))).toEqual([])
    const put = (id: string) => api(hubAdmin).post(`/groups/${own.id}/relationships/people`, { data: [to('users', id)] })
    expect((await put(ann.id)).status).toBe(204)
    expect((await put(bob.id)).status).toBe(404)
    // Site administrators may add others; the hub's administrator does not see them there.
    await api(siteAdmin).post(`/groups/${own.id}/relationships/people`, { data: [to('users', bob.id)] })
    expect(ids(await api(hubAdmin).get(`/groups/${own.id}/people`))).toEqual([ann.id])
    const stranger = await addPerson(runtime, site, { role: 'project_admin', projectId: roads.project })
    expect((await api(stranger).get('/groups')).status).toBe(403)
    expect((await api(stranger).get(`/groups/${own.id}`)).status).toBe(404)
  })
})

describe('what a hub administrator does not manage counts as nonexistent', () => {
  /** The whole response with the requested id removed. */
  const bytes = (answer: ApiAnswer, id: string) => [answer.status, JSON.stringify(answer.body).replaceAll(id, 'asked-for')]
  let both: Person
  beforeEach(async () => {
    // A person of the own hub: nobody may learn that they also take part elsewhere.
    both = await addPerson(runtime, site)
    await follow(both.id, roads)
    await answer(both.id, parks)
  })

  test.each(['hub', 'project', 'group'] as const)('in the filter of people by %s', async (name) => {
    const group = requireItem(await make(siteAdmin, { name: 'Parks people', rule: { project: parks.project } }))
    const foreign = { hub: parks.hub, project: parks.project, group: group.id }[name]
    const find = (id: string, more = '') => api(hubAdmin).get(`/users?filter[${name}]=${id}${more}`)
    const unknown = createId()
    expect(bytes(await find(foreign), foreign)).toEqual(bytes(await find(unknown), unknown))
    // Neither a search nor a sort order makes a difference.
    for (const more of ['&filter[q]=participant', '&sort=-lastSeenAt', '&page[size]=1', '&include=memberships,groups'])
      expect(bytes(await find(foreign, more), foreign)).toEqual(bytes(await find(unknown, more), unknown))
    expect(ids(await api(siteAdmin).get(`/users?filter[${name}]=${foreign}`))).toEqual([both.id])
  })

  test.each(['hub', 'project'] as const)('in the rule of a group, by %s', async (name) => {
    const [foreign, unknown] = [parks[name], createId()]
    const made = (id: string) => make(hubAdmin, { name: `By ${name}`, rule: { [name]: id } }, roads.hub)
    const refused = await made(foreign)
    expect(refused.status).toBe(422)
    expect(refused.body?.errors?.[0]).toMatchObject({ code: 'not-a-choice', source: { pointer: `/data/attributes/rule/${name}` } })
    expect(bytes(refused, foreign)).toEqual(bytes(await made(unknown), unknown))
    const own = requireItem(await make(hubAdmin, { name: 'Own', rule: { [name]: roads[name] } }, roads.hub))
    const changed = (id: string) =>
      api(hubAdmin).patch(`/groups/${own.id}`, buildResourceDocument('groups', { rule: { [name]: id } }, { id: own.id, lockVersion: 1 }))
    expect((await changed(foreign)).codes).toEqual(['not-a-choice'])
    expect(bytes(await changed(foreign), foreign)).toEqual(bytes(await changed(unknown), unknown))
    // Not even for site administrators: such a rule would never match anybody.
    expect((await make(siteAdmin, { name: 'Nobody', rule: { [name]: unknown } })).codes).toEqual(['not-a-choice'])
    expect((await make(siteAdmin, { name: 'Of roads', rule: { [name]: foreign } }, roads.hub)).codes).toEqual(['not-a-choice'])
    expect((await make(siteAdmin, { name: 'Of the site', rule: { [name]: foreign } })).status).toBe(201)
  })

  test('in a rule stored before: its group is empty', async () => {
    const id = createId()
    await inSite((tx) =>
      tx
        .insert(peopleGroups)
        .values({ siteId: site.id, id, hubId: roads.hub, kind: 'group', name: 'Old', rule: { project: parks.project } }),
    )
    expect((await api(hubAdmin).get(`/groups/${id}`)).body).toMatchObject({ data: { attributes: { members: 0 } } })
    expect(ids(await api(hubAdmin).get(`/users?filter[group]=${id}`))).toEqual([])
  })

  test.each(['newsletters', 'sms-campaigns'])('in the audience of %s', async (type) => {
    await inSite((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
    const group = requireItem(await make(siteAdmin, { name: 'Parks people', rule: { project: parks.project } }))
    const draft = (audience: object) =>
      api(hubAdmin).post(`/${type}`, buildResourceDocument(type, { name: 'News', audience }, { to: { hub: to('hubs', roads.hub) } }))
    const unknown = createId()
    const refused = await draft({ group: group.id })
    expect(refused.status).toBe(422)
    expect(refused.body?.errors?.[0]).toMatchObject({ code: 'not-a-choice', source: { pointer: '/data/attributes/audience/group' } })
    expect(bytes(refused, group.id)).toEqual(bytes(await draft({ group: unknown }), unknown))
    for (const thing of ['topic', 'area'])
      expect((await draft({ [thing]: unknown })).body?.errors?.[0]).toMatchObject({
        code: 'not-a-choice',
        source: { pointer: `/data/attributes/audience/${thing}` },
      })
  })

  test('in an audience by topic: only the own department’s projects count', async () => {
    const topic = createId()
    await inSite(async (tx) => {
      await tx.insert(topics).values({ siteId: site.id, id: topic, slug: 'trees', title: { en: 'Trees' } })
      await tx.update(projects).set({ topicId: topic }).where(eq(projects.id, parks.project))
      await tx.update(users).set({ marketingConsentAt: new Date() }).where(eq(users.id, both.id))
    })
    const reached = async (audience: object) => {
      const to1 = { hub: to('hubs', roads.hub) }
      const { id } = requireItem(
        await api(hubAdmin).post('/newsletters', buildResourceDocument('newsletters', { name: 'News', audience }, { to: to1 })),
      )
      return requireItem(await api(hubAdmin).get(`/newsletter-estimates/${id}`)).attributes['recipients']
    }
    expect(await reached({})).toBe(1)
    expect(await reached({ topic })).toBe(0)
    await inSite((tx) => tx.update(projects).set({ topicId: topic }).where(eq(projects.id, roads.project)))
    expect(await reached({ topic })).toBe(1)
  })

  test('in what a person is linked to: groups and roles elsewhere are hidden', async () => {
    const group = requireItem(await make(siteAdmin, { name: 'Parks panel' }, parks.hub))
    await api(siteAdmin).post(`/groups/${group.id}/relationships/people`, { data: [to('users', both.id)] })
    const role = buildResourceDocument(
      'memberships',
      { role: 'project_admin' },
      { to: { user: to('users', both.id), project: to('projects', parks.project) } },
    )
    const held = requireItem(await api(siteAdmin).post('/memberships', role))
    for (const [name, id] of [
      ['groups', group.id],
      ['memberships', held.id],
    ] as const) {
      const links = await api(hubAdmin).get(`/users/${both.id}/relationships/${name}`)
      expect(links.status).toBe(200)
      expect(JSON.stringify(links.body)).not.toContain(id)
      expect(JSON.stringify((await api(hubAdmin).get(`/users/${both.id}?include=${name}`)).body)).not.toContain(id)
      expect(JSON.stringify((await api(siteAdmin).get(`/users/${both.id}/relationships/${name}`)).body)).toContain(id)
    }
  })
})

describe('invitations', () => {
  test('are sent again to people who have not accepted, only by those who may give the role', async () => {
    const invite = { role: 'project_admin', email: 'nia@riverbend.example' }
    await api(hubAdmin).post(
      '/memberships',
      buildResourceDocument('memberships', invite, { to: { project: to('projects', roads.project) } }),
    )
    const [nia] = await inSite((tx) => tx.select().from(users).where(eq(users.email, invite.email)))
    await follow(nia?.id ?? '', roads)
    const again = (person: Person, id = nia?.id ?? '') =>
      api(person).post('/invitations', buildResourceDocument('invitations', {}, { to: { user: to('users', id) } }))
    expect((await again(hubAdmin)).status).toBe(201)
    expect((await loadMailsTo(runtime, site.id, invite.email)).map(({ kind }) => kind)).toEqual(['invitation', 'invitation'])
    const ann = await addAccount(runtime, site, { role: 'site_admin' })
    expect((await again(siteAdmin, ann.id)).codes).toEqual(['conflict'])
    const participant = await addPerson(runtime, site)
    expect((await again(siteAdmin, participant.id)).status).toBe(404)
    expect((await again(participant)).status).toBe(403)
  })
})

describe('merging two accounts of one person', () => {
  const merge = (person: Person, from: string, into: string) =>
    api(person).post('/user-merges', buildResourceDocument('user-merges', {}, { to: { from: to('users', from), into: to('users', into) } }))

  test('moves everything, loses no response, notifies the person and deletes the other account', async () => {
    const [old, kept] = [
      await addAccount(runtime, site, { role: 'project_admin', projectId: roads.project }),
      await addAccount(runtime, site),
    ]
    await answer(old.id, roads)
    await answer(kept.id, roads)
    await follow(old.id, roads)
    await follow(kept.id, roads)
    await follow(old.id, parks)
    expect((await merge(siteAdmin, old.id, kept.id)).status).toBe(201)
    expect((await api(old).get('/current-user')).status).toBe(401)
    expect(await inSite((tx) => tx.select().from(responses).where(eq(responses.userId, kept.id)))).toHaveLength(2)
    expect(await inSite((tx) => tx.select().from(projectFollows).where(eq(projectFollows.userId, kept.id)))).toHaveLength(2)
    // The role moved too, and takes effect at once.
    expect((await api(kept).get('/current-user')).body).toMatchObject({ data: { attributes: { user: { roleName: 'project_admin' } } } })
    const [mail] = await loadMailsTo(runtime, site.id, kept.email)
    expect(mail?.bodyText).toContain(old.email)
    const trail = await inSite((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.action, 'users.merge'), eq(auditEvents.subjectId, kept.id))),
    )
    expect(trail).toHaveLength(1)
  })

  const phoneOf = async (userId: string) =>
    (await inSite((tx) => tx.select().from(userPhones).where(eq(userPhones.userId, userId)))).map(({ phone }) => phone)

  test('keeps phone, consents, home area and saved views', async () => {
    const [old, kept] = [await addAccount(runtime, site), await addAccount(runtime, site)]
    await follow(old.id, roads)
    await follow(kept.id, roads)
    const { Ward: area } = await addAreas(runtime, site, [{ name: 'Ward', west: -75, south: 45, side: 1 }])
    const [at, later] = [new Date('2026-01-01'), new Date('2026-02-01')]
    const own = { siteId: site.id, userId: old.id }
    const said = { words: 'Yes', language: 'en', source: 'account' } as const
    const view = { siteId: site.id, table: 'people', query: '?sort=name', createdAt: at } as const
    await inSite(async (tx) => {
      await tx.insert(userPhones).values({ ...own, phone: '+16135550188', confirmedAt: at })
      await tx.insert(smsConsents).values({ ...own, ...said, id: createId(), phone: '+16135550188', given: true, at })
      await tx.insert(homeAreas).values({ ...own, areaId: area ?? '', consentedAt: at })
      await tx.update(users).set({ marketingConsentAt: later }).where(eq(users.id, old.id))
      await tx.insert(mailConsents).values([
        { ...own, ...said, id: createId(), userId: kept.id, email: kept.email, given: false, at },
        { ...own, ...said, id: createId(), email: old.email, given: true, at: later },
      ])
      await tx.insert(savedViews).values([
        { ...view, id: createId(), userId: old.id, name: 'Mine' },
        { ...view, id: createId(), userId: old.id, name: 'Both' },
        { ...view, id: createId(), userId: kept.id, name: 'Both' },
      ])
    })
    expect((await merge(siteAdmin, old.id, kept.id)).status).toBe(201)
    expect(await phoneOf(kept.id)).toEqual(['+16135550188'])
    expect(await inSite((tx) => tx.select().from(smsConsents).where(eq(smsConsents.userId, kept.id)))).toMatchObject([{ given: true }])
    expect(await inSite((tx) => tx.select().from(mailConsents).where(eq(mailConsents.userId, kept.id)))).toHaveLength(2)
    expect(await inSite((tx) => tx.select().from(users).where(eq(users.id, kept.id)))).toMatchObject([{ marketingConsentAt: later }])
    expect(await inSite((tx) => tx.select().from(homeAreas).where(eq(homeAreas.userId, kept.id)))).toMatchObject([{ areaId: area }])
    const views = await inSite((tx) => tx.select().from(savedViews).where(eq(savedViews.userId, kept.id)))
    expect(views.map(({ name }) => name).toSorted()).toEqual(['Both', 'Mine'])
  })

  test('keeps the phone and the last word of the account that stays', async () => {
    const [old, kept] = [await addAccount(runtime, site), await addAccount(runtime, site)]
    await follow(old.id, roads)
    await follow(kept.id, roads)
    const [at, later] = [new Date('2026-01-01'), new Date('2026-02-01')]
    await inSite(async (tx) => {
      await tx.insert(userPhones).values([
        { siteId: site.id, userId: old.id, phone: '+16135550177', confirmedAt: at },
        { siteId: site.id, userId: kept.id, phone: '+16135550166', confirmedAt: at },
      ])
      await tx.update(users).set({ marketingConsentAt: at }).where(eq(users.id, old.id))
      const said = { siteId: site.id, words: 'Yes', language: 'en', source: 'account' } as const
      await tx.insert(mailConsents).values([
        { ...said, id: createId(), userId: old.id, email: old.email, given: true, at },
        { ...said, id: createId(), userId: kept.id, email: kept.email, given: false, at: later },
      ])
    })
    expect((await merge(siteAdmin, old.id, kept.id)).status).toBe(201)
    expect(await phoneOf(kept.id)).toEqual(['+16135550166'])
    expect(await inSite((tx) => tx.select().from(users).where(eq(users.id, kept.id)))).toMatchObject([{ marketingConsentAt: null }])
  })

  test('leaves one person, who may not answer again what either account has answered once', async () => {
    const [old, kept] = [await addAccount(runtime, site), await addAccount(runtime, site)]
    const survey = await addSurvey(runtime, site, { access: 'signed_in' })
    const respond = (person: Person) =>
      api(person).post(
        '/responses',
        buildResourceDocument(
          'responses',
          { answers: { name: 'Elm' }, sendKey: 'known-to-the-sender' },
          { to: { survey: to('surveys', survey.id) } },
        ),
      )
    expect((await respond(old)).status).toBe(201)
    await follow(old.id, roads)
    await follow(kept.id, roads)
    expect((await merge(siteAdmin, old.id, kept.id)).status).toBe(201)
    expect((await respond(kept)).codes).toEqual(['already-answered'])
  })

  test('is only for site administrators, and never with oneself', async () => {
    const [one, two] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    await follow(one.id, roads)
    await follow(two.id, roads)
    expect((await merge(hubAdmin, one.id, two.id)).status).toBe(403)
    expect((await merge(siteAdmin, one.id, one.id)).status).toBe(422)
    expect((await merge(siteAdmin, siteAdmin.id, one.id)).status).toBe(403)
    const other = await addSite(runtime, { slug: `s-${createId()}` })
    const foreign = await addPerson(runtime, other)
    expect((await merge(siteAdmin, foreign.id, one.id)).status).toBe(404)
  })
})

describe('members of a project', () => {
  const memberOf = (project: string, who: { email?: string; user?: string }) =>
    buildResourceDocument('project-members', who.email ? { email: who.email } : {}, {
      to: { project: to('projects', project), ...(who.user ? { user: to('users', who.user) } : {}) },
    })
  const isSeenBy = async (person: Person, { project }: Place) =>
    getProject(await withViewer(createCtx(runtime, site), person.token), { slug: project === roads.project ? 'roads' : 'parks' }).then(
      () => true,
      () => false,
    )
  beforeEach(() =>
    inSite((tx) =>
      tx.update(projects).set({ status: 'published', publishedAt: new Date(), visibility: 'members' }).where(eq(projects.siteId, site.id)),
    ),
  )

  test('added by email see the project at once and lose it with the next request, and accounts are not revealed', async () => {
    const known = await addAccount(runtime, site, { login: 'Zoé', email: 'known@example.net' })
    expect(await isSeenBy(known, roads)).toBe(false)
    const added = await api(hubAdmin).post('/project-members', memberOf(roads.project, { email: 'known@example.net' }))
    const unknown = await api(hubAdmin).post('/project-members', memberOf(roads.project, { email: 'nobody@example.net' }))
    const shape = (answer: ApiAnswer) => {
      const { attributes, relationships } = requireItem(answer) as ResourceItem & { relationships: Record<string, unknown> }
      return [answer.status, attributes['name'], (relationships['user'] as { data: unknown }).data]
    }
    expect(shape(added)).toEqual([201, null, null])
    expect(shape(unknown)).toEqual(shape(added))
    for (const email of ['known@example.net', 'nobody@example.net'])
      expect((await loadMailsTo(runtime, site.id, email)).map(({ kind }) => kind)).toEqual(['project-invitation'])
    expect(requireItems(await api(hubAdmin).get(`/users?filter[q]=known`))).toEqual([])

    expect(await isSeenBy(known, roads)).toBe(true)
    expect(await isSeenBy(known, parks)).toBe(false)
    const listed = requireItems(await api(hubAdmin).get(`/project-members?filter[project]=${roads.project}`))
    expect(listed.map(({ attributes }) => attributes['name'])).toEqual(['Zoé', null])
    expect((await api(hubAdmin).post('/project-members', memberOf(roads.project, { email: 'known@example.net' }))).codes).toEqual(['taken'])
    expect((await api(hubAdmin).delete(`/project-members/${requireItem(added).id}`)).status).toBe(204)
    expect(await isSeenBy(known, roads)).toBe(false)
    const trail = await inSite((tx) => tx.select({ action: auditEvents.action }).from(auditEvents).where(eq(auditEvents.siteId, site.id)))
    expect(trail.map(({ action }) => action)).toEqual(expect.arrayContaining(['project-members.create', 'project-members.delete']))
  })

  test('added to a draft are told that it is not published yet, without a link to a page that they cannot open', async () => {
    for (const email of ['known@example.net', 'second@example.net']) await addAccount(runtime, site, { email })
    const mailOf = async (email: string) => (await loadMailsTo(runtime, site.id, email))[0]?.bodyText ?? ''
    await inSite((tx) => tx.update(projects).set({ status: 'draft', publishedAt: null }).where(eq(projects.id, roads.project)))
    await api(siteAdmin).post('/project-members', memberOf(roads.project, { email: 'known@example.net' }))
    await api(siteAdmin).post('/project-members', memberOf(parks.project, { email: 'second@example.net' }))
    expect(await mailOf('known@example.net')).toContain('It is not published yet.')
    expect(await mailOf('known@example.net')).not.toMatch(/projects(\/|%2F)/)
    expect(await mailOf('second@example.net')).not.toContain('not published')
    expect(await mailOf('second@example.net')).toMatch(/projects(\/|%2F)/)
  })

  test('added by email do not include somebody who registered that address without confirming it', async () => {
    const lurker = await addAccount(runtime, site, { email: 'mayor@example.net', confirmed: false })
    await api(siteAdmin).post('/project-members', memberOf(roads.project, { email: 'mayor@example.net' }))
    expect(await isSeenBy(lurker, roads)).toBe(false)
    expect((await loadMailsTo(runtime, site.id, 'mayor@example.net'))[0]?.bodyText).toContain('/reset-password?token=')
  })

  test('come from a group as far as one manages its people, each notified once', async () => {
    const [ann, bob] = [
      await addAccount(runtime, site, { email: 'ann@example.net' }),
      await addAccount(runtime, site, { email: 'bob@example.net' }),
    ]
    await follow(ann.id, roads)
    await follow(bob.id, parks)
    const made = await api(hubAdmin).post(
      '/groups',
      buildResourceDocument('groups', { name: 'Cyclists' }, { to: { hub: to('hubs', roads.hub) } }),
    )
    const group = requireItem(made).id
    for (const { id } of [ann, bob]) await api(siteAdmin).post(`/groups/${group}/relationships/people`, { data: [to('users', id)] })
    const admit = () =>
      api(hubAdmin).post(
        '/project-admissions',
        buildResourceDocument('project-admissions', {}, { to: { project: to('projects', roads.project), group: to('groups', group) } }),
      )
    expect(requireItem(await admit()).attributes).toEqual({ admitted: 1, already: 0 })
    expect(requireItem(await admit()).attributes).toEqual({ admitted: 0, already: 1 })
    expect([await isSeenBy(ann, roads), await isSeenBy(bob, roads)]).toEqual([true, false])
    expect(await loadMailsTo(runtime, site.id, 'ann@example.net')).toHaveLength(1)
  })

  test('are managed only by administrators of the department and the site', async () => {
    const projectAdmin = await addPerson(runtime, site, { role: 'project_admin', projectId: roads.project })
    const row = requireItem(await api(siteAdmin).post('/project-members', memberOf(roads.project, { email: 'ann@example.net' })))
    const parksAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: parks.hub })
    const document = memberOf(roads.project, { email: 'new@example.net' })
    const tries = async (person?: Person) => [
      (await api(person).get('/project-members')).status,
      (await api(person).get(`/project-members/${row.id}`)).status,
      (await api(person).post('/project-members', document)).status,
      (await api(person).delete(`/project-members/${row.id}`)).status,
    ]
    expect(await tries(projectAdmin)).toEqual([403, 404, 403, 404])
    expect(await tries()).toEqual([401, 404, 401, 401])
    // To another department, a project for members does not exist.
    expect(await tries(parksAdmin)).toEqual([200, 404, 404, 404])
    expect(requireItems(await api(parksAdmin).get(`/project-members?filter[project]=${roads.project}`))).toEqual([])
    expect(await tries(hubAdmin)).toEqual([200, 200, 201, 204])
  })
})

describe('saved views of tables', () => {
  const view = (name: string, more: Record<string, unknown> = {}) =>
    buildResourceDocument('saved-views', { table: 'projects', name, query: 'status=draft&sort=title', ...more })

  test('belong to their owner, have unique names, and are audited', async () => {
    const made = requireItem(await api(siteAdmin).post('/saved-views', view(' Drafts ')))
    expect(made.attributes['name']).toBe('Drafts')
    expect((await api(siteAdmin).post('/saved-views', view('Drafts'))).codes).toEqual(['taken'])
    expect((await api(siteAdmin).post('/saved-views', view(''))).codes).toEqual(['required'])
    await api(siteAdmin).post('/saved-views', view('All', { query: '' }))
    expect(
      requireItems(await api(siteAdmin).get('/saved-views?filter[table]=projects')).map(({ attributes }) => attributes['name']),
    ).toEqual(['All', 'Drafts'])
    expect(ids(await api(siteAdmin).get('/saved-views?filter[table]=people'))).toEqual([])

    // Another person may use the same name, but cannot see or change this view.
    expect((await api(hubAdmin).post('/saved-views', view('Drafts'))).status).toBe(201)
    expect((await api(hubAdmin).get(`/saved-views/${made.id}`)).status).toBe(404)
    expect(
      (await api(hubAdmin).patch(`/saved-views/${made.id}`, buildResourceDocument('saved-views', { name: 'Mine' }, { id: made.id })))
        .status,
    ).toBe(404)
    expect((await api(hubAdmin).delete(`/saved-views/${made.id}`)).status).toBe(404)

    const renamed = await api(siteAdmin).patch(
      `/saved-views/${made.id}`,
      buildResourceDocument('saved-views', { name: 'By title' }, { id: made.id }),
    )
    expect(requireItem(renamed).attributes).toMatchObject({ name: 'By title', query: 'status=draft&sort=title' })
    expect((await api(siteAdmin).delete(`/saved-views/${made.id}`)).status).toBe(204)
    const noted = await inSite((tx) =>
      tx.select({ action: auditEvents.action }).from(auditEvents).where(eq(auditEvents.subjectId, made.id)).orderBy(auditEvents.at),
    )
    expect(noted.map(({ action }) => action)).toEqual(['saved-views.create', 'saved-views.update', 'saved-views.delete'])
  })

  test('are for the site’s administrators; only those of responses name a survey', async () => {
    const participant = await addPerson(runtime, site)
    const guest = await addPerson(runtime, site, { role: 'platform_admin' })
    for (const [person, status] of [
      [undefined, 401],
      [participant, 403],
      [guest, 403],
    ] as const) {
      expect((await api(person).post('/saved-views', view('Drafts'))).status).toBe(status)
    }
    const survey = { survey: to('surveys', roads.survey) }
    const answers = { table: 'responses', name: 'In French', query: 'language=fr-CA' }
    expect((await api(siteAdmin).post('/saved-views', buildResourceDocument('saved-views', answers))).status).toBe(422)
    expect(
      (await api(siteAdmin).post('/saved-views', buildResourceDocument('saved-views', { ...answers, table: 'people' }, { to: survey })))
        .status,
    ).toBe(422)
    const made = requireItem(await api(siteAdmin).post('/saved-views', buildResourceDocument('saved-views', answers, { to: survey })))
    expect(ids(await api(siteAdmin).get(`/saved-views?filter[table]=responses&filter[survey]=${roads.survey}`))).toEqual([made.id])
    expect(ids(await api(siteAdmin).get(`/saved-views?filter[table]=responses&filter[survey]=${parks.survey}`))).toEqual([])
  })
})

describe('notifications', () => {
  const listed = async (person: Person) =>
    requireItems(await api(person).get('/notifications')).map(
      ({ id, attributes }) => ({ id, ...attributes }) as { id: string; kind: string; read: boolean },
    )

  test('of a review go to those who may publish except its author, are read individually, and vanish when it is done', async () => {
    const author = await addPerson(runtime, site, { role: 'project_admin', projectId: roads.project })
    const elsewhere = await addPerson(runtime, site, { role: 'hub_admin', hubId: parks.hub })
    const publication = buildResourceDocument(
      'publications',
      { waiveTranslations: true },
      { to: { project: to('projects', roads.project) } },
    )
    expect((await api(author).post('/publications', publication)).status).toBe(201)

    const [told] = await listed(hubAdmin)
    expect(told).toMatchObject({ kind: 'review', title: 'Project roads', subject: roads.project, read: false })
    expect(await listed(author)).toEqual([])
    expect(await listed(elsewhere)).toEqual([])
    expect(await listed(await addPerson(runtime, site))).toEqual([])
    expect((await api().get('/notifications')).status).toBe(401)

    const id = told?.id ?? ''
    const read = buildResourceDocument('notifications', { read: true }, { id })
    expect((await api(elsewhere).patch(`/notifications/${id}`, read)).status).toBe(404)
    expect((await api(hubAdmin).patch(`/notifications/${id}`, read)).status).toBe(200)
    expect(await listed(hubAdmin)).toMatchObject([{ id, read: true }])
    expect(await listed(siteAdmin)).toMatchObject([{ id, read: false }])
    expect((await api(hubAdmin).get('/notifications')).body?.meta).toMatchObject({ unread: 0 })

    // Published: nothing is waiting, and the author is notified.
    expect((await api(hubAdmin).post('/publications', publication)).status).toBe(201)
    expect(await listed(siteAdmin)).toEqual([])
    expect(await listed(author)).toMatchObject([{ kind: 'published', subject: roads.project, read: false }])
  })

  test('of an integration that fails use its name', async () => {
    await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx
          .insert(installations)
          .values({ siteId: site.id, id: createId(), integration: 'sms-gov-notify', enabledAt: new Date(), failingSince: new Date() }),
      )
    expect(await listed(siteAdmin)).toMatchObject([{ kind: 'integration', title: 'Text messages by GOV.UK Notify' }])
  })
})
