import { expect, test } from 'vitest'
import { recordStep, redoStep, startHistory, undoStep } from './edit-history.ts'

test('each change is a step that can be undone and redone', () => {
  let steps = recordStep(recordStep(startHistory('a'), 'b', undefined, 0), 'c', undefined, 1)
  steps = undoStep(steps)
  expect(steps.present).toBe('b')
  steps = undoStep(undoStep(steps))
  expect(steps.present).toBe('a')
  expect(redoStep(redoStep(redoStep(steps))).present).toBe('c')
})

test('typing in one field is one step until a pause', () => {
  let steps = recordStep(startHistory(''), 'o', 'title', 0)
  steps = recordStep(steps, 'on', 'title', 300)
  steps = recordStep(steps, 'one', 'title', 600)
  expect(undoStep(steps).present).toBe('')
  steps = recordStep(steps, 'one two', 'title', 5000)
  expect(undoStep(steps).present).toBe('one')
})

test('a new change clears the redo steps', () => {
  const steps = recordStep(undoStep(recordStep(startHistory('a'), 'b', undefined, 0)), 'c', undefined, 1)
  expect(redoStep(steps).present).toBe('c')
  expect(undoStep(steps).present).toBe('a')
})
