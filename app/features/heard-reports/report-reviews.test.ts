import { and, eq, like } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readWeek } from '#app/features/cockpit/weekly-mail/read-week.server.ts'
import { readCockpit } from '#app/features/cockpit/cockpit.server.ts'
import { readDashboard } from '#app/features/dashboard/dashboard.server.ts'
import { createBlock, type HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import { listNotifications } from '#app/features/notifications/notifications.server.ts'
import type { Role } from '#app/lib/roles.ts'
import { createId } from '#app/lib/uuid.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { heardReports } from '#app/server/db/schema/heard.ts'
import { moderationSettings } from '#app/server/db/schema/moderation.ts'
import { hubs } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { type Account, addAccount, loadMailsTo, requireItem, requireItems } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

type Who = 'writer' | 'colleague' | 'moderator' | 'stranger'

let runtime: TestRuntime
let site: Site
let projectId: string
let people: Record<Who, Account>
let number = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(new Date('2026-03-02T10:00:00Z'))
  site = await addSite(runtime, { slug: `report-review-${++number}` })
  const hubId = createId()
  await inSite((tx) => tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'roads', title: { en: 'Roads' } }))
  projectId = (await addProject(runtime, site, { hubId, title: inAllLanguages('Fern Street') })).id
  const add = (role: Role, more: Parameters<typeof addAccount>[2] = {}) => addAccount(runtime, site, { role, ...more })
  people = {
    writer: await add('hub_admin', { hubId, login: 'Bea Roy' }),
    colleague: await add('site_admin', { login: 'Aled Rees' }),
    // May only ask for a review.
    moderator: await add('project_admin', { projectId, login: 'Moe' }),
    stranger: await add('project_admin', { projectId: (await addProject(runtime, site)).id }),
  }
})

const inSite = <Result>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<Result>
const api = (who: Who) => createApiClient(runtime, site, people[who].token)
const wantAgreement = () => inSite((tx) => tx.insert(moderationSettings).values({ siteId: site.id, reportsNeedAgreement: true }))

async function saveDraft(who: Who, words = 'People want shade.'): Promise<string> {
  const [newest] = requireItems(await api(who).get(`/heard-report-revisions?filter[project]=${projectId}&page[size]=1`))
  const block = { ...createBlock('rich_text', 'b_text'), body: inAllLanguages(`## In short\n\n${words}`) } as HomeBlock
  const to = {
    project: { type: 'projects', id: projectId },
    ...(newest && { parent: { type: 'heard-report-revisions', id: newest.id } }),
  }
  const content = { schema: 2, blocks: [block] }
  return requireItem(await api(who).post('/heard-report-revisions', buildResourceDocument('heard-report-revisions', { content }, { to })))
    .id
}
const toRevision = (id: string) => ({ to: { revision: { type: 'heard-report-revisions', id } } })
const publish = async (who: Who, id: string) => {
  const { status, codes } = await api(who).post('/heard-reports', buildResourceDocument('heard-reports', {}, toRevision(id)))
  return [status, ...codes]
}
const ask = async (who: Who, id: string) => {
  const { status, codes } = await api(who).post('/heard-report-reviews', buildResourceDocument('heard-report-reviews', {}, toRevision(id)))
  return [status, ...codes]
}
const giveBack = async (who: Who, returnReason: string) => {
  const document = buildResourceDocument('heard-report-reviews', { returnReason }, { id: projectId })
  const { status, codes } = await api(who).patch(`/heard-report-reviews/${projectId}`, document)
  return [status, ...codes]
}
const loadReview = async (who: Who) => requireItems(await api(who).get(`/heard-report-reviews?filter[project]=${projectId}`))[0]
const countReports = async () =>
  (await inSite<unknown[]>((tx) => tx.select().from(heardReports).where(eq(heardReports.projectId, projectId)))).length
const listActs = async () =>
  (
    await inSite<{ action: string; actorId: string | null; detail: unknown }[]>((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.subjectId, projectId), like(auditEvents.action, 'heard-reports.%')))
        .orderBy(auditEvents.sequence),
    )
  ).map(({ action, actorId }) => [action, actorId])

