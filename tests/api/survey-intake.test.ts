import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Definition, Question } from '#app/features/surveys/surveys.schema.ts'
import type { ProjectStatus } from '#app/lib/vocabulary/projects.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { JOBS } from '#app/root/jobs.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const after = (ms: number) => new Date(NOON.getTime() + ms)
const KEY = 'only-the-sender-knows'
let runtime: TestRuntime
let site: Site
let admin: ReturnType<typeof createApiClient>

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  runtime.setNow(NOON)
  admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
})
beforeEach(() => runtime.setNow(NOON))

const inSite = <T>(work: (tx: Tx) => Promise<T>) => runtime.database.site(site.id).tx(work)
const stored = (surveyId: string) =>
  inSite((tx) =>
    tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
const kept = (surveyId: string) =>
  inSite((tx) =>
    tx
      .select()
      .from(responseDrafts)
      .where(and(eq(responseDrafts.siteId, site.id), eq(responseDrafts.surveyId, surveyId))),
  )
const to = (surveyId: string) => ({ survey: { type: 'surveys', id: surveyId } })

interface Sending {
  id?: string
  sendKey?: string
  browserToken?: string
  version?: number
  answers?: Record<string, unknown>
}
const respond = (surveyId: string, { id = v7(), ...sending }: Sending = {}, token?: string) =>
  createApiClient(runtime, site, token).post(
    '/responses',
    buildResourceDocument('responses', { answers: { name: 'Elm' }, sendKey: KEY, ...sending }, { id, to: to(surveyId) }),
  )
const keep = (surveyId: string, { id = v7(), ...sending }: Sending, client: { address?: string; token?: string } = {}) =>
  createApiClient(runtime, site, client.token, client).put(
    `/response-drafts/${id}`,
    buildResourceDocument('response-drafts', { answers: {}, sendKey: KEY, ...sending }, { id, to: to(surveyId) }),
  )
const codesOf = (answers: readonly ApiAnswer[]) => answers.map(({ status, codes }) => codes[0] ?? status).toSorted()
const times = (count: number) => Array.from({ length: count }, (_, index) => index)
interface Document {
  id: string
  attributes: Record<string, unknown>
  meta: { lockVersion: number }
}
const one = (answer: ApiAnswer): Document => (answer.body?.data ?? {}) as Document
const receiptOf = (answer: ApiAnswer) => one(answer).attributes['receiptCode']

describe('a survey limited to one response per person', () => {
  const open = () => addSurvey(runtime, site, { access: 'anyone_once' })

  test('refuses clients with neither a browser token nor an account', async () => {
    const survey = await open()
    const sent = await Promise.all(times(60).map(() => respond(survey.id)))
    expect(new Set(codesOf(sent))).toEqual(new Set(['browser-or-account-needed']))
    expect(sent[0]).toMatchObject({ status: 401, body: { errors: [{ source: { pointer: '/data/attributes/browserToken' } }] } })
    expect(await stored(survey.id)).toEqual([])
  })

  test('accepts one of twenty responses from an account, sent at once from as many browsers', async () => {
    const survey = await open()
    const { token } = await addPerson(runtime, site)
    const sent = await Promise.all(
      times(20).map((index) => respond(survey.id, index % 2 ? { browserToken: issueToken(runtime, site, `${KEY}-${index}`) } : {}, token)),
    )
    expect(codesOf(sent)).toEqual([201, ...times(19).map(() => 'already-answered')])
    expect(await stored(survey.id)).toHaveLength(1)
  })

  test('accepts one of twenty responses from a browser, sent at once by different people', async () => {
    const survey = await open()
    const people = await Promise.all(times(10).map(() => addPerson(runtime, site)))
    const sent = await Promise.all(
      times(20).map((index) =>
        respond(
          survey.id,
          { browserToken: issueToken(runtime, site, 'one-browser-for-all') },
          index % 2 ? people[index >> 1]?.token : undefined,
        ),
      ),
    )
    expect(codesOf(sent)).toEqual([201, ...times(19).map(() => 'already-answered')])
    expect(await stored(survey.id)).toHaveLength(1)
  })

  test('recognises a browser that signs in later and an account in another browser, and does not mark those it refuses', async () => {
    const survey = await open()
    const [ana, ben, cai] = await Promise.all([addPerson(runtime, site), addPerson(runtime, site), addPerson(runtime, site)])
    expect((await respond(survey.id, { browserToken: issueToken(runtime, site, 'the-first-browser') })).status).toBe(201)
    expect((await respond(survey.id, { browserToken: issueToken(runtime, site, 'the-first-browser') }, ana.token)).codes).toEqual([
      'already-answered',
    ])
    expect((await respond(survey.id, { browserToken: issueToken(runtime, site, 'the-second-browser') }, ana.token)).status).toBe(201)
    expect((await respond(survey.id, { browserToken: issueToken(runtime, site, 'the-third-browser') }, ana.token)).codes).toEqual([
      'already-answered',
    ])
    expect((await respond(survey.id, { browserToken: issueToken(runtime, site, 'the-third-browser') }, ben.token)).status).toBe(201)
    expect((await respond(survey.id, {}, cai.token)).status).toBe(201)
    expect(await stored(survey.id)).toHaveLength(4)
  })

  test('gives the same response to a repeated request, however often and concurrently it is sent', async () => {
    const survey = await open()
    const { token } = await addPerson(runtime, site)
    const sending = { id: v7(), browserToken: issueToken(runtime, site, 'the-browser-of-ana') }
    const sent = await Promise.all(times(20).map(() => respond(survey.id, sending, token)))
    expect(codesOf(sent)).toEqual(times(20).map(() => 201))
    expect(new Set(sent.map(receiptOf)).size).toBe(1)
    expect(
      (await respond(survey.id, { ...sending, browserToken: issueToken(runtime, site, 'another-browser-of-ana') }, token)).status,
    ).toBe(201)
    expect(await stored(survey.id)).toHaveLength(1)
  })
})

describe('a survey without its own dates', () => {
  const openIn = async (values: Partial<typeof projects.$inferInsert>) => {
    const project = await addProject(runtime, site, values)
    return { project, survey: await addSurvey(runtime, site, { projectId: project.id }) }
  }
  const stateOf = async (surveyId: string) => one(await admin.get(`/surveys/${surveyId}`)).attributes['state']

  test('opens and closes with its project, for responses and drafts', async () => {
    const { survey } = await openIn({ opensAt: after(HOUR), closesAt: after(DAY) })
    const tried = async (now: Date) => {
      runtime.setNow(now)
      return [await stateOf(survey.id), ...codesOf([await respond(survey.id)]), ...codesOf([await keep(survey.id, {})])]
    }
    expect(await tried(NOON)).toEqual(['scheduled', 'survey-not-open', 'survey-not-open'])
    expect(await tried(after(HOUR))).toEqual(['open', 201, 201])
    expect(await tried(after(DAY + 61_000))).toEqual(['closed', 'survey-closed', 'survey-closed'])
    expect(await stored(survey.id)).toHaveLength(1)
  })

  test('is never open longer than its project, even with its own dates', async () => {
    const project = await addProject(runtime, site, { closesAt: after(DAY) })
    const survey = await addSurvey(runtime, site, { projectId: project.id, closesAt: after(5 * DAY) })
    runtime.setNow(after(2 * DAY))
    expect([await stateOf(survey.id), (await respond(survey.id)).codes]).toEqual(['closed', ['survey-closed']])
  })

  test('accepts nothing while its project is unpublished, even from those who may see it, and nothing once it is archived', async () => {
    const { project, survey } = await openIn({ status: 'draft', publishedAt: null })
    const { token } = await addPerson(runtime, site, { role: 'site_admin' })
    expect((await respond(survey.id)).status).toBe(404)
    expect([await stateOf(survey.id), (await respond(survey.id, {}, token)).codes]).toEqual(['preview', ['not-published']])
    const move = (status: ProjectStatus) => inSite((tx) => tx.update(projects).set({ status }).where(eq(projects.id, project.id)))
    await move('published')
    expect([await stateOf(survey.id), (await respond(survey.id, {}, token)).status]).toEqual(['open', 201])
    await move('archived')
    expect([await stateOf(survey.id), (await respond(survey.id, {}, token)).codes]).toEqual(['closed', ['survey-closed']])
  })
})

describe('a published question without answers', () => {
  const safe = (more: object): Question => ({ id: 'safe', title: inAllLanguages('How safe?'), ...more }) as Question
  const asking = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'page1', questions }] })
  const OF_FIVE = asking(safe({ type: 'rating', scale: { max: 5 } }))
  const publish = (id: string) => admin.post('/survey-versions', buildResourceDocument('survey-versions', {}, { to: to(id) }))
  const save = async (id: string, definition: Definition) => {
    const { meta } = one(await admin.get(`/surveys/${id}`))
    return admin.patch(`/surveys/${id}`, buildResourceDocument('surveys', { definition }, { id, lockVersion: meta.lockVersion }))
  }
  const make = async (): Promise<string> => {
    const project = await addProject(runtime, site)
    const attributes = { titleTranslations: inAllLanguages('Your street'), definition: OF_FIVE, access: 'anyone' }
    const made = await admin.post(
      '/surveys',
      buildResourceDocument('surveys', attributes, { to: { project: { type: 'projects', id: project.id } } }),
    )
    const { id } = one(made)
    expect((await publish(id)).status).toBe(201)
    return id
  }

  test.each<[string, Definition, string, string]>([
    ['scale', asking(safe({ type: 'rating', scale: { max: 10 } })), 'scale-fixed', 'scale/max'],
    ['type', asking(safe({ type: 'number' })), 'question-type-fixed', 'type'],
  ])('keeps its %s, so that forms and drafts opened before keep their meaning', async (_what, other, code, field) => {
    const id = await make()
    const draft = v7()
    expect((await keep(id, { id: draft, version: 1, answers: { safe: 4 } })).status).toBe(201)
    const refused = await save(id, other)
    expect(refused).toMatchObject({ status: 422, codes: [code] })
    expect(refused.body?.errors?.[0]?.source?.pointer).toBe(`/data/attributes/definition/pages/0/questions/0/${field}`)
    // A draft definition stored before publishing cannot be published either.
    await inSite((tx) => tx.update(surveys).set({ definition: other }).where(eq(surveys.id, id)))
    expect((await publish(id)).codes).toEqual([code])
    expect((await respond(id, { version: 1, answers: { safe: 5 } })).status).toBe(201)
    expect((await respond(id, { id: draft, version: 1, answers: { safe: 4 } })).status).toBe(201)
    expect((await stored(id)).map(({ version, answers }) => ({ version, answers }))).toEqual([
      { version: 1, answers: { safe: 5 } },
      { version: 1, answers: { safe: 4 } },
    ])
  })

  test('can become text and get new questions beside it: responses are finished on the version they began with', async () => {
    const id = await make()
    const draft = v7()
    expect((await keep(id, { id: draft, answers: { safe: 2 } })).status).toBe(201)
    const now = asking(safe({ type: 'short_text' }), { id: 'why', type: 'short_text', title: inAllLanguages('Why?'), required: true })
    expect((await save(id, now)).status).toBe(200)
    expect((await publish(id)).status).toBe(201)
    runtime.setNow(after(HOUR))
    // Saving again without a version keeps the version it began with.
    expect((await keep(id, { id: draft, answers: { safe: 3 } })).status).toBe(200)
    expect((await kept(id)).map(({ version, answers }) => ({ version, answers }))).toEqual([{ version: 1, answers: { safe: 3 } }])
    expect((await respond(id, { id: draft, version: 1, answers: { safe: 3 } })).status).toBe(201)
    expect((await respond(id, { version: 2, answers: { safe: 'Not very', why: 'Cars' } })).status).toBe(201)
  })
})

