import { asc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import { outboxMails, projectFollows, projects, projectUpdates, users } from '#app/server/db/schema.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addUpdate } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, testRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { mailDueUpdates } from './follows.mails.server.ts'
import { leaveByLink, linkedMails } from './follows.server.ts'

let runtime: TestRuntime
let site: Site
let project: { id: string; slug: string }
const people = {} as Record<'ana' | 'ben' | 'unconfirmed' | 'blocked', Person>

beforeAll(async () => {
  runtime = await testRuntime()
  site = await addSite(runtime)
  project = await addProject(runtime, site, { slug: 'bus', title: { en: 'A faster bus', cy: 'Bws cyflymach' } })
  people.ana = await addPerson(runtime, site)
  people.ben = await addPerson(runtime, site)
  people.unconfirmed = await addPerson(runtime, site, { confirmed: false })
  people.blocked = await addPerson(runtime, site)
  await inSite((tx) => tx.update(users).set({ locale: 'cy' }).where(eq(users.id, people.ben.id)))
  await inSite((tx) => tx.update(users).set({ blockedAt: new Date() }).where(eq(users.id, people.blocked.id)))
  for (const { id } of Object.values(people)) await follow(id)
})

const inSite: ReturnType<TestRuntime['database']['site']>['tx'] = (work) => runtime.database.site(site.id).tx(work)
const follow = (userId: string) => inSite((tx) => tx.insert(projectFollows).values({ siteId: site.id, projectId: project.id, userId }))
const mails = () => inSite((tx) => tx.select().from(outboxMails).where(eq(outboxMails.kind, 'project-update')).orderBy(asc(outboxMails.id)))

test('each follower whose address is confirmed gets one mail about an update, in their language, however often the job runs', async () => {
  await addUpdate(runtime, site, project.id, { slug: 'news', title: { en: 'It is decided', cy: 'Mae wedi’i benderfynu' } })
  await Promise.all([mailDueUpdates(runtime), mailDueUpdates(runtime)])
  expect(await mailDueUpdates(runtime)).toBe(0)
  const found = await mails()
  expect(found.map(({ userId }) => userId).toSorted()).toEqual([people.ana.id, people.ben.id].toSorted())
  const english = found.find(({ userId }) => userId === people.ana.id)
  const welsh = found.find(({ userId }) => userId === people.ben.id)
  expect(english).toMatchObject({ language: 'en', subject: 'A faster bus: It is decided' })
  expect(english?.bodyText).toContain('/en/projects/bus/updates/news?utm_source=parley&utm_medium=email&utm_campaign=update')
  expect(welsh).toMatchObject({ language: 'cy', subject: 'Bws cyflymach: Mae wedi’i benderfynu' })
  for (const mail of found)
    expect([mail.bodyText.includes(mail.leaveUrl ?? '-'), mail.bodyHtml.includes('/unfollow?token=')]).toEqual([true, true])
})

test('an update that is not published yet, or whose project nobody may see, waits', async () => {
  const before = (await mails()).length
  const draft = await addProject(runtime, site, { status: 'draft', publishedAt: null })
  await inSite((tx) => tx.insert(projectFollows).values({ siteId: site.id, projectId: draft.id, userId: people.ana.id }))
  await addUpdate(runtime, site, draft.id)
  await addUpdate(runtime, site, project.id, { publishedAt: new Date(Date.now() + 60_000) })
  const members = await addProject(runtime, site, { visibility: 'members' })
  await inSite((tx) => tx.insert(projectFollows).values({ siteId: site.id, projectId: members.id, userId: people.ana.id }))
  await addUpdate(runtime, site, members.id)
  await mailDueUpdates(runtime)
  expect(await mails()).toHaveLength(before)
  runtime.setNow(new Date(Date.now() + 120_000))
  await mailDueUpdates(runtime)
  runtime.setNow(undefined)
  expect(await mails()).toHaveLength(before + 2)
  await inSite((tx) => tx.update(projects).set({ status: 'published', publishedAt: new Date() }).where(eq(projects.id, draft.id)))
  await mailDueUpdates(runtime)
  expect(await mails()).toHaveLength(before + 3)
})

test('the link of the mail ends that follow and no other, without signing in; one that was changed ends nothing', async () => {
  const mail = (await mails()).find(({ userId }) => userId === people.ana.id)
  const token = new URL(mail?.leaveUrl ?? '').searchParams.get('token') ?? ''
  const visitor = createCtx(runtime, site)
  expect(await linkedMails(visitor, token)).toEqual({ kind: 'project', project: 'A faster bus', going: true })
  await leaveByLink(visitor, token)
  await leaveByLink(visitor, token)
  expect(await linkedMails(visitor, token)).toEqual({ kind: 'project', project: 'A faster bus', going: false })
  const left = await inSite((tx) => tx.select().from(projectFollows).where(eq(projectFollows.projectId, project.id)))
  expect(left.map(({ userId }) => userId)).toContain(people.ben.id)
  for (const wrong of ['', 'x', token.slice(0, -1), `${'A'.repeat(43)}.${token.split('.')[1]}`])
    await expect(leaveByLink(visitor, wrong)).rejects.toMatchObject({ code: 'link-expired' })
  const other = await addSite(runtime, { slug: 'other' })
  await expect(linkedMails(createCtx(runtime, other), token)).rejects.toThrow('link-expired')
  await addUpdate(runtime, site, project.id, { slug: 'later' })
  const before = (await mails()).length
  await mailDueUpdates(runtime)
  expect((await mails()).length).toBe(before + 1)
  expect(
    (await inSite((tx) => tx.select().from(projectUpdates))).every(
      ({ notifiedAt, publishedAt }) => notifiedAt || (publishedAt ?? 0) > new Date(),
    ),
  ).toBe(true)
})
