import { describe, expect, test } from 'vitest'
import { consoleErrors, expectAccessible, newPage, signIn } from '#tests/support/browser.ts'

describe('the appearance editor', () => {
  test('a colour is seen in the preview as it is chosen; one that cannot be read is not published, and the nearest that can is', async () => {
    const page = await newPage({ site: 'harbour' })
    await signIn(page, 'site.admin')
    await page.goto('/admin/appearance')
    await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
    const frame = page.frameLocator('.preview-frame iframe')
    await frame.getByRole('heading', { level: 1 }).first().waitFor()
    await expectAccessible(page, 'iframe')
    await page.getByLabel('Main colour').fill('#f2d7a0')
    await page.getByText('cannot be read by everyone').first().waitFor()
    expect(await page.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await expect
      .poll(() => frame.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('--site-primary').trim()))
      .toBe('#f2d7a0')
    await page.getByRole('button', { name: 'Use the nearest colours that can be read' }).click()
    const chosen = await page.getByLabel('Main colour').inputValue()
    expect(chosen).not.toBe('#f2d7a0')
    await page.getByText('Draft, saved').waitFor()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()

    const visitor = await newPage({ site: 'harbour' })
    await expect
      .poll(async () => {
        await visitor.goto('/')
        return visitor.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--site-primary').trim())
      })
      .toBe(chosen)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Taken back').waitFor()
  })

  test('navigation and footer are the site’s own', async () => {
    const page = await newPage({ site: 'harbour' })
    await signIn(page, 'site.admin')
    await page.goto('/admin/appearance')
    const frame = page.frameLocator('.preview-frame iframe')
    await frame.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByLabel('At the foot of every page').fill('Harbour Council, 1 Quay Street')
    await frame.getByText('Harbour Council, 1 Quay Street').waitFor()
    await page.getByRole('button', { name: 'Add one more' }).click()
    await page.getByLabel('Words on the button').fill('What is on')
    await frame.getByRole('link', { name: 'What is on' }).first().waitFor({ state: 'attached' })
    expect(consoleErrors(page)).toEqual([])
  })
})
