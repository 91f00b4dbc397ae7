import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { awaitScripts, getConsoleErrors, type DemoSite, expectAccessible, openPage, signIn } from '#tests/support/browser.ts'
import { requireMailedLink, runMailsCommand } from '#tests/support/mails.ts'

const PASSWORD = 'a long river of words'
const NEWER = 'another river of words'

let people = 0
const newEmail = () => `someone.${Date.now()}.${(people += 1)}@example.org`
const submit = (page: Page) => page.locator('main form.form [type="submit"]').click()
const said = (page: Page) => page.locator('main').innerText()

async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in')
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(password)
  await submit(page)
}

/** Signs in in vain. Waits for the answer: leaving the page before would take the attempt back. */
async function failToSignIn(page: Page, email: string, password: string): Promise<void> {
  await fillSignIn(page, email, password)
  await page.locator('.error-summary').waitFor()
}

/** Guesses until the next try would come at least five seconds too early, however long each takes. */
async function guessUntilHeldBack(page: Page, email: string): Promise<void> {
  for (let seconds = 0; seconds < 5;) {
    await failToSignIn(page, email, 'one guess more')
    seconds = Number(/Try again in (\d+) seconds/.exec(await page.locator('.error-summary').innerText())?.[1] ?? 0)
  }
}

/** A new account whose address is confirmed, signed in on the page. */
async function register(page: Page): Promise<string> {
  const email = newEmail()
  await page.goto('/register')
  await page.locator('input[name="login"]').fill('Someone New')
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(PASSWORD)
  await submit(page)
  await page.waitForURL('**/check-mail**')
  await page.getByText(`We have sent an email to ${email}.`).waitFor()
  await page.goto(await requireMailedLink(email, 'confirm-email'))
  await page.locator('main form [type="submit"]').click()
  await page.waitForURL('**/sign-in**')
  await fillSignIn(page, email, PASSWORD)
  await page.waitForURL((url) => url.pathname === '/')
  return email
}

test('strangers who guess lock nobody out of their own device, nor of the link that is mailed to them', async () => {
  const page = await openPage({ javaScript: false })
  const email = await register(page)
  const [device] = (await page.context().cookies()).filter(({ name }) => name === 'known_device')
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  expect(device?.value).toMatch(/^[\w-]{43}$/)
  await page.goto('/account')
  await page.locator('form[action*="sign-out"] [type="submit"]').first().click()

  const stranger = await openPage({ javaScript: false })
  await guessUntilHeldBack(stranger, email)
  await failToSignIn(stranger, email, PASSWORD)
  await stranger.goto('/account')
  expect(new URL(stranger.url()).pathname, 'the right password is refused from an unknown device').toBe('/sign-in')

  await fillSignIn(page, email, PASSWORD)
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/account')
  expect(await said(page), 'the known device is let in').toContain(email)

  // Somewhere else, with the link out of the mail.
  const elsewhere = await openPage({ javaScript: false })
  await elsewhere.goto('/forgot-password')
  await elsewhere.locator('input[name="email"]').fill(email)
  await submit(elsewhere)
  await elsewhere.goto(await requireMailedLink(email, 'reset-password'))
  await elsewhere.locator('input[name="password"]').fill(NEWER)
  await submit(elsewhere)
  await elsewhere.waitForURL('**/sign-in?done=**')
  await guessUntilHeldBack(stranger, email)
  await fillSignIn(elsewhere, email, NEWER)
  await elsewhere.waitForURL((url) => url.pathname === '/')
  await elsewhere.goto('/account')
  expect(await said(elsewhere)).toContain(email)
})

