import { getCookie } from '@tanstack/react-start/server'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { RECEIPT_ITEM } from '#app/lib/stored-items.ts'
import type { Ctx } from '#app/server/context.ts'
import { isHttps } from '#app/server/site-url.ts'

/** The oldest goes first. */
const MAX_CODES = 6
const SEPARATOR = '.'

/** The codes of the receipts that the browser holds, the last one first. */
export const readReceiptCodes = (): string[] =>
  (getCookie(RECEIPT_ITEM.name) ?? '')
    .split(SEPARATOR)
    .filter((code) => parseReceiptCode(code) !== undefined)
    .slice(0, MAX_CODES)

/** The last of them. */
export const readReceiptCode = (): string | undefined => readReceiptCodes()[0]

/** Adds a code to those that the browser holds, as the last one. */
export function buildReceiptCookie(ctx: Ctx, code: string): string {
  const last = parseReceiptCode(code) ?? ''
  const codes = [last, ...readReceiptCodes().filter((one) => one !== last)].slice(0, MAX_CODES)
  return buildCookieHeader(RECEIPT_ITEM, codes.join(SEPARATOR), { https: isHttps(ctx) })
}

export const buildExpiredReceiptCookie = (ctx: Ctx): string => buildCookieHeader(RECEIPT_ITEM, '', { https: isHttps(ctx), seconds: 0 })
