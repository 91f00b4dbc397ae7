import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findWrongCounts } from '#app/features/surveys/responses/response-counts.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { contributions, reactions } from '#app/server/db/schema/contributions.ts'
import { crowds } from '#app/server/db/schema/crowds.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { sweepCrowds } from './crowds.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
let runtime: TestRuntime
let site: Site
let admin: string

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = (await addPerson(runtime, site, { role: 'site_admin' })).token
})
beforeEach(() => runtime.setNow(NOON))

let places = 0
/** An address that nobody has sent from yet. */
const nextAddress = () => `198.51.${(++places >> 8) & 255}.${places & 255}`
const api = (address = nextAddress(), token?: string) => createApiClient(runtime, site, token, { address })
const asAdmin = () => api(undefined, admin)
const attributesOf = (body: { data?: unknown } | undefined) =>
  (body?.data as { attributes: { counted?: boolean; state?: string } } | undefined)?.attributes ?? {}

function support(contribution: string, address: string, browser?: string, token?: string) {
  const id = createId()
  const to = { contribution: { type: 'contributions', id: contribution } }
  const browserToken = issueToken(runtime, site, browser)
  return api(address, token).put(`/reactions/${id}`, buildResourceDocument('reactions', { value: 'support', browserToken }, { id, to }))
}

function post(activity: string, address: string, token?: string) {
  const attributes = { title: 'More trees', body: 'Along the river', shownAs: 'anonymous', sendKey: 'only-the-sender-knows' }
  const to = { activity: { type: 'activities', id: activity } }
  return api(address, token).post('/contributions', buildResourceDocument('contributions', attributes, { id: createId(), to }))
}

function answer(survey: string, address: string, token?: string) {
  const attributes = { answers: { name: 'Fern Street' }, sendKey: 'only-the-sender-knows', browserToken: issueToken(runtime, site) }
  const to = { survey: { type: 'surveys', id: survey } }
  return api(address, token).post(
    '/responses',
    buildResourceDocument('responses', attributes, { id: v7({ msecs: NOON.getTime() - 60_000 }), to }),
  )
}

const times = async <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  for (let from = 0; from < count; from += 20)
    done.push(...(await Promise.all(Array.from({ length: Math.min(20, count - from) }, (_, index) => act(from + index)))))
  return done
}

async function addIdea() {
  const activity = await addActivity(runtime, site, { moderation: 'after', postAccess: 'anyone', reactAccess: 'anyone' })
  return { activity, id: (await addContribution(runtime, site, { activityId: activity.id, number: 1, supports: 0 })).id }
}

const inSite = <T>(read: (tx: Parameters<Parameters<ReturnType<typeof createCtx>['db']['tx']>[0]>[0]) => Promise<T>) =>
  createCtx(runtime, site).db.tx(read)
const loadSupports = (id: string) =>
  inSite(async (tx) => {
    const [row] = await tx.select({ supports: contributions.supports }).from(contributions).where(eq(contributions.id, id))
    const rows = await tx.select({ counted: reactions.counted }).from(reactions).where(eq(reactions.contributionId, id))
    return { shown: row?.supports, stored: rows.length, counted: rows.filter(({ counted }) => counted).length }
  })
const loadAnswers = (id: string) =>
  inSite(async (tx) => {
    const [row] = await tx.select({ all: surveys.responsesCount }).from(surveys).where(eq(surveys.id, id))
    const rows = await tx
      .select({ counted: responses.counted, doubt: responses.doubt })
      .from(responses)
      .where(and(eq(responses.surveyId, id), sql`withdrawn_at is null`))
    return { shown: row?.all, stored: rows.length, counted: rows.filter(({ counted }) => counted).length }
  })
const listOf = async (filter: string, token = admin) =>
  ((await api(undefined, token).get(`/crowds?${filter}`)).body?.data ?? []) as {
    id: string
    attributes: { number: number; decision: string | null }
  }[]
const decide = (id: string, decision: string, token = admin) =>
  api(undefined, token).patch(`/crowds/${id}`, { data: { type: 'crowds', id, attributes: { decision } } })

