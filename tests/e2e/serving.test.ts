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

test.each(['/', '/projects/fern-street', '/projects/fern-street/surveys/your-trip-your-stop'])(
  '%s is painted before its scripts are requested',
  async (path) => {
    const page = await openPage({ width: 360 })
    await page.goto(path)
    const { painted, scripts } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
      scripts: (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
        .map(({ startTime }) => startTime),
    }))
    expect(scripts.length).toBeGreaterThan(5)
    expect(Math.min(...scripts)).toBeGreaterThan(painted)
  },
)
