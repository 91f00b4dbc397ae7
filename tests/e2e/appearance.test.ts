import { describe, expect, test } from 'vitest'
import { getConsoleErrors, expectAccessible, openPage, signIn } from '#tests/support/browser.ts'

describe('the appearance editor', () => {
  test('a colour is seen in the preview as it is chosen; one that cannot be read is not published, and the nearest that can is', async () => {
    const page = await openPage({ site: 'harbour' })
    await signIn(page, 'site.admin')
    await page.goto('/admin/appearance')
    await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
    const frame = page.frameLocator('.preview-frame iframe')
    await frame.getByRole('heading', { level: 1 }).first().waitFor()
    await expectAccessible(page, 'iframe')
    const code = page.getByLabel('Main colour: hex code')
    await code.fill('F2D7')
    await code.blur()
    await page.getByText('Enter a hex code, such as #0b4f6c').waitFor()
    await code.fill(' F2D7A0')
    await code.blur()
    expect(await code.inputValue()).toBe('#f2d7a0')
    await page.getByText('not have enough contrast').first().waitFor()
    expect(await page.getByRole('button', { name: 'Publish…' }).isDisabled()).toBe(true)
    await expect
      .poll(() => frame.locator('html').evaluate((root) => getComputedStyle(root).getPropertyValue('--site-primary').trim()))
      .toBe('#f2d7a0')
    await page.getByRole('button', { name: 'Use the nearest readable colours' }).click()
    const chosen = await page.getByLabel('Main colour', { exact: true }).inputValue()
    expect(chosen).not.toBe('#f2d7a0')
    await page.getByLabel('Rounded corners').selectOption('Square')
    await page.getByText('Draft saved').waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()

    const visitor = await openPage({ site: 'harbour' })
    await expect
      .poll(async () => {
        await visitor.goto('/')
        return visitor.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--site-primary').trim())
      })
      .toBe(chosen)
    await page.locator('.toast-action').click()
    await page.getByText('Publishing undone').waitFor()
  })

  test('any two versions are compared, an older one is given a time, and the appointment is cancelled', async () => {
    const page = await openPage({ site: 'dyffryn', language: 'en' })
    await signIn(page, 'site.admin')
    await page.goto('/admin/appearance?lng=en')
    for (const corner of ['Soft', 'Fully rounded']) {
      await page.getByLabel('Rounded corners').selectOption(corner)
      await page.getByText('Draft saved').waitFor()
    }
    await page.getByRole('button', { name: 'History' }).click()
    // Both were saved within one sitting.
    await page
      .getByText(/earlier versions? from the same sitting/)
      .first()
      .click()
    const versions = page.getByRole('checkbox', { name: /^Compare/ })
    await versions.nth(0).check()
    await versions.nth(1).check()
    const difference = page.getByRole('row', { name: /Rounded corners Soft Fully rounded/ })
    await difference.waitFor()
    await expect.poll(() => difference.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
    await expectAccessible(page, 'iframe')
    await page.getByRole('button', { name: 'Publish…' }).nth(1).click()
    await page.getByLabel('Publish later').check()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByLabel('Date', { exact: true }).fill('2031-05-01')
    await expect.poll(() => dialog.getByRole('button', { name: 'Schedule' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Time', { exact: true }).fill('09:30')
    await dialog.getByText(/9:30.*London time/).waitFor()
    await page.getByRole('button', { name: /^Publish on .*2031.*9:30/ }).click()
    await page
      .getByText(/Scheduled for/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Cancel scheduled publication' }).click()
    await page.getByText('Scheduled publication cancelled.').waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('of two who change the look at once, both are shown both looks, and can keep what each of them did', async () => {
    const [first, second] = [await openPage({ site: 'harbour' }), await openPage({ site: 'harbour' })]
    for (const page of [first, second]) {
      await signIn(page, 'site.admin')
      await page.goto('/admin/appearance')
      await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
    }
    await first.getByLabel('Fonts').selectOption('All serif')
    await first.getByText('Draft saved').waitFor()
    await second.getByLabel('Light and dark').selectOption('Always light')
    await second.getByText('Someone else saved another version').waitFor()
    await second.getByRole('cell', { name: 'All serif' }).waitFor()
    await second.getByRole('button', { name: 'Keep both' }).click()
    await second.getByText('Draft saved').waitFor()
    expect(await second.getByLabel('Fonts').inputValue()).toBe('serif')
    expect(await second.getByLabel('Light and dark').inputValue()).toBe('light')
  })

  test('navigation and footer are the site’s own', async () => {
    const page = await openPage({ site: 'harbour' })
    await signIn(page, 'site.admin')
    await page.goto('/admin/appearance')
    const frame = page.frameLocator('.preview-frame iframe')
    await frame.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByLabel('Footer').fill('Harbour Council, 1 Quay Street')
    await frame.getByText('Harbour Council, 1 Quay Street').waitFor()
    await page.getByRole('button', { name: 'Add another' }).click()
    // The first link does not replace the four that stood there.
    const labels = page.getByLabel('Button text')
    await expect.poll(() => labels.count()).toBe(5)
    expect(await labels.nth(1).inputValue()).toBe('Departments')
    await labels.last().fill('What is on')
    await frame.getByRole('link', { name: 'Departments' }).first().waitFor({ state: 'attached' })
    await frame.getByRole('link', { name: 'What is on' }).first().waitFor({ state: 'attached' })
    expect(getConsoleErrors(page)).toEqual([])
  })
})
