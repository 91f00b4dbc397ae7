import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { createFirstAdminLink } from '#app/features/people/first-admin.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { emailFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible, publishWithout, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const db = await createOwnDatabase()
const product = await db.start()
const ALDER = { host: 'alder.localhost' } as Site
const PASSWORD = 'another-bramble-hedge'

const main = (page: Page) => page.locator('#main')
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('All changes saved').waitFor()
}

/** Presses "Publish…", leaves out what the dialog names as not translated, and confirms. */
async function publish(page: Page, button = 'Publish…'): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const confirm = page.getByRole('button', { name: 'Publish now' })
  await confirm.waitFor()
  for (const waiver of await page.getByLabel(/without/).all()) if (!(await waiver.isChecked())) await waiver.press('Space')
  await confirm.click()
  await confirm.waitFor({ state: 'detached' })
  // The button is gone, but focus stays on the page.
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
}

/** What the checklist says of each step. */
const readSteps = async (page: Page): Promise<Record<string, boolean>> => {
  await page.goto('/admin')
  await heading(page, 'Dashboard').waitFor()
  const steps = await page
    .locator('.first-steps > li')
    .evaluateAll((items) => items.map((item) => [item.querySelector('h3')?.textContent ?? '', item.textContent.endsWith('Done')] as const))
  return Object.fromEntries(steps)
}

/** Uses a link from an invitation: chooses a password, signs in, and arrives in the administration. */
async function acceptInvitation(page: Page, link: string, { name, email }: { name: string; email: string }): Promise<void> {
  await page.goto(link)
  await heading(page, 'Welcome to Alder').waitFor()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Save and go to sign-in' }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await main(page).getByRole('button', { name: 'Sign in' }).click()
  await heading(page, 'Dashboard').waitFor()
}

/** The invitation link that the page shows, to be copied. */
async function readLink(page: Page): Promise<string> {
  const findLink = () =>
    page
      .locator('#main input')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value).find((value) => value.startsWith('http')))
  await expect.poll(findLink).toBeTruthy()
  return (await findLink()) ?? ''
}

