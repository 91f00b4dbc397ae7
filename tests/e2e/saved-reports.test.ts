import { expect, test } from 'vitest'
import { expectAccessible, getConsoleErrors, openPage, signIn } from '#tests/support/browser.ts'

test('an officer saves a report, shares it by link with someone without an account or scripts, and ends the link', async () => {
  const name = `Committee ${Date.now()}`
  const page = await openPage()
  await signIn(page, 'hub.admin')
  await page.goto('/admin/reports?days=90')
  await page.getByRole('button', { name: 'Save this report…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Send it by email').selectOption({ label: 'Every Monday' })
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  // Nothing typed is lost when nobody is named.
  await dialog.getByText('Complete this field.').waitFor()
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
  await expectAccessible(page)
  await dialog.getByLabel('Email addresses').fill('mayor@riverbend.example\nclerk@riverbend.example')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name }).waitFor()

  await page.getByRole('button', { name: `Manage the report “${name}”` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Links…' }).press('Enter')
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const url = new URL(await dialog.getByLabel('Copy this link now.').inputValue())
  await dialog.getByRole('button', { name: 'End now' }).waitFor()

  const reader = await openPage({ javaScript: false, width: 360 })
  const answer = await reader.goto(url.pathname + url.search)
  expect(answer?.status()).toBe(200)
  await reader.getByRole('heading', { level: 2, name: 'In short' }).waitFor()
  await reader.getByRole('region', { name: 'Figures of each project' }).waitFor()
  expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  expect(await reader.locator('meta[name=robots]').getAttribute('content')).toContain('noindex')

  await dialog.getByRole('button', { name: 'End now' }).click()
  await dialog.getByText('There are none.').waitFor()
  await expect.poll(async () => (await reader.goto(url.pathname + url.search))?.status()).toBe(410)
  await reader.getByRole('heading', { level: 1, name: 'This link has ended' }).waitFor()
  await reader.getByText(/Ask .+ for a new link to the report/).waitFor()
  // The save without addresses was refused.
  expect(getConsoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])
})

test('results say in one sentence what most people chose, without scripts', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/projects/riverfront/surveys/riverfront-priorities/results')
  await expect.poll(() => page.locator('.chart-finding').count()).toBeGreaterThan(0)
})
