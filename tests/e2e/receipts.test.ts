import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectUsable, openPage, takePartBefore } from '#tests/support/browser.ts'

const ACTIVITY = '/projects/riverfront/ideas'

async function sendIdea(page: Page, title: string): Promise<void> {
  await page.goto(`${ACTIVITY}/new`)
  await page.getByLabel('Give your idea a title').fill(title)
  await page.getByLabel('What is your idea?').fill('Low, round and made of oak.')
  await page.getByLabel('Anonymously').check()
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.getByRole('heading', { name: 'We have your idea' }).waitFor()
}

const readSteps = async (page: Page) => (await page.locator('.receipt-steps').innerText()).replaceAll(/\s+/g, ' ')

test('without JavaScript, the receipt of an idea says what happens next, is emailed, and leads to what others said', async () => {
  const page = await openPage({ javaScript: false, width: 360 })
  await page.goto(ACTIVITY)
  await takePartBefore(page)
  await sendIdea(page, `Stools under the limes ${Date.now()}`)
  expect(await readSteps(page)).toMatch(
    /^Is it public\? It is not public yet\. Someone from the team reads it and decides by .+ Is it answered\? Not yet\./,
  )
  expect(await readSteps(page)).toContain('Nothing has been decided yet.')
  await page.getByText('It is not linked to an account, so we cannot write to you.').waitFor()
  await page.getByText('everyone on the team who can decide is reminded by email').waitFor()
  expect(await page.getByRole('button', { name: 'Copy code' }).count()).toBe(0)

  // A wrong address is named and stays; a right one gets the code.
  await page.locator('summary', { hasText: 'Send me the code by email' }).click()
  await page.getByLabel('Email address').fill('nobody')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByRole('link', { name: 'Enter an email address, such as name@example.org' }).waitFor()
  expect(await page.getByLabel('Email address').inputValue()).toBe('nobody')
  await page.getByLabel('Email address').fill(`stools-${Date.now()}@example.org`)
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByText('We have sent the code').waitFor()

  await page.getByRole('link', { name: 'Follow this project' }).click()
  await page.getByLabel('Email address').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'What others said' }).click()
  await page.locator('.contribution-list').waitFor()
})

test('its code is copied and printed; on paper, the receipt has neither banner nor buttons', async () => {
  const page = await openPage()
  // Other journeys use the machine's one clipboard at the same time.
  await page.addInitScript(() => {
    navigator.clipboard.writeText = async (text) => document.documentElement.setAttribute('data-copied', text)
    window.print = () => document.documentElement.setAttribute('data-printed', 'yes')
  })
  await sendIdea(page, `Stools in the sun ${Date.now()}`)
  const code = (await page.locator('.receipt-code code').textContent()) ?? ''
  await page.getByRole('button', { name: 'Copy code' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  expect(await page.locator('html').getAttribute('data-copied')).toBe(code)
  await page.getByRole('button', { name: 'Print' }).click()
  await page.locator('html[data-printed="yes"]').waitFor()
  await page.locator('summary', { hasText: 'Send me the code by email' }).click()
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByRole('link', { name: 'Enter your email address' }).waitFor()
  await expectUsable(page)
  await page.emulateMedia({ media: 'print' })
  expect(await listShownTools(page)).toEqual([])
  expect(await page.locator('.receipt-code').isVisible()).toBe(true)
  expect(await page.locator('.receipt-where').isVisible()).toBe(true)
  expect(await page.locator('.print-address').isVisible()).toBe(false)
})

test.each(['/projects/riverfront', ACTIVITY, `${ACTIVITY}/1`, '/receipt'])(
  'on paper, %s has its address once, and neither banner, button, bar nor form for finding',
  async (path) => {
    const page = await openPage({ width: 794 })
    await page.goto(path)
    expect(await page.locator('.print-head').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await listShownTools(page)).toEqual([])
    expect(await page.locator('h1').isVisible()).toBe(true)
    const words = await page.locator('body').innerText()
    expect(words.split(`${new URL(page.url()).host}${path}`)).toHaveLength(2)
    const after = await page
      .locator('main a')
      .evaluateAll((links) => links.map((link) => getComputedStyle(link, '::after').content).filter((content) => content.includes('http')))
    expect(after).toEqual([])
  },
)

/** What stands on the page although nobody can use it on paper. */
const listShownTools = (page: Page): Promise<string[]> =>
  page
    .locator(
      '[role="banner"], body > header, .site-header, .site-footer, .consent, .breadcrumbs, .pagination, .survey-bar, search, button, .button',
    )
    .evaluateAll((tools) => tools.filter((tool) => tool.checkVisibility()).map((tool) => `${tool.className} ${tool.textContent}`))
