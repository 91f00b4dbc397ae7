import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { moderationDecisions } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { loadSiteRules } from '../moderation/rules.server.ts'
import { undoDecision } from '../moderation/undo-decision.server.ts'
import { planDeskStep, takeDeskStep } from './desk-bulk.server.ts'
import { listDesk } from './desk-list.server.ts'

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let colleague: SignedInViewer
let number = 0
let activity: Awaited<ReturnType<typeof addActivity>>
const as = (viewer: Ctx['viewer'] = admin): Ctx => createCtx(runtime, site, { viewer, language: 'en' })
const countOf = async (state: 'held' | 'published' | 'declined' | 'removed') =>
  (await listDesk(as(), { activity: activity.id, state })).meta.total
const decisionsMade = () =>
  runtime.database.site(site.id).tx((tx) => tx.select().from(moderationDecisions).where(eq(moderationDecisions.siteId, site.id)))

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'desk-bulk' })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  colleague = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

beforeEach(async () => {
  activity = await addActivity(runtime, site)
  for (let at = 0; at < 30; at += 1) {
    number += 1
    await addContribution(runtime, site, { activityId: activity.id, number, state: at < 26 ? 'held' : 'published' })
  }
})

test('what matches is counted first, then decided: what the step does not concern stays', async () => {
  const plan = await planDeskStep(as(), 'accept', { search: { activity: activity.id } })
  expect([plan.ids.length, plan.unfit]).toEqual([26, 4])
  const outcome = await takeDeskStep(as(), { ids: plan.ids, step: 'accept' })
  expect([outcome.decisions.length, outcome.left]).toEqual([26, 0])
  expect([await countOf('held'), await countOf('published')]).toEqual([0, 30])
})

test('sent twice and by two people at once, each is decided once', async () => {
  const before = (await decisionsMade()).length
  const { ids } = await planDeskStep(as(), 'accept', { search: { activity: activity.id, state: 'held' } })
  const outcomes = await Promise.all([admin, colleague, admin].map((who) => takeDeskStep(as(who), { ids, step: 'accept' })))
  const made = outcomes.flatMap(({ decisions }) => decisions)
  expect((await decisionsMade()).length - before).toBe(26)
  expect(made.length).toBe(26)
  expect(new Set(made).size).toBe(26)
  expect(outcomes.reduce((sum, { left }) => sum + left, 0)).toBe(2 * 26)
})

test('refusing needs a rule and words, declines what never was public and removes what was, and can be undone', async () => {
  const { ids } = await planDeskStep(as(), 'refuse', { search: { activity: activity.id } })
  expect(ids.length).toBe(30)
  await expect(takeDeskStep(as(), { ids, step: 'refuse' })).rejects.toThrow('invalid')
  expect(await countOf('held')).toBe(26)
  const rules = await runtime.database.site(site.id).tx((tx) => loadSiteRules(site.id, tx))
  const rule = rules[0]?.code
  const { decisions } = await takeDeskStep(as(), { ids, step: 'refuse', rule, reason: 'It names a neighbour.' })
  expect([await countOf('declined'), await countOf('removed')]).toEqual([26, 4])
  for (const id of decisions.toReversed()) await undoDecision(as(), id)
  expect([await countOf('held'), await countOf('published')]).toEqual([26, 4])
})

test('nobody decides beyond their projects', async () => {
  const other = await addActivity(runtime, site)
  const outsider = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: other.projectId }] })
  const { ids } = await planDeskStep(as(), 'accept', { search: { activity: activity.id } })
  expect((await planDeskStep(as(outsider), 'accept', { search: { activity: activity.id } })).ids).toEqual([])
  expect((await planDeskStep(as(outsider), 'accept', { ids })).ids).toEqual([])
  await expect(takeDeskStep(as(outsider), { ids, step: 'accept' })).rejects.toThrow('forbidden')
  expect(await countOf('held')).toBe(26)
})
