import { expect, test } from 'vitest'
import { simplifyAreas } from '#app/features/areas/area-map.schema.ts'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import { measureLabelBox, toSvgOutline, createMapView } from './map-view.schema.ts'

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

test('a spot in the picture converts to the place drawn there', () => {
  const view = createMapView({ areas })
  const place = [-79.21234, 43.15678] as const
  const [x, y] = view.spotOf(place)
  expect(view.placeAt([x, y])).toEqual(place)
  expect(view.placeAt([x, y - 1])[1]).toBeGreaterThan(place[1])
  for (const corner of areas.flatMap(({ rings }) => rings.flat())) {
    const [left, top] = view.spotOf(corner)
    expect(left > 0 && left < PICTURE_SIZE.width && top > 0 && top < PICTURE_SIZE.height).toBe(true)
  }
})

test('areas are labelled at their centres', () => {
  const view = createMapView({ areas })
  const [elm] = areas
  expect(toSvgOutline(view, elm?.rings ?? [])).toMatch(/^M[\d. ]+(L[\d. ]+){3}Z$/)
  const { middle, width } = measureLabelBox(view, elm?.rings ?? [])
  expect(view.placeAt(middle)).toEqual([-79.25, 43.15])
  expect(width).toBeCloseTo((PICTURE_SIZE.height - 28) * Math.cos((43.15 * Math.PI) / 180), 0)
})

test('corners too close to tell apart are dropped', () => {
  const fine = Array.from({ length: 5000 }, (_, index) => [-79.3 + index / 1e6, 43.1] as const)
  const [drawn] = simplifyAreas([{ name: 'Elm', rings: [[...fine, ...square(-79.3, 43.1)]] }])
  expect(drawn?.rings[0]?.length).toBeLessThan(60)
  expect(simplifyAreas([])).toEqual([])
})
