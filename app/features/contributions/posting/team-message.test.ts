import { eq, inArray } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addMember } from '#tests/support/people.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { requireContributionAt } from '../record/loading.server.ts'
import { sendReplyMessage, sendTeamMessage } from './team-message.server.ts'

const CLOSES = new Date('2026-03-02T12:00:00Z')
const minutesAfter = (minutes: number) => new Date(CLOSES.getTime() + minutes * 60_000)
/** An id as a form that was opened then has it. */
const createIdAt = (at: Date) => {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${createId().slice(13)}`
}

let runtime: TestRuntime
let site: Site
let admin: { id: string }
let other: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addMember(runtime, site, { role: 'site_admin' })
  other = await addPerson(runtime, site)
})
beforeEach(() => runtime.setNow(minutesAfter(5)))

const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, language: 'en' })
type Activity = Awaited<ReturnType<typeof addActivity>>
const addClosed = (values: Parameters<typeof addActivity>[2] = {}) => addActivity(runtime, site, { closesAt: CLOSES, ...values })
const send = (activity: Activity, more: { id?: string; body?: string; email?: string } = {}, viewer?: SignedInViewer) =>
  sendTeamMessage(as(viewer), (tx) => requireActivityAt(as(viewer), tx, { project: activity.projectSlug, activity: activity.slug }), {
    id: createIdAt(minutesAfter(-20)),
    body: 'Benches\n\nThey outlast us all.',
    email: '',
    ...more,
  })
const loadMails = async () =>
  as().db.tx((tx) =>
    tx
      .select()
      .from(outboxMails)
      .where(inArray(outboxMails.userId, [admin.id, other.id])),
  )
const clearMails = () => as().db.tx((tx) => tx.delete(outboxMails).where(eq(outboxMails.siteId, site.id)))
const codeOf = (code: string) => expect.objectContaining({ code }) as Error

describe('what was being written when an activity closed', () => {
  beforeEach(clearMails)

  test('goes to everybody who may answer, with an address to answer to, and leads to the form where the team can enter it', async () => {
    const activity = await addClosed()
    await send(activity, { email: 'Ana@Example.com' })
    const mails = await loadMails()
    expect(mails).toMatchObject([
      { userId: admin.id, kind: 'team-message', subject: 'A message about Ideas for the park, which has closed' },
    ])
    expect(mails[0]?.bodyText).toMatch(/Benches\s+They outlast us all\./)
    expect(mails[0]?.bodyText).toContain('ana@example.com')
    expect(mails[0]?.bodyText).toContain(`/projects/${activity.projectSlug}/${activity.slug}/new`)
  })

  test('goes once for each form, however often the button is pressed', async () => {
    const activity = await addClosed()
    const id = createIdAt(minutesAfter(-1))
    await Promise.all([send(activity, { id }), send(activity, { id }), send(activity, { id })])
    await send(activity, { id })
    expect(await loadMails()).toHaveLength(1)
  })

  test('is refused for a form that was opened afterwards, and while the activity takes contributions', async () => {
    const activity = await addClosed()
    await expect(send(activity, { id: createIdAt(minutesAfter(1)) })).rejects.toEqual(codeOf('activity-closed'))
    const open = await addClosed({ closesAt: minutesAfter(60) })
    await expect(send(open)).rejects.toEqual(codeOf('conflict'))
    expect(await loadMails()).toEqual([])
  })

  test('is taken after an activity was archived, whenever it would have closed', async () => {
    const activity = await addClosed({ closesAt: minutesAfter(600) })
    await as().db.tx((tx) => tx.update(activities).set({ status: 'archived' }).where(eq(activities.id, activity.id)))
    await send(activity)
    expect(await loadMails()).toHaveLength(1)
  })

  test('follows the rule of who may post', async () => {
    const activity = await addClosed({ postAccess: 'signed_in' })
    await expect(send(activity)).rejects.toEqual(codeOf('unauthenticated'))
    await send(activity, {}, other)
    expect(await loadMails()).toHaveLength(1)
  })

  test('needs a text, not too long, and an email address that is one', async () => {
    const activity = await addClosed()
    const faultsOf = (...faults: { code: string; pointer: string }[]) => ({
      code: 'invalid',
      faults: faults.map((fault) => expect.objectContaining(fault)),
    })
    await expect(send(activity, { body: ' \n ', email: 'ana at example' })).rejects.toMatchObject(
      faultsOf({ code: 'required', pointer: '/body' }, { code: 'not-an-email', pointer: '/email' }),
    )
    await expect(send(activity, { body: 'x'.repeat(25_001) })).rejects.toMatchObject(faultsOf({ code: 'too-long', pointer: '/body' }))
    expect(await loadMails()).toEqual([])
  })
})

describe('a reply that was being written when it could no longer be sent', () => {
  beforeEach(clearMails)

  const sendReply = (activity: Activity, number: number, more: { id?: string } = {}, viewer?: SignedInViewer) =>
    sendReplyMessage(
      as(viewer),
      (tx) => requireContributionAt(as(viewer), tx, { project: activity.projectSlug, activity: activity.slug }, number),
      { id: createIdAt(minutesAfter(-20)), body: 'I would use it every day.', email: '', ...more },
    )

  test('goes to everybody who may answer, once, and leads to what it replied to', async () => {
    const activity = await addClosed()
    await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const id = createIdAt(minutesAfter(-1))
    await sendReply(activity, 1, { id })
    await sendReply(activity, 1, { id })
    const mails = await loadMails()
    expect(mails).toMatchObject([{ userId: admin.id, subject: 'A message about No. 1 in Ideas for the park' }])
    expect(mails[0]?.bodyText).toContain('I would use it every day.')
    expect(mails[0]?.bodyText).toMatch(new RegExp(`/projects/${activity.projectSlug}/${activity.slug}/1\\s`))
  })

  test.each(['removed', 'withdrawn', 'held'] as const)(
    'is taken if what it replied to is %s now, although the activity is open',
    async (state) => {
      const activity = await addClosed({ closesAt: minutesAfter(60) })
      await addContribution(runtime, site, { activityId: activity.id, number: 1, state })
      await sendReply(activity, 1)
      expect(await loadMails()).toHaveLength(1)
    },
  )

  test('is refused while it could be sent, if its form was opened afterwards, without replies, and for those who may not post', async () => {
    const open = await addClosed({ closesAt: minutesAfter(60) })
    await addContribution(runtime, site, { activityId: open.id, number: 1 })
    await expect(sendReply(open, 1)).rejects.toEqual(codeOf('conflict'))
    const closed = await addClosed({ postAccess: 'signed_in' })
    await addContribution(runtime, site, { activityId: closed.id, number: 1 })
    await expect(sendReply(closed, 1, { id: createIdAt(minutesAfter(1)) })).rejects.toEqual(codeOf('activity-closed'))
    await expect(sendReply(closed, 1)).rejects.toEqual(codeOf('unauthenticated'))
    await expect(sendReply(closed, 2, {}, other)).rejects.toEqual(codeOf('not-found'))
    const withoutReplies = await addClosed({ kind: 'questions' })
    await addContribution(runtime, site, { activityId: withoutReplies.id, number: 1 })
    await expect(sendReply(withoutReplies, 1)).rejects.toEqual(codeOf('forbidden'))
    expect(await loadMails()).toEqual([])
  })
})
