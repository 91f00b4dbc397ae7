import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ReactionValue } from '#app/lib/vocabulary/contributions.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributionLinks, contributions, reactions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addSignedIn } from '#tests/support/people.ts'
import { mergeContributions, undoMerge } from '../merging/merge-contributions.server.ts'
import { tellMerges } from '../merging/merge-mails.server.ts'
import { editOwnContribution } from '../own/own-contributions.server.ts'
import { getContribution } from '../reading/views.server.ts'
import { exportActivity } from '../results/activity-export.server.ts'
import { getActivityResults } from '../results/activity-results.server.ts'
import { addReaction, removeOwnReaction } from './reactions.server.ts'

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'dyffryn' })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, language: 'en' })
const say = ({ id }: { id: string }, value: ReactionValue, browserToken: string, viewer?: SignedInViewer) =>
  addReaction(as(viewer), { id: createId(), contributionId: id, value, browserToken: issueToken(runtime, site, browserToken) })
const takeBack = ({ id }: { id: string }, browserToken: string) =>
  removeOwnReaction(as(), { contributionId: id, browserToken: issueToken(runtime, site, browserToken) })
const loadCounts = async ({ id }: { id: string }) => {
  const [row] = await as().db.tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
  return [row?.supports, row?.disagrees]
}
const loadRows = ({ id }: { id: string }) => as().db.tx((tx) => tx.select().from(reactions).where(eq(reactions.contributionId, id)))
const addAsked = async () => {
  const activity = await addActivity(runtime, site, { settings: { reactions: 'agree_disagree' } })
  const [double, target] = [
    await addContribution(runtime, site, { activityId: activity.id, number: 1, title: 'Close the weir to canoes' }),
    await addContribution(runtime, site, { activityId: activity.id, number: 2, title: 'No boats by the weir' }),
  ]
  return { activity, double, target, address: { project: activity.projectSlug, activity: activity.slug } }
}

