import { expect, test } from 'vitest'
import type { Page } from 'playwright'
import { expectAccessible, getConsoleErrors, openPage, signIn, takePartBefore } from '#tests/support/browser.ts'
import { createPicture } from '#tests/support/pictures.ts'

const ACTIVITY = '/projects/cockle-wharf/wharf-stories'
const SEND = 'Send my story'

const choosePhoto = async (page: Page, name = 'wharf.jpg') =>
  page.getByLabel('Photo 1', { exact: true }).setInputFiles({
    name,
    mimeType: 'image/jpeg',
    buffer: await createPicture(900, 600).jpeg().toBuffer(),
  })

test('a photo survives a form that is refused, also without JavaScript, and is public once a moderator has seen it', async () => {
  const title = `The pelican on the bollard ${Date.now()}`
  const visitor = await openPage({ site: 'harbour', javaScript: false, width: 360 })
  await visitor.goto(`${ACTIVITY}/new`)
  await takePartBefore(visitor)
  await visitor.getByLabel('Give your story a title').fill(title)
  await visitor.getByLabel('Anonymously').check()
  await choosePhoto(visitor)
  await visitor.getByRole('button', { name: SEND }).click()

  // Neither the story nor what the photo shows was written: both are asked for, and the photo need not be chosen again.
  await visitor.getByRole('link', { name: 'Say what the photo shows' }).click()
  const kept = visitor.locator('.photo-kept img')
  await expect.poll(() => kept.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  const stranger = await openPage({ site: 'harbour' })
  const address = (await kept.getAttribute('src')) ?? ''
  expect((await stranger.goto(address))?.status()).toBe(404)
  await visitor.getByLabel('What does photo 1 show?').fill('A pelican that looks at the camera')
  await visitor.getByLabel('What happened?').fill('It took my chips.')
  await visitor.getByRole('button', { name: SEND }).click()
  expect(new URL(visitor.url()).pathname).toBe(`${ACTIVITY}/receipt`)
  await visitor.getByRole('img', { name: 'A pelican that looks at the camera' }).waitFor()
  const number = /No\. (\d+)/.exec((await visitor.locator('#own-heading').textContent()) ?? '')?.[1]

  const moderator = await openPage({ site: 'harbour' })
  await signIn(moderator, 'site.admin')
  await moderator.goto('/admin/moderation/waiting')
  const waiting = moderator.locator('.moderated', { hasText: title })
  await waiting.getByRole('img', { name: 'A pelican that looks at the camera' }).waitFor()
  await waiting.getByRole('button', { name: /^Publish/ }).click()
  await moderator.getByText('Decided', { exact: true }).waitFor()
  await stranger.goto(`${ACTIVITY}/${number}`)
  const shown = stranger.getByRole('img', { name: 'A pelican that looks at the camera' })
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  // Only the photo is removed: the story stays, and its author reads which photo and why.
  await moderator.goto('/admin/contributions?q=pelican')
  await moderator.getByRole('link', { name: title }).first().click()
  await moderator.getByRole('heading', { level: 1, name: title }).waitFor()
  await moderator.getByRole('button', { name: 'Remove passages or photos' }).click()
  const dialog = moderator.getByRole('dialog')
  await dialog.getByText('Photo 1: A pelican that looks at the camera').click()
  await dialog.getByLabel('Rule').selectOption('personal-data')
  await dialog.getByLabel('Reason').fill('The pelican did not agree.')
  await expectAccessible(moderator)
  await dialog.getByRole('button', { name: 'Publish without these' }).click()
  await moderator.getByRole('heading', { name: 'Passages or photos were removed' }).waitFor()
  await stranger.goto(`${ACTIVITY}/${number}`)
  await stranger.getByText('It took my chips.').waitFor()
  expect(await shown.count()).toBe(0)
  expect((await stranger.goto(address))?.status()).toBe(410)
  await moderator.getByRole('button', { name: 'See the original' }).click()
  const original = moderator.getByRole('img', { name: 'A pelican that looks at the camera' })
  await original.waitFor()
  await expect.poll(() => original.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await visitor.reload()
  await visitor.getByText('Photo: A pelican that looks at the camera').waitFor()
  await visitor.getByText('The pelican did not agree.').waitFor()
  await moderator.getByRole('button', { name: 'Put them back' }).click()
  await moderator.getByRole('alertdialog').getByRole('button', { name: 'Put them back' }).click()
  await expect.poll(async () => (await stranger.goto(address))?.status()).toBe(200)

  // Withdrawn, its address says that it is gone.
  await visitor.reload()
  await visitor.locator('summary', { hasText: 'Withdraw your story' }).click()
  await visitor.getByRole('button', { name: 'Withdraw your story' }).click()
  expect((await stranger.goto(address))?.status()).toBe(410)
})

test.each([
  ['what is not a picture', () => Buffer.from('Dear sea'), 'Choose a JPEG, PNG or WebP photo'],
  ['a picture of more than 50 million pixels', () => createPicture(10_200, 5_000).png().toBuffer(), 'it has more than 50 million pixels'],
])('%s is refused in words, and what was typed stays', async (_, getFile, words) => {
  const page = await openPage({ site: 'harbour' })
  await page.goto(`${ACTIVITY}/new`)
  await page.getByLabel('Give your story a title').fill('A letter')
  await page.getByLabel('What happened?').fill('It was in a bottle.')
  await page.getByLabel('Photo 1', { exact: true }).setInputFiles({ name: 'letter.png', mimeType: 'image/png', buffer: await getFile() })
  await page.getByLabel('What does photo 1 show?').fill('The letter')
  await page.getByRole('button', { name: SEND }).click()
  await page.getByRole('alert').getByRole('link', { name: words }).waitFor()
  expect(await page.getByLabel('What does photo 1 show?').inputValue()).toBe('The letter')
  expect(await page.getByLabel('What happened?').inputValue()).toBe('It was in a bottle.')
})

test('the list of stories, one of them and the form are accessible', async () => {
  const page = await openPage({ site: 'harbour', width: 360 })
  for (const path of [ACTIVITY, `${ACTIVITY}/1`, `${ACTIVITY}/new`]) {
    await page.goto(path)
    await page.locator('h1').waitFor()
    await expectAccessible(page)
  }
  expect(getConsoleErrors(page)).toEqual([])
})
