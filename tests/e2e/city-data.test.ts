import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { chooseRecord } from '#tests/support/choose-record.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { clickAtOnce, expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'
import { serveSocrata } from '#tests/support/portals/socrata.ts'

const { db, product } = useSharedProduct()
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
  await page.getByRole('button', { name: 'View columns' }).click()
  await page.getByText('5 columns:').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use this dataset' }).click()

  await page.getByRole('heading', { level: 1, name: 'Building permits' }).waitFor()
  await page.getByLabel('Show website').uncheck()
  await page.getByLabel('Name of cost (Français)').fill('Coût')
  await page.getByRole('tab', { name: /Français/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Permis de construire')
  await chooseRecord(page, 'Where', 'Elm Street')
  await page.getByLabel('Chart', { exact: true }).selectOption({ label: 'Bars' })
  await page.getByLabel('Show it to everyone').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('All changes saved').waitFor()
  await page.getByText('Up to date').waitFor()

  // Without a script: the chart, the map and the table, from the project's own page.
  const visitor = await product.visit(site, { javaScriptEnabled: false })
  await visitor.page.goto('/projects/elm')
  await visitor.page.getByRole('link', { name: 'See these figures as charts and maps' }).click()
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
  await page.getByText('The portal has a problem').waitFor()
  await page.getByText('People still see the copy from').waitFor()
  await expect
    .poll(async () => {
      await visitor.page.goto('/en/data/building-permits')
      return visitor.page.getByText('This may be out of date').count()
    })
    .toBe(1)
  expect(await visitor.page.locator('.dataset-table tbody tr').count()).toBe(25)
  expect([...complaints, ...visitor.complaints, ...reader.complaints]).toEqual([])
})

