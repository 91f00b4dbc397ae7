import { SESSION_DAYS } from './tokens.ts'

/** Sets the cookie that keeps a browser signed in. Scripts cannot read it; the page is given the token for the API separately. */
export const tokenCookie = (token: string, secure: boolean): string => cookie(token, SESSION_DAYS * 86_400, secure)

export const endedTokenCookie = (secure: boolean): string => cookie('', 0, secure)

const cookie = (value: string, maxAge: number, secure: boolean) =>
  `token=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
