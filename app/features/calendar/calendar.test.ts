import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { projectDates, projects } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addHub, addUpdate } from '#tests/factories/content.ts'
import { addActivity, addContribution, addStage } from '#tests/factories/contributions.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { addMonths, type CalendarSearch, readCalendarSearch } from './calendar-search.ts'
import { readCalendar } from './calendar.server.ts'
import type { CalendarEntry } from './calendar.schema.ts'
import { calendarDateResource } from './calendar.resource.server.ts'

/** Half past eight in the evening of 14 May in Toronto, and 15 May in UTC. */
const NOW = new Date('2026-05-15T00:30:00Z')
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let hub: { id: string }
let bus: { id: string }
let draft: { id: string }
let hidden: { id: string }

const as = (viewer: Ctx['viewer'] = admin) => createCtx(runtime, site, { viewer, language: 'en' })
const list = async (search: CalendarSearch = {}, viewer?: Ctx['viewer']) =>
  (await readCalendar(as(viewer), search)).entries.map(({ kind, event, title, count, day }) => `${day} ${kind} ${event}: ${title || count}`)

async function addCampaign(more: Partial<typeof campaigns.$inferInsert>) {
  const at = new Date('2026-05-21T12:00:00Z')
  const row = { siteId: site.id, id: createId(), name: 'Summer', status: 'scheduled' as const, sendAt: at, createdAt: NOW, updatedAt: NOW }
  await as().db.tx((tx) => tx.insert(campaigns).values({ ...row, ...more }))
}

const addDate = (projectId: string, title: string, happensAt: string, precision: 'time' | 'day' | 'month' = 'day') =>
  as().db.tx((tx) =>
    tx
      .insert(projectDates)
      .values({ siteId: site.id, id: createId(), projectId, title: inAllLanguages(title), happensAt: new Date(happensAt), precision }),
  )

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  hub = await addHub(runtime, site)
  // The last minute of 31 May in Toronto is in June in UTC.
  bus = await addProject(runtime, site, {
    hubId: hub.id,
    title: inAllLanguages('Bus'),
    opensAt: new Date('2026-05-01T12:00:00Z'),
    closesAt: new Date('2026-06-01T03:59:00Z'),
  })
  draft = await addProject(runtime, site, {
    title: inAllLanguages('Trees'),
    status: 'scheduled',
    publishedAt: null,
    publishAt: new Date('2026-05-25T12:00:00Z'),
  })
  hidden = await addProject(runtime, site, {
    title: inAllLanguages('Secret'),
    visibility: 'hidden',
    opensAt: new Date('2026-05-06T12:00:00Z'),
  })
  await addSurvey(runtime, site, { projectId: bus.id, title: inAllLanguages('Trips'), closesAt: new Date('2026-05-20T12:00:00Z') })
  await addSurvey(runtime, site, {
    projectId: bus.id,
    title: inAllLanguages('Later'),
    status: 'draft',
    opensAt: new Date('2026-05-22T12:00:00Z'),
  })
  await addSurvey(runtime, site, {
    projectId: bus.id,
    title: inAllLanguages('Old'),
    status: 'archived',
    closesAt: new Date('2026-05-20T12:00:00Z'),
  })
  const ideas = await addActivity(runtime, site, {
    projectId: bus.id,
    title: inAllLanguages('Ideas'),
    opensAt: new Date('2026-05-03T12:00:00Z'),
  })
  await addStage(runtime, site, { projectId: bus.id, title: inAllLanguages('Listen'), startsAt: new Date('2026-05-02T04:00:00Z') })
  await addDate(bus.id, 'Open evening', '2026-05-18T22:00:00Z', 'time')
  await addDate(bus.id, 'Decision', '2026-05-10T16:00:00Z', 'month')
  await addUpdate(runtime, site, bus.id, { title: inAllLanguages('News'), publishedAt: new Date('2026-05-28T12:00:00Z') })
  await addCampaign({ channel: 'email', projectId: bus.id })
  await addCampaign({ channel: 'sms', name: 'To all' })
  await addCampaign({ channel: 'email', name: 'Not yet', status: 'draft', projectId: bus.id })
  await addContribution(runtime, site, {
    activityId: ideas.id,
    number: 1,
    title: 'Ann Smith',
    state: 'held',
    submittedAt: new Date('2026-05-13T12:00:00Z'),
  })
  await addContribution(runtime, site, {
    activityId: ideas.id,
    number: 2,
    statusId: ideas.statuses[0]?.id,
    dueAt: new Date('2026-05-13T03:59:59Z'),
  })
  await as().db.tx((tx) =>
    tx.insert(decisions).values({
      siteId: site.id,
      id: createId(),
      projectId: bus.id,
      number: 1,
      title: inAllLanguages('Roofs'),
      outcome: 'partly',
      reason: inAllLanguages('Pipes'),
      decidedOn: '2026-04-01',
      dueOn: '2026-05-31',
    }),
  )
})
beforeEach(() => runtime.setNow(NOW))

