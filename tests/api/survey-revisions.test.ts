import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { thinRevisions } from '#app/features/revisions/thin-revisions.server.ts'
import { SURVEY_HISTORY } from '#app/features/surveys/managing/survey-revisions.server.ts'
import type { Definition, Question } from '#app/features/surveys/surveys.schema.ts'
import { surveyRevisionLists, surveyRevisions, surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

interface Revision {
  id: string
  attributes: {
    note: string
    createdAt: string
    publishedAt: string | null
    author: string | null
    version: number | null
    definition?: Definition
  }
  relationships: { parent: { data: { id: string } | null } }
}

interface Defined {
  attributes: { definition: Definition }
}

const START = Date.parse('2026-03-02T09:00:00Z')
const DAY_MS = 864e5

let runtime: TestRuntime
let site: Site
let editor: Person
let hub: { id: string }
let project: { id: string }
let number = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(new Date(START))
  site = await addSite(runtime, { slug: `saved${++number}` })
  editor = await addPerson(runtime, site, { role: 'site_admin', login: 'Maeve' })
  hub = await addHub(runtime, site, { slug: 'parks' })
  project = await addProject(runtime, site, { hubId: hub.id })
})

const api = (person: Person | undefined = editor, at = site) => createApiClient(runtime, at, person?.token)
const expectData = (answer: ApiAnswer): unknown => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data
}
const write = (id: string, title: string): Question => ({ id, type: 'short_text', title: inAllLanguages(title) })
const ask = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p', questions }] })
const [WHERE, WHY] = [write('where', 'Where?'), write('why', 'Why?')]

async function createSurvey(definition: Definition): Promise<string> {
  const attributes = { titleTranslations: inAllLanguages('Benches'), definition }
  const to = { project: { type: 'projects', id: project.id } }
  return (expectData(await api().post('/surveys', buildResourceDocument('surveys', attributes, { to }))) as { id: string }).id
}
const patch = (id: string, lockVersion: number, attributes: Record<string, unknown>, by = editor) =>
  api(by).patch(`/surveys/${id}`, buildResourceDocument('surveys', attributes, { id, lockVersion }))
/** @returns the lock version */
const save = async (id: string, lockVersion: number, attributes: Record<string, unknown>, by = editor) =>
  (expectData(await patch(id, lockVersion, attributes, by)) as { meta: { lockVersion: number } }).meta.lockVersion
const publish = async (id: string) =>
  expectData(
    await api().post('/survey-versions', buildResourceDocument('survey-versions', {}, { to: { survey: { type: 'surveys', id } } })),
  )
const history = async (id: string, filter = '', by: Person | undefined = editor) =>
  expectData(await api(by).get(`/survey-revisions?filter[survey]=${id}&page[size]=100${filter}`)) as Revision[]
const read = async (id: string) => (expectData(await api().get(`/survey-revisions/${id}`)) as Revision).attributes.definition
/** The definitions in the history, newest first. */
const readHistory = async (id: string) => Promise.all((await history(id)).map((revision) => read(revision.id)))
const draftOf = async (id: string) => (expectData(await api().get(`/surveys/${id}`)) as Defined).attributes.definition
const laterBy = (ms: number) => runtime.setNow(new Date(START + ms))
const countLists = (surveyId: string) =>
  runtime.database
    .site(site.id)
    .tx(async (tx) => (await tx.select().from(surveyRevisionLists).where(eq(surveyRevisionLists.surveyId, surveyId))).length)

