import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'
import { chooseRecord } from '#tests/support/choose-record.ts'
import type { Language } from '#app/lib/languages.ts'
import { getConsoleErrors, expectAccessible, loseNextAnswer, openPage, signIn } from '#tests/support/browser.ts'
import { temporaryFolder } from '#tests/support/product.ts'

const saved = (page: Page) => page.getByText('All changes saved').waitFor()

/** Opens the editor of the survey with this title, from the table as a person would. */
async function openSurvey(page: Page, title: string, language?: Language) {
  await page.goto(`/admin/surveys?q=${encodeURIComponent(title)}${language ? `&lng=${language}` : ''}`)
  await page.getByRole('link', { name: title, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** A new draft in the first project on offer. */
async function createSurvey(page: Page, title: string) {
  await page.goto('/admin/surveys/new')
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

describe('survey administration', () => {
  test('a site administrator writes a survey in each language, is told what is missing, and publishes it', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin')
    await page.getByRole('link', { name: 'Surveys', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Surveys' }).waitFor()
    await expectAccessible(page, 'iframe')
    await page.getByRole('link', { name: 'New survey' }).click()
    await page.getByLabel('Title').fill('Where shall the benches stand')
    await chooseRecord(page, 'Project', 'A faster bus on Fern Street')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { level: 1, name: /Where shall the benches stand/ }).waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByText('Add at least one question.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByRole('menuitem', { name: 'Single choice' }).click()
    await page.getByLabel('Question', { exact: true }).fill('Where do you rest?')
    await page.getByLabel('Option 1', { exact: true }).fill('In the park')
    await page.getByLabel('Option 1', { exact: true }).press('Enter')
    await page.getByLabel('People must answer this question').check()
    await saved(page)
    await expectAccessible(page, 'iframe')

    // Publishing says what is missing, and leads to the very field.
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByText('Fix these first').waitFor()
    await expectAccessible(page, 'iframe')
    expect(await page.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await page.getByText('Complete this field.').first().waitFor()
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: 'Where do you rest?' }).first().click()
    const isFocused = async (label: string) => {
      await expect.poll(() => page.getByLabel(label, { exact: true }).evaluate((field) => field === document.activeElement)).toBe(true)
    }
    await isFocused('Option 2')
    // Enter goes to the next empty option, or starts one; the one left empty is no fault.
    await page.getByLabel('Option 1', { exact: true }).press('Enter')
    await page.keyboard.type('At the bus stop')
    await page.keyboard.press('Enter')
    await page.keyboard.type('At home')
    await page.keyboard.press('Enter')
    await isFocused('Option 4')
    expect(await page.getByLabel(/^Option \d$/).evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))).toEqual([
      'In the park',
      'At the bus stop',
      'At home',
      '',
    ])
    await saved(page)
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByText('Some texts are not translated').waitFor()
    expect(await page.getByText('Fix these first').count()).toBe(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'At home: move and more' }).click()
    await page.getByRole('menuitem', { name: 'Remove option' }).click()

    await page.getByRole('tab', { name: /Français/ }).click()
    await page.getByLabel('Question', { exact: true }).fill('Où vous reposez-vous, ${prenom}?')
    await page.getByLabel('Option 1', { exact: true }).fill('Au parc')
    await page.getByLabel('Option 2', { exact: true }).fill('À l’arrêt d’autobus')
    await page.getByRole('link', { name: 'Texts and settings' }).click()
    await page.getByRole('tab', { name: /Français/ }).click()
    await page.getByLabel('Title').fill('Où mettre les bancs')
    await saved(page)
    await expectAccessible(page, 'iframe')

    // Braces of another tool are named with their question and language, and the way to it leads to the field.
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByText('“${prenom}” comes from another tool.').waitFor()
    await expectAccessible(page, 'iframe')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Where do you rest?' }).click()
    await page.getByLabel('Question', { exact: true }).fill('Où vous reposez-vous?')
    await saved(page)
    await page.getByRole('button', { name: 'Publish…' }).click()
    await expect.poll(() => page.getByText('comes from another tool').count()).toBe(0)
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('heading', { level: 1, name: /Open/ }).waitFor()
    expect(getConsoleErrors(page)).toEqual([])

    const visitor = await openPage({ javaScript: false })
    await visitor.goto('/fr-CA/projects/fern-street/surveys/where-shall-the-benches-stand')
    await visitor.getByRole('link', { name: 'Commencer' }).click()
    await visitor.getByText('Où vous reposez-vous?').first().waitFor()

    // It can be closed from one moment to the next, and opened again.
    const useMenu = async (item: string, answer: string) => {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: answer }).click()
    }
    await useMenu('Close now…', 'Close the survey')
    await page.getByRole('heading', { level: 1, name: /Closed/ }).waitFor()
    await visitor.reload()
    await visitor.getByRole('heading', { level: 1, name: /Ce sondage/ }).waitFor()
    await useMenu('Reopen…', 'Reopen')
    await page.getByRole('heading', { level: 1, name: /Open/ }).waitFor()
    await visitor.reload()
    await visitor.getByText('Où vous reposez-vous?').first().waitFor()
  })

  test('a long menu leaves the button that opened it free, so that a press adds nothing', async () => {
    const page = await openPage()
    await page.setViewportSize({ width: 1280, height: 560 })
    await signIn(page, 'site.admin')
    await createSurvey(page, 'Under a low roof')
    const button = page.getByRole('button', { name: 'Add a question' })
    await button.hover()
    await page.mouse.down()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    const [around, over] = [await button.boundingBox(), await menu.boundingBox()]
    if (!around || !over) throw new Error('the button and its menu are on the page')
    expect(over.y + over.height <= around.y || over.y >= around.y + around.height).toBe(true)
    await page.mouse.up()
    await page.getByRole('menuitem', { name: 'Single choice' }).waitFor()
    expect(await page.getByRole('grid', { name: 'Outline' }).getByRole('row').count()).toBe(1)
  })

  test('the main path needs nothing but a keyboard', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await createSurvey(page, 'By keyboard alone')
    await page.getByRole('button', { name: 'Add a question' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('The first question')
    await page.getByRole('button', { name: 'Add a question' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('The second question')
    await saved(page)
    const outline = page.getByRole('grid', { name: 'Outline' })
    const names = () => outline.getByRole('row').allInnerTexts()
    expect((await names()).map((text) => text.split('\n')[0])).toEqual(['Page 1', 'The first question', 'The second question'])
    await page.getByRole('button', { name: 'The second question: move and more' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await saved(page)
    expect((await names()).map((text) => text.split('\n')[0])).toEqual(['Page 1', 'The second question', 'The first question'])
    await page.keyboard.press('Control+z')
    await expect
      .poll(async () => (await names()).map((text) => text.split('\n')[0]))
      .toEqual(['Page 1', 'The first question', 'The second question'])
    await page.keyboard.press('Control+Shift+z')
    await saved(page)
    await page.reload()
    await outline.waitFor()
    expect((await names()).map((text) => text.split('\n')[0])).toEqual(['Page 1', 'The second question', 'The first question'])
  })

  test('a new survey without a title is refused with the name of the field', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/surveys/new')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('link', { name: 'Title: Complete this field.' }).click()
    await expect.poll(() => page.getByLabel('Title').evaluate((field) => field === document.activeElement)).toBe(true)
  })

  test('a window that was left is no longer shown in the others', async () => {
    const [first, second] = [await openPage(), await openPage()]
    await signIn(first, 'site.admin')
    await signIn(second, 'site.admin')
    await createSurvey(first, 'Left again')
    await second.goto(first.url())
    const other = first.getByText('You, in another window')
    await other.waitFor()
    await second.goto('about:blank', { waitUntil: 'load' })
    // If the window did not say that it leaves, it would stay for 15 seconds.
    await expect.poll(() => other.count(), { timeout: 9000 }).toBe(0)
  })

  test.each([
    { site: 'riverbend', language: 'fr-CA', title: 'Votre trajet, votre arrêt', undo: 'Annuler' },
    { site: 'dyffryn', language: 'cy', title: 'Eich taith chi', undo: 'Dadwneud' },
  ] as const)('the bar below a survey is one row of a phone ($language)', async ({ site, language, title, undo }) => {
    const page = await openPage({ site, language, width: 360 })
    await signIn(page, 'site.admin')
    await openSurvey(page, title, language)
    const bar = page.locator('.save-bar')
    const buttons = bar.getByRole('button')
    await bar.getByRole('button', { name: undo }).waitFor()
    const tops = await buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    const text = await bar.getByRole('status').boundingBox()
    const first = await buttons.first().boundingBox()
    expect((text?.x ?? 0) + (text?.width ?? Infinity)).toBeLessThanOrEqual(first?.x ?? 0)
    expect((await bar.boundingBox())?.height).toBeLessThan(64)
  })

  test('a file of responses that was saved again after it was read is asked for once more', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await openSurvey(page, 'Your trip, your stop')
    await page.goto(`${new URL(page.url()).pathname}/responses/table`)
    const folder = temporaryFolder('changed')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'responses.csv')
    writeFileSync(file, 'Why?\nShade\n')
    // Browsers notice a change by the file's time, in seconds.
    utimesSync(file, new Date('2026-01-01'), new Date('2026-01-01'))
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Read file' }).click()
    await page.getByRole('table').getByRole('combobox').selectOption({ index: 4 })
    writeFileSync(file, 'Why?\nShade\nBenches\n')
    await page.getByRole('button', { name: 'Import all' }).click()
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('This file has changed since you chose it. Choose it again.')
  })

  test('two people at once: what each changed is kept, and the same question changed by both is shown twice', async () => {
    const [first, second] = [await openPage(), await openPage()]
    await signIn(first, 'site.admin')
    await signIn(second, 'site.admin')
    await createSurvey(first, 'Two at once')
    for (const text of ['Trees?', 'Seats?']) {
      await first.getByRole('button', { name: 'Add a question' }).click()
      await first.getByRole('menuitem', { name: 'Short text' }).click()
      await first.getByLabel('Question', { exact: true }).fill(text)
    }
    await saved(first)
    await second.goto(first.url())
    await first.getByText('You, in another window').waitFor()
    await second.getByText('You, in another window').waitFor()
    await second.getByRole('row', { name: /Trees/ }).click()
    await first.getByRole('row', { name: /Seats/ }).click()
    await first.getByLabel('Question', { exact: true }).fill('Where would you sit?')
    await saved(first)
    await second.getByLabel('Question', { exact: true }).fill('Which trees?')
    await second.getByText('Their changes and yours are both here').waitFor()
    await saved(second)
    await second.getByRole('row', { name: /Where would you sit/ }).waitFor()

    // The first window is told, and shows it when asked.
    await first.getByText('There is a newer version.').waitFor()
    await first.getByRole('button', { name: 'Show', exact: true }).click()
    await first.getByRole('row', { name: /Which trees/ }).click()
    await first.getByLabel('Question', { exact: true }).fill('Any trees?')
    await saved(first)
    await second.getByLabel('Question', { exact: true }).fill('No trees?')
    await second.getByRole('table', { name: 'Someone else changed the same thing' }).waitFor()
    await second.getByRole('cell', { name: 'Any trees?' }).waitFor()
    await second.getByRole('cell', { name: 'No trees?' }).waitFor()
    await expectAccessible(second, 'iframe')
    await second.getByRole('button', { name: 'Keep mine' }).click()
    await saved(second)
    await first.reload()
    await first.getByRole('grid', { name: 'Outline' }).waitFor()
    expect(await first.getByRole('row', { name: /No trees/ }).count()).toBe(1)

    // A conflict outlives the window it was shown in, and both questions can be kept.
    await first.getByRole('row', { name: /No trees/ }).click()
    await first.getByLabel('Question', { exact: true }).fill('Young trees?')
    await saved(first)
    second.on('dialog', (dialog) => void dialog.accept())
    await second.getByLabel('Question', { exact: true }).fill('Old trees?')
    await second.getByRole('cell', { name: 'Young trees?' }).waitFor()
    await second.reload()
    await second.getByRole('cell', { name: 'Young trees?' }).waitFor()
    // On a phone the two versions stand below each other.
    await second.setViewportSize({ width: 360, height: 800 })
    const theirs = second.getByRole('cell', { name: 'Young trees?' })
    const [upper, lower] = [await second.getByRole('cell', { name: 'Old trees?' }).boundingBox(), await theirs.boundingBox()]
    expect(upper && lower && lower.y >= upper.y + upper.height).toBe(true)
    expect(await theirs.evaluate((cell) => cell.closest('table')!.scrollWidth <= cell.closest('.notice')!.clientWidth)).toBe(true)
    await second.setViewportSize({ width: 1280, height: 720 })
    await second.getByRole('button', { name: 'Keep both' }).click()
    await saved(second)
    await second.getByRole('row', { name: /Old trees/ }).waitFor()
    await second.getByRole('row', { name: /Young trees/ }).waitFor()
  })

  test('undoing my own change after theirs were merged keeps theirs', async () => {
    const [first, second] = [await openPage(), await openPage()]
    await signIn(first, 'site.admin')
    await signIn(second, 'site.admin')
    await createSurvey(first, 'Undone beside somebody')
    await first.getByRole('button', { name: 'Add a question' }).click()
    await first.getByRole('menuitem', { name: 'Short text' }).click()
    await first.getByLabel('Question', { exact: true }).fill('Trees?')
    await saved(first)
    await second.goto(first.url())
    await second.getByRole('row', { name: /Trees/ }).click()
    await first.getByRole('button', { name: 'Add a question' }).click()
    await first.getByRole('menuitem', { name: 'Short text' }).click()
    await first.getByLabel('Question', { exact: true }).fill('Seats?')
    await saved(first)
    await second.getByLabel('Question', { exact: true }).fill('Which trees?')
    await second.getByText('Their changes and yours are both here').waitFor()
    await saved(second)
    await second.getByRole('button', { name: 'Undo', exact: true }).click()
    await saved(second)
    await second.reload()
    await second.getByRole('row', { name: /Seats/ }).waitFor()
    expect(await second.getByRole('row', { name: /^(?!.*Which).*Trees/ }).count()).toBe(1)
  })

  test('what cannot be saved stays on this device, and is back; what was stored unheard is nobody else’s', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await createSurvey(page, 'Without a server')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByRole('menuitem', { name: 'Short text' }).click()
    const question = page.getByLabel('Question', { exact: true })
    await question.fill('Saved')
    await saved(page)
    await page.route('**/api/v2/surveys/*', (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await question.fill('Written while the server was gone')
    await page.getByText('We cannot save this right now').waitFor()
    await question.press('End')
    await question.pressSequentially(', and on')
    await page.waitForTimeout(1000)
    await page.reload()
    await page.getByText(/We could not save what you wrote/).waitFor()
    expect(await question.inputValue()).toBe('Written while the server was gone, and on')
    await page.unroute('**/api/v2/surveys/*')
    await saved(page)

    await loseNextAnswer(page, 'PATCH')
    await question.fill('Stored unheard')
    await page.getByText('We cannot save this right now').waitFor()
    await question.fill('Stored unheard, and more')
    await saved(page)
    expect(await page.getByText(/Someone else changed|Their changes and yours/).count()).toBe(0)
    await page.reload()
    await page.getByRole('grid', { name: 'Outline' }).waitFor()
    expect(await question.inputValue()).toBe('Stored unheard, and more')
    expect(await page.getByText(/We could not save what you wrote/).count()).toBe(0)
  })

  test('responses can be filtered, read one by one, counted and taken away', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await openSurvey(page, 'Your trip, your stop')
    await page.getByRole('link', { name: 'Results', exact: true }).click()
    await page.getByRole('figure').first().waitFor()
    await expectAccessible(page, 'iframe')
    await page.getByRole('link', { name: 'Responses', exact: true }).click()
    const table = page.getByRole('table', { name: 'Responses' })
    await table.waitFor()
    await expectAccessible(page, 'iframe')
    const all = await page.getByText(/^1 to 25 of/).innerText()
    await page.locator('select[name="language"]').selectOption({ label: 'Français' })
    await expect.poll(() => page.getByText(/^1 to 25 of/).innerText()).not.toBe(all)
    const some = await page.getByText(/^1 to 25 of/).innerText()
    await page.getByRole('button', { name: 'Save this view…' }).press('Enter')
    await page.getByLabel('Name of the view').fill('In French')
    await page.getByLabel('Name of the view').press('Enter')
    const views = page.getByRole('navigation', { name: 'Saved views' })
    await views.getByRole('link', { name: 'In French' }).waitFor()
    await expectAccessible(page, 'iframe')
    await page.getByRole('link', { name: 'Responses', exact: true }).click()
    await expect.poll(() => page.getByText(/^1 to 25 of/).innerText()).toBe(all)
    await views.getByRole('link', { name: 'In French' }).press('Enter')
    await expect.poll(() => page.getByText(/^1 to 25 of/).innerText()).toBe(some)
    expect(await page.locator('select[name="language"]').inputValue()).toBe('fr-CA')
    expect(await views.getByRole('link', { name: 'In French' }).getAttribute('aria-current')).toBe('page')
    await page.getByRole('button', { name: 'Manage the view “In French”' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await views.waitFor({ state: 'detached' })
    await table.getByRole('link').nth(3).click()
    await page.getByRole('heading', { level: 1, name: /Response of/ }).waitFor()
    await page.getByText('Français').first().waitFor()
    await expectAccessible(page, 'iframe')
    await page.getByRole('button', { name: 'Erase this response' }).press('Enter')
    const erasing = page.getByRole('alertdialog', { name: 'Erase this response?' })
    expect(await erasing.getByRole('button', { name: 'Erase this response' }).isDisabled()).toBe(true)
    await erasing.getByLabel('Reason, kept in the audit log').fill('It names a neighbour')
    await expect.poll(() => erasing.getByRole('button', { name: 'Erase this response' }).isDisabled()).toBe(false)
    await expectAccessible(page, 'iframe')
    await erasing.getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('link', { name: 'All responses' }).click()
    await page.getByRole('button', { name: 'Download' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'CSV', exact: true }).click()])
    expect(file.suggestedFilename()).toMatch(/\.csv$/)
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('a department administrator publishes within the department; a project administrator edits but cannot publish', async () => {
    const hub = await openPage()
    await signIn(hub, 'hub.admin')
    await createSurvey(hub, 'From the department')
    await hub.getByRole('button', { name: 'Publish…' }).waitFor()

    const page = await openPage()
    await signIn(page, 'project.admin')
    await page.goto('/admin/surveys')
    await page.getByRole('table', { name: 'Surveys' }).getByRole('rowheader').getByRole('link').first().click()
    await page.getByRole('grid', { name: 'Outline' }).waitFor()
    await page.getByText('A department or site administrator can publish this survey.').waitFor()
    expect(await page.getByRole('button', { name: /^Publish/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Results', exact: true }).waitFor()
  })

  test.each([
    ['riverbend', 'fr-CA', 'Sondages'],
    ['dyffryn', 'cy', 'Arolygon'],
    ['harbour', 'en', 'Surveys'],
  ] as const)('fits a phone and speaks the language of %s: %s', async (site, language, title) => {
    const page = await openPage({ site, width: 360 })
    await signIn(page, 'site.admin')
    await page.goto(`/admin/surveys?lng=${language}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await expectAccessible(page, 'iframe')
    const survey = await page.getByRole('rowheader').getByRole('link').first().getAttribute('href')
    for (const path of ['', '?part=map', '?part=settings', '/results', '/responses']) {
      await page.goto(`${survey}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360)
      await expectAccessible(page, 'iframe')
    }
    // The forms of every type of question, of a survey that asks with each.
    const every = await page.evaluate(async () => {
      const token = document.body.getAttribute('data-api-token') ?? sessionStorage.getItem('api-token') ?? ''
      const asked = await fetch('/api/v2/surveys?page[size]=100', { headers: { 'x-api-token': `Bearer ${token}` } })
      const { data } = (await asked.json()) as { data: { id: string; attributes: { definition?: object } }[] }
      return data.find(({ attributes }) => JSON.stringify(attributes.definition ?? {}).includes('"type":"file"'))?.id
    })
    if (!every) return expect(site).toBe('harbour')
    // The longest words are Welsh; those in French are on the pages above.
    if (language === 'fr-CA') return
    await page.goto(`/admin/surveys/${every}`)
    const rows = page.getByRole('grid').getByRole('row')
    await rows.first().waitFor()
    expect(await rows.count()).toBeGreaterThan(27)
    for (const row of await rows.all()) {
      await row.click()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      if (wide > 360) expect([await row.innerText(), wide]).toEqual([await row.innerText(), 360])
      if (!/file|photo|show us|montrer|ddangos/i.test(await row.innerText())) continue
      // As high as its content: the save bar, which stays at the bottom of the window, would lie over whatever happens to be there.
      await page.setViewportSize({ width: 360, height: await page.evaluate(() => document.documentElement.scrollHeight) })
      await expectAccessible(page, 'iframe')
      await page.setViewportSize({ width: 360, height: 900 })
    }
  })
})