describe('from one address, within an hour', () => {
  test('200 ideas are stored: 30 are public where moderation is “after”, the others wait for a moderator', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after', postAccess: 'anyone' })
    const address = nextAddress()
    const sent = await times(200, () => post(activity.id, address))
    expect(sent.every(({ status }) => status === 201)).toBe(true)
    const states = sent.map(({ body }) => attributesOf(body).state)
    expect(states.filter((state) => state === 'published')).toHaveLength(30)
    expect(states.filter((state) => state === 'held')).toHaveLength(170)
    expect((await post(activity.id, nextAddress())).body).toMatchObject({ data: { attributes: { state: 'published' } } })
  })

  test('replies and contributions are counted together', async () => {
    const { activity, id } = await addIdea()
    const address = nextAddress()
    await times(29, () => post(activity.id, address))
    const reply = () =>
      api(address).post(
        '/replies',
        buildResourceDocument(
          'replies',
          { body: 'Yes', sendKey: 'only-the-sender-knows' },
          { id: createId(), to: { contribution: { type: 'contributions', id } } },
        ),
      )
    expect((await reply()).body).toMatchObject({ data: { attributes: { state: 'published' } } })
    expect((await reply()).body).toMatchObject({ data: { attributes: { state: 'held' } } })
  })

  test('400 supports with tokens that we issued are stored, 60 count, and the sender of another is told', async () => {
    const { id } = await addIdea()
    const address = nextAddress()
    const sent = await times(400, () => support(id, address))
    expect(sent.every(({ status }) => status === 201)).toBe(true)
    expect(sent.filter(({ body }) => attributesOf(body).counted)).toHaveLength(60)
    expect(await loadSupports(id)).toEqual({ shown: 60, stored: 400, counted: 60 })
    expect(attributesOf((await support(id, nextAddress())).body)).toMatchObject({ counted: true })
    expect(await loadSupports(id)).toEqual({ shown: 61, stored: 401, counted: 61 })
  })

  test('80 answers to a survey that accepts one from each browser are stored, and 60 count', async () => {
    const survey = await addSurvey(runtime, site, { access: 'anyone_once' })
    const address = nextAddress()
    const sent = await times(80, () => answer(survey.id, address))
    expect(sent.every(({ status }) => status === 201)).toBe(true)
    expect(sent.filter(({ body }) => attributesOf(body).counted)).toHaveLength(60)
    expect(await loadAnswers(survey.id)).toEqual({ shown: 60, stored: 80, counted: 60 })
    const results = await asAdmin().get(`/survey-results?filter[survey]=${survey.id}`)
    expect(results.body?.data).toMatchObject([{ attributes: { responses: 60 } }])
  })

  test('an IPv6 network of 64 bits is one address', async () => {
    const { id } = await addIdea()
    await times(61, (index) => support(id, `2001:db8:7:7::${(index + 1).toString(16)}`))
    expect(await loadSupports(id)).toEqual({ shown: 60, stored: 61, counted: 60 })
  })

  test('people who are signed in always count', async () => {
    const { id } = await addIdea()
    const address = nextAddress()
    await times(61, () => support(id, address))
    const { token } = await addPerson(runtime, site)
    expect(attributesOf((await support(id, address, undefined, token)).body)).toMatchObject({ counted: true })
  })

  test('an hour and a half later they count again', async () => {
    const { id } = await addIdea()
    const address = nextAddress()
    await times(70, () => support(id, address))
    runtime.setNow(new Date(NOON.getTime() + 120 * 60_000))
    expect(attributesOf((await support(id, address)).body)).toMatchObject({ counted: true })
  })

  test('what does not count is taken back without a trace', async () => {
    const { id } = await addIdea()
    const address = nextAddress()
    await times(60, () => support(id, address))
    const { body } = await support(id, address)
    expect((await api(address).delete(`/reactions/${(body?.data as { id: string } | undefined)?.id}`)).status).toBe(204)
    expect(await loadSupports(id)).toEqual({ shown: 60, stored: 60, counted: 60 })
  })
})

describe('quotas', () => {
  test('take no places for answers that do not count, until somebody decides that they do', async () => {
    const definition = {
      schema: 1 as const,
      pages: [{ id: 'p', questions: [{ id: 'name', type: 'short_text' as const, title: { en: 'Which street?' } }] }],
      quotas: [{ id: 'all', limit: 65, when: { question: 'name', is: 'answered' as const } }],
    }
    const survey = await addSurvey(runtime, site, { access: 'anyone', definition: definition })
    const address = nextAddress()
    const sent = await times(70, () => answer(survey.id, address))
    expect(sent.every(({ status }) => status === 201)).toBe(true)
    expect(await loadAnswers(survey.id)).toEqual({ shown: 60, stored: 70, counted: 60 })
    const [crowd] = await listOf(`filter[survey]=${survey.id}`)
    await decide(crowd?.id ?? '', 'counted')
    expect(await loadAnswers(survey.id)).toEqual({ shown: 70, stored: 70, counted: 70 })
    expect((await answer(survey.id, nextAddress())).codes).toEqual(['quota-full'])
  })
})

