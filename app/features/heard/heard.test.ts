import { eq } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestCodes, serveCodes } from '#app/features/reports/codes-files.server.ts'
import { downloadReportFile, readReportFile } from '#app/features/reports/report-exports.server.ts'
import { makeExports } from '#app/features/surveys/export/make-exports.server.ts'
import { withdrawContribution as withdrawResponse } from '#app/features/surveys/responses/receipts.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import type { Answers } from '#app/features/surveys/surveys.schema.ts'
import { type Language, LANGUAGES } from '#app/lib/languages.ts'
import { measureSegments } from '#app/lib/sms-segments.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, contributionVersions, replies } from '#app/server/db/schema/contributions.ts'
import { decisions, themeEvidence, themes } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addAccount } from '#tests/support/people.ts'
import { getDecisions } from './decisions-page.server.ts'
import { addEvidence } from './evidence.server.ts'
import { composeFeedbackText, draftFeedbackUpdate } from './feedback.server.ts'
import { renderJourney } from './journey.server.ts'
import { publishDecisions } from './publish-decisions.server.ts'
import { countReading, listTextSources, listTextsToRead, markAsRead } from './written-texts.server.ts'

const NOW = new Date('2026-03-02T12:00:00Z')

let runtime: TestRuntime
let site: Site
let admin: Ctx
let api: ReturnType<typeof createApiClient>
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'heard', languages: ['en', 'fr-CA', 'cy'] })
  admin = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  api = createApiClient(runtime, site, (await addAccount(runtime, site, { role: 'site_admin' })).token)
})
beforeEach(() => runtime.setNow(NOW))

type Survey = Awaited<ReturnType<typeof addSurvey>>
const visitor = (language: Language = 'en') => createCtx(runtime, site, { language })
async function answer(survey: Survey, answers: Answers, viewer?: Ctx['viewer']) {
  const ctx = createCtx(runtime, site, viewer ? { viewer } : {})
  const input = { id: v7(), sendKey: 'k'.repeat(22), answers: { name: 'Elm', ...answers } }
  const { code, response } = await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), input)
  return { code, id: response.id }
}
const idOf = (given: ApiAnswer): string => {
  expect(given.status, JSON.stringify(given.body)).toBeLessThan(300)
  return (given.body?.data as { id: string } | undefined)?.id ?? ''
}
const addTheme = async (survey: { projectId: string }, title = 'Shade and shelter') =>
  idOf(
    await api.post(
      '/themes',
      buildResourceDocument(
        'themes',
        { titleTranslations: inAllLanguages(title) },
        { to: { project: { type: 'projects', id: survey.projectId } } },
      ),
    ),
  )
const readTheme = async (id: string) =>
  (await api.get(`/themes/${id}`)).body?.data as { attributes: Record<string, unknown>; meta: { lockVersion: number } }
const changeTheme = async (id: string, to: Record<string, { type: string; id: string } | null>) =>
  api.patch(`/themes/${id}`, buildResourceDocument('themes', {}, { id, to, lockVersion: (await readTheme(id)).meta.lockVersion }))
const code = (theme: string, sourceId: string, more: Partial<Parameters<typeof addEvidence>[1]> = {}) =>
  addEvidence(admin, { theme, source: 'response', sourceId, question: 'ideas', ...more })
const decide = (survey: { projectId: string }, themeIds: string[], attributes: Record<string, unknown> = {}) =>
  api.post('/decisions', {
    data: {
      type: 'decisions',
      attributes: {
        titleTranslations: inAllLanguages('Roofs at 14 stops'),
        outcome: 'partly',
        reasonTranslations: inAllLanguages('Pipes lie under the sidewalk at the other eight.'),
        decidedOn: '2026-01-18',
        ...attributes,
      },
      relationships: {
        project: { data: { type: 'projects', id: survey.projectId } },
        themes: { data: themeIds.map((id) => ({ type: 'themes', id })) },
      },
    },
  })
const publish = (survey: { projectId: string }) =>
  api.post(
    '/decision-publications',
    buildResourceDocument('decision-publications', {}, { to: { project: { type: 'projects', id: survey.projectId } } }),
  )
