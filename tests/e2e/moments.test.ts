import { eq } from 'drizzle-orm'
import type { Locator } from 'playwright'
import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { campaigns, smsConsents, userPhones } from '#app/server/db/schema/messages.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()

async function addOwnSite() {
  const site = await addSite(db.runtime, { slug: `moments-${createId().slice(-8)}` })
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  return { site, own: db.database.site(site.id), visit: () => product.visit(site, { token }) }
}

/** It can be pressed without scrolling, and nothing lies over it. */
async function expectInReach(button: Locator): Promise<void> {
  await button.page().evaluate(() => scrollTo(0, 0))
  const isOnTop = await button.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })
  expect(isOnTop).toBe(true)
}

/** A campaign that is written and not sent, to one person. */
async function addCampaign({ site, own }: Awaited<ReturnType<typeof addOwnSite>>): Promise<string> {
  const [id, now, phone] = [createId(), new Date(), '+16135550123']
  const { id: userId } = await addPerson(db.runtime, site)
  await own.tx(async (tx) => {
    const key = { siteId: site.id }
    await tx.insert(siteFeatures).values({ ...key, name: 'marketplace_sms_integration', enabled: true })
    await tx.insert(installations).values({ ...key, id: createId(), integration: 'sms-sandbox', enabledAt: now })
    await tx.insert(userPhones).values({ ...key, userId, phone, confirmedAt: now })
    const consent = { phone, userId, given: true, words: 'Yes', language: 'en', source: 'account', at: now } as const
    await tx.insert(smsConsents).values({ ...key, id: createId(), ...consent })
    const body = { en: 'The bridge is open.', 'fr-CA': 'Le pont est ouvert.', cy: 'Mae’r bont ar agor.' }
    await tx.insert(campaigns).values({ ...key, id, name: 'Open day', body, createdAt: now, updatedAt: now })
  })
  return id
}

test('a campaign is not sent by half a moment; its button and its confirmation name who gets it now, or when', async () => {
  const here = await addOwnSite()
  const id = await addCampaign(here)
  const { page, complaints } = await here.visit()
  const stored = async () => (await here.own.tx((tx) => tx.select().from(campaigns).where(eq(campaigns.id, id))))[0]
  await page.goto(`/admin/campaigns/${id}`)
  await page.getByRole('button', { name: 'Send now to 1 person…' }).waitFor()
  const [date, time] = [page.getByLabel('Date', { exact: true }), page.getByLabel('Time', { exact: true })]
  const fault = page.getByText('Enter both a date and a time.')
  const refuses = async () => {
    await page.getByRole('button', { name: 'Send campaign…' }).click()
    await fault.waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await expect.poll(() => date.evaluate((input) => document.activeElement === input)).toBe(true)
  }

  await date.fill('2031-12-05')
  await refuses()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Send now to 1 person…' }).waitFor()
  // A day that is begun has no value at all in a browser.
  await date.focus()
  await page.keyboard.type('05')
  await refuses()
  expect(await stored()).toMatchObject({ status: 'draft', sendAt: null })

  await date.fill('2031-12-05')
  await time.fill('09:00')
  await page.getByRole('button', { name: /^Send on .*2031.*9:00.*…$/ }).click()
  const dialog = page.getByRole('alertdialog', { name: /^Send this to 1 person on .*2031.*9:00/ })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Send on .*2031.*9:00/ }).click()
  await expect.poll(stored).toMatchObject({ status: 'scheduled', sendAt: new Date('2031-12-05T14:00:00Z') })
  expect(complaints).toEqual([])
}, 120_000)

test('a project’s closing day without a time is its end, as the field says; an opening time without a day is refused and stays', async () => {
  const here = await addOwnSite()
  const { id } = await addProject(db.runtime, here.site)
  const { page } = await here.visit()
  const stored = async () => (await here.own.tx((tx) => tx.select().from(projects).where(eq(projects.id, id))))[0]
  await page.goto(`/admin/projects/${id}`)
  await page.getByRole('tab', { name: 'Settings' }).click()
  const closes = page.getByRole('group', { name: 'Closes' })
  const opens = page.getByRole('group', { name: 'Opens' })
  await closes.getByText('If you leave the time empty, it will be 23:59, the end of the day.').waitFor()
  await closes.getByLabel('Date').fill('2031-12-05')
  await closes.getByText(/2031.*11:59/).waitFor()
  await expectInReach(page.getByRole('button', { name: 'Save', exact: true }))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('All changes saved').waitFor()
  expect(await stored()).toMatchObject({ closesAt: new Date('2031-12-06T04:59:00Z') })

  await opens.getByLabel('Time').fill('10:00')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').or(page.locator('.error-summary')).getByText('Enter both a date and a time.').first().waitFor()
  await opens.getByText('Enter both a date and a time.').waitFor()
  expect(await page.getByText('All changes saved').count()).toBe(0)
  await expectAccessible(page)
  expect(await stored()).toMatchObject({ opensAt: null })
  expect(await opens.getByLabel('Time').inputValue()).toBe('10:00')
  await opens.getByLabel('Date').fill('2031-12-01')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('All changes saved').waitFor()
  expect(await stored()).toMatchObject({ opensAt: new Date('2031-12-01T15:00:00Z') })
}, 120_000)
