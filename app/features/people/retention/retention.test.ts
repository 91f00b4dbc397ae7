import { randomBytes } from 'node:crypto'
import { and, count, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import { JOBS } from '#app/root/jobs.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributionFollows, contributions, reactions, replies } from '#app/server/db/schema/contributions.ts'
import { projectRetentions, projects } from '#app/server/db/schema/projects.ts'
import { responseDrafts, responses, surveyParticipations } from '#app/server/db/schema/responses.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount, loadMailsTo, requireItem, requireItems } from '#tests/support/accounts.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { findInDatabase } from '#tests/support/traces.ts'
import { sessions } from '#app/server/db/schema/accounts.ts'
import { loadSitesWithWork } from '#app/server/jobs/sites-with-work.ts'

const CLOSED = new Date('2026-01-31T12:00:00Z')
const DUE = new Date('2026-04-30T12:00:00Z')
const DAY_MS = 86_400_000
const before = (days: number) => new Date(DUE.getTime() - days * DAY_MS)

const ASKS_NAME: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        { id: 'who', type: 'short_text', title: inAllLanguages('Your name'), personal: true, maxLength: 100 },
        { id: 'mail', type: 'email', title: inAllLanguages('Your email') },
        { id: 'idea', type: 'long_text', title: inAllLanguages('Your idea'), maxLength: 500 },
      ],
    },
  ],
}

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})

/** Two processes run it at the same moment. */
async function runJobs(now: Date): Promise<void> {
  runtime.setNow(now)
  const job = JOBS.find(({ name }) => name === 'remove-personal-data') ?? expect.unreachable()
  await Promise.all([1, 2].map(async () => job.run(runtime, AbortSignal.timeout(60_000))))
}

const inSite = <T>(site: Site, run: (tx: Tx) => Promise<T>) => runtime.database.site(site.id).tx(run)

let sites = 0
async function addGround(values: Partial<typeof projects.$inferInsert> = {}) {
  runtime.setNow(new Date('2026-01-15T12:00:00Z'))
  const site = await addSite(runtime, { slug: `kept-${++sites}` })
  const admin = await addAccount(runtime, site, { role: 'site_admin' })
  const project = await addProject(runtime, site, { closesAt: CLOSED, ...values })
  const api = createApiClient(runtime, site, admin.token)
  const setSite = (keptMonths: number | null, lockVersion = 1, client = api) =>
    client.patch(
      `/retention-settings/${site.id}`,
      buildResourceDocument('retention-settings', { keptMonths }, { id: site.id, lockVersion }),
    )
  const setProject = (attributes: Record<string, unknown>, lockVersion = 1, client = api) =>
    client.patch(
      `/project-retentions/${project.id}`,
      buildResourceDocument('project-retentions', attributes, { id: project.id, lockVersion }),
    )
  const read = async () => readAttributes(await api.get(`/project-retentions/${project.id}`))
  const countMails = async (email: string) =>
    (await loadMailsTo(runtime, site.id, email)).filter(({ kind }) => kind === 'personal-data-goes').length
  const countAudits = async (action: string) => {
    const rows = await inSite(site, (tx) => tx.select({ n: count() }).from(auditEvents).where(eq(auditEvents.action, action)))
    return rows[0]?.n
  }
  return { site, admin, project, api, setSite, setProject, read, countMails, countAudits }
}

const readAttributes = (answer: ApiAnswer) => requireItem(answer).attributes

