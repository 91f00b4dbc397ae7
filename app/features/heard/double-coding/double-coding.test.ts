import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPartReader } from '#app/features/heard-reports/report-parts.server.ts'
import type { HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import { withdrawContribution as withdrawResponse } from '#app/features/surveys/responses/receipts.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { createCtx, type Ctx, withLanguage } from '#app/server/context.ts'
import { codingSampleCodes, codingSamples, codingSampleTexts, themeEvidence, themes } from '#app/server/db/schema/heard.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { requireItem, requireItems } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addAccount } from '#tests/support/people.ts'
import { addEvidence } from '../evidence.server.ts'
import { countThemes, loadProjectThemes } from '../theme-figures.server.ts'
import { listTextsToRead, markAsRead } from '../written-texts.server.ts'
import { drawSample } from './draw-sample.server.ts'
import { addSampleCode, listSampleTexts, markSampleTextAsRead, removeSampleCode } from './sample-texts.server.ts'
import { getDoubleCoding, settleDisagreement } from './settle-disagreements.server.ts'

let runtime: TestRuntime
let site: Site
let first: Ctx
let second: Ctx
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'twice', languages: ['en', 'fr-CA', 'cy'] })
  first = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  second = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
})
beforeEach(() => runtime.setNow(new Date('2026-03-02T12:00:00Z')))

const refused = (code: string) => expect.objectContaining({ code }) as Error
const wait = (ms: number) => runtime.setNow(new Date(first.now().getTime() + ms))

interface Place {
  project: string
  source: string
  texts: string[]
  codes: string[]
}

/** A question with answers, in their order, that the first person has read. */
async function addRead(count: number, write = (at: number) => `Idea ${at}`): Promise<Place> {
  const survey = await addSurvey(runtime, site)
  const source = `question:${survey.id}:ideas`
  const texts: string[] = []
  const codes: string[] = []
  for (let at = 0; at < count; at++) {
    wait(1000)
    const ctx = createCtx(runtime, site, {})
    const input = { id: v7(), sendKey: 'k'.repeat(22), answers: { name: 'Elm', ideas: write(at) } }
    const { response, code } = await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), input)
    texts.push(response.id)
    codes.push(code)
    await markAsRead(first, { project: survey.projectId, source, id: response.id })
  }
  return { project: survey.projectId, source, texts, codes }
}

async function addTheme(project: string, title: string, position = 1): Promise<string> {
  const id = v7()
  await first.db.tx((tx) => tx.insert(themes).values({ siteId: site.id, id, projectId: project, title: inAllLanguages(title), position }))
  return id
}

const code = (theme: string, sourceId: string, more: object = {}) =>
  addEvidence(first, { theme, source: 'response', sourceId, question: 'ideas', ...more })
const codeSecond = (sample: string, theme: string, id: string, quote = '', start = 0) =>
  addSampleCode(second, { sample, id, question: 'ideas', theme, quote, start })
const readSecond = (sample: string, id: string) => markSampleTextAsRead(second, { sample, id, question: 'ideas' })
const drawnTexts = async (sample: string) =>
  first.db.read(async (tx) =>
    (await tx.select({ id: codingSampleTexts.responseId }).from(codingSampleTexts).where(eq(codingSampleTexts.sampleId, sample))).map(
      ({ id }) => id ?? '',
    ),
  )
const countPeople = async (project: string, theme: string) =>
  first.db.read(async (tx) => (await countThemes(first, tx, project, await loadProjectThemes(first, tx, project))).get(theme)?.people ?? 0)