const pageOf = async (survey: { projectId: string }, search: object = {}, language: Language = 'en') => {
  const [project] = await admin.db.read((tx) => tx.select({ slug: projects.slug }).from(projects).where(eq(projects.id, survey.projectId)))
  return getDecisions(visitor(language), { slug: project?.slug ?? '', search })
}
const refused = (code: string) => expect.objectContaining({ code }) as Error

describe('evidence', () => {
  test('is a passage of what was stored, which the write checks', async () => {
    const survey = await addSurvey(runtime, site)
    const { id } = await answer(survey, { ideas: 'More shade 🌳, please. In July there is nowhere to wait.' })
    const theme = await addTheme(survey)
    const evidence = await code(theme, id, { start: 22, quote: 'In July' })
    const [row] = await admin.db.read((tx) => tx.select().from(themeEvidence).where(eq(themeEvidence.id, evidence)))
    // Characters are counted, not halves of them.
    expect(row).toMatchObject({ startAt: 22, endAt: 29, quote: 'In July', version: 1, state: 'confirmed' })
    await expect(code(theme, id, { start: 23, quote: 'In July' })).rejects.toEqual(refused('quote-not-found'))
    await expect(code(theme, id, { start: 0, quote: 'Nobody said so' })).rejects.toEqual(refused('quote-not-found'))
    await expect(code(theme, id, { start: 22, quote: 'In July', version: 7 })).rejects.toEqual(refused('quote-not-found'))
    await expect(code(theme, v7())).rejects.toEqual(refused('not-found'))
    // The same passage twice is one.
    expect(await code(theme, id, { start: 22, quote: 'In July' })).toBe(evidence)
    expect((await readTheme(theme)).attributes).toMatchObject({ people: 1, passages: 1 })
  })

  test('counts one person once, and only what was confirmed', async () => {
    const survey = await addSurvey(runtime, site)
    const viewer = await addPerson(runtime, site)
    const theme = await addTheme(survey)
    for (const ideas of ['Shade', 'More shade']) await code(theme, (await answer(survey, { ideas }, viewer)).id)
    const suggested = await code(theme, (await answer(survey, { ideas: 'A roof' })).id, { state: 'suggested' })
    expect((await readTheme(theme)).attributes).toMatchObject({ people: 1, passages: 2 })
    await api.patch(`/theme-evidence/${suggested}`, buildResourceDocument('theme-evidence', { state: 'confirmed' }, { id: suggested }))
    expect((await readTheme(theme)).attributes).toMatchObject({ people: 2, passages: 3 })
  })

  test('goes with an answer that is withdrawn, and with the changed answer only when it is changed', async () => {
    const survey = await addSurvey(runtime, site)
    const theme = await addTheme(survey)
    const { id, code: receipt } = await answer(survey, { ideas: 'Shade' })
    await code(theme, id)
    await code(theme, id, { question: 'name' })
    await admin.db.tx((tx) => tx.execute(`update responses set answers = answers || '{"ideas": "A roof"}' where id = '${id}'`))
    const left = () =>
      admin.db.read((tx) => tx.select({ question: themeEvidence.question }).from(themeEvidence).where(eq(themeEvidence.responseId, id)))
    expect(await left()).toEqual([{ question: 'name' }])
    await withdrawResponse(visitor(), receipt)
    expect(await left()).toEqual([])
  })

  test('of a contribution stays with its version; masking moves what is left and drops what is masked', async () => {
    const activity = await addActivity(runtime, site)
    const theme = await addTheme(activity)
    const { id } = await addContribution(runtime, site, {
      activityId: activity.id,
      number: 1,
      title: 'Shade',
      body: 'Call Ann. A roof at Mill Lane.',
    })
    const source = { source: 'contribution' as const, question: '' }
    const whole = await code(theme, id, source)
    const roof = await code(theme, id, { ...source, start: 17, quote: 'A roof' })
    const name = await code(theme, id, { ...source, start: 12, quote: 'Ann' })
    await admin.db.tx((tx) =>
      tx.update(contributions).set({ version: 2, body: 'Call […]. A roof at Mill Lane.' }).where(eq(contributions.id, id)),
    )
    const load = () => admin.db.read((tx) => tx.select().from(themeEvidence).where(eq(themeEvidence.contributionId, id)))
    expect((await load()).map(({ version }) => version)).toEqual([1, 1, 1])
    // A new passage may still be of the former version.
    await code(theme, id, { ...source, start: 7, quote: 'Call Ann', version: 1 })
    await expect(code(theme, id, { ...source, start: 7, quote: 'Call Ann', version: 2 })).rejects.toEqual(refused('quote-not-found'))
    await admin.db.tx((tx) => tx.delete(contributionVersions).where(eq(contributionVersions.contributionId, id)))
    const rows = await load()
    expect(rows.map((row) => row.id).toSorted()).toEqual([whole, roof].toSorted())
    expect(rows.find((row) => row.id === roof)).toMatchObject({ version: 2, startAt: 17, endAt: 23 })
    expect(rows.some((row) => row.id === name)).toBe(false)
    await admin.db.tx((tx) => tx.update(contributions).set({ state: 'withdrawn', title: '', body: '' }).where(eq(contributions.id, id)))
    expect(await load()).toEqual([])
  })

  test('of a reply goes with it', async () => {
    const activity = await addActivity(runtime, site)
    const theme = await addTheme(activity)
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const id = v7()
    await admin.db.tx((tx) =>
      tx.insert(replies).values({
        siteId: site.id,
        id,
        contributionId,
        language: 'en',
        body: 'And seats',
        state: 'published',
        receiptHash: Buffer.from(id),
      }),
    )
    await code(theme, id, { source: 'reply', question: '', start: 4, quote: 'seats' })
    await admin.db.tx((tx) => tx.update(replies).set({ body: '', state: 'withdrawn' }).where(eq(replies.id, id)))
    expect(await admin.db.read((tx) => tx.select().from(themeEvidence).where(eq(themeEvidence.replyId, id)))).toEqual([])
  })

  test('is for those who may read the answers', async () => {
    const survey = await addSurvey(runtime, site)
    const { id } = await answer(survey, { ideas: 'Shade' })
    const theme = await addTheme(survey)
    await code(theme, id)
    const stranger = createApiClient(runtime, site, (await addAccount(runtime, site)).token)
    expect((await stranger.get(`/theme-evidence?filter[theme]=${theme}`)).body?.data).toEqual([])
    expect((await stranger.get(`/themes/${theme}`)).status).toBe(404)
    const ctx = createCtx(runtime, site, { viewer: await addPerson(runtime, site) })
    await expect(addEvidence(ctx, { theme, source: 'response', sourceId: id, question: 'ideas' })).rejects.toEqual(refused('forbidden'))
    await expect(listTextsToRead(ctx, { project: survey.projectId, source: `question:${survey.id}:ideas` })).rejects.toEqual(
      refused('forbidden'),
    )
  })
})