test('a closed project’s personal data goes once, thirty days after its team was told; what was said in public stays without names', async () => {
  const { site, admin, project, setSite, read, countMails, countAudits } = await addGround()
  const manager = await addAccount(runtime, site, { role: 'project_admin', projectId: project.id, locale: 'fr-CA' })
  const stranger = await addAccount(runtime, site, { role: 'hub_admin' })
  const person = await addAccount(runtime, site, { login: 'Quillon Featherstonehaugh' })
  const survey = await addSurvey(runtime, site, { projectId: project.id, definition: ASKS_NAME })
  const activity = await addActivity(runtime, site, { projectId: project.id })
  const said = await addContribution(runtime, site, {
    activityId: activity.id,
    number: 1,
    authorId: person.id,
    shownAs: 'name',
    shownName: 'Quillon Featherstonehaugh',
    title: 'Shade at the stop',
  })
  const held = await addContribution(runtime, site, {
    activityId: activity.id,
    number: 2,
    authorId: person.id,
    state: 'held',
    title: 'Never shown to anyone',
  })
  const keep = { siteId: site.id }
  await inSite(site, async (tx) => {
    const response = { ...keep, surveyId: survey.id, version: 1, language: 'en' as const }
    await tx.insert(responses).values([
      {
        ...response,
        id: createId(),
        receiptHash: randomBytes(32),
        userId: person.id,
        answers: { who: 'Quillon Featherstonehaugh', idea: 'More trees' },
      },
      { ...response, id: createId(), receiptHash: randomBytes(32), answers: { mail: 'quillon@example.org', idea: 'Fewer cars' } },
    ])
    await tx.insert(responseDrafts).values({ ...keep, id: createId(), surveyId: survey.id, version: 1, language: 'en', answers: {} })
    await tx.insert(surveyParticipations).values({ ...keep, surveyId: survey.id, personHash: Buffer.alloc(32, 7) })
    await tx.insert(reactions).values([
      { ...keep, id: createId(), contributionId: said.id, personHash: Buffer.alloc(32, 7), byAccount: true, tellUserId: person.id },
      { ...keep, id: createId(), contributionId: held.id, personHash: Buffer.alloc(32, 7), byAccount: true },
    ])
    await tx.insert(contributionFollows).values({ ...keep, contributionId: said.id, userId: person.id })
    await tx.insert(replies).values({
      ...keep,
      id: createId(),
      contributionId: said.id,
      authorId: person.id,
      shownName: 'Quillon Featherstonehaugh',
      language: 'en',
      body: 'I agree',
      state: 'published',
      receiptHash: Buffer.alloc(32),
    })
  })
  expect((await setSite(3)).status).toBe(200)
  expect(await read()).toMatchObject({ siteMonths: 3, keptMonths: null, closedAt: CLOSED.toISOString(), removalAt: DUE.toISOString() })

  expect(await loadSitesWithWork(runtime, 'remove-personal-data')).not.toContain(site.id)
  await runJobs(before(30.1))
  expect(await Promise.all([admin, manager, stranger].map(({ email }) => countMails(email)))).toEqual([0, 0, 0])
  runtime.setNow(before(30))
  expect(await loadSitesWithWork(runtime, 'remove-personal-data')).toContain(site.id)
  await runJobs(before(30))
  expect(await loadSitesWithWork(runtime, 'remove-personal-data')).not.toContain(site.id)
  await runJobs(before(29))
  expect(await Promise.all([admin, manager, stranger].map(({ email }) => countMails(email)))).toEqual([1, 1, 0])
  const told = (await loadMailsTo(runtime, site.id, manager.email)).find(({ kind }) => kind === 'personal-data-goes')
  expect(told?.subject).toContain('30 avril 2026')
  expect(told?.bodyText).toContain(`/admin/projects/${project.id}#retention`)
  expect(told?.bodyText).toContain(`/admin/surveys?project=${project.id}`)
  await runJobs(before(0.1))
  expect(await countAudits('projects.remove-personal-data')).toBe(0)
  expect((await findInDatabase(runtime.ownerUrl, ['Featherstonehaugh'])).length).toBeGreaterThan(3)

  runtime.setNow(before(-0.1))
  expect(await loadSitesWithWork(runtime, 'remove-personal-data')).toContain(site.id)
  await runJobs(before(-0.1))
  expect(await loadSitesWithWork(runtime, 'remove-personal-data')).not.toContain(site.id)
  await runJobs(before(-1))
  expect(await countAudits('projects.remove-personal-data')).toBe(1)
  expect(await countMails(admin.email)).toBe(1)
  // The account stays, with its name; nothing of the project leads to it.
  expect(await findInDatabase(runtime.ownerUrl, ['Featherstonehaugh', 'quillon@example.org', 'Never shown'])).toEqual([
    'users.login: Featherstonehaugh',
    'users.search_text: Featherstonehaugh',
  ])
  const traces = await findInDatabase(runtime.ownerUrl, [person.id])
  expect(
    traces.filter((trace) => /^(responses|contributions|replies|reactions|contribution_|survey_|response_drafts)/.test(trace)),
  ).toEqual([])
  await inSite(site, async (tx) => {
    const answers = (await tx.select({ answers: responses.answers }).from(responses)).map((row) => row.answers)
    expect(answers).toEqual(expect.arrayContaining([{ idea: 'More trees' }, { idea: 'Fewer cars' }]))
    expect(await tx.select({ n: count() }).from(responseDrafts)).toEqual([{ n: 0 }])
    expect(await tx.select({ n: count() }).from(surveyParticipations)).toEqual([{ n: 0 }])
    const [public_] = await tx.select().from(contributions).where(eq(contributions.id, said.id))
    expect(public_).toMatchObject({ title: 'Shade at the stop', state: 'published', shownAs: 'anonymous', shownName: '' })
    expect(await tx.select({ body: replies.body, name: replies.shownName }).from(replies)).toEqual([{ body: 'I agree', name: '' }])
    // One person still counts once, but nobody can tell who.
    const marks = (await tx.select({ hash: reactions.personHash }).from(reactions)).map(({ hash }) => hash.toString('hex'))
    expect(new Set(marks).size).toBe(1)
    expect(marks[0]).not.toBe(Buffer.alloc(32, 7).toString('hex'))
  })
  expect(await read()).toMatchObject({ removalAt: null, removedAt: before(-0.1).toISOString() })
})