describe('the list of unusually many from one place', () => {
  test('shows what it is about, when and how many; the decision counts, can be changed, and is in the audit trail', async () => {
    const { activity, id } = await addIdea()
    await times(75, () => support(id, '203.0.113.75'))
    const [crowd, ...others] = await listOf(`filter[activity]=${activity.id}`)
    expect(others).toEqual([])
    expect(crowd).toMatchObject({
      attributes: { number: 15, decision: null, firstAt: NOON.toISOString(), lastAt: NOON.toISOString() },
      relationships: { activity: { data: { id: activity.id } }, survey: { data: null } },
    })
    expect((await decide(crowd?.id ?? '', 'counted')).status).toBe(200)
    expect(await loadSupports(id)).toEqual({ shown: 75, stored: 75, counted: 75 })
    await decide(crowd?.id ?? '', 'not-counted')
    expect(await loadSupports(id)).toEqual({ shown: 60, stored: 75, counted: 60 })
    await decide(crowd?.id ?? '', 'counted')
    expect(await loadSupports(id)).toEqual({ shown: 75, stored: 75, counted: 75 })
    const trail = await asAdmin().get(`/audit-events?filter[action]=activities.decide-crowd`)
    expect(trail.body?.data).toHaveLength(3)
  })

  test('counts answers in every figure, and takes them out again', async () => {
    const survey = await addSurvey(runtime, site)
    const address = nextAddress()
    await times(72, () => answer(survey.id, address))
    const [crowd] = await listOf(`filter[survey]=${survey.id}`)
    expect(crowd?.attributes.number).toBe(12)
    const page = await asAdmin().get(`/responses?filter[survey]=${survey.id}&page[size]=100`)
    expect([page.body?.meta, (page.body?.data as unknown[] | undefined)?.length]).toMatchObject([{ total: 72 }, 72])
    for (const [decision, all] of [
      ['counted', 72],
      ['not-counted', 60],
      ['counted', 72],
    ] as const) {
      expect((await decide(crowd?.id ?? '', decision)).status).toBe(200)
      expect(await loadAnswers(survey.id)).toEqual({ shown: all, stored: 72, counted: all })
      const results = await asAdmin().get(`/survey-results?filter[survey]=${survey.id}`)
      expect(results.body?.data).toMatchObject([{ attributes: { responses: all } }])
      expect(await inSite((tx) => findWrongCounts(tx, site.id, survey.id))).toEqual([])
    }
  })

  test('goes on with a new entry after a decision', async () => {
    const { activity, id } = await addIdea()
    const address = nextAddress()
    await times(62, () => support(id, address))
    const [crowd] = await listOf(`filter[activity]=${activity.id}`)
    await decide(crowd?.id ?? '', 'counted')
    await support(id, address)
    expect(await loadSupports(id)).toEqual({ shown: 62, stored: 63, counted: 62 })
    expect((await listOf(`filter[activity]=${activity.id}`)).map(({ attributes }) => [attributes.number, attributes.decision])).toEqual([
      [1, null],
      [2, 'counted'],
    ])
    expect(await listOf(`filter[activity]=${activity.id}&filter[waiting]=true`)).toHaveLength(1)
  })

  test('is for those who moderate there, or may see the responses', async () => {
    const own = await addProject(runtime, site)
    const activity = await addActivity(runtime, site, { projectId: own.id, reactAccess: 'anyone' })
    const idea = await addContribution(runtime, site, { activityId: activity.id, number: 1, supports: 0 })
    const survey = await addSurvey(runtime, site, { projectId: own.id })
    const address = nextAddress()
    await times(61, () => support(idea.id, address))
    await times(61, () => answer(survey.id, address))
    const insider = (await addPerson(runtime, site, { role: 'project_admin', projectId: own.id })).token
    const outsider = (await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })).token
    const participant = (await addPerson(runtime, site)).token
    expect(await listOf('', insider)).toHaveLength(2)
    const [crowd] = await listOf(`filter[activity]=${activity.id}`)
    for (const [token, status] of [
      [outsider, 404],
      [participant, 403],
    ] as const) {
      expect(await listOf(`filter[activity]=${activity.id}`, token)).toEqual([])
      expect((await decide(crowd?.id ?? '', 'counted', token)).status).toBe(status)
    }
    expect(
      (await api().patch(`/crowds/${crowd?.id}`, { data: { type: 'crowds', id: crowd?.id, attributes: { decision: 'counted' } } })).status,
    ).toBe(401)
    expect((await decide(crowd?.id ?? '', 'counted', insider)).status).toBe(200)
  })

  test('keeps a keyed hash of the address for two days', async () => {
    const { activity, id } = await addIdea()
    await times(61, () => support(id, '203.0.113.99'))
    const load = () => inSite((tx) => tx.select().from(crowds).where(eq(crowds.activityId, activity.id)))
    const [kept] = await load()
    expect(kept?.addressHash).toHaveLength(32)
    expect(JSON.stringify(kept)).not.toContain('203.0.113.99')
    await inSite((tx) => sweepCrowds(tx, site.id, new Date(NOON.getTime() + 47 * 3_600_000)))
    expect((await load())[0]?.addressHash).toHaveLength(32)
    await inSite((tx) => sweepCrowds(tx, site.id, new Date(NOON.getTime() + 49 * 3_600_000)))
    expect((await load())[0]?.addressHash).toBeNull()
  })

  test('a decision while others arrive loses none and counts none twice', async () => {
    const { activity, id } = await addIdea()
    const address = nextAddress()
    await times(70, () => support(id, address))
    const [crowd] = await listOf(`filter[activity]=${activity.id}`)
    await Promise.all([
      ...Array.from({ length: 10 }, () => support(id, address)),
      decide(crowd?.id ?? '', 'counted'),
      ...Array.from({ length: 5 }, () => support(id, nextAddress())),
    ])
    const { shown, stored, counted } = await loadSupports(id)
    expect(stored).toBe(85)
    expect(shown).toBe(counted)
  })
})

