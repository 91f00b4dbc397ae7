import { cookieHeader } from '../../lib/device-storage.ts'
import { TOKEN_ITEM } from '../../lib/stored-items.ts'

/** Sets the cookie that keeps a browser signed in. Scripts cannot read it; the page is given the token for the API separately. */
export const tokenCookie = (token: string, secure: boolean): string => cookieHeader(TOKEN_ITEM, token, { secure })

export const endedTokenCookie = (secure: boolean): string => cookieHeader(TOKEN_ITEM, '', { secure, seconds: 0 })
