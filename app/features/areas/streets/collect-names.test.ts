import { expect, test } from 'vitest'
import { TOWN, toFeature } from '#tests/factories/map-files.ts'
import { checkMapFile } from './check-map-file.server.ts'

const readNames = async (features: readonly object[]) => {
  const { names } = await checkMapFile({ file: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features })) })
  return names
}
const street = (name: string, ...coordinates: [number, number][]) =>
  toFeature({ highway: 'residential', name }, { type: 'LineString', coordinates })

test('a street that crosses tiles is listed once, with a point on it near its middle', async () => {
  const names = await readNames(TOWN.features)
  const found = names.filter(({ name }) => name === 'Alder Street 5')
  expect(found).toHaveLength(1)
  const [{ at, box, kind, names: others } = { at: [0, 0], box: [], kind: '', names: {} }] = found
  expect(kind).toBe('street')
  expect(others).toEqual({ 'fr-CA': 'Rue de l’Aulne 5' })
  expect(at[1]).toBeCloseTo(45.014, 4)
  expect(at[0]).toBeGreaterThan(-74.735)
  expect(at[0]).toBeLessThan(-74.715)
  expect(box[0]).toBeCloseTo(-74.74, 2)
  expect(box[2]).toBeCloseTo(-74.71, 2)
})

test('places, waters and parks are listed too, places first; what has no name or is not drawn is not', async () => {
  const names = await readNames(TOWN.features)
  expect(names[0]).toMatchObject({ name: 'Riverbend', kind: 'place' })
  expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(['Mill Race', 'Heron Park']))
  expect(names.map(({ name }) => name)).not.toContain('A bench')
})

test('two streets of one name far from each other are two', async () => {
  const names = await readNames([
    ...TOWN.features,
    street('Church Street', [-74.739, 45.006], [-74.737, 45.006]),
    street('Church Street', [-74.713, 45.034], [-74.711, 45.034]),
  ])
  expect(names.filter(({ name }) => name === 'Church Street')).toHaveLength(2)
})
