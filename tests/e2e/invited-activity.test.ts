import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { inviteToActivity } from '#app/features/contributions/managing/activity-invitations.server.ts'
import { createCtx } from '#app/server/context.ts'
import { invitations } from '#app/server/db/schema/surveys.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson, addProject } from '#tests/factories/surveys.ts'
import { addAccount } from '#tests/support/accounts.ts'
import { expectAccessible, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

const { db, product } = useSharedProduct()
const site = await addSite(db.runtime)
const project = await addProject(db.runtime, site, { slug: 'fern' })

const addInvitedActivity = (slug: string) =>
  addActivity(db.runtime, site, { projectId: project.id, slug, moderation: 'after', postAccess: 'invited', reactAccess: 'invited' })

test('without JavaScript a code is typed on the activity’s page, lets its owner post and support, and makes room for the next', async () => {
  const { id } = await addInvitedActivity('panel')
  await addContribution(db.runtime, site, { activityId: id, number: 1, title: 'Oak benches' })
  const viewer = await addPerson(db.runtime, site, { roles: [{ role: 'site_admin' }] })
  const { told } = await inviteToActivity(createCtx(db.runtime, site, { viewer }), id, { kind: 'codes', count: 2 })
  const [first = '', second = ''] = told?.codes ?? []
  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fern/panel/1')
  await takePartBefore(page)
  await page.getByRole('link', { name: 'This is by invitation only: enter your code' }).first().click()
  const code = page.getByLabel('Code from your invitation')
  await code.fill('AAAA-AAAA-AAAA-AAAA')
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.getByRole('link', { name: 'No invitation has this code' }).waitFor()
  expect(await code.inputValue()).toBe('AAAA-AAAA-AAAA-AAAA')
  await code.fill(first.toLowerCase())
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.getByRole('link', { name: 'Oak benches' }).click()
  await page.getByRole('button', { name: 'Support' }).click()
  await page.getByText('You support this').waitFor()
  // Another person's link, opened in the same browser.
  await page.goto(`/projects/fern/panel?invitation=${second}`)
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('link', { name: 'Oak benches' }).click()
  await page.getByRole('button', { name: 'Support' }).click()
  await page.getByText(/^2 /).first().waitFor()
  await page.goto('/projects/fern/panel/new')
  await page.getByLabel('Give your idea a title').fill('Lamps')
  await page.getByLabel('What is your idea?').fill('Along the path.')
  await page.getByLabel('Anonymously').check()
  await page.getByRole('button', { name: 'Send my idea' }).click()
  await page.waitForURL(/receipt/)
})

test('the form of a code is accessible, also with a fault', async () => {
  await addInvitedActivity('jury')
  const { page } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fern/jury')
  await page.getByLabel('Code from your invitation').fill('AAAA-AAAA-AAAA-AAAA')
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.getByRole('link', { name: 'No invitation has this code' }).waitFor()
  expect(await page.getByLabel('Code from your invitation').inputValue()).toBe('AAAA-AAAA-AAAA-AAAA')
  await expectAccessible(page)
})

test('an administrator makes codes where the activities are, and withdraws them', async () => {
  const { id } = await addInvitedActivity('quorum')
  const admin = await addAccount(db.runtime, site, { role: 'site_admin' })
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto(`/admin/projects/${project.id}`)
  await page.getByRole('tab', { name: 'Activities' }).click()
  const row = page.getByRole('listitem').filter({ has: page.locator('a[href$="/fern/quorum"]') })
  await row.getByRole('button', { name: /^Invite people/ }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Create and download codes' }).click(),
  ])
  const [, line = ''] = (await readFile(await download.path(), 'utf8')).split('\n')
  expect(line).toContain('/projects/fern/quorum?invitation=')
  await expectAccessible(page)
  await page
    .getByRole('row', { name: /^Codes/ })
    .getByRole('button', { name: 'Withdraw' })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('No invitations yet').waitFor()
  expect(await db.database.site(site.id).tx((tx) => tx.select().from(invitations).where(eq(invitations.activityId, id)))).toEqual([])
  expect(complaints).toEqual([])
})
