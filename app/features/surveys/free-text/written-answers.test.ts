import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { themeEvidence } from '#app/server/db/schema/heard.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addSurvey, EVERY_TYPE } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { getCompletion } from '../results/completion.server.ts'
import { keepDraft } from '../responses/drafts.server.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import { withdrawContribution } from '../responses/receipts.server.ts'
import { submitResponse } from '../responses/submit-response.server.ts'
import type { Answers, Question } from '../surveys.schema.ts'
import { listTags, tagAnswers } from './tags.server.ts'
import { listWords, listWrittenAnswers } from './written-answers.server.ts'
import { listMeaningfulWords } from './meaningful-words.ts'

let runtime: TestRuntime
let site: Site
let survey: { id: string }
let admin: Ctx

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  survey = await addSurvey(runtime, site)
  admin = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  await send({ name: 'Elm', ideas: 'More trees, and benches under the trees', mode: { choice: 'bus' } })
  await send({ name: 'Elm', ideas: 'Benches in the shade', mode: { choice: 'foot' } })
  await send({ name: 'Oak', ideas: 'L’ombre des arbres', mode: { choice: 'bus' } }, 'fr-CA')
  await send({ name: 'Ash', ideas: 'A treehouse', mode: { choice: 'foot' } })
})

const sending = (id = v7()) => ({ id, sendKey: 'k'.repeat(22) })
async function send(answers: Answers, language: Language = 'en', id = v7()) {
  const ctx = createCtx(runtime, site, { language })
  return submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), { ...sending(id), answers })
}
const countOf = (tags: readonly { tag: string; answers: number }[], name: string) => tags.find(({ tag }) => tag === name)?.answers ?? 0
const loadTagRows = (responseId: string) =>
  admin.db.read((tx) => tx.select({ theme: themeEvidence.themeId }).from(themeEvidence).where(eq(themeEvidence.responseId, responseId)))
const ideas = () => ({ surveyId: survey.id, question: 'ideas' })
const find = async (search: Partial<Parameters<typeof listWrittenAnswers>[1]> = {}) => {
  const { rows, total } = await listWrittenAnswers(admin, { ...ideas(), offset: 0, limit: 50, ...search })
  expect(total).toBe(rows.length)
  return rows
}

