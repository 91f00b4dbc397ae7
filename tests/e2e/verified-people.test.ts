import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createEligibilityList } from '#app/features/verifications/eligibility-lists.server.ts'
import { createCtx } from '#app/server/context.ts'
import { eligibilityLists, verifications } from '#app/server/db/schema/verifications.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount } from '#tests/support/accounts.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'

const db = await createOwnDatabase()
const product = await db.start()
const site = await addSite(db.runtime)
const project = await addProject(db.runtime, site, { slug: 'fern' })
const NEXT_YEAR = new Date(Date.now() + 365 * 86_400_000)

const addVerifiedActivity = (slug: string) =>
  addActivity(db.runtime, site, { projectId: project.id, slug, moderation: 'after', postAccess: 'verified', reactAccess: 'verified' })
const addList = async (name: string, fields: ('surname' | 'birth-date' | 'card-number')[], csv: string) => {
  const viewer = await addPerson(db.runtime, site, { roles: [{ role: 'site_admin' }] })
  const list = { nameTranslations: inAllLanguages(name), level: 'resident' as const, fields, validUntil: NEXT_YEAR, csv }
  return createEligibilityList(createCtx(db.runtime, site, { viewer }), list)
}
const inSite = db.database.site(site.id)

test('without JavaScript a resident shows that they may take part, comes back, and posts and supports', async () => {
  const { id } = await addVerifiedActivity('panel')
  await addContribution(db.runtime, site, { activityId: id, number: 1, title: 'Oak benches' })
  await addList('Library of Riverbend', ['surname', 'birth-date'], 'surname,birth-date\nO’Brien,1980-03-27\n')
  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  page.setDefaultTimeout(10_000)
  await page.goto('/projects/fern/panel/new')
  await page.getByRole('link', { name: 'Show that you may take part' }).click()
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('link', { name: 'Enter your surname' }).waitFor()
  const surname = page.getByLabel('Surname')
  await surname.fill("o'brien")
  await page.getByLabel('Date of birth').fill('28/3/1980')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('This does not match our list.').first().waitFor()
  expect([await surname.inputValue(), await page.getByLabel('Date of birth').inputValue()]).toEqual(["o'brien", '28/3/1980'])
  await page.getByLabel('Date of birth').fill('27/3/1980')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.waitForURL(/\/panel\/new$/)
  await page.getByLabel('Give your idea a title').fill('Lamps')
  await page.getByLabel('What is your idea?').fill('Along the path.')
  await page.getByLabel('Anonymously').check()
  // The verification expires while the person is writing: their text is kept, and sending again works.
  const held = await inSite.tx((tx) => tx.delete(verifications).returning())
  await page.getByRole('button', { name: 'Send my idea' }).click()
  const way = page.getByRole('link', { name: 'Show that you may take part' })
  await way.waitFor()
  expect(await way.getAttribute('target')).toBe('_blank')
  expect(await page.getByLabel('What is your idea?').inputValue()).toBe('Along the path.')
  await inSite.tx((tx) => tx.insert(verifications).values(held))
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.waitForURL(/receipt/)
  await page.goto('/projects/fern/panel/1')
  await page.getByRole('button', { name: 'Support' }).click()
  await page.getByText('You support this').waitFor()
  await page.goto('/verify')
  await page.getByText(/Library of Riverbend · Resident · until/).waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.goto('/projects/fern/panel/1')
  await page.getByRole('link', { name: 'Show that you may take part' }).first().waitFor()
})

test('the page is accessible, also with a fault, and in other languages', async () => {
  await addVerifiedActivity('jury')
  await addList('Library card', ['card-number'], 'card-number\n1\n')
  const { page } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  page.setDefaultTimeout(10_000)
  for (const prefix of ['', '/fr-CA', '/cy']) {
    await page.goto(`${prefix}/verify?next=/projects/fern/jury/new`)
    await page.locator('form button[type=submit]').last().click()
    await page.locator('.error-summary').waitFor()
    expect(await page.title()).toMatch(/^(Error|Erreur|Gwall)/)
    await expectAccessible(page)
  }
})

test('an administrator adds a list from a file, and confirms a person whom they met', async () => {
  const admin = await addAccount(db.runtime, site, { role: 'site_admin' })
  const person = await addPerson(db.runtime, site)
  const { page, complaints } = await product.visit(site, { token: admin.token })
  page.setDefaultTimeout(10_000)
  await page.goto('/admin/people')
  await page.getByRole('link', { name: 'Who may take part' }).click()
  await page.getByRole('button', { name: 'Add a list' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name, as people know it').first().fill('Electoral roll')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'roll.csv', mimeType: 'text/csv', buffer: Buffer.from('Card\n1\n') })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The file has no column “Card number”.').first().waitFor()
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'roll.csv', mimeType: 'text/csv', buffer: Buffer.from('Card number\n1\n2\n') })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Electoral roll.*2/ }).waitFor()
  await expectAccessible(page)
  const [stored] = await inSite.tx((tx) => tx.select().from(eligibilityLists).where(eq(eligibilityLists.entries, 2)))
  expect(stored?.name).toMatchObject({ en: 'Electoral roll' })
  await page.goto(`/admin/people/${person.id}`)
  await page.getByRole('button', { name: 'Confirm in person' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm in person' }).click()
  await page.getByText(/In person · Resident · until/).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End verification' }).click()
  await page.getByText('Not verified.').waitFor()
  // The first file was refused.
  expect(complaints.filter((one) => !one.includes('status of 422'))).toEqual([])
})
