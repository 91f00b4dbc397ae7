import { and, asc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { JOBS } from '#app/root/jobs.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationDecisions } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { decideOnContribution } from './decide.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const at = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000)

let runtime: TestRuntime
let site: Site
let sites = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(NOON)
  site = await addSite(runtime, { slug: `due-${(sites += 1)}`, languages: ['en', 'fr-CA'] })
})

const inSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<T>
const run = () => JOBS.find(({ name }) => name === 'mail-due-work')?.run(runtime, AbortSignal.timeout(60_000))
const mailsTo = (person: Person) =>
  inSite<{ subject: string; bodyText: string }[]>((tx) =>
    tx
      .select({ subject: outboxMails.subject, bodyText: outboxMails.bodyText })
      .from(outboxMails)
      .where(and(eq(outboxMails.userId, person.id), eq(outboxMails.kind, 'moderation-due')))
      .orderBy(asc(outboxMails.createdAt)),
  )
const countMails = async (...people: Person[]) => (await Promise.all(people.map(mailsTo))).map(({ length }) => length)
const addActivityIn = async (hubId?: string) => {
  const project = await addProject(runtime, site, { ...(hubId && { hubId }), status: 'published', publishedAt: new Date('2026-01-01') })
  return { project, activity: await addActivity(runtime, site, { projectId: project.id, postAccess: 'anyone' }) }
}
/** Held since `submittedAt`, and due three days later. */
const addHeld = (activityId: string, number: number, submittedAt: Date, authorId: string | null = null) =>
  addContribution(runtime, site, { activityId, number, state: 'held', submittedAt, authorId })

test('moderators are mailed when something is due, at most once an hour, and not again for the same', async () => {
  const chief = await addPerson(runtime, site, { role: 'site_admin' })
  await inSite((tx) => tx.update(users).set({ locale: 'fr-CA' }).where(eq(users.id, chief.id)))
  const { activity } = await addActivityIn()
  await addHeld(activity.id, 1, at(-71))
  await run()
  expect(await countMails(chief)).toEqual([0])
  runtime.setNow(at(1))
  await run()
  const [mail] = await mailsTo(chief)
  expect(mail?.bodyText).toContain('1 texte attend')
  await addHeld(activity.id, 2, at(-70.5))
  runtime.setNow(at(1.9))
  await run()
  expect(await countMails(chief)).toEqual([1])
  runtime.setNow(at(2))
  await run()
  expect((await mailsTo(chief)).at(-1)?.bodyText).toContain('2 textes attendent')
  runtime.setNow(at(30))
  await run()
  expect(await countMails(chief)).toEqual([2])
})

test('runs at the same moment mail everybody once', async () => {
  const team = await Promise.all(Array.from({ length: 8 }, () => addPerson(runtime, site, { role: 'site_admin' })))
  const { activity } = await addActivityIn()
  await addHeld(activity.id, 1, at(-100))
  await Promise.all([run(), run(), run()])
  expect(await countMails(...team)).toEqual(team.map(() => 1))
})

test('only those who may decide there are mailed', async () => {
  const [mine, other] = [await addHub(runtime, site), await addHub(runtime, site)]
  const { project, activity } = await addActivityIn(mine.id)
  await addHeld(activity.id, 1, at(-100))
  const here = await addPerson(runtime, site, { role: 'hub_admin', hubId: mine.id })
  const there = await addPerson(runtime, site, { role: 'hub_admin', hubId: other.id })
  const projectAdmin = await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
  const participant = await addPerson(runtime, site)
  await run()
  expect(await countMails(here, there, projectAdmin, participant)).toEqual([1, 0, 1, 0])
})

test('an appeal is due at once, for those who may decide it', async () => {
  const first = await addPerson(runtime, site, { role: 'site_admin' })
  const { project, activity } = await addActivityIn()
  const second = await addPerson(runtime, site, { role: 'site_admin' })
  const projectAdmin = await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
  const author = await addPerson(runtime, site)
  const { id } = await addHeld(activity.id, 1, at(-1), author.id)
  const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, first.token, NOON)
  await decideOnContribution(createCtx(runtime, site, { viewer }), id, 'decline', { rule: 'abuse', words: 'No.' })
  const [decision] = await inSite<{ id: string }[]>((tx) => tx.select({ id: moderationDecisions.id }).from(moderationDecisions))
  const document = buildResourceDocument(
    'moderation-appeals',
    { words: 'Read it again.' },
    { id: createId(), to: { decision: { type: 'moderation-decisions', id: decision?.id ?? '' } } },
  )
  expect((await createApiClient(runtime, site, author.token).post('/moderation-appeals', document)).status).toBe(201)
  await run()
  expect(await countMails(first, second, projectAdmin)).toEqual([0, 1, 0])
  expect((await mailsTo(second))[0]?.bodyText).toContain('1 appeal waits')
})
