import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { hubs, projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import type { Tx } from '#app/server/db/client.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Site } from '#app/server/site-directory.ts'
import {
  type Account,
  addAccount,
  requireItem,
  requireItems,
  requireMailedToken,
  loadMailsTo,
  PASSWORD,
  readToken,
} from '#tests/support/accounts.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let siteAdmin: Person
let hubAdmin: Person
let hub: { roads: string; parks: string }
let project: { roads: string; parks: string }
let survey: { roads: string; parks: string }

const api = (token?: string, at = site) => createApiClient(runtime, at, token)
const inSite = <T>(work: (tx: Tx) => Promise<T>) => runtime.database.site(site.id).tx(work)
const ids = (answer: ApiAnswer) => requireItems(answer).map(({ id }) => id)

async function addHub(slug: string) {
  const [hubId, projectId, surveyId] = [createId(), createId(), createId()]
  await inSite(async (tx) => {
    await tx.insert(hubs).values({ siteId: site.id, id: hubId, slug, title: { en: slug } })
    await tx.insert(projects).values({
      siteId: site.id,
      id: projectId,
      hubId,
      slug,
      title: { en: `Project ${slug}` },
      status: 'published',
      publishedAt: new Date(),
    })
    await tx.insert(surveys).values({ siteId: site.id, id: surveyId, projectId, slug, title: { en: `Survey ${slug}` }, definition: {} })
  })
  return { hubId, projectId, surveyId }
}

const answer = (userId: string, surveyId: string) =>
  inSite((tx) =>
    tx.insert(responses).values({
      siteId: site.id,
      id: createId(),
      surveyId,
      version: 1,
      userId,
      language: 'en',
      answers: { q: 'Mend the bridge' },
      receiptHash: Buffer.from(createId()),
    }),
  )
const follow = (userId: string, projectId: string) =>
  inSite((tx) => tx.insert(projectFollows).values({ siteId: site.id, projectId, userId }))

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `s-${createId()}` })
  const [roads, parks] = [await addHub('roads'), await addHub('parks')]
  hub = { roads: roads.hubId, parks: parks.hubId }
  project = { roads: roads.projectId, parks: parks.projectId }
  survey = { roads: roads.surveyId, parks: parks.surveyId }
  siteAdmin = await addPerson(runtime, site, { role: 'site_admin' })
  hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.roads })
})

