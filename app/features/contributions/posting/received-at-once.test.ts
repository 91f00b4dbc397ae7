import { setTimeout } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import {
  activities,
  contributionFollows,
  contributions,
  contributionVersions,
  officialResponses,
  reactions,
  replies,
} from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationReports } from '#app/server/db/schema/moderation.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { addActivity, addContribution, buildContributionInput } from '#tests/factories/contributions.ts'
import { addPerson, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addMember } from '#tests/support/people.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { setContributionFollowing } from '../following/follow-contribution.server.ts'
import { submitReport } from '../moderation/reports/submit-report.server.ts'
import { addToContribution, editContribution } from '../own/own-contributions.server.ts'
import { createOfficialResponse } from '../responding/official-responses.server.ts'
import { addReaction, removeOwnReaction } from '../responding/reactions.server.ts'
import { submitReply } from '../responding/replies.server.ts'
import { submitContribution } from './submit-contribution.server.ts'
import { sendTeamMessage } from './team-message.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let author: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  author = await addPerson(runtime, site)
  await addMember(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR, address: string | null = null): Ctx =>
  createCtx(runtime, site, { viewer, address, language: 'en' })
const inSite = <T>(work: (tx: Tx) => Promise<T>) => runtime.database.site(site.id).tx(work)
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = (activity: Activity) => ({ project: activity.projectSlug, activity: activity.slug })
const post = (viewer: SignedInViewer, activity: Activity, id = createId()) =>
  submitContribution(
    as(viewer),
    (tx) => requireActivityAt(as(viewer), tx, addressOf(activity)),
    buildContributionInput(runtime.now(), { id }),
  )
const reply = (viewer: SignedInViewer, contributionId: string, id = createId()) =>
  submitReply(as(viewer), { id, sendKey: 'only-the-sender', contributionId, body: 'I would sit there', shownName: '' })
const react = (viewer: SignedInViewer, contributionId: string, id = createId()) => addReaction(as(viewer), { id, contributionId })
const report = (viewer: SignedInViewer, contributionId: string, id = createId()) =>
  submitReport(as(viewer), { id, contributionId, replyId: null, rule: 'abuse', words: '' })
const addPublished = async (values: Partial<typeof contributions.$inferInsert> = {}) => {
  const activity = await addActivity(runtime, site, { moderation: 'after' })
  return { activity, contribution: await addContribution(runtime, site, { activityId: activity.id, number: 1, ...values }) }
}
const tooMany = expect.objectContaining({ code: 'too-many-requests' }) as Error

describe('what is sent twice at once counts once against the limit, and both get the same result', () => {
  /** One less than the limit, then one twice at once, then one too many. */
  async function expectCountedOnce(
    most: number,
    send: (number: number, id: string) => Promise<unknown>,
    before?: () => Promise<unknown>,
  ): Promise<unknown[]> {
    for (let number = 1; number < most; number++) await send(number, createId())
    const id = createId()
    const [, ...sent] = await Promise.all([before?.(), send(most, id), send(most, id), send(most, id)])
    await expect(send(most + 1, createId())).rejects.toEqual(tooMany)
    return sent
  }

  test('a contribution', async () => {
    const person = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site)
    const sent = (await expectCountedOnce(5, (_, id) => post(person, activity, id))) as Awaited<ReturnType<typeof post>>[]
    expect(new Set(sent.map(({ code, number }) => `${code} ${number}`)).size).toBe(1)
    expect(sent.filter(({ stored }) => stored)).toHaveLength(1)
  })

  test('a reply', async () => {
    const person = await addPerson(runtime, site)
    const { contribution } = await addPublished()
    const sent = (await expectCountedOnce(20, (_, id) => reply(person, contribution.id, id))) as Awaited<ReturnType<typeof reply>>[]
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(await inSite((tx) => tx.select().from(replies).where(eq(replies.contributionId, contribution.id)))).toHaveLength(20)
  })

  test('support', async () => {
    const person = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site)
    const all: { id: string }[] = []
    for (let number = 1; number <= 61; number++) all.push(await addContribution(runtime, site, { activityId: activity.id, number }))
    // While somebody else's is stored, the others wait for the same transaction.
    const before = () => react(author, all[0]!.id)
    const sent = (await expectCountedOnce(60, (number, id) => react(person, all[number - 1]!.id, id), before)) as Awaited<
      ReturnType<typeof react>
    >[]
    expect(new Set(sent.map(({ row }) => row.id)).size).toBe(1)
  })

  test('a report', async () => {
    const person = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site)
    const all: { id: string }[] = []
    for (let number = 1; number <= 11; number++) all.push(await addContribution(runtime, site, { activityId: activity.id, number }))
    const sent = (await expectCountedOnce(10, (number, id) => report(person, all[number - 1]!.id, id))) as Awaited<
      ReturnType<typeof report>
    >[]
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
  })

  test('a message to the team', async () => {
    const activity = await addActivity(runtime, site, { closesAt: new Date(NOON.getTime() - 60_000) })
    const ctx = as(VISITOR, '192.0.2.7')
    const find = (tx: Tx) => requireActivityAt(ctx, tx, addressOf(activity))
    const openedAt = NOON.getTime() - 10 * 60_000
    const hex = openedAt.toString(16).padStart(12, '0')
    await expectCountedOnce(20, (_, id) =>
      sendTeamMessage(ctx, find, { id: `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`, body: 'Benches', email: '' }),
    )
    expect(await inSite((tx) => tx.select().from(outboxMails).where(eq(outboxMails.kind, 'team-message')))).toHaveLength(20)
  })
})

