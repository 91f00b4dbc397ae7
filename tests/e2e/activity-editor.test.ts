import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#app/lib/languages.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()

const SIZES = [
  { width: 1280, height: 900 },
  { width: 360, height: 800 },
]

async function openProject(viewport = SIZES[0], kind: 'ideas' | 'places' = 'ideas') {
  const site = await addSite(db.runtime, { slug: `edited-${kind}-${Date.now()}`, languages: ['en'] })
  const project = await addProject(db.runtime, site, { slug: 'riverside', title: { en: 'The riverside' } })
  const activity = await addActivity(db.runtime, site, {
    projectId: project.id,
    slug: 'trees',
    kind,
    title: { en: 'Trees' },
    ...(kind === 'places' && { status: 'draft' as const }),
  })
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin', login: 'Ana Ortiz' })
  const { page, complaints } = await product.visit(site, { token, ...(viewport && { viewport }) })
  return { site, project, activity, page, complaints, address: `/admin/projects/${project.id}/activities/${activity.id}` }
}

/** On a screen as high as the page, where the bar that stays in sight covers nothing. */
const expectFit = async (page: Page) => {
  const screen = page.viewportSize()
  if (screen) await page.setViewportSize({ ...screen, height: await page.evaluate(() => document.documentElement.scrollHeight) })
  await expectAccessible(page)
  if (screen) await page.setViewportSize(screen)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
}

async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await target.focus()
  await page.keyboard.press(key)
}

const findTitle = (page: Page) => page.getByRole('textbox', { name: 'Title' })

