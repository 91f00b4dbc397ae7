import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createNewsletter } from '#app/features/campaigns/newsletters/newsletters.server.ts'
import { createPage } from '#app/features/pages/pages.editing.server.ts'
import { createUpdate } from '#app/features/updates/updates.editing.server.ts'
import { updateProject } from '#app/features/projects/projects.editing.server.ts'
import { HOMEPAGE } from '#app/features/homepage/homepage.server.ts'
import { saveRevision } from '#app/features/revisions/revisions.server.ts'
import { createEvent, updateEvent } from '#app/features/events/managing/events.server.ts'
import { createActivity } from '#app/features/contributions/managing/activities.editing.server.ts'
import { createSurvey } from '#app/features/surveys/managing/editing.server.ts'
import { createDecision } from '#app/features/heard/decisions.server.ts'
import { createHub, createTopic, updateHub, updateTopic } from '#app/features/hubs/hubs.editing.server.ts'
import { createQuestion, updateQuestion } from '#app/features/profile/edit-questions.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { events } from '#app/server/db/schema/events.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { hubs, projectDocuments, projects, topics } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addHub } from '#tests/factories/content.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { addPerson, addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { changeTexts } from './bulk.server.ts'
import { publishText, readDesk, saveTranslation, settleText } from './desk.server.ts'
import { importTranslations, serveTextsWorkbook, serveTextsXliff } from './exchange.server.ts'
import { readTranslations, readXliff } from './read-translations.server.ts'
import { type DeskSearch, type DeskText, TEXT_STATES } from './translations.schema.ts'

let runtime: TestRuntime
let site: Site
let admin: Viewer
let project: { id: string }

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  project = await addProject(runtime, site)
})

const as = (viewer = admin): Ctx => createCtx(runtime, site, { viewer })
const said = (text: string) => inAllLanguages(text)
/** Texts in Welsh that the desk lists, all states together. */
async function list(search: DeskSearch = {}, ctx = as()): Promise<DeskText[]> {
  const pages = await Promise.all(TEXT_STATES.map((state) => readDesk(ctx, { to: 'cy', ...search, state })))
  return pages.flatMap(({ texts }) => texts)
}
const find = async (q: string, search: DeskSearch = {}): Promise<DeskText> => {
  const [text] = await list({ q, ...search })
  if (!text) throw new Error(`The desk does not list ${q}`)
  return text
}
const write = (text: DeskText, translation: string, ctx = as()) =>
  saveTranslation(ctx, text.id, { language: 'cy', source: text.source, was: text.translation, translation })