describe('reading', () => {
  test('name a question without the place where an earlier answer is inserted', async () => {
    const survey = await addSurvey(runtime, site, {
      definition: {
        schema: 1,
        pages: [
          {
            id: 'p',
            questions: [
              { id: 'way', type: 'short_text', title: inAllLanguages('How do you travel?') },
              { id: 'better', type: 'long_text', title: inAllLanguages('You go by {{way}}. What would be better?') },
            ],
          },
        ],
      },
    })
    expect((await listTextSources(admin, survey.projectId)).map(({ title }) => title)).toContain('You go by …. What would be better?')
  })

  test('takes one source, language and state at a time, and says how much was read', async () => {
    const survey = await addSurvey(runtime, site)
    const first = await answer(survey, { ideas: 'Shade', mode: { choice: 'other', other: 'By boat' } })
    const second = await answer(survey, { ideas: 'Seats' })
    const project = survey.projectId
    const source = `question:${survey.id}:ideas`
    expect((await listTextSources(admin, project)).map(({ key }) => key)).toEqual(
      ['name', 'ideas', 'mode'].map((question) => `question:${survey.id}:${question}`),
    )
    const [one, two] = await listTextsToRead(admin, { project, source })
    expect([one, two].map((text) => text?.text)).toEqual(['Shade', 'Seats'])
    expect((await listTextsToRead(admin, { project, source, after: one })).map(({ id }) => id)).toEqual([second.id])
    expect(await listTextsToRead(admin, { project, source, language: 'cy' })).toEqual([])
    expect((await listTextsToRead(admin, { project, source: `question:${survey.id}:mode` })).map(({ text }) => text)).toEqual(['By boat'])
    await markAsRead(admin, { project, source, id: first.id })
    await markAsRead(admin, { project, source, id: first.id })
    expect(await countReading(admin, { project, source })).toEqual([{ language: 'en', total: 2, read: 1 }])
    expect((await listTextsToRead(admin, { project, source, unread: true })).map(({ id }) => id)).toEqual([second.id])
    await expect(markAsRead(admin, { project, source, id: v7() })).rejects.toEqual(refused('not-found'))
    await expect(listTextsToRead(admin, { project, source: 'question:nothing' })).rejects.toEqual(refused('not-found'))
  })
})

