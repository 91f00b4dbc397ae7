import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { v7 } from 'uuid'
import { JOBS } from '#app/root/jobs.ts'
import { replies } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
/** Longer than a decision can be undone. */
const LATER = 60_000
let runtime: TestRuntime
let site: Site
let moderator: Person
let colleague: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  moderator = await addPerson(runtime, site, { role: 'site_admin' })
  colleague = await addPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))
const wait = (ms: number) => runtime.setNow(new Date(runtime.now().getTime() + ms))

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
type Target = Record<string, { type: string; id: string }>
const post = async (person: Person | undefined, type: string, attributes: Record<string, unknown>, to: Target) => {
  const made = await api(person).post(`/${type}`, buildResourceDocument(type, attributes, { to }))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return (made.body?.data as { id: string } | undefined)?.id ?? ''
}
const REASON = { rule: 'off-topic', reason: 'Not about the park.' }
const decide = (contribution: string, decision: string) =>
  post(moderator, 'moderation-decisions', { decision, ...(decision !== 'publish' && REASON) }, { contribution: { type: 'contributions', id: contribution } }) // prettier-ignore

interface Told {
  id: string
  attributes: { kind: string; title: string; subject: string; read: boolean }
}
const listTold = async (person: Person, filter = 'filter[own]=true') =>
  ((await api(person).get(`/notifications?${filter}`)).body?.data ?? []) as Told[]
const kindsOf = async (person: Person) => (await listTold(person)).map(({ attributes }) => attributes.kind)

async function addOwnContribution(values: Partial<Parameters<typeof addContribution>[2]> = {}) {
  const author = await addPerson(runtime, site)
  const activity = await addActivity(runtime, site)
  const { id } = await addContribution(runtime, site, {
    activityId: activity.id,
    number: 1,
    title: 'A bench',
    authorId: author.id,
    ...values,
  })
  return { author, activity, id, page: `/projects/${activity.projectSlug}/${activity.slug}` }
}

describe('an author', () => {
  test.each([
    ['held', 'publish', 'own-published', '/1'],
    ['held', 'decline', 'own-declined', '/receipt?number=1'],
    ['published', 'hold', 'own-held', '/receipt?number=1'],
    ['published', 'remove', 'own-removed', '/receipt?number=1'],
  ] as const)('of something %s is told of the decision to %s, once it cannot be undone', async (state, decision, kind, path) => {
    const { author, id, page } = await addOwnContribution({ state })
    await decide(id, decision)
    expect(await listTold(author)).toEqual([])
    wait(LATER)
    expect((await listTold(author)).map(({ attributes }) => attributes)).toMatchObject([
      { kind, title: 'A bench', subject: `${page}${path}`, read: false },
    ])
  })

  test('is told of an answer, of a merger and of a decided appeal; others are not', async () => {
    const { author, activity, id } = await addOwnContribution()
    const { id: target } = await addContribution(runtime, site, { activityId: activity.id, number: 2 })
    const status = activity.statuses.find(({ code }) => code === 'planned')?.id ?? ''
    await post(
      moderator,
      'official-responses',
      {},
      {
        contribution: { type: 'contributions', id },
        status: { type: 'contribution-statuses', id: status },
      },
    )
    wait(1000)
    await post(
      moderator,
      'contribution-links',
      { kind: 'duplicate_of', reason: 'The same.' },
      {
        contribution: { type: 'contributions', id },
        target: { type: 'contributions', id: target },
      },
    )
    expect(await kindsOf(author)).toEqual(['own-merged', 'own-answered'])
    expect(await kindsOf(await addPerson(runtime, site))).toEqual([])

    const appealed = await addOwnContribution({ state: 'held' })
    const decision = await decide(appealed.id, 'decline')
    wait(LATER)
    const appeal = await post(
      appealed.author,
      'moderation-appeals',
      { words: 'It is about the park.' },
      {
        decision: { type: 'moderation-decisions', id: decision },
      },
    )
    wait(1000)
    const answer = { state: 'upheld', answer: 'It is not.' }
    const answered = await api(colleague).patch(
      `/moderation-appeals/${appeal}`,
      buildResourceDocument('moderation-appeals', answer, { id: appeal }),
    )
    expect(answered.status, JSON.stringify(answered.body)).toBe(200)
    expect((await listTold(appealed.author)).map(({ attributes }) => [attributes.kind, attributes.subject])).toEqual([
      ['own-appeal', `/appeals/${decision}`],
      ['own-declined', `${appealed.page}/receipt?number=1`],
    ])
  })

  test('of a reply is told as well, and of what they decided themselves nobody is', async () => {
    const { activity, id, page } = await addOwnContribution()
    const author = await addPerson(runtime, site)
    const reply = v7()
    await runtime.database.site(site.id).tx((tx) =>
      tx.insert(replies).values({
        siteId: site.id,
        id: reply,
        contributionId: id,
        authorId: author.id,
        shownName: 'Sam',
        body: 'No benches.',
        language: 'en',
        state: 'published',
        receiptHash: Buffer.from(reply),
      }),
    )
    await post(moderator, 'moderation-decisions', { decision: 'remove', ...REASON }, { reply: { type: 'replies', id: reply } })
    const own = await addContribution(runtime, site, { activityId: activity.id, number: 2, authorId: moderator.id })
    await decide(own.id, 'hold')
    wait(LATER)
    expect((await listTold(author)).map(({ attributes }) => [attributes.kind, attributes.subject])).toEqual([['own-removed', `${page}/1`]])
    expect(await listTold(moderator)).toEqual([])
  })
})

test('who reported something is told of the outcome, without names', async () => {
  const { id, page } = await addOwnContribution()
  const reporter = await addPerson(runtime, site)
  await post(reporter, 'moderation-reports', { rule: 'off-topic', words: '' }, { contribution: { type: 'contributions', id } })
  await decide(id, 'remove')
  wait(LATER)
  await JOBS.find(({ name }) => name === 'tell-reporters')?.run(runtime, AbortSignal.timeout(60_000))
  expect((await listTold(reporter)).map(({ attributes }) => [attributes.kind, attributes.subject])).toEqual([['own-report', `${page}/1`]])
})

test('notifications are read one by one, and are their owner’s only', async () => {
  const { author, id } = await addOwnContribution({ state: 'held' })
  await decide(id, 'publish')
  wait(LATER)
  const [told] = await listTold(author)
  const mark = (person: Person) =>
    api(person).patch(`/notifications/${told?.id}`, buildResourceDocument('notifications', { read: true }, { id: told?.id ?? '' }))
  expect((await mark(await addPerson(runtime, site))).status).toBe(404)
  expect((await mark(author)).status).toBe(200)
  expect((await listTold(author))[0]?.attributes.read).toBe(true)
  expect(await listTold(author, 'filter[own]=true&filter[read]=false')).toEqual([])
  expect((await api().get('/notifications')).status).toBe(401)
})