describe('written answers', () => {
  test("are found by their text, and by their writers' other answers", async () => {
    expect((await find()).map(({ text }) => text)).toHaveLength(4)
    expect((await find({ q: 'TREE' })).map(({ text }) => text)).toEqual(['A treehouse', 'More trees, and benches under the trees'])
    expect((await find({ part: { answers: ['mode:foot'] } })).map(({ text }) => text)).toEqual(['A treehouse', 'Benches in the shade'])
    expect(await find({ part: { answers: ['mode:foot', 'mode:bus'], language: ['fr-CA'] } })).toHaveLength(1)
    expect(await find({ part: { answers: ['mode:boat'] } })).toEqual([])
  })

  test('are counted by word, each person once, and each word leads to exactly the answers it was counted in', async () => {
    await send({ name: 'Elm', ideas: 'Trees!' })
    const words = await listWords(admin, ideas())
    expect(words).toEqual([
      { word: 'benches', answers: 2 },
      { word: 'trees', answers: 2 },
    ])
    for (const { word, answers } of words) expect(await find({ word })).toHaveLength(answers)
  })

  test('are tagged one by one or by search, idempotently, and can be untagged', async () => {
    const [first] = await find({ q: 'shade' })
    const tag = (input: Partial<Parameters<typeof tagAnswers>[1]>) =>
      tagAnswers(admin, { survey: survey.id, question: 'ideas', tag: 'Green', ...input })
    expect(await tag({ answers: [first?.responseId ?? ''] })).toMatchObject({ changed: 1 })
    expect(await tag({ found: { q: 'tree' } })).toMatchObject({ changed: 3 })
    expect(await tag({ found: { q: 'tree' } })).toMatchObject({ changed: 0 })
    expect(await tag({ tag: 'By foot', found: { answers: 'mode:foot' } })).toMatchObject({ changed: 2 })
    expect(await listTags(admin, ideas())).toEqual([
      { tag: 'Green', answers: 4 },
      { tag: 'By foot', answers: 2 },
    ])
    expect((await find({ tag: 'By foot' })).map(({ tags }) => tags)).toEqual([
      ['By foot', 'Green'],
      ['By foot', 'Green'],
    ])
    expect((await find({ untagged: true })).map(({ text }) => text)).toEqual(['L’ombre des arbres'])
    expect(await tag({ remove: true, found: { tag: 'By foot' } })).toMatchObject({ changed: 2 })
    expect(await find({ tag: 'Green' })).toHaveLength(2)
  })

  test('lose their tags when withdrawn', async () => {
    const { code, response } = await send({ name: 'Fir', ideas: 'To be taken back' })
    const before = await listTags(admin, ideas())
    await tagAnswers(admin, { survey: survey.id, question: 'ideas', tag: 'Gone', answers: [response.id] })
    await tagAnswers(admin, { survey: survey.id, question: 'ideas', tag: 'Green', answers: [response.id] })
    expect(await listTags(admin, ideas())).toEqual(
      expect.arrayContaining([
        { tag: 'Gone', answers: 1 },
        { tag: 'Green', answers: countOf(before, 'Green') + 1 },
      ]),
    )
    expect(await loadTagRows(response.id)).toHaveLength(2)
    await withdrawContribution(createCtx(runtime, site), code)
    // The tags of other answers stay.
    expect(await listTags(admin, ideas())).toEqual(before)
    expect((await find({ tag: 'Green' })).map(({ text }) => text)).not.toContain('To be taken back')
    expect(await loadTagRows(response.id)).toEqual([])
  })

  test('cannot be read or tagged by people who may not see the responses', async () => {
    const stranger = createCtx(runtime, site, { viewer: await addPerson(runtime, site) })
    await expect(listWrittenAnswers(stranger, { ...ideas(), offset: 0, limit: 5 })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(listWords(stranger, ideas())).rejects.toMatchObject({ code: 'forbidden' })
    await expect(tagAnswers(stranger, { survey: survey.id, question: 'ideas', tag: 'x', found: {} })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})

test('answers from before a question became text are listed with the written ones, with their labels at the time', async () => {
  const items = (...ids: string[]) => ids.map((id) => ({ id, label: { en: `${id} way`, 'fr-CA': `façon ${id}` } }))
  const title = { en: 'Asked' }
  const before: Question[] = [
    { id: 'one', type: 'one_choice', title, options: [...items('bus'), { id: 'o', label: { en: 'Other' }, other: true }] },
    { id: 'some', type: 'several_choices', title, options: items('bus', 'foot') },
    { id: 'grid', type: 'likert', title, rows: items('path', 'lamp'), columns: items('bad', 'good') },
    { id: 'rank', type: 'ranking', title, options: items('bus', 'foot') },
    { id: 'share', type: 'budget', title, options: items('bus', 'foot'), measure: 'points', total: 100 },
    { id: 'many', type: 'number', title },
    { id: 'sure', type: 'yes_no', title },
    { id: 'home', type: 'address', title, ask: 'postcode' },
  ]
  const own = await addSurvey(runtime, site, { definition: { schema: 1, pages: [{ id: 'p', questions: before }] } })
  const ctx = createCtx(runtime, site, { language: 'fr-CA' })
  await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, own.id)), {
    ...sending(),
    answers: {
      one: { choice: 'o', other: 'À cheval' },
      some: { choices: ['bus', 'foot'] },
      grid: { rows: { path: ['bad'], lamp: ['good'] } },
      rank: { ranks: { bus: 2, foot: 1 } },
      share: { amounts: { bus: 40, foot: 60 } },
      many: 3,
      sure: { choice: 'yes' },
      home: { address: { postcode: 'K1A 0B1' } },
    },
  })
  const after = { schema: 1, pages: [{ id: 'p', questions: before.map(({ id }) => ({ id, type: 'long_text', title })) }] }
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(surveyVersions).values({ siteId: site.id, surveyId: own.id, number: 2, definition: after })
    await tx.update(surveys).set({ publishedVersion: 2, definition: after }).where(eq(surveys.id, own.id))
  })
  const written = async (question: string, search: object = {}) =>
    (await listWrittenAnswers(admin, { surveyId: own.id, question, offset: 0, limit: 9, ...search })).rows.map(({ text }) => text)
  expect(await Promise.all(before.map(({ id }) => written(id)))).toEqual([
    ['Other; À cheval'],
    ['façon bus; façon foot'],
    ['façon lamp: façon good; façon path: façon bad'],
    ['façon foot; façon bus'],
    ['façon bus: 40; façon foot: 60'],
    ['3'],
    ['Oui'],
    ['K1A 0B1'],
  ])
  expect(await written('some', { q: 'FOOT' })).toHaveLength(1)
  expect(await written('some', { q: 'boat' })).toEqual([])
})

