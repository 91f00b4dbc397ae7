import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withdrawContribution as withdrawResponse } from '#app/features/surveys/responses/receipts.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { themeEvidence, themes, themeSuggestionRuns } from '#app/server/db/schema/heard.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addSurvey } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addAccount } from '#tests/support/people.ts'
import { countReading } from '../written-texts.server.ts'
import { makeSuggestions } from './make-suggestions.server.ts'
import { suggestThemes } from './suggest-themes.ts'
import { requestSuggestions } from './suggestion-runs.server.ts'

const NOW = new Date('2026-03-02T12:00:00Z')
const SHADE = ['More shade at the stop.', 'No shade in July. Thank you for asking.', 'Shade and shelter, please.', 'Trees give shade.']
const RAMP = ['The ramp is too steep.', 'A steep ramp again.', 'Wheelchairs need a ramp.', 'Ramp, ramp, ramp.']

let runtime: TestRuntime
let site: Site
let admin: Ctx
let api: ReturnType<typeof createApiClient>
let other: ReturnType<typeof createApiClient>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'suggesting', languages: ['en', 'fr-CA', 'cy'] })
  admin = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  api = createApiClient(runtime, site, (await addAccount(runtime, site, { role: 'site_admin' })).token)
  other = createApiClient(runtime, site, (await addAccount(runtime, site, { role: 'site_admin' })).token)
})
beforeEach(() => runtime.setNow(NOW))

type Survey = Awaited<ReturnType<typeof addSurvey>>
interface Doc {
  id: string
  attributes: Record<string, unknown> & { label: string[]; words: string }
  relationships: Record<string, { data: { id: string } | null }>
}
const idOf = (given: ApiAnswer): string => {
  expect(given.status, JSON.stringify(given.body)).toBeLessThan(300)
  return (given.body?.data as { id: string } | undefined)?.id ?? ''
}
async function sendAnswer(survey: Survey, ideas: string, language: Language = 'en') {
  const ctx = createCtx(runtime, site, { language })
  const input = { id: v7(), sendKey: 'k'.repeat(22), answers: { name: 'Elm', ideas } }
  const { code, response } = await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), input)
  return { code, id: response.id }
}
const sourceOf = (survey: Survey) => `question:${survey.id}:ideas`
async function addAnswered(texts: readonly string[] = [...SHADE, ...RAMP]) {
  const survey = await addSurvey(runtime, site)
  const sent = []
  for (const text of texts) sent.push(await sendAnswer(survey, text))
  return { survey, sent }
}
const ask = (survey: Survey, client = api, language: Language = 'en') =>
  client.post(
    '/theme-suggestion-runs',
    buildResourceDocument(
      'theme-suggestion-runs',
      { source: sourceOf(survey), language },
      { to: { project: { type: 'projects', id: survey.projectId } } },
    ),
  )
const readRun = async (id: string) => ((await api.get(`/theme-suggestion-runs/${id}`)).body?.data as Doc | undefined)?.attributes
const listOf = async (run: string) => (await api.get(`/theme-suggestions?filter[run]=${run}`)).body?.data as Doc[]
const passagesOf = async (suggestion: string) =>
  (await api.get(`/theme-suggestion-passages?filter[suggestion]=${suggestion}`)).body?.data as Doc[]
async function suggest(survey: Survey): Promise<Doc[]> {
  const run = idOf(await ask(survey))
  await makeSuggestions(runtime)
  return listOf(run)
}
const find = (all: readonly Doc[], word: string): Doc => {
  const found = all.find(({ attributes }) => attributes.label.join(' ').includes(word))
  if (!found) throw new Error(`Nothing suggested for ${word}: ${all.map(({ attributes }) => attributes.label.join(', ')).join(' | ')}`)
  return found
}
const decide = (id: string, attributes: Record<string, unknown>, theme?: string, client = api) =>
  client.patch(
    `/theme-suggestions/${id}`,
    buildResourceDocument('theme-suggestions', attributes, { id, ...(theme && { to: { theme: { type: 'themes', id: theme } } }) }),
  )
