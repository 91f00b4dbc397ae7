import { asc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { readUpdateAudience } from '#app/features/updates/updates.editing.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { emailFollows, projectFollows, projectUpdates } from '#app/server/db/schema/updates.ts'
import { getUnmaskedBodies } from '#app/server/mail/mask-secrets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addUpdate } from '#tests/factories/content.ts'
import { addPerson as addViewer, addProject } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { mailDueUpdates } from './follows.mails.server.ts'
import { mailDueDigests } from './digests.server.ts'
import { unsubscribeByLink, loadLinkedMails, readFollows, setFollowing, setFollowMails } from './follows.server.ts'

let runtime: TestRuntime
let site: Site
let project: { id: string; slug: string }
const people = {} as Record<'ana' | 'ben' | 'unconfirmed' | 'blocked', Person>

beforeAll(async () => {
  runtime = await createTestRuntime()
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

test('each follower with a confirmed address gets one email per update, in their language, however often the job runs', async () => {
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
  for (const mail of found) {
    expect(getUnmaskedBodies(mail).text).toContain(mail.leaveUrl ?? '-')
    expect(mail.bodyHtml).toContain('/unfollow?token=…')
  }
})

test('whoever writes an update is told before how many followers it goes to, and nobody else is', async () => {
  const asking = async (person: Person) => {
    const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, person.token, runtime.now())
    return createCtx(runtime, site, { viewer })
  }
  const admin = await asking(await addPerson(runtime, site, { role: 'site_admin' }))
  // Neither the follower who never confirmed an address nor the one who is blocked.
  expect(await readUpdateAudience(admin, project.id)).toEqual({ followers: 2, waits: false })
  const byAddress = { siteId: site.id, projectId: project.id, locale: 'en' as const, createdAt: new Date() }
  await inSite((tx) => tx.insert(emailFollows).values({ ...byAddress, id: createId(), email: 'dana@example.org' }))
  expect(await readUpdateAudience(admin, project.id)).toEqual({ followers: 3, waits: false })
  await inSite((tx) => tx.delete(emailFollows))
  const draft = await addProject(runtime, site, { status: 'draft', publishedAt: null })
  expect(await readUpdateAudience(admin, draft.id)).toEqual({ followers: 0, waits: true })
  await expect(readUpdateAudience(await asking(people.ana), project.id)).rejects.toMatchObject({ code: 'forbidden' })
})

test('an update waits until it is published and its project is visible', async () => {
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

test('an email’s link ends only that follow, without signing in; a forged link is refused', async () => {
  const mail = (await mails()).find(({ userId }) => userId === people.ana.id)
  const token = new URL(mail?.leaveUrl ?? '').searchParams.get('token') ?? ''
  const visitor = createCtx(runtime, site)
  expect(await loadLinkedMails(visitor, token)).toEqual({ kind: 'project', project: 'A faster bus', going: true })
  await unsubscribeByLink(visitor, token)
  await unsubscribeByLink(visitor, token)
  expect(await loadLinkedMails(visitor, token)).toEqual({ kind: 'project', project: 'A faster bus', going: false })
  const left = await inSite((tx) => tx.select().from(projectFollows).where(eq(projectFollows.projectId, project.id)))
  expect(left.map(({ userId }) => userId)).toContain(people.ben.id)
  for (const wrong of ['', 'x', token.slice(0, -1), `${'A'.repeat(43)}.${token.split('.')[1]}`])
    await expect(unsubscribeByLink(visitor, wrong)).rejects.toMatchObject({ code: 'link-expired' })
  const other = await addSite(runtime, { slug: 'other' })
  await expect(loadLinkedMails(createCtx(runtime, other), token)).rejects.toThrow('link-expired')
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

test('readers of digests get one email about everything they follow, the next morning or on Monday morning in the site’s time zone', async () => {
  const own = await addSite(runtime, { slug: 'gathered' })
  const db = runtime.database.site(own.id)
  const [bus, park] = [await addProject(runtime, own, { slug: 'bus' }), await addProject(runtime, own, { slug: 'park' })]
  const reader = async (mails: Parameters<typeof setFollowMails>[1]) => {
    const as = createCtx(runtime, own, { viewer: await addViewer(runtime, own) })
    await setFollowing(as, { slug: 'bus', following: true })
    await setFollowing(as, { slug: 'park', following: true })
    await setFollowMails(as, mails)
    return as
  }
  const idOf = ({ viewer }: Awaited<ReturnType<typeof reader>>) => (viewer.kind === 'user' ? viewer.id : '')
  const [daily, weekly, leaving, impatient] = [
    await reader('daily'),
    await reader('weekly'),
    await reader('weekly'),
    await reader('weekly'),
  ]
  await reader('never')
  await db.tx((tx) =>
    tx
      .update(users)
      .set({ locale: 'cy' })
      .where(eq(users.id, idOf(weekly))),
  )
  const written = () => db.tx((tx) => tx.select().from(outboxMails).orderBy(asc(outboxMails.id)))
  const at = async (moment: string) => {
    runtime.setNow(new Date(moment))
    await mailDueUpdates(runtime)
    await Promise.all([mailDueDigests(runtime), mailDueDigests(runtime)])
    return (await written()).map(({ userId }) => userId)
  }
  // A Wednesday; the clocks go forward on the following Sunday.
  const publishedAt = new Date('2027-03-10T14:00:00Z')
  await addUpdate(runtime, own, bus.id, { slug: 'stop', title: { en: 'The stop moves', cy: 'Mae’r arhosfan yn symud' }, publishedAt })
  await addUpdate(runtime, own, park.id, { slug: 'trees', title: { en: 'Forty trees', cy: 'Pedwar deg o goed' }, publishedAt })
  expect(await at('2027-03-10T15:00:00Z')).toEqual([])
  expect(await at('2027-03-11T12:59:00Z')).toEqual([])
  expect(await at('2027-03-11T13:00:00Z')).toEqual([idOf(daily)])
  await setFollowMails(impatient, 'at-once')
  expect(await at('2027-03-12T10:00:00Z')).toEqual([idOf(daily), idOf(impatient)])
  await setFollowing(leaving, { slug: 'bus', following: false })
  await setFollowing(leaving, { slug: 'park', following: false })
  expect(await at('2027-03-15T11:59:00Z')).toHaveLength(2)
  expect(await at('2027-03-15T12:00:00Z')).toEqual([idOf(daily), idOf(impatient), idOf(weekly)])
  const last = (await written()).at(-1)
  expect(last).toMatchObject({ kind: 'follow-digest', language: 'cy', subject: 'Gathered: newyddion eich prosiectau' })
  for (const words of ['Mae’r arhosfan yn symud', 'Pedwar deg o goed', '/cy/projects/park/updates/trees?utm_source=parley'])
    expect(last?.bodyText).toContain(words)
  // Its unsubscribe link ends all of them, including queued items.
  await addUpdate(runtime, own, bus.id, { slug: 'again', publishedAt: new Date('2027-03-15T13:00:00Z') })
  await at('2027-03-15T14:00:00Z')
  const token = new URL(last?.leaveUrl ?? '').searchParams.get('token') ?? ''
  expect(await loadLinkedMails(createCtx(runtime, own), token)).toEqual({ kind: 'follows', going: true })
  await unsubscribeByLink(createCtx(runtime, own), token)
  expect(await loadLinkedMails(createCtx(runtime, own), token)).toEqual({ kind: 'follows', going: false })
  expect(await readFollows(weekly)).toMatchObject({ mails: 'never', projects: [{ slug: 'bus' }, { slug: 'park' }] })
  expect((await at('2027-03-22T12:00:00Z')).filter((id) => id === idOf(weekly))).toHaveLength(1)
  runtime.setNow(undefined)
})
