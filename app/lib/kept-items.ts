const DAY_SECONDS = 24 * 3600

/* Separate from the other stored items (`stored-items.ts`): these alone are loaded where people write. */

/** Files that were chosen in such a form. */
export const FILES_ITEM = { id: 'files', name: 'parley.files', place: 'database', seconds: 30 * DAY_SECONDS, for: 'everyone' } as const
/** Which polls were answered in this browser, so that they show their results. */
export const POLLS_ITEM = {
  id: 'polls',
  name: 'parley.poll.',
  each: true,
  place: 'local',
  seconds: 365 * DAY_SECONDS,
  for: 'everyone',
} as const
/** What was written in another form and not sent yet: by the form's address. */
export const WRITTEN_ITEM = {
  id: 'written',
  name: 'parley.written.',
  each: true,
  place: 'local',
  seconds: 30 * DAY_SECONDS,
  for: 'everyone',
} as const
