import { expect, test } from 'vitest'
import { mapSteps, recordStep, redoStep, startSteps, undoStep } from './undo-steps.ts'

test('each change is a step that can be undone and redone', () => {
  let steps = recordStep(recordStep(startSteps('a'), 'b'), 'c')
  steps = undoStep(steps)
  expect(steps.present).toBe('b')
  steps = undoStep(undoStep(steps))
  expect(steps.present).toBe('a')
  expect(redoStep(redoStep(redoStep(steps))).present).toBe('c')
})

test('typing in one field is one step until a pause', () => {
  let steps = recordStep(startSteps(''), 'o', 'title', 0)
  steps = recordStep(steps, 'on', 'title', 300)
  steps = recordStep(steps, 'one', 'title', 600)
  expect(undoStep(steps).present).toBe('')
  steps = recordStep(steps, 'one two', 'title', 5000)
  expect(undoStep(steps).present).toBe('one')
})

test('a new change clears the redo steps', () => {
  const steps = recordStep(undoStep(recordStep(startSteps('a'), 'b')), 'c')
  expect(redoStep(steps).present).toBe('c')
  expect(undoStep(steps).present).toBe('a')
})

test('what is applied to every step stays when they are undone and redone', () => {
  const steps = mapSteps(undoStep(recordStep(recordStep(startSteps('a'), 'b'), 'c')), (text) => `${text}!`)
  expect([undoStep(steps).present, steps.present, redoStep(steps).present]).toEqual(['a!', 'b!', 'c!'])
})