describe('themes', () => {
  test('are merged and split again without losing a passage, and never into themselves', async () => {
    const survey = await addSurvey(runtime, site)
    const [a, b, c] = [await addTheme(survey, 'A'), await addTheme(survey, 'B'), await addTheme(survey, 'C')]
    await code(a, (await answer(survey, { ideas: 'One' })).id)
    const both = await answer(survey, { ideas: 'Two' })
    await code(a, both.id)
    await code(b, both.id)
    const into = (id: string | null) => ({ mergedInto: id === null ? null : { type: 'themes', id } })
    expect((await changeTheme(a, into(b))).status).toBe(200)
    expect((await changeTheme(b, into(c))).status).toBe(200)
    // One person who said both counts once.
    expect((await readTheme(c)).attributes).toMatchObject({ people: 2, passages: 3 })
    const loop = await changeTheme(c, into(a))
    expect([loop.status, loop.codes]).toEqual([422, ['theme-loop']])
    expect((await changeTheme(a, { parent: { type: 'themes', id: a } })).codes).toEqual(['theme-loop'])
    await changeTheme(b, into(null))
    await changeTheme(a, into(null))
    expect([
      (await readTheme(a)).attributes['people'],
      (await readTheme(b)).attributes['people'],
      (await readTheme(c)).attributes['people'],
    ]).toEqual([2, 1, 0])
    expect((await api.delete(`/themes/${a}`)).codes).toEqual(['in-use'])
    expect((await api.delete(`/themes/${c}`)).status).toBe(204)
  })
})

describe('decisions', () => {
  test('have a reason', async () => {
    const survey = await addSurvey(runtime, site)
    const without = await decide(survey, [], { reasonTranslations: {} })
    expect([without.status, without.codes]).toEqual([422, ['required']])
    const id = idOf(await decide(survey, []))
    const emptied = await api.patch(
      `/decisions/${id}`,
      buildResourceDocument('decisions', { reasonTranslations: { en: ' ' } }, { id, lockVersion: 1 }),
    )
    expect([emptied.status, emptied.codes]).toEqual([422, ['required']])
  })

  test('are numbered one after the other in their project, and have only themes of it', async () => {
    const survey = await addSurvey(runtime, site)
    const other = await addSurvey(runtime, site)
    await decide(survey, [])
    await decide(survey, [])
    const rows = await admin.db.read((tx) =>
      tx.select({ number: decisions.number }).from(decisions).where(eq(decisions.projectId, survey.projectId)),
    )
    expect(rows.map(({ number }) => number)).toEqual([1, 2])
    expect((await decide(survey, [await addTheme(other)])).status).toBe(404)
  })

  test('are not published while a theme of five people has none; out of scope with a reason is one', async () => {
    const survey = await addSurvey(runtime, site)
    const theme = await addTheme(survey)
    const few = await addTheme(survey, 'Raised by few')
    for (let person = 0; person < 4; person++) await code(theme, (await answer(survey, { ideas: `Shade ${person}` })).id)
    await code(few, (await answer(survey, { ideas: 'Something else' })).id)
    const without = await publish(survey)
    expect([without.status, without.codes]).toEqual([422, ['required']])
    await decide(survey, [])
    expect((await publish(survey)).status).toBe(201)
    await code(theme, (await answer(survey, { ideas: 'The fifth' })).id, { state: 'suggested' })
    expect((await publish(survey)).status).toBe(201)
    await admin.db.tx((tx) => tx.update(themeEvidence).set({ state: 'confirmed' }).where(eq(themeEvidence.themeId, theme)))
    const undecided = await publish(survey)
    expect([undecided.status, undecided.codes, undecided.body?.errors?.[0]?.source?.pointer]).toEqual([
      422,
      ['decision-missing'],
      `/data/attributes/themes/${theme}`,
    ])
    await decide(survey, [theme], { outcome: 'out_of_scope' })
    expect((await publish(survey)).status).toBe(201)
  })

  test('are complete in every language of the site, or knowingly not', async () => {
    const survey = await addSurvey(runtime, site)
    await decide(survey, [], { reasonTranslations: { en: 'Only in English' } })
    const project = { type: 'projects', id: survey.projectId }
    const gaps = await publish(survey)
    expect(gaps.codes).toEqual(['translation-missing', 'translation-missing'])
    const waived = ['decisions.0.reason.fr-CA', 'decisions.0.reason.cy']
    expect(
      (await api.post('/decision-publications', buildResourceDocument('decision-publications', { waived }, { to: { project } }))).status,
    ).toBe(201)
  })

  test('are published by those who may publish the project', async () => {
    const survey = await addSurvey(runtime, site)
    await decide(survey, [])
    const editor = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: survey.projectId }] })
    await expect(publishDecisions(createCtx(runtime, site, { viewer: editor }), { project: survey.projectId })).rejects.toEqual(
      refused('forbidden'),
    )
  })

  test('keep a promised day that was changed, with the reason', async () => {
    const survey = await addSurvey(runtime, site)
    const id = idOf(await decide(survey, [], { dueOn: '2026-02-01' }))
    await publish(survey)
    const change = (attributes: Record<string, unknown>) =>
      api.patch(`/decisions/${id}`, buildResourceDocument('decisions', attributes, { id }))
    expect((await pageOf(survey)).late).toEqual([{ number: 1, title: { text: 'Roofs at 14 stops' }, days: 29 }])
    expect((await change({ dueOn: '2027-03-31' })).codes).toEqual(['required'])
    expect((await change({ dueOn: '2027-03-31', delayReason: 'The steel came late.' })).status).toBe(200)
    const page = await pageOf(survey)
    expect(page.late).toEqual([])
    expect(page.decisions[0]?.delays).toEqual([{ before: '2026-02-01', after: '2027-03-31', reason: { text: 'The steel came late.' } }])
    expect((await api.delete(`/decisions/${id}`)).codes).toEqual(['already-published'])
  })
})

