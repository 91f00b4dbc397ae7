import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { type DemoSite, openPage } from '#tests/support/browser.ts'

const SITES: [Language, DemoSite, { lists: string[]; results: string }][] = [
  [
    'en',
    'riverbend',
    { lists: ['/projects', '/projects/riverfront/ideas', '/projects/riverfront/trees'], results: '/projects?status=results' },
  ],
  [
    'fr-CA',
    'riverbend',
    { lists: ['/projects', '/projects/riverfront/ideas', '/projects/riverfront/trees'], results: '/projects?status=results' },
  ],
  [
    'cy',
    'dyffryn',
    { lists: ['/projects', '/projects/bws-y-cwm/cwestiynau', '/projects/lle-i-r-afon/ideas'], results: '/projects?status=results' },
  ],
]
const localise = (language: Language, path: string) => `/${language}${path === '/' ? '' : path}`

/** What is chosen in a list, if the list is too narrow to show it. */
const listCutChoices = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')
    return [...document.querySelectorAll('select')].flatMap((select) => {
      const style = getComputedStyle(select)
      const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
      if (context) context.font = style.font
      const chosen = select.selectedOptions[0]?.text ?? ''
      return context && context.measureText(chosen).width > room + 1 ? [chosen] : []
    })
  })

/** Texts that are hidden beyond the edge of the page or of a box, except those that only a screen reader is given. */
const listOverflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (element: Element) =>
      element.clientWidth > 0 &&
      element.scrollWidth > element.clientWidth + 1 &&
      ['hidden', 'clip'].includes(getComputedStyle(element).overflowX) &&
      !element.closest('.visually-hidden')
    const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => isCut(element) && element.innerText)
    const wide =
      document.documentElement.scrollWidth > window.innerWidth ? [`the page is ${document.documentElement.scrollWidth} px wide`] : []
    return [...wide, ...cut.map((element) => `${element.className}: ${element.innerText.slice(0, 40)}`)]
  })

describe.each(SITES)('on a phone, in %s', (language, site, { lists, results }) => {
  test('the choices of filters are read whole, also on a tablet', async () => {
    for (const width of [360, 768]) {
      const page = await openPage({ site, language, width, javaScript: false })
      for (const path of lists) {
        await page.goto(localise(language, path))
        expect(await page.locator('main select').count(), path).toBeGreaterThan(0)
        expect(await listCutChoices(page), `${path} at ${width}`).toEqual([])
      }
    }
  })

  test('departments with pictures take little of the homepage', async () => {
    const page = await openPage({ site, language, width: 360, height: 800 })
    await page.goto(localise(language, '/'))
    const isOfHubs = page.locator('a[href*="/hubs/"]')
    const section = page
      .locator('main section')
      .filter({ has: isOfHubs })
      .filter({ has: page.locator('img') })
      .last()
    const departments = await section.locator('img').count()
    expect(departments).toBeGreaterThan(2)
    // Each had its picture above it once, at the width of the screen: some 450 px.
    expect(((await section.boundingBox())?.height ?? Infinity) / departments).toBeLessThan(260)
  })

  test('nothing overflows with the spacing of letters, words and lines that a reader sets', async () => {
    const page = await openPage({ site, language, width: 360 })
    await page.goto(localise(language, results))
    const href = await page.locator('main article a[href], main .card a[href]').first().getAttribute('href')
    await page.goto(href ?? '')
    const figures = await page.locator('main a[href$="/results"]').first().getAttribute('href')
    for (const path of [figures ?? '', href ?? '', localise(language, '/'), localise(language, '/register')]) {
      await page.goto(path)
      // WCAG 2.2, 1.4.12.
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(
          '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }',
        )
        document.adoptedStyleSheets = [sheet]
      })
      expect(await listOverflowing(page), path).toEqual([])
    }
  })

  test('registration leads to the pages about privacy and terms', async () => {
    const page = await openPage({ site, language, javaScript: false })
    await page.goto(localise(language, '/register'))
    const links = await page
      .locator('main form a[href*="/pages/"]')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
    expect(links.length).toBeGreaterThanOrEqual(2)
    for (const link of links) expect((await page.goto(link))?.status(), link).toBe(200)
  })
})
