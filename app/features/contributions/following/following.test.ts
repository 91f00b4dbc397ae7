import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { loadLinkedMails, readFollows, unsubscribeByLink } from '#app/features/follows/follows.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer, type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { contributionFollows, contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { mergeContributions } from '../merging/merge-contributions.server.ts'
import { tellMerges } from '../merging/merge-mails.server.ts'
import { getContribution } from '../reading/views.server.ts'
import { createOfficialResponse } from '../responding/official-responses.server.ts'
import { addReaction } from '../responding/reactions.server.ts'
import { setContributionFollowing } from './follow-contribution.server.ts'
import { tellOfAnswers } from './tell-of-answers.server.ts'

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let activity: Awaited<ReturnType<typeof addActivity>>
let numbered = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA', 'cy'] })
  admin = await toViewer(await addPerson(runtime, site, { role: 'site_admin' }))
  activity = await addActivity(runtime, site, {})
})

async function toViewer({ token }: Person): Promise<SignedInViewer> {
  const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, token, new Date())
  if (viewer.kind !== 'user') throw new Error('The person is signed in')
  return viewer
}
const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, address: null })
const add = (values: Partial<typeof contributions.$inferInsert> = {}) =>
  addContribution(runtime, site, { activityId: activity.id, number: ++numbered, title: 'A bench', ...values })
const addFollower = async (contribution: string, values: Partial<typeof users.$inferInsert> = {}) => {
  const person = await addPerson(runtime, site)
  await setContributionFollowing(as(await toViewer(person)), contribution, true)
  if (Object.keys(values).length > 0) await as().db.tx((tx) => tx.update(users).set(values).where(eq(users.id, person.id)))
  return person
}
const answer = (contribution: string) => {
  const status = activity.statuses.find(({ code }) => code === 'planned')
  return createOfficialResponse(as(admin), {
    contribution,
    status: status?.id ?? '',
    textTranslations: { en: 'In May.' },
    waiveTranslations: true,
  })
}
const mailsTo = (person: { id: string }) =>
  as().db.tx((tx) =>
    tx
      .select()
      .from(outboxMails)
      .where(and(eq(outboxMails.userId, person.id), eq(outboxMails.kind, 'contribution-followed'))),
  )

