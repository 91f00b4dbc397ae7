import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readCalendar } from '#app/features/calendar/calendar.server.ts'
import { readCockpit } from '#app/features/cockpit/cockpit.server.ts'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { teamTasks } from '#app/server/db/schema/teamwork.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

/** Half past eight in the evening of 14 May in Toronto, and 15 May in UTC. */
const NOW = new Date('2026-05-15T00:30:00Z')
let runtime: TestRuntime
let site: Site
let projectId: string
let hubId: string
let surveyId: string
let contributionId: string
let pageId: string
let people: Record<'editor' | 'hubAdmin' | 'siteAdmin' | 'otherEditor' | 'otherHubAdmin' | 'participant', Account>
let stranger: Account
type Who = keyof typeof people | undefined

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime, { slug: 'tasks' })
  const hub = await addHub(runtime, site)
  hubId = hub.id
  const otherHub = await addHub(runtime, site)
  projectId = (await addProject(runtime, site, { hubId: hub.id })).id
  const elsewhere = await addProject(runtime, site, { hubId: otherHub.id })
  surveyId = (await addSurvey(runtime, site, { projectId })).id
  const activity = await addActivity(runtime, site, { projectId })
  contributionId = (await addContribution(runtime, site, { activityId: activity.id, number: 1, title: 'A bench' })).id
  pageId = createId()
  await db().tx((tx) => tx.insert(pages).values({ siteId: site.id, id: pageId, slug: 'rules', title: { en: 'Rules' }, body: { en: '' } }))
  people = {
    editor: await addAccount(runtime, site, { role: 'project_admin', projectId }),
    hubAdmin: await addAccount(runtime, site, { role: 'hub_admin', hubId: hub.id }),
    siteAdmin: await addAccount(runtime, site, { role: 'site_admin' }),
    otherEditor: await addAccount(runtime, site, { role: 'project_admin', projectId: elsewhere.id }),
    otherHubAdmin: await addAccount(runtime, site, { role: 'hub_admin', hubId: otherHub.id }),
    participant: await addAccount(runtime, site),
  }
  stranger = await addAccount(runtime, await addSite(runtime, { slug: 'harbour' }), { role: 'site_admin' })
})
beforeEach(async () => {
  runtime.setNow(NOW)
  await db().tx((tx) => tx.delete(teamTasks))
})

const db = () => runtime.database.site(site.id)
const as = (who: Who) => createApiClient(runtime, site, who && people[who].token)
const add = (who: Who, attributes: Record<string, unknown> = {}) =>
  as(who).post(
    '/tasks',
    buildResourceDocument('tasks', { targetKind: 'project', targetId: projectId, title: 'Call the school', ...attributes }),
  )
interface Shown {
  id: string
  attributes: Record<string, unknown>
  meta: { lockVersion: number }
}
const addOne = async (who: Who, attributes: Record<string, unknown> = {}) => {
  const made = await add(who, attributes)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return (made.body?.data as Shown | undefined)?.id ?? ''
}
const list = async (who: Who, query = '') => {
  const { body } = await as(who).get(`/tasks?page[size]=50${query}`)
  return { rows: (body?.data ?? []) as Shown[], overdue: (body?.meta as { overdue?: number } | undefined)?.overdue }
}
const titles = async (who: Who, query = '') => (await list(who, query)).rows.map(({ attributes }) => attributes['title'])
const change = (who: Who, id: string, attributes: Record<string, unknown>, lockVersion = 1) =>
  as(who).patch(`/tasks/${id}`, buildResourceDocument('tasks', attributes, { id, lockVersion }))
const bell = async (who: Who) =>
  (((await as(who).get('/notifications?filter[own]=false')).body?.data ?? []) as Shown[]).filter(({ attributes }) =>
    String(attributes['kind']).startsWith('task'),
  )