test('a project that opens again keeps its data, and its team is told of the new day', async () => {
  const { site, admin, project, setSite, read, countMails, countAudits } = await addGround()
  await setSite(3)
  await runJobs(before(20))
  const first = await read()
  expect(first['removalAt']).toBe(new Date(before(20).getTime() + 30 * DAY_MS).toISOString())
  const close = (closesAt: Date | null) => inSite(site, (tx) => tx.update(projects).set({ closesAt }).where(eq(projects.id, project.id)))
  await close(null)
  await runJobs(before(-60))
  expect([await countMails(admin.email), await countAudits('projects.remove-personal-data')]).toEqual([1, 0])
  expect(await read()).toMatchObject({ closedAt: null, removalAt: null })
  await close(new Date('2026-09-30T12:00:00Z'))
  await runJobs(new Date('2026-12-01T12:00:00Z'))
  expect([await countMails(admin.email), await countAudits('projects.remove-personal-data')]).toEqual([2, 0])
  expect(await read()).toMatchObject({ removalAt: '2026-12-31T12:00:00.000Z' })
  await runJobs(new Date('2026-12-31T13:00:00Z'))
  expect(await countAudits('projects.remove-personal-data')).toBe(1)
  // Closed again later: what came in between goes too.
  await close(new Date('2027-01-31T12:00:00Z'))
  await runJobs(new Date('2027-04-15T12:00:00Z'))
  expect(await countMails(admin.email)).toBe(3)
  await runJobs(new Date('2027-05-16T12:00:00Z'))
  expect(await countAudits('projects.remove-personal-data')).toBe(2)
})

test('an archived project ends when it was archived; one that was never published, or has no end, has no day', async () => {
  const archived = await addGround({ closesAt: null, status: 'archived', archivedAt: CLOSED })
  await archived.setSite(3)
  expect(await archived.read()).toMatchObject({ removalAt: DUE.toISOString() })
  const draft = await addGround({ status: 'draft', publishedAt: null })
  await draft.setSite(3)
  expect(await draft.read()).toMatchObject({ closedAt: null, removalAt: null })
  const listed = await draft.api.get('/project-retentions?filter[planned]=false')
  expect(requireItems(listed)).toHaveLength(1)
})

