import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { getConsoleErrors, openPage, signIn, type PageOptions } from '#tests/support/browser.ts'

const SURVEY = '/projects/fern-street/surveys/your-trip-your-stop'
const PATHS = ['/', '/projects/fern-street', SURVEY, '/projects/riverfront/trees', '/sign-in', '/no-such-page']

/** Keeps the stylesheet from the page until it is released. */
async function holdStylesheet(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/app-*.css', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Runs in the page: computed styles of its elements and what they generate before and after them. */
async function readStyles(): Promise<string[]> {
  await Promise.all([...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode().catch(() => undefined)))
  await document.fonts.ready
  return [...document.body.querySelectorAll('*'), document.body, document.documentElement]
    .filter((element) => !element.matches('link, script'))
    .flatMap((element) =>
      [undefined, '::before', '::after'].map((generated) => {
        const style = getComputedStyle(element, generated)
        // How wide the words of a drawing are depends on when their font comes, as this does.
        const names = [...style].filter((name) => element.tagName !== 'text' || !/^(perspective|transform)-origin$/.test(name))
        const values = names.map((name) => `${name}: ${style.getPropertyValue(name)}`)
        return `${element.tagName}.${element.getAttribute('class')} ${generated}\n${values.join('\n')}`
      }),
    )
}

/** Each value that differs, with its element. */
const findDifferences = (before: readonly string[], after: readonly string[]): string[] =>
  after.flatMap((element, at) => {
    if (element === before[at]) return []
    const former = new Set(before[at]?.split('\n'))
    const [name = '', ...values] = element.split('\n')
    return values.filter((value) => !former.has(value)).map((value) => `${name}: ${value}`)
  })

/** At one of the widths in turn. On the home page, computed margins of parts that are not laid out yet would differ by chance. */
const CASES = PATHS.filter((path) => path !== '/').map((path, at): [string, PageOptions] => [path, { width: at % 2 === 0 ? 360 : 1280 }])

test.each(CASES)('%s is painted before its stylesheet arrives, which changes nothing then: %o', async (path, options) => {
  const page = await openPage({ ...options, javaScript: false })
  const release = await holdStylesheet(page)
  await page.goto(path, { waitUntil: 'commit' })
  await expect.poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)).toBe(1)
  await expect.poll(() => page.locator('body link[rel="stylesheet"]').count()).toBe(1)
  const before = await page.evaluate(readStyles)
  release()
  await page.waitForLoadState('load')
  expect(
    await page.evaluate(() => [...document.styleSheets].filter(({ href }) => href).map(({ cssRules }) => cssRules.length > 0)),
  ).toEqual([true])
  expect(findDifferences(before, await page.evaluate(readStyles))).toEqual([])
})

test.each(PATHS)('the scripts of %s find the stylesheet where it is', async (path) => {
  const page = await openPage()
  await page.goto(path)
  expect(await page.locator('link[rel="stylesheet"][href*="/app-"]').count()).toBe(1)
  expect(getConsoleErrors(page).filter((complaint) => !complaint.includes('404'))).toEqual([])
})

test('browsers that have been here, and people who are signed in, get a page without rules of its own', async () => {
  const page = await openPage()
  const hasRules = () =>
    page.evaluate(() => [...document.querySelectorAll('style')].some(({ textContent }) => textContent.includes('@layer')))
  // Rendered for each reader: what is kept for visitors has its rules for all of them.
  await page.goto('/search?q=bench')
  expect(await hasRules()).toBe(true)
  await page.reload()
  expect(await hasRules()).toBe(false)
  await signIn(page, 'participant')
  await page.goto('/')
  expect(await hasRules()).toBe(false)
})