describe('the history of a survey’s questions', () => {
  test('has each save of the questions with who and when, newest first, and the questions of each', async () => {
    const colleague = await addPerson(runtime, site, { role: 'site_admin', login: 'Rhys' })
    const id = await createSurvey(ask(WHERE, WHY))
    laterBy(DAY_MS)
    await save(id, 1, { definition: ask(WHERE) }, colleague)
    const listed = await history(id)
    expect(listed.map(({ attributes }) => attributes)).toEqual([
      { note: '', author: 'Rhys', createdAt: '2026-03-03T09:00:00.000Z', publishedAt: null, version: null },
      { note: '', author: 'Maeve', createdAt: '2026-03-02T09:00:00.000Z', publishedAt: null, version: null },
    ])
    expect(listed.map(({ relationships }) => relationships.parent.data?.id)).toEqual([listed[1]?.id, undefined])
    expect(await readHistory(id)).toEqual([ask(WHERE), ask(WHERE, WHY)])
  })

  test('has no revision for other settings, for the same questions again, or for a save that came too late', async () => {
    const id = await createSurvey(ask(WHERE, WHY))
    await save(id, 1, { minutes: 5 })
    await save(id, 2, { definition: ask(WHERE, WHY) })
    expect((await patch(id, 1, { definition: ask(WHY) })).codes).toEqual(['stale'])
    expect(await readHistory(id)).toEqual([ask(WHERE, WHY)])
  })

  test('restores a removed question with its id: the draft is a new revision, and people answer what is published', async () => {
    const id = await createSurvey(ask(WHERE, WHY))
    await publish(id)
    let lock = await save(id, 1, { definition: ask(WHERE) })
    const [, before] = await history(id)
    lock = await save(id, lock, { definition: await read(before?.id ?? ''), revisionNote: 'Restored from Monday' })
    expect(await draftOf(id)).toEqual(ask(WHERE, WHY))
    expect((await history(id)).map(({ attributes }) => [attributes.note, attributes.version])).toEqual([
      ['Restored from Monday', null],
      ['', null],
      ['', 1],
    ])
    // Undone: the draft of before is a revision too.
    await save(id, lock, { definition: ask(WHERE) })
    expect(await readHistory(id)).toEqual([ask(WHERE), ask(WHERE, WHY), ask(WHERE), ask(WHERE, WHY)])
    const versions = expectData(await api().get(`/survey-versions?filter[survey]=${id}`)) as Defined[]
    expect(versions.map(({ attributes }) => attributes.definition)).toEqual([ask(WHERE, WHY)])
  })

  test('says before publication that a question which comes back is asked again, not that it is new', async () => {
    const id = await createSurvey(ask(WHERE, WHY))
    await publish(id)
    const lock = await save(id, 1, { definition: ask(WHERE) })
    await publish(id)
    await save(id, lock, { definition: ask(WHERE, WHY, write('when', 'When?')) })
    const changes = expectData(await api().get(`/survey-changes/${id}`)) as { attributes: { effects: unknown } }
    expect(changes.attributes.effects).toEqual([
      { kind: 'returned', of: 'question', question: 'why', answers: 0 },
      { kind: 'added', of: 'question', question: 'when', answers: 0 },
    ])
  })

  test('marks what was published, with the number of the version', async () => {
    const id = await createSurvey(ask(WHERE))
    await publish(id)
    laterBy(1000)
    await save(id, 1, { definition: ask(WHERE, WHY) })
    laterBy(2000)
    await publish(id)
    laterBy(3000)
    await save(id, 2, { definition: ask(WHY) })
    expect((await history(id)).map(({ attributes: { version, publishedAt } }) => [version, publishedAt])).toEqual([
      [null, null],
      [2, '2026-03-02T09:00:02.000Z'],
      [1, '2026-03-02T09:00:00.000Z'],
    ])
    expect(await readHistory(id)).toEqual([ask(WHY), ask(WHERE, WHY), ask(WHERE)])
    expect((await history(id, '&filter[published]=true')).map(({ attributes }) => attributes.version)).toEqual([2, 1])
  })

  test('does not restore what existing answers forbid', async () => {
    const asNumber: Question = { id: 'where', type: 'yes_no', title: inAllLanguages('Where?') }
    const id = await createSurvey(ask(asNumber))
    const choice: Question = { id: 'where', type: 'consent', title: inAllLanguages('Where?') }
    const lock = await save(id, 1, { definition: ask(choice) })
    await publish(id)
    const [, first] = await history(id)
    const refused = await patch(id, lock, { definition: await read(first?.id ?? '') })
    expect(refused.body?.errors?.map(({ code, source }) => [code, source?.pointer])).toEqual([
      ['question-type-fixed', '/data/attributes/definition/pages/0/questions/0/type'],
    ])
    expect(await draftOf(id)).toEqual(ask(choice))
    expect(await history(id)).toHaveLength(2)
  })

  test('keeps the draft of a survey that has no history yet, before it is saved over', async () => {
    const { id } = await addSurvey(runtime, site, { projectId: project.id, status: 'draft', definition: ask(WHERE, WHY) })
    await save(id, 1, { definition: ask(WHERE) })
    await save(id, 2, { definition: ask(WHY) })
    expect(await readHistory(id)).toEqual(expect.arrayContaining([ask(WHERE, WHY), ask(WHERE), ask(WHY)]))
    expect(await history(id)).toHaveLength(3)
  })

  test('stores a long list once, however often the rest is saved', async () => {
    const options = Array.from({ length: 5000 }, (_, n) => ({ id: `o${n}`, label: { en: `Street ${n}` } }))
    const street: Question = { id: 'street', type: 'dropdown', title: inAllLanguages('Which street?'), options }
    const id = await createSurvey(ask(street, write('why', 'Why?')))
    const titles = ['Why so?', 'Why not?', 'Why ever?']
    for (const [n, title] of titles.entries()) await save(id, n + 1, { definition: ask(street, write('why', title)) })
    expect(await countLists(id)).toBe(1)
    const fewer: Question = { ...street, options: options.slice(1) }
    await save(id, 4, { definition: ask(fewer, WHY) })
    expect(await countLists(id)).toBe(2)
    const drafts = await readHistory(id)
    expect(drafts).toEqual([ask(fewer, WHY), ...titles.toReversed().map((title) => ask(street, write('why', title))), ask(street, WHY)])
    const sizes = await runtime.database
      .site(site.id)
      .tx((tx) => tx.select({ content: surveyRevisions.content }).from(surveyRevisions).where(eq(surveyRevisions.placeId, id)))
    for (const { content } of sizes) expect(JSON.stringify(content).length).toBeLessThan(2000)
  })

  test('is deleted with the survey', async () => {
    const options = Array.from({ length: 60 }, (_, n) => ({ id: `o${n}`, label: { en: `Street ${n}` } }))
    const id = await createSurvey(ask({ id: 'street', type: 'dropdown', title: inAllLanguages('Which?'), options }))
    expect(await countLists(id)).toBe(1)
    expect((await api().delete(`/surveys/${id}`)).status).toBe(204)
    expect([await countLists(id), await history(id)]).toEqual([0, []])
  })
})

