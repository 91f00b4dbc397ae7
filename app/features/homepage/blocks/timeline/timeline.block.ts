import { line, list, plain, text } from '../../block-fields.ts'
import { defineBlockShowing } from '../../define-block.ts'

export interface TimelineData {
  /** ISO 8601: what lies behind and what ahead depends on it. */
  now: string
}

/** Steps on the way, each with its day. */
export const timeline = defineBlockShowing<TimelineData>()(
  'timeline',
  { title: line(), steps: list({ day: plain('day'), title: line(), text: text() }, 24) },
  { isEmpty: ({ steps }) => steps.every((step) => !step.title.text) },
)