/** Begins `act` while `change` is made and not yet committed. @returns what became of it */
async function actMeanwhile(change: (tx: Tx) => Promise<unknown>, act: () => Promise<unknown>): Promise<unknown> {
  let acting: Promise<unknown> = Promise.resolve()
  await inSite(async (tx) => {
    await change(tx)
    acting = act().catch((error: unknown) => error)
    await setTimeout(100)
  })
  return acting
}

describe('nothing is stored about a contribution that leaves the site at that moment', () => {
  const stateOf =
    (id: string, state: 'removed' | 'withdrawn' | 'merged', mergedInto: string | null = null) =>
    (tx: Tx) =>
      tx.update(contributions).set({ state, mergedInto }).where(eq(contributions.id, id))
  const states = [
    ['removed', 'vanished'],
    ['withdrawn', 'vanished'],
    ['merged', 'merged'],
  ] as const

  test.each(states)('%s: replies and support', async (state, code) => {
    const { activity, contribution } = await addPublished()
    const target = await addContribution(runtime, site, { activityId: activity.id, number: 2 })
    const leave = stateOf(contribution.id, state, state === 'merged' ? target.id : null)
    const person = await addPerson(runtime, site)
    const refused = await actMeanwhile(leave, () =>
      Promise.all([reply, react].map((act) => act(person, contribution.id).catch((error: unknown) => error))),
    )
    expect(refused).toEqual([expect.objectContaining({ code }), expect.objectContaining({ code })])
    for (const table of [replies, reactions])
      expect(await inSite((tx) => tx.select().from(table).where(eq(table.contributionId, contribution.id)))).toEqual([])
  })

  test.each(states.slice(0, 2))('%s: reports, follows and the team’s answers', async (state) => {
    const { activity, contribution } = await addPublished()
    const { id } = contribution
    const person = await addPerson(runtime, site)
    const answered = activity.statuses.find(({ needsText }) => needsText)!
    const refused = await actMeanwhile(stateOf(id, state), () =>
      Promise.all(
        [
          () => report(person, id),
          () => setContributionFollowing(as(person), id, true),
          () =>
            createOfficialResponse(as(admin), {
              contribution: id,
              status: answered.id,
              textTranslations: { en: 'We will build them' },
              waiveTranslations: true,
            }),
        ].map((act) => act().catch((error: unknown) => error)),
      ),
    )
    expect(refused).toEqual(['vanished', 'vanished', 'conflict'].map((code) => expect.objectContaining({ code })))
    for (const table of [moderationReports, contributionFollows, officialResponses])
      expect(await inSite((tx) => tx.select().from(table).where(eq(table.contributionId, id)))).toEqual([])
  })

  test.each(states.slice(0, 2))('%s: edits and additions of its author', async (state) => {
    const { activity, contribution } = await addPublished({ authorId: author.id, submittedAt: NOON })
    const { id } = contribution
    const edit = () =>
      editContribution(
        as(author),
        addressOf(activity),
        { number: 1 },
        { title: 'Other benches', body: 'Of oak', categories: [], fields: {} },
      )
    expect(await actMeanwhile(stateOf(id, state), edit)).toMatchObject({ code: 'editing-over' })
    const versions = await inSite((tx) => tx.select().from(contributionVersions).where(eq(contributionVersions.contributionId, id)))
    expect(versions.map(({ title }) => title)).toEqual(['Idea 1'])
    const late = await addPublished({ authorId: author.id })
    const add = () => addToContribution(as(author), addressOf(late.activity), { number: 1 }, { id: createId(), body: 'And a table' })
    expect(await actMeanwhile(stateOf(late.contribution.id, state), add)).toMatchObject({ code: 'conflict' })
    expect(await inSite((tx) => tx.select().from(replies).where(eq(replies.contributionId, late.contribution.id)))).toEqual([])
  })
})

describe('nothing is stored of what closes at that moment', () => {
  const close = (id: string) => (tx: Tx) => tx.update(activities).set({ status: 'archived' }).where(eq(activities.id, id))

  test('a contribution to an activity', async () => {
    const activity = await addActivity(runtime, site)
    const refused = await actMeanwhile(close(activity.id), () => post(author, activity))
    expect(refused).toMatchObject({ code: 'activity-closed' })
    expect(await inSite((tx) => tx.select().from(contributions).where(eq(contributions.activityId, activity.id)))).toEqual([])
  })

  test('support that is taken back', async () => {
    const { activity, contribution } = await addPublished()
    const person = await addPerson(runtime, site)
    await react(person, contribution.id)
    const hold = async (tx: Tx) => {
      await tx.select().from(contributions).where(eq(contributions.id, contribution.id)).for('update')
      await close(activity.id)(tx)
    }
    const refused = await actMeanwhile(hold, () => removeOwnReaction(as(person), { contributionId: contribution.id }))
    expect(refused).toMatchObject({ code: 'activity-closed' })
    expect(await inSite((tx) => tx.select().from(reactions).where(eq(reactions.contributionId, contribution.id)))).toHaveLength(1)
  })

  test.each(['anyone', 'signed_in'] as const)('an answer to a survey for %s', async (access) => {
    const survey = await addSurvey(runtime, site, { access })
    const person = await addPerson(runtime, site)
    const ctx = as(access === 'anyone' ? VISITOR : person)
    const answer = () =>
      submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), {
        id: createId(),
        sendKey: 'k'.repeat(22),
        answers: { name: 'Fern Street' },
      })
    const archive = (status: 'archived' | 'published') => (tx: Tx) => tx.update(surveys).set({ status }).where(eq(surveys.id, survey.id))
    expect(await actMeanwhile(archive('archived'), answer)).toMatchObject({ code: 'survey-closed' })
    expect(await inSite((tx) => tx.select().from(responses).where(eq(responses.surveyId, survey.id)))).toEqual([])
    // Who was refused may still answer once.
    await inSite(archive('published'))
    expect((await answer()).stored).toBe(true)
  })
})
