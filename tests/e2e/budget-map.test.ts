import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { budgetOptions } from '#app/server/db/schema/budgets.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { expectAccessible, expectAccessibleOnceScripted } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const DAY = 86_400_000

async function addMappedRound(status: 'published' | 'draft' = 'published') {
  const site = await addSite(db.runtime, { slug: `budget-map-${status}-${Date.now()}` })
  await addAreas(db.runtime, site, [
    { name: 'Elm', west: -74.8, south: 45, side: 0.1 },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1 },
  ])
  const project = await addProject(db.runtime, site, { slug: 'fund' })
  const round = await addRound(db.runtime, site, [{ amount: 5_000_000, costs: [800_000, 400_000, 200_000, 100_000] }], {
    projectId: project.id,
    slug: 'village-fund',
    title: inAllLanguages('Village fund'),
    opensAt: new Date(Date.now() - DAY),
    closesAt: new Date(Date.now() + DAY),
    status,
  })
  const points: Record<number, [number, number]> = { 1: [-74.76, 45.05], 2: [-74.759, 45.05], 3: [-74.64, 45.05] }
  await db.database.site(site.id).tx(async (tx) => {
    for (const [number, [lng, lat]] of Object.entries(points))
      await tx
        .update(budgetOptions)
        .set({ lng, lat })
        .where(and(eq(budgetOptions.roundId, round.id), eq(budgetOptions.number, Number(number))))
  })
  return { site, project, round }
}

test('the ballot shows where its options lie, without JavaScript on a phone, and each pin leads to its entry in the list', async () => {
  const { site } = await addMappedRound()
  const { page } = await product.visit(site, { javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  await page.goto('/projects/fund/budgets/village-fund')
  const map = page.getByRole('group', { name: '3 options on the map' })
  await map.waitFor()
  await page.getByText('1 without a point is only in the list below.').waitFor()
  await page.getByRole('link', { name: 'Go to the list' }).waitFor()
  expect(await map.getByRole('link').count()).toBe(2)
  await map.getByRole('link', { name: /^No\. 3, Option 3/ }).click()
  expect(new URL(page.url()).hash).toBe('#option-3')
  expect(await page.locator(':target h3').innerText()).toBe('Option 3')
  // What is close together opens; the list stays whole, and the choice is kept with the part of the map.
  await map.getByRole('link', { name: /^2 options near .*, zoom in$/ }).click()
  await page.getByText('You see only part of the map. The list below has all the options.').waitFor()
  await page.getByRole('link', { name: /^No\. 1, Option 1/ }).waitFor()
  expect(await page.getByRole('article').count()).toBe(4)
  await page.getByRole('link', { name: 'By cost' }).click()
  await page.getByRole('button', { name: 'Add Option 2' }).click()
  await page.getByText('1 chosen, $46,000 of $50,000 left').waitFor()
  expect(new URL(page.url()).searchParams.get('bbox')).toBeTruthy()
  expect(new URL(page.url()).searchParams.get('order')).toBe('cost')
  await expectAccessibleOnceScripted(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.getByRole('link', { name: 'Zoom out' }).click()
  await page.getByRole('link', { name: 'Show the whole map' }).click()
  await page.getByRole('group', { name: '3 options on the map' }).waitFor()
})

test('the map stays as it was written once scripts run, and is used by keys', async () => {
  const { site } = await addMappedRound()
  const { page } = await product.visit(site, { viewport: { width: 1280, height: 900 } })
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await page.goto('/projects/fund/budgets/village-fund', { waitUntil: 'networkidle' })
  await page.getByRole('group', { name: '3 options on the map' }).waitFor()
  expect(scripts.filter((url) => /OptionsMap|contribution-list/.test(url))).toEqual([])
  await page.getByRole('link', { name: /^No\. 3, Option 3/ }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**#option-3')
  await expectAccessible(page)
})

test('staff set a point on the map of the site', async () => {
  const { site, project, round } = await addMappedRound('draft')
  const officer = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page } = await product.visit(site, { token: officer.token, viewport: { width: 1280, height: 900 } })
  await page.goto(`/admin/projects/${project.id}/budgets/${round.id}`)
  await page.getByRole('button', { name: /^Edit\s+Option 4$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No pin yet').waitFor()
  await dialog.getByRole('application', { name: 'Map to choose a place on' }).focus()
  await page.keyboard.press('ArrowRight')
  await dialog.getByText(/^The pin is in (Elm|Oak)\.$/).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [saved] = await db.database.site(site.id).tx((tx) =>
    tx
      .select()
      .from(budgetOptions)
      .where(eq(budgetOptions.id, round.options[3]?.id ?? '')),
  )
  expect(saved?.lng).toBeGreaterThan(-74.8)
  expect(saved?.lat).toBeGreaterThan(45)
})