describe('the people of a site', () => {
  test('a site administrator sees everybody, paged, searched, filtered and sorted', async () => {
    const ann = await addAccount(runtime, site, { email: 'ann%100@riverbend.example', login: 'Ann' })
    const bob = await addAccount(runtime, site, { email: 'bob@riverbend.example', login: 'Bob', confirmed: false })
    const admin = api(siteAdmin.token)
    const all = await admin.get('/users?sort=login&page[size]=2')
    expect(all.body?.meta).toMatchObject({ total: 4 })
    expect(ids(all)).toEqual([ann.id, bob.id])
    expect(ids(await admin.get('/users?filter[q]=BOB'))).toEqual([bob.id])
    expect(ids(await admin.get('/users?filter[q]=n%25100'))).toEqual([ann.id])
    expect(ids(await admin.get("/users?filter[q]=' or 1=1 --"))).toEqual([])
    expect(ids(await admin.get('/users?filter[confirmed]=false'))).toEqual([bob.id])
    expect(ids(await admin.get('/users?filter[role]=participant&sort=-email'))).toEqual([bob.id, ann.id])
    expect(ids(await admin.get('/users?filter[role]=hub_admin,site_admin')).toSorted()).toEqual([siteAdmin.id, hubAdmin.id].toSorted())
    const shown = await admin.get(`/users/${bob.id}?include=memberships`)
    expect(shown.body?.data).toMatchObject({
      attributes: { login: 'Bob', email: 'bob@riverbend.example', roleName: 'participant', confirmed: false, blockedAt: null },
      meta: { can: { update: false, block: true, erase: true } },
    })
    expect(JSON.stringify(shown.body)).not.toMatch(/argon2|password/i)
  })

  test('a hub administrator sees only participants of their own hub', async () => {
    const [answered, follows, belongs, elsewhere, nowhere] = await Promise.all(Array.from({ length: 5 }, () => addAccount(runtime, site)))
    if (!answered || !follows || !belongs || !elsewhere || !nowhere) throw new Error('five people')
    await answer(answered.id, survey.roads)
    await follow(follows.id, project.roads)
    await inSite((tx) => tx.insert(projectMembers).values({ siteId: site.id, projectId: project.roads, userId: belongs.id }))
    await answer(elsewhere.id, survey.parks)
    await follow(elsewhere.id, project.parks)
    const admin = api(hubAdmin.token)
    expect(ids(await admin.get('/users')).toSorted()).toEqual([answered.id, follows.id, belongs.id].toSorted())
    for (const hidden of [elsewhere, nowhere, siteAdmin]) expect((await admin.get(`/users/${hidden.id}`)).status).toBe(404)
    expect((await admin.get(`/users/${answered.id}`)).status).toBe(200)
    expect(ids(await admin.get(`/users?filter[q]=${elsewhere.email}`))).toEqual([])
  })

  test('participants, project administrators, the platform and other sites see nobody', async () => {
    const ann = await addAccount(runtime, site)
    await follow(ann.id, project.roads)
    const other = await addSite(runtime, { slug: `s-${createId()}` })
    const strangers = [
      await addPerson(runtime, site),
      await addPerson(runtime, site, { role: 'project_admin', projectId: project.roads }),
      await addPerson(runtime, site, { role: 'platform_admin' }),
    ]
    for (const { token } of strangers) {
      expect((await api(token).get('/users')).status).toBe(403)
      expect((await api(token).get(`/users/${ann.id}`)).status).toBe(404)
    }
    expect((await api().get('/users')).status).toBe(401)
    const elsewhere = await addPerson(runtime, other, { role: 'site_admin' })
    expect((await api(elsewhere.token, other).get(`/users/${ann.id}`)).status).toBe(404)
    expect((await api(elsewhere.token).get('/users')).status).toBe(401)
    expect((await api(ann.token).get(`/users/${ann.id}`)).body?.data).toMatchObject({
      meta: { can: { update: true, block: false, erase: false } },
    })
  })
})

describe('blocking', () => {
  const block = (token: string, user: string, reason = 'Insults in three surveys') =>
    api(token).post('/user-blocks', buildResourceDocument('user-blocks', { reason }, { to: { user: { type: 'users', id: user } } }))

  test('ends all sessions at once, tells the person why, and can be undone', async () => {
    const ann = await addAccount(runtime, site)
    await follow(ann.id, project.roads)
    expect((await block(hubAdmin.token, ann.id)).body).toMatchObject({
      data: { id: ann.id, attributes: { reason: 'Insults in three surveys' } },
    })
    expect((await api(ann.token).get('/current-user')).status).toBe(401)
    const [mail] = await loadMailsTo(runtime, site.id, ann.email)
    expect(mail?.bodyText).toContain('Insults in three surveys')
    const signIn = () => api().post('/sessions', buildResourceDocument('sessions', { email: ann.email, password: PASSWORD }))
    expect((await signIn()).codes).toEqual(['blocked'])
    expect((await api().post('/password-resets', buildResourceDocument('password-resets', { email: ann.email }))).status).toBe(201)
    expect(await loadMailsTo(runtime, site.id, ann.email)).toHaveLength(1)
    expect((await api(hubAdmin.token).delete(`/user-blocks/${ann.id}`)).status).toBe(204)
    expect((await signIn()).status).toBe(201)
    const trail = await inSite((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, ann.id)).orderBy(auditEvents.at))
    expect(trail.filter((row) => row.actorId === hubAdmin.id).map((row) => row.action)).toEqual(['users.block', 'users.unblock'])
  })

  test('needs a reason; nobody can block themselves, and a hub administrator cannot block administrators', async () => {
    const ann = await addAccount(runtime, site, { role: 'project_admin', projectId: project.roads })
    await follow(ann.id, project.roads)
    expect((await block(hubAdmin.token, ann.id)).status).toBe(403)
    expect((await block(siteAdmin.token, siteAdmin.id)).status).toBe(403)
    expect((await block(siteAdmin.token, ann.id, ' ')).codes).toEqual(['required'])
    expect((await block(siteAdmin.token, ann.id)).status).toBe(201)
    const stranger = await addAccount(runtime, site)
    expect((await block(hubAdmin.token, stranger.id)).status).toBe(404)
  })
})

