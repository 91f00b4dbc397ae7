import { beforeAll, describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import {
  expectAccessible,
  getConsoleErrors,
  openPage,
  signIn,
  takePartBefore,
  type DemoSite,
  expectUsable,
} from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

describe('the word lists of a site', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'listed', languages: ['en', 'cy'] })
  })

  test('are changed by its administrator; what somebody then sends without JavaScript waits, in words that do not accuse', async () => {
    const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
    const { page, complaints } = await product.visit(site, { token })
    await page.goto('/admin/moderation/rules')
    await page.getByRole('button', { name: 'Change Cymraeg' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Waits for a moderator').fill('cath\na')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('.field-error').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Waits for a moderator').fill('cath')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Waits for a moderator: 1').waitFor()

    const activity = await addActivity(db.runtime, site, { moderation: 'after', postAccess: 'anyone' })
    const author = await product.visit(site, { javaScriptEnabled: false })
    const address = `/projects/${activity.projectSlug}/${activity.slug}`
    await author.page.goto(`${address}/new`)
    await takePartBefore(author.page)
    await author.page.locator('[name=title]').fill('Mwy o seddi')
    await author.page.locator('[name=body]').fill('Lle i fy nghath i.')
    await author.page.getByLabel('Anonymously').check()
    await author.page.locator('.form-actions button').click()
    expect(new URL(author.page.url()).pathname).toBe(`${address}/receipt`)
    await author.page.getByText('It is not public yet.').waitFor()
    // The refused entry is the only complaint.
    expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([])
  })

  test('are shown to nobody else', async () => {
    const { token } = await addPerson(db.runtime, site, { role: 'hub_admin' })
    const { page } = await product.visit(site, { token })
    await page.goto('/admin/moderation/rules')
    await page.getByRole('heading', { name: 'Moderation rules' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Word lists', exact: true }).count()).toBe(0)
  })
})

describe.each([
  ['riverbend', 'en', 'Word lists'],
  ['riverbend', 'fr-CA', 'Listes de mots'],
  ['dyffryn', 'cy', 'Rhestrau geiriau'],
] as [DemoSite, Language, string][])('at %s in %s', (site, language, title) => {
  test('their screen and dialog are accessible on a phone and a wide screen', async () => {
    const page = await openPage({ site, width: 360 })
    await signIn(page, 'site.admin')
    await page.goto(`/admin/moderation/rules?lng=${language}`)
    const section = page.locator('section', { has: page.getByRole('heading', { name: title }) }).last()
    await section.waitFor()
    await expectUsable(page)
    if (process.env['SHOTS']) await section.screenshot({ path: `${process.env['SHOTS']}/words-${language}.png` })
    await section.getByRole('button').first().click()
    await page.getByRole('dialog').locator('textarea').first().waitFor()
    await expectUsable(page)
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/words-dialog-${language}.png` })
    expect(getConsoleErrors(page)).toEqual([])
  })
})
