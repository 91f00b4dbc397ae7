import { buildCookieHeader } from '../../lib/device-storage.ts'
import { TOKEN_ITEM } from '../../lib/stored-items.ts'

/** The cookie that keeps a browser signed in. Scripts cannot read it; the page gets the API token separately. */
export const createTokenCookie = (token: string, https: boolean): string => buildCookieHeader(TOKEN_ITEM, token, { https })

export const createExpiredTokenCookie = (https: boolean): string => buildCookieHeader(TOKEN_ITEM, '', { https, seconds: 0 })