describe('where the site wants agreement', () => {
  beforeEach(wantAgreement)

  test('no report is published before a colleague was asked, nor by who asked', async () => {
    const revision = await saveDraft('writer')
    expect(await publish('writer', revision)).toEqual([403, 'report-needs-agreement'])
    expect(await publish('colleague', revision)).toEqual([403, 'report-needs-agreement'])
    expect(await ask('writer', revision)).toEqual([201])
    expect(await publish('writer', revision)).toEqual([403, 'report-agree-other'])
    expect(await giveBack('writer', 'Mine')).toEqual([403, 'report-agree-other'])
    expect(await countReports()).toBe(0)
    expect(await publish('colleague', revision)).toEqual([201])
    expect(await countReports()).toBe(1)
    expect(await loadReview('writer')).toBeUndefined()
    expect(await listActs()).toEqual([
      ['heard-reports.request-review', people.writer.id],
      ['heard-reports.publish', people.colleague.id],
    ])
    // The next publication of the same draft is asked for again.
    expect(await publish('colleague', revision)).toEqual([403, 'report-needs-agreement'])
  })

  test('a change of the draft ends the request, and another version is not what was agreed to', async () => {
    const first = await saveDraft('writer')
    await ask('writer', first)
    const second = await saveDraft('writer', 'People want shade and seats.')
    expect(await loadReview('writer')).toBeUndefined()
    expect(await publish('colleague', first)).toEqual([403, 'report-needs-agreement'])
    expect(await publish('colleague', second)).toEqual([403, 'report-needs-agreement'])
    expect(await ask('writer', first)).toEqual([409, 'conflict'])
    expect(await ask('writer', second)).toEqual([201])
    expect(await ask('writer', second)).toEqual([409, 'conflict'])
    expect(await publish('colleague', first)).toEqual([403, 'report-needs-agreement'])
    expect(await publish('colleague', second)).toEqual([201])
  })

  test('of two who agree at once, one publishes', async () => {
    const revision = await saveDraft('moderator')
    await ask('moderator', revision)
    const results = await Promise.all([publish('writer', revision), publish('colleague', revision)])
    expect(results.map(([status]) => status).toSorted()).toEqual([201, 403])
    expect(await countReports()).toBe(1)
  })
})

test('a colleague returns it with a reason, which the writer gets', async () => {
  await wantAgreement()
  const revision = await saveDraft('writer')
  await ask('writer', revision)
  const [mail, ...others] = await loadMailsTo(runtime, site.id, people.colleague.email)
  expect(mail?.kind).toBe('agreement-asked')
  expect(others).toEqual([])
  expect(JSON.stringify(mail)).toContain(`/admin/projects/${projectId}/heard/report`)
  expect(await loadMailsTo(runtime, site.id, people.writer.email)).toEqual([])
  // Who may only ask is not asked.
  expect(await loadMailsTo(runtime, site.id, people.moderator.email)).toEqual([])
  expect(await loadReview('colleague')).toMatchObject({
    attributes: { status: 'in_review', askedBy: 'Bea Roy', askedAt: '2026-03-02T10:00:00.000Z', returnReason: null },
    meta: { can: { review: true } },
  })
  expect(await loadReview('writer')).toMatchObject({ meta: { can: { review: false } } })
  expect(await giveBack('moderator', 'Too long')).toEqual([403, 'forbidden'])
  expect(await giveBack('colleague', ' ')).toEqual([422, 'required'])
  expect(await giveBack('colleague', 'Name the twelve who spoke against it.')).toEqual([200])
  expect(await loadReview('writer')).toMatchObject({
    attributes: { status: 'returned', returnedBy: 'Aled Rees', returnReason: 'Name the twelve who spoke against it.' },
  })
  expect(await giveBack('colleague', 'Again')).toEqual([409, 'conflict'])
  expect(await publish('colleague', revision)).toEqual([403, 'report-needs-agreement'])
  const [returned] = await loadMailsTo(runtime, site.id, people.writer.email)
  expect(returned?.kind).toBe('review-returned')
  expect(JSON.stringify(returned)).toContain('Name the twelve who spoke against it.')
  expect((await listActs()).at(-1)).toEqual(['heard-reports.return', people.colleague.id])
})

