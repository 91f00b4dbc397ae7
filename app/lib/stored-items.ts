import { ANSWERS_ITEM, DRAFT_ITEM } from './answer-items.ts'
import { FILES_ITEM, POLLS_ITEM, WRITTEN_ITEM } from './kept-items.ts'
import { API_TOKEN_ITEM, CONSENT_ITEM, LANGUAGE_ITEM, type StoredItem } from './device-storage.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/* Separate from what every page needs (`device-storage.ts`), so that no page loads the whole list. */

/** The browser's own secret: recognises it for surveys that accept one response per browser. */
export const BROWSER_ITEM = { id: 'browser', name: 'answers_browser', place: 'cookie', seconds: 365 * DAY, for: 'everyone' } as const
/** The code or personal link that somebody came with, for each survey. */
export const INVITATION_ITEM = {
  id: 'invitation',
  name: 'invitation_',
  each: true,
  place: 'cookie',
  seconds: 60 * DAY,
  for: 'everyone',
} as const
/** Code of the receipt being viewed: keeps it out of addresses, histories and logs. Short-lived, because others may use the device next. */
export const RECEIPT_ITEM = { id: 'receipt', name: 'receipt', place: 'cookie', seconds: 20 * MINUTE, for: 'everyone' } as const
/** What somebody has chosen for a ballot and has not cast yet, for each round. Short-lived, because others may use the device next. */
export const BALLOT_ITEM = { id: 'ballot', name: 'ballot_', each: true, place: 'cookie', seconds: DAY, for: 'everyone' } as const
/** Where an email was just sent, for the page that says so: keeps the address out of URLs, histories and logs. */
export const MAILED_ITEM = { id: 'mailed', name: 'mailed', place: 'cookie', seconds: 10 * MINUTE, for: 'everyone' } as const
/** Written by the router itself. */
export const SCROLL_ITEM = { id: 'scroll', name: 'tsr-scroll-restoration', each: true, place: 'session', for: 'everyone' } as const
export const TOKEN_ITEM = { id: 'token', name: 'token', place: 'cookie', seconds: 30 * DAY, for: 'account', exactName: true } as const
/** Tells a browser in which somebody has signed in before from one that guesses passwords. */
export const DEVICE_ITEM = {
  id: 'device',
  name: 'known_device',
  place: 'cookie',
  seconds: 180 * DAY,
  for: 'account',
  sameSite: 'Strict',
} as const
/** Ties the answer of a sign-in provider to the browser that was sent there. */
export const SIGN_IN_ITEM = { id: 'sign-in', name: 'sign_in_', each: true, place: 'cookie', seconds: 10 * MINUTE, for: 'everyone' } as const
export const KEYS_ITEM = { id: 'keys', name: 'parley.single-keys', place: 'local', for: 'team' } as const
export const UNSAVED_ITEM = { id: 'unsaved', name: 'parley.unsaved.', each: true, place: 'local', for: 'team' } as const
export const UPLOAD_ITEM = { id: 'upload', name: 'parley-upload:', each: true, place: 'local', for: 'team' } as const
export const COPIED_ITEM = { id: 'copied', name: 'parley.copied-blocks', place: 'local', for: 'team' } as const
/** What somebody does not want to be told again about their own texts. */
export const DISMISSED_ITEM = { id: 'dismissed', name: 'parley.plain-words-dismissed', place: 'local', for: 'team' } as const
export const FIRST_STEPS_ITEM = { id: 'first-steps', name: 'parley.first-steps', place: 'local', for: 'team' } as const

export const STORED_ITEMS = [
  LANGUAGE_ITEM,
  CONSENT_ITEM,
  ANSWERS_ITEM,
  WRITTEN_ITEM,
  FILES_ITEM,
  POLLS_ITEM,
  DRAFT_ITEM,
  RECEIPT_ITEM,
  MAILED_ITEM,
  INVITATION_ITEM,
  BALLOT_ITEM,
  BROWSER_ITEM,
  SCROLL_ITEM,
  SIGN_IN_ITEM,
  TOKEN_ITEM,
  DEVICE_ITEM,
  API_TOKEN_ITEM,
  KEYS_ITEM,
  UNSAVED_ITEM,
  UPLOAD_ITEM,
  COPIED_ITEM,
  DISMISSED_ITEM,
  FIRST_STEPS_ITEM,
] as const satisfies readonly StoredItem[]
