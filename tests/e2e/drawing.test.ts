import type { Locator, Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import {
  type DemoSite,
  expectAccessible,
  expectUsable,
  getConsoleErrors,
  openApi,
  openPage,
  type PageOptions,
  signIn,
} from '#tests/support/browser.ts'

const RIVERFRONT = { site: 'riverbend', project: 'riverfront' } as const

interface Found {
  id: string
  attributes: { slug: string }
  meta: { lockVersion: number }
}

/** An activity that takes these shapes, through the API. @returns its path, without the language */
async function addDrawing(
  geometries: readonly string[],
  { site, project }: { site: DemoSite; project: string } = RIVERFRONT,
): Promise<string> {
  const send = await openApi(site, 'site.admin')
  const projects = await send<{ data: Found[] }>('GET', '/projects?page[size]=100')
  const { data } = await send<{ data: Found }>('POST', '/activities', {
    type: 'activities',
    attributes: {
      kind: 'places',
      titleTranslations: { en: 'Ways', 'fr-CA': 'Chemins', cy: 'Llwybrau' },
      moderation: 'after',
      settings: { geometries },
    },
    relationships: {
      project: { data: { type: 'projects', id: projects.data.find(({ attributes }) => attributes.slug === project)?.id ?? '' } },
    },
  })
  const { lockVersion } = data.meta
  await send('PATCH', `/activities/${data.id}`, {
    type: 'activities',
    id: data.id,
    attributes: { status: 'published' },
    meta: { lockVersion },
  })
  return `/projects/${project}/${data.attributes.slug}`
}

async function openForm(path: string, title: string, options: PageOptions = {}): Promise<Page> {
  const page = await openPage(options)
  await page.goto(`${path}/new`)
  await page.getByLabel('Give the place a title').fill(title)
  await page.getByLabel('What should happen here?').fill('It is safer than the road.')
  await page.getByLabel('Anonymously').check()
  return page
}

/** Presses a map at fractions of its width and height. */
async function pressAt(map: Locator, spots: readonly (readonly [number, number])[]): Promise<void> {
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  if (!box) throw new Error('The map is not shown')
  for (const [x, y] of spots) await map.click({ position: { x: box.width * x, y: box.height * y } })
}

const listPoints = (page: Page) => page.locator('.place-points li > span').allTextContents()

async function checkAndSend(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Check before you send' }).waitFor()
  await page.getByRole('button', { name: /^Send/ }).click()
  await page.waitForURL(/\/receipt$/)
}

describe('with JavaScript', () => {
  test.each([360, 1280])('a line is drawn by pointer, sent, and seen on the list and on its page, at %i px', async (width) => {
    const path = await addDrawing(['points', 'lines', 'areas'])
    const page = await openForm(path, 'Along the water', { width })
    expect(await page.getByRole('radio', { name: 'A point' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'A line' }).check()
    const map = page.getByRole('application', { name: 'Map to draw a line on' })
    await pressAt(map, [
      [0.3, 0.3],
      [0.4, 0.45],
      [0.55, 0.3],
    ])
    expect(await listPoints(page)).toHaveLength(3)
    expect((await listPoints(page))[0]).toBe('Point 1: Northgate')
    expect((await listPoints(page))[1]).toMatch(/^Point 2: Northgate, [\d,]+ metres south-east of point 1$/)
    await page.getByText(/^3 points\. A line of [\d,]+ metres\.$/).waitFor()
    for (const name of ['Zoom in', 'Finish the line', 'Remove point 2']) {
      expect((await page.getByRole('button', { name }).boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    // A press on the first point finishes: from then on, presses add nothing.
    await pressAt(map, [[0.3, 0.3]])
    await page.getByRole('button', { name: 'Add more points' }).waitFor()
    await pressAt(map, [[0.6, 0.6]])
    expect(await listPoints(page)).toHaveLength(3)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true)
    await checkAndSend(page)

    await page.goto(path)
    const link = page.getByRole('link', { name: /^No\. 1, Along the water, A line of [\d,]+ metres, (Northgate|Sainte-Anne)$/ })
    expect(await link.locator('.map-shape-lines path').count()).toBe(2)
    expect(await link.locator('.map-shape-number').textContent()).toBe('1')
    await page
      .locator('.contribution-card')
      .getByText(/^A line of [\d,]+ metres$/)
      .waitFor()
    await expectAccessible(page)
    await page.goto(`${path}/1`)
    await page.getByRole('img', { name: /^A line of [\d,]+ metres/ }).waitFor()
    expect(await page.locator('.contribution-map .map-shape-lines path').count()).toBe(2)
    await expectAccessible(page)
    // The answer with the last step before sending is a 422.
    expect(getConsoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])
  })

  test('an area is drawn with the keyboard only; each step is said, and nothing is lost on leaving the map', async () => {
    const page = await openForm(await addDrawing(['areas']), 'A meadow')
    expect(await page.getByRole('radio', { name: 'An area' }).count()).toBe(0)
    const said = page.locator('.place-drawing output')
    const map = page.getByRole('application', { name: 'Map to draw an area on' })
    const move = async (key: string, times: number) => {
      for (let at = 0; at < times; at++) await page.keyboard.press(key)
    }
    await map.waitFor()
    await page.getByLabel('Postcode or area').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(() => map.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await said.getByText(/^Point 1 added: /).waitFor()
    await move('ArrowRight', 5)
    await said.getByText(/^Crosshair: .*, [\d,]+ metres east of point 1$/).waitFor()
    await page.keyboard.press('Enter')
    await said.getByText(/^Point 2 added: .*east of point 1\.$/).waitFor()
    // Finishing too early says what is missing.
    await page.keyboard.press('Escape')
    await said.getByText('You have left the map. What you have drawn is kept: 2 points.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Finish the area')
    await page.keyboard.press('Enter')
    await said.getByText('Add more points. A line needs at least 2, an area at least 3.').waitFor()
    await map.focus()
    const before = await listPoints(page)
    // Four small steps are one with Shift.
    await move('Shift+ArrowDown', 1)
    await page.keyboard.press('Enter')
    await move('ArrowLeft', 5)
    await move('ArrowUp', 4)
    await move('ArrowDown', 4)
    await page.keyboard.press('Enter')
    await page.getByText(/^4 points\. An area of [\d.]+ hectares\.$/).waitFor()
    await page.keyboard.press('Backspace')
    await said.getByText('Point 4 removed. Now: 3 points.').waitFor()
    expect((await listPoints(page)).slice(0, 2)).toEqual(before)
    // Removing in the list keeps the focus there.
    await page.getByRole('button', { name: 'Remove point 3' }).press('Enter')
    await said.getByText('Point 3 removed. Now: 2 points.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove point 2')
    await map.focus()
    await move('ArrowDown', 4)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await said.getByText(/^Your drawing is finished\. 3 points\. An area of [\d.]+ hectares\.$/).waitFor()
    await expectAccessible(page)
    await checkAndSend(page)
    await page.getByRole('img', { name: /^An area of [\d.]+ hectares/ }).waitFor()
  })

  test('an area that crosses itself is said at once, is not finished, and is refused by the server', async () => {
    const page = await openForm(await addDrawing(['lines', 'areas']), 'A knot')
    await page.getByRole('radio', { name: 'An area' }).check()
    const map = page.getByRole('application', { name: 'Map to draw an area on' })
    await pressAt(map, [
      [0.3, 0.3],
      [0.5, 0.5],
      [0.5, 0.3],
      [0.3, 0.5],
    ])
    const crossing = page.locator('.place-drawing .field-error').getByText('The line crosses itself. Remove points until it does not.')
    await crossing.waitFor()
    await page.getByRole('button', { name: 'Finish the area' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Add more points' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'The line crosses itself. Remove points until it does not.' }).waitFor()
    // The points are still there, and one less is no longer a knot.
    await map.waitFor()
    await expect.poll(async () => await listPoints(page)).toHaveLength(4)
    await page.getByRole('button', { name: 'Remove point 4' }).click()
    await crossing.waitFor({ state: 'detached' })
    // What was drawn survives looking at the other shape.
    await page.getByRole('radio', { name: 'A line' }).check()
    await expect.poll(() => listPoints(page)).toHaveLength(3)
    await checkAndSend(page)
    await page.getByRole('img', { name: /^A line of/ }).waitFor()
  })

  test('the author changes the line within 30 minutes', async () => {
    const path = await addDrawing(['lines'])
    const page = await openForm(path, 'A detour')
    const map = page.getByRole('application', { name: 'Map to draw a line on' })
    await pressAt(map, [
      [0.3, 0.3],
      [0.4, 0.3],
    ])
    await checkAndSend(page)
    const before = await page.getByRole('img', { name: /^A line of/ }).getAttribute('aria-label')
    await page.locator('main summary', { hasText: 'Change what you wrote' }).click()
    await expect.poll(async () => (await listPoints(page)).length).toBe(2)
    await page.getByRole('button', { name: 'Add more points' }).click()
    await pressAt(map, [[0.4, 0.6]])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(({ pathname }) => pathname.endsWith('/receipt'))
    await expect.poll(() => page.getByRole('img', { name: /^A line of/ }).getAttribute('aria-label')).not.toBe(before)
    await page.goto(`${path}/1`)
    expect(await page.locator('.map-shape-lines path').first().getAttribute('d')).toMatch(/^M[^L]+L[^L]+L[^L]+$/)
  })
})

describe('without JavaScript', () => {
  test.each([360, 1280])('each press on the map adds a point, and everything typed stays, at %i px', async (width) => {
    const path = await addDrawing(['points', 'lines', 'areas'])
    const page = await openForm(path, 'Along the quay', { javaScript: false, width })
    await page.getByRole('radio', { name: 'A line' }).check()
    const image = () => page.locator('input[type="image"]:visible')
    await pressAt(image(), [[0.3, 0.3]])
    await page.getByText('Point 1: Northgate').waitFor()
    await pressAt(image(), [[0.4, 0.45]])
    await pressAt(image(), [[0.42, 0.6]])
    expect(await listPoints(page)).toHaveLength(3)
    expect(await page.getByLabel('Give the place a title').inputValue()).toBe('Along the quay')
    expect(await page.getByLabel('Anonymously').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Remove point 2' }).click()
    await expect.poll(() => listPoints(page)).toHaveLength(2)
    await page.getByRole('button', { name: 'Remove the last point' }).click()
    await page.getByRole('button', { name: 'Finish the line' }).click()
    await page.getByRole('link', { name: 'Add more points. A line needs at least 2, an area at least 3.' }).waitFor()
    await pressAt(image(), [[0.45, 0.5]])
    await page.getByRole('button', { name: 'Finish the line' }).click()
    await page.getByText('Your drawing is finished.').waitFor()
    await pressAt(image(), [[0.5, 0.6]])
    expect(await listPoints(page)).toHaveLength(2)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page
      .getByRole('definition')
      .getByText(/^A line of [\d,]+ metres, /)
      .waitFor()
    await page.getByRole('button', { name: 'Change something' }).click()
    await expect.poll(() => listPoints(page)).toHaveLength(2)
    expect(await page.getByLabel('What should happen here?').inputValue()).toBe('It is safer than the road.')
    await checkAndSend(page)
    await page.getByRole('img', { name: /^A line of/ }).waitFor()

    // The author adds a point in the same way.
    await page.locator('main summary', { hasText: 'Change what you wrote' }).click()
    await page.getByRole('button', { name: 'Add more points' }).click()
    await pressAt(image(), [[0.5, 0.6]])
    expect(await listPoints(page)).toHaveLength(3)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.goto(`${path}/1`)
    expect(await page.locator('.map-shape-lines path').first().getAttribute('d')).toMatch(/^M[^L]+L[^L]+L[^L]+$/)
  })

  test('a line may be said in words, from where to where, with an area chosen from the list', async () => {
    const page = await openForm(await addDrawing(['points', 'lines']), 'To the ferry', { javaScript: false })
    expect(await page.getByLabel('Where the line begins').isVisible()).toBe(false)
    await page.getByRole('radio', { name: 'A line' }).check()
    await page.getByLabel('Where the line begins').fill('Mill Street')
    await page.getByLabel('Where the line ends').fill('the ferry')
    await page.getByLabel('Which area is it about?').selectOption({ label: 'Millside' })
    await checkAndSend(page)
    await page.getByText('From Mill Street to the ferry, Millside').waitFor()
  })
})

test('an administrator allows lines in the form of the activity', async () => {
  const path = await addDrawing(['points'])
  const admin = await openPage()
  await signIn(admin, 'site.admin')
  await admin.goto(`${path}/new`)
  expect(await admin.getByRole('radio', { name: 'A line' }).count()).toBe(0)
  await admin.goto('/admin/projects')
  await admin.getByRole('link', { name: 'What should the riverfront become?' }).first().click()
  await admin.getByRole('heading', { name: 'What should the riverfront become?' }).first().waitFor()
})

describe.each([
  [RIVERFRONT, 'fr-CA', 'Une ligne', 'Terminer la ligne', 'Retirer le point 1', /^2 points\. Une ligne de [\d\s]+ mètres\.$/],
  [
    { site: 'dyffryn', project: 'lle-i-r-afon' },
    'cy',
    'Llinell',
    'Gorffen y llinell',
    'Tynnu pwynt 1',
    /^2 bwynt\. Llinell o [\d,]+ metr\.$/,
  ],
] as const)('at %o in %s', (place, language, line, finish, remove, size) => {
  test('the form speaks the language of its reader, and is accessible on a phone and a wide screen', async () => {
    const path = await addDrawing(['points', 'lines', 'areas'], place)
    const page = await openPage({ site: place.site, width: 360, language })
    await page.goto(`/${language}${path}/new`)
    await page.getByRole('radio', { name: line }).check()
    const map = page.locator('.shape-picker svg').first()
    await map.waitFor()
    await pressAt(map, [[0.4, 0.4]])
    await page.getByRole('button', { name: remove }).waitFor()
    await pressAt(map, [[0.5, 0.5]])
    await page.getByText(size).waitFor()
    await page.getByRole('button', { name: finish }).click()
    await expectUsable(page)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
  })
})
