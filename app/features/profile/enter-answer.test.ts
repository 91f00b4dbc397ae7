import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { profileQuestions } from '#app/server/db/schema/profile.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'phone', languages: ['en'] })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  for (const [key, sensitive, status] of [
    ['home', false, 'live'],
    ['health', true, 'live'],
    ['former', false, 'retired'],
    ['draft', false, 'draft'],
  ] as const) {
    const options = ['en', 'fr'].map((id) => ({ id, label: { en: id } }))
    const texts = { label: { en: key }, purpose: { en: 'To know.' }, options }
    const asked = { askedAt: 'sign-up', retentionMonths: 12, sensitive, status } as const
    await inSite((tx) =>
      tx.insert(profileQuestions).values({ siteId: site.id, id: createId(), key, type: 'one-choice', ...texts, ...asked }),
    )
  }
})

const inSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<T>
const as = (person?: Person) => createApiClient(runtime, site, person?.token)
const say = (by: Person, question: string, choice: string, about?: Person, on = as(by)) =>
  on.post(
    '/profile-answers',
    buildResourceDocument(
      'profile-answers',
      { question, answer: { choice } },
      about ? { to: { user: { type: 'users', id: about.id } } } : {},
    ),
  )
const pointers = ({ body }: ApiAnswer) => body?.errors?.map(({ code, source }) => `${code} ${source?.pointer}`)
const readAnswers = async (by: Person, about: Person) => {
  const { body } = await as(by).get(`/profile-answers?filter[user]=${about.id}`)
  return ((body?.data ?? []) as { attributes: object }[]).map(({ attributes }) => attributes)
}

describe('an answer that a person gave to the team', () => {
  test('is stored as entered by the team, is filtered by, and is in the audit trail', async () => {
    const person = await addPerson(runtime, site)
    expect((await say(admin, 'home', 'en', person)).status).toBe(201)
    expect(await readAnswers(person, person)).toMatchObject([{ question: 'home', answer: { choice: 'en' }, source: 'staff' }])
    // The team may correct what it entered.
    expect((await say(admin, 'home', 'fr', person)).status).toBe(201)
    expect(await readAnswers(admin, person)).toMatchObject([{ answer: { choice: 'fr' }, source: 'staff' }])
    const { body } = await as(admin).get('/users?filter[profile]=home:fr')
    expect(((body?.data ?? []) as { id: string }[]).map(({ id }) => id)).toEqual([person.id])
    const trail = await inSite<object[]>((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, person.id)))
    expect(trail).toMatchObject([
      { action: 'profile-answers.enter', actorId: admin.id, detail: { question: 'home' } },
      { action: 'profile-answers.enter', actorId: admin.id },
    ])
  })

  test('never replaces what the person said, who can change what the team entered', async () => {
    const person = await addPerson(runtime, site)
    expect((await say(admin, 'home', 'en', person)).status).toBe(201)
    expect((await say(person, 'home', 'fr')).status).toBe(201)
    const refused = await say(admin, 'home', 'en', person)
    expect(refused.status).toBe(409)
    expect(refused.codes).toEqual(['said-by-person'])
    expect(await readAnswers(person, person)).toMatchObject([{ answer: { choice: 'fr' }, source: 'person' }])
    // With their own id in the request it is still their own answer.
    expect((await say(person, 'home', 'en', person)).status).toBe(201)
    expect(await readAnswers(person, person)).toMatchObject([{ answer: { choice: 'en' }, source: 'person' }])
  })

  test('is refused for sensitive, retired, unknown and wrong answers', async () => {
    const person = await addPerson(runtime, site)
    expect(pointers(await say(admin, 'health', 'en', person))).toEqual(['not-a-choice /data/attributes/question'])
    expect(pointers(await say(admin, 'draft', 'en', person))).toEqual(['not-a-choice /data/attributes/question'])
    expect(pointers(await say(admin, 'home', 'klingon', person))).toEqual(['not-a-choice /data/attributes/answer'])
    const retired = await say(admin, 'former', 'en', person)
    expect([retired.status, retired.codes]).toEqual([409, ['question-retired']])
    expect(await readAnswers(admin, person)).toEqual([])
  })

  test('can be entered for people whom one manages only', async () => {
    const [hub, project] = [createId(), createId()]
    const title = { en: 'T' }
    const [own, other] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    await inSite(async (tx) => {
      await tx.insert(hubs).values({ siteId: site.id, id: hub, slug: hub, title })
      await tx.insert(projects).values({ siteId: site.id, id: project, slug: project, title, hubId: hub, status: 'published' })
      await tx.insert(projectFollows).values({ siteId: site.id, projectId: project, userId: own.id })
    })
    const manager = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub })
    expect((await say(manager, 'home', 'en', own)).status).toBe(201)
    expect([404, 422]).toContain((await say(manager, 'home', 'en', other)).status)
    expect((await say(own, 'home', 'en', other)).status).not.toBe(201)
    const elsewhere = await addSite(runtime, { slug: 'elsewhere', languages: ['en'] })
    const stranger = await addPerson(runtime, elsewhere, { role: 'site_admin' })
    expect((await say(stranger, 'home', 'en', own, createApiClient(runtime, elsewhere, stranger.token))).status).not.toBe(201)
    expect(await readAnswers(admin, other)).toEqual([])
  })
})