test('an empty installation becomes a published, answered and closed consultation without a mail service', async () => {
  // The person who sets the platform up opens the printed link.
  const link = await createFirstAdminLink(db.database, new Date())
  const ann = await product.visit(ALDER)
  await ann.page.goto(link)
  await ann.page.getByLabel('Your name').fill('Ann Tremblay')
  await ann.page.locator('[name=email]').fill('ann@alder.example')
  await ann.page.getByLabel('Password').fill(PASSWORD)
  await ann.page.getByLabel('Name of the site').fill('Alder')
  await ann.page.getByLabel('Time zone').selectOption('America/Halifax')
  await ann.page.locator('[name=adminEmail]').fill('bea@alder.example')
  await main(ann.page).locator('form [type=submit]').click()
  await heading(ann.page, 'Administrators of Alder').waitFor()
  await ann.page.getByText('No email service is set up, so no invitation was sent').waitFor()
  await ann.page.getByRole('button', { name: 'Create an invitation link' }).click()
  const invitation = await readLink(ann.page)
  await expect.poll(() => ann.page.evaluate(() => document.activeElement instanceof HTMLInputElement)).toBe(true)
  await expectAccessible(ann.page)

  // The site's administrator finds a list of what to do, and groups in the menu.
  const bea = await product.visit(ALDER)
  const { page } = bea
  await acceptInvitation(page, invitation, { name: 'Bea Roy', email: 'bea@alder.example' })
  await page.getByText('0 of 10 done').waitFor()
  const groups = page.getByRole('navigation', { name: 'Administration' })
  for (const group of ['Consultations', 'Website', 'People and messages', 'Administration'])
    await groups.getByText(group, { exact: true }).waitFor()
  await expectAccessible(page)

  // The first step is the settings. French comes later than the site.
  await page.getByRole('link', { name: 'Start Complete the site’s settings' }).click()
  await page.getByLabel('Tagline').fill('Decide with us')
  await page.getByLabel('Contact email').fill('consult@alder.example')
  await page.getByRole('checkbox', { name: 'Français' }).check()
  await save(page)
  await page.getByRole('link', { name: 'Help with this screen' }).click()
  await heading(page, /Settings/).waitFor()

  // A colleague is invited before there is any department.
  await page.goto('/admin/people')
  await page.getByRole('button', { name: 'Invite someone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No email service is set up, so we cannot send an email.').waitFor()
  await dialog.getByLabel('Email').fill('cai@alder.example')
  await dialog.getByLabel('Role').selectOption({ label: 'Site administrator' })
  await dialog.getByLabel('Email').press('Enter')
  await page.getByRole('link', { name: 'cai', exact: true }).click()
  await page.getByRole('button', { name: /invitation link/ }).click()
  const cai = await product.visit(ALDER)
  await acceptInvitation(cai.page, await readLink(page), { name: 'Cai Price', email: 'cai@alder.example' })

  // What is missing is done from here on, in another order than the list's.
  await page.goto('/admin/hubs')
  await page.getByRole('button', { name: 'New department' }).click()
  await dialog.getByLabel('Name').fill('Parks')
  await dialog.getByLabel('Name').press('Enter')
  await heading(page, 'Parks').waitFor()
  await main(page).getByText('Draft', { exact: true }).waitFor()
  for (const [title, text] of [
    ['Terms', 'What we promise each other.'],
    ['Privacy', 'What we keep, and why.'],
  ] as const) {
    await page.goto('/admin/pages')
    await page.getByRole('button', { name: 'New page' }).click()
    await dialog.getByLabel('Title').fill(title)
    await dialog.locator('[contenteditable]').waitFor()
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill(text)
    await dialog.getByLabel('Type').selectOption({ label: 'Legal' })
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await heading(page, title).waitFor()
    await page.getByLabel('Visible to everyone').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await publishWithout(page, 'Publish')
    await page.getByText('All changes saved').waitFor()
  }
  for (const path of ['/admin/appearance', '/admin/homepage']) {
    await page.goto(path)
    await publish(page)
    await page.getByText('Published', { exact: true }).first().waitFor()
  }
  await page.goto('/admin/projects/new')
  await page.getByLabel('Title').fill('Benches for Mill Lane')
  await page.getByLabel('Summary').fill('Where would you like to sit down?')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await heading(page, 'Benches for Mill Lane').waitFor()
  const project = page.url()

  // A survey that is published in a draft project is not called open, and nobody finds it.
  await page.goto('/admin/surveys/new')
  await page.getByLabel('Title').fill('Where do you rest')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await heading(page, /Where do you rest/).waitFor()
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByRole('menuitem', { name: 'Single choice' }).click()
  await page.getByLabel('Question', { exact: true }).fill('Where do you rest?')
  await page.getByLabel('Option 1', { exact: true }).fill('In the park')
  await page.getByLabel('Option 1', { exact: true }).press('Enter')
  await page.keyboard.type('At home')
  await page.getByText('All changes saved').waitFor()
  const survey = page.url()
  await publish(page)
  await heading(page, /Waiting for its project/).waitFor()
  expect(await heading(page, /Open/).count()).toBe(0)
  const SURVEY = '/projects/benches-for-mill-lane/surveys/where-do-you-rest'
  const resident = await product.visit(ALDER, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  expect((await resident.page.goto(SURVEY))?.status()).toBe(404)

  const before = await readSteps(page)
  expect(Object.entries(before).flatMap(([step, isDone]) => (isDone ? [] : [step]))).toEqual([
    'Connect an email service',
    'Publish the project',
  ])
  await page.goto(project)
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByLabel('Title: publish without this language (Français)').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await publish(page)
  await heading(page, /Published/).waitFor()
  // A site can do without an email service, so the list is gone.
  expect(await readSteps(page)).toEqual({})
  await page.goto(survey)
  await heading(page, /Open/).waitFor()

  // A resident answers in French, and registration names the privacy page.
  await resident.page.goto(`/fr-CA${SURVEY}`)
  await takePartBefore(resident.page)
  await resident.page.getByLabel('In the park').check()
  await resident.page.locator('form:has([name="sendKey"]) button[type="submit"]:not([name])').click()
  await resident.page.waitForURL('**/receipt')
  await resident.page.goto('/register')
  expect(await main(resident.page).getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe('/pages/privacy')

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Close now…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close the survey' }).click()
  await heading(page, /Closed/).waitFor()
  await page.getByText('1 response', { exact: false }).first().waitFor()
  await resident.page.goto(`/en${SURVEY}`)
  await heading(resident.page, /closed/).waitFor()

  // The platform says that mails wait, and does not say that all is fine.
  await expect
    .poll(
      async () => {
        await ann.page.goto('/admin/health')
        await heading(ann.page, 'Health').waitFor()
        return main(ann.page).innerText()
      },
      { timeout: 90_000, interval: 2000 },
    )
    .toMatch(/Email: \d+ emails? (is|are) waiting, no email service is set up/)
  // The browser notes each refusal to publish without a language.
  const complaints = [...ann.complaints, ...bea.complaints, ...cai.complaints]
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([])
})

/** A site with a published project of which somebody is told, and its administrator's page. */
async function openProject(name: string) {
  // A test that is tried again needs another site.
  const site = await addSite(db.runtime, { slug: `${name}-${createId().slice(-8)}` })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const project = await addProject(db.runtime, site, { slug: 'benches', title: { en: 'Benches for Mill Lane' } })
  const follow = {
    siteId: site.id,
    id: createId(),
    projectId: project.id,
    email: 'dana@example.org',
    locale: 'en' as const,
    createdAt: new Date(),
  }
  await db.database.site(site.id).tx((tx) => tx.insert(emailFollows).values(follow))
  const { page, complaints } = await product.visit(site, { token: admin.token })
  const visitor = await product.visit(site, { javaScriptEnabled: false })
  const readTitle = async (path: string) => {
    const answer = await visitor.page.goto(path)
    return answer?.status() === 200 ? heading(visitor.page, /./).textContent() : answer?.status()
  }
  return { page, complaints, project, readTitle }
}

test('a published project changes when its changes are published, gets an earlier version back from the history, and is taken off the site', async () => {
  const { page, complaints, project, readTitle } = await openProject('changed')
  const readProject = () => readTitle('/projects/benches')
  await page.goto(`/admin/projects/${project.id}#texts`)
  for (const title of ['Benches and tables', 'Tables only']) {
    const former = await readProject()
    await page.getByLabel('Title').fill(title)
    await page.getByText('Draft saved').waitFor()
    await page.getByRole('button', { name: 'Publish changes…' }).and(page.locator(':enabled')).waitFor()
    expect(await readProject()).toBe(former)
    await publish(page, 'Publish changes…')
    await expect.poll(readProject).toBe(title)
  }
  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog')
  await history.getByText('Published').first().waitFor()
  await expectAccessible(page)
  // The version before the one that is published now.
  await history.locator('.revisions > li').nth(1).getByRole('button', { name: 'Restore' }).first().click()
  await page.getByText('Draft saved').waitFor()
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Benches and tables')
  expect(await readProject()).toBe('Tables only')
  await publish(page, 'Publish changes…')
  // What has the focus may be removed some time after the dialog has closed.
  await page.evaluate(() => {
    const button = document.body.appendChild(document.createElement('button'))
    button.focus()
    window.setTimeout(() => button.remove(), 500)
  })
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await expect.poll(readProject).toBe('Benches and tables')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Unpublish…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unpublish' }).click()
  await heading(page, /Draft/).waitFor()
  await expect.poll(readProject).toBe(404)
  expect(complaints).toEqual([])
})

test('an update is published and scheduled in words of its own, after it is said how many followers are told', async () => {
  const { page, complaints, project, readTitle } = await openProject('told')
  const write = async (title: string) => {
    await page.goto(`/admin/projects/${project.id}/updates`)
    await page.getByRole('button', { name: 'New update' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill(title)
    await dialog.locator('[contenteditable]').waitFor()
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('They are here.')
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await heading(page, title).waitFor()
  }
  const asking = page.getByRole('alertdialog')
  await write('The first benches')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await asking.getByText('1 follower will be told by email').waitFor()
  expect(await readTitle('/projects/benches/updates/the-first-benches')).toBe(404)
  await expectAccessible(page)
  await asking.getByRole('button', { name: 'Publish now' }).click()
  await publishWithout(page, 'Publish')
  await page.getByText(/Published on /).waitFor()
  await expect.poll(() => readTitle('/projects/benches/updates/the-first-benches')).toBe('The first benches')

  await write('The last benches')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await asking.getByLabel('Date', { exact: true }).fill('2031-05-04')
  await asking.getByLabel('Time', { exact: true }).fill('09:30')
  await asking.getByRole('button', { name: 'Schedule' }).click()
  await publishWithout(page, 'Publish')
  await page.getByText(/Will be published on 4 May 2031/).waitFor()
  expect(await readTitle('/projects/benches/updates/the-last-benches')).toBe(404)
  await page.getByRole('button', { name: 'Back to draft' }).click()
  await page.getByText(/Will be published on/).waitFor({ state: 'detached' })
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([])
})
