import { randomBytes } from 'node:crypto'
import type { Ctx } from '#app/server/context.ts'
import { isHttps } from '#app/server/site-url.ts'

/** The browser's own secret, by which a survey that takes one answer from each browser knows it again. */
export const BROWSER_COOKIE = 'answers_browser'
/** Code of the receipt that is being looked at: kept from addresses, histories and logs. */
export const RECEIPT_COOKIE = 'receipt'

const YEAR_SECONDS = 365 * 24 * 60 * 60
/** Short, since others may use the device next. */
const RECEIPT_SECONDS = 20 * 60

export const newBrowserToken = (): string => randomBytes(16).toString('base64url')

export const browserCookie = (ctx: Ctx, token: string): string => cookie(ctx, BROWSER_COOKIE, token, YEAR_SECONDS)
export const receiptCookie = (ctx: Ctx, code: string): string => cookie(ctx, RECEIPT_COOKIE, code, RECEIPT_SECONDS)
export const noReceiptCookie = (ctx: Ctx): string => cookie(ctx, RECEIPT_COOKIE, '', 0)

const cookie = (ctx: Ctx, name: string, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isHttps(ctx) ? '; Secure' : ''}`
