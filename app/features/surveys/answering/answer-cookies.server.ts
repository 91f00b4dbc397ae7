import * as v from 'valibot'
import type { Ctx } from '#app/server/context.ts'
import { buildCookieHeader } from '#app/lib/device-storage.ts'
import { DRAFT_ITEM } from '#app/lib/answer-items.ts'
import { RECEIPT_ITEM } from '#app/lib/stored-items.ts'
import { isHttps } from '#app/server/site-url.ts'
import { type Sending, sendingSchema } from '../responses/submit-response.server.ts'

export const RECEIPT_COOKIE = RECEIPT_ITEM.name

export const buildDraftCookieName = (surveyId: string): string => `${DRAFT_ITEM.name}${surveyId}`

export const buildReceiptCookie = (ctx: Ctx, code: string): string => buildCookieHeader(RECEIPT_ITEM, code, { https: isHttps(ctx) })
export const buildExpiredReceiptCookie = (ctx: Ctx): string => buildCookieHeader(RECEIPT_ITEM, '', { https: isHttps(ctx), seconds: 0 })

export const buildDraftCookie = (ctx: Ctx, surveyId: string, { id, sendKey }: Sending): string =>
  buildCookieHeader(DRAFT_ITEM, `${id}.${sendKey}`, { of: surveyId, https: isHttps(ctx) })
export const buildExpiredDraftCookie = (ctx: Ctx, surveyId: string): string =>
  buildCookieHeader(DRAFT_ITEM, '', { of: surveyId, https: isHttps(ctx), seconds: 0 })

/** Parses both parts of a sending from a cookie or a link. */
export function parseSendingCode(code: string | undefined): Sending | undefined {
  const [id, sendKey] = code?.split('.') ?? []
  const read = v.safeParse(sendingSchema, { id, sendKey })
  return read.success ? read.output : undefined
}
