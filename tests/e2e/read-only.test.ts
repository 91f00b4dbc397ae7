import { expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { getConsoleErrors, type DemoSite, expectAccessible, openPage, signIn } from '#tests/support/browser.ts'

// A department by name, since other journeys of the suite add projects that belong to none.
const SENTENCES: [Language, DemoSite, department: string, short: string, whose: RegExp, closed: string][] = [
  [
    'en',
    'riverbend',
    'Parks and Riverfront',
    'Read only',
    /It belongs to Parks and Riverfront\. Only its administrators/,
    'write updates and see unpublished ones',
  ],
  [
    'fr-CA',
    'riverbend',
    'Parcs et rive',
    'Lecture seule',
    /Il relève de : Parcs et rive\. Seules les personnes qui l’administrent/,
    'rédiger des nouvelles et voir celles qui ne sont pas publiées',
  ],
  [
    'cy',
    'dyffryn',
    'Amgylchedd ac afonydd',
    'Darllen yn unig',
    /Mae’n perthyn i Amgylchedd ac afonydd\. Dim ond ei weinyddwyr/,
    'ysgrifennu diweddariadau a gweld y rhai nad ydynt wedi’u cyhoeddi',
  ],
]

test.each(SENTENCES)(
  'another department’s project says whose it is, and looks neither empty nor editable, in %s',
  async (language, site, department, short, whose, closed) => {
    const page = await openPage({ site, language })
    await signIn(page, 'hub.admin')
    await page.goto(`/admin/projects?lng=${language}`)
    await page.getByRole('table').waitFor()
    const row = page.getByRole('row').filter({ hasText: short }).filter({ hasText: department }).first()
    // Its checkbox, status, department, closing date, and how many people took part.
    const people = await row.getByRole('cell').nth(4).innerText()
    await row.getByRole('link').first().click()
    await page.getByText(whose).waitFor()
    const main = page.getByRole('main')
    // Neither a field that seems blank nor a list that seems to hold nothing.
    expect(await main.locator('input, textarea, select, [role="tab"]').count()).toBe(0)
    expect(await main.innerText()).toContain(people)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await expectAccessible(page)
    }
    await main.getByRole('link').first().click()
    await page.waitForURL('**/updates')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await main.getByText(closed).waitFor()
    expect(await main.locator('a[href*="/admin/updates/"]').count()).toBe(0)
    await expectAccessible(page)
    expect(getConsoleErrors(page)).toEqual([])
  },
)

test('an own project of the department is edited as before', async () => {
  const page = await openPage()
  await signIn(page, 'hub.admin')
  await page.goto('/admin/projects')
  const own = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
    .filter({ hasNotText: 'Read only' })
  await own.first().getByRole('link').first().click()
  await page.getByRole('tab').first().waitFor()
  expect(await page.getByText('You can view this but not change it').count()).toBe(0)
})
