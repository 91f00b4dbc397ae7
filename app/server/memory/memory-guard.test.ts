import { expect, test } from 'vitest'
import { MemoryBudget } from './memory-budget.ts'
import { MemoryGuard } from './memory-guard.ts'

const MB = 1_000_000

/** A process of the given size, whose collector takes away what is garbage. */
function createProcess() {
  const state = { now: 0, inUse: 200 * MB, garbage: 0, collections: 0, changes: [] as boolean[] }
  const budget = new MemoryBudget(100 * MB)
  const tightness: boolean[] = []
  const guard = new MemoryGuard({
    maxBytes: 450 * MB,
    budget,
    readBytes: () => state.inUse + state.garbage + budget.bytes,
    collectGarbage: () => {
      state.garbage = 0
      state.collections += 1
    },
    onTight: (isTight) => tightness.push(isTight),
    onChange: (isRefusing) => state.changes.push(isRefusing),
    now: () => state.now,
  })
  const askLater = (ms = 1000) => {
    state.now += ms
    return guard.hasRoom()
  }
  return { state, budget, guard, tightness, askLater }
}

test('garbage is collected, and half of what is remembered forgotten, before anything is refused', () => {
  const { state, budget, askLater } = createProcess()
  const pages = budget.open<object>('pages')
  for (let count = 0; count < 10; count++) pages.set(String(count), {}, 9 * MB)
  state.garbage = 160 * MB
  expect(askLater()).toBe(true)
  expect(state.collections).toBe(1)
  expect(budget.bytes).toBeLessThanOrEqual(50 * MB)
  expect(pages.find('9')).toBeDefined()
  expect(state.changes).toEqual([])
})

test('nothing is refused for garbage, however soon it comes after a collection', () => {
  const { state, askLater } = createProcess()
  state.inUse = 330 * MB
  for (let count = 0; count < 5; count++) {
    state.garbage = 90 * MB
    expect(askLater(200)).toBe(true)
  }
  expect(state.collections).toBe(5)
  expect(state.changes).toEqual([])
})

test('close to the limit, memory is measured before each piece of work, however soon one follows the other', () => {
  const { state, askLater } = createProcess()
  state.inUse = 370 * MB
  expect(askLater()).toBe(true)
  for (const garbage of [20, 25, 45]) {
    state.garbage = garbage * MB
    expect(askLater(1)).toBe(true)
  }
  expect(state.collections).toBe(1)
  state.inUse = 420 * MB
  expect(askLater(1)).toBe(false)
})

test('much garbage is collected some way before work would be refused, and little is left alone', () => {
  const { state, askLater } = createProcess()
  state.inUse = 380 * MB
  for (const garbage of [25, 10, 10, 10]) {
    state.garbage = garbage * MB
    expect(askLater()).toBe(true)
  }
  state.inUse = 398 * MB
  for (let count = 0; count < 10; count++) expect(askLater()).toBe(true)
  expect(state.collections).toBe(2)
})

test('V8 is told when memory comes close to the limit, and when there is plenty again', () => {
  const { state, tightness, askLater } = createProcess()
  for (const inUse of [300, 370, 380, 300]) {
    state.inUse = inUse * MB
    askLater()
  }
  expect(tightness).toEqual([true, false])
})

test('work is refused before the limit is passed, and taken again once there is clearly room', () => {
  const { state, askLater } = createProcess()
  state.inUse = 420 * MB
  expect(askLater()).toBe(false)
  state.inUse = 400 * MB
  expect(askLater()).toBe(false)
  state.inUse = 370 * MB
  expect(askLater()).toBe(true)
  expect(state.changes).toEqual([true, false])
})

test('while it refuses, one piece of work at a time is taken if there is room for it, so that it never stops for good', () => {
  const { state, guard } = createProcess()
  state.inUse = 420 * MB
  expect(guard.hasRoom()).toBe(false)
  expect(guard.hasRoom(true)).toBe(true)
  // Memory is measured again before each one, because the last one may have used more.
  state.inUse = 440 * MB
  expect(guard.hasRoom(true)).toBe(false)
})

test('while it refuses, it collects garbage every few seconds, so that it recovers without work that would make it', () => {
  const { state, askLater } = createProcess()
  state.inUse = 420 * MB
  for (let count = 0; count < 60; count++) expect(askLater(100)).toBe(false)
  expect(state.collections).toBeGreaterThan(1)
  expect(state.collections).toBeLessThan(4)
  state.inUse = 250 * MB
  state.garbage = 190 * MB
  expect(askLater(5000)).toBe(true)
})
