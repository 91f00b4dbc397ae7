import type { CDPSession, Page } from 'playwright'
import sharp from 'sharp'

/** WCAG 2.2: minimum contrast between the same pixels with and without focus. */
const LEAST_CONTRAST = 3
/** Share of a line one CSS pixel wide around the element: a ring clipped on one or two sides still passes, an underline alone does not. */
const LEAST_SHARE = 0.5
const LEAST_PIXELS = 48
const MARGIN = 10
/** Extra pixels that take as long to capture as another screenshot. */
const PIXELS_PER_SCREENSHOT = 150_000
const MAX_STOPS = 400
/** Walks to try if the page keeps changing, such as when an editor loads late. */
const MAX_WALKS = 4

interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface Stop {
  /** Names the element for a person. */
  name: string
  /** Identical for elements with the same structure and styles. */
  kind: string
  /** The area to compare: the element and anything that may show its focus. */
  region: Box
  /** Perimeter of the element. */
  perimeter: number
  /** In a table that scrolls sideways, which moves when the next stop has focus. */
  isMoving: boolean
}

/** What the page itself remembers of a walk: each stop's element and place, null where the focus was in a frame or on the page. */
type Walked = typeof window & { walkedStops: ({ element: Element; box: string; isMoving: boolean } | null)[] }

/** A page, and the browser's own protocol to it: keys and pictures without Playwright's preparations cost much less, and there are thousands. */
interface Driver {
  page: Page
  session: CDPSession
}

/** The same pixels while the stop before has focus, the stop itself, and the stop after. */
interface Shots {
  before?: Buffer | undefined
  with?: Buffer | undefined
  after?: Buffer | undefined
}

/**
 * Tabs through the page and compares the pixels around each stop with and without focus. The page is made high enough not to scroll.
 * Pictures can be compared only if nothing else changes, so the walk restarts if a stop appears, disappears or moves.
 * @param seen kinds checked already; new ones are added
 * @returns a sentence for each stop whose focus is not visible
 * @throws if the page changed during each walk
 */
export async function findHiddenFocus(page: Page, seen: Set<string>): Promise<string[]> {
  // Not a style element: the page's own policy refuses those.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { caret-color: transparent !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const session = await page.context().newCDPSession(page)
  const width = await page.evaluate(() => window.innerWidth)
  let change = ''
  for (let walk = 1; walk <= MAX_WALKS; walk++) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.max(900, height) })
    const walked = await walkStops({ page, session }, new Set(seen))
    if ('change' in walked) {
      change = walked.change
      continue
    }
    for (const kind of walked.kinds) seen.add(kind)
    await session.detach()
    return walked.faults
  }
  throw new Error(`${page.url()} changed during each of ${MAX_WALKS} walks, the last time at ${change}`)
}

/** @param seen kinds checked already; new ones are added, in this walk only */
async function walkStops(driver: Driver, seen: Set<string>): Promise<{ faults: string[]; kinds: Set<string> } | { change: string }> {
  const { page, session } = driver
  const { stops, shots } = await collectStops(driver, seen)
  const looked = stops.map((stop) => stop !== null && !stop.isMoving && !seen.has(stop.kind) && Boolean(seen.add(stop.kind)))
  const count = stops.length
  // Starts on the first stop again; one extra step passes the last stop on the way back to it. It ends as
  // soon as every new stop has its three pictures: most stops of a page are on others too, and tabbing takes most of the time.
  const isMissing = ({ before, after }: Shots = {}) => !before || !after
  for (let step = 1; step <= count + 1 && looked.some((isLooked, at) => isLooked && isMissing(shots[at])); step++) {
    const at = step % count
    await pressTab(session)
    const [earlier, later] = [(at + count - 1) % count, (at + 1) % count]
    // Nothing to compare here: neither this stop nor its neighbours are new.
    if (!looked[earlier] && !looked[at] && !looked[later]) continue
    const change = await page.evaluate(describeChange, at)
    if (change) return { change }
    const wanted = [
      ...(looked[earlier] && shots[earlier]?.with ? [{ stop: earlier, as: 'after' as const }] : []),
      ...(looked[at] ? [{ stop: at, as: 'with' as const }] : []),
      ...(looked[later] ? [{ stop: later, as: 'before' as const }] : []),
    ].filter(({ stop, as }) => !shots[stop]?.[as])
    const pictures = await takeScreenshots(
      session,
      wanted.map(({ stop }) => stops[stop]),
    )
    for (const [place, { stop, as }] of wanted.entries()) shots[stop] = { ...shots[stop], [as]: pictures[place] }
  }
  return { faults: await describeFaults(stops, shots), kinds: seen }
}