test('only meaningful words are listed, in each language', () => {
  expect([...listMeaningfulWords('The TREES, and the well-kept benches!', 'en')]).toEqual(['trees', 'well-kept', 'benches'])
  expect([...listMeaningfulWords('L’ombre et l’été d’une école', 'fr-CA')]).toEqual(['ombre', 'été', 'école'])
  expect([...listMeaningfulWords('Mae’r tŷ a’r ŵyn yn y parc', 'cy')]).toEqual(['ŵyn', 'parc'])
})

test('drafts count up to the page of their last answer, and small numbers are suppressed for people without personal data', async () => {
  const own = await addSurvey(runtime, site)
  const visitor = createCtx(runtime, site)
  await submitResponse(visitor, (tx) => requireVisibleSurvey(visitor, tx, eq(surveys.id, own.id)), {
    ...sending(),
    answers: { name: 'Elm' },
  })
  await keepDraft(visitor, { ...sending(), survey: own.id, answers: {} })
  await keepDraft(visitor, { ...sending(), survey: own.id, answers: { name: 'Oak' } })
  await keepDraft(visitor, { ...sending(), survey: own.id, answers: { name: 'Ash', safe: 2 } })
  expect(await getCompletion(admin, own.id)).toMatchObject({
    started: 4,
    pages: [
      { id: 'page1', title: 'Your street', reached: 3 },
      { id: 'page2', reached: 2 },
    ],
    sent: 1,
  })
  const editor = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: own.projectId }] })
  expect(await getCompletion(createCtx(runtime, site, { viewer: editor }), own.id)).toMatchObject({ started: null, sent: null })
})

test('people with an account who answered more than once are counted, and hidden while they are few', async () => {
  const own = await addSurvey(runtime, site, { access: 'anyone' })
  const people = await Promise.all([1, 2, 3].map(() => addPerson(runtime, site)))
  const answer = (viewer: (typeof people)[number] | undefined) => {
    const ctx = createCtx(runtime, site, viewer ? { viewer } : {})
    return submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, own.id)), { ...sending(), answers: { name: 'Elm' } })
  }
  for (const viewer of [...people, people[0], people[0], people[1], undefined, undefined]) await answer(viewer)
  expect((await getCompletion(admin, own.id)).answeredAgain).toBe(2)
  const editor = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: own.projectId }] })
  expect((await getCompletion(createCtx(runtime, site, { viewer: editor }), own.id)).answeredAgain).toBeNull()
})

test('completion of a survey with quotas includes how many places are taken', async () => {
  const quotas = [{ id: 'k', when: { question: 'mode', is: 'any_of' as const, options: ['bus'] }, limit: 9 }]
  const own = await addSurvey(runtime, site, { definition: { ...EVERY_TYPE, quotas } })
  const visitor = createCtx(runtime, site)
  const given: Answers[] = [
    { name: 'Elm', mode: { choice: 'bus' } },
    { name: 'Oak', mode: { choice: 'foot' } },
  ]
  for (const answers of given)
    await submitResponse(visitor, (tx) => requireVisibleSurvey(visitor, tx, eq(surveys.id, own.id)), { ...sending(), answers })
  expect((await getCompletion(admin, own.id)).quotas).toEqual([{ id: 'k', taken: 1 }])
})
