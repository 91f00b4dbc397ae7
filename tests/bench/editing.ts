import { type Browser, chromium, type Frame, type Page } from 'playwright'
import { type HomeBlock, createBlock } from '#app/features/homepage/homepage.schema.ts'
import { DEMO_PASSWORD } from '#app/cli/demo/demo-accounts.ts'
import { findChromium } from '#tests/support/chromium.ts'
import { callApi } from '#tests/support/remote-api.ts'
import type { BenchSetup } from './setup.ts'
import { type Measurement, roundTo } from './measurement.ts'

const BLOCKS = 100
const GRIDS = 10
const PRESSES = 60
const COLORS = 40
const PUBLICATIONS = 5
/** The promised times for editors in milliseconds, at the 95th percentile. */
const PROMISED = { tokens: 50, text: 100, data: 500, published: 1000 }

/** From a key press to the preview, on a page of a hundred blocks; and from publishing to what visitors see. */
export const editing: Measurement = {
  name: 'editing',
  needsChromium: true,
  run: async (ground) => {
    const revision = await savePage(ground)
    const executablePath = findChromium()
    if (!executablePath) throw new Error('Measuring the editor needs Chromium')
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const page = await openEditor(browser, ground, '/admin/homepage')
      const text = await measureText(page)
      const data = await measureData(page)
      await page.goto('/admin/appearance')
      const tokens = await measureTokens(page)
      const published = await measurePublishing(ground, revision)
      const found = { tokens: computeP95(tokens), text: computeP95(text), data: computeP95(data), published: computeP95(published) }
      const names = Object.keys(PROMISED) as (keyof typeof PROMISED)[]
      return {
        summary: `From the key to the preview of a page with ${BLOCKS} blocks, and from publishing to what a visitor sees, against what was promised`,
        ratios: Object.fromEntries(names.map((name) => [name, roundTo(found[name] / PROMISED[name], 3)])),
        values: Object.fromEntries(
          names.flatMap((name) => [
            [`${name}P95`, roundTo(found[name], 1)],
            [`${name}Promised`, PROMISED[name]],
          ]),
        ),
        faults: names
          .filter((name) => found[name] > PROMISED[name])
          .map((name) => `${name}: ${Math.round(found[name])} ms, more than the promised ${PROMISED[name]}`),
      }
    } finally {
      await browser.close()
    }
  },
}

const computeP95 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0

const inBothLanguages = (text: string) => ({ en: text, 'fr-CA': text })

/** Mostly texts, with some blocks that load data. */
const blocks: HomeBlock[] = Array.from({ length: BLOCKS }, (_, at): HomeBlock => {
  const id = `m_${at}`
  if (at === 0) return { ...(createBlock('hero', id) as HomeBlock<'hero'>), title: inBothLanguages('A hundred blocks') }
  if (at <= GRIDS) {
    return { ...(createBlock('project_grid', id) as HomeBlock<'project_grid'>), title: inBothLanguages(`Grid ${at}`), limit: at + 2 }
  }
  if (at % 3 === 0) return { ...(createBlock('call_to_action', id) as HomeBlock<'call_to_action'>), title: inBothLanguages(`Call ${at}`) }
  return { ...(createBlock('rich_text', id) as HomeBlock<'rich_text'>), body: inBothLanguages(`Words of block ${at}`) }
})

async function savePage({ product, administrator }: BenchSetup): Promise<string> {
  const { data } = await callApi<{ data: { id: string }[] }>(
    product,
    'GET',
    '/homepage-revisions?filter[ofSite]=true&page[size]=1',
    administrator,
  )
  const parent = data[0] && { parent: { data: { type: 'homepage-revisions', id: data[0].id } } }
  const saved = await callApi<{ data: { id: string } }>(product, 'POST', '/homepage-revisions', administrator, {
    data: { type: 'homepage-revisions', attributes: { content: { schema: 2, blocks } }, relationships: { ...parent } },
  })
  return saved.data.id
}

async function openEditor(browser: Browser, { product }: BenchSetup, path: string): Promise<Page> {
  const page = await browser.newPage({ baseURL: product.origin, viewport: { width: 1280, height: 900 } })
  await page.goto('/sign-in')
  await page.locator('input[name="email"]').fill('site.admin@riverbend.example')
  await page.locator('input[name="password"]').fill(DEMO_PASSWORD)
  await Promise.all([
    page.waitForURL((url) => !url.pathname.endsWith('/sign-in')),
    page.locator('form:has(input[name="password"]) [type="submit"]').click(),
  ])
  await page.goto(path)
  return page
}

/** The preview's frame, once it has loaded. Both documents timestamp events on the same clock. */
async function waitForPreview(page: Page): Promise<Frame> {
  const element = await page.locator('.preview-frame iframe').first().elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('The editor has no preview')
  await frame.locator('h1').first().waitFor()
  await page.evaluate(() => {
    const told = globalThis as { pressedAt?: number }
    const press = () => (told.pressedAt = performance.timeOrigin + performance.now())
    window.addEventListener('keydown', press, true)
    window.addEventListener('input', press, true)
  })
  return frame
}

