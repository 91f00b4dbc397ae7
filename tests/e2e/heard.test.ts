import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createCtx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { expectAccessible, expectUsable } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
let admin: Person
let project: { id: string; slug: string }
let code: string

async function sendAnswer(survey: string, ideas: string) {
  const ctx = createCtx(db.runtime, site)
  const input = { id: v7(), sendKey: 'k'.repeat(22), answers: { name: 'Elm', ideas } }
  return submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey)), input)
}

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'heard', languages: ['en'] })
  admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  project = await addProject(db.runtime, site, { title: { en: 'A faster bus on Fern Street' } })
  const survey = await addSurvey(db.runtime, site, { projectId: project.id })
  const send = (ideas: string) => sendAnswer(survey.id, ideas)
  code = (await send('The ramp is too steep. And there is no shade at the stop.')).code
  await send('Somewhere to sit, please.')
})

test('an officer codes answers by keys, decides and publishes; the receipt leads there without JavaScript', async () => {
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto(`/admin/projects/${project.id}/heard`)
  await page.getByRole('link', { name: 'Your ideas' }).click()
  await page.getByText('0 of 2 read').waitFor()

  // A theme is added by its key; keys do nothing while its title is typed.
  await page.keyboard.press('n')
  await page.getByLabel('Title').fill('Shade at stops, 1')
  await page.getByRole('button', { name: 'Save' }).click()
  const theme = page.locator('.coding-theme', { hasText: 'Shade at stops, 1' })
  await theme.waitFor()
  // Keys belong to the dialog until it closes.
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(await theme.getAttribute('aria-pressed')).toBe('false')

  // The second sentence is marked, coded, quoted, undone and coded again.
  const coded = page.locator('.coding-passages li')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByText('Marked: “And there is no shade at the stop.”').waitFor()
  await page.keyboard.press('1')
  await coded.filter({ hasText: 'And there is no shade at the stop.' }).waitFor()
  await page.keyboard.press('z')
  await expect.poll(() => coded.count()).toBe(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('1')
  await coded.filter({ hasText: 'And there is no shade at the stop.' }).waitFor()
  await page.keyboard.press('q')
  await page.getByText('may be quoted').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('0')
  await page.getByText('Somewhere to sit, please.').waitFor()
  await page.keyboard.press('b')
  await page.getByText('The ramp is too steep.').waitFor()

  // Switched off, they do nothing.
  await page.getByLabel('Keys without Ctrl or Alt').click()
  await page.keyboard.press('0')
  await page.keyboard.press('1')
  expect(await coded.count()).toBe(1)
  await page.getByText('The ramp is too steep.').waitFor()

  // A decision without a reason is refused, and keeps what was typed.
  await page.goto(`/admin/projects/${project.id}/heard/decisions/new`)
  await page.getByLabel('Title').fill('Roofs at 14 stops')
  await page.getByLabel('Decided on').fill('2026-01-18')
  await page.getByLabel('Shade at stops, 1').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'There is a problem' }).waitFor()
  expect(await page.getByLabel('Title').inputValue()).toBe('Roofs at 14 stops')
  await page.getByLabel('Reason').fill('Pipes lie under the sidewalk elsewhere.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Roofs at 14 stops' }).waitFor()
  await page.getByRole('link', { name: 'What we heard, what we decided' }).click()
  await page.getByRole('button', { name: 'Publish decisions' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish decisions' }).click()
  await page.getByText('Version 1 is published.').waitFor()
  await expectAccessible(page)
  // The browser notes the refusal itself.
  expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])

  const reader = await product.visit(site, { javaScriptEnabled: false })
  await reader.page.goto('/receipt')
  await reader.page.locator('main input[type="text"]').first().fill(code)
  await reader.page.locator('main form [type="submit"]').click()
  const steps = reader.page.locator('.receipt-next .receipt-steps').last()
  await expect.poll(() => steps.innerText()).toContain('And there is no shade at the stop.')
  expect(await steps.innerText()).toContain('Shade at stops, 1')
  await steps.getByRole('link', { name: 'Roofs at 14 stops' }).click()
  await reader.page.getByRole('heading', { name: 'What we heard, what we decided' }).waitFor()
  const decision = reader.page.locator('#decision-1')
  expect(await decision.innerText()).toContain('Pipes lie under the sidewalk elsewhere.')
  expect(await decision.innerText()).toContain('And there is no shade at the stop.')
  await reader.page.getByLabel('What was done').selectOption('done')
  await reader.page.getByRole('button', { name: 'Apply' }).click()
  await reader.page.getByRole('heading', { name: 'No decision matches' }).waitFor()
  await reader.page.getByRole('link', { name: 'Show all' }).click()
  await reader.page.locator('#decision-1').waitFor()
  const scripted = await product.visit(site)
  await scripted.page.goto(reader.page.url())
  await scripted.page.locator('#decision-1').waitFor()
  await expectUsable(scripted.page)
})

