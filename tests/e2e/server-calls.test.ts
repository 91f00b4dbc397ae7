import { expect, test } from 'vitest'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
let count = 0

const FILE = '**/assets/server-calls-*.js'

/** A page, and how often it has asked for the code that calls server functions. */
async function openPage(connected = true) {
  const { page } = await product.visit(await addSite(db.runtime, { slug: `calls-${++count}` }))
  const line = { connected, requests: 0 }
  await page.route(FILE, (route) => {
    line.requests += 1
    return line.connected ? route.continue() : route.abort()
  })
  await page.goto('/cookies', { waitUntil: 'networkidle' })
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).first()
  return { page, line, link, heading: page.locator('h1') }
}

test('the code that calls server functions is loaded at the first sign of use, not with the page', async () => {
  const { page, line } = await openPage()
  await page.waitForTimeout(1500)
  expect(line.requests).toBe(0)
  await page.keyboard.press('Tab')
  await expect.poll(() => line.requests).toBe(1)
})

test('a link that is followed without any sign before still opens its page in the browser', async () => {
  const { page, link, heading } = await openPage()
  await page.evaluate(() => Object.assign(window, { stayed: true }))
  await link.evaluate((element: HTMLElement) => element.click())
  await expect.poll(() => heading.innerText()).toContain('Projects')
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
})

test('if the connection was lost at the first sign of use, the next call loads it', async () => {
  const { page, line, link, heading } = await openPage(false)
  await page.keyboard.press('Tab')
  await expect.poll(() => line.requests).toBe(1)
  line.connected = true
  await link.click()
  await expect.poll(() => heading.innerText()).toContain('Projects')
  expect(line.requests).toBe(2)
})
