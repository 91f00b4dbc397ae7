import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { listDesk } from '#app/features/contributions/desk/desk-list.server.ts'
import type { DeskSearch } from '#app/features/contributions/desk/desk-search.ts'
import { listCases } from '#app/features/contributions/moderation/case-records.server.ts'
import { countResponses } from '#app/features/dashboard/count-responses.server.ts'
import { readReachSummary } from '#app/features/reach/reach.server.ts'
import { rollUpReach } from '#app/features/reach/roll-up.server.ts'
import { readReport } from '#app/features/reports/report.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { campaigns, smsMessages } from '#app/server/db/schema/messages.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { readCockpit } from './cockpit.server.ts'

/** Half past eight in the evening of 14 May in Toronto, and 15 May in UTC. */
const NOW = new Date('2026-05-15T00:30:00Z')
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let bus: { id: string }
let other: { id: string }
let survey: { id: string }
let newsletter: string
let campaign: string

const as = (viewer: Ctx['viewer'] = admin) => createCtx(runtime, site, { viewer, language: 'en' })

async function answerOn(surveyId: string, at: Date) {
  runtime.setNow(at)
  const ctx = createCtx(runtime, site)
  const sent = { id: v7({ msecs: at.getTime() }), sendKey: 'k'.repeat(22), answers: { name: 'Elm', mode: { choice: 'bus' as const } } }
  await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), sent)
}

async function addCampaign(channel: 'email' | 'sms', projectId: string, more: Partial<typeof campaigns.$inferInsert>) {
  const id = createId()
  const at = new Date('2026-05-10T12:00:00Z')
  const row = {
    siteId: site.id,
    id,
    channel,
    projectId,
    name: `By ${channel}`,
    status: 'done' as const,
    sendAt: at,
    createdAt: at,
    updatedAt: at,
  }
  await as().db.tx((tx) => tx.insert(campaigns).values({ ...row, ...more }))
  return id
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  bus = await addProject(runtime, site, { closesAt: new Date('2026-05-20T16:00:00Z') })
  other = await addProject(runtime, site)
  survey = await addSurvey(runtime, site, { projectId: bus.id })
  const elsewhere = await addSurvey(runtime, site, { projectId: other.id })
  for (const day of ['04', '09', '13', '13']) await answerOn(survey.id, new Date(`2026-05-${day}T16:00:00Z`))
  await answerOn(elsewhere.id, new Date('2026-05-13T16:00:00Z'))
  const ideas = await addActivity(runtime, site, { projectId: bus.id })
  const questions = await addActivity(runtime, site, { projectId: bus.id, kind: 'questions' })
  const away = await addActivity(runtime, site, { projectId: other.id })
  const at = (day: string) => new Date(`2026-05-${day}T12:00:00Z`)
  const add = (activityId: string, number: number, more: Partial<Parameters<typeof addContribution>[2]>) =>
    addContribution(runtime, site, { activityId, number, ...more })
  const received = ideas.statuses[0]?.id
  await add(ideas.id, 1, { submittedAt: at('12'), supports: 4, statusId: received })
  await add(ideas.id, 2, { submittedAt: at('02'), supports: 3, answered: 'public' })
  await add(ideas.id, 3, { submittedAt: at('02'), state: 'merged', supports: 9 })
  await add(ideas.id, 4, { submittedAt: at('06'), state: 'held', statusId: received })
  await add(ideas.id, 5, { submittedAt: at('14'), state: 'held', statusId: received })
  await add(questions.id, 1, { submittedAt: at('12'), dueAt: at('13'), statusId: questions.statuses[0]?.id })
  await add(questions.id, 2, { submittedAt: at('13'), dueAt: at('18'), statusId: questions.statuses[0]?.id })
  await add(away.id, 1, { submittedAt: at('12'), supports: 7, statusId: away.statuses[0]?.id })
  await add(away.id, 2, { submittedAt: at('12'), state: 'held' })
  await as().db.tx((tx) =>
    tx.insert(decisions).values(
      ['2026-05-01', '2026-05-16'].map((dueOn, index) => ({
        siteId: site.id,
        id: createId(),
        projectId: bus.id,
        number: index + 1,
        title: inAllLanguages(`Promise ${index + 1}`),
        outcome: 'partly' as const,
        reason: inAllLanguages('Pipes'),
        decidedOn: '2026-04-01',
        dueOn,
        publishedAt: new Date('2026-04-01T12:00:00Z'),
      })),
    ),
  )
  newsletter = await addCampaign('email', bus.id, { tally: { accepted: 90, failed: 2, skipped: 1 }, returned: 12 })
  campaign = await addCampaign('sms', bus.id, {})
  await addCampaign('email', bus.id, { tally: { accepted: 90, failed: 0, skipped: 3 } })
  await addCampaign('email', other.id, { tally: { accepted: 0, failed: 9, skipped: 0 } })
  await as().db.tx((tx) =>
    tx.insert(smsMessages).values({
      siteId: site.id,
      id: createId(),
      direction: 'out',
      purpose: 'campaign',
      status: 'failed',
      phone: '+15005550001',
      language: 'en',
      body: 'Come',
      campaignId: campaign,
      createdAt: new Date('2026-05-10T12:00:00Z'),
    }),
  )
  runtime.setNow(NOW)
  await countResponses(runtime)
  await rollUpReach(runtime)
})

