import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/lib/api-client/client.ts'
import { createTransport } from '#app/lib/api-client/transport.ts'
import { createId } from '#app/lib/uuid.ts'
import { handleApi } from '#app/root/api-handler.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'

const runtime = await createTestRuntime({ INTERCOM_APP_ID: 'chat-app' })
const apiOf = (host: string) =>
  createApi(createTransport({ origin: `http://${host}`, send: (request) => handleApi(request, runtime, { address: null }) }))
const api = apiOf('riverbend.localhost')
let site: Site

beforeAll(async () => {
  site = await addSite(runtime, { slug: 'riverbend', region: 'Canada' })
  await addSite(runtime, { slug: 'harbour', region: 'Sydney' })
})

describe('the page state over the API', () => {
  it('describes the site, with its published homepages', async () => {
    const publishedAt = new Date('2026-01-02T03:04:05Z')
    const id = createId()
    await runtime.database.site(site.id).tx((tx) => tx.insert(homepageRevisions).values({ siteId: site.id, id, content: {}, publishedAt }))
    expect((await api.read('current-site')).data?.site).toEqual({
      id: site.id,
      name: 'Riverbend',
      region: 'Canada',
      locale: 'en',
      publishedHomePageRevisions: [{ id, publishedAt: publishedAt.toISOString() }],
    })
    expect((await apiOf('harbour.localhost').read('current-site')).data?.site).toMatchObject({
      region: 'Sydney',
      publishedHomePageRevisions: [],
    })
  })

  it('lists the enabled features', async () => {
    const set = (name: string) =>
      runtime.database.site(site.id).tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name, enabled: true }))
    await set('show_revised_survey')
    await set('whitelist-embed')
    expect((await api.read('features')).data?.features).toEqual({
      marketplace_sms_integration: { enabled: false },
      show_revised_survey: { enabled: true },
      segment_analytics_admin: { enabled: false },
      segment_analytics_participant: { enabled: false },
    })
    expect((await api.read('site-features')).data?.siteFeatures).toEqual({ features: ['whitelist-embed'] })
    expect((await apiOf('harbour.localhost').read('site-features')).data?.siteFeatures).toEqual({ features: [] })
  })

  it('returns the site’s own chat workspace if enabled, and the installation’s otherwise', async () => {
    const id = createId()
    const appId = async () => (await api.read('libraries-details')).data?.intercom
    const own = runtime.database.site(site.id)
    await own.tx((tx) =>
      tx.insert(installations).values({
        siteId: site.id,
        id,
        integration: 'intercom',
        settings: { appId: 'own-app', region: 'eu' },
        enabledAt: new Date(),
      }),
    )
    expect(await appId()).toMatchObject({ appId: 'own-app', endpoint: 'https://api-iam.eu.intercom.io' })
    await own.tx((tx) => tx.update(installations).set({ enabledAt: null }).where(eq(installations.id, id)))
    expect(await appId()).toMatchObject({ appId: 'chat-app', endpoint: null })
  })

  it('counts the city connectors of the site', async () => {
    await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx
          .insert(cityConnectors)
          .values({ siteId: site.id, id: createId(), name: 'Portal', portalUrl: 'https://data.example', kind: 'ckan' }),
      )
    expect((await api.read('opencities-meta')).data?.opencitiesMeta).toEqual({ total: 1 })
    expect((await apiOf('harbour.localhost').read('opencities-meta')).data?.opencitiesMeta).toEqual({ total: 0 })
  })

  it('includes the settings of the chat widget', async () => {
    expect((await api.read('libraries-details')).data?.intercom).toMatchObject({ appId: 'chat-app' })
  })

  it('has no user for a visitor', async () => {
    expect((await api.read('current-user')).data).toBeNull()
  })
})
