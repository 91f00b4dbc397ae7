import { beforeEach, expect, test } from 'vitest'
import { createPage } from '#app/features/pages/pages.editing.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { machineTexts } from '#app/server/db/schema/translations.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { installTranslation, serveTranslation } from '#tests/support/translation-service.ts'
import { changeTexts } from './bulk.server.ts'
import { askMachine, readDesk, saveTranslation, settleText } from './desk.server.ts'

const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
const server = await serveTranslation()
let site: Site
let admin: Viewer

beforeEach(async () => {
  server.texts.length = 0
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}`, languages: ['en', 'fr-CA', 'cy'] })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

const as = (viewer = admin): Ctx => createCtx(runtime, site, { viewer })
const SOURCE = 'Opening hours'
const loadRows = () => as().db.tx((tx) => tx.select().from(machineTexts))

/** The title of a page that nobody translated, as the desk has it open. */
async function addText() {
  await createPage(as(), { id: createId(), titleTranslations: { en: 'Opening hours' }, bodyTranslations: { en: 'Every day' } })
  const { texts } = await readDesk(as(), { to: 'cy', q: 'Opening hours', state: 'missing' })
  const id = texts[0]?.id ?? ''
  const open = async () => {
    const { open: text, translator, counts } = await readDesk(as(), { to: 'cy', text: id, q: SOURCE })
    return { state: text?.state, service: text?.service, translation: text?.translation, translator, counts }
  }
  return { id, open, language: 'cy' as const, source: SOURCE }
}

test('what a machine wrote is marked so until somebody confirms it', async () => {
  await installTranslation(runtime, site, server)
  const { id, open, language, source } = await addText()
  expect(await open()).toMatchObject({ state: 'missing', translator: 'DeepL' })
  const translation = await askMachine(as(), id, { language, source })
  expect(translation).toBe('[CY] Opening hours')
  expect(server.texts).toEqual(['Opening hours'])
  // Asking saves nothing.
  expect((await open()).state).toBe('missing')
  await saveTranslation(as(), id, { language, source, was: '', translation })
  expect(await open()).toMatchObject({ state: 'machine', service: 'DeepL', counts: { machine: 1, done: 0 } })
  await settleText(as(), id, { language, source, was: translation })
  expect(await open()).toMatchObject({ state: 'done', service: undefined })
  expect(await loadRows()).toEqual([])
})

test('what somebody corrects is theirs', async () => {
  await installTranslation(runtime, site, server)
  const { id, open, language, source } = await addText()
  const translation = await askMachine(as(), id, { language, source })
  await saveTranslation(as(), id, { language, source, was: '', translation })
  await saveTranslation(as(), id, { language, source, was: translation, translation: 'Oriau agor' })
  expect((await open()).state).toBe('done')
})

test('without a service, for another text and for people who may not edit it nothing is sent', async () => {
  const { id, open, language, source } = await addText()
  expect((await open()).translator).toBeNull()
  await expect(askMachine(as(), id, { language, source })).rejects.toMatchObject({ code: 'not-translatable' })
  await installTranslation(runtime, site, server, { charactersPerDay: 20 })
  await expect(askMachine(as(), id, { language, source: 'Something else' })).rejects.toMatchObject({ code: 'stale' })
  await expect(askMachine(as(await addPerson(runtime, site)), id, { language, source })).rejects.toMatchObject({ code: 'forbidden' })
  expect(server.texts).toEqual([])
  await askMachine(as(), id, { language, source })
  await expect(askMachine(as(), id, { language, source })).rejects.toMatchObject({ code: 'too-many-requests' })
  expect(server.texts).toHaveLength(1)
})

test('all that match are translated in one request, marked as a machine’s, and confirmed together', async () => {
  await installTranslation(runtime, site, server)
  await addText()
  const change = (act: 'machine' | 'confirm', state: 'missing' | 'machine') => changeTexts(as(), { act, search: { to: 'cy', state } })
  expect(await readDesk(as(), { to: 'cy' })).toMatchObject({ service: 'DeepL', counts: { missing: 2 } })
  expect(await change('machine', 'missing')).toEqual({ changed: 2, refused: 0, reason: null, next: null })
  expect(server.texts.toSorted()).toEqual(['Every day', 'Opening hours'])
  const { texts, counts } = await readDesk(as(), { to: 'cy', state: 'machine' })
  expect(counts).toMatchObject({ missing: 0, machine: 2 })
  expect(texts.map(({ translation }) => translation).toSorted()).toEqual(['[CY] Every day', '[CY] Opening hours'])
  expect(await change('confirm', 'machine')).toMatchObject({ changed: 2 })
  expect(await loadRows()).toEqual([])
})

test('nothing is written if the service has no characters left', async () => {
  await installTranslation(runtime, site, server, { charactersPerDay: 5 })
  await addText()
  await expect(changeTexts(as(), { act: 'machine', search: { to: 'cy', state: 'missing' } })).rejects.toMatchObject({
    code: 'too-many-requests',
  })
  expect((await readDesk(as(), { to: 'cy' })).counts).toMatchObject({ missing: 2, machine: 0 })
})
