import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deriveSheetCode } from '#app/features/budgets/paper/paper-codes.server.ts'
import { createCtx } from '#app/server/context.ts'
import { budgetBallots, budgetPaperBatches } from '#app/server/db/schema/budgets.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const DAY = 86_400_000

test('two people type the sheets of a batch, settle where they differ, and accept it once its total agrees', async () => {
  const site = await addSite(db.runtime, { slug: `paper-${Date.now()}` })
  const [ann, bob] = [await addPerson(db.runtime, site, { role: 'site_admin' }), await addPerson(db.runtime, site, { role: 'site_admin' })]
  const project = await addProject(db.runtime, site, { slug: 'fund' })
  const round = await addRound(db.runtime, site, [{ amount: 5_000_000, costs: [3_800_000, 2_400_000, 1_200_000] }], {
    projectId: project.id,
    slug: 'village-fund',
    title: inAllLanguages('Village fund'),
    opensAt: new Date(Date.now() - DAY),
    closesAt: new Date(Date.now() + DAY),
    paper: 'sheets',
  })
  const anns = (await product.visit(site, { token: ann.token })).page
  await anns.goto(`/admin/projects/${project.id}/budgets/${round.id}`)
  await anns.getByText('No batch yet').waitFor()
  await anns.getByRole('button', { name: 'Make sheets' }).click()
  const dialog = anns.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Central library')
  await dialog.getByLabel('Number of sheets').fill('3')
  await dialog.getByRole('button', { name: 'Make sheets' }).click()
  await anns.getByRole('link', { name: 'Open Central library' }).click()
  await anns.getByRole('heading', { name: 'Type sheets' }).waitFor()
  await expectAccessible(anns)

  const [batch] = await db.database
    .site(site.id)
    .tx((tx) => tx.select().from(budgetPaperBatches).where(eq(budgetPaperBatches.roundId, round.id)))
  const codeOf = (number: number) => deriveSheetCode(createCtx(db.runtime, site), batch?.id ?? '', number)
  const type = async (page: typeof anns, number: number, options: readonly number[]) => {
    await page.getByLabel('Code on the sheet').fill(codeOf(number).toLowerCase())
    for (const option of options) await page.getByLabel(`${option}. Option ${option}`).check()
    await page.getByRole('button', { name: 'Save the sheet' }).click()
  }
  await type(anns, 1, [1, 3])
  await anns.getByText('Sheet 1 is saved: typed by one person').waitFor()
  // The next sheet starts empty, with the focus on its code.
  expect(await anns.getByLabel('Code on the sheet').inputValue()).toBe('')
  expect(await anns.getByLabel('1. Option 1').isChecked()).toBe(false)
  await type(anns, 1, [1])
  await anns.getByText('You have typed this sheet.').first().waitFor()
  await anns.getByLabel('1. Option 1').uncheck()
  await type(anns, 2, [2])
  await anns.getByText('Sheet 2 is saved: typed by one person').waitFor()

  const bobs = (await product.visit(site, { token: bob.token })).page
  await bobs.goto(anns.url())
  await type(bobs, 1, [1, 3])
  await bobs.getByText('Sheet 1 is saved: typed by two people').waitFor()
  await type(bobs, 2, [3])
  await bobs.getByText('Sheet 2 is saved: typed differently by two people').waitFor()
  await bobs.getByRole('heading', { name: 'Sheet 2' }).waitFor()
  await expectAccessible(bobs)
  const accept = async (sheets: string) => {
    await bobs.getByLabel('Sheets returned').fill(sheets)
    await bobs.getByRole('button', { name: 'Accept the batch' }).click()
    await bobs.getByRole('alertdialog').getByRole('button', { name: 'Accept the batch' }).click()
  }
  await accept('2')
  await bobs.getByText('Each sheet must be typed by two people').first().waitFor()
  await bobs.getByRole('button', { name: 'Type what is on it' }).click()
  await bobs.getByRole('dialog').getByLabel('2. Option 2').check()
  await bobs.getByRole('dialog').getByRole('button', { name: 'Save the sheet' }).click()
  await bobs.getByText('No sheet is typed differently.').waitFor()
  await accept('3')
  await bobs.getByText('3 sheets are stated and 2 were typed.').first().waitFor()
  await accept('2')
  await bobs.getByText('Its ballots are counted with the others.').waitFor()
  const ballots = await db.database.site(site.id).tx((tx) => tx.select().from(budgetBallots).where(eq(budgetBallots.roundId, round.id)))
  expect(ballots.map(({ options, isPaper }) => `${options.join()} ${isPaper}`).toSorted()).toEqual(['1,3 true', '2 true'])
  await bobs.getByRole('link', { name: 'Village fund' }).first().click()
  await bobs.getByText('Of these, on paper').waitFor()
  await expectAccessible(bobs)
}, 120_000)