describe('addresses that the site lists', () => {
  const list = (sharedNetworks: unknown, token = admin) =>
    api(undefined, token).patch(`/sites/${site.id}`, { data: { type: 'sites', id: site.id, attributes: { sharedNetworks } } })
  const refresh = async () => {
    const [row] = await runtime.database.global.select().from(sites).where(eq(sites.id, site.id))
    site = { ...site, ...row }
  }

  test('may send more: two hundred people of a library are all stored, and all counted', async () => {
    const { id } = await addIdea()
    const survey = await addSurvey(runtime, site, { access: 'anyone_once' })
    const library = '192.0.2.200'
    await times(200, () => support(id, library))
    await times(200, () => answer(survey.id, library))
    expect(await loadSupports(id)).toMatchObject({ stored: 200, counted: 60 })
    expect(await loadAnswers(survey.id)).toMatchObject({ stored: 200, counted: 60 })
    expect((await list(['192.0.2.0/24', '2001:db8:5::/48'])).status).toBe(200)
    await refresh()
    const again = await addIdea()
    const listed = await addSurvey(runtime, site, { access: 'anyone_once' })
    await times(200, () => support(again.id, library))
    await times(200, () => answer(listed.id, library))
    expect(await loadSupports(again.id)).toEqual({ shown: 200, stored: 200, counted: 200 })
    expect(await loadAnswers(listed.id)).toEqual({ shown: 200, stored: 200, counted: 200 })
    const school = await addIdea()
    await times(100, (index) => support(school.id, `2001:db8:5:1::${index.toString(16)}`))
    expect(await loadSupports(school.id)).toMatchObject({ counted: 100 })
    expect((await list([])).status).toBe(200)
    await refresh()
  })

  test.each([
    ['a name', ['library.example.org']],
    ['a network too many people share', ['0.0.0.0/0']],
    ['too many bits', ['192.0.2.0/33']],
    ['a range', ['192.0.2.1-192.0.2.9']],
    ['a second line', ['192.0.2.1', '192.0.2.x']],
  ])('are refused with what is wrong: %s', async (_, networks) => {
    const refused = await list(networks)
    expect([refused.status, refused.codes, refused.body?.errors?.[0]?.source?.pointer]).toEqual([
      422,
      [networks[0] === '0.0.0.0/0' ? 'network-too-wide' : 'not-a-network'],
      '/data/attributes/sharedNetworks',
    ])
  })

  test('are set and read by site administrators only', async () => {
    const editor = (await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })).token
    expect((await list(['192.0.2.1'], editor)).status).toBe(403)
    const seen = await api(undefined, editor).get(`/sites/${site.id}`)
    expect(JSON.stringify(seen.body)).not.toContain('sharedNetworks')
    expect(JSON.stringify((await asAdmin().get(`/sites/${site.id}`)).body)).toContain('sharedNetworks')
  })
})
