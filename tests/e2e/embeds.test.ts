import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, openPage, signIn, getSiteOrigin } from '#tests/support/browser.ts'

/** Somebody else's website, with whatever code it was given. */
let code = ''
const outside = createServer((_, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html><title>Library</title><h1>Our library</h1>${code}`)
})
beforeAll(async () => {
  outside.listen(0)
  await once(outside, 'listening')
})
afterAll(() => {
  outside.closeAllConnections()
  outside.close()
})
const at = (host: string) => `http://${host}.localhost:${(outside.address() as AddressInfo).port}/`

describe('a survey in another site’s page', () => {
  test('is listed by an administrator, answered there with and without scripts, and shown on no page that is not listed', async () => {
    const admin = await openPage()
    await signIn(admin, 'site.admin')
    await admin.goto('/admin/embeds')
    await admin.getByLabel('Domain', { exact: true }).fill('listed.localhost')
    await admin.getByRole('button', { name: 'Add domain' }).click()
    await admin.getByRole('rowheader', { name: 'listed.localhost' }).waitFor()
    const preview = admin.frameLocator('.embed-preview')
    const choose = async (words: string, title: string) => {
      await admin.getByLabel('What to show').and(admin.locator('button')).click()
      await admin.getByRole('combobox', { name: 'Type to find' }).fill(words)
      await admin.getByRole('option', { name: title }).click()
    }
    await choose('ideas for', 'Ideas for the riverfront (What should the riverfront become?)')
    await preview.getByRole('heading', { name: 'Ideas for the riverfront' }).waitFor()
    expect(await preview.getByRole('listitem').getByRole('link').count()).toBe(5)
    expect(await preview.getByRole('link', { name: 'Add your idea' }).getAttribute('target')).toBe('_blank')
    await choose('your library', 'Your library in Northgate (A library for Northgate)')
    await preview.getByRole('heading', { name: 'Your library in Northgate' }).waitFor()
    await expectAccessible(admin, '.embed-preview')
    code = await admin.getByLabel('Code', { exact: true }).inputValue()

    for (const javaScript of [true, false]) {
      const page = await openPage({ javaScript })
      await page.goto(at('listed'))
      const frame = page.frameLocator('iframe')
      await frame.getByRole('heading', { level: 1, name: 'Your library in Northgate' }).waitFor()
      const height = page.locator('iframe')
      if (javaScript) await expect.poll(async () => (await height.boundingBox())?.height ?? 0).toBeGreaterThan(900)
      await frame.getByRole('button', { name: 'Send' }).click()
      await frame.getByText('There is a problem').waitFor()
      await frame.getByLabel('The old fire station on Cedar Street').check()
      await frame.getByLabel('A quiet reading room').check()
      await frame.getByRole('button', { name: 'Send' }).click()
      await frame.getByRole('heading', { level: 1, name: 'We have received your answers' }).waitFor()
      expect(await page.context().cookies(getSiteOrigin('riverbend'))).toEqual([])
      const receipt = (await frame.locator('.receipt-code').textContent())?.trim() ?? ''
      // What arrived is what the city has.
      await page.goto('/receipt')
      await page.locator('input[name="code"]').fill(receipt)
      await page.locator('form:has(input[name="code"]) [type="submit"]').click()
      await page.getByText('The old fire station on Cedar Street').waitFor()
    }

    const stranger = await openPage()
    await stranger.goto(at('elsewhere'))
    await stranger.frameLocator('iframe').getByRole('heading', { name: 'This page cannot be shown here' }).waitFor()
  })
})
