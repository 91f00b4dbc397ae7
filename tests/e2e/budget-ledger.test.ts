import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { appendLedgers } from '#app/features/ledger/append-ledgers.server.ts'
import { addCards, addRound } from '#tests/factories/budgets.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible, expectAccessibleOnceScripted, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const DAY = 86_400_000

test('points are shared out without JavaScript, and the receipt, the results page and a press prove what became of them', async () => {
  const site = await addSite(db.runtime, { slug: `ledger-${Date.now()}` })
  const [officer, second] = [
    await addPerson(db.runtime, site, { role: 'site_admin' }),
    await addPerson(db.runtime, site, { role: 'site_admin' }),
  ]
  await addCards(db.runtime, site, officer, ['RB 2030 5810'])
  const project = await addProject(db.runtime, site, { slug: 'fund' })
  const round = await addRound(db.runtime, site, [{ amount: 5_000_000, costs: [3_000_000, 2_000_000, 4_000_000] }], {
    projectId: project.id,
    slug: 'points-fund',
    title: inAllLanguages('Points fund'),
    ballotType: 'points',
    maxPoints: 10,
    opensAt: new Date(Date.now() - DAY),
    closesAt: new Date(Date.now() + DAY),
  })
  const inSite = db.database.site(site.id)

  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fund/budgets/points-fund')
  await takePartBefore(page)
  await page.getByText('0 of 10 points given').waitFor()
  await page.getByLabel('Points Option 1').fill('8')
  await page.getByLabel('Points Option 2').fill('5')
  await page.getByRole('button', { name: 'Keep my points' }).first().click()
  await page.getByText('13 of 10 points given').waitFor()
  await page.getByText('That is 3 points too many.').waitFor()
  await expectAccessibleOnceScripted(page)
  await page.getByRole('button', { name: 'Check my ballot' }).first().click()
  await page.getByText('You have given 3 points too many.').waitFor()
  await page.getByRole('link', { name: 'Change my choice' }).click()
  await page.getByLabel('Points Option 2').fill('2')
  await page.getByRole('button', { name: 'Check my ballot' }).first().click()
  await page.getByRole('link', { name: 'Show that I may vote' }).click()
  await page.getByLabel(/card number/i).fill('RB 2030 5810')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('link', { name: 'Go on' }).click()
  await page.waitForURL(/points-fund\/check/)
  await page.getByText('8 points').waitFor()
  await page.getByRole('button', { name: 'Cast my ballot' }).click()
  await page.getByRole('heading', { name: 'Your ballot has been cast' }).waitFor()
  await page.getByText('Your ballot is added within an hour and a minute').waitFor()

  // Its hour passes.
  await inSite.tx((tx) => tx.execute(sql`update ledger_waiting set due_at = now() - interval '1 minute'`))
  await appendLedgers(db.runtime)
  await page.reload()
  await page.getByText('It is entry 1, the only one so far.').waitFor()
  await page.getByText('Check it yourself').click()
  const [salt = '', leaf = ''] = await page.locator('[aria-labelledby=proof] dd code').allInnerTexts()
  expect(leaf).toBe(createHash('sha256').update(`${salt}1:8,2:2`).digest('hex'))
  await expectAccessibleOnceScripted(page)
  const file = await product.read(site, '/projects/fund/budgets/points-fund/ledger.jsonl')
  expect(file.body.split('\n')[1]).toContain(`"leaf":"${leaf}"`)

  await inSite.tx((tx) =>
    tx.execute(sql`update budget_rounds set closes_at = ${new Date(Date.now() - 20 * 60_000).toISOString()} where id = ${round.id}`),
  )
  const officers = (await product.visit(site, { token: officer.token })).page
  await officers.goto(`/admin/projects/${project.id}/budgets/${round.id}`)
  await officers.getByRole('button', { name: 'Count the ballots' }).click()
  await officers.getByText('You counted it. Someone else has to certify it.').waitFor()
  const seconds = (await product.visit(site, { token: second.token })).page
  await seconds.goto(`/admin/projects/${project.id}/budgets/${round.id}`)
  await seconds.getByRole('button', { name: 'Certify the result' }).click()
  await seconds.getByRole('alertdialog').getByRole('button', { name: 'Certify the result' }).click()
  await seconds.getByText('The result is public.').waitFor()

  // Without JavaScript the page says the command instead.
  await page.goto('/projects/fund/budgets/points-fund/results')
  await page.getByText('parley verify points-fund-ledger.jsonl points-fund-1.pb').waitFor()
  expect(await page.getByRole('button', { name: 'Check it in this browser' }).count()).toBe(0)
  await expectAccessibleOnceScripted(page)
  const reader = (await product.visit(site)).page
  await reader.goto('/projects/fund/budgets/points-fund/results')
  await reader.getByRole('button', { name: 'Check it in this browser' }).click()
  await reader.getByText('The ledger is whole, and the result is the same').waitFor()
  await reader.getByText('Computed again in this browser: 1 ballot, 2 entries').waitFor()
  await expectAccessible(reader)

  // A file that was changed on its way is told.
  const { body } = await product.read(site, '/projects/fund/budgets/points-fund/ledger.jsonl')
  const changed = body.replace(leaf, `${leaf.slice(1)}${leaf.slice(0, 1)}`)
  await reader.route('**/ledger.jsonl', (route) => route.fulfill({ contentType: 'application/jsonl', body: changed }))
  await reader.getByRole('button', { name: 'Check again' }).click()
  await reader.getByText('entry 1 was changed. It does not give its hash.').waitFor()
})
