import { getCookie } from '@tanstack/react-start/server'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { RECEIPT_ITEM } from '#app/lib/stored-items.ts'
import type { Ctx } from '#app/server/context.ts'
import { isHttps } from '#app/server/site-url.ts'

/** The code of the receipt that the browser holds. */
export const readReceiptCode = (): string | undefined => getCookie(RECEIPT_ITEM.name)

export const buildReceiptCookie = (ctx: Ctx, code: string): string => buildCookieHeader(RECEIPT_ITEM, code, { https: isHttps(ctx) })
export const buildExpiredReceiptCookie = (ctx: Ctx): string => buildCookieHeader(RECEIPT_ITEM, '', { https: isHttps(ctx), seconds: 0 })
