import { createHmac } from 'node:crypto'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { mailAddresses } from '#app/server/db/schema/mail.ts'
import { installations, webhookWatches } from '#app/server/db/schema/marketplace.ts'
import { campaigns, smsMessages } from '#app/server/db/schema/messages.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { getConsoleErrors, expectAccessible, openPage, signIn } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'
import { servePortal } from '#tests/support/portals/serve.ts'
import { serveTwilio, TWILIO } from '#tests/support/sms/twilio.ts'

/** One that may ask servers on this machine, where the services of these tests are. */
const { db, product } = useSharedProduct()
const twilio = await serveTwilio()

/** Posts to the product by its port, under the name of the address: the system's resolver need not know that. @returns the status */
const postForm = (port: number, { host, pathname }: URL, form: Record<string, string>, headers: Record<string, string>) =>
  new Promise<number | undefined>((done, fail) => {
    const type = 'application/x-www-form-urlencoded'
    const sent = request(
      { host: '127.0.0.1', port, path: pathname, method: 'POST', headers: { ...headers, host, 'content-type': type } },
      (answer) => {
        answer.resume()
        done(answer.statusCode)
      },
    )
    sent.once('error', fail).end(new URLSearchParams(form).toString())
  })

test('the sandbox is installed, tested and enabled, and a survey is answered on its phone, from the word to the response', async () => {
  const admin = await openPage({ width: 1280 })
  await signIn(admin, 'site.admin')
  await admin.goto('/admin/marketplace/sms-sandbox')
  await admin.getByRole('button', { name: 'Uninstall…' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Uninstall', exact: true }).click()
  await admin.getByLabel('Sender').fill('Riverbend')
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await admin.getByRole('button', { name: 'Test settings' }).click()
  await admin.getByText('The service accepted the settings').waitFor()
  await admin.getByText('Switched on', { exact: true }).click()
  await expectAccessible(admin)
  await admin.getByRole('link', { name: 'Try it on a phone' }).click()

  await admin.getByLabel('Number').fill('613 555 0187')
  await admin.getByRole('button', { name: 'Show' }).click()
  const phone = admin.getByRole('log')
  const text = async (body: string, answered: string | RegExp) => {
    await admin.getByLabel('Reply').fill(body)
    await admin.getByRole('button', { name: 'Send', exact: true }).click()
    await phone.getByText(answered).last().waitFor()
  }
  await text('walk', /Where would you go back first/)
  await text('by car', /Sorry, we could not read that/)
  await text('the old mill', /How safe did the shore feel/)
  await text('back', /^Where would you go back first/)
  await text('4 the heron tree', /^How safe/)
  await text('5', /Would you come to a walk again/)
  await text('yes', /Your receipt: [\dA-Z-]{19}/)
  await text('walk', /already answered this survey/)
  await expectAccessible(admin)

  await admin.goto('/admin/surveys')
  await admin.getByRole('link', { name: 'After the walk' }).first().click()
  await admin.getByRole('link', { name: 'Responses' }).click()
  await admin.getByLabel('Source').selectOption({ label: 'Text message' })
  await admin.waitForURL(/source=sms/)
  await admin.getByRole('row').filter({ hasText: 'the heron tree' }).waitFor()
  expect(getConsoleErrors(admin)).toEqual([])
})

test('webhooks are installed with a secret that is shown once, tell of a survey that closes, and tell it again under the same id', async () => {
  const posts: { id: string; signature: string; timestamp: string; body: string }[] = []
  const take = async (asked: IncomingMessage, response: ServerResponse) => {
    const header = (name: string) => String(asked.headers[name])
    posts.push({
      id: header('webhook-id'),
      signature: header('webhook-signature'),
      timestamp: header('webhook-timestamp'),
      body: await readText(asked),
    })
    response.writeHead(204).end()
  }
  const receiver = await servePortal((_url, response, asked) => void take(asked, response))
  const site = await addSite(db.runtime, { slug: `hooked-${createId().slice(-8)}` })
  const own = db.database.site(site.id)
  const survey = await addSurvey(db.runtime, site)
  const { page, complaints } = await product.visit(site, { token: (await addPerson(db.runtime, site, { role: 'site_admin' })).token })
  await page.goto('/admin/marketplace/webhooks')
  await page.getByLabel('Address').fill(`${receiver.origin}/hooks`)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByRole('button', { name: 'Create a new secret' }).click()
  const secret = (await page.locator('code', { hasText: 'whsec_' }).textContent()) ?? ''
  await page.getByRole('button', { name: 'Test settings' }).click()
  await page.getByText('The service accepted the settings').waitFor()
  await page.getByText('Switched on', { exact: true }).click()
  await expect.poll(() => own.tx((tx) => tx.select().from(webhookWatches))).toHaveLength(1)

  await own.tx((tx) => tx.update(surveys).set({ closesAt: new Date() }).where(eq(surveys.id, survey.id)))
  const row = page.getByRole('row').filter({ hasText: 'Survey closed' })
  await row.getByText('Delivered').waitFor()
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => posts.length).toBe(3)
  const [, told, again] = posts
  expect(again).toMatchObject({ id: told?.id, body: told?.body })
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  expect(told?.signature.split(' ')).toContain(
    `v1,${createHmac('sha256', key).update(`${told?.id}.${told?.timestamp}.${told?.body}`).digest('base64')}`,
  )
  await page.reload()
  await row.waitFor()
  expect(await page.locator('code', { hasText: 'whsec_' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('Twilio is installed, carries a text, and what it tells of it is shown', async () => {
  const site = await addSite(db.runtime, { slug: `texted-${createId().slice(-8)}` })
  await db.database
    .site(site.id)
    .tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
  const { page, complaints } = await product.visit(site, { token: (await addPerson(db.runtime, site, { role: 'site_admin' })).token })
  await page.goto('/admin/marketplace/sms-twilio')
  await page.getByLabel('Address of the service').fill(twilio.origin)
  await page.getByLabel('Account SID').fill(TWILIO.accountSid)
  await page.getByLabel('Auth token').fill('0123456789abcdef'.repeat(2))
  await page.getByLabel('Sender').fill(TWILIO.from)
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await page.getByRole('button', { name: 'Test settings' }).click()
  await page.getByText('The service does not accept these credentials').first().waitFor()
  // Shown by the next reading of the installation: only then does its absence say that the new settings are stored.
  await page.getByText('Last error, ').waitFor()
  await page.getByLabel('Auth token').fill(TWILIO.authToken)
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('Last error, ').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Test settings' }).click()
  await page.getByText('The service accepted the settings').waitFor()
  await page.getByText('Switched on', { exact: true }).click()
  await page.getByText('On', { exact: true }).waitFor()
  const hook = new URL((await page.locator('.hook-address').first().textContent()) ?? '')
  // Twilio has no call with which its account's token could be revoked for us only.
  await page.getByRole('button', { name: 'Uninstall…' }).click()
  const leaving = page.getByRole('alertdialog')
  await leaving.getByText('revoke or change it at the service').waitFor()
  await leaving.getByText('a STOP is still heard there').waitFor()
  await leaving.getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/admin/campaigns/messages')
  await page.getByRole('button', { name: 'Send a test message' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Phone number').fill('613 555 0123')
  await dialog.getByLabel('Message', { exact: true }).fill('The bridge is open again')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => twilio.taken.map(({ body }) => body)).toEqual(['The bridge is open again'])

  const stored = () => db.database.site(site.id).tx((tx) => tx.select().from(smsMessages))
  await expect.poll(async () => (await stored()).map(({ providerId }) => providerId)).toEqual([twilio.taken[0]?.sid])

  const form = { MessageSid: twilio.taken[0]?.sid ?? '', MessageStatus: 'delivered' }
  const signed = `${hook.href}MessageSid${form.MessageSid}MessageStatus${form.MessageStatus}`
  const signature = createHmac('sha1', TWILIO.authToken).update(signed).digest('base64')
  expect(await postForm(product.port, hook, form, { 'x-twilio-signature': signature })).toBe(200)
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'The bridge is open again' }).getByText('Delivered').waitFor()
  expect(complaints).toEqual([])
})

test('an address that mails came back from is seen and freed; a campaign whose area is gone says so, and those who run the site are told', async () => {
  const site = await addSite(db.runtime, { slug: `returned-${createId().slice(-8)}` })
  const own = db.database.site(site.id)
  const [campaign, area, now] = [createId(), createId(), new Date()]
  await own.tx(async (tx) => {
    const key = { siteId: site.id }
    await tx.insert(siteFeatures).values({ ...key, name: 'marketplace_sms_integration', enabled: true })
    await tx.insert(installations).values({ ...key, id: createId(), integration: 'sms-sandbox', enabledAt: now })
    const times = { createdAt: now, updatedAt: now, sendAt: now }
    await tx.insert(campaigns).values({ ...key, ...times, id: campaign, name: 'Flood drill', audience: { area }, status: 'scheduled' })
    const reason = '550 5.1.1 No such person'
    await tx
      .insert(mailAddresses)
      .values({ ...key, address: 'gone@people.example', bouncedAt: now, reason, reported: true, updatedAt: now })
  })
  const { page, complaints } = await product.visit(site, { token: (await addPerson(db.runtime, site, { role: 'site_admin' })).token })
  await page.goto('/admin/outbox/addresses')
  await page.getByRole('row').filter({ hasText: 'gone@people.example' }).getByText('Blocked').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Unblock.*gone@people.example/ }).click()
  await page.getByText('No blocked addresses').waitFor()
  expect(await own.tx((tx) => tx.select().from(mailAddresses))).toEqual([])

  const status = async () => (await own.tx((tx) => tx.select().from(campaigns)))[0]?.status
  await expect.poll(status).toBe('draft')
  await page.reload()
  await page.getByRole('button', { name: 'Notifications: 1 unread' }).click()
  await page.getByRole('link', { name: /“Flood drill” was not sent/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Flood drill' }).waitFor()
  await page.getByText('The area it is sent to no longer exists. Choose another.').first().waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})
