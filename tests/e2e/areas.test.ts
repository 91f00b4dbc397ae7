import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { projectRevisions } from '#app/server/db/schema/projects.ts'
import { buildShapefile, PRJ, squareRing } from '#tests/factories/area-files.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { TOWN } from '#tests/factories/map-files.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()

const WARDS = buildShapefile(
  [
    { values: { WARD_NAME: 'Gull Point', WARD_CODE: 'G1' }, rings: [squareRing(-74.74, 45.01, 0.015)] },
    { values: { WARD_NAME: 'Heron Bay', WARD_CODE: 'H1' }, rings: [squareRing(-74.725, 45.01, 0.015)] },
    { values: { WARD_NAME: 'Far Shore', WARD_CODE: 'F1' }, rings: [squareRing(-74.6, 45.01, 0.015)] },
    { values: { WARD_NAME: '', WARD_CODE: 'X1' }, rings: [squareRing(-74.725, 45.025, 0.005)] },
  ],
  PRJ.nad83,
)
/** The browser notes each refusal. */
const isOurs = (complaint: string) => !complaint.includes('status of 422')

test('wards from a Shapefile are shown before they are stored, and reach participants; one is drawn by keys', async () => {
  const site = await addSite(db.runtime, { slug: `wards-${createId()}`, languages: ['en', 'cy'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const activity = await addActivity(db.runtime, site, { kind: 'places' })
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto('/admin/settings')
  const choose = (name: string, buffer: Buffer) =>
    page.getByLabel(/^Choose (a|another) file$/).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  await page.getByLabel('Who made the map').fill('© Wards')
  await choose('town.geojson', Buffer.from(JSON.stringify(TOWN)))
  await page.getByText('The map is on every page now.').waitFor()
  await page.getByRole('link', { name: 'Upload or draw areas' }).click()
  await page.getByText('No areas yet').waitFor()

  await choose('wards.txt', Buffer.from('Gull Point, Heron Bay'))
  await page.getByText('This file is not GeoJSON, a Shapefile in a .zip, KML or KMZ.').waitFor()
  await choose('wards.zip', WARDS)
  await page.getByRole('heading', { name: 'What is in wards.zip' }).waitFor()
  await page.getByRole('img', { name: 'Map of the areas in the file' }).waitFor()
  await page.getByText('Left out: it has no name').first().waitFor()
  await expect.poll(() => page.getByLabel('Names (English)').inputValue()).toBe('WARD_NAME')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use 3 areas' }).click()
  await page.getByText('3 areas added.').waitFor()
  await page.getByRole('button', { name: 'Change Heron Bay' }).waitFor()

  await page.getByRole('button', { name: 'Draw an area' }).press('Enter')
  await page.getByLabel('Name of the area').fill('Otter Head')
  const map = page.getByRole('application', { name: 'Map to draw an area on' })
  for (const key of ['Enter', 'Shift+ArrowRight', 'Enter', 'Shift+ArrowDown', 'Enter']) await map.press(key)
  await page.getByText('3 corners', { exact: true }).waitFor()
  await page.getByText('Corners of the outline').press('Enter')
  await page.getByRole('button', { name: 'Move corner 3', exact: true }).press('Enter')
  await expect.poll(() => map.evaluate((element) => element === document.activeElement)).toBe(true)
  await map.press('ArrowDown')
  await map.press('Enter')
  await page.getByText('Corner 3 moved.').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Finish the outline' }).press('Enter')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save the area' }).press('Enter')
  await page.getByText('The area is on every map now.').waitFor()
  await page.getByRole('button', { name: 'Remove Otter Head' }).waitFor()

  await page.goto('/admin/settings')
  await page.getByText(/^Not at all: .*Far Shore/).waitFor()

  const { page: participant } = await product.visit(site, { javaScriptEnabled: false })
  await participant.goto(`/projects/${activity.projectSlug}/${activity.slug}/new`)
  await expect.poll(() => participant.getByRole('option').allTextContents()).toEqual(expect.arrayContaining(['Gull Point', 'Heron Bay', 'Otter Head'])) // prettier-ignore
  expect(complaints.filter(isOurs)).toEqual([])
})

test('a project’s place is found by the name of a street and moved by keys, in a draft', async () => {
  const site = await addSite(db.runtime, { slug: `place-${createId()}`, languages: ['en'] })
  const admin = await addPerson(db.runtime, site, { role: 'site_admin' })
  const project = await addProject(db.runtime, site, { title: { en: 'Mill Lane' } })
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto('/admin/settings')
  await page.getByLabel('Who made the map').fill('© Mill Lane')
  const file = { name: 'town.geojson', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(TOWN)) }
  await page.getByLabel('Choose a file').setInputFiles(file)
  await page.getByText('The map is on every page now.').waitFor()

  await page.goto(`/admin/projects/${project.id}`)
  await page.getByRole('tab', { name: 'People and place' }).click()
  const find = page.getByRole('combobox', { name: 'Find an address or a place' })
  await find.fill('alder street 7')
  await page.getByRole('option', { name: 'Alder Street 7' }).waitFor()
  await find.press('ArrowDown')
  await find.press('Enter')
  await expect.poll(() => page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('Alder Street 7')
  const latitude = page.getByLabel('Latitude')
  const readLatitude = async () => Number(await latitude.inputValue())
  await expect.poll(readLatitude).toBeCloseTo(45.016, 3)
  const before = await readLatitude()
  await page.getByRole('application', { name: 'Map to choose a place on' }).press('ArrowUp')
  await expect.poll(readLatitude).toBeGreaterThan(before)
  await page.getByText('The pin is set.').waitFor()
  await expectAccessible(page)
  const moved = await readLatitude()
  await expect
    .poll(async () => {
      const rows = await db.runtime.database
        .site(site.id)
        .tx((tx) => tx.select().from(projectRevisions).where(eq(projectRevisions.placeId, project.id)))
      return rows.map(({ content }) => (content as { place?: { lat?: number } }).place?.lat)
    })
    .toContain(moved)
  expect(complaints.filter(isOurs)).toEqual([])
})