describe('a sample', () => {
  test('is drawn at random from what others have read, the same for the same seed', async () => {
    const { project, source, texts } = await addRead(14)
    await expect(drawSample(first, { project, source })).rejects.toEqual(refused('nothing-to-draw'))
    // Nobody has read this one, and the second person has read that one.
    const unread = texts[0] ?? ''
    const ownId = texts[1] ?? ''
    await first.db.tx((tx) => tx.execute(sql`delete from theme_readings where source_id = ${unread}`))
    await first.db.tx((tx) => tx.execute(sql`delete from theme_readings where source_id = ${ownId}`))
    await markAsRead(second, { project, source, id: ownId })
    const sample = await drawSample(second, { project, source, size: 10, seed: 'elm street' })
    const drawn = await drawnTexts(sample)
    expect(drawn).toHaveLength(10)
    expect(drawn).not.toContain(unread)
    expect(drawn).not.toContain(ownId)
    const [row] = await first.db.read((tx) => tx.select().from(codingSamples).where(eq(codingSamples.id, sample)))
    expect(row).toMatchObject({ seed: 'elm street', size: 10, drawnFrom: 12, language: null })
    // The order that the seed gives, as the API describes it.
    const hash = (id: string) => createHash('md5').update(`elm street${id}ideas`).digest('hex')
    const expected = texts.slice(2).toSorted((one, other) => (hash(one) < hash(other) ? -1 : 1))
    expect(new Set(drawn)).toEqual(new Set(expected.slice(0, 10)))
    expect(drawn.toSorted()).not.toEqual(texts.slice(2, 12).toSorted())
  })

  test('has 50 texts unless another number is asked for, and is drawn once', async () => {
    const { project, source } = await addRead(3)
    const [one, other] = await Promise.all([drawSample(second, { project, source }), drawSample(second, { project, source })])
    expect(one).toBe(other)
    const [row] = await first.db.read((tx) => tx.select().from(codingSamples).where(eq(codingSamples.id, one)))
    expect(row?.size).toBe(50)
    expect(row?.seed).toMatch(/^[\da-f]{32}$/)
    expect(await drawnTexts(one)).toHaveLength(3)
    // What one person reads second is not drawn for another.
    const third = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
    await expect(drawSample(third, { project, source })).rejects.toEqual(refused('nothing-to-draw'))
  })

  test('is for those who may read answers, and read by the person it was drawn for', async () => {
    const { project, source, texts } = await addRead(2)
    const participant = createCtx(runtime, site, { viewer: await addPerson(runtime, site) })
    await expect(drawSample(participant, { project, source })).rejects.toEqual(refused('forbidden'))
    await expect(getDoubleCoding(participant, { project, source })).rejects.toEqual(refused('forbidden'))
    const sample = await drawSample(second, { project, source })
    await expect(listSampleTexts(first, { sample })).rejects.toEqual(refused('not-found'))
    const [id = ''] = texts
    await expect(markSampleTextAsRead(first, { sample, id, question: 'ideas' })).rejects.toEqual(refused('not-found'))
    await expect(removeSampleCode(first, { sample, code: v7() })).rejects.toEqual(refused('not-found'))
  })

  test('can be drawn by API, which refuses a size out of bounds', async () => {
    const { project, source } = await addRead(2)
    const api = createApiClient(runtime, site, (await addAccount(runtime, site, { role: 'site_admin' })).token)
    const draw = (attributes: Record<string, unknown>) =>
      api.post(
        '/coding-samples',
        buildResourceDocument('coding-samples', attributes, { to: { project: { type: 'projects', id: project } } }),
      )
    expect((await draw({ source, size: 9 })).status).toBe(422)
    expect((await draw({ source, size: 501 })).status).toBe(422)
    const made = await draw({ source })
    expect(made.status).toBe(201)
    expect(requireItem(made).attributes).toMatchObject({
      texts: 2,
      read: 0,
      drawnFrom: 2,
      alpha: null,
      textsOfTwo: 0,
    })
  })
})