test('an officer has themes suggested, confirms one by keys with its passages, and rejects the rest', async () => {
  const own = await addProject(db.runtime, site, { title: { en: 'A square for Mill Lane' } })
  const survey = await addSurvey(db.runtime, site, { projectId: own.id })
  const said = [
    ['There is no shade on the square.', 'Shade, please! It is hot.', 'More trees for shade.', 'Shade over the benches.'],
    ['The fountain is broken.', 'Repair the fountain.', 'A fountain that works. I like it.', 'Fountain first.'],
    ['Too many parked cars.', 'Parked cars everywhere.', 'No parked cars here.', 'Cars parked on the grass.'],
  ]
  for (const ideas of said.flat()) await sendAnswer(survey.id, ideas)
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto(`/admin/projects/${own.id}/heard`)
  await page.getByRole('link', { name: 'Your ideas' }).click()
  await page.getByRole('link', { name: 'Suggested themes' }).click()
  await page.getByRole('heading', { name: 'No themes suggested yet' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Suggest themes' }).click()
  await page.getByText('Made from 12 texts').waitFor()
  const list = page.getByRole('region', { name: 'Suggested themes' })
  await list.getByRole('button', { name: /shade/ }).click()
  const passages = page.getByRole('group', { name: 'Passages that say it' })
  await passages.getByText('There is no shade on the square.').waitFor()
  expect(await passages.getByRole('checkbox').count()).toBe(4)
  await expectAccessible(page)

  // Keys do nothing while the title is typed; a passage that is not ticked will not count.
  await page.getByLabel('Title of the theme').fill('Shade on the square, x c 1')
  await passages.getByLabel('Shade over the benches.').uncheck()
  await page.getByRole('button', { name: 'Confirm with 3 passages' }).waitFor()
  await page.getByRole('heading', { level: 2 }).first().click()
  const press = async (key: string) => {
    // A key does nothing while the decision before it is being stored.
    await expect.poll(() => page.locator('[data-pending]').count()).toBe(0)
    await page.keyboard.press(key)
  }
  const rejected = list.getByRole('button', { name: /rejected/ })
  await press('c')
  await list.getByRole('button', { name: /shade.*confirmed/s }).waitFor()
  // The others are shown one after the other, and rejected. The first rejection is taken back and made again.
  await list.getByRole('button', { name: /fountain/ }).click()
  await press('x')
  await expect.poll(() => rejected.count()).toBe(1)
  await press('z')
  await expect.poll(() => rejected.count()).toBe(0)
  await press('x')
  await expect.poll(() => rejected.count()).toBe(1)
  await press('x')
  await expect.poll(() => rejected.count()).toBe(2)

  // What was confirmed counts, and nothing else.
  await page.getByRole('link', { name: 'What we heard, what we decided' }).click()
  const row = page.getByRole('row', { name: /Shade on the square, x c 1/ })
  await row.waitFor()
  expect(await row.innerText()).toMatch(/\b3\b.*\b3\b/s)
  expect(await page.getByRole('table', { name: 'Themes' }).getByRole('row').count()).toBe(2)
  expect(complaints).toEqual([])
})