test('somebody invited to a role chooses a password, signs in, and arrives where the first steps are', async () => {
  const inviter = await openPage()
  await signIn(inviter, 'site.admin')
  await inviter.goto('/admin')
  const email = newEmail()
  const token = (await inviter.context().cookies()).find(({ name }) => name === 'token')?.value
  const status = await inviter.evaluate(
    async ([address, bearer]) => {
      const headers = { 'content-type': 'application/vnd.api+json', 'x-api-token': `Bearer ${bearer}` }
      const body = JSON.stringify({ data: { type: 'memberships', attributes: { role: 'site_admin', email: address } } })
      return (await fetch('/api/v2/memberships', { method: 'POST', headers, body })).status
    },
    [email, token],
  )
  expect(status).toBe(201)

  const page = await openPage({ javaScript: false })
  const link = await requireMailedLink(email, 'reset-password')
  expect(await runMailsCommand(email), 'the operator reads it on the command line').toContain(link)
  await page.goto(link)
  await page.locator('input[name="login"]').fill('Ines Vale')
  await page.locator('input[name="password"]').fill(PASSWORD)
  await submit(page)
  await page.waitForURL('**/sign-in?**')
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(PASSWORD)
  await submit(page)
  await page.waitForURL((url) => url.pathname === '/admin')
})

describe.each([true, false])('an account, with JavaScript: %s', (javaScript) => {
  test('is registered, given another address and another password, downloaded and deleted', async () => {
    const page = await openPage({ javaScript })
    const email = await register(page)
    const elsewhere = await openPage({ javaScript: false })
    await fillSignIn(elsewhere, email, PASSWORD)
    await elsewhere.waitForURL((url) => url.pathname === '/')

    const newer = newEmail()
    await page.goto('/account/email')
    await page.locator('input[name="email"]').fill(newer)
    await page.locator('input[name="password"]').fill(PASSWORD)
    await submit(page)
    await page.waitForURL('**/account?done=email-asked')
    expect(await said(page)).toContain(email)
    await page.goto(await requireMailedLink(newer, 'confirm-email'))
    await page.locator('main form [type="submit"]').click()
    await page.waitForURL('**/account?done=email-changed')
    expect(await said(page)).toContain(newer)

    await page.goto('/account/password')
    await page.locator('input[name="currentPassword"]').fill(PASSWORD)
    await page.locator('input[name="password"]').fill(NEWER)
    await submit(page)
    await page.waitForURL('**/account?done=password')
    await elsewhere.goto('/account')
    expect(new URL(elsewhere.url()).pathname, 'other devices are signed out').toBe('/sign-in')

    await page.goto('/account')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('form:has(input[value="download"]) [type="submit"]').click(),
    ])
    const data = await readFile(await download.path(), 'utf8')
    expect(JSON.parse(data)).toBeTypeOf('object')
    expect(data).toContain(newer)

    await page.goto('/account/delete')
    // Erasing an account withdraws what was published under it, so people are told before.
    await page.getByRole('listitem').filter({ hasText: 'ideas, places, questions and stories' }).waitFor()
    await page.locator('input[name="password"]').fill(PASSWORD)
    await submit(page)
    expect(await page.locator('.error-summary').innerText()).not.toBe('')
    await page.locator('input[name="password"]').fill(NEWER)
    await submit(page)
    await page.waitForURL('**/sign-in?done=deleted')
    await fillSignIn(page, newer, NEWER)
    expect(await page.locator('.error-summary').innerText()).toContain('do not match')
  })
})

describe('an account', () => {
  test('whose password is forgotten is opened by a link that works once', async () => {
    const page = await openPage({ javaScript: false })
    const email = await register(page)
    const forgetful = await openPage()
    await forgetful.goto('/forgot-password')
    await forgetful.locator('input[name="email"]').fill(email)
    await submit(forgetful)
    await forgetful.waitForURL('**/check-mail**')
    await forgetful.getByText(`If there is an account for ${email},`).waitFor()
    const link = await requireMailedLink(email, 'reset-password')
    await forgetful.goto(link)
    await forgetful.locator('input[name="password"]').fill(NEWER)
    await submit(forgetful)
    await forgetful.waitForURL('**/sign-in?done=password-sign-in')
    await forgetful.goto(link)
    expect(await said(forgetful)).toContain('Links work once')
    await page.goto('/account')
    expect(new URL(page.url()).pathname, 'signed out by the new password').toBe('/sign-in')
    await fillSignIn(page, email, NEWER)
    await page.waitForURL((url) => url.pathname === '/')
  })

  test('shows where it is signed in, and signs another device out', async () => {
    const page = await openPage()
    const email = await register(page)
    const other = await openPage({ javaScript: false })
    await fillSignIn(other, email, PASSWORD)
    await other.waitForURL((url) => url.pathname === '/')
    await page.goto('/account/devices')
    const buttons = page.locator('form:has(input[name="session"]) [type="submit"]')
    expect(await buttons.count()).toBe(1)
    await buttons.click()
    await page.waitForURL('**/account/devices?done=session-ended')
    expect(await buttons.count()).toBe(0)
    await other.goto('/account')
    expect(new URL(other.url()).pathname).toBe('/sign-in')
  })
})

