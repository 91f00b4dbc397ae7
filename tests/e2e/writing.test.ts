import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { expectAccessible, getConsoleErrors, openPage, publishWithout, signIn } from '#tests/support/browser.ts'

/** As Word puts it on the clipboard: styles, conditional comments, and each item of a list as a paragraph with its bullet written out. */
const FROM_WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head>
<meta name=Generator content="Microsoft Word 15"><style><!-- @font-face {font-family:Wingdings;} p.MsoNormal {mso-style-parent:"";margin:0cm;} --></style>
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--></head><body lang=EN-CA style='tab-interval:36.0pt'><!--StartFragment-->
<h1 style='mso-list:none'><b><span style='font-size:20.0pt;mso-bidi-font-size:11.0pt'>New benches<o:p></o:p></span></b></h1>
<p class=MsoNormal style='margin-bottom:8.0pt'><span lang=EN-CA>We build <b style='mso-bidi-font-weight:normal'>forty</b>
benches, <i>all</i> of oak. <a href="https://riverbend.example/oak">Read about oak</a> or <a href="javascript:alert(1)">not</a>.<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Mill Lane<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>River path<o:p></o:p></p>
<table class=MsoTableGrid border=1 style='border-collapse:collapse;mso-yfti-tbllook:1184'><tr style='mso-yfti-irow:0'>
<td width=208 style='border:solid windowtext 1.0pt'><p class=MsoNormal><span>Place<o:p></o:p></span></p></td><td><p class=MsoNormal>Benches<o:p></o:p></p></td></tr>
<tr><td><p class=MsoNormal>Mill Lane<o:p></o:p></p></td><td><p class=MsoNormal>12<o:p></o:p></p></td></tr></table>
<p class=MsoNormal><img width=300 src="https://elsewhere.example/spy.png" onerror="alert(1)"><o:p>&nbsp;</o:p></p><!--EndFragment--></body></html>`

const WORD_AS_MARKUP = `## New benches

We build **forty** benches, _all_ of oak. [Read about oak](https://riverbend.example/oak) or not.

- Mill Lane
- River path

| Place | Benches |
| --- | --- |
| Mill Lane | 12 |`

/** As Google Docs does: all of it in a bold element that is not bold, with styles for marks. */
const FROM_GOOGLE = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-51d0"><h2 dir="ltr"><span style="font-size:16pt;font-weight:400">Trees</span></h2>
<p dir="ltr" style="line-height:1.38"><span style="font-weight:400;font-style:normal">Two </span><span style="font-weight:700;font-style:normal">tall</span><span style="font-weight:400;font-style:italic"> ones</span></p>
<ol style="margin-top:0"><li dir="ltr" style="list-style-type:decimal" aria-level="1"><p dir="ltr" role="presentation"><span>Lime</span></p></li><li dir="ltr"><p dir="ltr"><span>Oak</span></p></li></ol></b><br class="Apple-interchange-newline">`

const GOOGLE_AS_MARKUP = '## Trees\n\nTwo **tall** _ones_\n\n1. Lime\n2. Oak'

const paste = (text: Locator, html: string) =>
  text.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', pasted)
    clipboardData.setData('text/plain', 'plain')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)

/** Makes a draft page in the dialog and returns the editor of its text. */
async function makePage(page: Page, title: string): Promise<Locator> {
  await page.goto('/admin/pages')
  await page.getByRole('button', { name: 'New page' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill(title)
  await dialog.locator('[contenteditable]').waitFor()
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('First.')
  await dialog.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await page.locator('[contenteditable]').waitFor()
  return text
}

async function save(page: Page): Promise<string> {
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const document = (await sent).postDataJSON() as { data: { attributes: { bodyTranslations: { en: string } } } }
  await page.getByText('All changes saved').waitFor()
  return document.data.attributes.bodyTranslations.en
}

test('a page is written with the keyboard only, and everybody reads it without scripts', async () => {
  const page = await openPage()
  await signIn(page, 'site.admin')
  const text = await makePage(page, 'Benches by keyboard')
  await text.focus()
  const { keyboard } = page
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('First.')
  await keyboard.press('Enter')
  await keyboard.press('ControlOrMeta+Alt+2')
  await keyboard.type('Where')
  await keyboard.press('Enter')
  await keyboard.press('ControlOrMeta+b')
  await keyboard.type('Two')
  await keyboard.press('ControlOrMeta+b')
  await keyboard.type(' * 3 benches')
  await keyboard.press('Enter')
  await keyboard.press('ControlOrMeta+Shift+7')
  await keyboard.type('Mill Lane')
  await keyboard.press('Enter')
  await keyboard.type('River path')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  // The toolbar is one stop; arrow keys move within it, and Escape leads back.
  await keyboard.press('Alt+F10')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Heading (H2)')
  for (let at = 0; at < 7; at++) await keyboard.press('ArrowRight')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Table')
  await keyboard.press('Enter')
  await keyboard.type('Place')
  await keyboard.press('ControlOrMeta+k')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('javascript:alert(1)')
  await keyboard.press('Enter')
  await dialog.getByText('Enter a web address').waitFor()
  await dialog.getByLabel('Address').fill('/projects')
  await dialog.getByLabel('Text of the link').fill('All')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expectAccessible(page)
  // A label leads to the text, which Tab leaves.
  const markup = await save(page)
  expect(markup).toBe(
    'First.\n\n## Where\n\n**Two** * 3 benches\n\n1. Mill Lane\n2. River path\n\n| Place[All](/projects) |  |  |\n| --- | --- | --- |\n|  |  |  |\n|  |  |  |',
  )
  await page.getByLabel('Visible to everyone').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await publishWithout(page, 'Publish')
  await page.getByText('All changes saved').waitFor()
  const visitor = await openPage({ javaScript: false })
  await visitor.goto('/pages/benches-by-keyboard')
  expect(await visitor.getByRole('heading', { level: 2, name: 'Where' }).count()).toBe(1)
  expect(await visitor.locator('.prose ol > li').allTextContents()).toEqual(['Mill Lane', 'River path'])
  expect(await visitor.getByRole('columnheader').first().textContent()).toBe('PlaceAll')
  // The browser notes that the page was refused before its languages were waived.
  expect(getConsoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])
})

test('texts pasted from Word and Google Docs come out clean; undo restores the original text', async () => {
  const page = await openPage()
  await signIn(page, 'site.admin')
  const text = await makePage(page, 'Pasted')
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).hostname))
  for (const [html, expected] of [
    [FROM_WORD, WORD_AS_MARKUP],
    [FROM_GOOGLE, GOOGLE_AS_MARKUP],
  ] as const) {
    await text.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await paste(text, html)
    expect(await save(page)).toBe(expected)
  }
  expect(requests).not.toContain('elsewhere.example')
  await text.focus()
  await page.keyboard.press('ControlOrMeta+End')
  // What is written within half a second is undone together.
  await page.waitForTimeout(700)
  await page.keyboard.type(' x')
  await page.getByText('1 unsaved change').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('All changes saved').waitFor()
  expect(await text.textContent()).toContain('Oak')
})