describe('the figures of a project', () => {
  test('are those of its rows, of the report that they lead to, and of reach', async () => {
    const { figures, week, held, period } = await readCockpit(as(), bus.id)
    const { rows } = await as().db.read((tx) =>
      tx.execute(sql`select
        (select count(*)::int from responses r join surveys s on s.site_id = r.site_id and s.id = r.survey_id
          where s.project_id = ${bus.id} and r.withdrawn_at is null) as answers,
        (select count(*)::int from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id
          where a.project_id = ${bus.id} and c.state in ('published', 'merged')) as contributions,
        (select sum(supports)::int from contributions c join activities a on a.site_id = c.site_id and a.id = c.activity_id
          where a.project_id = ${bus.id} and c.state = 'published') as supports`),
    )
    expect(figures).toMatchObject(rows[0] ?? {})
    expect(figures).toMatchObject({ answers: 4, contributions: 5, supports: 7 })
    expect(held).toBe(2)
    // 8 to 14 May in Toronto.
    expect(week).toMatchObject({ answers: 3, contributions: 3 })
    expect(period).toEqual({ from: '2026-05-02', until: '2026-05-14' })
    const report = await readReport(as(), { projects: [bus.id], ...period })
    expect(figures).toEqual({
      engaged: report.reach.totals.engaged,
      aware: report.reach.totals.aware,
      informed: report.reach.totals.informed,
      answers: report.answers.total,
      contributions: report.contributions.total,
      supports: report.contributions.supports,
    })
    const { aware, informed, engaged } = figures
    expect((await readReachSummary(as(), { kind: 'project', id: bus.id }, 365))?.totals).toEqual({ aware, informed, engaged })
  })

  test('of what waits are those of the lists that they lead to', async () => {
    const { waiting, held } = await readCockpit(as(), bus.id)
    const countDesk = async (search: DeskSearch) => (await listDesk(as(), { project: bus.id, ...search })).meta.total
    expect(held).toBe(await countDesk({ state: 'held' }))
    expect(waiting.answers).toBe(await countDesk({ waits: 'answer' }))
    expect(waiting.questions).toBe(await countDesk({ waits: 'question' }))
    expect(waiting.agreement).toBe(await countDesk({ waits: 'agreement' }))
    const page = { number: 1, size: 10, limit: 10, offset: 0 }
    const queue = await listCases(as(), { filter: { project: bus.id, state: ['open'] }, page, sort: [] })
    expect(waiting.cases).toBe(queue.total)
    expect(waiting).toEqual({
      cases: 2,
      casesLate: 1,
      oldestCaseAt: '2026-05-06T12:00:00Z',
      answers: 3,
      questions: 2,
      questionsLate: 1,
      agreement: 0,
    })
  })

  test('need no more statements if there are more tools', async () => {
    const count = async () => (await recordDatabaseUse(runtime, () => readCockpit(as(), bus.id))).statements.length
    const before = await count()
    for (let tool = 0; tool < 5; tool++) {
      await addSurvey(runtime, site, { projectId: bus.id, closesAt: new Date('2026-06-30T12:00:00Z') })
      await addActivity(runtime, site, { projectId: bus.id })
    }
    expect(await count()).toBe(before)
    expect(before).toBeLessThanOrEqual(10)
  })

  test('are none before anything was counted', async () => {
    const draft = await addProject(runtime, site, { status: 'draft', publishedAt: null })
    expect(await readCockpit(as(), draft.id)).toMatchObject({
      period: null,
      figures: { engaged: 0, answers: 0, contributions: 0, supports: 0, aware: 0, informed: 0 },
      due: [],
      failed: [],
    })
  })
})

test('what is due is what is late, and what comes within two weeks', async () => {
  const { due } = await readCockpit(as(), bus.id)
  expect(due.map(({ kind, event, title, count, day, isLate }) => [kind, event, title || count, day, isLate])).toEqual([
    ['decision', 'promised', 'Promise 1', '2026-05-01', true],
    ['moderation', 'due', 1, '2026-05-09', true],
    ['question', 'due', 1, '2026-05-13', true],
    ['decision', 'promised', 'Promise 2', '2026-05-16', false],
    ['moderation', 'due', 1, '2026-05-17', false],
    ['question', 'due', 1, '2026-05-18', false],
    ['project', 'closes', 'A faster bus', '2026-05-20', false],
  ])
})

test('what failed are campaigns of the project that did not reach everybody', async () => {
  const { failed } = await readCockpit(as(), bus.id)
  expect(failed.map(({ id, failed: unsent, returned }) => [id, unsent, returned])).toEqual(
    expect.arrayContaining([
      [newsletter, 2, 12],
      [campaign, 1, 0],
    ]),
  )
  expect(failed).toHaveLength(2)
  runtime.setNow(new Date('2026-07-01T12:00:00Z'))
  expect((await readCockpit(as(), bus.id)).failed).toEqual([])
  runtime.setNow(NOW)
})

test('only people who may see what was answered there see them', async () => {
  const own = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: bus.id }] })
  const stranger = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: other.id }] })
  expect((await readCockpit(as(own), bus.id)).figures.answers).toBe(4)
  await expect(readCockpit(as(stranger), bus.id)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(readCockpit(as(VISITOR), bus.id)).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(readCockpit(as(await addPerson(runtime, site)), bus.id)).rejects.toMatchObject({ code: 'forbidden' })
  const hidden = await addProject(runtime, site, { visibility: 'hidden' })
  await expect(readCockpit(as(stranger), hidden.id)).rejects.toMatchObject({ code: 'not-found' })
  const elsewhere = createCtx(runtime, await addSite(runtime, { slug: `other-${createId()}` }), { viewer: admin })
  await expect(readCockpit(elsewhere, bus.id)).rejects.toMatchObject({ code: 'not-found' })
})
