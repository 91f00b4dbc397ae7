import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import { findChromium } from './support/chromium.ts'
import { ensureBuilt, startProduct, temporaryFolder } from './support/product.ts'

/**
 * Gzipped JavaScript that an anonymous visitor's browser loads for each participant page until it is quiet, nothing clicked. What a
 * survey is answered with, the runner, has a budget of its own: what its page loads and the page of its project does not. Fails past either.
 */
const BUDGET = 170_000
const RUNNER_BUDGET = 40_000
const PROJECT = '/projects/fern-street'
const PAGES = [
  '/',
  '/projects',
  PROJECT,
  `${PROJECT}/surveys/your-trip-your-stop/results`,
  '/hubs',
  '/search',
  '/sign-in',
  '/register',
  '/receipt',
]
/** One of each layout, and one that asks with every type of question. */
const SURVEYS = [`${PROJECT}/surveys/your-trip-your-stop`, `${PROJECT}/surveys/the-way-to-your-stop`]
/** What a page loads once it has come to rest comes within this. */
const REST_MS = 1500
const DATA_WITHIN_MS = 60_000

await ensureBuilt()
const folder = temporaryFolder('size')
const product = await startProduct({ DATA_DIR: folder, LOG_LEVEL: 'warn' })
const executablePath = findChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox', '--disable-gpu'] })
let over = 0
const faults: string[] = []

/** Bytes of each file of script that the page loads in a browser that has loaded nothing before. */
async function scriptsOf(path: string): Promise<Map<string, number>> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const bodies: Promise<[string, number]>[] = []
  // A page that is broken is light.
  page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`))
  page.on('response', (answer) => {
    if (!answer.headers()['content-type']?.includes('javascript')) return
    bodies.push(answer.body().then((body) => [new URL(answer.url()).pathname, gzipSync(body, { level: 9 }).length]))
  })
  await page.goto(product.origin + path, { waitUntil: 'networkidle' })
  await page.waitForTimeout(REST_MS)
  const files = new Map(await Promise.all(bodies))
  await context.close()
  return files
}

function tell(name: string, files: Iterable<[string, number]>, budget: number): void {
  const sorted = [...files].toSorted(([, a], [, b]) => b - a)
  const total = sorted.reduce((sum, [, size]) => sum + size, 0)
  if (total > budget) over += 1
  if (process.argv.includes('--files'))
    for (const [file, size] of sorted) console.log(`${(size / 1000).toFixed(1).padStart(6)}     ${file}`)
  console.log(`${(total / 1000).toFixed(1).padStart(6)} kB  ${name}${total > budget ? `  over the budget of ${budget / 1000} kB` : ''}`)
}

/** The homepage is heaviest once the demo's open data have come and are drawn on it. */
async function untilDataAreDrawn(): Promise<void> {
  const deadline = Date.now() + DATA_WITHIN_MS
  while (!(await (await fetch(product.origin)).text()).includes('data-figure')) {
    if (Date.now() > deadline) throw new Error('No open data were drawn on the homepage')
    await wait(500)
  }
}

try {
  await untilDataAreDrawn()
  for (const path of PAGES) tell(path, await scriptsOf(path), BUDGET)
  const before = await scriptsOf(PROJECT)
  for (const path of SURVEYS) {
    const runner = [...(await scriptsOf(path))].filter(([file]) => !before.has(file))
    tell(`the runner of ${path}`, runner, RUNNER_BUDGET)
  }
} finally {
  await browser.close()
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(
  over ? `${over} are over their budget.` : `Every page is within ${BUDGET / 1000} kB, every runner within ${RUNNER_BUDGET / 1000} kB.`,
)
for (const fault of faults) console.log(fault)
process.exitCode = over + faults.length > 0 ? 1 : 0
