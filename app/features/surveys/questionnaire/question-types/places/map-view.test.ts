import { expect, test } from 'vitest'
import { drawable } from '#app/features/areas/area-map.schema.ts'
import { boxOf, outlineOf, SIZE, viewOf } from './map-view.ts'

const square = (west: number, south: number) =>
  [
    [west, south],
    [west + 0.1, south],
    [west + 0.1, south + 0.1],
    [west, south + 0.1],
  ] as const

const areas = [
  { name: 'Elm', rings: [[...square(-79.3, 43.1)]] },
  { name: 'Oak', rings: [[...square(-79.2, 43.1)]] },
]

test('a spot of the picture is the place that is drawn there', () => {
  const view = viewOf({ areas })
  const place = [-79.21234, 43.15678] as const
  const [x, y] = view.spotOf(place)
  expect(view.placeAt([x, y])).toEqual(place)
  expect(view.placeAt([x, y - 1])[1]).toBeGreaterThan(place[1])
  for (const corner of areas.flatMap(({ rings }) => rings.flat())) {
    const [left, top] = view.spotOf(corner)
    expect(left > 0 && left < SIZE.width && top > 0 && top < SIZE.height).toBe(true)
  }
})

test('areas are drawn with their names in their middles', () => {
  const view = viewOf({ areas })
  const [elm] = areas
  expect(outlineOf(view, elm?.rings ?? [])).toMatch(/^M[\d. ]+(L[\d. ]+){3}Z$/)
  const { middle, width } = boxOf(view, elm?.rings ?? [])
  expect(view.placeAt(middle)).toEqual([-79.25, 43.15])
  expect(width).toBeCloseTo((SIZE.height - 28) * Math.cos((43.15 * Math.PI) / 180), 0)
})

test('corners that no picture tells apart are left out', () => {
  const fine = Array.from({ length: 5000 }, (_, index) => [-79.3 + index / 1e6, 43.1] as const)
  const [drawn] = drawable([{ name: 'Elm', rings: [[...fine, ...square(-79.3, 43.1)]] }])
  expect(drawn?.rings[0]?.length).toBeLessThan(60)
  expect(drawable([])).toEqual([])
})
