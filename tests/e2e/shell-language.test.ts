import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { startRecorder } from '#tests/support/recorder.ts'

const { db, product } = useSharedProduct()
const elsewhere = await startRecorder(({ query }) => ({ type: 'text/html', body: `<a href="${query.get('to')}">Go</a>` }))
let count = 0
const newSite = (options: { locale?: Language; languages?: Language[]; consentRequired?: boolean } = {}): Promise<Site> =>
  addSite(db.runtime, { slug: `language-${++count}`, locale: 'en', languages: ['en', 'fr-CA'], ...options })

const language = (page: Page) => page.evaluate(() => document.documentElement.lang)
const settled = (page: Page) => page.waitForTimeout(1200)

/** As a browser that refuses cookies: scripts can neither read nor write any. */
async function refuseCookies(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setDocumentCookieDisabled', { disabled: true })
}

describe('the language cookie', () => {
  it('is set from the site’s locale at the first visit: two days, the whole site, secure, strict', async () => {
    const { page, context } = await product.visit(await newSite({ locale: 'fr-CA' }), { locale: 'en' })
    await page.goto('/cookies')
    const cookie = (await context.cookies()).find(({ name }) => name === 'current_language')
    expect(cookie).toMatchObject({ value: 'fr-CA', path: '/', secure: true, sameSite: 'Strict' })
    expect(((cookie?.expires ?? 0) - Date.now() / 1000) / 3600).toBeCloseTo(48, 0)
  })

  it('follows the address’s prefix and the query string', async () => {
    const { page, context } = await product.visit(await newSite())
    const kept = async () => (await context.cookies()).find(({ name }) => name === 'current_language')?.value
    await page.goto('/fr-CA/cookies')
    expect(await kept()).toBe('fr-CA')
    await page.goto('/cookies')
    expect(await language(page)).toBe('fr-CA')
    await page.goto('/cookies?lng=en')
    expect([await language(page), await kept()]).toEqual(['en', 'en'])
  })

  it('of an earlier choice counts though a link on another site led here', async () => {
    const site = await newSite()
    const { page } = await product.visit(site)
    await page.goto('/fr-CA')
    await page.goto(`${elsewhere.origin}/?to=${product.at(site)}/cookies`)
    await page.getByRole('link', { name: 'Go' }).click()
    await page.waitForURL('**/fr-CA/cookies')
    expect(await language(page)).toBe('fr-CA')
  })
})