test('a long copy shows how far it is and is stopped; who removes the dataset is told by name what would miss it', async () => {
  const site = await newSite()
  await addProject(db.runtime, site, { slug: 'elm', title: { en: 'Elm Street', 'fr-CA': 'Rue des Ormes' } })
  const long = await serveSocrata(25_000)
  const { page, complaints } = await product.visit(site, { token: (await addPerson(db.runtime, site, { role: 'site_admin' })).token })
  await page.goto('/admin/city-data/new')
  await page.getByLabel('Address').fill(long.origin)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('button', { name: 'View columns' }).click()
  await page.getByRole('button', { name: 'Use this dataset' }).click()
  await page.getByRole('heading', { level: 1, name: 'Building permits' }).waitFor()
  await chooseRecord(page, 'Where', 'Elm Street')
  await page.getByLabel('Show it to everyone').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Up to date').waitFor()
  await page.getByText('25,000 rows', { exact: true }).waitFor()

  long.hold((path) => path.includes('offset=20000'))
  await page.getByRole('button', { name: 'Copy now' }).click()
  await page.getByText('20,000 rows so far').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stop copying' }).click()
  await page.getByText('Up to date').waitFor()
  long.letGo()
  const visitor = await product.visit(site)
  await visitor.page.goto('/data/building-permits?q=P-024999')
  await visitor.page.getByText('1 row with').waitFor()

  await page.getByRole('button', { name: 'Remove…' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByText('Project page').waitFor()
  await asked.getByRole('link', { name: 'Elm Street' }).waitFor()
  await expectAccessible(page)
  await asked.getByRole('button', { name: 'Remove it' }).click()
  await page.getByText('No datasets yet').waitFor()
  expect((await visitor.page.goto('/projects/elm'))?.status()).toBe(200)
  expect(await visitor.page.getByText('Building permits').count()).toBe(0)
  expect((await visitor.page.goto('/data/building-permits'))?.status()).toBe(404)
  expect([...complaints, ...visitor.complaints.filter((line) => !/status of 404/.test(line))]).toEqual([])
})

test('areas hold projects and people, who say where they live by their postcode; what goes with them is told before they are taken away', async () => {
  const site = await newSite()
  const ward = createId()
  await db.runtime.database.site(site.id).tx(async (tx) => {
    const [connectorId, datasetId] = [createId(), createId()]
    const columns = ['ward', 'codes', 'place'].map((key) => ({ key, type: key === 'place' ? 'place' : 'text', name: {}, shown: true }))
    const portalUrl = `${portal.origin}/wards.geojson`
    await tx
      .insert(cityConnectors)
      .values({ siteId: site.id, id: connectorId, name: 'Wards', portalUrl, kind: 'geojson', language: 'en', everyMinutes: 1440 })
    await tx.insert(cityDatasets).values({
      siteId: site.id,
      id: datasetId,
      connectorId,
      slug: 'wards',
      sourceId: portalUrl,
      title: { en: 'Wards' },
      columns,
      boundaries: { name: 'ward', postcodes: 'codes' },
      dueAt: null,
    })
    const rings = [[[-75, 45], [-74, 45], [-74, 46], [-75, 46]]] // prettier-ignore
    await tx.insert(areas).values([
      { siteId: site.id, id: ward, datasetId, slug: 'east', name: 'East', rings, postcodes: ['K7L'] },
      { siteId: site.id, id: createId(), datasetId, slug: 'west', name: 'West', rings, postcodes: ['K7M'] },
    ])
  })
  const project = await addProject(db.runtime, site, { slug: 'elm', title: { en: 'Elm Street', 'fr-CA': 'Rue des Ormes' } })
  const survey = await addSurvey(db.runtime, site, { projectId: project.id, slug: 'elm', resultsPublic: true })
  await db.runtime.database.site(site.id).tx((tx) =>
    tx.insert(responses).values({
      siteId: site.id,
      id: createId(),
      surveyId: survey.id,
      version: 1,
      language: 'en',
      answers: { ideas: 'More benches' },
      receiptHash: randomBytes(32),
    }),
  )

  // Without a script: nothing that was typed or ticked is lost.
  const participant = await product.visit(site, { token: (await addPerson(db.runtime, site)).token, javaScriptEnabled: false })
  const own = participant.page
  await own.goto('/account/area')
  await own.getByLabel('Your postcode').fill('M5V 1A1')
  await own.getByLabel(/^I agree/).check()
  await own.getByRole('button', { name: 'Save' }).click()
  await own.getByRole('link', { name: /No area has this postcode/ }).waitFor()
  expect(await own.getByLabel('Your postcode').inputValue()).toBe('M5V 1A1')
  expect(await own.getByLabel(/^I agree/).isChecked()).toBe(true)
  await own.getByLabel('Your postcode').fill('k7l 3b2')
  await own.getByLabel(/can also use it to choose/).check()
  await own.getByRole('button', { name: 'Save' }).click()
  await own.getByText('Saved', { exact: false }).first().waitFor()
  expect(await own.getByLabel('Or choose the area').inputValue()).toBe(ward)
  expect(await own.getByLabel(/can also use it to choose/).isChecked()).toBe(true)
  const reader = await product.visit(site, { token: (await addPerson(db.runtime, site)).token })
  for (const path of ['/account/area', '/fr-CA/account/area']) {
    await reader.page.goto(path)
    await expectAccessible(reader.page)
  }

  const { page, complaints } = await product.visit(site, { token: (await addPerson(db.runtime, site, { role: 'site_admin' })).token })
  await page.goto(`/admin/projects/${project.id}`)
  await page.getByRole('tab', { name: 'Areas' }).click()
  // The box shows at once what was chosen, before the change is saved.
  expect(await clickAtOnce(page.getByLabel('East', { exact: true }))).toBe(true)
  await page.waitForLoadState('networkidle')
  await expectAccessible(page)
  await page.goto(`/admin/surveys/${survey.id}/open-answers`)
  await page.getByRole('checkbox', { name: /More benches/ }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('There is nothing here').waitFor()

  await page.goto('/admin/city-data')
  await page.getByRole('link', { name: 'Wards' }).first().click()
  await page.getByLabel('Areas of the site').selectOption({ label: 'None' })
  await page.getByRole('button', { name: 'Save' }).click()
  const asked = page.getByRole('alertdialog')
  await asked.getByText('1 project is in them.').waitFor()
  await asked.getByText(/1 person has said/).waitFor()
  await asked.getByRole('link', { name: 'Elm Street' }).waitFor()
  await expectAccessible(page)
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await own.goto('/account/area')
  expect(await own.getByLabel('Or choose the area').inputValue()).toBe(ward)
  await page.getByRole('button', { name: 'Save' }).click()
  await asked.getByRole('button', { name: 'Remove the areas' }).click()
  await page.getByText('All changes saved').waitFor()
  expect((await own.goto('/account/area'))?.status()).toBe(404)
  expect([...complaints, ...participant.complaints.filter((line) => !/status of (404|422)/.test(line)), ...reader.complaints]).toEqual([])
})
