import { asc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createCtx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { emailFollows, projectFollows } from '#app/server/db/schema/updates.ts'
import { getUnmaskedBodies } from '#app/server/mail/mask-secrets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { eraseAccount } from '#app/features/people/own-data.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { addUpdate } from '#tests/factories/content.ts'
import { addPerson as addViewer, addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { alterToken } from '#tests/support/alter-token.ts'
import { confirmEmailFollow, loadEmailFollow, moveAddressFollows, requestEmailFollow } from './email-follows.server.ts'
import { followAfterRegistration, followAfterSignIn } from './follow-intent.server.ts'
import { mailDueUpdates } from './follows.mails.server.ts'
import { loadLinkedMails, unsubscribeByLink } from './follows.server.ts'

let runtime: TestRuntime
let site: Site
let project: { id: string; slug: string }
beforeEach(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'cy'] })
  project = await addProject(runtime, site, { slug: 'bus', title: { en: 'A faster bus', cy: 'Bws cyflymach' } })
})

const EMAIL = 'ana@example.org'
const visitor = () => createCtx(runtime, site, { language: 'cy' })
const inSite: ReturnType<TestRuntime['database']['site']>['tx'] = (work) => runtime.database.site(site.id).tx(work)
const listMails = () => inSite((tx) => tx.select().from(outboxMails).orderBy(asc(outboxMails.id)))
const listAddresses = () => inSite((tx) => tx.select().from(emailFollows))
const listFollowers = () => inSite((tx) => tx.select().from(projectFollows))

/** The token of the newest emailed link. */
async function findToken(): Promise<string> {
  const mail = (await listMails()).at(-1)
  const [, token = ''] = /\/cy\/follow\?token=(\S+)/.exec(mail ? (getUnmaskedBodies(mail).text ?? '') : '') ?? []
  return token
}

test('somebody without an account follows with one confirmation, in their language, and leaves by the link in any email', async () => {
  await requestEmailFollow(visitor(), { slug: 'bus', email: EMAIL })
  expect(await listAddresses()).toEqual([])
  expect(await listMails()).toMatchObject([{ kind: 'confirm-follow', recipient: EMAIL, language: 'cy', userId: null }])
  const token = await findToken()
  expect(await loadEmailFollow(visitor(), token)).toMatchObject({ email: EMAIL, title: { text: 'Bws cyflymach' }, isFollowing: false })
  await confirmEmailFollow(visitor(), token)
  await confirmEmailFollow(visitor(), token)
  expect(await loadEmailFollow(visitor(), token)).toMatchObject({ isFollowing: true })
  expect(await getProject(createCtx(runtime, site), { slug: 'bus' })).toMatchObject({ followers: 1 })

  await addUpdate(runtime, site, project.id, { title: { en: 'It is decided', cy: 'Mae wedi’i benderfynu' } })
  expect(await mailDueUpdates(runtime)).toBe(1)
  const [, update] = await listMails()
  expect(update).toMatchObject({
    kind: 'project-update',
    recipient: EMAIL,
    language: 'cy',
    subject: 'Bws cyflymach: Mae wedi’i benderfynu',
  })
  const leave = new URL(update?.leaveUrl ?? '').searchParams.get('token') ?? ''
  expect(await loadLinkedMails(visitor(), leave)).toEqual({ kind: 'project', project: 'Bws cyflymach', going: true })
  await unsubscribeByLink(visitor(), leave)
  expect(await listAddresses()).toEqual([])
})

test('a link is refused once it is old, changed, of another site, or of a project that is no longer public', async () => {
  await requestEmailFollow(visitor(), { slug: 'bus', email: EMAIL })
  const token = await findToken()
  const expectRefused = (ctx = visitor(), given = token) =>
    expect(confirmEmailFollow(ctx, given)).rejects.toMatchObject({ code: 'link-expired' })
  await expectRefused(visitor(), alterToken(token))
  await expectRefused(visitor(), 'nothing')
  await expectRefused(createCtx(runtime, await addSite(runtime, { slug: 'other' })))
  runtime.setNow(new Date(Date.now() + 8 * 86_400_000))
  await expectRefused()
  runtime.setNow(undefined)
  await inSite((tx) => tx.update(projects).set({ visibility: 'members' }).where(eq(projects.id, project.id)))
  await expectRefused()
  expect(await listAddresses()).toEqual([])
  await expect(requestEmailFollow(visitor(), { slug: 'bus', email: EMAIL })).rejects.toMatchObject({ code: 'not-found' })
})

test('an address that has an account, then or later, follows with the account and is told once', async () => {
  const ana = await addPerson(runtime, site)
  const [{ email } = { email: '' }] = await inSite((tx) => tx.select().from(users).where(eq(users.id, ana.id)))
  await requestEmailFollow(visitor(), { slug: 'bus', email })
  await confirmEmailFollow(visitor(), await findToken())
  expect(await listAddresses()).toEqual([])
  expect(await listFollowers()).toMatchObject([{ userId: ana.id }])

  await requestEmailFollow(visitor(), { slug: 'bus', email: EMAIL })
  await confirmEmailFollow(visitor(), await findToken())
  const ben = await addPerson(runtime, site)
  await inSite((tx) => moveAddressFollows(tx, { siteId: site.id, userId: ben.id, email: EMAIL }))
  expect(await listAddresses()).toEqual([])
  expect((await listFollowers()).map(({ userId }) => userId).toSorted()).toEqual([ana.id, ben.id].toSorted())
})

test('erasing an account also erases what its address follows without it', async () => {
  const ana = await addPerson(runtime, site)
  const [{ email } = { email: '' }] = await inSite((tx) => tx.select().from(users).where(eq(users.id, ana.id)))
  await inSite((tx) => tx.insert(emailFollows).values({ siteId: site.id, id: ana.id, projectId: project.id, email, locale: 'en' }))
  await inSite((tx) => eraseAccount(createCtx(runtime, site), tx, site.id, ana.id))
  expect(await listAddresses()).toEqual([])
})

test('who pressed Follow before signing in or registering follows afterwards', async () => {
  const ana = await addViewer(runtime, site)
  const ctx = createCtx(runtime, site, { viewer: ana })
  expect(await followAfterSignIn(ctx, '/account')).toBeUndefined()
  expect(await followAfterSignIn(ctx, '/follow?project=nothing')).toBeUndefined()
  expect(await followAfterSignIn(ctx, '/cy/follow?project=bus')).toBe('/cy/projects/bus#follow')
  const ben = await addPerson(runtime, site)
  await followAfterRegistration(visitor(), ben.id, '/follow?project=bus')
  // The id of no account: the address had one already.
  await followAfterRegistration(visitor(), project.id, '/follow?project=bus')
  expect((await listFollowers()).map(({ userId }) => userId).toSorted()).toEqual([ana.id, ben.id].toSorted())
})