describe('the public page', () => {
  test('does not exist before anything is published', async () => {
    await expect(pageOf(await addSurvey(runtime, site))).rejects.toEqual(refused('not-found'))
  })

  test('shows masked quotes, at most five of one person, and figures of the day it was published', async () => {
    const survey = await addSurvey(runtime, site)
    const viewer = await addPerson(runtime, site)
    const [theme, other] = [await addTheme(survey), await addTheme(survey, 'Seats')]
    const said = { ideas: `Ring me on 416 967 1111. ${viewer.login} says: more shade, more seats, more of it all.` }
    const { id, code: receipt } = await answer(survey, said, viewer)
    await code(theme, id, { isQuoted: true })
    for (const quote of ['more shade', 'more seats', 'more of it'])
      await code(other, id, { start: Array.from(said.ideas.slice(0, said.ideas.indexOf(quote))).length, quote, isQuoted: true })
    for (const quote of ['more', 'shade']) await code(theme, id, { start: said.ideas.indexOf(quote), quote, isQuoted: true })
    await code(theme, (await answer(survey, { ideas: 'Not chosen as a quote' })).id)
    await decide(survey, [theme, other])
    await publish(survey)
    const shown = (await pageOf(survey)).decisions[0]?.themes ?? []
    expect(shown.flatMap(({ quotes }) => quotes)).toHaveLength(5)
    expect(shown.flatMap(({ quotes }) => quotes.map(({ text }) => text)).join('\n')).not.toMatch(new RegExp(`967|${viewer.login}|chosen`))
    expect(shown.find((one) => one.id === theme)).toMatchObject({ people: 2, gone: 0 })
    await withdrawResponse(visitor(), receipt)
    const after = await pageOf(survey)
    expect(after.decisions[0]?.themes.find((one) => one.id === theme)).toMatchObject({ people: 2, gone: 1, quotes: [] })
    // What came later counts only once it is published.
    await code(theme, (await answer(survey, { ideas: 'Later' })).id)
    expect((await pageOf(survey)).decisions[0]?.themes.find((one) => one.id === theme)).toMatchObject({ people: 2, gone: 1 })
  })

  test('is filtered by theme, outcome and delivery', async () => {
    const survey = await addSurvey(runtime, site)
    const theme = await addTheme(survey)
    await decide(survey, [theme])
    await decide(survey, [], { outcome: 'taken_up', delivery: 'done' })
    await publish(survey)
    const find = async (search: object) => (await pageOf(survey, search)).decisions.map(({ number }) => number)
    expect(await find({})).toEqual([1, 2])
    expect(await find({ theme })).toEqual([1])
    expect(await find({ outcome: 'taken_up' })).toEqual([2])
    expect(await find({ delivery: 'planned' })).toEqual([1])
    expect(await find({ delivery: 'late' })).toEqual([])
  })
})

