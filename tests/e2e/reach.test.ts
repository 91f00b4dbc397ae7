import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { getConsoleErrors, expectAccessible, openPage, signIn } from '#tests/support/browser.ts'
import { chooseRecord } from '#tests/support/choose-record.ts'

describe('reach', () => {
  test('a page says that its reader went on once it is shown, not when it was only loaded in advance', async () => {
    const page = await openPage()
    const said: (string | null)[] = []
    const advance: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname === '/seen') said.push(request.postData())
      if (pathname.startsWith('/_serverFn/')) advance.push(pathname)
    })
    await page.goto('/projects')
    const link = page.getByRole('link', { name: 'A faster bus on Fern Street' }).first()
    // Before the page has come to life nothing is loaded in advance: so again until it is.
    await expect
      .poll(async () => {
        await page.mouse.move(0, 0)
        await link.hover()
        return advance.length
      })
      .toBeGreaterThan(0)
    expect(said).toEqual([])
    const taken = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/seen')
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'A faster bus on Fern Street' }).waitFor()
    expect((await taken).status()).toBe(204)
    expect(said).toEqual(['/projects/fern-street'])
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('an administrator reads whom the city reached, by department and project, and takes it along; a department’s sees its own', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/reports/reach')
    await page.getByRole('heading', { level: 1, name: 'Reach' }).waitFor()
    await page.getByRole('rowheader', { name: 'Transportation' }).waitFor()
    await expectAccessible(page)
    const inTable = await page
      .getByRole('row', { name: /^Transportation/ })
      .getByRole('cell')
      .allTextContents()
    await page.getByRole('link', { name: 'Transportation', exact: true }).click()
    await page.getByText(/^Transportation, /).waitFor()
    const figures = await page.locator('.stat-card-value').allTextContents()
    expect(figures).toEqual(inTable)
    expect(await statusAndType(page, (await page.getByRole('link', { name: 'Download as XLSX' }).getAttribute('href')) ?? '')).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ])

    const hubAdmin = await openPage()
    await signIn(hubAdmin, 'hub.admin')
    await hubAdmin.goto('/admin/reports/reach')
    const whole = new URL(page.url()).searchParams.get('place') ?? ''
    await chooseRecord(page, 'Place', 'Riverbend')
    await expect.poll(() => new URL(page.url()).searchParams.get('place')).not.toBe(whole)
    const place = new URL(page.url()).searchParams.get('place') ?? ''
    expect((await statusAndType(hubAdmin, `/admin/reports/reach.xlsx?place=${place}`))[0]).toBe(404)
    expect((await statusAndType(hubAdmin, `/admin/reports/reach.xlsx?place=${whole}`))[0]).toBe(200)
    expect(getConsoleErrors(page)).toEqual([])
  })
})

const statusAndType = (page: Page, address: string) =>
  page.evaluate(async (path) => {
    const answer = await fetch(path)
    return [answer.status, answer.headers.get('content-type')] as const
  }, address)
