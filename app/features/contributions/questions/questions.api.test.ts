import { beforeAll, describe, expect, test } from 'vitest'
import type { contributions } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'dyffryn' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
type Attributes = Record<string, unknown>
const attributesOf = (body: { data?: unknown } | undefined) => (body?.data as { attributes: Attributes } | undefined)?.attributes ?? {}
const listOf = (body: { data?: unknown } | undefined) => (body?.data ?? []) as { id: string; attributes: Attributes }[]
type Activity = Awaited<ReturnType<typeof addActivity>>
const LATER = new Date('2999-01-01T00:00:00Z')
const ask = (activity: Activity, number: number, values: Partial<typeof contributions.$inferInsert> = {}) =>
  addContribution(runtime, site, { activityId: activity.id, number, title: `Question ${number}`, dueAt: LATER, ...values })
const answer = (activity: Activity, contribution: string, attributes: Attributes, person?: Person) =>
  api(person ?? admin).post(
    '/official-responses',
    buildResourceDocument('official-responses', attributes, {
      to: {
        contribution: { type: 'contributions', id: contribution },
        status: { type: 'contribution-statuses', id: activity.statuses.find(({ code }) => code === 'answered')?.id ?? '' },
      },
    }),
  )
async function addColleagueElsewhere() {
  const { id: projectId } = await addProject(runtime, site)
  return addPerson(runtime, site, { role: 'project_admin', projectId })
}

const patch = (person: Person | undefined, id: string, attributes: Attributes) =>
  api(person).patch(`/contributions/${id}`, buildResourceDocument('contributions', attributes, { id }))

