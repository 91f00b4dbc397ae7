import { beforeEach, describe, expect, it } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'
import { type RecordedRequest, startRecorder } from '#tests/support/recorder.ts'

interface SegmentCall {
  writeKey?: string
  type: string
  userId?: string | null
  groupId?: string
  event?: string
  traits?: Record<string, unknown>
  properties?: Record<string, unknown>
}

const db = await createOwnDatabase()
/** Answers for each write key, which stands in the path, with that key. */
const segment = await startRecorder(({ path }) =>
  path.endsWith('/settings') ? { body: JSON.stringify({ integrations: { 'Segment.io': { apiKey: path.split('/').at(-2) } } }) } : undefined,
)
const product = await db.start({ SEGMENT_WRITE_KEY: 'write-key', SEGMENT_ENDPOINT: segment.origin })
const unconfigured = await db.start()
const reporting = await db.start({ SENTRY_DSN: `${segment.origin.replace('//', '//key@')}/7` })
let sites = 0

async function newSite(features: string[], options: { region?: string; consentRequired?: boolean } = {}): Promise<Site> {
  const site = await addSite(db.runtime, { slug: `analytics-${++sites}`, ...options })
  await db.database.site(site.id).tx(async (tx) => {
    for (const name of features) await tx.insert(siteFeatures).values({ siteId: site.id, name, enabled: true })
  })
  return site
}

const call = (arrived: RecordedRequest | undefined) => arrived?.body as SegmentCall

beforeEach(() => segment.clear())

describe('analytics', () => {
  it.each(['segment_analytics_admin', 'segment_analytics_participant'])('is on where %s is', async (feature) => {
    const site = await newSite([feature])
    const { page } = await product.visit(site)
    await page.goto('/')
    expect(call((await segment.wait(/^\/v1\/p$/))[0])).toMatchObject({
      type: 'page',
      properties: { path: '/', title: `${site.name} · Have your say` },
    })
  })

  it('is told of no secret that an address holds', async () => {
    const site = await newSite(['segment_analytics_participant'])
    const { page } = await product.visit(site)
    await page.goto('/reset-password?token=the-secret-of-a-link#and-more')
    const [shown] = await segment.wait(/^\/v1\/p$/)
    expect(call(shown)).toMatchObject({ properties: { path: '/reset-password' } })
    expect(JSON.stringify(segment.arrived)).not.toMatch(/the-secret-of-a-link|and-more/)
  })

  it('says who is signed in, and nothing more about them than their role', async () => {
    const site = await newSite(['segment_analytics_admin'])
    const person = await addPerson(db.runtime, site, { role: 'site_admin' })
    const { page } = await product.visit(site, { token: person.token })
    await page.goto('/')
    const identified = call((await segment.wait(/^\/v1\/i$/))[0])
    expect(identified).toMatchObject({ type: 'identify', userId: person.id })
    expect(identified.traits).toEqual({ roleName: 'site_admin', type: 'administrator' })
    expect(JSON.stringify(segment.arrived)).not.toContain(person.email)
  })

  it.each([
    ['Sydney', 'AU'],
    ['Canada', 'CA'],
    ['United Kingdom', 'UK'],
    ['South Africa', 'SA'],
  ])('groups a site in %s by %s and its id', async (region, code) => {
    const site = await newSite(['segment_analytics_participant'], { region })
    const { page } = await product.visit(site)
    await page.goto('/')
    expect(call((await segment.wait(/^\/v1\/g$/))[0])).toMatchObject({ type: 'group', groupId: `${code}-${site.id}` })
  })

  it('tracks a marked form when it is sent, though the page goes', async () => {
    const site = await newSite(['segment_analytics_participant'])
    const { page } = await product.visit(site)
    await page.goto('/')
    await segment.wait(/^\/v1\/p$/)
    await page.evaluate(() => {
      const form = document.createElement('form')
      form.id = 'marked'
      form.action = '/cookies'
      form.dataset['track'] = 'Project Followed'
      form.dataset['trackProperties'] = JSON.stringify({ projectId: 'p1' })
      form.innerHTML = '<button>Follow</button>'
      document.body.append(form)
    })
    await page.locator('#marked button').click()
    await page.waitForURL('**/cookies?')
    expect(call((await segment.wait(/^\/v1\/t$/))[0])).toMatchObject({
      type: 'track',
      event: 'Project Followed',
      properties: { projectId: 'p1' },
    })
  })

  it.each([
    ['both features are off', async () => ({ on: product, site: await newSite([]), path: '/' })],
    [
      'the page is a live preview',
      async () => ({ on: product, site: await newSite(['segment_analytics_admin']), path: '/live-preview/home' }),
    ],
    ['no write key is configured', async () => ({ on: unconfigured, site: await newSite(['segment_analytics_admin']), path: '/' })],
  ])('is not even loaded where %s', async (_, given) => {
    const { on, site, path } = await given()
    const { page, requests } = await on.visit(site)
    await page.goto(path)
    await page.waitForTimeout(1500)
    expect(segment.arrived).toEqual([])
    expect(requests.filter((address) => address.startsWith('http'))).toEqual([])
  })
})