describe('the language desk', () => {
  test('lists a text of every kind, and writes it through the editor of its kind', async () => {
    const title = (text: string) => ({ en: text })
    await createPage(as(), { id: createId(), titleTranslations: title('Desk page'), bodyTranslations: title('Page body') })
    await createUpdate(as(), {
      id: createId(),
      project: project.id,
      titleTranslations: title('Desk update'),
      bodyTranslations: title('Update body'),
    })
    await updateProject(as(), project.id, { titleTranslations: title('Desk project'), waived: 'all' })
    await createActivity(as(), { id: createId(), project: project.id, kind: 'ideas', titleTranslations: title('Desk activity') })
    const question = { id: 'q1', type: 'short_text' as const, title: title('Desk question') }
    const definition = { schema: 1 as const, pages: [{ id: 'p1', questions: [question] }] }
    await createSurvey(as(), { id: createId(), project: project.id, titleTranslations: title('Desk survey'), definition })
    await createNewsletter(as(), { id: createId(), name: 'May', subjectTranslations: title('Desk newsletter') })
    await createEvent(as(), {
      id: createId(),
      project: project.id,
      titleTranslations: title('Desk event'),
      placeTranslations: title('Desk quay'),
      questions: [{ id: 'diet', type: 'short_text', title: title('Desk diet') }],
    })
    await createHub(as(), { id: createId(), titleTranslations: title('Desk department'), summaryTranslations: title('Desk summary') })
    await createTopic(as(), { id: createId(), titleTranslations: title('Desk topic') })
    const decided = { outcome: 'taken_up', decidedOn: '2026-03-27' } as const
    const decisionTexts = { titleTranslations: title('Desk decision'), reasonTranslations: title('Desk reason') }
    await createDecision(as(), { id: createId(), project: project.id, ...decided, ...decisionTexts })
    await createQuestion(as(), {
      id: createId(),
      key: 'desk',
      kind: 'one-choice',
      labelTranslations: title('Desk about people'),
      purposeTranslations: title('Desk purpose'),
      options: [{ id: 'one', label: title('Desk option') }],
      askedAt: 'account-only',
      retentionMonths: 12,
    })
    const kinds = [
      'department',
      'summary',
      'topic',
      'decision',
      'reason',
      'about people',
      'purpose',
      'option',
      'page',
      'update',
      'project',
      'activity',
      'survey',
      'question',
      'newsletter',
      'event',
      'quay',
      'diet',
    ]
    for (const kind of kinds) {
      const text = await find(`Desk ${kind}`)
      expect([text.state, text.source, text.translation]).toEqual(['missing', `Desk ${kind}`, ''])
      await write(text, `Desg ${kind}`)
      expect(await find(`Desg ${kind}`)).toMatchObject({ id: text.id, state: 'done', translation: `Desg ${kind}` })
    }
  })

  test('says when the source changed after the translation, what it said before, and believes somebody who has read it', async () => {
    const id = await createPage(as(), { id: createId(), titleTranslations: said('Hourly'), bodyTranslations: said('Every two hours') })
    const source = await find('Hourly', { kind: 'pages' })
    expect(source.state).toBe('done')
    const ctx = as()
    const english = (await list({ to: 'en', q: 'Every two hours' }))[0]
    if (!english) throw new Error('No English text')
    await saveTranslation(ctx, english.id, { language: 'en', source: english.source, was: english.translation, translation: 'Every hour' })
    const stale = await find('Every hour')
    expect(stale).toMatchObject({ state: 'stale', source: 'Every hour', formerSource: english.translation, subject: id })
    const { counts } = await readDesk(ctx, { to: 'cy', q: 'Every hour' })
    expect(counts).toEqual({ missing: 0, stale: 1, machine: 0, done: 0 })
    await settleText(ctx, stale.id, { language: 'cy', source: stale.source, was: stale.translation })
    expect((await find('Every hour')).state).toBe('done')
    // French has not been read.
    expect((await find('Every hour', { to: 'fr-CA' })).state).toBe('stale')
  })

  test('lists an event whose source changed, and no cancelled one', async () => {
    const id = await createEvent(as(), {
      id: createId(),
      project: project.id,
      titleTranslations: said('Owl walk'),
      placeTranslations: said('Owl barn'),
    })
    await updateEvent(as(), id, { titleTranslations: { ...said('Owl walk'), en: 'Owl night walk' } }, 1)
    expect(await find('Owl night')).toMatchObject({
      kind: 'events',
      subject: id,
      state: 'stale',
      formerSource: 'Owl walk',
      editor: `/admin/projects/${project.id}/events/${id}`,
      isPublic: false,
    })
    await as().db.tx((tx) => tx.update(events).set({ status: 'cancelled' }).where(eq(events.id, id)))
    expect(await list({ q: 'Owl night' })).toEqual([])
  })

  test('lists departments and questions about people whose source changed, to those who may edit them', async () => {
    const hub = await addHub(runtime, site, { slug: 'lanterns', title: said('Lantern works') })
    const [row] = await as().db.tx((tx) => tx.select().from(hubs).where(eq(hubs.id, hub.id)))
    if (!row) throw new Error('No department')
    await updateHub(as(), row, { titleTranslations: { ...said('Lantern works'), en: 'Lanterns and lamps' } }, row.lockVersion)
    expect(await find('Lanterns and')).toMatchObject({
      kind: 'hubs',
      state: 'stale',
      formerSource: 'Lantern works',
      editor: `/admin/hubs/${hub.id}`,
    })
    const topicId = await createTopic(as(), { id: createId(), titleTranslations: said('Lantern light') })
    const [topic] = await as().db.tx((tx) => tx.select().from(topics).where(eq(topics.id, topicId)))
    if (!topic) throw new Error('No topic')
    await updateTopic(as(), topic, { titleTranslations: { ...said('Lantern light'), en: 'Light of lanterns' } })
    expect(await find('Light of lanterns')).toMatchObject({ kind: 'topics', state: 'stale', formerSource: 'Lantern light' })
    const options = ['a', 'b'].map((id) => ({ id, label: said(`Lantern ${id}`) }))
    const texts = { labelTranslations: said('Lantern?'), purposeTranslations: said('To count lanterns.') }
    const basis = { key: 'lantern', kind: 'one-choice', askedAt: 'account-only', retentionMonths: 12, status: 'live' } as const
    const id = await createQuestion(as(), { id: createId(), ...basis, ...texts, options })
    await updateQuestion(as(), id, { purposeTranslations: { ...said('To count lanterns.'), en: 'To place lanterns.' } }, 1)
    expect(await find('To place lanterns')).toMatchObject({
      kind: 'profile-questions',
      subject: id,
      state: 'stale',
      isPublic: true,
      pointer: '/purposeTranslations',
    })
    const own = await addPerson(runtime, site, { roles: [{ role: 'hub_admin', hubId: hub.id }] })
    expect((await list({ q: 'lantern' }, as(own))).map(({ kind }) => kind)).toEqual(['hubs'])
    await updateQuestion(as(), id, { status: 'retired' }, 2)
    expect(await list({ q: 'To place lanterns' })).toEqual([])
  })

  test('a live question that lacks a language that was added later is translated one text after the other', async () => {
    const later = await addSite(runtime, { slug: 'later', languages: ['en'] })
    const boss = await addPerson(runtime, later, { roles: [{ role: 'site_admin' }] })
    const before = createCtx(runtime, later, { viewer: boss })
    const options = ['a', 'b'].map((id) => ({ id, label: { en: `Choice ${id}` } }))
    const texts = { labelTranslations: { en: 'Which?' }, purposeTranslations: { en: 'To know.' } }
    const basis = { key: 'which', kind: 'one-choice', askedAt: 'account-only', retentionMonths: 12, status: 'live' } as const
    const id = await createQuestion(before, { id: createId(), ...basis, ...texts, options })
    const ctx = createCtx(runtime, { ...later, languages: ['en', 'cy'] }, { viewer: boss })
    const [missing] = (await readDesk(ctx, { to: 'cy', q: 'Which?' })).texts
    if (!missing) throw new Error('The desk does not list it')
    await saveTranslation(ctx, missing.id, { language: 'cy', source: 'Which?', was: '', translation: 'Pa un?' })
    // What it has, it cannot lose.
    const lost = updateQuestion(ctx, id, { labelTranslations: { en: 'Which?' } }, 2)
    await expect(lost).rejects.toMatchObject({ code: 'invalid' })
  })

  test('refuses to write over what another person has written meanwhile', async () => {
    await createPage(as(), { id: createId(), titleTranslations: { en: 'Two writers' }, bodyTranslations: { en: 'x' } })
    const text = await find('Two writers', { kind: 'pages' })
    await write(text, 'Cyntaf')
    await expect(write(text, 'Ail')).rejects.toMatchObject({ code: 'stale' })
    expect((await find('Cyntaf')).translation).toBe('Cyntaf')
  })

  test('shows and writes only what its reader may edit', async () => {
    await createPage(as(), { id: createId(), titleTranslations: { en: 'Only for the site' }, bodyTranslations: { en: 'x' } })
    const other = await addProject(runtime, site)
    const own = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: other.id }] })
    const listed = await list({}, as(own))
    expect(new Set(listed.map((text) => text.project?.id))).toEqual(new Set([other.id]))
    await expect(write(await find('Only for the site'), 'Dim', as(own))).rejects.toMatchObject({ code: 'not-found' })
    const participant = await addPerson(runtime, site)
    await expect(readDesk(as(participant), {})).rejects.toMatchObject({ code: 'forbidden' })
    const elsewhere = await addSite(runtime, { slug: 'elsewhere' })
    const stranger = await addPerson(runtime, elsewhere, { roles: [{ role: 'site_admin' }] })
    const text = await find('Only for the site')
    await expect(write(text, 'Dim', createCtx(runtime, elsewhere, { viewer: stranger }))).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('publishing from the language desk', () => {
  const open = async (text: DeskText, ctx = as()) => (await readDesk(ctx, { to: 'cy', text: text.id })).canPublish

  test('makes the draft of a public project public, which asks about each language that it lacks', async () => {
    const { id } = await addProject(runtime, site)
    await updateProject(as(), id, { titleTranslations: { en: 'Gate works' }, waived: 'all' })
    const text = await find('Gate works')
    expect([text.isPublic, await open(text)]).toEqual([true, false])
    await write(text, 'Gwaith clwyd')
    expect(await open(text)).toBe(true)
    const loadTitle = async () => (await loadProjectRow(id)).title
    expect((await loadTitle()).cy).toBeUndefined()
    await expect(publishText(as(), text.id, [])).rejects.toMatchObject({
      code: 'invalid',
      faults: expect.arrayContaining([
        expect.objectContaining({ code: 'translation-missing', values: { language: 'fr-CA', name: 'title.fr-CA' } }),
      ]) as unknown,
    })
    expect((await loadTitle()).cy).toBeUndefined()
    const left = await publishText(as(), text.id, []).catch((error: { faults: { values: { name: string } }[] }) =>
      error.faults.map(({ values }) => values.name),
    )
    expect(await publishText(as(), text.id, left as string[])).toBe('published')
    expect((await loadTitle()).cy).toBe('Gwaith clwyd')
    expect(await open(text)).toBe(false)
    await expect(publishText(as(), text.id, [])).rejects.toMatchObject({ code: 'conflict' })
  })

  test('is for those who may, and only of what is public already', async () => {
    const { id } = await addProject(runtime, site)
    await updateProject(as(), id, { titleTranslations: { en: 'Tunnel works' }, waived: 'all' })
    const text = await find('Tunnel works')
    await write(text, 'Gwaith twnnel')
    const outsider = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: project.id }] })
    await expect(publishText(as(outsider), text.id, [])).rejects.toMatchObject({ code: 'not-found' })
    await createActivity(as(), { id: createId(), project: id, kind: 'ideas', titleTranslations: { en: 'Tunnel ideas' } })
    const draft = await find('Tunnel ideas')
    await write(draft, 'Syniadau twnnel')
    expect([draft.isPublic, await open(draft)]).toEqual([false, false])
  })
})

