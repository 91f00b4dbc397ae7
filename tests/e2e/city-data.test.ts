import { expect, test } from 'vitest'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { ownDatabase } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'
import { serveSocrata } from '#tests/support/portals/socrata.ts'

const db = await ownDatabase()
const product = await db.start({ OUTGOING_LOOPBACK: '1' })
const portal = await serveSocrata(60)
let sites = 0
/** Of the test's own, so that it may be tried again. */
const newSite = () => addSite(db.runtime, { slug: `city-${++sites}`, languages: ['en', 'fr-CA'] })

test('city data come from a portal to a project’s page, and stay there with their age when the portal is out of order', async () => {
  const site = await newSite()
  portal.down = false
  await addProject(db.runtime, site, { slug: 'elm', title: { en: 'Elm Street', 'fr-CA': 'Rue des Ormes' } })
  const { token } = await addPerson(db.runtime, site, { role: 'site_admin' })
  const { page, complaints } = await product.visit(site, { token })
  await page.goto('/admin/city-data/new')
  await page.getByLabel('Address').fill(portal.origin)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor()
  await page.getByLabel('Search the portal').fill('permits')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText('Public Domain').waitFor()
  await page.getByRole('button', { name: 'Look at the columns' }).click()
  await page.getByText('5 columns:').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use this dataset' }).click()

  await page.getByRole('heading', { level: 1, name: 'Building permits' }).waitFor()
  await page.getByLabel('Show website').uncheck()
  await page.getByLabel('Name of cost in Français').fill('Coût')
  await page.getByRole('tab', { name: /Français/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Permis de construire')
  await page.getByLabel('Where', { exact: true }).selectOption({ label: 'Elm Street' })
  await page.getByLabel('Chart', { exact: true }).selectOption({ label: 'Bars' })
  await page.getByLabel('Show it to everyone').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Everything is saved').waitFor()
  await page.getByText('Up to date').waitFor()

  // Without a script: the chart, the map and the table, from the project's own page.
  const visitor = await product.visit(site, { javaScriptEnabled: false })
  await visitor.page.goto('/projects/elm')
  await visitor.page.getByRole('link', { name: 'See these figures drawn' }).click()
  await visitor.page.locator('table.bar-chart').waitFor()
  await visitor.page.getByRole('link', { name: /See the whole table \(60 rows\)/ }).click()
  await visitor.page.getByRole('heading', { level: 1, name: 'Building permits' }).waitFor()
  expect(await visitor.page.locator('table.bar-chart, .place-map svg, table.dataset-table').count()).toBe(3)
  await visitor.page.getByLabel('Search the table').fill('P-000004')
  await visitor.page.getByRole('button', { name: 'Search', exact: true }).click()
  await visitor.page.getByText('1 row with “P-000004”.').waitFor()
  expect(await visitor.page.locator('.dataset-table tbody tr').count()).toBe(1)
  await visitor.page.goto('/fr-CA/data/building-permits')
  expect(await visitor.page.getByRole('heading', { level: 1 }).textContent()).toBe('Permis de construire')
  expect(await visitor.page.locator('.dataset-table thead').textContent()).toBe('Sur la cartePermitCoûtIssuedWhere')
  const reader = await product.visit(site)
  for (const path of ['/projects/elm/data', '/fr-CA/data/building-permits']) {
    await reader.page.goto(path)
    await expectAccessible(reader.page)
  }

  portal.down = true
  await page.getByRole('button', { name: 'Copy now' }).click()
  await page.getByText('The portal has a fault of its own').waitFor()
  await page.getByText('People still see the copy of').waitFor()
  await expect
    .poll(async () => {
      await visitor.page.goto('/en/data/building-permits')
      return visitor.page.getByText('This may be out of date').count()
    })
    .toBe(1)
  expect(await visitor.page.locator('.dataset-table tbody tr').count()).toBe(25)
  expect([...complaints, ...visitor.complaints, ...reader.complaints]).toEqual([])
})
