import type { Page } from 'playwright'
import { beforeEach, describe, expect, it } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Role } from '#app/lib/roles.ts'
import { appearanceRevisions, homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase, type Visitor } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'
import { startRecorder } from '#tests/support/recorder.ts'

/** Stands where the widget's script would be: does what it is told by the queue and tells the endpoint of it. */
const WIDGET = `
  const waiting = window.Intercom.q
  const obey = (command, settings) => {
    if (!['boot', 'update', 'shutdown'].includes(command)) return
    const base = (settings ?? window.intercomSettings ?? {}).api_base ?? window.widgetBase
    window.widgetBase = base
    fetch(base + '/messenger/' + command, { method: 'POST', body: JSON.stringify(settings ?? {}) })
  }
  window.Intercom = (...given) => obey(...given)
  waiting.forEach((given) => obey(...given))
`

const db = await createOwnDatabase()
const intercom = await startRecorder(({ path }) => (path.startsWith('/widget/') ? { type: 'text/javascript', body: WIDGET } : undefined))
const product = await db.start({ INTERCOM_APP_ID: 'app-1', INTERCOM_ENDPOINT: intercom.origin })
let sites = 0
const newSite = (consentRequired = false): Promise<Site> => addSite(db.runtime, { slug: `chat-${++sites}`, consentRequired })

beforeEach(() => intercom.clear())

/** The address of the widget's script is fixed by the vendor: it is answered by the recorder. */
async function comeAs(site: Site, role: Role | 'participant' | 'visitor'): Promise<Visitor> {
  const person = role === 'visitor' ? undefined : await addPerson(db.runtime, site, role === 'participant' ? {} : { role })
  const visitor = await product.visit(site, person ? { token: person.token } : {})
  await visitor.context.route('https://widget.intercom.io/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: `${intercom.origin}${pathname}` }) })
  })
  return visitor
}

const loaded = (page: Page) => page.waitForFunction(() => document.documentElement.lang !== '' && !('$_TSR' in window))
const settled = (page: Page) => page.waitForTimeout(1500)

describe('the support chat', () => {
  it.each(['platform_admin', 'site_admin', 'hub_admin', 'project_admin'] as const)('is started for a %s', async (role) => {
    const { page } = await comeAs(await newSite(), role)
    await page.goto('/')
    const [boot] = await intercom.wait(/boot$/)
    expect(boot?.body).toMatchObject({ app_id: 'app-1', name: role })
    expect(intercom.arrived.map(({ path }) => path)).toContain('/widget/app-1')
  })

  it.each(['participant', 'visitor'] as const)('is not even loaded for a %s', async (role) => {
    const { page, requests } = await comeAs(await newSite(), role)
    await page.goto('/')
    await loaded(page)
    await settled(page)
    expect(intercom.arrived).toEqual([])
    expect(requests.filter((address) => address.includes('intercom'))).toEqual([])
  })

  it('is told nothing is there on a new site', async () => {
    const { page } = await comeAs(await newSite(), 'site_admin')
    await page.goto('/')
    const [boot] = await intercom.wait(/boot$/)
    expect(boot?.body).toMatchObject({
      marketplace_sms_integration: false,
      whitelist_embed: false,
      show_revised_survey: false,
      published_new_homepage_revisions: false,
      published_appearance_editor_revisions: false,
      has_city_connector: false,
    })
  })

  it('is told what the site has', async () => {
    const site = await newSite()
    const siteId = site.id
    await db.database.site(siteId).tx(async (tx) => {
      for (const name of ['marketplace_sms_integration', 'show_revised_survey', 'whitelist-embed']) {
        await tx.insert(siteFeatures).values({ siteId, name, enabled: true })
      }
      await tx.insert(installations).values({ siteId, id: createId(), integration: 'sms-sandbox', enabledAt: new Date() })
      const publishedAt = new Date(Date.now() - 1000)
      await tx.insert(homepageRevisions).values({ siteId, id: createId(), content: { schema: 1, blocks: [] }, publishedAt })
      await tx.insert(appearanceRevisions).values({ siteId, id: createId(), content: {}, publishedAt })
      await tx.insert(cityConnectors).values({ siteId, id: createId(), name: 'City', portalUrl: 'https://data.example', kind: 'ckan' })
    })
    const { page } = await comeAs(site, 'hub_admin')
    await page.goto('/')
    const [boot] = await intercom.wait(/boot$/)
    expect(boot?.body).toMatchObject({
      marketplace_sms_integration: true,
      whitelist_embed: true,
      show_revised_survey: true,
      published_new_homepage_revisions: true,
      published_appearance_editor_revisions: true,
      has_city_connector: true,
    })
  })

  it('is the workspace that the site set up for itself, where it did', async () => {
    const site = await newSite()
    await db.database.site(site.id).tx((tx) =>
      tx.insert(installations).values({
        siteId: site.id,
        id: createId(),
        integration: 'intercom',
        settings: { appId: 'own-app', region: 'us' },
        enabledAt: new Date(),
      }),
    )
    const { page } = await comeAs(site, 'site_admin')
    await page.goto('/')
    const [boot] = await intercom.wait(/boot$/)
    expect(boot?.body).toMatchObject({ app_id: 'own-app' })
  })

  it('stays off on live-preview pages', async () => {
    const { page } = await comeAs(await newSite(), 'site_admin')
    await page.goto('/live-preview/home')
    await loaded(page)
    await settled(page)
    expect(intercom.arrived).toEqual([])
  })

  it('stays off where the page hides it', async () => {
    const { page } = await comeAs(await newSite(), 'site_admin')
    await page.goto('/cookies')
    await loaded(page)
    await settled(page)
    expect(intercom.arrived).toEqual([])
  })

  it('waits for consent where the site asks for it', async () => {
    const { page } = await comeAs(await newSite(true), 'site_admin')
    await page.goto('/')
    await settled(page)
    expect(intercom.arrived).toEqual([])
    await page.getByRole('button', { name: 'Accept' }).click()
    await intercom.wait(/boot$/)
  })
})