const idsOf = (docs: readonly Doc[]) => docs.map(({ id }) => id)
const confirm = async (suggestion: Doc, title = 'Shade at stops') =>
  decide(suggestion.id, { state: 'confirmed', title, confirmedPassages: idsOf(await passagesOf(suggestion.id)) })
const editAnswer = (id: string) =>
  admin.db.tx((tx) =>
    tx
      .update(responses)
      .set({ answers: { name: 'Elm', ideas: 'I think otherwise' } })
      .where(and(eq(responses.siteId, site.id), eq(responses.id, id))),
  )
const evidenceOf = (survey: Survey) =>
  admin.db.read((tx) => tx.select().from(themeEvidence).where(eq(themeEvidence.projectId, survey.projectId)))
const themesOf = (survey: Survey) => admin.db.read((tx) => tx.select().from(themes).where(eq(themes.projectId, survey.projectId)))

describe('asking for suggestions', () => {
  test('makes them in the background, and shows the passages that they rest on', async () => {
    const { survey } = await addAnswered()
    const run = idOf(await ask(survey))
    expect(await readRun(run)).toMatchObject({ state: 'waiting', progress: 0, texts: null })
    expect(await makeSuggestions(runtime)).toBe(1)
    expect(await readRun(run)).toMatchObject({ state: 'done', progress: 100, texts: 8, textsAlike: 8 })
    const all = await listOf(run)
    const shade = find(all, 'shade')
    expect(shade.attributes).toMatchObject({ texts: 4, passages: 4, state: 'suggested', language: 'en' })
    // The sentence that says it, not what was written beside it.
    expect((await passagesOf(shade.id)).map(({ attributes }) => attributes.words).toSorted()).toEqual([
      'More shade at the stop.',
      'No shade in July.',
      'Shade and shelter, please.',
      'Trees give shade.',
    ])
    // Nothing counts.
    expect(await evidenceOf(survey)).toEqual([])
    expect(await themesOf(survey)).toEqual([])
    expect(await countReading(admin, { project: survey.projectId, source: sourceOf(survey) })).toEqual([
      { language: 'en', total: 8, read: 0 },
    ])
  })

  test('twice at once makes one run, and later a new one that takes its place', async () => {
    const { survey } = await addAnswered()
    const [one, two] = await Promise.all([ask(survey), ask(survey, other)])
    expect(idOf(one)).toBe(idOf(two))
    expect(await makeSuggestions(runtime)).toBe(1)
    const again = idOf(await ask(survey))
    expect(again).not.toBe(idOf(one))
    expect((await listOf(idOf(one))).length).toBe(2)
    await makeSuggestions(runtime)
    expect(await readRun(idOf(one))).toBeUndefined()
    expect((await listOf(again)).map(({ attributes }) => attributes.label)).toHaveLength(2)
  })

  test('reads one language', async () => {
    const { survey } = await addAnswered()
    for (const text of ['Plus d’ombre à l’arrêt', 'De l’ombre en juillet', 'Ombre partout', 'La rampe', 'Une rampe raide', 'Rampe raide'])
      await sendAnswer(survey, text, 'fr-CA')
    const run = idOf(await ask(survey, api, 'fr-CA'))
    await makeSuggestions(runtime)
    expect(await readRun(run)).toMatchObject({ texts: 6 })
    expect(find(await listOf(run), 'ombre').attributes).toMatchObject({ texts: 3, language: 'fr-CA' })
  })

  test('finds nothing among few or blank answers, which is no failure', async () => {
    const { survey } = await addAnswered(['42', '…', 'Shade'])
    const run = idOf(await ask(survey))
    await makeSuggestions(runtime)
    expect(await readRun(run)).toMatchObject({ state: 'done', texts: 3, textsAlike: 0 })
    expect(await listOf(run)).toEqual([])
    const empty = idOf(await ask((await addAnswered([])).survey))
    await makeSuggestions(runtime)
    expect(await readRun(empty)).toMatchObject({ state: 'done', texts: 0 })
  })

  test('reads contributions too, and shows none that was hidden or edited since', async () => {
    const activity = await addActivity(runtime, site, { kind: 'ideas' })
    const ids: string[] = []
    for (const [at, body] of [...SHADE, ...RAMP].entries())
      ids.push((await addContribution(runtime, site, { activityId: activity.id, number: at + 1, title: '', body, state: 'published' })).id)
    const run = await requestSuggestions(admin, { project: activity.projectId, source: `activity:${activity.id}`, language: 'en' })
    await makeSuggestions(runtime)
    const shade = find(await listOf(run), 'shade')
    expect(shade.attributes['passages']).toBe(4)
    const change = (id: string, values: Partial<typeof contributions.$inferInsert>) =>
      admin.db.tx((tx) =>
        tx
          .update(contributions)
          .set(values)
          .where(and(eq(contributions.siteId, site.id), eq(contributions.id, id))),
      )
    await change(ids[0] ?? '', { state: 'held' })
    await change(ids[1] ?? '', { body: 'Something else', version: 2 })
    expect(await passagesOf(shade.id)).toHaveLength(2)
    expect((await listOf(run)).find(({ id }) => id === shade.id)?.attributes['passages']).toBe(2)
  })

  test('can be cancelled before and while it runs: nothing is suggested, and it can be asked for again', async () => {
    const { survey } = await addAnswered()
    const waiting = idOf(await ask(survey))
    expect((await api.delete(`/theme-suggestion-runs/${waiting}`)).status).toBe(204)
    expect(await makeSuggestions(runtime)).toBe(0)
    expect(await readRun(waiting)).toMatchObject({ state: 'cancelled' })
    const running = idOf(await ask(survey))
    const cancel: typeof suggestThemes = async (texts, options) => {
      expect((await api.delete(`/theme-suggestion-runs/${running}`)).status).toBe(204)
      return suggestThemes(texts, options)
    }
    expect(await makeSuggestions(runtime, cancel)).toBe(0)
    expect(await readRun(running)).toMatchObject({ state: 'cancelled' })
    expect(await listOf(running)).toEqual([])
    expect(await suggest(survey)).toHaveLength(2)
  })

  test('says so if it fails, and can be asked for again', async () => {
    const { survey } = await addAnswered()
    const run = idOf(await ask(survey))
    expect(await makeSuggestions(runtime, () => Promise.reject(new Error('out of order')))).toBe(0)
    expect(await readRun(run)).toMatchObject({ state: 'failed' })
    expect(await suggest(survey)).toHaveLength(2)
  })

  test('leaves out answers that are withdrawn or edited while it runs', async () => {
    const { survey, sent } = await addAnswered()
    const run = idOf(await ask(survey))
    await makeSuggestions(runtime, async (texts, options) => {
      await withdrawResponse(createCtx(runtime, site), sent[0]?.code ?? '')
      await editAnswer(sent[1]?.id ?? '')
      return suggestThemes(texts, options)
    })
    expect(await passagesOf(find(await listOf(run), 'shade').id)).toHaveLength(2)
  })

  test('starts again if its worker died, and fails after three', async () => {
    const { survey } = await addAnswered()
    const run = idOf(await ask(survey))
    const abandon = (attempts: number) =>
      admin.db.tx((tx) =>
        tx
          .update(themeSuggestionRuns)
          .set({ state: 'running', lease: v7(), aliveAt: new Date(NOW.getTime() - 120_000), attempts, finishedAt: null })
          .where(eq(themeSuggestionRuns.id, run)),
      )
    await abandon(3)
    expect(await makeSuggestions(runtime)).toBe(0)
    expect(await readRun(run)).toMatchObject({ state: 'failed' })
    await abandon(2)
    expect(await makeSuggestions(runtime)).toBe(1)
    expect(await readRun(run)).toMatchObject({ state: 'done' })
  })

  test('is for those who may read what people wrote', async () => {
    const { survey } = await addAnswered()
    const [suggestion] = await suggest(survey)
    const stranger = createApiClient(runtime, site, (await addAccount(runtime, site)).token)
    expect((await ask(survey, stranger)).status).toBe(403)
    expect((await decide(suggestion?.id ?? '', { state: 'rejected' }, undefined, stranger)).status).toBe(403)
    for (const type of ['theme-suggestion-runs', 'theme-suggestions', 'theme-suggestion-passages'])
      expect((await stranger.get(`/${type}`)).body?.data).toEqual([])
    expect((await stranger.get(`/theme-suggestion-passages?filter[suggestion]=${suggestion?.id}`)).body?.data).toEqual([])
    const document = buildResourceDocument(
      'theme-suggestion-runs',
      { source: 'question:nothing', language: 'en' },
      { to: { project: { type: 'projects', id: survey.projectId } } },
    )
    expect((await api.post('/theme-suggestion-runs', document)).status).toBe(404)
  })
})

