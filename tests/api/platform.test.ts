import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { countResponses } from '#app/features/dashboard/count-responses.server.ts'
import { readDashboard } from '#app/features/dashboard/dashboard.server.ts'
import { refreshSiteFigures } from '#app/features/platform/site-figures.server.ts'
import { rollUpReach } from '#app/features/reach/roll-up.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { jobTurns } from '#app/server/db/schema/jobs.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { siteFigures, sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { requireMailedToken } from '#tests/support/accounts.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let platform: Person
let siteAdmin: Person

const api = (person?: Person, at = site) => createApiClient(runtime, at, person?.token)
const idOf = (answer: ApiAnswer) => (answer.body as { data: { id: string } }).data.id
const actionsAt = async (siteId: string) =>
  (await runtime.database.site(siteId).tx((tx) => tx.select().from(auditEvents).orderBy(auditEvents.sequence))).map(({ action }) => action)
const site1 = {
  name: 'Sable',
  region: 'Canada',
  locale: 'fr-CA',
  languages: ['en'],
  timeZone: 'America/Halifax',
  adminEmail: 'Nia@sable.example',
}

beforeAll(async () => {
  runtime = await createTestRuntime({ SMTP_URL: 'smtp://127.0.0.1:9' })
  site = await addSite(runtime, { slug: 'riverbend' })
  platform = await addPerson(runtime, site, { role: 'platform_admin' })
  siteAdmin = await addPerson(runtime, site, { role: 'site_admin' })
})

test('a site is created with its host, and its first administrator is invited in its language', async () => {
  const made = await api(platform).post('/sites', buildResourceDocument('sites', { ...site1, host: 'Consult.Sable.example' }))
  expect(made.body).toMatchObject({ data: { attributes: { name: 'Sable', languages: ['en', 'fr-CA'], status: 'active' } } })
  const there = await runtime.sites.find('consult.sable.example')
  if (!there) throw new Error('The new site was not found')
  const token = await requireMailedToken(runtime, there.id, 'nia@sable.example', 'invitation')
  const chosen = await api(undefined, there).post(
    '/password-changes',
    buildResourceDocument('password-changes', { token, password: 'a-brand-new-password' }),
  )
  expect(chosen.status).toBe(201)
  expect(await actionsAt(there.id)).toContain('memberships.create')
  const [nia] = await runtime.database.site(there.id).tx((tx) => tx.select().from(users))
  expect(nia).toMatchObject({ locale: 'fr-CA', type: 'administrator' })
  const again = await api(platform).post('/sites', buildResourceDocument('sites', { ...site1, host: 'consult.sable.example' }))
  expect(again).toMatchObject({ status: 422, codes: ['taken'] })
  expect(
    (
      await api(platform).post('/sites', buildResourceDocument('sites', { ...site1, host: 'no host', timeZone: 'Mars/Olympus' }))
    ).codes.toSorted(),
  ).toEqual(['not-a-choice', 'wrong-format'])
})

test('a site moves to another host and is reachable at both until the old one is removed', async () => {
  const moving = await addSite(runtime, { slug: 'moving' })
  const of = { to: { site: { type: 'sites', id: moving.id } } }
  const add = (host: string, person = platform) => api(person).post('/site-domains', buildResourceDocument('site-domains', { host }, of))
  expect((await add('new.moving.example', siteAdmin)).status).toBe(404)
  expect((await api(siteAdmin).get('/site-domains')).status).toBe(403)
  expect((await add('https://new.moving.example/')).codes).toEqual(['wrong-format'])
  const added = await add('New.Moving.example')
  expect(added.body).toMatchObject({ data: { attributes: { host: 'new.moving.example', isPrimary: false } } })
  expect((await add('new.moving.example')).codes).toEqual(['taken'])
  expect((await add(site.host)).codes).toEqual(['taken'])
  expect((await runtime.sites.find('new.moving.example'))?.primaryHost).toBe(moving.host)

  const prefer = (id: string, isPrimary: boolean, person = platform) =>
    api(person).patch(`/site-domains/${id}`, buildResourceDocument('site-domains', { isPrimary }, { id }))
  const id = idOf(added)
  expect((await prefer(id, true, siteAdmin)).status).toBe(404)
  expect((await prefer(id, false)).codes).toEqual(['not-a-choice'])
  expect((await prefer(id, true)).status).toBe(200)
  expect((await runtime.sites.find(moving.host))?.primaryHost).toBe('new.moving.example')
  expect((await api(platform).delete(`/site-domains/${id}`)).codes).toEqual(['conflict'])

  const listed = await api(platform).get(`/site-domains?filter[site]=${moving.id}`)
  const rows = (listed.body as { data: { id: string; attributes: object }[] }).data
  expect(rows.map(({ attributes }) => attributes)).toEqual([
    { host: moving.host, isPrimary: false },
    { host: 'new.moving.example', isPrimary: true },
  ])
  expect((await api(platform).delete(`/site-domains/${rows[0]?.id}`)).status).toBe(204)
  expect(await runtime.sites.find(moving.host)).toBeUndefined()
  expect((await runtime.sites.find('new.moving.example'))?.id).toBe(moving.id)
  const trail = await api(platform).get('/audit-events?filter[action]=sites.address-remove')
  expect(JSON.stringify(trail.body)).toContain(moving.host)
})

