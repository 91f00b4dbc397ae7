import { beforeEach, expect, test } from 'vitest'
import { officialResponses } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { expectUsable } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
let writer: Person
let colleague: Person
let sites = 0

beforeEach(async () => {
  site = await addSite(db.runtime, { slug: `answered-${++sites}`, languages: ['en'] })
  writer = await addPerson(db.runtime, site, { role: 'site_admin' })
  colleague = await addPerson(db.runtime, site, { role: 'site_admin' })
})

test('an answer is drafted by one person, returned and agreed to by another, and both see who did what', async () => {
  const activity = await addActivity(db.runtime, site)
  const { id } = await addContribution(db.runtime, site, {
    activityId: activity.id,
    number: 1,
    title: 'Benches by the quay',
    state: 'published',
  })
  const first = await product.visit(site, { token: writer.token })
  const second = await product.visit(site, { token: colleague.token })

  // The site asks for a second person.
  await second.page.goto('/admin/moderation/rules')
  const setting = second.page.getByLabel('A second person agrees to each official answer')
  await setting.click()
  await second.page.getByText('Saved').first().waitFor()
  expect(await setting.isChecked()).toBe(true)
  await second.page.reload()
  expect(await setting.isChecked()).toBe(true)

  await first.page.goto(`/admin/contributions/${id}`)
  const answer = first.page.getByLabel('Answer', { exact: true }).first()
  await answer.fill('We build three of them.')
  await first.page.getByLabel('Status').selectOption({ label: 'Planned' })
  await first.page.getByText(/^Draft saved: /).waitFor()
  await first.page.reload()
  expect(await answer.inputValue()).toBe('We build three of them.')
  await first.page.getByRole('button', { name: 'Ask a colleague to agree' }).click()
  await first.page.getByText(/^This answer has been waiting for a colleague to agree since/).waitFor()
  expect(await first.page.getByRole('button', { name: 'Agree and publish' }).count()).toBe(0)

  await second.page.goto(`/admin/contributions/${id}`)
  await second.page.getByText(/asked for your agreement on/).waitFor()
  await expectUsable(second.page)
  await second.page.getByRole('button', { name: 'Return with a reason' }).click()
  const dialog = second.page.getByRole('alertdialog').or(second.page.getByRole('dialog'))
  await dialog.getByLabel('Reason').fill('Say when.')
  await dialog.getByRole('button', { name: 'Return with a reason' }).click()
  await second.page.getByText('The answer is returned').waitFor()

  await first.page.reload()
  await first.page.getByText('Say when.').waitFor()
  await answer.fill('We build three of them in spring.')
  await first.page.getByText(/^Draft saved: /).waitFor()
  await first.page.getByRole('button', { name: 'Ask a colleague to agree' }).click()
  await first.page.getByText(/^This answer has been waiting/).waitFor()
  await second.page.reload()
  await second.page.getByRole('button', { name: 'Agree and publish' }).click()
  await second.page.getByText('The answer is published', { exact: true }).waitFor()
  const given = await db.database.site(site.id).tx((tx) => tx.select().from(officialResponses))
  expect(given.map(({ text }) => text)).toEqual([{ en: 'We build three of them in spring.' }])
  expect(first.complaints).toEqual([])
  expect(second.complaints).toEqual([])
})

test('what a colleague saved meanwhile is shown beside what I wrote, and nothing is lost', async () => {
  const activity = await addActivity(db.runtime, site)
  const { id } = await addContribution(db.runtime, site, {
    activityId: activity.id,
    number: 2,
    title: 'Lamps by the quay',
    state: 'published',
  })
  const [first, second] = [await product.visit(site, { token: writer.token }), await product.visit(site, { token: colleague.token })]
  const answerOf = (page: typeof first.page) => page.getByLabel('Answer', { exact: true }).first()
  await first.page.goto(`/admin/contributions/${id}`)
  await second.page.goto(`/admin/contributions/${id}`)
  await answerOf(first.page).fill('Lamps cost too much.')
  await first.page.getByText(/^Draft saved: /).waitFor()
  await answerOf(second.page).fill('Lamps come next year.')
  await second.page.getByText(/changed this draft on/).waitFor()
  await second.page.getByText('Lamps cost too much.').waitFor()
  expect(await answerOf(second.page).inputValue()).toBe('Lamps come next year.')
  await second.page.getByRole('button', { name: 'Save mine instead' }).click()
  await second.page.getByText(/^Draft saved: /).waitFor()
  await first.page.reload()
  expect(await answerOf(first.page).inputValue()).toBe('Lamps come next year.')

  // A note of the team stands beside it.
  await first.page.getByLabel('New note').fill('Ask the harbour first.')
  await first.page.getByRole('button', { name: 'Add the note' }).click()
  await first.page.getByText('The note is saved').waitFor()
  await second.page.reload()
  await second.page.getByText('Ask the harbour first.').waitFor()
})
