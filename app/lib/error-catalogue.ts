import { STATUS_OF } from './error-status.ts'

/** Codes whose HTTP status is 422: of a value that cannot be taken. */
const OF_VALUES = [
  // protocol
  'invalid',
  // fields
  'required',
  'too-long',
  'too-short',
  'too-many',
  'too-few',
  'not-an-email',
  'not-a-choice',
  'postcode-unknown',
  'not-a-number',
  'not-a-date',
  'not-a-link',
  'wrong-format',
  'wrong-total',
  'out-of-range',
  'wrong-type',
  'taken',
  'not-its-name',
  'unknown-attribute',
  'dates-out-of-order',
  // accounts
  'wrong-password',
  'common-password',
  // surveys and projects
  'translation-missing',
  'alternative-missing',
  'contrast-too-low',
  'question-type-fixed',
  'scale-fixed',
  'fixed-once-open',
  'not-by-text',
  'exclusive-choice',
  'unreadable-file',
  'unknown-reference',
  'refers-later',
  'jumps-back',
  'never-reached',
  'never-true',
  // files
  'file-type-refused',
  'unreadable-picture',
  'picture-too-large',
  'storage-full',
  'file-too-large',
  'files-too-large',
  'file-gone',
  // marketplace and texts
  'provider-refused',
  'provider-busy',
  'provider-down',
  'provider-not-understood',
  'provider-paused',
  'message-refused',
  'endpoint-refused',
  'message-undelivered',
  'message-unknown',
  'not-a-phone',
  'consent-withdrawn',
  'campaign-cancelled',
  'topic-gone',
  'area-gone',
  'group-gone',
  'address-refused',
  'address-bounced',
  'mail-undelivered',
  'wrong-code',
  // city data: what a portal did that was asked
  'portal-address-refused',
  'portal-unknown-host',
  'portal-unreachable',
  'portal-insecure',
  'portal-redirects',
  'portal-too-slow',
  'portal-too-large',
  'portal-too-many-rows',
  'portal-cell-too-large',
  'portal-refused',
  'portal-missing',
  'portal-busy',
  'portal-down',
  'portal-not-understood',
  'portal-unknown-kind',
  'portal-columns-changed',
  'portal-endless',
] as const

export type ErrorCode = keyof typeof STATUS_OF | (typeof OF_VALUES)[number]

/**
 * Every error code Parley answers with; `statusOfCode` says its HTTP status. Codes are stable: clients rely on them.
 * Each has a translated title in `locales/{language}/errors.json` under `codes.<code>`.
 */
export const ERROR_CODES: readonly ErrorCode[] = [...(Object.keys(STATUS_OF) as (keyof typeof STATUS_OF)[]), ...OF_VALUES]
