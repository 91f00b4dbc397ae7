/** Codes whose HTTP status is not 422. In a separate file because every page needs it, and no page needs the whole catalogue. */
export const STATUS_BY_CODE = {
  // protocol
  'bad-request': 400,
  'malformed-json': 400,
  'unknown-parameter': 400,
  'invalid-parameter': 400,
  unauthenticated: 401,
  forbidden: 403,
  csrf: 403,
  'not-found': 404,
  'no-such-site': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  conflict: 409,
  'type-mismatch': 409,
  'id-mismatch': 409,
  stale: 409,
  gone: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
  // accounts
  'wrong-credentials': 401,
  blocked: 403,
  'link-expired': 410,
  'already-confirmed': 409,
  'first-site-admin-only': 403,
  'last-site-admin': 409,
  'mail-goes-out': 409,
  // surveys and projects
  'survey-not-open': 409,
  'survey-closed': 409,
  'sign-in-to-answer': 401,
  'confirm-to-answer': 403,
  'invitation-needed': 403,
  'browser-or-account-needed': 401,
  'already-answered': 409,
  'not-published': 409,
  'already-published': 409,
  'quota-full': 409,
  // contributions
  'activity-not-open': 409,
  'activity-closed': 409,
  'confirm-to-take-part': 403,
  'editing-over': 409,
  'similar-first': 409,
  // files
  'in-use': 409,
  // marketplace and texts
  'sms-not-enabled': 409,
  'sms-limit-passed': 409,
  'no-phone': 409,
  'code-expired': 410,
} as const satisfies Record<string, number>

export const getErrorStatus = (code: string): number => (STATUS_BY_CODE as Record<string, number>)[code] ?? 422
