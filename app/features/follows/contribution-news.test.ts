import { asc, eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { contributionDigestItems, emailFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addUpdate } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { mailDueDigests } from './digests.server.ts'
import { moveAddressFollows } from './email-follows.server.ts'
import { mailDueUpdates } from './follows.mails.server.ts'
import type { FollowMails } from './follows.schema.ts'
import { setFollowing, setFollowMails, unsubscribeByLink } from './follows.server.ts'

/** A Wednesday in New York, the site's zone; the following Monday's digest is due at noon UTC. */
const WEDNESDAY = '2027-03-10T14:00:00Z'
const THURSDAY_8_AM = '2027-03-11T13:00:00Z'
const MONDAY_8_AM = '2027-03-15T12:00:00Z'

let runtime: TestRuntime
let site: Site
let count = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(new Date(WEDNESDAY))
  site = await addSite(runtime, { slug: `news-${count++}` })
})
afterEach(() => runtime.setNow(undefined))

const inSite: ReturnType<TestRuntime['database']['site']>['tx'] = (work) => runtime.database.site(site.id).tx(work)
const addIdeas = async (values: Parameters<typeof addProject>[2] = {}) => {
  const project = await addProject(runtime, site, { slug: 'park', title: { en: 'The park', cy: 'Y parc' }, ...values })
  const title = { en: 'Ideas for the park', cy: 'Syniadau ar gyfer y parc' }
  return {
    project,
    activity: await addActivity(runtime, site, { projectId: project.id, slug: 'ideas', title, newsUntil: new Date(WEDNESDAY) }),
  }
}
const addFollower = async (mails: FollowMails): Promise<Ctx & { id: string }> => {
  const viewer = await addPerson(runtime, site)
  const ctx = createCtx(runtime, site, { viewer })
  await setFollowing(ctx, { slug: 'park', following: true })
  await setFollowMails(ctx, mails)
  return { ...ctx, id: viewer.id }
}
let number = 0
const publish = (activityId: string, at: string, values: Partial<typeof contributions.$inferInsert> = {}) =>
  addContribution(runtime, site, { activityId, number: ++number, publishedAt: new Date(at), ...values })
const runAt = async (moment: string) => {
  runtime.setNow(new Date(moment))
  await mailDueUpdates(runtime)
  await Promise.all([mailDueDigests(runtime), mailDueDigests(runtime)])
}
const loadMails = (userId: string) =>
  inSite((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, userId)).orderBy(asc(outboxMails.id)))
const countMails = async (...people: { id: string }[]) => Promise.all(people.map(async ({ id }) => (await loadMails(id)).length))

test('followers of a project are told of new contributions in their digest: daily or on Monday morning, never one by one, and not at all if they want no mail', async () => {
  const { activity } = await addIdeas()
  const [daily, weekly, atOnce, never] = [
    await addFollower('daily'),
    await addFollower('weekly'),
    await addFollower('at-once'),
    await addFollower('never'),
  ]
  await inSite((tx) => tx.update(users).set({ locale: 'cy' }).where(eq(users.id, weekly.id)))
  await publish(activity.id, '2027-03-10T15:00:00Z')
  await publish(activity.id, '2027-03-10T15:10:00Z')
  await runAt('2027-03-10T16:00:00Z')
  expect(await countMails(daily, weekly, atOnce, never)).toEqual([0, 0, 0, 0])
  await runAt(THURSDAY_8_AM)
  expect(await countMails(daily, weekly, atOnce, never)).toEqual([1, 0, 0, 0])
  await runAt(MONDAY_8_AM)
  await runAt('2027-03-22T12:00:00Z')
  expect(await countMails(daily, weekly, atOnce, never)).toEqual([1, 1, 1, 0])
  const [english] = await loadMails(daily.id)
  expect(english?.bodyText).toContain('The park: 2 new contributions to “Ideas for the park”')
  expect(english?.bodyText).toContain('/en/projects/park/ideas?utm_source=parley')
  const [welsh] = await loadMails(weekly.id)
  expect(welsh).toMatchObject({ kind: 'follow-digest', language: 'cy' })
  expect(welsh?.bodyText).toContain('Y parc: 2 gyfraniad newydd at “Syniadau ar gyfer y parc”')
})

