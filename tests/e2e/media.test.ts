import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { getConsoleErrors, expectAccessible, openPage, publishWithout, signIn } from '#tests/support/browser.ts'
import { createPicture } from '#tests/support/pictures.ts'

const file = async (name: string, colour: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await createPicture(1600, 900, colour).jpeg().toBuffer(),
})
const saved = (page: Page) => page.getByText('All changes saved').waitFor()
const isDrawn = async (page: Page, selector: string) => {
  await expect.poll(() => page.locator(selector).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
}

test('a picture is uploaded, described, shown on a project’s page, replaced there, and not deleted while it is shown', async () => {
  // Another try finds the pictures of the first.
  const name = `bridge-${createId().slice(-8)}.jpg`
  const page = await openPage()
  await signIn(page, 'site.admin')
  await page.goto('/admin/media')
  await page.getByRole('heading', { level: 1, name: 'Pictures' }).waitFor()
  await page
    .getByLabel('Upload pictures')
    .setInputFiles([
      await file(name, '#2a6f4f'),
      { name: 'script.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
    ])
  await page.getByRole('alert').getByText('This type of file is not accepted').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByText('Alternative text missing in 2 languages').first().waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByText('Not used yet.').waitFor()
  await page.getByLabel('Alternative text').fill('A green bridge')
  await page.getByRole('tab', { name: /Français/ }).click()
  await page.getByLabel('Alternative text').fill('Un pont vert')
  await page.getByLabel('From the left').focus()
  await page.keyboard.press('Home')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
  await expectAccessible(page)

  await page.goto('/admin/projects?status=published&sort=title')
  // Of the demo: other tests add projects, some of them without translations.
  await page.getByRole('link', { name: 'A library for Northgate', exact: true }).click()
  await page.getByRole('tab', { name: 'Texts' }).click()
  await page.getByRole('button', { name: 'Choose another' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Use ${name}` })
    .click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByText('Changes not published').waitFor()
  await page.getByRole('button', { name: 'Publish changes…' }).click()
  await publishWithout(page, 'Publish now')
  await page.getByText('Changes not published').waitFor({ state: 'hidden' })
  const address = await page.getByRole('link', { name: 'View page' }).getAttribute('href')

  const visitor = await openPage({ javaScript: false })
  await visitor.goto(address ?? '')
  const shown = visitor.locator('.project-picture')
  expect(await shown.getAttribute('src')).toMatch(/^\/media\/[\da-f-]{36}\/1\/1280$/)
  expect(await shown.evaluate((image) => getComputedStyle(image).objectPosition)).toBe('0% 50%')
  await isDrawn(visitor, '.project-picture')

  await page.goto('/admin/hubs')
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByRole('button', { name: /^Choose (one|another)/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Use ${name}` })
    .press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByLabel('Alternative text').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
  await visitor.goto((await page.getByRole('link', { name: 'View page' }).getAttribute('href')) ?? '')
  expect(await shown.getAttribute('src')).toMatch(/^\/media\/[\da-f-]{36}\/1\/1280$/)

  await page.goto('/admin/media')
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  const places = page.getByRole('alertdialog', { name: 'This picture is in use' }).getByRole('listitem')
  await expect.poll(() => places.count()).toBe(2)
  await page.getByRole('button', { name: 'OK' }).click()
  await page.getByLabel('Replace everywhere').setInputFiles(await file('other.jpg', '#883322'))
  await page.getByText('The picture is replaced everywhere').waitFor()
  await visitor.goto(address ?? '')
  expect(await shown.getAttribute('src')).toMatch(/\/2\/1280$/)
  await isDrawn(visitor, '.project-picture')
  expect(getConsoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])
})

test('an upload that breaks off goes on where it was', async () => {
  const name = `noise-${createId().slice(-8)}.png`
  const page = await openPage()
  await signIn(page, 'hub.admin')
  await page.goto('/admin/media')
  await page.getByRole('heading', { level: 1, name: 'Pictures' }).waitFor()
  const noise = Buffer.from(Array.from({ length: 900 * 900 * 3 }, (_, at) => (at * 7919) % 256))
  const { default: sharp } = await import('sharp')
  const buffer = await sharp(noise, { raw: { width: 900, height: 900, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const offsets: string[] = []
  await page.route('**/media/uploads/*', async (route) => {
    const offset = route.request().headers()['upload-offset'] ?? ''
    offsets.push(offset)
    // The second piece is lost once on its way.
    await (offsets.length === 2 ? route.abort('connectionreset') : route.continue())
  })
  await page.getByLabel('Upload pictures').setInputFiles([{ name, mimeType: 'image/png', buffer }])
  await page.getByRole('link', { name }).waitFor()
  expect(offsets).toEqual(['0', '1000000', '1000000', '2000000'])
})

test('a picture that pages show by its address can be chosen as well, and found by its name', async () => {
  const page = await openPage()
  await signIn(page, 'site.admin')
  await page.goto('/admin/hubs')
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByRole('button', { name: /^Choose (one|another)/ }).click()
  const dialog = page.getByRole('dialog')
  const choices = dialog.getByRole('region', { name: 'Other pictures on the pages' }).getByRole('button')
  await choices.first().waitFor()
  const all = await choices.count()
  const name = ((await choices.last().textContent()) ?? '').replace('Use ', '')
  await dialog.getByLabel('Search', { exact: false }).first().fill(name)
  await dialog.getByRole('button', { name: 'Search' }).click()
  await expect.poll(() => choices.count()).toBeLessThan(all)
  await expectAccessible(page)
  await choices.filter({ hasText: name }).first().click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => page.locator('.picture-input img').getAttribute('src')).toContain(name)
})
