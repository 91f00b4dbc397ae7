import { expect, test } from 'vitest'
import { record, redo, startHistory, undo } from './history.ts'

test('each change is a step that can be undone and done again', () => {
  let steps = record(record(startHistory('a'), 'b', undefined, 0), 'c', undefined, 1)
  steps = undo(steps)
  expect(steps.present).toBe('b')
  steps = undo(undo(steps))
  expect(steps.present).toBe('a')
  expect(redo(redo(redo(steps))).present).toBe('c')
})

test('typing on in one field is one step, until there is a rest', () => {
  let steps = record(startHistory(''), 'o', 'title', 0)
  steps = record(steps, 'on', 'title', 300)
  steps = record(steps, 'one', 'title', 600)
  expect(undo(steps).present).toBe('')
  steps = record(steps, 'one two', 'title', 5000)
  expect(undo(steps).present).toBe('one')
})

test('a new change forgets what was undone', () => {
  const steps = record(undo(record(startHistory('a'), 'b', undefined, 0)), 'c', undefined, 1)
  expect(redo(steps).present).toBe('c')
  expect(undo(steps).present).toBe('a')
})
