import { expect, test } from 'vitest'
import { projectDates } from '#app/server/db/schema/projects.ts'
import { createId } from '#app/lib/uuid.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const DAY_MS = 86_400_000

/** A site with a published project, one text that waits and a key date tomorrow. */
async function openProject(name: string) {
  const site = await addSite(db.runtime, { slug: `${name}-${createId().slice(-8)}`, languages: ['en', 'fr-CA', 'cy'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const project = await addProject(db.runtime, site, { slug: 'quay', title: inAllLanguages('Quay baths'), summary: inAllLanguages('x') })
  await addSurvey(db.runtime, site, { projectId: project.id, title: inAllLanguages('How do you swim?') })
  const ideas = await addActivity(db.runtime, site, { projectId: project.id, title: inAllLanguages('Ideas') })
  await addContribution(db.runtime, site, { activityId: ideas.id, number: 1, title: 'A slide', state: 'held', submittedAt: new Date() })
  const date = { siteId: site.id, id: createId(), projectId: project.id, title: inAllLanguages('Open day'), precision: 'day' as const }
  await db.database.site(site.id).tx((tx) => tx.insert(projectDates).values({ ...date, happensAt: new Date(Date.now() + DAY_MS) }))
  return { site, project, admin }
}

test('an officer sees where a project stands, and goes by keyboard to what waits', async () => {
  const { site, project, admin } = await openProject('stands')
  const { page, complaints } = await product.visit(site, { token: admin.token, viewport: { width: 360, height: 800 } })
  await page.goto(`/admin/projects/${project.id}`)
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor()
  await page.getByRole('region', { name: 'Due' }).getByRole('link', { name: 'Open day' }).waitFor()
  await page.getByRole('region', { name: 'Tools' }).getByRole('link', { name: 'How do you swim?' }).waitFor()
  await page.getByText('Nothing failed in the last 30 days.').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expectAccessible(page)
  await page.getByRole('link', { name: '1 text for a moderator' }).press('Enter')
  await page.waitForURL(/\/admin\/moderation\?project=/)
  await page.getByRole('link', { name: 'A slide' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Calendar of this project' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
  expect(complaints).toEqual([])
})

test('the calendar is gone through by keyboard, and read by other programs at a secret address until that is ended', async () => {
  const { site, admin } = await openProject('dates')
  const { page, complaints } = await product.visit(site, { token: admin.token, viewport: { width: 360, height: 800 } })
  await page.goto('/admin/calendar?month=2031-05')
  await page.getByText('Nothing happens in this month').waitFor()
  await page.getByRole('navigation', { name: 'Months' }).getByRole('link', { name: 'June 2031' }).press('Enter')
  await page.getByRole('heading', { name: 'June 2031' }).waitFor()
  await page.getByRole('link', { name: 'This month' }).press('Enter')
  await page.waitForURL((url) => url.pathname === '/admin/calendar' && !url.searchParams.has('month'))
  await page.getByLabel('Kind').selectOption({ label: 'Budget' })
  await page.waitForURL(/kind=budget/)
  await page.getByText('Nothing in this month matches').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Make a secret address' }).press('Enter')
  const address = (await page.locator('code').textContent()) ?? ''
  const { pathname } = new URL(address)
  const { status, body } = await product.read(site, pathname)
  expect([status, body]).toEqual([200, expect.stringContaining('SUMMARY:Open day')])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End the address' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'End the address' }).press('Enter')
  await page.getByRole('button', { name: 'Make a secret address' }).waitFor()
  expect((await product.read(site, pathname)).status).toBe(404)
  expect(complaints).toEqual([])
})

test('residents take the dates of a project along without JavaScript', async () => {
  const { site } = await openProject('residents')
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  await page.goto('/projects/quay')
  const link = page.getByRole('link', { name: 'Put these dates in your calendar (.ics)' })
  const { headers, body } = await product.read(site, (await link.getAttribute('href')) ?? '')
  expect(headers['content-type']).toContain('text/calendar')
  expect(body).toContain('SUMMARY:Open day · Quay baths')
})
