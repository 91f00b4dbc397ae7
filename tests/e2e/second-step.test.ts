import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '#app/server/db/schema/accounts.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type Account, addAccount, PASSWORD } from '#tests/support/accounts.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { computeCode } from '#tests/support/totp.ts'

const LANGUAGES = ['en', 'fr-CA', 'cy'] as const
const submit = (page: Page) => page.locator('main form.form [type="submit"]').click()
const wrongCode = (code: string) => (code === '000000' ? '111111' : '000000')

async function fillSignIn(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in?next=/account/two-step')
  await page.locator('input[name="email"]').fill(email)
  await page.locator('input[name="password"]').fill(PASSWORD)
  await submit(page)
}

describe('two-step sign-in', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  let admin: Account
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'two-step', languages: [...LANGUAGES] })
    admin = await addAccount(db.runtime, site, { role: 'hub_admin', email: 'ann@two-step.example' })
  })

  test('is set up and used without JavaScript, with codes of an app and with recovery codes', async () => {
    const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    await fillSignIn(page, admin.email)
    await page.getByRole('link', { name: 'Set up an authenticator app' }).click()
    const key = await page.locator('.app-key').innerText()
    await page.locator('input[name="code"]').fill(wrongCode(computeCode(key, new Date())))
    await submit(page)
    expect(await page.locator('.error-summary').innerText()).toContain('This code is not right')
    expect(await page.locator('.app-key').innerText(), 'the same key').toBe(key)
    await page.locator('input[name="code"]').fill(computeCode(key, new Date()))
    await submit(page)
    const codes = await page.locator('.recovery-codes li').allInnerTexts()
    expect(codes).toHaveLength(10)
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await expect.poll(() => page.locator('main').innerText()).toContain('10 codes left')
    expect(await page.locator('main').innerText()).not.toContain(codes[0])

    const elsewhere = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    await fillSignIn(elsewhere.page, admin.email)
    await elsewhere.page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    expect((await elsewhere.context.cookies()).map(({ name }) => name)).not.toContain('token')
    await elsewhere.page.locator('input[name="code"]').fill(wrongCode(computeCode(key, new Date())))
    await submit(elsewhere.page)
    expect(await elsewhere.page.locator('.error-summary').innerText()).toContain('This code is not right')
    await elsewhere.page.locator('main summary').click()
    await elsewhere.page.locator('input[name="recoveryCode"]').fill(codes[0] ?? '')
    await submit(elsewhere.page)
    await elsewhere.page.waitForURL('**/account/two-step')
    expect(await elsewhere.page.locator('main').innerText()).toContain('9 codes left')
  })
  test('is set up first, without JavaScript, by people with a role on a site that requires it, who then go on to where they wanted', async () => {
    const strict = await addSite(db.runtime, { slug: 'strict', languages: [...LANGUAGES], secondStepRequiredSince: new Date(0) })
    const dee = await addAccount(db.runtime, strict, { role: 'site_admin', email: 'dee@strict.example' })
    const { page } = await product.visit(strict, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    await page.goto('/sign-in?next=/account/devices')
    await page.locator('input[name="email"]').fill(dee.email)
    await page.locator('input[name="password"]').fill(PASSWORD)
    await submit(page)
    await page.waitForURL('**/account/two-step/app?next=**')
    expect(await page.locator('main').innerText()).toContain('This site requires two-step sign-in')
    await page.goto('/admin')
    await page.waitForURL('**/account/two-step/app?next=%2Fadmin')
    await page.locator('input[name="code"]').fill(computeCode(await page.locator('.app-key').innerText(), new Date()))
    await submit(page)
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await page.waitForURL('**/admin')
  })

  test('is accessible at each step, in every language', async () => {
    const { page, complaints } = await product.visit(site, { viewport: { width: 360, height: 800 } })
    const other = await addAccount(db.runtime, site, { role: 'project_admin', email: 'bob@two-step.example' })
    await fillSignIn(page, other.email)
    await page.waitForURL('**/account/two-step')
    for (const language of LANGUAGES) {
      const prefix = language === 'en' ? '' : `/${language}`
      for (const path of ['two-step', 'two-step/app', 'confirm']) {
        await page.goto(`${prefix}/account/${path}`)
        await expectAccessible(page)
      }
    }
    await page.goto('/account/two-step/app')
    await page.locator('input[name="code"]').fill(computeCode(await page.locator('.app-key').innerText(), new Date()))
    await submit(page)
    await page.locator('.recovery-codes').waitFor()
    await expectAccessible(page)
    const elsewhere = await product.visit(site)
    await fillSignIn(elsewhere.page, other.email)
    await elsewhere.page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await expectAccessible(elsewhere.page)
    expect(complaints).toEqual([])
  })
  test('is asked for again by a dialog in the administration, which then does what was refused, and by a page before a file', async () => {
    const boss = await addAccount(db.runtime, site, { role: 'site_admin', email: 'cai@two-step.example' })
    const { page, complaints } = await product.visit(site, { token: boss.token })
    const forget = () =>
      db.database.site(site.id).tx((tx) =>
        tx
          .update(sessions)
          .set({ confirmedAt: new Date(0) })
          .where(eq(sessions.userId, boss.id)),
      )
    await page.goto('/admin/api-tokens')
    await page.getByLabel('Name', { exact: true }).fill('Open data robot')
    await page.getByRole('combobox').first().selectOption({ index: 1 })
    await forget()
    await page.getByRole('button', { name: 'Make the token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Password').fill('not the password')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('This is not your current password.').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText(/^parley_/).waitFor()

    await forget()
    await page.goto('/admin/people')
    await page.locator('a[href^="/admin/people.csv"]').click()
    await page.waitForURL('**/account/confirm?next=**')
    await page.locator('input[name="password"]').fill(PASSWORD)
    await submit(page)
    await page.getByRole('heading', { name: 'Why do you need this file?' }).waitFor()
    await page.getByLabel('Reason').fill('The auditors ask for it')
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
    expect(file.suggestedFilename()).toMatch(/^people-.*\.csv$/)
    // The browser notes each refusal of the API.
    expect(complaints.filter((line) => !/status of (403|422)/.test(line))).toEqual([])
  })
})