async function describeFaults(stops: (Stop | null)[], shots: Shots[]): Promise<string[]> {
  const faults: string[] = []
  for (const [at, stop] of stops.entries()) {
    const { before, with: focused, after } = shots[at] ?? {}
    if (!stop || !before || !focused || !after) continue
    const changed = await countChanged(focused, before, after)
    const least = Math.max(LEAST_PIXELS, stop.perimeter * LEAST_SHARE)
    if (changed < least) faults.push(`${stop.name}: ${changed} of ${Math.round(least)} pixels show the focus`)
  }
  return faults
}

/** Tabs until the first stop has focus again. Stops that move under the focus are compared at once, with the focus taken away and given back. */
async function collectStops({ page, session }: Driver, seen: Set<string>): Promise<{ stops: (Stop | null)[]; shots: Shots[] }> {
  const stops: (Stop | null)[] = []
  const shots: Shots[] = []
  await page.evaluate(() => {
    const walked = window as unknown as Walked
    walked.walkedStops = []
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await pressTab(session)
  for (;;) {
    const stop = await page.evaluate(describeStop, MARGIN)
    if (stop === 'again') return { stops, shots }
    if (stop || stops.length) {
      stops.push(stop)
      const isNew = stop?.isMoving && !seen.has(stop.kind) && Boolean(seen.add(stop.kind))
      shots.push(isNew ? await compareInPlace({ page, session }, stop) : {})
    }
    if (stops.length > MAX_STOPS) throw new Error(`More than ${MAX_STOPS} stops at ${page.url()}`)
    await pressTab(session)
  }
}

async function compareInPlace({ page, session }: Driver, stop: Stop): Promise<Shots> {
  const focused = await page.evaluateHandle(() => document.activeElement as HTMLElement)
  const shown = await takeScreenshot(session, stop)
  await focused.evaluate((element) => element.blur())
  const plain = await takeScreenshot(session, stop)
  await focused.evaluate((element) => element.focus({ preventScroll: true }))
  return { before: plain, with: shown, after: plain }
}

/** Runs in the page. Null if focus is on the page itself or in a frame; `again` on the first stop. */
function describeStop(margin: number): Stop | 'again' | null {
  const walked = (window as unknown as Walked).walkedStops
  const element = document.activeElement
  if (!element || element === document.body || element.tagName === 'IFRAME') {
    if (walked.length > 0) walked.push(null)
    return null
  }
  if (walked[0]?.element === element) return 'again'
  const boxOf = (each: Element): Box => {
    const { x, y, width, height } = each.getBoundingClientRect()
    return { x, y, width, height }
  }
  const own = boxOf(element)
  let around = element.closest('table')?.parentElement
  while (around && around.scrollWidth <= around.clientWidth + 1) around = around.parentElement
  const isMoving = Boolean(around && around !== document.documentElement)
  // The focus ring may be around the label of a hidden input, or around the card that a link covers.
  const marked = [element, element.closest('label'), element.closest('article, li, .field, [role="row"]'), element.parentElement]
  const boxes = marked.flatMap((each) => (each && each.clientWidth < 1300 && each.clientHeight < 700 ? [boxOf(each)] : [])).concat(own)
  const left = Math.max(0, Math.min(...boxes.map(({ x }) => x)) - margin)
  const top = Math.max(0, Math.min(...boxes.map(({ y }) => y)) - margin)
  const right = Math.min(window.innerWidth, Math.max(...boxes.map(({ x, width }) => x + width)) + margin)
  const bottom = Math.min(window.innerHeight, Math.max(...boxes.map(({ y, height }) => y + height)) + margin)
  const { x, y, width, height } = boxOf(element)
  walked.push({ element, box: [x, y, width, height].map(Math.round).join(' '), isMoving })
  const kind: string[] = []
  for (let each: Element | null = element; each && each !== document.body; each = each.parentElement)
    kind.push(`${each.tagName}.${[...each.classList].filter((name) => !/\d/.test(name)).join('.')}`)
  const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40)
  return {
    name: `${kind.slice(0, 3).toReversed().join(' > ')} “${name || (element.getAttribute('name') ?? '')}”`,
    kind: `${isMoving ? 'moving ' : ''}${kind.join(' ')}`,
    region: { x: Math.floor(left), y: Math.floor(top), width: Math.ceil(right - left), height: Math.ceil(bottom - top) },
    perimeter: 2 * (Math.min(own.width, window.innerWidth) + own.height),
    isMoving,
  }
}

/** Runs in the page: how the stop that should have focus has gone, moved or lost its turn since it was collected; undefined if it has not. */
function describeChange(at: number): string | undefined {
  const walked = (window as unknown as Walked).walkedStops
  const describe = (element: Element | null | undefined) => element?.outerHTML.slice(0, 120) ?? 'the page itself'
  const focused = document.activeElement
  const stop = walked[at]
  if (stop ? stop.element !== focused : focused !== document.body && focused?.tagName !== 'IFRAME')
    return `${describe(stop?.element)}: ${describe(focused)} has the focus instead`
  if (!stop || stop.isMoving) return undefined
  const { x, y, width, height } = stop.element.getBoundingClientRect()
  const box = [x, y, width, height].map(Math.round).join(' ')
  return box === stop.box ? undefined : `${describe(stop.element)}: from ${stop.box} to ${box}`
}

async function pressTab(session: CDPSession): Promise<void> {
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  await Promise.all([
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...tab }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...tab }),
  ])
}

