import { STATUS_BY_CODE } from './error-status.ts'

/** Codes with HTTP status 422: a value that cannot be accepted. */
const VALUE_CODES = [
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
  'half-a-moment',
  'moment-passed',
  'not-a-link',
  'wrong-format',
  'wrong-total',
  'out-of-range',
  'wrong-type',
  'taken',
  'not-its-name',
  'unknown-attribute',
  'dates-out-of-order',
  // moderation
  'moderation-rules-incomplete',
  // accounts
  'wrong-password',
  'common-password',
  // surveys and projects
  'translation-missing',
  'alternative-missing',
  'contrast-too-low',
  'question-type-fixed',
  'scale-fixed',
  'question-changed',
  'fixed-once-open',
  'not-by-text',
  'exclusive-choice',
  'unreadable-file',
  'file-too-complex',
  'unknown-reference',
  'refers-later',
  'jumps-back',
  'never-reached',
  'never-true',
  'already-invited',
  // files
  'file-type-refused',
  'unreadable-picture',
  'picture-too-large',
  'storage-full',
  'file-too-large',
  'files-too-large',
  'too-many-unsent-files',
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
  'not-public',
  'not-encrypted',
  'consent-withdrawn',
  'campaign-cancelled',
  'topic-gone',
  'area-gone',
  'group-gone',
  'address-refused',
  'address-bounced',
  'mail-undelivered',
  'wrong-code',
  // city data: why a portal could not be read
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

export type ErrorCode = keyof typeof STATUS_BY_CODE | (typeof VALUE_CODES)[number]

/**
 * Every error code of Parley; `getErrorStatus` returns its HTTP status. Codes are stable: clients rely on them. Each has a translated title
 * in `locales/{language}/errors.json` under `codes.<code>`.
 */
export const ERROR_CODES: readonly ErrorCode[] = [...(Object.keys(STATUS_BY_CODE) as (keyof typeof STATUS_BY_CODE)[]), ...VALUE_CODES]