describe('old saves', () => {
  /** A save at each of these minutes, each with a question of its own. @returns ids of the revisions */
  async function saveAtMinutes(minutes: readonly number[]): Promise<{ survey: string; ids: string[] }> {
    laterBy(0)
    const survey = await createSurvey(ask(write('m', 'Minute 0')))
    for (const [n, minute] of minutes.slice(1).entries()) {
      laterBy(minute * 60_000)
      await save(survey, n + 1, {
        definition: ask(write('m', `Minute ${minute}`)),
        ...(minute === 2 && { revisionNote: 'Before the meeting' }),
      })
    }
    return { survey, ids: (await history(survey, '&sort=createdAt')).map(({ id }) => id) }
  }

  test('are thinned to the last of each ten minutes, but not what was published, has a note or is the draft', async () => {
    const { survey, ids } = await saveAtMinutes([0, 1, 2, 3, 4, 12, 13])
    await publish(survey)
    laterBy(14 * 60_000)
    await save(survey, 7, { definition: ask(write('m', 'Minute 14')) })
    await thinRevisions(runtime, [SURVEY_HISTORY])
    expect(await history(survey)).toHaveLength(8)
    laterBy(2 * DAY_MS)
    // Of 0, 1, 3 and 4 the last stays, and 12 is the last unpublished one of its ten minutes besides the draft.
    await thinRevisions(runtime, [SURVEY_HISTORY])
    const left = await history(survey, '&sort=createdAt')
    expect(left.map(({ id }) => ids.indexOf(id))).toEqual([2, 4, 5, 6, -1])
    expect(left.map(({ relationships }) => ids.indexOf(relationships.parent.data?.id ?? ''))).toEqual([-1, 2, 4, 5, 6])
    expect(await draftOf(survey)).toEqual(ask(write('m', 'Minute 14')))
    expect(await thinRevisions(runtime, [SURVEY_HISTORY])).toBe(0)
  })

  test('can be listed as they will be kept, before a given time', async () => {
    const { survey, ids } = await saveAtMinutes([0, 1, 2, 3, 4, 12, 13, 14, 25])
    const listBefore = async (minute: number) => {
      const time = new Date(START + minute * 60_000).toISOString()
      return (await history(survey, `&filter[stepsBefore]=${time}`)).map(({ id }) => ids.indexOf(id))
    }
    expect(await listBefore(30)).toEqual([8, 7, 4, 2])
    // The last of the ten minutes is the one at 14, which a list of all of them has shown.
    expect(await listBefore(14)).toEqual([4, 2])
  })

  test('take long lists with them that nothing else has', async () => {
    const list = (length: number) => Array.from({ length }, (_, n) => ({ id: `o${n}`, label: { en: `Street ${n}` } }))
    const askStreet = (length: number) => ask({ id: 'street', type: 'dropdown', title: inAllLanguages('Which?'), options: list(length) })
    const survey = await createSurvey(askStreet(60))
    for (const [n, length] of [61, 62].entries()) await save(survey, n + 1, { definition: askStreet(length) })
    expect(await countLists(survey)).toBe(3)
    laterBy(2 * DAY_MS)
    await thinRevisions(runtime, [SURVEY_HISTORY])
    const left = await readHistory(survey)
    expect(left).toContainEqual(askStreet(62))
    expect(left.length).toBeLessThan(3)
    expect(await countLists(survey)).toBe(left.length)
  })
})