test('each contribution is told once, also those that are published between gathering and sending', async () => {
  const { activity } = await addIdeas()
  const daily = await addFollower('daily')
  await publish(activity.id, '2027-03-10T15:00:00Z')
  await runAt('2027-03-10T16:00:00Z')
  await publish(activity.id, '2027-03-11T12:30:00Z')
  await runAt('2027-03-11T12:59:00Z')
  await publish(activity.id, '2027-03-11T12:59:30Z')
  await runAt(THURSDAY_8_AM)
  await runAt('2027-03-11T15:00:00Z')
  await runAt('2027-03-12T13:00:00Z')
  await runAt('2027-03-13T13:00:00Z')
  const told = (await loadMails(daily.id)).map(({ bodyText }) => Number(/(\d+) new contribution/.exec(bodyText)?.[1]))
  expect(told.reduce((sum, one) => sum + one, 0)).toBe(3)
  expect(told).toEqual([2, 1])
})

test('updates and contributions come in one mail', async () => {
  const { project, activity } = await addIdeas()
  const daily = await addFollower('daily')
  await addUpdate(runtime, site, project.id, { slug: 'trees', title: { en: 'Forty trees' }, publishedAt: new Date(WEDNESDAY) })
  await publish(activity.id, '2027-03-10T15:00:00Z')
  await runAt('2027-03-10T16:00:00Z')
  await runAt(THURSDAY_8_AM)
  const mails = await loadMails(daily.id)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.bodyText).toMatch(/Forty trees[^]*1 new contribution to/)
})

test('nobody is told of their own contribution, of what is held or was removed meanwhile, or of what they no longer follow or may not see', async () => {
  const { activity, project } = await addIdeas()
  const [outsider, insider] = [await addFollower('daily'), await addFollower('daily')]
  await inSite((tx) => tx.insert(projectMembers).values({ siteId: site.id, projectId: project.id, userId: insider.id }))
  await inSite((tx) => tx.update(projects).set({ visibility: 'members' }).where(eq(projects.id, project.id)))
  const open = await addProject(runtime, site, { slug: 'bus' })
  const other = await addActivity(runtime, site, { projectId: open.id, newsUntil: new Date(WEDNESDAY) })
  const viewer = await addPerson(runtime, site)
  const ctx = createCtx(runtime, site, { viewer })
  await setFollowing(ctx, { slug: 'bus', following: true })
  await setFollowMails(ctx, 'daily')
  await publish(activity.id, '2027-03-10T15:00:00Z')
  await publish(other.id, '2027-03-10T15:00:00Z', { authorId: viewer.id })
  await publish(other.id, '2027-03-10T15:00:00Z', { state: 'held', publishedAt: null })
  const removed = await publish(other.id, '2027-03-10T15:00:00Z')
  await runAt('2027-03-10T16:00:00Z')
  const waiting = await inSite((tx) => tx.select().from(contributionDigestItems))
  expect(waiting.map(({ userId }) => userId)).toContain(viewer.id)
  await inSite((tx) => tx.update(contributions).set({ state: 'removed' }).where(eq(contributions.id, removed.id)))
  await runAt(THURSDAY_8_AM)
  // Members are told, so that what the others are not told of was news.
  expect(await countMails(viewer, outsider, insider)).toEqual([0, 0, 1])
  await publish(other.id, '2027-03-11T14:00:00Z')
  await runAt('2027-03-11T16:00:00Z')
  expect((await inSite((tx) => tx.select().from(contributionDigestItems))).map(({ userId }) => userId)).toContain(viewer.id)
  await setFollowing(ctx, { slug: 'bus', following: false })
  await runAt('2027-03-12T13:00:00Z')
  expect(await countMails(viewer)).toEqual([0])
  // Once they follow again, news reaches them: the earlier news was held back for the reasons above.
  await setFollowing(ctx, { slug: 'bus', following: true })
  await publish(other.id, '2027-03-12T14:00:00Z')
  await runAt('2027-03-12T16:00:00Z')
  await runAt('2027-03-13T13:00:00Z')
  expect(await countMails(viewer)).toEqual([1])
})

test('a changed frequency moves what waits, and the mail’s link ends it', async () => {
  const { activity } = await addIdeas()
  const reader = await addFollower('weekly')
  await publish(activity.id, '2027-03-10T15:00:00Z')
  await runAt('2027-03-10T16:00:00Z')
  await setFollowMails(reader, 'daily')
  await runAt(THURSDAY_8_AM)
  const [mail] = await loadMails(reader.id)
  await publish(activity.id, '2027-03-11T14:00:00Z')
  await runAt('2027-03-11T16:00:00Z')
  expect(await inSite((tx) => tx.select().from(contributionDigestItems))).toHaveLength(1)
  await unsubscribeByLink(createCtx(runtime, site), new URL(mail?.leaveUrl ?? '').searchParams.get('token') ?? '')
  expect(await inSite((tx) => tx.select().from(contributionDigestItems))).toEqual([])
  await runAt('2027-03-12T13:00:00Z')
  expect(await countMails(reader)).toEqual([1])
})

