import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { countResponses } from '#app/features/dashboard/count-responses.server.ts'
import { checkFigures } from '#app/features/dashboard/recount-responses.server.ts'
import { recountContributions } from '#app/features/contributions/record/contribution-counts.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { readReach } from './reach.server.ts'
import { rollUpReach } from './roll-up.server.ts'
import { buildAdministrator } from '#tests/support/people.ts'

const NOON = new Date('2026-11-20T17:00:00Z') // noon in Toronto
const NIGHT = new Date('2026-11-21T08:00:00Z')
const WITHIN_THE_DAY = { submittedAt: NOON, publishedAt: NOON }

let runtime: TestRuntime
let site: Site
let person: Account
let projectId: string
let activityId: string
let number = 0

async function countEngaged(place?: { kind: 'project' | 'hub'; id: string }) {
  await countResponses(runtime)
  await rollUpReach(runtime)
  const report = await readReach(createCtx(runtime, site, { viewer: buildAdministrator(site.id, ['site_admin']) }), { days: 30, place })
  return report?.totals
}

const contribute = (values: Partial<typeof contributions.$inferInsert> = {}) =>
  addContribution(runtime, site, { activityId, number: ++number, ...WITHIN_THE_DAY, ...values })

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOON)
  site = await addSite(runtime, { slug: 'riverbend', timeZone: 'America/Toronto' })
  person = await addAccount(runtime, site)
  projectId = (await addProject(runtime, site)).id
  activityId = (await addActivity(runtime, site, { projectId })).id
})

test('contributing and replying is taking part, once a day for each person, together with their answers', async () => {
  const first = await contribute({ authorId: person.id })
  await contribute({ authorId: person.id, state: 'held' })
  expect(await countEngaged()).toEqual({ aware: 1, informed: 1, engaged: 1 })

  const survey = await addSurvey(runtime, site, { projectId })
  await runtime.database.site(site.id).tx(async (tx) => {
    const response = {
      siteId: site.id,
      id: createId(),
      surveyId: survey.id,
      version: 1,
      language: 'en' as const,
      answers: {},
      receiptHash: Buffer.from('r'),
    }
    await tx.insert(responses).values({ ...response, userId: person.id, submittedAt: NOON })
    const reply = { siteId: site.id, contributionId: first.id, language: 'en' as const, body: 'Yes.', state: 'published' as const }
    await tx.insert(replies).values([
      { ...reply, id: createId(), authorId: person.id, receiptHash: Buffer.from('a'), createdAt: NOON },
      { ...reply, id: createId(), receiptHash: Buffer.from('b'), createdAt: NOON },
      // The team answers: nobody was reached.
      { ...reply, id: createId(), role: 'official', receiptHash: Buffer.from('c'), createdAt: NOON },
    ])
    await recountContributions(tx, site.id, [first.id])
  })
  expect(await countEngaged()).toEqual({ aware: 2, informed: 2, engaged: 2 })
  expect(await countEngaged({ kind: 'project', id: projectId })).toMatchObject({ engaged: 2 })
})

test('somebody who takes their contribution back no longer counts, and on paper somebody is added to all three', async () => {
  const before = (await countEngaged())?.engaged ?? 0
  const sent = await contribute()
  await contribute({ source: 'paper' })
  expect((await countEngaged())?.engaged).toBe(before + 2)
  await runtime.database.site(site.id).tx((tx) => tx.update(contributions).set({ state: 'withdrawn' }).where(eq(contributions.id, sent.id)))
  expect(await countEngaged()).toEqual({ aware: before + 1, informed: before + 1, engaged: before + 1 })
})

test('a project takes its contributors along when it moves to another hub, and the nightly check finds no difference', async () => {
  const hub = await addHub(runtime, site)
  const { engaged = 0 } = (await countEngaged({ kind: 'project', id: projectId })) ?? {}
  await runtime.database.site(site.id).tx((tx) => tx.update(projects).set({ hubId: hub.id }).where(eq(projects.id, projectId)))
  expect(await countEngaged({ kind: 'hub', id: hub.id })).toMatchObject({ engaged })
  runtime.setNow(NIGHT)
  expect(await checkFigures(runtime)).toBe(0)
  runtime.setNow(NOON)
})