const ALL = [
  '2026-05-01 project opens: Bus',
  '2026-05-02 stage opens: Listen',
  '2026-05-03 activity opens: Ideas',
  '2026-05-06 project opens: Secret',
  '2026-05-10 key-date happens: Decision',
  '2026-05-12 question due: 1',
  '2026-05-16 moderation due: 1',
  '2026-05-18 key-date happens: Open evening',
  '2026-05-20 survey closes: Trips',
  '2026-05-21 newsletter sent: Summer',
  '2026-05-21 text sent: To all',
  '2026-05-22 survey opens: Later',
  '2026-05-25 project published: Trees',
  '2026-05-28 update published: News',
  '2026-05-31 decision promised: Roofs',
  '2026-05-31 project closes: Bus',
]

describe('the calendar', () => {
  test('has what opens, closes, is scheduled, due or promised, in the days of the site', async () => {
    expect(await list()).toEqual(ALL)
    const { entries, today } = await readCalendar(as(), {})
    expect(today).toBe('2026-05-14')
    const find = (title: string) => entries.find((entry) => entry.title === title)
    expect(find('Open evening')).toMatchObject({ at: '2026-05-18T22:00:00.000Z', precision: 'time', project: { id: bus.id, title: 'Bus' } })
    expect(find('Decision')).toMatchObject({ at: null, precision: 'month', path: `/admin/projects/${bus.id}#dates` })
    expect(find('To all')?.project).toBeNull()
    expect(entries.filter(({ isLate }) => isLate).map(({ kind }) => kind)).toEqual(['question'])
    runtime.setNow(new Date('2026-06-02T12:00:00Z'))
    expect((await readCalendar(as(), { month: '2026-05' })).entries.filter(({ isLate }) => isLate).map(({ kind }) => kind)).toEqual([
      'question',
      'moderation',
      'decision',
    ])
  })

  test('is filtered by month, project and kind', async () => {
    expect(await list({ month: '2026-06' })).toEqual([])
    expect(await list({ project: hidden.id })).toEqual(['2026-05-06 project opens: Secret'])
    expect(await list({ kind: 'survey' })).toEqual(['2026-05-20 survey closes: Trips', '2026-05-22 survey opens: Later'])
    expect(readCalendarSearch({ month: '2026-13', kind: 'party', project: 'x' })).toEqual({})
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
  })

  test('has budget rounds', async () => {
    const { projectId } = await addRound(runtime, site, [{ amount: 1000, costs: [500] }])
    expect(await list({ month: '2026-03', kind: 'budget', project: projectId })).toHaveLength(2)
  })

  test('shows of the projects of others only what everybody may see', async () => {
    const elsewhere = await addProject(runtime, site)
    const stranger = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: elsewhere.id }] })
    expect(await list({}, stranger)).toEqual([
      '2026-05-01 project opens: Bus',
      '2026-05-02 stage opens: Listen',
      '2026-05-03 activity opens: Ideas',
      '2026-05-10 key-date happens: Decision',
      '2026-05-18 key-date happens: Open evening',
      '2026-05-20 survey closes: Trips',
      '2026-05-31 project closes: Bus',
    ])
    const { entries } = await readCalendar(as(stranger), { kind: 'survey' })
    expect(entries.map(({ path }) => path)).toEqual([`/admin/projects/${bus.id}`])
    const hubAdmin = await addPerson(runtime, site, { roles: [{ role: 'hub_admin', hubId: hub.id }] })
    expect(await list({}, hubAdmin)).toEqual(ALL.filter((line) => !/Secret|Trees|To all/.test(line)))
    const own = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: draft.id }] })
    expect(await list({ project: draft.id }, own)).toEqual(['2026-05-25 project published: Trees'])
  })

  test('is for people with a role on this site', async () => {
    await expect(readCalendar(as(VISITOR), {})).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(readCalendar(as(await addPerson(runtime, site)), {})).rejects.toMatchObject({ code: 'forbidden' })
    const { entries } = await readCalendar(
      createCtx(runtime, await addSite(runtime, { slug: `other-${createId()}` }), { viewer: admin }),
      {},
    )
    expect(entries).toEqual([])
  })

  test('needs one statement, however many tools there are', async () => {
    const { statements } = await recordDatabaseUse(runtime, () => readCalendar(as(), {}))
    expect(statements).toHaveLength(1)
  })

  test('is a list of the API, for days that both count', async () => {
    const page = { number: 1, size: 100, limit: 100, offset: 0 }
    const ask = (filter: object) => calendarDateResource.implementation.list?.(as(), { filter, page, sort: [] })
    const found = await ask({ from: '2026-05-01', until: '2026-05-31' })
    expect(found?.total).toBe(ALL.length)
    expect((await ask({ from: '2026-05-20', until: '2026-05-20' }))?.rows.map((row) => (row as CalendarEntry).title)).toEqual(['Trips'])
    await expect(ask({ from: '2026-05-20', until: '2026-05-01' })).rejects.toMatchObject({ code: 'invalid-parameter' })
    await expect(ask({ from: '2026-05-20', until: '2028-05-01' })).rejects.toMatchObject({ code: 'invalid-parameter' })
  })

  test('follows a change at once', async () => {
    const project = await addProject(runtime, site, { closesAt: new Date('2026-05-20T12:00:00Z') })
    expect(await list({ project: project.id })).toHaveLength(1)
    await as().db.tx((tx) => tx.update(projects).set({ closesAt: null }).where(eq(projects.id, project.id)))
    expect(await list({ project: project.id })).toEqual([])
  })
})
