import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { eventSignUps } from '#app/server/db/schema/events.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { userPhones } from '#app/server/db/schema/messages.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { addEvent } from '#tests/factories/events.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible, expectAccessibleOnceScripted, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const DAY = 86_400_000
const inTwoDays = () => ({ startsAt: new Date(Date.now() + 2 * DAY), endsAt: new Date(Date.now() + 2 * DAY + 7_200_000) })

test('without JavaScript, a resident takes the last place, the next one waits, and moves up when the first cancels', async () => {
  const site = await addSite(db.runtime, { slug: `walks-${Date.now()}` })
  const project = await addProject(db.runtime, site, { slug: 'shore' })
  const event = await addEvent(db.runtime, site, {
    projectId: project.id,
    slug: 'walk',
    capacity: 1,
    joinLink: 'https://meet.example.org/walk',
    questions: [{ id: 'shoes', type: 'short_text', required: true, title: inAllLanguages('Your shoe size') }],
    ...inTwoDays(),
  })
  const open = async () => {
    const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    await page.goto('/projects/shore')
    await takePartBefore(page)
    return page
  }
  const first = await open()
  await first.getByText('1 place left').waitFor()
  await first.getByRole('link', { name: 'Sign up Walk along the river' }).click()
  await first.getByRole('button', { name: 'Sign up' }).click()
  await first.getByText('There is a problem').waitFor()
  await expectAccessibleOnceScripted(first)
  await first.getByLabel('Your name').fill('Ada Moss')
  await first.getByLabel('Your email address').fill(`ada-${event.id}@example.org`)
  await first.getByLabel('Your shoe size').fill('39')
  await first.getByRole('button', { name: 'Sign up' }).click()
  await first.getByRole('heading', { name: 'You have a place' }).waitFor()
  await first.getByRole('link', { name: 'https://meet.example.org/walk' }).waitFor()
  await expectAccessibleOnceScripted(first)
  const code = await first.locator('.receipt-code code').innerText()

  const second = await open()
  await second.getByRole('link', { name: 'Join the waiting list Walk along the river' }).click()
  await second.getByText('All places are taken').waitFor()
  await second.getByLabel('Your name').fill('Ben Hill')
  await second.getByLabel('Your email address').fill(`ben-${event.id}@example.org`)
  await second.getByLabel('Your shoe size').fill('44')
  await second.getByRole('button', { name: 'Join the waiting list' }).click()
  await second.getByText('You are number 1 on the waiting list.').waitFor()
  expect(await second.getByText('meet.example.org').count()).toBe(0)

  // The page for all receipts knows the code, in a browser that never signed up.
  const finder = await open()
  await finder.goto('/receipt')
  await finder.getByLabel('Receipt code').fill(code.toLowerCase())
  await finder.getByRole('button', { name: 'Find my answers' }).click()
  await finder.waitForURL('**/projects/shore/events/walk/receipt')
  await finder.getByText('I cannot come').click()
  await finder.getByRole('button', { name: 'Cancel my place' }).click()
  await finder.getByRole('heading', { name: 'You have cancelled' }).waitFor()

  await second.reload()
  await second.getByRole('heading', { name: 'You have a place' }).waitFor()
  await second.goto('/projects/shore/events/walk')
  await second.getByText('You have signed up', { exact: true }).waitFor()
})

