import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { createEligibilityList } from '#app/features/verifications/eligibility-lists.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { eligibilityLists, verifications } from '#app/server/db/schema/verifications.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { addAccount } from '#tests/support/accounts.ts'
import { expectAccessible, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
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
// Before the first visit: the product remembers which features are on.
await inSite.tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
await inSite.tx((tx) =>
  tx.insert(installations).values({ siteId: site.id, id: createId(), integration: 'sms-sandbox', enabledAt: new Date() }),
)

/** What was accepted is confirmed, and leads back to where the person came from. */
async function confirmAccepted(page: Page): Promise<void> {
  await page.getByText('You may take part').first().waitFor()
  await page.getByRole('heading', { name: 'What you have shown' }).waitFor()
  await page.getByRole('link', { name: 'Go on' }).click()
}

test('without JavaScript a resident shows that they may take part, comes back, and posts and supports', async () => {
  const { id } = await addVerifiedActivity('panel')
  await addContribution(db.runtime, site, { activityId: id, number: 1, title: 'Oak benches' })
  await addList('Library of Riverbend', ['surname', 'birth-date'], 'surname,birth-date\nO’Brien,1980-03-27\n')
  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fern/panel/new')
  await takePartBefore(page)
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
  await confirmAccepted(page)
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

test('an administrator makes codes for letters, and without JavaScript a resident follows the link of one', async () => {
  await addVerifiedActivity('letters')
  const admin = await addAccount(db.runtime, site, { role: 'site_admin' })
  const office = await product.visit(site, { token: admin.token })
  await office.page.goto('/admin/people/eligibility')
  await office.page.getByRole('button', { name: 'Make codes' }).click()
  const dialog = office.page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Spring mailing')
  await dialog.getByLabel('Number of codes').fill('6')
  const download = office.page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Make and download codes' }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  const [heading, ...letters] = file.trim().split(/\r?\n/)
  expect(heading).toMatch(/Code.Link/)
  expect(letters).toHaveLength(6)
  await office.page.getByRole('row', { name: /Spring mailing.*6/ }).waitFor()
  await expectAccessible(office.page)

  const [code = '', link = ''] = (letters[0] ?? '').split(/[,;]/)
  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fern/letters/new')
  await takePartBefore(page)
  await page.getByRole('link', { name: 'Show that you may take part' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill('K7QF-1M8Z-XW3R-90BT')
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.getByText('We do not know this code.').first().waitFor()
  await page.goto(link.replaceAll('"', '').replace(/^https?:\/\/[^/]*/, ''))
  expect(await page.getByRole('textbox', { name: 'Code' }).inputValue()).toBe(code.replaceAll('"', ''))
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.getByText(/A code from a letter · Resident · until/).waitFor()
  await page.goto('/projects/fern/letters/new')
  await page.getByLabel('Give your idea a title').waitFor()
  const neighbour = await product.visit(site, { javaScriptEnabled: false })
  await neighbour.page.goto(`/verify?code=${code.replaceAll('"', '')}`)
  await takePartBefore(neighbour.page)
  await neighbour.page.getByRole('button', { name: 'Use this code' }).click()
  await neighbour.page.getByText('This code has been used already').first().waitFor()

  await office.page.getByRole('button', { name: 'End unused codes Spring mailing' }).click()
  await office.page.getByRole('alertdialog').getByRole('button', { name: 'End unused codes' }).click()
  await office.page.getByRole('row', { name: /Spring mailing.*Unused codes ended/ }).waitFor()
})

test('without JavaScript a person confirms a phone number or declares a postcode, where that is enough', async () => {
  const admin = await addAccount(db.runtime, site, { role: 'site_admin' })
  const office = await product.visit(site, { token: admin.token })
  await office.page.goto('/admin/people/eligibility')
  await office.page.getByLabel('Other postcodes').fill('K1A\nK2P')
  await office.page
    .locator('form', { has: office.page.getByLabel('Other postcodes') })
    .getByRole('button', { name: 'Save' })
    .click()
  await office.page.getByText('Saved').first().waitFor()
  const contact = { settings: { verification: { level: 'contact', list: null } } } as const
  await addActivity(db.runtime, site, { projectId: project.id, slug: 'reach', moderation: 'after', postAccess: 'verified', ...contact })
  await addVerifiedActivity('strict')

  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  // Neither is enough where residents are asked for.
  await page.goto('/verify?next=/projects/fern/strict/new')
  await takePartBefore(page)
  await page.getByRole('heading', { name: 'In person' }).waitFor()
  expect(await page.getByRole('heading', { name: /phone number|postcode/i }).count()).toBe(0)
  await page.goto('/verify?next=/projects/fern/reach/new')
  await page.getByRole('textbox', { name: 'Phone number' }).fill('613')
  await page.getByRole('button', { name: 'Text me a code' }).click()
  await page.getByText('Enter a phone number of this country').first().waitFor()
  expect(await page.getByRole('textbox', { name: 'Phone number' }).inputValue()).toBe('613')
  await page.getByRole('textbox', { name: 'Phone number' }).fill('613 555 0123')
  await page.getByRole('button', { name: 'Text me a code' }).click()
  await page.getByRole('textbox', { name: 'Code from the text message' }).fill('1')
  // The check needs scripts, so another browser opens the same address.
  const seen = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await seen.page.goto(page.url())
  await expectAccessible(seen.page)
  await page.getByRole('button', { name: 'Confirm' }).first().click()
  await page.getByText('This is not the code we sent.').first().waitFor()
  const [sent] = await inSite.tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.purpose, 'code')))
  await page.getByRole('textbox', { name: 'Code from the text message' }).fill(/\d{6}/.exec(sent?.body ?? '')?.[0] ?? '')
  await page.getByRole('button', { name: 'Confirm' }).first().click()
  await confirmAccepted(page)
  await page.waitForURL(/\/reach\/new$/)
  await page.getByLabel('Give your idea a title').waitFor()

  const other = await product.visit(site, { javaScriptEnabled: false })
  await other.page.goto('/verify?next=/projects/fern/reach/new')
  await takePartBefore(other.page)
  await other.page.getByRole('textbox', { name: 'Postcode' }).fill('K2P')
  await other.page.getByRole('button', { name: 'Confirm' }).click()
  await other.page.getByText('Enter a whole postcode').first().waitFor()
  await other.page.getByRole('textbox', { name: 'Postcode' }).fill('k2p 1l4')
  await other.page.getByRole('button', { name: 'Confirm' }).click()
  await confirmAccepted(other.page)
  await other.page.waitForURL(/\/reach\/new$/)
  await other.page.goto('/verify')
  await other.page.getByText(/A postcode · Can be contacted · until/).waitFor()
})

test('the page is accessible, also with a fault, and in other languages', async () => {
  await addVerifiedActivity('jury')
  await addList('Library card', ['card-number'], 'card-number\n1\n')
  const { page } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  for (const prefix of ['', '/fr-CA', '/cy']) {
    await page.goto(`${prefix}/verify?next=/projects/fern/jury/new`)
    await page.locator('form button[type=submit]').last().click()
    await page.locator('.error-summary').waitFor()
    await expect.poll(() => page.title()).toMatch(/^(Error|Erreur|Gwall)/)
    await expectAccessible(page)
  }
})

test('an administrator adds a list from a file, and confirms a person whom they met', async () => {
  const admin = await addAccount(db.runtime, site, { role: 'site_admin' })
  const person = await addPerson(db.runtime, site)
  const { page, complaints } = await product.visit(site, { token: admin.token })
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
