import { describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

describe('passages of a text', () => {
  const { db, product } = useSharedProduct()
  const openEditor = async (site: Site, language: Language) => {
    const why = { id: 'why', type: 'short_text', title: inAllLanguages('Why there?'), shownTo: 'public' }
    const activity = await addActivity(db.runtime, site, { fields: [why] })
    const text = { body: 'Ring Zebulon at home.', fields: { why: 'Zebulon has a saw.' } }
    const { id } = await addContribution(db.runtime, site, { activityId: activity.id, number: 1, ...text })
    const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
    const { page, complaints } = await product.visit(site, { token })
    await page.goto(`/admin/contributions/${id}?lng=${language}`)
    return { page, complaints, address: `/${language}/projects/${activity.projectSlug}/${activity.slug}/1` }
  }

  test('are selected with the keyboard and gone from the page', async () => {
    const { page, complaints, address } = await openEditor(
      await addSite(db.runtime, { slug: `masked-${Date.now()}`, languages: ['en', 'fr-CA', 'cy'] }),
      'en',
    )
    await page.getByRole('button', { name: 'Remove passages or photos' }).click()
    const dialog = page.getByRole('dialog')
    const body = dialog.getByLabel('Text', { exact: true })
    await dialog.getByRole('button', { name: 'Remove the selected passage' }).click()
    await dialog.getByText('Select a passage in one of the texts above first').waitFor()
    await body.focus()
    await page.keyboard.press('Control+Home')
    for (let at = 0; at < 5; at++) await page.keyboard.press('ArrowRight')
    for (let at = 0; at < 7; at++) await page.keyboard.press('Shift+ArrowRight')
    await dialog.getByRole('button', { name: 'Remove the selected passage' }).click()
    await dialog.getByText('Ring […] at home.').waitFor()
    await dialog.getByLabel('Why there?').focus()
    await page.keyboard.press('Control+Home')
    for (let at = 0; at < 7; at++) await page.keyboard.press('Shift+ArrowRight')
    await dialog.getByRole('button', { name: 'Remove the selected passage' }).click()
    await dialog.getByText('[…] has a saw.').waitFor()
    await dialog.getByLabel('Rule').selectOption('personal-data')
    await dialog.getByLabel('Reason').fill('It names a neighbour.')
    await dialog.getByRole('button', { name: 'Publish without these' }).click()
    await page.getByText('Ring [removed: Personal data] at home.').waitFor()
    await page.goto(address)
    await page.getByText('Ring [removed: Personal data] at home.').waitFor()
    await page.getByText('[removed: Personal data] has a saw.').waitFor()
    expect(await page.content()).not.toContain('Zebulon')

    await page.goBack()
    await page.getByRole('button', { name: 'See the original' }).click()
    await page.getByText('Ring Zebulon at home.').waitFor()
    await page.getByText('Zebulon has a saw.').waitFor()
    await page.getByRole('button', { name: 'Put them back' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Put them back' }).click()
    await page.getByRole('heading', { name: 'Passages or photos were removed' }).waitFor({ state: 'detached' })
    await page.goto(address)
    await page.getByText('Ring Zebulon at home.').waitFor()
    await page.getByText('Zebulon has a saw.').waitFor()
    expect(complaints).toEqual([])
  })

  test.each([
    ['en', 'Remove passages or photos'],
    ['fr-CA', 'Retirer des passages'],
    ['cy', 'Tynnu darnau'],
  ] as [Language, string][])('their dialog is accessible in %s', async (language, name) => {
    const site = await addSite(db.runtime, { slug: `masked-${language.toLowerCase()}-${Date.now()}`, languages: ['en', 'fr-CA', 'cy'] })
    const { page } = await openEditor(site, language)
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('#mask-body').selectText()
    await dialog.locator('.row button').click()
    await expect.poll(() => dialog.locator('h3').count()).toBe(2)
    await expectAccessible(page)
  })
})
