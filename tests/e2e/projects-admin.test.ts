import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const COUNT = 150

test('the last of 150 projects is chosen by keys for a new survey, and its name stays', async () => {
  const site = await addSite(db.runtime, { slug: `many-${createId()}`, languages: ['en'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  let last = ''
  for (let at = 1; at <= COUNT; at++) {
    const title = at === COUNT ? 'Zebra crossing' : `Project ${String(at).padStart(3, '0')}`
    last = (await addProject(db.runtime, site, { title: { en: title } })).id
  }
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto('/admin/surveys/new')
  await page.getByLabel('Title').fill('Where do you cross')
  const field = page.getByLabel('Project', { exact: true })
  // It begins with the first project in the alphabet.
  await expect.poll(() => field.textContent()).toBe('Project 001')
  await page.keyboard.press('Tab')
  expect(await field.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  const find = page.getByRole('combobox', { name: 'Type to find' })
  await page.getByText('20 of 150 are listed. Type to find the others.').first().waitFor()
  expect(await find.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await page.getByRole('option', { name: 'Zebra crossing' }).count()).toBe(0)
  await expectAccessible(page)

  await page.keyboard.type('nothing like it')
  await page.getByText('Nothing matches “nothing like it”.').first().waitFor()
  // Escape closes the list; the choice is as before.
  await page.keyboard.press('Escape')
  await find.waitFor({ state: 'detached' })
  expect(await field.textContent()).toBe('Project 001')
  expect(await field.evaluate((button) => button === document.activeElement)).toBe(true)

  // Enter at once, before the server has answered, must not choose from an older list.
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Project 002' }).waitFor()
  await page.keyboard.type('zebra')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Zebra crossing' }).waitFor()
  await page.keyboard.press('Enter')
  await find.waitFor({ state: 'detached' })
  await expect.poll(() => field.textContent()).toBe('Zebra crossing')
  await page.getByRole('button', { name: 'Create draft' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: /Where do you cross/ }).waitFor()
  const made = await db.runtime.database.site(site.id).tx((tx) => tx.select().from(surveys).where(eq(surveys.siteId, site.id)))
  expect(made.map(({ projectId }) => projectId)).toEqual([last])

  // The filter of the list names it too, although it is not among the first.
  await page.goto(`/admin/surveys?project=${last}`)
  await expect.poll(() => page.getByLabel('Project', { exact: true }).textContent()).toBe('Zebra crossing')
  expect(complaints).toEqual([])
})

test('a project is duplicated with what was chosen; its tab stays after a reload, beside a sidebar that fits', async () => {
  const site = await addSite(db.runtime, { slug: `twice-${createId()}`, languages: ['en'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const team = [{ name: 'Bea Holt', role: { en: 'Planner' } }]
  const project = await addProject(db.runtime, site, { title: { en: 'Mill Lane' }, team, opensAt: new Date('2026-03-02T14:00:00Z') })
  await addSurvey(db.runtime, site, { projectId: project.id, title: { en: 'How do you travel' } })
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/admin/projects/${project.id}`)
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.reload()
  await page.getByRole('tab', { name: 'Settings', selected: true }).waitFor()
  expect(await page.locator('.admin > .admin-side').evaluate((side) => side.scrollHeight - side.clientHeight)).toBe(0)

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  const chosen = await dialog
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.filter((box) => !(box as HTMLInputElement).checked).map((box) => (box as HTMLInputElement).name))
  expect(chosen).toEqual(['copy-team'])
  await dialog.getByLabel('Team').check()
  await dialog.getByLabel('Surveys, as drafts').uncheck()
  await dialog.getByLabel('Title of the duplicate').fill('Mill Road')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { level: 1, name: 'Mill Road' }).waitFor()
  const own = await db.runtime.database.site(site.id).tx((tx) => tx.select().from(projects).where(eq(projects.siteId, site.id)))
  const copy = own.find(({ id }) => id !== project.id)
  expect(copy).toMatchObject({ status: 'draft', opensAt: null, team })
  const asked = await db.runtime.database.site(site.id).tx((tx) => tx.select().from(surveys).where(eq(surveys.siteId, site.id)))
  expect(asked.map(({ projectId }) => projectId)).toEqual([project.id])
  expect(complaints).toEqual([])
})

test('on an empty site, the first steps lead to templates; what one makes is said before, and made as drafts', async () => {
  const site = await addSite(db.runtime, { slug: `first-${createId()}`, languages: ['en', 'fr-CA', 'cy'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page, complaints } = await product.visit(site, { token: admin.token, viewport: { width: 360, height: 800 } })
  await page.goto('/admin')
  await page.getByText('Start with a template for a street, a plan, a budget or a service').waitFor()
  await page.getByRole('link', { name: 'Create the first project' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'New project' }).waitFor()
  // Nothing can be duplicated yet.
  expect(await page.getByRole('radio', { name: 'A duplicate of a project' }).count()).toBe(0)
  // By keys alone: from the empty project to the third template.
  await page.getByRole('radio', { name: 'An empty project' }).focus()
  for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: 'Your budget' }).isChecked()).toBe(true)
  const contents = page.getByRole('region', { name: 'What you get' })
  for (const part of [
    'Propose projects',
    'Project proposals',
    'Priorities for the budget',
    'Vote on the projects',
    /^4 frequent questions/,
  ])
    await contents.getByText(part, { exact: typeof part === 'string' }).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  expect(await page.getByLabel('Title').inputValue()).toBe('Your budget')
  await page.getByRole('button', { name: 'Create draft' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Your budget' }).waitFor()
  const [made] = await db.runtime.database.site(site.id).tx((tx) => tx.select().from(projects).where(eq(projects.siteId, site.id)))
  expect(made).toMatchObject({ status: 'draft', title: { cy: 'Eich cyllideb', 'fr-CA': 'Votre budget' } })
  await page.getByRole('tab', { name: 'Surveys' }).click()
  await page.getByText('Priorities for the budget').first().waitFor()
  expect(complaints).toEqual([])
})

test('the language that one writes in survives a reload, as the tab does', async () => {
  const site = await addSite(db.runtime, { slug: `kept-${createId()}`, languages: ['en', 'fr-CA', 'cy'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { id } = await addProject(db.runtime, site, { title: { en: 'Benches' }, summary: { en: 'Sit down', cy: 'Eisteddwch' } })
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto(`/admin/projects/${id}#texts`)
  await page.getByRole('tab', { name: /^Cymraeg/ }).click()
  await page.reload()
  await expect.poll(() => page.getByRole('tab', { name: /^Cymraeg/ }).getAttribute('aria-selected')).toBe('true')
  expect(await page.getByLabel('Summary').inputValue()).toBe('Eisteddwch')
  // Another tab of the editor leaves it as it is, and the reverse.
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.reload()
  await expect.poll(() => page.getByRole('tab', { name: 'Settings' }).getAttribute('aria-selected')).toBe('true')
  await page.getByRole('tab', { name: 'Texts' }).click()
  expect(await page.getByRole('tab', { name: /^Cymraeg/ }).getAttribute('aria-selected')).toBe('true')
  expect(complaints).toEqual([])
})

test('Escape closes a list of several choices and takes none of them away', async () => {
  const site = await addSite(db.runtime, { slug: `several-${createId()}`, languages: ['en'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  for (const title of ['Bridges', 'Harbour', 'Lanes']) await addProject(db.runtime, site, { title: { en: title } })
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto('/admin/reports')
  const field = page.getByRole('button', { name: /^Projects/ })
  await field.click()
  for (const title of ['Bridges', 'Lanes']) await page.getByRole('option', { name: title }).click()
  await expect.poll(() => page.getByRole('listbox').getByRole('option', { selected: true }).count()).toBe(2)
  const find = page.getByRole('combobox', { name: 'Type to find' })
  await find.press('ArrowDown')
  await page.keyboard.press('Escape')
  await find.waitFor({ state: 'detached' })
  expect(await field.evaluate((button) => button === document.activeElement)).toBe(true)
  for (const title of ['Bridges', 'Lanes']) expect(await page.getByRole('button', { name: new RegExp(title) }).count()).toBe(1)
  expect(complaints).toEqual([])
})