describe('who sees the history', () => {
  test.each([
    ['site_admin', {}, 2],
    ['hub_admin', { hubId: true }, 2],
    ['project_admin', { projectId: true }, 2],
    ['participant', {}, 0],
    ['visitor', {}, 0],
    ['hub_admin of another department', { elsewhere: true }, 0],
  ] as const)('%s', async (name, { hubId, projectId, elsewhere }: { hubId?: true; projectId?: true; elsewhere?: true }, seen) => {
    const id = await createSurvey(ask(WHERE))
    await publish(id)
    await save(id, 1, { definition: ask(WHY) })
    const [newest] = await history(id)
    const role = name === 'participant' || name === 'visitor' ? undefined : (name.split(' ')[0] as 'site_admin')
    const other = elsewhere && (await addHub(runtime, site, { slug: 'roads' }))
    const place = { ...(hubId && { hubId: hub.id }), ...(other && { hubId: other.id }), ...(projectId && { projectId: project.id }) }
    const person = name === 'visitor' ? undefined : await addPerson(runtime, site, { ...(role && { role }), ...place })
    const client = createApiClient(runtime, site, person?.token)
    expect(expectData(await client.get(`/survey-revisions?filter[survey]=${id}`))).toHaveLength(seen)
    expect((await client.get(`/survey-revisions/${newest?.id}`)).status).toBe(seen ? 200 : 404)
  })

  test('nobody of another site, which has the same tables', async () => {
    const id = await createSurvey(ask(WHERE))
    const [revision] = await history(id)
    const other = await addSite(runtime, { slug: `other${number}` })
    const stranger = await addPerson(runtime, other, { role: 'site_admin' })
    expect((await api(stranger, other).get(`/survey-revisions/${revision?.id}`)).status).toBe(404)
    expect(expectData(await api(stranger, other).get('/survey-revisions'))).toEqual([])
    // The second wall: even a query without a condition sees the rows of its own site only.
    const seen = await runtime.database.site(other.id).tx((tx) => tx.select().from(surveyRevisions))
    expect(seen).toEqual([])
  })

  test('a draft’s revision is in the survey’s row, and never in another survey’s history', async () => {
    const [first, second] = [await createSurvey(ask(WHERE)), await createSurvey(ask(WHY))]
    const [row] = await runtime.database.site(site.id).tx((tx) =>
      tx
        .select({ draft: surveys.draftRevisionId })
        .from(surveys)
        .where(and(eq(surveys.siteId, site.id), eq(surveys.id, first))),
    )
    expect((await history(first)).map(({ id }) => id)).toEqual([row?.draft])
    expect((await history(second)).map(({ id }) => id)).not.toContain(row?.draft)
  })
})
