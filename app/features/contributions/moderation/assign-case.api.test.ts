import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let local: Person
let elsewhere: Person
let activityId: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  const [here, other] = [await addProject(runtime, site), await addProject(runtime, site)]
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  local = await addPerson(runtime, site, { role: 'project_admin', projectId: here.id })
  elsewhere = await addPerson(runtime, site, { role: 'project_admin', projectId: other.id })
  ;({ id: activityId } = await addActivity(runtime, site, { projectId: here.id }))
})

const inSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<T>
const api = (person?: Person) => createApiClient(runtime, site, person?.token)
let numbered = 0
async function addCase(): Promise<{ id: string; contributionId: string }> {
  const { id: contributionId } = await addContribution(runtime, site, { activityId, number: ++numbered, state: 'held' })
  const [found] = await inSite<{ id: string }[]>((tx) =>
    tx.select({ id: moderationCases.id }).from(moderationCases).where(eq(moderationCases.contributionId, contributionId)),
  )
  return { id: found?.id ?? '', contributionId }
}
const assign = (person: Person | undefined, id: string, assigneeId: string | null) =>
  api(person).patch(`/moderation-cases/${id}`, buildResourceDocument('moderation-cases', { assigneeId }, { id }))
const attributesOf = (body: { data?: unknown } | undefined) =>
  (body?.data as { attributes: Record<string, unknown> } | undefined)?.attributes ?? {}
const countMails = async ({ id }: Person) =>
  (
    await inSite<unknown[]>((tx) =>
      tx
        .select({ id: outboxMails.id })
        .from(outboxMails)
        .where(and(eq(outboxMails.userId, id), eq(outboxMails.kind, 'case-assigned'))),
    )
  ).length
const listOf = <T>({ body }: { body?: { data?: unknown } | undefined }) => (body?.data ?? []) as T[]
const listNotified = async (person: Person) =>
  listOf<{ attributes: { kind: string; subject: string } }>(await api(person).get('/notifications?filter[own]=false'))
    .filter(({ attributes }) => attributes.kind === 'case')
    .map(({ attributes }) => attributes.subject)

describe('the assignee of a case', () => {
  test('is somebody who may moderate there; they are told once, by mail and notification, until it is decided', async () => {
    const { id, contributionId } = await addCase()
    const mails = await countMails(local)
    const given = await assign(admin, id, local.id)
    expect([given.status, attributesOf(given.body)['assigneeId'], attributesOf(given.body)['assigneeName']]).toEqual([
      200,
      local.id,
      'project_admin',
    ])
    expect((await assign(admin, id, local.id)).status).toBe(200)
    expect(await countMails(local)).toBe(mails + 1)
    expect(await listNotified(local)).toContain(id)
    // Another moderator may still decide.
    const decided = await api(admin).post(
      '/moderation-decisions',
      buildResourceDocument('moderation-decisions', { decision: 'publish' }, { to: { case: { type: 'moderation-cases', id } } }),
    )
    expect(decided.status).toBe(201)
    expect(await listNotified(local)).not.toContain(id)
    expect((await assign(admin, id, null)).codes).toEqual(['conflict'])
    expect(contributionId).not.toBe('')
  })

  test('taking a case oneself, or giving it to nobody, tells nobody', async () => {
    const { id } = await addCase()
    const mails = await countMails(local)
    expect((await assign(local, id, local.id)).status).toBe(200)
    expect(attributesOf((await assign(local, id, null)).body)['assigneeId']).toBeNull()
    expect([await countMails(local), await listNotified(local)]).toEqual([mails, []])
  })

  test('is refused for strangers, and from those who do not moderate there', async () => {
    const { id } = await addCase()
    const refused = await assign(admin, id, elsewhere.id)
    expect([refused.status, refused.codes, refused.body?.errors?.[0]?.source?.pointer]).toEqual([
      422,
      ['not-a-choice'],
      '/data/attributes/assigneeId',
    ])
    const statuses = await Promise.all([undefined, await addPerson(runtime, site), elsewhere].map((person) => assign(person, id, null)))
    expect(statuses.map(({ status }) => status)).toEqual([401, 403, 404])
  })

  test('finds the cases of one person, and those of nobody', async () => {
    const [mine, free] = [await addCase(), await addCase()]
    expect((await assign(admin, mine.id, admin.id)).status).toBe(200)
    const find = async (filter: string) =>
      listOf<{ id: string }>(await api(admin).get(`/moderation-cases?filter[state]=open&page[size]=100&${filter}`)).map(({ id }) => id)
    expect(await find(`filter[assignee]=${admin.id}`)).toEqual([mine.id])
    expect(await find('filter[assigned]=true')).toEqual([mine.id])
    const ofNobody = await find('filter[assigned]=false')
    expect([ofNobody.includes(free.id), ofNobody.includes(mine.id)]).toEqual([true, false])
    expect(await find(`filter[contribution]=${free.contributionId}`)).toEqual([free.id])
  })
})
