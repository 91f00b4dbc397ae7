import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chromium, type Response } from 'playwright'
import { findChromium } from './support/chromium.ts'
import { ensureBuilt, startProduct, temporaryFolder } from './support/product.ts'

/**
 * JavaScript that an anonymous visitor's browser loads for each participant page until it is quiet, nothing clicked: gzipped, as it travels
 * with its headers, and in how many files. What a survey is answered with, the runner, has a budget of its own: what its page loads and
 * the page of its project does not. Fails past any of them.
 */
const BUDGET = 164_500
const RUNNER_BUDGET = 40_000
const FILES_BUDGET = 12
const WIRE_BUDGET = 144_500
const PROJECT = '/projects/fern-street'
const PAGES = [
  '/',
  '/projects',
  PROJECT,
  '/projects/riverfront/surveys/riverfront-priorities/results',
  '/hubs',
  '/search',
  '/sign-in',
  '/register',
  '/receipt',
]
const PLACES = '/projects/riverfront/trees'
/** How much may travel (decisions 0239, 0252, 0254, 0261 and 0271) for the list of contributions with its map, the page of one, and the form for a place with its map. */
const CONTRIBUTIONS: readonly [path: string, wire: number][] = [
  [PLACES, 153_300],
  [`${PLACES}/14`, 148_800],
  [`${PLACES}/new`, 168_900],
]
/** Surveys and how much may travel: one of each layout, and one that asks with every type of question. */
const SURVEYS: readonly [path: string, wire: number][] = [
  [`${PROJECT}/surveys/your-trip-your-stop`, 162_800],
  [`${PROJECT}/surveys/the-way-to-your-stop`, 168_700],
]
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

interface Script {
  file: string
  gzipped: number
  /** As the browser received it, with its headers. */
  wire: number
}

/** Each file of script that the page loads in a browser that has loaded nothing before. */
async function loadScripts(path: string): Promise<Script[]> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const scripts: Promise<Script>[] = []
  // A page that is broken is light.
  page.on('pageerror', (error) => faults.push(`${path}: ${error.message}`))
  page.on('response', (answer) => {
    if (answer.headers()['content-type']?.includes('javascript')) scripts.push(measureScript(answer))
  })
  const answer = await page.goto(product.origin + path, { waitUntil: 'networkidle' })
  await page.waitForTimeout(REST_MS)
  const loaded = await Promise.all(scripts)
  if (answer?.status() !== 200) faults.push(`${path}: status ${answer?.status()}`)
  if (loaded.length === 0) faults.push(`${path}: no script was loaded`)
  await context.close()
  return loaded
}

async function measureScript(answer: Response): Promise<Script> {
  const [body, sizes] = await Promise.all([answer.body(), answer.request().sizes()])
  return {
    file: new URL(answer.url()).pathname,
    gzipped: gzipSync(body, { level: 9 }).length,
    wire: sizes.responseBodySize + sizes.responseHeadersSize,
  }
}

const format = (bytes: number) => (bytes / 1000).toFixed(1).padStart(6)
const sum = (scripts: readonly Script[], size: 'gzipped' | 'wire') => scripts.reduce((total, script) => total + script[size], 0)

function tell(name: string, scripts: readonly Script[], budget: number, wireBudget = Infinity): void {
  const [gzipped, wire, files] = [sum(scripts, 'gzipped'), sum(scripts, 'wire'), scripts.length]
  const faulty = [
    gzipped > budget && `more than ${budget / 1000} kB gzipped`,
    wire > wireBudget && `more than ${wireBudget / 1000} kB on the wire`,
    files > FILES_BUDGET && `more than ${FILES_BUDGET} files`,
  ].filter(Boolean)
  if (faulty.length > 0) over += 1
  if (process.argv.includes('--files'))
    for (const script of scripts.toSorted((a, b) => b.wire - a.wire))
      console.log(`${format(script.gzipped)} ${format(script.wire)}     ${script.file}`)
  console.log(`${format(gzipped)} kB, ${format(wire)} on the wire in ${files} files  ${[name, ...faulty].join(': ')}`)
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
  for (const path of PAGES) tell(path, await loadScripts(path), BUDGET, WIRE_BUDGET)
  for (const [path, wireBudget] of CONTRIBUTIONS) tell(path, await loadScripts(path), Infinity, wireBudget)
  const before = new Set((await loadScripts(PROJECT)).map(({ file }) => file))
  for (const [path, wireBudget] of SURVEYS) {
    const scripts = await loadScripts(path)
    tell(path, scripts, Infinity, wireBudget)
    const runner = scripts.filter(({ file }) => !before.has(file))
    tell(`the runner of ${path}`, runner, RUNNER_BUDGET)
  }
} finally {
  await browser.close()
  await product.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(over ? `${over} are over their budget.` : 'Every page and every runner is within its budget.')
for (const fault of faults) console.log(fault)
process.exitCode = over + faults.length > 0 ? 1 : 0