test('a suspended site serves nobody, records the reason, and comes back complete', async () => {
  const other = await addSite(runtime, { slug: 'harbour' })
  const suspend = (person: Person, reason = 'Unpaid since spring') =>
    api(person).post(
      '/site-suspensions',
      buildResourceDocument('site-suspensions', { reason }, { to: { site: { type: 'sites', id: other.id } } }),
    )
  expect((await suspend(siteAdmin)).status).toBe(404)
  expect((await suspend(platform, ' ')).codes).toEqual(['required'])
  expect((await suspend(platform)).status).toBe(201)
  expect((await api(undefined, other).get('/projects')).codes).toEqual(['no-such-site'])
  expect((await suspend(platform)).codes).toEqual(['conflict'])
  expect((await api(siteAdmin).delete(`/site-suspensions/${other.id}`)).status).toBe(404)
  expect((await api(platform).delete(`/site-suspensions/${other.id}`)).status).toBe(204)
  expect((await api(undefined, other).get('/projects')).status).toBe(200)
  const trail = await api(platform).get('/audit-events?filter[action]=sites.suspend')
  expect(JSON.stringify(trail.body)).toContain('Unpaid since spring')
})

test('support has access only while the site grants it, for 14 days at most, and both trails record it', async () => {
  const id = createId()
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(projects).values({ siteId: site.id, id, slug: 'draft', title: { en: 'Draft' } }))
  const sees = async () => (await api(platform).get(`/projects/${id}`)).status
  const enter = async () => (await api(platform).post('/support-entries', buildResourceDocument('support-entries', {}))).status
  const grant = () => api(siteAdmin).post('/support-grants', buildResourceDocument('support-grants', { reason: 'A chart is wrong' }))
  expect([await sees(), await enter()]).toEqual([404, 403])
  const first = await grant()
  expect(first.status).toBe(201)
  expect((await grant()).codes).toEqual(['conflict'])
  expect([await sees(), await enter()]).toEqual([200, 201])
  expect((await api(platform).get('/support-grants')).status).toBe(200)
  expect((await api(platform).delete(`/support-grants/${idOf(first)}`)).status).toBe(403)
  expect((await api(siteAdmin).delete(`/support-grants/${idOf(first)}`)).status).toBe(204)
  expect([await sees(), await enter()]).toEqual([404, 403])
  await grant()
  expect(await sees()).toBe(200)
  runtime.setNow(new Date(Date.now() + 14 * 864e5 + 1000))
  expect(await enter()).not.toBe(201)
  runtime.setNow(undefined)
  expect(await actionsAt(site.id)).toEqual(expect.arrayContaining(['support.grant', 'support.enter', 'support.revoke']))
  expect((await api(await addPerson(runtime, site)).get('/support-grants')).status).toBe(403)
})

