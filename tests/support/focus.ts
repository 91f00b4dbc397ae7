import type { CDPSession, Page } from 'playwright'
import sharp from 'sharp'

/** WCAG 2.2: minimum contrast between the same pixels with and without focus. */
const LEAST_CONTRAST = 3
/** Share of a line one CSS pixel wide around the element: a ring clipped on one or two sides still passes, an underline alone does not. */
const LEAST_SHARE = 0.5
const LEAST_PIXELS = 48
const MARGIN = 10
const MAX_STOPS = 400

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
}

/** What the page itself remembers of a walk: the first element that had the focus. */
type Walked = typeof window & { firstStop: Element | undefined }

/** A page, and the browser's own protocol to it: keys and pictures without Playwright's preparations cost much less, and there are thousands. */
interface Driver {
  page: Page
  session: CDPSession
}

/**
 * Tabs through the page and compares the pixels around each stop while it has the focus with those right after the focus was taken away. The
 * page is made high enough not to scroll.
 * @param seen kinds checked already; new ones are added
 * @returns a sentence for each stop whose focus is not visible
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
  const { width, height } = await page.evaluate(() => ({ width: window.innerWidth, height: document.documentElement.scrollHeight }))
  await page.setViewportSize({ width, height: Math.max(900, height) })
  await page.evaluate(() => {
    const walked = window as unknown as Walked
    walked.firstStop = undefined
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  const faults: string[] = []
  for (let count = 0; ; count++) {
    if (count > MAX_STOPS) throw new Error(`More than ${MAX_STOPS} stops at ${page.url()}`)
    await pressTab(session)
    const stop = await page.evaluate(describeStop, MARGIN)
    if (stop === 'again') break
    if (!stop || seen.has(stop.kind)) continue
    seen.add(stop.kind)
    const changed = await countChanged({ page, session }, stop)
    const least = Math.max(LEAST_PIXELS, stop.perimeter * LEAST_SHARE)
    if (changed < least) faults.push(`${stop.name}: ${changed} of ${Math.round(least)} pixels show the focus`)
  }
  await session.detach()
  return faults
}

/** Number of pixels around a stop that stand out only while it has the focus, which it keeps. */
async function countChanged({ page, session }: Driver, { region }: Stop): Promise<number> {
  if (region.width < 1 || region.height < 1) return 0
  const element = await page.evaluateHandle(() => document.activeElement as HTMLElement)
  const focused = await takeScreenshot(session, region)
  await element.evaluate((each) => each.blur())
  const plain = await takeScreenshot(session, region)
  await element.evaluate((each) => each.focus({ preventScroll: true }))
  await element.dispose()
  let changed = 0
  for (let at = 0; at < focused.length; at += 3) if (computeContrast(focused, plain, at) >= LEAST_CONTRAST) changed++
  return changed
}

/** Runs in the page. Null if focus is on the page itself or in a frame; `again` on the first stop. */
function describeStop(margin: number): Stop | 'again' | null {
  const walked = window as unknown as Walked
  const element = document.activeElement
  if (!element || element === document.body || element.tagName === 'IFRAME') return null
  if (walked.firstStop === element) return 'again'
  walked.firstStop ??= element
  const boxOf = (each: Element): Box => {
    const { x, y, width, height } = each.getBoundingClientRect()
    return { x, y, width, height }
  }
  const own = boxOf(element)
  // The focus ring may be around the label of a hidden input, or around the card that a link covers.
  const marked = [element, element.closest('label'), element.closest('article, li, .field, [role="row"]'), element.parentElement]
  const boxes = marked.flatMap((each) => (each && each.clientWidth < 1300 && each.clientHeight < 700 ? [boxOf(each)] : [])).concat(own)
  const left = Math.max(0, Math.min(...boxes.map(({ x }) => x)) - margin)
  const top = Math.max(0, Math.min(...boxes.map(({ y }) => y)) - margin)
  const right = Math.min(window.innerWidth, Math.max(...boxes.map(({ x, width }) => x + width)) + margin)
  const bottom = Math.min(window.innerHeight, Math.max(...boxes.map(({ y, height }) => y + height)) + margin)
  const kind: string[] = []
  for (let each: Element | null = element; each && each !== document.body; each = each.parentElement)
    kind.push(`${each.tagName}.${[...each.classList].filter((name) => !/\d/.test(name)).join('.')}`)
  const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40)
  return {
    name: `${kind.slice(0, 3).toReversed().join(' > ')} “${name || (element.getAttribute('name') ?? '')}”`,
    kind: kind.join(' '),
    region: { x: Math.floor(left), y: Math.floor(top), width: Math.ceil(right - left), height: Math.ceil(bottom - top) },
    perimeter: 2 * (Math.min(own.width, window.innerWidth) + own.height),
  }
}

async function pressTab(session: CDPSession): Promise<void> {
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  await Promise.all([
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...tab }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...tab }),
  ])
}

async function takeScreenshot(session: CDPSession, region: Box): Promise<Buffer> {
  // The browser counts from the top of the page, a stop from the top of the window.
  const { cssVisualViewport: window } = await session.send('Page.getLayoutMetrics')
  const { data } = await session.send('Page.captureScreenshot', {
    clip: { ...region, x: region.x + window.pageX, y: region.y + window.pageY, scale: 1 },
    optimizeForSpeed: true,
  })
  return sharp(Buffer.from(data, 'base64')).removeAlpha().raw().toBuffer()
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
