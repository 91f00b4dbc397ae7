import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { buildAdministrator } from '#tests/support/people.ts'
import type { ReachPlace } from './reach.schema.ts'
import { readReach } from './reach.server.ts'

const NOW = new Date('2026-11-20T17:00:00Z')

let runtime: TestRuntime
let site: Site
let tongue: string
let born: string
let surveyId: string
let hubId: string
let projectId: string

const inSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<T>

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime, { slug: 'took-part', timeZone: 'America/Toronto' })
  hubId = (await addHub(runtime, site)).id
  projectId = (await addProject(runtime, site, { hubId })).id
  surveyId = (await addSurvey(runtime, site, { projectId })).id
  ;[tongue, born] = [createId(), createId()]
  const kept = { siteId: site.id, purpose: inAllLanguages('P'), askedAt: 'sign-up' as const, retentionMonths: 12, status: 'live' as const }
  const options = ['en', 'fr', 'cy'].map((id) => ({ id, label: inAllLanguages(id.toUpperCase()) }))
  await inSite((tx) =>
    tx.insert(profileQuestions).values([
      { ...kept, id: tongue, key: 'tongue', type: 'one-choice', label: inAllLanguages('Language'), options, position: 0 },
      { ...kept, id: born, key: 'born', type: 'year-of-birth', label: inAllLanguages('Born'), position: 1 },
    ]),
  )
})

async function say(person: Account, questionId: string, option: string): Promise<void> {
  const given = { siteId: site.id, userId: person.id, questionId }
  await inSite(async (tx) => {
    await tx.insert(profileAnswers).values({ ...given, id: createId(), answer: { choice: option }, source: 'person' })
    await tx.insert(profileAnswerOptions).values({ ...given, option })
  })
}

const respond = (userId: string | null, values: Partial<typeof responses.$inferInsert> = {}) => {
  const row = {
    siteId: site.id,
    id: createId(),
    surveyId,
    version: 1,
    language: 'en' as const,
    answers: {},
    receiptHash: Buffer.from(createId()),
  }
  return inSite((tx) => tx.insert(responses).values({ ...row, userId, submittedAt: NOW, ...values }))
}

async function addWhoSaid(count: number, option: string, take: (person: Account) => Promise<unknown> = (person) => respond(person.id)) {
  for (let index = 0; index < count; index++) {
    const person = await addAccount(runtime, site)
    await say(person, tongue, option)
    await take(person)
  }
}

async function read(place?: ReachPlace) {
  const report = await readReach(createCtx(runtime, site, { viewer: buildAdministrator(site.id, ['site_admin']), language: 'en' }), {
    days: 30,
    place,
  })
  return Object.fromEntries(
    (report?.answers ?? []).map(({ key, options }) => [key, Object.fromEntries(options.map(({ option, people }) => [option, people]))]),
  )
}

test('nothing is said about fewer than five people', async () => {
  await addWhoSaid(4, 'en')
  expect(await read()).toEqual({})
})

test('people count once, whatever they did, to the nearest five; a small number and what would give it away are hidden', async () => {
  await addWhoSaid(9, 'en', async (person) => {
    await respond(person.id)
    await respond(person.id)
  })
  await addWhoSaid(2, 'cy')
  // 13 and 2 of 15: the small number follows from the sum.
  expect(await read()).toEqual({ tongue: { en: null, cy: null } })
  const ideas = await addActivity(runtime, site, { projectId })
  let number = 0
  await addWhoSaid(8, 'fr', (person) =>
    addContribution(runtime, site, { activityId: ideas.id, number: ++number, authorId: person.id, submittedAt: NOW, publishedAt: NOW }),
  )
  const shown = (await read())['tongue']
  expect(shown).toMatchObject({ en: 15, cy: null })
  expect(shown?.['fr']).toBeNull()
})

test('what was withdrawn, sent long ago or without an account does not count, nor do other places', async () => {
  const before = await read()
  await addWhoSaid(5, 'fr', (person) => respond(person.id, { withdrawnAt: NOW }))
  await addWhoSaid(5, 'fr', (person) => respond(person.id, { submittedAt: new Date('2026-09-01T12:00:00Z') }))
  await addWhoSaid(5, 'fr', () => respond(null))
  expect(await read()).toEqual(before)
  expect(await read({ kind: 'hub', id: hubId })).toEqual(before)
  expect(await read({ kind: 'project', id: projectId })).toEqual(before)
  const other = await addProject(runtime, site)
  expect(await read({ kind: 'project', id: other.id })).toEqual({})
})

test('years of birth are shown as age groups', async () => {
  for (let index = 0; index < 6; index++) {
    const person = await addAccount(runtime, site)
    await say(person, born, '1956')
    await respond(person.id)
  }
  expect((await read())['born']).toEqual({ '65-74': 5 })
})
