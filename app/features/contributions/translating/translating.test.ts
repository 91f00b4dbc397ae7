import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatableType } from '#app/lib/vocabulary/contributions.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributionPhotos, contributions, contributionVersions, officialResponses, replies } from '#app/server/db/schema/contributions.ts'
import { installationCalls, installations } from '#app/server/db/schema/marketplace.ts'
import { textTranslations } from '#app/server/db/schema/translations.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson as addViewer, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { AZURE_KEY, DEEPL_KEY, installTranslation, LIBRE_KEY, serveTranslation } from '#tests/support/translation-service.ts'
import { decideOnContribution } from '../moderation/decide.server.ts'
import { getContribution, listContributions } from '../reading/views.server.ts'
import { updateOfficialResponse } from '../responding/official-responses.server.ts'
import { translateText } from './translate-text.server.ts'

const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
const server = await serveTranslation()
let site: Site

beforeEach(async () => {
  server.texts.length = 0
  server.failing.length = 0
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}`, languages: ['en', 'fr-CA', 'cy'] })
})

const as = (viewer: Ctx['viewer'] = VISITOR, language: Language = 'en', address: string | null = '192.0.2.7'): Ctx =>
  createCtx(runtime, site, { viewer, language, address })

const WHY = { id: 'why', type: 'long_text', title: inAllLanguages('Why there?'), shownTo: 'public' }
const PHONE = { id: 'phone', type: 'short_text', title: inAllLanguages('Your phone'), shownTo: 'staff' }

/** A contribution in French, with a reply and an answer in French, in an activity of a site that is read in English. */
async function addTexts(values: Partial<typeof contributions.$inferInsert> = {}) {
  const activity = await addActivity(runtime, site, { fields: [WHY, PHONE] })
  const contribution = await addContribution(runtime, site, {
    activityId: activity.id,
    number: 1,
    language: 'fr-CA',
    title: 'Un banc',
    body: 'Près de la rivière.',
    fields: { why: 'On s’y repose.', phone: '613 555 0123' },
    ...values,
  })
  const [reply, answer] = [createId(), createId()]
  await as().db.tx(async (tx) => {
    const shared = { siteId: site.id, contributionId: contribution.id }
    await tx.insert(replies).values({
      ...shared,
      id: reply,
      language: 'fr-CA',
      body: 'Bonne idée.',
      state: 'published',
      receiptHash: Buffer.from(reply),
      authorId: values.authorId ?? null,
    })
    await tx.insert(officialResponses).values({ ...shared, id: answer, version: 1, text: { 'fr-CA': 'En mai.' } })
  })
  return { activity, id: contribution.id, reply, answer }
}
type Texts = Awaited<ReturnType<typeof addTexts>>

const ask = (id: string, type: TranslatableType = 'contributions', ctx = as()) => translateText(ctx, { type, id, language: ctx.language })
const readPage = async ({ activity }: Texts, translated: string[] = [], ctx = as()) => {
  const address = { project: activity.projectSlug, activity: activity.slug }
  const { contribution } = await getContribution(ctx, address, 1, undefined, undefined, translated)
  return contribution?.translations ?? {}
}
const loadRows = () => as().db.tx((tx) => tx.select().from(textTranslations).where(eq(textTranslations.siteId, site.id)))
const one = (answer: ApiAnswer) => answer.body?.data as { id: string; attributes: Record<string, unknown> }
const codeOf = (code: string) => expect.objectContaining({ code }) as Error
const addAdmin = (): Promise<SignedInViewer> => addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })

describe.each([
  ['deepl', DEEPL_KEY, '[EN-GB] ', 'DeepL'],
  ['azure', AZURE_KEY, '[en] ', 'Azure Translator'],
  ['libretranslate', LIBRE_KEY, '[en] ', 'LibreTranslate'],
] as const)('with %s', (service, apiKey, mark, name) => {
  test('a contribution, a reply and an official answer are translated as the service documents it, and kept for all readers', async () => {
    await installTranslation(runtime, site, server, { service, apiKey })
    const texts = await addTexts()
    const { id, reply, answer } = texts
    expect(await readPage(texts)).toEqual({
      [id]: { type: 'contributions', id, shown: null },
      [reply]: { type: 'replies', id: reply, shown: null },
      [answer]: { type: 'official-responses', id: answer, shown: null },
    })
    await ask(id)
    await ask(reply, 'replies')
    await ask(answer, 'official-responses')
    // What only the team sees is not sent.
    expect(server.texts).toEqual(['Un banc', 'Près de la rivière.', 'On s’y repose.', 'Bonne idée.', 'En mai.'])
    const page = await readPage(texts, [id, reply])
    expect(page[id]?.shown).toEqual({
      texts: { title: `${mark}Un banc`, body: `${mark}Près de la rivière.`, 'fields.why': `${mark}On s’y repose.` },
      service: name,
      correctedBy: null,
    })
    expect(page[reply]?.shown?.texts).toEqual({ body: `${mark}Bonne idée.` })
    // Others see the original until they ask.
    expect(page[answer]?.shown).toBeNull()
    await ask(id, 'contributions', as(await addViewer(runtime, site)))
    expect(server.texts).toHaveLength(5)
    // Nothing of a text is in the log.
    expect(JSON.stringify(await as().db.tx((tx) => tx.select().from(installationCalls)))).not.toMatch(/banc|rivi/)
  })
})

describe('in a list', () => {
  const readList = async ({ activity }: Texts, translated?: string, ctx = as()) => {
    const address = { project: activity.projectSlug, activity: activity.slug }
    const { entries } = await listContributions(ctx, address, translated === undefined ? {} : { translated })
    return entries[0]
  }

  test('an excerpt in another language is offered, and shown translated to those who asked, as its page is', async () => {
    await installTranslation(runtime, site, server, { service: 'deepl', apiKey: DEEPL_KEY })
    const long = `Près de la rivière. ${'Un long texte. '.repeat(60)}`
    const texts = await addTexts({ body: long })
    const { id } = texts
    expect((await readList(texts))?.translation).toEqual({ type: 'contributions', id, shown: null })
    // A page shows a translation that exists; it never asks the service for one.
    expect((await readList(texts, id))?.translation?.shown).toBeNull()
    expect(server.texts).toEqual([])
    await ask(id)
    expect(await readList(texts, id)).toMatchObject({
      title: 'Un banc',
      translation: { shown: { texts: { title: '[EN-GB] Un banc' }, service: 'DeepL', correctedBy: null } },
    })
    const shown = (await readList(texts, id))?.translation?.shown?.texts['body'] ?? ''
    expect([shown.startsWith('[EN-GB] Près'), shown.endsWith('…'), shown.length < long.length]).toEqual([true, true, true])
    expect((await readList(texts))?.translation?.shown).toBeNull()
    // In its own language there is nothing to translate.
    expect((await readList(texts, id, as(VISITOR, 'fr-CA')))?.translation).toBeUndefined()
  })

  test('nothing is offered where the site has no service', async () => {
    const texts = await addTexts()
    expect((await readList(texts, texts.id))?.translation).toBeUndefined()
  })
})

test('what photos show is translated with their contribution, and forgotten with the photo', async () => {
  await installTranslation(runtime, site, server, { service: 'deepl', apiKey: DEEPL_KEY })
  const texts = await addTexts()
  const photo = createId()
  await as().db.tx((tx) =>
    tx.insert(contributionPhotos).values({
      siteId: site.id,
      id: photo,
      activityId: texts.activity.id,
      heldBy: texts.id,
      keyHash: Buffer.from(photo),
      alt: 'Un banc vert',
      width: 640,
      height: 480,
      bytes: 1000,
      touchedAt: new Date(),
      sentAt: new Date(),
    }),
  )
  await ask(texts.id)
  expect(server.texts).toContain('Un banc vert')
  expect((await readPage(texts, [texts.id]))[texts.id]?.shown?.texts[`photos.${photo}`]).toBe('[EN-GB] Un banc vert')
  await as().db.tx((tx) =>
    tx.update(contributionPhotos).set({ removedAt: new Date(), removedAs: 'privacy' }).where(eq(contributionPhotos.id, photo)),
  )
  expect(await loadRows()).toEqual([])
  server.texts.length = 0
  await ask(texts.id)
  expect(server.texts).not.toContain('Un banc vert')
})

test('the settings are tested, and what they are wrong about is said', async () => {
  const admin = await addPerson(runtime, site, { role: 'site_admin' })
  const api = createApiClient(runtime, site, admin.token)
  const settings = { service: 'deepl', address: server.origin, apiKey: DEEPL_KEY }
  const made = await api.post('/installations', buildResourceDocument('installations', { integration: 'machine-translation', settings }))
  const { id, attributes } = one(made)
  expect(attributes).toMatchObject({ secretsSet: ['apiKey'], settings: { service: 'deepl', charactersPerDay: 100_000 } })
  const to = { installation: { type: 'installations', id } }
  const check = async () => one(await api.post('/installation-tests', buildResourceDocument('installation-tests', {}, { to })))
  expect((await check()).attributes['fault']).toBeNull()
  server.failing.push(403)
  expect((await check()).attributes['fault']).toBe('provider-refused')
  server.garbled = { translations: [] }
  expect((await check()).attributes['fault']).toBe('provider-not-understood')
  // The key does not follow to another service.
  const lock = { id, lockVersion: 1 }
  const moved = await api.patch(`/installations/${id}`, buildResourceDocument('installations', { settings: { service: 'azure' } }, lock))
  expect(one(moved).attributes['secretsSet']).toEqual([])
})

describe('without a service', () => {
  test('nothing is offered and nothing is sent, also if there is one that is switched off', async () => {
    const texts = await addTexts()
    expect(await readPage(texts)).toEqual({})
    await expect(ask(texts.id)).rejects.toEqual(codeOf('not-translatable'))
    const installed = await installTranslation(runtime, site, server)
    await as().db.tx((tx) => tx.update(installations).set({ enabledAt: null }).where(eq(installations.id, installed)))
    expect(await readPage(texts)).toEqual({})
    await expect(ask(texts.id)).rejects.toEqual(codeOf('not-translatable'))
    expect(server.texts).toEqual([])
    expect(await loadRows()).toEqual([])
  })

  test('what was translated while there was one can still be read', async () => {
    const installed = await installTranslation(runtime, site, server)
    const texts = await addTexts()
    await ask(texts.id)
    await as().db.tx((tx) => tx.delete(installations).where(eq(installations.id, installed)))
    expect(Object.keys(await readPage(texts, [texts.id]))).toEqual([texts.id])
    expect((await readPage(texts, [texts.id]))[texts.id]?.shown?.service).toBe('DeepL')
  })

  test('a service that does not know a language is not offered for it', async () => {
    await installTranslation(runtime, site, server, { service: 'libretranslate', apiKey: LIBRE_KEY })
    const texts = await addTexts({ language: 'cy' })
    expect(Object.keys(await readPage(texts))).not.toContain(texts.id)
    await expect(ask(texts.id)).rejects.toEqual(codeOf('not-translatable'))
  })
})

test('a text in the page’s language is not offered, and an answer that has the language is shown in it', async () => {
  await installTranslation(runtime, site, server)
  const texts = await addTexts()
  expect(await readPage(texts, [], as(VISITOR, 'fr-CA'))).toEqual({})
  await expect(ask(texts.id, 'contributions', as(VISITOR, 'fr-CA'))).rejects.toEqual(codeOf('not-translatable'))
  expect(Object.keys(await readPage(texts, [], as(VISITOR, 'cy'))).toSorted()).toEqual([texts.id, texts.reply, texts.answer].toSorted())
})

test('readers who ask at the same time have it translated once', async () => {
  await installTranslation(runtime, site, server)
  const { id } = await addTexts()
  server.hold(() => true)
  const asked = Promise.all(Array.from({ length: 5 }, (_, at) => ask(id, 'contributions', as(VISITOR, 'en', `198.51.100.${at}`))))
  await expect.poll(() => server.asked.length).toBeGreaterThan(0)
  server.letGo()
  expect(new Set(await asked).size).toBe(1)
  expect(server.texts).toHaveLength(3)
  expect(await loadRows()).toHaveLength(1)
})

describe('a text that changes', () => {
  const CHANGES: [string, (texts: Texts) => Promise<unknown>][] = [
    [
      'is edited',
      ({ id }) => as().db.tx((tx) => tx.update(contributions).set({ body: 'Loin.', version: 2 }).where(eq(contributions.id, id))),
    ],
    ['is removed', async ({ id }) => decideOnContribution(as(await addAdmin()), id, 'remove', { rule: 'personal-data', words: 'A name.' })],
    ['is withdrawn', ({ id }) => as().db.tx((tx) => tx.update(contributions).set({ state: 'withdrawn' }).where(eq(contributions.id, id)))],
    ['is deleted', ({ id }) => as().db.tx((tx) => tx.delete(contributions).where(eq(contributions.id, id)))],
  ]
  test.each(CHANGES)('and %s has no translation any more', async (_name, change) => {
    await installTranslation(runtime, site, server)
    const texts = await addTexts()
    await ask(texts.id)
    await change(texts)
    expect(await loadRows()).toEqual([])
  })

  test('and is masked is sent masked, never as it was', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addTexts({ body: 'Appelez Zebulon.' })
    await ask(texts.id)
    const admin = await addPerson(runtime, site, { role: 'site_admin' })
    const masked = await createApiClient(runtime, site, admin.token).post(
      '/moderation-decisions',
      buildResourceDocument(
        'moderation-decisions',
        { decision: 'mask', textVersion: 1, passages: [{ field: 'body', start: 8, end: 15 }], rule: 'personal-data', reason: 'A name.' },
        { to: { contribution: { type: 'contributions', id: texts.id } } },
      ),
    )
    expect(masked.status, JSON.stringify(masked.body)).toBe(201)
    expect(await loadRows()).toEqual([])
    expect((await readPage(texts, [texts.id]))[texts.id]?.shown).toBeNull()
    server.texts.length = 0
    await ask(texts.id)
    expect(server.texts.join()).not.toContain('Zebulon')
    expect(JSON.stringify(await loadRows())).not.toContain('Zebulon')
  })

  test('while the service translates it gets no translation, and the reader is told', async () => {
    await installTranslation(runtime, site, server)
    const { id } = await addTexts()
    server.hold(() => true)
    const asked = ask(id)
    void asked.catch(() => undefined)
    const before = server.asked.length
    await expect.poll(() => server.asked.length).toBeGreaterThanOrEqual(before)
    await expect.poll(async () => (await loadRows()).length).toBe(1)
    await as().db.tx((tx) => tx.update(contributions).set({ body: 'Loin.' }).where(eq(contributions.id, id)))
    server.letGo()
    await expect(asked).rejects.toEqual(codeOf('stale'))
    expect(await loadRows()).toEqual([])
  })

  test('is not sent while it is held, nor are private answers and replies that nobody sees', async () => {
    await installTranslation(runtime, site, server)
    const held = await addTexts({ state: 'held' })
    for (const [id, type] of [
      [held.id, 'contributions'],
      [held.reply, 'replies'],
      [held.answer, 'official-responses'],
    ] as const)
      await expect(ask(id, type)).rejects.toEqual(codeOf('not-found'))
    const open = await addTexts()
    await as().db.tx(async (tx) => {
      await tx.update(replies).set({ state: 'removed' }).where(eq(replies.id, open.reply))
      await tx.update(officialResponses).set({ visibility: 'private' }).where(eq(officialResponses.id, open.answer))
    })
    await expect(ask(open.reply, 'replies')).rejects.toEqual(codeOf('not-found'))
    await expect(ask(open.answer, 'official-responses')).rejects.toEqual(codeOf('not-found'))
    expect(server.texts).toEqual([])
  })

  test('as an official answer does loses its translation too', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addTexts()
    await ask(texts.answer, 'official-responses')
    await updateOfficialResponse(
      as(await addAdmin()),
      { id: texts.answer },
      { textTranslations: { 'fr-CA': 'En juin.' }, waiveTranslations: true },
      1,
    )
    expect(await loadRows()).toEqual([])
    await ask(texts.answer, 'official-responses')
    expect(server.texts).toEqual(['En mai.', 'En juin.'])
  })
})

describe('nobody runs up a bill:', () => {
  test('a site sends no more characters a day than it set, and stored translations are still read', async () => {
    await installTranslation(runtime, site, server, { charactersPerDay: 50 })
    const first = await addTexts()
    const second = await addTexts()
    await ask(first.id)
    await expect(ask(second.id)).rejects.toEqual(codeOf('too-many-requests'))
    await ask(first.id)
    expect(server.texts).toHaveLength(3)
  })

  test('a reader has no more than 60 texts a day translated, whoever else asks', async () => {
    await installTranslation(runtime, site, server)
    const { id } = await addTexts()
    const change = (body: string) => as().db.tx((tx) => tx.update(contributions).set({ body }).where(eq(contributions.id, id)))
    for (let at = 0; at < 60; at++) {
      await change(`Texte ${at}`)
      await ask(id)
    }
    await change('Encore un')
    await expect(ask(id)).rejects.toEqual(codeOf('too-many-requests'))
    await ask(id, 'contributions', as(VISITOR, 'en', '203.0.113.9'))
  })

  test('a service that fails costs nothing, is asked again, and is left in peace after five failures', async () => {
    await installTranslation(runtime, site, server, { charactersPerDay: 50 })
    const { id } = await addTexts()
    server.failing.push(403, 403, 403, 403, 403)
    for (let at = 0; at < 5; at++) await expect(ask(id)).rejects.toEqual(codeOf('translation-unavailable'))
    const asked = server.asked.length
    await expect(ask(id)).rejects.toEqual(codeOf('translation-unavailable'))
    expect(server.asked).toHaveLength(asked)
    expect(await loadRows()).toEqual([])
    await as().db.tx((tx) => tx.update(installations).set({ health: 'working', failures: 0, pausedUntil: null }))
    await ask(id)
    expect(server.texts).toHaveLength(3)
  })

  test('an answer that is not as documented is not shown', async () => {
    await installTranslation(runtime, site, server)
    const { id } = await addTexts()
    for (const garbled of [{ translations: [{ text: 'One' }] }, { translations: [{}, {}, {}] }, 'Hello', []]) {
      server.garbled = garbled
      await expect(ask(id)).rejects.toEqual(codeOf('translation-unavailable'))
    }
    expect(await loadRows()).toEqual([])
  })
})

describe('the team', () => {
  const correct = (api: ReturnType<typeof createApiClient>, id: string, attributes: Record<string, unknown>, lockVersion = 1) =>
    api.patch(`/contribution-translations/${id}`, buildResourceDocument('contribution-translations', attributes, { id, lockVersion }))

  test('corrects a translation, which then is labelled so; whoever saves second is told', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addTexts()
    const id = await ask(texts.id)
    const admin = await addPerson(runtime, site, { role: 'site_admin' })
    const api = createApiClient(runtime, site, admin.token)
    expect(one(await api.get(`/contribution-translations/${id}`)).attributes).toMatchObject({
      source: { title: 'Un banc' },
      service: 'DeepL',
      correctedAt: null,
      team: '',
    })
    const corrected = await correct(api, id, { texts: { title: 'A bench' }, team: 'Parks' })
    expect(corrected.status, JSON.stringify(corrected.body)).toBe(200)
    expect(await correct(api, id, { texts: { title: 'Benches' } })).toMatchObject({ status: 409, codes: ['stale'] })
    const shown = (await readPage(texts, [texts.id]))[texts.id]?.shown
    expect(shown).toMatchObject({ texts: { title: 'A bench', body: '[EN-GB] Près de la rivière.' }, correctedBy: 'Parks' })
    const events = await as().db.tx((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.subjectId, texts.id), eq(auditEvents.action, 'contributions.correct-translation'))),
    )
    expect(events).toHaveLength(1)
    // Without a name of a team, it is the site's.
    expect((await correct(api, id, { team: '' }, 2)).status).toBe(200)
    expect((await readPage(texts, [texts.id]))[texts.id]?.shown?.correctedBy).toBe(site.name)
    // A corrected translation is not requested again.
    await ask(texts.id)
    expect(server.texts).toHaveLength(3)
  })

  test('alone may correct, and only what is there', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addTexts()
    const id = await ask(texts.id)
    const participant = createApiClient(runtime, site, (await addPerson(runtime, site)).token)
    expect((await correct(participant, id, { texts: { title: 'Mine' } })).status).toBe(403)
    const api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
    expect(await correct(api, id, { texts: { title: ' ' } })).toMatchObject({ status: 422, codes: ['required'] })
    expect(await correct(api, id, { texts: { colour: 'red' } })).toMatchObject({ status: 422, codes: ['unknown-attribute'] })
  })
})

test('anybody can ask for a translation over the API, and list those of a contribution', async () => {
  await installTranslation(runtime, site, server)
  const texts = await addTexts()
  const api = createApiClient(runtime, site, undefined, { headers: { 'accept-language': 'en' } })
  const made = await api.post(
    '/contribution-translations',
    buildResourceDocument('contribution-translations', { sourceType: 'contributions', sourceId: texts.id, language: 'en' }),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const listed = (await api.get(`/contribution-translations?filter[contribution]=${texts.id}`)).body?.data as {
    attributes: Record<string, unknown>
  }[]
  expect(listed.map(({ attributes }) => attributes)).toMatchObject([
    { sourceType: 'contributions', sourceLanguage: 'fr-CA', language: 'en', texts: { title: '[EN-GB] Un banc' } },
  ])
  await as().db.tx((tx) => tx.update(contributions).set({ state: 'held' }).where(eq(contributions.id, texts.id)))
  expect((await api.get(`/contribution-translations?filter[contribution]=${texts.id}`)).body?.data).toEqual([])
})

describe('what a contribution said before', () => {
  /** Its first version was public, its second never was; it says now what its third says. */
  async function addFormer(values: Parameters<typeof addTexts>[0] = {}) {
    const texts = await addTexts({ ...values, version: 3 })
    const [first, unseen, current] = [createId(), createId(), createId()]
    await as().db.tx(async (tx) => {
      await tx.delete(contributionVersions).where(eq(contributionVersions.contributionId, texts.id))
      await tx.insert(contributionVersions).values(
        [
          {
            id: first,
            number: 1,
            title: 'Un siège',
            body: 'Au parc.',
            fields: { why: 'On y attend.', phone: '613 555 0199' },
            wasPublic: true,
          },
          { id: unseen, number: 2, title: 'Retenu', body: 'Jamais lu.', wasPublic: false },
          { id: current, number: 3, title: 'Un banc', body: 'Près de la rivière.', wasPublic: true },
        ].map((version) => ({ ...version, siteId: site.id, contributionId: texts.id })),
      )
    })
    return { ...texts, first, unseen, current }
  }

  test('is translated on its own, as far as everybody could read it', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addFormer()
    const { first, unseen, current } = texts
    expect((await readPage(texts))[first]).toEqual({ type: 'contribution-versions', id: first, shown: null })
    expect(Object.keys(await readPage(texts))).not.toEqual(expect.arrayContaining([unseen]))
    await ask(first, 'contribution-versions')
    expect(server.texts).toEqual(['Un siège', 'Au parc.', 'On y attend.'])
    const page = await readPage(texts, [first])
    expect(page[first]?.shown?.texts).toEqual({
      title: '[EN-GB] Un siège',
      body: '[EN-GB] Au parc.',
      'fields.why': '[EN-GB] On y attend.',
    })
    expect(page[texts.id]?.shown).toBeNull()
    for (const id of [unseen, current, createId()]) await expect(ask(id, 'contribution-versions')).rejects.toEqual(codeOf('not-found'))
    expect(server.texts).toHaveLength(3)
  })

  test('is corrected by the team, and listed beside the others', async () => {
    await installTranslation(runtime, site, server)
    const { id, first } = await addFormer()
    await ask(first, 'contribution-versions')
    const admin = await addPerson(runtime, site, { role: 'site_admin' })
    const api = createApiClient(runtime, site, admin.token)
    const { body } = await api.get(`/contribution-translations?filter[contribution]=${id}`)
    const [listed] = (body?.data ?? []) as {
      id: string
      attributes: { sourceType: string; source: Record<string, string>; texts: Record<string, string> }
    }[]
    expect(listed?.attributes).toMatchObject({ sourceType: 'contribution-versions', source: { title: 'Un siège' } })
    const corrected = buildResourceDocument(
      'contribution-translations',
      { texts: { ...listed?.attributes.texts, title: 'A seat' } },
      { id: listed?.id ?? '', lockVersion: 1 },
    )
    expect((await api.patch(`/contribution-translations/${listed?.id}`, corrected)).status).toBe(200)
    expect((await loadRows())[0]).toMatchObject({ texts: { title: 'A seat' }, correctedBy: admin.id })
  })

  test.each<[string, (of: { id: string; first: string }) => Promise<unknown>]>([
    [
      'it is masked',
      ({ first }) => as().db.tx((tx) => tx.update(contributionVersions).set({ body: 'Au […].' }).where(eq(contributionVersions.id, first))),
    ],
    ['it is deleted', ({ first }) => as().db.tx((tx) => tx.delete(contributionVersions).where(eq(contributionVersions.id, first)))],
    [
      'its contribution is removed',
      async ({ id }) => decideOnContribution(as(await addAdmin()), id, 'remove', { rule: 'personal-data', words: 'A name.' }),
    ],
    ['its contribution is deleted', ({ id }) => as().db.tx((tx) => tx.delete(contributions).where(eq(contributions.id, id)))],
  ])('loses its translation when %s', async (_name, change) => {
    await installTranslation(runtime, site, server)
    const texts = await addFormer()
    await ask(texts.first, 'contribution-versions')
    expect(await loadRows()).toHaveLength(1)
    await change(texts)
    expect(await loadRows()).toEqual([])
  })

  test('keeps its translation when the contribution changes again', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addFormer()
    await ask(texts.first, 'contribution-versions')
    await as().db.tx((tx) => tx.update(contributions).set({ body: 'Loin.', version: 4 }).where(eq(contributions.id, texts.id)))
    expect((await readPage(texts, [texts.first]))[texts.first]?.shown?.texts['title']).toBe('[EN-GB] Un siège')
  })

  test('is in the own data of its author, translated', async () => {
    await installTranslation(runtime, site, server)
    const author = await addViewer(runtime, site)
    const { first } = await addFormer({ authorId: author.id })
    await ask(first, 'contribution-versions')
    expect((await readOwnData(as(author)))['translations']).toMatchObject([{ of: 'contribution-versions', id: first }])
  })
})

describe('what an official answer said before', () => {
  /** It was edited once in French, and once more with a wording in English beside it. */
  async function addEdited() {
    const texts = await addTexts()
    const ctx = as(await addAdmin())
    const edit = (text: Translated, lockVersion: number) =>
      updateOfficialResponse(ctx, { id: texts.answer }, { textTranslations: text, waiveTranslations: true }, lockVersion)
    await edit({ 'fr-CA': 'En juin.', en: 'In June.' }, 1)
    await edit({ 'fr-CA': 'En juillet.' }, 2)
    const [first, second] = (await loadAnswer(texts.answer))?.former ?? []
    return { ...texts, first: first?.id ?? '', second: second?.id ?? '' }
  }
  const loadAnswer = async (id: string) =>
    (await as().db.tx((tx) => tx.select().from(officialResponses).where(eq(officialResponses.id, id))))[0]
  const ofWording = 'official-response-wordings' as const

  test('is translated on its own, and shown in the languages that it was written in', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addEdited()
    const { first, second, answer } = texts
    // The second can be read in the reader's language.
    expect(Object.keys(await readPage(texts))).toEqual(expect.arrayContaining([answer, first]))
    expect(Object.keys(await readPage(texts))).not.toContain(second)
    expect(Object.keys(await readPage(texts, [], as(VISITOR, 'cy')))).toEqual(expect.arrayContaining([first, second]))
    await ask(first, ofWording)
    expect(server.texts).toEqual(['En mai.'])
    const page = await readPage(texts, [first])
    expect(page[first]).toMatchObject({ type: ofWording, shown: { texts: { body: '[EN-GB] En mai.' }, correctedBy: null } })
    expect(page[answer]?.shown).toBeNull()
    const address = { project: texts.activity.projectSlug, activity: texts.activity.slug }
    const { contribution } = await getContribution(as(), address, 1, undefined)
    expect(contribution?.answers[0]?.former).toMatchObject([
      { id: second, text: { text: 'In June.' }, others: [{ language: 'fr-CA', name: 'Français', text: 'En juin.' }] },
      { id: first, text: { text: 'En mai.', lang: 'fr-CA' }, others: [] },
    ])
    for (const id of [second, answer, createId()]) await expect(ask(id, ofWording)).rejects.toThrow()
    expect(server.texts).toHaveLength(1)
  })

  test('is corrected by the team, and listed beside the others', async () => {
    await installTranslation(runtime, site, server)
    const { id, first } = await addEdited()
    await ask(first, ofWording)
    const admin = await addPerson(runtime, site, { role: 'site_admin' })
    const api = createApiClient(runtime, site, admin.token)
    const found = (await api.get(`/contribution-translations?filter[contribution]=${id}`)).body?.data
    const [listed] = (found ?? []) as {
      id: string
      attributes: object
    }[]
    expect(listed?.attributes).toMatchObject({ sourceType: ofWording, sourceId: first, source: { body: 'En mai.' } })
    const corrected = buildResourceDocument(
      'contribution-translations',
      { texts: { body: 'In May.' } },
      { id: listed?.id ?? '', lockVersion: 1 },
    )
    expect((await api.patch(`/contribution-translations/${listed?.id}`, corrected)).status).toBe(200)
    expect((await loadRows())[0]).toMatchObject({ texts: { body: 'In May.' }, correctedBy: admin.id })
  })

  test('keeps its translation when the answer is edited again, and loses it once nobody reads it', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addEdited()
    const ctx = as(await addAdmin())
    await ask(texts.first, ofWording)
    await updateOfficialResponse(ctx, { id: texts.answer }, { textTranslations: { 'fr-CA': 'Bientôt.' }, waiveTranslations: true }, 3)
    expect((await readPage(texts, [texts.first]))[texts.first]?.shown?.texts['body']).toBe('[EN-GB] En mai.')
    const withdrawal = { withdrawalReasonTranslations: { 'fr-CA': 'Erreur.' }, waiveTranslations: true }
    await updateOfficialResponse(ctx, { id: texts.answer }, withdrawal, 4)
    expect(await loadRows()).toEqual([])
    await expect(ask(texts.first, ofWording)).rejects.toEqual(codeOf('not-found'))
  })

  test('loses its translation with the answer', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addEdited()
    await ask(texts.first, ofWording)
    await as().db.tx((tx) => tx.delete(officialResponses).where(eq(officialResponses.id, texts.answer)))
    expect(await loadRows()).toEqual([])
  })

  test('has an id also if a process of the release before stored it', async () => {
    await installTranslation(runtime, site, server)
    const texts = await addTexts()
    const former = [{ text: { 'fr-CA': 'En avril.' }, team: {}, at: '2026-11-01T10:00:00.000Z' }] as never
    await as().db.tx((tx) =>
      tx.update(officialResponses).set({ former, editedAt: new Date() }).where(eq(officialResponses.id, texts.answer)),
    )
    const id = (await loadAnswer(texts.answer))?.former[0]?.id ?? ''
    await ask(id, ofWording)
    expect(server.texts).toEqual(['En avril.'])
  })
})

test('people’s own data holds the translations of what they wrote', async () => {
  await installTranslation(runtime, site, server)
  const author = await addViewer(runtime, site)
  const texts = await addTexts({ authorId: author.id })
  await ask(texts.id)
  await ask(texts.reply, 'replies')
  const data = await readOwnData(as(author))
  expect(data['translations']).toMatchObject([
    { of: 'contributions', id: texts.id, language: 'en', texts: { title: '[EN-GB] Un banc' } },
    { of: 'replies', id: texts.reply, texts: { body: '[EN-GB] Bonne idée.' } },
  ])
})