describe('whoever follows a contribution', () => {
  test('is told of each answer once, in their language, unless they want no mail', async () => {
    const author = await addPerson(runtime, site)
    const { id } = await add({ authorId: author.id })
    const welsh = await addFollower(id, { locale: 'cy' })
    const silent = await addFollower(id, { followMails: 'never' })
    const blocked = await addFollower(id, { blockedAt: new Date() })
    const unconfirmed = await addFollower(id, { emailConfirmedAt: null })
    await setContributionFollowing(as(await toViewer(author)), id, true)
    await answer(id)
    expect(await mailsTo(welsh)).toEqual([])
    expect(await tellOfAnswers(runtime)).toBe(1)
    expect(await tellOfAnswers(runtime)).toBe(0)
    const [mail, ...more] = await mailsTo(welsh)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ language: 'cy', subject: 'Ateb i “A bench”' })
    for (const person of [silent, blocked, unconfirmed, author]) expect(await mailsTo(person)).toEqual([])
    await answer(id)
    await tellOfAnswers(runtime)
    expect(await mailsTo(welsh)).toHaveLength(2)
  })

  test('is told by one of two processes', async () => {
    const { id } = await add()
    const people = [await addFollower(id), await addFollower(id)]
    await answer(id)
    await Promise.all([tellOfAnswers(runtime), tellOfAnswers(runtime)])
    for (const person of people) expect(await mailsTo(person)).toHaveLength(1)
  })

  test('is told nothing of what was taken off the site', async () => {
    const { id } = await add()
    const person = await addFollower(id)
    await answer(id)
    await as().db.tx((tx) => tx.update(contributions).set({ state: 'removed' }).where(eq(contributions.id, id)))
    expect(await tellOfAnswers(runtime)).toBe(0)
    expect(await mailsTo(person)).toEqual([])
    expect((await readFollows(as(await toViewer(person))))?.contributions).toEqual([])
  })

  test('is told once that it was merged, unless they are told as its author or supporter or want no mail', async () => {
    const author = await addPerson(runtime, site)
    const [double, target] = [await add({ authorId: author.id, title: 'A long bench' }), await add()]
    const [follower, silent, supporter] = [
      await addFollower(double.id, { locale: 'fr-CA' }),
      await addFollower(double.id, { followMails: 'never' }),
      await addFollower(double.id),
    ]
    await setContributionFollowing(as(await toViewer(author)), double.id, true)
    await addReaction(as(await toViewer(supporter)), { id: createId(), contributionId: double.id })
    await mergeContributions(as(admin), { contributionId: double.id, targetId: target.id, reason: 'The same bench.' })
    await tellMerges(runtime)
    await tellMerges(runtime)
    const listMails = (person: { id: string }) => as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, person.id)))
    const [mail, ...more] = await listMails(follower)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ kind: 'merge-followed', language: 'fr-CA', leaveUrl: expect.stringContaining('/fr-CA/') as string })
    expect(mail?.bodyText).toContain(`Nous vous écrirons quand l’équipe répondra au no ${target.number}.`)
    expect(mail?.bodyText).toContain('The same bench.')
    const kindsOf = async (person: { id: string }) => (await listMails(person)).map(({ kind }) => kind)
    expect([await kindsOf(silent), await kindsOf(supporter), await kindsOf(author)]).toEqual([
      [],
      ['merge-supported'],
      ['contribution-merged'],
    ])
  })

  test('is told of the answer to the one that it was merged into', async () => {
    const [double, target] = [await add(), await add()]
    const person = await addFollower(double.id)
    await mergeContributions(as(admin), { contributionId: double.id, targetId: target.id, reason: 'The same bench.' })
    await answer(target.id)
    await tellOfAnswers(runtime)
    expect(await mailsTo(person)).toHaveLength(1)
  })

  test('sees that they do, stops on the page, in their account, or by the link in the mail', async () => {
    const { id, number } = await add()
    const person = await addFollower(id)
    const viewer = await toViewer(person)
    const isFollowing = async (who: Ctx['viewer'] = viewer) =>
      (await getContribution(as(who), { project: activity.projectSlug, activity: activity.slug }, number, undefined)).contribution
        ?.following
    expect([await isFollowing(), await isFollowing(admin), await isFollowing(VISITOR)]).toEqual([true, false, false])
    expect((await readFollows(as(viewer)))?.contributions).toMatchObject([{ id, number, title: 'A bench' }])
    await answer(id)
    await tellOfAnswers(runtime)
    const [mail] = await mailsTo(person)
    const token = /unfollow\?token=([\w.-]+)/.exec(mail?.leaveUrl ?? '')?.[1] ?? ''
    expect(await loadLinkedMails(as(), token)).toEqual({ kind: 'contribution', project: 'A bench', going: true })
    await unsubscribeByLink(as(), token)
    expect(await loadLinkedMails(as(), token)).toMatchObject({ going: false })
    expect(await isFollowing()).toBe(false)
    await setContributionFollowing(as(viewer), id, true)
    await setContributionFollowing(as(viewer), id, true)
    await setContributionFollowing(as(viewer), id, false)
    expect(await isFollowing()).toBe(false)
  })

  test('has an account on this site', async () => {
    const { id } = await add()
    await expect(setContributionFollowing(as(), id, true)).rejects.toMatchObject({ code: 'unauthenticated' })
    const other = await addSite(runtime, { slug: 'elsewhere' })
    const { token } = await addPerson(runtime, other)
    const viewer = await loadViewer({ db: runtime.database.site(other.id), database: runtime.database }, token, new Date())
    await expect(setContributionFollowing(as(viewer), id, true)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('finds it in their own data, takes it along when accounts are merged, and leaves nothing when theirs is deleted', async () => {
    const { id } = await add()
    const [from, into] = [await addFollower(id), await addPerson(runtime, site)]
    expect((await readOwnData(as(await toViewer(from))))['contributionFollows']).toMatchObject([{ contributionId: id }])
    await mergePeople(as(admin), { from: from.id, into: into.id })
    const followers = () =>
      as().db.tx((tx) =>
        tx.select({ id: contributionFollows.userId }).from(contributionFollows).where(eq(contributionFollows.contributionId, id)),
      )
    expect(await followers()).toEqual([{ id: into.id }])
    await as(admin).db.tx((tx) => eraseAccount(as(admin), tx, site.id, into.id))
    expect(await followers()).toEqual([])
  })
})
