import { randomBytes } from 'node:crypto'
import { getCookie } from '@tanstack/react-start/server'
import { buildInvitationCookieName } from '#app/features/invitations/invitation-cookies.server.ts'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { BROWSER_ITEM, RECEIPT_ITEM } from '#app/lib/stored-items.ts'
import type { Ctx } from '#app/server/context.ts'
import { isHttps } from '#app/server/site-url.ts'

/** The browser's secret, if it has one. */
export const readBrowserToken = (): string | undefined => getCookie(BROWSER_ITEM.name)
/** The code of the receipt that the browser holds. */
export const readReceiptCode = (): string | undefined => getCookie(RECEIPT_ITEM.name)

/** The code or the secret of a personal link that the browser holds for an activity. */
export const readInvitation = (activityId: string): string | undefined => getCookie(buildInvitationCookieName(activityId))

/** The browser's secret; a new one comes with the cookie that keeps it. */
export function requireBrowserToken(ctx: Ctx): { token: string; cookies: string[] } {
  const known = readBrowserToken()
  if (known) return { token: known, cookies: [] }
  const token = randomBytes(16).toString('base64url')
  return { token, cookies: [buildCookieHeader(BROWSER_ITEM, token, { https: isHttps(ctx) })] }
}

export const buildReceiptCookie = (ctx: Ctx, code: string): string => buildCookieHeader(RECEIPT_ITEM, code, { https: isHttps(ctx) })
