import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contributions, contributionVersions, replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
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
const caseOf = async (id: string) =>
  (
    await inSite<(typeof moderationCases.$inferSelect)[]>((tx) =>
      tx.select().from(moderationCases).where(eq(moderationCases.contributionId, id)),
    )
  ).map(({ id: _, ...row }) => row)
const readAll = async (id: string) => ({
  text: await inSite((tx) => tx.select().from(contributions).where(eq(contributions.id, id))),
  versions: await inSite((tx) => tx.select().from(contributionVersions).where(eq(contributionVersions.contributionId, id))),
  replies: await inSite((tx) => tx.select().from(replies).where(eq(replies.contributionId, id))),
  cases: await caseOf(id),
  found: (await api().get(`/contributions?filter[q]=pond&filter[activity]=${activityId}`)).body?.meta,
})
const countMails = async () =>
  (
    await inSite<unknown[]>((tx) =>
      tx
        .select({ id: outboxMails.id })
        .from(outboxMails)
        .where(and(eq(outboxMails.userId, author.id))),
    )
  ).length

/** Decides the open case of a contribution. @returns the decision's id */
async function decide(id: string, decision: string, person = moderator): Promise<string> {
  const [found] = await inSite<{ id: string }[]>((tx) =>
    tx
      .select({ id: moderationCases.id })
      .from(moderationCases)
      .where(and(eq(moderationCases.contributionId, id), eq(moderationCases.state, 'open'))),
  )
  const attributes = {
    decision,
    ...(decision !== 'publish' && decision !== 'keep' && { rule: 'off-topic', reason: 'Not about the park.' }),
  }
  const made = await api(person).post(
    '/moderation-decisions',
    buildResourceDocument('moderation-decisions', attributes, { to: { case: { type: 'moderation-cases', id: found?.id ?? '' } } }),
  )
  expect(made.status).toBe(201)
  return (made.body?.data as { id: string }).id
}
const undo = async (decision: string, person: Person | undefined = moderator) =>
  (await api(person).delete(`/moderation-decisions/${decision}`)).status

describe('a decision that is taken back', () => {
  test.each(['publish', 'decline'])('leaves everything as it was before: %s', async (decision) => {
    const { id } = await add('held')
    const before = await readAll(id)
    const mails = await countMails()
    const made = await decide(id, decision)
    expect(await readAll(id)).not.toEqual(before)
    expect(await countMails()).toBe(mails + 1)
    after(10)
    expect(await undo(made)).toBe(204)
    expect(await readAll(id)).toEqual(before)
    expect(await countMails()).toBe(mails)
    expect(await inSite((tx) => tx.select().from(moderationDecisions).where(eq(moderationDecisions.id, made)))).toEqual([])
    expect(await undo(made)).toBe(404)
  })

  test('is only so within seconds, by whoever took it, and while nothing has followed', async () => {
    const { id } = await add('held')
    const made = await decide(id, 'publish')
    expect([await undo(made, colleague), await undo(made, author)]).toEqual([403, 404])
    after(16)
    expect(await undo(made)).toBe(409)
    runtime.setNow(NOON)
    await api(colleague).patch(
      `/contributions/${id}`,
      buildResourceDocument('contributions', { state: 'removed', rule: 'off-topic', reason: 'Not about the park.' }, { id }),
    )
    expect(await undo(made)).toBe(409)
  })
})
