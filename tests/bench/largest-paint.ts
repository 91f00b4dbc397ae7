import { type Browser, chromium } from 'playwright'
import { findChromium } from '#tests/support/chromium.ts'
import { computeMedian, type Measurement, roundTo } from './measurement.ts'
import { ROUNDS } from './pace.ts'

const PAGES = {
  home: '/',
  project: '/projects/fern-street',
  survey: '/projects/fern-street/surveys/your-trip-your-stop',
  map: '/projects/riverfront/trees',
  // This year's, which is open.
  ballot: `/projects/budget/budgets/neighbourhood-fund-${new Date().getUTCFullYear()}`,
}

/** Lighthouse's phone (mobile, `throttlingMethod: 'devtools'`): a slow 4G connection and a quarter of the processor. Bytes and milliseconds. */
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
const CONNECTION = { offline: false, latency: 562.5, downloadThroughput: (1474.56 * 1024) / 8, uploadThroughput: (675 * 1024) / 8 }
const PROCESSOR = 4
/** Nothing larger is painted after the last answer by then. */
const QUIET_MS = 1500

/** Largest contentful paint on a phone's connection, against the same pages without their scripts: what these cost the first sight of a page. */
export const largestPaint: Measurement = {
  name: 'largest paint',
  needsChromium: true,
  run: async ({ product: { port } }) => {
    const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] })
    const values: Record<string, number> = {}
    const ratios: Record<string, number> = {}
    const faults: string[] = []
    for (const [page, path] of Object.entries(PAGES)) {
      const url = `http://riverbend.localhost:${port}${path}`
      const taken: { first: number; largest: number; withoutScripts: number }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const withScripts = await timePaints(browser, url, true)
        const { largest: withoutScripts } = await timePaints(browser, url, false)
        taken.push({ ...withScripts, withoutScripts })
      }
      if (taken.some(({ largest, withoutScripts }) => !largest || !withoutScripts)) faults.push(`${path}: nothing was painted`)
      ratios[page] = roundTo(computeMedian(taken.map(({ largest, withoutScripts }) => largest / withoutScripts)))
      values[`${page}FirstMs`] = Math.round(computeMedian(taken.map(({ first }) => first)))
      values[`${page}Ms`] = Math.round(computeMedian(taken.map(({ largest }) => largest)))
      values[`${page}WithoutScriptsMs`] = Math.round(computeMedian(taken.map(({ withoutScripts }) => withoutScripts)))
    }
    await browser.close()
    const slowest = Object.keys(PAGES).toSorted((a, b) => (values[`${b}Ms`] ?? 0) - (values[`${a}Ms`] ?? 0))[0] ?? ''
    return {
      summary: `Largest contentful paint on a phone’s slow connection, against the same pages without scripts; the slowest is ${slowest}`,
      ratios,
      values: { ...values, milliseconds: values[`${slowest}Ms`] ?? 0, baselineMilliseconds: values[`${slowest}WithoutScriptsMs`] ?? 0 },
      faults,
    }
  },
}

/** Milliseconds from the request of a visitor who was never here. */
async function timePaints(browser: Browser, url: string, hasScripts: boolean): Promise<{ first: number; largest: number }> {
  const context = await browser.newContext(PHONE)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  if (!hasScripts) await session.send('Network.setBlockedURLs', { urls: ['*.js'] })
  await session.send('Network.emulateNetworkConditions', CONNECTION)
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR })
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.waitForTimeout(QUIET_MS)
  const paints = await page.evaluate(readPaints)
  await context.close()
  return paints
}

/** Runs in the page. Zero for what was not painted. */
async function readPaints(): Promise<{ first: number; largest: number }> {
  const largest = await new Promise<number>((resolve) => {
    new PerformanceObserver((list, observer) => {
      observer.disconnect()
      resolve(list.getEntries().at(-1)?.startTime ?? 0)
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    setTimeout(() => resolve(0), 1000)
  })
  return { first: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, largest }
}
