import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { type DemoSite, openPage, signIn } from '#tests/support/browser.ts'

const PAGES = [
  '/admin/projects',
  '/admin/surveys',
  '/admin/hubs',
  '/admin/people',
  '/admin/campaigns',
  '/admin/newsletters',
  '/admin/audit',
  '/admin/outbox',
  '/admin/pages',
  '/admin/city-data',
  // Hints of its fields hold long addresses.
  '/admin/marketplace/geocoder',
]
const SITES: [Language, DemoSite][] = [
  ['en', 'riverbend'],
  ['fr-CA', 'riverbend'],
  ['cy', 'dyffryn'],
]

/** A page wider than the screen, status badges that are cut at the edge of a table, and cells whose text breaks into lines of a few letters. */
const listFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const name = (element: Element) => `${element.closest('table')?.caption?.textContent}: ${element.textContent?.trim().slice(0, 40)}`
    const faults: string[] = []
    const { scrollWidth } = document.documentElement
    if (scrollWidth > window.innerWidth) faults.push(`${scrollWidth} px wide: ${location.pathname}`)
    for (const panel of document.querySelectorAll('.data-scroll')) {
      const edge = panel.getBoundingClientRect().right
      for (const badge of panel.querySelectorAll('.badge'))
        if (badge.getBoundingClientRect().right > edge) faults.push(`cut: ${name(badge)}`)
    }
    for (const broken of document.querySelectorAll('.admin-table .breaks-anywhere')) {
      const lines = new Set([...broken.getClientRects(), ...textLines(broken)].map(({ top }) => Math.round(top))).size
      if (broken.checkVisibility() && lines > 4) faults.push(`${lines} lines: ${name(broken)}`)
    }
    return faults

    function textLines(element: Element): DOMRect[] {
      const range = document.createRange()
      range.selectNodeContents(element)
      return [...range.getClientRects()]
    }
  })

describe.each(SITES)('on a phone, in %s', (language, site) => {
  test('pages fit, and tables show every status whole and no address letter by letter', async () => {
    const page = await openPage({ site, language, width: 360 })
    await signIn(page, 'site.admin')
    const faults: string[] = []
    for (const path of PAGES) {
      await page.goto(`${path}?lng=${language}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      faults.push(...(await listFaults(page)))
    }
    expect(faults).toEqual([])
  })

  test('the choices of the appearance are read whole', async () => {
    const page = await openPage({ site, language, width: 360 })
    await signIn(page, 'site.admin')
    await page.goto(`/admin/appearance?lng=${language}`)
    await page.locator('select').first().waitFor()
    const cut = await page.evaluate(() => {
      const pen = document.createElement('canvas').getContext('2d')
      return [...document.querySelectorAll('select')].flatMap((select) => {
        const { font, paddingLeft, paddingRight, borderLeftWidth, borderRightWidth } = getComputedStyle(select)
        const taken = [paddingLeft, paddingRight, borderLeftWidth, borderRightWidth].reduce((sum, each) => sum + parseFloat(each), 0)
        if (!pen || !select.checkVisibility()) return []
        pen.font = font
        const room = select.getBoundingClientRect().width - taken
        // The canvas measures in whole pixels, the layout in sixty-fourths.
        return [...select.options].flatMap(({ text }) => (pen.measureText(text).width > Math.ceil(room) ? [text] : []))
      })
    })
    expect(cut).toEqual([])
  })
})
