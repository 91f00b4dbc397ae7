import { beforeAll, expect, test } from 'vitest'
import { moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Site } from '#app/server/site-directory.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
beforeAll(async () => {
  site = await addSite(db.runtime, { slug: `told-${Date.now()}`, languages: ['en', 'fr-CA', 'cy'] })
})

async function addToldAuthor() {
  const author = await addPerson(db.runtime, site)
  const moderator = await addPerson(db.runtime, site, { role: 'site_admin' })
  const activity = await addActivity(db.runtime, site)
  const { id } = await addContribution(db.runtime, site, {
    activityId: activity.id,
    number: 1,
    title: 'A bench by the pond',
    authorId: author.id,
    state: 'declined',
    reason: 'Not about the park.',
  })
  const caseId = createId()
  await db.runtime.database.site(site.id).tx(async (tx) => {
    await tx
      .insert(moderationCases)
      .values({ siteId: site.id, id: caseId, contributionId: id, openedBy: 'before', state: 'decided', dueAt: new Date() })
    await tx.insert(moderationDecisions).values({
      siteId: site.id,
      id: createId(),
      caseId,
      decision: 'decline',
      words: 'Not about the park.',
      decidedBy: moderator.id,
    })
  })
  return { author, activity }
}

test('an author finds what was decided on their account page, follows it and marks it as read, without JavaScript', async () => {
  const { author, activity } = await addToldAuthor()
  const { page, complaints } = await product.visit(site, { token: author.token, javaScriptEnabled: false })
  await page.goto('/account')
  const news = page.getByRole('region', { name: 'Notifications' })
  await news.getByText('New', { exact: true }).waitFor()
  await news.getByRole('link', { name: '“A bench by the pond” was not published' }).click()
  await page.waitForURL(new RegExp(`/projects/${activity.projectSlug}/${activity.slug}/receipt\\?number=1$`))
  await page.getByText('Not about the park.').first().waitFor()

  await page.goto('/account')
  await news.getByRole('button', { name: 'Mark all as read' }).press('Enter')
  await news.getByRole('button').waitFor({ state: 'detached' })
  expect(await news.getByText('New', { exact: true }).count()).toBe(0)
  expect(await news.getByRole('link').count()).toBe(1)
  expect(complaints).toEqual([])
})

test.each(LANGUAGES)('notifications on the account page are accessible and fit a phone in %s', async (language) => {
  const { author } = await addToldAuthor()
  const { page, complaints } = await product.visit(site, { token: author.token, viewport: { width: 360, height: 740 } })
  await page.goto(language === 'en' ? '/account' : `/${language}/account`)
  await page.locator('#notifications').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  expect(complaints).toEqual([])
})

test('a moderator gives a case to a colleague by keyboard, and finds it by them; the colleague is notified', async () => {
  const own = await addSite(db.runtime, { slug: `assigned-${Date.now()}` })
  const project = await addProject(db.runtime, own)
  const admin = await addPerson(db.runtime, own, { role: 'site_admin' })
  const colleague = await addPerson(db.runtime, own, { role: 'project_admin', projectId: project.id, login: 'Ana Ortiz' })
  const activity = await addActivity(db.runtime, own, { projectId: project.id })
  await addContribution(db.runtime, own, { activityId: activity.id, number: 1, title: 'A bench by the pond', state: 'held' })
  const { page, complaints } = await product.visit(own, { token: admin.token })
  await page.goto('/admin/moderation')
  const row = page.getByRole('row', { name: /A bench by the pond/ })
  await row.getByText('Nobody').waitFor()
  await row.getByRole('checkbox').press('Space')
  await page.getByRole('button', { name: 'Assign', exact: true }).press('Enter')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Assigned to').selectOption({ label: 'Ana Ortiz' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Assign' }).press('Enter')
  await row.getByText('Ana Ortiz').filter({ visible: true }).waitFor()
  await page.getByLabel('Assigned to').selectOption({ label: 'Nobody' })
  await page.getByText('No text matches').waitFor()
  expect(complaints).toEqual([])

  const theirs = await product.visit(own, { token: colleague.token })
  await theirs.page.goto('/admin')
  await theirs.page
    .getByRole('button', { name: /1 unread|Notifications/ })
    .first()
    .click()
  await theirs.page.getByRole('link', { name: 'A text is yours to decide about: A bench by the pond' }).click()
  await theirs.page.getByRole('row', { name: /A bench by the pond/ }).waitFor()
  expect(theirs.page.url()).toContain('/admin/moderation?assignee=me')
  expect(theirs.complaints).toEqual([])
})