test('a longer time needs a reason, moves the day and is told anew; the audit trail keeps why', async () => {
  const { admin, setSite, setProject, read, countMails, countAudits, site } = await addGround()
  await setSite(3)
  await runJobs(before(29))
  const refused = await setProject({ keptMonths: 6 })
  expect([refused.status, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/reason'])
  expect((await setProject({ keptMonths: 6, reason: 'The audit office asks' })).status).toBe(200)
  expect(await read()).toMatchObject({ keptMonths: 6, removalAt: '2026-07-31T12:00:00.000Z' })
  expect((await setProject({ keptMonths: 12, reason: 'Again' })).status).toBe(409)
  await runJobs(before(-10))
  expect([await countMails(admin.email), await countAudits('projects.remove-personal-data')]).toEqual([1, 0])
  await runJobs(new Date('2026-07-10T12:00:00Z'))
  expect(await countMails(admin.email)).toBe(2)
  const [kept] = await inSite(site, (tx) =>
    tx.select({ detail: auditEvents.detail }).from(auditEvents).where(eq(auditEvents.action, 'projects.set-retention')),
  )
  expect(kept?.detail).toMatchObject({ reason: 'The audit office asks', changes: { keptMonths: { before: null, after: 6 } } })
})

test('less time asks who is there again, and only those who may erase people; the team still has thirty days', async () => {
  const { site, project, setSite, setProject, read, countAudits } = await addGround()
  const hub = await addAccount(runtime, site, { role: 'hub_admin' })
  const manager = await addAccount(runtime, site, { role: 'project_admin', projectId: project.id })
  const stale = await addAccount(runtime, site, { role: 'site_admin' })
  await inSite(site, (tx) =>
    tx
      .update(sessions)
      .set({ confirmedAt: new Date(0) })
      .where(eq(sessions.userId, stale.id)),
  )
  const [asManager, asHub, asStale] = [manager, hub, stale].map(({ token }) => createApiClient(runtime, site, token))
  expect((await setSite(3, 1, asManager)).codes).toEqual(['forbidden'])
  expect((await setSite(3, 1, asStale)).codes).toEqual(['fresh-sign-in-required'])
  expect((await setSite(12)).status).toBe(200)
  expect((await setSite(24, 2, asStale)).status).toBe(200)
  expect((await setProject({ keptMonths: 3, reason: 'Sooner' }, 1, asStale)).codes).toEqual(['fresh-sign-in-required'])
  expect((await setProject({ keptMonths: 36, reason: 'Later' }, 1, asManager)).codes).toEqual(['forbidden'])
  expect((await setProject({ keptMonths: 36, reason: 'Later' }, 1, asHub)).status).toBe(404)
  expect((await setProject({ keptMonths: 0, reason: 'Now' })).status).toBe(422)
  expect((await setProject({ keptMonths: 36, reason: 'Later' }, 1, asStale)).status).toBe(200)
  const late = before(-100)
  runtime.setNow(late)
  expect((await setProject({ keptMonths: 3, reason: 'Sooner' }, 2)).status).toBe(200)
  await runJobs(late)
  expect(await countAudits('projects.remove-personal-data')).toBe(0)
  expect(await read()).toMatchObject({ removalAt: new Date(late.getTime() + 30 * DAY_MS).toISOString() })
  await runJobs(new Date(late.getTime() + 30 * DAY_MS))
  expect(await countAudits('projects.remove-personal-data')).toBe(1)
})

test('what was stopped halfway goes on with the next run', async () => {
  const { site, project, setSite, countAudits } = await addGround()
  await setSite(3)
  const survey = await addSurvey(runtime, site, { projectId: project.id, definition: ASKS_NAME })
  const person = await addAccount(runtime, site)
  const row = { siteId: site.id, surveyId: survey.id, version: 1, language: 'en' as const }
  await inSite(site, (tx) =>
    tx.insert(responses).values(
      Array.from({ length: 450 }, () => ({
        ...row,
        id: createId(),
        receiptHash: randomBytes(32),
        userId: person.id,
        answers: { idea: 'x' },
      })),
    ),
  )
  await runJobs(before(30))
  runtime.setNow(before(0))
  const job = JOBS.find(({ name }) => name === 'remove-personal-data') ?? expect.unreachable()
  const ending = new AbortController()
  const countLeft = async () => {
    const [row] = await inSite(site, (tx) => tx.select({ n: count() }).from(responses).where(eq(responses.userId, person.id)))
    return row?.n ?? 0
  }
  const running = job.run(runtime, ending.signal)
  await expect.poll(countLeft, { interval: 5 }).toBeLessThan(450)
  ending.abort()
  await running
  await runJobs(before(-0.1))
  expect([await countLeft(), await countAudits('projects.remove-personal-data')]).toEqual([0, 1])
  const [kept] = await inSite(site, (tx) =>
    tx
      .select()
      .from(projectRetentions)
      .where(and(eq(projectRetentions.siteId, site.id), eq(projectRetentions.projectId, project.id))),
  )
  expect(kept?.removedFor).toEqual(CLOSED)
})
