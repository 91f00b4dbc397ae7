import { expect, test } from 'vitest'
import { getConsoleErrors, openPage } from '#tests/support/browser.ts'

test('a site is found by its host name, and its page runs under its own content policy', async () => {
  const page = await openPage({ site: 'riverbend' })
  const response = await page.goto('/')
  expect(response?.status()).toBe(200)
  expect(response?.headers()['content-security-policy']).toContain("script-src 'self' 'sha256-")
  await expect.poll(() => page.evaluate(() => document.querySelectorAll('script[data-tsr-stream-part]').length)).toBeLessThan(2)
  expect(getConsoleErrors(page)).toEqual([])
})
