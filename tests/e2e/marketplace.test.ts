import { expect, test } from 'vitest'
import { consoleErrors, expectAccessible, newPage, signIn } from '#tests/support/browser.ts'

test('the sandbox is installed, tested and enabled, and a survey is answered on its phone, from the word to the response', async () => {
  const admin = await newPage({ width: 1280 })
  await signIn(admin, 'site.admin')
  await admin.goto('/admin/marketplace/sms-sandbox')
  await admin.getByRole('button', { name: 'Uninstall…' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Uninstall', exact: true }).click()
  await admin.getByLabel('Sender').fill('Riverbend')
  await admin.getByRole('button', { name: 'Install', exact: true }).click()
  await admin.getByRole('button', { name: 'Test the settings' }).click()
  await admin.getByText('The service accepts the settings').waitFor()
  await admin.getByText('Enabled', { exact: true }).click()
  await expectAccessible(admin)
  await admin.getByRole('link', { name: 'Try it on a phone' }).click()

  await admin.getByLabel('Number').fill('613 555 0187')
  await admin.getByRole('button', { name: 'Show' }).click()
  const phone = admin.getByRole('log')
  const text = async (body: string, answered: string | RegExp) => {
    await admin.getByLabel('Text back').fill(body)
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
  await text('walk', /answered this survey already/)
  await expectAccessible(admin)

  await admin.goto('/admin/surveys')
  await admin.getByRole('link', { name: 'After the walk' }).first().click()
  await admin.getByRole('link', { name: 'Responses' }).click()
  await admin.getByLabel('Source').selectOption({ label: 'Text message' })
  await admin.waitForURL(/source=sms/)
  await admin.getByRole('row').filter({ hasText: 'the heron tree' }).waitFor()
  expect(consoleErrors(admin)).toEqual([])
})
