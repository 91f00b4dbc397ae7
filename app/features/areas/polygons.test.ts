import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPointInside, type Point, parseRings } from './polygons.schema.ts'

const square = (west: number, south: number, size: number): Point[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
]

describe('a shape', () => {
  test('is parsed from GeoJSON, GeoJSON text and Esri rings; a point or a line is not a shape', () => {
    const rings = [square(0, 0, 1)]
    const polygon = { type: 'Polygon', coordinates: rings }
    expect(parseRings(polygon)).toEqual(rings)
    expect(parseRings(JSON.stringify(polygon))).toEqual(rings)
    expect(parseRings({ type: 'Feature', geometry: polygon })).toEqual(rings)
    expect(parseRings({ rings })).toEqual(rings)
    expect(parseRings({ type: 'MultiPolygon', coordinates: [rings, [square(5, 5, 1)]] })).toHaveLength(2)
    for (const nothing of [
      null,
      7,
      'Ward 1',
      '{',
      { type: 'Point', coordinates: [1, 2] },
      { type: 'LineString', coordinates: square(0, 0, 1) },
    ])
      expect(parseRings(nothing)).toBeUndefined()
    expect(parseRings({ type: 'Polygon', coordinates: [[['a', 1], [999, 0], null]] })).toBeUndefined()
  })

  test('contains its inside, not its hole, and the island inside the hole', () => {
    const rings = [square(0, 0, 10), square(2, 2, 6), square(4, 4, 2)]
    expect(isPointInside([1, 1], rings)).toBe(true)
    expect(isPointInside([3, 3], rings)).toBe(false)
    expect(isPointInside([5, 5], rings)).toBe(true)
    expect(isPointInside([11, 5], rings)).toBe(false)
  })

  test('with a bay contains both sides of the bay, but not the bay itself', () => {
    const bay: Point[] = [
      [0, 0],
      [6, 0],
      [6, 6],
      [4, 6],
      [4, 2],
      [2, 2],
      [2, 6],
      [0, 6],
    ]
    expect(isPointInside([1, 5], [bay])).toBe(true)
    expect(isPointInside([5, 5], [bay])).toBe(true)
    expect(isPointInside([3, 5], [bay])).toBe(false)
    expect(isPointInside([3, 1], [bay])).toBe(true)
  })

  test('and its neighbours partition the plane: every point is in exactly one, even on a border or corner', () => {
    const wards = [0, 1, 2].flatMap((x) => [0, 1, 2].map((y) => [square(x, y, 1)]))
    const coordinate = fc.oneof(fc.integer({ min: 0, max: 2 }), fc.double({ min: 0, max: 2.999, noNaN: true }))
    const inOne = fc.property(coordinate, coordinate, (x, y) => wards.filter((ward) => isPointInside([x, y], ward)).length === 1)
    expect(() => fc.assert(inOne)).not.toThrow()
  })
})
