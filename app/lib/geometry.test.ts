import { expect, test } from 'vitest'
import { findPin } from './find-pin.ts'
import { formatBox, parseBox, parseGeometry } from './geometry.ts'

const faultOf = (value: unknown) => {
  const parsed = parseGeometry(value)
  return 'fault' in parsed ? parsed.fault : undefined
}
const point = (lng: unknown, lat: unknown) => ({ type: 'Point', coordinates: [lng, lat] })

test('points, lines and areas are accepted, rounded to a tenth of a metre, and areas are closed', () => {
  expect(parseGeometry(point(-74.72812345, 45.0250001))).toEqual({ geometry: { type: 'Point', coordinates: [-74.728123, 45.025] } })
  const corner = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1]]] } // prettier-ignore
  expect(parseGeometry(corner)).toMatchObject({ geometry: { coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] } }) // prettier-ignore
})

test('what is no geometry of these kinds is refused', () => {
  for (const value of [null, 'POINT(1 2)', {}, { type: 'MultiPoint', coordinates: [[1, 2]] }, { type: 'Point' }])
    expect(faultOf(value)).toEqual({ code: 'wrong-type' })
  expect(faultOf({ type: 'LineString', coordinates: [[1, 2], [1, 2]] })).toEqual({ code: 'too-few', values: { min: 2 } }) // prettier-ignore
  expect(faultOf({ type: 'Polygon', coordinates: [[[1, 2], [1, 3]]] })).toEqual({ code: 'too-few', values: { min: 3 } }) // prettier-ignore
})

test('coordinates that are no numbers or not on earth are refused, and the grids they look like are named', () => {
  expect(faultOf(point(Number.NaN, 45))).toEqual({ code: 'not-a-number' })
  expect(faultOf(point(Number.POSITIVE_INFINITY, 45))).toEqual({ code: 'not-a-number' })
  expect(faultOf(point('-74', 45))).toEqual({ code: 'not-a-number' })
  expect(faultOf(point(-74, 91))).toEqual({ code: 'out-of-range', values: { max: 90 } })
  expect(faultOf(point(-181, 45))).toEqual({ code: 'out-of-range', values: { min: -180 } })
  expect(faultOf(point(190, 51))).toEqual({ code: 'out-of-range', values: { max: 180 } })
  expect(faultOf(point(3, 91))).toEqual({ code: 'out-of-range', values: { max: 90 } })
  // Cardiff Castle in the British National Grid, and Ottawa in Statistics Canada Lambert (EPSG:3347).
  expect(faultOf(point(318_100, 176_600))).toEqual({ code: 'british-grid' })
  expect(faultOf(point(7_471_000, 1_186_000))).toEqual({ code: 'canada-lambert' })
})

test('lines and areas that cross themselves are refused', () => {
  const bowTie = [[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]] // prettier-ignore
  expect(faultOf({ type: 'Polygon', coordinates: [bowTie] })).toEqual({ code: 'self-crossing' })
  expect(faultOf({ type: 'LineString', coordinates: bowTie.slice(0, 4) })).toEqual({ code: 'self-crossing' })
  expect(faultOf({ type: 'LineString', coordinates: [[0, 0], [2, 0], [1, 0]] })).toEqual({ code: 'self-crossing' }) // prettier-ignore
  const ring = [[0, 0], [2, 0], [2, 2], [1, 1], [0, 2], [0, 0]] // prettier-ignore
  expect(faultOf({ type: 'Polygon', coordinates: [ring] })).toBeUndefined()
  expect(faultOf({ type: 'LineString', coordinates: ring })).toBeUndefined()
})

test('more than 200 points are refused', () => {
  const line = (points: number) => ({ type: 'LineString', coordinates: Array.from({ length: points }, (_, at) => [at / 1000, at / 2000]) })
  expect(faultOf(line(200))).toBeUndefined()
  expect(faultOf(line(201))).toEqual({ code: 'too-many', values: { max: 200 } })
})

test('the pin stands on the point, in the middle of a line, at the centre of an area', () => {
  expect(findPin({ type: 'Point', coordinates: [1, 2] })).toEqual([1, 2])
  expect(findPin({ type: 'LineString', coordinates: [[0, 0], [1, 0], [4, 0]] })).toEqual([2, 0]) // prettier-ignore
  expect(findPin({ type: 'Polygon', coordinates: [[[0, 0], [2, 0], [2, 4], [0, 4], [0, 0]]] })).toEqual([1, 2]) // prettier-ignore
})

test('a box is four degrees in order, and its text grows to full steps', () => {
  expect(parseBox('-74.8,45,-74.7,45.1')).toEqual([-74.8, 45, -74.7, 45.1])
  for (const text of ['', '1,2,3', '3,2,1,4', '1,2,3,NaN', '1,2,3,95', '1,2,3,4,5', '0x1,2,3,4']) expect(parseBox(text)).toBeUndefined()
  expect(formatBox([-74.7281234, 45.0250001, -74.7281, 45.0250009])).toBe('-74.72813,45.025,-74.7281,45.02501')
})