/** Follows by email address, without an account. */
const addAddress = async (email: string, locale: 'en' | 'cy' = 'en', slug = 'park') => {
  const [project] = await inSite((tx) => tx.select({ id: projects.id }).from(projects).where(eq(projects.slug, slug)))
  const row = { siteId: site.id, id: createId(), projectId: project?.id ?? '', email, locale }
  await inSite((tx) => tx.insert(emailFollows).values(row))
  return row
}
const loadMailsTo = (email: string) =>
  inSite((tx) => tx.select().from(outboxMails).where(eq(outboxMails.recipient, email)).orderBy(asc(outboxMails.id)))

test('whoever follows by email address only is told on Monday morning, in their language, of each contribution once', async () => {
  const { activity } = await addIdeas()
  await addAddress('ann@people.example')
  await addAddress('eleri@people.example', 'cy')
  await publish(activity.id, '2027-03-10T15:00:00Z')
  await publish(activity.id, '2027-03-10T15:10:00Z')
  await publish(activity.id, '2027-03-10T15:20:00Z', { state: 'held' })
  await runAt('2027-03-10T16:00:00Z')
  await runAt(THURSDAY_8_AM)
  expect(await loadMailsTo('ann@people.example')).toEqual([])
  await publish(activity.id, '2027-03-15T11:59:30Z')
  await runAt(MONDAY_8_AM)
  await runAt('2027-03-15T14:00:00Z')
  await runAt('2027-03-22T12:00:00Z')
  await runAt('2027-03-29T12:00:00Z')
  const english = await loadMailsTo('ann@people.example')
  const told = english.map(({ bodyText }) => Number(/(\d+) new contribution/.exec(bodyText)?.[1]))
  expect(told).toEqual([2, 1])
  expect(english[0]).toMatchObject({ kind: 'follow-digest', subject: 'The park: new contributions', userId: null })
  expect(english[0]?.bodyText).toContain('/en/projects/park/ideas?utm_source=parley')
  const [welsh] = await loadMailsTo('eleri@people.example')
  expect(welsh?.bodyText).toContain('\n2 gyfraniad newydd at “Syniadau ar gyfer y parc”')
})

test('an address is told of nothing once it left by the link of the email, or the project is no longer for everybody', async () => {
  const { project, activity } = await addIdeas()
  const [left, stays] = [await addAddress('left@people.example'), await addAddress('stays@people.example')]
  await publish(activity.id, '2027-03-10T15:00:00Z')
  await runAt('2027-03-10T16:00:00Z')
  await runAt(MONDAY_8_AM)
  const [mail] = await loadMailsTo(left.email)
  await publish(activity.id, '2027-03-15T13:00:00Z')
  await runAt('2027-03-15T15:00:00Z')
  await unsubscribeByLink(createCtx(runtime, site), new URL(mail?.leaveUrl ?? '').searchParams.get('token') ?? '')
  await inSite((tx) => tx.update(projects).set({ visibility: 'members' }).where(eq(projects.id, project.id)))
  await runAt('2027-03-22T12:00:00Z')
  expect([(await loadMailsTo(left.email)).length, (await loadMailsTo(stays.email)).length]).toEqual([1, 1])
})

test('what waits for an address waits for its account once it has one, and is told once', async () => {
  const { activity } = await addIdeas()
  const { email } = await addAddress('later@people.example')
  await publish(activity.id, '2027-03-10T15:00:00Z')
  await runAt('2027-03-10T16:00:00Z')
  const viewer = await addPerson(runtime, site)
  await inSite(async (tx) => {
    await tx.update(users).set({ email }).where(eq(users.id, viewer.id))
    await moveAddressFollows(tx, { siteId: site.id, userId: viewer.id, email })
  })
  await runAt(MONDAY_8_AM)
  await runAt('2027-03-22T12:00:00Z')
  const mails = await loadMailsTo(email)
  expect(mails.map(({ userId }) => userId)).toEqual([viewer.id])
  expect(mails[0]?.bodyText).toContain('1 new contribution to')
})
