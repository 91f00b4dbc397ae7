import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

describe('plain language', () => {
  const { db, product } = useSharedProduct()
  let site: Site
  let token: string
  beforeAll(async () => {
    site = await addSite(db.runtime, { slug: 'plain', languages: ['en', 'cy'] })
    ;({ token } = await addPerson(db.runtime, site, { role: 'site_admin' }))
  })

  test('a question that suggests its answer is pointed out after a pause, changed by keys, and dismissed on this device', async () => {
    const { id } = await addSurvey(db.runtime, site, {
      status: 'draft',
      definition: {
        schema: 1,
        pages: [
          { id: 'p', questions: [{ id: 'q', type: 'short_text', title: { en: 'What is your street?', cy: 'Beth yw eich stryd?' } }] },
        ],
      },
    })
    const { page, complaints } = await product.visit(site, { token, viewport: { width: 360, height: 800 } })
    await page.goto(`/admin/surveys/${id}`)
    const panel = page.locator('details.plain-words')
    const summary = panel.locator('summary')
    await summary.getByText('nothing found').waitFor()
    const title = page.getByLabel('Question', { exact: true })
    await title.fill('Don’t you agree that stakeholders matter?')
    await summary.getByText('2 things to look at').waitFor()
    await summary.focus()
    await page.keyboard.press('Enter')
    await panel.getByText('“stakeholder” is on your list of jargon').waitFor()
    await panel.getByText('This suggests an answer').waitFor()
    await expectAccessible(page, 'iframe')

    // Nothing is announced by itself.
    expect(await panel.locator('[aria-live], [role=status], [role=alert]').count()).toBe(0)
    await panel.getByRole('button', { name: 'Change it' }).first().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => title.evaluate((field) => field === document.activeElement)).toBe(true)

    await panel.getByRole('button', { name: 'Dismiss' }).first().focus()
    await page.keyboard.press('Enter')
    await summary.getByText('1 thing to look at').waitFor()
    await expect.poll(() => summary.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByText('All changes saved').waitFor()
    await page.reload()
    await summary.getByText('1 thing to look at').waitFor()

    // In Welsh, of the Welsh text and the Welsh list.
    await page.getByRole('tab', { name: /Cymraeg/ }).click()
    await page.getByLabel('Question', { exact: true }).fill('Beth yw barn rhanddeiliaid am deithio llesol?')
    await summary.getByText('2 things to look at').waitFor()
    expect(complaints).toEqual([])
  })

  test('the site’s own words are pointed out in a project', async () => {
    const { id } = await addProject(db.runtime, site, { title: { en: 'A square', cy: 'Sgwâr' } })
    const { page, complaints } = await product.visit(site, { token })
    await page.goto('/admin/moderation/rules')
    await page.getByRole('button', { name: 'Edit English' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Words and phrases').fill('bollard\na')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('.field-error').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Words and phrases').fill('bollard')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 word or phrase').waitFor()

    await page.goto(`/admin/projects/${id}#texts`)
    await page.locator('[id="summaryTranslations.en"]').fill('Where should the bollards go?')
    await page.locator('details.plain-words summary').getByText('1 thing to look at').waitFor()
    expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([])
  })
})