describe('a question, through the API', () => {
  test('says where it stands to everybody, and who answers it to the team only', async () => {
    const activity = await addActivity(runtime, site, { kind: 'questions' })
    const { id } = await ask(activity, 1)
    expect((await patch(admin, id, { assigneeId: admin.id })).status).toBe(200)
    const shown = attributesOf((await api().get(`/contributions/${id}`)).body)
    expect(shown).toMatchObject({ question: 'assigned', answered: null, dueAt: LATER.toISOString() })
    for (const name of ['assigneeId', 'assigneeName', 'overdue', 'frequentlyAsked']) expect(shown).not.toHaveProperty(name)
    expect(attributesOf((await api(admin).get(`/contributions/${id}`)).body)).toMatchObject({
      assigneeId: admin.id,
      assigneeName: 'site_admin',
      overdue: false,
      frequentlyAsked: false,
    })
    const ideas = await addActivity(runtime, site)
    const idea = await addContribution(runtime, site, { activityId: ideas.id, number: 1 })
    expect(attributesOf((await api(admin).get(`/contributions/${idea.id}`)).body)).toMatchObject({ question: null, dueAt: null })
  })

  test('is assigned by those who may answer there, to those who may', async () => {
    const activity = await addActivity(runtime, site, { kind: 'questions' })
    const { id } = await ask(activity, 1)
    const elsewhere = await addColleagueElsewhere()
    const here = await addPerson(runtime, site, { role: 'project_admin', projectId: activity.projectId })
    const statuses = await Promise.all(
      [undefined, await addPerson(runtime, site), elsewhere].map((person) => patch(person, id, { assigneeId: null })),
    )
    expect(statuses.map(({ status }) => status)).toEqual([401, 403, 403])
    const refused = await patch(here, id, { assigneeId: elsewhere.id })
    expect([refused.status, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/assigneeId'])
    expect((await patch(here, id, { assigneeId: here.id })).status).toBe(200)
  })

  test('is answered privately for its author and the team, and for nobody else', async () => {
    const activity = await addActivity(runtime, site, { kind: 'questions' })
    const author = await addPerson(runtime, site)
    const { id } = await ask(activity, 1, { authorId: author.id })
    const made = await answer(activity, id, { textTranslations: { en: 'For you only.' }, visibility: 'private' })
    expect([made.status, attributesOf(made.body)['visibility']]).toEqual([201, 'private'])
    const path = `/official-responses?filter[contribution]=${id}`
    const single = `/official-responses/${(made.body?.data as { id: string } | undefined)?.id}`
    const elsewhere = await addColleagueElsewhere()
    for (const person of [undefined, await addPerson(runtime, site), elsewhere]) {
      const list = await api(person).get(path)
      expect(listOf(list.body)).toEqual([])
      expect((await api(person).get(single)).status).toBe(404)
    }
    for (const person of [author, admin]) {
      expect(listOf((await api(person).get(path)).body)).toHaveLength(1)
      expect((await api(person).get(single)).status).toBe(200)
    }
    expect(attributesOf((await api().get(`/contributions/${id}`)).body)).toMatchObject({
      question: 'answered_privately',
      answered: 'private',
    })
    expect((await answer(activity, id, { textTranslations: { en: 'No' }, visibility: 'private' }, author)).status).toBe(403)
    expect((await answer(activity, id, { textTranslations: { en: 'No' }, visibility: 'secret' })).status).toBe(422)
  })

  test('is found by its state, by being late, by who answers it and by the date', async () => {
    const activity = await addActivity(runtime, site, { kind: 'questions' })
    const rows = {
      asked: await ask(activity, 1),
      assigned: await ask(activity, 2, { assigneeId: admin.id, dueAt: new Date('2020-01-01T00:00:00Z') }),
      answered_publicly: await ask(activity, 3, { answered: 'public', dueAt: new Date('2020-01-01T00:00:00Z') }),
      answered_privately: await ask(activity, 4, { answered: 'private', state: 'held' }),
      declined: await ask(activity, 5, { state: 'declined', dueAt: new Date('2020-01-01T00:00:00Z') }),
      withdrawn: await ask(activity, 6, { state: 'withdrawn', title: '', body: '' }),
    }
    const findAs = (person: Person | undefined) => async (query: string) => {
      const { body } = await api(person).get(`/contributions?filter[activity]=${activity.id}&${query}`)
      return listOf(body).map(({ attributes }) => attributes['number'])
    }
    const [find, findAsVisitor] = [findAs(admin), findAs(undefined)]
    for (const [state, { number }] of Object.entries(rows).slice(0, 5)) expect(await find(`filter[question]=${state}`)).toEqual([number])
    expect(await find('filter[question]=asked,assigned&sort=dueAt')).toEqual([2, 1])
    expect(await find('filter[overdue]=true')).toEqual([2])
    expect(await find('filter[overdue]=false&sort=number')).toEqual([1, 3, 4, 5, 6])
    expect(await find(`filter[assignee]=${admin.id}`)).toEqual([2])
    expect(await find('filter[state]=held&filter[answered]=no')).toEqual([])
    expect(await find('filter[answered]=private')).toEqual([4])
    // Visitors find what is public, and not by who answers it.
    expect(await findAsVisitor('filter[question]=answered_privately,declined')).toEqual([])
    expect(await findAsVisitor(`filter[assignee]=${admin.id}`)).toEqual([])
    expect(await findAsVisitor('filter[question]=assigned')).toEqual([2])
    expect((await api().get('/contributions?filter[question]=maybe')).status).toBe(400)
  })

  test('becomes a frequently asked one, and its project shows it', async () => {
    const activity = await addActivity(runtime, site, { kind: 'questions' })
    const { id } = await ask(activity, 1)
    expect((await patch(admin, id, { frequentlyAsked: true })).status).toBe(409)
    await answer(activity, id, { textTranslations: { en: 'Yes.', cy: 'Bydd.' }, waived: ['text.fr-CA'] })
    const changed = await patch(admin, id, { frequentlyAsked: true })
    expect([changed.status, attributesOf(changed.body)['frequentlyAsked']]).toEqual([200, true])
    const project = attributesOf((await api().get(`/projects/${activity.projectId}`)).body)
    expect(project['faqs']).toEqual([{ question: { en: 'Question 1' }, answer: { en: 'Yes.', cy: 'Bydd.' } }])
    expect((await patch(await addPerson(runtime, site), id, { frequentlyAsked: false })).status).toBe(403)
  })

  test('that is declined names a rule', async () => {
    const activity = await addActivity(runtime, site, { kind: 'questions' })
    const { id } = await ask(activity, 1, { state: 'held' })
    expect((await patch(admin, id, { state: 'declined', reason: 'It names a driver.' })).status).toBe(422)
    const declined = await patch(admin, id, { state: 'declined', reason: 'It names a driver.', rule: 'personal-data' })
    expect([declined.status, attributesOf(declined.body)['question']]).toEqual([200, 'declined'])
  })

  test('is described, with its filters, where the API describes itself', async () => {
    const { body } = await api().get('/openapi.json')
    const text = JSON.stringify(body)
    for (const word of ['dueAt', 'assigneeId', 'frequentlyAsked', 'answered_privately', 'filter[overdue]', 'filter[question]'])
      expect(text).toContain(word)
  })
})
