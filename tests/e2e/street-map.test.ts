import type { Page, Request } from 'playwright'
import { describe, expect, test } from 'vitest'
import { createBoxView } from '#app/features/areas/map/map-view.schema.ts'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import { expectAccessible, getConsoleErrors, openPage, signIn } from '#tests/support/browser.ts'
import { TOWN } from '#tests/factories/map-files.ts'

const ACTIVITY = '/projects/riverfront/trees'
const BOX = '-74.75,45.01,-74.71,45.03'
/** As the product writes it: another spelling of the same address is replaced, and loaded again. */
const SECTION = `${ACTIVITY}?${new URLSearchParams({ bbox: BOX })}`
const CREDIT = 'Invented streets of the City of Riverbend'

describe('streets below the map of places', () => {
  test('are there without JavaScript, with who made them, and links move and zoom', async () => {
    const page = await openPage({ javaScript: false, width: 360 })
    await page.goto(ACTIVITY)
    await page.getByText(CREDIT).waitFor()
    await page.getByRole('link', { name: 'Zoom in', exact: true }).click()
    await page.getByRole('link', { name: 'Zoom in', exact: true }).click()
    await page.getByRole('link', { name: 'Move right' }).click()
    await page.waitForURL((url) => /^-74\.\d+,45\.\d+,-74\.\d+,45\.\d+$/.test(url.searchParams.get('bbox') ?? ''))
    await expect.poll(() => page.locator('.street-name text').count()).toBeGreaterThan(3)
  })

  test('move by pointer, keys and links with one request for each view', async () => {
    const page = await openPage({ width: 1280 })
    await page.goto(SECTION)
    await page.getByRole('link', { name: 'Zoom in', exact: true }).waitFor()
    const asked = recordViews(page)
    const bbox = () => new URL(page.url()).searchParams.get('bbox') ?? ''
    const moves: string[] = []
    const expectMove = async (move: () => Promise<void>) => {
      const before = bbox()
      await move()
      await page.waitForURL((url) => url.searchParams.get('bbox') !== before)
      moves.push(bbox())
      await expect.poll(() => asked.views).toEqual(moves)
      await expect.poll(() => asked.waiting.size).toBe(0)
    }
    await page.locator('#map').scrollIntoViewIfNeeded()
    // What moves the map comes with the first sign of use.
    await page.mouse.move(1, 1)
    await page.locator('.places-map-frame[data-movable]').waitFor()
    const box = await page.locator('.places-map-frame').boundingBox()
    if (!box) throw new Error('The map is not shown')
    await expectMove(async () => {
      await page.mouse.move(box.x + 40, box.y + 40)
      await page.mouse.down()
      await page.mouse.move(box.x + 180, box.y + 90, { steps: 5 })
      await page.mouse.up()
    })
    // Move the pointer away from pins and links, which preload what they lead to.
    await page.mouse.move(1, 1)
    await expect.poll(() => asked.waiting.size).toBe(0)
    asked.preloads = 0
    await expectMove(() => page.getByRole('link', { name: 'Zoom in', exact: true }).press('Enter'))
    await expectMove(() => page.getByRole('link', { name: 'Zoom in', exact: true }).press('ArrowRight'))
    await expectAccessible(page)
    expect(asked.views).toEqual(moves)
    expect(asked.preloads).toBe(0)
    expect(asked.frames).toBeLessThanOrEqual(moves.length)
    expect(asked.pages).toEqual([])
    expect(getConsoleErrors(page)).toEqual([])
  })

  test.each([
    { name: 'slowly', gaps: [50, 60, 70, 80, 90, 100, 110, 120, 130, 140], larger: 4 },
    // Each finger moves in one event: the middle between them is beside the place in between.
    { name: 'with a jerk', gaps: [100], larger: 2 },
  ])('are zoomed by two fingers about the middle between them, $name, with one view', async ({ gaps, larger }) => {
    const page = await openPage({ width: 360, touch: true })
    await page.goto(SECTION)
    await page.locator('#map').scrollIntoViewIfNeeded()
    await page.mouse.move(1, 1)
    await page.locator('.places-map-frame[data-movable]').waitFor()
    const frame = await page.locator('.places-map-frame').boundingBox()
    if (!frame) throw new Error('The map is not shown')
    const asked = recordViews(page)
    const session = await page.context().newCDPSession(page)
    // In the north-west of the map, from 40 pixels apart: one step for each one and a half times.
    const [x, y] = [frame.x + frame.width / 4, frame.y + frame.height / 4]
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', gap: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [
                { x: x - gap / 2, y, id: 1 },
                { x: x + gap / 2, y, id: 2 },
              ],
      })
    await touch('touchStart', 40)
    for (const gap of gaps) await touch('touchMove', gap)
    await touch('touchEnd', gaps.at(-1) ?? 0)
    await page.waitForURL((url) => url.searchParams.get('bbox') !== BOX)
    const bbox = new URL(page.url()).searchParams.get('bbox') ?? ''
    await expect.poll(() => asked.views).toEqual([bbox])
    await expect.poll(() => asked.waiting.size).toBe(0)
    const [west = NaN, south = NaN, east = NaN, north = NaN] = bbox.split(',').map(Number)
    expect(east - west).toBeCloseTo(0.04 / larger, 5)
    expect(north - south).toBeCloseTo(0.02 / larger, 5)
    // The place below the fingers is still a quarter from the west and the north of the picture.
    const spot = [PICTURE_SIZE.width / 4, PICTURE_SIZE.height / 4] as const
    const [lng, lat] = createBoxView([-74.75, 45.01, -74.71, 45.03]).placeAt(spot)
    const [lngAfter, latAfter] = createBoxView([west, south, east, north]).placeAt(spot)
    expect(lngAfter).toBeCloseTo(lng, 4)
    expect(latAfter).toBeCloseTo(lat, 4)
    expect(asked.views).toEqual([bbox])
    expect(asked.preloads).toBe(0)
    expect(asked.frames).toBeLessThanOrEqual(1)
    expect(asked.pages).toEqual([])
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('are in the picker of the form too', async () => {
    const page = await openPage({ width: 360 })
    await page.goto(`${ACTIVITY}/new`)
    const picker = page.getByRole('application')
    await picker.locator('.street-major').first().waitFor({ state: 'attached' })
    for (let nearer = 0; nearer < 4; nearer++) await page.getByRole('button', { name: 'Zoom in', exact: true }).click()
    await picker.locator('.street-name text').first().waitFor({ state: 'attached' })
    expect(getConsoleErrors(page)).toEqual([])
  })
})

