import { expect, test } from 'vitest'
import { expectAccessible, openPage, signIn, expectUsable } from '#tests/support/browser.ts'

const ACTIVITY = '/projects/riverfront/trees'

const feature = (name: string, coordinates: readonly (readonly number[])[]) => ({
  type: 'Feature',
  properties: { name, surface: 'gravel' },
  geometry: { type: 'LineString', coordinates },
})
const toFile = (name: string, features: readonly object[], more: object = {}) => ({
  name,
  mimeType: 'application/geo+json',
  buffer: Buffer.from(JSON.stringify({ type: 'FeatureCollection', ...more, features })),
})

test('an administrator puts a layer on a map, which everybody sees, reads as a table and downloads; and takes it off again', async () => {
  const admin = await openPage()
  await signIn(admin, 'site.admin')
  await admin.goto('/admin')
  // The demo's own layer says where the project is.
  const { project, corners } = await admin.evaluate(async (path) => {
    const read = async (address: string) => (await (await fetch(address)).json()) as unknown
    const projects = (await read('/api/v2/projects?filter[q]=riverfront&page[size]=100')) as {
      data: { id: string; attributes: { slug: string } }[]
    }
    const layer = (await read(`${path}/layers/1.geojson`)) as { features: { geometry: { coordinates: number[][][] } }[] }
    return {
      project: projects.data.find(({ attributes }) => attributes.slug === 'riverfront')?.id,
      corners: layer.features[0]?.geometry.coordinates[0]?.slice(0, 2) ?? [],
    }
  }, ACTIVITY)
  await admin.goto(`/admin/projects/${project}`)
  await admin.getByRole('tab', { name: 'Activities' }).click()
  await admin.getByRole('button', { name: 'Map layers' }).first().click()
  const dialog = admin.getByRole('dialog', { name: /^Map layers/ })
  await dialog.getByText('Floodplain of the river').first().waitFor()
  await expectAccessible(admin)

  // A file in metres of the British grid is refused by name, and converted if that is wanted.
  const choose = (file: ReturnType<typeof toFile>) => dialog.locator('input[type=file]').setInputFiles(file)
  await choose(
    toFile('paths.geojson', [
      feature('Caister', [
        [651409.903, 313177.27],
        [651500, 313200],
      ]),
    ]),
  )
  await dialog
    .getByText(/British National Grid/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Convert and upload' }).click()
  await dialog.getByText('converted from British National Grid, to about 5 metres').waitFor()

  await choose(toFile('Planned paths.geojson', [feature('River path', corners)]))
  await dialog.getByText('Planned paths').first().waitFor()

  const visitor = await openPage({ javaScript: false, width: 360 })
  await visitor.goto(ACTIVITY)
  await visitor.getByRole('link', { name: 'Planned paths' }).click()
  await visitor.getByRole('heading', { level: 1, name: 'Planned paths' }).waitFor()
  expect(await visitor.locator('tbody tr').allInnerTexts()).toEqual([expect.stringMatching(/River path\s+gravel/)])
  const [download] = await Promise.all([
    visitor.waitForEvent('download'),
    visitor.getByRole('link', { name: 'Download as GeoJSON' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.geojson$/)

  for (const name of ['Planned paths', 'paths']) {
    await dialog.getByRole('button', { name: `Delete ${name}`, exact: true }).click()
    await dialog.getByRole('button', { name: `Remove ${name} for good` }).click()
    await dialog.getByRole('button', { name: `Delete ${name}`, exact: true }).waitFor({ state: 'detached' })
  }
  await visitor.goto(ACTIVITY)
  expect(await visitor.getByRole('link', { name: 'Planned paths' }).count()).toBe(0)
  expect(await visitor.getByRole('link', { name: 'Floodplain of the river' }).count()).toBe(1)
})

test.each(['en', 'fr-CA'])('the map with its layers and a layer’s table are accessible and fit in %s', async (language) => {
  const reader = await openPage({ width: 360 })
  for (const path of [ACTIVITY, `${ACTIVITY}/layers/1`]) {
    await reader.goto(`/${language}${path}`)
    await reader.locator('h1').waitFor()
    await expectUsable(reader)
    expect(await reader.locator('html').getAttribute('lang')).toBe(language)
  }
})
