import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sessions } from '#app/server/db/schema/accounts.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { createId } from '#app/lib/uuid.ts'
import { addAccount, PASSWORD } from '#tests/support/accounts.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
const site = await addSite(db.runtime)
const inSite = db.database.site(site.id)

/** A provider that passed its test. */
async function addTestedProvider(makerId: string): Promise<string> {
  const id = createId()
  const now = new Date()
  await inSite.tx((tx) =>
    tx.insert(identityProviders).values({
      siteId: site.id,
      id,
      preset: 'generic',
      name: 'Council account',
      audience: 'staff',
      issuer: 'https://login.example.org',
      clientId: 'parley',
      clientAuth: 'client-secret',
      claims: { email: 'email', name: 'name', groups: 'groups' },
      state: 'testing',
      makerId,
      testedAt: now,
      createdAt: now,
      updatedAt: now,
    }),
  )
  return id
}

test('one administrator adds rules and activates, with an old session after their password; another one agrees', async () => {
  const ana = await addAccount(db.runtime, site, { role: 'site_admin', login: 'Ana' })
  const bo = await addAccount(db.runtime, site, { role: 'site_admin', login: 'Bo' })
  const id = await addTestedProvider(ana.id)
  await inSite.tx((tx) =>
    tx
      .update(sessions)
      .set({ confirmedAt: new Date(0) })
      .where(eq(sessions.userId, ana.id)),
  )
  const { page } = await product.visit(site, { token: ana.token })
  await page.goto(`/admin/sign-in/${id}`)
  await page.getByRole('button', { name: 'Add a group' }).click()
  await page.getByLabel('Group', { exact: true }).fill('staff')
  await page.getByLabel('Role', { exact: true }).selectOption('site_admin')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('heading', { name: 'This change waits for a second administrator' }).waitFor()
  expect(await page.getByRole('button', { name: 'Agree' }).count()).toBe(0)
  await page.goto('/admin/sign-in')
  await page.getByText('Waits for a second administrator').filter({ visible: true }).first().waitFor()

  const other = await product.visit(site, { token: bo.token })
  await other.page.goto(`/admin/sign-in/${id}`)
  await other.page.getByText('Ana asked for it').waitFor()
  await expectAccessible(other.page)
  await other.page.getByRole('button', { name: 'Agree' }).click()
  await other.page.getByText('It is on the page for signing in.').waitFor()
  expect(await other.page.getByRole('heading', { name: 'This change waits' }).count()).toBe(0)
  const [row] = await inSite.tx((tx) => tx.select().from(identityProviders).where(eq(identityProviders.id, id)))
  expect(row?.state).toBe('active')
})

test('the platform’s administrators see which sites give them support access', async () => {
  const ana = await addAccount(db.runtime, site, { role: 'site_admin', login: 'Ana' })
  const guest = await addAccount(db.runtime, site, { role: 'platform_admin', login: 'Gwen' })
  const { page } = await product.visit(site, { token: ana.token })
  await page.goto('/admin/support')
  await page.getByLabel('Reason').fill('A chart is wrong')
  await page.getByRole('button', { name: 'Give support access for 14 days' }).click()
  await page.getByText('Support has access until').waitFor()

  const platform = await product.visit(site, { token: guest.token })
  await platform.page.goto('/admin/sites')
  await platform.page.getByRole('heading', { name: 'Sites that give you support access' }).waitFor()
  await platform.page.getByRole('cell', { name: 'A chart is wrong' }).waitFor()
  await platform.page.getByRole('button', { name: 'Notifications: 1 unread' }).click()
  const news = platform.page.getByRole('dialog').getByRole('link', { name: `${site.name} gives you support access` })
  await news.click()
  await platform.page.waitForURL('**/admin/sites')
  await page.getByRole('button', { name: 'End support access now' }).click()
  await page.getByText('Ended').filter({ visible: true }).first().waitFor()
  await platform.page.reload()
  await platform.page.getByRole('heading', { name: 'Sites', level: 1 }).waitFor()
  expect(await platform.page.getByText('Sites that give you support access').count()).toBe(0)
})
