import { expect, test } from 'vitest'
import { groupByState } from './ProjectSurveys.tsx'

test('what has closed is listed apart from what can be answered now or later', () => {
  const item = (name: string, state: 'open' | 'upcoming' | 'closed', position: number) => ({
    name,
    open: state === 'open',
    closed: state === 'closed',
    position,
  })
  const { current, closed } = groupByState([
    item('past', 'closed', 1),
    item('later', 'upcoming', 2),
    item('second', 'open', 4),
    item('first', 'open', 3),
    item('long past', 'closed', 0),
  ])
  expect(current.map(({ name }) => name)).toEqual(['first', 'second', 'later'])
  expect(closed.map(({ name }) => name)).toEqual(['long past', 'past'])
})
