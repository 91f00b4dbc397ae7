import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Role } from '#app/lib/roles.ts'
import { VISITOR, type SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { readDashboard } from './dashboard.server.ts'
import { buildAdministrator } from '#tests/support/people.ts'

const NOW = new Date('2026-11-21T03:30:00Z') // still the evening of the 20th in Toronto
let runtime: TestRuntime
let site: Site
const hub = createId()
const inHub = createId()
const outside = createId()

const administrator = (role: Role, place: { hubId?: string; projectId?: string } = {}): SignedInViewer =>
  buildAdministrator(site.id, [role, place])

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime, { slug: 'riverbend' })
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(hubs).values({ siteId: site.id, id: hub, slug: 'roads', title: { en: 'Roads' } })
    for (const [id, hubId, answers] of [
      [inHub, hub, ['2026-11-21T03:00:00Z', '2026-11-10T15:00:00Z']],
      [outside, null, ['2026-11-19T15:00:00Z']],
    ] as const) {
      const surveyId = createId()
      await tx.insert(projects).values({
        siteId: site.id,
        id,
        hubId,
        slug: id,
        title: { en: id, 'fr-CA': `fr ${id}` },
        status: 'published',
        visibility: hubId ? 'public' : 'members',
        closesAt: new Date('2026-11-24T00:00:00Z'),
      })
      await tx.insert(surveys).values({ siteId: site.id, id: surveyId, projectId: id, slug: 's', title: { en: 's' }, definition: {} })
      for (const at of answers) {
        await tx.insert(responses).values({
          siteId: site.id,
          id: createId(),
          surveyId,
          version: 1,
          language: 'en',
          answers: {},
          receiptHash: Buffer.from(createId()),
          submittedAt: new Date(at),
        })
      }
    }
  })
})

describe('the dashboard', () => {
  test('counts what happened on the site by the days of its own time zone', async () => {
    const board = await readDashboard(createCtx(runtime, site, { viewer: administrator('site_admin') }))
    expect(board).toMatchObject({
      openProjects: 2,
      responses: 3,
      publicResponses: 2,
      participants: 3,
      responsesThisWeek: 2,
      responsesLastWeek: 1,
    })
    expect(board.daily).toHaveLength(30)
    expect(board.daily.at(-1)).toEqual({ day: '2026-11-20', responses: 1 })
    expect(board.daily.reduce((sum, { responses: given }) => sum + given, 0)).toBe(3)
    expect(board.busiest[0]).toMatchObject({ projectId: inHub, responses: 2 })
    expect(board.closingSoon).toHaveLength(2)
  })

  test('shows hub and project administrators only their own scope', async () => {
    for (const viewer of [administrator('hub_admin', { hubId: hub }), administrator('project_admin', { projectId: inHub })]) {
      const board = await readDashboard(createCtx(runtime, site, { viewer, language: 'fr-CA' }))
      expect(board).toMatchObject({ openProjects: 1, responses: 2 })
      expect(board.closingSoon.map((project) => project.title)).toEqual([`fr ${inHub}`])
    }
  })

  test('counts what waits for those who moderate it, and what of that is late', async () => {
    const { id: activityId } = await addActivity(runtime, site, { projectId: inHub })
    const dues = { open: ['2026-11-20T00:00:00Z', '2026-11-25T00:00:00Z'], decided: ['2026-11-01T00:00:00Z'] } as const
    let number = 0
    for (const [state, days] of Object.entries(dues) as ['open' | 'decided', readonly string[]][]) {
      for (const day of days) {
        const { id } = await addContribution(runtime, site, { activityId, number: ++number, state: 'held' })
        // What is held has a case already.
        await runtime.database.site(site.id).tx((tx) =>
          tx
            .update(moderationCases)
            .set({ state, dueAt: new Date(day) })
            .where(eq(moderationCases.contributionId, id)),
        )
      }
    }
    const countFor = async (viewer: SignedInViewer) => (await readDashboard(createCtx(runtime, site, { viewer }))).moderation
    const all = { waiting: 2, late: 1, appeals: 0 }
    expect(await countFor(administrator('site_admin'))).toEqual(all)
    expect(await countFor(administrator('project_admin', { projectId: inHub }))).toEqual(all)
    expect(await countFor(administrator('project_admin', { projectId: outside }))).toEqual({ waiting: 0, late: 0, appeals: 0 })
    expect(await countFor(administrator('platform_admin'))).toEqual({ waiting: 0, late: 0, appeals: 0 })
  })

  test('is refused to visitors, and empty for the platform', async () => {
    await expect(readDashboard(createCtx(runtime, site, { viewer: VISITOR }))).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await readDashboard(createCtx(runtime, site, { viewer: administrator('platform_admin') }))).toMatchObject({
      openProjects: 0,
      responses: 0,
    })
  })
})
