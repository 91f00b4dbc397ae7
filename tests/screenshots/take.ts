import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { DEMO_PASSWORD } from '#app/cli/demo/demo-accounts.ts'
import { findChromium } from '#tests/support/chromium.ts'

/** `npm run screenshots`: takes the pictures of the README from the demo that runs on this machine (`PORT`, or 3000). */
const ORIGIN = `http://localhost:${process.env['PORT'] ?? 3000}`
const [SCREEN, PHONE] = [
  { width: 1280, height: 960 },
  { width: 390, height: 780 },
]

interface Shot {
  file: string
  path: string
  size: typeof SCREEN
  /** What to do on the page before the picture is taken. */
  prepare?: (page: Page) => Promise<unknown>
}

const SHOTS: Shot[] = [
  { file: 'home', path: '/', size: SCREEN },
  {
    file: 'survey',
    path: '/projects/fern-street/surveys/your-trip-your-stop',
    size: PHONE,
    prepare: async (page) => {
      await page
        .getByRole('button', { name: 'Start' })
        .or(page.getByRole('link', { name: 'Start' }))
        .click()
      await page.getByRole('radio').first().check()
    },
  },
  {
    file: 'map',
    path: '/projects/riverfront/trees',
    size: SCREEN,
    prepare: (page) =>
      page
        .getByRole('heading', { name: 'Places on the map' })
        .evaluate((heading) => window.scrollBy(0, heading.getBoundingClientRect().top - 60)),
  },
  { file: 'admin', path: '/admin', size: SCREEN },
]

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
const headers = { 'content-type': 'application/vnd.api+json', accept: 'application/vnd.api+json' }
const session = await fetch(`${ORIGIN}/api/v2/sessions`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ data: { type: 'sessions', attributes: { email: 'site.admin@riverbend.example', password: DEMO_PASSWORD } } }),
})
const { data } = (await session.json()) as { data: { attributes: { token: string } } }

for (const { file, path, size, prepare } of SHOTS) {
  const context = await browser.newContext({
    baseURL: ORIGIN,
    viewport: size,
    deviceScaleFactor: size === PHONE ? 2 : 1,
    locale: 'en',
    reducedMotion: 'reduce',
  })
  // Without the question about cookies.
  await context.addCookies([{ name: 'consent', value: 'denied', url: ORIGIN }])
  if (path.startsWith('/admin')) await context.addCookies([{ name: 'token', value: data.attributes.token, url: ORIGIN, httpOnly: true }])
  const page = await context.newPage()
  await page.goto(path, { waitUntil: 'networkidle' })
  await prepare?.(page)
  const picture = await page.screenshot({ animations: 'disabled' })
  await sharp(picture)
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(join(import.meta.dirname, `${file}.png`))
  await context.close()
}
await browser.close()