describe('who reads and writes tasks', () => {
  test('those who work on the project, and nobody else', async () => {
    const id = await addOne('editor')
    for (const who of ['editor', 'hubAdmin', 'siteAdmin'] as const) expect(await titles(who)).toEqual(['Call the school'])
    for (const who of ['otherEditor', 'otherHubAdmin', 'participant', undefined] as const) {
      expect(await titles(who), `${who} reads`).toEqual([])
      expect((await add(who)).status, `${who} writes`).toBeGreaterThanOrEqual(401)
      expect((await as(who).get(`/tasks/${id}`)).status).not.toBe(200)
      expect((await change(who, id, { isDone: true })).status).not.toBe(200)
      expect((await as(who).delete(`/tasks/${id}`)).status).not.toBe(204)
    }
    expect((await createApiClient(runtime, site, stranger.token).get(`/tasks/${id}`)).status).not.toBe(200)
  })

  test('about a page, site administrators only', async () => {
    await addOne('siteAdmin', { targetKind: 'page', targetId: pageId })
    expect(await titles('hubAdmin')).toEqual([])
    expect((await add('hubAdmin', { targetKind: 'page', targetId: pageId })).status).toBe(403)
  })

  test('nobody gets a task about what they may not see', async () => {
    for (const who of ['otherEditor', 'otherHubAdmin', 'participant'] as const)
      expect((await add('editor', { ownerId: people[who].id })).codes).toEqual(['may-not-see'])
    expect((await add('editor', { ownerId: stranger.id })).codes).toEqual(['may-not-see'])
    expect((await list('siteAdmin')).rows).toEqual([])
  })
})

test('a task says what it is about, whose it is and when it is due; the first due comes first', async () => {
  await addOne('editor', { title: 'Some day' })
  await addOne('editor', { title: 'Later', dueOn: '2026-06-01', targetKind: 'survey', targetId: surveyId })
  await addOne('editor', {
    title: 'Late',
    dueOn: '2026-05-13',
    ownerId: people.editor.id,
    targetKind: 'contribution',
    targetId: contributionId,
  })
  await addOne('editor', { title: 'Today', dueOn: '2026-05-14' })
  const { rows, overdue } = await list('hubAdmin')
  expect(rows.map(({ attributes }) => [attributes['title'], attributes['isOverdue']])).toEqual([
    ['Late', true],
    ['Today', false],
    ['Later', false],
    ['Some day', false],
  ])
  expect(overdue).toBe(1)
  expect(rows[0]?.attributes).toMatchObject({
    targetTitle: 'A bench',
    targetPath: `/admin/contributions/${contributionId}`,
    ownerName: expect.any(String),
  })
  expect(await titles('editor', '&filter[mine]=true')).toEqual(['Late'])
  expect(await titles('editor', `&filter[targetKind]=survey&filter[targetId]=${surveyId}`)).toEqual(['Later'])
  expect((await add('editor', { dueOn: '31 May' })).codes).toEqual(['not-a-date'])
  expect((await add('editor', { title: ' ' })).codes).toEqual(['required'])
})

