/**
 * Every error code Parley answers with, and its HTTP status. Codes are stable: clients rely on them.
 * Each has a translated title in `locales/{language}/errors.json` under `codes.<code>`.
 */
export const ERROR_STATUS = {
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
  invalid: 422,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
  // fields
  required: 422,
  'too-long': 422,
  'too-short': 422,
  'too-many': 422,
  'too-few': 422,
  'not-an-email': 422,
  'not-a-choice': 422,
  'not-a-number': 422,
  'not-a-date': 422,
  'not-a-link': 422,
  'wrong-format': 422,
  'out-of-range': 422,
  'wrong-type': 422,
  taken: 422,
  'unknown-attribute': 422,
  'dates-out-of-order': 422,
  // accounts
  'wrong-credentials': 401,
  'wrong-password': 422,
  'common-password': 422,
  blocked: 403,
  'link-expired': 410,
  'already-confirmed': 409,
  // surveys and projects
  'survey-not-open': 409,
  'survey-closed': 409,
  'sign-in-to-answer': 401,
  'already-answered': 409,
  'not-published': 409,
  'already-published': 409,
  'translation-missing': 422,
  'question-type-fixed': 422,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERROR_STATUS