interface Refused {
  path: string
  typed: Record<string, string>
  /** What is shown again, of what was typed. Passwords never are. */
  kept: string[]
}

const VISITORS: Refused[] = [
  { path: '/sign-in', typed: { email: 'nobody@example.org', password: 'wrong words' }, kept: ['email'] },
  { path: '/register', typed: { login: 'Some <b>body</b>', email: 'not an address', password: 'short' }, kept: ['login', 'email'] },
  { path: '/forgot-password', typed: { email: 'not an address' }, kept: ['email'] },
]
const PARTICIPANTS: Refused[] = [
  { path: '/account/profile', typed: { login: ' ' }, kept: [] },
  { path: '/account/email', typed: { email: 'not an address', password: 'wrong words' }, kept: ['email'] },
  { path: '/account/password', typed: { currentPassword: 'wrong words', password: 'short' }, kept: [] },
  { path: '/account/delete', typed: { password: 'wrong words' }, kept: [] },
]
/** What they say in English is in the test of refused forms. */
const PLACES: [DemoSite, Language][] = [
  ['riverbend', 'fr-CA'],
  ['dyffryn', 'cy'],
]

describe.each(PLACES)('a form that is refused, at %s in %s', (site, language) => {
  async function refuse(page: Page, { path, typed, kept }: Refused): Promise<void> {
    // A parameter nobody knows, as mail programs add them: nothing may be lost by it.
    await page.goto(`/${language}${path}?from=mail`)
    await expectAccessible(page)
    for (const [name, value] of Object.entries(typed)) await page.locator(`main form.form [name="${name}"]`).fill(value)
    await submit(page)
    await page.locator('.error-summary').waitFor()
    await awaitScripts(page)
    expect(await page.locator('.error-summary').count(), `${path} says what is wrong`).toBe(1)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await expect.poll(() => page.title()).toMatch(/^(Error|Erreur|Gwall)/)
    for (const name of kept)
      expect(await page.locator(`main form.form [name="${name}"]`).inputValue(), `${path} keeps ${name}`).toBe(typed[name])
    for (const secret of await page.locator('main form.form input[type="password"]').all()) expect(await secret.inputValue()).toBe('')
    await expectAccessible(page)
  }

  test('says what is wrong, keeps what was typed, and is accessible', async () => {
    const page = await openPage({ site, language, width: 360 })
    for (const form of VISITORS) await refuse(page, form)
    await signIn(page, 'participant')
    for (const form of PARTICIPANTS) await refuse(page, form)
    for (const path of ['/account', '/account/devices', '/check-mail?for=register', '/sign-out']) {
      await page.goto(`/${language}${path}`)
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360)
    }
    expect(getConsoleErrors(page).filter((complaint) => !complaint.includes('the server responded with a status of 4'))).toEqual([])
  })
})

test('the page that makes the first administrator has no site’s navigation, since there may be no site', async () => {
  const page = await openPage({ javaScript: false, width: 360 })
  await page.goto('/first-admin?token=old')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.locator('.site-nav, .site-footer, .site-menu, a.brand').count()).toBe(0)
  expect(await page.locator('.languages a').allTextContents()).toEqual(['Français', 'Cymraeg'])
  await page.getByRole('link', { name: 'Français' }).click()
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('fr-CA')
})