const loadProjectRow = async (id: string) => {
  const [row] = await as().db.tx((tx) => tx.select().from(projects).where(eq(projects.id, id)))
  if (!row) throw new Error('No project')
  return row
}

const download = async (serve: typeof serveTextsXliff, query: string): Promise<Uint8Array> => {
  const request = new Request(`https://site.example/admin/languages.file?${query}`)
  const answer = await serve({ context: { ctx: as() } as Parameters<typeof serve>[0]['context'], request })
  expect(answer.status).toBe(200)
  return new Uint8Array(await answer.arrayBuffer())
}

describe('files for translators', () => {
  const odd = 'Trees & <benches>, “said” she\n\nSecond line ]]> \u{1F333}'

  test.each([
    ['xlsx', () => serveTextsWorkbook],
    ['xliff', () => serveTextsXliff],
  ])('as %s have every text under the filters, as it is, and say what they would change before they change it', async (name, serve) => {
    await createPage(as(), { id: createId(), titleTranslations: { en: `Round ${name}` }, bodyTranslations: { en: odd, cy: 'Coed' } })
    const file = await readTranslations({ file: await download(serve(), `to=cy&q=Round+${name}`) })
    expect([file.from, file.to]).toEqual(['en', 'cy'])
    const sources = new Map(file.texts.map(({ source, target }) => [source, target]))
    expect([...sources]).toEqual([
      [`Round ${name}`, ''],
      [odd, 'Coed'],
    ])
    const translated = { ...file, texts: file.texts.map((text) => ({ ...text, target: text.source === odd ? `${odd}!` : '' })) }
    const look = await importTranslations(as(), translated, false)
    expect(look).toMatchObject({ written: false, counts: { changes: 1, empty: 1 }, texts: [{ before: 'Coed', after: `${odd}!` }] })
    expect((await find(odd)).translation).toBe('Coed')
    expect(await importTranslations(as(), translated, true)).toMatchObject({ written: true, counts: { changes: 1, empty: 1 } })
    expect((await find(`Round ${name}`, { kind: 'pages' })).translation).toBe('')
    expect((await find(odd, { q: `Round ${name}` })).state).toBe('missing')
    expect((await list({ q: `${odd}!` })).some(({ translation }) => translation === `${odd}!`)).toBe(true)
    // What is written already changes nothing more.
    expect((await importTranslations(as(), translated, true)).counts).toMatchObject({ changes: 0, same: 1 })
  })

  test('leave alone what changed since, what is not here, and what the reader may not edit', async () => {
    await createPage(as(), { id: createId(), titleTranslations: { en: 'Moved on' }, bodyTranslations: { en: 'Not that' } })
    const file = await readTranslations({ file: await download(serveTextsXliff, 'to=cy&q=Moved+on') })
    const [first] = file.texts
    if (!first) throw new Error('Nothing exported')
    const texts = [
      { ...first, source: 'What it said last month', target: 'Hen' },
      { id: 'pages/00000000-0000-4000-8000-000000000000/titleTranslations', source: 'x', target: 'y' },
      { id: 'nonsense', source: 'x', target: 'y' },
    ]
    const report = await importTranslations(as(), { ...file, texts }, true)
    expect(report.counts).toMatchObject({ changes: 0, 'source-changed': 1, unknown: 2 })
    expect((await find('Moved on', { kind: 'pages' })).translation).toBe('')
    const own = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: project.id }] })
    const tried = { ...file, texts: [{ ...first, target: 'Dim hawl' }] }
    expect((await importTranslations(as(own), tried, true)).counts).toMatchObject({ changes: 0, unknown: 1 })
    await expect(importTranslations(as(), { ...file, to: 'tlh' }, false)).rejects.toMatchObject({ faults: [{ code: 'language-unknown' }] })
  })

  test('of XLIFF 1.2 and with marks inside are read too', () => {
    const xml = `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" target-language="cy"><body>
      <trans-unit id="a"><source>One <g id="1">two</g></source><target><![CDATA[Un <dau>]]></target><alt-trans><target>Na</target></alt-trans></trans-unit>
    </body></file></xliff>`
    expect(readXliff(xml)).toEqual({ from: 'en', to: 'cy', texts: [{ id: 'a', source: 'One two', target: 'Un <dau>' }] })
  })

  test.each([
    ['an empty file', ''],
    ['another XML', '<html><body/></html>'],
    ['XML that expands', '<!DOCTYPE x [<!ENTITY a "b">]><xliff>&a;</xliff>'],
    ['XML that ends early', '<xliff><file>'],
    ['bytes of nothing', '\u0000\u0001'],
  ])('that cannot be read, as %s, are refused in words', async (_, content) => {
    await expect(readTranslations({ file: new TextEncoder().encode(content) })).rejects.toMatchObject({
      faults: [{ code: 'unreadable-file', pointer: '/file' }],
    })
  })

  test('that nest without end are refused as too complex', async () => {
    const file = new TextEncoder().encode(`<xliff>${'<a>'.repeat(100_000)}`)
    await expect(readTranslations({ file })).rejects.toMatchObject({ faults: [{ code: 'file-too-complex' }] })
  })

  test('are in the audit log, each download and each upload that wrote', async () => {
    await download(serveTextsXliff, 'to=cy')
    const actions = await runtime.database.site(site.id).tx((tx) => tx.select({ action: auditEvents.action }).from(auditEvents))
    expect(actions.map(({ action }) => action)).toEqual(expect.arrayContaining(['texts.export', 'texts.import']))
  })
})

