import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DEMO_PASSWORD } from '#app/cli/demo/demo-accounts.ts'
import type axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Frame, type Locator, type Page } from 'playwright'
import { expect, inject, onTestFinished } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { BROWSER_ITEM } from '#app/lib/stored-items.ts'
import { findChromium } from './chromium.ts'
import { fingerprintLook } from './fingerprint-look.ts'
import { getDevToolsSession, takePage } from './reused-pages.ts'
import { sendRequest } from './send-request.ts'

export type DemoSite = 'riverbend' | 'dyffryn' | 'harbour'
export type DemoRole = 'platform' | 'site.admin' | 'hub.admin' | 'project.admin' | 'participant'

export interface PageOptions {
  site?: DemoSite
  javaScript?: boolean
  /** The browser's preferred language. */
  language?: Language
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  /** The screen takes fingers. */
  touch?: boolean
}

const SCRIPTS_WITHIN_MS = 30_000
/** A busy machine is slow, not wrong: one was eight times slower than another that was idle. */
export const PATIENCE_MS = 90_000
const JSON_API = 'application/vnd.api+json'
const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[
    // Suggestions below the address bar, a page of the browser's own: each new window would load it in a process of its own.
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    // Only the last list counts, so what Playwright switches off is said again.
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'AimEnabled',
    'PreconnectToSearch',
  ].join(',')}`,
]
const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Minified: half the size of the module's own `source`. */
const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const pageComplaints = new WeakMap<Page, string[]>()
const pageSites = new WeakMap<Page, DemoSite>()

let browser: Promise<Browser> | undefined

/** The worker's browser, shared by its test files: opened on first use, and closed by Playwright when the worker ends. */
export async function openBrowser(): Promise<Browser> {
  if (browser && !(await browser).isConnected()) browser = undefined
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

/** A new visitor's page, for this test alone. `page.goto('/projects')` is relative to the site. */
export async function openPage(options: PageOptions = {}): Promise<Page> {
  const site = options.site ?? 'riverbend'
  const page = await openTestPage({
    baseURL: getSiteOrigin(site),
    javaScriptEnabled: options.javaScript ?? true,
    locale: options.language ?? 'en',
    viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
    hasTouch: options.touch ?? false,
  })
  const heard: string[] = []
  pageComplaints.set(page, heard)
  pageSites.set(page, site)
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') heard.push(`${message.text()} (${page.url()})`)
  })
  page.on('pageerror', (error) => heard.push(`${error.message} (${page.url()})`))
  return page
}

/** A page for this test alone: see `takePage`. */
export async function openTestPage(options: BrowserContextOptions): Promise<Page> {
  const { page, release } = await takePage(await openBrowser(), options, (opened) => {
    if (options.javaScriptEnabled ?? true) waitForScripts(opened)
  })
  page.context().setDefaultTimeout(PATIENCE_MS)
  onTestFinished(({ task }) => release(task.result?.state !== 'fail'))
  return page
}

/**
 * Gives a browser without scripts its token, as if it had taken part before: otherwise it is asked to press twice. Call it once a page of the
 * site is open.
 */
export async function takePartBefore(page: Page): Promise<void> {
  const { origin, host, port } = new URL(page.url())
  const headers = { host, accept: JSON_API, 'content-type': JSON_API }
  const document = JSON.stringify({ data: { type: 'browser-tokens', attributes: {} } })
  const { text } = await sendRequest(Number(port), '/api/v2/browser-tokens', headers, 'POST', document)
  const { data } = JSON.parse(text) as { data: { attributes: { token: string } } }
  await page.context().addCookies([{ name: BROWSER_ITEM.name, value: data.attributes.token, url: origin, httpOnly: true, sameSite: 'Lax' }])
}

/**
 * Pages request their scripts once they have loaded and been painted. Whoever opens this page, or waits for its
 * address, also waits until the scripts run, unless they say themselves what they wait for.
 */
export function waitForScripts(page: Page): void {
  const [goto, reload, waitForURL] = [page.goto.bind(page), page.reload.bind(page), page.waitForURL.bind(page)]
  page.goto = async (address, options) => {
    const answer = await goto(address, options)
    if (!options?.waitUntil) await awaitScripts(page)
    return answer
  }
  page.waitForURL = async (address, options) => {
    await waitForURL(address, options)
    if (!options?.waitUntil) await awaitScripts(page)
  }
  page.reload = async (options) => {
    const answer = await reload(options)
    if (!options?.waitUntil) await awaitScripts(page)
    return answer
  }
}

/** Waits until the page's scripts run, after it was led to another document by a press. */
export async function awaitScripts(page: Page): Promise<void> {
  const deadline = Date.now() + SCRIPTS_WITHIN_MS
  while (Date.now() < deadline && !(await page.evaluate(waitInPage, deadline - Date.now()).catch(() => false)))
    await page.waitForTimeout(20)
}

/**
 * Runs in the page: one question, answered when its scripts run, costs less than asking every few milliseconds. Tests may stop the page's
 * clock and timers, but not its scheduler.
 * @returns false if they did not run in time
 */
async function waitInPage(withinMs: number): Promise<boolean> {
  const { scheduler } = window as unknown as { scheduler: { postTask: (task: () => void, options: { delay: number }) => Promise<void> } }
  for (let waited = 0; '$_TSR' in window; waited += 10) {
    if (waited >= withinMs) return false
    await scheduler.postTask(() => {}, { delay: 10 })
  }
  return true
}

/** Errors and warnings in the page's console, and uncaught exceptions, since the page was opened. */
export function getConsoleErrors(page: Page): string[] {
  return pageComplaints.get(page) ?? []
}

/** Replaces an editor's text with one in light markup, pasted as plain text. */
export async function pasteMarkup(editor: Locator, markup: string): Promise<void> {
  await editor.and(editor.page().locator('[contenteditable]')).focus()
  await editor.page().keyboard.press('ControlOrMeta+a')
  await editor.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, markup)
}

/**
 * Signs in a demo account, through the API because that is much faster; the account journeys test the sign-in page. Sessions of the last few
 * minutes are used again, unless they were ended. Does not navigate.
 */
export async function signIn(page: Page, role: DemoRole): Promise<void> {
  const site = pageSites.get(page) ?? 'riverbend'
  const [origin, token] = [getSiteOrigin(site), await requestToken(site, role)]
  await page.context().addCookies([{ name: 'token', value: token, url: origin, httpOnly: true, sameSite: 'Lax' }])
}

/** Signs in a demo account to the API of its site. @returns sends `data`, and resolves with the response's document; throws if it is refused */
export async function openApi(site: DemoSite, role: DemoRole) {
  const { host, port } = new URL(getSiteOrigin(site))
  const headers = { host, accept: JSON_API, 'content-type': JSON_API, 'x-api-token': `Bearer ${await requestToken(site, role)}` }
  return async <T>(method: string, path: string, data?: object): Promise<T> => {
    const { status, text } = await sendRequest(Number(port), `/api/v2${path}`, headers, method, data ? JSON.stringify({ data }) : '')
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as T
  }
}

/** Hashing a password takes half a second of processor time. */
const openSessions = new Map<string, { token: string; at: number }>()
/** Well within the quarter of an hour after which some acts ask for the password again. */
const SESSION_USED_MS = 5 * 60_000

async function requestToken(site: DemoSite, role: DemoRole): Promise<string> {
  const { host, port } = new URL(getSiteOrigin(site))
  const open = openSessions.get(`${host} ${role}`)
  if (open && Date.now() - open.at < SESSION_USED_MS) {
    const { status } = await sendRequest(Number(port), '/account', { host, cookie: `token=${open.token}` })
    if (status === 200) return open.token
  }
  const token = await startSession(site, role)
  openSessions.set(`${host} ${role}`, { token, at: Date.now() })
  return token
}

async function startSession(site: DemoSite, role: DemoRole): Promise<string> {
  const { host, port } = new URL(getSiteOrigin(site))
  const email = role === 'platform' ? 'platform@parley.example' : `${role}@${site}.example`
  const headers = { host, accept: JSON_API, 'content-type': JSON_API }
  const document = { data: { type: 'sessions', attributes: { email, password: DEMO_PASSWORD } } }
  const answer = await sendRequest(Number(port), '/api/v2/sessions', headers, 'POST', JSON.stringify(document))
  if (answer.status !== 201) throw new Error(`${email} was not signed in: ${answer.status} ${answer.text}`)
  return (JSON.parse(answer.text) as { data: { attributes: { token: string } } }).data.attributes.token
}

/** Fingerprints of pages, as they looked in a certain state, in which this worker found no violation. */
const accessible = new Set<string>()

/**
 * Fails with every violation of WCAG 2.2 AA or axe's best practices on the page, except in the excluded part. What differs from a page that
 * has passed only in its words, as the same page in another language does, is not checked again (decision 0229).
 */
export async function expectAccessible(page: Page, without = ''): Promise<void> {
  // axe would measure a target half covered by a sticky bar as too small.
  await page.evaluate(() => window.scrollTo(0, 0))
  // While something fades in, its contrast is not what people read.
  await page.evaluate(async () => {
    const passing = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime))
    await Promise.all(passing.map((each) => each.finished.catch(() => undefined)))
  })
  const look = `${without} ${await page.evaluate(fingerprintLook)}`
  if (accessible.has(look)) return
  await provideAxe(page)
  const faults = await page.evaluate(findViolations, { without: without || undefined, tags: AXE_RULES })
  expect(faults, `faults of accessibility at ${page.url()}`).toEqual([])
  accessible.add(look)
}

/** A phone, and a wide screen. */
const WIDTHS = [360, 1280]

/** Fails if the page is not accessible, or can be scrolled sideways, at one of these widths. Leaves it at the first. */
export async function expectUsable(page: Page, widths: readonly number[] = WIDTHS): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), page.url()).toBeLessThanOrEqual(width)
  }
  await page.setViewportSize({ width: widths[0] ?? 0, height: 900 })
}

/** The same for a page of a context without JavaScript, in which axe cannot run: a browser with scripts opens it again, with the same cookies. */
export async function expectAccessibleOnceScripted(page: Page): Promise<void> {
  const context = await (await openBrowser()).newContext({ locale: 'en', viewport: page.viewportSize() })
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addCookies(await page.context().cookies())
  const again = await context.newPage()
  await again.goto(page.url())
  await expectAccessible(again)
  await context.close()
}

/**
 * Injects axe into the page and its frames if it is missing. The DevTools protocol lets later documents of the page reuse the compiled code;
 * Playwright's `evaluate` does not.
 */
async function provideAxe(page: Page): Promise<void> {
  const lacksAxe = (frame: Frame) => frame.evaluate(() => !('axe' in window))
  if (await lacksAxe(page.mainFrame())) {
    const session = await getDevToolsSession(page)
    const { exceptionDetails } = await session.send('Runtime.evaluate', { expression: AXE_SOURCE })
    if (exceptionDetails) throw new Error(`axe did not load: ${exceptionDetails.text}`)
  }
  for (const frame of page.frames().filter((each) => each !== page.mainFrame())) {
    // A frame may be removed in the meantime.
    await lacksAxe(frame)
      .then((isMissing) => (isMissing ? frame.evaluate(AXE_SOURCE) : undefined))
      .catch(() => undefined)
  }
}

/** Runs in the page, including its same-origin frames. Only violations are asked for, and only their summary is sent. */
async function findViolations({ without, tags }: { without: string | undefined; tags: string[] }): Promise<string[]> {
  const { axe: checker } = window as unknown as { axe: typeof axe }
  const { violations } = await checker.run(without ? { exclude: [without] } : document, { resultTypes: ['violations'], runOnly: tags })
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Clicks a checkbox. @returns whether it is ticked right after the click, before anything that was scheduled for later */
export function clickAtOnce(checkbox: Locator): Promise<boolean> {
  return checkbox.evaluate((box: HTMLInputElement) => {
    box.click()
    return box.checked
  })
}

/** Lets the page's next request with this method arrive, but loses its response. */
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

/** Ticks what a dialog names as missing or out of date, until it lets the button be pressed and closes. */
export async function publishWithout(page: Page, button: string): Promise<void> {
  const dialog = page.getByRole('alertdialog')
  const confirm = dialog.getByRole('button', { name: button, exact: true })
  await confirm.waitFor()
  // What is out of date is known only to the server, which names it after the first press.
  for (let press = 0; press < 3 && (await confirm.isVisible()); press++) {
    // By keys: what the dialog still loads moves the boxes.
    for (const waiver of await dialog.getByLabel(/: publish (without|the translation)/).all())
      if (!(await waiver.isChecked())) await waiver.press('Space')
    await confirm.click()
    const more = dialog.getByRole('checkbox', { name: /: publish/, checked: false })
    await Promise.race([confirm.waitFor({ state: 'detached' }), more.first().waitFor()]).catch(() => undefined)
  }
  await confirm.waitFor({ state: 'detached' })
}
