import mammoth from 'mammoth'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { expectAccessible, getConsoleErrors, openPage, signIn } from '#tests/support/browser.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

const PROJECTS = ['A faster bus on Fern Street', 'What should the riverfront become?']

/** The file behind a link, as the browser downloads it. */
async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).first().click()])
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const readRow = async (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Figures of each project' })
    .getByRole('row', { name: new RegExp(`^${name.replace('?', '\\?')}`) })
    .getByRole('cell')
    .allTextContents()

describe('reports', () => {
  test('an officer makes a report over two projects, saves it, reads it, and takes it along as PDF and DOCX', async () => {
    const title = `Streets *2026* #${Date.now()}`
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/reports')
    await page.getByRole('heading', { level: 1, name: 'What happened at Riverbend' }).waitFor()
    await page.getByRole('button', { name: /^Projects/ }).click()
    for (const project of PROJECTS) {
      await page.getByRole('combobox').or(page.getByRole('searchbox')).last().fill(project)
      await page.getByRole('option', { name: project }).click()
    }
    // A press outside closes the list.
    await page.mouse.click(1200, 880)
    await page.getByLabel('Period', { exact: true }).selectOption({ label: 'The last 90 days' })
    await page.getByText('For the committee', { exact: true }).click()
    await page.getByLabel('Title of the report').fill(title)
    await page.getByLabel('Line at the head of each page').fill('Item #7')
    await page.getByRole('button', { name: 'Show the report' }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText('looked at 2 projects').waitFor()
    await expectAccessible(page)
    const [engaged, total] = [await readRow(page, PROJECTS[0] ?? ''), await readRow(page, 'All together')]
    const read = await readPdf(await download(page, 'PDF, accessible'))
    expect(read).toMatchObject({ language: 'en', title })
    // A cell of several lines is read as one word after the other.
    const cells = read.texts('TD').join('|').replaceAll(' ', '')
    for (const row of [
      [PROJECTS[0], ...engaged],
      ['All together', ...total],
    ])
      expect(cells).toContain(row.join('|').replaceAll(' ', ''))
    const { value: html } = await mammoth.convertToHtml({ buffer: await download(page, 'Word (DOCX)') })
    expect(html).toContain('<h1>By project</h1>')

    const name = `Streets ${Date.now()}`
    await page.getByRole('button', { name: 'Save this report…' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.goto('/admin/reports')
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('days in the wrong order are refused with words, and stay as they were typed', async () => {
    const page = await openPage({ width: 360 })
    await signIn(page, 'site.admin')
    await page.goto('/admin/reports')
    await page.getByLabel('Period', { exact: true }).selectOption({ label: 'Own days' })
    await page.getByLabel('From', { exact: true }).fill('2026-11-20')
    await page.getByLabel('Until', { exact: true }).fill('2026-11-01')
    await page.getByRole('button', { name: 'Show the report' }).click()
    await page.getByText('The last day must not be before the first.').first().waitFor()
    await expect.poll(() => page.getByLabel('Until', { exact: true }).inputValue()).toBe('2026-11-01')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await page.getByLabel('Until', { exact: true }).fill('2026-11-22')
    await page.getByRole('button', { name: 'Show the report' }).click()
    await page.getByRole('heading', { name: 'In short' }).waitFor()
  })
})
