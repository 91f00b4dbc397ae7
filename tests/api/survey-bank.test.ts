import { beforeAll, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})

const question = {
  id: 'trees',
  type: 'yes_no',
  title: inAllLanguages('More trees?'),
  showIf: { question: 'name', is: 'answered' },
}
const idOf = (answer: ApiAnswer): string => (answer.body?.data as { id?: string } | undefined)?.id ?? ''
const keep = (survey: string) => buildResourceDocument('bank-questions', { question }, { to: { survey: { type: 'surveys', id: survey } } })

test('editors of a survey save its questions for the whole site; the person who saved one, or an editor of all surveys, removes it', async () => {
  const project = await addProject(runtime, site)
  const survey = await addSurvey(runtime, site, { projectId: project.id, status: 'draft' })
  const own = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })).token)
  const elsewhere = createApiClient(
    runtime,
    site,
    (await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })).token,
  )
  const admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)

  const kept = await own.post('/bank-questions', keep(survey.id))
  expect(kept.status, JSON.stringify(kept.body)).toBe(201)
  const id = idOf(kept)
  // The rule refers to another question of that survey, so it is dropped.
  const listed = await elsewhere.get('/bank-questions')
  expect(listed.body?.data).toMatchObject([
    { id, attributes: { question: { id: 'trees', title: inAllLanguages('More trees?') } }, meta: { can: { remove: false } } },
  ])
  expect(JSON.stringify(listed.body)).not.toContain('showIf')
  expect((await elsewhere.post('/bank-questions', keep(survey.id))).status).not.toBe(201)
  expect((await elsewhere.delete(`/bank-questions/${id}`)).status).toBe(403)
  expect((await own.delete(`/bank-questions/${id}`)).status).toBe(204)

  const again = idOf(await own.post('/bank-questions', keep(survey.id)))
  expect((await admin.delete(`/bank-questions/${again}`)).status).toBe(204)
})

test('the bank is hidden from people who edit no survey, and from other sites', async () => {
  const survey = await addSurvey(runtime, site, { status: 'draft' })
  const admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  const id = idOf(await admin.post('/bank-questions', keep(survey.id)))
  const other = await addSite(runtime, { slug: 'harbour' })
  const strangers = [
    createApiClient(runtime, site),
    createApiClient(runtime, site, (await addPerson(runtime, site)).token),
    createApiClient(runtime, other, (await addPerson(runtime, other, { role: 'site_admin' })).token),
  ]
  for (const stranger of strangers) {
    expect((await stranger.get('/bank-questions')).body?.data ?? []).toEqual([])
    expect((await stranger.get(`/bank-questions/${id}`)).status).toBe(404)
  }
})
