import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { memberships } from '#app/server/db/schema/accounts.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addStage, buildContributionInput } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { decideOnContribution } from '../moderation/decide.server.ts'
import { submitContribution } from '../posting/submit-contribution.server.ts'
import { assignQuestion } from '../questions/assign-question.server.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { createOfficialResponse } from '../responding/official-responses.server.ts'
import { getOwnContribution, withdrawOwnContribution } from './own-contributions.server.ts'
import { mailContributionReceipt } from './receipt-mail.server.ts'

/** A Monday. */
const NOON = new Date('2026-03-02T12:00:00Z')
const daysLater = (days: number) => new Date(NOON.getTime() + days * 86_400_000)

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  const membership = { siteId: site.id, id: createId(), userId: admin.id, role: 'site_admin' as const, projectId: null }
  await as().db.tx((tx) => tx.insert(memberships).values(membership))
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR, language: Ctx['language'] = 'en'): Ctx =>
  createCtx(runtime, site, { viewer, language, address: '203.0.113.9' })
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = (activity: Activity) => ({ project: activity.projectSlug, activity: activity.slug })

async function send(activity: Activity, viewer: Ctx['viewer'] = VISITOR) {
  const ctx = as(viewer)
  const input = buildContributionInput(runtime.now(), { browserToken: issueToken(runtime, site) })
  const { id, code } = await submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, addressOf(activity)), input)
  return { id, code, read: (reader: Ctx['viewer'] = VISITOR) => getOwnContribution(as(reader), addressOf(activity), { code }) }
}
const answerIn = (activity: Activity, contribution: string) =>
  createOfficialResponse(as(admin), {
    contribution,
    status: activity.statuses.find(({ code }) => code === 'answered')?.id ?? activity.statuses[1]?.id ?? '',
    textTranslations: { en: 'At eleven.' },
    waiveTranslations: true,
  })
const refused = (code: string) => expect.objectContaining({ code }) as Error

describe('what a receipt says happens next', () => {
  test('while a moderator has to decide: by when, who is reminded, and that it is late', async () => {
    const held = await send(await addActivity(runtime, site, { moderation: 'before' }))
    expect(await held.read()).toMatchObject({
      next: {
        decision: { by: daysLater(3).toISOString(), isLate: false },
        answer: { by: null, state: 'waiting', isAssigned: null },
        stage: null,
        outcome: { text: '' },
      },
      told: { author: 'nobody', moderators: true, answer: null, project: false },
    })
    runtime.setNow(daysLater(4))
    expect(await held.read()).toMatchObject({ next: { decision: { isLate: true } }, told: { moderators: false } })
    await decideOnContribution(as(admin), held.id, 'publish')
    expect(await held.read()).toMatchObject({ next: { decision: null }, told: { moderators: false, answer: 'followers', project: true } })
  })

  test('once it is public: the next stage, what was decided, and that the team has answered', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    await addStage(runtime, site, { projectId: activity.projectId, startsAt: daysLater(-9), title: { en: 'Listening' } })
    await addStage(runtime, site, { projectId: activity.projectId, startsAt: daysLater(60), title: { en: 'Building' } })
    await addStage(runtime, site, { projectId: activity.projectId, startsAt: daysLater(30), title: { en: 'Deciding' } })
    const sent = await send(activity)
    expect((await sent.read()).next).toMatchObject({
      decision: null,
      answer: { state: 'waiting' },
      stage: { title: { text: 'Deciding' }, startsAt: daysLater(30).toISOString() },
    })
    await as().db.tx((tx) =>
      tx
        .update(projects)
        .set({ outcome: { en: 'Ten benches.' } })
        .where(eq(projects.id, activity.projectId)),
    )
    await answerIn(activity, sent.id)
    expect(await sent.read()).toMatchObject({
      next: { answer: { by: null, state: 'answered' }, outcome: { text: 'Ten benches.' } },
      told: { answer: null },
    })
  })

  test('of a question: by when it is answered, whether somebody was asked to, and that it is late', async () => {
    const activity = await addActivity(runtime, site, { kind: 'questions', moderation: 'after' })
    const asked = await send(activity)
    const first = await asked.read()
    expect(first).toMatchObject({ next: { answer: { state: 'waiting', isAssigned: false } }, told: { answer: 'asking' } })
    const by = first.next?.answer?.by ?? ''
    expect(new Date(by).getTime()).toBeGreaterThan(NOON.getTime())
    await assignQuestion(as(admin), asked.id, admin.id)
    runtime.setNow(new Date(new Date(by).getTime() + 1000))
    expect((await asked.read()).next?.answer).toEqual({ by, state: 'late', isAssigned: true })
    await answerIn(activity, asked.id)
    expect((await asked.read()).next?.answer).toEqual({ by: null, state: 'answered', isAssigned: null })
  })

  test('of a story, which the team does not answer, nothing about an answer; in a closed activity, that it is closed', async () => {
    const activity = await addActivity(runtime, site, { kind: 'stories', moderation: 'after' })
    const told = await send(activity)
    expect(await told.read()).toMatchObject({ next: { answer: null }, told: { answer: null }, activity: { state: 'open', closesAt: null } })
    await as().db.tx((tx) =>
      tx
        .update(activities)
        .set({ closesAt: daysLater(1) })
        .where(eq(activities.id, activity.id)),
    )
    expect((await told.read()).activity).toMatchObject({ state: 'open', closesAt: daysLater(1).toISOString() })
    runtime.setNow(daysLater(2))
    expect((await told.read()).activity.state).toBe('closed')
  })

  test('nothing once it is gone', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const { code, read } = await send(activity)
    await withdrawOwnContribution(as(), addressOf(activity), { code })
    expect(await read()).toMatchObject({ next: null, told: { author: 'nobody', moderators: false, answer: null, project: false } })
  })

  test('the author is written to if an account sent it: to the reader’s address only if it is theirs', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const author = await addPerson(runtime, site)
    const { read } = await send(activity, author)
    expect((await read(author)).told.author).toBe('viewer')
    expect((await read()).told.author).toBe('account')
    expect((await read(admin)).told.author).toBe('account')
  })
})

