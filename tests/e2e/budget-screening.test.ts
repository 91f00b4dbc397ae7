import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { budgetOptions } from '#app/server/db/schema/budgets.ts'
import { addCards, addRound } from '#tests/factories/budgets.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const DAY = 86_400_000

test('an administrator makes options of many proposals, puts some on the ballot with their costs and others aside for one reason', async () => {
  const site = await addSite(db.runtime, { slug: `screening-${Date.now()}`, languages: ['en'] })
  const project = await addProject(db.runtime, site, { slug: 'fund' })
  const activity = await addActivity(db.runtime, site, { projectId: project.id, title: inAllLanguages('Proposals') })
  for (const [at, title] of ['Benches', 'Trees', 'A fountain', 'A cable car'].entries())
    await addContribution(db.runtime, site, { activityId: activity.id, number: at + 1, title })
  const round = await addRound(db.runtime, site, [{ amount: 1_000_000, costs: [] }], {
    projectId: project.id,
    slug: 'village-fund',
    title: inAllLanguages('Village fund'),
    status: 'draft',
    opensAt: new Date(Date.now() - DAY),
    closesAt: new Date(Date.now() + DAY),
  })
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page } = await product.visit(site, { token })
  await page.goto(`/admin/projects/${project.id}/budgets/${round.id}`)
  await page.getByRole('button', { name: 'Add proposals' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('All 4').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add 4 ideas' }).click()
  await page.getByText('A cable car').waitFor()
  await page.getByRole('button', { name: 'Add proposals' }).click()
  await dialog.getByText('There are no more published contributions to this activity.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()

  for (const title of ['A fountain', 'A cable car']) await page.getByLabel(`Select ${title}`).check()
  await page.getByRole('button', { name: 'Screen', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Not feasible, for one reason' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('Are 2 options not feasible?').waitFor()
  expect(await question.getByRole('button', { name: 'Save as not feasible' }).isDisabled()).toBe(true)
  await question.getByLabel('Why it is not feasible').fill('The square belongs to the state.')
  await question.getByRole('button', { name: 'Save as not feasible' }).click()
  await page.getByText('Not feasible: 2 options').waitFor()

  for (const title of ['Benches', 'Trees']) await page.getByLabel(`Select ${title}`).check()
  await page.getByRole('button', { name: 'Screen', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Put on the ballot' }).click()
  await question.getByLabel('Cost of Benches').fill('2500')
  await question.getByText('A feasible option needs a cost.').waitFor()
  await question.getByLabel('Cost of Trees').fill('10000.01')
  await question.getByText('An option costs more than its pot holds.').waitFor()
  await question.getByLabel('Cost of Trees').fill('4000')
  await question.getByText('Put 2 options on the ballot?').waitFor()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Put on the ballot' }).click()
  await page.getByText('On the ballot: 2 options').waitFor()
  await page.getByText('$2,500').first().waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByText('Voting', { exact: true }).first().waitFor()

  const reader = (await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })).page
  await reader.goto('/projects/fund/budgets/village-fund')
  const left = reader.getByRole('region', { name: 'Not on the ballot' })
  expect(await left.getByRole('listitem').allInnerTexts()).toEqual([
    'A fountain The square belongs to the state.',
    'A cable car The square belongs to the state.',
  ])
  expect(await reader.getByRole('button', { name: 'Add Benches' }).count()).toBe(1)
})

test('a reader is told that an option of their ballot was withdrawn and, while the page is open, that voting has closed', async () => {
  const site = await addSite(db.runtime, { slug: `withdrawn-${Date.now()}` })
  const officer = await addPerson(db.runtime, site, { role: 'site_admin' })
  await addCards(db.runtime, site, officer, ['RB 2030 4711'])
  const project = await addProject(db.runtime, site, { slug: 'fund' })
  const values = { projectId: project.id, opensAt: new Date(Date.now() - DAY), closesAt: new Date(Date.now() + DAY) }
  const pots = [{ amount: 5_000_000, costs: [3_800_000, 1_200_000] }]
  const round = await addRound(db.runtime, site, pots, { ...values, slug: 'village-fund', title: inAllLanguages('Village fund') })
  const { page } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fund/budgets/village-fund')
  await takePartBefore(page)
  await page.getByRole('button', { name: 'Add Option 1' }).click()
  await page.getByText('1 chosen, $12,000 of $50,000 left').waitFor()
  await page.getByRole('link', { name: 'Check my ballot' }).click()
  await page.getByRole('link', { name: 'Show that I may vote' }).click()
  await page.getByLabel(/card number/i).fill('RB 2030 4711')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('link', { name: 'Go on' }).click()
  await page.getByRole('button', { name: 'Cast my ballot' }).click()
  await page.getByRole('heading', { name: 'Your ballot has been cast' }).waitFor()
  expect(await page.getByText('Withdrawn from this vote').count()).toBe(0)

  await db.runtime.database.site(site.id).tx((tx) =>
    tx
      .update(budgetOptions)
      .set({ withdrawnAt: new Date(), withdrawnReason: inAllLanguages('The land was sold.') })
      .where(eq(budgetOptions.id, round.options[0]?.id ?? '')),
  )
  await page.reload()
  await page.getByText('Withdrawn from this vote').waitFor()
  await page.getByText('The land was sold.').waitFor()
  await page.getByRole('link', { name: 'Change my ballot' }).click()
  await page.getByText('An option on the ballot that you cast was withdrawn').waitFor()
  await expectAccessible(page)

  // Another round, which closes a moment after its page is opened.
  const closesAt = new Date(Date.now() + 8000)
  await addRound(db.runtime, site, pots, { ...values, slug: 'closing-fund', closesAt })
  await page.goto('/projects/fund/budgets/closing-fund')
  await page.getByRole('button', { name: 'Add Option 1' }).waitFor()
  expect(await page.getByText('You opened your ballot before').count()).toBe(0)
  await page.getByText('Voting has closed. You opened your ballot before, so you can still cast it until').waitFor({ timeout: 20_000 })
  expect(Date.now()).toBeGreaterThanOrEqual(closesAt.getTime() - 1000)
})
