import { expect, test } from 'vitest'
import { findUncovered } from './area-map.schema.ts'
import type { Point } from './polygons.schema.ts'

const toArea = (name: string, west: number, side: number) => ({
  name,
  rings: [[[west, 45], [west + side, 45], [west + side, 45 + side], [west, 45 + side]] as Point[]], // prettier-ignore
})

test('areas beyond the map of streets are named: those outside, and those that reach over its edge', () => {
  const areas = [toArea('Inside', -75, 0.1), toArea('Over the edge', -74.95, 0.1), toArea('Outside', -74, 0.1), toArea('County', -76, 3)]
  expect(findUncovered({ areas, streets: [-75, 45, -74.9, 45.1] })).toEqual({ whole: ['Outside'], partly: ['Over the edge', 'County'] })
  // Without streets there is nothing to cover them: that is said elsewhere.
  expect(findUncovered({ areas })).toEqual({ whole: [], partly: [] })
})