describe('a receipt by email', () => {
  const mailsTo = (recipient: string) => as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.recipient, recipient)))

  test('has the code and not the text, in the reader’s language, and the address stays out of the contribution', async () => {
    const activity = await addActivity(runtime, site)
    const { id, code } = await send(activity)
    await mailContributionReceipt(as(VISITOR, 'fr-CA'), addressOf(activity), code, ' Ana@Example.org ')
    const mails = await mailsTo('ana@example.org')
    expect(mails).toMatchObject([{ kind: 'contribution-receipt', language: 'fr-CA', userId: null }])
    expect(mails[0]?.secretBodies?.text).toContain(code)
    expect(mails[0]?.bodyText).not.toContain(code)
    expect(mails[0]?.bodyText).not.toContain('Benches')
    const [row] = await as().db.tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
    expect(JSON.stringify(row)).not.toContain('example.org')
  })

  test('needs a valid address and a code of this activity, and is not sent once the text is gone', async () => {
    const activity = await addActivity(runtime, site)
    const another = await addActivity(runtime, site)
    const { code } = await send(activity)
    const mail = (typed: string, from = activity, given: string | undefined = code) =>
      mailContributionReceipt(as(), addressOf(from), given, typed)
    await expect(mail(' ')).rejects.toMatchObject({ faults: [{ code: 'required', pointer: '/email' }] })
    await expect(mail('nobody')).rejects.toMatchObject({ faults: [{ code: 'not-an-email', pointer: '/email' }] })
    await expect(mail('bea@example.org', another)).rejects.toEqual(refused('not-found'))
    await expect(mail('bea@example.org', activity, '0000-0000-0000-0000')).rejects.toEqual(refused('not-found'))
    await withdrawOwnContribution(as(), addressOf(activity), { code })
    await expect(mail('bea@example.org')).rejects.toEqual(refused('forbidden'))
    expect(await mailsTo('bea@example.org')).toEqual([])
  })

  test('counts together with receipts of surveys: five an hour to one mailbox', async () => {
    const activity = await addActivity(runtime, site)
    const { code } = await send(activity)
    const mail = () => mailContributionReceipt(as(), addressOf(activity), code, 'cai@example.org')
    for (let times = 0; times < 5; times++) await mail()
    await expect(mail()).rejects.toEqual(refused('too-many-requests'))
    expect(await mailsTo('cai@example.org')).toHaveLength(5)
  })
})