describe('the second person', () => {
  test('sees nothing of the first codes, anywhere, until the whole sample is read', async () => {
    const { project, source, texts } = await addRead(2, () => 'More shade, and seats.')
    const theme = await addTheme(project, 'Shade')
    const [one = '', other = ''] = texts
    const evidence = await code(theme, one, { start: 0, quote: 'More shade' })
    const account = await addAccount(runtime, site, { role: 'site_admin' })
    const api = createApiClient(runtime, site, account.token)
    const made = await api.post(
      '/coding-samples',
      buildResourceDocument('coding-samples', { source }, { to: { project: { type: 'projects', id: project } } }),
    )
    const sample = requireItem(made).id
    await first.db.tx((tx) =>
      tx
        .update(codingSamples)
        .set({ coderId: second.viewer.kind === 'user' ? second.viewer.id : '' })
        .where(eq(codingSamples.id, sample)),
    )
    const shown = await listSampleTexts(second, { sample })
    expect(shown.map(({ id, isRead, passages }) => ({ id, isRead, passages }))).toEqual([
      { id: one, isRead: false, passages: [] },
      { id: other, isRead: false, passages: [] },
    ])
    expect(await listTextsToRead(second, { project, source })).toEqual([])
    expect((await getDoubleCoding(second, { project, source })).texts).toEqual([])
    // The first person goes on seeing them.
    expect((await listTextsToRead(first, { project, source })).map(({ passages }) => passages.length)).toEqual([1, 0])
    await readSecond(sample, one)
    expect((await getDoubleCoding(second, { project, source })).texts).toEqual([])
    await readSecond(sample, other)
    expect((await listTextsToRead(second, { project, source })).map(({ passages }) => passages.map(({ id }) => id))).toEqual([
      [evidence],
      [],
    ])
    expect((await getDoubleCoding(second, { project, source })).texts).toMatchObject([
      { words: 'More shade, and seats.', disagreements: [{ theme, reading: 'first', passages: [{ start: 0, end: 10 }], isAgreed: null }] },
    ])
  })

  test('does not find first codes by API', async () => {
    const { project, source, texts } = await addRead(1)
    const theme = await addTheme(project, 'Shade')
    const evidence = await code(theme, texts[0] ?? '')
    const api = createApiClient(runtime, site, (await addAccount(runtime, site, { role: 'site_admin' })).token)
    const find = async () => [
      (await api.get(`/theme-evidence/${evidence}`)).status,
      requireItems(await api.get(`/theme-evidence?filter[theme]=${theme}`)).length,
    ]
    expect(await find()).toEqual([200, 1])
    await api.post(
      '/coding-samples',
      buildResourceDocument('coding-samples', { source }, { to: { project: { type: 'projects', id: project } } }),
    )
    expect(await find()).toEqual([404, 0])
  })

  test('gives themes to passages of what is written there, which count in no figure', async () => {
    const { project, source, texts } = await addRead(2, () => 'More shade 🌳, please.')
    const theme = await addTheme(project, 'Shade')
    const elsewhere = await addTheme((await addSurvey(runtime, site)).projectId, 'Seats')
    const sample = await drawSample(second, { project, source })
    const [id = '', last = ''] = texts
    const given = await codeSecond(sample, theme, id, 'please', 14)
    expect(await codeSecond(sample, theme, id, 'please', 14)).toBe(given)
    await expect(codeSecond(sample, theme, id, 'please', 15)).rejects.toEqual(refused('quote-not-found'))
    await expect(codeSecond(sample, theme, v7())).rejects.toEqual(refused('not-found'))
    await expect(codeSecond(sample, elsewhere, id)).rejects.toEqual(refused('not-found'))
    expect(await countPeople(project, theme)).toBe(0)
    const [shown] = await listSampleTexts(second, { sample })
    expect(shown?.passages).toMatchObject([{ id: given, theme, start: 14, end: 20 }])
    await removeSampleCode(second, { sample, code: given })
    expect((await listSampleTexts(second, { sample }))[0]?.passages).toEqual([])
    // Then nothing can be changed in the light of what the other gave.
    for (const each of [id, last]) await readSecond(sample, each)
    await expect(codeSecond(sample, theme, id)).rejects.toEqual(refused('sample-finished'))
    await expect(removeSampleCode(second, { sample, code: given })).rejects.toEqual(refused('sample-finished'))
  })

  test('loses a text that is withdrawn', async () => {
    const { project, source, texts, codes } = await addRead(2)
    const sample = await drawSample(second, { project, source })
    await withdrawResponse(createCtx(runtime, site, {}), codes[0] ?? '')
    expect(await drawnTexts(sample)).toEqual([texts[1]])
    await first.db.tx((tx) => tx.execute(sql`update responses set answers = answers || '{"ideas": "Another"}' where id = ${texts[1]}`))
    expect(await drawnTexts(sample)).toEqual([])
  })
})

describe('agreement', () => {
  test('is shown from 50 texts on, by theme and over all, and said in the method of the report', async () => {
    const { project, source, texts } = await addRead(50)
    const [shade, seats, none] = [
      await addTheme(project, 'Shade', 1),
      await addTheme(project, 'Seats', 2),
      await addTheme(project, 'None', 3),
    ]
    // Shade: both give it to 5, only one to 10, neither to 35. Seats: both give it to the same 25.
    for (const id of texts.slice(0, 10)) await code(shade, id)
    for (const id of texts.slice(25)) await code(seats, id)
    const sample = await drawSample(second, { project, source })
    for (const id of texts.slice(5, 15)) await codeSecond(sample, shade, id)
    for (const id of texts.slice(25)) await codeSecond(sample, seats, id)
    for (const id of texts.slice(1)) await readSecond(sample, id)
    expect((await getDoubleCoding(first, { project, source })).agreement).toEqual({ texts: 49, needed: 1, alpha: null, themes: [] })
    const describeMethod = (language: Language) =>
      createPartReader(project)(withLanguage(first, language), { id: 'method', type: 'report_method' } as HomeBlock)
    expect(JSON.stringify(await describeMethod('en'))).not.toContain('Krippendorff')
    await readSecond(sample, texts[0] ?? '')
    const { agreement } = await getDoubleCoding(first, { project, source })
    expect(agreement).toMatchObject({ texts: 50, needed: 0 })
    // For two values and two observers: 1 − (n − 1) · o01 / (n0 · n1), with 100 values of which 20 say yes.
    expect(agreement.themes.map(({ theme, both, one }) => ({ theme, both, one }))).toEqual([
      { theme: shade, both: 5, one: 10 },
      { theme: seats, both: 25, one: 0 },
    ])
    expect(agreement.themes.map(({ theme }) => theme)).not.toContain(none)
    expect(agreement.themes[0]?.alpha).toBeCloseTo(1 - (99 * 10) / (80 * 20), 10)
    expect(agreement.themes[1]?.alpha).toBe(1)
    expect(agreement.alpha).toBeCloseTo(1 - 0.2 / ((2 * 20 * 80) / 9900 + (2 * 50 * 50) / 9900), 10)
    expect(JSON.stringify(await describeMethod('en'))).toContain(
      'Two people sorted 50 of these texts independently. Over all themes, their agreement is 0.76',
    )
    expect(JSON.stringify(await describeMethod('fr-CA'))).toContain('leur accord est de 0,76')
    expect(JSON.stringify(await describeMethod('cy'))).toContain('eu cytundeb yw 0.76')
    // A theme that was merged counts as the other.
    await first.db.tx((tx) => tx.update(themes).set({ mergedInto: shade }).where(eq(themes.id, seats)))
    expect((await getDoubleCoding(first, { project, source })).agreement.themes).toMatchObject([{ theme: shade, both: 30, one: 10 }])
  })
})

