import { expect, test } from 'vitest'
import { LANGUAGES } from '#app/lib/languages.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()

async function openStatuses() {
  const site = await addSite(db.runtime, { slug: `statuses-${Date.now()}`, languages: ['en', 'fr-CA', 'cy'] })
  const project = await addProject(db.runtime, site)
  const activity = await addActivity(db.runtime, site, { projectId: project.id, title: { en: 'Ideas', 'fr-CA': 'Idées', cy: 'Syniadau' } })
  await addContribution(db.runtime, site, { activityId: activity.id, number: 1, statusId: activity.statuses[0]?.id ?? null })
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page, complaints } = await product.visit(site, { token })
  return { site, project, activity, page, complaints, token }
}

test('an administrator adds, renames, orders and archives statuses by keyboard; answers and the public page follow', async () => {
  const { page, project, activity, complaints, site } = await openStatuses()
  await page.goto(`/admin/projects/${project.id}`)
  await page.getByRole('tab', { name: 'Activities' }).click()
  await page.getByRole('button', { name: 'Statuses Ideas' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Statuses: Ideas' })
  const offered = dialog.getByRole('list').first().getByRole('listitem').locator('strong')
  await offered.first().waitFor()
  expect(await offered.allInnerTexts()).toEqual([
    'Received',
    'Under review',
    'Planned',
    'Under way',
    'Done',
    'Not taken forward',
    'Answered',
  ])
  await expectAccessible(page)

  const section = dialog.getByRole('region', { name: 'Add a status' })
  for (const [language, text] of [
    ['English', 'With the county'],
    ['français', 'Avec le comté'],
    ['Cymraeg', 'Gyda’r sir'],
  ] as const) {
    await section.getByRole('tab', { name: new RegExp(language, 'i') }).press('Enter')
    await section.getByRole('textbox', { name: /^Name of the status/ }).fill(text)
  }
  await section.getByRole('button', { name: 'Add a status' }).press('Enter')
  const up = dialog.getByRole('button', { name: 'Move With the county up' })
  await up.press('Enter')
  await expect
    .poll(() => offered.allInnerTexts())
    .toEqual(['Received', 'Under review', 'Planned', 'Under way', 'Done', 'Not taken forward', 'With the county', 'Answered'])

  await dialog.getByRole('button', { name: 'Change Planned' }).press('Enter')
  const editor = dialog.getByRole('listitem').filter({ has: page.getByRole('textbox') })
  // The language that one wrote last is still chosen.
  await editor.getByRole('tab', { name: /English/ }).press('Enter')
  await editor.getByRole('textbox', { name: /^Name of the status/ }).fill('In the plan')
  await editor.getByRole('button', { name: 'Save' }).press('Enter')
  await dialog.locator('strong', { hasText: 'In the plan' }).waitFor()

  // A status that was never used is deleted; one that a contribution has is archived.
  await dialog.getByRole('button', { name: 'Delete Under way' }).press('Enter')
  await dialog.getByRole('button', { name: 'Delete Under way for good' }).press('Enter')
  await dialog.getByRole('button', { name: 'Delete Under way' }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Delete Received' }).press('Enter')
  await dialog.getByText('Contributions have this status, or had it.').waitFor()
  await dialog.getByRole('button', { name: 'Archive Received' }).press('Enter')
  await dialog.getByRole('button', { name: 'Restore Received' }).waitFor()
  await expectAccessible(page)

  const reader = await product.visit(site)
  await reader.page.goto(`/projects/${project.slug}/${activity.slug}`)
  // The contribution keeps what it has.
  await reader.page.getByRole('listitem').getByText('Received', { exact: true }).first().waitFor()
  expect(complaints).toEqual([])
})

test.each(LANGUAGES)('the screen of statuses is accessible and fits a phone in %s', async (language) => {
  const { project, page, complaints } = await openStatuses()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/admin/projects/${project.id}?lng=${language}`)
  const tabs: Record<string, string> = { en: 'Activities', 'fr-CA': 'Activités', cy: 'Gweithgareddau' }
  const buttons: Record<string, RegExp> = { en: /^Statuses/, 'fr-CA': /^États/, cy: /^Statysau/ }
  await page.getByRole('tab', { name: tabs[language] ?? '' }).click()
  await page.getByRole('button', { name: buttons[language] ?? /^Statuses/ }).click()
  await page.getByRole('dialog').getByRole('listitem').first().waitFor()
  await expectAccessible(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  expect(complaints).toEqual([])
})
