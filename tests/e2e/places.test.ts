import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { expectAccessible, getConsoleErrors, openPage, takePartBefore, expectUsable } from '#tests/support/browser.ts'

const ACTIVITY = '/projects/riverfront/trees'

async function fillText(page: Page, title: string): Promise<void> {
  await page.goto(`${ACTIVITY}/new`)
  await page.getByLabel('Give the place a title').fill(title)
  await page.getByLabel('What should happen here?').fill('One tree would be enough.')
  await page.getByLabel('Anonymously').check()
}

const readPoint = (page: Page) => Promise.all(['lng', 'lat'].map((name) => page.locator(`input[name="${name}"]`).inputValue()))

describe('without JavaScript', () => {
  test.each([360, 1280])('a visitor points at the map, checks and sends, at %i px', async (width) => {
    const page = await openPage({ javaScript: false, width })
    const title = `Quince behind the depot ${width}`
    await fillText(page, title)
    const image = page.locator('input[type="image"]:visible')
    const box = await image.boundingBox()
    if (!box) throw new Error('The map is not shown')
    // A key press sends 0,0, which is no point.
    await image.press('Enter')
    await page.getByText('No point was set').waitFor()
    expect(await page.getByLabel('Give the place a title').inputValue()).toBe(title)
    await image.click({ position: { x: box.width * 0.375, y: box.height * 0.37 } })
    await page.getByText('Your point is in Northgate.').waitFor()
    expect(await page.getByLabel('What should happen here?').inputValue()).toBe('One tree would be enough.')
    expect(await page.getByLabel('Anonymously').isChecked()).toBe(true)
    // In the middle third of the map from the west.
    const [lng] = (await readPoint(page)).map(Number)
    expect(lng).toBeGreaterThan(-74.76)
    expect(lng).toBeLessThan(-74.73)

    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Check before you send' }).waitFor()
    await page.getByRole('button', { name: 'Change something' }).click()
    await expect.poll(() => page.getByLabel('Give the place a title').inputValue()).toBe(title)
    await page.getByText('Your point is in Northgate.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /Send/ }).click()
    expect(new URL(page.url()).pathname).toBe(`${ACTIVITY}/receipt`)
    await page.getByText('Northgate', { exact: true }).first().waitFor()
  })

  test('a visitor finds an area by postcode, or chooses it from the list; one of the ways is needed', async () => {
    const page = await openPage({ javaScript: false })
    await fillText(page, 'Pear trees by the ferry')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Point at the map, choose an area, or describe the place' }).waitFor()
    await page.getByLabel('Postcode or area').fill('ZZ9 9ZZ')
    await page.getByRole('button', { name: 'Show it on the map' }).click()
    await page.getByRole('link', { name: /No street, place, area or postcode has this name/ }).waitFor()
    await page.getByLabel('Postcode or area').fill('K6J 1B4')
    await page.getByRole('button', { name: 'Show it on the map' }).click()
    await expect.poll(() => page.getByLabel('Which area is it about?').locator('option:checked').textContent()).toBe('South Shore')
    await page.getByLabel('Which area is it about?').selectOption({ label: 'Heron Park' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /Send/ }).click()
    expect(new URL(page.url()).pathname).toBe(`${ACTIVITY}/receipt`)
    await page.getByRole('article').getByText('Heron Park', { exact: true }).waitFor()
  })

  test('bubbles narrow the map and the list to their places, and pins lead to them', async () => {
    const page = await openPage({ javaScript: false })
    await page.goto(ACTIVITY)
    await takePartBefore(page)
    const bubble = page.locator('a.map-bubble').first()
    const total = Number((await bubble.getAttribute('aria-label'))?.match(/^\d+/)?.[0])
    expect(total).toBeGreaterThan(10)
    // By keyboard: a bubble is a link.
    await bubble.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/bbox=/)
    // Its box may hold a neighbour of another bubble too.
    const listed = Number.parseInt((await page.locator('#list').textContent()) ?? '', 10)
    expect(listed).toBeGreaterThanOrEqual(total)
    expect(listed).toBeLessThan(150)
    expect(await page.locator('.places-map-head p').textContent()).toBe(`${listed} places on the map`)
    await page.getByRole('link', { name: 'Show the whole map' }).click()
    const pin = page.locator('a.map-link:not(.map-bubble)').first()
    const name = await pin.getAttribute('aria-label')
    await pin.focus()
    await page.keyboard.press('Enter')
    await page.locator('article h1').waitFor()
    expect(name).toContain(await page.locator('article h1').textContent())
  })
})

