import type { PollResults, PollView } from '#app/features/surveys/poll/poll.schema.ts'
import { line, reference } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface QuickPollData {
  poll: PollView | null
  /** Of a poll that has closed. */
  results: PollResults | null
}

/** A survey of one choice, answered on the homepage. The title defaults to the survey's own. */
export const quickPoll = defineBlock(
  'quick_poll',
  { title: line(), surveyId: reference('survey') },
  { isEmpty: (_, { poll, results }: QuickPollData) => !poll || (!poll.open && !results) },
)