describe('a suggestion', () => {
  test('becomes a theme with the passages that were confirmed, and no others', async () => {
    const { survey } = await addAnswered()
    const shade = find(await suggest(survey), 'shade')
    const passages = await passagesOf(shade.id)
    const chosen = passages.filter(({ attributes }) => /July|Trees/.test(attributes.words))
    const answered = await decide(shade.id, { state: 'confirmed', title: ' Shade at stops ', confirmedPassages: idsOf(chosen) })
    expect(answered.status).toBe(200)
    const [theme] = await themesOf(survey)
    expect(theme).toMatchObject({ title: { en: 'Shade at stops' }, position: 1 })
    const rows = await evidenceOf(survey)
    expect(rows.map(({ quote, state, themeId, suggestionId }) => ({ quote, state, themeId, suggestionId }))).toEqual(
      expect.arrayContaining([
        { quote: 'No shade in July.', state: 'confirmed', themeId: theme?.id, suggestionId: shade.id },
        { quote: '', state: 'confirmed', themeId: theme?.id, suggestionId: shade.id },
      ]),
    )
    expect(rows).toHaveLength(2)
    expect(((await api.get(`/themes/${theme?.id}`)).body?.data as Doc | undefined)?.attributes).toMatchObject({ people: 2, passages: 2 })
    // Only the text that is a passage as a whole was read.
    expect(await countReading(admin, { project: survey.projectId, source: sourceOf(survey) })).toEqual([
      { language: 'en', total: 8, read: 1 },
    ])
  })

  test('joins a theme of the project; what was coded by hand counts once', async () => {
    const { survey, sent } = await addAnswered()
    const theme = idOf(
      await api.post(
        '/themes',
        buildResourceDocument(
          'themes',
          { titleTranslations: { en: 'Heat' } },
          { to: { project: { type: 'projects', id: survey.projectId } } },
        ),
      ),
    )
    const byHand = buildResourceDocument(
      'theme-evidence',
      { source: 'response', sourceId: sent[0]?.id, question: 'ideas' },
      { to: { theme: { type: 'themes', id: theme } } },
    )
    expect((await api.post('/theme-evidence', byHand)).status).toBe(201)
    const shade = find(await suggest(survey), 'shade')
    const ids = idsOf(await passagesOf(shade.id))
    const elsewhere = await addAnswered()
    const foreign = idOf(
      await api.post(
        '/themes',
        buildResourceDocument(
          'themes',
          { titleTranslations: { en: 'Another project' } },
          { to: { project: { type: 'projects', id: elsewhere.survey.projectId } } },
        ),
      ),
    )
    expect((await decide(shade.id, { state: 'confirmed', confirmedPassages: ids }, foreign)).status).toBe(404)
    expect((await decide(shade.id, { state: 'confirmed', confirmedPassages: ids }, theme)).status).toBe(200)
    expect(await themesOf(survey)).toHaveLength(1)
    expect((await evidenceOf(survey)).filter(({ themeId }) => themeId === theme)).toHaveLength(4)
    // Taken back, only what came from the suggestion goes.
    expect((await decide(shade.id, { state: 'suggested' })).status).toBe(200)
    expect(await evidenceOf(survey)).toHaveLength(1)
    expect(await themesOf(survey)).toHaveLength(1)
  })

  test('needs a title or a theme, and a passage; a title that exists is that theme', async () => {
    const { survey } = await addAnswered()
    const all = await suggest(survey)
    const [shade, ramp] = [find(all, 'shade'), find(all, 'ramp')]
    const confirmedPassages = idsOf(await passagesOf(shade.id))
    const untitled = await decide(shade.id, { state: 'confirmed', title: ' ', confirmedPassages })
    expect([untitled.status, untitled.codes, untitled.body?.errors?.[0]?.source?.pointer]).toEqual([
      422,
      ['required'],
      '/data/attributes/title',
    ])
    const empty = await decide(shade.id, { state: 'confirmed', title: 'Shade', confirmedPassages: [] })
    expect([empty.status, empty.codes]).toEqual([422, ['required']])
    // Passages of another suggestion are none of this one.
    const mixed = await decide(shade.id, { state: 'confirmed', title: 'Shade', confirmedPassages: idsOf(await passagesOf(ramp.id)) })
    expect([mixed.status, mixed.codes]).toEqual([409, ['quote-not-found']])
    expect(await themesOf(survey)).toEqual([])
    expect((await confirm(shade, 'Stops')).status).toBe(200)
    expect((await confirm(ramp, 'Stops')).status).toBe(200)
    expect(await themesOf(survey)).toHaveLength(1)
  })

  test('is decided once, also by two people at the same time', async () => {
    const { survey } = await addAnswered()
    const shade = find(await suggest(survey), 'shade')
    const confirmedPassages = idsOf(await passagesOf(shade.id))
    const sent = await Promise.all([
      decide(shade.id, { state: 'confirmed', title: 'Shade', confirmedPassages }),
      decide(shade.id, { state: 'confirmed', title: 'Shelter', confirmedPassages }, undefined, other),
    ])
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await themesOf(survey)).toHaveLength(1)
    const rejected = await decide(shade.id, { state: 'rejected' }, undefined, other)
    expect([rejected.status, rejected.codes]).toEqual([409, ['stale']])
  })

  test('that is rejected counts for nothing, stays rejected the next time, and can be taken up again', async () => {
    const { survey } = await addAnswered()
    const ramp = find(await suggest(survey), 'ramp')
    expect((await decide(ramp.id, { state: 'rejected' })).status).toBe(200)
    expect(await evidenceOf(survey)).toEqual([])
    const next = await suggest(survey)
    expect(find(next, 'ramp').attributes['state']).toBe('rejected')
    expect(find(next, 'shade').attributes['state']).toBe('suggested')
    expect((await decide(find(next, 'ramp').id, { state: 'suggested' })).status).toBe(200)
    expect((await confirm(find(next, 'ramp'), 'Ramps')).status).toBe(200)
  })

  test('whose confirmation is taken back leaves nothing behind', async () => {
    const { survey } = await addAnswered()
    const shade = find(await suggest(survey), 'shade')
    expect((await confirm(shade)).status).toBe(200)
    expect(await evidenceOf(survey)).toHaveLength(4)
    expect((await decide(shade.id, { state: 'suggested' })).status).toBe(200)
    expect(await evidenceOf(survey)).toEqual([])
    expect(await themesOf(survey)).toEqual([])
  })

  test('loses the passages of answers that were withdrawn or edited, before and after it is confirmed', async () => {
    const { survey, sent } = await addAnswered()
    const shade = find(await suggest(survey), 'shade')
    const all = idsOf(await passagesOf(shade.id))
    await withdrawResponse(createCtx(runtime, site), sent[0]?.code ?? '')
    await editAnswer(sent[1]?.id ?? '')
    expect(await passagesOf(shade.id)).toHaveLength(2)
    // The screen still had four.
    expect((await decide(shade.id, { state: 'confirmed', title: 'Shade', confirmedPassages: all })).status).toBe(200)
    expect(await evidenceOf(survey)).toHaveLength(2)
    await withdrawResponse(createCtx(runtime, site), sent[2]?.code ?? '')
    expect(await evidenceOf(survey)).toHaveLength(1)
  })

  test('without any passage left is gone', async () => {
    const { survey, sent } = await addAnswered()
    const run = idOf(await ask(survey))
    await makeSuggestions(runtime)
    const shade = find(await listOf(run), 'shade')
    for (const { code } of sent.slice(0, 4)) await withdrawResponse(createCtx(runtime, site), code)
    expect((await listOf(run)).map(({ attributes }) => attributes.label.join())).not.toContain(shade.attributes.label.join())
    expect((await decide(shade.id, { state: 'rejected' })).status).toBe(404)
  })
})
