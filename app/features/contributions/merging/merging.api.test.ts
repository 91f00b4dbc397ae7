import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { addHub } from '#tests/factories/content.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
type Attributes = Record<string, unknown>
const attributesOf = (body: { data?: unknown } | undefined) => (body?.data as { attributes: Attributes } | undefined)?.attributes ?? {}
const idOf = (body: { data?: unknown } | undefined) => (body?.data as { id: string } | undefined)?.id ?? ''
const idsOf = (body: { data?: unknown } | undefined) => ((body?.data ?? []) as { id: string }[]).map(({ id }) => id)
const toContribution = (id: string) => ({ type: 'contributions', id })

const addPair = async (projectId?: string) => {
  const activity = await addActivity(runtime, site, projectId ? { projectId } : {})
  const double = await addContribution(runtime, site, { activityId: activity.id, number: 1, title: 'Benches of feldspar' })
  const target = await addContribution(runtime, site, { activityId: activity.id, number: 2 })
  return { activity, double, target }
}
const link = (
  person: Person | undefined,
  from: string,
  to: string,
  attributes: Attributes = { kind: 'duplicate_of', reason: 'The same' },
) =>
  api(person).post(
    '/contribution-links',
    buildResourceDocument('contribution-links', attributes, { to: { contribution: toContribution(from), target: toContribution(to) } }),
  )
const end = (person: Person | undefined, id: string, attributes: Attributes = { ended: true, endReason: 'They differ' }) =>
  api(person).patch(`/contribution-links/${id}`, buildResourceDocument('contribution-links', attributes, { id }))
const support = (contributionId: string, browserToken: string) => {
  const id = createId()
  return api().put(
    `/reactions/${id}`,
    buildResourceDocument(
      'reactions',
      { value: 'support', browserToken: issueToken(runtime, site, browserToken) },
      { id, to: { contribution: toContribution(contributionId) } },
    ),
  )
}

describe('contribution-links', () => {
  test('merge, are seen by everyone without the objection, and are undone', async () => {
    const { activity, double, target } = await addPair()
    await support(double.id, 'browser-of-one')
    const made = await link(admin, double.id, target.id)
    expect([made.status, attributesOf(made.body)]).toEqual([
      201,
      expect.objectContaining({ kind: 'duplicate_of', reason: 'The same', ended: false, supportsBefore: 1, targetSupportsAfter: 1 }),
    ])
    const seen = attributesOf((await api().get(`/contribution-links/${idOf(made.body)}`)).body)
    expect(seen).toMatchObject({ kind: 'duplicate_of', reason: 'The same' })
    for (const name of ['objection', 'objectedAt', 'objectionAnswer', 'endReason', 'supportsBefore']) expect(seen).not.toHaveProperty(name)
    const merged = await api().get(`/contributions/${double.id}`)
    expect(attributesOf(merged.body)['state']).toBe('merged')
    expect(
      (merged.body?.data as { relationships: Record<string, { data: unknown }> } | undefined)?.relationships['mergedInto']?.data,
    ).toEqual(toContribution(target.id))
    expect(idsOf((await api().get(`/contributions?filter[activity]=${activity.id}`)).body)).toEqual([target.id])
    const undone = await end(admin, idOf(made.body))
    expect([undone.status, attributesOf(undone.body)['ended']]).toEqual([200, true])
    expect((await api().get(`/contribution-links/${idOf(made.body)}`)).status).toBe(404)
    expect(attributesOf((await api().get(`/contributions/${double.id}`)).body)).toMatchObject({ state: 'published', supports: 1 })
    expect((await end(admin, idOf(made.body))).status).toBe(409)
  })

  test('name the new contribution to whoever supports or replies to the merged one', async () => {
    const { double, target } = await addPair()
    await link(admin, double.id, target.id)
    const refused = await support(double.id, 'browser-of-one')
    expect(refused.status).toBe(409)
    expect(refused.body?.errors).toMatchObject([
      { code: 'merged', title: expect.stringContaining('no. 2') as string, meta: { values: { number: 2 }, contribution: target.id } },
    ])
    const id = createId()
    const reply = buildResourceDocument(
      'replies',
      { body: 'Yes', sendKey: 'only-the-sender-knows' },
      { id, to: { contribution: toContribution(double.id) } },
    )
    const answered = await api().post('/replies', reply)
    expect([answered.status, answered.codes]).toEqual([409, ['merged']])
  })

  test('are for moderators of the project, and only within an activity', async () => {
    const hub = await addHub(runtime, site)
    const project = await addProject(runtime, site, { hubId: hub.id })
    const { double, target } = await addPair(project.id)
    const elsewhere = await addPair()
    expect((await link(undefined, double.id, target.id)).status).toBe(401)
    expect((await link(await addPerson(runtime, site), double.id, target.id)).status).toBe(403)
    const stranger = await addPerson(runtime, site, { role: 'hub_admin', hubId: (await addHub(runtime, site)).id })
    expect((await link(stranger, double.id, target.id)).status).toBe(403)
    const own = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })
    const foreign = await link(own, double.id, elsewhere.target.id)
    expect([foreign.status, foreign.body?.errors?.map(({ code, source }) => [code, source?.pointer])]).toEqual([
      422,
      [['not-a-choice', '/data/relationships/target/data']],
    ])
    const unworded = await link(own, double.id, target.id, { kind: 'duplicate_of' })
    expect([unworded.status, unworded.body?.errors?.map(({ code, source }) => [code, source?.pointer])]).toEqual([
      422,
      [['required', '/data/attributes/reason']],
    ])
    const made = await link(own, double.id, target.id)
    expect(made.status).toBe(201)
    expect((await end(stranger, idOf(made.body))).status).toBe(403)
    expect((await end(own, idOf(made.body), { ended: true })).body?.errors?.[0]?.source?.pointer).toBe('/data/attributes/endReason')
    expect((await end(own, idOf(made.body))).status).toBe(200)
  })

  test('relate two contributions without a reason, found from both ends', async () => {
    const { double, target } = await addPair()
    const made = await link(admin, double.id, target.id, { kind: 'related' })
    expect(made.status).toBe(201)
    for (const { id } of [double, target])
      expect(idsOf((await api().get(`/contribution-links?filter[contribution]=${id}`)).body)).toEqual([idOf(made.body)])
    expect((await link(admin, target.id, double.id, { kind: 'related' })).status).toBe(409)
    expect((await end(admin, idOf(made.body), { ended: true })).status).toBe(200)
    expect(idsOf((await api().get(`/contribution-links?filter[contribution]=${double.id}`)).body)).toEqual([])
  })

  test('of unpublished activities are seen by those who moderate them only', async () => {
    const { activity, double, target } = await addPair()
    const made = await link(admin, double.id, target.id)
    await api(admin).patch(
      `/activities/${activity.id}`,
      buildResourceDocument('activities', { status: 'archived' }, { id: activity.id, lockVersion: 1 }),
    )
    expect((await api().get(`/contribution-links/${idOf(made.body)}`)).status).toBe(200)
    expect(idsOf((await api().get('/contribution-links?filter[objected]=true')).body)).toEqual([])
    expect(idsOf((await api().get('/contribution-links?filter[objectionAnswered]=false')).body)).toEqual([])
  })
})

test('contributions are found by number', async () => {
  const { activity, target } = await addPair()
  expect(idsOf((await api().get(`/contributions?filter[activity]=${activity.id}&filter[number]=2`)).body)).toEqual([target.id])
})
