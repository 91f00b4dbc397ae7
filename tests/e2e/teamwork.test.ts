import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addEvent } from '#tests/factories/events.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()

test('colleagues comment on the homepage, an event and a budget by keyboard at 360 pixels, and a task leads back there', async () => {
  const site = await addSite(db.runtime, { slug: `team-${createId().slice(-8)}`, languages: ['en', 'fr-CA', 'cy'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const project = await addProject(db.runtime, site, { slug: 'quay', title: inAllLanguages('Quay baths') })
  const event = await addEvent(db.runtime, site, { projectId: project.id })
  const round = await addRound(db.runtime, site, [{ amount: 10_000, costs: [5000] }], { projectId: project.id })
  const { page, complaints } = await product.visit(site, { token: admin.token, viewport: { width: 360, height: 800 } })
  const places = [
    '/admin/homepage',
    `/admin/projects/${project.id}/events/${event.id}`,
    `/admin/projects/${project.id}/budgets/${round.id}`,
  ]
  for (const place of places) {
    await page.goto(place)
    await page.getByRole('button', { name: 'Comments', exact: true }).press('Enter')
    const panel = page.getByRole('dialog', { name: 'Comments and tasks' })
    await panel.getByLabel('New comment').fill('Is the picture ours?')
    await panel.getByRole('button', { name: 'Comment', exact: true }).press('Enter')
    await panel.getByText('Is the picture ours?', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await expectAccessible(page, 'iframe')
    await panel.getByRole('button', { name: 'Close' }).press('Enter')
    await page.getByRole('button', { name: 'Comments: 1 open' }).waitFor()
  }
  await page.goto('/admin/homepage#comments')
  const panel = page.getByRole('dialog', { name: 'Comments and tasks' })
  await panel.getByText('Is the picture ours?', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'New task' }).press('Enter')
  await panel.getByLabel('What has to be done').fill('Ask the archive')
  await panel.getByRole('button', { name: 'Add the task' }).press('Enter')
  await panel.getByText('Ask the archive', { exact: true }).waitFor()
  await page.goto('/admin/tasks?whose=all')
  await page.getByRole('article', { name: 'Ask the archive' }).getByRole('link', { name: site.name }).press('Enter')
  await page.getByRole('dialog', { name: 'Comments and tasks' }).getByText('Ask the archive', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})
