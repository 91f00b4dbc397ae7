import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterAll, expect, inject, onTestFinished } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { findChromium } from './chromium.ts'

export type DemoSite = 'riverbend' | 'dyffryn' | 'harbour'
export type DemoRole = 'platform' | 'site.admin' | 'hub.admin' | 'project.admin' | 'participant'

export interface PageOptions {
  site?: DemoSite
  javaScript?: boolean
  /** What the browser says it prefers. */
  language?: Language
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
}

export const DEMO_PASSWORD = 'parley-demo'
const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const pageComplaints = new WeakMap<Page, string[]>()
const pageSites = new WeakMap<Page, DemoSite>()

let browser: Promise<Browser> | undefined
afterAll(async () => (await browser)?.close())

/** The file's one browser, opened on first use and closed after the file's tests. */
export function openBrowser(): Promise<Browser> {
  browser ??= launchBrowser()
  return browser
}

/** Address of a demo site of the running product. */
export function getSiteOrigin(site: DemoSite): string {
  const place = Number(process.env['VITEST_POOL_ID'])
  const url = new URL(inject('origins')[place - 1] ?? '')
  url.hostname = `${site}.localhost`
  return url.origin
}

/** A fresh visitor's page: nothing kept from other tests. `page.goto('/projects')` is relative to the site. Closed when the test ends. */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const site = options.site ?? 'riverbend'
  const context: BrowserContext = await (
    await openBrowser()
  ).newContext({
    baseURL: getSiteOrigin(site),
    javaScriptEnabled: options.javaScript ?? true,
    locale: options.language ?? 'en',
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const heard: string[] = []
  pageComplaints.set(page, heard)
  pageSites.set(page, site)
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') heard.push(`${message.text()} (${page.url()})`)
  })
  page.on('pageerror', (error) => heard.push(`${error.message} (${page.url()})`))
  return page
}

/** Errors and warnings of the page's console, and exceptions nobody caught, since the page was opened. */
export function getConsoleErrors(page: Page): string[] {
  return pageComplaints.get(page) ?? []
}

/** Signs a demo account in through the page, as a person would. */
export async function signIn(page: Page, role: DemoRole): Promise<void> {
  const site = pageSites.get(page) ?? 'riverbend'
  await page.goto('/sign-in')
  await page.locator('input[name="email"]').fill(role === 'platform' ? 'platform@parley.example' : `${role}@${site}.example`)
  await page.locator('input[name="password"]').fill(DEMO_PASSWORD)
  await Promise.all([
    page.waitForURL((url) => !url.pathname.endsWith('/sign-in')),
    page.locator('form:has(input[name="password"]) [type="submit"]').click(),
  ])
}

/** Fails with each fault's rule, advice and place when the page, or what is not excluded of it, breaks WCAG 2.2 AA or axe's best practice. */
export async function expectAccessible(page: Page, without?: string): Promise<void> {
  // What is scrolled half under a bar that stays is no smaller for it.
  await page.evaluate(() => window.scrollTo(0, 0))
  const builder = new AxeBuilder({ page })
  if (without) builder.exclude(without)
  // In the page itself, frames of its own origin included, and telling of faults alone: a third of the time.
  const { violations } = await builder
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], runOnly: AXE_RULES })
    .analyze()
  const faults = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
  expect(faults, `faults of accessibility at ${page.url()}`).toEqual([])
}

/** Has the next request of the page with this method arrive, and its answer get lost on the way back. */
export async function loseNextAnswer(page: Page, method: string): Promise<void> {
  await page.evaluate((lost) => {
    const real = window.fetch.bind(window)
    window.fetch = async (asked, init) => {
      const request = new Request(asked, init)
      const answer = await real(request)
      if (request.method !== lost || !request.url.includes('/api/')) return answer
      window.fetch = real
      throw new TypeError('Failed to fetch')
    }
  }, method)
}

async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) {
    throw new Error(
      'The browser journeys need Chromium: install the `chromium` package of the system, or run `npx playwright install chromium`.',
    )
  }
  return chromium.launch({ executablePath, args: BROWSER_FLAGS })
}