describe('a receipt', () => {
  test('leads from the words to the theme, the decision and what was done, in each language and without an account', async () => {
    const survey = await addSurvey(runtime, site)
    const theme = await addTheme(survey, 'Shade & shelter')
    const { id, code: receipt } = await answer(survey, { ideas: '<b>Shade</b> in July' })
    await code(theme, id)
    expect(await renderJourney(visitor(), { code: receipt })).toBe('')
    await decide(survey, [theme], { dueOn: '2026-02-01' })
    await publish(survey)
    const html = await renderJourney(visitor(), { code: receipt })
    for (const words of [
      '&lt;b&gt;Shade&lt;/b&gt; in July',
      'Shade &amp; shelter',
      '#decision-1"',
      'Roofs at 14 stops',
      'Partly taken up',
      'Pipes lie under',
      'Planned · Late',
    ])
      expect(html).toContain(words)
    expect(await renderJourney(visitor('cy'), { code: receipt })).toContain('O’ch geiriau i’r hyn a wneir')
    expect(await renderJourney(visitor('fr-CA'), { code: receipt })).toContain('De vos mots à ce qui est fait')
    // Nobody else gets there: not by the id, and not by another code.
    expect(await renderJourney(visitor(), { id })).toBe('')
    expect(await renderJourney(visitor(), { code: '0000-0000-0000-0000' })).toBe('')
  })

  test('follows a theme that was merged', async () => {
    const survey = await addSurvey(runtime, site)
    const [from, into] = [await addTheme(survey, 'Roofs'), await addTheme(survey, 'Shelter')]
    const viewer = await addPerson(runtime, site)
    const { id } = await answer(survey, { ideas: 'A roof' }, viewer)
    await code(from, id)
    await changeTheme(from, { mergedInto: { type: 'themes', id: into } })
    await decide(survey, [into])
    await publish(survey)
    const html = await renderJourney(createCtx(runtime, site, { viewer }), { id })
    expect(html).toContain('Shelter')
    expect(html).toContain('#decision-1"')
  })
})

test('people are told by an update that leads to the decisions, drafted in each language of the site', async () => {
  const survey = await addSurvey(runtime, site)
  await decide(survey, [])
  await expect(draftFeedbackUpdate(admin, survey.projectId)).rejects.toEqual(refused('not-published'))
  await publish(survey)
  const id = await draftFeedbackUpdate(admin, survey.projectId)
  const [update] = await admin.db.read((tx) => tx.select().from(projectUpdates).where(eq(projectUpdates.id, id)))
  expect(update?.publishedAt).toBeNull()
  expect(Object.keys(update?.body ?? {}).toSorted()).toEqual(['cy', 'en', 'fr-CA'])
  expect(update?.body.en).toContain('- Roofs at 14 stops (Partly taken up)')
  expect(update?.body.cy).toMatch(/\]\(\/cy\/projects\/.+\/decisions\)/)
})

test('people are told by a text message that leads to the decisions, for a campaign that goes only to those who agreed', async () => {
  const survey = await addSurvey(runtime, site)
  await decide(survey, [])
  await expect(composeFeedbackText(admin, survey.projectId)).rejects.toEqual(refused('not-published'))
  await publish(survey)
  await expect(composeFeedbackText(visitor(), survey.projectId)).rejects.toEqual(refused('unauthenticated'))
  const { name, bodyTranslations } = await composeFeedbackText(admin, survey.projectId)
  expect(name).toBe('What we heard, what we decided')
  expect(Object.keys(bodyTranslations).toSorted()).toEqual(['cy', 'en', 'fr-CA'])
  expect(bodyTranslations.en).toMatch(/what was decided\. http.+[^y]\/projects\/[^/]+\/decisions$/)
  // A letter outside the alphabet of text messages makes each of them longer, and dearer.
  for (const language of LANGUAGES) expect(measureSegments(getTranslator(language, 'heard')('text-message')).costly, language).toEqual([])
  expect(bodyTranslations.cy).toMatch(/http.+\/cy\/projects\/[^/]+\/decisions$/)
})

