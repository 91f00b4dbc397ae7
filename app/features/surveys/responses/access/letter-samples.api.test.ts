import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let surveyId: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  surveyId = (await addSurvey(runtime, site, { access: 'invited' })).id
})

const SAMPLE = { sent: 20, population: 400, list: { en: 'Electoral register' } }
const api = (person: Person | undefined = admin) => createApiClient(runtime, site, person.token)
const invite = (attributes: Record<string, unknown>) =>
  api().post(
    '/survey-invitation-batches',
    buildResourceDocument('survey-invitation-batches', attributes, { to: { survey: { type: 'surveys', id: surveyId } } }),
  )
const describeBatch = (id: string, attributes: Record<string, unknown>, person?: Person) =>
  api(person).patch(`/survey-invitation-batches/${id}`, buildResourceDocument('survey-invitation-batches', attributes, { id }))
const dataOf = ({ body }: ApiAnswer) => body?.data as { id: string; attributes: Record<string, unknown> }
const faultsOf = ({ body }: ApiAnswer) => (body?.errors ?? []).map(({ code, source }) => [code, source?.pointer])
const readEvents = () =>
  runtime.database.site(site.id).tx((tx) =>
    tx
      .select({ detail: auditEvents.detail })
      .from(auditEvents)
      .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.action, 'surveys.describe-letters')))
      .orderBy(desc(auditEvents.sequence)),
  )

test('codes are made with the sample that their letters go to, which can be corrected, and the trail says what it was', async () => {
  const made = dataOf(await invite({ kind: 'codes', count: 20, sample: SAMPLE }))
  expect(made.attributes).toMatchObject({ kind: 'codes', total: 20, sample: SAMPLE })
  const corrected = { ...SAMPLE, sent: 18 }
  expect(dataOf(await describeBatch(made.id, { sample: corrected })).attributes['sample']).toEqual(corrected)
  expect(dataOf(await describeBatch(made.id, { sample: corrected })).attributes['sample']).toEqual(corrected)
  expect(dataOf(await describeBatch(made.id, { sample: null })).attributes['sample']).toBeNull()
  expect((await readEvents()).map(({ detail }) => detail)).toEqual([
    { letters: 20, changes: { sample: { before: corrected, after: null } } },
    { letters: 20, changes: { sample: { before: SAMPLE, after: corrected } } },
  ])
  expect(dataOf(await invite({ kind: 'codes', count: 2 })).attributes['sample']).toBeNull()
})

test('a sample that cannot be is refused beside what is wrong', async () => {
  const refuse = async (sample: Record<string, unknown>) => faultsOf(await invite({ kind: 'codes', count: 20, sample }))
  const at = (field: string) => `/data/attributes/sample/${field}`
  expect(await refuse({ ...SAMPLE, sent: 21 })).toEqual([['out-of-range', at('sent')]])
  expect(await refuse({ ...SAMPLE, sent: 4 })).toEqual([['out-of-range', at('sent')]])
  expect(await refuse({ ...SAMPLE, population: 19 })).toEqual([['out-of-range', at('population')]])
  expect(await refuse({ ...SAMPLE, list: { en: ' ' } })).toEqual([['required', at('list')]])
  const { id } = dataOf(await invite({ kind: 'codes', count: 20 }))
  expect(faultsOf(await describeBatch(id, { sample: { ...SAMPLE, sent: 21 } }))).toEqual([['out-of-range', at('sent')]])
  const links = await invite({ kind: 'links', emails: ['x@example.org'], sample: SAMPLE })
  expect([links.status, ...links.codes]).toEqual([409, 'conflict'])
})

test('only administrators of the survey say it, and only of letters for surveys', async () => {
  const { id } = dataOf(await invite({ kind: 'codes', count: 20 }))
  const project = await addProject(runtime, site)
  const others = await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
  expect((await describeBatch(id, { sample: SAMPLE }, others)).status).toBeGreaterThanOrEqual(403)
  expect((await describeBatch(id, { sample: SAMPLE }, await addPerson(runtime, site))).status).toBeGreaterThanOrEqual(403)
  expect(dataOf(await api().get(`/survey-invitation-batches/${id}`)).attributes['sample']).toBeNull()
  const activity = await addActivity(runtime, site, { postAccess: 'invited', reactAccess: 'invited' })
  const refused = await api().post(
    '/activity-invitation-batches',
    buildResourceDocument(
      'activity-invitation-batches',
      { kind: 'codes', count: 20, sample: SAMPLE },
      { to: { activity: { type: 'activities', id: activity.id } } },
    ),
  )
  expect([refused.status, ...refused.codes]).toEqual([422, 'unknown-attribute'])
})
