import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readWritten, removeSent, removeWritten, storeWritten } from './written-on-device.ts'

const ADDRESS = '/projects/quay/ideas/new'
const FIELDS: [string, string][] = [['title', 'Benches of oak']]
const DAY_MS = 24 * 3_600_000

let stored: Map<string, string>
let isFull: boolean

beforeEach(() => {
  stored = new Map()
  isFull = false
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => stored.delete(key),
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('is kept for 30 days after it was last changed, and then removed', () => {
  expect(storeWritten(ADDRESS, { fields: FIELDS, isSent: false, files: [] })).toBe(true)
  vi.advanceTimersByTime(30 * DAY_MS - 1)
  expect(readWritten(ADDRESS).fields).toEqual(FIELDS)
  vi.advanceTimersByTime(1)
  expect(readWritten(ADDRESS).fields).toBeUndefined()
  expect(stored.size).toBe(0)
})

test('is found by its own form only', () => {
  storeWritten(ADDRESS, { fields: FIELDS, isSent: false, files: [] })
  expect(readWritten('/projects/quay/ideas/1/reply').fields).toBeUndefined()
})

test('goes once it has arrived; what has been written since stays', async () => {
  storeWritten(ADDRESS, { fields: FIELDS, isSent: true, files: [] })
  await removeSent(ADDRESS)
  expect(stored.size).toBe(0)
  storeWritten(ADDRESS, { fields: FIELDS, isSent: false, files: [] })
  await removeSent(ADDRESS)
  expect(readWritten(ADDRESS).fields).toEqual(FIELDS)
  await removeWritten(ADDRESS)
  expect(stored.size).toBe(0)
})

test('goes if it is what arrived, even if nothing noted that it was sent; another one stays', async () => {
  const withId = (id: string): [string, string][] => [...FIELDS, ['id', id]]
  storeWritten(ADDRESS, { fields: withId('one'), isSent: false, files: [] })
  await removeSent(ADDRESS, 'other')
  expect(readWritten(ADDRESS).fields).toEqual(withId('one'))
  await removeSent(ADDRESS, 'one')
  expect(stored.size).toBe(0)
})

test('says so if the device cannot keep it, and ignores what somebody else has stored', async () => {
  isFull = true
  expect(storeWritten(ADDRESS, { fields: FIELDS, isSent: false, files: [] })).toBe(false)
  isFull = false
  stored.set(`parley.written.${ADDRESS}`, '{"at":')
  expect(readWritten(ADDRESS)).toEqual({})
  vi.stubGlobal('localStorage', undefined)
  expect(storeWritten(ADDRESS, { fields: FIELDS, isSent: false, files: [] })).toBe(false)
  expect(readWritten(ADDRESS)).toEqual({})
  await removeWritten(ADDRESS)
})
