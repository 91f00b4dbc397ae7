import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countResponses } from '#app/features/dashboard/count-responses.server.ts'
import { unsubscribeByLink, loadLinkedMails } from '#app/features/follows/follows.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { chooseTeamMails } from '#app/features/teamwork/team-mails.server.ts'
import { JOBS } from '#app/root/jobs.ts'
import { createCtx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { teamMails, weeklyMails } from '#app/server/db/schema/teamwork.ts'
import { loadSitesWithWork } from '#app/server/jobs/sites-with-work.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { readCockpit } from '../cockpit.server.ts'
import { mailWeeks } from './weekly-mail.server.ts'

/** Monday, 11 May, nine o'clock in Toronto. */
const MONDAY = new Date('2026-05-11T13:00:00Z')
let runtime: TestRuntime
let site: Site
let busId: string
let people: Record<'editor' | 'hubAdmin' | 'siteAdmin' | 'otherEditor' | 'participant', Account>

async function answerOn(surveyId: string, at: Date) {
  runtime.setNow(at)
  const sent = { id: v7({ msecs: at.getTime() }), sendKey: 'k'.repeat(22), answers: { name: 'Elm', mode: { choice: 'bus' as const } } }
  await submitResponse(createCtx(runtime, site), (tx) => requireVisibleSurvey(createCtx(runtime, site), tx, eq(surveys.id, surveyId)), sent)
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(new Date('2026-05-01T12:00:00Z'))
  site = await addSite(runtime, { slug: 'weekly', languages: ['en', 'fr-CA'] })
  const hub = await addHub(runtime, site)
  const bus = await addProject(runtime, site, { hubId: hub.id, title: inAllLanguages('Bus') })
  const trees = await addProject(runtime, site, { title: inAllLanguages('Trees') })
  busId = bus.id
  const quiet = await addProject(runtime, site, { title: inAllLanguages('Quiet') })
  people = {
    editor: await addAccount(runtime, site, { role: 'project_admin', projectId: bus.id, login: 'Eve' }),
    hubAdmin: await addAccount(runtime, site, { role: 'hub_admin', hubId: hub.id, login: 'Hal', locale: 'fr-CA' }),
    siteAdmin: await addAccount(runtime, site, { role: 'site_admin', login: 'Sam' }),
    otherEditor: await addAccount(runtime, site, { role: 'project_admin', projectId: quiet.id, login: 'Ola' }),
    participant: await addAccount(runtime, site),
  }
  const survey = await addSurvey(runtime, site, {
    projectId: bus.id,
    title: inAllLanguages('Trips'),
    closesAt: new Date('2026-05-15T16:00:00Z'),
  })
  const other = await addSurvey(runtime, site, { projectId: trees.id })
  // The last minute of Sunday in Toronto belongs to the week, the first of Monday does not.
  for (const at of ['2026-05-03T16:00:00Z', '2026-05-04T16:00:00Z', '2026-05-11T03:59:00Z', '2026-05-11T04:01:00Z'])
    await answerOn(survey.id, new Date(at))
  await answerOn(other.id, new Date('2026-05-06T16:00:00Z'))
  const ideas = await addActivity(runtime, site, { projectId: bus.id })
  await addContribution(runtime, site, {
    activityId: ideas.id,
    number: 1,
    submittedAt: new Date('2026-05-05T12:00:00Z'),
    statusId: ideas.statuses[0]?.id,
  })
  runtime.setNow(MONDAY)
  await countResponses(runtime)
})
beforeEach(async () => {
  runtime.setNow(MONDAY)
  await db().tx(async (tx) => {
    await tx.delete(outboxMails)
    await tx.delete(teamMails)
    await tx.delete(weeklyMails)
  })
})

const db = () => runtime.database.site(site.id)
const listMails = async () =>
  (
    await db().tx((tx) =>
      tx
        .select()
        .from(outboxMails)
        .where(and(eq(outboxMails.kind, 'weekly'), eq(outboxMails.siteId, site.id))),
    )
  ).map((mail) => ({
    to: Object.entries(people).find(([, { id }]) => id === mail.userId)?.[0],
    text: mail.bodyText,
    subject: mail.subject,
    leaveUrl: mail.leaveUrl ?? '',
  }))
const mailTo = async (who: keyof typeof people) => (await listMails()).find(({ to }) => to === who)

