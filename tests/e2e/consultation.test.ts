import { describe, expect, test } from 'vitest'
import { type DemoSite, expectAccessible, getConsoleErrors, openPage, signIn, takePartBefore } from '#tests/support/browser.ts'
import { requireMailedLink } from '#tests/support/mails.ts'

/**
 * The whole of it on each site: a visitor reads, registers (the confirmation waits in the outbox), answers without JavaScript and
 * keeps a receipt; the site's administrator sees the answer counted.
 */
const SITES: [DemoSite, string][] = [
  ['riverbend', 'en'],
  ['riverbend', 'fr-CA'],
  ['dyffryn', 'cy'],
  ['harbour', 'en'],
]

describe.each(SITES)('a consultation at %s in %s', (site, language) => {
  const prefix = `/${language}`

  test('is read, answered without JavaScript, and found again by its receipt', async () => {
    const page = await openPage({ site, javaScript: false, width: 360 })
    const home = await page.goto(prefix)
    expect(home?.status()).toBe(200)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    const survey = await openSurvey(page, prefix)
    await page.goto(survey)
    await answerAndSend(page)
    expect(new URL(page.url()).pathname, await page.locator('main').innerText()).toMatch(/receipt/)
    const code = (await page.locator('main').innerText()).match(/[0-9A-Z]{4}(-[0-9A-Z]{4}){3,}/)?.[0]
    expect(code).toBeDefined()
    // From there one follows the project, shares it or takes part elsewhere; every footer leads back to it.
    const project = /projects\/([^/]+)/.exec(survey)?.[1] ?? ''
    const main = page.locator('main')
    for (const href of [`/follow?project=${project}`, 'mailto:', 'sms:', 'https://wa.me/'])
      expect(await main.locator(`a[href*="${href}"]`).count(), href).toBe(1)
    const others = main.locator(`section[aria-labelledby="others"] a[href^="${prefix}/projects/"]`)
    expect(await others.count()).toBeGreaterThan(0)
    const led = await others.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(led).not.toContain(`${prefix}/projects/${project}`)
    expect(await page.locator('footer a[href$="/receipt"]').count()).toBe(1)
    const later = await openPage({ site, javaScript: false })
    await later.goto(`${prefix}/receipt`)
    await later
      .locator('main input[type="text"]')
      .first()
      .fill(code ?? '')
    await later.locator('main form [type="submit"]').click()
    await expect.poll(() => later.locator('main').innerText()).toContain(code ?? '-')
  })

  test('its pages are accessible, at home in a phone, and silent in the console', async () => {
    const page = await openPage({ site, width: 360 })
    const survey = await openSurvey(page, prefix)
    for (const path of [
      prefix,
      `${prefix}/projects`,
      survey.replace(/\/surveys\/.*/, ''),
      survey,
      `${prefix}/hubs`,
      `${prefix}/sign-in`,
      `${prefix}/register`,
    ]) {
      await page.goto(path, { waitUntil: 'networkidle' })
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360)
      await expectAccessible(page)
    }
    expect(getConsoleErrors(page)).toEqual([])
  })
})

test('somebody registers; the mail that confirms it stands in the outbox without its secret, and its link works', async () => {
  const email = `visitor.${Date.now()}@example.org`
  const visitor = await openPage({ javaScript: false })
  await visitor.goto('/register')
  await visitor.locator('input[name="login"]').fill('Visitor')
  await visitor.locator('input[name="email"]').fill(email)
  await visitor.locator('input[name="password"]').fill('a long river of words')
  await visitor.locator('main form [type="submit"]').click()
  expect(new URL(visitor.url()).pathname).toBe('/check-mail')

  const admin = await openPage()
  await signIn(admin, 'site.admin')
  await admin.goto('/admin/outbox')
  await admin
    .getByRole('row', { name: new RegExp(email) })
    .getByRole('link')
    .click()
  const link = await requireMailedLink(email, 'confirm-email')
  const shown = await admin.locator('article').innerText()
  expect(shown).toContain('/confirm-email?token=…')
  expect(await admin.content()).not.toContain(new URL(link).searchParams.get('token'))
  await visitor.goto(link)
  const confirm = visitor.locator('main form[method="post"] [type="submit"]')
  if (await confirm.count()) await confirm.first().click()
  await visitor.goto('/sign-in')
  await visitor.locator('input[name="email"]').fill(email)
  await visitor.locator('input[name="password"]').fill('a long river of words')
  await visitor.locator('form:has(input[name="password"]) [type="submit"]').click()
  await visitor.goto('/account')
  expect(await visitor.locator('main').innerText()).toContain('Visitor')
})