test('with JavaScript, a point is set by pointer, dragged, and moved by arrow keys', async () => {
  const page = await openPage()
  await fillText(page, 'Hazels on the hill')
  const map = page.getByRole('application', { name: 'Map of the areas' })
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  if (!box) throw new Error('The map is not shown')
  await map.click({ position: { x: box.width * 0.2, y: box.height * 0.37 } })
  await page.getByText('Your point is in Cedar Hill.').waitFor()
  const [clicked = 0] = (await readPoint(page)).map(Number)
  await map.focus()
  for (let times = 0; times < 10; times++) await page.keyboard.press('ArrowRight')
  const [moved = 0] = (await readPoint(page)).map(Number)
  expect(moved).toBeGreaterThan(clicked)
  const pin = await page.locator('.place-picker-pin').boundingBox()
  if (!pin) throw new Error('There is no pin')
  await page.mouse.move(pin.x + pin.width / 2, pin.y + pin.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.4, { steps: 4 })
  await page.mouse.up()
  await page.getByText('Your point is in Heron Park.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Check before you send' }).waitFor()
  await page.getByRole('definition').getByText('Heron Park').waitFor()
})

describe('the search of the form', () => {
  const SEARCH = 'Street, address, postcode or area'
  const readPin = async (page: Page) => (await readPoint(page)).join()

  test('suggests as one types; a suggestion that is chosen with keys moves the pin and the map in place, at 360 px', async () => {
    const page = await openPage({ width: 360 })
    await fillText(page, 'Elms by the convent')
    const find = page.getByRole('combobox', { name: SEARCH })
    await find.fill('couv')
    const option = page.getByRole('option', { name: 'Rue du Couvent' }).first()
    await option.waitFor()
    await expectAccessible(page)
    await expectUsable(page)
    await find.press('ArrowDown')
    await expect.poll(async () => (await find.getAttribute('aria-activedescendant')) !== null).toBe(true)
    await find.press('Escape')
    await expect.poll(() => find.getAttribute('aria-expanded')).toBe('false')
    expect(await find.inputValue()).toBe('couv')
    await find.fill('rue du couv')
    await option.waitFor()
    await find.press('ArrowDown')
    await find.press('Enter')
    await page.getByText(/^The map shows Rue du Couvent/).waitFor()
    await page.locator('.place-picker-pin').waitFor()
    await expect.poll(() => readPin(page)).toMatch(/^-74\.\d+,45\.\d+$/)
    const first = await readPin(page)
    // Another search, by the button.
    await find.fill('Mill Lane')
    await page.getByRole('button', { name: 'Show it on the map' }).click()
    await page.getByText(/^The map shows Mill Lane/).waitFor()
    await expect.poll(() => readPin(page)).not.toBe(first)
    expect(new URL(page.url()).pathname).toBe(`${ACTIVITY}/new`)
    expect(await page.getByLabel('Give the place a title').inputValue()).toBe('Elms by the convent')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Check before you send' }).waitFor()
    await page.locator('.places-map-frame .map-pin').waitFor()
    expect(getConsoleErrors(page).filter((text) => !text.includes('status of 4'))).toEqual([])
  })

  test('opens the page again at the map without JavaScript, and a second search moves the pin', async () => {
    const page = await openPage({ javaScript: false, width: 360 })
    await fillText(page, 'Hawthorns by the convent')
    const find = page.getByLabel(SEARCH)
    await find.fill('couvent')
    await page.getByRole('button', { name: 'Show it on the map' }).click()
    await page.getByText(/^The map shows Rue du Couvent/).waitFor()
    expect(new URL(page.url()).hash).toBe('#place-search')
    await page.locator('.place-press .map-pin').waitFor()
    const first = await readPin(page)
    await find.fill('mill lane')
    await find.press('Enter')
    // The Enter key continues: the place is known already.
    await page.getByRole('heading', { name: 'Check before you send' }).waitFor()
    await page.locator('.places-map-frame .map-pin').waitFor()
    await page.getByRole('button', { name: 'Change something' }).click()
    await find.fill('mill lane')
    await page.getByRole('button', { name: 'Show it on the map' }).click()
    await page.getByText(/^The map shows Mill Lane/).waitFor()
    expect(await readPin(page)).not.toBe(first)
    expect(await page.getByLabel('Give the place a title').inputValue()).toBe('Hawthorns by the convent')
  })
})

