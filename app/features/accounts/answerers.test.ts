import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import type { GroupRule } from './accounts.schema.ts'
import { createGroup, loadGroupsById, updateGroup } from './groups.server.ts'
import { listPeople } from './people.list.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Ctx
let survey: string
let hub: string
const people = {} as Record<'bus' | 'foot' | 'trees' | 'withdrawn' | 'silent', Person>

const ctxOf = async ({ token }: Person): Promise<Ctx> => {
  const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, token, runtime.now())
  return createCtx(runtime, site, { viewer })
}
const answer = (person: Person, answers: Record<string, unknown>, withdrawnAt: Date | null = null) =>
  runtime.database.site(site.id).tx((tx) =>
    tx.insert(responses).values({
      siteId: site.id,
      id: createId(),
      surveyId: survey,
      version: 1,
      userId: person.id,
      language: 'en',
      answers,
      withdrawnAt,
      receiptHash: Buffer.from(createId()),
    }),
  )
async function listMembers(rule: GroupRule): Promise<string[]> {
  const group = await createGroup(admin, { name: 'Those', hubId: null, rule })
  const { rows } = await listPeople(admin, { group, sort: [{ by: 'login', descending: false }], offset: 0, limit: 50 })
  return rows.map(({ id }) => id).toSorted()
}
const idsOf = (...names: (keyof typeof people)[]) => names.map((name) => people[name].id).toSorted()

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await ctxOf(await addPerson(runtime, site, { role: 'site_admin' }))
  for (const name of ['bus', 'foot', 'trees', 'withdrawn', 'silent'] as const) people[name] = await addPerson(runtime, site)
  hub = (await addHub(runtime, site)).id
  survey = (await addSurvey(runtime, site, { projectId: (await addProject(runtime, site, { hubId: hub })).id })).id
  await answer(people.bus, { name: 'Fern Street', mode: { choice: 'bus' } })
  await answer(people.foot, { name: 'Fern Street', mode: { choice: 'foot' } })
  await answer(people.trees, { name: 'Fern Street', want: { choices: ['trees', 'seats'] } })
  await answer(people.withdrawn, { name: 'Fern Street', mode: { choice: 'bus' } }, new Date())
})

test('a rule finds who answered a survey, and who chose an option in it, but no withdrawn answer', async () => {
  expect(await listMembers({ answered: { survey } })).toEqual(idsOf('bus', 'foot', 'trees'))
  expect(await listMembers({ answered: { survey, question: 'mode', option: 'bus' } })).toEqual(idsOf('bus'))
  expect(await listMembers({ answered: { survey, question: 'want', option: 'seats' } })).toEqual(idsOf('trees'))
})

test('a rule can be changed, and the group follows', async () => {
  const id = await createGroup(admin, { name: 'Riders', hubId: null, rule: { answered: { survey, question: 'mode', option: 'bus' } } })
  const [before] = await loadGroupsById(admin, [id])
  if (!before) throw new Error('There is no group')
  expect(before.members).toBe(1)
  await updateGroup(admin, before, { rule: { answered: { survey } } }, before.lockVersion)
  expect((await loadGroupsById(admin, [id]))[0]).toMatchObject({ members: 3, rule: { answered: { survey } } })
})

test('a department’s administrators may only ask about answers given to their own department', async () => {
  const other = (await addHub(runtime, site)).id
  const own = await ctxOf(await addPerson(runtime, site, { role: 'hub_admin', hubId: hub }))
  const elsewhere = await ctxOf(await addPerson(runtime, site, { role: 'hub_admin', hubId: other }))
  await createGroup(own, { name: 'Ours', hubId: hub, rule: { answered: { survey } } })
  await expect(createGroup(elsewhere, { name: 'Theirs', hubId: other, rule: { answered: { survey } } })).rejects.toMatchObject({
    faults: [{ code: 'not-a-choice', pointer: '/rule/answered' }],
  })
})
