import { expect, test } from 'vitest'
import { consoleErrors, expectAccessible, newPage, signIn } from '#tests/support/browser.ts'

test('the platform’s administrator switches a feature for one site, takes it back, and the screen says how it stands', async () => {
  const page = await newPage({ site: 'harbour', width: 360 })
  await signIn(page, 'platform')
  await page.goto('/admin')
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await page.getByRole('link', { name: 'Features' }).click()
  await page.getByRole('heading', { level: 1, name: 'Features' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Embedding on other websites' }).click()
  const setting = page.getByLabel('Embedding on other websites at Dyffryn')
  const before = await setting.inputValue()
  await setting.selectOption('off')
  await page.getByText('Embedding on other websites: saved').waitFor()
  await expectAccessible(page)
  await page.reload()
  expect(await setting.inputValue()).toBe('off')
  await setting.selectOption(before)
  await expect.poll(() => page.getByText('Embedding on other websites: saved').count()).toBeGreaterThan(0)
  expect(consoleErrors(page)).toEqual([])
})

test('administrators of a site neither see nor reach the switches', async () => {
  const page = await newPage()
  await signIn(page, 'site.admin')
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Features' }).count()).toBe(0)
  await page.goto('/admin/features')
  await page.getByRole('heading', { level: 1, name: 'This page is not open to you' }).waitFor()
})
