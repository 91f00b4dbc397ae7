import { choiceParam, given, textParam } from '#app/lib/search-params.ts'

/** What has just been done, said on the page somebody is led to. */
export const DONE = [
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
  'phone-confirmed',
  'phone-removed',
] as const
export type Done = (typeof DONE)[number]

type Given = Record<string, unknown>

/** Parameters of the pages' addresses. What is broken is left out. */
export const nextSearch = ({ next }: Given) => given({ next: textParam(next, 2000) })
export const signInSearch = ({ next, done }: Given) => given({ next: textParam(next, 2000), done: choiceParam(done, DONE) })
export const accountSearch = ({ done }: Given) => given({ done: choiceParam(done, DONE) })
export const linkSearch = ({ token }: Given) => given({ token: textParam(token, 200) })
export const checkMailSearch = (search: Given) => given({ for: choiceParam(search['for'], ['register', 'forgot']) })
