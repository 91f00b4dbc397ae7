import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'
import { siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const db = await createOwnDatabase()
const product = await db.start({ INTERCOM_APP_ID: 'app-1' })
let count = 0
const newSite = (): Promise<Site> =>
  addSite(db.runtime, { slug: `state-${++count}`, region: 'Canada', locale: 'en', languages: ['en', 'fr-CA'] })

/** What the first render in the browser reads: the query cache as it was sent with the page. */
function pageState(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(() => {
    const { __TSR_ROUTER__: router } = window as unknown as {
      __TSR_ROUTER__: {
        options: { context: { queryClient: { getQueryCache(): { getAll(): { queryKey: string[]; state: { data: unknown } }[] } } } }
      }
    }
    const queries = router.options.context.queryClient.getQueryCache().getAll()
    return Object.fromEntries(queries.map(({ queryKey, state }) => [queryKey.join('/'), state.data]))
  })
}

const hydrated = (page: Page) => page.waitForFunction(() => !('$_TSR' in window))

describe('the initial page state', () => {
  it('holds who looks, the site, its features, the chat’s settings and its connectors', async () => {
    const site = await newSite()
    const published = createId()
    await db.database.site(site.id).tx(async (tx) => {
      await tx.insert(siteFeatures).values([
        { siteId: site.id, name: 'show_revised_survey', enabled: true },
        { siteId: site.id, name: 'whitelist-embed', enabled: true },
      ])
      await tx
        .insert(cityConnectors)
        .values({ siteId: site.id, id: createId(), name: 'City', portalUrl: 'https://data.example', kind: 'ckan' })
      await tx.insert(homepageRevisions).values([
        { siteId: site.id, id: published, content: { schema: 1, blocks: [] }, publishedAt: new Date(Date.now() - 1000) },
        { siteId: site.id, id: createId(), content: { schema: 1, blocks: [] } },
      ])
    })
    const person = await addPerson(db.runtime, site, { role: 'hub_admin' })
    const { page } = await product.visit(site, { token: person.token })
    await page.goto('/')
    await hydrated(page)
    const state = await pageState(page)
    expect(state['currentUser']).toEqual({
      user: { id: person.id, email: person.email, login: 'hub_admin', roleName: 'hub_admin', type: 'administrator', lastSeenAt: null },
    })
    expect(state['currentSite']).toEqual({
      site: {
        id: site.id,
        name: site.name,
        region: 'Canada',
        locale: 'en',
        publishedHomePageRevisions: [{ id: published, publishedAt: expect.any(String) as string }],
      },
    })
    expect(state['features']).toEqual({
      features: {
        marketplace_sms_integration: { enabled: false },
        show_revised_survey: { enabled: true },
        segment_analytics_admin: { enabled: false },
        segment_analytics_participant: { enabled: false },
      },
    })
    expect(state['siteFeatures']).toEqual({ siteFeatures: { features: ['whitelist-embed'] } })
    expect(state['librariesDetails']).toEqual({
      intercom: { appId: 'app-1', endpoint: null, publishedAppearanceRevisions: 0, smsIntegrationEnabled: false },
    })
    expect(state['opencitiesIntegration']).toEqual({ opencitiesMeta: { total: 1 } })
  })

  it('comes with the page: the first render asks the server for nothing', async () => {
    const site = await newSite()
    const person = await addPerson(db.runtime, site)
    const { page, requests, complaints } = await product.visit(site, { token: person.token })
    await page.goto('/fr-CA')
    await hydrated(page)
    await page.waitForTimeout(1500)
    // Only a browser with a window has a place for a favicon.
    expect(requests.filter((path) => path !== '/favicon.svg')).toEqual(['/fr-CA'])
    expect(complaints).toEqual([])
  })

  it('is the same for every visitor who is not signed in', async () => {
    const site = await newSite()
    const [first, forged] = [await product.read(site, '/'), await product.read(site, '/', { cookie: 'token=forged' })]
    // Somebody whose language the site does not have, so that it offers none.
    const again = await product.read(site, '/', { 'user-agent': 'Another', 'accept-language': 'de' })
    expect(again.body).toBe(first.body)
    for (const { body } of [first, forged]) {
      expect(body).toContain(site.name)
      expect(body).not.toContain('data-api-token')
      expect(body).not.toContain('forged')
    }
  })

  it('follows a change of the site at once, also on stored pages', async () => {
    const site = await newSite()
    const { page } = await product.visit(site)
    await page.goto('/cookies')
    await expect.poll(() => page.title()).toContain(site.name)
    await db.database.global
      .update(sites)
      .set({ name: 'Renamed', contentVersion: site.contentVersion + 1 })
      .where(eq(sites.id, site.id))
    await expect.poll(async () => (await page.goto('/cookies'), page.title()), { timeout: 10_000 }).toContain('Renamed')
  })
})

describe('the API token', () => {
  const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('api-token'))
  const attribute = (page: Page) => page.evaluate(() => document.body.getAttribute('data-api-token'))

  it('is on the body of a signed-in person’s page, and kept in session storage when the application loads', async () => {
    const site = await newSite()
    const person = await addPerson(db.runtime, site)
    const { page } = await product.visit(site, { token: person.token })
    await page.goto('/')
    expect(await attribute(page)).toBe(person.token)
    await expect.poll(() => stored(page)).toBe(person.token)
  })

  it('is on no page of anyone else', async () => {
    const site = await newSite()
    const { page } = await product.visit(site, { token: 'not-a-session' })
    await page.goto('/')
    await hydrated(page)
    expect(await attribute(page)).toBeNull()
    expect(await stored(page)).toBeNull()
  })

  it('is forgotten when the person signs out', async () => {
    const site = await newSite()
    const person = await addPerson(db.runtime, site)
    const { page } = await product.visit(site, { token: person.token })
    await page.goto('/')
    await expect.poll(() => stored(page)).toBe(person.token)
    await page.evaluate(() => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = '/sign-out'
      document.body.append(form)
      form.addEventListener('submit', (event) => event.preventDefault())
      form.requestSubmit()
    })
    expect(await stored(page)).toBeNull()
  })
})