describe('several texts at once', () => {
  const addPages = async (word: string, count: number) => {
    for (let at = 0; at < count; at += 1) {
      const title = { en: `${word} ${at}`, 'fr-CA': `${word} ${at}` }
      await createPage(as(), { id: createId(), titleTranslations: title, bodyTranslations: said('Body') })
    }
  }
  const change = (
    act: 'confirm' | 'same' | 'machine',
    state: DeskText['state'],
    q: string,
    more: { ids?: string[]; after?: string } = {},
  ) => changeTexts(as(), { act, search: { to: 'cy', q, state }, ...more })

  test('keeps all that match as they are in the source, a batch at a time, and says where it goes on', async () => {
    await addPages('Ysgol', 42)
    const first = await change('same', 'missing', 'Ysgol')
    expect(first).toMatchObject({ changed: 40, refused: 0 })
    const second = await change('same', 'missing', 'Ysgol', { after: first.next ?? '' })
    expect(second).toEqual({ changed: 2, refused: 0, reason: null, next: null })
    const done = await readDesk(as(), { to: 'cy', q: 'Ysgol', state: 'done' })
    expect(done.counts).toMatchObject({ missing: 0, done: 84 })
    const titles = done.texts.filter(({ pointer }) => pointer === '/titleTranslations')
    expect(titles.length).toBeGreaterThan(0)
    expect(titles.every(({ source, translation }) => source === translation)).toBe(true)
  })

  test('changes only the chosen ones', async () => {
    await addPages('Pont', 3)
    const [one] = (await readDesk(as(), { to: 'cy', q: 'Pont', state: 'missing' })).texts
    expect(await change('same', 'missing', 'Pont', { ids: [one?.id ?? ''] })).toMatchObject({ changed: 1, next: null })
    expect((await readDesk(as(), { to: 'cy', q: 'Pont', state: 'missing' })).counts).toMatchObject({ missing: 2, done: 4 })
  })

  test('confirms all that are out of date', async () => {
    for (const name of ['Afon', 'Cwm']) {
      const id = await createPage(as(), { id: createId(), titleTranslations: said(`Bulk ${name}`), bodyTranslations: said('Body') })
      const [text] = (await readDesk(as(), { to: 'en', q: `Bulk ${name}`, state: 'done' })).texts.filter(
        ({ pointer }) => pointer === '/titleTranslations',
      )
      await saveTranslation(as(), text?.id ?? id, {
        language: 'en',
        source: text?.source ?? '',
        was: text?.translation ?? '',
        translation: `Bulk new ${name}`,
      })
    }
    expect((await readDesk(as(), { to: 'cy', q: 'Bulk new' })).counts).toMatchObject({ stale: 2 })
    expect(await change('confirm', 'stale', 'Bulk new')).toEqual({ changed: 2, refused: 0, reason: null, next: null })
    expect((await readDesk(as(), { to: 'cy', q: 'Bulk new' })).counts).toMatchObject({ stale: 0, done: 4 })
  })

  test('is refused for what a state does not offer, without a service, and for others', async () => {
    await expect(change('same', 'stale', 'Pont')).rejects.toMatchObject({ code: 'invalid' })
    await expect(change('machine', 'missing', 'Pont')).rejects.toMatchObject({ code: 'not-translatable' })
    const search = { to: 'cy', state: 'missing' } as const
    await expect(changeTexts(createCtx(runtime, site), { act: 'same', search })).rejects.toMatchObject({ code: 'unauthenticated' })
    const hubless = await addPerson(runtime, site)
    await expect(changeTexts(as(hubless), { act: 'same', search })).rejects.toMatchObject({ code: 'forbidden' })
  })
})

