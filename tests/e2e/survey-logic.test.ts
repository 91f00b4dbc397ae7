import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { expectAccessible, getConsoleErrors, loseNextAnswer, openPage, signIn, takePartBefore } from '#tests/support/browser.ts'

const saved = (page: Page) => page.getByText('All changes saved').waitFor()

async function createSurvey(page: Page, title: string) {
  await page.goto('/admin/surveys/new')
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

async function addQuestion(page: Page, type: string, title: string, options: readonly string[] = []) {
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByRole('menuitem', { name: type, exact: true }).click()
  await page.getByLabel('Question', { exact: true }).fill(title)
  for (const [index, option] of options.entries()) {
    await page.getByLabel(`Option ${index + 1}`, { exact: true }).fill(option)
  }
}

/** As SurveyJS writes it down. */
const MADE_ELSEWHERE = {
  title: 'On the quay',
  pages: [
    {
      elements: [
        { type: 'matrix', name: 'state', title: 'How are they?', rows: ['Lamps', 'Benches'], columns: ['Good', 'Bad'] },
        { type: 'comment', name: 'lamps', title: 'What is wrong with the lamps?' },
        { type: 'signaturepad', name: 'mark', title: 'Your mark' },
      ],
    },
  ],
}

describe('a survey’s rules', () => {
  test('are written as sentences by keyboard, undone, saved, checked before publishing, and seen in the preview', async () => {
    const page = await openPage({ site: 'harbour', width: 1366 })
    await signIn(page, 'site.admin')
    await createSurvey(page, 'Rules in sentences')
    const panel = page.getByRole('region', { name: 'Now editing' })
    await addQuestion(page, 'Single choice', 'How do you come?', ['By ferry', 'On foot'])
    await page.getByRole('button', { name: 'Add a page' }).click()
    await addQuestion(page, 'Long text', 'What about the ferry?')

    // "Show this question when … is any of By ferry", with nothing but keys.
    await panel.getByRole('button', { name: 'Show only when…' }).focus()
    await page.keyboard.press('Enter')
    const rule = page.getByRole('group', { name: 'Show this question when' })
    await expect.poll(() => rule.getByLabel('Question', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(true)
    await rule.getByLabel('By ferry').focus()
    await page.keyboard.press('Space')
    await rule.getByRole('button', { name: 'Add a condition' }).click()
    await rule.getByLabel('On foot').nth(1).check()
    await page
      .getByRole('row', { name: /What about the ferry/ })
      .getByText('not for everyone')
      .waitFor()
    await expectAccessible(page, 'iframe')
    await saved(page)

    // Both at once cannot be: said at the rule, in the outline and before publishing.
    await panel.getByText('This can never be true').waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Rules that do not work').waitFor()
    expect(await dialog.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await expectAccessible(page, 'iframe')
    await dialog.getByRole('button', { name: 'What about the ferry?' }).click()
    await rule.getByRole('button', { name: 'Remove this condition' }).nth(1).click()
    await panel.getByText('This can never be true').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await panel.getByText('This can never be true').waitFor()
    await page.keyboard.press('Control+Shift+z')
    await saved(page)

    // After the first page those on foot end early, with a closing page of their own.
    await page.getByRole('row', { name: /^Page 1/ }).click()
    await panel.getByRole('button', { name: 'Add a rule' }).click()
    await panel.getByLabel('On foot').check()
    await panel.getByLabel('go to', { exact: true }).selectOption({ label: 'End early with a new closing page' })
    await page.getByRole('button', { name: 'Closing page without a heading' }).click()
    await panel.getByLabel('Closing page heading').fill('Thank you for walking')
    await page.getByRole('button', { name: 'Add a quota' }).click()
    await panel.getByLabel('By ferry').check()
    await panel.getByLabel('Accept at most').fill('250')
    await page.getByRole('button', { name: /is “By ferry”.*at most 250/ }).waitFor()
    await saved(page)
    await expectAccessible(page, 'iframe')

    // The preview is the participants' own page: what is selected in one is shown in the other.
    const frame = page.frameLocator('.survey-preview iframe')
    await page.getByRole('button', { name: /Thank you for walking/ }).click()
    await frame.getByRole('heading', { name: 'Thank you for walking', level: 1 }).waitFor()
    await page.getByRole('row', { name: /What about the ferry/ }).click()
    await frame.getByText('What about the ferry?').first().waitFor()
    await page.locator('.preview-outline').waitFor()
    await panel.getByRole('textbox', { name: 'Question', exact: true }).fill('What would better the ferry?')
    await frame.getByText('What would better the ferry?').first().waitFor()
    await page.getByLabel('Layout').selectOption({ label: 'All questions on a page together' })
    // The frame is loaded anew with the other layout: a click in the old one is lost.
    const selected = async () => {
      await frame.getByText('How do you come?').first().click()
      return panel.getByLabel('Option 1', { exact: true }).isVisible()
    }
    await expect.poll(selected, { interval: 500 }).toBe(true)
    await frame.getByLabel('By ferry').check()
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('parley.survey')))).toEqual([])

    await saved(page)
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    expect(getConsoleErrors(page)).toEqual([])

    const visitor = await openPage({ site: 'harbour', javaScript: false })
    const address = await page.evaluate(() => window.location.pathname)
    expect(address).toContain('/admin/surveys/')
    expect((await visitor.goto(`/live-preview/surveys/${address.split('/').at(-1)}`))?.status()).toBe(404)
  })

  test('tell capital letters apart where that is chosen, and say so in words', async () => {
    const page = await openPage({ site: 'harbour', width: 1366 })
    await signIn(page, 'site.admin')
    await createSurvey(page, 'Posts on the ferry')
    const panel = page.getByRole('region', { name: 'Now editing' })
    await addQuestion(page, 'Short text', 'What is your post?')
    await page.getByRole('button', { name: 'Add a page' }).click()
    await addQuestion(page, 'Short text', 'Who keeps your watch?')
    await panel.getByRole('button', { name: 'Show only when…' }).click()
    const rule = page.getByRole('group', { name: 'Show this question when' })
    await rule.getByLabel('Condition', { exact: true }).selectOption({ label: 'is exactly' })
    await rule.getByLabel('Compared with').fill('MATE')
    await rule.getByLabel('Match capital letters').check()
    await expectAccessible(page, 'iframe')
    await rule.getByLabel('Condition', { exact: true }).selectOption({ label: 'is answered' })
    await expect.poll(() => rule.getByLabel('Match capital letters').count()).toBe(0)

    await page.getByText('Closing pages and quotas').click()
    await page.getByRole('button', { name: 'Add a quota' }).click()
    const quota = page.getByRole('group', { name: 'Count a response when' })
    await quota.getByLabel('Question', { exact: true }).selectOption({ label: 'What is your post?' })
    await quota.getByLabel('Condition', { exact: true }).selectOption({ label: 'is exactly' })
    await quota.getByLabel('Compared with').fill('MATE')
    await quota.getByLabel('Match capital letters').check()
    await page.getByRole('button', { name: /“What is your post\?” is exactly “MATE”, capital letters included/ }).waitFor()
    await saved(page)
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('compare with the answer to another question, say so in words, and hold for a participant', async () => {
    const page = await openPage({ site: 'harbour', width: 1366 })
    await signIn(page, 'site.admin')
    await createSurvey(page, 'Seats on the ferry')
    const panel = page.getByRole('region', { name: 'Now editing' })
    await addQuestion(page, 'Number', 'How many seats did you book?')
    await addQuestion(page, 'Number', 'How many people came?')
    await page.getByRole('button', { name: 'Add a page' }).click()
    await addQuestion(page, 'Short text', 'Who had to stand?')
    await panel.getByRole('button', { name: 'Show only when…' }).click()
    const rule = page.getByRole('group', { name: 'Show this question when' })
    await rule.getByLabel('Condition', { exact: true }).selectOption({ label: 'is more than' })
    await rule.getByLabel('A value, or the answer to another question').selectOption({ label: 'the answer to' })
    await rule.getByLabel('Other question', { exact: true }).selectOption({ label: 'How many seats did you book?' })
    await rule.getByLabel('plus', { exact: true }).fill('2')
    await saved(page)
    await expectAccessible(page, 'iframe')

    // A quota says the same condition in words.
    await page.getByText('Closing pages and quotas').click()
    await page.getByRole('button', { name: 'Add a quota' }).click()
    const quota = page.getByRole('group', { name: 'Count a response when' })
    await quota.getByLabel('Question', { exact: true }).selectOption({ label: 'How many people came?' })
    await quota.getByLabel('A value, or the answer to another question').selectOption({ label: 'the answer to' })
    await quota.getByLabel('Other question', { exact: true }).selectOption({ label: 'How many seats did you book?' })
    await panel.getByLabel('Accept at most').fill('250')
    await page
      .getByRole('button', { name: /“How many people came\?” is at least the answer to “How many seats did you book\?”.*at most 250/ })
      .waitFor()

    // Without that question, the rule is wrong until it is back.
    const seats = page.getByRole('row', { name: /How many seats did you book/ })
    await seats.getByRole('button', { name: /move and more/ }).click()
    await page.getByRole('menuitem', { name: 'Remove question' }).click()
    await page.getByRole('row', { name: /Who had to stand/ }).click()
    await rule.getByText('This rule refers to something that is no longer in the survey.').waitFor()
    await page.keyboard.press('Control+z')
    await saved(page)
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    expect(getConsoleErrors(page)).toEqual([])

    for (const javaScript of [true, false]) {
      const visitor = await openPage({ site: 'harbour', javaScript })
      await visitor.goto('/search?q=seats+on+the+ferry')
      await visitor.getByRole('link', { name: 'Seats on the ferry' }).click()
      const standing = visitor.getByLabel('Who had to stand?')
      await visitor.getByLabel('How many seats did you book?').fill('3')
      await visitor.getByLabel('How many people came?').fill('5')
      await visitor.getByRole('button', { name: 'Continue' }).click()
      await visitor.getByRole('button', { name: 'Send my answers' }).waitFor()
      expect(await standing.count()).toBe(0)
      await visitor.getByRole('link', { name: 'Back' }).click()
      await visitor.getByLabel('How many people came?').fill('6')
      await visitor.getByRole('button', { name: 'Continue' }).click()
      await standing.waitFor()
    }
  })

  test('begin from a template, take questions from the bank, and are drawn as a map that a table says again', async () => {
    const page = await openPage({ site: 'riverbend' })
    await signIn(page, 'project.admin')
    await page.goto('/admin/surveys/new')
    await page.getByRole('radio', { name: /Changes to your street/ }).check()
    await expectAccessible(page, 'iframe')
    expect(await page.getByLabel('Title').inputValue()).toBe('Changes to your street')
    await page.getByRole('button', { name: 'Create draft' }).click()
    const outline = page.getByRole('grid', { name: 'Outline' })
    await outline.getByRole('row', { name: /What would you change/ }).click()
    // A refusal stands beside the button that was pressed, and goes once it works.
    await loseNextAnswer(page, 'POST')
    const keep = page.getByRole('button', { name: 'Save this question to the bank' })
    await keep.click()
    const refusal = keep.locator('xpath=following-sibling::*[@role="alert"]')
    await refusal.waitFor()
    await keep.click()
    await page.getByText('Saved to the bank').first().waitFor()
    expect(await refusal.count()).toBe(0)
    await page.getByRole('button', { name: 'Question bank' }).click()
    const bank = page.getByRole('dialog')
    await bank.getByText('What would you change in the plans?').first().waitFor()
    await expectAccessible(page, 'iframe')
    await bank.getByLabel('Search the bank').fill('how old')
    const standard = bank.getByRole('list', { name: 'About the person' })
    await standard.getByRole('button', { name: 'Insert: How old are you?' }).click()
    await outline.getByRole('row', { name: 'How old are you?' }).waitFor()
    await saved(page)

    await page.getByRole('link', { name: 'Map', exact: true }).click()
    await page.getByRole('img', { name: /Pages and closing pages/ }).waitFor()
    const jump = page.getByRole('row', { name: /is “Never”/ })
    await jump.getByRole('button', { name: 'Page 3: The plans' }).waitFor()
    await expectAccessible(page, 'iframe')
    await jump.getByRole('button', { name: 'Page 1: The street today' }).click()
    await page.getByRole('group', { name: 'When' }).getByLabel('Never').waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('come with a survey made elsewhere; one asks about a row, and decides what a participant is asked', async () => {
    const page = await openPage({ site: 'harbour' })
    await signIn(page, 'site.admin')
    await page.goto('/admin/surveys')
    await page.getByRole('link', { name: 'From a file' }).click()
    const give = (name: string, content: string) =>
      page.getByLabel('File', { exact: true }).setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) })
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('alert').getByText('Choose a file.').waitFor()
    await give('torn.json', '{"pages": [')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('alert').getByText('This file cannot be read as a survey. Choose another one.').waitFor()
    await expectAccessible(page)
    await give('quay.json', JSON.stringify(MADE_ELSEWHERE))
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { level: 2, name: 'Import report' }).waitFor()
    const mark = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'mark', exact: true }) })
    expect((await mark.innerText()).split(/\s+/).join(' ')).toBe('mark signaturepad Left out Left out signaturepad')
    await expectAccessible(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the report (CSV)' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('import-report.csv')
    await page.getByRole('link', { name: 'Questions', exact: true }).click()

    await page.getByRole('row', { name: /What is wrong with the lamps/ }).click()
    const panel = page.getByRole('region', { name: 'Now editing' })
    await panel.getByRole('button', { name: 'Show only when…' }).click()
    const rule = page.getByRole('group', { name: 'Show this question when' })
    await rule.getByLabel('Row').selectOption({ label: 'Lamps' })
    await rule.getByLabel('Bad').check()
    await saved(page)
    await expectAccessible(page, 'iframe')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    // The browser's own line about the file that was refused.
    expect(getConsoleErrors(page)).toEqual([expect.stringContaining('422')])

    const visitor = await openPage({ site: 'harbour', javaScript: false })
    await visitor.goto('/search?q=on+the+quay')
    await visitor.getByRole('link', { name: 'On the quay' }).click()
    await takePartBefore(visitor)
    const answer = async (lamps: 'Good' | 'Bad') => {
      await visitor.getByRole('row', { name: 'Lamps' }).getByRole('radio', { name: lamps }).check()
      await visitor.getByRole('button', { name: 'Continue' }).click()
    }
    const asked = visitor.getByLabel('What is wrong with the lamps?')
    await visitor.getByRole('row', { name: 'Benches' }).getByRole('radio', { name: 'Bad' }).check()
    await answer('Good')
    await visitor.getByRole('button', { name: 'Send my answers' }).waitFor()
    expect(await asked.count()).toBe(0)
    await visitor.getByRole('link', { name: 'Back' }).click()
    await answer('Bad')
    await asked.fill('They are out')
    await visitor.getByRole('button', { name: 'Continue' }).click()
    await visitor.getByRole('button', { name: 'Send my answers' }).click()
    await visitor.getByRole('heading', { level: 1, name: /Thank you|received/ }).waitFor()
  })
})