describe('detection', () => {
  it('starts in the site’s language whatever the browser prefers, and offers that once', async () => {
    const { page, complaints } = await product.visit(await newSite(), { locale: 'fr-CA' })
    await page.goto('/cookies')
    await settled(page)
    expect([await language(page), new URL(page.url()).pathname]).toEqual(['en', '/cookies'])
    const offer = page.getByRole('complementary', { name: 'Langue' })
    expect(await offer.innerText()).toBe('Cette page existe aussi en français. Lire en français')
    expect(complaints).toEqual([])
    await page.reload()
    await settled(page)
    expect(await offer.count()).toBe(0)
  })

  it.each([
    ['fr-CA', 'Cette page existe aussi en français. Lire en français'],
    ['cy', 'Mae’r dudalen hon hefyd ar gael yn Gymraeg. Darllen yn Gymraeg'],
    ['de', undefined],
  ] as const)('offers another language without JavaScript as well, on the first page and not again (%s)', async (preferred, words) => {
    const site = await newSite({ languages: ['en', 'fr-CA', 'cy'] })
    const { page } = await product.visit(site, { locale: preferred, javaScriptEnabled: false })
    await page.goto('/projects')
    const first = (await page.locator('body').innerText()).trim().split('\n')[0]
    expect(first).toBe(words ?? 'Skip to content')
    for (const path of ['/hubs', '/projects']) {
      await page.goto(path)
      expect((await page.locator('body').innerText()).trim()).toMatch(/^Skip to content/)
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
    }
  })

  it('ends its offer with the first page, and leads to that page in the other language', async () => {
    const { page } = await product.visit(await newSite(), { locale: 'fr-CA' })
    await page.goto('/projects?status=open')
    const offer = page.getByRole('link', { name: 'Lire en français' })
    expect(await offer.getAttribute('href')).toBe('/fr-CA/projects?status=open')
    await settled(page)
    await page.getByRole('banner').getByRole('link', { name: 'Departments' }).click()
    await page.waitForURL('**/hubs')
    await expect.poll(() => offer.count()).toBe(0)
  })

  it('follows the browser’s language where cookies are refused', async () => {
    const { page } = await product.visit(await newSite(), { locale: 'fr-CA' })
    await refuseCookies(page)
    await page.goto('/cookies')
    await page.waitForURL('**/fr-CA/cookies')
    expect(await page.locator('h1').innerText()).toBe('Témoins et autres services')
  })

  it.each(['localStorage', 'sessionStorage'] as const)('prefers %s to the browser’s language', async (storage) => {
    const { page } = await product.visit(await newSite(), { locale: 'en' })
    await refuseCookies(page)
    await page.addInitScript((name) => window[name].setItem('current_language', 'fr-CA'), storage)
    await page.goto('/cookies')
    await page.waitForURL('**/fr-CA/cookies')
    expect(await language(page)).toBe('fr-CA')
  })

  it('never leads to a language that the site does not speak', async () => {
    const { page } = await product.visit(await newSite(), { locale: 'cy' })
    await refuseCookies(page)
    await page.goto('/cookies')
    await settled(page)
    expect([await language(page), new URL(page.url()).pathname]).toEqual(['en', '/cookies'])
    await page.goto('/cy/cookies')
    expect([await language(page), new URL(page.url()).pathname]).toEqual(['en', '/cookies'])
  })

  it('lets the address’s prefix win over everything', async () => {
    const { page, context } = await product.visit(await newSite(), { locale: 'en' })
    await context.addInitScript(() => localStorage.setItem('current_language', 'en'))
    await page.goto('/fr-CA/cookies?lng=en')
    await settled(page)
    expect([await language(page), new URL(page.url()).pathname]).toEqual(['fr-CA', '/fr-CA/cookies'])
  })

  it('takes to life in the language of the page, without a word changing', async () => {
    const { page, complaints, requests } = await product.visit(await newSite(), { locale: 'en' })
    await page.goto('/fr-CA/cookies')
    await settled(page)
    expect(await page.locator('h1').innerText()).toBe('Témoins et autres services')
    expect(complaints).toEqual([])
    expect(requests.filter((path) => path.startsWith('/locales/'))).toEqual([])
  })
})

describe('a file of texts that does not load', () => {
  const DELAYS = [250, 500, 1000, 2000, 4000]

  /** On a page that has not needed the file yet, with the browser's clock in the test's hand; then asks for a page that does. */
  async function follow(answer: (attempt: number) => number) {
    const { page } = await product.visit(await newSite())
    let attempts = 0
    await page.route('**/locales/en/errors.json', (route) => {
      const status = answer(++attempts)
      return status === 200 ? route.continue() : route.fulfill({ status, body: 'no' })
    })
    await page.goto('/')
    await settled(page)
    await page.clock.install()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await page.getByRole('link', { name: 'Cookie settings' }).click()
    const reach = async (wanted: number) => {
      await expect.poll(() => attempts).toBe(wanted)
      // The page has dealt with an answer, and begun to wait, once it has another one that came later. After the last try it leaves instead.
      await page.evaluate(async () => (await fetch('/robots.txt')).text()).catch(() => undefined)
    }
    return { page, reach, attempts: () => attempts }
  }

  it.each([503, 404])('is tried five times more, after 250 ms and then twice as long each time (%i)', async (status) => {
    const { page, reach, attempts } = await follow(() => status)
    await reach(1)
    for (const [index, delay] of DELAYS.entries()) {
      await page.clock.runFor(delay - 1)
      expect(attempts()).toBe(index + 1)
      await page.clock.runFor(1)
      await reach(index + 2)
    }
    // Then the page comes from the server, which has its texts.
    await page.getByRole('heading', { level: 1, name: 'Cookies and other services' }).waitFor()
    expect([attempts(), new URL(page.url()).pathname]).toEqual([6, '/cookies'])
  })

  it('is used as soon as it comes', async () => {
    const { page, reach } = await follow((attempt) => (attempt < 3 ? 500 : 200))
    await reach(1)
    await page.clock.runFor(250)
    await reach(2)
    await page.clock.runFor(500)
    await reach(3)
    await page.clock.resume()
    await page.getByRole('heading', { level: 1, name: 'Cookies and other services' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/cookies')
  })
})