test('the administrator sees an answer counted', async () => {
  const admin = await openPage({ site: 'harbour' })
  await signIn(admin, 'site.admin')
  const answers = async () => {
    await admin.goto('/admin')
    const card = admin.locator('.stat-card').first()
    await card.waitFor()
    return Number((await card.locator('.stat-card-value').innerText()).replaceAll(/\D/g, ''))
  }
  const before = await answers()
  const visitor = await openPage({ site: 'harbour', javaScript: false })
  await visitor.goto(await openSurvey(visitor, '/en'))
  await answerAndSend(visitor)
  await visitor.waitForURL(/receipt/)
  expect(await answers()).toBe(before + 1)
})

type Page = Awaited<ReturnType<typeof openPage>>

/** Address of a survey that anybody may answer now, found as a person finds it: from the list of open projects. */
async function openSurvey(page: Page, prefix: string): Promise<string> {
  await page.goto(`${prefix}/projects?status=open`)
  const projects = await page
    .locator('main article a[href*="/projects/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  for (const project of projects) {
    await page.goto(project)
    const survey = page.locator('main a[href*="/surveys/"]').first()
    if (!(await survey.count())) continue
    const href = (await survey.getAttribute('href')) ?? ''
    await page.goto(href)
    if (await page.locator('main form[method="post"] [type="submit"], .survey-start a').count()) return href
  }
  throw new Error('No open survey was found')
}

/** Answers whatever is asked, on one page or one question after the other, and sends it. */
async function answerAndSend(page: Page): Promise<void> {
  await takePartBefore(page)
  const start = page.locator('.survey-start a')
  if (await start.count()) await start.click()
  for (let step = 0; step < 40 && !page.url().includes('/receipt'); step += 1) {
    await answerRequired(page)
    await page.locator('main form[method="post"] [type="submit"]').first().click()
    await page.waitForLoadState()
  }
}

/** Takes the first choice and writes a word wherever an answer is asked for. */
async function answerRequired(page: Page): Promise<void> {
  const form = page.locator('main form[method="post"]').last()
  const radios = await form
    .locator('input[type="radio"]')
    .evaluateAll((all) => [...new Set(all.map((one) => (one as HTMLInputElement).name))])
  for (const name of radios) await form.locator(`input[type="radio"][name="${name}"]`).first().check({ force: true })
  const boxes = await form
    .locator('input[type="checkbox"]')
    .evaluateAll((all) => [...new Set(all.map((one) => (one as HTMLInputElement).name))])
  for (const name of boxes) await form.locator(`input[type="checkbox"][name="${name}"]`).first().check({ force: true })
  const written = form.locator('textarea[name^="q."], input[type="text"][name^="q."]:not([name*="other"])')
  for (const field of await written.all()) await field.fill('More shade, please.')
}

test('a place is shown on the map of the site’s own areas, by keys or a press, and the fields say the same', async () => {
  const page = await openPage({ site: 'dyffryn', width: 360 })
  const map = page.getByRole('application', { name: 'Map of the areas' })
  // The areas are copied from the demo's own portal once it runs.
  const drawn = async () => {
    await page.goto('/en/projects/bws-y-cwm/surveys/y-ffordd-i-ch-arhosfan?step=q_place', { waitUntil: 'networkidle' })
    return map.count()
  }
  await expect.poll(drawn, { interval: 1000 }).toBe(1)
  const point = async () => {
    const values = await Promise.all(['lat', 'lng'].map((part) => page.locator(`[name="q.q_place.${part}"]`).inputValue()))
    return values.map(Number)
  }
  expect(await point()).toEqual([0, 0])
  await map.focus()
  await page.keyboard.press('ArrowRight')
  const [lat = 0, lng = 0] = await point()
  expect([lat > 52.65 && lat < 52.72, lng > -3.82 && lng < -3.73]).toEqual([true, true])
  await page.getByText('Your point is in Llan-y-Cwm').waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  const [north = 0, east = 0] = await point()
  expect([north > lat, east > lng]).toEqual([true, true])
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await map.click({ position: { x: 20, y: 20 } })
  expect((await point())[1]).toBeLessThan(east)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove point' }).click()
  await page.getByText('No point yet').waitFor()
  expect(await point()).toEqual([0, 0])
})
