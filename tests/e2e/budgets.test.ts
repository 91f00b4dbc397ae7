import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { readPbFile } from '#app/features/budgets/counting/pb-file.ts'
import { budgetRounds } from '#app/server/db/schema/budgets.ts'
import { addCards, addRound } from '#tests/factories/budgets.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible, expectAccessibleOnceScripted, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const DAY = 86_400_000

test('a resident votes by library card without JavaScript, changes the ballot, and reads why after the count and its certification', async () => {
  const site = await addSite(db.runtime, { slug: `budget-${Date.now()}` })
  const [officer, second] = [
    await addPerson(db.runtime, site, { role: 'site_admin' }),
    await addPerson(db.runtime, site, { role: 'site_admin' }),
  ]
  await addCards(db.runtime, site, officer, ['RB 2030 4711'])
  const project = await addProject(db.runtime, site, { slug: 'fund' })
  const round = await addRound(db.runtime, site, [{ amount: 5_000_000, costs: [3_800_000, 2_400_000, 1_200_000] }], {
    projectId: project.id,
    slug: 'village-fund',
    title: inAllLanguages('Village fund'),
    opensAt: new Date(Date.now() - DAY),
    closesAt: new Date(Date.now() + DAY),
  })

  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fund')
  await takePartBefore(page)
  await page.getByRole('link', { name: 'Vote Village fund' }).click()
  await page.getByText('0 chosen, $50,000 of $50,000 left').waitFor()
  await page.getByRole('button', { name: 'Add Option 1' }).click()
  await page.getByText('1 chosen, $12,000 of $50,000 left').waitFor()
  await page.getByRole('button', { name: 'Add Option 2' }).click()
  await page.getByText('2 chosen, $12,000 more than the $50,000 of the pot').waitFor()
  await expectAccessibleOnceScripted(page)
  await page.getByRole('link', { name: 'Check my ballot' }).click()
  await page.getByText('Your choice for Pot 1 costs $12,000 too much.').waitFor()
  await page.getByRole('button', { name: 'Take out Option 2' }).click()
  await page.getByText('You have $12,000 left.').waitFor()
  await page.getByRole('link', { name: 'Show that I may vote' }).click()
  await page.getByLabel(/card number/i).fill('RB 2030 4711')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('link', { name: 'Go on' }).click()
  await page.waitForURL(/village-fund\/check/)
  await expectAccessibleOnceScripted(page)
  await page.getByRole('button', { name: 'Cast my ballot' }).click()
  await page.getByRole('heading', { name: 'Your ballot has been cast' }).waitFor()
  const first = await page.locator('.receipt-code code').innerText()

  await page.getByRole('link', { name: 'Change my ballot' }).click()
  await page.getByText('You have cast this ballot.').waitFor()
  await page.getByRole('button', { name: 'Add Option 3' }).click()
  await page.getByText('2 chosen, $0 of $50,000 left').waitFor()
  await page.getByText('You have changed your choice.').waitFor()
  await page.getByRole('link', { name: 'Check my ballot' }).click()
  await page.getByRole('button', { name: 'Change my ballot' }).click()
  await page.getByRole('heading', { name: 'Your ballot has been cast' }).waitFor()
  const code = await page.locator('.receipt-code code').innerText()
  expect(code).not.toBe(first)

  // The page for all receipts knows it too.
  const finder = await product.visit(site, { javaScriptEnabled: false })
  await finder.page.goto('/receipt')
  await finder.page.getByLabel('Receipt code').fill(code.toLowerCase())
  await finder.page.getByRole('button', { name: 'Find my answers' }).click()
  await finder.page.waitForURL('**/projects/fund/budgets/village-fund/receipt')
  expect(await finder.page.locator('.receipt-code code').innerText()).toBe(code)

  await db.database.site(site.id).tx((tx) =>
    tx
      .update(budgetRounds)
      .set({ closesAt: new Date(Date.now() - 20 * 60_000) })
      .where(eq(budgetRounds.id, round.id)),
  )
  await page.goto('/projects/fund/budgets/village-fund')
  await page.getByText('Voting has closed').first().waitFor()

  const officers = (await product.visit(site, { token: officer.token })).page
  await officers.goto(`/admin/projects/${project.id}/budgets/${round.id}`)
  await officers.getByRole('button', { name: 'Count the ballots' }).click()
  await officers.getByText('You counted it. Someone else has to certify it.').waitFor()
  await expectAccessible(officers)
  const seconds = (await product.visit(site, { token: second.token })).page
  await seconds.goto(`/admin/projects/${project.id}/budgets/${round.id}`)
  await seconds.getByRole('button', { name: 'Certify the result' }).click()
  await seconds.getByRole('alertdialog').getByRole('button', { name: 'Certify the result' }).click()
  await seconds.getByText('The result is public.').waitFor()

  await page.goto('/projects/fund/budgets/village-fund/results')
  await page.getByRole('heading', { name: 'The result: Village fund' }).waitFor()
  // Of options with as many votes, the cheaper one is paid for first.
  await page.getByText('Its 1 supporter had $50,000 and paid $12,000.').waitFor()
  await page.getByText('Its 1 supporter had $38,000 and paid $38,000.').waitFor()
  await page.getByText('Nobody voted for it.').first().waitFor()
  await expectAccessibleOnceScripted(page)
  const file = await product.read(site, '/projects/fund/budgets/village-fund/ballots/1.pb')
  expect((await readPbFile(file.body)).stated?.toSorted()).toEqual(['1', '3'])
  await page.goto('/projects/fund/budgets/village-fund/receipt')
  await page.getByRole('heading', { name: 'Your ballot was counted' }).waitFor()
})

test('an administrator makes a budget from the project’s page, and publishing names what is missing', async () => {
  const site = await addSite(db.runtime, { slug: `making-${Date.now()}`, languages: ['en'] })
  const project = await addProject(db.runtime, site)
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page } = await product.visit(site, { token })
  await page.goto(`/admin/projects/${project.id}`)
  await page.getByRole('tab', { name: 'Activities' }).click()
  await page.getByRole('button', { name: 'Add a budget' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Street fund')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/budgets\//)
  await page.getByRole('button', { name: 'Add a pot' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Street')
  await page.getByRole('dialog').getByLabel('Amount').fill('1000')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('$1,000').first().waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByText('There is no feasible option to vote for yet.').first().waitFor()
  await page.getByRole('button', { name: 'Add an option' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Benches')
  await page.getByRole('dialog').getByLabel('Cost', { exact: true }).fill('250.50')
  await page.getByRole('dialog').getByLabel('Screening').selectOption('feasible')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('$250.50').first().waitFor()
  await expectAccessible(page)
  expect(await page.getByText('Feasible: on the ballot').count()).toBe(1)
})
