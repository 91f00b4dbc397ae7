import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { chooseRecord } from '#tests/support/choose-record.ts'
import { expectAccessible, getConsoleErrors, openPage, publishWithout, signIn, takePartBefore } from '#tests/support/browser.ts'

/** A survey's questions as they were saved before: seen, compared and restored. */

const saved = (page: Page) => page.getByText('All changes saved').waitFor()
const dialog = (page: Page) => page.getByRole('dialog', { name: 'History of the questions' })
const question = (page: Page) => page.getByLabel('Question', { exact: true })
/** The outline's questions. */
const readOutline = async (page: Page) =>
  (await page.getByRole('grid', { name: 'Outline' }).getByRole('row').allInnerTexts()).map((text) => text.split('\n')[0]).slice(1)

async function createSurvey(page: Page, title: string, questions: readonly string[]) {
  await page.goto('/admin/surveys/new')
  await page.getByLabel('Title').fill(title)
  await chooseRecord(page, 'Project', 'A faster bus on Fern Street')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  for (const text of questions) {
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByRole('menuitem', { name: 'Short text' }).click()
    await question(page).fill(text)
  }
  await saved(page)
}

async function removeQuestion(page: Page, text: string) {
  await page.getByRole('button', { name: `${text}: move and more` }).click()
  await page.getByRole('menuitem', { name: 'Remove question' }).click()
  await expect.poll(() => readOutline(page)).not.toContain(text)
  await saved(page)
}

async function publishChanges(page: Page) {
  await saved(page)
  await page.getByRole('button', { name: /^Publish.*…$/ }).click()
  await publishWithout(page, 'Publish now')
  await page.getByRole('button', { name: /^Publish.*…$/ }).waitFor({ state: 'detached' })
}

async function openHistory(page: Page) {
  await page.getByRole('button', { name: 'History', exact: true }).click()
  await dialog(page).getByRole('listitem').first().waitFor()
  for (const sitting of await dialog(page).locator('summary').all()) await sitting.click()
}

interface SavedSurvey {
  type: string
  id: string
  attributes: { definition: object }
  meta: { lockVersion: number }
}

/** Versions in the history, newest first; the first is the draft. */
const versions = (page: Page) => dialog(page).locator('.revision')