describe('the mail of a week', () => {
  test('goes to each administrator who has something to read, with what their role lets them see', async () => {
    await mailWeeks(runtime)
    expect((await listMails()).map(({ to }) => to).toSorted()).toEqual(['editor', 'hubAdmin', 'siteAdmin'])
    const editor = await mailTo('editor')
    expect(editor?.text).toContain('Bus: 2 new answers, 1 new contribution')
    expect(editor?.text).toContain('1 contribution without an answer')
    expect(editor?.text).toContain('Trips')
    expect(editor?.text).not.toContain('Trees')
    expect((await mailTo('siteAdmin'))?.text).toContain('Trees: 1 new answer')
  })

  test('is in the language of the reader', async () => {
    await mailWeeks(runtime)
    expect((await mailTo('hubAdmin'))?.subject).toContain('votre semaine')
    expect((await mailTo('hubAdmin'))?.text).toContain('2 nouvelles réponses, 1 nouvelle contribution')
  })

  test('has the figures of the overview', async () => {
    // The overview's week ends today: on Sunday evening it is the mail's.
    runtime.setNow(new Date('2026-05-11T03:59:30Z'))
    const { week } = await readCockpit(await people.editor.ctx(), busId)
    expect(week).toMatchObject({ answers: 2, contributions: 1 })
  })

  test('says nothing to who has no news, and tries no more in that week', async () => {
    await db().tx((tx) => tx.update(contributions).set({ answered: 'public' }))
    expect((await listMails()).filter(({ to }) => to === 'otherEditor' || to === 'participant')).toEqual([])
    await mailWeeks(runtime)
    expect(await mailTo('otherEditor')).toBeUndefined()
    await db().tx((tx) => tx.update(contributions).set({ answered: null }))
  })
})

describe('once per week', () => {
  test('under two processes, and however often the job runs', async () => {
    await Promise.all([mailWeeks(runtime), mailWeeks(runtime), mailWeeks(runtime)])
    await mailWeeks(runtime)
    runtime.setNow(new Date('2026-05-12T13:00:00Z'))
    await mailWeeks(runtime)
    expect(await listMails()).toHaveLength(3)
    runtime.setNow(new Date('2026-05-18T13:00:00Z'))
    await mailWeeks(runtime)
    expect((await listMails()).filter(({ to }) => to === 'editor')).toHaveLength(2)
  })

  test.each([
    ['Sunday evening', '2026-05-10T23:00:00Z', false],
    ['a minute before eight on Monday', '2026-05-11T11:59:00Z', false],
    ['eight on Monday', '2026-05-11T12:00:00Z', true],
    ['Tuesday', '2026-05-12T20:00:00Z', true],
    ['Thursday', '2026-05-14T13:00:00Z', false],
  ])('%s', async (_, at, isDue) => {
    runtime.setNow(new Date(at))
    expect((await loadSitesWithWork(runtime, 'mail-weekly')).includes(site.id)).toBe(isDue)
    await mailWeeks(runtime)
    expect((await listMails()).length > 0).toBe(isDue)
    if (isDue) expect((await loadSitesWithWork(runtime, 'mail-weekly')).includes(site.id)).toBe(false)
  })

  test('the job is in the list', async () => {
    await JOBS.find(({ name }) => name === 'mail-weekly')?.run(runtime, AbortSignal.timeout(60_000))
    expect(await listMails()).toHaveLength(3)
  })
})

describe('who does not want it', () => {
  test('switches it off in the account', async () => {
    await chooseTeamMails(await people.editor.ctx(), { mentions: true, weekly: false })
    await mailWeeks(runtime)
    expect((await listMails()).map(({ to }) => to).toSorted()).toEqual(['hubAdmin', 'siteAdmin'])
  })

  test('switches it off by the link of the mail, without signing in', async () => {
    await mailWeeks(runtime)
    const ctx = createCtx(runtime, site)
    const token = new URL((await mailTo('editor'))?.leaveUrl ?? '').searchParams.get('token') ?? ''
    expect(await loadLinkedMails(ctx, token)).toEqual({ kind: 'weekly', going: true })
    await unsubscribeByLink(ctx, token)
    expect(await loadLinkedMails(ctx, token)).toEqual({ kind: 'weekly', going: false })
    runtime.setNow(new Date('2026-05-18T13:00:00Z'))
    await mailWeeks(runtime)
    expect((await listMails()).filter(({ to }) => to === 'editor')).toHaveLength(1)
    await expect(unsubscribeByLink(ctx, `${token}x`)).rejects.toMatchObject({ code: 'link-expired' })
  })

  test('a participant has no such choice', async () => {
    await expect(chooseTeamMails(await people.participant.ctx(), { mentions: false, weekly: false })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