test('an administrator gives the site another map, and is told in words what is wrong with a file', async () => {
  const page = await openPage({ site: 'harbour' })
  await signIn(page, 'site.admin')
  await page.goto('/admin/settings')
  await page.getByRole('heading', { name: 'Map of your streets' }).waitFor()
  await page.getByText('harbour.pmtiles').waitFor()
  const choose = (name: string, content: string) =>
    page.getByLabel(/^Choose (a|another) file$/).setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
  await choose('words.pmtiles', 'PMTilesque')
  await page.getByText('This file is neither PMTiles (version 3) nor GeoJSON.').waitFor()
  await choose('town.geojson', JSON.stringify(TOWN))
  await page.getByText('Complete this field.').waitFor()
  await page.getByLabel('Who made the map').last().fill('© Harbour Council')
  await choose('town.geojson', JSON.stringify(TOWN))
  await page.getByText('town.geojson').waitFor()
  await expectAccessible(page)
  await page.goto('/projects')
  // The browser notes each refusal.
  expect(getConsoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])
})

/** Records what the page requests from now on: views of the map, site frames, preloads of other pages, and documents. */
function recordViews(page: Page) {
  const asked = { views: [] as string[], frames: 0, preloads: 0, pages: [] as string[], waiting: new Set<Request>() }
  const settle = (request: Request) => void asked.waiting.delete(request)
  page.on('requestfinished', settle)
  page.on('requestfailed', settle)
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === ACTIVITY) asked.pages.push(request.url())
    if (!url.pathname.startsWith('/_serverFn/')) return
    asked.waiting.add(request)
    const payload = url.searchParams.get('payload')
    const view = /"k":\["bbox"\],"v":\[\{"t":1,"s":"([^"]+)"/.exec(payload ?? '')
    if (view) asked.views.push(view[1] ?? '')
    else if (payload) asked.preloads++
    else asked.frames++
  })
  return asked
}
