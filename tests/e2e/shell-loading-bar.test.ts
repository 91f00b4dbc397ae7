import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
let count = 0

const BAR = '#nprogress'

/** A page with a link to another one, whose data the test holds back. */
async function holding(options: { reducedMotion?: 'reduce' } = {}) {
  const site = await addSite(db.runtime, { slug: `bar-${++count}` })
  const visitor = await product.visit(site, options)
  const { page } = visitor
  const { promise: gate, resolve: release } = Promise.withResolvers<'continue' | 'abort'>()
  await page.route('**/_serverFn/**', async (route) => route[await gate]())
  await page.goto('/cookies')
  await page.waitForTimeout(1500)
  return {
    ...visitor,
    release,
    leave: async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).first().click()
      await page.locator(BAR).waitFor({ state: 'attached' })
    },
  }
}

const state = (page: Page) => page.locator(BAR).getAttribute('data-state')

/** How much of the width is filled `ms` after the start: the animation is put at that moment. */
const filledAt = (page: Page, ms: number) =>
  page.locator(`${BAR} .bar`).evaluate((bar, at) => {
    for (const animation of bar.getAnimations()) {
      animation.pause()
      animation.currentTime = at
    }
    return bar.getBoundingClientRect().right / window.innerWidth
  }, ms)

describe('the loading bar', () => {
  it('is not there until a route is on its way', async () => {
    const { page } = await holding()
    expect(await page.locator(BAR).count()).toBe(0)
  })

  it('fills towards 95 % over 8 seconds while the route loads', async () => {
    const { page, leave } = await holding()
    await leave()
    expect(await state(page)).toBe('loading')
    expect(await filledAt(page, 0)).toBeCloseTo(0, 2)
    const [early, late] = [await filledAt(page, 1000), await filledAt(page, 4000)]
    expect(early).toBeGreaterThan(0.1)
    expect(late).toBeGreaterThan(early)
    expect(late).toBeLessThan(0.95)
    expect(await filledAt(page, 7999)).toBeCloseTo(0.95, 2)
  })

  it('jumps to full, fades, and is gone 250 ms after the route has come', async () => {
    const { page, leave, release } = await holding()
    await leave()
    const story = page.evaluate(
      () =>
        new Promise<{ filled: number; fade: number; gone: number }>((resolve) => {
          let done: { at: number; filled: number; fade: number } | undefined
          const look = () => {
            const bar = document.querySelector('#nprogress')
            if (!done && bar?.getAttribute('data-state') === 'done') {
              const filled = (bar.firstElementChild?.getBoundingClientRect().right ?? 0) / window.innerWidth
              const [animation] = bar.getAnimations()
              done = { at: performance.now(), filled, fade: Number(animation?.effect?.getTiming().duration) }
            }
            if (done && !bar) return resolve({ filled: done.filled, fade: done.fade, gone: performance.now() - done.at })
            return requestAnimationFrame(look)
          }
          look()
        }),
    )
    release('continue')
    const { filled, fade, gone } = await story
    expect(filled).toBeCloseTo(1, 2)
    expect(fade).toBe(250)
    expect(gone).toBeGreaterThan(200)
    expect(await page.locator('h1').innerText()).toContain('Projects')
  })

  it('is done as well when the route fails', async () => {
    const { page, leave, release } = await holding()
    await leave()
    release('abort')
    await page.locator(BAR).waitFor({ state: 'detached' })
    expect(await page.locator('h1').innerText()).toBe('Something went wrong on our side')
  })

  it('lies over the page and shifts nothing', async () => {
    const { page, leave } = await holding()
    const place = () => page.locator('h1').boundingBox()
    const before = await place()
    await leave()
    expect(await place()).toEqual(before)
    const bar = await page.locator(BAR).boundingBox()
    expect(bar).toMatchObject({ x: 0, y: 0 })
    expect(bar?.height).toBeLessThanOrEqual(4)
  })

  it('does not move for those who ask for less motion', async () => {
    const { page, leave } = await holding({ reducedMotion: 'reduce' })
    await leave()
    expect(await page.locator(`${BAR} .bar`).evaluate((bar) => bar.getAnimations().length)).toBe(0)
    expect(await filledAt(page, 0)).toBeCloseTo(0.95, 2)
  })
})
