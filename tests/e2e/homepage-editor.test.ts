import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright'
import { consoleErrors, expectAccessible, newPage, signIn } from '#tests/support/browser.ts'

const preview = (page: Page) => page.frameLocator('.preview-frame iframe')

async function openEditor(options: Parameters<typeof newPage>[0] = {}): Promise<Page> {
  const page = await newPage(options)
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
    await page.getByRole('button', { name: /^Call to action/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Heading' }).focus()
    await page.keyboard.type('Come to the open evening')
    await preview(page).getByRole('heading', { name: 'Come to the open evening' }).waitFor()

    await page.getByRole('tab', { name: /Français/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Heading' }).focus()
    await page.keyboard.type('Venez à la soirée')
    await page.getByRole('button', { name: /^Call to action.*: move and more$/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move up' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(/is now 1 of/).waitFor({ state: 'attached' })
    await page.getByText('Draft, saved').waitFor()
    await expectAccessible(page, 'iframe')

    await page.getByRole('button', { name: 'Publish…' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Publish now' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Published', { exact: true }).first().waitFor()
    expect(consoleErrors(page)).toEqual([])

    const visitor = await newPage({ javaScript: false })
    await visitor.goto('/')
    await visitor.getByRole('heading', { name: 'Come to the open evening' }).waitFor()
    await visitor.goto('/fr-CA')
    await visitor.getByRole('heading', { name: 'Venez à la soirée' }).waitFor()
  })

  test('two editors at once: the second is shown both versions, and both can be kept', async () => {
    const [first, second] = [await openEditor({ site: 'harbour' }), await openEditor({ site: 'harbour' })]
    await first.getByRole('textbox', { name: 'Heading' }).fill('The first wording')
    await first.getByText('Draft, saved').waitFor()
    await second.getByRole('textbox', { name: 'Heading' }).fill('The second wording')
    await second.getByText('Somebody else saved another version').waitFor()
    await second.getByRole('cell', { name: /The first wording/ }).waitFor()
    await second.getByRole('button', { name: 'Keep both' }).click()
    await second.getByText('Draft, saved').waitFor()
    await preview(second).getByRole('heading', { name: 'The first wording' }).waitFor()
    await preview(second).getByRole('heading', { name: 'The second wording' }).waitFor()
    expect(consoleErrors(second).filter((text) => !text.includes('status of 409'))).toEqual([])
  })

  test('a text that lacks a language is named before publishing, and waived by name; an old version comes back', async () => {
    const page = await openEditor({ site: 'dyffryn' })
    await page.goto('/admin/homepage?lng=en')
    await page.getByRole('heading', { level: 1, name: 'Homepage' }).waitFor()
    await page.getByRole('button', { name: 'Add a block' }).click()
    await page.getByRole('button', { name: /^Text/ }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Dim ond yn Gymraeg')
    await page.getByText('Draft, saved').waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    expect(await page.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await page.getByLabel(/Text, Text: publish without English/).check()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Bring back' }).last().click()
    await page.getByText('Draft, saved').waitFor()
  })

  test('a department administrator edits the page of their own department alone', async () => {
    const page = await newPage()
    await signIn(page, 'hub.admin')
    await page.goto('/admin/homepage')
    await page.getByText('No blocks yet').waitFor()
    expect(new URL(page.url()).searchParams.get('hub')).toBeTruthy()
    await expectAccessible(page, 'iframe')
  })
})
