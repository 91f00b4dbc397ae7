import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright'
import { getConsoleErrors, expectAccessible, openPage, signIn } from '#tests/support/browser.ts'

const preview = (page: Page) => page.frameLocator('.preview-frame iframe')

async function openEditor(options: Parameters<typeof openPage>[0] = {}): Promise<Page> {
  const page = await openPage(options)
  await signIn(page, 'site.admin')
  await page.goto('/admin/homepage')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await preview(page).getByRole('heading', { level: 1 }).first().waitFor()
  return page
}

describe('the homepage editor', () => {
  test('by keyboard alone: a block is added, written in both languages, moved and published, and a visitor sees it at once', async () => {
    const page = await openEditor()
    await expectAccessible(page, 'iframe')
    await page.getByRole('button', { name: 'Add a block' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Call to action One thing/ }).focus()
    await page.keyboard.press('Enter')
    const focused = page.locator(':focus')
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Call to action')
    // The form of the block before, or of the language before, gives way first.
    const heading = page.getByRole('textbox', { name: 'Heading' })
    await expect.poll(() => heading.inputValue()).toBe('')
    await heading.focus()
    await page.keyboard.type('Come to the open evening')
    await preview(page).getByRole('heading', { name: 'Come to the open evening' }).waitFor()

    await page.getByRole('tab', { name: /Français/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => heading.inputValue()).toBe('')
    await heading.focus()
    await page.keyboard.type('Venez à la soirée')
    await page
      .getByRole('button', { name: /^Call to action: (Come to the open evening|Venez à la soirée): move and more$/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move up' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/is now 1 of/).waitFor({ state: 'attached' })
    await page.getByText('Draft saved').waitFor()
    await expectAccessible(page, 'iframe')

    await page.getByRole('button', { name: 'Publish…' }).focus()
    await page.keyboard.press('Enter')
    // What others left without a translation is waived by name; this block lacks none.
    await page.getByRole('button', { name: 'Publish now' }).waitFor()
    expect(await page.getByLabel(/^Call to action.*: publish without/).count()).toBe(0)
    for (const waived of await page.getByLabel(/: publish without/).all()) {
      await waived.focus()
      await page.keyboard.press('Space')
    }
    await expect.poll(() => page.getByRole('button', { name: 'Publish now' }).isEnabled()).toBe(true)
    await page.getByRole('button', { name: 'Publish now' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Published', { exact: true }).filter({ visible: true }).first().waitFor()
    expect(getConsoleErrors(page)).toEqual([])

    const visitor = await openPage({ javaScript: false })
    await visitor.goto('/')
    await visitor.getByRole('heading', { name: 'Come to the open evening' }).waitFor()
    await visitor.goto('/fr-CA')
    await visitor.getByRole('heading', { name: 'Venez à la soirée' }).waitFor()
  })

  test('two editors at once: the second is shown both versions, and both can be kept', async () => {
    const [first, second] = [await openEditor({ site: 'harbour' }), await openEditor({ site: 'harbour' })]
    await first.getByText('You, in another window').waitFor()
    await second.getByText('You, in another window').waitFor()
    await first.getByRole('textbox', { name: 'Heading' }).fill('The first wording')
    await first.getByText('Draft saved').waitFor()
    await second.getByRole('textbox', { name: 'Heading' }).fill('The second wording')
    await second.getByText('Someone else saved another version').waitFor()
    await second.getByRole('cell', { name: /The first wording/ }).waitFor()
    await second.getByRole('button', { name: 'Keep both' }).click()
    await second.getByText('Draft saved').waitFor()
    await preview(second).getByRole('heading', { name: 'The first wording' }).waitFor()
    await preview(second).getByRole('heading', { name: 'The second wording' }).waitFor()
    expect(getConsoleErrors(second).filter((text) => !text.includes('status of 409'))).toEqual([])
  })

  test('a text that lacks a language is named before publishing, and waived by name; an old version comes back', async () => {
    const page = await openEditor({ site: 'dyffryn' })
    await page.goto('/admin/homepage?lng=en')
    await page.getByRole('heading', { level: 1, name: 'Homepage' }).waitFor()
    await page.getByRole('button', { name: 'Add a block' }).click()
    await page.getByRole('button', { name: /^Text Text with headings/ }).click()
    // The form of the block before gives way first.
    const text = page.getByRole('textbox', { name: 'Text' }).last()
    await expect.poll(async () => (await text.innerText()).trim()).toBe('')
    // The page may still say that the draft was saved when it had the empty block.
    const saved = page.waitForResponse((answer) => answer.ok() && (answer.request().postData()?.includes('Dim ond yn Gymraeg') ?? false))
    await text.fill('Dim ond yn Gymraeg')
    await saved
    await page.getByText('Draft saved').waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await page.getByLabel(/Text, Text: publish without this language \(English\)/).check()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published', { exact: true }).filter({ visible: true }).first().waitFor()
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Restore' }).last().click()
    await page.getByText('Draft saved').waitFor()
  })

  test('what cannot be saved is said, stays on this device, and is back and saved once the server is', async () => {
    const page = await openEditor({ site: 'dyffryn' })
    await page.goto('/admin/homepage?lng=en')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('heading', { level: 1, name: 'Homepage' }).waitFor()
    const words = page.locator('.editor-form').getByRole('textbox').first()
    await page.route('**/api/v2/homepage-revisions', (route) => route.abort())
    await words.fill('Written while the server was gone')
    await page.getByText('We cannot save this right now').waitFor()
    // As after a crash: the page is opened anew before anything is saved.
    await page.reload()
    await page.getByText(/We could not save what you wrote/).waitFor()
    await expect.poll(() => words.inputValue()).toBe('Written while the server was gone')
    await page.unroute('**/api/v2/homepage-revisions')
    await page.getByText('Draft saved').waitFor()
  })

  test('blocks are kept as a section and put into another page; what is copied is pasted', async () => {
    const page = await openEditor({ site: 'harbour' })
    await page.getByRole('button', { name: 'Save as section…' }).click()
    await page.getByLabel('Name of the section').fill('The beginning')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Page', { exact: true }).click()
    await page.getByRole('listbox', { name: 'Page' }).getByRole('option').nth(1).click()
    // The homepage's editor gives way to the department's, which begins without blocks.
    await page.getByText('No blocks yet').waitFor()
    await page.getByRole('button', { name: 'Add a block' }).click()
    await page.getByRole('button', { name: /^The beginning/ }).click()
    await expect.poll(() => page.locator('.reorderable-item').count()).toBe(1)
    await page.locator('.reorderable-item').last().click()
    const form = page.locator('.block-form')
    await expect.poll(() => form.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+c')
    await page.getByText('Copied. You can paste it into any page.').waitFor()
    await page.getByRole('button', { name: 'Paste', exact: true }).click()
    await expect.poll(() => page.locator('.reorderable-item').count()).toBe(2)
  })

  test('a department administrator edits the page of their own department alone', async () => {
    const page = await openPage()
    await signIn(page, 'hub.admin')
    await page.goto('/admin/homepage')
    await page.getByText('No blocks yet').waitFor()
    expect(new URL(page.url()).searchParams.get('hub')).toBeTruthy()
    await page.locator('#main').getByText('Transportation', { exact: true }).waitFor()
    await expectAccessible(page, 'iframe')
  })
})
