import { describe, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '#app/cli/demo/demo-accounts.ts'
import { getConsoleErrors, expectAccessible, openPage, pasteMarkup, publishWithout, signIn } from '#tests/support/browser.ts'
import { requireMailedLink } from '#tests/support/mails.ts'

describe('administration', () => {
  test('a visitor is asked to sign in and led back; a participant is told it is not theirs', async () => {
    const visitor = await openPage()
    await visitor.goto('/admin/projects')
    expect(new URL(visitor.url()).pathname).toBe('/sign-in')
    const participant = await openPage()
    await signIn(participant, 'participant')
    expect((await participant.goto('/admin'))?.status()).toBe(403)
  })

  test('a site administrator writes a project in each language and publishes it; a visitor sees it at once', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Projects', exact: true }).click()
    await page.getByRole('link', { name: 'New project' }).click()
    await page.getByLabel('Title').fill('Benches for Mill Lane')
    await page.getByLabel('Summary').fill('Where would you like to sit down?')
    await page.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { level: 1, name: 'Benches for Mill Lane' }).waitFor()
    await expectAccessible(page)

    // Publishing asks for what is missing in French.
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByLabel('Title: publish without this language (Français)').waitFor()
    expect(await page.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await page.getByLabel('Leave all of these out').check()
    await expect.poll(() => page.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(false)
    await page.getByLabel('Summary: publish without this language (Français)').uncheck()
    await expect.poll(() => page.getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('tab', { name: /Français/ }).click()
    await page.getByLabel('Title').fill('Des bancs pour Mill Lane')
    await page.getByLabel('Summary').fill('Où aimeriez-vous vous asseoir?')
    await page.getByRole('button', { name: 'Publish…' }).and(page.locator(':enabled')).waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('heading', { level: 1, name: /Published/ }).waitFor()
    expect(getConsoleErrors(page)).toEqual([])

    const visitor = await openPage({ javaScript: false })
    await visitor.goto('/fr-CA/projects/benches-for-mill-lane')
    expect(await visitor.getByRole('heading', { level: 1 }).textContent()).toContain('Des bancs pour Mill Lane')
  })

  test('what is typed into a published project is a draft: previewed, kept after the tab is closed, discarded or published on purpose', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/projects?status=published')
    await page.getByRole('link', { name: 'A faster bus on Fern Street' }).click()
    await page.getByRole('tab', { name: 'Texts' }).click()
    const address = page.url()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show preview' }).click()
    const preview = page.frameLocator('iframe')
    await page.getByLabel('Summary').fill('We are going to clo')
    await preview.getByText('We are going to clo').waitFor()
    await page.getByText('Changes not published').waitFor()

    // The server is away while the last words are typed, and the tab is closed.
    await page.route('**/api/v2/project-revisions', (route) => route.abort())
    await page.getByLabel('Summary').fill('We are going to close a lane')
    await page.getByText(/We cannot save this right now/).waitFor()
    const context = page.context()
    await page.close({ runBeforeUnload: false })
    const again = await context.newPage()
    await again.goto(address)
    await again.getByText(/It is restored here/).waitFor()
    expect(await again.getByLabel('Summary').inputValue()).toBe('We are going to close a lane')
    const visitor = await openPage({ javaScript: false })
    const read = async () => {
      await visitor.goto('/projects/fern-street')
      return visitor.getByRole('main').innerText()
    }
    expect(await read()).not.toContain('We are going to clo')

    await again.getByText('Draft saved').waitFor()
    await again.getByRole('button', { name: 'Publish changes…' }).click()
    // Its translations say what it said before.
    await publishWithout(again, 'Publish now')
    await expect.poll(read).toContain('We are going to close a lane')
    // Of the message: the editor's own takes back what was typed.
    const undo = again.getByRole('alertdialog', { name: 'Published' }).getByRole('button', { name: 'Undo', exact: true })
    await again.route('**/api/v2/project-revision-publications/*', (route) => route.abort())
    await undo.click()
    await again.getByText('The service is not available at the moment. Try again shortly.').waitFor()
    await again.unroute('**/api/v2/project-revision-publications/*')
    await undo.click()
    await again.getByText('The previous version is shown again.').waitFor()
    await expect.poll(read).not.toContain('We are going to close a lane')
    await again.getByRole('button', { name: 'Discard changes' }).click()
    await again.getByText('Changes not published').waitFor({ state: 'detached' })
    expect(await again.getByRole('button', { name: 'Publish changes…' }).isDisabled()).toBe(true)
  })

  test('two editors at once: the second sees both versions and loses neither', async () => {
    const [first, second] = [await openPage(), await openPage()]
    await signIn(first, 'site.admin')
    await signIn(second, 'site.admin')
    await first.goto('/admin/projects?status=draft')
    const address = await first.getByRole('link', { name: 'A night market on Canal Street' }).getAttribute('href')
    await Promise.all([first.goto(address ?? ''), second.goto(address ?? '')])
    await first.getByLabel('Summary').fill('The first summary')
    await first.getByText('Draft saved').waitFor()
    await second.getByLabel('Summary').fill('The second summary')
    await second.getByText('Someone else saved another version').waitFor()
    await second.getByRole('cell', { name: 'The first summary' }).waitFor()
    await expectAccessible(second)
    expect(await second.getByLabel('Summary').inputValue()).toBe('The second summary')
    await second.getByRole('button', { name: 'Keep mine' }).click()
    await second.getByText('Draft saved').waitFor()
    await first.reload()
    expect(await first.getByLabel('Summary').inputValue()).toBe('The second summary')
  })

  test('a newsletter is written beside its mail and sent; it reaches people in their language, and whoever leaves is not reached by the next', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/newsletters')
    await page.getByRole('link', { name: 'Autumn newsletter' }).waitFor()
    await expectAccessible(page)
    const draft = async (name: string) => {
      await page.getByRole('button', { name: 'New newsletter' }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('button', { name: 'Create draft' }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    const reached = async () => {
      const text = await page
        .getByText(/^\d+ people$/)
        .first()
        .textContent()
      return Number.parseInt(text ?? '', 10)
    }
    await draft('Winter news')
    const subject = page.getByRole('textbox', { name: 'Subject' })
    const words = page.getByRole('textbox', { name: 'Text', exact: true })
    const mail = page.frameLocator('iframe')
    await subject.fill('Winter at {{site}}')
    await page.getByRole('button', { name: 'Add a block' }).click()
    await page.getByRole('dialog').getByRole('button', { name: /^Text/ }).first().click()
    await pasteMarkup(words, '## Snow\n\nThe **paths** are cleared, {{name}}.')
    await mail.getByRole('heading', { name: 'Snow' }).waitFor()
    await page.getByText('Winter at Riverbend').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/Français: these readers get another language \(English\)/).waitFor()
    await page.getByRole('tab', { name: /Français/ }).click()
    // The fields of the language before give way first.
    await expect.poll(async () => [await subject.inputValue(), await words.innerText()].map((text) => text.trim())).toEqual(['', ''])
    await subject.fill('L’hiver à {{site}}')
    await pasteMarkup(words, '## La neige\n\nLes **sentiers** sont dégagés, {{name}}.')
    await mail.getByRole('heading', { name: 'La neige' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/Français: these readers get/).waitFor({ state: 'detached' })
    await expectAccessible(page)
    const people = await reached()
    await page.getByRole('button', { name: `Send now to ${people} people…` }).click()
    const dialog = page.getByRole('alertdialog', { name: `Send this to ${people} people now?` })
    await dialog.getByRole('button', { name: `Send now to ${people} people`, exact: true }).click()
    await page.getByText(`0 of ${people} done`).waitFor()
    await expectAccessible(page)
    const sent = page.url()

    await page.goto('/admin/outbox')
    await page.getByRole('link', { name: 'L’hiver à Riverbend' }).first().click()
    // The way out that a mail holds is its reader's own.
    expect(await page.getByRole('article').innerText()).not.toMatch(/unfollow\?token=\w/)
    const recipient = /\S+@\S+/.exec(await page.getByRole('main').innerText())?.[0] ?? ''
    const out = new URL(await requireMailedLink(recipient, '/fr-CA/unfollow?token='))
    const reader = await openPage({ javaScript: false, language: 'fr-CA' })
    await reader.goto(out.pathname + out.search)
    await reader.getByRole('button', { name: 'Ne plus recevoir d’infolettres' }).click()
    await reader.getByRole('heading', { level: 1, name: 'Vous ne recevrez plus d’infolettres' }).waitFor()

    await page.goto('/admin/newsletters')
    await draft('Spring news')
    expect(await reached()).toBe(people - 1)
    await page.getByRole('button', { name: 'Delete draft' }).click()
    await page.getByRole('link', { name: 'Winter news' }).waitFor()
    // Without a mail service its mails would wait in front of those of other tests.
    await page.goto(sent)
    await page.getByRole('button', { name: 'Cancel the rest…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the rest' }).click()
    await page.getByText(`${people} of ${people} done`).waitFor()
    // The checker of accessibility tries to look into the mail, where no script runs.
    expect(getConsoleErrors(page).filter((text) => !text.includes('about:srcdoc'))).toEqual([])
  })

  test('a project administrator sees what is theirs and asks for review instead of publishing', async () => {
    const page = await openPage()
    await signIn(page, 'project.admin')
    await page.goto('/admin/projects')
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    expect(await page.getByRole('link', { name: 'New project' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Outbox' }).count()).toBe(0)
    await page.goto('/admin/pages')
    await page.getByRole('heading', { level: 1, name: 'You do not have access to this page' }).waitFor()
  })

  test('several projects at once: what cannot be done with one is said by its name, and the rest is done', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    for (const title of ['A pump track for Elm Park', 'Lanterns on the quay']) {
      await page.goto('/admin/projects/new')
      await page.getByLabel('Title').fill(title)
      await page.getByRole('button', { name: 'Create draft' }).click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    await page.goto('/admin/projects?status=draft')
    // By keyboard alone: the boxes, the menu and the question.
    await page.getByRole('checkbox', { name: 'Select A pump track for Elm Park' }).press('Space')
    await page.getByRole('checkbox', { name: 'Select Lanterns on the quay' }).press('Space')
    await page.locator('.selection-bar').getByText('2 selected').waitFor()
    await expectAccessible(page)
    const choose = async (step: string) => {
      await page.getByRole('button', { name: 'Actions' }).press('Enter')
      await page.getByRole('menuitem', { name: step }).press('Enter')
    }
    const asked = page.getByRole('alertdialog')
    await choose('Publish…')
    await asked.getByRole('heading', { name: 'Publish 2 projects?' }).waitFor()
    await expectAccessible(page)
    await asked.getByRole('button', { name: 'Publish now' }).press('Enter')
    const told = page.getByRole('dialog', { name: '0 of 2 done' })
    await told.getByText('Lanterns on the quay').waitFor()
    expect(await told.getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('The text is missing in one of the site’s languages.'),
      expect.stringContaining('The text is missing in one of the site’s languages.'),
    ])
    await page.keyboard.press('Escape')

    await choose('Set the topic…')
    await asked.getByRole('heading', { name: 'Set the topic of 2 projects?' }).waitFor()
    await asked.getByRole('button', { name: 'Set the topic' }).press('Enter')
    await page.getByText('Topic set: 2 projects').waitFor()
    // What was chosen is let go, and the keyboard stays in the table.
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.data-panel') !== null)).toBe(true)

    // One that is published already is left out by its name.
    await page.goto('/admin/projects')
    await page.getByRole('checkbox', { name: 'Select A pump track for Elm Park' }).check()
    await page.getByRole('checkbox', { name: 'Select Benches for Mill Lane' }).check()
    await choose('Publish…')
    await asked.getByRole('heading', { name: 'Publish 1 project?' }).waitFor()
    await asked.getByText('Benches for Mill Lane This is already published.').waitFor()
    await asked.getByLabel('Also publish those with missing translations').check()
    await asked.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('Published: 1 project').waitFor()
    await page.goto('/admin/projects?status=published&q=pump')
    await page.getByRole('link', { name: 'A pump track for Elm Park' }).waitFor()
    expect(getConsoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])
  })

  test('everybody on a page: oneself is left out of a block, the rest is told why, and is let in again', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/people?q=admin%40riverbend')
    const self = await page.locator('.admin-account a').textContent()
    const choose = async (step: string) => {
      await page.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: step }).click()
    }
    const asked = page.getByRole('alertdialog')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await choose('Block…')
    await asked.getByText(`${self} You do not have permission to do this.`).waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await page.goto('/admin/people?role=participant&status=active&sort=login')
    const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
    await boxes.nth(3).check()
    await boxes.nth(5).click({ modifiers: ['Shift'] })
    await page.locator('.selection-bar').getByText('3 selected').waitFor()
    await choose('Block…')
    await asked.getByRole('heading', { name: 'Block 3 people?' }).waitFor()
    expect(await asked.getByRole('button', { name: 'Block', exact: true }).isDisabled()).toBe(true)
    await asked.getByLabel('Reason, as they will read it').fill('Insults in every answer')
    await asked.getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByText('Blocked, reason sent: 3 people').waitFor()
    await page.goto('/admin/people?status=blocked&sort=login')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await choose('Unblock…')
    await asked.getByRole('button', { name: 'Unblock' }).click()
    await page.getByText(/^Unblocked: \d+ people$/).waitFor()

    // Two accounts are made one only with the one that somebody looked for and chose.
    await page.goto('/admin/people?role=participant&sort=login')
    await page.locator('tbody a').first().click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Merge with another account…' }).click()
    const yes = asked.getByRole('button', { name: 'Merge', exact: true })
    await asked.getByLabel('Name or email of the other account').fill('site.admin@riverbend')
    await expect.poll(() => yes.isDisabled()).toBe(true)
    await asked.getByLabel('Account to keep').selectOption({ index: 1 })
    await expect.poll(() => yes.isEnabled()).toBe(true)
    await asked.getByRole('button', { name: 'Cancel' }).click()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('a view of a table is kept under a name, opened, renamed and deleted; it is its owner’s alone', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/projects?status=draft&sort=title')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'People' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'People' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save this view…' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Complete this field.').waitFor()
    await page.getByLabel('Name of the view').fill('Drafts by title')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const views = page.getByRole('navigation', { name: 'Saved views' })
    await views.getByRole('link', { name: 'Drafts by title' }).waitFor()
    await expectAccessible(page)

    await page.goto('/admin/projects')
    await page.getByRole('columnheader', { name: 'People' }).waitFor()
    await views.getByRole('link', { name: 'Drafts by title' }).click()
    await page.waitForURL((url) => [...url.searchParams].toSorted().toString() === 'hide,participants,sort,title,status,draft')
    expect(await views.getByRole('link', { name: 'Drafts by title' }).getAttribute('aria-current')).toBe('page')
    await page.getByRole('button', { name: 'Manage the view “Drafts by title”' }).click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await page.getByLabel('Name of the view').fill('My drafts')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await views.getByRole('link', { name: 'My drafts' }).waitFor()

    const colleague = await openPage()
    await signIn(colleague, 'hub.admin')
    await colleague.goto('/admin/projects')
    await colleague.getByRole('button', { name: 'Save this view…' }).waitFor()
    expect(await colleague.getByRole('link', { name: 'My drafts' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Manage the view “My drafts”' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await views.waitFor({ state: 'detached' })
    expect(getConsoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])
  })

  test.each([1280, 360])('a project’s documents and members are edited with the keyboard only, %i wide', async (width) => {
    const page = await openPage({ width })
    await signIn(page, 'site.admin')
    await page.goto('/admin/projects?status=published&sort=title')
    await page.getByRole('link', { name: 'A library for Northgate', exact: true }).press('Enter')
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    await page.getByRole('tab').first().focus()
    for (let tabs = await page.getByRole('tab').count(); tabs > 0; tabs--) {
      if ((await tab('Documents').getAttribute('aria-selected')) === 'true') break
      await page.keyboard.press('ArrowRight')
    }
    await page.getByRole('tabpanel', { name: 'Documents' }).waitFor()
    const plan = `plan-${width}`
    await page.getByLabel('Upload a document').focus()
    await page
      .getByLabel('Upload a document')
      .setInputFiles({ name: `${plan}.pdf`, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 %%EOF') })
    await page.getByRole('link', { name: plan }).waitFor()
    await expect.poll(() => page.getByLabel('Upload a document').evaluate((input) => input === document.activeElement)).toBe(true)
    await expectAccessible(page)
    await page.getByRole('button', { name: `Edit ${plan}` }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.getByRole('button', { name: `Edit ${plan}` }).evaluate((button) => button === document.activeElement))
      .toBe(true)
    await page.getByRole('button', { name: `Remove ${plan}` }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByRole('link', { name: plan }).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)

    await tab('Documents').focus()
    for (let tabs = await page.getByRole('tab').count(); tabs > 0; tabs--) {
      if ((await tab('Members').getAttribute('aria-selected')) === 'true') break
      await page.keyboard.press('ArrowRight')
    }
    await page.getByRole('tabpanel', { name: 'Members' }).waitFor()
    await page.getByRole('button', { name: 'Add by email' }).press('Enter')
    const email = page.getByRole('dialog').getByLabel('Email')
    await email.fill('no address')
    await email.press('Enter')
    await page.getByRole('dialog').getByText('Enter an email address').first().waitFor()
    await expectAccessible(page)
    await email.fill(`keys-${width}@example.org`)
    await email.press('Enter')
    await page.getByRole('rowheader', { name: `keys-${width}@example.org` }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: `Remove keys-${width}@example.org` }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByRole('rowheader', { name: `keys-${width}@example.org` }).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false)
    expect(getConsoleErrors(page).filter((text) => !text.includes('status of 422'))).toEqual([])
  })

  test('by keys from anywhere: what has a name is found, and keys of a letter alone can be switched off', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: /Name of a page/ })
    await field.waitFor()
    await expectAccessible(page)
    await page.keyboard.type('night market')
    const option = page.getByRole('option', { name: 'A night market on Canal Street' })
    await option.waitFor()
    await expectAccessible(page)
    await expect.poll(async () => field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /A night market on Canal Street/ }).waitFor()

    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByRole('switch', { name: 'Single-key shortcuts' }).waitFor()
    await expectAccessible(page)
    await keys.getByRole('switch').click()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await page.keyboard.press('?')
    // With a key more than a letter it goes on working, and from there to the switch.
    await page.keyboard.press('Control+k')
    await field.waitFor()
    expect(await keys.count()).toBe(0)
    await page.keyboard.type('shortcuts')
    await page.getByRole('option', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Enter')
    await keys.waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('whoever holds roles in several places finds all of them behind the one that is shown', async () => {
    const page = await openPage()
    await signIn(page, 'project.admin')
    await page.goto('/admin/audit')
    await page.getByRole('button', { name: 'Project administrator: all your roles' }).click()
    const roles = page.getByRole('menuitem')
    await roles.nth(1).waitFor()
    expect(await roles.count()).toBe(2)
    const place = ((await roles.first().textContent()) ?? '').split(' · ')[1] ?? 'no place'
    await roles.first().click()
    await page.getByRole('heading', { level: 1, name: place }).waitFor()
    // What they may not manage is not searched: people.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('ann')
    expect(await page.getByRole('option', { name: 'People', exact: true }).count()).toBe(0)
    expect(getConsoleErrors(page)).toEqual([])
  })

  test('a file that is ready is told by the bell, once, and leads to where it lies', async () => {
    const page = await openPage()
    await signIn(page, 'site.admin')
    await page.goto('/admin/surveys?status=published')
    // From within the page: only the browser knows the demo's names for this machine.
    const post = (path: string, data: object, token = '') =>
      page.evaluate(
        async (sent) => {
          const headers = { 'content-type': 'application/vnd.api+json', ...(sent.token && { 'x-api-token': `Bearer ${sent.token}` }) }
          const answer = await fetch(`/api/v2/${sent.path}`, { method: 'POST', headers, body: JSON.stringify({ data: sent.data }) })
          return ((await answer.json()) as { data: { attributes: { token?: string } } }).data
        },
        { path, data, token },
      )
    const attributes = { email: 'site.admin@riverbend.example', password: DEMO_PASSWORD }
    const token = (await post('sessions', { type: 'sessions', attributes })).attributes.token ?? ''
    const address = await page.locator('.admin-table tbody th a').first().getAttribute('href')
    const survey = address?.split('/').at(-1)
    const bell = page.getByRole('button', { name: /^Notifications:/ })
    const countUnread = async () => Number(/\d+/.exec((await bell.getAttribute('aria-label')) ?? '')?.[0])
    await page.waitForLoadState('networkidle')
    // The demo's appeal.
    const before = await countUnread()
    await post(
      'exports',
      { type: 'exports', attributes: { format: 'csv' }, relationships: { survey: { data: { type: 'surveys', id: survey } } } },
      token,
    )
    await expect
      .poll(
        async () => {
          await page.reload()
          await bell.waitFor()
          await page.waitForLoadState('networkidle')
          return countUnread()
        },
        { interval: 1000 },
      )
      .toBe(before + 1)
    await bell.click()
    const told = page.getByRole('dialog', { name: 'Notifications' })
    await told.getByRole('link', { name: /is ready$/ }).waitFor()
    await expectAccessible(page)
    await told.getByRole('link', { name: /is ready$/ }).click()
    await page.waitForURL((url) => url.pathname === `/admin/surveys/${survey}/responses`)
    await page.getByRole('button', { name: `Notifications: ${before} unread` }).waitFor()
    expect(getConsoleErrors(page)).toEqual([])
  })

  test.each([
    ['riverbend', 'fr-CA', 'Tableau de bord', 'Projets'],
    ['dyffryn', 'cy', 'Dangosfwrdd', 'Prosiectau'],
    ['harbour', 'en', 'Dashboard', 'Projects'],
  ] as const)('speaks the language of %s: %s', async (site, language, dashboard, projects) => {
    const page = await openPage({ site, width: 360 })
    await signIn(page, 'site.admin')
    await page.goto(`/admin?lng=${language}`)
    await page.getByRole('heading', { level: 1, name: dashboard }).waitFor()
    await expectAccessible(page)
    await page.goto(`/admin/projects?lng=${language}`)
    await page.getByRole('heading', { level: 1, name: projects }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await expectAccessible(page)
  })
})