describe('where an activity asks whether people agree', () => {
  test('a person counts once: saying the same again changes nothing, and changing their mind moves them', async () => {
    const { target, address } = await addAsked()
    const [one, other] = [createId(), createId()]
    expect((await say(target, 'agree', one)).created).toBe(true)
    expect((await say(target, 'agree', one)).created).toBe(false)
    await say(target, 'agree', other)
    expect(await loadCounts(target)).toEqual([2, 0])
    const changed = await say(target, 'disagree', one)
    expect([changed.created, changed.row.value]).toEqual([false, 'disagree'])
    expect(await loadCounts(target)).toEqual([1, 1])
    expect(await loadRows(target)).toHaveLength(2)
    const { contribution } = await getContribution(as(), address, 2, issueToken(runtime, site, one))
    expect(contribution).toMatchObject({ supports: 1, disagrees: 1, reaction: 'disagree' })
    await takeBack(target, one)
    expect(await loadCounts(target)).toEqual([1, 0])
    expect((await getContribution(as(), address, 2, issueToken(runtime, site, one))).contribution?.reaction).toBeNull()
  })

  test('who reacted before signing in changes the same reaction afterwards', async () => {
    const { target } = await addAsked()
    const browser = createId()
    await say(target, 'agree', browser)
    await say(target, 'disagree', browser, await addPerson(runtime, site))
    expect(await loadCounts(target)).toEqual([0, 1])
  })

  test('only what it asks is taken, each kind of reaction where it belongs', async () => {
    const { target } = await addAsked()
    const refused = { code: 'invalid', faults: [{ code: 'not-a-choice', pointer: '/value' }] }
    await expect(say(target, 'support', createId())).rejects.toMatchObject(refused)
    const supported = await addActivity(runtime, site)
    const idea = await addContribution(runtime, site, { activityId: supported.id, number: 1 })
    await expect(say(idea, 'disagree', createId())).rejects.toMatchObject(refused)
  })

  test('whatever people press at once, counts equal the last of each person', async () => {
    const people = Array.from({ length: 4 }, () => createId())
    const press = fc.record({ who: fc.integer({ min: 0, max: 3 }), value: fc.constantFrom('agree' as const, 'disagree' as const) })
    await fc.assert(
      fc.asyncProperty(fc.array(press, { maxLength: 12 }), async (presses) => {
        const { target } = await addAsked()
        const last = new Map<number, ReactionValue>()
        await Promise.all(
          presses.map(({ who, value }) => {
            last.set(who, value)
            return say(target, value, people[who] ?? '')
          }),
        )
        const expected = [...last.values()]
        expect(await loadCounts(target)).toEqual([
          expected.filter((value) => value === 'agree').length,
          expected.filter((value) => value === 'disagree').length,
        ])
        expect((await loadRows(target)).map(({ value }) => value).toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: 12 },
    )
  })

  test('an author can no longer change what somebody disagreed with', async () => {
    const author = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site, { settings: { reactions: 'agree_disagree' } })
    const idea = await addContribution(runtime, site, {
      activityId: activity.id,
      number: 1,
      authorId: author.id,
      submittedAt: new Date(),
    })
    await say(idea, 'disagree', createId())
    await expect(editOwnContribution(as(author), idea.id, { body: 'Something else altogether.' })).rejects.toMatchObject({
      code: 'editing-over',
    })
  })

  test('a merge counts each person once, by what they said last, and undoing it restores both exactly', async () => {
    const { double, target } = await addAsked()
    const [changed, steady, elsewhere] = [createId(), createId(), createId()]
    await say(double, 'agree', changed)
    await say(double, 'disagree', elsewhere)
    await say(target, 'disagree', changed)
    for (const one of [double, target]) await say(one, 'agree', steady)
    const link = { contributionId: double.id, targetId: target.id, reason: 'The same weir' }
    const linkId = await mergeContributions(as(admin), link)
    expect(await loadCounts(target)).toEqual([1, 2])
    // One who reacted to the double changes their mind where it went.
    await say(target, 'agree', elsewhere)
    expect(await loadCounts(target)).toEqual([2, 1])
    await undoMerge(as(admin), linkId, 'Two weirs')
    expect(await loadCounts(double)).toEqual([2, 1])
    expect(await loadCounts(target)).toEqual([2, 1])
    expect((await loadRows(double)).find(({ value }) => value === 'disagree')?.changedAt).toBeNull()
  })

  test('the trail of a merge has both counts, and who reacted is told in its own words', async () => {
    const { double, target } = await addAsked()
    const person = await addPerson(runtime, site)
    await say(double, 'disagree', createId(), person)
    await say(target, 'agree', createId())
    await mergeContributions(as(admin), { contributionId: double.id, targetId: target.id, reason: 'The same weir' })
    const [event] = await as().db.tx((tx) =>
      tx.select({ detail: auditEvents.detail }).from(auditEvents).where(eq(auditEvents.subjectId, double.id)),
    )
    expect(event?.detail).toMatchObject({
      before: { supports: 0, disagrees: 1, supportsOfTarget: 1 },
      after: { supportsOfTarget: 1, disagreesOfTarget: 1 },
    })
    const links = await as().db.tx((tx) => tx.select().from(contributionLinks).where(eq(contributionLinks.contributionId, double.id)))
    expect(links).toHaveLength(1)
    await tellMerges(runtime)
    const mails = await as().db.tx((tx) => tx.select({ kind: outboxMails.kind }).from(outboxMails).where(eq(outboxMails.userId, person.id)))
    expect(mails).toEqual([{ kind: 'merge-reacted' }])
  })

  test('results and files say how many agree and how many do not; where people are asked for support, files say nothing of it', async () => {
    const { activity, target } = await addAsked()
    await say(target, 'agree', createId())
    for (let count = 0; count < 2; count++) await say(target, 'disagree', createId())
    const results = await getActivityResults(as(admin), activity.id)
    expect(results).toMatchObject({ supports: 1, disagrees: 2, supported: [{ number: 2, supports: 1, disagrees: 2 }] })
    const read = async (id: string) => {
      const { pieces } = await exportActivity(as(admin), id, { format: 'csv', personal: false })
      const read: Uint8Array[] = []
      for await (const piece of pieces) read.push(piece)
      const [head = '', ...lines] = Buffer.concat(read).toString('utf8').split(/\r?\n/)
      const at = head.split(',').indexOf('disagrees')
      return at < 0 ? null : lines.filter(Boolean).map((line) => line.split(',')[at])
    }
    expect(await read(activity.id)).toEqual(['0', '2'])
    const supported = await addActivity(runtime, site)
    expect(await read(supported.id)).toBeNull()
    expect((await getActivityResults(as(admin), supported.id)).disagrees).toBeNull()
  })
})

describe('through the API', () => {
  const put = (contribution: { id: string }, value: string, { id = createId(), browserToken = '' } = {}) =>
    createApiClient(runtime, site).put(
      `/reactions/${id}`,
      buildResourceDocument(
        'reactions',
        { value, browserToken },
        { id, to: { contribution: { type: 'contributions', id: contribution.id } } },
      ),
    )

  test('putting the same id with another value changes it, and deleting it takes it back', async () => {
    const { target } = await addAsked()
    const sent = { id: createId(), browserToken: issueToken(runtime, site) }
    expect((await put(target, 'disagree', sent)).status).toBe(201)
    const changed = await put(target, 'agree', sent)
    expect([changed.status, changed.body?.data]).toMatchObject([200, { id: sent.id, attributes: { value: 'agree' } }])
    const shown = await createApiClient(runtime, site).get(`/contributions/${target.id}`)
    expect(shown.body?.data).toMatchObject({ attributes: { supports: 1, disagrees: 0 } })
    expect((await createApiClient(runtime, site).delete(`/reactions/${sent.id}`)).status).toBe(204)
    expect(await loadCounts(target)).toEqual([0, 0])
    const refused = await put(target, 'support', { browserToken: issueToken(runtime, site) })
    expect([refused.status, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/value'])
  })

  test('what an activity asks is fixed once it has opened', async () => {
    const person = await addSignedIn(runtime, site, { role: 'site_admin' })
    const activity = await addActivity(runtime, site, { hasOpened: true })
    const change = (id: string, reactions: string) =>
      createApiClient(runtime, site, person.token).patch(
        `/activities/${id}`,
        buildResourceDocument('activities', { settings: { reactions } }, { id, lockVersion: 1 }),
      )
    const refused = await change(activity.id, 'agree_disagree')
    expect([refused.status, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/settings/reactions'])
    expect((await change(activity.id, 'support')).status).toBe(200)
    const draft = await addActivity(runtime, site, { status: 'draft' })
    expect((await change(draft.id, 'agree_disagree')).status).toBe(200)
  })

  test("a person's own data names what they said", async () => {
    const { target } = await addAsked()
    const person = await addPerson(runtime, site)
    await say(target, 'disagree', createId(), person)
    expect(await readOwnData(as(person))).toMatchObject({ reactions: [{ contributionId: target.id, value: 'disagree' }] })
  })
})