test('a task is finished and reopened; of two changes the second is told', async () => {
  const id = await addOne('editor')
  const both = await Promise.all([
    change('editor', id, { title: 'Write to the school' }),
    change('hubAdmin', id, { title: 'Visit the school' }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await change('hubAdmin', id, { isDone: true }, 2)).status).toBe(200)
  expect(await titles('editor', '&filter[state]=open')).toEqual([])
  expect((await list('editor', '&filter[state]=done')).rows[0]?.attributes).toMatchObject({ isDone: true, doneBy: expect.any(String) })
  expect((await change('editor', id, { isDone: false }, 3)).status).toBe(200)
  expect((await list('editor', '&filter[state]=open')).rows).toHaveLength(1)
})

test('the owner is told when they get it, and once more on the day it is due in the site’s calendar', async () => {
  const id = await addOne('editor', { ownerId: people.hubAdmin.id, dueOn: '2026-05-16' })
  const read = (who: Who) => as(who).patch(`/notifications/${id}`, buildResourceDocument('notifications', { read: true }, { id }))
  expect((await bell('hubAdmin')).map(({ attributes }) => attributes)).toMatchObject([
    { kind: 'task', title: 'Call the school', read: false },
  ])
  expect(await bell('siteAdmin')).toEqual([])
  await read('hubAdmin')
  runtime.setNow(new Date('2026-05-16T03:00:00Z')) // Still 15 May in Toronto.
  expect((await bell('hubAdmin'))[0]?.attributes).toMatchObject({ kind: 'task', read: true })
  runtime.setNow(new Date('2026-05-16T13:00:00Z'))
  expect((await bell('hubAdmin')).map(({ attributes }) => attributes)).toMatchObject([{ kind: 'task-due', read: false }])
  await read('hubAdmin')
  runtime.setNow(new Date('2026-05-18T13:00:00Z'))
  expect((await bell('hubAdmin'))[0]?.attributes).toMatchObject({ kind: 'task-due', read: true })
  await change('hubAdmin', id, { isDone: true })
  expect(await bell('hubAdmin')).toEqual([])
})

test('who gives themselves a task is told only on the day', async () => {
  await addOne('editor', { ownerId: people.editor.id, dueOn: '2026-05-15' })
  expect(await bell('editor')).toEqual([])
  runtime.setNow(new Date('2026-05-15T13:00:00Z'))
  expect((await bell('editor')).map(({ attributes }) => attributes['kind'])).toEqual(['task-due'])
})

test('open tasks with a day are in the calendar and the overview of those who work on it', async () => {
  await addOne('editor', { dueOn: '2026-05-13' })
  await addOne('editor', { title: 'Without a day' })
  const listDates = async (who: 'editor' | 'otherHubAdmin') =>
    (await readCalendar(await people[who].ctx(), { month: '2026-05', kind: 'task' })).entries.map(({ title, day, isLate }) => ({
      title,
      day,
      isLate,
    }))
  expect(await listDates('editor')).toEqual([{ title: 'Call the school', day: '2026-05-13', isLate: true }])
  expect(await listDates('otherHubAdmin')).toEqual([])
  const { due, tasks } = await readCockpit(await people.hubAdmin.ctx(), projectId)
  expect(due.filter(({ kind }) => kind === 'task')).toMatchObject([{ title: 'Call the school', isLate: true }])
  expect(tasks).toEqual({ open: 2, overdue: 1 })
})

test('a task about the page of a department is in the calendar of its administrators', async () => {
  await addOne('hubAdmin', { targetKind: 'hub-page', targetId: hubId, title: 'New opening hours', dueOn: '2026-05-13' })
  const listDates = async (who: keyof typeof people) =>
    (await readCalendar(await people[who].ctx(), { month: '2026-05', kind: 'task' })).entries.map(({ title }) => title)
  expect(await listDates('hubAdmin')).toEqual(['New opening hours'])
  expect(await listDates('siteAdmin')).toEqual(['New opening hours'])
  expect(await listDates('editor')).toEqual([])
  expect(await listDates('otherHubAdmin')).toEqual([])
  expect((await list('hubAdmin')).rows[0]?.attributes).toMatchObject({ targetPath: `/admin/homepage?hub=${hubId}` })
})

test('tasks are in the download of those whose they are', async () => {
  await addOne('editor', { ownerId: people.hubAdmin.id })
  const readOf = async (who: keyof typeof people) =>
    ((await readOwnData(await people[who].ctx()))['teamwork'] as { tasks: Record<string, unknown>[] }).tasks
  expect(await readOf('hubAdmin')).toMatchObject([{ title: 'Call the school' }])
  expect(await readOf('editor')).toMatchObject([{ title: 'Call the school' }])
  expect(await readOf('siteAdmin')).toEqual([])
})