async function takeScreenshot(session: CDPSession, stop: Stop | null | undefined): Promise<Buffer | undefined> {
  return (await takeScreenshots(session, [stop]))[0]
}

/** Captures neighbouring stops in one screenshot, unless the space between them would make that slower. */
async function takeScreenshots(session: CDPSession, stops: (Stop | null | undefined)[]): Promise<(Buffer | undefined)[]> {
  const regions = stops.map((stop) => (stop && stop.region.width >= 1 && stop.region.height >= 1 ? stop.region : undefined))
  const shown = regions.filter((region) => region !== undefined)
  const around = computeBoundingBox(shown)
  const computeArea = ({ width, height }: Box) => width * height
  const isShared =
    computeArea(around) - shown.reduce((sum, region) => sum + computeArea(region), 0) <= (shown.length - 1) * PIXELS_PER_SCREENSHOT
  const shared = isShared && shown.length > 1 ? await captureRegion(session, around) : undefined
  const pictures: (Buffer | undefined)[] = []
  for (const region of regions) {
    if (!region) pictures.push(undefined)
    else if (shared) pictures.push(await readPixels(shared, { ...region, x: region.x - around.x, y: region.y - around.y }))
    else pictures.push(await readPixels(await captureRegion(session, region)))
  }
  return pictures
}

function computeBoundingBox(boxes: Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

async function captureRegion(session: CDPSession, region: Box): Promise<Buffer> {
  // The browser counts from the top of the page, a stop from the top of the window.
  const { cssVisualViewport: window } = await session.send('Page.getLayoutMetrics')
  const { data } = await session.send('Page.captureScreenshot', {
    clip: { ...region, x: region.x + window.pageX, y: region.y + window.pageY, scale: 1 },
    optimizeForSpeed: true,
  })
  return Buffer.from(data, 'base64')
}

function readPixels(picture: Buffer, part?: Box): Promise<Buffer> {
  const whole = sharp(picture)
  const shown = part ? whole.extract({ left: part.x, top: part.y, width: part.width, height: part.height }) : whole
  return shown.removeAlpha().raw().toBuffer()
}

/** Number of pixels that stand out with focus compared with both before and after. */
async function countChanged(focused: Buffer, before: Buffer, after: Buffer): Promise<number> {
  let changed = 0
  for (let at = 0; at < focused.length; at += 3)
    if (computeContrast(focused, before, at) >= LEAST_CONTRAST && computeContrast(focused, after, at) >= LEAST_CONTRAST) changed++
  return changed
}

function computeContrast(first: Buffer, second: Buffer, at: number): number {
  const [light, dark] = [computeLuminance(first, at), computeLuminance(second, at)].toSorted((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const linear = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})

const computeLuminance = (pixels: Buffer, at: number): number =>
  0.2126 * (linear[pixels[at] ?? 0] ?? 0) + 0.7152 * (linear[pixels[at + 1] ?? 0] ?? 0) + 0.0722 * (linear[pixels[at + 2] ?? 0] ?? 0)
