import { expect, test } from 'vitest'
import { groupBySitting } from './group-sittings.ts'

const save = (time: string, { author = 'Ana', published = false } = {}) => ({
  author,
  createdAt: `2026-03-01T${time}:00.000Z`,
  publishedAt: published ? `2026-03-01T${time}:30.000Z` : null,
})
const times = (versions: ReturnType<typeof save>[]) =>
  groupBySitting(versions).map((group) => group.map((each) => each.createdAt.slice(11, 16)))

test('what one person saved without a long pause is one group, newest first', () => {
  expect(times([save('12:00'), save('11:45'), save('11:20'), save('10:00')])).toEqual([['12:00', '11:45', '11:20'], ['10:00']])
})

test('another person begins another group', () => {
  expect(times([save('12:00'), save('11:59', { author: 'Ben' }), save('11:58')])).toEqual([['12:00'], ['11:59'], ['11:58']])
})

test('what was published leads what was saved on the way to it', () => {
  expect(times([save('12:00'), save('11:50', { published: true }), save('11:40')])).toEqual([['12:00'], ['11:50', '11:40']])
})