describe('the history of a survey’s questions', () => {
  test('a question that was removed and saved comes back after a reload, compared before, and undone after', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await createSurvey(page, 'A question comes back', ['Where do you sit?', 'Why there?'])
    await removeQuestion(page, 'Why there?')
    await page.reload()
    await page.getByRole('grid', { name: 'Outline' }).waitFor()
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled()).toBe(true)

    await openHistory(page)
    await expectAccessible(page, 'iframe')
    // The draft, and the version saved before it.
    for (const index of [0, 1]) await versions(page).nth(index).getByRole('checkbox').check()
    const differences = dialog(page).getByRole('region', { name: 'Differences' })
    await differences.getByText('Why there?').waitFor()
    expect(await differences.getByText(/^Only in: /).count()).toBe(1)
    await expectAccessible(page, 'iframe')
    await versions(page).nth(1).getByRole('button', { name: 'Restore' }).click()
    await page.getByText(/^Restored from /).waitFor()
    expect(await readOutline(page)).toEqual(['Where do you sit?', 'Why there?'])
    await saved(page)
    await page.reload()
    await page.getByRole('grid', { name: 'Outline' }).waitFor()
    expect(await readOutline(page)).toEqual(['Where do you sit?', 'Why there?'])

    // The replaced draft is in the history too, and the new version names the one it was restored from.
    await openHistory(page)
    await versions(page)
      .nth(0)
      .getByText(/^Restored from /)
      .waitFor()
    await versions(page).nth(1).getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => readOutline(page)).toEqual(['Where do you sit?'])
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await expect.poll(() => readOutline(page)).toEqual(['Where do you sit?', 'Why there?'])
    await saved(page)

    // The version that is the draft is not restored again.
    await openHistory(page)
    await versions(page).nth(0).getByRole('button', { name: 'Restore' }).click()
    await page.getByText('This version is the same as the draft.').waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('published versions are marked, and restoring one changes the draft only', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await createSurvey(page, 'Published twice', ['Where do you sit?'])
    await publishChanges(page)
    await question(page).fill('Where would you sit?')
    await publishChanges(page)
    await question(page).fill('Where should one sit?')
    await saved(page)

    await openHistory(page)
    const [second, first] = [versions(page).filter({ hasText: 'Version 2' }), versions(page).filter({ hasText: 'Version 1' })]
    expect(await second.getByText('Published', { exact: true }).count()).toBe(1)
    expect(await first.getByText(/^Published from /).count()).toBe(1)
    expect(await dialog(page).getByRole('button', { name: 'Undo publishing' }).count()).toBe(0)
    await first.getByRole('checkbox').check()
    await second.getByRole('checkbox').check()
    const differences = dialog(page).getByRole('region', { name: 'Differences' })
    await differences.getByRole('cell', { name: 'English: Where do you sit?' }).waitFor()
    await differences.getByRole('cell', { name: 'English: Where would you sit?' }).waitFor()
    await expectAccessible(page, 'iframe')
    await first.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => question(page).inputValue()).toBe('Where do you sit?')
    await saved(page)
    await page.getByRole('button', { name: 'Publish changes…' }).waitFor()

    const visitor = await openPage({ javaScript: false })
    await visitor.goto('/projects/fern-street/surveys/published-twice')
    await visitor.getByRole('link', { name: 'Start' }).click()
    await visitor.getByText('Where would you sit?').first().waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('answers stay with their question when it is removed, published without, restored and published again', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await createSurvey(page, 'Answered and restored', ['Where do you sit?', 'Why there?'])
    await publishChanges(page)
    const visitor = await openPage({ javaScript: false })
    await visitor.goto('/projects/fern-street/surveys/answered-and-restored')
    await takePartBefore(visitor)
    await visitor.getByRole('link', { name: 'Start' }).click()
    await visitor.getByLabel('Where do you sit?').fill('Under the lime')
    await visitor.getByRole('button', { name: 'Continue' }).click()
    await visitor.getByLabel('Why there?').fill('In the shade')
    await visitor.getByRole('button', { name: 'Continue' }).click()
    await visitor.getByRole('button', { name: 'Send my answers' }).click()
    await visitor.waitForURL('**/receipt')
    await removeQuestion(page, 'Why there?')
    await publishChanges(page)
    await openHistory(page)
    await versions(page).filter({ hasText: 'Version 1' }).getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => readOutline(page)).toEqual(['Where do you sit?', 'Why there?'])
    await saved(page)
    await page.getByRole('button', { name: 'Publish changes…' }).click()
    await page.getByText('is asked again, with the 1 answer it had.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await publishChanges(page)
    await page.getByRole('link', { name: 'Results', exact: true }).click()
    await page.getByText('In the shade').first().waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('what was saved long before is reached from the end of the list', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await createSurvey(page, 'Saved many times', ['Where do you sit?'])
    await publishChanges(page)
    await page.evaluate(async () => {
      const address = `/api/v2/surveys/${location.pathname.split('/').at(-1)}`
      const token = document.body.getAttribute('data-api-token') ?? sessionStorage.getItem('api-token') ?? ''
      const headers = { 'content-type': 'application/vnd.api+json', 'x-api-token': `Bearer ${token}` }
      const { data } = (await (await fetch(address, { headers })).json()) as { data: SavedSurvey }
      const { type, id, attributes, meta } = data
      for (let number = 0; number < 61; number += 1) {
        const definition = { ...attributes.definition, endings: [{ id: 'end', title: { en: `Thanks ${number}` } }] }
        const body = JSON.stringify({ data: { type, id, attributes: { definition }, meta: { lockVersion: meta.lockVersion + number } } })
        const { status } = await fetch(address, { method: 'PATCH', headers, body })
        if (status !== 200) throw new Error(`Save ${number}: ${status}`)
      }
    })
    await page.reload()
    await openHistory(page)
    const published = versions(page).filter({ hasText: 'Version 1' })
    expect([await versions(page).count(), await published.count()]).toEqual([60, 0])
    const more = dialog(page).getByRole('button', { name: 'Show earlier versions' })
    await more.click()
    await published.waitFor()
    await more.waitFor({ state: 'detached' })
  })

  test('the history needs nothing but a keyboard', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await createSurvey(page, 'History by keyboard', ['First wording'])
    await question(page).fill('Second wording')
    await saved(page)
    const button = page.getByRole('button', { name: 'History', exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('listitem').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    const sitting = dialog(page).locator('summary')
    await sitting.focus()
    await page.keyboard.press('Enter')
    const restore = versions(page).nth(1).getByRole('button', { name: 'Restore' })
    await restore.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => question(page).inputValue()).toBe('First wording')
  })
})
