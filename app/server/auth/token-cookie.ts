import { buildCookieHeader } from '../../lib/device-storage.ts'
import { TOKEN_ITEM } from '../../lib/stored-items.ts'

/** The cookie that keeps a browser signed in. Scripts cannot read it; the page gets the API token separately. */
export const createTokenCookie = (token: string, secure: boolean): string => buildCookieHeader(TOKEN_ITEM, token, { secure })

export const createExpiredTokenCookie = (secure: boolean): string => buildCookieHeader(TOKEN_ITEM, '', { secure, seconds: 0 })