describe('error reporting', () => {
  it('is on where the installation configures it: faults and every single trace are sent', async () => {
    const { page } = await reporting.visit(await newSite([]))
    await page.goto('/')
    const envelopes = async (kind: string) =>
      (await segment.wait(/^\/api\/7\/envelope\//)).filter(({ body }) => String(body).includes(`"type":"${kind}"`))
    await expect.poll(() => envelopes('span')).not.toEqual([])
    expect(String((await envelopes('span'))[0]?.body)).toContain('"sampled":"true"')
    expect(String((await envelopes('span'))[0]?.body)).toContain('"sample_rate":"1"')
    await page.evaluate(() =>
      setTimeout(() => {
        throw new Error('the bridge is out')
      }, 10),
    )
    await expect.poll(async () => (await envelopes('event')).some(({ body }) => String(body).includes('the bridge is out'))).toBe(true)
  })
})

describe('a report', () => {
  it('repeats nothing that was typed, asked for or held by the address', async () => {
    const { page } = await reporting.visit(await newSite([]))
    await page.goto('/reset-password?token=whisper-of-a-link#whisper-behind-it')
    await expect.poll(() => segment.arrived.some(({ path }) => path.startsWith('/api/7/envelope/'))).toBe(true)
    await page.goto('/sign-in?next=/whisper-of-a-way')
    // Reports begin after a page has loaded. The report of this page's own loading shows that they have.
    const loadedSignIn = ({ path, body }: { path: string; body: unknown }) =>
      path.startsWith('/api/7/') && String(body).includes('/sign-in')
    await expect.poll(() => segment.arrived.some(loadedSignIn)).toBe(true)
    await page.locator('input[name="email"]').fill('whisper@people.example')
    await page.locator('input[name="password"]').fill('whisper-of-a-password')
    await page.evaluate(async () => {
      await fetch('/projects?q=whisper-of-a-search')
      console.error(`They said ${document.querySelector<HTMLInputElement>('input[name="email"]')?.value ?? ''}`)
      setTimeout(() => {
        throw new Error(`the bridge is out, says ${document.querySelector<HTMLInputElement>('input[name="email"]')?.value ?? ''}`)
      }, 10)
    })
    await expect.poll(() => segment.arrived.some(({ body }) => String(body).includes('the bridge is out'))).toBe(true)
    const sent = segment.arrived.filter(({ path }) => path.startsWith('/api/7/'))
    expect(sent.filter(({ body }) => String(body).includes('whisper')).map(({ body }) => String(body).match(/.{60}whisper.{20}/g))).toEqual(
      [],
    )
  })
})

describe('a site with settings of its own', () => {
  const install = (site: Site, integration: string, settings: Record<string, string>, enabledAt: Date | null = new Date()) =>
    db.database
      .site(site.id)
      .tx((tx) => tx.insert(installations).values({ siteId: site.id, id: createId(), integration, settings, enabledAt }))

  it('is measured in its own workspace, and no other site with it', async () => {
    const [own, other] = [await newSite(['segment_analytics_participant']), await newSite(['segment_analytics_participant'])]
    await install(own, 'segment', { writeKey: 'own-key', region: 'us' })
    await install(other, 'segment', { writeKey: 'not-enabled', region: 'us' }, null)
    const keyOf = async (site: Site) => {
      segment.clear()
      const { page } = await product.visit(site)
      await page.goto('/')
      const [shown] = await segment.wait(/^\/v1\/p$/)
      return call(shown).writeKey
    }
    expect(await keyOf(own)).toBe('own-key')
    expect(await keyOf(other)).toBe('write-key')
  })

  it('has its faults reported to its own project where the installation reports none, after consent', async () => {
    const site = await newSite([], { consentRequired: true })
    const { host } = new URL(segment.origin)
    await install(site, 'sentry', { dsn: `http://key@${host}/42` })
    const { page, requests } = await unconfigured.visit(site)
    await page.goto('/')
    await page.waitForTimeout(1500)
    expect(requests.filter((address) => address.startsWith('http'))).toEqual([])
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.waitForLoadState()
    await page.evaluate(() =>
      setTimeout(() => {
        throw new Error('the bridge is out')
      }, 3000),
    )
    const [reported] = await segment.wait(/^\/api\/42\/envelope\//)
    expect(reported).toBeDefined()
    expect((await unconfigured.read(await newSite([]), '/')).headers['content-security-policy']).not.toContain(host)
  })
})

describe('consent', () => {
  const asking = () => newSite(['segment_analytics_participant'], { consentRequired: true })

  it('is asked for once, and nothing of others is loaded before it is given', async () => {
    const { page, requests, context } = await product.visit(await asking())
    await page.goto('/')
    await page.waitForTimeout(1500)
    expect(segment.arrived).toEqual([])
    expect(requests.filter((address) => address.startsWith('http'))).toEqual([])
    await page.getByRole('button', { name: 'Accept' }).click()
    await segment.wait(/^\/v1\/p$/)
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
    const kept = (await context.cookies()).find(({ name }) => name === 'consent')
    expect(kept).toMatchObject({ value: 'granted', path: '/', sameSite: 'Lax' })
    expect(((kept?.expires ?? 0) - Date.now() / 1000) / 86_400).toBeCloseTo(183, 0)
  })

  it('can be refused as easily, and that is remembered', async () => {
    const { page, context } = await product.visit(await asking())
    await page.goto('/')
    const [accept, decline] = [page.getByRole('button', { name: 'Accept' }), page.getByRole('button', { name: 'Decline' })]
    const look = (element: Element) =>
      ['backgroundColor', 'color', 'fontSize', 'fontWeight'].map((name) => getComputedStyle(element)[name as 'color'])
    expect(await decline.evaluate(look)).toEqual(await accept.evaluate(look))
    await decline.click()
    await page.waitForLoadState()
    expect((await context.cookies()).find(({ name }) => name === 'consent')?.value).toBe('denied')
    await page.goto('/')
    await page.waitForTimeout(1500)
    expect(await page.getByRole('button', { name: 'Decline' }).count()).toBe(0)
    expect(segment.arrived).toEqual([])
  })

  it('can be changed later, and what analytics kept on the device is taken away', async () => {
    const { page, context } = await product.visit(await asking())
    await page.goto('/')
    await page.getByRole('button', { name: 'Accept' }).click()
    await segment.wait(/^\/v1\/p$/)
    expect((await context.cookies()).some(({ name }) => name.startsWith('ajs_'))).toBe(true)
    await page.goto('/cookies')
    await page.getByLabel('I do not agree').check()
    await page.getByRole('button', { name: 'Save my choice' }).click()
    await page.waitForFunction(() => !document.cookie.includes('ajs_') && Object.keys(localStorage).every((key) => !key.startsWith('ajs_')))
    expect(await page.getByLabel('I do not agree').isChecked()).toBe(true)
  })

  it('works without JavaScript', async () => {
    const { page, context } = await product.visit(await asking(), { javaScriptEnabled: false })
    await page.goto('/fr-CA')
    await page.getByRole('button', { name: 'Refuser' }).click()
    expect(new URL(page.url()).pathname).toBe('/fr-CA')
    expect((await context.cookies()).find(({ name }) => name === 'consent')?.value).toBe('denied')
    expect(await page.getByRole('button', { name: 'Refuser' }).count()).toBe(0)
  })

  it('is not asked for where the site does not want it', async () => {
    const { page } = await product.visit(await newSite(['segment_analytics_participant']))
    await page.goto('/')
    await segment.wait(/^\/v1\/p$/)
    expect(await page.getByRole('button', { name: 'Accept' }).count()).toBe(0)
  })

  it('never sends a person to another site', async () => {
    const { page } = await product.visit(await asking())
    await page.goto('/')
    await page.locator('input[name="back"]').evaluate((input: HTMLInputElement) => (input.value = '//elsewhere.example'))
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.waitForURL('**/cookies')
    expect(new URL(page.url()).hostname).toMatch(/\.localhost$/)
  })
})
