import { expect, test } from 'vitest'
import { countCharacters, cutIntoRuns, findUnits, growMark, moveMark, trimMark } from './marked-passages.ts'

const TEXT = 'Shade 🌳 first. Then a seat, please. Thank you.'

test('characters are counted as the server counts them, and back', () => {
  expect(countCharacters(TEXT, TEXT.indexOf('first'))).toBe(8)
  expect(findUnits(TEXT, 8)).toBe(TEXT.indexOf('first'))
})

test('a mark moves by sentences, and before the first the whole text is meant again', () => {
  const read = (mark: ReturnType<typeof moveMark>) => mark && TEXT.slice(mark.start, mark.end)
  const first = moveMark(TEXT, 'en', undefined, 1)
  expect(read(first)).toBe('Shade 🌳 first.')
  const second = moveMark(TEXT, 'en', first, 1)
  expect(read(second)).toBe('Then a seat, please.')
  expect(read(moveMark(TEXT, 'en', moveMark(TEXT, 'en', second, 1), 1))).toBe('Thank you.')
  expect(read(moveMark(TEXT, 'en', second, -1))).toBe('Shade 🌳 first.')
  expect(moveMark(TEXT, 'en', first, -1)).toBeUndefined()
})

test('a mark grows and shrinks by words, down to one', () => {
  const read = (mark: ReturnType<typeof growMark>) => mark && TEXT.slice(mark.start, mark.end)
  const one = growMark(TEXT, 'en', undefined, 1)
  expect(read(one)).toBe('Shade')
  const two = growMark(TEXT, 'en', one, 1)
  expect(read(two)).toBe('Shade 🌳 first')
  expect(read(growMark(TEXT, 'en', two, -1))).toBe('Shade')
  expect(read(growMark(TEXT, 'en', one, -1))).toBe('Shade')
})

test('what the pointer drew loses the space around it', () => {
  expect(trimMark('a  word  b', { start: 1, end: 9 })).toEqual({ start: 3, end: 7 })
  expect(trimMark('a  b', { start: 1, end: 3 })).toBeUndefined()
})

test('overlapping marks cut a text into runs', () => {
  expect(
    cutIntoRuns('abcdef', [
      { start: 0, end: 4 },
      { start: 2, end: 6 },
    ]),
  ).toEqual([
    { start: 0, end: 2, marks: [0] },
    { start: 2, end: 4, marks: [0, 1] },
    { start: 4, end: 6, marks: [1] },
  ])
})
