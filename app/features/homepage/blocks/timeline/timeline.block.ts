import { line, list, plain, text } from '../../block-fields.ts'
import { defineBlockShowing } from '../../define-block.ts'

export interface TimelineData {
  /** ISO 8601. Decides which steps are past. */
  now: string
}

/** Dated steps of a process. */
export const timeline = defineBlockShowing<TimelineData>()(
  'timeline',
  { title: line(), steps: list({ day: plain('day'), title: line(), text: text() }, 24) },
  { isEmpty: ({ steps }) => steps.every((step) => !step.title.text) },
)