test('pictures have alternative text, and videos come from listed hosts only', async () => {
  const page = await openPage()
  await signIn(page, 'site.admin')
  const text = await makePage(page, 'With a picture and a video')
  const dialog = page.getByRole('dialog')
  await text.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('First.')
  await page.getByRole('button', { name: 'Picture', exact: true }).click()
  await dialog.getByRole('button', { name: /budget\.svg/ }).click()
  await dialog.getByLabel('Alternative text').fill('Coins on a scale')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Video', exact: true }).click()
  await dialog.getByLabel('Address').fill('https://videos.example/watch?v=1')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await dialog.getByText('Enter the address of a video on YouTube or Vimeo.').waitFor()
  await dialog.getByText('Enter a title.').waitFor()
  await dialog.getByLabel('Address').fill('https://vimeo.com/76979871')
  await dialog.getByLabel('Title of the video').fill('The bridge')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.type('Last.')
  expect(await save(page)).toMatch(
    /^First\.\n\n!\[Coins on a scale\]\(\/\S+budget\S*\)\n\n!\[The bridge\]\(https:\/\/vimeo\.com\/76979871\)\n\nLast\.$/,
  )
})

test('the same editor writes departments, projects with their questions and answers, updates and newsletters', async () => {
  const page = await openPage()
  await signIn(page, 'site.admin')
  /** Its tools are there, and what is typed in bold comes back as such. */
  const expectEditor = async () => {
    const text = page.locator('#main [contenteditable=true], [role=dialog] [contenteditable=true]').first()
    await text.waitFor()
    await text.focus()
    await page.keyboard.press('Alt+F10')
    const tools = await page
      .locator('[role=toolbar]')
      .first()
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    expect(tools, page.url()).toEqual(
      expect.arrayContaining([
        'Heading (H2)',
        'Subheading (H3)',
        'Bold',
        'Italic',
        'Bulleted list',
        'Numbered list',
        'Link',
        'Table',
        'Picture',
        'Video',
      ]),
    )
  }
  await page.goto('/admin/hubs')
  await page.locator('#main a[href*="/admin/hubs/"]').first().click()
  await expectEditor()
  await page.goto('/admin/projects')
  await page.getByRole('link', { name: 'A faster bus on Fern Street' }).click()
  await page.getByRole('tab', { name: 'Texts' }).click()
  await expectEditor()
  const project = page.url().split('#')[0]
  await page.getByRole('tab', { name: 'Questions and answers' }).click()
  await page.locator('[id^="faqs"]').first().waitFor()
  await expectEditor()
  await page.goto(`${project}/updates`)
  await page.locator('#main table a').first().click()
  await expectEditor()
  await page.goto('/admin/newsletters')
  await page.getByRole('button', { name: 'New newsletter' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Written with tools')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('button', { name: 'Add a block' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Text/ }).first().click()
  await expectEditor()
})

test('a participant’s page never asks for the editor', async () => {
  const page = await openPage()
  const scripts: string[] = []
  page.on('response', async (answer) => {
    if (answer.headers()['content-type']?.includes('javascript')) scripts.push(await answer.text().catch(() => ''))
  })
  for (const path of ['/', '/projects/fern-street', '/pages/privacy']) await page.goto(path, { waitUntil: 'networkidle' })
  expect(scripts.length).toBeGreaterThan(3)
  expect(scripts.filter((script) => script.includes('ProseMirror'))).toEqual([])
})

test('a button that is pressed right after writing before the editor has loaded is not lost', async () => {
  const page = await openPage()
  await signIn(page, 'site.admin')
  const held = Promise.withResolvers<void>()
  await page.route(/RichTextEditor/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/admin/pages')
  await page.getByRole('button', { name: 'New page' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Terms of use')
  await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Be kind.')
  const loaded = page.waitForResponse(/RichTextEditor/)
  held.resolve()
  await (await loaded).finished()
  await dialog.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Terms of use' }).waitFor()
  await page.getByRole('textbox', { name: 'Text', exact: true }).getByText('Be kind.').waitFor()
  expect(getConsoleErrors(page)).toEqual([])
})
