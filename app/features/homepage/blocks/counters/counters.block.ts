import { choices } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export const COUNTERS = ['answers', 'decisions', 'open_projects', 'people'] as const
export type Counter = (typeof COUNTERS)[number]

export interface CountersData {
  values: Record<Counter, number>
}

/** Live figures about the site. Empty while all are zero, as on a new site. */
export const counters = defineBlock(
  'counters',
  { counters: choices(COUNTERS) },
  { isEmpty: (block, { values }: CountersData) => block.counters.every((name) => values[name] === 0) },
)
