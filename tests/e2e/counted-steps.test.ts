import type { Locator } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'

/** How many steps a common walk takes. One more is no mistake of the code, but somebody has to want it. */

const { db, product } = useSharedProduct()
let site: Site

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'steps', languages: ['en'] })
  await addAreas(db.runtime, site, [
    { name: 'Elm', west: -74.8, south: 45, side: 0.1 },
    { name: 'Oak', west: -74.7, south: 45, side: 0.1 },
  ])
  const { id: projectId } = await addProject(db.runtime, site, { slug: 'quay' })
  await addActivity(db.runtime, site, { projectId, slug: 'places', kind: 'places' })
})

/** Counts what somebody does: presses, and fields that they fill in. */
function countSteps() {
  const taken = { presses: 0, fields: 0 }
  return {
    taken,
    press: async (target: Locator, at?: { x: number; y: number }) => {
      taken.presses += 1
      await target.click(at && { position: at })
    },
    fill: async (field: Locator, text: string) => {
      taken.fields += 1
      await field.fill(text)
    },
  }
}

test('a resident puts a place on the map in five presses and two fields', async () => {
  const { page } = await product.visit(site, { viewport: { width: 360, height: 800 } })
  await page.goto('/projects/quay')
  const resident = countSteps()
  await resident.press(page.getByRole('link', { name: 'Add a place' }).first())
  await resident.fill(page.getByLabel('Give the place a title'), 'A bench by the quay')
  await resident.fill(page.getByLabel('What should happen here?'), 'People wait here for the ferry.')
  const map = page.getByRole('application', { name: 'Map of the areas' })
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  if (!box) throw new Error('The map is not shown')
  await resident.press(map, { x: box.width * 0.3, y: box.height * 0.5 })
  await page.getByText(/^Your point is in /).waitFor()
  await resident.press(page.getByLabel('Anonymously'))
  await resident.press(page.getByRole('button', { name: 'Continue' }))
  await page.getByRole('heading', { name: 'Check before you send' }).waitFor()
  await resident.press(page.getByRole('button', { name: 'Send my place' }))
  await page.waitForURL('**/receipt')
  expect(resident.taken).toEqual({ presses: 5, fields: 2 })
})