test('the figures of all sites match each site’s own dashboard, and only the platform sees them', async () => {
  const busy = await addSite(runtime, { slug: 'busy' })
  const quiet = await addSite(runtime, { slug: 'quiet' })
  const project = await addProject(runtime, busy, { slug: 'trees' })
  const survey = await addSurvey(runtime, busy, { projectId: project.id })
  const answered = await addPerson(runtime, busy)
  await runtime.database.site(busy.id).tx((tx) =>
    tx.insert(responses).values(
      [answered.id, answered.id, null].map((userId) => ({
        siteId: busy.id,
        id: createId(),
        surveyId: survey.id,
        version: 1,
        userId,
        language: 'en' as const,
        answers: {},
        receiptHash: Buffer.from(createId()),
        submittedAt: new Date(),
      })),
    ),
  )
  const down = { siteId: quiet.id, id: createId(), enabledAt: new Date(), health: 'down' as const, failingSince: new Date(0) }
  await runtime.database.site(quiet.id).tx(async (tx) => {
    await tx.insert(installations).values([
      { ...down, integration: 'sms-twilio' },
      { ...down, id: createId(), integration: 'smtp', enabledAt: null },
    ])
    await tx
      .insert(cityConnectors)
      .values({ siteId: quiet.id, id: createId(), name: 'x', portalUrl: 'https://data.quiet.example/api', kind: 'ckan', failures: 2 })
  })
  await countResponses(runtime)
  await rollUpReach(runtime)
  await refreshSiteFigures(runtime)
  const figures = async (query: string) => {
    const { status, codes, body } = await api(platform).get(`/site-figures?${query}`)
    return {
      status,
      codes,
      data: (body?.data ?? []) as { id: string; attributes: Record<string, unknown> }[],
      meta: body?.meta as { total: number; totals: Record<string, number> },
    }
  }
  const own = await addPerson(runtime, busy, { role: 'site_admin' })
  const viewer = await loadViewer({ db: runtime.database.site(busy.id), database: runtime.database }, own.token, runtime.now())
  const shown = await readDashboard(createCtx(runtime, busy, { viewer }))
  const there = { openProjects: shown.openProjects, participants: shown.participants, responses: shown.responses }
  const all = await figures('sort=-responses')
  expect(all.data[0]).toMatchObject({ id: busy.id, attributes: { name: 'Busy', ...there, engaged: 2, failing: [] } })
  expect(there).toEqual({ openProjects: 1, participants: 2, responses: 3 })
  expect(all.meta.totals).toMatchObject({ responses: 3, failing: 1, sites: all.meta.total })
  expect((await figures('filter[failing]=true')).data).toMatchObject([
    {
      id: quiet.id,
      attributes: {
        connections: 2,
        failing: [
          { kind: 'integration', name: 'Text messages by Twilio', since: '1970-01-01T00:00:00.000Z' },
          { kind: 'city-connector', name: 'data.quiet.example', since: null },
        ],
      },
    },
  ])
  expect((await figures('filter[q]=busy&include=site')).data).toHaveLength(1)
  expect((await figures('sort=connections')).status).toBe(400)
  // A suspended site no longer counts, and nobody but the platform sees any of it.
  await runtime.database.global.update(sites).set({ status: 'suspended' }).where(eq(sites.id, quiet.id))
  expect((await figures('filter[failing]=true')).meta.total).toBe(0)
  for (const type of ['site-figures', 'job-turns']) {
    expect((await api(siteAdmin).get(`/${type}`)).status).toBe(403)
    expect((await api().get(`/${type}`)).status).toBe(401)
  }
})

test('the status of jobs is shown, failed and overdue ones first', async () => {
  const ago = (ms: number) => new Date(Date.now() - ms)
  const well = { everySeconds: 5, tookMs: 12, failures: 0 }
  await runtime.database.global.insert(jobTurns).values([
    { ...well, name: 'deliver-mails', doneAt: ago(1000) },
    { ...well, name: 'roll-up-reach', doneAt: ago(3 * 3_600_000) },
    { ...well, name: 'sweep', everySeconds: 6 * 3600, doneAt: ago(5 * 3_600_000) },
    { ...well, name: 'send-texts', doneAt: ago(60_000), failedAt: ago(2000), failures: 3 },
    // Due, and not begun yet.
    { name: 'publish-due-projects', everySeconds: 5, dueAt: ago(1000) },
  ])
  const { body } = await api(platform).get('/job-turns')
  const rows = body?.data as { id: string; attributes: { state: string; failures: number } }[]
  expect(rows.slice(0, 3).map(({ id, attributes }) => [id, attributes.state])).toEqual([
    ['send-texts', 'failing'],
    ['roll-up-reach', 'late'],
    ['publish-due-projects', 'new'],
  ])
  expect(rows.filter(({ attributes }) => attributes.state === 'well').map(({ id }) => id)).toEqual(['deliver-mails', 'sweep'])
})

test('emails that wait because no email service is set up are named where connections fail', async () => {
  const silent = await addSite(runtime, { slug: 'silent' })
  await api(undefined, silent).post(
    '/users',
    buildResourceDocument('users', { login: 'Ann', email: 'ann@silent.example', password: 'quillwort-and-bramble' }),
  )
  const failingOf = async () => {
    const { body } = await api(platform).get('/site-figures?filter[q]=silent')
    const [row] = (body as { data: { attributes: { failing: object[] } }[] }).data
    return row?.attributes.failing
  }
  await refreshSiteFigures({ ...runtime, env: { ...runtime.env, SMTP_URL: undefined } })
  expect(await failingOf()).toMatchObject([{ kind: 'mails', name: 'Email: 1 email is waiting, no email service is set up' }])
  await runtime.database.global.delete(siteFigures)
  await refreshSiteFigures(runtime)
  expect(await failingOf()).toEqual([])
})
