import type { CDPSession, Page } from 'playwright'
import sharp from 'sharp'
import { getDevToolsSession } from './reused-pages.ts'

/** WCAG 2.2: minimum contrast between the same pixels with and without focus. */
const LEAST_CONTRAST = 3
/** Share of a line one CSS pixel wide around the element: a ring clipped on one or two sides still passes, an underline alone does not. */
const LEAST_SHARE = 0.5
const LEAST_PIXELS = 48
const MARGIN = 10
/** How far a ring reaches around what has focus, in pixels. */
const RING = 6
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
  /** The element itself. */
  own: Box
  /** The area to compare: the element and anything that may show its focus. */
  region: Box
  /** In a table that scrolls sideways, which moves when the next stop has focus. */
  isMoving: boolean
}

/** A stop of a new kind, and how it looks with focus. */
interface Seen {
  stop: Stop
  focused: Buffer
}

/** What the page itself remembers of a walk: its first stop. */
type Walked = typeof window & { firstStop?: Element | undefined }

/**
 * Tabs through the page and compares the pixels around each new kind of stop with those once the focus has moved on. The page is made high enough
 * not to scroll.
 * @param seen kinds checked already; new ones are added
 * @returns a sentence for each stop whose focus is not visible
 * @throws if Tab never comes back to where it began
 */
export async function findHiddenFocus(page: Page, seen: Set<string>): Promise<string[]> {
  // Not a style element: the page's own policy refuses those.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { caret-color: transparent !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const [width, height] = await page.evaluate(() => [window.innerWidth, document.documentElement.scrollHeight] as const)
  await page.setViewportSize({ width, height: Math.max(900, height) })
  // The browser's own protocol: keys and pictures without Playwright's preparations cost much less, and there are thousands.
  const session = await getDevToolsSession(page)
  const faults: string[] = []
  await page.evaluate(() => {
    ;(window as Walked).firstStop = undefined
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  let left: Seen | undefined
  for (let stops = 0; ;) {
    await pressTab(session)
    const stop = await page.evaluate(describeStop, MARGIN)
    const next = stop && stop !== 'again' ? stop : undefined
    if (left) faults.push(...describeFault(left, await takeScreenshot(session, left.stop.region), next?.own))
    left = undefined
    if (stop === 'again') break
    if (++stops > MAX_STOPS) throw new Error(`More than ${MAX_STOPS} stops at ${page.url()}`)
    if (!next || seen.has(next.kind) || next.region.width < 1 || next.region.height < 1) continue
    seen.add(next.kind)
    const focused = await takeScreenshot(session, next.region)
    if (next.isMoving) faults.push(...describeFault({ stop: next, focused }, await takeWithoutFocus(page, session, next.region)))
    else left = { stop: next, focused }
  }
  return faults
}

/** Takes the focus away for a picture, and gives it back. */
async function takeWithoutFocus(page: Page, session: CDPSession, region: Box): Promise<Buffer> {
  const focused = await page.evaluateHandle(() => document.activeElement as HTMLElement)
  await focused.evaluate((element) => element.blur())
  const plain = await takeScreenshot(session, region)
  await focused.evaluate((element) => element.focus({ preventScroll: true }))
  return plain
}

/** @param next the stop that has focus in the picture without it */
function describeFault({ stop, focused }: Seen, plain: Buffer, next?: Box): string[] {
  const changed = countChanged(stop, focused, plain, next)
  const perimeter = 2 * (stop.own.width + stop.own.height)
  const least = Math.max(LEAST_PIXELS, perimeter * LEAST_SHARE)
  return changed < least ? [`${stop.name}: ${changed} of ${Math.round(least)} pixels show the focus`] : []
}

/** Runs in the page. Null if focus is on the page itself or in a frame; `again` on the first stop. */
function describeStop(margin: number): Stop | 'again' | null {
  const walked = window as Walked
  const element = document.activeElement
  if (!element || element === document.body || element.tagName === 'IFRAME') return null
  if (walked.firstStop === element) return 'again'
  walked.firstStop ??= element
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
  const kind: string[] = []
  for (let each: Element | null = element; each && each !== document.body; each = each.parentElement)
    kind.push(`${each.tagName}.${[...each.classList].filter((name) => !/\d/.test(name)).join('.')}`)
  const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 40)
  return {
    name: `${kind.slice(0, 3).toReversed().join(' > ')} “${name || (element.getAttribute('name') ?? '')}”`,
    kind: `${isMoving ? 'moving ' : ''}${kind.join(' ')}`,
    own: { ...own, width: Math.min(own.width, window.innerWidth) },
    region: { x: Math.floor(left), y: Math.floor(top), width: Math.ceil(right - left), height: Math.ceil(bottom - top) },
    isMoving,
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

/** Number of pixels that stand out with focus, without those at which the next stop shows its own. */
function countChanged({ own, region }: Stop, focused: Buffer, plain: Buffer, next: Box | undefined): number {
  let changed = 0
  for (let at = 0; at < focused.length / 3; at++) {
    if (computeContrast(focused, plain, at * 3) < LEAST_CONTRAST) continue
    const [x, y] = [region.x + (at % region.width), region.y + Math.floor(at / region.width)]
    if (!next || isAround(own, x, y) || !isAround(next, x, y)) changed++
  }
  return changed
}

/** True in the box and as far around it as a ring reaches. */
const isAround = (box: Box, x: number, y: number): boolean =>
  x >= box.x - RING && x < box.x + box.width + RING && y >= box.y - RING && y < box.y + box.height + RING

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
