import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { getPage } from '#app/features/pages/pages.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPage } from '#tests/factories/content.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { installTranslation, serveTranslation } from '#tests/support/translation-service.ts'

const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1', INTERCOM_APP_ID: 'app-1' })
const server = await serveTranslation()
let site: Site

beforeEach(async () => {
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}`, languages: ['en', 'fr-CA', 'cy'] })
  await addPage(runtime, site, { kind: 'legal', slug: 'privacy', title: inAllLanguages('Privacy') })
})

const read = async (slug = 'privacy', language: 'en' | 'fr-CA' | 'cy' = 'en') =>
  (await getPage(createCtx(runtime, site, { language }), { slug })).processors
const listNames = async () => (await read())?.processors.map(({ name }) => name)

describe('the page about privacy', () => {
  test('says who gets data from the site as soon as it is connected, and no longer once it is not', async () => {
    expect(await listNames()).toEqual(['Intercom'])
    await installTranslation(runtime, site, server)
    expect(await listNames()).toEqual(['Machine translation (DeepL)', 'Intercom'])
    const [translation] = (await read())?.processors ?? []
    expect(translation?.receives[0]).toMatch(/^The words of a text that a reader asks for/)
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.update(installations).set({ enabledAt: null }).where(eq(installations.siteId, site.id)))
    expect(await listNames()).toEqual(['Intercom'])
  })

  test('says so in the language of the page', async () => {
    await installTranslation(runtime, site, server)
    const french = await read('privacy', 'fr-CA')
    expect(french?.title).toBe('Qui d’autre reçoit des données de ce site')
    expect(french?.processors[0]?.name).toBe('Traduction automatique (DeepL)')
    const welsh = await read('privacy', 'cy')
    expect(welsh?.processors[0]).toMatchObject({ name: 'Cyfieithu peirianyddol (DeepL)' })
    expect(welsh?.processors[0]?.receives[0]).toMatch(/^Geiriau testun/)
  })

  test('is the only one that does', async () => {
    await addPage(runtime, site, { kind: 'legal', slug: 'terms' })
    expect(await read('terms')).toBeNull()
  })

  test('knows nothing of the services of other sites, and nothing secret', async () => {
    await installTranslation(runtime, await addSite(runtime, { slug: `o${createId().slice(-12)}` }), server)
    expect(await listNames()).toEqual(['Intercom'])
    await installTranslation(runtime, site, server)
    expect(JSON.stringify(await read())).not.toContain('127.0.0.1')
  })
})