test('without the setting, who may only ask asks, and who may publish does', async () => {
  const revision = await saveDraft('moderator')
  expect(await publish('moderator', revision)).toEqual([403, 'report-needs-agreement'])
  expect(await ask('moderator', revision)).toEqual([201])
  expect(await publish('writer', revision)).toEqual([201])
  expect(await publish('writer', revision)).toEqual([201])
  expect(await countReports()).toBe(2)
})

test('a request waits in the bell, in the overviews and in the mail of the week of those who may agree, until it is taken back or decided', async () => {
  await wantAgreement()
  const [writer, colleague, moderator, stranger] = await Promise.all(
    [people.writer, people.colleague, people.moderator, people.stranger].map((one) => one.ctx()),
  )
  const listNews = async (ctx = colleague) =>
    ctx && (await listNotifications(ctx, { page: { limit: 50, offset: 0 } })).rows.map(({ kind, title }) => `${kind}: ${title}`)
  const expectWaiting = async (waiting: boolean) => {
    expect(await listNews()).toEqual(waiting ? ['report-review: Fern Street'] : [])
    if (!colleague || !moderator || !stranger) throw new Error('Everybody has a context')
    const found = (await readDashboard(colleague)).awaitingReview
    expect(found).toEqual(waiting ? [{ projectId, id: projectId, title: 'Fern Street', what: 'report' }] : [])
    expect((await readDashboard(stranger)).awaitingReview).toEqual([])
    expect((await readCockpit(moderator, projectId)).reportInReview).toBe(waiting)
    expect((await readWeek(colleague, '2026-03-02')).reportReviews).toBe(waiting ? 1 : 0)
    expect((await readWeek(moderator, '2026-03-02')).reportReviews).toBe(0)
  }
  await expectWaiting(false)
  const revision = await saveDraft('writer')
  await ask('writer', revision)
  await expectWaiting(true)
  expect(await listNews(writer)).toEqual([])
  expect(await listNews(moderator)).toEqual([])

  expect(await loadReview('writer')).toMatchObject({ meta: { can: { remove: true } } })
  expect(await loadReview('colleague')).toMatchObject({ meta: { can: { remove: false } } })
  expect((await api('colleague').delete(`/heard-report-reviews/${projectId}`)).codes).toEqual(['forbidden'])
  expect((await api('writer').delete(`/heard-report-reviews/${projectId}`)).status).toBe(204)
  await expectWaiting(false)
  expect(await loadReview('writer')).toBeUndefined()
  expect((await listActs()).at(-1)).toEqual(['heard-reports.withdraw-review', people.writer.id])

  await ask('writer', revision)
  await giveBack('colleague', 'Shorter')
  await expectWaiting(false)
  expect(await listNews(writer)).toEqual(['report-returned: Fern Street'])
  await ask('writer', revision)
  runtime.setNow(new Date('2026-03-02T10:01:00Z'))
  await publish('colleague', revision)
  await expectWaiting(false)
  expect(await listNews(writer)).toEqual(expect.arrayContaining(['report-published: Fern Street']))
})

test('people of other projects know nothing of it', async () => {
  const revision = await saveDraft('writer')
  await ask('writer', revision)
  expect(await loadReview('stranger')).toBeUndefined()
  expect(await ask('stranger', revision)).toEqual([404, 'not-found'])
  expect(await giveBack('stranger', 'No')).toEqual([404, 'not-found'])
})

test('the setting is the site administrators’', async () => {
  const read = async () => requireItems(await api('colleague').get('/moderation-settings'))[0]
  const change = async (who: Who, reportsNeedAgreement: boolean) => {
    const settings = await read()
    const lockVersion = (settings as { meta?: { lockVersion: number } } | undefined)?.meta?.lockVersion ?? 1
    const document = buildResourceDocument('moderation-settings', { reportsNeedAgreement }, { id: site.id, lockVersion })
    return (await api(who).patch(`/moderation-settings/${site.id}`, document)).status
  }
  expect((await read())?.attributes['reportsNeedAgreement']).toBe(false)
  expect(await change('colleague', true)).toBe(200)
  expect((await read())?.attributes['reportsNeedAgreement']).toBe(true)
  expect(await change('moderator', false)).toBe(403)
})