/** Time from `act` until the preview has redrawn `selector`. */
async function measureRedraw(page: Page, frame: Frame, selector: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => delete (globalThis as { pressedAt?: number }).pressedAt)
  const drawn = frame.evaluate(
    (where) =>
      new Promise<number>((resolve, reject) => {
        const place = document.querySelector(where)
        if (!place) return reject(new Error(`Nothing is at ${where}`))
        const watcher = new MutationObserver(() => {
          watcher.disconnect()
          // A task queued in an animation frame runs after that frame's styles, layout and painting.
          requestAnimationFrame(() => {
            const after = new MessageChannel()
            after.port1.addEventListener('message', () => resolve(performance.timeOrigin + performance.now()))
            after.port1.start()
            after.port2.postMessage(null)
          })
        })
        watcher.observe(place, { childList: true, characterData: true, subtree: true })
        setTimeout(() => reject(new Error(`Nothing changed at ${where}`)), 10_000)
      }),
    selector,
  )
  await frame.evaluate(() => new Promise(requestAnimationFrame))
  await act()
  const at = await drawn
  const pressed = await page.evaluate(() => (globalThis as { pressedAt?: number }).pressedAt ?? 0)
  return at - pressed
}

async function measureText(page: Page): Promise<number[]> {
  await page.locator('.preview-outline').waitFor()
  const frame = await waitForPreview(page)
  await page.locator('.reorderable-item', { hasText: 'Words of block 50' }).click()
  const field = await findFormField(page, 'textarea', 'Words of block 50')
  await field.focus()
  const times: number[] = []
  for (let press = 0; press < PRESSES; press++) {
    times.push(await measureRedraw(page, frame, '[data-block="m_50"]', () => page.keyboard.press('x')))
  }
  return times
}

async function measureData(page: Page): Promise<number[]> {
  const frame = await waitForPreview(page)
  const times: number[] = []
  for (let grid = 1; grid <= GRIDS; grid++) {
    await page
      .locator('.reorderable-item')
      .filter({ has: page.getByText(`Grid ${grid}`, { exact: true }) })
      .click()
    await findFormField(page, 'input', `Grid ${grid}`)
    const filter = page.locator('.editor-form select').first()
    for (const choice of ['results', 'newest', 'open']) {
      times.push(await measureRedraw(page, frame, `[data-block="m_${grid}"]`, () => filter.selectOption(choice)))
    }
  }
  return times
}

/** The first field of the selected block, once it contains this value. */
async function findFormField(page: Page, kind: 'input' | 'textarea', value: string) {
  const field = page.locator(`.editor-form ${kind}`).first()
  await page.waitForFunction(([kind, value]) => document.querySelector<HTMLInputElement>(`.editor-form ${kind}`)?.value === value, [
    kind,
    value,
  ] as const)
  return field
}

async function measureTokens(page: Page): Promise<number[]> {
  const frame = await waitForPreview(page)
  const times: number[] = []
  const field = page.locator('input[type="color"]').first()
  await page.getByText('Draft saved').waitFor()
  for (let at = 0; at < COLORS; at++) {
    const color = `#14${(0x51 + (at % 2)).toString(16)}${(0x40 + at).toString(16)}`
    times.push(await measureRedraw(page, frame, 'body', () => field.fill(color)))
  }
  return times
}

async function measurePublishing({ product, administrator }: BenchSetup, first: string): Promise<number[]> {
  const times: number[] = []
  let parent = await findNewestRevision({ product, administrator }, first)
  for (let at = 0; at < PUBLICATIONS; at++) {
    const title = `Published ${at}`
    const content = { schema: 2, blocks: [{ id: 'a', type: 'hero', title: inBothLanguages(title), text: {} }] }
    const saved = await callApi<{ data: { id: string } }>(product, 'POST', '/homepage-revisions', administrator, {
      data: {
        type: 'homepage-revisions',
        attributes: { content },
        relationships: { parent: { data: { type: 'homepage-revisions', id: parent } } },
      },
    })
    parent = saved.data.id
    await callApi(product, 'POST', '/homepage-publications', administrator, {
      data: { type: 'homepage-publications', relationships: { revision: { data: { type: 'homepage-revisions', id: parent } } } },
    })
    const from = performance.now()
    while (!(await (await fetch(`${product.origin}/`)).text()).includes(title)) {
      if (performance.now() - from > 10_000) throw new Error('What was published is not seen')
    }
    times.push(performance.now() - from)
  }
  return times
}

async function findNewestRevision(
  { product, administrator }: Pick<BenchSetup, 'product' | 'administrator'>,
  otherwise: string,
): Promise<string> {
  const { data } = await callApi<{ data: { id: string }[] }>(
    product,
    'GET',
    '/homepage-revisions?filter[ofSite]=true&page[size]=1',
    administrator,
  )
  return data[0]?.id ?? otherwise
}