test('the desk asks the database as often for many projects, activities, budgets, documents, areas and departments as for one', async () => {
  const crowded = await addSite(runtime, { slug: `crowded-${createId()}` })
  const viewer = await addPerson(runtime, crowded, { roles: [{ role: 'site_admin' }] })
  const inCrowd = createCtx(runtime, crowded, { viewer })
  const addAll = async () => {
    const { id } = await addProject(runtime, crowded)
    await updateProject(inCrowd, id, { titleTranslations: { en: 'Crowded' }, waived: 'all' })
    await createActivity(inCrowd, { id: createId(), project: id, kind: 'ideas', titleTranslations: { en: 'Crowded' } })
    const round = await addRound(runtime, crowded, [{ amount: 100, costs: [50] }], { projectId: id, title: { en: 'Crowded' } })
    const document = { projectId: id, title: { en: 'Crowded' }, file: '/x.pdf', mediaType: 'application/pdf', bytes: 1 }
    await inCrowd.db.tx((tx) => tx.insert(projectDocuments).values({ ...document, siteId: crowded.id, id: round.id }))
    const area = { siteId: crowded.id, id: round.id, slug: round.id, name: round.id, rings: [] }
    await inCrowd.db.tx((tx) => tx.insert(areas).values(area))
    const hub = await addHub(runtime, crowded)
    await saveRevision(inCrowd, HOMEPAGE, { content: { schema: 2, blocks: [] }, placeId: hub.id, parentId: null })
  }
  const count = async () => (await recordDatabaseUse(runtime, () => readDesk(inCrowd, { to: 'cy' }))).statements.length
  await addAll()
  await count()
  const before = await count()
  for (let at = 0; at < 4; at += 1) await addAll()
  expect(await count()).toBe(before)
})
