import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { profileQuestions } from '#app/server/db/schema/profile.ts'
import type { Site } from '#app/server/site-directory.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { startOpenIdProvider } from '#tests/support/openid-provider.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { encryptAssertion, SamlProvider } from '#tests/support/saml-provider.ts'

/** A page of a SAML provider, whose only button sends its answer to the site that asked. */
async function startSamlProvider(subject: string) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const council = new SamlProvider(`${origin}/metadata`)
  const settings: { encryptsFor?: string } = {}
  server.on('request', (request, response) => {
    const address = new URL(request.url ?? '/', origin)
    // Browsers also ask for an icon.
    if (address.pathname !== '/sso') return void response.writeHead(404).end()
    const { state, ...asked } = council.readRequest(address)
    const signed = council.assert(asked, { subject })
    const said = settings.encryptsFor ? encryptAssertion(signed, settings.encryptsFor) : signed
    const answer = Buffer.from(council.respond(said)).toString('base64')
    response.setHeader('content-type', 'text/html').end(
      `<form method="post" action="${asked.acs}"><input type="hidden" name="SAMLResponse" value="${answer}">
        <input type="hidden" name="RelayState" value="${state}"><button>Go back to the site</button></form>`,
    )
  })
  return { ssoUrl: `${origin}/sso`, council, settings, close: () => server.close() }
}

describe('signing in with the council’s account', async () => {
  const { db, product } = useSharedProduct()
  const oidc = await startOpenIdProvider(
    new Map([['mair', { email: 'mair@council.example', email_verified: true, name: 'Mair', birthdate: '1980-05-17' }]]),
  )
  const saml = await startSamlProvider('mair')
  afterAll(() => {
    oidc.close()
    saml.close()
  })
  let site: Site
  let boss: Account
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'council' })
    boss = await addAccount(db.runtime, site, { role: 'site_admin', email: 'mair@council.example' })
    await db.runtime.database.site(site.id).tx((tx) =>
      tx.insert(profileQuestions).values({
        siteId: site.id,
        id: createId(),
        key: 'born',
        type: 'year-of-birth',
        label: inAllLanguages('When were you born?'),
        purpose: inAllLanguages('To plan for all ages.'),
        askedAt: 'account-only',
        retentionMonths: 24,
        status: 'live',
      }),
    )
  })

  /** Tests and activates the provider of the present page, and links it to the administrator's own account. */
  async function testAndLink(
    page: Page,
    name: string,
    signInThere: () => Promise<void>,
    onConfirmPage: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    await page.getByRole('button', { name: 'Start testing' }).click()
    await page.getByRole('link', { name: 'Test signing in' }).click()
    await signInThere()
    await page.getByText('The test passed').waitFor()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    await page.goto('/account/sign-in-methods')
    await page.getByRole('link', { name: new RegExp(name) }).click()
    await signInThere()
    await onConfirmPage()
    await page.getByRole('button', { name: 'Link it' }).click()
    await page.waitForURL('**/account/sign-in-methods?done=linked')
  }

  async function signInAsStaff(name: string, signInThere: (page: Page) => Promise<void>): Promise<void> {
    const { page } = await product.visit(site)
    await page.goto('/sign-in/staff?next=/account')
    await page.getByRole('link', { name: `Sign in with ${name}` }).click()
    await signInThere(page)
    await page.waitForURL('**/account')
    expect(await page.locator('main').innerText()).toContain(boss.email)
  }

  test('leads the staff to the common page while no provider is set up', async () => {
    const { page } = await product.visit(site)
    await page.goto('/sign-in/staff?next=/account')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sign-in?next=%2Faccount')
    await page.getByLabel('Email address').waitFor()
  })

  test('works through a provider of OpenID Connect that an administrator adds, tests and links', async () => {
    const { page, complaints } = await product.visit(site, { token: boss.token, viewport: { width: 1280, height: 900 } })
    const signInThere = async (at: Page) => {
      // Its session goes on: it asks once.
      if (await at.locator('input[name="login"]').isVisible()) {
        await at.locator('input[name="login"]').fill('mair')
        await at.locator('input[name="password"]').fill('any')
        await at.locator('button[type="submit"]').click()
      }
      if (at.url().startsWith(oidc.issuer)) await at.locator('button[type="submit"]').click()
    }
    await page.goto('/admin/sign-in/new')
    await page.getByLabel('Name', { exact: false }).first().fill('Council account')
    await page.getByLabel('Issuer').fill(oidc.issuer)
    await page.getByLabel('Client ID').fill('parley')
    await page.getByLabel('Client secret').fill('a secret of the council')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const callback = await page.locator('.hook-address').first().innerText()
    oidc.register({ client_id: 'parley', client_secret: 'a secret of the council', redirect_uris: [callback] })
    await page.getByLabel('When were you born?').fill('birthdate')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: false }).first().waitFor()
    await expectAccessible(page)
    await testAndLink(
      page,
      'Council account',
      () => signInThere(page),
      async () => {
        const said = page.getByRole('region', { name: 'What Council account says about you' })
        expect(await said.innerText()).toMatch(
          /When were you born\?\s+1980\s+Why we ask: To plan for all ages\. We keep your answer for 24 months\./,
        )
        await expectAccessible(page)
        await page.getByLabel('Keep these answers in my account').check()
      },
    )
    await page.goto('/account/about-you')
    expect(await page.locator('main').innerText()).toContain('From the service you sign in with')
    expect(await page.getByRole('textbox', { name: 'When were you born?' }).inputValue()).toBe('1980')
    await signInAsStaff('Council account', signInThere)
    // The provider's own pages ask for fonts elsewhere.
    expect(complaints.filter((line) => !line.includes(oidc.issuer))).toEqual([])
  })

  test('works by SAML, whose answer comes from another site without our cookies', async () => {
    const { page } = await product.visit(site, { token: boss.token, viewport: { width: 360, height: 900 } })
    const goBack = (at: Page) => at.getByRole('button', { name: 'Go back to the site' }).click()
    await page.goto('/admin/sign-in/new')
    await page.getByLabel('Name', { exact: false }).first().fill('Staff directory')
    await page.getByLabel('Protocol').selectOption('saml')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.locator('.error-summary').waitFor()
    await page.getByLabel('Entity ID of the provider').fill(saml.council.entityId)
    await page.getByLabel('Sign-in address of the provider').fill(saml.ssoUrl)
    await page.getByLabel('Signing certificates').fill(saml.council.keys.certificate)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('/metadata.xml').waitFor()
    await page.getByLabel('Encrypted assertions').selectOption('required')
    await page.getByLabel('Sign requests').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const shown = page.getByText('Show the certificate')
    await shown.first().waitFor()
    await expectAccessible(page)
    // The first is that of the signature.
    await shown.last().click()
    const certificate = await page.locator('.hook-address', { hasText: 'BEGIN CERTIFICATE' }).last().innerText()
    await page.getByRole('button', { name: 'Start testing' }).click()
    await page.getByRole('link', { name: 'Test signing in' }).click()
    await goBack(page)
    await page.getByText('The assertion is not encrypted, but you require it.').waitFor()
    saml.settings.encryptsFor = certificate
    await page.getByRole('button', { name: 'Return to draft' }).click()
    await testAndLink(page, 'Staff directory', () => goBack(page))
    expect(await page.locator('main').innerText()).toContain('Staff directory')
    await signInAsStaff('Staff directory', goBack)
  })
})
