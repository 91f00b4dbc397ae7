const DAY_SECONDS = 24 * 3600

/* Separate from the other stored items (`stored-items.ts`): these alone are loaded where a survey is answered. */

/** Leads to the draft that was started in this browser, for each survey. */
export const DRAFT_ITEM = { id: 'draft', name: 'draft_', each: true, place: 'cookie', seconds: 60 * DAY_SECONDS, for: 'everyone' } as const
/** Answers that were not sent yet, for each survey. */
export const ANSWERS_ITEM = {
  id: 'answers',
  name: 'parley.survey.',
  each: true,
  place: 'local',
  seconds: 30 * DAY_SECONDS,
  for: 'everyone',
} as const