test('the workbook of codes has the codebook and every passage, and nobody else gets it', async () => {
  const survey = await addSurvey(runtime, site)
  const theme = await addTheme(survey, 'Shade')
  const { id } = await answer(survey, { ideas: '=more shade' })
  await code(theme, id, { start: 1, quote: 'more shade' })
  await code(theme, id)
  const { id: silent } = await answer(survey, { ideas: 'Nothing of it' })
  await decide(survey, [theme], { dueOn: '2026-09-01' })
  const ask = async (viewer: Ctx['viewer'], reason?: string) => {
    const context = { ctx: { ...createCtx(runtime, site, { viewer }), ...(reason && { reason }) } } as Parameters<
      typeof serveCodes
    >[0]['context']
    return serveCodes({ context, params: { id: survey.projectId } })
  }
  const listFiles = () => admin.db.read((tx) => tx.select().from(surveyExports))
  expect((await ask(await addPerson(runtime, site), 'Curious')).status).toBe(403)
  await expect(requestCodes(admin, survey.projectId)).rejects.toEqual(refused('reason-required'))
  expect(await listFiles()).toEqual([])
  const asked = await ask(admin.viewer, 'For the panel')
  expect(asked.status).toBe(303)
  const [, file = ''] = /report-files\/([\da-f-]{36})$/.exec(asked.headers.get('location') ?? '') ?? []
  expect(await makeExports(runtime)).toBe(1)
  expect(await readReportFile(admin, file)).toMatchObject({
    kind: 'codes',
    state: 'done',
    back: `/admin/projects/${survey.projectId}/heard`,
  })
  const take = (ctx: Ctx) =>
    downloadReportFile({ context: { ctx } as Parameters<typeof downloadReportFile>[0]['context'], params: { id: file } })
  const other = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  expect((await take(other)).status).toBe(404)
  const taken = await take(admin)
  expect(taken.headers.get('content-disposition')).toMatch(/-codes\.xlsx"$/)
  const book = await readXlsx(new Uint8Array(await taken.arrayBuffer()))
  expect(book.sheets.map(({ name }) => name)).toEqual(['answers', 'themes', 'decisions'])
  const answers = book.sheets[0]?.rows.slice(1) ?? []
  const written = answers.filter((row) => row[2] === 'ideas').map((row) => [row[1], row[6], row[7], row[8], row[9]])
  expect(written).toHaveLength(3)
  expect(written).toEqual(
    expect.arrayContaining([
      // Text stays text, even if it looks like a formula.
      [id, '=more shade', 1, 'Shade', 'more shade'],
      [id, '=more shade', 1, 'Shade', '=more shade'],
      [silent, 'Nothing of it', 0, null, null],
    ]),
  )
  const counted = (book.sheets[1]?.rows.slice(1) ?? []).map((row) => [row[0], row[1], row[3], row[4]])
  expect(counted).toEqual([
    ['Shade', 'suggestion', 1, 2],
    ['Shade', 'suggestion', 1, 2],
  ])
  expect(book.sheets[1]?.rows.slice(1).map((row) => row[2])).toEqual(['All sources', expect.stringContaining('Your ideas')])
  expect(book.sheets[2]?.rows[1]?.slice(0, 5)).toEqual([
    1,
    'Roofs at 14 stops',
    'Partly taken up',
    'Pipes lie under the sidewalk at the other eight.',
    'Shade',
  ])
  expect(book.sheets[2]?.rows[1]?.[9]).toBe('2026-09-01')
  const trail = await admin.db.read((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'themes.export')))
  expect(trail.map(({ detail }) => (detail as { reason: string }).reason)).toEqual(['For the panel', 'For the panel'])
})

test('themes of another site are out of reach', async () => {
  const survey = await addSurvey(runtime, site)
  const theme = await addTheme(survey)
  const other = await addSite(runtime, { slug: 'elsewhere' })
  const seen = await createCtx(runtime, other).db.read((tx) => tx.select().from(themes).where(eq(themes.id, theme)))
  expect(seen).toEqual([])
})
