import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { lookUpCounters } from '#app/features/homepage/blocks/counters/counters.lookup.server.ts'
import { refreshSiteFigures } from '#app/features/platform/site-figures.server.ts'
import { readReach, readReachSummary } from '#app/features/reach/reach.server.ts'
import { rollUpReach } from '#app/features/reach/roll-up.server.ts'
import { withdrawContribution } from '#app/features/surveys/responses/receipts.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { getResults } from '#app/features/surveys/results/results.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { siteFigures } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { countResponses } from './count-responses.server.ts'
import { readDashboard } from './dashboard.server.ts'

const NOON = new Date('2026-05-04T16:00:00Z')
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let open: { id: string }
let closed: { id: string }
let survey: { id: string }
let activity: { id: string }

const as = (viewer?: SignedInViewer) => createCtx(runtime, site, viewer && { viewer })

async function answer(surveyId: string, viewer?: SignedInViewer): Promise<string> {
  const ctx = as(viewer)
  const sent = { id: v7(), sendKey: 'k'.repeat(22), answers: { name: 'Elm', mode: { choice: 'bus' as const } } }
  return (await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), sent)).code
}

async function settle() {
  await countResponses(runtime)
  await rollUpReach(runtime)
  await refreshSiteFigures(runtime)
}

/** The figures of one project as its own administrator's start page has them. */
async function boardOf(projectId: string) {
  return readDashboard(as(await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId }] })))
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOON)
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  open = await addProject(runtime, site)
  closed = await addProject(runtime, site, { visibility: 'members' })
  survey = await addSurvey(runtime, site, { projectId: open.id })
  const more = await addSurvey(runtime, site, { projectId: open.id })
  const inner = await addSurvey(runtime, site, { projectId: closed.id })
  activity = await addActivity(runtime, site, { projectId: open.id })
  const [ann, bob] = [await addPerson(runtime, site), await addPerson(runtime, site)]
  for (const each of [survey, more]) await answer(each.id, ann)
  await answer(survey.id, bob)
  await answer(inner.id, admin)
  for (let count = 0; count < 3; count++) await answer(survey.id)
  await withdrawContribution(as(), await answer(survey.id))
  await settle()
})

test('the dashboard, the platform, the homepage and a project say the same of answers and of people who answered', async () => {
  const board = await readDashboard(as(admin))
  const [platform] = await runtime.database.global.select().from(siteFigures).where(eq(siteFigures.siteId, site.id))
  // Ann, Bob, the administrator, and three without an account.
  expect(board).toMatchObject({ responses: 7, participants: 6, openProjects: 2, publicResponses: 6 })
  expect(platform).toMatchObject({ responses: 7, participants: 6, openProjects: 2 })
  const { values } = await lookUpCounters(as(), {} as never, { hubId: null } as never)
  expect(values).toMatchObject({ answers: board.publicResponses, people: 5, open_projects: 1 })
  const rows = await as().db.read((tx) =>
    tx
      .select({ id: projects.id, people: projects.participants, answers: sql<number>`sum(${surveys.responsesCount})::int` })
      .from(projects)
      .innerJoin(surveys, eq(surveys.projectId, projects.id))
      .where(eq(projects.siteId, site.id))
      .groupBy(projects.id, projects.participants),
  )
  for (const { id, people, answers } of rows) {
    const { participants, responses } = await boardOf(id)
    expect([participants, responses]).toEqual([people, answers])
  }
  expect((await getResults(as(admin), survey.id)).responses).toBe(5)
})

test('contributions and replies raise those who took part, and nothing that is called answers or people who answered', async () => {
  const before = await readDashboard(as(admin))
  const engagedBefore = (await readReach(as(admin), { days: 30 }))?.totals.engaged ?? 0
  expect(engagedBefore).toBe(6)
  // The platform counts a site again after six hours at most.
  runtime.setNow(new Date(NOON.getTime() + 7 * 3_600_000))
  await addContribution(runtime, site, { activityId: activity.id, number: 1, submittedAt: NOON, publishedAt: NOON })
  await settle()
  const after = await readDashboard(as(admin))
  expect([after.responses, after.participants]).toEqual([before.responses, before.participants])
  const [report, summary] = [await readReach(as(admin), { days: 30 }), await readReachSummary(as(admin), undefined, 30)]
  const [platform] = await runtime.database.global.select().from(siteFigures).where(eq(siteFigures.siteId, site.id))
  expect(report?.totals.engaged).toBe(engagedBefore + 1)
  expect(summary?.totals).toEqual(report?.totals)
  expect({ aware: platform?.aware, informed: platform?.informed, engaged: platform?.engaged }).toEqual(report?.totals)
  expect(report?.projects.find(({ id }) => id === open.id)?.engaged).toBe(engagedBefore)
})