test.each(SIZES)(
  'by keys at $width px, an activity is changed as a draft that survives Escape, Back and a reload, published, undone and found in its history',
  async (viewport) => {
    const { site, project, page, complaints, address } = await openProject(viewport)
    const read = async () => (await product.read(site, '/projects/riverside/trees')).body
    await page.goto(`/admin/projects/${project.id}#activities`)
    await pressOn(page, page.getByRole('link', { name: 'Change Trees' }))
    await page.waitForURL(`**${address}`)
    // The page before it stays until this one has what it shows.
    await findTitle(page).waitFor()
    await expectFit(page)

    await findTitle(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.type(' and shade')
    await page.keyboard.press('Escape')
    expect(await findTitle(page).inputValue()).toBe('Trees and shade')
    await page.getByText('1 change not published').waitFor()
    await page.getByText('Title: not public yet. Public now: Trees').waitFor()
    await page.goBack()
    await page.getByText('Changes not published').waitFor()
    await page.goForward()
    await expect.poll(() => findTitle(page).inputValue()).toBe('Trees and shade')
    await page.reload()
    await expect.poll(() => findTitle(page).inputValue()).toBe('Trees and shade')
    expect(await read()).not.toContain('Trees and shade')

    await pressOn(page, page.getByRole('button', { name: 'Publish changes…' }))
    await pressOn(page, page.getByRole('button', { name: 'Publish now' }))
    await expect.poll(read).toContain('Trees and shade')
    await page.getByText('1 change not published').waitFor({ state: 'detached' })
    await pressOn(page, page.getByRole('alertdialog', { name: 'Published' }).getByRole('button', { name: 'Undo', exact: true }))
    await expect.poll(read).not.toContain('Trees and shade')
    await page.getByText('1 change not published').waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Put back Title' }))
    await expect.poll(() => findTitle(page).inputValue()).toBe('Trees')

    await pressOn(page, page.getByRole('button', { name: 'History' }))
    const history = page.getByRole('dialog', { name: 'History of the activity' })
    await history.getByText('Ana Ortiz').first().waitFor()
    await expectFit(page)
    expect(complaints).toEqual([])
  },
)

test('what somebody else changed meanwhile is told in words, and both changes are kept', async () => {
  const { site, page, complaints, address } = await openProject()
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin', login: 'Étienne Roy' })
  const other = (await product.visit(site, { token })).page
  await page.goto(address)
  await other.goto(address)
  await findTitle(page).waitFor()
  await other.getByRole('combobox', { name: 'Photos' }).selectOption('2')
  await other.getByText('Draft saved').waitFor()
  await findTitle(page).fill('Trees and shade')
  const told = page.getByRole('status').filter({ hasText: /^.*Étienne Roy changed this activity on/ })
  await told.getByText('Photos: Up to 2').waitFor()
  await expect.poll(() => page.getByRole('combobox', { name: 'Photos' }).inputValue()).toBe('2')
  expect(await findTitle(page).inputValue()).toBe('Trees and shade')
  await expectAccessible(page)

  // Both write the same: nothing is saved until one of them chooses.
  await page.getByText('Draft saved').waitFor()
  await other.reload()
  await findTitle(other).fill('Shade')
  await other.getByText('Draft saved').waitFor()
  await findTitle(page).fill('Trees')
  const conflict = page.getByText(/You changed the same/)
  await conflict.waitFor()
  await page.getByText('Title: Shade').waitFor()
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await conflict.waitFor({ state: 'detached' })
  await page.getByText('Draft saved').waitFor()
  expect(await findTitle(page).inputValue()).toBe('Trees')
  // A version that is not the newest any more is refused, which browsers write down.
  expect(complaints.filter((line) => !line.includes('409'))).toEqual([])
})

test('places are not published without a map: the page says what is missing and leads there', async () => {
  const { page, address, complaints } = await openProject(SIZES[1], 'places')
  await page.goto(address)
  await page.getByText('This activity cannot be published: people could not see where a place is').waitFor()
  await expectFit(page)
  await pressOn(page, page.getByRole('button', { name: 'Publish Trees' }))
  const link = page.getByRole('link', { name: 'Add a street map in the site’s settings' })
  await expect.poll(() => link.count()).toBeGreaterThan(0)
  await pressOn(page, link.first())
  await page.waitForURL('**/admin/settings#street-map')
  await page.getByRole('heading', { name: 'Map of your streets' }).waitFor()
  expect(complaints.filter((line) => !line.includes('422'))).toEqual([])
})

test('the preview shows what is typed, on a phone at first, to each kind of reader', async () => {
  const { page, address, complaints } = await openProject()
  await page.goto(address)
  await page.getByRole('button', { name: 'Show preview' }).click()
  const frame = page.frameLocator('iframe').first()
  await frame.getByRole('heading', { level: 1, name: /Trees/ }).waitFor()
  await findTitle(page).fill('Trees and shade')
  await frame.getByRole('heading', { level: 1, name: /Trees and shade/ }).waitFor()
  for (const reader of ['Participant', 'Moderator', 'Visitor']) {
    await page.getByLabel('Reader', { exact: true }).selectOption({ label: reader })
    await frame.getByRole('heading', { level: 1, name: /Trees and shade/ }).waitFor()
  }
  expect(complaints).toEqual([])
})

test('an activity is created with its kind and title, and set on its page', async () => {
  const { page, project, complaints } = await openProject()
  await page.goto(`/admin/projects/${project.id}#activities`)
  await page.getByRole('link', { name: 'Add an activity' }).click()
  await page.getByLabel('Kind').selectOption('questions')
  await page.getByRole('button', { name: 'Create the activity' }).click()
  await page.locator('.field-error').first().waitFor()
  await findTitle(page).fill('Ask us')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create the activity' }).click()
  await page.getByRole('heading', { level: 1, name: /Ask us/ }).waitFor()
  await page.getByRole('heading', { name: 'Answers' }).waitFor()
  await page.getByRole('button', { name: 'Publish Ask us' }).click()
  await page.getByText('Published', { exact: true }).first().waitFor()
  expect(complaints.filter((line) => !line.includes('422'))).toEqual([])
})

test.each(LANGUAGES)('the page is accessible and fits a phone in %s', async (language) => {
  const site = await addSite(db.runtime, { slug: `edited-${language.toLowerCase()}-${Date.now()}`, languages: [...LANGUAGES] })
  const { id: projectId } = await addProject(db.runtime, site)
  const activity = await addActivity(db.runtime, site, { projectId, kind: 'places' })
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page, complaints } = await product.visit(site, { token, viewport: { width: 360, height: 800 } })
  await page.goto(`/admin/projects/${projectId}/activities/${activity.id}?lng=${language}`)
  await page.locator('#texts').waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
  await expectFit(page)
  expect(complaints).toEqual([])
})