test.each([true, false])('somebody whose number is known asks to be reminded by text too (JavaScript: %s)', async (javaScriptEnabled) => {
  const site = await addSite(db.runtime, { slug: `texts-${javaScriptEnabled}-${Date.now()}`, languages: ['en'] })
  const project = await addProject(db.runtime, site, { slug: 'shore' })
  const event = await addEvent(db.runtime, site, { projectId: project.id, slug: 'walk', ...inTwoDays() })
  const { id: userId, token } = await addPerson(db.runtime, site)
  await db.database.site(site.id).tx(async (tx) => {
    const own = { siteId: site.id }
    await tx.insert(siteFeatures).values({ ...own, name: 'marketplace_sms_integration', enabled: true })
    await tx.insert(installations).values({ ...own, id: createId(), integration: 'sms-sandbox', enabledAt: new Date() })
    await tx.insert(userPhones).values({ ...own, userId, phone: '+16135550123', confirmedAt: new Date() })
  })
  const { page } = await product.visit(site, { token, javaScriptEnabled, viewport: { width: 360, height: 800 } })
  await page.goto('/projects/shore/events/walk')
  await page.getByLabel(/^Remind me by text message too, at \+1\s613\s555\s0123/).check()
  await page.getByLabel('Your name').fill('')
  await page.getByRole('button', { name: 'Sign up' }).click()
  // What was ticked is kept when something else is missing.
  await page.getByText('There is a problem').waitFor()
  await expect.poll(() => page.getByLabel('Remind me by text message too').isChecked()).toBe(true)
  await page.getByLabel('Your name').fill('Ada Moss')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('We also remind you by text message.').waitFor()
  if (javaScriptEnabled) await expectAccessible(page)
  const rows = await db.database.site(site.id).tx((tx) => tx.select().from(eventSignUps).where(eq(eventSignUps.eventId, event.id)))
  expect(rows).toMatchObject([{ userId, remindByText: true, remindedAt: null }])
})

test('with the keyboard alone at 360 pixels, somebody signs up and finds their receipt when they come back', async () => {
  const site = await addSite(db.runtime, { slug: `keys-${Date.now()}`, languages: ['en'] })
  const project = await addProject(db.runtime, site, { slug: 'shore' })
  const event = await addEvent(db.runtime, site, { projectId: project.id, slug: 'walk', capacity: 5, ...inTwoDays() })
  const { page } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await page.goto('/projects/shore/events/walk')
  await page.getByLabel('Your name').focus()
  await page.keyboard.type('Ada Moss')
  await page.keyboard.press('Tab')
  await page.keyboard.type(`ada-${event.id}@example.org`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You have a place' }).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.goto('/projects/shore/events/walk')
  await page.getByRole('button', { name: 'See my receipt' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You have a place' }).waitFor()
  const rows = await db.database.site(site.id).tx((tx) => tx.select().from(eventSignUps).where(eq(eventSignUps.eventId, event.id)))
  expect(rows).toHaveLength(1)
})

test('an officer makes an event, publishes it, and ticks who came', async () => {
  const site = await addSite(db.runtime, { slug: `officers-${Date.now()}`, languages: ['en'] })
  const project = await addProject(db.runtime, site, { slug: 'shore' })
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page } = await product.visit(site, { token })
  await page.goto(`/admin/projects/${project.id}`)
  await page.getByRole('tab', { name: 'Activities' }).click()
  await page.getByRole('button', { name: 'Add an event' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Evening walk')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/events\//)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Complete this field.').first().waitFor()
  await expectAccessible(page)

  const event = await addEvent(db.runtime, site, { projectId: project.id, slug: 'walk', going: 1, ...inTwoDays() })
  await db.database.site(site.id).tx((tx) =>
    tx.insert(eventSignUps).values({
      siteId: site.id,
      id: event.id,
      eventId: event.id,
      name: 'Ada Moss',
      email: 'ada@example.org',
      language: 'en',
      state: 'going',
      createdAt: new Date(),
    }),
  )
  await page.goto(`/admin/projects/${project.id}/events/${event.id}`)
  await page.getByRole('checkbox', { name: 'Ada Moss came' }).check()
  await expect
    .poll(async () => {
      const [row] = await db.database.site(site.id).tx((tx) => tx.select().from(eventSignUps).where(eq(eventSignUps.id, event.id)))
      return row?.attendedAt !== null
    })
    .toBe(true)
  await page.reload()
  await expect.poll(() => page.getByRole('checkbox', { name: 'Ada Moss came' }).isChecked()).toBe(true)
  await expectAccessible(page)
})
