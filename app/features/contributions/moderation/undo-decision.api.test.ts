import { and, asc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contributions, contributionVersions, replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationAppeals, moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { createId } from '#app/lib/uuid.ts'
import { JOBS } from '#app/root/jobs.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
let runtime: TestRuntime
let site: Site
let moderator: Person
let colleague: Person
let author: Person
let activityId: string
let numbered = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  moderator = await addPerson(runtime, site, { role: 'site_admin' })
  colleague = await addPerson(runtime, site, { role: 'site_admin' })
  author = await addPerson(runtime, site)
  ;({ id: activityId } = await addActivity(runtime, site, {}))
})
beforeEach(() => runtime.setNow(NOON))
const after = (seconds: number) => runtime.setNow(new Date(NOON.getTime() + seconds * 1000))

const inSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<T>
const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const add = (state: 'held' | 'published') =>
  addContribution(runtime, site, { activityId, number: ++numbered, state, title: 'A bench by the pond', authorId: author.id })
const caseOf = (id: string) =>
  inSite<(typeof moderationCases.$inferSelect)[]>((tx) => tx.select().from(moderationCases).where(eq(moderationCases.contributionId, id)))
const readAll = async (id: string) => ({
  text: await inSite((tx) => tx.select().from(contributions).where(eq(contributions.id, id))),
  versions: await inSite((tx) => tx.select().from(contributionVersions).where(eq(contributionVersions.contributionId, id))),
  replies: await inSite((tx) => tx.select().from(replies).where(eq(replies.contributionId, id))),
  cases: await caseOf(id),
  found: (await api().get(`/contributions?filter[q]=pond&filter[activity]=${activityId}`)).body?.meta,
})
const mailsTo = async ({ id }: Person) =>
  (
    await inSite<{ kind: string }[]>((tx) =>
      tx.select({ kind: outboxMails.kind }).from(outboxMails).where(eq(outboxMails.userId, id)).orderBy(asc(outboxMails.createdAt)),
    )
  ).map(({ kind }) => kind)
const tellReporters = () => JOBS.find(({ name }) => name === 'tell-reporters')?.run(runtime, AbortSignal.timeout(60_000))
const countMails = async () =>
  (
    await inSite<unknown[]>((tx) =>
      tx
        .select({ id: outboxMails.id })
        .from(outboxMails)
        .where(and(eq(outboxMails.userId, author.id))),
    )
  ).length

const readId = ({ body }: { body: { data?: unknown } | null | undefined }): string => (body?.data as { id: string } | undefined)?.id ?? ''
const REASON = { rule: 'off-topic', reason: 'Not about the park.' }
type Subject = { type: 'contributions' | 'replies'; id: string }
const toContribution = (id: string): Subject => ({ type: 'contributions', id })

/** @returns the decision's id */
async function decide({ type, id }: Subject, decision: string, person = moderator): Promise<string> {
  const made = await api(person).post(
    '/moderation-decisions',
    buildResourceDocument(
      'moderation-decisions',
      { decision, ...(decision !== 'publish' && decision !== 'keep' && REASON) },
      { to: { [type === 'replies' ? 'reply' : 'contribution']: { type, id } } },
    ),
  )
  expect(made.status).toBe(201)
  return readId(made)
}
const undo = async (decision: string, person: Person | undefined = moderator) =>
  (await api(person).delete(`/moderation-decisions/${decision}`)).status

async function report(id: string, reporter: Person): Promise<void> {
  const sent = await api(reporter).post(
    '/moderation-reports',
    buildResourceDocument(
      'moderation-reports',
      { rule: 'abuse' },
      { id: v7({ msecs: runtime.now().getTime() }), to: { contribution: { type: 'contributions', id } } },
    ),
  )
  expect(sent.status).toBe(201)
}
async function appeal(decision: string, person: Person): Promise<string> {
  const sent = await api(person).post(
    '/moderation-appeals',
    buildResourceDocument(
      'moderation-appeals',
      { words: 'It is about the park.' },
      { id: createId(), to: { decision: { type: 'moderation-decisions', id: decision } } },
    ),
  )
  expect(sent.status).toBe(201)
  return readId(sent)
}
const readAppeals = (decision: string) =>
  inSite((tx) =>
    tx
      .select({ state: moderationAppeals.state, words: moderationAppeals.words, decidedAt: moderationAppeals.decidedAt })
      .from(moderationAppeals)
      .where(eq(moderationAppeals.decisionId, decision)),
  )

