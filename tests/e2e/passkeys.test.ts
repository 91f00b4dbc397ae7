import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '#app/server/db/schema/accounts.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, PASSWORD } from '#tests/support/accounts.ts'
import { awaitScripts, expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const LANGUAGES = ['en', 'fr-CA', 'cy'] as const
const submit = (page: Page) => page.locator('main form.form [type="submit"]').first().click()

/**
 * A device that makes and uses passkeys as if its holder had agreed each time.
 * @param isOffered the browser offers them on the sign-in page, and the device agrees to that too
 */
async function addDevice(page: Page, { isOffered = false } = {}): Promise<void> {
  if (!isOffered) await page.addInitScript(() => Object.assign(PublicKeyCredential, { isConditionalMediationAvailable: undefined }))
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function fillSignIn(page: Page, email: string, next = '/account/two-step'): Promise<void> {
  await page.goto(`/sign-in?next=${next}`)
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(PASSWORD)
  await submit(page)
}

/** A press was followed by another document: its link is pressed once the scripts run. */
async function keepCodes(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: 'I have kept them' })
  await link.waitFor()
  await awaitScripts(page)
  await link.click()
}

describe('a passkey', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  let boss: Account
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'passkeys', languages: [...LANGUAGES] })
    boss = await addAccount(db.runtime, site, { role: 'site_admin', email: 'gwen@passkeys.example' })
  })

  test('is added, used to sign in and to confirm who is there, and removed', async () => {
    const { page, context, complaints } = await product.visit(site, { viewport: { width: 360, height: 800 } })
    await addDevice(page)
    await fillSignIn(page, boss.email)
    await page.waitForURL('**/account/two-step')
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
    await page.locator('.error-summary').getByText('Enter a name for the passkey').waitFor()
    await page.getByLabel('Name of the passkey').fill('Work laptop')
    await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
    await page.locator('.recovery-codes').waitFor()
    expect(await page.locator('.recovery-codes li').count()).toBe(10)
    await keepCodes(page)
    await page.getByText('Work laptop').waitFor()
    await expectAccessible(page)

    await context.clearCookies()
    await fillSignIn(page, boss.email)
    await page.getByRole('button', { name: 'Use a passkey', exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use a passkey', exact: true }).click()
    await page.waitForURL('**/account/two-step')
    await page.getByText('Last used on').waitFor()

    await page.goto('/admin/api-tokens')
    await page.getByLabel('Name', { exact: true }).fill('Open data robot')
    await page.getByRole('combobox').first().selectOption({ index: 1 })
    await db.database.site(site.id).tx((tx) =>
      tx
        .update(sessions)
        .set({ confirmedAt: new Date(0) })
        .where(eq(sessions.userId, boss.id)),
    )
    await page.getByRole('button', { name: 'Make the token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(/^parley_/).waitFor()

    await page.goto('/account/two-step')
    await page.getByRole('button', { name: 'Remove the passkey “Work laptop”' }).click()
    await page.getByText('The passkey is removed.').waitFor()
    expect(await page.locator('main').innerText()).toContain('You sign in with your password only.')
    for (const language of LANGUAGES) {
      await page.goto(`${language === 'en' ? '' : `/${language}`}/account/two-step/passkey`)
      await expectAccessible(page)
    }
    // The browser notes each refusal.
    expect(complaints.filter((line) => !/status of (403|422)/.test(line))).toEqual([])
  })

  test('signs a participant in by itself; somebody with a role is asked for the password first', async () => {
    // Another try needs people who have no passkey yet.
    const mark = createId().slice(-8)
    const [ann, lead] = [
      await addAccount(db.runtime, site, { email: `ann.${mark}@passkeys.example` }),
      await addAccount(db.runtime, site, { role: 'hub_admin', email: `lea.${mark}@passkeys.example` }),
    ]
    for (const { email } of [ann, lead]) {
      const { page, context } = await product.visit(site, { viewport: { width: 360, height: 800 } })
      await addDevice(page)
      await fillSignIn(page, email)
      await page.waitForURL('**/account/two-step')
      await page.getByRole('link', { name: 'Add a passkey' }).click()
      await page.getByLabel('Name of the passkey').fill('Phone')
      await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
      await keepCodes(page)
      await page.getByText('Phone', { exact: true }).waitFor()
      await context.clearCookies()
      await page.goto('/sign-in?next=/account/devices')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Use a passkey instead of a password' }).click()
      if (email === ann.email) await page.waitForURL(({ pathname }) => pathname === '/account/devices')
      else expect(await page.locator('.error-summary').innerText()).toContain('sign in with their password first')
    }
  })

  test('is offered by the browser where it offers the address', async () => {
    // Another try needs somebody who has no passkey yet.
    const person = await addAccount(db.runtime, site, { email: `bet.${createId().slice(-8)}@passkeys.example` })
    const { page, context } = await product.visit(site)
    await addDevice(page, { isOffered: true })
    await fillSignIn(page, person.email)
    await page.waitForURL('**/account/two-step')
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByLabel('Name of the passkey').fill('Phone')
    await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
    await keepCodes(page)
    await page.getByText('Phone', { exact: true }).waitFor()
    await context.clearCookies()
    // What the browser is asked for, whether or not a browser without a window shows it.
    await page.addInitScript(() => {
      const { credentials } = navigator
      const get = credentials.get.bind(credentials)
      credentials.get = (options) => {
        sessionStorage.setItem('mediation', String(options?.mediation))
        return get({ ...options, mediation: 'optional' })
      }
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(true)
    })
    await page.goto('/sign-in?next=/account/devices')
    // Offered at the first sign of use, whether that is noticed with the first move or a later one.
    let moves = 0
    const moveOn = async () => {
      await page.mouse.move(5 + moves++, 5)
      return new URL(page.url()).pathname
    }
    await expect.poll(moveOn).toBe('/account/devices')
    expect(await page.evaluate(() => sessionStorage.getItem('mediation'))).toBe('conditional')
  })

  test('is set up first on a site that requires a second step, and leads on to where the person wanted to go', async () => {
    const strict = await addSite(db.runtime, { slug: 'strict-passkeys', secondStepRequiredSince: new Date(0) })
    const dee = await addAccount(db.runtime, strict, { role: 'hub_admin', email: 'dee@strict-passkeys.example' })
    const { page } = await product.visit(strict, { viewport: { width: 360, height: 800 } })
    await addDevice(page)
    await fillSignIn(page, dee.email, '/account/devices')
    await page.getByRole('link', { name: 'Use a passkey instead of an app' }).waitFor()
    await awaitScripts(page)
    await page.getByRole('link', { name: 'Use a passkey instead of an app' }).click()
    await page.getByLabel('Name of the passkey').fill('Phone')
    await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
    await keepCodes(page)
    await page.waitForURL('**/account/devices')
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
  })

  test('says what to do where a browser makes none, and loads its script only when it is asked for', async () => {
    const other = await addAccount(db.runtime, site, { role: 'hub_admin', email: 'huw@passkeys.example' })
    const { page } = await product.visit(site, { token: other.token })
    const files: string[] = []
    page.on('request', (request) => files.push(new URL(request.url()).pathname))
    await page.addInitScript(() => Object.defineProperty(globalThis, 'PublicKeyCredential', { value: undefined }))
    await db.database.site(site.id).tx((tx) => tx.update(sessions).set({ confirmedAt: new Date() }).where(eq(sessions.userId, other.id)))
    await page.goto('/account/two-step/passkey')
    await page.getByLabel('Name of the passkey').fill('Nowhere')
    await page.waitForLoadState('networkidle')
    const before = files.filter((file) => file.endsWith('.js')).length
    await page.locator('main form.form [type="submit"]').click()
    await page.getByRole('alert').getByText('This browser cannot use passkeys here').waitFor()
    expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(before)
  })
})