describe('draft responses', () => {
  const open = (values: Parameters<typeof addSurvey>[2] = {}) => addSurvey(runtime, site, values)

  test('accept only answers to the survey’s questions, within a length limit', async () => {
    const survey = await open()
    const pointersOf = (answer: ApiAnswer) => answer.body?.errors?.map(({ code, source }) => [code, source?.pointer])
    const unknown = await keep(survey.id, { answers: { name: 'Elm', junk: 'x', more: { choices: ['a'] } } })
    expect(pointersOf(unknown)).toEqual([
      ['unknown-attribute', '/data/attributes/answers/junk'],
      ['unknown-attribute', '/data/attributes/answers/more'],
    ])
    const rows = Object.fromEntries(times(500).map((index) => [`row${index}`, ['a', 'b']]))
    const long = await keep(survey.id, {
      answers: {
        ideas: 'x'.repeat(90_000),
        mode: { choice: 'other', other: 'x'.repeat(90_000) },
        want: { rows },
        safe: 'x'.repeat(90_000),
      },
    })
    expect(long.status).toBe(422)
    expect(pointersOf(long)).toEqual(
      ['ideas', 'mode', 'want', 'safe'].map((question) => ['too-long', `/data/attributes/answers/${question}`]),
    )
    expect(await kept(survey.id)).toEqual([])
  })

  test('keep answers as typed, even if incomplete, too long or invalid', async () => {
    const survey = await open()
    const answers = {
      name: 'A street whose name is longer than forty characters may be shortened later',
      ideas: 'x'.repeat(3900),
      mode: { choice: 'other', other: 'By boat, '.repeat(100).trim() },
      safe: 'four or fi',
    }
    expect((await keep(survey.id, { answers })).status).toBe(201)
    expect((await kept(survey.id))[0]?.answers).toEqual(answers)
  })

  test('are limited per address and survey, and cannot use up other people’s space', async () => {
    const survey = await open({
      definition: { schema: 1, pages: [{ id: 'p', questions: [{ id: 'text', type: 'long_text', title: inAllLanguages('Say') }] }] },
    })
    const other = await open()
    const sent = await Promise.all(
      times(200).map(() => keep(survey.id, { answers: { text: 'x'.repeat(39_000) } }, { address: '192.0.2.7' })),
    )
    const refused = sent.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(50)
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    const bytes = (await kept(survey.id)).reduce((sum, row) => sum + JSON.stringify(row.answers).length, 0)
    expect(bytes).toBeLessThan(5_000_000)
    expect(bytes).toBeGreaterThan(1_000_000)
    expect((await keep(survey.id, { answers: { text: 'Somebody else' } }, { address: '198.51.100.9' })).status).toBe(201)
    expect((await keep(other.id, { answers: { name: 'Elm' } }, { address: '192.0.2.7' })).status).toBe(201)
    runtime.setNow(after(HOUR))
    expect((await keep(survey.id, { answers: { text: 'Later' } }, { address: '192.0.2.7' })).status).toBe(201)
  })

  test('of a whole classroom are all kept, however often each is saved', async () => {
    const survey = await open()
    for (const id of times(40).map(() => v7())) {
      for (const letters of [10, 400, 1900]) {
        const answer = await keep(survey.id, { id, answers: { name: 'Elm', ideas: 'x'.repeat(letters) } }, { address: '203.0.113.5' })
        expect(answer.status).toBeLessThan(300)
      }
    }
    expect(await kept(survey.id)).toHaveLength(40)
  })

  test('are deleted sixty days after their last change, in anonymous surveys too', async () => {
    const survey = await open({ anonymous: true })
    const [left, goneOnWith] = [v7(), v7()]
    for (const id of [left, goneOnWith]) expect((await keep(survey.id, { id, answers: { name: 'Elm' } })).status).toBe(201)
    const sweep = () => JOBS.find(({ name }) => name === 'sweep-response-drafts')?.run(runtime, new AbortController().signal)
    runtime.setNow(after(59 * DAY))
    expect((await keep(survey.id, { id: goneOnWith, answers: { name: 'Elm Street' } })).status).toBe(200)
    await sweep()
    expect(await kept(survey.id)).toHaveLength(2)
    runtime.setNow(after(60 * DAY + 1000))
    await sweep()
    expect((await kept(survey.id)).map(({ id }) => id)).toEqual([goneOnWith])
    runtime.setNow(after(120 * DAY))
    await sweep()
    expect(await kept(survey.id)).toEqual([])
  })
})
