import { readChoiceParam, omitUndefined, readTextParam } from '#app/lib/search-params.ts'

/** Result of the last action, shown on the page that follows it. */
export const COMPLETED_ACTIONS = [
  'confirmed',
  'email-changed',
  'password',
  'password-sign-in',
  'profile',
  'email-asked',
  'email-cancelled',
  'confirmation-sent',
  'session-ended',
  'sessions-ended',
  'deleted',
  'app-removed',
  'passkey-added',
  'passkey-removed',
  'codes-kept',
  'phone-confirmed',
  'phone-removed',
  'answer-saved',
  'answer-deleted',
] as const
export type CompletedAction = (typeof COMPLETED_ACTIONS)[number]

type SearchParams = Record<string, unknown>

/** Search parameters of the account pages. Invalid values are dropped. */
export const readNextSearch = ({ next }: SearchParams) => omitUndefined({ next: readTextParam(next, 2000) })
export const readSignInSearch = ({ next, done }: SearchParams) =>
  omitUndefined({ next: readTextParam(next, 2000), done: readChoiceParam(done, COMPLETED_ACTIONS) })
export const readAccountSearch = ({ done }: SearchParams) => omitUndefined({ done: readChoiceParam(done, COMPLETED_ACTIONS) })
export const readLinkSearch = ({ token }: SearchParams) => omitUndefined({ token: readTextParam(token, 200) })
export const readCheckMailSearch = (search: SearchParams) => omitUndefined({ for: readChoiceParam(search['for'], ['register', 'forgot']) })
