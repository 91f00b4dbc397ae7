/** Whether a free-text answer may be published. */
export const OPEN_ANSWER_STATES = ['waiting', 'approved'] as const
export type OpenAnswerState = (typeof OPEN_ANSWER_STATES)[number]
export const MAX_DECIDED_AT_ONCE = 200
