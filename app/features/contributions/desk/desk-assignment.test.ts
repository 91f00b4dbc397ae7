import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { createId } from '#app/lib/uuid.ts'
import { assignFromDesk, planDeskAssignment } from './desk-assignment.server.ts'

let runtime: TestRuntime
let site: Site
let people: Record<'admin' | 'colleague' | 'outsider', Account>
let questions: Awaited<ReturnType<typeof addActivity>>
let ids: Record<'question' | 'answered' | 'held' | 'idea', string>
const as = (who: keyof typeof people) => people[who].ctx()

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'desk-assignment' })
  questions = await addActivity(runtime, site, { kind: 'questions' })
  const ideas = await addActivity(runtime, site, { projectId: questions.projectId })
  const other = await addActivity(runtime, site)
  people = {
    admin: await addAccount(runtime, site, { role: 'site_admin' }),
    colleague: await addAccount(runtime, site, { role: 'project_admin', projectId: questions.projectId }),
    outsider: await addAccount(runtime, site, { role: 'project_admin', projectId: other.projectId }),
  }
  const dueAt = new Date('2031-01-01T00:00:00Z')
  const add = async (values: Parameters<typeof addContribution>[2]) => (await addContribution(runtime, site, values)).id
  ids = {
    question: await add({ activityId: questions.id, number: 1, dueAt }),
    answered: await add({ activityId: questions.id, number: 2, dueAt, answered: 'public' }),
    held: await add({ activityId: ideas.id, number: 3, state: 'held' }),
    idea: await add({ activityId: ideas.id, number: 4 }),
  }
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.delete(moderationCases)
    await tx.insert(moderationCases).values({ siteId: site.id, id: createId(), contributionId: ids.held, openedBy: 'before', dueAt })
  })
})

const loadAssignees = () =>
  runtime.database.site(site.id).tx(async (tx) => ({
    question: (await tx.select().from(contributions).where(eq(contributions.id, ids.question)))[0]?.assigneeId,
    case: (await tx.select().from(moderationCases).where(eq(moderationCases.contributionId, ids.held)))[0]?.assigneeId,
    mails: (await tx.select().from(outboxMails).where(eq(outboxMails.recipient, people.colleague.email))).length,
  }))

test('questions without an answer and texts that wait are counted; whoever may act on all of them is offered', async () => {
  const plan = await planDeskAssignment(await as('admin'), { search: { project: questions.projectId } })
  expect(new Set(plan.ids)).toEqual(new Set([ids.question, ids.held]))
  expect(plan.unfit).toBe(2)
  expect(new Set(plan.people.map(({ id }) => id))).toEqual(new Set([people.admin.id, people.colleague.id]))
  expect((await planDeskAssignment(await as('outsider'), { ids: Object.values(ids) })).ids).toEqual([])
})

test('each is assigned once, with one mail; what needs nobody is left', async () => {
  const input = { ids: Object.values(ids), assigneeId: people.colleague.id }
  expect(await assignFromDesk(await as('admin'), input)).toEqual({ left: 2 })
  expect(await loadAssignees()).toEqual({ question: people.colleague.id, case: people.colleague.id, mails: 2 })
  expect(await assignFromDesk(await as('admin'), input)).toEqual({ left: 2 })
  expect((await loadAssignees()).mails).toBe(2)
  expect(await assignFromDesk(await as('admin'), { ...input, assigneeId: null })).toEqual({ left: 2 })
  expect(await loadAssignees()).toMatchObject({ question: null, case: null })
})

test('nobody assigns beyond their projects, or to somebody who may not act there', async () => {
  await expect(assignFromDesk(await as('outsider'), { ids: [ids.question], assigneeId: null })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(assignFromDesk(await as('admin'), { ids: [ids.question], assigneeId: people.outsider.id })).rejects.toMatchObject({
    code: 'invalid',
    faults: [{ code: 'not-a-choice', pointer: '/assigneeId' }],
  })
})