describe('a decision that is taken back', () => {
  test.each([
    ['held', 'publish'],
    ['held', 'decline'],
    ['published', 'hold'],
    ['published', 'remove'],
    ['published', 'keep'],
  ] as const)('leaves everything as it was before: %s, %s', async (state, decision) => {
    const { id } = await add(state)
    const before = await readAll(id)
    const mails = await countMails()
    const made = await decide(toContribution(id), decision)
    expect(await readAll(id)).not.toEqual(before)
    // To keep something is nothing to tell its author.
    expect(await countMails()).toBe(mails + (decision === 'keep' ? 0 : 1))
    after(10)
    expect(await undo(made)).toBe(204)
    expect(await readAll(id)).toEqual(before)
    expect(await countMails()).toBe(mails)
    expect(await inSite((tx) => tx.select().from(moderationDecisions).where(eq(moderationDecisions.id, made)))).toEqual([])
    expect(await undo(made)).toBe(404)
  })

  test.each(['hold', 'remove'])('of a reply: %s; the number of replies follows', async (decision) => {
    const { id } = await add('published')
    const sent = await api(author).post(
      '/replies',
      buildResourceDocument(
        'replies',
        { body: 'I agree.', sendKey: 'only-the-sender-knows' },
        { id: createId(), to: { contribution: { type: 'contributions', id } } },
      ),
    )
    expect(sent.status).toBe(201)
    const reply: Subject = { type: 'replies', id: readId(sent) }
    await decide(reply, 'publish')
    const before = await readAll(id)
    expect(before.replies).toEqual([expect.objectContaining({ state: 'published' })])
    const made = await decide(reply, decision)
    expect((await readAll(id)).replies).toEqual([expect.objectContaining({ state: decision === 'hold' ? 'held' : 'removed' })])
    expect(await undo(made)).toBe(204)
    expect(await readAll(id)).toEqual(before)
  })

  test('the case of a report waits again, due as before, and the reporter is told of nothing', async () => {
    const { id } = await add('published')
    const reporter = await addPerson(runtime, site)
    await report(id, reporter)
    const before = await readAll(id)
    expect(before.cases).toEqual([expect.objectContaining({ state: 'open', openedBy: 'report' })])
    for (const decision of ['keep', 'hold', 'remove']) {
      const made = await decide(toContribution(id), decision)
      await tellReporters()
      expect(await undo(made)).toBe(204)
      expect(await readAll(id)).toEqual(before)
    }
    after(120)
    await tellReporters()
    expect(await mailsTo(reporter)).toEqual([])
    await decide(toContribution(id), 'keep')
    after(140)
    await tellReporters()
    expect(await mailsTo(reporter)).toEqual([])
    after(151)
    await tellReporters()
    expect(await mailsTo(reporter)).toEqual(['report-kept'])
  })

  test('what was merged into a removed text is merged again', async () => {
    const [target, double] = [await add('published'), await add('published')]
    const merged = await api(moderator).post(
      '/contribution-links',
      buildResourceDocument(
        'contribution-links',
        { kind: 'duplicate_of', reason: 'The same bench.' },
        { to: { contribution: { type: 'contributions', id: double.id }, target: { type: 'contributions', id: target.id } } },
      ),
    )
    expect(merged.status).toBe(201)
    const before = [await readAll(target.id), await readAll(double.id)]
    const made = await decide(toContribution(target.id), 'remove')
    expect((await readAll(double.id)).text).toEqual([expect.objectContaining({ state: 'published', mergedInto: null })])
    expect(await undo(made)).toBe(204)
    expect([await readAll(target.id), await readAll(double.id)]).toEqual(before)
  })

  test('appeals that the decision ended wait again', async () => {
    const { id } = await add('published')
    const reporter = await addPerson(runtime, site)
    await report(id, reporter)
    const kept = await decide(toContribution(id), 'keep')
    after(60)
    await appeal(kept, reporter)
    const before = [await readAll(id), await readAppeals(kept)]
    const made = await decide(toContribution(id), 'remove')
    expect(await readAppeals(kept)).toEqual([expect.objectContaining({ state: 'closed' })])
    expect(await undo(made)).toBe(204)
    expect([await readAll(id), await readAppeals(kept)]).toEqual(before)
    expect(await readAppeals(kept)).toEqual([{ state: 'pending', words: 'It is about the park.', decidedAt: null }])
  })

  test('can be undone only within seconds, by the person who made it, and only if nothing has changed since', async () => {
    const { id } = await add('held')
    const made = await decide(toContribution(id), 'publish')
    expect([await undo(made, colleague), await undo(made, author)]).toEqual([403, 403])
    after(31)
    expect(await undo(made)).toBe(409)
    runtime.setNow(NOON)
    await decide(toContribution(id), 'remove', colleague)
    expect(await undo(made)).toBe(409)
  })

  test('stands if its author appealed in the meantime: what they wrote is not lost', async () => {
    const { id } = await add('held')
    const made = await decide(toContribution(id), 'decline')
    await appeal(made, author)
    expect(await undo(made)).toBe(409)
    expect(await readAppeals(made)).toEqual([expect.objectContaining({ state: 'pending', words: 'It is about the park.' })])
  })

  test('stands if somebody reported the text again in the meantime', async () => {
    const { id } = await add('published')
    await report(id, await addPerson(runtime, site))
    const made = await decide(toContribution(id), 'keep')
    after(5)
    await inSite((tx) => tx.update(contributions).set({ version: 2 }).where(eq(contributions.id, id)))
    await report(id, await addPerson(runtime, site))
    expect(await undo(made)).toBe(409)
    expect((await caseOf(id)).map(({ state }) => state).toSorted()).toEqual(['decided', 'open'])
  })

  test('does not reach what passages were removed from: those are put back by a decision of their own', async () => {
    const { id } = await add('published')
    const sent = await api(moderator).post(
      '/moderation-decisions',
      buildResourceDocument(
        'moderation-decisions',
        { decision: 'mask', textVersion: 1, passages: [{ field: 'title', start: 0, end: 7 }], ...REASON },
        { to: { contribution: { type: 'contributions', id } } },
      ),
    )
    expect(sent.status).toBe(201)
    expect(await undo(readId(sent))).toBe(409)
  })
})