describe('roles', () => {
  const give = (token: string, attributes: Record<string, unknown>, to: Record<string, { type: string; id: string }> = {}) =>
    api(token).post('/memberships', buildResourceDocument('memberships', attributes, { to }))
  const inProject = (id: string) => ({ project: { type: 'projects', id } })
  const inHub = (id: string) => ({ hub: { type: 'hubs', id } })
  const idOf = (made: ApiAnswer) => requireItem(made).id

  test('given to an address without an account invite its owner to choose a password', async () => {
    const made = await give(siteAdmin.token, { role: 'hub_admin', email: 'New@riverbend.example', login: 'Nia' }, inHub(hub.parks))
    expect(made.status).toBe(201)
    const token = await requireMailedToken(runtime, site.id, 'new@riverbend.example', 'invitation')
    await api().post('/password-changes', buildResourceDocument('password-changes', { token, password: 'a-brand-new-password' }))
    const signedIn = await api().post(
      '/sessions',
      buildResourceDocument('sessions', { email: 'new@riverbend.example', password: 'a-brand-new-password' }),
    )
    expect((await api(readToken(signedIn)).get('/current-user')).body).toMatchObject({
      data: { attributes: { user: { login: 'Nia', roleName: 'hub_admin', type: 'administrator' } } },
    })
  })

  test('take effect and end with the next request, and each change is audited', async () => {
    const ann = await addAccount(runtime, site)
    const me = async () => (await api(ann.token).get('/current-user')).body
    const made = await give(siteAdmin.token, { role: 'project_admin', email: ann.email }, inProject(project.roads))
    expect(await me()).toMatchObject({ data: { attributes: { user: { roleName: 'project_admin' } } } })
    expect((await loadMailsTo(runtime, site.id, ann.email)).map(({ kind }) => kind)).toEqual(['role-given'])
    expect((await api(siteAdmin.token).delete(`/memberships/${idOf(made)}`)).status).toBe(204)
    expect(await me()).toMatchObject({ data: { attributes: { user: { roleName: 'participant' } } } })
    const trail = await inSite((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, ann.id)).orderBy(auditEvents.at))
    expect(trail.map(({ action, projectId, hubId }) => [action, projectId, hubId])).toEqual([
      ['memberships.create', project.roads, hub.roads],
      ['memberships.delete', project.roads, hub.roads],
    ])
    const [row] = await inSite((tx) => tx.select().from(users).where(eq(users.id, ann.id)))
    expect(row?.type).toBe('participant')
  })

  test('are given as the table says: project administrators by their hub, hub and site administrators by the site', async () => {
    const platform = await addPerson(runtime, site, { role: 'platform_admin' })
    const participant = await addPerson(runtime, site)
    const someone = () => `${createId()}@riverbend.example`
    const tries: [token: string, attributes: Record<string, unknown>, to: Record<string, { type: string; id: string }>, status: number][] =
      [
        [hubAdmin.token, { role: 'project_admin' }, inProject(project.roads), 201],
        [hubAdmin.token, { role: 'project_admin' }, inProject(project.parks), 403],
        [hubAdmin.token, { role: 'hub_admin' }, inHub(hub.roads), 403],
        [hubAdmin.token, { role: 'site_admin' }, {}, 403],
        [siteAdmin.token, { role: 'hub_admin' }, inHub(hub.parks), 201],
        [siteAdmin.token, { role: 'site_admin' }, {}, 201],
        [platform.token, { role: 'site_admin' }, {}, 403],
        [platform.token, { role: 'hub_admin' }, inHub(hub.roads), 403],
        [participant.token, { role: 'project_admin' }, inProject(project.roads), 403],
      ]
    for (const [token, attributes, to, status] of tries)
      expect((await give(token, { ...attributes, email: someone() }, to)).status, JSON.stringify([attributes, status])).toBe(status)
    expect((await give(siteAdmin.token, { role: 'platform_admin', email: someone() })).codes).toEqual(['not-a-choice'])
  })

  test('need exactly the right place, and cannot be held twice', async () => {
    const email = 'twice@riverbend.example'
    expect((await give(siteAdmin.token, { role: 'hub_admin', email })).body?.errors?.[0]).toMatchObject({
      code: 'required',
      source: { pointer: '/data/relationships/hub/data' },
    })
    expect((await give(siteAdmin.token, { role: 'project_admin', email })).codes).toEqual(['required'])
    expect((await give(siteAdmin.token, { role: 'site_admin', email }, inHub(hub.roads))).codes).toEqual(['unknown-attribute'])
    expect((await give(siteAdmin.token, { role: 'hub_admin' }, inHub(hub.roads))).body?.errors?.[0]).toMatchObject({
      code: 'required',
      source: { pointer: '/data/attributes/email' },
    })
    expect((await give(siteAdmin.token, { role: 'hub_admin', email }, inHub(createId()))).status).toBe(404)
    expect((await give(siteAdmin.token, { role: 'hub_admin', email }, inHub(hub.roads))).status).toBe(201)
    expect((await give(siteAdmin.token, { role: 'hub_admin', email }, inHub(hub.roads))).codes).toEqual(['taken'])
    expect((await give(siteAdmin.token, { role: 'hub_admin', email }, inHub(hub.parks))).status).toBe(201)
  })

  test('are visible to those who may give them and to their holder', async () => {
    const [roadsAdmin, parksAdmin] = [
      await addPerson(runtime, site, { role: 'project_admin', projectId: project.roads }),
      await addPerson(runtime, site, { role: 'project_admin', projectId: project.parks }),
    ]
    const holders = async (token: string) => ids(await api(token).get('/memberships?page[size]=100')).length
    expect(await holders(siteAdmin.token)).toBe(4)
    expect(await holders(hubAdmin.token)).toBe(2)
    expect(await holders(roadsAdmin.token)).toBe(1)
    expect((await api().get('/memberships')).status).toBe(401)
    const [parksRow] = await inSite((tx) =>
      tx.select({ id: memberships.id }).from(memberships).where(eq(memberships.userId, parksAdmin.id)),
    )
    expect((await api(hubAdmin.token).delete(`/memberships/${parksRow?.id}`)).status).toBe(404)
    const [roadsRow] = await inSite((tx) =>
      tx.select({ id: memberships.id }).from(memberships).where(eq(memberships.userId, roadsAdmin.id)),
    )
    expect((await api(roadsAdmin.token).delete(`/memberships/${roadsRow?.id}`)).status).toBe(403)
    const patch = buildResourceDocument('memberships', { mayExportPersonalData: true }, { id: roadsRow?.id ?? '' })
    expect((await api(roadsAdmin.token).patch(`/memberships/${roadsRow?.id}`, patch)).status).toBe(403)
    expect((await api(hubAdmin.token).patch(`/memberships/${roadsRow?.id}`, patch)).body).toMatchObject({
      data: { attributes: { mayExportPersonalData: true } },
    })
  })
})

