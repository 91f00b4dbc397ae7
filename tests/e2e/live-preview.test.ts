import { describe, expect, test } from 'vitest'
import { consoleErrors, expectAccessible, newPage, signIn, siteOrigin } from '#tests/support/browser.ts'

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>[x](javascript:window.hacked=1)'

describe('the live preview', () => {
  test('is nobody’s but the editors’, is framed by its own site alone, and is neither kept nor indexed', async () => {
    const visitor = await newPage()
    expect((await visitor.goto('/live-preview/home'))?.status()).toBe(404)
    const page = await newPage()
    await signIn(page, 'site.admin')
    const answer = await page.goto('/live-preview/home')
    expect(answer?.status()).toBe(200)
    const headers = await answer?.allHeaders()
    expect(headers?.['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(headers?.['x-robots-tag']).toContain('noindex')
    expect(headers?.['cache-control']).toContain('no-store')
    expect((await page.goto('/'))?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('shows the draft as a visitor or a participant sees it, in another language, without changing the editor’s own', async () => {
    const page = await newPage()
    await signIn(page, 'site.admin')
    await page.goto('/live-preview/home?lng=fr-CA&as=participant')
    await page
      .getByRole('link', { name: /Alex Doe/ })
      .first()
      .waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA')
    await expectAccessible(page)
    await page.goto('/live-preview/home?as=visitor')
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })

  test('selects both ways, follows no link, and lets words be typed over where they stand', async () => {
    const page = await newPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/homepage')
    const frame = page.frameLocator('.preview-frame iframe')
    // The frame has answered once the selected block is outlined.
    await page.locator('.preview-outline').waitFor()
    const grid = frame.getByRole('heading', { level: 2, name: 'Open now' })
    await grid.click()
    await page.getByRole('heading', { level: 2, name: 'Project grid' }).waitFor()
    await grid.dblclick()
    await page.keyboard.type('What is open')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('textbox', { name: 'Heading' }).inputValue()).toBe('What is open')
    await frame.getByRole('heading', { level: 2, name: 'What is open' }).waitFor()
    await frame.getByRole('link', { name: 'All departments' }).click()
    await page.getByText(/This one leads to .*hubs/).waitFor()
    await page.getByText('Draft, saved').waitFor()
    expect(consoleErrors(page)).toEqual([])
  })

  test('what is hostile is shown as the text it is, in the preview and on the page', async () => {
    const page = await newPage({ site: 'harbour' })
    await signIn(page, 'site.admin')
    await page.goto('/admin/homepage')
    const frame = page.frameLocator('.preview-frame iframe')
    await frame.getByRole('heading', { level: 1 }).first().waitFor()
    for (const kind of ['Text', 'Call to action', 'Picture with text', 'Questions and answers', 'Voices', 'Contact', 'Video', 'Embed']) {
      // oxlint-disable no-await-in-loop -- one after the other, as a person would
      await page.getByRole('button', { name: 'Add a block' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: new RegExp(`^${kind}`) })
        .first()
        .click()
      const item = page.getByRole('button', { name: 'Add one more' })
      if (await item.isVisible()) await item.click()
      for (const field of await page.locator('.block-form').getByRole('textbox').all()) await field.fill(HOSTILE)
    }
    await frame.getByText('<script>').first().waitFor()
    const ran = await Promise.all(page.frames().map((one) => one.evaluate(() => 'hacked' in window)))
    expect(ran).toEqual(ran.map(() => false))
    // An address that is none is refused by its field; the rest of the page stays as it was.
    await page
      .getByText(/cannot be saved|cannot be shown/)
      .first()
      .waitFor()
  })

  test('hears nobody but the window that frames it', async () => {
    const page = await newPage()
    await signIn(page, 'site.admin')
    await page.goto('/live-preview/home')
    const before = await page.getByRole('heading', { level: 1 }).textContent()
    await page.evaluate((origin) => {
      const session = 'session-of-a-stranger'
      for (const message of [{ kind: 'ack' }, { kind: 'init', sequence: 0, blocks: [], tokens: null }]) {
        window.postMessage({ parley: 'live-preview', version: 1, session, ...message }, origin)
      }
    }, siteOrigin('riverbend'))
    await page.waitForTimeout(300)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(before)
  })
})