describe('a disagreement', () => {
  test('is settled by both, counts then, and keeps what each of them gave', async () => {
    const { project, source, texts } = await addRead(3, () => 'More shade, and seats.')
    const [shade, seats, ramps] = [
      await addTheme(project, 'Shade', 1),
      await addTheme(project, 'Seats', 2),
      await addTheme(project, 'Ramps', 3),
    ]
    const [one = '', other = '', third = ''] = texts
    await code(shade, one)
    await code(ramps, other)
    await code(seats, third)
    const sample = await drawSample(second, { project, source })
    await codeSecond(sample, seats, one, 'seats', 16)
    await codeSecond(sample, seats, third, 'seats', 16)
    await codeSecond(sample, shade, one)
    const [text] = await first.db.read((tx) => tx.select().from(codingSampleTexts).where(eq(codingSampleTexts.responseId, one)))
    const [rampText] = await first.db.read((tx) => tx.select().from(codingSampleTexts).where(eq(codingSampleTexts.responseId, other)))
    const keep = { text: text?.id ?? '', theme: seats, isAgreed: true }
    await expect(settleDisagreement(first, keep)).rejects.toEqual(refused('sample-open'))
    for (const id of texts) await readSecond(sample, id)
    const participant = createCtx(runtime, site, { viewer: await addPerson(runtime, site) })
    await expect(settleDisagreement(participant, keep)).rejects.toEqual(refused('forbidden'))
    // Where both gave the theme, if to other words, there is nothing to settle.
    await expect(settleDisagreement(first, { ...keep, theme: shade })).rejects.toEqual(refused('not-found'))
    const found = (await getDoubleCoding(first, { project, source })).texts
    expect(found.map(({ disagreements }) => disagreements.map(({ theme, reading }) => [theme, reading]))).toEqual([
      [[seats, 'second']],
      [[ramps, 'first']],
    ])
    await settleDisagreement(first, keep)
    await settleDisagreement(second, { text: rampText?.id ?? '', theme: ramps, isAgreed: false })
    expect([await countPeople(project, seats), await countPeople(project, ramps)]).toEqual([2, 0])
    const evidence = await first.db.read((tx) => tx.select().from(themeEvidence).where(eq(themeEvidence.projectId, project)))
    expect(evidence.find(({ themeId, responseId }) => themeId === seats && responseId === one)).toMatchObject({
      quote: 'seats',
      state: 'confirmed',
    })
    expect(evidence.find(({ themeId }) => themeId === ramps)?.state).toBe('rejected')
    const codes = await first.db.read((tx) =>
      tx
        .select()
        .from(codingSampleCodes)
        .where(eq(codingSampleCodes.textId, text?.id ?? '')),
    )
    const [firstId, secondId] = [first, second].map(({ viewer }) => (viewer.kind === 'user' ? viewer.id : ''))
    expect(codes.find(({ themeId }) => themeId === seats)).toMatchObject({
      reading: 'second',
      coderId: secondId,
      isAgreed: true,
      settledBy: firstId,
    })
    expect(codes.filter(({ themeId }) => themeId === shade).map(({ coderId, isAgreed }) => [coderId, isAgreed])).toEqual(
      expect.arrayContaining([
        [firstId, null],
        [secondId, null],
      ]),
    )
    // They may change their minds.
    await settleDisagreement(second, { text: rampText?.id ?? '', theme: ramps, isAgreed: true })
    expect(await countPeople(project, ramps)).toBe(1)
  })

  test('keeps its theme from being deleted', async () => {
    const { project, source, texts } = await addRead(1)
    const theme = await addTheme(project, 'Shade')
    const sample = await drawSample(second, { project, source })
    await codeSecond(sample, theme, texts[0] ?? '')
    const api = createApiClient(runtime, site, (await addAccount(runtime, site, { role: 'site_admin' })).token)
    const removed = await api.delete(`/themes/${theme}`)
    expect([removed.status, removed.codes]).toEqual([409, ['in-use']])
  })
})
