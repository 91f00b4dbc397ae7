import { expect, test } from 'vitest'
import { PICTURE_SIZE } from '#app/lib/map-picture.ts'
import { findMovedBox } from './move-box.ts'

/** Four degrees by two, which fill the picture. */
const map = { shown: [-4, 50, 0, 52], unit: { lng: 4 / PICTURE_SIZE.width, lat: 2 / PICTURE_SIZE.height } } as const
const still = { right: 0, down: 0, steps: 0, at: [0.5, 0.5] } as const

test('a map that is dragged shows what lies on the other side', () => {
  expect(findMovedBox(map, { ...still, right: PICTURE_SIZE.width / 4, down: -PICTURE_SIZE.height / 2 })).toBe('-5,49,-1,51')
})

test('a map is zoomed about the place between the fingers, which stays where it is', () => {
  expect(findMovedBox(map, { ...still, steps: 1 })).toBe('-3,50.5,-1,51.5')
  expect(findMovedBox(map, { ...still, steps: 1, at: [0, 0] })).toBe('-4,51,-2,52')
  expect(findMovedBox(map, { ...still, steps: 2, at: [0.25, 0.25] })).toBe('-3.25,51.125,-2.25,51.625')
  expect(findMovedBox(map, { ...still, steps: -1, at: [1, 1] })).toBe('-8,50,0,54')
})