describe('personal data', () => {
  let ann: Account
  beforeEach(async () => {
    ann = await addAccount(runtime, site, { login: 'Ann Tremblay' })
    await answer(ann.id, survey.roads)
    await follow(ann.id, project.parks)
    await inSite((tx) =>
      tx.insert(responseDrafts).values({
        siteId: site.id,
        id: createId(),
        surveyId: survey.parks,
        version: 1,
        userId: ann.id,
        language: 'en',
        answers: { q: 'Half a thought' },
      }),
    )
    await inSite((tx) => tx.insert(projectMembers).values({ siteId: site.id, projectId: project.roads, userId: ann.id }))
    await api().post('/password-resets', buildResourceDocument('password-resets', { email: ann.email }))
  })

  test('includes everything the site holds about a person, and no secrets', async () => {
    const answered = await api(ann.token).get('/own-data')
    expect(answered.status).toBe(200)
    expect(answered.body?.data).toMatchObject({
      attributes: {
        sections: {
          site: site.name,
          account: { id: ann.id, email: ann.email, login: 'Ann Tremblay' },
          sessions: [{}],
          links: [{ purpose: 'reset-password' }],
          follows: [{ projectId: project.parks }],
          memberships: [{ projectId: project.roads }],
          responses: [{ survey: { en: 'Survey roads' }, answers: { q: 'Mend the bridge' } }],
          drafts: [{ answers: { q: 'Half a thought' } }],
          mails: [{ to: ann.email, subject: `Choose a new password for ${site.name}` }],
        },
      },
    })
    const token = await requireMailedToken(runtime, site.id, ann.email, 'reset-password')
    for (const secret of ['argon2', 'tokenHash', 'receiptHash', token]) expect(JSON.stringify(answered.body)).not.toContain(secret)
    expect((await api().get('/own-data')).status).toBe(401)
  })

  test('is deleted with the account, and responses are kept without the person', async () => {
    const erase = (password: string) => api(ann.token).post('/account-deletions', buildResourceDocument('account-deletions', { password }))
    expect((await erase('not-the-password')).codes).toEqual(['wrong-password'])
    expect((await erase(PASSWORD)).status).toBe(201)
    expect((await api(ann.token).get('/current-user')).status).toBe(401)
    expect(await inSite((tx) => tx.select().from(users).where(eq(users.id, ann.id)))).toEqual([])
    expect(await inSite((tx) => tx.select({ userId: responses.userId, answers: responses.answers }).from(responses))).toEqual([
      { userId: null, answers: { q: 'Mend the bridge' } },
    ])
    for (const table of [projectFollows, projectMembers, responseDrafts]) expect(await inSite((tx) => tx.select().from(table))).toEqual([])
    expect(await loadMailsTo(runtime, site.id, ann.email)).toEqual([])
    expect(JSON.stringify(await inSite((tx) => tx.select().from(auditEvents)))).not.toContain(ann.email)
    expect((await api().post('/sessions', buildResourceDocument('sessions', { email: ann.email, password: PASSWORD }))).codes).toEqual([
      'wrong-credentials',
    ])
    expect(
      (await api().post('/users', buildResourceDocument('users', { email: ann.email, login: 'Ann', password: PASSWORD }))).status,
    ).toBe(201)
  })

  test('is erased by a site administrator with a reason, which is recorded', async () => {
    const erase = (token: string, attributes: Record<string, unknown>) =>
      api(token).post(
        '/account-deletions',
        buildResourceDocument('account-deletions', attributes, { to: { user: { type: 'users', id: ann.id } } }),
      )
    expect((await erase(siteAdmin.token, {})).body?.errors?.[0]).toMatchObject({
      code: 'required',
      source: { pointer: '/data/attributes/reason' },
    })
    expect((await erase(hubAdmin.token, { reason: 'Asked by letter' })).status).toBe(403)
    expect((await erase(siteAdmin.token, { reason: 'Asked by letter' })).status).toBe(201)
    const [event] = await inSite((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'users.erase')))
    expect(event).toMatchObject({ actorId: siteAdmin.id, subjectId: ann.id, detail: { reason: 'Asked by letter' } })
    expect((await api(siteAdmin.token).get(`/users/${ann.id}`)).status).toBe(404)
  })
})

test('the last platform administrator cannot delete their account, the second-last can', async () => {
  const [one, two] = [
    await addAccount(runtime, site, { role: 'platform_admin' }),
    await addAccount(runtime, site, { role: 'platform_admin' }),
  ]
  const others = await runtime.database.site(PLATFORM_SITE_ID).tx((tx) => tx.select().from(memberships))
  for (const other of others.filter((row) => row.userId !== one.id && row.userId !== two.id))
    await runtime.database.site(other.siteId).tx((tx) => tx.delete(memberships).where(eq(memberships.id, other.id)))
  const erase = (token: string) => api(token).post('/account-deletions', buildResourceDocument('account-deletions', { password: PASSWORD }))
  expect((await erase(one.token)).status).toBe(201)
  expect((await erase(two.token)).codes).toEqual(['conflict'])
})
