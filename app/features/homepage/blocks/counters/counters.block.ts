import { choices } from '../../block-fields.ts'
import { defineBlockShowing } from '../../define-block.ts'

export const COUNTERS = ['answers', 'decisions', 'open_projects', 'people'] as const
export type Counter = (typeof COUNTERS)[number]

export interface CountersData {
  values: Record<Counter, number>
}

/** Live figures about the site. */
export const counters = defineBlockShowing<CountersData>()(
  'counters',
  { counters: choices(COUNTERS) },
  {
    isEmpty: (block) => block.counters.length === 0,
  },
)