describe('a question of a survey that asks for a place', () => {
  const QUESTION = '/projects/fern-street/surveys/the-way-to-your-stop?step=q_place'

  test.each([360, 1280])('is answered without JavaScript by an address, a postcode and a press on the map, at %i px', async (width) => {
    const page = await openPage({ javaScript: false, width })
    await page.goto(QUESTION)
    await takePartBefore(page)
    const find = page.getByLabel('Find a street, address, postcode or area')
    const show = page.getByRole('button', { name: 'Show on the map' })
    await find.fill('ZZ9 9ZZ')
    await show.click()
    await page.getByRole('link', { name: /We found no street, address, postcode or area/ }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^Error: /)
    expect(await find.inputValue()).toBe('ZZ9 9ZZ')
    await find.fill('K6J 1B4')
    await show.click()
    await expect.poll(() => page.title()).not.toMatch(/^Error/)
    expect(await page.getByLabel('Address or description').inputValue()).toBe('South Shore')
    const state = page.locator('output.place-state')
    expect(await state.textContent()).toBe('No point yet')
    await find.fill('32 fern')
    // Enter in the search goes on as "Show on the map" does, as long as nothing else says where the place is.
    await page.getByLabel('Address or description').fill('')
    await find.press('Enter')
    await expect.poll(() => page.getByLabel('Address or description').inputValue()).toBe('32 Fern Street')
    expect(await state.textContent()).toMatch(/^Your point is in /)
    const image = page.locator('input[type="image"]:visible')
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await image.click({ position: { x: 40, y: 40 } })
    await expect.poll(() => state.textContent()).toMatch(/^Your point is (in|outside) /)
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(new URL(page.url()).searchParams.get('step')).not.toBe('q_place')
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => page.getByLabel('Address or description').inputValue()).toBe('32 Fern Street')
    expect(await page.locator('input[name="q.q_place.lat"]').inputValue()).toMatch(/^45\.\d/)
  })

  test('finds with JavaScript without leaving the page, and never begins with coordinates', async () => {
    const page = await openPage()
    await page.goto(QUESTION)
    const find = page.getByLabel('Find a street, address, postcode or area')
    await find.fill('nowhere at all')
    await find.press('Enter')
    await page.getByText(/We found no street, address, postcode or area/).waitFor()
    await find.fill('South')
    await page.getByRole('button', { name: 'Show on the map' }).click()
    await page.getByText('The map shows South Shore.').waitFor()
    expect(await page.getByLabel('Address or description').inputValue()).toBe('South Shore')
    expect(await page.getByLabel('Latitude').isVisible()).toBe(false)
    await find.fill('32 fern street')
    await find.press('Enter')
    await page.getByText(/^The map shows 32 Fern Street, .+\.$/).waitFor()
    await page.getByText('Your point is in').waitFor()
    await expectAccessible(page)
    expect(getConsoleErrors(page)).toEqual([])
  })
})

test('the map of open data shows the named areas behind its points', async () => {
  const page = await openPage({ javaScript: false })
  await page.goto('/data/new-trees')
  await takePartBefore(page)
  expect(await page.locator('figure.place-map text').allTextContents()).toContain('Northgate')
})

test('with JavaScript, the current position is asked for on press only; if it is not known, the page says so', async () => {
  const page = await openPage()
  await fillText(page, 'Limes where I stand')
  await page.context().setGeolocation({ longitude: -74.742_123_456, latitude: 45.021_123_456 })
  await page.getByRole('button', { name: 'Use my current position' }).click()
  await page.getByText('Your position could not be found. Point at the map instead.').waitFor()
  expect(await readPoint(page)).toEqual(['', ''])
  await page.context().grantPermissions(['geolocation'])
  expect(await readPoint(page)).toEqual(['', ''])
  await page.getByRole('button', { name: 'Use my current position' }).click()
  // No more precisely than a metre or so.
  await expect.poll(() => readPoint(page)).toEqual(['-74.74212', '45.02112'])
  await page.getByText(/^Your point is in /).waitFor()
})

describe.each([
  ['riverbend', '/en/projects/riverfront/trees'],
  ['riverbend', '/fr-CA/projects/riverfront/trees'],
] as const)('at %s, %s', (site, activity) => {
  test('pages with a map are accessible on a phone and a wide screen, and silent in the console', async () => {
    const page = await openPage({ site, width: 360 })
    for (const path of ['', '?bbox=-74.75,45.01,-74.72,45.03', '/new', '/5']) {
      await page.goto(activity + path)
      await page.locator('h1').waitFor()
      await expectUsable(page)
    }
    expect(getConsoleErrors(page)).toEqual([])
  })
})
